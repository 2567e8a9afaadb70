"""Records tests/recorded/strict.rec: arguments that are hard for an elementary function, and its exact values.

Per function: NAME/x (and NAME/y for two arguments), and the value as NAME/hi + NAME/lo, good to about 2^-106. The
arguments crowd where an implementation may go wrong: ends of reduction intervals, neighbours of multiples of
pi/2, results near overflow, denormals.

Needs mpmath and numpy, not the reference. Run: python3 record_strict.py
"""

import math
import random

import mpmath as mp

from recorded import Recorder

mp.mp.prec = 2400  # enough for sin(1e308)
random.seed(1)


def around(x, steps=2):
  """x and its neighbours among the doubles."""
  points, low, high = [x], x, x
  for _ in range(steps):
    low, high = math.nextafter(low, -math.inf), math.nextafter(high, math.inf)
    points += [low, high]
  return points


def spread(low, high, count):
  return [random.uniform(low, high) for _ in range(count)]


def by_exponent(low, high, count):
  return [math.ldexp(random.uniform(1, 2), random.randint(low, high)) for _ in range(count)]


def angles():
  half_pi = mp.pi / 2
  points = [6381956970095103.0 * 2.0**797]  # of all doubles the one nearest to a multiple of pi/2
  for k in (1, 2, 3, 4, 7, 100, 1571, 355, 667543, 667544, 710000, 2**40 + 1):
    points += around(float(k * half_pi), 1) + around(float(k * half_pi + half_pi / 2), 1)
  points += around(2.0**20) + around(-(2.0**20))
  points += spread(-4, 4, 60) + by_exponent(-40, 20, 30) + by_exponent(20, 1023, 40)
  points += [5e-324, 2.2250738585072014e-308, 1.7976931348623157e308]
  return points


def exponents():
  points = [709.782712893384, 709.7827128933841, -708.3964185322641, -745.1332191019411, -745.1332191019412]
  for k in (-1074, -1022, -3, -1, 0, 1, 2, 1023):
    points += around(float((k + mp.mpf(1) / 2) * mp.log(2)), 1)
  return points + spread(-1, 1, 60) + spread(-745, 709, 60) + by_exponent(-60, -1, 20)


def positives():
  points = around(1.0, 4) + around(math.sqrt(2), 2) + around(math.sqrt(0.5), 2)
  points += [5e-324, 1e-310, 2.2250738585072014e-308, 1.7976931348623157e308, 2.0, 0.5, 4.0, 1024.0]
  return points + spread(0.5, 2, 60) + spread(0.99, 1.01, 30) + by_exponent(-1074, 1023, 40)


def powers():
  pairs = [(3.0, 2.0), (7.0, 18.0), (2.0, -1074.0), (2.0, 1023.5), (10.0, 308.0), (10.0, -320.0), (0.1, 3.0)]
  pairs += [(x, 1e15) for x in around(1.0, 2)] + [(x, -3e15) for x in around(1.0, 2)]
  pairs += [(-2.5, 3.0), (-1.5, 4.0), (5e-324, 0.5), (1.7976931348623157e308, 0.5), (2.25, 0.5)]
  pairs += [(random.uniform(0, 4), random.uniform(-8, 8)) for _ in range(60)]
  pairs += [(random.uniform(0.99, 1.01), random.uniform(-7e4, 7e4)) for _ in range(60)]
  pairs += [(math.ldexp(random.uniform(1, 2), random.randint(-1000, 1000)), random.uniform(-1, 1))
            for _ in range(40)]
  return pairs


def directions():
  pairs = [(1.0, 1.0), (1.0, -1.0), (5e-324, 5e-324), (1e308, 1.7e308), (1e-300, 1e300), (3.0, 1e-310), (2e-308, -1.0)]
  for ratio in (0.25, 0.75, 1.0, 4 / 3, 4.0, 2.0**-60, 2.0**60):
    pairs += [(y, x) for y in around(ratio, 1) for x in (1.0, -1.0)]
  pairs += [(random.uniform(-1, 1), random.uniform(-1, 1)) for _ in range(100)]
  return pairs + [(y, -x) for y, x in zip(by_exponent(-1060, 900, 20), by_exponent(-1060, 900, 20))]


def ratios():
  points = around(0.5) + around(-0.5) + [1.0, -1.0, 1 - 2.0**-53, -1 + 2.0**-53] + around(2.0**-30)
  return points + spread(-1, 1, 100) + spread(0.99, 1, 20) + by_exponent(-60, -1, 20)


def slopes():
  points = []
  for x in (0.25, 0.75, 1.0, 4 / 3, 4.0, 2.0**-30):
    points += around(x, 1) + around(-x, 1)
  return points + spread(-5, 5, 100) + by_exponent(-60, 60, 40) + [5e-324, 1.7976931348623157e308]


CASES = [
    ("sin", mp.sin, angles), ("cos", mp.cos, angles), ("tan", mp.tan, angles), ("asin", mp.asin, ratios),
    ("acos", mp.acos, ratios), ("atan", mp.atan, slopes), ("atan2", mp.atan2, directions), ("exp", mp.exp, exponents),
    ("log", mp.log, positives), ("pow", mp.power, powers),
]


def main():
  recorder = Recorder("exact")
  for name, function, arguments in CASES:
    points = [p if isinstance(p, tuple) else (p,) for p in arguments()]
    values = [function(*(mp.mpf(x) for x in p)) for p in points]
    high = [float(v) for v in values]
    keep = [i for i, h in enumerate(high) if math.isfinite(h)]
    recorder.add(f"{name}/x", [points[i][0] for i in keep])
    if len(points[0]) == 2:
      recorder.add(f"{name}/y", [points[i][1] for i in keep])
    recorder.add(f"{name}/hi", [high[i] for i in keep])
    recorder.add(f"{name}/lo", [float(values[i] - mp.mpf(high[i])) for i in keep])
  recorder.write("strict.rec")


if __name__ == "__main__":
  main()
