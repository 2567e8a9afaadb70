"""Arrays of other libraries: DLPack on the host, and DLPack and __cuda_array_interface__ on a GPU, which here is a
library that computes on the host and says that its memory is a device's (pretended_device.c)."""

import ctypes
import gc
import importlib.util
import os
import sys
import unittest

import support
import numpy as np

os.environ["CORTEN_CUDA"] = os.path.join(os.environ.get("CORTEN_BUILD", ""), "python", "pretended_device.so")
import corten  # noqa: E402

MODEL = corten.Model(support.model_path("humanoid"))
N = 4
ON_CUDA = 2


class OnDevice:
    """Numbers as a library for GPUs shows them."""

    def __init__(self, array, **changes):
        self.array = array
        interface = dict(array.__array_interface__, version=3)
        interface.pop("descr", None)
        interface.update(changes)
        self.__cuda_array_interface__ = interface


def numbers(array):
    """What is at the address that an array of a device shows."""
    shown = dict(array.__cuda_array_interface__)
    holder = type("Holder", (), {"__array_interface__": shown})()
    holder.owner = array
    return np.asarray(holder)


class Tensor(ctypes.Structure):
    """DLPack's struct."""
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device", ctypes.c_int32),
                ("axes", ctypes.c_int32), ("kind", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("size", ctypes.POINTER(ctypes.c_int64)),
                ("stride", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", Tensor)]


def struct(capsule):
    """What a capsule of DLPack holds."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    if "dltensor_versioned" in repr(capsule):
        return Versioned.from_address(pointer(capsule, b"dltensor_versioned"))
    return Tensor.from_address(pointer(capsule, b"dltensor"))


def seen(array):
    """The same by DLPack: (device type, address, sizes, strides)."""
    capsule = array.__dlpack__()
    tensor = struct(capsule)
    return (tensor.device_type, tensor.data, tensor.size[:tensor.axes], tensor.stride[:tensor.axes],
            (tensor.kind, tensor.bits, tensor.lanes))


class Foreign(np.ndarray):
    """An array of a library for GPUs: it has the buffer protocol and refuses it, as NumPy does for dates."""

    @classmethod
    def of(cls, values):
        array = values.view("M8[ns]").view(cls)
        array.values, array.asked = values, []
        return array

    def __dlpack_device__(self):
        return ON_CUDA, 0

    def capsule(self, options, versioned=False):
        self.asked.append(options)
        capsule = self.values.__dlpack__(max_version=(1, 0)) if versioned else self.values.__dlpack__()
        found = struct(capsule)
        (found.tensor if isinstance(found, Versioned) else found).device_type = ON_CUDA
        return capsule


class LikeCupy13(Foreign):
    def __dlpack__(self, stream=None):
        return self.capsule({"stream": stream})


class LikeCupy14(Foreign):
    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if stream is not None and (type(stream) is not int or stream < -1 or stream == 0):
            raise ValueError("the stream is not one")
        return self.capsule({"stream": stream}, max_version is not None and np.lib.NumpyVersion(np.__version__) >= "2.1.0")


class LikeJax(Foreign):
    """Its capsules are plain, whatever is asked for, and its arrays never change."""

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if max_version is not None and max_version < (0, 5):
            raise BufferError("too old")
        return self.capsule({"stream": stream})

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": "<f8", "data": (self.values.ctypes.data, True), "strides": None, "version": 2}


class LikeTensorFlow(Foreign):
    def __dlpack__(self):
        return self.capsule({})


class WithoutStreams(Foreign):
    def __dlpack__(self, stream=None):
        if stream is not None:
            raise NotImplementedError("streams are not known here")
        return self.capsule({"stream": stream})


class OnlyInterface(LikeJax):
    """Its DLPack does not work."""

    def __dlpack__(self, **options):
        raise BufferError("not for this layout")


def told_of_streams():
    """What the pretended device was told of streams since the last time."""
    function = ctypes.CDLL(os.environ["CORTEN_CUDA"]).pretended_streams
    function.restype = ctypes.c_char_p
    return function().decode()


class Host(unittest.TestCase):

    def test_numpy_takes_views_by_dlpack(self):
        batch = corten.Batch(MODEL, N)
        shared = np.from_dlpack(batch.qpos)
        batch.step(3)
        np.testing.assert_array_equal(shared, batch.qpos)

    def test_an_object_with_dlpack_goes_in(self):
        class Only:
            """An array that has DLPack and nothing else."""

            def __init__(self, array):
                self.array = array

            def __dlpack__(self, **options):
                return self.array.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        batch, other = corten.Batch(MODEL, N), corten.Batch(MODEL, N)
        values, mask = np.random.default_rng(1).uniform(-1, 1, (N, MODEL.nu)), np.array([True, False, True, True])
        knows_truth = np.lib.NumpyVersion(np.__version__) >= "1.25.0"  # those before have no truth values in DLPack
        batch.set("ctrl", Only(values), Only(mask if knows_truth else mask.view(np.uint8)))
        other.set("ctrl", values, mask)
        np.testing.assert_array_equal(batch.ctrl, other.ctrl)
        out = np.zeros((N, MODEL.nq))
        batch.get("qpos", out=Only(out))
        np.testing.assert_array_equal(out, batch.qpos)
        for bad, error, words in ((values[:, ::2], ValueError, "^values: the shape"),
                                  (values.astype(np.float32), TypeError, "^values: .*float64"),
                                  (values.astype(np.float16), TypeError, "^values: .*f2"),
                                  (np.zeros((1, 1, N, MODEL.nu)), ValueError, "^values: .*4 axes"),
                                  (np.zeros((MODEL.nu, N)).T, ValueError, "^values: .*ascontiguous")):
            with self.assertRaisesRegex(error, words):
                batch.set("ctrl", Only(bad))

    @unittest.skipIf(importlib.util.find_spec("torch") is None, "PyTorch is not installed")
    def test_tensors_go_in_and_out(self):
        import torch
        batch = corten.Batch(MODEL, N)
        qpos = torch.from_dlpack(batch.qpos)
        ctrl = torch.linspace(-1, 1, N * MODEL.nu, dtype=torch.float64).reshape(N, MODEL.nu)
        batch.set("ctrl", ctrl)
        np.testing.assert_array_equal(batch.ctrl, ctrl.numpy())
        batch.step(2, mask=torch.tensor([True, False, True, False]))
        np.testing.assert_array_equal(qpos.numpy(), batch.qpos)
        self.assertEqual(batch.time.tolist()[1], 0)
        path = batch.rollout(torch.zeros(N, 3, MODEL.nu, dtype=torch.float64), record="qpos")
        self.assertEqual(path["qpos"].shape, (N, 3, MODEL.nq))
        with self.assertRaisesRegex(TypeError, "^values: .*float64"):
            batch.set("ctrl", ctrl.float())
        with self.assertRaisesRegex(ValueError, "^values: .*ascontiguous"):
            batch.set("ctrl", torch.zeros(MODEL.nu, N, dtype=torch.float64).T)
        for bad, words in ((ctrl.clone().requires_grad_(), "grad"), (ctrl.to_sparse(), ""),
                           (torch.zeros(N, MODEL.nu, dtype=torch.complex128).conj(), "")):
            with self.assertRaisesRegex((TypeError, BufferError), "^values: .*" + words):
                batch.set("ctrl", bad)

    @unittest.skipIf(importlib.util.find_spec("jax") is None, "JAX is not installed")
    def test_jax_takes_views_and_gives_arrays(self):
        import jax
        jax.config.update("jax_enable_x64", True)
        batch = corten.Batch(MODEL, N)
        there = jax.dlpack.from_dlpack(batch.get("qpos"))
        np.testing.assert_array_equal(np.asarray(there), batch.qpos)
        batch.set("ctrl", jax.numpy.full((N, MODEL.nu), 0.25))
        self.assertEqual(batch.ctrl.min(), 0.25)

    def test_memory_of_a_gpu_is_refused_on_the_cpu(self):
        batch = corten.Batch(MODEL, N)
        with self.assertRaisesRegex(ValueError, "^values: .*GPU.*batch is on the CPU"):
            batch.set("ctrl", OnDevice(np.zeros((N, MODEL.nu))))
        with self.assertRaisesRegex(ValueError, "^mask: .*GPU"):
            batch.step(1, OnDevice(np.ones(N, bool)))
        with self.assertRaises(NotImplementedError):
            batch.set_stream(0)


class Device(unittest.TestCase):

    def setUp(self):
        self.batch = corten.Batch(MODEL, N, "cuda")

    def test_it_has_the_bits_of_the_host(self):
        host, random = corten.Batch(MODEL, N), np.random.default_rng(3)
        self.assertEqual(self.batch.device, "cuda:0")
        for _ in range(5):
            values, mask = random.uniform(-1, 1, (N, MODEL.nu)), random.random(N) < 0.7
            host.set("ctrl", values)
            self.batch.set("ctrl", OnDevice(values))
            host.step(3, mask)
            self.batch.step(3, OnDevice(mask))
        np.testing.assert_array_equal(self.batch.get("qpos"), host.qpos)
        np.testing.assert_array_equal(numbers(self.batch.qpos), host.qpos)
        self.batch.restore(host.save())
        controls = random.uniform(-1, 1, (N, 4, MODEL.nu))
        mine = self.batch.rollout(OnDevice(controls), record=("qpos", "sensordata"))
        theirs = host.rollout(controls, record=("qpos", "sensordata"))
        np.testing.assert_array_equal(mine["qpos"], theirs["qpos"])
        there = np.zeros_like(theirs["qpos"])
        self.batch.restore(host.save())
        further = host.rollout(controls, record=("qpos", corten.STATE_QVEL))
        found = self.batch.rollout(OnDevice(controls), record=("qpos", corten.STATE_QVEL), out={"qpos": OnDevice(there)})
        self.assertIsInstance(found["qpos"], OnDevice)
        np.testing.assert_array_equal(there, further["qpos"])
        np.testing.assert_array_equal(found[corten.STATE_QVEL], further[corten.STATE_QVEL])
        self.batch.set_stream(12345)
        self.batch.wait()

    def test_arrays_show_where_they_are(self):
        array = self.batch.qpos
        self.assertEqual((array.shape, array.dtype, array.device, len(array)), ((N, MODEL.nq), "float64", "cuda:0", N))
        self.assertEqual(repr(array), f"<corten array ({N}, {MODEL.nq}) of float64 on cuda:0>")
        shown = array.__cuda_array_interface__
        self.assertEqual((shown["shape"], shown["typestr"], shown["version"]), ((N, MODEL.nq), "<f8", 3))
        self.assertFalse(shown["data"][1])
        self.assertEqual(array.__dlpack_device__(), (ON_CUDA, 0))
        stride = shown["strides"][0] // 8
        self.assertEqual(seen(array), (ON_CUDA, shown["data"][0], [N, MODEL.nq], [stride, 1], (2, 64, 1)))
        self.assertEqual(self.batch["terminated"].__cuda_array_interface__["typestr"], "|b1")
        self.assertEqual(self.batch.keep("xpos").shape, (N, 3 * MODEL.nbody))
        self.assertEqual(self.batch.vary("body_mass").shape, (N, MODEL.nbody))

    def test_numbers_that_are_read_only_say_so(self):
        status = self.batch.status
        self.assertFalse(status.__cuda_array_interface__["data"][1])  # PyTorch would refuse to read them
        capsule = status.__dlpack__(max_version=(1, 0))
        self.assertEqual(struct(capsule).flags & 1, 1)
        self.assertEqual(struct(self.batch.qpos.__dlpack__(max_version=(1, 0))).flags & 1, 0)
        with self.assertRaisesRegex(ValueError, "^out: .*read-only"):
            corten.Batch(MODEL, N).get("status", out=corten.Batch(MODEL, N).status)
        with self.assertRaisesRegex(BufferError, "read-only"):
            status.__dlpack__()
        self.assertIn("dltensor_versioned", repr(status.__dlpack__(max_version=(1, 0))))

    def test_arrays_that_refuse_to_be_buffers_come_by_dlpack(self):
        values = np.random.default_rng(5).uniform(-1, 1, (N, MODEL.nu))
        default = 1  # CUDA's legacy stream, for which a batch waits
        for kind, asked in ((LikeCupy13, default), (LikeCupy14, default), (LikeJax, default), (WithoutStreams, None)):
            with self.subTest(kind.__name__):
                array = kind.of(values * 1)
                with self.assertRaises(ValueError):
                    memoryview(array)
                self.batch.set("ctrl", array)
                np.testing.assert_array_equal(self.batch.get("ctrl"), values)
                self.assertEqual(array.asked, [{"stream": asked}])
                self.batch.set("ctrl", np.zeros_like(values))
                with self.assertRaisesRegex(ValueError, "^values: .*GPU.*batch is on the CPU"):
                    corten.Batch(MODEL, N).set("ctrl", array)
        for kind in (LikeTensorFlow, OnlyInterface):
            self.batch.set("ctrl", kind.of(values * 1))
            np.testing.assert_array_equal(self.batch.get("ctrl"), values)
            self.batch.set("ctrl", np.zeros_like(values))
        path = np.zeros((N, 2, MODEL.nq))
        self.batch.rollout(nstep=2, record="qpos", out={"qpos": LikeCupy13.of(path)})
        self.assertGreater(abs(path).max(), 0)
        with self.assertRaisesRegex(ValueError, "read-only"):
            self.batch.rollout(nstep=2, record="qpos", out={"qpos": LikeJax.of(path)})

    def test_a_refusal_says_why(self):
        dates = np.zeros((N, MODEL.nu), "M8[ns]")
        with self.assertRaisesRegex((TypeError, BufferError), "(?i)dlpack|dtype|buffer"):
            self.batch.set("ctrl", dates)
        with self.assertRaisesRegex(TypeError, "^values: the object does not give its numbers away: .*released"):
            view = memoryview(bytearray(8))
            view.release()
            self.batch.set("ctrl", view)

    def test_numbers_are_ready_for_other_streams(self):
        """The batch's own stream and the default one wait for each other; no other two do."""
        high, qpos = 2 ** 64 - 4096, self.batch.qpos
        told_of_streams()
        for chosen, expected in ((None, {None: "", -1: "", 0: "", 1: "", 2: "lead 2", 94321: "lead 94321", high: f"lead {high}"}),
                                 (777, {None: "lead 1", -1: "", 0: "lead 1", 1: "lead 1", 777: "", 94321: "lead 94321"}),
                                 (0, {None: "", 0: "", 1: "", 777: "lead 777"}), (2, {2: "", 1: "lead 1"})):
            if chosen is not None:
                self.batch.set_stream(chosen)
                self.assertEqual(told_of_streams(), f"set {chosen}")
            for stream, words in expected.items():
                with self.subTest(f"{chosen} to {stream}"):
                    self.assertIn("dltensor", repr(qpos.__dlpack__(stream=stream)))
                    self.assertEqual(told_of_streams(), words)
        with self.assertRaisesRegex(TypeError, "^stream: "):
            qpos.__dlpack__(stream="first")
        self.batch.close()
        self.assertIn("dltensor", repr(qpos.__dlpack__(stream=94321)))
        self.assertEqual(told_of_streams(), "")

    def test_numbers_that_come_in_are_asked_for_on_the_stream_of_the_batch(self):
        values = np.zeros((N, MODEL.nu))
        told_of_streams()
        for chosen, asked in ((None, 1), (777, 777), (2, 2), (0, 1), (2 ** 64 - 4096, 2 ** 64 - 4096)):
            if chosen is not None:
                self.batch.set_stream(chosen)
                told_of_streams()
            follow = "" if asked == 1 else "follow 1"  # what is ready on the default stream only
            for kind, words, stream in ((LikeCupy13, "", asked), (LikeCupy14, "", asked), (LikeJax, "", asked),
                                        (WithoutStreams, follow, None), (LikeTensorFlow, follow, 1), (OnlyInterface, follow, 1)):
                with self.subTest(f"{kind.__name__}, {chosen}"):
                    array = kind.of(values)
                    self.batch.set("ctrl", array)
                    self.assertEqual(told_of_streams(), words)
                    if array.asked and array.asked[0]:
                        self.assertEqual(array.asked, [{"stream": stream}])
            self.batch.set("ctrl", OnDevice(values, stream=4321))
            self.assertEqual(told_of_streams(), "follow 4321")

    def test_derivatives_are_read_on_the_host(self):
        """The library computes products on the host; memory of a GPU would end the process there."""
        nv, nu, size = MODEL.nv, MODEL.nu, 2 * MODEL.nv + MODEL.na
        for name, call, shape in (
                ("dx", self.batch.derivative_product, (N, size)), ("du", self.batch.derivative_product, (N, nu)),
                ("by_y", self.batch.derivative_product, (N, size)),
                ("controls", lambda **given: self.batch.rollout_product(2, **given), (N, 2, nu)),
                ("dx", lambda **given: self.batch.rollout_product(2, **given), (N, size)),
                ("by_y", lambda **given: self.batch.rollout_product(2, **given), (N, 3, size)),
                ("qacc", self.batch.inverse_derivative, (N, nv))):
            for method in ("hybrid", "differences"):
                with self.assertRaisesRegex(ValueError, f"^{name}: .*GPU.*on the host.*cpu()"):
                    call(**{name: OnDevice(np.zeros(shape))}, method=method)
        with self.assertRaisesRegex(TypeError, "^qacc: "):
            self.batch.inverse_derivative(None)

    def test_numpy_is_told_where_the_numbers_are(self):
        with self.assertRaisesRegex(TypeError, "memory of GPU 0.*Batch.get"):
            np.asarray(self.batch.qpos)
        with self.assertRaises(BufferError):
            memoryview(self.batch.qpos)

    def test_an_array_of_the_batch_goes_back_in(self):
        other = corten.Batch(MODEL, N, "cuda")
        other.set("ctrl", np.full((N, MODEL.nu), 0.5))
        with self.assertRaisesRegex(ValueError, "^values: .*one after the other"):
            self.batch.set("ctrl", other.ctrl)  # a column of the rows of states
        self.batch.set("sensordata", other.sensordata)
        mask = other["terminated"]
        self.batch.step(1, mask)
        self.assertEqual(self.batch.counts()["steps"], 0)

    def test_arrays_outlive_the_batch(self):
        array = self.batch.qpos
        capsules = [array.__dlpack__(), array.__dlpack__(max_version=(1, 0))]
        before = numbers(array).copy()
        self.batch.close()
        del self.batch
        gc.collect()
        np.testing.assert_array_equal(numbers(array), before)
        alive = sys.getrefcount(array)
        del capsules
        self.assertEqual(sys.getrefcount(array), alive - 2)

    def test_bad_arrays_are_named(self):
        ctrl = np.zeros((N, MODEL.nu))
        for bad, error, words in (
                (OnDevice(np.zeros((N, 3))), ValueError, "^values: the shape"),
                (OnDevice(ctrl.astype(np.float32)), TypeError, "^values: .*float64"),
                (OnDevice(ctrl, typestr=">f8"), TypeError, "^values"),
                (OnDevice(ctrl, typestr="f"), TypeError, "^values: .*not complete"),
                (OnDevice(ctrl, shape=None), TypeError, "^values: .*not complete"),
                (OnDevice(ctrl, shape=("a", 2)), TypeError, "^values: .*not complete"),
                (OnDevice(ctrl, data=None), TypeError, "^values: .*not complete"),
                (OnDevice(ctrl, strides=(8,)), TypeError, "^values: .*not complete"),
                (OnDevice(ctrl, strides=(8, 8)), ValueError, "^values: .*one after the other"),
                (OnDevice(np.zeros((1, 1, 1, 1))), ValueError, "^values: .*4 axes")):
            with self.assertRaisesRegex(error, words):
                self.batch.set("ctrl", bad)

        class Strange:
            def __init__(self, answer):
                self.answer = answer

            def __dlpack__(self):
                if isinstance(self.answer, Exception):
                    raise self.answer
                return self.answer

        with self.assertRaisesRegex(TypeError, "^values: .*DLPack"):
            self.batch.set("ctrl", Strange("a capsule"))
        for bad, words in ((OnDevice(ctrl.astype(np.float32)), "on the GPU"), (OnDevice(ctrl, strides=(8, 8)), "on the GPU")):
            with self.assertRaisesRegex((TypeError, ValueError), "^values: .*tensor.*" + words):
                self.batch.set("ctrl", bad)
        with self.assertRaisesRegex(BufferError, "^values: .*not today"):
            self.batch.set("ctrl", Strange(BufferError("not today")))
        for options in ({"copy": True}, {"dl_device": (1, 0)}, {"dl_device": 3}):
            with self.assertRaises(BufferError):
                self.batch.qpos.__dlpack__(**options)
        with self.assertRaises(TypeError):
            self.batch.qpos.__dlpack__(max_version=1)

    def test_what_only_the_host_can_do(self):
        with self.assertRaises(NotImplementedError):
            corten.Batch(MODEL, N, "cuda", post_constraint=True)


def waiting_mode():
    """PyTorch with what would make a host wait for a GPU forbidden, as torch.cuda.set_sync_debug_mode has it."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    class NoWaiting(TorchDispatchMode):
        def __torch_dispatch__(self, operation, types, positional=(), named=None):
            name = operation.name().split("::")[1].split(".")[0]
            masks = name in ("index", "index_put", "index_put_") and any(
                one is not None and one.dtype in (torch.bool, torch.uint8) for one in positional[1])
            if masks or name in ("_local_scalar_dense", "item", "nonzero", "masked_select", "equal", "_unique2",
                                 "repeat_interleave", "lift_fresh"):
                raise AssertionError(f"{name} makes the host wait")
            return operation(*positional, **(named or {}))

    return NoWaiting()


@unittest.skipIf([name for name in ("torch", "gymnasium") if importlib.util.find_spec(name) is None],
                 "PyTorch or Gymnasium is not installed")
class Tasks(unittest.TestCase):
    """The way of corten.tasks on a GPU, with tensors of the host on the pretended device's memory."""

    def there(self, task, *arguments, **options):
        import torch

        class There(task):
            def field(self, name):
                if name not in self._fields:
                    self._fields[name] = torch.as_tensor(numbers(self.batch[name]))
                return self._fields[name]

        return There(*arguments, device="cuda", **options)

    def test_they_are_those_of_the_host_and_wait_for_nothing(self):
        import torch
        import corten.tasks
        with self.assertRaisesRegex(AssertionError, "wait"), waiting_mode():
            bool(torch.ones(3).any())
        with self.assertRaisesRegex(AssertionError, "wait"), waiting_mode():
            torch.ones(3)[torch.ones(3) > 0]
        for task in corten.tasks.TASKS:
            for mode in ("NextStep", "SameStep") if task is corten.tasks.Ant else ("NextStep",):
                with self.subTest(f"{task.__name__}, {mode}"):
                    self.compare(task, mode)

    def compare(self, task, mode):
        import torch
        options = dict(max_episode_steps=4, autoreset_mode=mode)
        host, gpu = task(2, step_forces=True, **options), self.there(task, 2, **options)
        first, second = host.reset(seed=3)[0], gpu.reset(seed=3)[0]
        np.testing.assert_allclose(second.numpy(), first, atol=1e-9)
        random = np.random.default_rng(1)
        for t in range(10):
            actions = random.uniform(-0.4, 0.4, host.action_space.shape)
            tensor = torch.as_tensor(actions)
            with waiting_mode():
                found = gpu.step(tensor)
            expected = host.step(actions)
            for mine, theirs in zip(found[:4], expected[:4]):
                scale = max(1, float(abs(np.asarray(theirs, float)).max()))
                np.testing.assert_allclose(mine.numpy() / scale, theirs / scale, atol=1e-7,
                                           err_msg=f"{task.__name__}, step {t}")

    def test_every_episode_starts_as_on_the_host(self):
        """Also after more of them than are drawn ahead, and with counts that come back late or never by themselves."""
        import torch
        import corten.tasks

        class Event:
            def __init__(self):
                self.age = self.waits = 0

            def record(self):
                self.age = 0

            def query(self):
                self.age += 1
                return self.age > late

            def synchronize(self):
                self.waits += self.age <= late

        for late in (0, 3, 1000):
            with self.subTest(late=late):
                options = dict(max_episode_steps=1)
                host, gpu = corten.tasks.Reacher(3, **options), self.there(corten.tasks.Reacher, 3, **options)
                starts = gpu._starts
                starts.event = Event()
                seen = set()
                for seed in (4, None, [None, 9, None], 5):
                    for envs in (host, gpu):
                        envs.reset(seed=seed)
                    starts.event.waits = 0
                    for t in range(70):
                        actions = np.full((3, 2), 0.01 * t)
                        tensor = torch.as_tensor(actions)
                        host.step(actions)
                        with waiting_mode():
                            gpu.step(tensor)
                        np.testing.assert_allclose(gpu.qpos.numpy(), host.qpos, atol=1e-12, err_msg=f"{seed}, {t}")
                        seen.add(host.qpos[0, 2:].tobytes())
                    # never, or once in so many calls
                    self.assertLessEqual(starts.event.waits, 0 if late < 1000 else 70 / 7)
                self.assertGreater(len(seen), 140)

    def test_forces_after_a_step_are_the_hosts_alone(self):
        import corten.tasks
        with self.assertRaisesRegex(ValueError, "^step_forces: "):
            corten.tasks.Ant(2, device="cuda", step_forces=False)

    def test_without_autoreset_they_stand_still(self):
        import torch
        import corten.tasks
        gpu = self.there(corten.tasks.HalfCheetah, 2, max_episode_steps=3, autoreset_mode="Disabled")
        gpu.reset(seed=1)
        gpu.reset(options={"reset_mask": torch.tensor([True, False])})
        actions = torch.zeros(gpu.action_space.shape, dtype=torch.float64) + 0.1
        with waiting_mode():
            for _ in range(3):
                _, _, _, truncated, _ = gpu.step(actions)
        self.assertEqual(truncated.tolist(), [True, True])
        place = gpu.qpos.clone()
        with waiting_mode():
            _, reward, terminated, truncated, _ = gpu.step(actions)
        self.assertEqual((reward.tolist(), (terminated | truncated).tolist()), ([0, 0], [False, False]))
        self.assertTrue(torch.equal(gpu.qpos, place))
        gpu.reset(options={"reset_mask": torch.tensor([False, True])})
        gpu.step(actions)
        self.assertEqual((gpu.qpos == place).all(dim=1).tolist(), [True, False])


if __name__ == "__main__":
    if not os.path.exists(os.environ["CORTEN_CUDA"]):
        print("skipped: there is no " + os.environ["CORTEN_CUDA"])
        sys.exit(support.SKIPPED)
    support.main()
