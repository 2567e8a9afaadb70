"""Records flexes: scenes, and what the reference computes in them.

Writes tests/recorded/soft/<scene>.mjb, compiled from the texts below, and tests/recorded/soft.rec. Each scene runs for a
while, so that things have met. Arrays are "<scene>/<state>/in/<field>" (qpos, qvel, qacc_warmstart) and ".../out/<field>"
after mj_forward; contacts are ".../contact/<field>", a row per contact, in the order in which they are stored; ".../step/qvel"
is the velocity after a step. Run it with a Python that has mujoco 3.5.0:
    python tests/record/record_soft.py
"""

import numpy as np

from recorded import FOLDER, Recorder, reference

mujoco = reference()

STATES = 2
FIELDS = """flexvert_xpos flexelem_aabb flexedge_J flexedge_length flexvert_J flexvert_length flexedge_velocity
qfrc_spring qfrc_damper qfrc_passive qfrc_smooth qfrc_constraint qacc energy""".split()
CONTACT = "dist pos frame includemargin friction solref solimp dim geom flex elem vert exclude".split()

GROUND = '<geom type="plane" size="2 2 .1"/>'

# scene: (steps before the first state and between states, text)
SCENES = {
    # inextensible cloth over spheres, boxes and capsules; frictions and margins of flex and geoms differ
    "drape": (60, f"""<worldbody>{GROUND}
      <geom type="sphere" size=".05" pos="-.05 -.05 .1" condim="1"/><geom type="box" size=".04 .03 .06" pos=".08 .05 .05"/>
      <geom type="capsule" size=".02 .06" pos="-.06 .08 .1" euler="80 0 0" friction=".7 .01 .001" margin=".002" gap=".001"/>
      <flexcomp name="cloth" type="grid" count="5 5 1" spacing=".06 .06 .06" pos="0 0 .17" dim="2" radius=".006" mass=".3">
        <edge equality="true" damping=".02"/><contact friction=".4 .02 .003" solmix="2" margin=".003"/></flexcomp>
      </worldbody>"""),
    # a shell that stretches and bends, over shapes of the convex solver
    "shell": (60, """<option integrator="implicitfast"/><worldbody>
      <geom type="ellipsoid" size=".05 .04 .06" pos="-.05 0 .05"/><geom type="cylinder" size=".03 .05" pos=".07 .02 .05"/>
      <flexcomp name="shell" type="grid" count="4 4 1" spacing=".07 .07 .07" pos="0 0 .13" dim="2" radius=".004" mass=".2">
        <elasticity young="3e5" poisson=".2" thickness=".004" damping="1e-3" elastic2d="both"/>
        <edge damping=".01"/></flexcomp></worldbody>"""),
    # strains of vertices are held
    "strained": (40, f"""<worldbody>{GROUND}<geom type="box" size=".05 .05 .02" pos=".02 0 .02" euler="0 0 20"/>
      <flexcomp name="cloth" type="grid" count="4 4 1" spacing=".08 .08 .08" pos="0 0 .05" dim="2" radius=".005" mass="2">
        <edge equality="vert"/><contact selfcollide="none"/></flexcomp></worldbody>"""),
    # two ropes with springs along their edges, one pinned, among all shapes that have formulas for lines
    "ropes": (80, f"""<worldbody>{GROUND}
      <geom type="sphere" size=".04" pos="-.1 0 .1"/><geom type="capsule" size=".02 .05" pos="0 0 .1" euler="90 0 0"/>
      <geom type="box" size=".03 .03 .03" pos=".12 0 .1" euler="0 30 0"/>
      <flexcomp name="long" type="grid" count="9 1 1" spacing=".05 .05 .05" pos="0 0 .17" dim="1" radius=".01" mass=".2">
        <edge stiffness="800" damping=".5"/><pin id="0"/></flexcomp>
      <flexcomp name="short" type="grid" count="5 1 1" spacing=".05 .05 .05" pos="0 0 .24" euler="0 0 80" dim="1" radius=".01"
        mass=".1"><edge stiffness="500" damping=".2"/><contact internal="true"/></flexcomp></worldbody>"""),
    # a solid on the ground that a ball and a mesh press; internal contacts
    "block": (60, f"""<option integrator="implicitfast" timestep=".001"/>
      <asset><mesh name="wedge" vertex="0 0 0 .1 0 0 0 .1 0 .1 .1 0 0 0 .06 0 .1 .06"/></asset><worldbody>{GROUND}
      <body pos="0 0 .2"><freejoint/><geom type="sphere" size=".03" mass=".2"/></body>
      <geom type="mesh" mesh="wedge" pos=".05 .06 .02"/>
      <flexcomp name="block" type="grid" count="3 3 3" spacing=".05 .05 .05" pos="0 0 .09" dim="3" radius=".004" mass=".4">
        <elasticity young="8e3" poisson=".2" damping=".002"/><contact internal="true" activelayers="2"/></flexcomp></worldbody>"""),
    # trilinear on a box, quadratic pinned to a body that moves; the second integrator is implicit
    "cells": (50, f"""<option integrator="implicitfast"/><worldbody>{GROUND}
      <body name="lift" pos=".4 0 .3"><joint type="slide" axis="0 0 1"/><geom type="box" size=".02 .02 .02" mass=".1" contype="0" conaffinity="0"/>
      <flexcomp name="hung" type="grid" count="5 5 5" spacing=".02 .02 .02" dim="3" radius=".001" mass=".3" dof="quadratic">
        <elasticity young="3e3" poisson=".1" damping=".05"/><contact selfcollide="none"/><pin id="26"/></flexcomp></body>
      <geom type="box" size=".03 .03 .03" pos=".02 0 .03" euler="0 0 30"/>
      <flexcomp name="lying" type="grid" count="4 4 4" spacing=".03 .03 .03" pos="0 0 .12" dim="3" radius=".002" mass=".3"
        dof="trilinear"><elasticity young="2e4" poisson=".2" damping=".01"/><contact selfcollide="none"/></flexcomp></worldbody>"""),
    # contacts that are springs; flexes of three kinds that meet each other
    "heap": (25, f"""<worldbody>{GROUND}
      <flexcomp name="springy" type="grid" count="3 3 1" spacing=".06 .06 .06" pos="0 0 .02" dim="2" radius=".008" mass=".2">
        <edge equality="true"/><contact passive="true"/></flexcomp>
      <flexcomp name="solid" type="grid" count="2 2 2" spacing=".05 .05 .05" pos=".02 .01 .09" dim="3" radius=".005" mass=".2">
        <elasticity young="2e4" poisson=".2" damping=".005"/></flexcomp>
      <flexcomp name="rope" type="grid" count="4 1 1" spacing=".05 .05 .05" pos="0 0 .15" dim="1" radius=".008" mass=".1">
        <edge equality="true"/></flexcomp>
      <body name="stiff" pos="0 0 .22"><freejoint/><inertial pos="0 0 0" mass=".1" diaginertia="1e-4 1e-4 1e-4"/>
        <flexcomp name="plate" type="grid" count="3 3 1" spacing=".04 .04 .04" dim="2" radius=".005" rigid="true"/></body>
      </worldbody>"""),
    # contacts of geoms and of flexes between each other, predefined pairs among them; PGS makes their order count
    "queue": (12, f"""<option solver="PGS" iterations="20"/><worldbody>{GROUND}<geom name="table" type="box" size=".2 .2 .02"/>
      <body pos="0 0 .06"><freejoint/><geom name="a" size=".04" pos=".05 0 0"/><geom size=".04" pos="-.05 0 0"/></body>
      <flexcomp name="low" type="grid" count="3 3 1" spacing=".06 .06 .06" pos="0 0 .025" radius=".01" mass=".2"/>
      <body pos="0 0 .1"><freejoint/><geom name="b" size=".04"/></body>
      <flexcomp name="high" type="grid" count="3 3 1" spacing=".06 .06 .06" pos=".01 .01 .09" radius=".01" mass=".2"/>
      <body pos="0 .08 .05"><freejoint/><geom name="c" type="box" size=".03 .03 .03"/></body></worldbody>
      <contact><pair geom1="b" geom2="c"/><pair geom1="a" geom2="table"/><pair geom1="c" geom2="table"/></contact>"""),
    # flexes that are crumpled, once for each way to find contacts of a flex with itself
    "crumpled": (0, "<worldbody>" + "".join(
      f"""<flexcomp name="{mode}" type="grid" count="4 4 1" spacing=".05 .05 .05" pos="{k} 0 0" euler="0 {15 * k} 0" radius=".02" mass="1">
        <contact selfcollide="{mode}"/></flexcomp>
      <flexcomp name="{mode}_solid" type="grid" count="2 2 3" spacing=".05 .05 .05" pos="{k} 1 0" dim="3" radius=".015" mass="1">
        <contact selfcollide="{mode}"/></flexcomp>""" for k, mode in enumerate(("narrow", "bvh", "sap", "auto"))) + "</worldbody>"),
}
NOISE = {"crumpled": .04}  # of positions, before every state


def record(out, name, steps, text):
  model = mujoco.MjModel.from_xml_string(f'<mujoco model="{name}">{text}</mujoco>')
  (FOLDER / "soft").mkdir(exist_ok=True)
  mujoco.mj_saveModel(model, str(FOLDER / "soft" / f"{name}.mjb"))
  data = mujoco.MjData(model)
  rng = np.random.default_rng(len(name))
  data.qvel[:] = rng.normal(size=model.nv) * .05
  for state in range(STATES):
    for _ in range(steps):
      mujoco.mj_step(model, data)
    if name in NOISE:
      mujoco.mj_resetData(model, data)
      data.qpos[:] += rng.normal(size=model.nq) * NOISE[name]
    start = f"{name}/{state}"
    for field in ("qpos", "qvel", "qacc_warmstart"):
      out.add(f"{start}/in/{field}", getattr(data, field))
    mujoco.mj_forward(model, data)
    for field in FIELDS:
      out.add(f"{start}/out/{field}", getattr(data, field))
    out.add(f"{start}/out/counts", [data.ncon, data.ne, data.nefc])
    for field in CONTACT:
      out.add(f"{start}/contact/{field}", np.asarray(getattr(data.contact, field)))
    mujoco.mj_step(model, data)
    out.add(f"{start}/step/qvel", data.qvel)
  print(name, "nv", model.nv, "contacts", data.ncon, "rows", data.nefc)


if __name__ == "__main__":
  recorder = Recorder()
  for scene, (step_count, xml) in SCENES.items():
    record(recorder, scene, step_count, xml)
  recorder.write("soft.rec")
