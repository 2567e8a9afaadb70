#!/bin/sh
# Disassembles a library and finds instructions of AVX-512 in functions that are entered from elsewhere than from the functions
# that are chosen at run time, whose names say so: a processor without them would end the process there.
# usage: chosen.sh OBJDUMP LIBRARY
objdump=$1 library=$2
"$objdump" -d --no-show-raw-insn "$library" | awk '
  # A function is known by its address, since static ones may share a name.
  /^[0-9a-f]+ <.*>:$/ { here = $1; sub(/^0+/, "", here); name[here] = $2; functions++; next }
  /%zmm|%[xy]mm(1[6-9]|2[0-9]|3[01])|%k[0-7]/ { newer[here] }
  $2 ~ /^(call|j[a-z]+)$/ && $4 ~ /^<[^+]*>$/ { from[++jumps] = here; to[jumps] = $3 }
  END {
    for (i = 1; i <= jumps; i++) {
      if (!(to[i] in newer) || from[i] in newer || name[to[i]] name[from[i]] ~ /avx512/) continue
      print name[from[i]], "enters", name[to[i]], "which has instructions of AVX-512"
      bad = 1
    }
    if (!functions) { print "there is no code to look at"; bad = 1 }
    exit bad
  }'
