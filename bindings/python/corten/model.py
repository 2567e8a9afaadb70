"""corten.Model: what the C extension has, and the way from and to the mujoco package."""

import sys
from typing import Any

from corten import _corten


class Model(_corten.Model):
    __doc__ = _corten.Model.__doc__
    __slots__ = ()

    @classmethod
    def from_mujoco(cls, source: Any) -> "Model":
        """A copy of a mujoco.MjModel, or of what a mujoco.MjSpec compiles to."""
        import numpy

        mujoco = sys.modules.get("mujoco")  # whoever has an object of it has imported it
        if mujoco and isinstance(source, mujoco.MjSpec):
            source = source.compile()
        if not mujoco or not isinstance(source, mujoco.MjModel):
            raise TypeError(
                f"source: this must be a mujoco.MjModel or MjSpec, not {type(source).__name__}")
        data = numpy.empty(mujoco.mj_sizeModel(source), numpy.uint8)
        mujoco.mj_saveModel(source, None, data)
        return cls.from_bytes(data)

    def to_mujoco(self) -> Any:
        """A copy as a mujoco.MjModel."""
        try:
            import mujoco
        except ImportError as error:
            raise ImportError("to_mujoco makes an object of the package mujoco: pip install mujoco") from error
        return mujoco.MjModel.from_binary_path("model.mjb", {"model.mjb": self.to_bytes()})

    def __reduce__(self):
        return type(self)._unpickle, (self.to_bytes(), self._signature)
