"""corten.show, corten.play and corten.plot: pictures, animations and curves, in a notebook or as files.

    corten.show(model, qpos)                                  # one state
    corten.play(model, path["qpos"][0], fps=30)               # one after the other
    corten.plot(times, {"height": path["qpos"][0][:, 2]})

Each returns an object that a notebook displays, with the bytes in .data and save(path). The corten command draws, without a
window, with whatever OpenGL the machine has (docs/pictures.md).
"""

import csv
import glob
import operator
import os
import re
import shutil
import struct
import subprocess
import tempfile
import zlib
from typing import Any, Optional, Tuple, Union

import numpy as np

from corten import _corten
from corten.library import folder

__all__ = ["Picture", "show", "play", "plot"]


class Picture:
    """A picture or an animation (PNG), or a drawing (SVG)."""

    def __init__(self, data: bytes, mime: str) -> None:
        self.data, self.mime = data, mime

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        with open(path, "wb") as file:
            file.write(self.data)

    def _repr_mimebundle_(self, include=None, exclude=None):
        if self.mime == "image/svg+xml":
            return {self.mime: self.data.decode()}
        import base64
        return {self.mime: base64.b64encode(self.data).decode()}

    def __repr__(self):
        return f"<corten picture, {self.mime}, {len(self.data)} bytes>"


def command():
    """The path of the corten command: beside the interpreter, in the PATH, or in the build that the package is part of."""
    import sys
    build = os.path.dirname(os.path.dirname(os.path.realpath(os.path.join(folder(), "lib", "libcorten.so.0"))))
    for path in (os.path.join(os.path.dirname(sys.executable), "corten"), os.path.join(build, "bin", "corten"),
                 shutil.which("corten")):
        if path and os.access(path, os.X_OK):
            return path
    raise FileNotFoundError("the corten command is not installed beside this interpreter, and not in the PATH")


def _run(*arguments):
    done = subprocess.run([command(), *arguments], capture_output=True, text=True)
    if done.returncode:
        raise _corten.Error(" ".join((done.stderr or done.stdout).split()))
    return done


_MOCAP = {"mocap_pos": 3, "mocap_quat": 4}  # numbers of each body


def _numbers(argument, values):
    try:
        return np.asarray(values, float)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{argument}: these must be numbers: {error}") from None


def _rows(name, values, columns):
    """(frames, columns), of finite numbers."""
    values = _numbers("states", values)
    values = np.atleast_2d(values.ravel() if name in _MOCAP and values.shape == (columns // _MOCAP[name], _MOCAP[name])
                           else values)
    if values.ndim != 2 or values.shape[1] != columns:
        raise ValueError(f"states: {name} has {columns} numbers in each state, not the shape {values.shape}")
    if not len(values):
        raise ValueError(f"states: {name} has none")
    if not np.isfinite(values).all():
        raise ValueError(f"states: not all of the numbers of {name} are finite")
    return values


def _poses(model, states):
    """What decides where bodies are, out of positions, a dict of fields, a batch, or an mjData: {name: (frames, size)}.

    Mocap bodies that nothing is said of are where the model has them.
    """
    names = ("qpos", *(_MOCAP if model.nmocap else ()))
    if isinstance(states, _corten.Batch):
        given = {name: states.get(name) for name in names}
    elif isinstance(states, dict):
        given = dict(states)
    elif hasattr(states, "qpos"):
        given = {name: getattr(states, name) for name in names}
    else:
        given = {"qpos": states}
    if "qpos" not in given or not set(given) <= {"qpos", *_MOCAP}:
        raise ValueError('states: a dict has "qpos", and may have "mocap_pos" and "mocap_quat", '
                         f"not {', '.join(map(str, given)) or 'nothing'}")
    poses = {"qpos": _rows("qpos", given["qpos"], model.nq)}
    frames = len(poses["qpos"])
    at_rest = _corten.Batch(model, 1, threads=1) if model.nmocap and not set(names) <= set(given) else None
    for name in names[1:]:
        rows = _rows(name, given[name] if name in given else at_rest.get(name), _MOCAP[name] * model.nmocap)
        if len(rows) not in (1, frames):
            raise ValueError(f"states: {name} has {len(rows)} states, and qpos {frames}")
        poses[name] = np.broadcast_to(rows, (frames, rows.shape[1]))
    return poses


def _model_of(model):
    from corten.model import Model
    if isinstance(model, _corten.Model):
        return model
    try:
        return Model.from_mujoco(model)
    except TypeError:
        raise TypeError("model: this must be a corten.Model, mujoco.MjModel or mujoco.MjSpec, not "
                        f"{type(model).__name__}") from None


def _columns(model):
    """Names of the numbers of a state as `corten run` writes them."""
    with tempfile.TemporaryDirectory() as place:
        model.save(os.path.join(place, "model.mjb"))
        recording = os.path.join(place, "run.csv")
        _run("run", os.path.join(place, "model.mjb"), "--steps", "1", "--csv", recording)
        with open(recording, newline="", encoding="utf-8") as file:
            return next(csv.reader(file))


def _frames(model, poses, fps, size, camera):
    """PNG files of all states, as bytes."""
    names = _columns(model)
    places = []
    for field, rows in poses.items():
        found = [i for i, name in enumerate(names) if name.startswith(field + ".")]
        if len(found) != rows.shape[1]:
            raise _corten.Error(f"the corten command names other numbers of {field} than the model has")
        places += found
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "model.mjb")
        model.save(path)
        with open(os.path.join(place, "run.csv"), "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(names)
            for t, row in enumerate(np.concatenate(list(poses.values()), axis=1)):
                line = ["0"] * len(names)
                line[0] = repr(t / fps)
                for i, x in zip(places, row):
                    line[i] = repr(float(x))
                writer.writerow(line)
        # numbered pictures come where there is no ffmpeg
        options = ["--camera", str(camera)] if camera is not None else []
        done = subprocess.run([command(), "replay", path, os.path.join(place, "run.csv"), "--video",
                               os.path.join(place, "film.gif"), "--fps", str(fps), "--size", f"{size[0]}x{size[1]}",
                               *options], capture_output=True, text=True, env={**os.environ, "PATH": place})
        files = sorted(name for name in os.listdir(place) if name.endswith(".png"))
        if done.returncode or not files:
            raise _corten.Error(" ".join((done.stderr or done.stdout or "nothing was drawn").split()))
        result = []
        for name in files:
            with open(os.path.join(place, name), "rb") as file:
                result.append(file.read())
        return result


def _chunks(png):
    at = 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        yield kind, png[at + 8:at + 8 + size]
        at += 12 + size


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _animation(frames, fps):
    """PNG files of one size as one animated PNG, which browsers play."""
    header = next(data for kind, data in _chunks(frames[0]) if kind == b"IHDR")
    parts = [b"\x89PNG\r\n\x1a\n", _chunk(b"IHDR", header), _chunk(b"acTL", struct.pack(">II", len(frames), 0))]
    number = 0
    for i, frame in enumerate(frames):
        control = struct.pack(">I", number) + header[:8] + struct.pack(">IIHHBB", 0, 0, 1, fps, 0, 0)
        parts.append(_chunk(b"fcTL", control))
        number += 1
        for kind, data in _chunks(frame):
            if kind != b"IDAT":
                continue
            if i == 0:
                parts.append(_chunk(b"IDAT", data))
            else:
                parts.append(_chunk(b"fdAT", struct.pack(">I", number) + data))
                number += 1
    return b"".join(parts) + _chunk(b"IEND", b"")


def _check_size(size):
    try:
        width, height = (operator.index(x) for x in size)
    except (TypeError, ValueError):
        raise TypeError(f"size: this is a pair of integers, not {size!r}") from None
    if not (1 <= width <= 4096 and 1 <= height <= 4096):
        raise ValueError(f"size: this is a pair of 1 to 4096 pixels, not {size}")
    return width, height


def _camera(model, camera):
    """The word for the command, to which names come before numbers, and what begins with a dash is one of its options."""
    if camera is None or isinstance(camera, str) and camera == "free":
        return camera
    if isinstance(camera, str):
        try:
            number = model.id("camera", camera)
        except KeyError:
            raise ValueError(f"camera: the model has no camera {camera!r}, of {model.ncam}") from None
    else:
        number = _integer("camera", camera)
    if not 0 <= number < model.ncam:
        raise ValueError(f"camera: the model has no camera {camera}, of {model.ncam}")
    name = model.name("camera", number)
    return number if not name or name.startswith("-") or name == "free" else name


def _integer(argument, value):
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{argument}: this is an integer, not {value!r}") from None


def show(model: Any, data: Any, *, size: Tuple[int, int] = (480, 320), camera: Union[None, int, str] = None,
         environment: int = 0) -> Picture:
    """A picture of one state.

    model   a corten.Model or a mujoco.MjModel
    data    positions (nq,), a corten.Batch, of which environment is taken, a mujoco.MjData, or a dict with "qpos" and, for
            mocap bodies, "mocap_pos" and "mocap_quat"; without those they are where the model has them
    camera  a name or number of the model's, or "free"; None: the one that the model asks for, or a free one
    """
    model = _model_of(model)
    poses = _poses(model, data)
    frames = len(poses["qpos"])
    if not 0 <= _integer("environment", environment) < frames:
        raise IndexError(f"environment: there is no environment {environment}; they are 0 to {frames - 1}")
    one = {name: rows[environment:environment + 1] for name, rows in poses.items()}
    frame = _frames(model, one, 30, _check_size(size), _camera(model, camera))[0]
    return Picture(frame, "image/png")


def play(model: Any, states: Any, *, fps: int = 30, size: Tuple[int, int] = (320, 240),
         camera: Union[None, int, str] = None) -> Picture:
    """An animation of positions (frames, nq), such as rollout(..., record="qpos")["qpos"][0], or of what show() takes."""
    model = _model_of(model)
    if not 1 <= _integer("fps", fps) <= 100:
        raise ValueError(f"fps: this is 1 to 100, not {fps}")
    frames = _frames(model, _poses(model, states), int(fps), _check_size(size), _camera(model, camera))
    return Picture(_animation(frames, int(fps)), "image/png")


def plot(x: Any, curves: Any, *, title: Optional[str] = None) -> Picture:
    """Curves over x: a dict of names and rows, an array (len(x),), or (len(x), k)."""
    x = _numbers("x", x).ravel()
    if not isinstance(curves, dict):
        rows = _numbers("curves", curves)
        rows = rows[:, None] if rows.ndim == 1 else rows
        curves = {f"{i}": rows[:, i] for i in range(rows.shape[1])} if rows.ndim == 2 else {}
    columns = {name: _numbers("curves", row).ravel() for name, row in curves.items()}
    if any(not str(name).strip() or set(str(name)) & set('",\n') or str(name) == "x" for name in columns):
        raise ValueError("curves: names must have a letter, no commas, quotes or line ends, and differ from \"x\"")
    if not columns or not len(x) or any(len(row) != len(x) for row in columns.values()):
        raise ValueError(f"curves: each must have a number for each of the {len(x)} of x")
    with tempfile.TemporaryDirectory() as place:
        source, target = os.path.join(place, "curves.csv"), os.path.join(place, "curves.svg")
        with open(source, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["x", *columns])
            writer.writerows(zip(map(repr, x.tolist()), *[map(repr, row.tolist()) for row in columns.values()]))
        # what begins with "-" would be an option
        patterns = [word for name in columns for word in ("--columns", re.sub("^-", "[-]", glob.escape(str(name))))]
        _run("plot", source, "-o", target, "--title", re.sub("^-", " -", str(title or " ")), *patterns)
        with open(target, "rb") as file:
            return Picture(file.read(), "image/svg+xml")
