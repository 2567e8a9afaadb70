"""Gymnasium's eleven MuJoCo tasks, version 5, as vector environments on corten.

    import corten.tasks
    envs = gymnasium.make_vec("corten/Ant-v5", num_envs=4096)

Observations, rewards, terminations, infos and the numbers that a seed draws are those of Gymnasium, and so are the names of
the settings. The models are the files that Gymnasium brings along. On a GPU the tasks compute with PyTorch, and nothing
comes to the host; there the forces that Ant and the humanoids see are those of Task's step_forces.
"""

import os
from types import SimpleNamespace

import gymnasium
import numpy as np

from corten.model import Model
from corten.vector import VectorEnv

INF = float("inf")


def _path(name):
    if os.path.dirname(name):
        return os.path.expanduser(name)
    return os.path.join(os.path.dirname(gymnasium.__file__), "envs", "mujoco", "assets", name)


def _model_with_forces(path):
    """A model whose steps compute forces between bodies by themselves: a sensor asks for accelerations."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    sensor = '<sensor><frameangacc objtype="body" objname="torso"/></sensor></mujoco>'
    return Model.from_string(text.replace("</mujoco>", sensor))


class Task(VectorEnv):
    """What the eleven have in common. SETTINGS are those of Gymnasium, with their defaults.

    step_forces says which forces between bodies ("cfrc_ext") Ant, Humanoid and HumanoidStandup see: those that a step computes
    by itself, as a sensor has them (True, and what a GPU has), or those that Gymnasium computes after the step (False, on the
    host). RK4, the integrator of the three models, evaluates a step four times: a sensor belongs to the first, Gymnasium's
    forces to the last, so the two differ while contacts change.
    """

    FILE = ""
    FRAME_SKIP = 5
    FIELDS = ()
    FORCES = False  # cfrc_ext is wanted
    EPISODE = 1000
    SETTINGS = {}

    def __init__(self, num_envs=1, *, xml_file=None, frame_skip=None, max_episode_steps=None, device="cpu",
                 step_forces=None, **options):
        self.settings = SimpleNamespace(
            **{name: options.pop(name, default) for name, default in self.SETTINGS.items()})
        path = _path(xml_file or self.FILE)
        if step_forces is False and device != "cpu":
            raise ValueError('step_forces: a GPU has the forces of steps alone; leave it out, or take device="cpu"')
        self._step_forces = self.FORCES and (device != "cpu" or bool(step_forces))
        super().__init__(_model_with_forces(path) if self._step_forces else path, num_envs, device=device,
                         frame_skip=self.FRAME_SKIP if frame_skip is None else frame_skip, fields=self.FIELDS,
                         max_episode_steps=self.EPISODE if max_episode_steps is None else max_episode_steps,
                         post_constraint=self.FORCES and not self._step_forces, **options)

    def _begin(self, mask):
        super()._begin(mask)
        if self._step_forces:
            forces = self.field("cfrc_ext")
            forces *= ~mask[:, None]  # forces are those of steps, not of a start

    def join(self, *parts):
        return self.xp.concatenate(parts, axis=1)

    def place(self, random):
        noise = self.settings.reset_noise_scale
        qpos = self.start_qpos + random.uniform(-noise, noise, self.model.nq)
        return qpos, self.start_qvel + random.uniform(-noise, noise, self.model.nv)

    def squares(self, matrix):
        """Sums of squares, row by row. Of float32, which actions mostly are, in Gymnasium's order: the last bit counts there."""
        if self.xp is np and matrix.dtype != np.float32:
            return _row_products(matrix, matrix)
        squares = np.multiply(matrix, matrix, order="C") if self.xp is np else matrix * matrix
        return squares.sum(axis=1)

    def finite(self):
        """Which environments have positions and velocities that are numbers. A step fails long before squares overflow."""
        return self.xp.isfinite(self.squares(self.qpos) + self.squares(self.qvel))

    def copy(self, column):
        return column.copy() if self.xp is np else column.clone()

    def length(self, matrix):
        return self.xp.sqrt(self.squares(matrix))

    def seen_qpos(self, hidden):
        return self.qpos[:, hidden if self.settings.exclude_current_positions_from_observation else 0:]

    def body(self, name):
        """Where a body is: (num_envs, 3)."""
        i = self.model.id("body", name)
        return self.field("xpos")[:, 3 * i:3 * i + 3]

    def velocity(self, before):
        """Of what measure() gives, columns."""
        return [(now - then) / self.dt for now, then in zip(self.measure(), before)]

    def never(self):
        return self._zeros(bool)


def _einsum(a, b):
    return np.einsum("...j,...j->...", a, b)


_row_products = getattr(np, "vecdot", _einsum)  # NumPy 2 has the faster one


def _normal_velocities(self, random):
    noise = self.settings.reset_noise_scale
    qpos = self.start_qpos + random.uniform(-noise, noise, self.model.nq)
    return qpos, self.start_qvel + noise * random.standard_normal(self.model.nv)


class HalfCheetah(Task):
    """Run to the right."""

    FILE = "half_cheetah.xml"
    SETTINGS = dict(forward_reward_weight=1.0, ctrl_cost_weight=0.1, reset_noise_scale=0.1,
                    exclude_current_positions_from_observation=True)
    place = _normal_velocities

    def measure(self):
        return self.copy(self.qpos[:, 0])

    def observe(self):
        return self.join(self.seen_qpos(1), self.qvel)

    def judge(self, before, actions):
        velocity = (self.qpos[:, 0] - before) / self.dt
        forward = self.settings.forward_reward_weight * velocity
        cost = self.settings.ctrl_cost_weight * self.squares(actions)
        infos = {**self.describe(), "x_velocity": velocity, "reward_forward": forward, "reward_ctrl": -cost}
        return forward - cost, self.never(), infos

    def describe(self):
        return {"x_position": self.copy(self.qpos[:, 0])}


class _Planar(Task):
    """Hopper and walker: go to the right without falling."""

    FRAME_SKIP = 4

    def measure(self):
        return self.copy(self.qpos[:, 0])

    def observe(self):
        return self.join(self.seen_qpos(1), self.xp.clip(self.qvel, -10, 10))

    def healthy(self):
        low, high = self.settings.healthy_z_range
        least, most = self.settings.healthy_angle_range
        z, angle = self.qpos[:, 1], self.qpos[:, 2]
        return (z > low) & (z < high) & (angle > least) & (angle < most)

    def judge(self, before, actions):
        velocity = (self.qpos[:, 0] - before) / self.dt
        healthy = self.healthy()
        forward = self.settings.forward_reward_weight * velocity
        survive = self.settings.healthy_reward * healthy
        cost = self.settings.ctrl_cost_weight * self.squares(actions)
        infos = {**self.describe(), "x_velocity": velocity, "reward_forward": forward, "reward_ctrl": -cost,
                 "reward_survive": survive}
        return forward + survive - cost, ~healthy & self.settings.terminate_when_unhealthy, infos

    def describe(self):
        return {"x_position": self.copy(self.qpos[:, 0]), "z_distance_from_origin": self.qpos[:, 1] - self.start_qpos[1]}


class Hopper(_Planar):
    """Hop to the right on one leg."""

    FILE = "hopper.xml"
    SETTINGS = dict(forward_reward_weight=1.0, ctrl_cost_weight=1e-3, healthy_reward=1.0, terminate_when_unhealthy=True,
                    healthy_state_range=(-100.0, 100.0), healthy_z_range=(0.7, INF), healthy_angle_range=(-0.2, 0.2),
                    reset_noise_scale=5e-3, exclude_current_positions_from_observation=True)

    def healthy(self):
        low, high = self.settings.healthy_state_range
        state = self.join(self.qpos[:, 2:], self.qvel)
        return super().healthy() & ((state > low) & (state < high)).all(axis=1)


class Walker2d(_Planar):
    """Walk to the right on two legs in a plane."""

    FILE = "walker2d_v5.xml"
    SETTINGS = dict(forward_reward_weight=1.0, ctrl_cost_weight=1e-3, healthy_reward=1.0, terminate_when_unhealthy=True,
                    healthy_z_range=(0.8, 2.0), healthy_angle_range=(-1.0, 1.0), reset_noise_scale=5e-3,
                    exclude_current_positions_from_observation=True)


class Swimmer(Task):
    """Swim to the right."""

    FILE = "swimmer.xml"
    FRAME_SKIP = 4
    SETTINGS = dict(forward_reward_weight=1.0, ctrl_cost_weight=1e-4, reset_noise_scale=0.1,
                    exclude_current_positions_from_observation=True)

    def measure(self):
        return self.copy(self.qpos[:, 0]), self.copy(self.qpos[:, 1])

    def observe(self):
        return self.join(self.seen_qpos(2), self.qvel)

    def judge(self, before, actions):
        x, y = self.velocity(before)
        forward = self.settings.forward_reward_weight * x
        cost = self.settings.ctrl_cost_weight * self.squares(actions)
        infos = {**self.describe(), "x_velocity": x, "y_velocity": y, "reward_forward": forward, "reward_ctrl": -cost}
        return forward - cost, self.never(), infos

    def describe(self):
        return {"x_position": self.copy(self.qpos[:, 0]), "y_position": self.copy(self.qpos[:, 1]),
                "distance_from_origin": self.length(self.qpos[:, :2])}


class InvertedPendulum(Task):
    """Balance a pole on a cart."""

    FILE = "inverted_pendulum.xml"
    FRAME_SKIP = 2
    SETTINGS = dict(reset_noise_scale=0.01)

    def observe(self):
        return self.join(self.qpos, self.qvel)

    def judge(self, before, actions):
        up = self.finite() & (abs(self.qpos[:, 1]) <= 0.2)
        reward = 1.0 * up
        return reward, ~up, {"reward_survive": 1 * up}


class InvertedDoublePendulum(Task):
    """Balance a pole on a pole on a cart."""

    FILE = "inverted_double_pendulum.xml"
    FIELDS = ("site_xpos", "qfrc_constraint")
    SETTINGS = dict(healthy_reward=10.0, reset_noise_scale=0.1)
    place = _normal_velocities

    def observe(self):
        xp, angle = self.xp, self.qpos[:, 1:]
        force = self.field("qfrc_constraint")[:, :1]
        return self.join(self.qpos[:, :1], xp.sin(angle), xp.cos(angle), xp.clip(self.qvel, -10, 10),
                         xp.clip(force, -10, 10))

    def judge(self, before, actions):
        x, y = self.field("site_xpos")[:, 0], self.field("site_xpos")[:, 2]  # of the tip
        down = y <= 1
        distance = 0.01 * x * x + (y - 2) * (y - 2)
        velocity = 1e-3 * self.qvel[:, 1] ** 2 + 5e-3 * self.qvel[:, 2] ** 2
        survive = self.settings.healthy_reward * ~down
        infos = {"reward_survive": survive, "distance_penalty": -distance, "velocity_penalty": -velocity}
        return survive - distance - velocity, down, infos


class Reacher(Task):
    """Bring the tip of an arm to a target."""

    FILE = "reacher.xml"
    FRAME_SKIP = 2
    EPISODE = 50
    FIELDS = ("xpos",)
    SETTINGS = dict(reward_dist_weight=1, reward_control_weight=1)

    def place(self, random):
        qpos = self.start_qpos + random.uniform(-0.1, 0.1, self.model.nq)
        while True:
            goal = random.uniform(-0.2, 0.2, 2)
            if np.hypot(*goal) < 0.2:
                break
        qpos[-2:] = goal
        qvel = self.start_qvel + random.uniform(-0.005, 0.005, self.model.nv)
        qvel[-2:] = 0
        return qpos, qvel

    def observe(self):
        angle = self.qpos[:, :2]
        distance = (self.body("fingertip") - self.body("target"))[:, :2]
        return self.join(self.xp.cos(angle), self.xp.sin(angle), self.qpos[:, 2:], self.qvel[:, :2], distance)

    def judge(self, before, actions):
        distance = -self.settings.reward_dist_weight * self.length(self.body("fingertip") - self.body("target"))
        control = -self.settings.reward_control_weight * self.squares(actions)
        return distance + control, self.never(), {"reward_dist": distance, "reward_ctrl": control}


class Pusher(Task):
    """Push a cylinder to its goal."""

    FILE = "pusher_v5.xml"
    EPISODE = 100
    FIELDS = ("xpos",)
    SETTINGS = dict(reward_near_weight=0.5, reward_dist_weight=1, reward_control_weight=0.1)

    def place(self, random):
        while True:
            cylinder = np.array([random.uniform(-0.3, 0), random.uniform(-0.2, 0.2)])
            if np.hypot(*cylinder) > 0.17:
                break
        qpos = np.concatenate((self.start_qpos[:-4], cylinder, [0, 0]))
        qvel = self.start_qvel + random.uniform(-0.005, 0.005, self.model.nv)
        qvel[-4:] = 0
        return qpos, qvel

    def observe(self):
        return self.join(self.qpos[:, :7], self.qvel[:, :7], self.body("tips_arm"), self.body("object"), self.body("goal"))

    def judge(self, before, actions):
        near = -self.settings.reward_near_weight * self.length(self.body("object") - self.body("tips_arm"))
        distance = -self.settings.reward_dist_weight * self.length(self.body("object") - self.body("goal"))
        control = -self.settings.reward_control_weight * self.squares(actions)
        infos = {"reward_dist": distance, "reward_ctrl": control, "reward_near": near}
        return distance + control + near, self.never(), infos


class Ant(Task):
    """Walk to the right on four legs, without falling over."""

    FILE = "ant.xml"
    FIELDS = ("xpos", "cfrc_ext")
    FORCES = True
    SETTINGS = dict(forward_reward_weight=1, ctrl_cost_weight=0.5, contact_cost_weight=5e-4, healthy_reward=1.0, main_body=1,
                    terminate_when_unhealthy=True, healthy_z_range=(0.2, 1.0), contact_force_range=(-1.0, 1.0),
                    reset_noise_scale=0.1, exclude_current_positions_from_observation=True,
                    include_cfrc_ext_in_observation=True)
    place = _normal_velocities

    def __init__(self, num_envs=1, **options):
        super().__init__(num_envs, **options)
        body = self.settings.main_body
        names = [self.model.name("body", i) or i for i in range(self.model.nbody)]
        if body not in names and body not in range(self.model.nbody):
            raise ValueError(f"main_body: this is a number of 0 to {self.model.nbody - 1} or one of {names}, not {body!r}")
        self._main_body = names.index(body) if isinstance(body, str) else int(body)

    def measure(self):
        i = 3 * self._main_body
        return self.copy(self.field("xpos")[:, i]), self.copy(self.field("xpos")[:, i + 1])

    def forces(self):
        return self.xp.clip(self.field("cfrc_ext"), *self.settings.contact_force_range)

    def observe(self):
        parts = [self.seen_qpos(2), self.qvel]
        if self.settings.include_cfrc_ext_in_observation:
            parts.append(self.forces()[:, 6:])
        return self.join(*parts)

    def judge(self, before, actions):
        low, high = self.settings.healthy_z_range
        height, (x, y) = self.qpos[:, 2], self.velocity(before)
        healthy = self.finite() & (height >= low) & (height <= high)
        forward = self.settings.forward_reward_weight * x
        survive = self.settings.healthy_reward * healthy
        control = self.settings.ctrl_cost_weight * self.squares(actions)
        contact = self.settings.contact_cost_weight * self.squares(self.forces())
        infos = {**self.describe(), "x_velocity": x, "y_velocity": y, "reward_forward": forward, "reward_ctrl": -control,
                 "reward_contact": -contact, "reward_survive": survive}
        return forward + survive - control - contact, ~healthy & self.settings.terminate_when_unhealthy, infos

    def describe(self):
        return {"x_position": self.copy(self.qpos[:, 0]), "y_position": self.copy(self.qpos[:, 1]),
                "distance_from_origin": self.length(self.qpos[:, :2])}


class _Human(Task):
    """What humanoids see."""

    FIELDS = ("xipos", "cinert", "cvel", "qfrc_actuator", "cfrc_ext", "ten_length", "ten_velocity")
    FORCES = True

    def observe(self):
        parts = [self.seen_qpos(2), self.qvel]
        for name, hidden in (("cinert", 10), ("cvel", 6), ("qfrc_actuator", 6), ("cfrc_ext", 6)):  # those of the world
            if getattr(self.settings, f"include_{name}_in_observation"):
                parts.append(self.field(name)[:, hidden:])
        return self.join(*parts)

    def control_cost(self):
        return self.settings.ctrl_cost_weight * self.squares(self.ctrl)

    def describe(self):
        return {"x_position": self.copy(self.qpos[:, 0]), "y_position": self.copy(self.qpos[:, 1]),
                "tendon_length": self.copy(self.field("ten_length")), "tendon_velocity": self.copy(self.field("ten_velocity"))}


_SEEN = {f"include_{name}_in_observation": True for name in ("cinert", "cvel", "qfrc_actuator", "cfrc_ext")}


class Humanoid(_Human):
    """Walk to the right on two legs, without falling over."""

    FILE = "humanoid.xml"
    SETTINGS = dict(forward_reward_weight=1.25, ctrl_cost_weight=0.1, contact_cost_weight=5e-7,
                    contact_cost_range=(-INF, 10.0), healthy_reward=5.0, terminate_when_unhealthy=True,
                    healthy_z_range=(1.0, 2.0), reset_noise_scale=1e-2, exclude_current_positions_from_observation=True,
                    **_SEEN)

    def __init__(self, num_envs=1, **options):
        super().__init__(num_envs, **options)
        mass = self.batch.get("body_mass")[0]
        share = self._array(mass / mass.sum())
        self._share = share if self.xp is np else share.to(self.qpos.dtype)
        if self.xp is np:  # of each number of xipos in the two of the center of mass
            self._shares = [np.kron(self._share, axis) for axis in np.eye(3)[:2]]

    def measure(self):
        if self.xp is np:
            return [_row_products(self.field("xipos"), shares) for shares in self._shares]
        centers = self.field("xipos").reshape(self.num_envs, -1, 3)
        return [centers[:, :, k] @ self._share for k in range(2)]

    def judge(self, before, actions):
        low, high = self.settings.healthy_z_range
        height, (x, y) = self.qpos[:, 2], self.velocity(before)
        healthy = (height > low) & (height < high)
        forward = self.settings.forward_reward_weight * x
        survive = self.settings.healthy_reward * healthy
        control = self.control_cost()
        contact = self.xp.clip(self.settings.contact_cost_weight * self.squares(self.field("cfrc_ext")),
                               *self.settings.contact_cost_range)
        infos = {**self.describe(), "x_velocity": x, "y_velocity": y, "reward_forward": forward, "reward_ctrl": -control,
                 "reward_contact": -contact, "reward_survive": survive}
        return forward + survive - control - contact, ~healthy & self.settings.terminate_when_unhealthy, infos

    def describe(self):
        return {**super().describe(), "distance_from_origin": self.length(self.qpos[:, :2])}


class HumanoidStandup(_Human):
    """Stand up from the floor."""

    FILE = "humanoidstandup.xml"
    SETTINGS = dict(uph_cost_weight=1, ctrl_cost_weight=0.1, impact_cost_weight=5e-7, impact_cost_range=(-INF, 10.0),
                    reset_noise_scale=1e-2, exclude_current_positions_from_observation=True, **_SEEN)

    def judge(self, before, actions):
        up = self.qpos[:, 2] / self.model.timestep  # Gymnasium's, which leaves uph_cost_weight out
        control = self.control_cost()
        impact = self.xp.clip(self.settings.impact_cost_weight * self.squares(self.field("cfrc_ext")),
                              *self.settings.impact_cost_range)
        infos = {**self.describe(), "reward_linup": up, "reward_quadctrl": -control, "reward_impact": -impact}
        return up - control - impact + 1, self.never(), infos

    def describe(self):
        return {**super().describe(), "z_distance_from_origin": self.qpos[:, 2] - self.start_qpos[2]}


TASKS = (Ant, HalfCheetah, Hopper, Humanoid, HumanoidStandup, InvertedDoublePendulum, InvertedPendulum, Pusher, Reacher,
         Swimmer, Walker2d)
for _task in TASKS:
    gymnasium.register(f"corten/{_task.__name__}-v5", vector_entry_point=_task, max_episode_steps=_task.EPISODE)
