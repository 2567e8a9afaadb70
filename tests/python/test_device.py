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


def seen(array):
    """The same by DLPack: (device type, address, sizes, strides)."""
    class Tensor(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device", ctypes.c_int32),
                    ("axes", ctypes.c_int32), ("kind", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                    ("lanes", ctypes.c_uint16), ("size", ctypes.POINTER(ctypes.c_int64)),
                    ("stride", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]
    capsule = array.__dlpack__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    tensor = Tensor.from_address(pointer(capsule, b"dltensor"))
    return (tensor.device_type, tensor.data, tensor.size[:tensor.axes], tensor.stride[:tensor.axes],
            (tensor.kind, tensor.bits, tensor.lanes))


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
        batch.set("ctrl", Only(values), Only(mask))
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
        with self.assertRaisesRegex(Exception, "grad"):
            batch.set("ctrl", ctrl.clone().requires_grad_())

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
        self.assertTrue(status.__cuda_array_interface__["data"][1])
        with self.assertRaisesRegex(BufferError, "read-only"):
            status.__dlpack__()
        self.assertIn("dltensor_versioned", repr(status.__dlpack__(max_version=(1, 0))))

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
        with self.assertRaisesRegex(BufferError, "not today"):
            self.batch.set("ctrl", Strange(BufferError("not today")))
        for options in ({"copy": True}, {"dl_device": (1, 0)}, {"dl_device": 3}):
            with self.assertRaises(BufferError):
                self.batch.qpos.__dlpack__(**options)
        with self.assertRaises(TypeError):
            self.batch.qpos.__dlpack__(max_version=1)

    def test_what_only_the_host_can_do(self):
        with self.assertRaises(NotImplementedError):
            corten.Batch(MODEL, N, "cuda", post_constraint=True)


if __name__ == "__main__":
    if not os.path.exists(os.environ["CORTEN_CUDA"]):
        print("skipped: there is no " + os.environ["CORTEN_CUDA"])
        sys.exit(support.SKIPPED)
    support.main()
