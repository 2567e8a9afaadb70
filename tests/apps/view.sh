#!/bin/sh
# The viewer in a window of a virtual screen, driven by mouse and keys; what it shows is looked at through its own
# screenshots, part by part. Exit code 77 (skipped) without Xvfb, xdotool, GLFW or OpenGL.
# usage: view.sh CORTEN PIXELS
corten=$1
pixels=$2
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
    <body pos="-.4 .6 1.3"><joint name="swing" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 0"/></body>
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

# Parts of the window: the panels at its sides, and the picture between them with what is drawn over it.
left="0 0 260 600" right="640 0 260 600" view="270 0 360 600"
slider="762 102 110 26" joint_slider="762 40 110 26"
help="270 0 240 400" info="270 420 200 180" lower_plot="510 400 120 200" upper_plot="510 200 120 200"
# How many pixels of a part changed, and whether that is at least so many, or none.
changed_in() { "$pixels" differ "$1.png" "$2.png" $3; }
differ_in() {
  n=$(changed_in "$2" "$3" "$4")
  [ "${n:-0}" -ge "$5" ]
  result "$1 ($n pixels)" $?
}
same_in() {
  n=$(changed_in "$2" "$3" "$4")
  [ "$n" = 0 ]
  result "$1" $?
}

# On a busy machine a frame may take long, so a change is waited for.
shoot_until_it_differs() {
  for i in $(seq 100); do
    sleep 0.1
    shoot "$2"
    cmp -s "$1.png" "$2.png" || break
  done
}
wait_for_error() {
  for i in $(seq 50); do
    grep -q "$1" err && return 0
    sleep 0.1
  done
  return 1
}
press_often() {  # press_often N KEY
  for i in $(seq "$1"); do xdotool key "$2"; done
}

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

# the camera
xdotool mousedown 1 mousemove_relative 40 20 mouseup 1
shoot turned
differ_in "a drag turns the view" first turned "$view" 1000
xdotool key ctrl+a
shoot aligned
same "Ctrl A aligns the view" first aligned
xdotool mousemove 450 300 click 4
shoot zoomed
differ_in "the wheel zooms" first zoomed "$view" 1000
xdotool key ctrl+a

# flags, by keys and in the panel
for flag in "t transparency" "i inertia" "j joints" "w wires" "F6 frames" "F7 labels" "0 geoms of group 0"; do
  key=${flag%% *}
  xdotool key "$key"
  shoot flag
  differ_in "$key changes ${flag#* }" first flag "$view" 20
  case $key in F6) press_often 7 F6 ;; F7) press_often 16 F7 ;; *) xdotool key "$key" ;; esac
done
shoot flag
same_in "and change them back" first flag "$view"

# motion
press_often 5 Right
shoot stepped
differ_in "Right steps" first stepped "$view" 100
press_often 5 Left
shoot back
same "Left steps back" first back
xdotool key space
shoot_until_it_differs first played
xdotool key space
differ_in "Space plays" first played "$view" 100
xdotool key BackSpace
shoot reset
same "Backspace resets" first reset
xdotool key minus
shoot slow
differ_in "- is seen in the panel" first slow "$left" 20
xdotool key equal

# the panels
xdotool mousemove 870 115 click 1
shoot pushed
differ_in "a click sets the slider of a control" first pushed "$slider" 500
xdotool mousemove 450 300
press_often 20 Right
shoot with_control
xdotool key BackSpace mousemove 700 85 click 1 mousemove 450 300
shoot cleared
same "a button clears the controls" first cleared
press_often 20 Right
shoot without_control
differ_in "and the control moves the model" without_control with_control "$view" 50
xdotool key BackSpace mousemove 755 20 click 1
shoot joints
differ_in "a click opens a section" first joints "$right" 1000
xdotool mousemove 850 53 click 1
shoot bent
differ_in "a click sets the slider of a joint" joints bent "$joint_slider" 500
differ_in "and the joint moves" joints bent "$view" 50
xdotool key BackSpace mousemove 755 20 click 1 mousemove 450 300
shoot closed
same "another click closes it" first closed
xdotool mousemove 185 359 click 1 mousemove 450 300
shoot key
differ_in "a button loads the keyframe" first key "$view" 1000
xdotool key BackSpace key Tab
shoot no_left
differ_in "Tab hides the left panel" first no_left "$left" 20000
same_in "and not the right one" first no_left "$right"
xdotool key shift+Tab
shoot wide
differ_in "Shift Tab hides the right panel" no_left wide "$right" 20000
xdotool key Tab key shift+Tab
shoot panels
same "and both come back" first panels

# what is drawn over the picture
for over in "F1 help $help" "F2 info $info" "F3 profiler $lower_plot" "F4 sensors $lower_plot"; do
  key=${over%% *} part=${over#* * } name=${over#* }
  xdotool key "$key"
  shoot over
  differ_in "$key shows ${name%% *}" first over "$part" 500
  xdotool key "$key"
done
shoot plain
same "and takes it away" first plain
xdotool key F3 key F4
shoot no_lines
xdotool key space
for i in $(seq 100); do
  sleep 0.1
  shoot lines
  [ "$(changed_in no_lines lines "570 440 50 100")" -gt 60 ] && [ "$(changed_in no_lines lines "570 240 50 100")" -gt 60 ] && break
done
xdotool key space
differ_in "the sensors are plotted as the model moves" no_lines lines "570 440 50 100" 60
differ_in "and so are the times of stages" no_lines lines "570 240 50 100" 60
xdotool key F3 key F4 key BackSpace

# bodies are selected and pulled
for i in $(seq 5); do  # on a busy machine, two clicks may be too far apart
  xdotool mousemove 450 300 click --repeat 2 --delay 30 1
  shoot selected
  cmp -s first.png selected.png || break
done
differ_in "a double click selects" first selected "$view" 20
at=$("$pixels" red selected.png $view)
pull_right() {  # until the ball is seen further right, with the control key and the right button
  xdotool keydown ctrl mousedown 3 mousemove_relative 40 0 mousemove_relative 40 0
  for i in $(seq 50); do
    sleep 0.1
    shoot "$1"
    now=$("$pixels" red "$1.png" $view)
    [ "$now" -gt $((at + 20)) ] && break
  done
  xdotool mouseup 3 keyup ctrl
  [ "$now" -gt $((at + 20)) ]
}
pull_right moved
result "what is pulled while paused is moved (from $at to $now)" $?
xdotool key BackSpace mousemove 450 300
shoot unmoved
same_in "and reset" selected unmoved "$view"
xdotool key space
for i in $(seq 5); do
  sleep 0.1
  shoot alone
done
fallen=$("$pixels" red alone.png $view)
[ "$fallen" -ge $((at - 3)) ] && [ "$fallen" -le $((at + 3)) ]
result "a ball that nobody pulls stays where it is ($fallen)" $?
pull_right pulled
result "and follows the mouse when it is pulled (to $now)" $?
xdotool key space key BackSpace mousemove 450 300
shoot plain
same_in "what was pulled is reset" selected plain "$view"

# files
write_model "0 1 0 1"
shoot_until_it_differs plain changed
differ_in "a file that changes is loaded again" plain changed "$view" 1000
echo "<mujoco><worldbody><geom/></worldbody></mujoco>" >new.xml && mv new.xml model.xml
wait_for_error "model.xml"
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
  wait_for_error "broken one.xml"
  result "a broken one is reported" $?
  shoot unmoved
  same "and changes nothing" kept unmoved
  write_model "0 0 1 1"
  mv model.xml "another one.xml"
  python3 "$here/drop_file.py" "$window" "another one.xml"
  shoot_until_it_differs kept dropped
  differ_in "a good one is shown" kept dropped "$view" 1000
  write_model "1 1 0 1"
  mv model.xml "another one.xml"
  shoot_until_it_differs dropped followed
  differ_in "and loaded again when it changes" dropped followed "$view" 1000
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
