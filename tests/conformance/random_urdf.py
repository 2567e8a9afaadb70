"""Random URDF files, for conform_models and conform_saving.

    python tests/conformance/random_urdf.py FOLDER COUNT [SEED]
    build/release/bin/conform_models REF CORTEN FOLDER --ask loads,model
    build/release/bin/conform_saving REF CORTEN FOLDER

A robot has up to eight links in any order, joints of all types, origins, axes, limits that may be half given or reversed,
inertias that may be wrong, shapes, colours and names that may clash, and settings in a `mujoco` element. Some have a mistake,
which both libraries must refuse.
"""

import pathlib
import random
import sys

TYPES = "revolute continuous prismatic fixed floating planar spherical".split()


class Robot:
  """One file, made from a seed."""

  def __init__(self, seed):
    self.random = random.Random(seed)
    count = self.random.randint(1, 8)
    self.links = [f"l{i}" for i in range(count)]
    if self.chance(.3):
      self.links[self.random.randrange(count)] = "world"
    parts = [self.material() for _ in range(self.random.randint(0, 2))]
    parts += [self.link(name) for name in self.links]
    parts += [self.joint(i) for i in range(1, count) if self.chance(.9)]
    self.random.shuffle(parts)
    self.text = f'<robot name="r{seed}">\n' + self.settings() + "\n".join(parts) + "\n</robot>\n"
    if self.chance(.05):
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
    name = self.maybe(.4, f' name="g{self.random.randint(0, 5)}"')
    material = self.maybe(.5, self.material()) if kind == "visual" else ""
    return f"<{kind}{name}>{self.origin()}<geometry>{self.shape()}</geometry>{material}</{kind}>"

  def inertial(self):
    a, b, c = (self.random.uniform(.1, 1) for _ in range(3))
    off = [self.random.uniform(-.05, .05) if self.chance(.5) else 0 for _ in range(3)]
    moments = dict(ixx=a, iyy=b, izz=c, ixy=off[0], ixz=off[1], iyz=off[2])
    if self.chance(.1):
      moments = dict.fromkeys(moments, 0)
    return (f'<inertial>{self.origin()}<mass value="{self.positive()}"/><inertia ' +
            " ".join(f'{key}="{value:.4g}"' for key, value in moments.items()) + "/></inertial>")

  def link(self, name):
    parts = [self.geom() for _ in range(self.random.randint(0, 3))] + [self.maybe(.5, self.inertial())]
    self.random.shuffle(parts)
    return f'<link name="{name}">{"".join(parts)}</link>'

  def joint(self, i):
    parent = self.links[self.random.randrange(i)]
    kind = self.random.choices(TYPES, [4, 2, 3, 3, 1, 1, 1])[0]
    limit = "<limit" + "".join(self.maybe(.6, f' {name}="{self.numbers(1, 2)}"')
                               for name in "lower upper effort velocity".split()) + "/>"
    dynamics = "<dynamics" + "".join(self.maybe(.7, f' {name}="{self.positive()}"') for name in ("damping", "friction")) + "/>"
    parts = [f'<parent link="{parent}"/>', f'<child link="{self.links[i]}"/>', self.origin(), self.maybe(.4, limit),
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
