"""Random small scenes, to put both engines side by side where nobody thought of looking.

    python tests/conformance/random_models.py FOLDER COUNT [SEED] [--flex | --all-flexes]
    build/release/bin/conform_models REF CORTEN FOLDER --states 4 --steps 100 --explained tests/conformance/explained.txt

A scene has up to five trees of bodies with all kinds of geoms and joints, limits, friction, springs, contacts with all
parameters, tendons, equalities, actuators and sensors, and options that are drawn as well. Numbers are drawn so that
most scenes are well conditioned: the reference's own answer then moves little when its state moves by rounding. A scene
may be refused by both engines (singular inertia, tendons that may not sleep), which is an answer too. With --flex every
scene has one to three flexes besides, and nothing of what the reference is known to fail at with flexes: contacts with
condim 4 and 6, height fields, sleep, sensors beside interpolated flexes; with sparse rows, an interpolated flex before another one
and a flex without rows of edges between two that have them (docs/differences.md). With --all-flexes these are of all types but
gmsh, dimensions, kinds of dofs and pins, rigid ones too, in the world or in bodies with and without joints; left out are a material on
a hollow surface, which the reference refuses, and rigid flexes on bodies that move, whose lengths of edges it overwrites.
"""

import pathlib
import random
import re
import sys

SHAPES = "sphere capsule ellipsoid cylinder box mesh".split()
DISABLE = dict(constraint=.02, equality=.05, frictionloss=.05, limit=.05, contact=.03, gravity=.04, spring=.04,
               damper=.04, clampctrl=.04, warmstart=.15, filterparent=.1, actuation=.04, refsafe=.1, sensor=.03,
               midphase=.15, eulerdamp=.05, nativeccd=.15, island=.2)
ENABLE = dict(override=.1, energy=.15, fwdinv=.1, multiccd=.25, sleep=.15)


def numbers(*values):
  return " ".join(f"{x:.6g}" for x in values)


class Scene:
  """One MJCF file, made line by line; names of what there is are kept for what refers to them."""

  def __init__(self, seed):
    self.random = random.Random(seed)
    self.lines = ["<mujoco>", '<size memory="4M"/>']
    self.bodies, self.joints, self.hinges, self.limited, self.balls = [], [], [], [], []
    self.geoms, self.sites, self.cameras, self.tendons, self.limited_tendons, self.actuators = [], [], [], [], [], []
    self.shape_of = {}
    self.sleep = False
    for part in (self.options, self.assets, self.world, self.contacts, self.tendon_section, self.equalities,
                 self.actuator_section, self.sensors):
      part()
    self.lines.append("</mujoco>")

  # Drawing

  def chance(self, probability):
    return self.random.random() < probability

  def draw(self, low, high, count=1):
    return numbers(*(self.random.uniform(low, high) for _ in range(count)))

  def choose(self, *values):
    return self.random.choice(values)

  def direction(self):
    return numbers(*(self.random.gauss(0, 1) for _ in range(3)))

  def quaternion(self):
    if self.chance(.2):
      return self.choose("1 0 0 0", "0.707107 0.707107 0 0", "0 1 0 0", "0.707107 0 0 0.707107")
    return numbers(*(self.random.gauss(0, 1) for _ in range(4)))

  def maybe(self, probability, name, *values):
    """An attribute, often left out; a value may be a function."""
    if not self.chance(probability):
      return ""
    value = self.random.choice(values)
    return f' {name}="{value() if callable(value) else value}"'

  def softness(self, suffix=""):
    ref = lambda: self.choose(self.draw(.01, .06) + " " + self.draw(.5, 1.5),
                              self.draw(-3000, -50) + " " + self.draw(-60, -1))
    imp = lambda: (self.draw(.3, .95) + " " + self.draw(.3, .97) + " " + self.choose("0", ".001", ".01", ".1") + " " +
                   self.choose(".5", ".2", ".9") + " " + self.choose("1", "2", "3", "1.5"))
    return self.maybe(.25, "solref" + suffix, ref) + self.maybe(.25, "solimp" + suffix, imp)

  def add(self, line):
    self.lines.append(line)

  # Sections

  def options(self):
    flags = "".join(f' {name}="disable"' for name, p in DISABLE.items() if self.chance(p))
    on = [name for name, p in ENABLE.items() if self.chance(p)]
    self.sleep = "sleep" in on
    flags += "".join(f' {name}="enable"' for name in on)
    integrators = ["Euler", "implicit", "implicitfast"] + ([] if self.sleep else ["RK4"])
    self.add(f'<option solver="{self.choose("Newton", "Newton", "CG", "PGS")}"'
             f' cone="{self.choose("pyramidal", "elliptic")}"'
             f' timestep="{self.choose(".002", ".002", ".005", ".001", ".01")}"' +
             self.maybe(.5, "jacobian", "dense", "sparse") + self.maybe(.15, "noslip_iterations", "1", "3", "6") +
             self.maybe(.3, "impratio", ".5", "3", "10") + self.maybe(.3, "integrator", *integrators) +
             self.maybe(.1, "tolerance", "1e-10", "1e-6") +
             self.maybe(.2, "gravity", lambda: self.draw(-3, 3, 2) + " " + self.draw(-10, 3)) +
             self.maybe(.1, "o_margin", lambda: self.draw(0, .05)) + self.maybe(.1, "ccd_iterations", "5", "20", "60") +
             self.maybe(.1, "density", "1.2") + self.maybe(.1, "wind", lambda: self.draw(-1, 1, 3)) +
             self.maybe(.7, "sleep_tolerance", ".001", ".01", ".1") + f"><flag{flags}/></option>")

  def assets(self):
    self.add("<asset>")
    for i in range(2):
      radius, points = self.random.uniform(.05, .2), []
      for _ in range(self.random.choice([5, 8, 20, 40])):
        point = [self.random.gauss(0, 1) for _ in range(3)]
        length = sum(x * x for x in point) ** .5
        points.append(numbers(*(radius * x / length for x in point)))
      self.add(f'<mesh name="m{i}" vertex="{" ".join(points)}"' + self.maybe(.2, "maxhullvert", "6", "12") + "/>")
    self.add(f'<hfield name="h" nrow="4" ncol="5" size="{self.draw(.5, 2, 2)} {self.draw(.1, .5)} .2" '
             f'elevation="{self.draw(0, 1, 20)}"/>')
    self.add("</asset>")

  def geom(self, fixed=False):
    name, shape = f"g{len(self.geoms)}", self.random.choice(SHAPES)
    if fixed:
      shape = self.choose("plane", "plane", "hfield", shape)
    place = f'pos="{self.draw(-.1, .1, 2)} {self.draw(-.3, 0)}"'
    if shape not in ("plane", "hfield"):
      place = f'pos="{self.draw(-.15, .15, 3)}" quat="{self.quaternion()}"'
    what = {"mesh": f'mesh="m{self.choose(0, 1)}"', "hfield": 'hfield="h"', "plane": 'size="2 2 1"'}
    self.geoms.append(name)
    self.shape_of[name] = shape
    size = f'size="{self.draw(.03, .2, 3)}"'
    self.add(f'<geom name="{name}" type="{shape}" {what.get(shape, size)} {place}' +
             self.maybe(.6, "condim", "1", "3", "4", "6") +
             self.maybe(.5, "friction",
                        lambda: " ".join((self.draw(.1, 1.5), self.draw(.005, .05), self.draw(.001, .01)))) +
             self.maybe(.3, "margin", lambda: self.draw(0, .05)) + self.maybe(.2, "gap", lambda: self.draw(0, .03)) +
             self.maybe(.2, "priority", "0", "1", "2") + self.maybe(.2, "solmix", "0", ".5", "2") +
             self.maybe(.1, "contype", "0", "1", "2") + self.maybe(.1, "conaffinity", "0", "1", "3") +
             self.maybe(.2, "group", "1", "3", "5") + self.maybe(.1, "rgba", "1 0 0 0", "1 0 0 1") +
             self.softness() + "/>")

  def joint(self, kind):
    name, limited = f"j{len(self.joints)}", self.chance(.5)
    span = {"hinge": lambda: self.draw(-60, -5) + " " + self.draw(5, 60),
            "slide": lambda: self.draw(-.3, 0) + " " + self.draw(.02, .3),
            "ball": lambda: "0 " + self.draw(10, 120)}[kind]
    axis = "" if kind == "ball" else f' axis="{self.direction()}"'
    self.joints.append(name)
    (self.balls if kind == "ball" else self.hinges).append(name)
    if limited:
      self.limited.append(name)
    self.add(f'<joint name="{name}" type="{kind}"{axis} armature="{self.draw(.005, .1)}"' +
             (f' range="{span()}"' + self.softness("limit") if limited else "") +
             self.maybe(.4, "pos", lambda: self.draw(-.1, .1, 3)) +
             self.maybe(.3, "frictionloss", lambda: self.draw(0, 2)) +
             self.maybe(.3, "stiffness", lambda: self.draw(0, 30)) +
             self.maybe(.5, "damping", lambda: self.draw(0, 2)) + "/>")

  def body(self, depth, mocap=False):
    name = f"b{len(self.bodies)}"
    self.bodies.append(name)
    place = f'pos="{self.draw(-.3, .3, 2)} {self.draw(0, .5)}"' if depth == 0 else f'pos="{self.draw(-.25, .25, 3)}"'
    self.add(f'<body name="{name}" {place} quat="{self.quaternion()}"' + (' mocap="true"' if mocap else "") +
             (self.maybe(.2, "sleep", "never") if self.sleep and depth == 0 and not mocap else "") + ">")
    if not mocap:
      if depth == 0 and self.chance(.55):
        self.add("<freejoint/>")
      elif depth == 0 or self.chance(.85):
        for kind in self.choose(["hinge"], ["hinge"], ["slide"], ["ball"], ["slide", "hinge"], ["slide", "ball"]):
          self.joint(kind)
    for _ in range(self.choose(1, 1, 1, 2, 3)):
      self.geom()
    for _ in range(self.choose(0, 1, 1, 2)):
      self.site()
    if self.chance(.15):
      self.cameras.append(f"c{len(self.cameras)}")
      self.add(f'<camera name="{self.cameras[-1]}" pos="{self.draw(-1, 1, 3)}" quat="{self.quaternion()}"'
               f' resolution="3 2"' +
               self.maybe(.3, "projection", "orthographic") + "/>")
    if not mocap and depth < 3:
      for _ in range(self.choose(0, 0, 1, 1, 2)):
        self.body(depth + 1)
    self.add("</body>")

  def site(self):
    self.sites.append(f"s{len(self.sites)}")
    self.add(f'<site name="{self.sites[-1]}" pos="{self.draw(-.2, .2, 3)}" quat="{self.quaternion()}" '
             f'type="{self.random.choice(SHAPES[:-1])}" size="{self.draw(.05, .3, 3)}"/>')

  def world(self):
    self.add("<worldbody>")
    for _ in range(self.choose(0, 1, 1, 2)):
      self.geom(fixed=True)
    self.site()
    for _ in range(self.choose(1, 2, 3, 4)):
      self.body(0)
    if self.chance(.2):
      self.body(0, mocap=True)
    self.add("</worldbody>")

  def contacts(self):
    self.add("<contact>")
    if self.chance(.2) and len(self.bodies) > 1:
      first, second = self.random.sample(self.bodies, 2)
      self.add(f'<exclude body1="{first}" body2="{second}"/>')
    for _ in range(self.choose(0, 0, 0, 1, 2)):
      if len(self.geoms) > 1:
        first, second = self.random.sample(self.geoms, 2)
        self.add(f'<pair geom1="{first}" geom2="{second}"' + self.maybe(.6, "condim", "1", "3", "4", "6") +
                 self.maybe(.6, "friction", lambda: self.draw(.05, 1, 5)) +
                 self.maybe(.4, "margin", lambda: self.draw(0, .1)) + self.maybe(.3, "gap", lambda: self.draw(0, .05)) +
                 self.maybe(.3, "solreffriction", lambda: self.draw(.01, .1) + " 1", "-50 -10") +
                 self.softness() + "/>")
    self.add("</contact>")

  def tendon_section(self):
    self.add("<tendon>")
    for i in range(self.choose(0, 0, 1, 2)):
      limited = self.chance(.5)
      attributes = f' name="t{i}"'
      if limited:
        attributes += f' range="{self.draw(-.2, .2)} {self.draw(.25, .9)}"' + self.softness("limit")
      attributes += (self.maybe(.35, "frictionloss", lambda: self.draw(0, 3)) +
                     self.maybe(.3, "stiffness", lambda: self.draw(0, 50)) +
                     self.maybe(.3, "damping", lambda: self.draw(0, 3)))
      wraps = [g for g in self.geoms if self.shape_of[g] in ("sphere", "cylinder")]
      if self.hinges and self.chance(.4):
        joints = self.random.sample(self.hinges, min(len(self.hinges), 2))
        path = "".join(f'<joint joint="{j}" coef="{self.draw(-2, 2)}"/>' for j in joints)
        self.add(f"<fixed{attributes}>{path}</fixed>")
      elif len(self.sites) > 1:
        first, last = self.random.sample(self.sites, 2)
        middle = f'<geom geom="{self.random.choice(wraps)}"/>' if wraps and self.chance(.5) else ""
        self.add(f'<spatial{attributes}><site site="{first}"/>{middle}<site site="{last}"/></spatial>')
      else:
        continue
      self.tendons.append(f"t{i}")
      if limited:
        self.limited_tendons.append(f"t{i}")
    self.add("</tendon>")

  def equalities(self):
    self.add("<equality>")
    for _ in range(self.choose(0, 0, 1, 2)):
      rest = self.softness() + self.maybe(.1, "active", "false") + "/>"
      kind = self.choose("connect", "weld", "joint", "tendon", "sites")
      if kind in ("connect", "weld") and len(self.bodies) > 1:
        first, second = self.random.sample(self.bodies, 2)
        anchor = f' anchor="{self.draw(-.2, .2, 3)}"'
        if kind == "weld":
          anchor += self.maybe(.4, "relpose", lambda: self.draw(-.2, .2, 3) + " " + self.quaternion())
        self.add(f'<{kind} body1="{first}"' + self.maybe(.7, "body2", second) + anchor + rest)
      if kind == "sites" and len(self.sites) > 1:
        first, second = self.random.sample(self.sites, 2)
        self.add(f'<{self.choose("connect", "weld")} site1="{first}" site2="{second}"' + rest)
      if kind == "joint" and len(self.hinges) > 1:
        first, second = self.random.sample(self.hinges, 2)
        self.add(f'<joint joint1="{first}"' + self.maybe(.7, "joint2", second) +
                 f' polycoef="{self.draw(-1, 1, 5)}"' + rest)
      if kind == "tendon" and self.tendons and not self.sleep:
        self.add(f'<tendon tendon1="{self.random.choice(self.tendons)}" polycoef="{self.draw(-.5, .5, 5)}"' + rest)
    self.add("</equality>")

  def actuator_section(self):
    self.add("<actuator>")
    targets = [f'joint="{j}"' for j in self.joints] + [f'tendon="{t}"' for t in self.tendons]
    targets += [f'site="{s}"' for s in self.sites]
    for i in range(self.choose(0, 0, 1, 2, 4)):
      common = (f' name="a{i}" {self.random.choice(targets)}' +
                self.maybe(.2, "forcerange", lambda: self.draw(-5, 0) + " " + self.draw(.1, 5)) +
                self.maybe(.3, "gear", lambda: self.draw(-2, 2, 6)))
      stuck = f'name="a{i}" body="{self.random.choice(self.bodies)}" ctrlrange="0 3"'
      self.add(self.choose(f"<motor{common}" + self.maybe(.3, "ctrlrange", "-.5 .7"),
                           f'<position{common} kp="{self.draw(1, 50)}"', f'<velocity{common} kv="{self.draw(.1, 5)}"',
                           f'<intvelocity{common} kp="{self.draw(1, 50)}" actrange="-.5 .5"',
                           f'<general{common} dyntype="filterexact" dynprm="{self.draw(.01, .5)}" gainprm="3"',
                           f'<adhesion {stuck} gain="{self.draw(0, 20)}"') + "/>")
      self.actuators.append(f"a{i}")
    self.add("</actuator>")

  def frame(self, prefix):
    kind, names = self.choose(("body", self.bodies), ("xbody", self.bodies), ("geom", self.geoms), ("site", self.sites))
    return f' {prefix}type="{kind}" {prefix}name="{self.random.choice(names)}"'

  def sensor(self):
    site, body = self.random.choice(self.sites), self.random.choice(self.bodies)
    at_site = "touch accelerometer velocimeter gyro force torque magnetometer".split()
    kinds = [f'<{kind} site="{site}"' for kind in at_site]
    kinds += [f'<rangefinder site="{site}" data="dist point normal"', f'<insidesite site="{site}"' + self.frame("obj"),
              f'<subtreelinvel body="{body}"', f'<subtreeangmom body="{body}"', "<e_kinetic", "<e_potential",
              "<framepos" + self.frame("obj") + self.frame("ref"), "<framelinacc" + self.frame("obj"),
              "<framelinvel" + self.frame("obj") + self.frame("ref"),
              f'<contact subtree1="{body}" data="found force dist pos normal" num="3"' +
              self.maybe(.8, "reduce", "mindist", "maxforce", "netforce")]
    kinds += [f'<{self.choose("jointpos", "jointvel", "jointactuatorfrc")} joint="{j}"' for j in self.hinges]
    kinds += [f'<{self.choose("jointlimitpos", "jointlimitfrc")} joint="{j}"' for j in self.limited]
    kinds += [f'<ballangvel joint="{j}"' for j in self.balls]
    kinds += [f'<{self.choose("tendonpos", "tendonvel", "tendonactuatorfrc")} tendon="{t}"' for t in self.tendons]
    kinds += [f'<tendonlimitfrc tendon="{t}"' for t in self.limited_tendons]
    kinds += [f'<{self.choose("actuatorpos", "actuatorvel", "actuatorfrc")} actuator="{a}"' for a in self.actuators]
    kinds += [f'<rangefinder camera="{c}"' for c in self.cameras]
    if len(self.bodies) > 1:
      first, second = self.random.sample(self.bodies, 2)
      kinds.append(f'<{self.choose("distance", "normal", "fromto")} body1="{first}" body2="{second}"')
    kind = self.random.choice(kinds)
    if kind.startswith("<contact"):
      return kind + "/>"
    past = self.maybe(.15, "nsample", '5" interp="linear" delay=".01', '4" interval=".012')
    return kind + self.maybe(.3, "cutoff", lambda: self.draw(.01, 2)) + past + "/>"

  def sensors(self):
    self.add("<sensor>")
    for _ in range(self.choose(0, 3, 6)):
      self.add(self.sensor())
    self.add("</sensor>")


class FlexScene(Scene):
  """A scene with flexes of all kinds among the bodies."""

  def add(self, line):
    for old, new in {'condim="4"': 'condim="3"', 'condim="6"': 'condim="3"', 'sleep="enable"': "", 'sleep="never"': "",
                     'type="hfield" hfield="h"': 'type="plane" size="2 2 1"'}.items():
      line = line.replace(old, new)
    super().add(line)

  def flex_contact(self, interpolated, dim):
    mode = "none" if interpolated else self.choose("none", "auto", "narrow", "bvh", "sap")
    return (f'<contact selfcollide="{mode}"' + self.maybe(.4, "condim", "1", "3") +
            self.maybe(.3, "friction", lambda: self.draw(.1, 1.5)) + self.maybe(.3, "margin", lambda: self.draw(0, .01)) +
            self.maybe(.2, "gap", lambda: self.draw(0, .005)) + self.maybe(.2, "priority", "0", "1") +
            self.maybe(.2, "solmix", ".5", "2") + self.maybe(.1, "contype", "0", "2") + self.maybe(.1, "conaffinity", "0", "3") +
            ("" if interpolated else self.maybe(.2, "internal", "true")) + self.maybe(.15, "passive", "true") +
            (self.maybe(.3, "activelayers", "2") if dim == 3 else "") + self.maybe(.1, "vertcollide", "true") +
            self.softness() + "/>")

  def flex_material(self, dim, kind, held):
    damping = self.maybe(.6, "damping", lambda: self.draw(1e-4, .01))
    elastic = f'<elasticity young="{self.draw(1e3, 2e4)}" poisson="{self.draw(0, .4)}"{damping}'
    if dim == 1:
      return ('<edge equality="true"/>' if self.chance(.5) else
              f'<edge stiffness="{self.draw(50, 800)}" damping="{self.draw(.05, 2)}"/>')
    if dim == 3:
      return elastic + "/>"
    if kind == "edges":
      return f'<edge equality="true"' + self.maybe(.5, "damping", lambda: self.draw(.001, .05)) + self.softness() + "/>"
    kinds = ["stretch"] if held else ["stretch", "bend", "both"]
    return (f'{elastic} thickness="{self.draw(.001, .01)}" elastic2d="{self.choose(*kinds)}"/>' +
            f'<edge damping="{self.draw(.001, .05)}"/>')

  def flex(self, i):
    dim = self.choose(1, 2, 2, 2, 3, 3)
    dof = self.choose("full", "full", "trilinear", "quadratic") if dim == 3 else "full"
    interpolated = dof != "full"
    least = {"full": 2, "trilinear": 4, "quadratic": 5}[dof]
    most = {1: 10, 2: 5, 3: 3 if dof == "full" else 5}[dim]
    count = [self.random.randint(max(2, least), most) for _ in range(dim)] + [1] * (3 - dim)
    held = dof == "full" and self.chance(.5)
    spacing = self.random.uniform(.04, .08)
    self.interpolated = self.interpolated or interpolated
    self.add(f'<flexcomp name="f{i}" type="grid" dim="{dim}" dof="{dof}" count="{numbers(*count)}" spacing="{numbers(*[spacing] * 3)}"'
             f' radius="{self.draw(.003, .012)}" mass="{self.draw(.1, 1)}" pos="{self.draw(-.2, .2, 2)} {self.draw(.1, .5)}"' +
             self.maybe(.5, "quat", self.unit_quaternion) + ">")
    kind = self.choose("edges", "shell")
    material = self.flex_material(dim, kind, held)
    self.kinds += "i" if interpolated else "r" if "damping" in material or "equality" in material else "-"
    self.add(material)
    self.add(self.flex_contact(interpolated, dim))
    if held:
      self.add(f'<pin id="{self.random.randrange(count[0])}"/>')
    self.add("</flexcomp>")

  def unit_quaternion(self):
    q = [self.random.gauss(0, 1) for _ in range(4)]
    length = sum(x * x for x in q) ** .5
    return " ".join(f"{x / length:.9g}" for x in q)

  def world(self):
    self.interpolated = False
    self.kinds = ""  # of flexes: interpolated, with rows of edges, without
    super().world()
    self.lines[1] = '<size memory="400M"/>'
    self.add("<worldbody>")
    for i in range(self.choose(1, 1, 2, 3)):
      self.flex(i)
    self.add("</worldbody>")
    if re.search("i.|r[i-]+r", self.kinds):
      self.lines[2] = re.sub(r' jacobian="\w+"', "", self.lines[2]).replace("<option", '<option jacobian="dense"')

  def sensors(self):
    if not self.interpolated:
      super().sensors()


ICOSAHEDRON = [(0, 0, .1), (.09, 0, .04), (.03, .085, .045), (-.07, .05, .04), (-.07, -.05, .045), (.03, -.085, .04),
               (.07, .05, -.045), (-.03, .085, -.04), (-.09, 0, -.045), (-.03, -.085, -.04), (.07, -.05, -.045), (0, 0, -.1)]
ICOSAHEDRON_FACES = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5), (0, 5, 1), (1, 6, 2), (2, 7, 3), (3, 8, 4), (4, 9, 5), (5, 10, 1),
                     (2, 6, 7), (3, 7, 8), (4, 8, 9), (5, 9, 10), (1, 10, 6), (11, 7, 6), (11, 8, 7), (11, 9, 8), (11, 10, 9),
                     (11, 6, 10)]


class AllFlexScene(FlexScene):
  """A scene with flexes of every type, dimension, kind of dof and pin, on bodies that move too."""

  TYPES = dict(grid=(1, 2, 3), box=(2, 3), cylinder=(2, 3), ellipsoid=(2, 3), square=(2,), disc=(2,), circle=(1,), mesh=(2, 3),
               direct=(1, 2, 3))

  def counts(self, kind, dim):
    if kind == "circle" or dim == 1:
      return [self.random.randint(3, 9), 1, 1]
    count = [self.random.randint(2, 4) for _ in range(3)]
    return count[:2] + [1] if kind in ("square", "disc") or (kind, dim) == ("grid", 2) else count

  def points(self, kind, dim):
    """Attributes that say where points are, and how many there are at least."""
    if kind == "mesh":
      return ' file="icosahedron.obj"' + (f' origin="0 0 {self.draw(-.02, .02)}"' if dim == 3 else ""), 12
    if kind != "direct":
      count = self.counts(kind, dim)
      return f' count="{numbers(*count)}" spacing="{self.draw(.04, .09, 3)}"', 3
    points = self.random.randint(4, 8)
    elements = [self.random.sample(range(points), dim + 1) for _ in range(self.random.randint(1, 5))]
    return f' point="{self.draw(-.1, .1, 3 * points)}" element="{" ".join(numbers(*e) for e in elements)}"', points

  def dofs(self, kind, dim):
    if dim < 3:
      return "full"
    return self.choose("full", "full", "trilinear", "quadratic", "radial" if kind in ("ellipsoid", "mesh") else "full")

  def pins(self, kind, dim, interpolated, points):
    pick = lambda: self.random.randrange(points)
    kinds = [f'<pin id="{pick()} {pick()}"/>', '<pin range="0 1"/>', f'<pin id="{pick()}"/><pin range="1 2"/>']
    if dim > 1 and (kind == "grid" or interpolated and kind == "box"):
      kinds += [f'<pin grid="{numbers(*[self.choose(0, 1)] * dim)}"/>', f'<pin gridrange="{numbers(*[0] * dim, *[1] * dim)}"/>']
    return self.choose(*kinds) if self.chance(.5) else ""

  def flexcomp(self, i, moving):
    kind = self.choose("grid", *self.TYPES)
    dim = self.choose(*self.TYPES[kind])
    dof = self.dofs(kind, dim)
    interpolated = dof in ("trilinear", "quadratic")
    rigid = dof == "full" and not moving and self.chance(.15)
    where, points = self.points(kind, dim)
    hollow = dim == 2 and kind in ("box", "cylinder", "ellipsoid")
    self.interpolated = self.interpolated or interpolated
    self.add(f'<flexcomp name="f{i}" type="{kind}" dim="{dim}" dof="{dof}"{where} radius="{self.draw(.003, .008)}"'
             f' mass="{self.draw(.1, 1)}" pos="{self.draw(-.2, .2, 2)} {self.draw(.1, .5)}"' +
             self.maybe(.5, "quat", self.unit_quaternion) + self.maybe(.3, "scale", lambda: self.draw(.6, 1.6, 3)) +
             self.maybe(.3, "inertiabox", lambda: self.draw(.001, .02)) + ("" if hollow else self.maybe(.2, "material", "cloth")) +
             self.maybe(.3, "flatskin", "true") + (' rigid="true"' if rigid else "") + ">")
    pins = self.pins(kind, dim, interpolated, points)
    self.add(self.flex_material(dim, self.choose("edges", "shell"), pins))
    self.add(self.flex_contact(interpolated, dim))
    self.add(pins)
    self.add("</flexcomp>")

  def flex(self, i):
    carried, moving = self.chance(.5), ""
    if carried:
      moving = self.choose("", "<freejoint/>", f'<joint axis="{self.direction()}" armature=".01"/>',
                           f'<joint type="slide" axis="{self.direction()}" damping=".1"/>', '<joint type="ball" armature=".01"/>')
      self.add(f'<body name="carrier{i}" pos="{self.draw(-.2, .2, 3)}" quat="{self.unit_quaternion()}">{moving}'
               f'<geom size=".03" pos="{self.draw(-.1, .1, 3)}"/>')
    self.flexcomp(i, moving)
    if carried:
      self.add("</body>")
    self.kinds += "i"  # dense rows wherever there are two

  def world(self):
    super().world()
    self.add('<asset><texture name="squares" type="2d" builtin="checker" width="8" height="8"/>'
             '<material name="cloth" texture="squares"/></asset>')


def write_icosahedron(folder):
  lines = [f"v {numbers(*v)}" for v in ICOSAHEDRON] + [f"f {numbers(*(k + 1 for k in f))}" for f in ICOSAHEDRON_FACES]
  (folder / "icosahedron.obj").write_text("\n".join(lines) + "\n")


def main():
  kind = Scene
  if "--flex" in sys.argv:
    sys.argv.remove("--flex")
    kind = FlexScene
  if "--all-flexes" in sys.argv:
    sys.argv.remove("--all-flexes")
    kind = AllFlexScene
  folder, count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
  first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
  folder.mkdir(parents=True, exist_ok=True)
  if kind is AllFlexScene:
    write_icosahedron(folder)
  for seed in range(first, first + count):
    (folder / f"scene{seed}.xml").write_text("\n".join(kind(seed).lines) + "\n")


if __name__ == "__main__":
  main()
