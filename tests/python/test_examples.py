"""The Python examples reach their goals, as far as what they need is installed."""

import importlib.util
import os
import sys
import unittest

import support
import corten
import numpy as np

sys.path.insert(0, os.path.join(support.ROOT, "examples", "python"))


def missing(*names):
    return [name for name in names if importlib.util.find_spec(name) is None]


class Examples(unittest.TestCase):

    def test_sampling_swings_a_pole_up(self):
        import mppi
        model = corten.Model.from_string(mppi.MODEL)
        angles = mppi.swing_up(corten.Batch(model, 200), corten.Batch(model, 1))
        self.assertLess(abs(angles[-20:] % (2 * np.pi) - np.pi).max(), 0.3)

    def test_the_cross_entropy_method_plans_too(self):
        import mppi
        model = corten.Model.from_string(mppi.MODEL)
        angles = mppi.swing_up(corten.Batch(model, 60), corten.Batch(model, 1), steps=120, horizon=30, method="cem")
        self.assertLess(abs(angles[-3:] % (2 * np.pi) - np.pi).max(), 0.5)

    @unittest.skipIf(missing("gymnasium"), "gymnasium is not installed")
    def test_evolution_swims_farther(self):
        import evolution
        one = evolution.Evolution("Swimmer-v5", pairs=8, steps=150)
        returns = [one.advance(evolution.returns_of) for _ in range(6)]
        self.assertGreater(returns[-1], returns[0] + 5)

    @unittest.skipIf(missing("gymnasium", "torch"), "gymnasium or torch is not installed")
    def test_ppo_learns(self):
        import ppo
        options = ppo.read_options(["InvertedPendulum-v5", "--steps", "16384", "--envs", "16", "--report", "4"])
        trainer = ppo.Trainer(options)
        curve = trainer.train()
        self.assertGreater(curve[-1][2], 3 * curve[0][2])
        self.assertGreater(trainer.evaluate(), 3 * curve[0][2])


if __name__ == "__main__":
    support.main()
