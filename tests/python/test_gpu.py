"""Batches and tasks on a GPU, in arrays of PyTorch, CuPy and JAX. Skipped without a GPU or libcorten_cuda.so."""

import contextlib
import importlib.util
import unittest
import warnings

import support
import corten
import numpy as np

MODEL = corten.Model(support.model_path("humanoid"))
N = 64


def no_gpu():
    try:
        corten.Batch(MODEL, 1, "cuda")
    except corten.Error as error:
        return str(error)
    return None


def missing(*names):
    return [name for name in names if importlib.util.find_spec(name) is None]


@contextlib.contextmanager
def waiting_for_nothing():
    """PyTorch raises where it would make the host wait."""
    import torch
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it calls this mode a prototype
        torch.cuda.set_sync_debug_mode("error")
    try:
        yield
    finally:
        torch.cuda.set_sync_debug_mode("default")


WHY = no_gpu()


@unittest.skipIf(WHY, WHY)
class Gpu(unittest.TestCase):

    def setUp(self):
        self.host, self.batch = corten.Batch(MODEL, N), corten.Batch(MODEL, N, "cuda")

    def test_bits_and_copies(self):
        random = np.random.default_rng(0)
        for _ in range(5):
            values, mask = random.uniform(-1, 1, (N, MODEL.nu)), random.random(N) < 0.8
            for batch in (self.host, self.batch):
                batch.set("ctrl", values)
                batch.step(4, mask)
        np.testing.assert_array_equal(self.batch.get("state"), self.host.get("state"))
        self.batch.restore(self.host.save())
        controls = random.uniform(-1, 1, (N, 6, MODEL.nu))
        mine, theirs = (batch.rollout(controls, record="qpos")["qpos"] for batch in (self.batch, self.host))
        np.testing.assert_array_equal(mine, theirs)

    @unittest.skipIf(missing("torch"), "PyTorch is not installed")
    def test_tensors_lie_on_the_batch(self):
        import torch
        qpos, ctrl = torch.as_tensor(self.batch.qpos), torch.from_dlpack(self.batch.ctrl)
        self.assertTrue(qpos.is_cuda and ctrl.is_cuda)
        self.assertEqual(qpos.data_ptr(), self.batch.qpos.__cuda_array_interface__["data"][0])
        random = np.random.default_rng(1)
        for _ in range(10):
            values = random.uniform(-1, 1, (N, MODEL.nu))
            ctrl[:] = torch.as_tensor(values, device="cuda")
            mask = torch.as_tensor(random.random(N) < 0.8, device="cuda")
            self.batch.step(2, mask)
            self.host.set("ctrl", values)
            self.host.step(2, mask.cpu().numpy())
        np.testing.assert_array_equal(qpos.cpu().numpy(), self.host.qpos)
        values = torch.rand(N, MODEL.nu, dtype=torch.float64, device="cuda")
        self.batch.set("ctrl", values)
        np.testing.assert_array_equal(ctrl.cpu().numpy(), values.cpu().numpy())
        with self.assertRaisesRegex(ValueError, "^values: .*GPU"):
            self.host.set("ctrl", values)
        stream = torch.cuda.Stream()
        self.batch.set_stream(stream.cuda_stream)
        with torch.cuda.stream(stream):
            ctrl.zero_()
            self.batch.step()
            height = qpos[:, 2].clone()
        stream.synchronize()
        np.testing.assert_array_equal(height.cpu().numpy(), self.batch.get("qpos")[:, 2])

    @unittest.skipIf(missing("torch"), "PyTorch is not installed")
    def test_integers_can_be_read_in_place(self):
        import torch
        self.batch.step(1)
        status = torch.as_tensor(self.batch.status)
        self.assertTrue(status.is_cuda)
        np.testing.assert_array_equal(status.cpu().numpy(), self.batch.get("status"))

    @unittest.skipIf(missing("torch"), "PyTorch is not installed")
    def test_rollouts_stay_on_the_device(self):
        import torch
        controls = torch.rand(N, 6, MODEL.nu, dtype=torch.float64, device="cuda") - 0.5
        qpos = torch.zeros(N, 6, MODEL.nq, dtype=torch.float64, device="cuda")
        self.batch.rollout(controls, record="qpos", out={"qpos": qpos})
        expected = self.host.rollout(controls.cpu().numpy(), record="qpos")["qpos"]
        np.testing.assert_array_equal(qpos.cpu().numpy(), expected)

    @unittest.skipIf(missing("torch"), "PyTorch is not installed")
    def test_float_is_float_on_the_device_alone(self):
        import torch
        try:
            batch = corten.Batch(MODEL, N, "cuda", precision="float")
        except corten.Error as error:
            self.skipTest(str(error))
        qpos, values = torch.as_tensor(batch.qpos), np.random.default_rng(2).uniform(-0.5, 0.5, (N, MODEL.nu))
        self.assertEqual(qpos.dtype, torch.float32)
        batch.set("ctrl", torch.as_tensor(values, device="cuda", dtype=torch.float32))
        with self.assertRaisesRegex(TypeError, "^values: .*float32"):
            batch.set("ctrl", torch.as_tensor(values, device="cuda"))
        self.host.set("ctrl", values)
        batch.step(3)
        self.host.step(3)
        np.testing.assert_allclose(qpos.cpu().numpy(), self.host.qpos, atol=1e-4)
        self.assertEqual(batch.get("qpos").dtype, np.float64)

    @unittest.skipIf(missing("cupy"), "CuPy is not installed")
    def test_cupy_lies_on_the_batch(self):
        import cupy
        qpos, ctrl = cupy.asarray(self.batch.qpos), cupy.asarray(self.batch.ctrl)
        ctrl[:] = 0.25
        self.batch.step(3)
        self.host.ctrl[:] = 0.25
        self.host.step(3)
        np.testing.assert_array_equal(cupy.asnumpy(qpos), self.host.qpos)
        self.batch.set("ctrl", cupy.full((N, MODEL.nu), 0.5))
        self.assertEqual(float(cupy.from_dlpack(self.batch.ctrl).min()), 0.5)

    @unittest.skipIf(missing("jax", "torch"), "JAX or PyTorch is not installed")
    def test_jax_gives_and_takes(self):
        import jax
        import torch
        jax.config.update("jax_enable_x64", True)
        if jax.default_backend() != "gpu":
            self.skipTest("JAX has no GPU")
        self.batch.set("ctrl", jax.numpy.full((N, MODEL.nu), 0.5))
        self.assertEqual(float(self.batch.get("ctrl").min()), 0.5)
        compact = torch.as_tensor(self.batch.sensordata).contiguous()  # JAX takes no rows with gaps between them
        there = jax.dlpack.from_dlpack(compact)
        np.testing.assert_array_equal(np.asarray(there), self.batch.get("sensordata"))

    @unittest.skipIf(missing("torch", "gymnasium"), "PyTorch or Gymnasium is not installed")
    def test_tasks_are_those_of_the_host_and_wait_for_nothing(self):
        import torch
        import corten.tasks
        for task in corten.tasks.TASKS:
            with self.subTest(task.__name__):
                host = task(16, max_episode_steps=12, step_forces=True)  # as a GPU has them
                gpu = task(16, max_episode_steps=12, device="cuda")
                first, second = host.reset(seed=3)[0], gpu.reset(seed=3)[0]
                self.assertTrue(second.is_cuda)
                np.testing.assert_allclose(second.cpu().numpy(), first, atol=1e-9)
                random = np.random.default_rng(1)
                for t in range(30):
                    actions = random.uniform(-0.4, 0.4, host.action_space.shape)
                    there = torch.as_tensor(actions, device="cuda")
                    with waiting_for_nothing():
                        found = gpu.step(there)
                    expected = host.step(actions)
                    for mine, theirs in zip(found[:4], expected[:4]):
                        scale = max(1, float(abs(np.asarray(theirs, float)).max()))
                        np.testing.assert_allclose(mine.cpu().numpy() / scale, theirs / scale, atol=1e-7,
                                                   err_msg=f"{task.__name__}, step {t}")


if __name__ == "__main__":
    support.main()
