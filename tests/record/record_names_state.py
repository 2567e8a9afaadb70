"""Records names, their addresses and hash tables, state vectors and keyframes of a few models.

Only the parts of a model that these functions read are kept, so that the tests need no file format.
"""

import ctypes
import os

import numpy as np

from recorded import Recorder, reference

mujoco = reference()

# Every type of object with a name, names of all sorts, and some without.
ZOO = """
<mujoco model="zoo">
  <extension><plugin plugin="mujoco.elasticity.cable"><instance name="elastic"/></plugin></extension>
  <option timestep="0.003"/>
  <asset>
    <mesh name="tetra" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="hills" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 1 0"/>
    <texture name="grid" type="2d" builtin="checker" width="8" height="8"/>
    <material name="gridded" texture="grid"/>
    <skin name="hide" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2">
      <bone body="hips" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>
    </skin>
  </asset>
  <worldbody>
    <light name="sun"/>
    <camera name="eye"/>
    <body name="hips" pos="0 0 1">
      <freejoint name="root"/>
      <geom name="pelvis" size=".1"/>
      <site name="tip" pos="0 0 .1"/>
      <body name="Hips">
        <joint name="knee" type="ball"/>
        <geom size=".1"/>
        <body name="caf\u00e9 \u6b69\u304f">
          <joint name="slide / with spaces" type="slide" axis="1 0 0"/>
          <geom name="\u00fc" size=".1"/>
        </body>
      </body>
    </body>
    <body>
      <joint name="j1" axis="0 1 0"/>
      <geom name="arm" type="capsule" size=".05 .2"/>
      <site name="hand"/>
    </body>
    <body name="marker" mocap="true" pos="1 2 3" quat="0 1 0 0"/>
    <body name="target" mocap="true"/>
    <flexcomp name="cloth" type="grid" dim="2" count="2 2 1" spacing=".1 .1 .1" mass="1" radius=".01"/>
  </worldbody>
  <contact>
    <pair name="touching" geom1="arm" geom2="pelvis"/>
    <exclude name="apart" body1="hips" body2="Hips"/>
  </contact>
  <equality>
    <weld name="glue" body1="hips" body2="marker" active="false"/>
    <joint joint1="j1"/>
  </equality>
  <tendon>
    <fixed name="string"><joint joint="j1" coef="1"/></fixed>
    <spatial><site site="tip"/><site site="hand"/></spatial>
  </tendon>
  <actuator>
    <motor name="push" joint="j1" nsample="3" delay=".004"/>
    <general name="fill" joint="slide / with spaces" dyntype="filter"/>
    <muscle tendon="string" lengthrange="0 1"/>
  </actuator>
  <sensor><clock name="time"/><jointpos joint="j1"/></sensor>
  <custom>
    <numeric name="number" data="1 2"/>
    <text name="words" data="abc"/>
    <tuple name="set"><element objtype="body" objname="hips"/></tuple>
  </custom>
  <size nuserdata="3"/>
  <keyframe>
    <key name="home" time="1.5" ctrl=".1 .2 .3" act=".4 .5"/>
    <key/>
    <key name="away" mpos="1 2 3 4 5 6"/>
  </keyframe>
</mujoco>
"""


def crowd(n):
  """Many bodies with names that collide in the hash table, every seventh without one."""
  bodies = "".join(
      f"<body {'' if i % 7 == 3 else f'name=%sb{i}%s' % (chr(34), chr(34))}><geom name='g{i * 37 % n}' size='.1'/></body>"
      for i in range(n))
  return f"<mujoco><worldbody>{bodies}</worldbody></mujoco>"


TYPES = [
    ("nbody", "body"), ("njnt", "jnt"), ("ngeom", "geom"), ("nsite", "site"), ("ncam", "cam"),
    ("nlight", "light"), ("nflex", "flex"), ("nmesh", "mesh"), ("nskin", "skin"), ("nhfield", "hfield"),
    ("ntex", "tex"), ("nmat", "mat"), ("npair", "pair"), ("nexclude", "exclude"), ("neq", "eq"),
    ("ntendon", "tendon"), ("nu", "actuator"), ("nsensor", "sensor"), ("nnumeric", "numeric"),
    ("ntext", "text"), ("ntuple", "tuple"), ("nkey", "key"), ("nplugin", "plugin")]

SIZES = ["nq", "nv", "na", "nhistory", "nmocap", "nuserdata", "npluginstate"]
ELEMENTS = ["qpos", "qvel", "act", "history", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied",
            "eq_active", "mocap_pos", "mocap_quat", "userdata", "plugin_state"]
KEYS = ["key_time", "key_qpos", "key_qvel", "key_act", "key_mpos", "key_mquat", "key_ctrl"]


def bytes_of(field):
  return np.frombuffer(bytes(field), dtype=np.uint8).astype(int)


def addresses(m, name):
  return getattr(m, {"jnt": "name_jntadr", "cam": "name_camadr"}.get(name, f"name_{name}adr"))


def record_names(r, name, m):
  r.add(f"{name}/counts", [getattr(m, size) for size, _ in TYPES])
  r.add(f"{name}/names", bytes_of(m.names))
  r.add(f"{name}/names_map", m.names_map)
  for size, field in TYPES:
    r.add(f"{name}/adr_{field}", addresses(m, field))
  # what the reference finds: every name of the model under every type
  library = ctypes.CDLL(os.path.join(mujoco.__path__[0], "libmujoco.so.3.5.0"))
  model = ctypes.c_void_p(m._address)
  every = sorted(set(bytes(m.names).split(b"\0")) | {b"", b"nobody", b"HIPS", b"b3", b"world "})
  found = [library.mj_name2id(model, t, n) for n in every for t in range(-1, 30)]
  r.add(f"{name}/queries", np.frombuffer(b"\0".join(every) + b"\0", dtype=np.uint8).astype(int))
  r.add(f"{name}/found", found)


def record_state(r, name, m):
  d = mujoco.MjData(m)
  random = np.random.default_rng(7)
  for field in ELEMENTS:
    values = getattr(d, field)
    values[...] = random.integers(0, 2, values.shape) if field == "eq_active" else random.standard_normal(values.shape)
  d.time = 0.123
  r.add(f"{name}/sizes", [getattr(m, s) for s in SIZES])
  r.add(f"{name}/time", [d.time])
  for field in ELEMENTS:
    r.add(f"{name}/{field}", getattr(d, field))
  everything = (1 << 14) - 1
  signatures = [1 << i for i in range(14)] + [0, 30, 8223, 8128, everything] + list(random.integers(0, everything, 12))
  r.add(f"{name}/signatures", signatures)
  for sig in map(int, signatures):
    state = np.empty(mujoco.mj_stateSize(m, sig))
    mujoco.mj_getState(m, d, state, sig)
    r.add(f"{name}/state{sig}", state.astype(float))
  # keyframes before and after the second is set from the data
  for when in "before", "after":
    for field in KEYS:
      r.add(f"{name}/{when}/{field}", getattr(m, field))
    mujoco.mj_setKeyframe(m, d, 1)
  # how a number becomes a byte
  numbers = [2, .5, .999, 256, -1, 300, np.nan, np.inf, -np.inf, 1e10 + 1, -300, 2.0**31 + 5, -.5, -2.0**31]
  result = []
  for x in numbers:
    state = np.array([float(x)] * m.neq)
    mujoco.mj_setState(m, d, state, int(mujoco.mjtState.mjSTATE_EQ_ACTIVE))
    result.append(int(d.eq_active[0]))
  r.add(f"{name}/numbers", np.array(numbers, dtype=float))
  r.add(f"{name}/as_bytes", result)


def main():
  r = Recorder()
  zoo = mujoco.MjModel.from_xml_string(ZOO)
  record_names(r, "zoo", zoo)
  record_state(r, "zoo", zoo)
  record_names(r, "crowd", mujoco.MjModel.from_xml_string(crowd(60)))
  record_names(r, "empty", mujoco.MjModel.from_xml_string("<mujoco/>"))
  r.write("names_state.rec")


if __name__ == "__main__":
  main()
