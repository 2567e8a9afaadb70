"""Functions of Python for single environments, contacts, and what the schema says of fields."""

import gc
import os
import threading
import unittest
import weakref

import support
import corten
import numpy as np

MODEL = corten.Model(support.model_path("humanoid"))
N = 6


def controls(seed):
    return np.random.default_rng(seed).uniform(-0.5, 0.5, (N, MODEL.nu))


class Hooks(unittest.TestCase):

    def setUp(self):
        self.batch = corten.Batch(MODEL, N, threads=2, reset_done=True)

    def test_outcome_says_what_a_step_was_worth(self):
        seen = []

        def outcome(environment):
            seen.append(environment.number)
            height = environment.qpos[2]
            return height, height < 1.0, environment.number == 3

        self.batch.set_hooks(outcome=outcome)
        self.batch.ctrl[:] = controls(0)
        self.batch.step(3)
        self.assertEqual(sorted(seen), list(range(N)))
        np.testing.assert_array_equal(self.batch.reward, self.batch.qpos[:, 2])
        np.testing.assert_array_equal(self.batch.truncated, np.arange(N) == 3)
        self.batch.set_hooks(outcome=lambda environment: 1)
        self.batch.step()
        np.testing.assert_array_equal(self.batch.reward, np.ones(N))
        self.assertFalse(self.batch.terminated.any())
        self.batch.set_hooks(lambda environment: None)
        self.batch.step()
        self.assertFalse(self.batch.reward.any())
        self.batch.set_hooks()
        self.batch.step()
        self.assertEqual(len(seen), N)

    def test_start_places_things_after_every_reset(self):

        def start(environment):
            environment.qpos[0] = environment.number
            environment.qvel[:3] = 0.5

        self.batch.set_hooks(outcome=lambda environment: (0, True), start=start)
        self.batch.reset()
        np.testing.assert_array_equal(self.batch.qpos[:, 0], np.arange(N))
        np.testing.assert_array_equal(self.batch.qvel[:, :3], np.full((N, 3), 0.5))
        self.batch.step(5)
        self.batch.step()  # those that are terminated start anew
        self.assertLess(abs(self.batch.qpos[:, 0] - np.arange(N)).max(), 0.1)
        self.assertEqual(self.batch.counts()["resets"], N)

    def test_rollouts_ask_after_every_step(self):
        self.batch.set_hooks(outcome=lambda environment: environment.time)
        path = self.batch.rollout(nstep=4, record=("reward", "time"))
        np.testing.assert_array_equal(path["reward"], path["time"])

    def test_forces_between_bodies_go_together_with_a_function(self):
        batch = corten.Batch(MODEL, N, post_constraint=True)
        batch.keep("cfrc_ext")
        batch.set_hooks(lambda environment: abs(environment.cfrc_ext).sum())
        batch.step(60)
        self.assertGreater(batch.reward.min(), 0)
        np.testing.assert_allclose(batch.reward, abs(batch["cfrc_ext"]).sum(axis=1))

    def test_apply_reads_and_writes(self):
        self.batch.ctrl[:] = controls(1)
        self.batch.step(4)
        found = {}
        self.batch.apply(lambda environment: found.update({environment.number: environment.qpos.copy()}))
        np.testing.assert_array_equal([found[i] for i in range(N)], self.batch.qpos)

        def lift(environment):
            environment.qpos[2] += 1

        before = self.batch.qpos.copy()
        self.batch.apply(lift)
        np.testing.assert_array_equal(self.batch.qpos, before)
        self.batch.apply(lift, np.arange(N) % 2 == 0, save=True)
        before[::2, 2] += 1
        np.testing.assert_array_equal(self.batch.qpos, before)

    def test_the_first_exception_is_raised_by_the_call(self):
        calls = []

        def bad(environment):
            calls.append(environment.number)
            raise KeyError("mine")

        self.batch.set_hooks(outcome=bad)
        with self.assertRaisesRegex(KeyError, "mine"):
            self.batch.step()
        self.assertEqual(len(calls), 1)
        with self.assertRaisesRegex(KeyError, "mine"):
            self.batch.apply(bad)
        self.batch.set_hooks(outcome=lambda environment: "text")
        with self.assertRaises(TypeError):
            self.batch.step()
        self.batch.set_hooks(outcome=lambda environment: (1, False, False, 4))
        with self.assertRaisesRegex(TypeError, "outcome"):
            self.batch.step()
        self.batch.set_hooks()
        self.batch.step()
        self.assertEqual(self.batch.failed(), 0)

    def test_wrong_functions_are_named(self):
        for name in ("outcome", "start"):
            with self.assertRaisesRegex(TypeError, f"^{name}: "):
                self.batch.set_hooks(**{name: 3})
        with self.assertRaisesRegex(TypeError, "^function: "):
            self.batch.apply(3)
        with self.assertRaises(TypeError):
            corten.Environment()

    def test_an_environment_ends_with_its_function(self):
        kept = []
        self.batch.apply(lambda environment: kept.append((environment, environment.qpos)))
        environment, qpos = kept[0]
        self.assertIn("no longer", repr(environment))
        for name in ("qpos", "time", "contact"):
            with self.assertRaisesRegex(ValueError, "has returned"):
                getattr(environment, name)
        self.batch.close()
        del self.batch, environment, kept
        gc.collect()
        self.assertEqual(qpos.shape, (MODEL.nq,))  # the memory is still there
        qpos[:] = 0

    def test_a_function_may_not_use_its_batch(self):
        self.batch.set_hooks(outcome=lambda environment: self.batch.step())
        with self.assertRaises(ValueError):
            self.batch.step()
        self.batch.set_hooks(outcome=lambda environment: self.batch.set_hooks())
        with self.assertRaisesRegex(RuntimeError, "at work"):
            self.batch.step()

    def test_a_function_that_leads_to_its_batch_is_collected(self):
        class Owner:
            pass

        owner = Owner()
        owner.batch = corten.Batch(MODEL, 1)
        owner.batch.set_hooks(outcome=lambda environment, owner=owner: 0)
        gone = weakref.ref(owner)
        del owner
        gc.collect()
        self.assertIsNone(gone())


    def test_an_exception_reaches_the_thread_that_made_the_call(self):
        done, others = threading.Event(), []

        def look():
            while not done.is_set():
                try:
                    self.batch.get("qpos")
                except Exception as error:
                    others.append(error)

        self.batch.set_hooks(outcome=lambda environment: 1 / 0)
        watchers = [threading.Thread(target=look) for _ in range(2)]
        for watcher in watchers:
            watcher.start()
        try:
            for _ in range(30):
                with self.assertRaises(ZeroDivisionError):
                    self.batch.step()
        finally:
            done.set()
            for watcher in watchers:
                watcher.join()
        self.assertEqual(others, [])

    def test_functions_that_hold_arrays_are_collected_without_close(self):
        class Owner:
            def __init__(self):
                self.batch = corten.Batch(MODEL, 2, threads=2)
                self.qpos, self.mass, self.seen = self.batch.qpos, MODEL.body_mass, []
                self.batch.set_hooks(self.outcome)

            def outcome(self, environment):
                self.seen += [environment, environment.qvel]
                return self.qpos[environment.number, 2]

        class Fond(corten.Batch):  # of its own arrays
            pass

        threads = len(os.listdir("/proc/self/task"))
        for _ in range(3):
            owner, fond = Owner(), Fond(MODEL, 2, threads=2)
            owner.batch.step()
            fond.view, fond.batch = fond.qpos, fond
            qpos, qvel, gone = owner.qpos, owner.seen[1], [weakref.ref(owner), weakref.ref(fond)]
            before = qpos.copy()
            del owner, fond
            gc.collect()
            self.assertEqual([one() for one in gone], [None, None])
            np.testing.assert_array_equal(qpos, before)  # arrays have the memory
            qvel[:] = 0
            del qpos, qvel
        self.assertLessEqual(len(os.listdir("/proc/self/task")), threads)

    def test_close_lets_go_of_functions_that_hold_arrays(self):
        class Owner:
            def __init__(self):
                self.batch = corten.Batch(MODEL, 2, threads=2)
                self.qpos = self.batch.qpos
                self.batch.set_hooks(self.outcome)

            def outcome(self, environment):
                return self.qpos[environment.number, 2]

        threads = len(os.listdir("/proc/self/task"))
        for _ in range(3):
            owner = Owner()
            owner.batch.step()
            owner.batch.close()
            gone = weakref.ref(owner)
            del owner
            gc.collect()
            self.assertIsNone(gone())
        self.assertLessEqual(len(os.listdir("/proc/self/task")), threads)

    def test_a_function_may_close_its_batch(self):
        self.batch.set_hooks(outcome=lambda environment: self.batch.close())
        self.batch.step()
        with self.assertRaisesRegex(ValueError, "closed"):
            self.batch.step()


class Contacts(unittest.TestCase):

    def test_rows_are_those_of_every_environment(self):
        batch = corten.Batch(MODEL, N, threads=2)
        batch.ctrl[:] = controls(2)
        batch.step(150)
        batch.qpos[4, 2] += 5  # in the air
        state = batch.state.copy()
        found, own = batch.contacts(force=True), {}
        np.testing.assert_array_equal(batch.state, state)

        def look(environment):
            own[environment.number] = environment.contact

        whole = corten.Batch(MODEL, N, own_data=True)
        whole.state[:] = state
        whole.forward()
        whole.apply(look)
        self.assertGreater(len(found["dist"]), N)
        floor = int(np.flatnonzero(MODEL.geom_type == 0)[0])
        self.assertFalse((found["geom"][found["environment"] == 4] == floor).any())
        for i in range(N):
            rows = found["environment"] == i
            for name, values in own[i].items():
                np.testing.assert_array_equal(found[name][rows], values, err_msg=name)
        self.assertEqual(found["pos"].shape, (len(found["dist"]), 3))
        self.assertEqual(found["geom"].dtype, np.int32)
        self.assertTrue(((found["geom"] >= 0) & (found["geom"] < MODEL.ngeom)).all())
        self.assertGreater(found["force"][:, 0].max(), 1)
        some = batch.contacts(np.arange(N) == 2)
        self.assertEqual(set(some["environment"]), {2})
        self.assertNotIn("force", some)
        self.assertEqual(len(batch.contacts(np.zeros(N, bool))["geom"]), 0)


class Schema(unittest.TestCase):

    def test_arrays_of_a_model_are_there_and_read_only(self):
        self.assertEqual(MODEL.body_mass.shape, (MODEL.nbody,))
        self.assertEqual(MODEL.geom_size.shape, (MODEL.ngeom, 3))
        self.assertEqual(MODEL.key_qpos.shape, (MODEL.nkey, MODEL.nq))
        self.assertEqual(MODEL.geom_rgba.dtype, np.float32)
        self.assertGreater(MODEL.ngeom, 1)
        np.testing.assert_array_equal(corten.Batch(MODEL, 1).get("body_mass")[0], MODEL.body_mass)
        with self.assertRaises(ValueError):
            MODEL.body_mass[0] = 1
        mass = corten.Model(support.model_path("humanoid")).body_mass  # keeps its model
        np.testing.assert_array_equal(mass, MODEL.body_mass)

    def test_docstrings_have_shape_and_meaning(self):
        self.assertRegex(corten.Model.body_mass.__doc__, r"^\(nbody,\): .")
        self.assertRegex(corten.Model.geom_size.__doc__, r"^\(ngeom, 3\): .")
        self.assertRegex(corten.Environment.xpos.__doc__, r"^\(nbody, 3\): .")
        self.assertRegex(corten.Model.nq.__doc__, "qpos")
        for kind in (corten.Model, corten.Environment, corten.Batch):
            missing = [name for name in dir(kind) if not name.startswith("_") and not getattr(kind, name).__doc__]
            self.assertEqual(missing, [])


if __name__ == "__main__":
    support.main()
