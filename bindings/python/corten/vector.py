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

import operator
import os
import sys
import warnings
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv as _VectorEnv
from gymnasium.vector.utils import batch_space

from corten import FAILURES, Batch, Model

STARTS = 16  # that are drawn ahead for each environment of a GPU
NEXT_STEP, SAME_STEP, DISABLED = AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED


def _count(argument, value):
    """An integer of at least one."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{argument}: this is an integer, not {value!r}") from None
    if number < 1:
        raise ValueError(f"{argument}: this is 1 or more, not {number}")
    return number


class VectorEnv(_VectorEnv):
    """n environments of one model."""

    def __init__(self, model: Union[str, "os.PathLike[str]", Model], num_envs: int = 1, *, frame_skip: int = 5,
                 max_episode_steps: Optional[int] = 1000, fields: Sequence[str] = (), post_constraint: bool = False,
                 autoreset_mode: Union[str, AutoresetMode] = AutoresetMode.NEXT_STEP, device: str = "cpu",
                 precision: str = "strict", arrays: Optional[str] = None, threads: int = 0) -> None:
        """model: a path or a corten.Model. fields: what of mjData is kept for observe and judge, as self.field(name).
        max_episode_steps: after so many an episode is truncated; -1 or None: never.

        autoreset_mode: when an episode that has ended starts anew, as Gymnasium's vectors have it. With DISABLED, step()
        on the host refuses to go on before those are reset; on a GPU, where it cannot know, they stand still and earn
        nothing. device and precision: as corten.Batch has them. arrays: "numpy" or "torch"; a GPU has "torch" alone.
        """
        num_envs, frame_skip = _count("num_envs", num_envs), _count("frame_skip", frame_skip)
        unlimited = max_episode_steps is None or max_episode_steps == -1
        max_episode_steps = sys.maxsize if unlimited else _count("max_episode_steps", max_episode_steps)
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
        self._array_type = np.ndarray if self.xp is np else self.xp.Tensor
        self.num_envs = num_envs
        self.frame_skip = frame_skip
        self.dt = self.model.timestep * frame_skip
        self.max_episode_steps = max_episode_steps
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": []}

        self._fields, self._places = {}, set()
        for name in fields:
            self.batch.keep(name)
        self.qpos, self.qvel, self.ctrl = self.field("qpos"), self.field("qvel"), self.field("ctrl")
        for name in (*fields, "status"):
            self.field(name)
        self._status = self.field("status")
        self.start_qpos, self.start_qvel = self.batch.get("qpos")[0], self.batch.get("qvel")[0]

        limits = self.batch.get("actuator_ctrlrange")[0].reshape(-1, 2).astype(np.float32)
        self.single_action_space = gymnasium.spaces.Box(limits[:, 0], limits[:, 1], dtype=np.float32)
        shape = tuple(self.observe().shape[1:])
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, shape, np.float64)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

        self._random = None
        self._starts = _StartsOfGPU(self) if on_device else _Starts(self)
        self._done = self._zeros(bool)
        self._fresh = on_device  # whether some have ended, as far as the host may know
        self._elapsed = self._zeros(np.int64 if arrays == "numpy" else self.xp.int64)

    def field(self, name: str) -> Any:
        """A field of the batch as an array on its own memory: (num_envs, size).

        Integers, such as "status", are for reading alone; NumPy sees to it, PyTorch cannot.
        """
        if name not in self._fields:
            view = self.batch[name]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # PyTorch has no read-only tensors and says so of "status"
                self._fields[name] = view if self.xp is np else self.xp.as_tensor(view)
            if self.xp is not np:
                self._places.add(self._fields[name].untyped_storage().data_ptr())
        return self._fields[name]

    # What a task says

    def place(self, random: np.random.Generator) -> Tuple[Any, Any]:
        """Where an environment starts: qpos, qvel."""
        return self.start_qpos, self.start_qvel

    def measure(self) -> Any:
        """What judge wants to know from before the step."""
        return None

    def observe(self) -> Any:
        """Observations of all environments, (num_envs, size)."""
        raise NotImplementedError("a task says what is observed")

    def judge(self, before: Any, actions: Any) -> Tuple[Any, Any, Dict[str, Any]]:
        """After a step: rewards, which episodes end, and infos, for all environments."""
        raise NotImplementedError("a task says what a step is worth")

    def describe(self) -> Dict[str, Any]:
        """Infos of environments that have just started."""
        return {}

    # What Gymnasium asks for

    def reset(self, *, seed: Union[None, int, Sequence[Optional[int]]] = None,
              options: Optional[Dict[str, Any]] = None) -> Tuple[Any, Dict[str, Any]]:
        mask = self._mask_of(options)
        if seed is not None or self._random is None:
            self._sow(seed, mask)
        mask = self._array(mask)
        self._begin(mask)
        infos = self._infos(self.describe(), mask)
        self._fresh = self._any(self._done)
        return self._own(self.observe()), infos

    def step(self, actions: Any) -> Tuple[Any, Any, Any, Any, Dict[str, Any]]:
        if self._random is None:
            raise RuntimeError("reset() comes before step()")
        actions = self._actions_of(actions)
        new, fresh, mode = self._done, self._fresh, self.autoreset_mode
        if fresh and mode is DISABLED and not self._on_device:
            raise RuntimeError('episodes have ended: reset(options={"reset_mask": terminated | truncated}) comes first')

        before = self._kept(self.measure())
        self.ctrl[:] = actions
        self._run(~new if fresh else None)
        self._elapsed += 1
        reward, terminated, infos = self.judge(before, actions)
        reward, terminated = self._column("rewards", reward), self._column("what terminates", terminated, bool)
        if self._any(self._status):  # a step that could not be made ends its episode
            terminated = terminated | ((self._status & FAILURES) != 0)
        truncated = self._elapsed >= self.max_episode_steps
        if fresh:
            reward = self.xp.where(new, self._zeros(), reward)
            terminated, truncated = terminated & ~new, truncated & ~new
        done = terminated | truncated
        if fresh and mode is DISABLED:  # on a GPU: they stand still until reset() is told of them
            done = done | new
        self._done, self._fresh = done, self._any(done)
        if fresh and mode is NEXT_STEP:
            self._begin(new)
            infos = self._infos(infos, ~new, self.describe(), new)
        elif mode is SAME_STEP and self._fresh:
            infos = self._start_at_once(infos, done)
            self._fresh = self._on_device
        else:
            infos = self._infos(infos)
        return self._own(self.observe()), reward, terminated, truncated, infos

    def close_extras(self, **options):
        self.batch.close()

    # Small print. step() never asks a GPU for a number that the host has to wait for; starts come to it ahead of time.

    def _array(self, values):
        return np.asarray(values) if self.xp is np else self.xp.as_tensor(values, device=self.qpos.device)

    def _actions_of(self, actions):
        try:
            if self.xp is not np:
                actions = actions.detach() if hasattr(actions, "detach") else actions  # no gradient leads through a step
            actions = self._array(actions)
        except (TypeError, ValueError, RuntimeError) as error:
            raise TypeError(f"actions: {error}") from None
        if tuple(actions.shape) != self.action_space.shape:
            raise ValueError(f"actions: the shape must be {self.action_space.shape}, not {tuple(actions.shape)}")
        if actions.dtype.kind not in "fiub" if self.xp is np else actions.is_complex():
            raise TypeError(f"actions: these must be real numbers, not {actions.dtype}")
        if actions.dtype.kind != "f" if self.xp is np else not actions.is_floating_point():
            return actions.astype(float) if self.xp is np else actions.to(self.ctrl.dtype)  # squares of int8 are no int8
        return actions

    def _own(self, values):
        """A copy where the task has shown the batch's own memory, which the next step changes."""
        if self.xp is np:
            return values if values.base is None else values.copy()
        return values.clone() if values.untyped_storage().data_ptr() in self._places else values

    def _kept(self, values):
        """The same of what may be one array, some, or something else."""
        if isinstance(values, self._array_type):
            return self._own(values)
        if isinstance(values, dict):
            return {name: self._kept(one) for name, one in values.items()}
        if isinstance(values, (tuple, list)):
            some = [self._kept(one) for one in values]
            return type(values)(*some) if hasattr(values, "_fields") else type(values)(some)
        return values

    def _column(self, what, values, dtype=None):
        """What a task has said of each environment: bool, or numbers, which are the host's float64 as Gymnasium has them."""
        good = isinstance(values, self._array_type) and tuple(values.shape) == (self.num_envs,)
        if not good or dtype is bool and values.dtype != self._done.dtype:
            found = f"{tuple(values.shape)} of {values.dtype}" if hasattr(values, "dtype") else repr(values)
            raise ValueError(f"judge: {what} must be {self._array_type.__name__} ({self.num_envs},)"
                             f"{' of bool' if dtype else ''}, not {type(values).__name__} {found}")
        if dtype is None and self.xp is np and values.dtype != float:
            return values.astype(float)
        return self._own(values)

    def _zeros(self, dtype=float):
        if self.xp is np:
            return np.zeros(self.num_envs, dtype)
        dtype = self.qpos.dtype if dtype is float else self.xp.bool if dtype is bool else dtype
        return self.xp.zeros(self.num_envs, dtype=dtype, device=self.qpos.device)

    def _any(self, mask):
        """Whether something is to be done; on a GPU, where only the device would know, it is done by masks."""
        return self._on_device or bool(mask.any())

    def _mask_of(self, options):
        if not options or "reset_mask" not in options:
            return np.ones(self.num_envs, bool)
        mask = options["reset_mask"]
        mask = np.asarray(mask.cpu() if hasattr(mask, "cpu") else mask)
        if mask.shape != (self.num_envs,) or mask.dtype != bool:
            raise ValueError(f'options: "reset_mask" must be ({self.num_envs},) of bool, not {mask.shape} of {mask.dtype}')
        return mask

    def _sow(self, seed, mask):
        """New generators for those that have none, and for those of the mask that are given a seed."""
        seeds = seed if isinstance(seed, (list, tuple)) else [
            None if seed is None else seed + i for i in range(self.num_envs)]
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed: there are {len(seeds)} seeds for {self.num_envs} environments")
        first = self._random is None
        rows = [i for i, one in enumerate(seeds) if first or (mask[i] and one is not None)]
        generators = [seeding.np_random(seeds[i])[0] for i in rows]
        self._random = self._random or [None] * self.num_envs
        for i, one in zip(rows, generators):
            self._random[i] = one
        self._starts.forget(rows)

    def _run(self, mask):
        on_host = mask is not None and not self._on_device
        self.batch.step(self.frame_skip, np.asarray(mask) if on_host else mask)

    def _begin(self, mask):
        mask_of_batch = mask if self._on_device else np.asarray(mask)
        self.batch.reset(mask_of_batch)
        self._starts.use(mask_of_batch)
        self.batch.forward(mask_of_batch)
        self._elapsed *= ~mask
        self._done = self._done & ~mask

    def _start_at_once(self, infos, done):
        """SAME_STEP: what was seen last goes into infos, and the next episodes begin."""
        final = {"final_obs": self._rows(self._own(self.observe()), done), "final_info": self._only(infos, done),
                 "_final_obs": done, "_final_info": done}
        self._begin(done)
        return {**self._infos(infos, ~done, self.describe(), done), **final}

    def _rows(self, values, mask):
        """As Gymnasium has observations that nobody sees any more: an array of arrays. Tensors have all rows."""
        if self.xp is not np:
            return values
        rows = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(mask):
            rows[i] = values[i]
        return rows

    # Infos as Gymnasium's vectors have them: with every name the mask of those that it is said of, zeros for the others,
    # and no name that nobody has. On a GPU, where the host does not know, those are there with empty masks.

    def _of(self, values, mask):
        """Zeros where the mask is not."""
        return self.xp.where(mask.reshape(-1, *[1] * (values.ndim - 1)), values, 0)

    def _only(self, infos, mask):
        return {key: value for name, values in infos.items()
                for key, value in ((name, self._of(values, mask)), ("_" + name, mask))}

    def _infos(self, some, where=None, others=None, elsewhere=None):
        """Infos of some environments, None being all, and of the others."""
        everybody = np.ones(self.num_envs, bool) if self.xp is np else ~self._zeros(bool)
        found = {}
        if where is None or not (others or self._on_device or not bool(where.all())):
            for name, values in some.items():
                found[name], found["_" + name] = self._kept(values), everybody
            return found
        if others is None:
            return self._only(some, where)
        some = some if self._any(where) else {}
        for name in (*others, *(name for name in some if name not in others)):
            if name not in some:
                found[name], found["_" + name] = self._of(others[name], elsewhere), elsewhere
            elif name not in others:
                found[name], found["_" + name] = self._of(some[name], where), where
            else:
                column = where.reshape(-1, *[1] * (some[name].ndim - 1))
                found[name], found["_" + name] = self.xp.where(column, some[name], others[name]), everybody
        return found


class _Starts:
    """Where environments of the host start: drawn when they do, by their own generators."""

    def __init__(self, env):
        self.env = env
        self.qpos, self.qvel = env.batch.qpos, env.batch.qvel

    def forget(self, rows):
        """What was drawn for some environments, which have new generators."""

    def use(self, mask):
        env = self.env
        for i in np.flatnonzero(mask):
            self.qpos[i], self.qvel[i] = env.place(env._random[i])


class _StartsOfGPU:
    """The next starts of every environment, drawn ahead and sent to the device, so that it need not wait for the host.

    Each has a ring of STARTS. The device counts how many it has used, and tells the host some calls later, by a copy into
    memory of the host and an event; a call uses one of each at most. So the host knows which starts are there for certain,
    and draws others in their place when half of a ring has been used. It waits for the device only where a ring could run
    dry, which is when the host is that many calls ahead.
    """

    def __init__(self, env):
        self.env = env
        torch, device, n = env.xp, env.qpos.device, env.num_envs
        pinned = device.type == "cuda"

        def room(*size, dtype=torch.int64):
            return torch.zeros(size, dtype=dtype, device=device), torch.zeros(size, dtype=dtype, pin_memory=pinned)
        self.row = torch.arange(n, device=device)
        self.used, self.told = room(n)
        self.event = torch.cuda.Event() if pinned else None  # told has arrived, and what was drawn before has left
        self.rings, self.drawn_ones = {}, {}
        for name, column in (("qpos", env.qpos), ("qvel", env.qvel)):
            ring, drawn = room(n * STARTS, column.shape[1], dtype=column.dtype)
            self.rings[name], self.drawn_ones[name] = ring.reshape(n, STARTS, -1), drawn
        self.places = room(n * STARTS)[1]
        self.drawn = np.zeros(n, np.int64)
        self.known = np.zeros(n, np.int64)  # used ones, as the device has told
        self.since = 0  # calls after that
        self.asked = -1  # calls since counts were asked for; -1: they were not

    def forget(self, rows):
        keep = np.ones(self.env.num_envs, bool)
        keep[rows] = False
        self.used *= self.env._array(keep)
        self.drawn *= keep
        self.known *= keep
        self._ask()  # drops what is on its way
        self.event and self.event.synchronize()
        self.asked = -1
        self._draw()

    def use(self, mask):
        self._catch_up()
        slot = self.used % STARTS
        for name, ring in self.rings.items():
            self.env.batch.set(name, ring[self.row, slot], mask)
        self.used += mask
        self.since += 1
        self.asked += self.asked >= 0
        if self.asked < 0:
            self._ask()

    def _ask(self):
        self.told.copy_(self.used, non_blocking=True)
        self.event and self.event.record()
        self.asked = 0

    def _catch_up(self):
        if self.asked < 0 or not (self._is_short() or not self.event or self.event.query()):
            return
        self.event and self.event.synchronize()
        self.known[:], self.since, self.asked = self.told.numpy(), self.asked, -1
        if self._is_short() or int((self.drawn - self.known).min()) <= STARTS // 2:
            self._draw()

    def _is_short(self):
        """Whether the next call may need what is not there."""
        return int((self.drawn - self.known).min()) <= self.since

    def _draw(self):
        """Fills the rings. Nothing that was drawn before may be on its way."""
        env, count = self.env, 0
        qpos, qvel = self.drawn_ones["qpos"].numpy(), self.drawn_ones["qvel"].numpy()
        for i in np.flatnonzero(self.drawn - self.known < STARTS):
            for k in range(self.drawn[i], self.known[i] + STARTS):
                qpos[count], qvel[count] = env.place(env._random[i])
                self.places.numpy()[count] = STARTS * i + k % STARTS
                count += 1
        self.drawn[:] = self.known + STARTS
        places = self.places[:count].to(self.row.device, non_blocking=True)
        for name, ring in self.rings.items():
            starts = self.drawn_ones[name][:count].to(self.row.device, non_blocking=True)
            ring.view(-1, ring.shape[2])[places] = starts
