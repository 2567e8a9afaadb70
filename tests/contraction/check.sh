#!/bin/sh
# Disassembles a library of the strict build and finds multiplications that were fused with additions.
# usage: check.sh OBJDUMP LIBRARY MEANT
#   MEANT  yes: the instruction set has fused operations and math/strict_base.h asks for them, one by one, where
#          they are exact. No sum is fused with a difference there, so such pairs are the compiler's own doing.
#          no: nothing may be fused
objdump=$1 library=$2 meant=$3
pattern='vf(n?m(add|sub)|maddsub|msubadd)'
[ "$meant" = yes ] && pattern='vf(maddsub|msubadd)'
"$objdump" -d --no-show-raw-insn "$library" | awk -v pattern="$pattern" '
  /^[0-9a-f]+ <.*>:$/ { name = $2; functions++; next }
  $2 ~ pattern { count[name]++ }
  END {
    for (name in count) { print name, count[name], "fused operations"; bad = 1 }
    if (!functions) { print "there is no code to look at"; bad = 1 }
    exit bad
  }'
