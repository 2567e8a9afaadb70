"""Random URDF files, for conform_models and conform_saving.

    python tests/conformance/random_urdf.py FOLDER COUNT [SEED]
    build/release/bin/conform_models REF CORTEN FOLDER --ask loads,model
    build/release/bin/conform_saving REF CORTEN FOLDER

A robot has up to eight links in any order, joints of all types, origins, axes, limits, inertias, shapes, colours and
settings in a `mujoco` element. One in five is wild: limits are half given or reversed, inertias wrong, names clash, joints
are missing and texts damaged, and both libraries must refuse the same ones. The others are meant to be accepted.
"""

import pathlib
import random
import sys

TYPES = "revolute continuous prismatic fixed floating planar spherical".split()


class Robot:
  """One file, made from a seed."""

  def __init__(self, seed):
    self.random = random.Random(seed)
    self.wild = self.chance(.2)
    self.geoms = 0
    count = self.random.randint(1, 8)
    self.links = [f"l{i}" for i in range(count)]
    if self.chance(.3):
      self.links[self.random.randrange(count) if self.wild else 0] = "world"
    parts = [self.material() for _ in range(self.random.randint(0, 2))]
    parts += [self.link(name) for name in self.links]
    parts += [self.joint(i) for i in range(1, count) if not self.wild or self.chance(.9)]
    self.random.shuffle(parts)
    self.text = f'<robot name="r{seed}">\n' + self.settings() + "\n".join(parts) + "\n</robot>\n"
    if self.wild and self.chance(.25):
      self.text = self.damage(self.text)

  def chance(self, probability):
    return self.random.random() < probability

  def maybe(self, probability, text):
    return text if self.chance(probability) else ""

  def numbers(self, count, size=1.0):
    return " ".join(f"{self.random.uniform(-size, size):.4g}" for _ in range(count))

  def positive(self):
    return f"{self.random.uniform(.05, .5):.4g}"

  def origin(self):
    pieces = self.maybe(.8, f' xyz="{self.numbers(3)}"') + self.maybe(.6, f' rpy="{self.numbers(3, 3)}"')
    return self.maybe(.7, f"<origin{pieces}/>")

  def settings(self):
    words = "".join(self.maybe(.4, f' {name}="{self.random.choice(["true", "false"])}"')
                    for name in ("fusestatic", "discardvisual", "balanceinertia", "strippath"))
    words += self.maybe(.3, ' boundmass="0.01" boundinertia="0.001"') + self.maybe(.2, ' angle="degree"')
    option = self.maybe(.3, '<option timestep="0.01"/>')
    return self.maybe(.6, f"<mujoco><compiler{words}/>{option}</mujoco>\n")

  def material(self):
    colour = " ".join(f"{self.random.random():.3g}" for _ in range(4))
    colour = self.maybe(.8, f'<color rgba="{colour}"/>')
    return f'<material name="m{self.random.randint(0, 2)}">{colour}</material>'

  def shape(self):
    kind = self.random.choice("box cylinder sphere capsule".split())
    if kind == "box":
      return f'<box size="{self.positive()} {self.positive()} {self.positive()}"/>'
    return f'<{kind} radius="{self.positive()}"' + ("" if kind == "sphere" else f' length="{self.positive()}"') + "/>"

  def geom(self):
    kind = self.random.choice(["visual", "collision"])
    self.geoms += 1
    name = self.maybe(.4, f' name="g{self.random.randint(0, 5) if self.wild else self.geoms}"')
    material = self.maybe(.5, self.material()) if kind == "visual" else ""
    return f"<{kind}{name}>{self.origin()}<geometry>{self.shape()}</geometry>{material}</{kind}>"

  def inertial(self):
    low = .1 if self.wild else .6  # of moments between 0.6 and 1 any two exceed the third
    a, b, c = (self.random.uniform(low, 1) for _ in range(3))
    off = [self.random.uniform(-.05, .05) if self.chance(.5) else 0 for _ in range(3)]
    moments = dict(ixx=a, iyy=b, izz=c, ixy=off[0], ixz=off[1], iyz=off[2])
    if self.wild and self.chance(.3):
      moments = dict.fromkeys(moments, 0)
    return (f'<inertial>{self.origin()}<mass value="{self.positive()}"/><inertia ' +
            " ".join(f'{key}="{value:.4g}"' for key, value in moments.items()) + "/></inertial>")

  def link(self, name):
    moves = not self.wild and name != self.links[0]  # what moves needs a mass
    parts = [self.geom() for _ in range(self.random.randint(0, 3))] + [self.maybe(1 if moves else .5, self.inertial())]
    self.random.shuffle(parts)
    return f'<link name="{name}">{"".join(parts)}</link>'

  def joint(self, i):
    parent = self.links[self.random.randrange(i)]
    kind = self.random.choices(TYPES, [4, 2, 3, 3, 1, 1, 1])[0]
    if not self.wild and kind == "floating" and (i > 1 or self.links[0] != "world"):
      kind = "revolute"  # only top-level bodies float
    limit = "<limit" + "".join(self.maybe(.6, f' {name}="{self.numbers(1, 2)}"')
                               for name in "lower upper effort velocity".split()) + "/>"
    if not self.wild:
      lower, effort = self.random.uniform(-2, 1), self.maybe(.6, f' effort="{self.positive()}"')
      limit = f'<limit lower="{lower:.4g}" upper="{lower + self.random.uniform(.1, 3):.4g}"{effort} velocity="2"/>'
    dynamics = "<dynamics" + "".join(self.maybe(.7, f' {name}="{self.positive()}"') for name in ("damping", "friction")) + "/>"
    parts = [f'<parent link="{parent}"/>', f'<child link="{self.links[i]}"/>', self.origin(), self.maybe(.4, limit) if self.wild or kind != "spherical" else "",
             self.maybe(.4, dynamics), self.maybe(.7, f'<axis xyz="{self.numbers(3)}"/>'),
             self.maybe(.1, '<mimic joint="j1" multiplier="2"/>')]
    self.random.shuffle(parts)
    return f'<joint name="j{i}" type="{kind}">{"".join(parts)}</joint>'

  def damage(self, text):
    """Takes an attribute or an element away, or spoils a number."""
    at = self.random.randrange(len(text))
    start = text.rfind(" ", 0, at)
    end = text.find('"', text.find('"', start) + 1) + 1
    return text[:start] + text[end:] if self.chance(.5) else text[:at] + text[at + 1:]


def main():
  folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
  first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
  folder.mkdir(parents=True, exist_ok=True)
  for seed in range(first, first + count):
    (folder / f"robot{seed}.urdf").write_text(Robot(seed).text)


if __name__ == "__main__":
  main()
