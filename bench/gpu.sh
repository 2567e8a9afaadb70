#!/bin/sh
# Steps per second of batches on a GPU over the number of environments, and the time of each kernel.
#   gpu.sh CORTEN FOLDER MODEL...     for example gpu.sh build/release/bin/corten /tmp/gpu humanoid.xml ant.xml
#   SIZES="1 64 1024" SECONDS_EACH=1 OPTIONS=--float gpu.sh ...
# FOLDER/gpu.csv gets a line for every model and size, gpu.svg the curves, FOLDER/kernels.txt the split of a step of 8192 environments. Where there is no GPU
# the CPU serves, and the lines say so.
set -e
corten=$1
folder=$2
shift 2
sizes=${SIZES:-1 4 16 64 256 1024 4096 8192 16384 32768 65536}
mkdir -p "$folder"
: >"$folder/gpu.csv"
: >"$folder/kernels.txt"
for model in "$@"; do
  for n in $sizes; do
    "$corten" speed "$model" --batch "$n" --gpu --csv --seconds "${SECONDS_EACH:-0.5}" $OPTIONS >"$folder/one.csv"
    [ -s "$folder/gpu.csv" ] || sed -n "1s/^/model,/p" "$folder/one.csv" >"$folder/gpu.csv"
    sed -n "2s|^|$(basename "$model"),|p" "$folder/one.csv" | tee -a "$folder/gpu.csv"
  done
  echo "$model" >>"$folder/kernels.txt"
  CORTEN_CUDA_TIMES=1 "$corten" speed "$model" --batch 8192 --gpu --warm-up 20 --seconds 0.1 $OPTIONS 2>>"$folder/kernels.txt" >/dev/null
done
rm -f "$folder/one.csv"
sed 1d "$folder/gpu.csv" | cut -d, -f1,3,9 | sh "$(dirname "$0")/plot.sh" "steps per second on a GPU" >"$folder/gpu.svg"
cat "$folder/kernels.txt"
