#!/bin/sh
# What the tests do with nvcc. Leaves with 77, which CTest counts as skipped, where nvcc or the GPU is missing.
#   nvcc.sh NVCC FILE FLAGS...        compiles one lane source as CUDA
#   nvcc.sh NVCC --target FOLDER      builds the bit test in a build folder
#   nvcc.sh NVCC --run PROGRAM ARGS   runs it
nvcc=$1
what=$2
shift 2
if [ ! -x "$nvcc" ]; then
  echo "nvcc is not installed"
  exit 77
fi
case $what in
  --target) exec cmake --build "$1" --target cuda_bits ;;
  --run) exec "$@" ;;
  *)
    object=$(mktemp --suffix=.o)
    trap 'rm -f "$object"' EXIT
    "$nvcc" -x cu -rdc=true "$@" -c "$what" -o "$object"
    ;;
esac
