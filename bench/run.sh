#!/bin/sh
# Runs every benchmark program with the reference and corten side by side, prints ratios, and writes
# docs/performance.md from the tables in bench/results/.
# usage: run.sh BUILD_DIR REFERENCE_VENV CORPUS_DIR FAST_BUILD_DIR NEWER_VENV
#        run.sh BUILD_DIR REFERENCE_VENV CORPUS_DIR --self | --loads | --batches | --flexes | --steps [NEWER_VENV] | --hard | --corpus
#   FAST_BUILD_DIR  a build with contraction allowed, to be timed beside the strict one
#   NEWER_VENV      has a newer version of the reference, timed in a process of its own
#   --self   only the reference against a copy of itself: what 1.00 looks like on this machine; fails if the
#            mean ratio is more than 0.03 away from it
#   --loads  only loading, of every model of the corpus; takes longer than all others together
#   --batches  only batches, which are then said to have been measured on their own
#   --flexes   the same for flexes
#   --steps    the same for the models of the bar, without growth, and MuJoCo 4.0.0; adds a line to the history of their mean
#   --hard     the same for the hard cases
#   --corpus   the same for every model of the corpus
build=$1 venv=$2 corpus=$3 fast=$4 newer_venv=$5
reference=$(ls "$venv"/lib/python3*/site-packages/mujoco/libmujoco.so.3.5.0) || exit 1
corten=$build/lib/libcorten.so
bin=$build/bin
results=bench/results
mkdir -p $results/self $results/fast

# Tables and the page are replaced only when all of them are complete: they belong to one run.
scratch=$(mktemp -d) || exit 1
mkdir "$scratch/self" "$scratch/fast"
trap 'rm -rf "$scratch"' EXIT

against_itself() {
  cp "$reference" "$build/reference-copy.so"
  "$bin/bench_step" "$reference" "$build/reference-copy.so" "$corpus" "$scratch/self" --no-growth --seconds "$1" $2
}

# Where and on what the numbers were made.
describe_machine() {
  echo "what,value"
  echo "processor,$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -1 | tr ',' ' ')"
  echo "processors,$(nproc)"
  echo "load,$(cut -d ' ' -f 1 /proc/loadavg)"
  echo "compiler,$($(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt" | head -1) --version | head -1 | tr ',' ' ')"
  echo "revision,$(git rev-parse --short HEAD 2>/dev/null)"
}

if [ "$fast" = --self ]; then
  against_itself 3 --self || exit 1
  mv "$scratch/self/step.csv" $results/self
  exit
fi
if [ "$fast" = --loads ]; then
  (cd "$corpus" && find . -name '*.xml') | sed 's|^\./||' | sort |
    xargs "$bin/bench_load" "$reference" "$corten" "$scratch/load_corpus.csv" 0.1 "$corpus" &&
    mv "$scratch/load_corpus.csv" $results
  exit
fi

# Batches against the reference's, and their plot.
batches() {
  "$bin/bench_batch" "$reference" "$corten" "$corpus" "$scratch" --seconds "$1" || return 1
  awk -F, 'NR > 1 && $1 == "humanoid" { printf "%s %d thread%s,%d,%.6g\n", $3, $4, ($4 == 1 ? "" : "s"), $2, 1 / $6 }' "$scratch/batch.csv" |
    sh bench/plot.sh "steps per second of humanoids on a CPU" >"$scratch/batch-cpu.svg"
  mkdir -p "$scratch/one"
  "$bin/bench_batch" "$reference" "$corten" "$corpus" "$scratch/one" --seconds 2 --threads 1 --environments 256 || return 1
  mv "$scratch/one/batch.csv" "$scratch/batch_one_thread.csv"
  printf 'revision\n%s\n' "$(git rev-parse --short HEAD 2>/dev/null)" >"$scratch/batch_one_revision.csv"
}

# report: makes the page of the tables.
report() {
  sh bench/report.sh $results >"$scratch/performance.md" && mv "$scratch/performance.md" docs/performance.md
}

if [ "$fast" = --batches ]; then
  describe_machine >"$scratch/batch_machine.csv"
  batches 0.3 || exit 1
  mv "$scratch"/batch*.csv $results
  mv "$scratch/batch-cpu.svg" docs
  report
  exit
fi

# note_history [NOTE]: one line, where the mean of the ten models of the bar has been, and where it is.
note_history() {
  history=$results/history.csv
  [ -f $history ] || echo "revision,date,models,geometric_mean,lowest,low_quartiles,high_quartiles,over_newer,note" >$history
  over_newer=$(awk -F, 'NR > 1 { n++; sum += log($5) } END { if (n) printf "%.3f", exp(sum / n) }' "$scratch/versions.csv")
  note=$1$(grep -q '^CORTEN_LTO:[A-Z]*=OFF' "$build/CMakeCache.txt" && echo " without link-time optimisation")
  awk -F, -v newer="$over_newer" -v note="$note" -v revision="$(git rev-parse --short HEAD 2>/dev/null)" -v date="$(date +%Y-%m-%d)" '
    $1 != "full" || $14 != "" || $2 ~ /^(box pile|long chain)$|^(chain|boxes) [0-9]+$|: / { next }
    { n++; sum += log($10); low += log($11); high += log($12); if (n == 1 || $10 < least) least = $10 }
    END { if (n) printf "%s,%s,%d,%.3f,%.3f,%.3f,%.3f,%s,%s\n", revision, date, n, exp(sum / n), least, exp(low / n), exp(high / n), newer, note }
  ' "$scratch/step.csv" >>$history
}

if [ "$fast" = --hard ]; then
  describe_machine >"$scratch/hard_machine.csv"
  "$bin/bench_hard" "$reference" "$corten" "$corpus" "$scratch/hard.csv" || exit 1
  mv "$scratch"/hard*.csv $results
  report
  exit
fi

# Lines of flexes take the place of those that were there; everything else stays.
if [ "$fast" = --flexes ]; then
  describe_machine >"$scratch/flex_machine.csv"
  "$bin/bench_step" "$reference" "$corten" "$corpus" "$scratch" --flexes || exit 1
  for table in step stages memory; do
    { grep -v '^flex,' $results/$table.csv; grep '^flex,' "$scratch/$table.csv"; } >"$scratch/merged.csv"
    mv "$scratch/merged.csv" $results/$table.csv
  done
  mv "$scratch/flex_machine.csv" $results
  report
  exit
fi

# Every model of the corpus, from its first second and when settled.
corpus_models() {
  "$bin/bench_corpus" "$reference" "$corten" "$corpus" "$scratch/corpus.csv"
}

if [ "$fast" = --corpus ]; then
  describe_machine >"$scratch/corpus_machine.csv"
  corpus_models || exit 1
  mv "$scratch"/corpus*.csv $results
  report
  exit
fi

# Steps of the models that come from files and of flexes take the place of those that were there; growth stays.
if [ "$fast" = --steps ]; then
  describe_machine >"$scratch/steps_machine.csv"
  "$bin/bench_step" "$reference" "$corten" "$corpus" "$scratch" --no-growth --seconds 1 || exit 1
  grown='^[a-z]*,((chain|boxes|cloth|jelly) [0-9]+|[^,]*: [^,]*),'
  for table in step stages memory; do
    { cat "$scratch/$table.csv"; grep -E "$grown" $results/$table.csv; } >"$scratch/merged.csv"
    mv "$scratch/merged.csv" $results/$table.csv
  done
  if [ "$newer_venv" ]; then
    "$bin/bench_versions" "$reference" "$(ls "$newer_venv"/lib/python3*/site-packages/mujoco/libmujoco.so.4.*)" "$corten" "$corpus" "$scratch/versions.csv" || exit 1
    note_history "one second of each model"
    mv "$scratch/versions.csv" $results
  fi
  mv "$scratch/steps_machine.csv" $results
  rm -f $results/flex_machine.csv
  report
  exit
fi

# part TITLE COMMAND...: runs a piece and says how long it took
begin=$(date +%s)
part() {
  title=$1 start=$(date +%s)
  shift
  echo "== $title"
  "$@" || exit 1
  echo "   ($(($(date +%s) - start)) s)"
}

describe_machine >"$scratch/machine.csv"
part "steps, the reference against a copy of itself" against_itself 1
part "steps" "$bin/bench_step" "$reference" "$corten" "$corpus" "$scratch"
part "steps, strict against fast" "$bin/bench_step" "$corten" "$fast/lib/libcorten.so" "$corpus" "$scratch/fast" --no-growth --seconds 1
newer=$(ls "$newer_venv"/lib/python3*/site-packages/mujoco/libmujoco.so.4.*) || exit 1
part "steps, a newer version of the reference too, each in its own process" "$bin/bench_versions" "$reference" "$newer" "$corten" "$corpus" "$scratch/versions.csv"
part "hard cases" "$bin/bench_hard" "$reference" "$corten" "$corpus" "$scratch/hard.csv"
part "every model of the corpus" corpus_models
part "loading" "$bin/bench_load" "$reference" "$corten" "$scratch/load.csv" 1 "$corpus" \
  mujoco/model/humanoid/humanoid.xml gymnasium/ant.xml gymnasium/half_cheetah.xml \
  menagerie/agility_cassie/scene.xml menagerie/shadow_hand/scene_right.xml \
  menagerie/anybotics_anymal_c/scene.xml menagerie/unitree_h1/scene.xml \
  mujoco/model/tendon_arm/arm26.xml mujoco/model/car/car.xml \
  mujoco/model/humanoid/22_humanoids.xml
part "loading, growth" "$bin/bench_compile" "$reference" "$corten" "$scratch"
part "saving, and loading again" "$bin/bench_save" "$reference" "$corten" "$scratch/save.csv" "$corpus" \
  $(cd "$corpus" && ls menagerie/*/scene*.xml) dm_control/suite/dog.xml mujoco/model/flex/bunny.xml \
  mujoco/model/humanoid/humanoid.xml gymnasium/ant.xml gymnasium/half_cheetah.xml \
  mujoco/model/tendon_arm/arm26.xml mujoco/model/car/car.xml mujoco/model/humanoid/22_humanoids.xml
part "batches" batches 1
part "derivatives" "$bin/bench_derivatives" "$reference" "$corten" "$corpus"
for name in kernels math math_linear; do
  part "$name" "$bin/bench_$name" "$reference" "$corten"
done
note_history
rm -f $results/batch_machine.csv $results/flex_machine.csv $results/steps_machine.csv $results/hard_machine.csv $results/corpus_machine.csv
mv "$scratch"/*.csv $results
mv "$scratch/batch-cpu.svg" docs
mv "$scratch/self/step.csv" $results/self
mv "$scratch/fast/step.csv" $results/fast
report
echo "== all of it took $(($(date +%s) - begin)) s; docs/performance.md is written"
