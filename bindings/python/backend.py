"""Builds the wheel of corten: what pip asks for (PEP 517), and `make wheel`.

A wheel is a zip file of the package, of a folder with facts about it, and of the programs that go to
bin/. CMake compiles; nothing else is needed, and nothing is fetched.

    python3 bindings/python/backend.py FOLDER     writes the wheel of the build CORTEN_BUILD, or of a new one
"""

import base64
import hashlib
import os
import platform
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
NAME = "corten"
TAG = f"cp311-abi3-linux_{platform.machine()}"
TARGETS = ["corten_python", "corten", "corten_dropin", "corten_cli"]


def version():
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(corten VERSION ([0-9.]+)", file.read()).group(1)


def metadata():
    with open(os.path.join(ROOT, "docs", "python.md"), encoding="utf-8") as file:
        page = file.read()
    return (f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version()}\n"
            "Summary: MuJoCo's physics in plain C: batches of environments, and a drop-in for the mujoco package\n"
            "License: Apache-2.0\nRequires-Python: >=3.11\nRequires-Dist: numpy\n"
            f"Description-Content-Type: text/markdown\n\n{page}")


def compile_all(build):
    """Configures and compiles into a build folder; one that is there keeps its settings."""
    if not os.path.exists(os.path.join(build, "CMakeCache.txt")):
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DCORTEN_TESTS=OFF",
                        f"-DCORTEN_PYTHON={sys.executable}"], check=True)
    jobs = os.environ.get("CORTEN_JOBS", str(os.cpu_count()))
    subprocess.run(["cmake", "--build", build, "-j", jobs, "--target", *TARGETS], check=True)


def package_files(build):
    """Pairs of a file and its name in the wheel."""
    package = os.path.join(HERE, NAME)
    for name in sorted(os.listdir(package)):
        if name.endswith((".py", ".pyi")) or name == "py.typed":
            yield os.path.join(package, name), f"{NAME}/{name}"
    yield os.path.join(build, "python", NAME, "_corten.abi3.so"), f"{NAME}/_corten.abi3.so"
    for path in ("lib/libcorten.so.0", "lib/corten/libmujoco.so.3.5.0", "lib/libcorten_cuda.so",
                 "lib/libcorten_cuda_fast.so", "lib/libcorten_cuda_float.so"):
        if os.path.exists(os.path.join(build, path)) or "cuda" not in path:
            yield os.path.join(build, path), f"{NAME}/lib/{os.path.basename(path)}"
    for folder in ("mujoco", "corten"):
        headers = os.path.join(ROOT, "include", folder)
        for name in sorted(os.listdir(headers)):
            yield os.path.join(headers, name), f"{NAME}/include/{folder}/{name}"
    # The command, and the drop-in once more where `corten exec` looks for it: bin/ and lib/corten/ of where Python is.
    scheme = f"{NAME}-{version()}.data"
    yield os.path.join(build, "bin", "corten"), f"{scheme}/scripts/corten"
    yield os.path.join(build, "lib", "corten", "libmujoco.so.3.5.0"), f"{scheme}/data/lib/corten/libmujoco.so.3.5.0"
    yield os.path.join(ROOT, "LICENSE"), f"{NAME}-{version()}.dist-info/LICENSE"


class Wheel:
    """A zip file that keeps the record of its members. Times are fixed: the same files, the same wheel."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, data, mode=0o644):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")
        entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(entry, data)

    def close(self, record_name):
        self.record.append(f"{record_name},,")
        self.zip.writestr(record_name, "\n".join(self.record) + "\n")
        self.zip.close()


def write_wheel(folder, build):
    filename = f"{NAME}-{version()}-{TAG}.whl"
    facts = f"{NAME}-{version()}.dist-info"
    wheel = Wheel(os.path.join(folder, filename))
    for path, name in package_files(build):
        with open(path, "rb") as file:
            runs = name.endswith((".so", "/corten")) or ".so." in name
            wheel.add(name, file.read(), 0o755 if runs else 0o644)
    wheel.add(f"{facts}/METADATA", metadata().encode())
    wheel.add(f"{facts}/WHEEL",
              f"Wheel-Version: 1.0\nGenerator: corten\nRoot-Is-Purelib: false\nTag: {TAG}\n".encode())
    wheel.close(f"{facts}/RECORD")
    return filename


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build = os.environ.get("CORTEN_BUILD")
    if build:
        compile_all(build)
        return write_wheel(wheel_directory, build)
    with tempfile.TemporaryDirectory() as fresh:
        compile_all(fresh)
        return write_wheel(wheel_directory, fresh)


def build_sdist(sdist_directory, config_settings=None):
    """The files that git knows; models, tests and documents included."""
    stem = f"{NAME}-{version()}"
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=True, capture_output=True).stdout
    with tarfile.open(os.path.join(sdist_directory, stem + ".tar.gz"), "w:gz") as archive:
        for name in filter(None, listed.decode().split("\0")):
            archive.add(os.path.join(ROOT, name), f"{stem}/{name}", recursive=False)
        with tempfile.NamedTemporaryFile("w") as info:
            info.write(metadata())
            info.flush()
            archive.add(info.name, f"{stem}/PKG-INFO")
    return stem + ".tar.gz"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: backend.py FOLDER")
    print(os.path.join(sys.argv[1], build_wheel(sys.argv[1])))
