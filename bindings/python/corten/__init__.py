"""corten: MuJoCo's physics in plain C, from Python.

    model = corten.Model("humanoid.xml")
    batch = corten.Batch(model, 1024)
    batch.ctrl[:] = 0.1
    batch.step(5)
    print(batch.qpos[:, 2])

`import corten.dropin` before `import mujoco` makes the existing package run on corten.
"""

from typing import TYPE_CHECKING

from corten import _corten
from corten._corten import (
    FAILURES,
    STATE_ACT,
    STATE_CTRL,
    STATE_EQ_ACTIVE,
    STATE_FULLPHYSICS,
    STATE_HISTORY,
    STATE_INTEGRATION,
    STATE_MOCAP_POS,
    STATE_MOCAP_QUAT,
    STATE_PHYSICS,
    STATE_PLUGIN,
    STATE_QFRC_APPLIED,
    STATE_QPOS,
    STATE_QVEL,
    STATE_TIME,
    STATE_USER,
    STATE_USERDATA,
    STATE_WARMSTART,
    STATE_XFRC_APPLIED,
    Batch,
    Environment,
    Error,
    derivative_reasons,
    status_names,
    version,
)
from corten.library import Library, folder, which
from corten.model import Model

if TYPE_CHECKING:
    from corten.notebook import play as play, plot as plot, show as show
else:
    def __getattr__(name):
        """show, play and plot, which need NumPy and the corten command, when they are asked for."""
        if name in ("show", "play", "plot"):
            from corten import notebook
            return getattr(notebook, name)
        raise AttributeError(f"module 'corten' has no attribute {name!r}")


__version__ = "0.1.0"
__all__ = [  # as it stands, because checkers of types do not compute
    "FAILURES", "STATE_ACT", "STATE_CTRL", "STATE_EQ_ACTIVE", "STATE_FULLPHYSICS", "STATE_HISTORY", "STATE_INTEGRATION",
    "STATE_MOCAP_POS", "STATE_MOCAP_QUAT", "STATE_PHYSICS", "STATE_PLUGIN", "STATE_QFRC_APPLIED", "STATE_QPOS", "STATE_QVEL",
    "STATE_TIME", "STATE_USER", "STATE_USERDATA", "STATE_WARMSTART", "STATE_XFRC_APPLIED", "Batch", "Environment", "Error",
    "Library", "Model", "derivative_reasons", "folder", "status_names", "version", "which"]
