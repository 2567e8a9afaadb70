#!/bin/sh
# The viewer in a window of a virtual screen, driven by mouse and keys; what it shows is looked at through its own
# screenshots. Exit code 77 (skipped) without Xvfb, xdotool, GLFW or OpenGL.
# usage: view.sh CORTEN
corten=$1
script=$(realpath "$0")
for tool in Xvfb xdotool; do
  command -v $tool >/dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
work=$(mktemp -d)
cd "$work" || exit 1
screen= viewer=
trap 'kill $viewer $screen 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT
failures=0

mkfifo number
Xvfb -displayfd 3 -screen 0 1000x700x24 3>number 2>/dev/null &
screen=$!
read -r display <number
export DISPLAY=":$display"

write_model() {
  cat >new.xml <<END
<mujoco>
  <visual><quality shadowsize="256"/></visual>
  <statistic center="0 0 .5" extent="2"/>
  <worldbody>
    <light pos="0 0 3"/>
    <geom type="plane" size="2 2 .1" rgba=".3 .3 .3 1"/>
    <body pos="0 0 .6"><freejoint/><geom name="ball" size=".4" rgba="$1"/></body>
    <body pos="1 0 1"><joint name="swing" axis="0 1 0"/><geom type="capsule" size=".1" fromto="0 0 0 .5 0 0"/></body>
  </worldbody>
  <actuator><motor name="push" joint="swing" ctrllimited="true" ctrlrange="-1 1"/></actuator>
  <sensor><jointpos joint="swing"/></sensor>
  <keyframe><key qpos="0 0 2 1 0 0 0 1"/></keyframe>
</mujoco>
END
  mv new.xml model.xml
}

result() {
  if [ "$2" = 0 ]; then
    echo "ok     $1"
  else
    echo "FAILED $1"
    failures=$((failures + 1))
  fi
}

# A screenshot under a name of our own.
count=0
shoot() {
  xdotool key ctrl+p
  file=$(printf 'corten-%04d.png' $count)
  count=$((count + 1))
  for i in $(seq 600); do
    grep -q "$file" out && break
    kill -0 $viewer 2>/dev/null || break
    sleep 0.05
  done
  [ -f "$file" ] && mv "$file" "$1.png" && : >"$file" || { echo "FAILED no screenshot $1"; cat err; exit 1; }
}
same() { cmp -s "$2.png" "$3.png"; result "$1" $?; }
differ() { ! cmp -s "$2.png" "$3.png"; result "$1" $?; }

write_model "1 0 0 1"
# A screen may need a moment before it opens windows.
for attempt in 1 2 3 4 5; do
  # drivers keep memory to themselves, which is not ours to free
  ASAN_OPTIONS=detect_leaks=0 "$corten" view model.xml --paused --size 900x600 >out 2>err &
  viewer=$!
  for i in $(seq 100); do
    xdotool search --name corten >/dev/null 2>&1 && break
    kill -0 $viewer 2>/dev/null || break
    sleep 0.1
  done
  kill -0 $viewer 2>/dev/null && break
  grep -q "no window can be opened" err || break
  sleep 0.5
done
if ! kill -0 $viewer 2>/dev/null; then
  if grep -q "needs GLFW\|no window can be opened" err; then
    echo "skipped: $(cat err)"
    exit 77
  fi
  echo "FAILED the viewer did not start: $(cat err)"
  exit 1
fi
# without a window manager, nobody gives the window the keys
xdotool windowfocus --sync "$(xdotool search --sync --onlyvisible --name corten | head -1)" 2>/dev/null
xdotool mousemove 450 300
sleep 0.5

shoot first
shoot again
same "a paused model stands still" first again
xdotool mousedown 1 mousemove_relative 40 20 mouseup 1
shoot turned
differ "a drag turns the view" first turned
xdotool key ctrl+a
shoot aligned
same "Ctrl A aligns the view" first aligned
xdotool key t
shoot transparent
differ "T makes bodies transparent" first transparent
xdotool key t key i
shoot inertia
differ "I shows inertia" first inertia
xdotool key i key Right key Right key Right key Right key Right
shoot stepped
differ "Right steps" first stepped
xdotool key Left key Left key Left key Left key Left
shoot back
same "Left steps back" first back
xdotool key space
for i in $(seq 50); do  # on a busy machine, a frame may take long
  sleep 0.1
  shoot played
  cmp -s first.png played.png || break
done
xdotool key space
differ "Space plays" first played
xdotool key BackSpace
shoot reset
same "Backspace resets" first reset
xdotool mousemove 450 320 click --repeat 2 --delay 30 1
shoot selected
differ "a double click selects" first selected
xdotool key space keydown ctrl mousedown 3 mousemove_relative 30 0
sleep 0.3
xdotool mousemove_relative 30 0
sleep 0.3
xdotool mouseup 3 keyup ctrl key space key BackSpace
shoot pulled
same "what was pulled is reset" selected pulled
xdotool key Tab key shift+Tab
shoot wide
[ "$(wc -c <wide.png)" -gt "$(wc -c <first.png)" ]
result "Tab hides the panels" $?
xdotool key Tab key shift+Tab key F1 key F2 key F3 key F4
sleep 0.5
xdotool key F1 key F2 key F3 key F4
shoot plain
same "plots and texts come and go" selected plain
write_model "0 1 0 1"
for i in $(seq 100); do
  sleep 0.1
  shoot changed
  cmp -s plain.png changed.png || break
done
differ "a file that changes is loaded again" plain changed
echo "<mujoco><worldbody><geom/></worldbody></mujoco>" >new.xml && mv new.xml model.xml
for i in $(seq 50); do
  grep -q "size" err && break
  sleep 0.1
done
grep -q "model.xml" err
result "a broken file is reported" $?
shoot kept
same "and what was there stays" changed kept
# dropped onto the window as a file manager does it; a broken one first, which changes nothing
if command -v python3 >/dev/null && python3 -c "import ctypes" 2>/dev/null; then
  here=$(dirname "$script")
  window=$(xdotool search --onlyvisible --name corten | head -1)
  echo "<mujoco><worldbody><geom/></worldbody></mujoco>" >"broken one.xml"
  python3 "$here/drop_file.py" "$window" "broken one.xml"
  result "a file can be dropped onto the window" $?
  for i in $(seq 50); do
    grep -q "broken one.xml" err && break
    sleep 0.1
  done
  grep -q "broken one.xml" err
  result "a broken one is reported" $?
  shoot unmoved
  same "and changes nothing" kept unmoved
  write_model "0 0 1 1"
  mv model.xml "another one.xml"
  python3 "$here/drop_file.py" "$window" "another one.xml"
  for i in $(seq 50); do
    shoot dropped
    cmp -s kept.png dropped.png || break
    sleep 0.1
  done
  differ "a good one is shown" kept dropped
  write_model "1 1 0 1"
  mv model.xml "another one.xml"
  for i in $(seq 50); do
    sleep 0.1
    shoot followed
    cmp -s dropped.png followed.png || break
  done
  differ "and loaded again when it changes" dropped followed
fi
xdotool key ctrl+q
for i in $(seq 100); do
  kill -0 $viewer 2>/dev/null || break
  sleep 0.1
done
wait $viewer
result "Ctrl Q quits" $?
viewer=
[ "$failures" = 0 ]
