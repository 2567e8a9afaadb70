"""What the package says of its types is what is there: the stub of the extension, and names that are exported."""

import ast
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

import support
import corten
import numpy as np

FOLDER = os.path.dirname(os.path.abspath(corten.__file__))
PROGRAM = """
import numpy as np
import corten
from corten import Batch, Environment, Model

class Mine(corten.Batch):
    pass

def outcome(environment: Environment) -> float:
    return float(environment.qpos[2])

model: Model = corten.Model("humanoid.xml")
batch: corten.Batch = corten.Batch(model, model.nmesh)
batch.set_hooks(outcome)
path = batch.rollout(np.zeros((1, 2, 3)), record=("qpos", corten.STATE_QVEL))
corten.play(model, path["qpos"][0]).save("film.png")
print(corten.which(), Mine(model, 3).n, model.body_mass.sum(), corten.Model.from_mujoco(None).to_mujoco())
"""
WRONG = ("model.body_mas", "batch.qposs", "corten.Btch", "corten.Batch(model, 'three')", "batch.derivative(nonsense=1)",
         "corten.show(model)", "model.nq.shape")


def stub():
    with open(os.path.join(FOLDER, "_corten.pyi"), encoding="utf-8") as file:
        return ast.parse(file.read())


def names_in(body):
    """{name: text of its type} of what is declared; functions have none."""
    found = {}
    for node in body:
        if isinstance(node, ast.AnnAssign):
            found[node.target.id] = ast.unparse(node.annotation)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = None
    return {name: kind for name, kind in found.items() if not name.startswith("_")}


class Types(unittest.TestCase):

    def test_the_stub_has_what_the_extension_has(self):
        public = {name for name in dir(corten._corten) if not name.startswith("_")}
        self.assertEqual(set(names_in(stub().body)), public)
        classes = {node.name: node for node in stub().body if isinstance(node, ast.ClassDef)}
        for kind in (corten._corten.Model, corten.Batch, corten.Environment):
            self.assertEqual(set(names_in(classes[kind.__name__].body)), {name for name in dir(kind) if not name.startswith("_")})

    def test_sizes_are_integers_and_the_rest_arrays(self):
        model = corten.Model(support.model_path("humanoid"))
        declared = names_in(next(node for node in stub().body if getattr(node, "name", "") == "Model").body)
        kinds = {"int": int, "float": float, "_Numbers": np.ndarray}
        for name, kind in declared.items():
            if kind:
                self.assertIs(type(getattr(model, name)), kinds[kind], name)

    def test_names_are_exported_as_checkers_of_types_see_it(self):
        with open(corten.__file__, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        listed = next(ast.literal_eval(node.value) for node in tree.body
                      if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
        self.assertEqual(listed, corten.__all__)
        self.assertLessEqual({name for name in dir(corten._corten) if not name.startswith("_")}, set(listed))
        for name in listed:
            getattr(corten, name)

    @unittest.skipIf(importlib.util.find_spec("mypy") is None, "mypy is not installed")
    def test_mypy_finds_mistakes_and_nothing_else(self):
        with tempfile.TemporaryDirectory() as place:
            path = os.path.join(place, "program.py")
            with open(path, "w", encoding="utf-8") as file:
                file.write(PROGRAM + "\n".join(WRONG) + "\n")
            done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", place, path], capture_output=True,
                                  text=True, cwd=place, env={**os.environ, "MYPYPATH": os.path.dirname(FOLDER)})
        lines = [int(line.split(":")[1]) for line in done.stdout.splitlines() if line.startswith("program.py") and " error: " in line]
        first = PROGRAM.count("\n") + 1
        self.assertEqual(sorted(set(lines)), list(range(first, first + len(WRONG))), done.stdout)


if __name__ == "__main__":
    support.main()
