"""import corten.dropin: the mujoco package runs on corten. What needs the package is skipped without it."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

import support
import corten

HAS_MUJOCO = importlib.util.find_spec("mujoco") is not None
SCRIPT = "import sys, corten, mujoco\nprint(corten.which().name, mujoco.mj_versionString(), sys.argv[1:])\n"


# All callbacks at once, contacts as arrays, and an exception in a callback.
CALLBACKS = '''
import mujoco, numpy as np
m = mujoco.MjModel.from_xml_string("""<mujoco><size nuserdata="1"/><worldbody>
  <geom type="plane" size="2 2 .1"/>
  <body name="ball" pos="0 0 .3"><freejoint/><geom name="ball" size=".1"/></body>
  <body pos=".3 0 .095"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="1 0 1"><joint name="h" axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/></body>
  </worldbody><actuator><general joint="h" dyntype="user" gaintype="user" biastype="user"/><motor joint="h"/></actuator>
  <sensor><user dim="2" needstage="vel" objtype="body" objname="ball"/></sensor></mujoco>""")
d, ticks = mujoco.MjData(m), [0.0]

def control(m, d):
    d.ctrl[:] = 0.3 * np.sin(d.time), 0.1
    d.userdata[0] += 1

def passive(m, d):
    d.qfrc_passive[:] -= 0.05 * d.qvel

def sensor(m, d, stage):
    if stage == mujoco.mjtStage.mjSTAGE_VEL:
        d.sensordata[:] = d.time, d.qpos[2]

def clock():
    ticks[0] += 1
    return ticks[0]

functions = dict(control=control, passive=passive, sensor=sensor, time=clock,
    contactfilter=lambda m, d, a, b: int({a, b} == {0, m.geom("ball").id}),
    act_dyn=lambda m, d, i: d.ctrl[i] - 2 * d.act[0],
    act_gain=lambda m, d, i: 2 + d.time,
    act_bias=lambda m, d, i: -3 * d.actuator_velocity[i])
for name, function in functions.items():
    getattr(mujoco, "set_mjcb_" + name)(function)
    assert getattr(mujoco, "get_mjcb_" + name)() is function
mujoco.mj_step(m, d, 50)
mujoco.mj_forward(m, d)
for values in (d.qpos, d.act, d.sensordata, d.userdata, d.contact.geom, d.contact.dist, d.contact.pos, d.contact.frame,
               d.contact.dim, d.contact.efc_address, d.contact[0].friction):
    print((values.round(9) + 0.0).tolist())
assert ticks[0] > 0
for name in functions:
    getattr(mujoco, "set_mjcb_" + name)(None)

def bad(m, d):
    raise KeyError("mine")

mujoco.set_mjcb_control(bad)
try:
    mujoco.mj_step(m, d)
except KeyError as error:
    print("KeyError", error)
mujoco.set_mjcb_control(None)
mujoco.mj_step(m, d)
print(round(d.time, 9))
'''


def python(*arguments):
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout.strip(), done.stderr


class Loading(unittest.TestCase):

    def test_which_says_what_answers(self):
        self.assertIsNone(corten.which())
        code, out, error = python("-c", "import corten.dropin; print(corten.which())")
        self.assertEqual(code, 0, error)
        self.assertRegex(out, "^corten 3.5.0 .*libmujoco.so.3.5.0")

    def test_help_and_mistakes_of_the_command(self):
        code, out, _ = python("-m", "corten", "--help")
        self.assertEqual(code, 0)
        self.assertIn("usage", out)
        self.assertEqual(python("-m", "corten")[0], 1)


@unittest.skipUnless(HAS_MUJOCO, "the package mujoco is not installed")
class Package(unittest.TestCase):

    def test_the_package_runs_on_corten(self):
        code, out, error = python("-c", "import corten.dropin\n" + SCRIPT)
        self.assertEqual((code, out), (0, "corten 3.5.0 []"), error)

    def test_without_it_the_package_runs_on_its_own_library(self):
        code, out, error = python("-c", SCRIPT)
        self.assertEqual((code, out), (0, "mujoco 3.5.0 []"), error)

    def test_too_late_is_an_exception(self):
        code, out, error = python("-c", "import mujoco\nimport corten.dropin")
        self.assertEqual(code, 1)
        self.assertIn("before", error)

    def test_a_script_need_not_change(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "script.py")
            with open(path, "w") as file:
                file.write(SCRIPT + "import subprocess\nsys.stdout.flush()\n"
                           "if len(sys.argv) > 1: subprocess.run([sys.executable, sys.argv[0]])\n")
            code, out, error = python("-m", "corten", path, "one")
        self.assertEqual((code, out.splitlines()), (0, ["corten 3.5.0 ['one']", "corten 3.5.0 []"]), error)

    def test_models_come_from_the_package_and_go_back(self):
        code = ("import corten, mujoco, numpy as np\n"
                f"m = mujoco.MjModel.from_xml_path({support.model_path('humanoid')!r})\n"
                "ours = corten.Model.from_mujoco(m)\n"
                "assert (ours.nq, ours.nbody) == (m.nq, m.nbody)\n"
                "assert np.array_equal(ours.to_mujoco().body_mass, m.body_mass)\n"
                "spec = mujoco.MjSpec.from_string('<mujoco><worldbody><body><freejoint/>"
                "<geom size=\".1\"/></body></worldbody></mujoco>')\n"
                "assert corten.Model.from_mujoco(spec).nq == 7\n"
                "b, d = corten.Batch(ours, 2), mujoco.MjData(m)\n"
                "mujoco.mj_step(m, d, 5)\n"
                "b.step(5)\n"
                "state = np.empty(mujoco.mj_stateSize(m, mujoco.mjtState.mjSTATE_INTEGRATION))\n"
                "mujoco.mj_getState(m, d, state, mujoco.mjtState.mjSTATE_INTEGRATION)\n"
                "if corten.which().name == 'corten': assert np.array_equal(b.state[0], state)\n"
                "try: corten.Model.from_mujoco('text')\n"
                "except TypeError as error: assert 'source' in str(error)\n"
                "print('fine')\n")
        for first in ("", "import corten.dropin\n"):
            done, out, error = python("-c", first + code)
            self.assertEqual((done, out), (0, "fine"), error)

    def test_callbacks_and_contacts_are_those_of_the_original(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "callbacks.py")
            with open(path, "w") as file:
                file.write(CALLBACKS)
            original, ours = python(path), python("-m", "corten", path)
        self.assertEqual(original[0], 0, original[2])
        self.assertEqual(ours[:2], original[:2], ours[2])
        self.assertIn("KeyError", ours[1])


class OtherVersions(unittest.TestCase):
    """A mujoco package that corten does not stand in for; all that is there of it is what says its version."""

    def run_beside(self, version, *arguments):
        with tempfile.TemporaryDirectory() as place:
            facts = os.path.join(place, f"mujoco-{version}.dist-info")
            os.mkdir(facts)
            with open(os.path.join(facts, "METADATA"), "w", encoding="utf-8") as file:
                file.write(f"Metadata-Version: 2.1\nName: mujoco\nVersion: {version}\n")
            path = os.pathsep.join([place, os.environ.get("PYTHONPATH", "")])
            return subprocess.run([sys.executable, *arguments], capture_output=True, text=True,
                                  env={**os.environ, "PYTHONPATH": path, "PLACE": place})

    def test_dropin_refuses_them(self):
        done = self.run_beside("4.0.0", "-c", "import corten.dropin")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr.splitlines()[-1], r"^ImportError: corten\.dropin: .*version 4\.0\.0.*mujoco==3\.5\.0")
        done = self.run_beside("4.0.0", "-m", "corten", "-m", "this")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^corten\.dropin: .*version 4\.0\.0")
        done = self.run_beside("3.5.0", "-c", "import corten.dropin")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_which_names_the_one_that_answers(self):
        code = ("import ctypes, os, shutil, corten, corten.library\n"
                "assert corten.which() is None\n"
                "ours = os.path.join(corten.folder(), 'lib', corten.library.DROPIN)\n"
                "newer = os.path.join(os.environ['PLACE'], 'libmujoco.so.4.0.0')\n"
                "shutil.copy(ours, newer)\n"
                "ctypes.CDLL(ours)\n"
                "assert corten.which().path == os.path.realpath(ours), corten.which()\n"
                "ctypes.CDLL(newer)\n"
                "assert corten.which().path == newer, corten.which()\n")
        done = self.run_beside("4.0.0", "-c", code)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    support.main()
