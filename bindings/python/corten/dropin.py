"""Puts corten under the mujoco package: `import corten.dropin` before `import mujoco`.

The loader takes a library that is there already for any later one of the same name, whatever path
that has. So it is enough that ours comes first. Its symbols stay its own (RTLD_LOCAL), as those of
the package's library do: what needs it names it and finds it.
"""

import ctypes
import os
import sys

from corten.library import DROPIN, VERSION, folder, other_version, which

_there, _other = which(), other_version()
if _other is not None:
    raise ImportError(f"corten.dropin: the mujoco package is of version {_other}, whose library has another name; corten stands "
                      f"in for {VERSION}: pip install mujoco=={VERSION}")
if _there is None:
    if "mujoco" in sys.modules:
        raise ImportError("corten.dropin: the mujoco package is loaded, but not its library "
                          f"{DROPIN}; corten stands in for version {VERSION}")
    library = ctypes.CDLL(os.path.join(folder(), "lib", DROPIN), mode=os.RTLD_NOW | os.RTLD_LOCAL)
elif _there.name != "corten":
    raise ImportError(f"corten.dropin: {_there.path} is loaded already; import corten.dropin before "
                      "mujoco and whatever imports it")
