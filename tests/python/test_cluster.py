"""A batch on several Ray nodes has the bits of one process, also when a worker is killed in mid-run. Skipped without Ray."""

import importlib.util
import os
import sys
import time
import unittest

import support
import corten
import numpy as np

N = 7


def drive(batch, stop=None):
    """A run with everything that changes a batch; stop is called in the middle of it."""
    random = np.random.default_rng(1)
    nu = batch.model.nu
    batch.noise("ctrl", -0.3, 0.3)
    batch.step(3)
    mass = batch.get("body_mass")
    batch.vary("body_mass", mass * random.uniform(0.9, 1.1, mass.shape))
    batch.set_const()
    batch.keep("xpos")
    for i in range(4):
        batch.set("ctrl", random.uniform(-1, 1, (N, nu)), random.random(N) < 0.8)
        batch.noise("qvel", 0, 0.01, kind="normal", use="add")
        batch.step(2, random.random(N) < 0.9)
        if stop and i == 1:
            stop()
    path = batch.rollout(random.uniform(-1, 1, (N, 5, nu)), record=("qpos", corten.STATE_QVEL))
    batch.reset(np.arange(N) % 3 == 0)
    batch.step()
    return path["qpos"], path[corten.STATE_QVEL], batch.get("state"), batch.get("xpos"), batch.get("status")


@unittest.skipIf(importlib.util.find_spec("ray") is None, "ray is not installed")
class OnRay(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        os.environ.update(RAY_DEDUP_LOGS="0", RAY_USAGE_STATS_ENABLED="0", RAY_ENABLE_UV_RUN_RUNTIME_ENV="0",
                          RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO="0",
                          PYTHONPATH=os.pathsep.join([os.path.join(support.ROOT, "examples", "python"),
                                                      os.environ.get("PYTHONPATH", "")]))
        import ray
        from ray.cluster_utils import Cluster
        cls.ray = ray
        cls.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        cls.second = cls.cluster.add_node(num_cpus=3)
        ray.init(address=cls.cluster.address, log_to_driver=False)
        cls.model = corten.Model(support.model_path("humanoid"))
        cls.expected = drive(corten.Batch(cls.model, N, seed=5))

    @classmethod
    def tearDownClass(cls):
        cls.ray.shutdown()
        cls.cluster.shutdown()

    def batch(self, **options):
        import corten.cluster
        batch = corten.cluster.Batch(self.model, N, seed=5, **options)
        self.addCleanup(batch.close)
        return batch

    def wait_for_death(self, shards):
        """Until Ray knows that at least one of the workers is gone."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            for shard in shards:
                try:
                    self.ray.get(shard.actor.where.remote(), timeout=5)
                except self.ray.exceptions.RayActorError:
                    return
                except self.ray.exceptions.GetTimeoutError:
                    pass
            time.sleep(0.1)
        self.fail("no worker has died")

    def compare(self, found):
        for mine, theirs in zip(found, self.expected):
            np.testing.assert_array_equal(mine, theirs)

    def test_bits_do_not_depend_on_the_workers(self):
        for shards in (1, 3):
            batch = self.batch(shards=shards, num_cpus=1)
            self.compare(drive(batch))
            self.assertEqual(len(batch.nodes()), shards)
            self.assertEqual(batch.failures, 0)
            batch.close()

    def test_a_worker_is_killed_in_mid_run(self):
        for save_every in (1, 3, 100):
            batch = self.batch(shards=2, num_cpus=1, save_every=save_every)

            def stop(batch=batch):
                self.ray.kill(batch._shards[1].actor)
                self.wait_for_death([batch._shards[1]])
            self.compare(drive(batch, stop))
            self.assertEqual(batch.failures, 1)
            self.assertIn("1 workers replaced", batch.report())
            batch.close()

    def test_a_machine_is_lost_in_mid_run(self):
        node = self.cluster.add_node(num_cpus=2, resources={"other": 1})
        self.cluster.wait_for_nodes()
        batch = self.batch(shards=4, num_cpus=1)
        used = batch.nodes()
        self.assertGreater(len(set(used)), 1)
        lost = [shard for shard, where in zip(batch._shards, used) if where == node.node_id]

        def stop():
            self.cluster.remove_node(node, allow_graceful=False)
            if lost:
                self.wait_for_death(lost)
        self.compare(drive(batch, stop))
        if lost:
            self.assertGreater(batch.failures, 0)

    def test_what_one_worker_refuses_no_other_does(self):
        batch = self.batch(shards=2, num_cpus=1)
        batch.step(2)
        before, keys = batch.get("state"), np.full(N, -1, np.int32)
        keys[-1] = 99
        with self.assertRaises(ValueError):
            batch.reset(key=keys)
        np.testing.assert_array_equal(batch.get("state"), before)

    def test_a_batch_without_room_says_so(self):
        import corten.cluster
        with self.assertRaisesRegex(corten.Error, "^shards: .*no room"):
            corten.cluster.Batch(self.model, 200, shards=100, patience=2)
        for options, error, words in (({"precision": "x"}, ValueError, "^precision"), ({"bogus": 3}, TypeError, "bogus"),
                                      ({"seed": "x"}, TypeError, "^seed"), ({"max_steps": -1}, ValueError, "max_steps")):
            begin = time.monotonic()
            with self.assertRaisesRegex(error, words):
                corten.cluster.Batch(self.model, 2, shards=100, **options)
            self.assertLess(time.monotonic() - begin, 30)

    def test_the_rest_of_the_interface(self):
        batch, one = self.batch(shards=3, num_cpus=1), corten.Batch(self.model, N, seed=5)
        for other in (batch, one):
            other.noise("ctrl", -1, 1)
            other.step(4)
        np.testing.assert_array_equal(batch.get_state(), one.get_state())
        np.testing.assert_array_equal(batch.qpos, one.qpos)
        self.assertEqual(batch.counts()["steps"], one.counts()["steps"])
        np.testing.assert_array_equal(batch.derivative("B")["B"], one.derivative("B")["B"])
        saved, before = batch.save(), batch.get("state")
        batch.step(2)
        batch.restore(saved)
        np.testing.assert_array_equal(batch.get("state"), before)
        self.assertEqual((batch.failed(), batch.reason(N - 1), len(batch)), (0, "", N))

    def test_the_examples_have_the_same_numbers(self):
        sys.path.insert(0, os.path.join(support.ROOT, "examples", "python"))
        import mppi
        from corten import cluster
        model = corten.Model.from_string(mppi.MODEL)
        angles = []
        for batch in (corten.Batch(model, 30), cluster.Batch(model, 30, 3)):
            angles.append(mppi.swing_up(batch, corten.Batch(model, 1), steps=5, horizon=10))
            batch.close()
        np.testing.assert_array_equal(*angles)
        if importlib.util.find_spec("gymnasium"):
            import evolution
            found = []
            for evaluate in (evolution.returns_of, evolution.on_ray(2)):
                one = evolution.Evolution("Swimmer-v5", pairs=2, steps=20)
                found.append([one.advance(evaluate) for _ in range(2)] + one.mean.ravel().tolist())
            self.assertEqual(*found)

    def test_mistakes_name_the_argument(self):
        import corten.cluster
        batch = self.batch(shards=2, num_cpus=1)
        for error, words, call in (
                (ValueError, "^values", lambda: batch.set("ctrl", np.zeros((N + 1, 21)))),
                (ValueError, "shape", lambda: batch.set("ctrl", np.zeros((N, 2)))),
                (ValueError, "^mask", lambda: batch.step(1, np.ones(3, bool))),
                (ValueError, "did you mean", lambda: batch.get("qposs")),
                (ValueError, "^saved", lambda: batch.restore(b"")),
                (IndexError, "^environment", lambda: batch.reason(N)),
                (AttributeError, "qposs", lambda: batch.qposs),
                (TypeError, "^model", lambda: corten.cluster.Batch("humanoid.xml", 2)),
                (ValueError, "^shards, n", lambda: corten.cluster.Batch(self.model, 0))):
            with self.assertRaisesRegex(error, words):
                call()
        batch.step()  # and goes on
        with self.assertRaises(Exception):
            corten.cluster.Batch(self.model, 2, shards=1, max_steps=-1)
        batch.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            batch.step()


if __name__ == "__main__":
    support.main()
