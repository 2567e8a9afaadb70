"""A batch on several Ray nodes has the bits of one process, also when a worker is killed in mid-run. Skipped without Ray.

Nothing here depends on how fast the machine is: Ray's own patience is made longer than the test may take, and what is waited for
is waited for until it is there.
"""

import importlib.util
import os
import sys
import time
import unittest
import warnings

import support
import corten
import numpy as np

N = 7
PATIENCE = 900  # seconds; CTest ends the test before
SLOW = {  # milliseconds, or times; a process that is gone is noticed at once, one that is slow is not taken for dead
    "RAY_health_check_period_ms": 500, "RAY_health_check_timeout_ms": 1000 * PATIENCE, "RAY_health_check_failure_threshold": 10,
    "RAY_worker_register_timeout_seconds": PATIENCE, "RAY_agent_register_timeout_ms": 1000 * PATIENCE}
ATTEMPTS = 8  # at starting a node: Ray gives its own processes half a minute


def patiently(start, *arguments, **options):
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return start(*arguments, **options)
        except Exception as error:
            if attempt == ATTEMPTS or "timed out" not in str(error):
                raise
            print(f"attempt {attempt}: {error}", file=sys.stderr)


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
        os.environ.update({name: str(value) for name, value in SLOW.items()})
        import ray
        from ray.cluster_utils import Cluster
        cls.ray = ray
        cls.cluster = patiently(Cluster, initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        cls.second = cls.add_node(num_cpus=3)
        ray.init(address=cls.cluster.address, log_to_driver=False)
        cls.model = corten.Model(support.model_path("humanoid"))
        cls.expected = drive(corten.Batch(cls.model, N, seed=5))

    @classmethod
    def add_node(cls, **options):
        node = patiently(cls.cluster.add_node, wait=False, **options)
        cls.cluster.wait_for_nodes(timeout=PATIENCE)
        return node

    @classmethod
    def tearDownClass(cls):
        cls.ray.shutdown()
        cls.cluster.shutdown()

    def batch(self, **options):
        import corten.cluster
        batch = corten.cluster.Batch(self.model, N, **{"seed": 5, "patience": PATIENCE, **options})
        self.addCleanup(batch.close)
        return batch

    def wait_for_death(self, shards):
        """Until Ray knows that at least one of the workers is gone."""
        while True:
            for shard in shards:
                try:
                    self.ray.get(shard.actor.where.remote(), timeout=1)
                except self.ray.exceptions.RayActorError:
                    return
                except self.ray.exceptions.GetTimeoutError:
                    pass
            time.sleep(0.05)

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
        node = self.add_node(num_cpus=2, resources={"other": 1})
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

    def test_a_call_that_is_interrupted_was_not_made_by_anybody(self):
        import corten.cluster

        class Interrupted(corten.cluster.Batch):
            """Ctrl-C comes when one worker has answered."""
            now = False

            def _answer(self, *arguments):
                answer = super()._answer(*arguments)
                if self.now:
                    self.now = False
                    raise KeyboardInterrupt
                return answer

        batch, one = Interrupted(self.model, N, shards=2, seed=5, patience=PATIENCE), corten.Batch(self.model, N, seed=5)
        self.addCleanup(batch.close)
        for other in (batch, one):
            other.noise("ctrl", -1, 1)
            other.step(3)
        batch.now = True
        with self.assertRaises(KeyboardInterrupt):
            batch.step(50)
        np.testing.assert_array_equal(batch.get("state"), one.get("state"))
        self.ray.kill(batch._shards[0].actor)
        for other in (batch, one):
            other.step(2)
        np.testing.assert_array_equal(batch.get("state"), one.get("state"))

    def test_who_is_interrupted_twice_has_nothing_half_done(self):
        import corten.cluster

        class Interrupted(corten.cluster.Batch):
            """Ctrl-C comes when one worker has answered, and again while it is undone: before a worker starts, or after."""
            now, again = False, None

            def _answer(self, *arguments):
                answer = super()._answer(*arguments)
                if self.now:
                    self.now = False
                    raise KeyboardInterrupt
                return answer

            def _start(self, shard):
                again, self.again = self.again, None
                if again == "before":
                    raise KeyboardInterrupt
                super()._start(shard)
                if again == "after":
                    raise KeyboardInterrupt

        batch, one = Interrupted(self.model, N, shards=2, seed=5, patience=PATIENCE), corten.Batch(self.model, N, seed=5)
        self.addCleanup(batch.close)
        for other in (batch, one):
            other.noise("ctrl", -1, 1)
            other.step(3)
        for again in ("before", "after"):
            batch.now, batch.again = True, again
            with self.assertRaises(KeyboardInterrupt):
                batch.step(50)
            np.testing.assert_array_equal(batch.get("state"), one.get("state"))
        self.ray.kill(batch._shards[1].actor)
        self.wait_for_death([batch._shards[1]])
        batch.again = "after"  # while a worker that died is replaced
        with self.assertRaises(KeyboardInterrupt):
            batch.step(50)
        for other in (batch, one):
            other.step(2)
        np.testing.assert_array_equal(batch.get("state"), one.get("state"))

    def test_who_sleeps_is_restored_with_another_number_of_workers(self):
        from corten.cluster import _Worker
        model = corten.Model(support.model_path("sleepers"))
        one, two, three = _Worker(model, 4, {}), _Worker(model, 2, {}), _Worker(model, 2, {})
        one.call("keep", ("ncon",), {})
        one.call("step", (300,), {})
        saved = one.call("save", (), {})
        for worker, rows in ((two, slice(0, 2)), (three, slice(2, 4))):
            worker.call("step", (7,), {})
            worker.call("restore_parts", ([(saved, rows, slice(0, 2))],), {})
            for name in ("state", "tree_asleep", "ncon", "steps"):
                np.testing.assert_array_equal(worker.call("get", (name,), {}), one.call("get", (name,), {})[rows], name)
        for worker in (one, two):
            worker.call("step", (20,), {})
        np.testing.assert_array_equal(two.call("get", ("state",), {}), one.call("get", ("state",), {})[:2])
        before = two.call("save", (), {})
        with self.assertRaises(ValueError):  # of another model
            two.call("restore_parts", ([(_Worker(self.model, 2, {}).call("save", (), {}), slice(0, 2), slice(0, 2))],), {})
        self.assertEqual(two.call("save", (), {}), before)

    def test_a_worker_that_cannot_go_on_refuses_all_calls(self):
        from corten.cluster import _Worker
        worker = _Worker(self.model, 2, {})
        with self.assertRaises(ValueError):
            worker.go_on(b"not what was saved", [])
        with self.assertRaisesRegex(corten.Error, "cannot go on"):
            worker.call("get", ("qpos",), {})

    def test_a_worker_that_cannot_be_made_is_tried_once(self):
        import corten.cluster
        with self.assertRaisesRegex(corten.Error, "cannot make its batch: .*first"):
            corten.cluster.Batch(self.model, N, shards=2, patience=PATIENCE, first=1 << 30)

    def test_what_is_written_into_a_copy_is_not_lost_without_a_word(self):
        batch = self.batch(shards=1)
        for name in ("ctrl", "qpos", "state"):
            for copy in (getattr(batch, name), batch[name]):
                with self.assertRaisesRegex(ValueError, "read-only"):
                    copy[:] = 0.1
        batch.get("ctrl")[:] = 0.1  # a copy for whoever asks for one

    def test_a_batch_without_room_says_so(self):
        import corten.cluster
        with self.assertRaisesRegex(corten.Error, "^shards: .*no room"):
            corten.cluster.Batch(self.model, 200, shards=100, patience=2)

    def test_options_that_cannot_be_are_refused_before_a_worker_is_asked_for(self):
        import corten.cluster

        class Eager(corten.cluster.Batch):
            def _start(self, shard):
                raise AssertionError("a worker was asked for")

        for options, error, words in (({"precision": "x"}, ValueError, "^precision"), ({"bogus": 3}, TypeError, "bogus"),
                                      ({"seed": "x"}, TypeError, "^seed"), ({"max_steps": -1}, ValueError, "max_steps")):
            with self.assertRaisesRegex(error, words):
                Eager(self.model, 2, shards=100, **options)
        with self.assertRaisesRegex(AssertionError, "asked for"):
            Eager(self.model, 2, shards=100)

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

    def test_what_was_saved_goes_on_with_any_number_of_workers(self):
        def begin(batch):
            batch.noise("ctrl", -0.3, 0.3)
            batch.step(3)
            batch.vary("body_mass", batch.get("body_mass") * 1.1)
            batch.vary("opt.gravity")
            batch.set("opt.gravity", np.arange(3.0 * N).reshape(N, 3) - 9)
            batch.set_const()
            batch.keep("xpos")
            batch.set("qvel", np.full((N, self.model.nv), np.nan), np.arange(N) == 4)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                batch.step(2)

        def go_on(batch):
            batch.noise("qvel", 0, 0.01, kind="normal", use="add")
            batch.step(2)
            return [batch.get(name) for name in ("state", "status", "steps", "noise", "xpos", "body_mass", "opt.gravity")]

        one = corten.Batch(self.model, N, seed=5)
        begin(one)
        of_one = one.save()
        batch = self.batch(shards=3)
        begin(batch)
        of_three = batch.save()
        batch.close()
        expected = go_on(one)
        for shards in (1, 2, 4):
            batch = self.batch(shards=shards, seed=17)
            batch.keep("cvel")  # not saved: begins anew
            batch.step()
            for saved in (of_three, of_one):
                batch.restore(saved)
                self.assertFalse(batch.get("cvel").any())
                for mine, theirs in zip(go_on(batch), expected):
                    np.testing.assert_array_equal(mine, theirs)
            self.ray.kill(batch._shards[0].actor)  # and a worker that comes later finds the way, too
            for mine, theirs in zip((batch.get("state"),), expected):
                np.testing.assert_array_equal(mine, theirs)
            for bad, words in ((of_three[:2], "environments"), ([], "environments"), ([b"x" * 500], "save"), (7, "save"),
                               ([*of_three[:2], of_three[2][:-8]], ""), ([of_one[:80]], "middle")):
                with self.assertRaisesRegex(ValueError, words):
                    batch.restore(bad)
            np.testing.assert_array_equal(batch.get("state"), expected[0])
            batch.close()

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
                (ValueError, "^values: the shape", lambda: batch.set("ctrl", np.zeros((N, 2)))),
                (ValueError, "^n: ", lambda: batch.step(0)),
                (TypeError, "^n: .*integer", lambda: batch.step("three")),
                (TypeError, "^low: ", lambda: batch.noise("ctrl", "zero", 1)),
                (ValueError, "^key: ", lambda: batch.reset(key=np.int64(99))),
                (TypeError, "^environment: ", lambda: batch.reason("first")),
                (TypeError, "^n: ", lambda: corten.cluster.Batch(self.model, 2.5)),
                (TypeError, "^shards: ", lambda: corten.cluster.Batch(self.model, 2, 1.5)),
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
