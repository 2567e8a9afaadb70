"""corten.vector.VectorEnv: a Gymnasium vector environment on a corten.Batch.

A task of your own says what is seen, what it is worth and where it starts:

    class Stand(VectorEnv):
        def __init__(self, num_envs=1, **options):
            super().__init__("humanoid.xml", num_envs, **options)

        def place(self, random):                  # one environment; random is its own generator
            noise = random.uniform(-0.01, 0.01, self.model.nq)
            return self.start_qpos + noise, self.start_qvel

        def observe(self):                        # all environments
            return np.concatenate((self.batch.qpos[:, 2:], self.batch.qvel), axis=1)

        def judge(self, before, actions):         # reward, terminated, infos after a step
            height = self.batch.qpos[:, 2]
            return height.copy(), height < 0.8, {}
"""

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv as _VectorEnv
from gymnasium.vector.utils import batch_space

from corten import Batch, Model


class VectorEnv(_VectorEnv):
    """n environments of one model. Those whose episode has ended start anew in the next step."""

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, model, num_envs=1, *, frame_skip=5, max_episode_steps=1000, fields=(), post_constraint=False,
                 threads=0):
        """model: a path or a corten.Model. fields: what of mjData is kept for observe and judge, as self.batch[name]."""
        self.model = model if isinstance(model, Model) else Model(model)
        self.batch = Batch(self.model, num_envs, threads=threads, reset_failed=False, post_constraint=post_constraint)
        for name in fields:
            self.batch.keep(name)
        self.num_envs = num_envs
        self.frame_skip = frame_skip
        self.dt = self.model.timestep * frame_skip
        self.max_episode_steps = max_episode_steps
        self.start_qpos, self.start_qvel = self.batch.qpos[0].copy(), self.batch.qvel[0].copy()

        limits = self.batch.get("actuator_ctrlrange")[0].reshape(-1, 2).astype(np.float32)
        self.single_action_space = gymnasium.spaces.Box(limits[:, 0], limits[:, 1], dtype=np.float32)
        shape = self.observe().shape[1:]
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, shape, np.float64)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

        self._random = None
        self._done = np.zeros(num_envs, bool)
        self._elapsed = np.zeros(num_envs, np.int64)

    # What a task says

    def place(self, random):
        """Where an environment starts: qpos, qvel."""
        return self.start_qpos, self.start_qvel

    def measure(self):
        """What judge wants to know from before the step; a copy."""
        return None

    def observe(self):
        """Observations of all environments, (num_envs, size)."""
        raise NotImplementedError("a task says what is observed")

    def judge(self, before, actions):
        """After a step: rewards, which episodes end, and infos, for all environments."""
        raise NotImplementedError("a task says what a step is worth")

    # What Gymnasium asks for

    def reset(self, *, seed=None, options=None):
        if seed is not None or self._random is None:
            seeds = seed if isinstance(seed, (list, tuple)) else [
                None if seed is None else seed + i for i in range(self.num_envs)]
            if len(seeds) != self.num_envs:
                raise ValueError(f"seed: there are {len(seeds)} seeds for {self.num_envs} environments")
            self._random = [seeding.np_random(s)[0] for s in seeds]
        self._begin(np.ones(self.num_envs, bool))
        return self.observe(), {}

    def step(self, actions):
        actions = np.asarray(actions)
        if actions.shape != self.action_space.shape:
            raise ValueError(f"actions: the shape must be {self.action_space.shape}, not {actions.shape}")
        if self._random is None:
            raise RuntimeError("reset() comes before step()")
        batch, new = self.batch, self._done
        before = self.measure()
        batch.ctrl[:] = actions
        batch.step(self.frame_skip, ~new if new.any() else None)
        self._elapsed += 1
        reward, terminated, infos = self.judge(before, actions)
        terminated = np.array(terminated, bool)
        if batch.failed():
            # a step that could not be made ends its episode
            terminated |= [batch.reason(i) != "" for i in range(self.num_envs)]
        if new.any():
            reward[new], terminated[new] = 0, False
            self._begin(new)
        truncated = self._elapsed >= self.max_episode_steps
        self._done = terminated | truncated
        return self.observe(), reward, terminated, truncated, infos

    def _begin(self, mask):
        self.batch.reset(mask)
        qpos, qvel = self.batch.qpos, self.batch.qvel
        for i in np.flatnonzero(mask):
            qpos[i], qvel[i] = self.place(self._random[i])
        self.batch.forward(mask)
        self._elapsed[mask] = 0
        self._done = self._done & ~mask

    def close_extras(self, **options):
        self.batch.close()
