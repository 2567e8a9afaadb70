"""A batch in Python has the bits of mj_step one by one, on every model of models/ (R10.1)."""

import ctypes
import glob
import os
import unittest

import support
import corten
import numpy as np

STEPS, COUNT = 12, 3


def library():
    lib = ctypes.CDLL(os.path.join(corten.folder(), "lib", "libcorten.so.0"))
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    for name, result, arguments in (
            ("mj_loadXML", pointer, [text, pointer, text, ctypes.c_int]),
            ("mj_makeData", pointer, [pointer]),
            ("mj_step", None, [pointer, pointer]),
            ("mj_getState", None, [pointer, pointer, pointer, ctypes.c_int]),
            ("mj_setState", None, [pointer, pointer, pointer, ctypes.c_int]),
            ("mj_deleteData", None, [pointer]),
            ("mj_deleteModel", None, [pointer])):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


def can_load(lib, path):
    m = lib.mj_loadXML(path.encode(), None, None, 0)
    lib.mj_deleteModel(m)
    return bool(m)


def step_one_by_one(lib, path, controls):
    """States (environment, step, size) of an mjData each."""
    m = lib.mj_loadXML(path.encode(), None, None, 0)
    size = corten.Model(path).state_size()
    states = np.zeros(controls.shape[:2] + (size,))
    for i, sequence in enumerate(controls):
        d = lib.mj_makeData(m)
        for t, control in enumerate(sequence):
            lib.mj_setState(m, d, np.ascontiguousarray(control).ctypes.data, corten.STATE_CTRL)
            lib.mj_step(m, d)
            lib.mj_getState(m, d, states[i, t].ctypes.data, corten.STATE_INTEGRATION)
        lib.mj_deleteData(d)
    lib.mj_deleteModel(m)
    return states


class Bits(unittest.TestCase):

    def test_every_model_has_the_bits_of_mj_step(self):
        lib = library()
        paths = sorted(glob.glob(os.path.join(support.ROOT, "models", "*.xml")))
        self.assertGreater(len(paths), 50)
        compared = 0
        for path in paths:
            with self.subTest(model=os.path.basename(path)):
                if not can_load(lib, path):
                    self.assertRaises(ValueError, corten.Model, path)
                    continue
                model = corten.Model(path)
                controls = np.random.default_rng(1).uniform(-0.1, 0.1, (COUNT, STEPS, model.nu))
                expected = step_one_by_one(lib, path, controls)

                batch = corten.Batch(model, COUNT, threads=2)
                found = np.zeros_like(expected)
                steps = 0
                for t in range(STEPS):
                    batch.ctrl[:] = controls[:, t]
                    batch.step()
                    if batch.failed():  # mj_step resets where a batch waits
                        break
                    found[:, t] = batch.state
                    steps += 1
                self.assertGreater(steps, 1)
                self.assertEqual(found[:, :steps].tobytes(), expected[:, :steps].tobytes())

                batch.reset()
                rolled = batch.rollout(controls, record="state")["state"]
                self.assertEqual(rolled[:, :steps].tobytes(), expected[:, :steps].tobytes())
                compared += 1
        self.assertGreater(compared, 50)


if __name__ == "__main__":
    support.main()
