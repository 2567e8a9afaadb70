#!/bin/sh
# Runs every benchmark program with the reference and corten side by side, prints ratios, and writes
# docs/performance.md from the tables in bench/results/.
# usage: run.sh BUILD_DIR REFERENCE_VENV CORPUS_DIR [--self | --loads]
#   --self   only the reference against a copy of itself: what 1.00 looks like on this machine; fails if the
#            mean ratio is more than 0.03 away from it
#   --loads  only loading, of every model of the corpus; takes longer than all others together
build=$1 venv=$2 corpus=$3 only=$4
reference=$(ls "$venv"/lib/python3*/site-packages/mujoco/libmujoco.so.3.5.0) || exit 1
corten=$build/lib/libcorten.so
bin=$build/bin
results=bench/results
mkdir -p $results/self

# A table or page is replaced only by one that is complete.
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

against_itself() {
  echo "== steps, the reference against a copy of itself"
  cp "$reference" "$build/reference-copy.so"
  "$bin/bench_step" "$reference" "$build/reference-copy.so" "$corpus" "$scratch" --no-growth --seconds "$1" $2 || exit 1
  mv "$scratch"/*.csv $results/self
}

if [ "$only" = --self ]; then
  against_itself 3 --self
  exit
fi
if [ "$only" = --loads ]; then
  (cd "$corpus" && find . -name '*.xml') | sed 's|^\./||' | sort |
    xargs "$bin/bench_load" "$reference" "$corten" "$scratch/load_corpus.csv" 0.1 "$corpus" &&
    mv "$scratch/load_corpus.csv" $results
  exit
fi

against_itself 1
echo "== steps"
"$bin/bench_step" "$reference" "$corten" "$corpus" "$scratch" || exit 1
echo "== loading"
"$bin/bench_load" "$reference" "$corten" "$scratch/load.csv" 1 "$corpus" \
  mujoco/model/humanoid/humanoid.xml gymnasium/ant.xml gymnasium/half_cheetah.xml \
  menagerie/agility_cassie/scene.xml menagerie/shadow_hand/scene_right.xml \
  menagerie/anybotics_anymal_c/scene.xml menagerie/unitree_h1/scene.xml \
  mujoco/model/tendon_arm/arm26.xml mujoco/model/car/car.xml \
  mujoco/model/humanoid/22_humanoids.xml || exit 1
echo "== loading, growth"
"$bin/bench_compile" "$reference" "$corten" "$scratch" || exit 1
mv "$scratch"/*.csv $results
for name in kernels math math_linear; do
  echo "== $name"
  "$bin/bench_$name" "$reference" "$corten" || exit 1
done
sh bench/report.sh $results >"$scratch/performance.md" && mv "$scratch/performance.md" docs/performance.md
