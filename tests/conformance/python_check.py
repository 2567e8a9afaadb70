"""Everything of Python on corten in one table: the package's own tests, environments of Gymnasium and dm_control, and the
trajectories of corten.tasks; then the tests of corten's own package with everything installed that they can use.

What may fail stands in package_failures.txt, each line with its reason, tests and environments alike; the list only gets
shorter, because a line whose test passes is a failure, too.

usage: python python_check.py BUILD_DIR    (the interpreter must have mujoco 3.5.0, pytest, absl-py, gymnasium, dm_control;
       torch, jax, ray, envpool, nbclient, ipykernel for all tests of the package)
"""

import glob
import os
import subprocess
import sys

import package_tests
import python_pictures
import python_tasks
import python_trajectories


def own_tests(build):
  """(file, verdict) of tests/python, which skip what an interpreter lacks, with this interpreter."""
  folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "python")
  build = os.path.abspath(build)
  environment = dict(os.environ, PYTHONPATH=os.path.join(build, "python"), CORTEN_BUILD=build, PYTHONDONTWRITEBYTECODE="1")
  for path in sorted(glob.glob(os.path.join(folder, "test_*.py"))):
    ended = subprocess.run([sys.executable, path], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True, errors="replace", timeout=3600)
    for line in ended.stdout.splitlines():
      if line.startswith("skipped: "):
        print(f"  {os.path.basename(path)}: {line[:160]}")
    yield os.path.basename(path), "equal" if ended.returncode == 0 else ended.stdout[-400:]


def rows(build):
  """(group, what, verdict) of everything that the original passes."""
  original, ours = package_tests.run_all(build)
  for test, (verdict, _) in sorted(original.items()):
    if verdict == "passed":
      got, why = ours.get(test, ("failed", "did not run"))
      yield test.split(".")[0], test, "equal" if got == "passed" else why or got
    else:
      print(f"  not asked: {test}: the original does not pass it here")
  for kind, name, verdict, worst, spread, steps in python_tasks.check(build):
    if verdict == python_tasks.PICTURES:
      print(f"  not asked: {kind}.{name} needs pictures")
    else:
      print(f"  {kind}.{name}: {verdict}, worst {worst:.1e}, the reference from itself {spread:.1e}, in {steps} steps")
      yield kind, f"{kind}.{name}", verdict
  for kind, name, verdict, least in python_pictures.check(build):
    print(f"  pictures of {kind}.{name}: {verdict}, similarity {least:.4f}")
    yield f"pictures, {kind}", f"pictures.{kind}.{name}", verdict
  sys.path.insert(0, os.path.join(os.path.abspath(build), "python"))
  for row in python_trajectories.check():
    yield "trajectories", f"trajectories.{row[0]}", row[1]
  for name, verdict in own_tests(build):
    yield "corten's package", f"package.{name}", verdict


def main(build):
  allowed, seen, wrong, table = package_tests.allowed_failures(), set(), 0, {}
  for group, what, verdict in rows(build):
    passed = verdict == "equal"
    seen.add(what)
    counts = table.setdefault(group, [0, 0, 0])
    counts[0 if passed else 1 if what in allowed else 2] += 1
    if passed == (what in allowed):
      wrong += 1
      print(f"  {'PASSES, take it off the list' if passed else 'FAILS'}: {what}: {' '.join(verdict.split())[:160]}")
  for what in sorted(allowed - seen):
    wrong += 1
    print(f"  IS NOT ASKED, take it off the list: {what}")
  print(f"  {'':20} {'pass':>6} {'allowed to fail':>16} {'fail':>6}")
  for group, counts in table.items():
    print(f"  {group:20} {counts[0]:6} {counts[1]:16} {counts[2]:6}")
  return 1 if wrong else 0


if __name__ == "__main__":
  if len(sys.argv) != 2:
    sys.exit(__doc__)
  sys.exit(main(sys.argv[1]))
