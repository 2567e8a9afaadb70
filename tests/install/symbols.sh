#!/bin/sh
# Compares the names a library shows with the public ones: functions and exports of schema/functions.def,
# variables of the public header, what include/corten declares. Nothing may be missing, nothing private shown.
# usage: symbols.sh SOURCE_DIR NM LIBRARY [-D]
source=$1 nm=$2 library=$3 option=$4
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

{
  sed -n 's/^FUNCTION[A-Z_]*([^(]*[ *]\([A-Za-z_0-9]*\), *(.*/\1/p; s/^EXPORT(\([A-Za-z_0-9]*\).*/\1/p' \
    "$source/schema/functions.def"
  sed -n 's/^MJAPI extern [^;]*(\*\([a-z_]*\))(.*/\1/p; s/^MJAPI extern [^;(]* \([A-Za-z_]*\)[[;].*/\1/p' \
    "$source/include/mujoco/mujoco.h"
  cat "$source"/include/corten/*.h | tr '\n' ' ' | grep -o 'MJAPI[^;(]*(' | sed 's/.*[ *]\(\(ct\|mjb\)_[A-Za-z_0-9]*\)($/\1/'
  echo mjCONDATA_SIZE  # a table that the reference exports and no header declares
} | sort >"$work/public"
"$nm" $option -g --defined-only "$library" | awk 'NF == 3 { sub(/@.*/, "", $3); print $3 }' | sort >"$work/shown"

repeated=$(uniq -d "$work/public")
leaked=$(comm -13 "$work/public" "$work/shown")
missing=$(comm -23 "$work/public" "$work/shown")
if [ -n "$repeated$leaked$missing" ]; then
  echo "$library"
  echo "  listed twice:" $repeated
  echo "  shown, but not public:" $leaked
  echo "  public, but not shown:" $missing
  exit 1
fi
echo "$library: $(wc -l <"$work/shown") names, all public"
