"""Swings a pole up by sampling: model predictive path integrals (MPPI) or the cross-entropy method (CEM).

    python3 examples/python/mppi.py                   # one process
    python3 examples/python/mppi.py --method cem
    python3 examples/python/mppi.py --ray --shards 4  # the same numbers, on Ray

Each step of control tries some hundred sequences of controls from the present state in one rollout of a batch, weighs them
by what they cost, and applies the first control of the average. Ends with status 0 if the pole stands.
Williams et al., Information theoretic MPC for model-based reinforcement learning, 2017.
"""

import argparse
import sys

import numpy as np

import corten

MODEL = """
<mujoco>
  <option timestep="0.02" integrator="implicitfast"/>
  <worldbody>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0" damping="0.1" range="-2 2" limited="true"/>
      <geom type="box" size=".15 .1 .05" mass="1"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0" damping="0.002"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.6" size=".03" mass=".2"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="slide" gear="20" ctrlrange="-1 1" ctrllimited="true"/></actuator>
</mujoco>
"""


def cost(path, controls):
    """Of every sequence: the pole hangs at 0 and stands at pi; the cart shall stay, and nothing move."""
    qpos, qvel = path["qpos"], path[corten.STATE_QVEL]
    hanging = 1 + np.cos(qpos[..., 1])
    each = 8 * hanging + 0.3 * qpos[..., 0]**2 + 0.05 * qvel[..., 1]**2 + 0.1 * qvel[..., 0]**2
    each[:, -1] *= 10
    return each.sum(axis=1) + 1e-3 * (controls[..., 0]**2).sum(axis=1)


class Planner:

    def __init__(self, batch, horizon, method, random):
        self.batch, self.method, self.random = batch, method, random
        self.plan = np.zeros((horizon, batch.model.nu))

    def rollouts(self, state, spread):
        samples = self.plan + spread * self.random.normal(size=(self.batch.n, *self.plan.shape))
        samples[0] = self.plan  # what was best so far is among them
        samples = np.clip(samples, -1, 1)
        self.batch.reset(states=np.tile(state, (self.batch.n, 1)))
        path = self.batch.rollout(samples, record=("qpos", corten.STATE_QVEL))
        return samples, cost(path, samples)

    def control(self, state):
        if self.method == "mppi":
            samples, costs = self.rollouts(state, 0.5)
            weight = np.exp(-(costs - costs.min()) / max(1e-9, 0.1 * costs.std()))
            self.plan = np.tensordot(weight / weight.sum(), samples, axes=1)
        else:
            spread = 0.7
            for _ in range(3):
                samples, costs = self.rollouts(state, spread)
                best = samples[np.argsort(costs, kind="stable")[:self.batch.n // 10]]
                self.plan, spread = best.mean(axis=0), best.std(axis=0) + 0.05
        first = self.plan[0].copy()
        self.plan = np.concatenate((self.plan[1:], self.plan[-1:]))
        return first


def swing_up(batch, world, steps=200, horizon=40, method="mppi", seed=0):
    """Controls the world's one environment; returns the angles of the pole."""
    planner, angles = Planner(batch, horizon, method, np.random.default_rng(seed)), []
    for _ in range(steps):
        world.ctrl[0] = planner.control(world.state[0])
        world.step()
        angles.append(float(world.qpos[0, 1]))
    return np.array(angles)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--method", choices=("mppi", "cem"), default="mppi")
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--ray", action="store_true", help="divide the samples among Ray workers")
    parser.add_argument("--shards", type=int, default=2)
    options = parser.parse_args()
    model = corten.Model.from_string(MODEL)
    if options.ray:
        import ray
        from corten import cluster
        ray.init(include_dashboard=False, log_to_driver=False)
        batch = cluster.Batch(model, options.samples, options.shards, progress=True)
    else:
        batch = corten.Batch(model, options.samples)
    angles = swing_up(batch, corten.Batch(model, 1), options.steps, method=options.method)
    off = abs((angles[-20:] % (2 * np.pi)) - np.pi).max()
    print(f"{options.method}: in the last 20 steps the pole is at most {np.degrees(off):.1f} degrees from standing")
    return 0 if off < 0.3 else 1


if __name__ == "__main__":
    sys.exit(main())
