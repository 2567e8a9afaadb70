"""Proximal policy optimization in one file, on any of corten.tasks.

    python3 examples/python/ppo.py Hopper-v5 --steps 1000000
    python3 examples/python/ppo.py Ant-v5 --envs 4096 --device cuda

The batch, the rollout and the networks share one device: with "cuda" nothing comes to the host but the printed numbers.
Needs torch and gymnasium. Schulman et al., Proximal Policy Optimization Algorithms, 2017; advantages by generalized
advantage estimation, observations and returns normalised as they come.
"""

import argparse
import time

import gymnasium
import torch
from gymnasium.vector import AutoresetMode
from torch import nn

import corten.tasks  # noqa: F401  registers the tasks


class Running:
    """Mean and variance of all numbers so far, by Chan's update of whole batches."""

    def __init__(self, size, device):
        self.mean, self.var, self.count = torch.zeros(size, device=device), torch.ones(size, device=device), 1e-4

    def update(self, x):
        n, mean, var = x.shape[0], x.mean(0), x.var(0, unbiased=False)
        delta, total = mean - self.mean, self.count + n
        self.var = (self.var * self.count + var * n + delta**2 * self.count * n / total) / total
        self.mean, self.count = self.mean + delta * n / total, total

    def __call__(self, x):
        return ((x - self.mean) / torch.sqrt(self.var + 1e-8)).clip(-10, 10)


class Agent(nn.Module):
    """A normal distribution of actions whose mean a network knows, and another network for the value."""

    def __init__(self, observations, actions, width):
        super().__init__()

        def network(outputs, gain):
            layers = [nn.Linear(observations, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                      nn.Linear(width, outputs)]
            for layer in layers[::2]:
                nn.init.orthogonal_(layer.weight, gain if layer is layers[-1] else 2**0.5)
                nn.init.zeros_(layer.bias)
            return nn.Sequential(*layers)
        self.mean, self.value = network(actions, 0.01), network(1, 1.0)
        self.log_std = nn.Parameter(torch.full((actions,), -0.5))

    def distribution(self, x):
        return torch.distributions.Normal(self.mean(x), self.log_std.exp())


class Rollout:
    """What happened in some steps of all environments: (steps, environments, ...)."""

    def __init__(self, steps, envs, observations, actions, device):
        def room(*size):
            return torch.zeros(steps, envs, *size, device=device)
        self.seen, self.done_things = room(observations), room(actions)
        self.log_prob, self.value, self.reward, self.done = room(), room(), room(), room()

    def advantages(self, last_value, gamma, trace):
        result, running = torch.zeros_like(self.reward), 0
        for t in reversed(range(len(result))):
            after = last_value if t == len(result) - 1 else self.value[t + 1]
            alive = 1 - self.done[t]
            surprise = self.reward[t] + gamma * after * alive - self.value[t]
            running = surprise + gamma * trace * alive * running
            result[t] = running
        return result


class Trainer:

    def __init__(self, options):
        self.o = options
        torch.manual_seed(options.seed)
        torch.set_num_threads(1)  # networks this small gain nothing from more, and lose on a busy machine
        self.envs = gymnasium.make_vec("corten/" + options.task, num_envs=options.envs, device=options.device,
                                       arrays="torch", autoreset_mode=AutoresetMode.SAME_STEP, threads=options.threads)
        seen, acts = self.envs.single_observation_space.shape[0], self.envs.single_action_space.shape[0]
        self.device = options.device
        self.limit = torch.as_tensor(self.envs.single_action_space.high, device=self.device)
        self.agent = Agent(seen, acts, options.width).to(self.device)
        self.optimizer = torch.optim.Adam(self.agent.parameters(), lr=options.rate, eps=1e-5)
        self.scale_seen, self.scale_return = Running(seen, self.device), Running((), self.device)
        self.rollout = Rollout(options.horizon, options.envs, seen, acts, self.device)
        self.observation = self.envs.reset(seed=options.seed)[0].float()
        self.discounted = torch.zeros(options.envs, device=self.device)
        self.episode = torch.zeros(options.envs, device=self.device)
        self.ended = []  # (returns, mask) of steps since the last report

    @torch.no_grad()
    def collect(self):
        o, r = self.o, self.rollout
        for t in range(o.horizon):
            self.scale_seen.update(self.observation)
            x = self.scale_seen(self.observation)
            distribution, r.value[t] = self.agent.distribution(x), self.agent.value(x).squeeze(-1)
            action = distribution.sample()
            r.seen[t], r.done_things[t], r.log_prob[t] = x, action, distribution.log_prob(action).sum(-1)
            after, reward, terminated, truncated, infos = self.envs.step((action * self.limit).clip(-self.limit, self.limit))
            reward, done = reward.float(), terminated | truncated
            self.episode += reward
            self.ended.append((self.episode.clone(), done))
            self.episode *= ~done

            # rewards beside the spread of returns; what comes after a cut is guessed
            self.discounted = self.discounted * o.gamma + reward
            self.scale_return.update(self.discounted)
            self.discounted *= ~done
            reward = reward / torch.sqrt(self.scale_return.var + 1e-8)
            if "final_obs" in infos:
                last = self.agent.value(self.scale_seen(infos["final_obs"].float())).squeeze(-1)
                reward += o.gamma * last * (truncated & ~terminated)
            r.reward[t], r.done[t] = reward, done.float()
            self.observation = after.float()
        last = self.agent.value(self.scale_seen(self.observation)).squeeze(-1)
        advantages = r.advantages(last, o.gamma, o.trace)
        return advantages.flatten(), (advantages + r.value).flatten()

    def learn(self, advantages, returns):
        o, r = self.o, self.rollout
        seen, actions = r.seen.flatten(0, 1), r.done_things.flatten(0, 1)
        log_prob = r.log_prob.flatten()
        for _ in range(o.epochs):
            for rows in torch.randperm(len(seen), device=self.device).chunk(o.batches):
                distribution = self.agent.distribution(seen[rows])
                ratio = (distribution.log_prob(actions[rows]).sum(-1) - log_prob[rows]).exp()
                gain = advantages[rows]
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                clipped = ratio.clip(1 - o.clip, 1 + o.clip)
                value = self.agent.value(seen[rows]).squeeze(-1)
                loss = -torch.minimum(ratio * gain, clipped * gain).mean() + 0.5 * (value - returns[rows]).square().mean()
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.agent.parameters(), 0.5)
                self.optimizer.step()

    def mean_return(self):
        """Of the episodes that ended since the last call; None: there were none."""
        returns = torch.stack([episode for episode, _ in self.ended])
        done = torch.stack([mask for _, mask in self.ended])
        self.ended = []
        return float(returns[done].mean()) if bool(done.any()) else None

    @torch.no_grad()
    def evaluate(self):
        """Mean return of an episode of every environment without exploration."""
        seen = self.envs.reset(seed=self.o.seed + self.o.envs)[0]
        total, alive = torch.zeros_like(self.episode), torch.ones_like(self.episode)
        for _ in range(self.envs.unwrapped.max_episode_steps):
            action = self.agent.mean(self.scale_seen(seen.float()))
            seen, reward, terminated, truncated, _ = self.envs.step((action * self.limit).clip(-self.limit, self.limit))
            total += reward.float() * alive
            alive *= ~(terminated | truncated)
        return float(total.mean())

    def train(self):
        o = self.o
        each = o.horizon * o.envs
        rounds = -(-o.steps // each)
        begin, curve = time.perf_counter(), []
        for i in range(rounds):
            self.optimizer.param_groups[0]["lr"] = o.rate * (1 - i / rounds)
            self.learn(*self.collect())
            if (i + 1) % o.report == 0 or i + 1 == rounds:
                found, seconds = self.mean_return(), time.perf_counter() - begin
                if found is not None:
                    curve.append(((i + 1) * each, seconds, found))
                    print(f"{(i + 1) * each:9d} steps {seconds:7.1f} s  return {found:9.1f}", flush=True)
        return curve


def read_options(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("task", nargs="?", default="InvertedDoublePendulum-v5")
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--horizon", type=int, default=64, help="steps of each environment between updates")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batches", type=int, default=8)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--gamma", type=float, default=0.99)
    parser.add_argument("--trace", type=float, default=0.95)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--report", type=int, default=10, help="updates between two lines")
    parser.add_argument("--curve", help="file for steps, seconds and returns")
    return parser.parse_args(arguments)


def main():
    options = read_options()
    trainer = Trainer(options)
    curve = trainer.train()
    print(f"without exploration the return is {trainer.evaluate():.1f}", flush=True)
    if options.curve:
        with open(options.curve, "w", encoding="utf-8") as file:
            file.write("steps,seconds,return\n" + "".join(f"{a},{b:.1f},{c:.1f}\n" for a, b, c in curve))


if __name__ == "__main__":
    main()
