"""Environment steps per second of corten.tasks beside Gymnasium's vector environments, in one process, in turns.

usage: PYTHONPATH=build/release/python python3 bench/tasks.py [ENVIRONMENTS [SECONDS]]
Needs gymnasium[mujoco].
"""

import sys
import time

import gymnasium
import numpy as np

import corten.tasks  # noqa: F401


def speed(envs, actions, seconds):
    """Environment steps per second over some time."""
    calls, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        envs.step(actions[calls % len(actions)])
        calls += 1
    return calls * envs.num_envs / (time.perf_counter() - begin)


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 64
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    print(f"{n} environments, environment steps per second, median of 5 turns")
    print(f"(other work on the machine favours async, which has {n} processes)")
    print(f"{'task':16} {'corten':>9} {'sync':>9} {'async':>9} {'corten / better':>16}")
    for name in ("HalfCheetah-v5", "Ant-v5", "Humanoid-v5"):
        all_envs = [gymnasium.make_vec("corten/" + name, num_envs=n),
                    gymnasium.make_vec(name, num_envs=n, vectorization_mode="sync"),
                    gymnasium.make_vec(name, num_envs=n, vectorization_mode="async")]
        space = all_envs[0].action_space
        space.seed(1)
        actions = [space.sample() for _ in range(50)]
        for envs in all_envs:
            envs.reset(seed=1)
            speed(envs, actions, seconds / 2)
        turns = np.array([[speed(envs, actions, seconds) for envs in all_envs] for _ in range(5)])
        ours, sync, parallel = np.median(turns, axis=0)
        ratio = np.median(turns[:, 0] / turns[:, 1:].max(axis=1))
        print(f"{name:16} {ours:9.0f} {sync:9.0f} {parallel:9.0f} {ratio:16.1f}", flush=True)
        for envs in all_envs:
            envs.close()


if __name__ == "__main__":
    main()
