"""Records the reference's contacts of flat faces with many corners that lie on each other.

Writes tests/recorded/polygons.rec for tests/collide/test_clip.c. Shapes are those of tests/collide/polygons.xml; the
second of two lies on the first, turned about the vertical and moved aside. "what" has a row per case: the two geoms,
and how many contacts there are; "pose" pos and mat of both; "contacts" dist, pos and normal of each contact. Run it
with a Python that has mujoco 3.5.0:
    python tests/record/record_polygons.py
"""

import numpy as np

from recorded import ROOT, Recorder, reference

mujoco = reference()
HALF_HEIGHT = dict(box=.1, nut=.1, coin=.05)
DEPTH = .002
CASES = 40


def set_pose(data, body, pos, angle):
  data.qpos[7 * body:7 * body + 7] = [*pos, np.cos(angle / 2), 0, 0, np.sin(angle / 2)]


def main():
  random = np.random.default_rng(1)
  model = mujoco.MjModel.from_xml_path(str(ROOT / "tests" / "collide" / "polygons.xml"))
  data = mujoco.MjData(model)
  recorder = Recorder()
  what, pose, contacts = [], [], []
  for first, second in ((0, 1), (0, 2), (1, 2)):
    height = sum(HALF_HEIGHT[model.geom(g).name] for g in (first, second)) - DEPTH
    for _ in range(CASES):
      for body in range(3):
        set_pose(data, body, [0, 0, 100 * (body + 1)], 0)
      set_pose(data, first, [0, 0, 0], 0)
      set_pose(data, second, [*random.uniform(-.15, .15, 2), height], random.uniform(-np.pi, np.pi))
      mujoco.mj_fwdPosition(model, data)
      what.append([first, second, data.ncon])
      pose.append(np.concatenate([np.concatenate([data.geom_xpos[g], data.geom_xmat[g]]) for g in (first, second)]))
      contacts += [[c.dist, *c.pos, *c.frame[:3]] for c in data.contact[:data.ncon]]
  recorder.add("what", np.array(what))
  recorder.add("pose", np.array(pose))
  recorder.add("contacts", np.array(contacts))
  recorder.write("polygons.rec")
  print(f"{len(what)} cases, {len(contacts)} contacts")


if __name__ == "__main__":
  main()
