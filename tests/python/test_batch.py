"""corten.Batch: fields, steps, resets, rollouts, variation, noise, saving."""

import threading
import time
import unittest

import support
import corten
import numpy as np

MODEL = corten.Model(support.model_path("humanoid"))
N = 4


def batch(**options):
    return corten.Batch(MODEL, N, **options)


class Fields(unittest.TestCase):

    def test_views_share_the_memory_of_the_batch(self):
        b = batch()
        self.assertEqual(b.qpos.shape, (N, MODEL.nq))
        self.assertEqual(b.qpos.dtype, np.float64)
        self.assertEqual((b.time.shape, b.status.dtype, b.terminated.dtype),
                         ((N,), np.int32, np.bool_))
        before, qpos = b.qpos.copy(), b.qpos
        b.step()
        self.assertFalse(np.array_equal(qpos, before))
        self.assertTrue(np.array_equal(qpos, b.get("qpos")))
        b["qvel"][2, 3] = 0.25
        self.assertEqual(b.get("qvel")[2, 3], 0.25)
        self.assertTrue(np.shares_memory(b.state, b.qpos))

    def test_copies_go_in_and_out_by_mask(self):
        b = batch()
        ctrl = np.arange(N * MODEL.nu, dtype=float).reshape(N, MODEL.nu)
        mask = np.array([True, False, True, False])
        b.set("ctrl", ctrl, mask)
        out = np.full_like(ctrl, -1)
        self.assertIs(b.get("ctrl", out=out), out)
        self.assertTrue(np.array_equal(out[mask], ctrl[mask]))
        self.assertEqual(np.abs(out[~mask]).max(), 0)
        state = b.get_state(corten.STATE_CTRL)
        self.assertTrue(np.array_equal(state, out))
        b.set_state(state + 1, corten.STATE_CTRL)
        self.assertTrue(np.array_equal(b.ctrl, out + 1))

    def test_kept_fields_appear_after_a_step(self):
        b = batch()
        xpos = b.keep("xpos")
        b.step()
        self.assertEqual(xpos.shape, (N, 3 * MODEL.nbody))
        self.assertGreater(np.abs(xpos).max(), 0.5)

    def test_a_model_without_actuators_has_empty_rows(self):
        b = corten.Batch(corten.Model(support.model_path("pendulum")), 2)
        self.assertEqual(b.act.shape, (2, 0))
        b.set("act", np.zeros((2, 0)))

    def test_any_field_of_the_model_can_be_had(self):
        b = batch()
        mass = b.get("body_mass")
        self.assertEqual(mass.shape, (N, MODEL.nbody))
        self.assertEqual(mass[0].tobytes(), mass[3].tobytes())


class Running(unittest.TestCase):

    def test_steps_of_selected_environments(self):
        b = batch()
        b.step(3, mask=np.array([1, 0, 0, 1], np.uint8))
        self.assertEqual(list(b.time > 0), [True, False, False, True])
        self.assertEqual(b.counts()["steps"], 6)
        self.assertEqual(list(b.steps), [1, 0, 0, 1])

    def test_forward_computes_without_a_step(self):
        b = batch()
        xpos = b.keep("xpos")
        b.qpos[:, 2] += 0.5
        b.forward(stage="position")
        self.assertAlmostEqual(xpos[0, 5] - b.qpos[0, 2], 0)
        self.assertEqual(b.time.max(), 0)

    def test_resets_to_keyframes_and_states(self):
        b = batch()
        b.step(5)
        start = b.get_state(corten.STATE_FULLPHYSICS)
        b.reset(key=0, mask=np.array([True, False, False, False]))
        b.reset(key=np.array([-1, -1, 1, 1], np.int32), mask=np.array([0, 1, 1, 1], bool))
        self.assertFalse(np.array_equal(b.qpos[0], b.qpos[1]))
        self.assertTrue(np.array_equal(b.qpos[2], b.qpos[3]))
        b.reset(states=start, components=corten.STATE_FULLPHYSICS)
        self.assertEqual(b.get_state(corten.STATE_FULLPHYSICS).tobytes(), start.tobytes())
        b.reset()
        self.assertEqual(b.time.max(), 0)

    def test_a_rollout_is_set_step_and_get(self):
        a, b = batch(), batch(threads=1)
        controls = np.random.default_rng(2).uniform(-1, 1, (N, 6, MODEL.nu))
        rolled = a.rollout(controls, record=("qpos", "sensordata", corten.STATE_QVEL), substeps=2)
        for t in range(6):
            b.set("ctrl", np.ascontiguousarray(controls[:, t]))
            b.step(2)
            self.assertEqual(rolled["qpos"][:, t].tobytes(), b.qpos.tobytes())
            self.assertEqual(rolled["sensordata"][:, t].tobytes(), b.sensordata.tobytes())
            self.assertEqual(rolled[corten.STATE_QVEL][:, t].tobytes(), b.qvel.tobytes())
        a.reset()
        turned = a.rollout(np.ascontiguousarray(controls.swapaxes(0, 1)), record="qpos", substeps=2,
                           time_first=True)["qpos"]
        self.assertEqual(turned.swapaxes(0, 1).tobytes(), rolled["qpos"].tobytes())

    def test_an_environment_that_fails_says_why_and_is_reset(self):
        b = batch()
        b.qpos[1, 0] = np.nan
        b.step()
        self.assertEqual(b.failed(), 1)
        self.assertEqual(corten.status_names(int(b.status[1])), ["bad qpos"])
        self.assertNotEqual(b.reason(1), "")
        self.assertEqual(b.reason(0), "")
        self.assertEqual(b.counts()["raised"], {"bad qpos": 1})
        b.step()
        self.assertEqual(b.failed(), 0)

    def test_episodes_end_and_start_anew(self):
        b = batch(max_steps=2, reset_done=True)
        b.step()
        b.step()
        self.assertTrue(b.truncated.all())
        b.step()
        self.assertEqual(list(b.steps), [1] * N)

    def test_other_threads_run_while_a_batch_steps(self):
        b = corten.Batch(MODEL, 16)
        times, span = [], {}

        def work():
            span["begin"] = time.monotonic()
            while time.monotonic() - span["begin"] < 0.1:
                b.step(1)
            span["call"] = time.monotonic()
            b.step(1500)
            span["end"] = time.monotonic()

        worker = threading.Thread(target=work)
        worker.start()
        while worker.is_alive():
            times.append(time.monotonic())
            time.sleep(0.002)
        middle = [t for t in times if span["call"] + 0.01 < t < span["end"] - 0.01]
        self.assertGreater(len(middle), 0, "nothing else ran during a long step")


class Variation(unittest.TestCase):

    def test_models_differ_among_environments(self):
        b = batch()
        gravity = np.zeros((N, 3))
        gravity[:, 2] = [-9.81, -1, 0, 5]
        view = b.vary("opt.gravity", gravity)
        self.assertTrue(np.array_equal(view, gravity))
        b.step(10)
        self.assertTrue((np.diff(b.qpos[:, 2]) > 0).all())

    def test_set_const_follows_a_varied_mass(self):
        b = batch()
        mass = b.get("body_mass")
        b.vary("body_mass", mass * np.arange(1, N + 1)[:, None])
        b.set_const()
        subtree = b.get("body_subtreemass")
        self.assertTrue(np.allclose(subtree[:, 0] / subtree[0, 0], [1, 2, 3, 4]))


class Noise(unittest.TestCase):

    def test_numbers_depend_on_seed_and_environment_alone(self):
        a, b, c = batch(seed=7), batch(seed=7, threads=1), batch(seed=8)
        for other in (a, b, c):
            other.noise("ctrl", -1, 1)
        self.assertEqual(a.ctrl.tobytes(), b.ctrl.tobytes())
        self.assertNotEqual(a.ctrl.tobytes(), c.ctrl.tobytes())
        self.assertEqual(len(set(a.ctrl[:, 0])), N)
        self.assertEqual(a.draw(1, 5, kind="normal").tobytes(), b.draw(1, 5, kind="normal").tobytes())
        self.assertEqual(a.seed, 7)


class Saving(unittest.TestCase):

    def test_a_restored_batch_goes_on_with_the_same_bits(self):
        a = batch(seed=3)
        a.vary("opt.timestep", np.full((N, 1), 0.003))
        a.noise("ctrl", -1, 1)
        a.step(10)
        saved = a.save()
        b = batch(seed=3)
        b.restore(saved)
        for other in (a, b):
            other.noise("ctrl", -1, 1)
            other.step(5)
        self.assertEqual(a.state.tobytes(), b.state.tobytes())

    def test_one_environment_becomes_another(self):
        b = batch()
        b.noise("qvel", -1, 1)
        b.copy(0, 3)
        self.assertTrue(np.array_equal(b.state[0], b.state[3]))


if __name__ == "__main__":
    support.main()
