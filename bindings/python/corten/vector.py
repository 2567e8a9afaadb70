"""corten.vector.VectorEnv: a Gymnasium vector environment on a corten.Batch.

A task of your own says what is seen, what it is worth and where it starts:

    class Stand(VectorEnv):
        def __init__(self, num_envs=1, **options):
            super().__init__("humanoid.xml", num_envs, **options)

        def place(self, random):                  # one environment; random is its own generator
            noise = random.uniform(-0.01, 0.01, self.model.nq)
            return self.start_qpos + noise, self.start_qvel

        def observe(self):                        # all environments
            return self.xp.concatenate((self.qpos[:, 2:], self.qvel), axis=1)

        def judge(self, before, actions):         # reward, terminated, infos after a step
            height = self.qpos[:, 2]
            return height * 1.0, height < 0.8, {}

self.qpos, self.qvel, self.ctrl and self.field(name) lie on the batch's own memory. With arrays="torch" they are tensors
and self.xp is torch, else it is numpy; a task that says self.xp and keeps to what both have runs on a GPU as well.
"""

import warnings

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv as _VectorEnv
from gymnasium.vector.utils import batch_space

from corten import FAILURES, Batch, Model

STARTS = 16  # that are drawn ahead for each environment of a GPU


class VectorEnv(_VectorEnv):
    """n environments of one model."""

    def __init__(self, model, num_envs=1, *, frame_skip=5, max_episode_steps=1000, fields=(), post_constraint=False,
                 autoreset_mode=AutoresetMode.NEXT_STEP, device="cpu", precision="strict",
                 arrays=None, threads=0):
        """model: a path or a corten.Model. fields: what of mjData is kept for observe and judge, as self.field(name).

        autoreset_mode: when an episode that has ended starts anew, as Gymnasium's vectors have it. With DISABLED, step()
        on the host refuses to go on before those are reset; on a GPU, where it cannot know, they stand still and earn
        nothing. device and precision: as corten.Batch has them. arrays: "numpy" or "torch"; a GPU has "torch" alone.
        """
        self.model = model if isinstance(model, Model) else Model(model)
        self.batch = Batch(self.model, num_envs, device, threads=threads, reset_failed=False, precision=precision,
                           post_constraint=post_constraint)
        on_device = self._on_device = self.batch.device != "cpu"
        arrays = arrays or ("torch" if on_device else "numpy")
        if arrays not in ("numpy", "torch") or (on_device and arrays == "numpy"):
            raise ValueError(f'arrays: this is "torch"{"" if on_device else " or " + chr(34) + "numpy" + chr(34)} '
                             f'on {self.batch.device}, not "{arrays}"')
        self.xp = np
        if arrays == "torch":
            import torch
            self.xp = torch
        self.num_envs = num_envs
        self.frame_skip = frame_skip
        self.dt = self.model.timestep * frame_skip
        self.max_episode_steps = max_episode_steps
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}

        self._fields = {}
        for name in fields:
            self.batch.keep(name)
        self.qpos, self.qvel, self.ctrl = self.field("qpos"), self.field("qvel"), self.field("ctrl")
        for name in (*fields, "status"):
            self.field(name)
        self.start_qpos, self.start_qvel = self.batch.get("qpos")[0], self.batch.get("qvel")[0]

        limits = self.batch.get("actuator_ctrlrange")[0].reshape(-1, 2).astype(np.float32)
        self.single_action_space = gymnasium.spaces.Box(limits[:, 0], limits[:, 1], dtype=np.float32)
        shape = tuple(self.observe().shape[1:])
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, shape, np.float64)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

        self._random = None
        self._starts = _Starts(self) if arrays == "torch" else None
        self._done = self._zeros(bool)
        self._elapsed = self._zeros(np.int64 if arrays == "numpy" else self.xp.int64)

    def field(self, name):
        """A field of the batch as an array on its own memory: (num_envs, size).

        Integers, such as "status", are for reading alone; NumPy sees to it, PyTorch cannot.
        """
        if name not in self._fields:
            view = self.batch[name]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # PyTorch has no read-only tensors and says so of "status"
                self._fields[name] = view if self.xp is np else self.xp.as_tensor(view)
        return self._fields[name]

    # What a task says

    def place(self, random):
        """Where an environment starts: qpos, qvel."""
        return self.start_qpos, self.start_qvel

    def measure(self):
        """What judge wants to know from before the step; a copy."""
        return None

    def observe(self):
        """Observations of all environments, (num_envs, size); a copy."""
        raise NotImplementedError("a task says what is observed")

    def judge(self, before, actions):
        """After a step: rewards, which episodes end, and infos, for all environments."""
        raise NotImplementedError("a task says what a step is worth")

    def describe(self):
        """Infos of environments that have just started."""
        return {}

    # What Gymnasium asks for

    def reset(self, *, seed=None, options=None):
        mask = self._mask_of(options)
        if seed is not None or self._random is None:
            seeds = seed if isinstance(seed, (list, tuple)) else [
                None if seed is None else seed + i for i in range(self.num_envs)]
            if len(seeds) != self.num_envs:
                raise ValueError(f"seed: there are {len(seeds)} seeds for {self.num_envs} environments")
            if self._random is None:
                self._random = [None] * self.num_envs
            for i, one in enumerate(seeds):
                if self._random[i] is None or (mask[i] and one is not None):
                    self._random[i] = seeding.np_random(one)[0]
            if self._starts:
                self._starts.fill()
        mask = self._array(mask)
        self._begin(mask)
        return self.observe(), self._marked(self.describe(), mask)

    def step(self, actions):
        if self._random is None:
            raise RuntimeError("reset() comes before step()")
        if tuple(np.shape(actions)) != self.action_space.shape:
            raise ValueError(f"actions: the shape must be {self.action_space.shape}, not {tuple(np.shape(actions))}")
        actions = np.asarray(actions) if self.xp is np else self._array(actions)
        new, mode = self._done, self.autoreset_mode
        if mode == AutoresetMode.DISABLED and not self._on_device and bool(new.any()):
            raise RuntimeError('episodes have ended: reset(options={"reset_mask": terminated | truncated}) comes first')

        before = self.measure()
        self.ctrl[:] = actions
        fresh = self._any(new)
        self._run(~new if fresh else None)
        self._elapsed += 1
        reward, terminated, infos = self.judge(before, actions)
        if self._any(self.field("status")):  # a step that could not be made ends its episode
            terminated = terminated | ((self.field("status") & FAILURES) != 0)
        if mode == AutoresetMode.NEXT_STEP and fresh:
            reward = self.xp.where(new, self._zeros(), reward)
            terminated = terminated & ~new
            self._begin(new)
            infos = self._mixed(infos, ~new, self.describe(), new)
        else:
            infos = self._marked(infos, self._everybody())
        truncated = self._elapsed >= self.max_episode_steps
        if mode == AutoresetMode.DISABLED and fresh:  # on a GPU: they stand still until reset() is told of them
            reward = self.xp.where(new, self._zeros(), reward)
            terminated, truncated = terminated & ~new, truncated & ~new
        done = terminated | truncated | new if mode == AutoresetMode.DISABLED else terminated | truncated
        if mode == AutoresetMode.SAME_STEP and self._any(done):
            final = {"final_obs": self._rows(self.observe(), done), "final_info": self._marked(infos, done),
                     "_final_obs": done, "_final_info": done}
            self._begin(done)
            infos = {**self._mixed(infos, ~done, self.describe(), done), **final}
            done = self._zeros(bool)
        self._done = done
        return self.observe(), reward, terminated, truncated, infos

    def close_extras(self, **options):
        self.batch.close()

    # Small print. step() never asks a GPU for a number that the host has to wait for, and sends it none; reset() sends
    # starts there.

    def _array(self, values):
        return np.asarray(values) if self.xp is np else self.xp.as_tensor(values, device=self.qpos.device)

    def _zeros(self, dtype=float):
        if self.xp is np:
            return np.zeros(self.num_envs, dtype)
        dtype = self.qpos.dtype if dtype is float else self.xp.bool if dtype is bool else dtype
        return self.xp.zeros(self.num_envs, dtype=dtype, device=self.qpos.device)

    def _everybody(self):
        return np.ones(self.num_envs, bool) if self.xp is np else ~self._zeros(bool)

    def _any(self, mask):
        """Whether something is to be done; on a GPU, where only the host would know, it is done by masks."""
        return self._on_device or bool(mask.any())

    def _mask_of(self, options):
        if not options or "reset_mask" not in options:
            return np.ones(self.num_envs, bool)
        mask = options["reset_mask"]
        mask = np.asarray(mask.cpu() if hasattr(mask, "cpu") else mask)
        if mask.shape != (self.num_envs,) or mask.dtype != bool:
            raise ValueError(f'options: "reset_mask" must be ({self.num_envs},) of bool, not {mask.shape} of {mask.dtype}')
        return mask

    def _run(self, mask):
        on_host = mask is not None and not self._on_device
        self.batch.step(self.frame_skip, np.asarray(mask) if on_host else mask)

    def _begin(self, mask):
        if self._starts:
            self._starts.use(mask)
        else:
            self.batch.reset(mask)
            for i in np.flatnonzero(mask):
                self.qpos[i], self.qvel[i] = self.place(self._random[i])
        self.batch.forward(mask)
        self._elapsed = self._elapsed * ~mask
        self._done = self._done & ~mask

    def _rows(self, values, mask):
        """As Gymnasium has observations that nobody sees any more: an array of arrays."""
        if self.xp is not np:
            return values
        rows = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(mask):
            rows[i] = values[i]
        return rows

    def _marked(self, infos, mask):
        """With every info the mask of those that have it."""
        marked = dict(infos)
        for name in infos:
            if name[0] != "_":
                marked["_" + name] = mask
        return marked

    def _mixed(self, some, where, others, elsewhere):
        """Infos of some environments, and of the others."""
        mixed = self._marked(some, where)
        for name, values in others.items():
            if name in some:
                column = where.reshape(-1, *[1] * (values.ndim - 1))
                mixed[name], mixed["_" + name] = self.xp.where(column, some[name], values), where | elsewhere
            else:
                mixed[name], mixed["_" + name] = values, elsewhere
        return mixed


class _Starts:
    """The next starts of every environment, in memory of the device, drawn ahead by the environments' own generators.

    After STARTS episodes they begin again, until reset(seed=...) draws new ones: drawing in between would make the device
    wait for the host.
    """

    def __init__(self, env):
        self.env = env
        self.next = env._zeros(env.xp.int64)
        self.row = env.xp.arange(env.num_envs, device=env.qpos.device)
        self.qpos = self.qvel = None

    def fill(self):
        env = self.env
        drawn = [[env.place(random) for _ in range(STARTS)] for random in env._random]
        self.qpos = env._array(np.array([[start[0] for start in row] for row in drawn])).to(env.qpos.dtype)
        self.qvel = env._array(np.array([[start[1] for start in row] for row in drawn])).to(env.qpos.dtype)
        self.next = env._zeros(env.xp.int64)

    def use(self, mask):
        env = self.env
        env.batch.reset(mask)
        for name, starts in (("qpos", self.qpos), ("qvel", self.qvel)):
            env.batch.set(name, starts[self.row, self.next], mask)
        self.next = (self.next + mask) % STARTS
