"""Derivatives from Python: those of corten/derivative.h, for all environments, checked against steps of the batch itself."""

import unittest

import support
import corten
import numpy as np

MODEL = corten.Model(support.model_path("humanoid"))
N, NU = 3, MODEL.nu
SIZE = 2 * MODEL.nv + MODEL.na


def moving(model=MODEL, n=N):
    """Environments in different states, some of them with contacts."""
    batch = corten.Batch(model, n, seed=3)
    random = np.random.default_rng(2)
    batch.qvel[:] = random.normal(0, 0.3, (n, model.nv))
    batch.ctrl[:] = random.uniform(-0.3, 0.3, (n, model.nu))
    batch.step(60)
    return batch


class Derivatives(unittest.TestCase):

    def setUp(self):
        self.batch = moving()
        self.before = self.batch.save()

    def tearDown(self):
        self.assertEqual(self.batch.save(), self.before)

    def test_matrices_are_those_of_differences(self):
        exact = self.batch.derivative("ABCD")
        near = self.batch.derivative("ABCD", method="differences")
        self.assertEqual(exact["A"].shape, (N, SIZE, SIZE))
        self.assertEqual(exact["B"].shape, (N, SIZE, NU))
        self.assertEqual(exact["method"].tolist(), [1] * N)
        self.assertEqual(near["method"].tolist(), [2] * N)
        for name in "AB":
            scale = abs(near[name]).max(axis=(1, 2), keepdims=True)
            self.assertLess(abs((exact[name] - near[name]) / scale).max(), 1e-5, name)
        self.assertEqual(exact["C"].shape, (N, MODEL.nsensordata, SIZE))

    def test_a_step_moves_as_the_matrices_say(self):
        eps, random = 1e-7, np.random.default_rng(5)
        du = random.normal(size=(N, NU))
        dy = self.batch.derivative_product(du=du)["dy"]
        one, other = corten.Batch(MODEL, N), corten.Batch(MODEL, N)
        for batch, sign in ((one, 1), (other, -1)):
            batch.restore(self.before)
            batch.ctrl[:] += sign * eps * du
            batch.step()
        velocity = (one.qvel - other.qvel) / (2 * eps)
        self.assertLess(abs(velocity - dy[:, MODEL.nv:2 * MODEL.nv]).max() / abs(velocity).max(), 1e-5)

    def test_products_are_those_of_the_matrices(self):
        random = np.random.default_rng(1)
        dx, du, by_y = random.normal(size=(N, SIZE)), random.normal(size=(N, NU)), random.normal(size=(N, SIZE))
        whole = self.batch.derivative()
        found = self.batch.derivative_product(dx, du, by_y)
        dy = np.einsum("nij,nj->ni", whole["A"], dx) + np.einsum("nij,nj->ni", whole["B"], du)
        np.testing.assert_allclose(found["dy"], dy, rtol=0, atol=1e-8 * abs(dy).max())
        np.testing.assert_allclose(found["by_u"], np.einsum("nij,ni->nj", whole["B"], by_y), rtol=0, atol=1e-7)
        self.assertEqual(set(self.batch.derivative_product(by_y=by_y)) & {"dy", "by_x", "by_u"}, {"by_x", "by_u"})

    def test_rollouts_forwards_and_backwards_agree(self):
        steps, random = 6, np.random.default_rng(4)
        controls = random.uniform(-0.2, 0.2, (N, steps, NU))
        du, by_y = random.normal(size=(N, steps, NU)), random.normal(size=(N, steps + 1, SIZE))
        dx = random.normal(size=(N, SIZE))
        found = self.batch.rollout_product(steps, controls, dx, du, by_y)
        forwards = (found["dy"] * by_y).sum(axis=(1, 2))
        backwards = (found["by_x"] * dx).sum(axis=1) + (found["by_u"] * du).sum(axis=(1, 2))
        np.testing.assert_allclose(forwards, backwards, rtol=1e-6)
        again = self.batch.rollout_product(steps, controls, by_y=by_y, checkpoints=2,
                                           parameters=[("dof_damping", 7), ("opt.gravity", 2)])
        np.testing.assert_array_equal(again["by_u"], found["by_u"])
        self.assertEqual(again["by_parameter"].shape, (N, 2))

    def test_parameters(self):
        P = self.batch.parameter_derivative([("dof_damping", 7), ("body_mass", 3)])["P"]
        self.assertEqual(P.shape, (N, SIZE, 2))
        eps, damping = 1e-5, self.batch.get("dof_damping")
        ends = []
        for sign in (1, -1):
            other = corten.Batch(MODEL, N)
            other.restore(self.before)
            moved = damping.copy()
            moved[:, 7] += sign * eps
            other.vary("dof_damping", moved)
            other.step()
            ends.append(other.get("qvel"))
        velocity = (ends[0] - ends[1]) / (2 * eps)
        self.assertLess(abs(velocity - P[:, MODEL.nv:2 * MODEL.nv, 0]).max() / abs(velocity).max(), 1e-4)

    def test_inverse_dynamics(self):
        found = self.batch.inverse_derivative(np.zeros((N, MODEL.nv)))
        # differences come nearer in proportion to eps: contacts are stiff
        near = self.batch.inverse_derivative(np.zeros((N, MODEL.nv)), method="differences", eps=1e-8)
        for name in "qva":
            scale = abs(near[name]).max()
            self.assertLess(abs(found[name] - near[name]).max() / scale, 1e-4, name)

    def test_forward_dynamics(self):
        found = self.batch.forward_derivative()
        shapes = {"q": MODEL.nv, "v": MODEL.nv, "act": MODEL.na, "ctrl": NU, "force": MODEL.nv}
        for name, columns in shapes.items():
            self.assertEqual(found[name].shape, (N, MODEL.nv, columns), name)
        self.assertEqual(found["method"].tolist(), [1] * N)
        near = self.batch.forward_derivative(method="differences", eps=1e-7)
        self.assertEqual(near["method"].tolist(), [2] * N)
        for name in ("q", "v", "ctrl", "force"):
            scale = abs(near[name]).max(axis=(1, 2), keepdims=True)
            self.assertLess(abs((found[name] - near[name]) / scale).max(), 1e-5, name)
        # a motor's control is a force along its joint
        gear, joint = self.batch.get("actuator_gear")[0, 0], self.batch.get("actuator_trnid")[0, 0]
        dof = self.batch.get("jnt_dofadr")[0, joint]
        np.testing.assert_allclose(found["ctrl"][:, :, 0], gear * found["force"][:, :, dof], rtol=1e-9, atol=1e-9)

    def test_a_mask_leaves_the_others_out(self):
        mask = np.array([True, False, True])
        masked = self.batch.forward_derivative(mask)
        self.assertTrue(np.isnan(masked["q"][1]).all())
        self.assertEqual(masked["method"].tolist(), [1, -1, 1])
        some, everyone = self.batch.derivative("A", mask), self.batch.derivative("A")
        np.testing.assert_array_equal(some["A"][mask], everyone["A"][mask])
        self.assertTrue(np.isnan(some["A"][1]).all())
        self.assertEqual(some["method"].tolist(), [1, -1, 1])

    def test_tensors_go_in(self):
        try:
            import torch
        except ImportError:
            self.skipTest("PyTorch is not installed")
        du = torch.ones(N, NU, dtype=torch.float64)
        np.testing.assert_array_equal(self.batch.derivative_product(du=du)["dy"],
                                      self.batch.derivative_product(du=np.ones((N, NU)))["dy"])

    def test_bad_input(self):
        b = self.batch
        for words, error, call in (
                ("^which", ValueError, lambda: b.derivative("E")), ("^which", ValueError, lambda: b.derivative("")),
                ("^method", ValueError, lambda: b.derivative(method="exact")),
                ("^eps", ValueError, lambda: b.derivative(eps=1)),
                ("^eps", ValueError, lambda: b.derivative(eps=float("nan"))),
                ("^smoothing", ValueError, lambda: b.derivative(smoothing=-1)),
                ("^mask", ValueError, lambda: b.derivative(mask=np.ones(N + 1, bool))),
                ("^mask", ValueError, lambda: b.forward_derivative(np.ones(N + 1, bool))),
                ("^method", ValueError, lambda: b.forward_derivative(method="exact")),
                ("^eps", ValueError, lambda: b.forward_derivative(eps=0)),
                ("^dx, du, by_y", TypeError, lambda: b.derivative_product()),
                ("^dx", ValueError, lambda: b.derivative_product(np.zeros((N, 3)))),
                ("^du", TypeError, lambda: b.derivative_product(du=[[0] * NU] * N)),
                ("^steps", ValueError, lambda: b.rollout_product(0)),
                ("^checkpoints", ValueError, lambda: b.rollout_product(3, checkpoints=-1)),
                ("^controls", ValueError, lambda: b.rollout_product(3, np.zeros((N, 4, NU)))),
                ("^by_y", ValueError, lambda: b.rollout_product(3, by_y=np.zeros((N, 3, SIZE)))),
                ("^parameters", TypeError, lambda: b.parameter_derivative(["dof_damping"])),
                ("^parameters", TypeError, lambda: b.parameter_derivative(3)),
                ("^qacc", ValueError, lambda: b.inverse_derivative(np.zeros((N, 1))))):
            with self.assertRaisesRegex(error, words):
                call()

    def test_a_parameter_that_is_not_there_is_named(self):
        for error, words, parameters in (
                (ValueError, 'did you mean "dof_damping"', [("dof_dampin", 0)]),
                (IndexError, '^parameters: "dof_damping"', [("dof_damping", 10**6)]),
                (IndexError, "^parameters", [("dof_damping", -1)]),
                (ValueError, "^parameters", [("body_parentid", 1)]), (ValueError, "", [("qpos", 1)])):
            with self.assertRaisesRegex(error, words):
                self.batch.parameter_derivative(parameters)
            with self.assertRaisesRegex(error, words):
                self.batch.rollout_product(2, parameters=parameters)

    def test_what_has_no_derivative_is_nan_and_says_why(self):
        model = corten.Model.from_string(
            '<mujoco><option noslip_iterations="3"/><worldbody><geom type="plane" size="1 1 1"/>'
            '<body pos="0 0 .1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
        batch = corten.Batch(model, 2)
        batch.step(5)
        found = batch.derivative("A", method="analytic")
        self.assertEqual(found["method"].tolist(), [-1, -1])
        self.assertTrue(np.isnan(found["A"]).all())
        self.assertTrue(corten.derivative_reasons(int(found["reasons"][0])))
        self.assertEqual(batch.derivative("A")["method"].tolist(), [2, 2])


if __name__ == "__main__":
    support.main()
