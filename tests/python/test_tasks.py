"""The tasks of corten.tasks are Gymnasium's, seed for seed. Skipped without Gymnasium and mujoco."""

import collections
import importlib.util
import subprocess
import sys
import unittest

import support
import numpy as np

MISSING = [name for name in ("gymnasium", "mujoco", "imageio", "packaging") if importlib.util.find_spec(name) is None]
N, STEPS = 3, 40  # after 50 steps the last bit of a library has grown to 1e-6; python_trajectories.py goes to 1000


def all_close(mine, other, tolerance, where):
    """Forces of the humanoid have thousands of newtons, so numbers count beside the largest of theirs."""
    mine, other = np.asarray(mine, float), np.asarray(other, float)
    np.testing.assert_equal(mine.shape, other.shape, err_msg=where)
    np.testing.assert_allclose(mine, other, rtol=tolerance, atol=tolerance, err_msg=where)


@unittest.skipIf(MISSING, "gymnasium[mujoco] is not installed: no " + ", ".join(MISSING))
class Tasks(unittest.TestCase):

    def pair(self, name, mode=None, **settings):
        """Gymnasium's environments one by one on their own library, and all of ours together."""
        import gymnasium
        import corten.tasks  # noqa: F401
        from gymnasium.vector import AutoresetMode
        mode = mode or AutoresetMode.NEXT_STEP
        theirs = gymnasium.make_vec(name, num_envs=N, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode},
                                    **settings)
        ours = gymnasium.make_vec("corten/" + name, num_envs=N, autoreset_mode=mode, **settings)
        self.addCleanup(theirs.close)
        self.addCleanup(ours.close)
        self.assertEqual(ours.single_action_space, theirs.single_action_space)
        self.assertEqual(ours.single_observation_space, theirs.single_observation_space)
        self.assertEqual(ours.metadata["autoreset_mode"], mode)
        return ours, theirs

    def compare_infos(self, mine, other, tolerance, where):
        """Names, types, shapes, numbers, and zeros where a mask says that there is nothing."""
        self.assertEqual(set(mine), set(other), where)
        for name, values in other.items():
            here = f"{where}: {name}"
            if isinstance(values, dict):
                self.compare_infos(mine[name], values, tolerance, here)
                continue
            self.assertEqual((type(mine[name]), mine[name].dtype), (type(values), values.dtype), here)
            if values.dtype == object:
                for a, b in zip(mine[name], values):
                    self.assertEqual(type(a), type(b), here)
                    if b is not None:
                        self.assertEqual(a.dtype, b.dtype, here)
                        all_close(a, b, tolerance, here)
            else:
                all_close(mine[name], values, tolerance, here)

    def compare(self, name, tolerance=1e-6, steps=STEPS, mode=None, **settings):
        ours, theirs = self.pair(name, mode, **settings)
        random = np.random.default_rng(5)
        found, expected = ours.reset(seed=11), theirs.reset(seed=11)
        all_close(found[0], expected[0], tolerance, "reset")
        self.compare_infos(found[1], expected[1], tolerance, "reset")
        ended = 0
        for t in range(steps):
            space = theirs.single_action_space
            actions = random.uniform(space.low, space.high, theirs.action_space.shape).astype(np.float32)
            found, expected = ours.step(actions), theirs.step(actions)
            for part, (mine, other) in enumerate(zip(found[:4], expected[:4])):
                all_close(mine, other, tolerance, f"step {t}, part {part}")
                self.assertEqual(np.asarray(mine).dtype, other.dtype)
            self.compare_infos(found[4], expected[4], tolerance, f"step {t}")
            done = found[2] | found[3]
            ended += int(done.sum())
            if ours.metadata["autoreset_mode"].value == "Disabled" and done.any():
                found = ours.reset(options={"reset_mask": done})
                expected = theirs.reset(options={"reset_mask": done})
                all_close(found[0], expected[0], tolerance, f"reset after {t}")
                self.compare_infos(found[1], expected[1], tolerance, f"reset after {t}")
        return ended

    def test_half_cheetah(self):
        self.assertEqual(self.compare("HalfCheetah-v5"), 0)

    def test_ant(self):
        self.compare("Ant-v5")

    def test_humanoid_falls_and_starts_anew(self):
        self.assertGreater(self.compare("Humanoid-v5"), 0)

    def test_the_others(self):
        for task, steps in (("Hopper", 80), ("HumanoidStandup", 30), ("InvertedDoublePendulum", 80),
                            ("InvertedPendulum", 80), ("Pusher", 110), ("Reacher", 110), ("Swimmer", 60),
                            ("Walker2d", 80)):
            with self.subTest(task):
                ended = self.compare(task + "-v5", steps=steps)
                self.assertEqual(ended > 0, task not in ("HumanoidStandup", "Swimmer"))

    def test_all_modes_of_autoreset(self):
        from gymnasium.vector import AutoresetMode
        for mode in AutoresetMode:
            for task in ("Humanoid-v5", "InvertedPendulum-v5", "Reacher-v5", "Walker2d-v5"):
                with self.subTest(f"{task} {mode}"):
                    self.assertGreater(self.compare(task, steps=60, mode=mode), 0)
            for task in ("Ant-v5", "Swimmer-v5"):  # all at once, after which nobody has what a step says
                with self.subTest(f"{task} {mode}"):
                    self.assertEqual(self.compare(task, steps=25, mode=mode, max_episode_steps=10), 2 * N)

    def test_settings_have_gymnasiums_names(self):
        for task, settings in (
                ("Ant-v5", dict(ctrl_cost_weight=0.1, terminate_when_unhealthy=False, include_cfrc_ext_in_observation=False,
                                exclude_current_positions_from_observation=False, reset_noise_scale=0.05)),
                ("Humanoid-v5", dict(healthy_z_range=(0.5, 2.0), include_cinert_in_observation=False, frame_skip=3)),
                ("Hopper-v5", dict(healthy_angle_range=(-0.1, 0.1), healthy_reward=2.0, forward_reward_weight=3.0)),
                ("Ant-v5", dict(main_body="torso")),
                ("Pusher-v5", dict(reward_near_weight=2, max_episode_steps=7)),
                ("Reacher-v5", dict(max_episode_steps=-1, frame_skip=1))):  # no limit
            with self.subTest(task):
                self.compare(task, steps=60 if settings.get("max_episode_steps") == -1 else 15, **settings)
        from corten.tasks import Ant
        with self.assertRaisesRegex(TypeError, "ctrl_cost_wait"):
            Ant(2, ctrl_cost_wait=1)

    def test_costs_of_controls_have_gymnasiums_bits(self):
        """Actions are float32, whose sums have another last bit in another order: 1e-7 of a reward."""
        random = np.random.default_rng(3)
        for task in ("Ant-v5", "HalfCheetah-v5", "Hopper-v5", "Pusher-v5", "Reacher-v5", "Swimmer-v5", "Walker2d-v5"):
            ours, theirs = self.pair(task)
            ours.reset(seed=4), theirs.reset(seed=4)
            space = theirs.single_action_space
            for _ in range(5):
                actions = random.uniform(space.low, space.high, theirs.action_space.shape).astype(np.float32)
                mine, other = (envs.step(actions)[4]["reward_ctrl"] for envs in (ours, theirs))
                np.testing.assert_array_equal(np.asarray(mine, float), np.asarray(other, float), err_msg=task)

    def test_tensors_have_the_bits_of_arrays(self):
        try:
            import torch
        except ImportError:
            self.skipTest("PyTorch is not installed")
        import corten.tasks
        for task in corten.tasks.TASKS:
            one, other = task(4, max_episode_steps=9), task(4, max_episode_steps=9, arrays="torch")
            first, second = one.reset(seed=3)[0], other.reset(seed=3)[0]
            self.assertIsInstance(second, torch.Tensor)
            np.testing.assert_array_equal(first, second.numpy(), err_msg=task.__name__)
            random = np.random.default_rng(1)
            for t in range(25):
                actions = random.uniform(-0.4, 0.4, one.action_space.shape)
                first, second = one.step(actions), other.step(torch.as_tensor(actions))
                for mine, theirs in zip(first[:4], second[:4]):
                    # sums of another order
                    np.testing.assert_allclose(theirs.numpy(), mine, rtol=1e-12, atol=1e-12, err_msg=task.__name__)

    def test_tensors_of_the_host_start_as_arrays_do_in_every_episode(self):
        try:
            import torch  # noqa: F401
        except ImportError:
            self.skipTest("PyTorch is not installed")
        from corten.tasks import Reacher
        one, other = Reacher(3, max_episode_steps=1), Reacher(3, max_episode_steps=1, arrays="torch")
        starts = set()
        for seed in (3, None, [None, 8, None]):
            for envs in (one, other):
                envs.reset(seed=seed)
            for _ in range(50):
                one.step(np.zeros((3, 2)))
                other.step(np.zeros((3, 2)))
                np.testing.assert_array_equal(other.qpos.numpy(), one.qpos)
                starts.add(one.qpos[0].tobytes())
        self.assertGreater(len(starts), 70)

    def test_a_name_with_its_module_needs_no_import(self):
        code = ("import gymnasium\n"
                "envs = gymnasium.make_vec('corten.tasks:corten/Reacher-v5', num_envs=3)\n"
                "print(envs.reset(seed=0)[0].shape, envs.spec.id, envs.max_episode_steps)\n")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "(3, 10) corten/Reacher-v5 50\n"), done.stderr)

    def test_episodes_are_cut_off(self):
        from corten.tasks import HalfCheetah
        envs = HalfCheetah(2, max_episode_steps=3)
        envs.reset(seed=0)
        seen = [envs.step(np.zeros((2, 6)))[3].tolist() for _ in range(8)]
        self.assertEqual([row[0] for row in seen], [False, False, True, False, False, False, True, False])

    def test_a_task_in_twenty_lines(self):
        """The program in the docstring of corten.vector."""
        import textwrap
        import corten.vector
        text = corten.vector.__doc__.partition("class Stand")[2].partition("self.qpos, self.qvel, self.ctrl and")[0]
        text = textwrap.dedent("    class Stand" + text)
        self.assertLessEqual(len(text.strip().splitlines()), 20)
        space = {"VectorEnv": corten.vector.VectorEnv, "np": np}
        exec(text.replace("humanoid.xml", support.model_path("humanoid")), space)
        envs = space["Stand"](5)
        self.assertEqual(envs.reset(seed=1)[0].shape, (5, 53))
        ended = np.zeros(5, bool)
        for _ in range(150):
            _, reward, terminated, _, _ = envs.step(np.zeros(envs.action_space.shape))
            ended |= terminated
        self.assertTrue(ended.all())

    def test_a_step_that_fails_ends_its_episode(self):
        from corten.tasks import HalfCheetah
        envs = HalfCheetah(3)
        envs.reset(seed=0)
        actions = np.zeros((3, 6))
        envs.qvel[1] = np.nan
        terminated = envs.step(actions)[2]
        self.assertEqual(terminated.tolist(), [False, True, False])
        self.assertTrue(np.isfinite(envs.step(actions)[0]).all())

    def test_mistakes_name_the_argument(self):
        from corten.tasks import Ant, HalfCheetah
        envs = HalfCheetah(2)
        with self.assertRaisesRegex(RuntimeError, "reset"):
            envs.step(np.zeros((2, 6)))
        envs.reset()
        with self.assertRaisesRegex(ValueError, "^actions"):
            envs.step(np.zeros((3, 6)))
        with self.assertRaisesRegex(ValueError, "^seed"):
            envs.reset(seed=[1])
        with self.assertRaisesRegex(ValueError, "^options.*reset_mask"):
            envs.reset(options={"reset_mask": np.ones(3, bool)})
        with self.assertRaisesRegex(ValueError, "^arrays"):
            HalfCheetah(2, arrays="lists")
        with self.assertRaises(ValueError):
            HalfCheetah(2, autoreset_mode="Sometimes")
        for settings, error, words in (
                (dict(max_episode_steps=0), ValueError, "^max_episode_steps"), (dict(frame_skip=0), ValueError, "^frame_skip"),
                (dict(max_episode_steps=-3), ValueError, "^max_episode_steps"), (dict(num_envs=0), ValueError, "^num_envs"),
                (dict(frame_skip=1.5), TypeError, "^frame_skip"), (dict(num_envs="3"), TypeError, "^num_envs")):
            with self.assertRaisesRegex(error, words):
                HalfCheetah(**{"num_envs": 2, **settings})
        for body in (-1, 99, "nobody", "", None, 1.5):
            with self.assertRaisesRegex(ValueError, "^main_body"):
                Ant(2, main_body=body)

    def test_actions_that_are_no_numbers_are_refused_before_the_step(self):
        from corten.tasks import HalfCheetah
        envs = HalfCheetah(2)
        envs.reset(seed=0)
        before = envs.batch.save()
        for actions in (np.full((2, 6), None), np.full((2, 6), "a"), np.zeros((2, 6), complex), np.zeros((2, 6), "M8[s]"),
                        [[0], [1, 2]]):
            with self.assertRaisesRegex(TypeError, "^actions: "):
                envs.step(actions)
            self.assertEqual(envs.batch.save(), before)

    def test_costs_do_not_depend_on_how_actions_are_stored(self):
        from corten.tasks import Ant
        envs = Ant(20)
        actions = np.random.default_rng(0).uniform(-1, 1, (20, 8)).astype(np.float32)

        def cost_of(actions):
            envs.reset(seed=0)
            return envs.step(actions)[4]["reward_ctrl"]
        np.testing.assert_array_equal(cost_of(np.asfortranarray(actions)), cost_of(actions))
        for dtype, value in ((bool, 1), (np.int8, 100), (np.uint8, 200), (int, 2)):
            np.testing.assert_array_equal(cost_of(np.full((20, 8), value, dtype)), np.full(20, -0.5 * 8 * value**2))

    def test_what_a_task_says_has_one_type_and_a_name(self):
        from corten.vector import VectorEnv

        class Simple(VectorEnv):
            def observe(self):
                return 1.0 * self.qpos

            def judge(self, before, actions):
                return said

        for arrays in ("numpy", "torch"):
            if arrays == "torch" and importlib.util.find_spec("torch") is None:
                continue
            envs = Simple(support.model_path("humanoid"), 3, arrays=arrays, max_episode_steps=2)
            ended = envs.xp.zeros(3, dtype=bool if arrays == "numpy" else envs.xp.bool)
            envs.reset(seed=0)
            for dtype in ("float32", "int64", "float64"):
                said = envs.xp.ones(3, dtype=getattr(envs.xp, dtype)), ended, {}
                found = [envs.step(np.zeros((3, 21)))[1].dtype for _ in range(6)]
                if arrays == "numpy":
                    self.assertEqual(set(found), {np.dtype(float)})
            for reward in ([1, 2, 3], 1.0, np.ones(2), np.ones(3) if arrays == "torch" else np.ones((3, 1))):
                said = reward, ended, {}
                with self.assertRaisesRegex(ValueError, "^judge: rewards must be"):
                    envs.step(np.zeros((3, 21)))
            said = envs.xp.ones(3), ended, {"note": "what nobody has asked about", "number": 3.0}
            envs.reset(seed=0)
            self.assertEqual(envs.step(np.zeros((3, 21)))[4]["number"], 3)

    def test_gradients_end_at_a_step(self):
        try:
            import torch
        except ImportError:
            self.skipTest("PyTorch is not installed")
        from corten.tasks import Humanoid
        envs = Humanoid(2, arrays="torch")
        envs.reset(seed=0)
        found = envs.step(torch.zeros(2, 17, requires_grad=True))
        self.assertFalse(any(part.requires_grad for part in (*found[:4], envs.ctrl)))
        with self.assertRaisesRegex(TypeError, "^actions: "):
            envs.step(torch.zeros(2, 17, dtype=torch.complex64))

    def test_what_a_task_shows_of_the_batch_is_copied(self):
        from corten.vector import VectorEnv

        class Careless(VectorEnv):
            def observe(self):
                return self.qpos

            def measure(self):
                return Measured(self.qpos[:, 2], {"all": [self.qpos]})

            def judge(self, before, actions):
                moved.append(float(abs(self.qpos[:, 2] - before.height).max() + abs(self.qpos - before.rest["all"][0]).max()))
                return self.qpos[:, 2], self.qpos[:, 2] < 0, {"height": self.qpos[:, 2]}

        Measured, moved = collections.namedtuple("Measured", "height rest"), []
        for arrays in ("numpy", "torch"):
            if arrays == "torch" and importlib.util.find_spec("torch") is None:
                continue
            envs = Careless(support.model_path("humanoid"), 3, arrays=arrays)
            seen = [envs.reset(seed=0)[0]]
            for _ in range(3):
                found = envs.step(np.zeros((3, 21)))
                seen += [found[0], found[1], found[4]["height"]]
            copies = [np.asarray(one).copy() for one in seen]
            envs.step(np.ones((3, 21)))
            for one, copy in zip(seen, copies):
                np.testing.assert_array_equal(one, copy)
            self.assertFalse(np.array_equal(seen[0], seen[-3]))
            self.assertGreater(min(moved), 0)
            envs = Careless(support.model_path("humanoid"), 3, arrays=arrays, autoreset_mode="SameStep", max_episode_steps=2)
            start = envs.reset(seed=0)[0]
            before = envs.step(np.ones((3, 21)))[0]
            found = envs.step(np.ones((3, 21)))
            last = np.array([np.asarray(row) for row in found[4]["final_obs"]])
            self.assertTrue(np.array_equal(found[0], start))  # anew
            self.assertTrue((last != np.asarray(before)).any() and (last != np.asarray(found[0])).any(axis=1).all())

    def test_what_a_task_says_has_a_number_for_each(self):
        from corten.vector import VectorEnv

        class Wrong(VectorEnv):
            said = None

            def observe(self):
                return self.qpos

            def judge(self, before, actions):
                return (*self.said, {})

        envs = Wrong(support.model_path("pendulum"), 3)
        envs.reset()
        good, alive = np.zeros(3), np.zeros(3, bool)
        for said, words in (((np.zeros(2), alive), "rewards"), ((1.0, alive), "rewards"), ((np.zeros((3, 1)), alive), "rewards"),
                            ((good, np.zeros(3)), "terminates must be .* of bool"), ((good, False), "terminates")):
            envs.said = said
            with self.assertRaisesRegex(ValueError, "^judge: .*" + words):
                envs.step(np.zeros(envs.action_space.shape))


if __name__ == "__main__":
    support.main()
