"""corten.cluster.Batch: a batch whose environments are divided among Ray workers, on one machine or many.

    import ray, corten, corten.cluster
    ray.init()                                                   # or the address of a cluster
    batch = corten.cluster.Batch(corten.Model("humanoid.xml"), 10_000, shards=8, seed=1)
    batch.set("ctrl", controls)
    batch.step(5)
    height = batch.get("qpos")[:, 2]
    batch.close()

Of corten.Batch it has step, forward, rollout (without out), reset, get, set, get_state, set_state, keep, vary, set_const,
noise, derivative, failed, reason, counts, save, restore, wait, close and the arrays; not contacts, copy, draw, functions of
environments, streams and the other derivatives. Arrays are copies, because the memory is elsewhere; batch.ctrl and the like
refuse to be written, which would reach nobody: that is set(). Every environment has the bits that it would have in one process:
its noise belongs to its number, whoever computes it.

A worker that dies, or whose machine does, is replaced. The driver keeps what each worker has saved last and the calls since
then: the new one goes on from there and makes those calls again, so that nobody can tell.
"""

import operator
import struct
import sys
import time
from typing import Any, Dict, List, Optional, Sequence, Union

import numpy as np
import ray

import corten

__all__ = ["Batch"]
_Mask = Optional[np.ndarray]

CALLS_BETWEEN_SAVES = 100
MOST_FAILURES = 10  # of a worker in one call: something else is wrong then
_FIELDS = ("state", "time", "qpos", "qvel", "act", "ctrl", "sensordata", "status", "reward", "terminated", "truncated", "steps")
_REFUSALS = (ValueError, TypeError, LookupError, BufferError)  # of a worker that has changed nothing
_ARRAYS_STAY = ("keep", "vary")  # their views would be sent for nothing


# The bytes of corten.Batch.save(): a header, then fields, each with its name and how many bytes there are of it.
_HEADER, _ENTRY = struct.Struct("=8s4Q4i"), struct.Struct("=48sQ")


def _header_of(saved):
    """How many environments the bytes have, the seed, and where each field has its bytes: {name: (from, to)}."""
    if not isinstance(saved, (bytes, bytearray)) or len(saved) < _HEADER.size or saved[:8] != b"CTBATCH2":
        raise ValueError("saved: these are not the bytes, or a list of bytes, that save() gave")
    _, _, _, _, seed, count, fields, _, _ = _HEADER.unpack_from(saved)
    places, at = {}, _HEADER.size
    for _ in range(fields):
        if len(saved) - at < _ENTRY.size:
            raise ValueError("saved: the bytes end in the middle")
        name, size = _ENTRY.unpack_from(saved, at)
        at += _ENTRY.size + size
        if at > len(saved):
            raise ValueError("saved: the bytes end in the middle")
        places[name.partition(b"\0")[0].decode()] = at - size, at
    return count, seed, places


def _columns_of(saved, widths):
    """The bytes as rows of environments: {name: (environments, bytes of one)}, on the same memory. Fields end in padding."""
    memory = np.frombuffer(saved, np.uint8)
    count, _, places = _header_of(saved)
    return {name: memory[start:start + count * widths[name]].reshape(count, widths[name])
            for name, (start, _) in places.items()}


def _seal(memory):
    """Writes the sum into bytes that were put together: save() has it of all that follows, so that damage is noticed."""
    total = 0xCBF29CE484222325
    for word, in struct.iter_unpack("=Q", memoryview(memory)[16:]):
        total = (total ^ word) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
        total ^= total >> 29
    struct.pack_into("=Q", memory, 8, total)
    return bytes(memory)


class _Worker:
    """Some of the environments; an actor."""

    def __init__(self, model, n, options):
        self.model, self.options = model, options
        self.batch = corten.Batch(self.model, n, **options)
        self.lost = None  # why the states are not those that they should be

    def call(self, name, arguments, options):
        if self.lost:
            raise corten.Error(f"a worker cannot go on from what was saved: {self.lost}")
        result = getattr(self if name == "restore_parts" else self.batch, name)(*arguments, **options)
        return None if name in _ARRAYS_STAY else result

    def restore_parts(self, parts):
        """What was saved by workers that had other environments: (bytes, rows of theirs, rows of ours) of each.

        What one worker would have saved is put together of those, and restored: all of it or nothing.
        """
        for saved, _, _ in parts:
            with self._like(saved) as other:
                other.restore(saved)  # refuses what is not of this model
        with self._like(parts[0][0], len(self.batch)) as fresh:  # what some have not saved is as it begins
            known = _header_of(fresh.save())[2]
            for name in {name for saved, _, _ in parts for name in _header_of(saved)[2]} - set(known):
                (fresh.vary if name.startswith("model.") else fresh.keep)(name)
            memory = bytearray(fresh.save())
            widths = {name: fresh.get(name or "state").nbytes // len(fresh) for name in _header_of(memory)[2]}
        columns = _columns_of(memory, widths)
        for saved, theirs, ours in parts:
            for name, rows in _columns_of(saved, widths).items():
                columns[name][ours] = rows[theirs]
        self.batch.restore(_seal(memory))

    def _like(self, saved, n=None):
        """A batch of as many environments as were saved, or n."""
        count, seed, _ = _header_of(saved)
        return corten.Batch(self.model, n or count, **dict(self.options, seed=seed, threads=1))

    def go_on(self, saved, calls):
        """From where another worker was last seen."""
        try:
            if saved is not None:
                self.batch.restore(saved)
            for name, arguments, options in calls:
                self.call(name, arguments, options)
        except Exception as error:
            self.lost = f"{type(error).__name__}: {error}"
            raise

    def where(self):
        return ray.get_runtime_context().get_node_id()


def _integer(argument, value):
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{argument}: this must be an integer, not {value!r}") from None


def _is_number(value):
    try:
        operator.index(value)
    except TypeError:
        return False
    return True


class _Shard:
    """What the driver knows about a worker."""

    def __init__(self, rows):
        self.rows = rows  # a slice of the environments
        self.n = rows.stop - rows.start
        self.actor = None
        self.sure = False  # whether its worker is where the driver thinks, or on its way there


class Batch:
    """Batch(model, n, shards=None, *, seed=0, num_cpus=1, save_every=100, progress=False, patience=60, **options)

    shards      how many workers; None: one for each CPU that Ray has
    num_cpus    that Ray sets aside for a worker, and the number of its threads
    save_every  calls that change something between two saved states; more mean more to repeat after a failure
    progress    a line on standard error, at most every second
    patience    seconds that workers may wait for room on a machine before that is an error
    options     those of corten.Batch, device included
    """

    def __init__(self, model: corten.Model, n: int, shards: Optional[int] = None, *, seed: int = 0, num_cpus: float = 1,
                 num_gpus: float = 0, save_every: int = CALLS_BETWEEN_SAVES, progress: bool = False, patience: float = 60,
                 **options: Any) -> None:
        if not ray.is_initialized():
            raise RuntimeError("ray.init() comes before corten.cluster.Batch")
        if not isinstance(model, corten.Model):
            raise TypeError(f"model: this must be a corten.Model, not {type(model).__name__}")
        if shards is None:
            shards = max(1, int(ray.cluster_resources().get("CPU", 1) // max(num_cpus, 1)))
        n, shards, save_every = _integer("n", n), _integer("shards", shards), _integer("save_every", save_every)
        if not 0 < shards or n < 1:
            raise ValueError(f"shards, n: {n} environments cannot be divided among {shards} workers")
        if save_every < 1:
            raise ValueError("save_every: this must be at least 1")
        # options that cannot be are refused here, before a worker is asked for; a GPU may be elsewhere
        corten.Batch(model, 1, **dict(options, seed=seed, threads=1, device="cpu")).close()
        self.model, self.n = model, n
        self.closed = False
        self.failures = 0  # workers that were replaced
        self._model = ray.put(model)
        self._options = dict(options, seed=seed, threads=max(1, int(num_cpus)))
        self._needs = {"num_cpus": num_cpus, "num_gpus": num_gpus, "scheduling_strategy": "SPREAD"}
        self._save_every, self._progress = save_every, progress
        self._begin, self._steps, self._told = time.perf_counter(), 0, 0.0
        borders = [n * i // min(shards, n) for i in range(min(shards, n) + 1)]
        self._shards = [_Shard(slice(a, b)) for a, b in zip(borders, borders[1:])]
        # What each worker has saved last, and calls since then, of each. It changes in one assignment or one append, so that
        # Ctrl-C comes before it or after it, for all of them.
        self._known = dict.fromkeys(self._shards), []
        for shard in self._shards:
            self._start(shard)
            shard.sure = True
        self._wait_for_room(patience)
        try:
            self._ask("failed", changes=False)  # what only the workers know is found now
        except Exception:
            self.close()
            raise

    # Workers

    def _wait_for_room(self, patience):
        answers = [shard.actor.where.remote() for shard in self._shards]
        _, late = ray.wait(answers, num_returns=len(answers), timeout=patience)
        if late:
            self.close()
            raise corten.Error(f"shards: {len(late)} of {len(answers)} workers found no room in {patience} s; Ray has "
                               f"{ray.available_resources().get('CPU', 0):g} of {ray.cluster_resources().get('CPU', 0):g} CPUs "
                               "free: close other batches, or take fewer shards")

    def _start(self, shard):
        options = dict(self._options, first=self._options.get("first", 0) + shard.rows.start)
        shard.actor = ray.remote(_Worker).options(**self._needs).remote(self._model, shard.n, options)
        saved, calls = self._known
        shard.actor.go_on.remote(saved[shard], [call[shard] for call in calls])

    def _replace(self, shard):
        self.failures += 1
        try:
            ray.kill(shard.actor)
        except Exception:  # it is gone, which is why we are here
            pass
        sure, shard.sure = shard.sure, False
        self._start(shard)  # calls of an actor keep their order
        shard.sure = sure

    def _finish(self, submit):
        """What every worker answers to one call: (shard, result, error). Those that die are replaced and asked again."""
        pending = [(shard, submit(shard)) for shard in self._shards]
        return [(shard, *self._answer(shard, answer, submit)) for shard, answer in pending]

    def _answer(self, shard, answer, submit):
        for _ in range(MOST_FAILURES):
            try:
                return ray.get(answer), None
            except (ray.exceptions.RayActorError, ray.exceptions.ObjectLostError) as error:
                if isinstance(error, ray.exceptions.ActorUnschedulableError):
                    return None, corten.Error(f"no machine can take a worker: {error}")
                if getattr(error, "actor_init_failed", False):  # another one would not do better
                    return None, corten.Error(f"a worker cannot make its batch: {str(error).strip().splitlines()[-1]}")
                last = error
                self._replace(shard)
                answer = submit(shard)
            except Exception as error:  # of the call; Ray wraps what the worker has raised
                return None, getattr(error, "cause", None) or error
        return None, corten.Error(f"a worker dies again and again: {last}")

    def _ask(self, name, changes=True, parts=None, **options):
        """A call of all workers. parts: a function of a shard, with arguments that differ among them."""
        if self.closed:
            raise ValueError("the batch is closed; make a new one")

        calls = {}
        for shard in self._shards:
            arguments, more = parts(shard) if parts else ((), {})
            calls[shard] = name, arguments, {**options, **more}
        self._make_sure()
        if changes and len(self._known[1]) >= self._save_every:
            self.checkpoint()
        try:
            for shard in self._shards:
                shard.sure = not changes  # until all have made the call
            answers = self._finish(lambda shard: shard.actor.call.remote(*calls[shard]))
            error = next((error for _, _, error in answers if error is not None), None)
            if error is None and changes:
                self._known[1].append(calls)
            for shard, _, refusal in answers:
                shard.sure = error is None or not changes or isinstance(refusal, _REFUSALS)
        finally:  # also after Ctrl-C: some have made the call, and nobody knows who
            self._make_sure()
        if error is not None:
            raise error
        return [result for _, result, _ in answers]

    def _make_sure(self):
        """Others take the places of workers that nobody knows about. Where this is interrupted, the next call does the rest."""
        for shard in self._shards:
            if not shard.sure:
                ray.kill(shard.actor)
                self._start(shard)
                shard.sure = True

    def checkpoint(self) -> None:
        """Has all workers save their states now, from which others would go on."""
        self._make_sure()
        answers = self._finish(lambda shard: shard.actor.call.remote("save", (), {}))
        for _, _, error in answers:
            if error is not None:
                raise error
        self._known = {shard: saved for shard, saved, _ in answers}, []

    def _tell(self):
        now = time.perf_counter()
        if self._progress and now - self._told > 1:
            self._told = now
            print(self.report(), file=sys.stderr, flush=True)

    def report(self) -> str:
        """One line about workers and speed."""
        seconds = time.perf_counter() - self._begin
        return (f"{self.n} environments on {len(self._shards)} workers: {self._steps} steps, "
                f"{self._steps / seconds:.0f} per second, {self.failures} workers replaced")

    def nodes(self) -> List[str]:
        """On which machine each worker is, as Ray names it."""
        return [result for _, result, _ in self._finish(lambda shard: shard.actor.where.remote())]

    # Arrays

    def _rows(self, argument, values, axis=0):
        """A function that cuts out the rows of a shard."""
        if values is None:
            return lambda shard: None
        values = np.asarray(values)
        if values.ndim <= axis or values.shape[axis] != self.n:
            raise ValueError(f"{argument}: axis {axis} must have {self.n} environments, not "
                             f"{values.shape[axis] if values.ndim > axis else 'none'}")
        if axis == 0:
            return lambda shard: np.ascontiguousarray(values[shard.rows])
        return lambda shard: np.ascontiguousarray(values[:, shard.rows])

    def _masked(self, mask):
        rows = self._rows("mask", mask)
        return lambda shard: ((), {"mask": rows(shard)})

    # What corten.Batch has

    def __len__(self) -> int:
        return self.n

    def __enter__(self) -> "Batch":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def __getitem__(self, field: str) -> np.ndarray:
        """A copy, as get() gives it, but read-only: what is written into a copy would reach no worker."""
        rows = self.get(field)
        rows.flags.writeable = False
        return rows

    def __getattr__(self, name: str) -> np.ndarray:
        if name in _FIELDS:
            return self[name]
        raise AttributeError(f"corten.cluster.Batch has no {name}")

    def __repr__(self):
        return "<corten.cluster.Batch, closed>" if self.closed else f"<corten.cluster.Batch: {self.report()}>"

    def step(self, n: int = 1, mask: _Mask = None) -> None:
        self._ask("step", parts=self._masked(mask), n=n)
        self._steps += n * (self.n if mask is None else int(np.count_nonzero(mask)))
        self._tell()

    def forward(self, mask: _Mask = None, stage: str = "acceleration") -> None:
        self._ask("forward", parts=self._masked(mask), stage=stage)

    def wait(self) -> None:
        self._ask("wait", changes=False)

    def reset(self, mask: _Mask = None, key: Union[None, int, np.ndarray] = None, states: Optional[np.ndarray] = None,
              components: int = corten.STATE_INTEGRATION) -> None:
        masks, starts = self._rows("mask", mask), self._rows("states", states)
        keys = self._rows("key", key) if key is not None and not _is_number(key) else lambda shard: key
        self._ask("reset", components=components, parts=lambda shard: (
            (), {"mask": masks(shard), "key": keys(shard), "states": starts(shard)}))

    def rollout(self, controls: Optional[np.ndarray] = None, nstep: int = 0,
                record: Union[str, Sequence[Union[str, int]]] = "state", substeps: int = 1, mask: _Mask = None,
                time_first: bool = False, components: int = corten.STATE_CTRL) -> Dict[Union[str, int], np.ndarray]:
        axis = 1 if time_first else 0
        inputs, masks = self._rows("controls", controls, axis), self._rows("mask", mask)
        paths = self._ask("rollout", parts=lambda shard: ((), {"controls": inputs(shard), "mask": masks(shard)}), nstep=nstep,
                          record=record, substeps=substeps, time_first=time_first, components=components)
        steps = nstep if controls is None else np.shape(controls)[1 - axis]
        self._steps += steps * substeps * (self.n if mask is None else int(np.count_nonzero(mask)))
        self._tell()
        return {name: np.concatenate([path[name] for path in paths], axis=axis) for name in paths[0]}

    def get(self, field: str, mask: _Mask = None) -> np.ndarray:
        return np.concatenate(self._ask("get", changes=False, parts=self._masked(mask), field=field))

    def set(self, field: str, values: np.ndarray, mask: _Mask = None) -> None:
        rows, masks = self._rows("values", values), self._rows("mask", mask)
        self._ask("set", parts=lambda shard: ((), {"values": rows(shard), "mask": masks(shard)}), field=field)

    def get_state(self, components: int = corten.STATE_INTEGRATION, mask: _Mask = None) -> np.ndarray:
        return np.concatenate(self._ask("get_state", changes=False, parts=self._masked(mask), components=components))

    def set_state(self, states: np.ndarray, components: int = corten.STATE_INTEGRATION, mask: _Mask = None) -> None:
        rows, masks = self._rows("states", states), self._rows("mask", mask)
        self._ask("set_state", parts=lambda shard: ((), {"states": rows(shard), "mask": masks(shard)}), components=components)

    def keep(self, field: str) -> None:
        self._ask("keep", parts=lambda shard: ((field,), {}))

    def vary(self, field: str, values: Optional[np.ndarray] = None, mask: _Mask = None) -> None:
        rows, masks = self._rows("values", values), self._rows("mask", mask)
        self._ask("vary", parts=lambda shard: ((), {"values": rows(shard), "mask": masks(shard)}), field=field)

    def set_const(self, mask: _Mask = None) -> None:
        self._ask("set_const", parts=self._masked(mask))

    def noise(self, field: str, low: float, high: float, kind: str = "uniform", use: str = "set", mask: _Mask = None) -> None:
        self._ask("noise", parts=self._masked(mask), field=field, low=low, high=high, kind=kind, use=use)

    def derivative(self, which: str = "AB", mask: _Mask = None, **options: Any) -> Dict[str, np.ndarray]:
        found = self._ask("derivative", changes=False, parts=self._masked(mask), which=which, **options)
        return {name: np.concatenate([one[name] for one in found]) for name in found[0]}

    def failed(self) -> int:
        return sum(self._ask("failed", changes=False))

    def reason(self, environment: int) -> str:
        if not 0 <= _integer("environment", environment) < self.n:
            raise IndexError(f"environment: there is no environment {environment}; they are 0 to {self.n - 1}")
        rows = [(shard.rows, shard) for shard in self._shards]
        mine = next(shard for part, shard in rows if environment < part.stop)
        texts = self._ask("reason", changes=False, parts=lambda shard: (
            (environment - shard.rows.start if shard is mine else 0,), {}))
        return texts[self._shards.index(mine)]

    def counts(self) -> Dict[str, Any]:
        every = self._ask("counts", changes=False)
        raised = {}
        for one in every:
            for name, count in one["raised"].items():
                raised[name] = raised.get(name, 0) + count
        most = ("arena", "arena_used", "arena_needed", "most_contacts", "most_rows")
        return {"steps": sum(one["steps"] for one in every), "resets": sum(one["resets"] for one in every), "raised": raised,
                **{name: max(one[name] for one in every) for name in most}}

    def save(self) -> List[bytes]:
        """The bytes of every worker, in order; restore() of a batch with any number of them takes the list."""
        return self._ask("save", changes=False)

    def restore(self, saved: Union[bytes, Sequence[bytes]]) -> None:
        """From what save() gave, however the environments were divided then: also the bytes of one corten.Batch of all."""
        saved = list(saved) if isinstance(saved, (list, tuple)) else [saved]
        counts = [_header_of(one)[0] for one in saved]
        if sum(counts) != self.n or min(counts, default=0) < 1:
            raise ValueError(f"saved: {sum(counts)} environments were saved, the batch has {self.n}")
        if counts == [shard.n for shard in self._shards]:
            mine = dict(zip(map(id, self._shards), saved))
            return self._ask("restore", parts=lambda shard: ((mine[id(shard)],), {}))
        ends = np.cumsum(counts).tolist()

        def parts(shard):
            found = []
            for one, count, end in zip(saved, counts, ends):
                first, last = max(end - count, shard.rows.start), min(end, shard.rows.stop)
                if first < last:
                    begin, here = end - count, shard.rows.start
                    found.append((one, slice(first - begin, last - begin), slice(first - here, last - here)))
            return (found,), {}
        self._ask("restore_parts", parts=parts)

    def close(self) -> None:
        if not self.closed:
            for shard in self._shards:
                ray.kill(shard.actor)
        self.closed = True
