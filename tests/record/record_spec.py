"""Records what the reference's editable model does.

The stories of tests/spec/scenarios.c and attach_scenarios.c are built against the reference's library and told; their text is kept. The
structs that mjs_default functions fill are recorded as their non-zero 32-bit words, as in record_defaults.py.
"""

import ctypes
import os
import subprocess
import tempfile

import numpy as np

from recorded import REFERENCE, Recorder, reference

mujoco = reference()

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.join(HERE, "..")
LIBRARY = os.path.join(mujoco.__path__[0], "libmujoco.so.3.5.0")

DEFAULTS = ["Spec", "Orientation", "Body", "Frame", "Joint", "Geom", "Site", "Camera", "Light", "Flex", "Mesh",
            "HField", "Skin", "Texture", "Material", "Pair", "Equality", "Tendon", "Actuator", "Sensor", "Numeric",
            "Text", "Tuple", "Key", "Plugin"]

MAIN = """
#include "spec/scenarios.h"
int main(void) {
  for (const Scenario* s = scenarios; s->name; s++) {
    printf("== %s\\n", s->name);
    s->tell(stdout);
  }
  return 0;
}
"""


def tell():
  with tempfile.TemporaryDirectory() as folder:
    main, program = os.path.join(folder, "main.c"), os.path.join(folder, "tell")
    with open(main, "w") as f:
      f.write(MAIN)
    subprocess.run(["cc", "-std=c17", "-I", os.path.join(TESTS, "..", "include"), "-I", TESTS, main,
                    os.path.join(TESTS, "spec", "scenarios.c"), os.path.join(TESTS, "spec", "attach_scenarios.c"), "-o", program, LIBRARY,
                    "-Wl,-rpath," + os.path.dirname(LIBRARY)], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout


def main():
  with open(os.path.join(TESTS, "recorded", "spec.txt"), "w") as f:
    f.write(f"Told by mujoco {REFERENCE}; written by tests/record/record_spec.py.\n" + tell())

  library = ctypes.CDLL(LIBRARY)
  r = Recorder()
  for name in DEFAULTS:
    buffer = (ctypes.c_int * 4096)(*([-1] * 4096))  # rubbish that must go
    getattr(library, "mjs_default" + name)(buffer)
    words = np.frombuffer(buffer, dtype=np.int32)
    end = 4096
    while end > 0 and words[end - 1] == -1:
      end -= 1
    # a struct may end in words that are all ones itself (there is none) or the rubbish behind it
    words = words[:end]
    index = np.nonzero(words)[0]
    r.add(f"{name}/size", [4 * end])
    r.add(f"{name}/index", index)
    r.add(f"{name}/word", words[index])
  r.write("spec.rec")


if __name__ == "__main__":
  main()
