#!/bin/sh
# The numbers of the README are those of the generated tables: counts of docs/conformance.md, speeds of docs/performance.md.
# Says what to write where it does not.
# usage: readme_test.sh README CONFORMANCE PERFORMANCE
readme=$1 conformance=$2 performance=$3
for file in "$readme" "$conformance" "$performance"; do
  [ -s "$file" ] || { echo "FAILED there is no $file"; exit 1; }
done

# count QUESTION COLUMN: a number of the first table
count() {
  awk -F'|' -v question="$1" -v column="$2" '
    { gsub(/ /, "") }
    $2 == "question" && !at { for (i = 3; i < NF; i++) if ($i == column) at = i }
    $2 == question && at { print $at; exit }' "$conformance"
}

# ratio MODEL: of steps of the whole physics
ratio() {
  awk -F' *[|] *' -v model="$1" '
    /^## / { here = $0 == "## Steps of the whole physics" }
    here && $2 == "model" { for (i = 3; i < NF; i++) if ($i == "ratio") at = i }
    here && $2 == model && at { print $at; exit }' "$performance"
}

failures=0
# says WORDS WHERE_FROM: the README has these words, which have no gap in them
says() {
  case $1 in *"<>"*)
    echo "FAILED $2 has no number for: $1"
    failures=$((failures + 1))
    return ;;
  esac
  grep -qF -- "$1" "$readme" && return
  echo "FAILED the README has moved away from $2; write into its first table: $1"
  failures=$((failures + 1))
}

# gap NUMBER: the number, or a mark where there is none
gap() { echo "${1:-<>}"; }

says "of $(gap "$(count model models)") models, $(gap "$(count model yes)") compile in both, and all their fields agree" docs/conformance.md
says "of one step on $(gap "$(count forward yes)") ($(gap "$(count forward explained)") differ and are explained)" docs/conformance.md
says "trajectories of 1 to 1000 steps with four integrators on $(gap "$(count trajectory yes)") ($(gap "$(count trajectory explained)") explained)" docs/conformance.md
for question in model forward trajectory; do
  [ "$(count $question no)$(count $question crashed)" = 00 ] && continue
  echo "FAILED docs/conformance.md has models that disagree or crash ($question); the README must say so, and this test with it"
  failures=$((failures + 1))
done
says "a humanoid with contacts steps $(gap "$(ratio humanoid)") times as fast" docs/performance.md
says "an ANYmal $(gap "$(ratio 'anymal c')") times, an H1 $(gap "$(ratio h1)") times" docs/performance.md
[ "$failures" = 0 ]
