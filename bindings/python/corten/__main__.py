"""python -m corten script.py ...: runs a script, or a module with -m, with corten under the mujoco package.

Processes that it starts run on corten, too: the loader's path leads there.
"""

import os
import runpy
import sys

USAGE = """usage: python -m corten SCRIPT [ARGUMENT ...]
       python -m corten -m MODULE [ARGUMENT ...]
Runs a Python program that uses the mujoco package on corten."""


def main() -> None:
    arguments = sys.argv[1:]
    module = arguments[:1] == ["-m"]
    if module:
        arguments = arguments[1:]
    if not arguments:
        sys.exit(USAGE)
    if arguments[0] in ("-h", "--help"):
        print(USAGE)
        return
    try:
        import corten.dropin
    except ImportError as error:
        sys.exit(str(error))
    from corten.library import folder

    before = os.environ.get("LD_LIBRARY_PATH")
    ours = os.path.join(folder(), "lib")
    os.environ["LD_LIBRARY_PATH"] = ours + (os.pathsep + before if before else "")
    sys.argv[:] = arguments
    if module:
        sys.path[0] = os.getcwd()
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
        runpy.run_path(arguments[0], run_name="__main__")


main()
