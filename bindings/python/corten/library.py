"""Where corten's libraries are, and which library the mujoco package runs on."""

import ctypes
import os
from typing import List, NamedTuple, Optional

VERSION = "3.5.0"  # of the mujoco package that corten stands in for
DROPIN = f"libmujoco.so.{VERSION}"


def folder() -> str:
    """The folder of the package: lib/ has the libraries, include/ the headers."""
    return os.path.dirname(os.path.abspath(__file__))


class Library(NamedTuple):
    """A library under the name that the mujoco package looks for."""

    name: str  # "corten" or "mujoco"
    version: str  # of its interface
    path: Optional[str]  # of its file

    def __str__(self) -> str:
        return f"{self.name} {self.version} ({self.path})"


def _loaded() -> List[str]:
    """Paths of the libraries of this process that have MuJoCo's name, of whatever version."""
    found = []
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            for line in maps:
                path = "/" + line.rstrip("\n").partition("/")[2]
                if os.path.basename(path).startswith("libmujoco.so.") and path not in found:
                    found.append(path)
    except OSError:
        pass
    return found


def which() -> Optional[Library]:
    """The library that answers in this process when the mujoco package calls; None: none is loaded yet.

    A package of another version brings a library of another name, which then answers, whatever else is loaded."""
    paths = _loaded()
    path = next((path for path in paths if os.path.basename(path) != DROPIN), paths[0] if paths else None)
    try:
        name = path if path and os.path.basename(path) != DROPIN else DROPIN
        loaded = ctypes.CDLL(name, mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
    except OSError:
        return None
    loaded.mj_versionString.restype = ctypes.c_char_p
    kind = "corten" if hasattr(loaded, "ct_batch_create") else "mujoco"
    return Library(kind, loaded.mj_versionString().decode(), path)


def other_version() -> Optional[str]:
    """The version of the mujoco package that is installed, if corten does not stand in for it."""
    import importlib.metadata
    try:
        version = importlib.metadata.version("mujoco")
    except importlib.metadata.PackageNotFoundError:
        return None
    return None if version == VERSION else version
