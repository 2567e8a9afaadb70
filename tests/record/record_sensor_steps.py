"""Records what sensors say and what their histories keep over some steps of the reference.

Writes tests/recorded/sensor_steps.rec. Models run until things have met and go on from there in a new data, by Euler, by
Runge-Kutta and in two halves (mj_step1, mj_step2). Arrays are "<model>/<way>/in/<field>" (the start) and
".../<step>/sensordata", ".../<step>/history". Run it with a Python that has mujoco 3.5.0:
    python tests/record/record_sensor_steps.py
"""

from recorded import ROOT, Recorder, reference

mujoco = reference()

MODELS = dict(sensors=60, touch=30, delays=20)  # steps before the start
STEPS = 6
INPUT = "qpos qvel act ctrl history qacc_warmstart".split()
WAYS = "euler runge_kutta halves".split()


def advance(model, data, way):
  if way == "halves":
    mujoco.mj_step1(model, data)
    mujoco.mj_step2(model, data)
  else:
    mujoco.mj_step(model, data)


def record(recorder, name, steps, way):
  model = mujoco.MjModel.from_xml_path(str(ROOT / "models" / f"{name}.xml"))
  euler, runge_kutta = mujoco.mjtIntegrator.mjINT_EULER, mujoco.mjtIntegrator.mjINT_RK4
  model.opt.integrator = runge_kutta if way == "runge_kutta" else euler
  before = mujoco.MjData(model)
  before.ctrl[:] = 0.3
  for _ in range(steps):
    mujoco.mj_step(model, before)
  data = mujoco.MjData(model)
  data.time = before.time
  prefix = f"{name}/{way}"
  recorder.add(f"{prefix}/in/time", [data.time])
  for field in INPUT:
    getattr(data, field)[:] = getattr(before, field)
    recorder.add(f"{prefix}/in/{field}", getattr(data, field))
  for step in range(STEPS):
    advance(model, data, way)
    recorder.add(f"{prefix}/{step}/sensordata", data.sensordata)
    recorder.add(f"{prefix}/{step}/history", data.history)


def main():
  recorder = Recorder()
  for name, steps in MODELS.items():
    for way in WAYS:
      record(recorder, name, steps, way)
  recorder.write("sensor_steps.rec")


if __name__ == "__main__":
  main()
