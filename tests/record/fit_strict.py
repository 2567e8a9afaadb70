"""Fits the polynomials of src/math/strict_*.h and prints them as C literals, with the error they leave.

Every polynomial p(t) replaces a smooth g(t) on [a, b]; what counts is the error of the final result, so the
exchange algorithm of Remez levels w(t) |g(t) - p(t)| with the weight w that turns an error of p into a relative
error of the result. The coefficients are then rounded to doubles; leading terms that need more are split off by hand.

Needs mpmath. Run: python3 fit_strict.py
"""

import mpmath as mp

mp.mp.dps = 60


def exchange(g, w, a, b, n):
  """Coefficients of the polynomial with n terms that levels w |g - p| on [a, b]."""
  half, middle = (b - a) / 2, (a + b) / 2
  points = [middle - half * mp.cos(mp.pi * k / n) for k in range(n + 1)]
  for _ in range(12):
    rows = mp.matrix(n + 1, n + 1)
    right = mp.matrix(n + 1, 1)
    for i, t in enumerate(points):
      for j in range(n):
        rows[i, j] = w(t) * t**j
      rows[i, n] = (-1) ** i
      right[i] = w(t) * g(t)
    solution = mp.lu_solve(rows, right)
    coefficients = [solution[j] for j in range(n)]
    error = lambda t: w(t) * (g(t) - mp.polyval(coefficients[::-1], t))
    grid = [middle - half * mp.cos(mp.pi * k / 400) for k in range(401)]
    values = [error(t) for t in grid]
    peaks, start = [], 0  # the largest error between two changes of sign
    for k in range(1, len(grid) + 1):
      if k == len(grid) or values[k] * values[start] < 0:
        peaks.append(grid[max(range(start, k), key=lambda i: abs(values[i]))])
        start = k
    if len(peaks) != n + 1:
      break
    points = peaks
  return coefficients


def fit(name, g, w, a, b, n):
  """Prints n coefficients, rounded to doubles, and the error that they leave after rounding."""
  a, b = mp.mpf(a), mp.mpf(b)
  fixed = [mp.mpf(float(c)) for c in exchange(g, w, a, b, n)]
  grid = [a + (b - a) * k / 2000 for k in range(2001)]
  worst = max(abs(w(t) * (g(t) - mp.polyval(fixed[::-1], t))) for t in grid)
  print(f"{name}: {n} terms, error 2^{mp.nstr(mp.log(worst, 2), 4)}")
  for c in fixed:
    print(f"  {float(c).hex()},")


def constant(name, value, bits):
  """Prints a constant as a sum of doubles; part k but the last keeps bits[k] bits."""
  print(name)
  rest = value
  for keep in bits:
    _, exponent = mp.frexp(rest)
    part = mp.mpf(float(mp.floor(mp.ldexp(rest, keep - exponent)) * mp.mpf(2) ** (exponent - keep))) \
        if keep < 53 else mp.mpf(float(rest))
    print(f"  {float(part).hex()}")
    rest -= part


EDGE = mp.mpf("1e-4")  # fits start here: the weights vanish at zero


def main():
  quarter = mp.mpf("0.78540")
  root = mp.sqrt
  fit("sin", lambda z: (mp.sin(root(z)) / root(z) - 1) / z, lambda z: z * root(z) / mp.sin(root(z)),
      EDGE, quarter**2, 7)
  fit("cos", lambda z: (mp.cos(root(z)) - 1 + z / 2) / z**2, lambda z: z**2 / mp.cos(root(z)),
      EDGE, quarter**2, 6)
  fit("asin", lambda z: (mp.asin(root(z)) / root(z) - 1) / z, lambda z: z, EDGE, 0.25, 13)
  fit("atan", lambda z: (mp.atan(root(z)) / root(z) - 1) / z, lambda z: z, EDGE, 0.0626, 10)
  fit("exp", lambda r: (mp.exp(r) - 1 - r - r**2 / 2) / r**3 if abs(r) > 1e-15 else mp.mpf(1) / 6,
      lambda r: (abs(r) ** 3 + EDGE) / mp.exp(r), -0.3466, 0.3466, 10)
  fit("log", lambda z: (mp.atanh(root(z)) / root(z) - 1) / z, lambda z: z, EDGE, 0.02945, 8)
  fit("pow log", lambda z: (mp.atanh(root(z)) / root(z) - 1 - z / 3 - z**2 / 5) / z**3,
      lambda z: z**3, EDGE, 0.02945, 9)

  constant("pi/2", mp.pi / 2, [33, 33, 33, 53])
  constant("pi/2, two parts", mp.pi / 2, [53, 53])
  constant("pi", mp.pi, [53, 53])
  constant("atan(1/2)", mp.atan(mp.mpf(1) / 2), [53, 53])
  constant("2/pi", 2 / mp.pi, [53])
  constant("ln 2", mp.log(2), [40, 53])
  constant("ln 2, three parts", mp.log(2), [40, 40, 53])
  constant("1/ln 2", 1 / mp.log(2), [53])
  constant("1/3", mp.mpf(1) / 3, [53, 53])
  constant("1/5", mp.mpf(1) / 5, [53, 53])

  mp.mp.prec = 1400
  digits = int(mp.floor(2 / mp.pi * mp.mpf(2) ** 1216))
  words = [(digits >> (1216 - 32 * (k + 1))) & 0xFFFFFFFF for k in range(38)]
  print("bits of 2/pi\n  " + ", ".join(f"0x{word:08x}" for word in words))


if __name__ == "__main__":
  main()
