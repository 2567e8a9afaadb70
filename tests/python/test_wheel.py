"""The wheel has all that it should, and works where it is unpacked, without the build folder."""

import base64
import hashlib
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile

import support

sys.path.insert(0, os.path.join(support.ROOT, "bindings", "python"))
import backend  # noqa: E402

USE = """
import corten, numpy, os
assert corten.folder() == os.path.join(os.environ["PYTHONPATH"], "corten"), corten.folder()
batch = corten.Batch(corten.Model(os.environ["MODEL"]), 2)
batch.step()
with open("/proc/self/maps") as maps:
    libraries = {line.split()[-1] for line in maps if "libcorten" in line}
assert libraries == {os.path.join(corten.folder(), "lib", "libcorten.so.0")}, libraries
import corten.dropin
print(corten.which().path)
"""


class Unpacked(unittest.TestCase):

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = os.path.realpath(temporary.name)
        path = os.path.join(self.folder, backend.write_wheel(self.folder, os.environ["CORTEN_BUILD"]))
        self.zip = zipfile.ZipFile(path)
        self.addCleanup(self.zip.close)

    def test_it_carries_library_dropin_headers_and_command(self):
        names = self.zip.namelist()
        for name in ("corten/_corten.abi3.so", "corten/_corten.pyi", "corten/py.typed", "corten/lib/libcorten.so.0",
                     "corten/lib/libmujoco.so.3.5.0", "corten/include/mujoco/mujoco.h",
                     "corten/include/corten/batch.h", "corten-0.1.0.data/scripts/corten",
                     "corten-0.1.0.dist-info/METADATA", "corten-0.1.0.dist-info/LICENSE"):
            self.assertIn(name, names)
        self.assertEqual(len(names), len(set(names)))

    def test_its_record_is_right(self):
        record = self.zip.read("corten-0.1.0.dist-info/RECORD").decode().splitlines()
        self.assertEqual(len(record), len(self.zip.namelist()))
        for line in record[:-1]:
            name, digest, size = line.rsplit(",", 2)
            data = self.zip.read(name)
            self.assertEqual(int(size), len(data))
            found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            self.assertEqual(digest, "sha256=" + found)

    def test_it_works_where_it_is_unpacked(self):
        self.zip.extractall(self.folder)
        environment = dict(os.environ, PYTHONPATH=self.folder, MODEL=support.model_path("pendulum"))
        done = subprocess.run([sys.executable, "-c", USE], env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.strip(), os.path.join(self.folder, "corten/lib/libmujoco.so.3.5.0"))
        command = os.path.join(self.folder, "corten-0.1.0.data/scripts/corten")
        os.chmod(command, 0o755)
        self.assertEqual(subprocess.run([command, "--version"], capture_output=True).returncode, 0)

    def test_the_command_finds_the_dropin_where_pip_puts_both(self):
        self.zip.extractall(self.folder)
        scheme, prefix = os.path.join(self.folder, "corten-0.1.0.data"), os.path.join(self.folder, "prefix")
        os.rename(os.path.join(scheme, "data"), prefix)
        os.rename(os.path.join(scheme, "scripts"), os.path.join(prefix, "bin"))
        command = os.path.join(prefix, "bin", "corten")
        os.chmod(command, 0o755)
        load = "import ctypes\nctypes.CDLL('libmujoco.so.3.5.0')\nprint([l for l in open('/proc/self/maps') if 'libmujoco' in l][0])"
        done = subprocess.run([command, "exec", sys.executable, "-c", load], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(os.path.join(prefix, "lib/corten/libmujoco.so.3.5.0"), done.stdout)


if __name__ == "__main__":
    support.main()
