#!/bin/sh
# What somebody new does, with the time of each step: from a fresh clone by the commands of the README's first screen to a
# recording, a plot, a picture and a film. Fails if one of them is missing, or if it takes more than five minutes.
# What make run installs is counted where something is missing. Uncommitted changes are not tried.
# usage: trial.sh [SECONDS]    (at most so long, 300 unless said)
limit=${1:-300}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export CCACHE_DISABLE=1  # a newcomer has nothing compiled yet
begin=$(date +%s)
failures=0

step() {  # step NAME COMMAND
  start=$(date +%s.%N)
  sh -c "$2" >"$work/log" 2>&1 </dev/null
  code=$?
  end=$(date +%s.%N)
  printf '%8.1f s  %s\n' "$(echo "$end $start" | awk '{print $1 - $2}')" "$1"
  [ $code = 0 ] && return
  echo "FAILED with exit code $code:"
  tail -n 20 "$work/log"
  failures=$((failures + 1))
}

cd "$work" || exit 1
step "git clone" "git clone -q '$root' corten"
cd corten || exit 1
step "make run" "make run"
export PATH="$PWD/build/release/bin:$PATH"
# the commands that the README shows below it, but for the window
sed -n '/^## /q; s/^    \(corten .*\)$/\1/p' README.md | grep -v "^corten view" >"$work/commands"
[ -s "$work/commands" ] || { echo "FAILED: the README shows no command of corten"; exit 1; }
while read -r command; do
  step "$command" "$command"
done <"$work/commands"
for file in build/humanoid.csv build/humanoid-plot.png build/humanoid.png energy.png film.mp4; do
  [ -s "$file" ] && continue
  [ "$file" = film.mp4 ] && [ -s film-00000.png ] && echo "           film.mp4: frames only, there is no ffmpeg" && continue
  echo "FAILED: there is no $file"
  failures=$((failures + 1))
done
total=$(($(date +%s) - begin))
printf '%8d s  altogether, of %d\n' "$total" "$limit"
[ "$total" -le "$limit" ] || failures=$((failures + 1))
[ "$failures" = 0 ]
