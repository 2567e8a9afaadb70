"""Errors of float and of fast arithmetic over time: the same states and controls in several builds, against the strict double one.

usage: float_errors.py CORPUS FOLDER double=BUILD [float=BUILD] [fast=BUILD] [gpu-fast=BUILD] [gpu-float=BUILD] [--states N] [--steps N] [--warp] [--table]
  BUILD    a folder that has bin/walk_states (build/release, build/single, build/fast). gpu-fast and gpu-float are of the strict double
           build, whose batches run on the GPU; "there" instead of a folder: FOLDER/MODEL.gpu-float was made on another machine
  --warp   MuJoCo Warp on its CPU device, against the MuJoCo that is installed beside it
  --model  only this one; may be repeated
  --table  only prints what FOLDER has
Needs mujoco and numpy, and mujoco-warp for --warp. FOLDER keeps the beginning, every trajectory and the errors. Warp wants a newer MuJoCo
than the reference: run it by itself, in an environment of its own and without builds, after them in the same FOLDER, whose beginnings it takes.

States are those of the reference after 100 to 300 steps under random controls, rounded to float, so that all builds begin with the same
numbers; controls change every ten steps. Beside the builds are double ones that began 1e-15 and 1e-7 elsewhere: what
becomes of the rounding of one single number, and of one at the precision of float.
"""

import argparse
import csv
import pathlib
import subprocess
import sys

import mujoco
import numpy as np

MODELS = {
    "humanoid": "mujoco/model/humanoid/humanoid.xml",
    "ant": "gymnasium/ant.xml",
    "half cheetah": "gymnasium/half_cheetah.xml",
    "shadow hand": "menagerie/shadow_hand/scene_right.xml",
    "cassie": "menagerie/agility_cassie/scene.xml",
}
HOLD = 10
NUDGES = {"1e-15": "double, 1e-15 elsewhere", "1e-7": "double, 1e-7 elsewhere"}
LABELS = {"float": "float", "fast": "double, fast", "gpu-fast": "a GPU, double, fast", "gpu-float": "a GPU, float, fast",
          "reference": "the reference, double", "warp": "Warp, float, against MuJoCo"}


def marks(steps):
    return [10**k for k in range(9) if 10**k <= steps]


def begin(m, count, steps):
    """States with contacts and controls for what follows."""
    random = np.random.default_rng(7)
    low = np.where(m.actuator_ctrllimited, m.actuator_ctrlrange[:, 0], -1)
    high = np.where(m.actuator_ctrllimited, m.actuator_ctrlrange[:, 1], 1)
    draw = lambda n: (low + (high - low) * random.random((n, m.nu))).astype(np.float32)
    states = np.zeros((count, m.nq + m.nv), np.float32)
    d = mujoco.MjData(m)
    for i in range(count):
        mujoco.mj_resetDataKeyframe(m, d, 0) if m.nkey else mujoco.mj_resetData(m, d)
        for ctrl in draw(10 + 20 * i // count):
            d.ctrl[:] = ctrl
            mujoco.mj_step(m, d, HOLD)
        states[i] = np.concatenate([d.qpos, d.qvel])
    controls = np.stack([draw(steps // HOLD) for _ in range(count)])
    return states, controls


def read_beginning(path, steps):
    """What an earlier run of this program began with, as far as it is needed."""
    head = np.fromfile(path, np.int32, 8)
    count, nq, nv, nu, there, _ = head[:6]
    numbers = np.fromfile(path, np.float32, offset=head.nbytes)
    states, controls = np.split(numbers, [count * (nq + nv)])
    return states.reshape(count, nq + nv), controls.reshape(count, there // HOLD, nu)[:, :steps // HOLD]


def write_beginning(path, m, states, controls):
    head = np.array([len(states), m.nq, m.nv, m.nu, controls.shape[1] * HOLD, HOLD, 0, 0], np.int32)
    path.write_bytes(head.tobytes() + states.tobytes() + controls.tobytes())


def walk_reference(m, states, controls):
    """What walk_states does, by the MuJoCo of this interpreter."""
    d, steps = mujoco.MjData(m), controls.shape[1] * HOLD
    out = np.zeros((len(marks(steps)), len(states), m.nq + m.nv))
    for k, state in enumerate(states):
        mujoco.mj_resetData(m, d)
        d.qpos[:], d.qvel[:] = state[:m.nq], state[m.nq:]
        for t in range(steps):
            d.ctrl[:] = controls[k, t // HOLD]
            mujoco.mj_step(m, d)
            if t + 1 in marks(steps):
                out[marks(steps).index(t + 1), k] = np.concatenate([d.qpos, d.qvel])
    return out


def walk_warp(m, states, controls):
    """The same by MuJoCo Warp, all states together."""
    import mujoco_warp as mjw
    import warp as wp
    count, steps = len(states), controls.shape[1] * HOLD
    out = np.zeros((len(marks(steps)), count, m.nq + m.nv))
    with wp.ScopedDevice("cpu"):
        d0 = mujoco.MjData(m)
        wm = mjw.put_model(m)
        wd = mjw.put_data(m, d0, nworld=count, nconmax=200, njmax=600)
        wd.qpos.assign(states[:, :m.nq])
        wd.qvel.assign(states[:, m.nq:])
        for t in range(steps):
            if t % HOLD == 0:
                wd.ctrl.assign(controls[:, t // HOLD])
            mjw.step(wm, wd)
            if t + 1 in marks(steps):
                out[marks(steps).index(t + 1)] = np.concatenate([wd.qpos.numpy(), wd.qvel.numpy()], axis=1)
    return out


def run_build(build, model, beginning, out, nudge=None):
    command = [f"{build}/bin/walk_states", str(model), str(beginning), str(out)] + ([nudge] if nudge else [])
    subprocess.run(command, check=True)


def errors(a, b, nq):
    """Largest difference of a position and of a velocity: (times, states) each."""
    difference = np.abs(a - b)
    return difference[:, :, :nq].max(axis=2), difference[:, :, nq:].max(axis=2)


def measure(arguments, builds, folder):
    for name, path in MODELS.items():
        lines = ["model,what,steps,states,qpos median,qpos most,qvel median,qvel most"]
        model = pathlib.Path(arguments.corpus) / path
        if arguments.model and name not in arguments.model:
            continue
        m = mujoco.MjModel.from_xml_path(str(model))
        stem = folder / name.replace(" ", "_")
        beginning = stem.with_suffix(".begin")
        if (builds and "there" not in builds.values()) or not beginning.exists():
            write_beginning(beginning, m, *begin(m, arguments.states, arguments.steps))
        states, controls = read_beginning(beginning, arguments.steps)
        shape = (len(marks(arguments.steps)), len(states), m.nq + m.nv)

        def walk(what, build, nudge=None):
            out = stem.with_suffix("." + what)
            if build != "there":
                run_build(build, model, beginning, out, nudge)
            return np.fromfile(out).reshape(shape)

        compared = []
        if "double" in builds:
            exact = walk("double", builds["double"])
            for nudge in NUDGES:
                compared.append((NUDGES[nudge], walk(nudge, builds["double"], nudge), exact))
            for what in ("fast", "float", "gpu-fast", "gpu-float"):
                if what in builds:
                    compared.append((LABELS[what], walk(what, builds[what], what if what.startswith("gpu") else None), exact))
            compared.insert(0, (LABELS["reference"], walk_reference(m, states, controls), exact))
        if arguments.warp:
            compared.append((LABELS["warp"], walk_warp(m, states, controls), walk_reference(m, states, controls)))
        for label, got, want in compared:
            qpos, qvel = errors(got, want, m.nq)
            for t, steps in enumerate(marks(arguments.steps)):
                row = [np.median(qpos[t]), qpos[t].max(), np.median(qvel[t]), qvel[t].max()]
                lines.append(f"{name},\"{label}\",{steps},{len(states)}," + ",".join(f"{x:.2e}" for x in row))
        kind = "errors" if builds else "errors-warp"
        (folder / f"{kind}-{stem.name}.csv").write_text("\n".join(lines) + "\n")
        print(f"{name}: done", file=sys.stderr, flush=True)


def few(x):
    """A number in as few characters as its size needs."""
    if x == 0:
        return "0"
    return f"{x:.0f}" if x >= 9.5 else f"{x:.1g}" if x >= 0.095 else f"{x:.0e}".replace("e-0", "e-")


def print_table(folder):
    """Median and largest over the states, positions and velocities, for each number of steps."""
    rows = [row for file in sorted(folder.glob("errors*.csv")) for row in csv.DictReader(file.open())]
    steps = sorted({int(row["steps"]) for row in rows})
    for quantity in ("qpos", "qvel"):
        print(f"| {quantity} | | " + " | ".join(f"{t} step{'s' * (t > 1)}" for t in steps) + " |")
        print("|---|---|" + "---|" * len(steps))
        for name in MODELS:
            of_model = [row for row in rows if row["model"] == name]
            for k, what in enumerate(dict.fromkeys(row["what"] for row in of_model)):
                cell = {int(r["steps"]): f"{few(float(r[quantity + ' median']))} / {few(float(r[quantity + ' most']))}"
                        for r in of_model if r["what"] == what}
                print(f"| {'' if k else name} | {what} | " + " | ".join(cell.get(t, "") for t in steps) + " |")
        print()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("folder")
    parser.add_argument("builds", nargs="*")
    parser.add_argument("--states", type=int, default=32)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--model", action="append")
    parser.add_argument("--warp", action="store_true")
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.folder)
    folder.mkdir(parents=True, exist_ok=True)
    if not arguments.table:
        measure(arguments, dict(build.split("=", 1) for build in arguments.builds), folder)
    print_table(folder)


if __name__ == "__main__":
    main()
