"""Where corten's libraries are, and which library the mujoco package runs on."""

import ctypes
import os
from typing import NamedTuple, Optional

DROPIN = "libmujoco.so.3.5.0"


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


def _path_of(name: str) -> Optional[str]:
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            for line in maps:
                path = line.rstrip("\n").partition("/")[2]
                if os.path.basename(path).startswith(name):
                    return "/" + path
    except OSError:
        pass
    return None


def which() -> Optional[Library]:
    """The library that answers in this process when the mujoco package calls; None: none is loaded yet."""
    try:
        loaded = ctypes.CDLL(DROPIN, mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
    except OSError:
        return None
    loaded.mj_versionString.restype = ctypes.c_char_p
    name = "corten" if hasattr(loaded, "ct_batch_create") else "mujoco"
    return Library(name, loaded.mj_versionString().decode(), _path_of(DROPIN))
