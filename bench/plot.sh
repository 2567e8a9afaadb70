#!/bin/sh
# Draws speed over the number of environments, both logarithmic, as SVG on standard output.
# usage: plot.sh TITLE <lines of "label,environments,steps_per_second"
# Lines of one label are one curve, in the order in which they come.
awk -F, -v title="$1" '
  function x_of(n) { return 70 + 520 * (log(n) - log(low_n)) / (log(high_n) - log(low_n)) }
  function y_of(s) { return 340 - 290 * (log(s) - log(low_s)) / (log(high_s) - log(low_s)) }
  function power_below(v, base,   p) { p = 1; while (p > v) p /= base; while (p * base <= v) p *= base; return p }
  function text(x, y, anchor, words) { printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, words }
  function short(v) { return v >= 1e6 ? v / 1e6 " M" : v >= 1e3 ? v / 1e3 " k" : v }
  NF >= 3 && $2 > 0 && $3 > 0 {
    if (!($1 in count)) { order[++nlabel] = $1 }
    k = ++count[$1]; n[$1, k] = $2; s[$1, k] = $3
    if (!any || $2 < least_n) least_n = $2; if (!any || $2 > most_n) most_n = $2
    if (!any || $3 < least_s) least_s = $3; if (!any || $3 > most_s) most_s = $3
    any = 1
  }
  END {
    if (!any || least_n <= 0 || least_s <= 0) exit 1
    low_n = power_below(least_n, 4); high_n = power_below(most_n, 4); if (high_n < most_n || high_n == low_n) high_n *= 4
    low_s = power_below(least_s, 10); high_s = 10 * power_below(most_s, 10)
    split("#1f77b4 #d62728 #2ca02c #9467bd #ff7f0e #8c564b #17becf #7f7f7f", color, " ")
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 400\" font-family=\"sans-serif\" font-size=\"12\">"
    print "<rect width=\"800\" height=\"400\" fill=\"white\"/>"
    text(330, 24, "middle", title)
    for (v = low_n; v <= high_n; v *= 4) {
      printf "<line x1=\"%.1f\" y1=\"50\" x2=\"%.1f\" y2=\"340\" stroke=\"#ddd\"/>\n", x_of(v), x_of(v)
      text(x_of(v), 358, "middle", v)
    }
    for (v = low_s; v <= high_s * 1.001; v *= 10) {
      printf "<line x1=\"70\" y1=\"%.1f\" x2=\"590\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", y_of(v), y_of(v)
      text(62, y_of(v) + 4, "end", short(v))
    }
    text(330, 384, "middle", "environments"); text(62, 44, "end", "steps/s")
    for (i = 1; i <= nlabel; i++) {
      label = order[i]; ink = color[(i - 1) % 8 + 1]; points = ""
      for (k = 1; k <= count[label]; k++) {
        points = points sprintf("%.1f,%.1f ", x_of(n[label, k]), y_of(s[label, k]))
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", x_of(n[label, k]), y_of(s[label, k]), ink
      }
      printf "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", points, ink
      printf "<rect x=\"604\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/>\n", 56 + 20 * i, ink
      text(624, 62 + 20 * i, "start", label)
    }
    print "</svg>"
  }'
