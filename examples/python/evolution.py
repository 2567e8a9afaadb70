"""Evolution strategies: a linear policy learns to swim, each generation tried out by Ray workers.

    python3 examples/python/evolution.py --generations 30 --workers 2

The population is a batch: every member is an environment of Gymnasium's Swimmer-v5 with weights of its own. Noise belongs
to generation and member, so that the result does not depend on the number of workers; Ray tries the work of a worker that
dies again. Salimans et al., Evolution strategies as a scalable alternative to reinforcement learning, 2017.
Needs gymnasium and ray (workers 0: none, all in this process).
"""

import argparse
import sys
import time

import numpy as np


def returns_of(weights, task, steps, seed):
    """What each member collects in an episode: (members,). All start from the same place."""
    import gymnasium
    import corten.tasks  # noqa: F401
    envs = gymnasium.make_vec(f"corten/{task}", num_envs=len(weights), threads=1)
    seen, _ = envs.reset(seed=[seed] * len(weights))
    total, alive = np.zeros(len(weights)), np.ones(len(weights), bool)
    for _ in range(steps):
        actions = np.tanh(np.einsum("nao,no->na", weights, np.clip(seen, -5, 5)))
        seen, reward, terminated, truncated, _ = envs.step(actions * envs.single_action_space.high)
        total += reward * alive
        alive &= ~(terminated | truncated)
    envs.close()
    return total


class Evolution:
    """One Gaussian of weights, moved towards the better half of mirrored pairs."""

    def __init__(self, task, pairs, spread=0.1, rate=0.1, seed=0, steps=1000):
        import gymnasium
        import corten.tasks  # noqa: F401
        envs = gymnasium.make_vec(f"corten/{task}", num_envs=1)
        self.mean = np.zeros((envs.single_action_space.shape[0], envs.single_observation_space.shape[0]))
        envs.close()
        self.task, self.pairs, self.spread, self.rate, self.seed, self.steps = task, pairs, spread, rate, seed, steps
        self.generation = 0

    def noise(self):
        return np.stack([np.random.default_rng([self.seed, self.generation, i]).normal(size=self.mean.shape)
                         for i in range(self.pairs)])

    def advance(self, evaluate):
        """One generation; returns the mean of its returns."""
        noise = self.noise()
        members = np.concatenate((self.mean + self.spread * noise, self.mean - self.spread * noise))
        returns = evaluate(members, self.task, self.steps, self.seed)
        ranks = np.empty(len(returns))
        ranks[np.argsort(returns, kind="stable")] = np.linspace(-0.5, 0.5, len(returns))
        gain = (ranks[:self.pairs] - ranks[self.pairs:]) @ noise.reshape(self.pairs, -1)
        self.mean += self.rate / (self.pairs * self.spread) * gain.reshape(self.mean.shape)
        self.generation += 1
        return float(returns.mean())


def on_ray(workers):
    """evaluate() that divides the members among tasks of Ray, which it repeats where a worker dies."""
    import ray
    remote = ray.remote(returns_of).options(max_retries=5, num_cpus=1)

    def evaluate(members, *rest):
        parts = np.array_split(members, workers)
        return np.concatenate(ray.get([remote.remote(part, *rest) for part in parts if len(part)]))
    return evaluate


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--task", default="Swimmer-v5")
    parser.add_argument("--generations", type=int, default=30)
    parser.add_argument("--pairs", type=int, default=16)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    if options.workers:
        import ray
        ray.init(include_dashboard=False, log_to_driver=False)
    evaluate = on_ray(options.workers) if options.workers else returns_of
    evolution, begin = Evolution(options.task, options.pairs, steps=options.steps), time.perf_counter()
    for _ in range(options.generations):
        mean = evolution.advance(evaluate)
        members = 2 * options.pairs * options.steps * evolution.generation
        print(f"generation {evolution.generation:3}: return {mean:8.1f}, {members} steps, "
              f"{members / (time.perf_counter() - begin):.0f} per second", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
