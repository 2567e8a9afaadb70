"""Environment steps per second of corten.tasks beside EnvPool and Gymnasium's vector environments, in one process, in turns.

usage: PYTHONPATH=build/release/python python3 bench/tasks.py [--threads N] [ENVIRONMENTS [SECONDS [TASK ...]]]
       PYTHONPATH=build/release/python python3 bench/tasks.py overhead [ENVIRONMENTS]
Needs gymnasium[mujoco]; EnvPool takes part if it is installed, on as many threads as ours: all cores, or N. "overhead" is how much longer a loop of Python takes than the
same steps in one call of the library.
"""

import importlib.util
import multiprocessing
import os
import sys
import time

import gymnasium
import numpy as np

import corten.tasks  # noqa: F401


def processor_seconds():
    """Of this process and of those that it has started."""
    total, tick = time.process_time(), os.sysconf("SC_CLK_TCK")
    for child in multiprocessing.active_children():
        with open(f"/proc/{child.pid}/stat", encoding="utf-8") as file:
            total += sum(map(int, file.read().rpartition(")")[2].split()[11:13])) / tick
    return total


def speed(envs, actions, seconds):
    """Environment steps per second, and per second of a processor: other work on the machine disturbs that less."""
    calls, begin, used = 0, time.perf_counter(), processor_seconds()
    while time.perf_counter() - begin < seconds:
        envs.step(actions[calls % len(actions)])
        calls += 1
    steps = calls * envs.num_envs
    return steps / (time.perf_counter() - begin), steps / max(1e-3, processor_seconds() - used)


class Pool:
    """EnvPool's environments, on as many threads as ours."""

    def __init__(self, name, n, threads):
        import envpool
        self.envs = envpool.make_gymnasium(name, num_envs=n, num_threads=threads)
        self.num_envs = n

    def reset(self, seed):
        self.envs.reset()

    def step(self, actions):
        self.envs.step(actions.astype(np.float64))

    def close(self):
        self.envs.close()


def overhead(n):
    """Of Python in a step of n humanoids: controls in, a step, heights out; beside a rollout of as many steps in C. Processor
    time of all threads."""
    import corten
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    model = corten.Model(os.path.join(root, "models", "humanoid.xml"))
    batch, calls = corten.Batch(model, n), 20
    controls = np.random.default_rng(0).uniform(-0.2, 0.2, (calls, n, model.nu))
    saved = batch.save()
    ratios = []
    for _ in range(15):
        batch.restore(saved)
        a = time.process_time()
        for t in range(calls):
            batch.ctrl[:] = controls[t]
            batch.step()
            batch.qpos[:, 2].copy()
        b = time.process_time()
        batch.restore(saved)
        c = time.process_time()
        batch.rollout(controls, record="qpos", time_first=True)
        ratios.append((b - a) / (time.process_time() - c) - 1)
    # and what the calls cost by themselves
    tiny = corten.Batch(model, 1, threads=1)
    nobody, begin = np.zeros(1, bool), time.process_time()
    for t in range(2000):
        tiny.ctrl[:] = controls[0, :1]
        tiny.step(1, nobody)
        tiny.qpos[:, 2].copy()
    each = (time.process_time() - begin) / 2000
    print(f"{n} humanoids: a loop of Python takes {100 * np.median(ratios):+.1f} % beside one call (median of {len(ratios)}, "
          f"{100 * min(ratios):+.1f} to {100 * max(ratios):+.1f}); its calls cost {1e6 * each:.1f} us, "
          f"a step {1e6 * (b - a) / calls:.0f} us: {100 * each * calls / (b - a):.2f} %")


def main():
    if len(sys.argv) > 1 and sys.argv[1] == "overhead":
        return overhead(int(sys.argv[2]) if len(sys.argv) > 2 else 256)
    arguments = sys.argv[1:]
    threads = len(os.sched_getaffinity(0))
    if arguments[:1] == ["--threads"]:
        threads, arguments = int(arguments[1]), arguments[2:]
    n = int(arguments[0]) if arguments else 64
    seconds = float(arguments[1]) if len(arguments) > 1 else 1.0
    names = arguments[2:] or ("HalfCheetah-v5", "Ant-v5", "Humanoid-v5")
    pool = importlib.util.find_spec("envpool") is not None
    print(f"{n} environments, {threads} threads here and in EnvPool, environment steps per second, median of 5 turns")
    print(f"(other work on the machine favours async, which has {n} processes)")
    print(f"{'task':16} {'steps per':16} {'corten':>9} {'EnvPool':>9} {'sync':>9} {'async':>9} {'/ EnvPool':>10} {'/ Gymnasium':>12}")
    for name in names:
        all_envs = [gymnasium.make_vec("corten/" + name, num_envs=n, threads=threads),
                    gymnasium.make_vec(name, num_envs=n, vectorization_mode="sync"),
                    gymnasium.make_vec(name, num_envs=n, vectorization_mode="async")]
        if pool:
            all_envs.append(Pool(name, n, threads))
        space = all_envs[0].action_space
        space.seed(1)
        actions = [space.sample() for _ in range(50)]
        for envs in all_envs:
            envs.reset(seed=1)
            speed(envs, actions, seconds / 2)
        turns = np.array([[speed(envs, actions, seconds) for envs in all_envs] for _ in range(5)])
        for kind, what in ((0, "second"), (1, "processor second")):
            each = turns[:, :, kind]
            ours, sync, parallel, *rest = np.median(each, axis=0)
            better = np.median(each[:, 0] / each[:, 1:3].max(axis=1))
            other = (f"{rest[0]:9.0f}", f"{np.median(each[:, 0] / each[:, 3]):10.1f}") if pool else (f"{'':9}", f"{'':10}")
            print(f"{name:16} {what:16} {ours:9.0f} {other[0]} {sync:9.0f} {parallel:9.0f} {other[1]} {better:12.1f}", flush=True)
        for envs in all_envs:
            envs.close()

if __name__ == "__main__":
    main()
