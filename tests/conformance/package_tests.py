"""Runs the test files that the reference's Python package brings along, on corten.

Every file runs in processes of its own: with the package as it is installed, and with corten's library first on the
loader's path. What the original passes, corten has to pass. The exceptions stand in package_failures.txt, each with its
reason; the list only gets shorter: a test in it that passes is as much a failure as one that fails and is not in it.

A test that ends its interpreter counts as failed, and the others of its file run again without it.

usage: python package_tests.py BUILD_DIR    (the interpreter must have mujoco 3.5.0, pytest and absl-py)
"""

import collections
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

HERE = os.path.dirname(os.path.abspath(__file__))
ALLOWED = os.path.join(HERE, "package_failures.txt")
FILES = ["bindings_test", "memory_leak_test", "minimize_test", "msh2obj_test", "render_test", "renderer_test",
         "rollout_test", "specs_test", "viewer_test"]
SECONDS = 900  # for one file
MOST_CRASHES = 40
SHOWN_CHARACTERS = 160

# Tells which test is running, for when it is the last thing that is heard.
TELLER = """
import os
def pytest_runtest_logstart(nodeid, location):
  with open(os.environ["CT_RUNNING"], "w") as file:
    file.write(nodeid)
"""


def folder_of_package():
  import mujoco
  return os.path.dirname(mujoco.__file__)


def test_name(case):
  """`specs_test.SpecsTest.test_basic`, the same for every place that the package may be installed in."""
  return ".".join((case.get("classname").split(".")[-2:] if "." in case.get("classname")
                   else [case.get("classname")]) + [case.get("name")])


def read_results(path):
  results = {}
  for case in xml.parse(path).getroot().iter("testcase"):
    bad = [part for part in case if part.tag in ("failure", "error")]
    skipped = [part for part in case if part.tag == "skipped"]
    verdict = ("failed", bad[0].get("message", "")) if bad else ("skipped", "") if skipped else ("passed", "")
    results[test_name(case)] = verdict
  return results


def run_file(package, name, work, environment):
  """Verdicts of all tests in a file, by name."""
  results, crashed = {}, []
  running, report = os.path.join(work, "running"), os.path.join(work, "report.xml")
  environment = dict(environment, CT_RUNNING=running, PYTHONPATH=work, MUJOCO_GL="disable")
  while len(crashed) <= MOST_CRASHES:
    for path in (running, report):
      if os.path.exists(path):
        os.remove(path)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "teller", "-p", "no:cacheprovider", "-p", "no:faulthandler",
               "--rootdir", package, "--junitxml", report, os.path.join(package, name + ".py")]
    for test in crashed:
      command += ["--deselect", test]
    try:
      ended = subprocess.run(command, cwd=work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             timeout=SECONDS, text=True, errors="replace")
      said, why = ended.stdout, f"ends the interpreter with {ended.returncode}"
    except subprocess.TimeoutExpired:
      said, why = "", f"takes more than {SECONDS} seconds"
    if os.path.exists(report):
      results.update(read_results(report))
      return results
    if not os.path.exists(running):
      return {name: ("failed", said[-SHOWN_CHARACTERS:])}
    with open(running) as file:
      test = file.read()
    crashed.append(test)
    results[test.replace(".py", "").replace("::", ".")] = ("failed", why)
  return results


def allowed_failures():
  with open(ALLOWED) as file:
    lines = [line.split("#")[0].strip() for line in file]
  return {line for line in lines if line}


def judge(original, ours, allowed):
  """Prints what is wrong and returns how much."""
  counts = collections.Counter()
  for test, (verdict, _) in sorted(original.items()):
    if verdict != "passed":
      counts["not passed by the original"] += 1
      continue
    got, why = ours.get(test, ("failed", "did not run"))
    counts[got] += 1
    if got != "passed" and test not in allowed:
      counts["wrong"] += 1
      print(f"  FAILED: {test}: {' '.join(why.split())[:SHOWN_CHARACTERS]}")
    elif got == "passed" and test in allowed:
      counts["wrong"] += 1
      print(f"  PASSED, take it off the list: {test}")
  for test in sorted(allowed - set(original)):
    counts["wrong"] += 1
    print(f"  THERE IS NO SUCH TEST, take it off the list: {test}")
  print(f"  {counts['passed']} tests of the package pass, {counts['failed'] + counts['skipped']} do not "
        f"({len(allowed)} are allowed not to), {counts['not passed by the original']} do not pass with the original either")
  return counts["wrong"]


def run_all(build):
  """Verdicts of all tests, with the original and with corten."""
  package = folder_of_package()
  corten = os.path.join(os.path.abspath(build), "lib", "corten")
  plain = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
  original, ours = {}, {}
  with tempfile.TemporaryDirectory() as work:
    with open(os.path.join(work, "teller.py"), "w") as file:
      file.write(TELLER)
    for name in FILES:
      original.update(run_file(package, name, work, plain))
      ours.update(run_file(package, name, work, dict(plain, LD_LIBRARY_PATH=corten)))
  return original, ours


def main(build):
  original, ours = run_all(build)
  allowed = {test for test in allowed_failures() if test.split(".")[0] in FILES}
  return 1 if judge(original, ours, allowed) else 0


if __name__ == "__main__":
  if len(sys.argv) != 2:
    sys.exit(__doc__)
  sys.exit(main(sys.argv[1]))
