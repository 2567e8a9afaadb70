"""What the tests of the Python package share: where models are, and how a program of tests ends."""

import os
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = 77  # what CTest takes for "not run"

try:
    import numpy
except ImportError:
    print(f"skipped: {sys.executable} has no NumPy")
    sys.exit(SKIPPED)


def model_path(name):
    return os.path.join(ROOT, "models", name + ".xml")


def main():
    """Runs the tests of the calling file. Cases that are skipped are counted as the C tests print them."""
    result = unittest.main(exit=False, verbosity=0).result
    if result.skipped:
        for case, why in result.skipped:
            print(f"skipped: {case.id()}: {why}")
        print(f"[  SKIPPED ] {len(result.skipped)} test(s)")
    sys.exit(0 if result.wasSuccessful() else 1)
