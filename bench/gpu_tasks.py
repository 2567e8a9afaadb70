"""Environment steps per second of corten.tasks on a GPU, in a loop of PyTorch in which nothing comes to the host.

usage: PYTHONPATH=build/release/python python3 bench/gpu_tasks.py [ENVIRONMENTS [CALLS [PRECISION]]]
Needs torch, gymnasium, a GPU and `make cuda`.
"""

import sys
import time

import torch

import corten.tasks


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 4096
    calls = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    precision = sys.argv[3] if len(sys.argv) > 3 else "strict"
    print(f"{n} environments, {precision}, random actions, {calls} calls")
    for task in (corten.tasks.HalfCheetah, corten.tasks.Ant, corten.tasks.Humanoid):
        envs = task(n, device="cuda", precision=precision)
        envs.reset(seed=1)
        high = torch.as_tensor(envs.single_action_space.high, device="cuda", dtype=torch.float64)
        for part in ("first", "then"):
            torch.cuda.synchronize()
            begin = time.perf_counter()
            for _ in range(calls):
                actions = (2 * torch.rand(n, len(high), device="cuda", dtype=torch.float64) - 1) * high
                envs.step(actions)
            torch.cuda.synchronize()
            seconds = time.perf_counter() - begin
            print(f"{task.__name__:12} {part:5} {n * calls / seconds:12.0f} environment steps per second", flush=True)
        envs.batch.wait()
        begin = time.perf_counter()
        for _ in range(calls):
            envs.batch.step(envs.frame_skip)
        envs.batch.wait()
        print(f"{task.__name__:12} batch alone {n * calls / (time.perf_counter() - begin):12.0f}", flush=True)
        envs.close()


if __name__ == "__main__":
    main()
