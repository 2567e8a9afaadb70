"""Gymnasium's HalfCheetah-v5, Ant-v5 and Humanoid-v5 as vector environments on corten.

    import corten.tasks
    envs = gymnasium.make_vec("corten/Ant-v5", num_envs=4096)

Observations, rewards, terminations and the numbers that a seed draws are those of Gymnasium with its
default settings. The models are the files that Gymnasium brings along.
"""

import os

import gymnasium
import numpy as np

from corten.vector import VectorEnv


def _asset(name):
    return os.path.join(os.path.dirname(gymnasium.__file__), "envs", "mujoco", "assets", name)


def _squares(matrix):
    return np.square(matrix).sum(axis=1)


class HalfCheetah(VectorEnv):
    """Run to the right."""

    def __init__(self, num_envs=1, **options):
        super().__init__(_asset("half_cheetah.xml"), num_envs, **options)

    def place(self, random):
        qpos = self.start_qpos + random.uniform(-0.1, 0.1, self.model.nq)
        return qpos, self.start_qvel + 0.1 * random.standard_normal(self.model.nv)

    def measure(self):
        return self.batch.qpos[:, 0].copy()

    def observe(self):
        return np.concatenate((self.batch.qpos[:, 1:], self.batch.qvel), axis=1)

    def judge(self, before, actions):
        position = self.batch.qpos[:, 0].copy()
        velocity = (position - before) / self.dt
        cost = 0.1 * _squares(actions)
        infos = {"x_position": position, "x_velocity": velocity, "reward_forward": velocity, "reward_ctrl": -cost}
        return velocity - cost, np.zeros(self.num_envs, bool), infos


class Ant(VectorEnv):
    """Walk to the right on four legs, without falling over."""

    def __init__(self, num_envs=1, **options):
        super().__init__(_asset("ant.xml"), num_envs, fields=("xpos", "cfrc_ext"), post_constraint=True, **options)

    def place(self, random):
        qpos = self.start_qpos + random.uniform(-0.1, 0.1, self.model.nq)
        return qpos, self.start_qvel + 0.1 * random.standard_normal(self.model.nv)

    def measure(self):
        return self.batch["xpos"][:, 3:5].copy()  # of the torso, which is body 1

    def _contact_forces(self):
        return np.clip(self.batch["cfrc_ext"], -1, 1)

    def observe(self):
        return np.concatenate((self.batch.qpos[:, 2:], self.batch.qvel, self._contact_forces()[:, 6:]), axis=1)

    def judge(self, before, actions):
        qpos, qvel = self.batch.qpos, self.batch.qvel
        velocity = (self.measure() - before) / self.dt
        finite = np.isfinite(qpos).all(axis=1) & np.isfinite(qvel).all(axis=1)
        healthy = finite & (qpos[:, 2] >= 0.2) & (qpos[:, 2] <= 1.0)
        control = 0.5 * _squares(actions)
        contact = 5e-4 * _squares(self._contact_forces())
        infos = {"x_position": qpos[:, 0].copy(), "y_position": qpos[:, 1].copy(), "x_velocity": velocity[:, 0],
                 "y_velocity": velocity[:, 1], "reward_forward": velocity[:, 0], "reward_survive": 1.0 * healthy,
                 "reward_ctrl": -control, "reward_contact": -contact}
        return velocity[:, 0] + healthy - control - contact, ~healthy, infos


class Humanoid(VectorEnv):
    """Walk to the right on two legs, without falling over."""

    FIELDS = ("xipos", "cinert", "cvel", "qfrc_actuator", "cfrc_ext")

    def __init__(self, num_envs=1, **options):
        super().__init__(_asset("humanoid.xml"), num_envs, fields=self.FIELDS, post_constraint=True, **options)
        self._mass = self.batch.get("body_mass")[0]

    def place(self, random):
        qpos = self.start_qpos + random.uniform(-0.01, 0.01, self.model.nq)
        return qpos, self.start_qvel + random.uniform(-0.01, 0.01, self.model.nv)

    def measure(self):
        centers = self.batch["xipos"].reshape(self.num_envs, -1, 3)[:, :, :2]
        return np.einsum("b,nbk->nk", self._mass, centers) / self._mass.sum()

    def observe(self):
        b = self.batch
        return np.concatenate((b.qpos[:, 2:], b.qvel, b["cinert"][:, 10:], b["cvel"][:, 6:],
                               b["qfrc_actuator"][:, 6:], b["cfrc_ext"][:, 6:]), axis=1)

    def judge(self, before, actions):
        qpos = self.batch.qpos
        velocity = (self.measure() - before) / self.dt
        healthy = (qpos[:, 2] > 1.0) & (qpos[:, 2] < 2.0)
        control = 0.1 * _squares(self.batch.ctrl)
        contact = np.minimum(5e-7 * _squares(self.batch["cfrc_ext"]), 10.0)
        infos = {"x_position": qpos[:, 0].copy(), "y_position": qpos[:, 1].copy(), "x_velocity": velocity[:, 0],
                 "y_velocity": velocity[:, 1], "reward_forward": 1.25 * velocity[:, 0],
                 "reward_survive": 5.0 * healthy, "reward_ctrl": -control, "reward_contact": -contact}
        return 1.25 * velocity[:, 0] + 5.0 * healthy - control - contact, ~healthy, infos


for _name in ("HalfCheetah", "Ant", "Humanoid"):
    gymnasium.register(f"corten/{_name}-v5", vector_entry_point=f"corten.tasks:{_name}")
