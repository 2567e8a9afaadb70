"""What the formulas of plugin/gear.c and plugin/screw.c rest on: measures the distance fields of the reference's gear,
bolt and nut as a surveyor would, fits the few numbers that the mathematics leaves open, and checks the whole at random
points. Prints each law with what it leaves unexplained.

The shapes had formulas before they were measured here, so the measurements were not blind: numbers are fitted freely, but
which law to try (the parabolas, what they lose outside of an edge, the order of largest and smallest) was known.

Only what the public callbacks sdf_staticdistance and sdf_aabb return is used. Run it with a Python that has mujoco 3.5.0:
    python tests/record/fit_shapes.py
"""

import ctypes
import math
import pathlib

import numpy as np

from recorded import reference

mujoco = reference()
library = ctypes.CDLL(str(next(pathlib.Path(mujoco.__file__).parent.glob("libmujoco.so.*"))))
NUMBERS = ctypes.POINTER(ctypes.c_double)


class Plugin(ctypes.Structure):
  """The public struct mjpPlugin, as far as it is needed."""
  _fields_ = [("name", ctypes.c_char_p), ("nattribute", ctypes.c_int), ("attributes", ctypes.c_void_p),
              ("capabilityflags", ctypes.c_int), ("needstage", ctypes.c_int), ("others", ctypes.c_void_p * 12),
              ("distance", ctypes.CFUNCTYPE(ctypes.c_double, NUMBERS, NUMBERS)), ("attribute", ctypes.c_void_p),
              ("aabb", ctypes.CFUNCTYPE(None, NUMBERS, NUMBERS))]


library.mjp_getPlugin.restype = ctypes.POINTER(Plugin)


def field(shape):
  """The distance field of a shape: a function of its attributes and of a point."""
  distance = library.mjp_getPlugin(b"mujoco.sdf." + shape.encode(), None).contents.distance
  return lambda attributes, x, y, z: distance((ctypes.c_double * 3)(x, y, z),
                                              (ctypes.c_double * len(attributes))(*attributes))


def half_box(shape, attributes):
  box = (ctypes.c_double * 6)()
  library.mjp_getPlugin(b"mujoco.sdf." + shape.encode(), None).contents.aabb(box, (ctypes.c_double * len(attributes))(*attributes))
  return box[3:]


def report(law, coefficients, residual):
  numbers = "  ".join(f"{c:.9g}" for c in np.atleast_1d(coefficients))
  print(f"{law:<84}{numbers:<40}{residual:8.1e}")


def fit(law, columns, values):
  """Least squares; reports the coefficients and the largest residual."""
  columns, values = np.array(columns, dtype=float), np.array(values, dtype=float)
  coefficients = np.linalg.lstsq(columns, values, rcond=None)[0]
  report(law, coefficients, np.abs(columns @ coefficients - values).max())
  return coefficients


# Gear

gear = field("gear")
THICK = 100.0  # so that in the plane z = 0 only the profile counts
WHEELS = [(d, n) for d in (0.7, 1.5, 2.8, 4.0) for n in (9, 12, 17, 25, 31, 40)]


def profile(d, n, r, azimuth, alpha=0.0, inner=-1.0):
  return gear((alpha, d, n, THICK, inner), r * math.cos(azimuth), r * math.sin(azimuth), 0.0)


def involute(a):
  return math.tan(a) - a


def gear_circles():
  """Far from the teeth and in the hole the field is that of a circle, whose radius is r - d or r + d."""
  tip = [(d, n, 5 * d - profile(d, n, 5 * d, 0.3)) for d, n in WHEELS]
  fit("tip radius = a D + b D/N", [(d, d / n) for d, n, _ in tip], [t for _, _, t in tip])
  hole = [(d, n, profile(d, n, 0.01 * d, 0.3) + 0.01 * d) for d, n in WHEELS]
  fit("radius of the hole that is not given = a D + b D/N", [(d, d / n) for d, n, _ in hole], [h for _, _, h in hole])
  given = [(i, profile(2.8, 25, 0.01, 0.3, inner=i) + 0.01) for i in (0.1, 0.5, 1.0, 1.7)]
  fit("radius of a hole that is given = a innerdiameter", [(i,) for i, _ in given], [h for _, h in given])
  d, n = 40.0, 6  # gaps so wide that the teeth count far outside
  top = d / 2 + d / n
  bare = [u for u in np.linspace(0.1, 0.3, 2001) if abs(profile(d, n, top + u, 0.0) - u) < 1e-9]
  report("from how far beyond the tip circle there is only that circle", [bare[0]], 1e-4)


def slope(d, n, r, azimuth, step):
  return (profile(d, n, r, azimuth + step) - profile(d, n, r, azimuth - step)) / (2 * step)


def gear_pressure():
  """The distance to an involute along its string is rb (inv(acos(rb/r)) - t): linear in the azimuth t with the base
  radius as its slope, which tells the pressure angle p = acos(rb/R) for each number of teeth."""
  counts, angles = list(range(10, 46)), []
  for n in counts:
    d = 2.8
    radius = d / 2
    slopes = [abs(slope(d, n, radius, t, 1e-3 / n)) for t in np.linspace(0, 2 * math.pi / n, 60)]
    angles.append(math.acos(np.median(slopes) / radius))
  return fit("pressure angle p(N) = a N^2 + b N + c", [(n * n, n, 1) for n in counts], angles)


def radii(d, n, p):
  radius = d / 2
  return radius * math.cos(np.polyval(p, n)), radius - 1.2 * d / n, radius + d / n


def gear_tooth(p):
  """Where a flank is: the azimuth of the tooth's middle, and half the angle that it takes on the base circle."""
  middles, halves = [], []
  for d, n in WHEELS:
    base, _, _ = radii(d, n, p)
    r = d / 2
    t = np.linspace(0, 2 * math.pi / n, 4001)
    v = np.array([profile(d, n, r, x) for x in t])
    sides = []
    for sign in (1, -1):  # the line through both ends of the steepest part of each side
      k = [i for i in range(10, 3990) if abs(sign * (v[i + 5] - v[i - 5]) / (t[i + 5] - t[i - 5]) / base - 1) < 1e-9]
      i = k[len(k) // 2]
      sides.append(t[i] - v[i] / (sign * base))
    up, down = sides
    pitch = 2 * math.pi / n
    half = ((up - down) % pitch) / 2
    middles.append((down + half) % pitch)
    halves.append(half)
  angle = [np.polyval(p, n) for _, n in WHEELS]
  fit("half a tooth on the pitch circle = a (2 pi / N)", [(2 * math.pi / n,) for _, n in WHEELS], halves)
  fit("azimuth of its middle = a (2 pi / N) + b inv(p)", [(2 * math.pi / n, involute(q)) for (_, n), q in zip(WHEELS, angle)],
      middles)


def gear_below_base(p):
  """Inside of the base circle a flank has no involute: the slope there, in a tooth, where the root does not count."""
  slopes = []
  for d in (0.7, 2.8, 4.0):
    n = 12
    base, _, _ = radii(d, n, p)
    half = math.pi / (2 * n) + involute(np.polyval(p, n))
    slopes.append(slope(d, n, base - 1e-4 * d, 2 * half - 0.03, 1e-3))
  return slopes


def flank(d, n, p, r, azimuth):
  """The sharp distance to the nearest tooth without tip and root: an angle inside of the base circle, a length outside."""
  base, _, _ = radii(d, n, p)
  pitch = 2 * math.pi / n
  half = pitch / 4 + involute(np.polyval(p, n))
  off = abs(math.remainder(azimuth - half, pitch))
  radial = off - half
  return radial if r < base else max(radial, base * (involute(math.acos(base / r)) + radial))


def gear_roundings(p):
  """Near an edge the field differs from max(a, b), in a fillet from min(a, b), by a bump that is fitted here."""
  random = np.random.default_rng(1)
  tip, root = [], []
  for d, n in WHEELS:
    base, foot, top = radii(d, n, p)
    for _ in range(4000):
      r, t = random.uniform(0.97 * base, top + 0.01 * d), random.uniform(0, 2 * math.pi / n)
      a, b = flank(d, n, p, r, t), r - top
      if abs(a - b) < 0.003 * d and a + b < 0 and r - foot > max(a, b) + (base - foot):
        tip.append((d, abs(a - b), profile(d, n, r, t) - max(a, b)))
    if n > 25:
      continue
    for _ in range(400):
      r, t = random.uniform(foot, base + 0.3 * (top - base)), random.uniform(0, 2 * math.pi / n)
      a, b = flank(d, n, p, r, t), r - foot
      k = base - foot
      if abs(a - b) < 0.9 * k and a - (r - top) > 0.01 * d:
        root.append((k, abs(a - b), min(a, b) - profile(d, n, r, t)))
  # a parabola in |a - b| that ends with slope 0 at |a - b| = k is (k - |a - b|)^2 / (4 k): sqrt(k bump) is linear
  c = fit("tip: sqrt(4 bump D) = a D + b |a - b|, so k = a^2 D", [(d, u) for d, u, _ in tip],
          [math.sqrt(4 * e * d) for d, u, e in tip])
  print(f"     k / D = {c[0] ** 2:.9g}; b a = {c[0] * c[1]:.9g}")
  fit("root: sqrt(4 k bump) = a k + b |a - b| with k = base - root", [(k, u) for k, u, _ in root],
      [math.sqrt(4 * k * e) for k, u, e in root])


def edge(a, b, k):
  """The larger of two, rounded inside of both; outside the bump is less by a + b."""
  bump = max(k - abs(a - b), 0) ** 2 / (4 * k) - max(a + b, 0)
  return max(a, b) + max(bump, 0)


def fillet(a, b, k):
  """The smaller of two, filled; with a negative width it is the larger, with a bump."""
  bump = max(abs(k) - abs(a - b), 0) ** 2 / (4 * k)
  return (min(a, b) if k > 0 else max(a, b)) - bump


def gear_law(p, alpha, d, n, thickness, inner, x, y, z):
  base, foot, top = radii(d, n, p)
  hole = inner / 2 if inner >= 0 else foot - 0.14 * d
  r = math.hypot(x, y)
  if r < hole or r - top > 0.2:
    plane = hole - r if r < hole else r - top
  else:
    rim = edge(flank(d, n, p, r, math.atan2(y, x) + alpha), r - top, 0.0035 * d)
    plane = max(fillet(rim, r - foot, base - foot), hole - r)
  above = abs(z) - thickness / 2
  return math.hypot(plane, above) if plane > 0 and above > 0 else max(plane, above)


def gear_whole(p):
  random, worst = np.random.default_rng(2), 0
  for _ in range(20000):
    wheel = (random.uniform(-2, 2), random.uniform(0.5, 4), float(random.integers(6, 220)), random.uniform(0.05, 1),
             random.choice([-1, random.uniform(0, 3)]))
    x, y, z = random.uniform(-0.7, 0.7, 3) * wheel[1] * np.array([1, 1, 0.3])
    worst = max(worst, abs(gear(wheel, x, y, z) - gear_law(p, *wheel, x, y, z)))
  report("20000 random points of random gears: the law in plugin/gear.c", [], worst)


# Bolt and nut

bolt, nut = field("bolt"), field("nut")


def along(distance, radius, start, direction, length, count=400):
  """Values of a field along a line, with the places."""
  s = np.linspace(0, length, count)
  return s, np.array([distance((radius,), *(np.array(start) + u * np.array(direction))) for u in s])


def faces(name, distance, radius, start, direction, length):
  """A field that is the largest of plane functions is a row of straight pieces: where they end and how steep they are."""
  s, v = along(distance, radius, start, direction, length, 40001)
  steep = np.round(np.diff(v) / np.diff(s), 6)
  ends = [0] + [i for i in range(1, len(steep)) if steep[i] != steep[i - 1]] + [len(steep)]
  pieces = [(s[a], s[b], steep[a]) for a, b in zip(ends, ends[1:]) if b - a > 2]
  text = "; ".join(f"{a:.4f}..{b:.4f}: {c:g}" for a, b, c in pieces[:6])
  print(f"{name}: {text}")


def screw_head():
  sides = [1 - bolt((0.1,), math.cos(math.pi * k / 3), math.sin(math.pi * k / 3), -0.25) for k in range(6)]
  report("head: where the six sides are, at azimuths of 0, 60, ... degrees", sides[:3], np.ptp(sides))
  report("head: d at z = 0.3 on the axis of a bolt, d at z = -0.8 beside the hole of a nut",
         [bolt((0.26,), 0.0, 0.0, 0.3), nut((0.26,), 0.4, 0.0, -0.8)], 0)
  rows, values = [], []
  for radius in (0.2, 0.26, 0.3):
    for z in np.linspace(0.3, 0.35, 7):
      for r in np.linspace(0.9, 1.0, 5):  # towards an edge of the hexagon, whose sides are far away
        rows.append((r - radius, z, 1))
        values.append(math.sqrt(2) * nut((radius,), 0.0, r, z))
  fit("head, bevel: d sqrt(2) = a (r - radius) + b z + c", rows, values)


def height(z, azimuth):
  """Of the thread beyond the radius, if its flanks are of 45 degrees: then d sqrt(2) = r - radius - height."""
  return 0.4 - 0.26 - math.sqrt(2) * bolt((0.26,), 0.4 * math.cos(azimuth), 0.4 * math.sin(azimuth), z)


def screw_thread():
  z = -0.95 + np.linspace(0, 1 / 6, 24001)
  w = np.array([height(h, 0.0) for h in z])
  peaks = [z[i] for i in range(1, 24000) if w[i] >= max(w[i - 1], w[i + 1]) and w[i] > 0.0416]
  report("thread: lowest, highest point beyond the radius, turns per unit of length",
         [w.min(), w.max(), 1 / (peaks[-1] - peaks[0])], 1e-4)
  random = np.random.default_rng(4)
  places = [(random.uniform(-0.02, 0.02) - 10.25 / 12, random.uniform(-0.2, 0.2)) for _ in range(200)]
  fit("thread, one flank: height = a z + b azimuth / (2 pi) + c", [(h, t / (2 * math.pi), 1) for h, t in places if abs(h + 10.25 / 12) < 0.01],
      [height(h, t) for h, t in places if abs(h + 10.25 / 12) < 0.01])
  places = [(random.uniform(-0.94, -0.75), random.uniform(-3, 3)) for _ in range(2000)]
  wave = lambda h, t: (0.5 - abs(math.remainder(12 * h - t / (2 * math.pi), 1))) / 12
  report("thread: height = (1/2 - |12 z - azimuth/(2 pi)| to the next whole number) / 12", [],
         max(abs(height(h, t) - wave(h, t)) for h, t in places))


def screw_ends():
  faces("bolt, up along x = 0.1", bolt, 0.26, (0.1, 0, -1.4), (0, 0, 1), 1.8)
  faces("bolt, down along x = 0.30 below its head", bolt, 0.26, (0.30, 0, -0.9), (0, 0, -1), 0.4)
  faces("nut, up along x = 0.36", nut, 0.26, (0.36, 0, -0.7), (0, 0, 1), 1.0)
  faces("nut, up along x = 0.05", nut, 0.26, (0.05, 0, -0.9), (0, 0, 1), 1.4)
  places = [("end of the bolt", bolt, -0.99, 0.1), ("bottom of the nut's hole", nut, -0.49, -0.1),
            ("mouth of the nut's hole", nut, -0.02, 0.01)]
  for name, distance, z0, out0 in places:  # near crests of the thread, which does not count there
    rows = [(out0 + u, z0 + v, radius) for radius in (0.2, 0.26, 0.3) for u in np.linspace(0, 0.01, 5)
            for v in np.linspace(0, 0.005, 5)]
    fit(f"{name}: d sqrt(2) = a (r - radius) + b z + c", [(out, z, 1) for out, z, _ in rows],
        [math.sqrt(2) * distance((radius,), radius + out, 0.0, z) for out, z, radius in rows])


def screw_law(is_nut, radius, x, y, z):
  out = math.hypot(x, y) - radius
  hexagon = max(abs(x), abs(x) / 2 + abs(y) * math.sqrt(3) / 2) - 0.5
  head = max(hexagon, z, -z - 0.5, (out + z - 0.22) / math.sqrt(2))
  ridge = (0.5 - abs(math.remainder(12 * z - math.atan2(y, x) / (2 * math.pi), 1))) / 12
  cone = lambda height: (out - z - height) / math.sqrt(2)
  thread = (out - ridge) / math.sqrt(2)
  if is_nut:
    return max(head, -min(max(thread, cone(0.5)), cone(0.05)))
  return min(head, max(thread, cone(1.0), -z - 1, z))


def screw_whole():
  random = np.random.default_rng(3)
  for is_nut, distance in ((False, bolt), (True, nut)):
    worst = 0
    for _ in range(20000):
      radius, (x, y, z) = random.uniform(0.1, 0.4), random.uniform(-1, 1, 3) * np.array([0.8, 0.8, 1.3])
      worst = max(worst, abs(distance((radius,), x, y, z) - screw_law(is_nut, radius, x, y, z)))
    report(f"20000 random points of random {'nuts' if is_nut else 'bolts'}: the law in plugin/screw.c", [], worst)


def boxes():
  wheels = [(d, t) for d in (0.7, 2.8) for t in (0.1, 0.2, 1.0)]
  found = [half_box("gear", (0, d, 25, t, -1)) for d, t in wheels]
  fit("gear: half the box along x = a D", [(d,) for d, _ in wheels], [f[0] for f in found])
  fit("gear: half the box along z = a thickness", [(t,) for _, t in wheels], [f[2] for f in found])
  report("bolt and nut: half the box", half_box("bolt", (0.26,)), np.ptp([half_box("bolt", (0.1,)), half_box("nut", (0.4,))], 0).max())


def main():
  boxes()
  gear_circles()
  p = gear_pressure()
  p = np.array([round(p[0], 8), round(p[1], 6), round(p[2], 4)])
  gear_tooth(p)
  report("inside of the base circle: slope per radian, D = 0.7, 2.8, 4", gear_below_base(p), 0)
  gear_roundings(p)
  gear_whole(p)
  screw_head()
  screw_thread()
  screw_ends()
  screw_whole()


main()
