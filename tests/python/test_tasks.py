"""The tasks of corten.tasks are Gymnasium's, seed for seed. Skipped without Gymnasium and mujoco."""

import importlib.util
import unittest

import support
import numpy as np

MISSING = [name for name in ("gymnasium", "mujoco", "imageio", "packaging") if importlib.util.find_spec(name) is None]
N, STEPS = 3, 40  # after 50 steps the last bit of a library has grown to 1e-6


@unittest.skipIf(MISSING, "gymnasium[mujoco] is not installed: no " + ", ".join(MISSING))
class Tasks(unittest.TestCase):

    def compare(self, name, tolerance=1e-6):
        """Gymnasium's environments one by one on their own library, and all of ours together."""
        import gymnasium
        import corten.tasks  # noqa: F401

        theirs = gymnasium.make_vec(name, num_envs=N, vectorization_mode="sync")
        ours = gymnasium.make_vec("corten/" + name, num_envs=N)
        self.assertEqual(ours.single_action_space, theirs.single_action_space)
        self.assertEqual(ours.single_observation_space, theirs.single_observation_space)
        random = np.random.default_rng(5)
        found, expected = ours.reset(seed=11)[0], theirs.reset(seed=11)[0]
        np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance)
        ended = 0
        for t in range(STEPS):
            actions = random.uniform(-1, 1, theirs.action_space.shape).astype(np.float32)
            actions = actions * theirs.single_action_space.high
            found, expected = ours.step(actions), theirs.step(actions)
            for part, (mine, other) in enumerate(zip(found[:4], expected[:4])):
                # forces of the humanoid have thousands of newtons
                np.testing.assert_allclose(mine, other, rtol=tolerance, atol=tolerance, err_msg=f"step {t}, part {part}")
            ended += int(found[2].sum())
        ours.close()
        theirs.close()
        return ended

    def test_half_cheetah(self):
        self.assertEqual(self.compare("HalfCheetah-v5"), 0)

    def test_ant(self):
        self.compare("Ant-v5")

    def test_humanoid_falls_and_starts_anew(self):
        self.assertGreater(self.compare("Humanoid-v5"), 0)

    def test_episodes_are_cut_off(self):
        from corten.tasks import HalfCheetah
        envs = HalfCheetah(2, max_episode_steps=3)
        envs.reset(seed=0)
        seen = [envs.step(np.zeros((2, 6)))[3].tolist() for _ in range(8)]
        self.assertEqual([row[0] for row in seen], [False, False, True, False, False, False, True, False])

    def test_mistakes_name_the_argument(self):
        from corten.tasks import HalfCheetah
        envs = HalfCheetah(2)
        with self.assertRaisesRegex(RuntimeError, "reset"):
            envs.step(np.zeros((2, 6)))
        envs.reset()
        with self.assertRaisesRegex(ValueError, "^actions"):
            envs.step(np.zeros((3, 6)))
        with self.assertRaisesRegex(ValueError, "^seed"):
            envs.reset(seed=[1])


if __name__ == "__main__":
    support.main()
