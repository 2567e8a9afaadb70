#!/bin/sh
# The command line as a user meets it: answers on standard output, messages on standard error, exit codes.
# usage: cli.sh CORTEN FOLDER_OF_COMPILED_MODELS SINGLE
# A software renderer's own threads are not instrumented: the thread sanitizer may take them for races.
export LP_NUM_THREADS=0
corten=$1 models=$2 single=$3
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failures=0

# result NAME EXIT_CODE
result() {
  if [ "$2" = 0 ]; then
    echo "ok     $1"
  else
    echo "FAILED $1"
    failures=$((failures + 1))
  fi
}

# Waits for a condition, a minute at most: a busy machine needs its time.
wait_until() {
  for i in $(seq 1200); do
    "$@" 2>/dev/null && return
    sleep 0.05
  done
}

# check NAME EXIT_CODE TEXT_ON_STDOUT TEXT_ON_STDERR COMMAND...
# An empty text means that nothing may be printed there.
check() {
  name=$1 code=$2 out=$3 err=$4
  shift 4
  "$@" >"$work/out" 2>"$work/err" </dev/null
  got=$?
  problem=
  [ "$got" = "$code" ] || problem="exit code $got instead of $code"
  for stream in out err; do
    eval "want=\$$stream"
    if [ -z "$want" ] && [ -s "$work/$stream" ]; then
      problem="$problem; unexpected text on std$stream: $(head -c 200 "$work/$stream")"
    elif [ -n "$want" ] && ! grep -q -- "$want" "$work/$stream"; then
      problem="$problem; std$stream lacks \"$want\": $(head -c 200 "$work/$stream")"
    fi
  done
  [ -z "$problem" ]
  result "$name${problem:+: $problem}" $?
}

cat >"$work/loose.xml" <<END
<mujoco><option timestep="0.5"/><worldbody><body>
  <joint name="slide_it" type="slide" axis="0 0 1" stiffness="1e6" range="-1e9 1e9" limited="true"/><geom size=".1" pos=".2 0 0"/>
</body></worldbody></mujoco>
END

check "help goes to standard output" 0 "usage:" "" "$corten" --help
check "version names the interface" 0 "MuJoCo interface 3.5.0" "" "$corten" --version
check "no arguments shows the usage and fails" 2 "usage:" "" "$corten"
check "an unknown command is named" 2 "" 'no command "fly"' "$corten" fly
check "a command that is meant is guessed" 2 "" 'did you mean render' "$corten" rendr
check "plugins want a folder" 2 "" "plugins needs a folder" "$corten" info x.xml --plugins
check "plugins come from one folder" 2 "" "given twice" "$corten" --plugins a --plugins b info x.xml
check "a folder without plugins is named" 1 "" "nowhere: there is no plugin library" "$corten" --plugins nowhere info x.xml
check "info wants a file" 2 "" "which file" "$corten" info
check "info refuses unknown options" 2 "" "unknown option --jsno" "$corten" info --jsno x.mjb
check "info refuses two files" 2 "" "one file at a time" "$corten" info a.mjb b.mjb
check "run wants a time" 2 "" "positive number, got soon" "$corten" run --time soon
check "run refuses unknown options" 2 "" "unknown option --slow" "$corten" run --slow
check "speed wants numbers" 2 "" "batch needs a whole number" "$corten" speed --batch many
check "speed refuses unknown options" 2 "" "unknown option --slow" "$corten" speed --slow
check "derivative wants a time" 2 "" "not negative, got soon" "$corten" derivative --time soon
check "derivative refuses unknown options" 2 "" "unknown option --slow" "$corten" derivative --slow
check "render wants a picture" 2 "" "which picture" "$corten" render
check "render wants a size" 2 "" "WIDTHxHEIGHT in pixels, got big" "$corten" render -o x.png --size big
check "render refuses unknown options" 2 "" "unknown option --slow" "$corten" render --slow
check "render draws one thing" 2 "" "either --depth or --segment" "$corten" render --depth --segment -o x.png
check "render knows which pictures there are" 2 "" "ends in .png, got x.jpg" "$corten" render -o x.jpg
check "render makes a picture or a film" 2 "" "either a picture (-o) or a film" "$corten" render -o x.png --video x.mp4
check "an option is not the value of another" 2 "" "render: --video needs a value, FILE; got -o" "$corten" render --video -o x.mp4
check "an option with an equals sign neither" 2 "" "run: --csv needs a value, FILE; got --time" "$corten" run --csv --time=2
check "negative numbers are values" 1 "" "nowhere.xml" "$corten" render nowhere.xml --elevation -12 -o x.png
check "run refuses an integrator before it works" 2 "" "run: --integrator does not know Eulr" "$corten" run nowhere.xml --integrator Eulr
check "plot refuses a solver before it works" 2 "" "plot: --solver does not know Newtom" "$corten" plot nowhere.xml -o x.png --solver Newtom
check "replay knows which films there are" 2 "" "an .mp4 or a .gif, got x.avi" "$corten" replay nowhere.xml nowhere.csv --video x.avi
check "render refuses unknown flags" 2 "" "does not know colours" "$corten" render --show colours -o x.png
check "view refuses unknown options" 2 "" "unknown option --slow" "$corten" view --slow
check "view wants a size" 2 "" "WIDTHxHEIGHT" "$corten" view --size big
check "plot wants a recording" 2 "" "which recording" "$corten" plot
check "plot wants a picture" 2 "" "which picture" "$corten" plot x.csv
check "plot names a recording that is not there" 1 "" "cannot open" "$corten" plot nowhere.csv -o x.svg
check "plot knows which pictures there are" 2 "" "ends in .png or .svg, got x.jpg" "$corten" plot nowhere.csv -o x.jpg
check "plot refuses options of a run for a recording" 2 "" "--time is for the run of a model" "$corten" plot a.csv --time 2 -o x.png
check "run keeps fields in files only" 2 "" "field needs --csv or --npz" "$corten" run --field xpos
check "run wants whole steps" 2 "" "run: --steps needs a whole number, got 1.5" "$corten" run --steps=1.5
check "and whole steps between samples" 2 "" "run: --every needs a whole number, got 0.5" "$corten" run --every 0.5
check "run wants a time that ends" 2 "" "run: --time needs a finite number, got inf" "$corten" run --time=inf
check "render wants a distance" 2 "" "render: --distance needs a positive number" "$corten" render --distance=-3 -o x.png
check "run wants a whole seed" 2 "" "not negative, got -1" "$corten" run --seed -1
check "a command has a help of its own" 0 "--timestep SECONDS" "" "$corten" run --help
check "help may stand behind a model" 0 "--timestep SECONDS" "" "$corten" run nowhere.xml --help
check "run wants a finite timestep" 2 "" "finite number, got inf" "$corten" run --timestep inf
check "run writes two recordings to two files" 2 "" "need different files" "$corten" run --steps 1 --csv x --npz x
check "help shows a command" 0 "usage: corten check FILE" "" "$corten" help check
check "options take values after an equals sign" 2 "" "positive number, got soon" "$corten" run --time=soon
check "options without value refuse one" 2 "" "--json takes no value" "$corten" run --json=yes
check "the manual is a page of man" 0 ".TH CORTEN 1" "" "$corten" manual
for shell in bash zsh fish; do
  check "completion is there for $shell" 0 "integrator" "" "$corten" completion $shell
  ! command -v $shell >/dev/null ||
    check "$shell can read its completion" 0 "" "" sh -c "\"$corten\" completion $shell >\"$work/completion\" && $shell -n \"$work/completion\""
done
if command -v fish >/dev/null; then
  check "fish completes options" 0 "integrator" "" fish --no-config -c "source $work/completion; complete -C 'corten run --inte'"
fi
check "bash completes options" 0 "^--integrator$" "" bash -c "eval \"\$('$corten' completion bash)\"; COMP_WORDS=(corten run --inte); COMP_CWORD=2; _corten; echo \"\${COMPREPLY[@]}\""
check "completion knows three shells" 2 "" "bash, zsh and fish are known" "$corten" completion tcsh
check "exec wants a program" 2 "" "which program" "$corten" exec
check "exec names a program that is not there" 1 "" "no-such-program" "$corten" exec no-such-program
check "exec puts corten first" 0 "lib/corten" "" "$corten" exec sh -c 'echo $LD_LIBRARY_PATH'
check "compare wants two recordings" 2 "" "which two recordings" "$corten" compare a.csv
check "replay wants a recording" 2 "" "which recording" "$corten" replay a.xml
printf 'time,x,y\n0,1,2\n1,3,4\n' >"$work/a.csv"
printf 'time,x,y\n0,1,2\n1,3,4.5\n' >"$work/b.csv"
check "compare is content with equal recordings" 0 "0 of 3 columns differ" "" "$corten" compare "$work/a.csv" "$work/a.csv"
check "compare says where recordings part" 1 "y *by 0.5 *first at time 1: 4, 4.5" "" "$corten" compare "$work/a.csv" "$work/b.csv"
check "a recording comes from standard input" 0 "0 of 3 columns differ" "" sh -c "cat \"$work/a.csv\" | \"$corten\" compare - \"$work/a.csv\""
check "and be it a file" 1 "y *by 0.5" "" sh -c "\"$corten\" compare \"$work/b.csv\" - <\"$work/a.csv\""
check "a pipe with a name is no recording" 1 "" "give it as standard input" sh -c "cat \"$work/a.csv\" | \"$corten\" compare /dev/stdin \"$work/a.csv\""
check "a file is taken from where it stands" 0 "0 of 3 columns differ" "" sh -c "(echo junk; cat \"$work/a.csv\") >\"$work/behind.csv\"; (read junk; \"$corten\" compare - \"$work/a.csv\") <\"$work/behind.csv\""
check "standard input is one recording" 2 "" "standard input is one recording" "$corten" compare - -
check "standard input is a model or a recording" 2 "" "either the model or the recording" "$corten" replay - - --video x.gif
check "plot draws all of a table without positions" 0 ">y<" "" sh -c "\"$corten\" plot \"$work/a.csv\" -o \"$work/a.svg\" && cat \"$work/a.svg\""
check "plot draws a recording from standard input" 0 ">y<" "" sh -c "cat \"$work/a.csv\" | \"$corten\" plot - -o \"$work/in.svg\" && cat \"$work/in.svg\""
check "plot knows a recording from a model there" 2 "" "but - is a recording" sh -c "cat \"$work/a.csv\" | \"$corten\" plot - --time 1 -o \"$work/in.svg\""
check "plot runs a model from standard input" 0 "slide_it" "" sh -c "cat \"$work/loose.xml\" | \"$corten\" plot - --steps 2 -o \"$work/in.svg\" && cat \"$work/in.svg\""
printf 'time,x,y\n' >"$work/names.csv"
: >"$work/nothing.csv"
check "a table of names has no samples" 1 "" "names.csv: no samples follow the names in its first line" "$corten" plot "$work/names.csv" -o "$work/x.svg"
check "a table may not be empty" 1 "" "nothing.csv is empty" "$corten" plot "$work/nothing.csv" -o "$work/x.svg"
printf 'time\n0\n1\n' >"$work/time.csv"
check "time alone is not drawn" 1 "" "time.csv has one column, time" "$corten" plot "$work/time.csv" -o "$work/x.svg"
printf 'time,x,y\n0,1,2\n1,3\n' >"$work/short.csv"
printf 'time,x,y\n0,1,2\n\n1,many,4\n' >"$work/text.csv"
check "a row that is too short is named" 1 "" "short.csv:3: 2 fields, but there are 3 columns" "$corten" compare "$work/short.csv" "$work/a.csv"
check "text in a table is named" 1 "" 'text.csv:4: "many" is not a number' "$corten" compare "$work/text.csv" "$work/a.csv"
printf 'PK\003\004' >"$work/a.npz"
check "an archive that is cut off is refused" 1 "" "a.npz: an archive without a directory" "$corten" compare "$work/a.npz" "$work/a.npz"
check "compare takes a tolerance" 0 "0 of 3" "" "$corten" compare "$work/a.csv" "$work/b.csv" --tolerance=0.6
check "a missing file is named" 1 "" "nowhere.mjb: cannot open" "$corten" info nowhere.mjb
check "a folder is not a model" 1 "" "corten: " "$corten" info "$work"
: >"$work/empty.mjb"
check "an empty file is refused" 1 "" "empty.mjb" "$corten" info "$work/empty.mjb"
if [ "$single" != ON ]; then
  check "run refuses an unknown solver" 2 "" "does not know Newtom" "$corten" run --solver Newtom
  head -c 1000 "$models/humanoid.mjb" >"$work/cut.mjb"
  check "a truncated file is refused" 1 "" "cut.mjb" "$corten" info "$work/cut.mjb"
  check "info prints the tree" 0 "pelvis" "" "$corten" info "$models/humanoid.mjb"
  check "info lists actuators" 0 "^actuators" "" "$corten" info "$models/humanoid.mjb"
  check "info knows sizes" 0 "27 dofs" "" "$corten" info "$models/humanoid.mjb"
  check "run steps the built-in model" 0 "steps per second" "" "$corten" run --time 0.1
  check "run lets the built-in model fall on its ground" 0 "constraint rows in" "" "$corten" run --time 1.5
  check "run steps a model without constraints" 0 "everything" "" "$corten" run "$models/humanoid.mjb" --smooth
  check "run steps flexes" 0 "3 flexes" "" "$corten" run "$models/cloth.mjb" --time 0.1
  for soft in flag draped_cloth cable_over_edge soft_block soft_cell; do
    check "run steps the example $soft" 0 "1 flex" "" "$corten" run "$models/$soft.mjb" --time 0.1
  done
  check "run writes JSON" 0 '"steps": 7,' "" "$corten" run --steps 7 --json --ctrl 0.1
  check "run keeps what happens" 0 "everything" "" "$corten" run --steps 20 --every 5 --ctrl noise:0.5 --seed 3 --csv "$work/run.csv" --npz "$work/run.npz"
  [ "$(wc -l <"$work/run.csv")" = 6 ] && head -1 "$work/run.csv" | grep -q "^time,qpos.root.x,"
  result "a recording has a line of names and one per sample" $?
  "$corten" run --steps 20 --every 5 --ctrl noise:0.5 --seed 3 --csv "$work/again.csv" >/dev/null
  cmp -s "$work/run.csv" "$work/again.csv"
  result "the same seed gives the same recording" $?
  if command -v python3 >/dev/null; then
    check "a recording for NumPy is a sound archive with contacts" 0 "fine" "" python3 "$(dirname "$0")/check_npz.py" "$work/run.npz" "$work/run.csv"
  fi
  check "compare reads recordings for NumPy" 0 "^0 of [0-9]* columns differ$" "" "$corten" compare "$work/run.csv" "$work/run.npz"
  check "plot reads recordings for NumPy" 0 "qvel.root.wz" "" sh -c "\"$corten\" plot \"$work/run.npz\" -o \"$work/npz.svg\" --columns 'qvel.root.*' && cat \"$work/npz.svg\""
  for bytes in 100 3000 20000; do
    head -c $bytes "$work/run.npz" >"$work/part.npz"
    tail -c 3000 "$work/run.npz" >>"$work/part.npz"
    check "an archive with a hole is refused ($bytes)" 1 "" "part.npz: " "$corten" compare "$work/run.csv" "$work/part.npz"
  done
  if command -v python3 >/dev/null; then
    python3 -c 'import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as a, zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as b:
  for name in a.namelist(): b.writestr(name, a.read(name))' "$work/run.npz" "$work/packed.npz"
    check "archives may be compressed" 0 "^0 of [0-9]* columns differ$" "" "$corten" compare "$work/packed.npz" "$work/run.csv"
  fi
  cat >"$work/mocap.xml" <<END
<mujoco><visual><map znear=".1"/></visual><statistic center="0 0 0" extent="2"/><worldbody><light pos="0 0 3"/>
  <body name="Hand, größer" mocap="true"><geom type="box" size=".2 .3 .4"/></body><body><joint/><geom size=".1"/></body>
</worldbody><keyframe><key/><key name="up" mpos="0.4 0 0.5" mquat="0 0.6 0 0.8"/></keyframe></mujoco>
END
  check "recordings have mocap bodies" 0 "steps" "" "$corten" run "$work/mocap.xml" --key up --steps 2 --csv "$work/mocap.csv" --npz "$work/mocap.npz"
  check "with their names and places" 0 '"mocap_pos.Hand, größer.x"' "" head -1 "$work/mocap.csv"
  check "which archives have, too" 0 "^0 of 11 columns differ$" "" "$corten" compare "$work/mocap.npz" "$work/mocap.csv"
  check "run says where a motion diverged" 1 "steps per second" "diverged at joint slide_it" "$corten" run "$work/loose.xml" --time 20
  check "derivative says so, too" 1 "" "at joint slide_it" "$corten" derivative "$work/loose.xml" --time 20
  check "run says so in JSON" 1 '"diverged": true' "warning: .*at joint slide_it" "$corten" run "$work/loose.xml" --time 20 --json
  check "warnings name actuators" 0 "steps" "warning: .*at actuator waist_bend" "$corten" run --ctrl nan --steps 3 --json
  check "run says when it is cut" 1 "" "the run ends after 1000000000" "$corten" run --steps 1e12 --key nowhere --json
  check "run records fields of mjData" 0 "steps" "" "$corten" run --steps 20 --json --csv "$work/fields.csv" --field xpos,energy --field qacc
  head -1 "$work/fields.csv" | grep -q "ncon,xpos.world.x,.*,energy.potential,energy.kinetic,qacc.root.vx"
  result "fields have names" $?
  check "run knows which fields there are" 1 "" "no array of numbers called colour" "$corten" run --csv "$work/x.csv" --field colour --json
  # whoever watches does not change the motion
  "$corten" run --steps 20 --every 5 --ctrl noise:0.5 --seed 3 --csv "$work/watched.csv" --json >/dev/null
  cmp -s "$work/run.csv" "$work/watched.csv"
  result "tables on the way do not change the motion" $?
  # Ctrl-C: a summary, and a recording that is whole up to there
  "$corten" run --time 1e5 --csv "$work/cut.csv" --npz "$work/cut.npz" --every 50 >"$work/cut.out" 2>&1 &
  job=$!
  wait_until [ -s "$work/cut.csv" ]
  kill -INT $job
  wait $job
  check "Ctrl-C ends a run with exit code 130" 130 "" "" sh -c "exit $?"
  check "Ctrl-C ends a run with its summary" 0 "interrupted at" "" cat "$work/cut.out"
  if command -v python3 >/dev/null; then
    check "what was recorded is whole" 0 "fine" "" python3 "$(dirname "$0")/check_npz.py" "$work/cut.npz" "$work/cut.csv"
  fi
  # the same in a plot: nothing but its exit code and a word is left
  mkdir "$work/tmp"
  TMPDIR="$work/tmp" "$corten" plot "$models/humanoid.mjb" --time 1e5 -o "$work/cut.svg" 2>"$work/cut.err" &
  job=$!
  wait_until sh -c "[ -s \"$work\"/tmp/corten-* ]"
  kill -INT $job
  wait $job
  check "Ctrl-C ends a plot with exit code 130" 130 "" "" sh -c "exit $?"
  check "a plot that is interrupted says so" 0 "interrupted; there is no picture" "" cat "$work/cut.err"
  check "and leaves no file" 1 "" "" sh -c "ls \"$work/tmp\" | grep -q . || ls \"$work\" | grep -q cut.svg"
  check "run names a keyframe that is not there" 1 "" "no keyframe far" "$corten" run --key far
  printf '1 2\n' >"$work/ctrl.txt"
  check "run counts the numbers of a table of controls" 1 "" "ctrl.txt:1: 2 numbers, but the model has 21" "$corten" run --ctrl "$work/ctrl.txt" --json
  check "run says where it cannot write" 1 "" "cannot write" "$corten" run --csv "$work/none/x.csv" --json
  check "plot draws a recording" 0 "" "" "$corten" plot "$work/run.csv" -o "$work/run.svg" --columns "qvel.root.*"
  grep -q "</svg>" "$work/run.svg" && grep -q "qvel.root.wz" "$work/run.svg"
  result "a plot names its lines" $?
  for picture in "$work/run.svg" "$work/run.png"; do
    check "plot draws ${picture##*.}" 0 "" "" "$corten" plot "$work/run.csv" -o "$picture" --columns "sensordata.*" --model "$models/humanoid.mjb"
  done
  ! command -v python3 >/dev/null ||
    check "an SVG can be read" 0 "fine" "" python3 -c "import sys, xml.dom.minidom as x; x.parse(sys.argv[1]); print('fine')" "$work/run.svg"
  [ "$(head -c 4 "$work/run.png" | tail -c 3)" = PNG ]
  result "a plot can be a PNG" $?
  check "plot knows units by the model" 0 "(rad)" "" sh -c "\"$corten\" plot \"$work/run.csv\" -o \"$work/u.svg\" --model \"$models/humanoid.mjb\" --columns 'qpos.*' && cat \"$work/u.svg\""
  check "plot runs a model" 0 ">J<" "" sh -c "\"$corten\" plot \"$models/humanoid.mjb\" -o \"$work/u.svg\" --steps 5 --field energy --columns 'energy.*' && cat \"$work/u.svg\""
  check "plot says that a recording is of another model" 1 "" "columns, but a recording" "$corten" plot "$work/run.csv" -o "$work/x.png" --model "$models/pendulum.mjb"
  check "plot says where it cannot write" 1 "" "cannot write" "$corten" plot "$work/run.csv" -o "$work/none/x.png"
  check "plot says which columns there are" 1 "" "the first are time, qpos.root.x" "$corten" plot "$work/run.csv" -o "$work/x.svg" --columns nothing
  check "speed steps a batch" 0 "3 environments on 2 threads" "" "$corten" speed --batch 3 --threads 2 --seconds 0.01
  check "speed warms up for 300 steps" 0 "steps 301 to [0-9]* of each" "" "$corten" speed "$models/pendulum.mjb" --batch 2 --seconds 0.01
  check "speed warms up as long as it is told to" 0 "steps 1 to [0-9]* of each" "" "$corten" speed "$models/pendulum.mjb" --batch 2 --warm-up 0 --seconds 0.01
  check "speed writes CSV" 0 "^cpu,4,1,[a-z ]*,2,.*,8,[0-9]*[02468]$" "" "$corten" speed "$models/pendulum.mjb" --batch 4 --threads 1 --substeps 2 --warm-up 7 --seconds 0.01 --csv
  check "speed wants whole environments" 2 "" "batch needs a whole number from 1" "$corten" speed --batch 1.5
  check "render names a camera that is not there" 1 "" "no camera far" "$corten" render -o "$work/x.png" --camera far
  check "render names a keyframe that is not there" 1 "" "no keyframe 7" "$corten" render -o "$work/x.png" --key 7
  # pictures, where there is an OpenGL without a window
  if "$corten" render -o "$work/picture.png" --size 40x30 2>"$work/err"; then
    [ "$(head -c 4 "$work/picture.png" | tail -c 3)" = PNG ]
    result "render draws the built-in model" $?
    for kind in --depth --segment; do
      check "render $kind" 0 "" "" "$corten" render "$models/humanoid.mjb" -o "$work/x.png" --size 40x30 --time 0.02 $kind
    done
    check "render makes a film, or its frames" 0 "" "" sh -c "\"$corten\" render --video \"$work/film.mp4\" --size 40x30 --time 0.2 --fps 10 2>/dev/null"
    [ -s "$work/film.mp4" ] || [ -s "$work/film-00002.png" ] || { echo "FAILED a film has three frames"; failures=$((failures + 1)); }
    check "render knows which films there are" 2 "" "an .mp4 or a .gif" "$corten" render --video "$work/film.avi" --size 40x30
    # Ctrl-C: no half of a film, and what had its name is still there; with ffmpeg and without
    for path in "$PATH" "$work/none"; do
      echo old >"$work/cut.mp4"
      PATH=$path "$corten" render --video "$work/cut.mp4" --size 640x480 --time 1000 2>"$work/cut.err" &
      job=$!
      wait_until sh -c "ls \"$work\" | grep -q '^cut.part.mp4$\|^cut-00002.png$'"
      kill -INT $job
      wait $job
      check "Ctrl-C ends a film with exit code 130" 130 "" "" sh -c "exit $?"
      check "a film that is interrupted says so" 0 "interrupted after [0-9]* frames; there is no film" "" cat "$work/cut.err"
      check "and leaves no part of it" 1 "" "" sh -c "ls \"$work\" | grep -q '^cut.part\|^cut-0'"
      check "and what was there stays" 0 "^old$" "" cat "$work/cut.mp4"
    done
    check "replay makes a film" 0 "" "" sh -c "\"$corten\" replay \"$models/humanoid.mjb\" \"$work/run.csv\" --video \"$work/again.gif\" --size 40x30 2>/dev/null"
    check "replay wants the recording of its model" 1 "" "columns, but a recording of this model has" "$corten" replay "$models/pendulum.mjb" "$work/run.csv" --video "$work/again.gif"
    # without ffmpeg, the first frame is a picture like any other
    for kind in csv npz; do
      check "replay shows a recording of kind $kind" 0 "" "no ffmpeg" env PATH="$work/none" "$corten" replay "$work/mocap.xml" "$work/mocap.$kind" --video "$work/replayed-$kind.mp4" --size 40x30
      "$corten" render "$work/mocap.xml" --key up -o "$work/key.png" --size 40x30
      "$corten" render "$work/mocap.xml" -o "$work/no_key.png" --size 40x30
      cmp -s "$work/key.png" "$work/replayed-$kind-00000.png" && ! cmp -s "$work/no_key.png" "$work/key.png"
      result "mocap bodies are where the keyframe put them" $?
    done
    check "render says where a motion diverged" 1 "" "at joint slide_it" "$corten" render "$work/loose.xml" --time 20 -o "$work/x.png" --size 40x30
    printf 'qpos,time\n0,0\n0.5,0.1\n' >"$work/joint.csv"
    sed '$s/[^,]*$/nan/' "$work/joint.csv" >"$work/endless.csv"
    echo old >"$work/kept.gif"
    check "replay refuses times that are not numbers" 1 "" "no film can be" "$corten" replay "$work/loose.xml" "$work/endless.csv" --video "$work/kept.gif" --size 40x30
    check "and leaves an older film alone" 0 "old" "" cat "$work/kept.gif"
    check "replay takes times and positions alone" 0 "" "no ffmpeg" env PATH="$work/none" "$corten" replay "$work/loose.xml" "$work/joint.csv" --video "$work/alone.mp4" --fps 10 --size 40x30
    ! cmp -s "$work/alone-00000.png" "$work/alone-00001.png"
    result "and shows both" $?
    check "render says where it cannot write" 1 "" "cannot write the picture" "$corten" render -o "$work/none/x.png" --size 40x30
  elif ! grep -q "neither EGL nor OSMesa" "$work/err"; then
    echo "FAILED render draws the built-in model: $(cat "$work/err")"
    failures=$((failures + 1))
  fi
  check "derivative differentiates the built-in model" 0 "method       analytic" "" "$corten" derivative --time 0.2
  check "derivative lists eigenvalues" 0 "the largest magnitude is" "" "$corten" derivative --time 0.2
  cat >"$work/sleepy.xml" <<END
<mujoco><option timestep="0.004"><flag sleep="enable"/></option><worldbody>
  <geom type="plane" size="5 5 .1"/>
  <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="1 0 .3"><freejoint/><geom size=".1"/></body>
</worldbody></mujoco>
END
  for time in 0.004 0.028 0.08 0.1 0.24; do
    check "derivative finds equal eigenvalues at $time s" 0 "the largest magnitude is" "" "$corten" derivative --time $time "$work/sleepy.xml"
  done
  cat >"$work/spring.xml" <<END
<mujoco><option timestep="1e-6" gravity="0 0 0"/><worldbody>
  <body><joint type="slide" stiffness="1"/><geom size=".1" mass="1"/></body>
</worldbody></mujoco>
END
  check "derivative parts eigenvalues that are almost equal" 0 "1+1e-06i 1-1e-06i" "" "$corten" derivative "$work/spring.xml"
  sed 's/1e-6/1/; s/stiffness="1"/stiffness="1e200"/' "$work/spring.xml" >"$work/stiff.xml"
  check "derivative lists no infinite eigenvalues" 0 "eigenvalues  were not found" "QACC is not finite" "$corten" derivative "$work/stiff.xml"
  check "derivative gives all eigenvalues as JSON" 0 '"eigenvalues": ' "" "$corten" derivative "$models/pendulum.mjb" --json
  check "derivative draws what is not zero" 0 "o#" "" "$corten" derivative "$models/pendulum.mjb" --picture
  check "derivative tells of borders" 0 "two sides disagree" "" "$corten" derivative "$models/humanoid.mjb"
  check "derivative writes JSON" 0 '"method": "analytic"' "" "$corten" derivative "$models/pendulum.mjb" --json
  check "demo shows the built-in model" 0 "an mjData of this model" "" "$corten" demo
  if [ -e /dev/full ]; then
    sh -c "\"$corten\" info \"$models/humanoid.mjb\" >/dev/full" 2>"$work/err"
    [ $? = 1 ] && grep -q "cannot write" "$work/err"
    result "a full disk is reported" $?
  fi
  for model in "$models"/*.mjb; do
    "$corten" info --json "$model" >"$work/model.json" || { echo "FAILED json of $model"; failures=$((failures + 1)); }
    if command -v python3 >/dev/null; then
      python3 -c "import json,sys; json.load(open(sys.argv[1], encoding='latin-1'))" "$work/model.json" ||
        { echo "FAILED json of $model does not parse"; failures=$((failures + 1)); }
    fi
  done
fi
check "JSON has ranges, addresses and options" 0 '"integrator": "Euler"' "" sh -c "\"$corten\" info --json \"$work/loose.xml\" | tr '\n' ' '"
printf '<mujoco model="caf\351"><worldbody><body name="\033[31mred"><geom size="1"/></body></worldbody></mujoco>' >"$work/names.xml"
check "info shows control characters of names" 0 'x1b.31mred' "" "$corten" info "$work/names.xml"
check "info writes names that are not UTF-8 as JSON" 0 'caf.u00e9' "" "$corten" info --json "$work/names.xml"
check "info leaves no control character behind" 1 "" "" sh -c "\"$corten\" info \"$work/names.xml\" | grep -q '[[:cntrl:]]'"
printf '<mujoco><worldbody><geom name="\033[31mred\302\2332J" size="-1"/></worldbody></mujoco>' >"$work/colour.xml"
check "check shows control characters of names" 1 'x1b.31mred.xc2.x9b2J' "1 mistake" "$corten" check "$work/colour.xml"
check "messages show control characters of names" 1 "" 'x1b.31mred.xc2.x9b2J' "$corten" info "$work/colour.xml"
printf '<mujoco>\n<option x="1"/>\n<worldbody><geom size="a"/>\n<geom/></worldbody></mujoco>' >"$work/wrong.xml"
check "check reports what the reader finds" 1 "wrong.xml:3: geom" "2 mistakes" "$corten" check "$work/wrong.xml"
printf '<mujoco><worldbody><geom/>\n<body><geom size="-1"/></body></worldbody></mujoco>' >"$work/small.xml"
check "check reports what the compiler finds" 1 "small.xml:2: geom 1" "2 mistakes" "$corten" check "$work/small.xml"
check "a model comes from standard input" 0 "red" "" sh -c "\"$corten\" info - <\"$work/names.xml\""
printf '<mujoco><option timestep="0"/><worldbody><body><joint name="j" range="-1.5 1.5"/><geom size="1"/></body></worldbody></mujoco>' >"$work/odd.xml"
printf '<mujoco><compiler angle="radian"/><worldbody><body><joint name="j" range="-90 90"/><geom size="1"/></body></worldbody></mujoco>' >"$work/turns.xml"
sed 's/timestep="0"/timestep="-0.01"/' "$work/odd.xml" >"$work/back.xml"
check "check warns of a timestep that goes back" 0 "back.xml: warning: the timestep is -0.01; time will run backwards" "" "$corten" check "$work/back.xml"
check "derivative wants a timestep that goes on" 1 "" "the timestep is -0.01; give the model a positive one" "$corten" derivative "$work/back.xml" --time 0.1
check "check warns of a timestep that moves nothing" 0 "odd.xml: warning: the timestep is 0" "" "$corten" check "$work/odd.xml"
check "check warns of radians as degrees" 0 "within 3.2 degrees" "" "$corten" check "$work/odd.xml"
check "check warns of degrees as radians" 0 "joint j has a range of -90 to 90 rad" "" "$corten" check "$work/turns.xml"
printf '<mujoco><worldbody><body pos="nan 0 0"><geom size="1"/></body></worldbody></mujoco>' >"$work/nan.xml"
check "check warns of numbers that are not" 0 "nan.xml: warning: body_pos has a number that is NaN" "nan.xml:1: body: a number is NaN" "$corten" check "$work/nan.xml"
printf '<mujoco><compiler angle="radian"/><worldbody><body><joint name="j" range="-45 45"/><geom size="1"/></body></worldbody></mujoco>' >"$work/half.xml"
check "check warns of limits of more than a turn" 0 "joint j has a range of -45 to 45 rad" "" "$corten" check "$work/half.xml"
printf '<mujoco><compiler angle="radian"/><worldbody><body><joint name="j" type="ball" range="0 45"/><geom size="1"/></body></worldbody></mujoco>' >"$work/ball.xml"
check "check warns of limits of ball joints" 0 "joint j has a range of 0 to 45 rad" "" "$corten" check "$work/ball.xml"
printf '<mujoco><compiler angle="radian"/><worldbody><body><joint name="j" range="-6.28 6.28"/><geom size="1"/></body></worldbody></mujoco>' >"$work/turn.xml"
check "check is content with a whole turn" 0 "turn.xml: fine" "" "$corten" check "$work/turn.xml"
sed 's/6.28/9.42478/g' "$work/turn.xml" >"$work/turns3.xml"
check "check is content with half turns that are whole" 0 "turns3.xml: fine" "" "$corten" check "$work/turns3.xml"
printf '<mujoco><option gravity="0 0 nan"/><worldbody><body><joint/><geom pos="1 0 0" size="1"/></body></worldbody></mujoco>' >"$work/gravity.xml"
check "check warns of options that are no numbers" 0 "warning: opt.gravity has a number that is NaN" "" sh -c "\"$corten\" check \"$work/gravity.xml\" 2>/dev/null"
printf '<mujoco><option gravity="0 0 nan"/><worldbody><body><joint name="elbow"/><geom pos="1 0 0" size="1"/></body></worldbody></mujoco>' >"$work/elbow.xml"
check "check names the joint of a warning" 0 "at joint elbow" "" sh -c "\"$corten\" check \"$work/elbow.xml\" 2>/dev/null"
check "and so do others, where a file is loaded" 1 "" "at joint elbow" "$corten" derivative "$work/elbow.xml"
check "check warns of them in a compiled model" 0 "gravity.mjb: warning: opt.gravity has a number that is NaN" "" sh -c "\"$corten\" compile \"$work/gravity.xml\" \"$work/gravity.mjb\" 2>/dev/null; \"$corten\" check \"$work/gravity.mjb\""
printf '<mujoco><worldbody>\n<body euler="0 1.5708 0">\n<geom size="1"/><site name="eye" axisangle="0 0 1 -3.1416"/></body>\n<frame euler="2 15 3.5"><geom size="1"/></frame></worldbody></mujoco>' >"$work/euler.xml"
check "check warns of orientations in radians, with their line" 0 "euler.xml:2: warning: body is turned by 1.5708 degrees; if radians" "" "$corten" check "$work/euler.xml"
check "and of those from standard input" 0 "stdin.xml:2: warning: body is turned by 1.5708 degrees; if radians" "" sh -c "cat \"$work/euler.xml\" | \"$corten\" check -"
check "check tells lines of standard input" 1 "stdin.xml:2: geom 1" "2 mistakes" sh -c "cat \"$work/small.xml\" | \"$corten\" check -"
check "and of angles about an axis" 0 "euler.xml:3: warning: site eye is turned by -3.1416 degrees" "" "$corten" check "$work/euler.xml"
check "and of no others" 0 "no mistakes, but 2 warnings" "" "$corten" check "$work/euler.xml"
sed 's/<worldbody>/<compiler angle="radian"\/>&/; s/15/45/' "$work/euler.xml" >"$work/euler_radian.xml"
check "check warns of orientations in degrees, with their line" 0 "euler_radian.xml:4: warning: frame is turned by 45 rad; if degrees" "" "$corten" check "$work/euler_radian.xml"
check "and is content with those in radians" 0 "no mistakes, but 1 warning$" "" "$corten" check "$work/euler_radian.xml"
printf '<mujoco><compiler angle="radian"/>\n<worldbody><body>\n<joint name="j" range="-90 90"/><geom size="1"/></body></worldbody></mujoco>' >"$work/line.xml"
check "ranges are told with their line" 0 "line.xml:3: warning: joint j has a range of -90 to 90 rad" "" "$corten" check "$work/line.xml"
printf '<mujoco><include file="line.xml"/></mujoco>' >"$work/outer.xml"
check "files that are included are told of" 0 "outer.xml: in a file that it includes: warning: joint j" "" "$corten" check "$work/outer.xml"
link() { printf '<link name="%s"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>\n' "$1"; }
hinge() { printf '<joint name="knee" type="revolute"><parent link="a"/><child link="b"/><origin rpy="0 1.5708 0"/><axis xyz="0 1 0"/>\n<limit lower="-%s" upper="%s" effort="1" velocity="1"/></joint>\n' "$1" "$1"; }
{ echo '<robot name="r">'; link a; link b; hinge 1.57; echo '</robot>'; } >"$work/radians.urdf"
{ echo '<robot name="r">'; link a; link b; hinge 90; echo '</robot>'; } >"$work/degrees.urdf"
check "check takes URDF, whose angles are radians" 0 "radians.urdf: fine" "" "$corten" check "$work/radians.urdf"
check "check warns of degrees in URDF" 0 "degrees.urdf: warning: joint knee has a range of -90 to 90 rad; if degrees are meant: URDF takes radians" "" "$corten" check "$work/degrees.urdf"
printf '<robot name="r"><link name="a"/><joint name="j" type="revolute"><parent link="a"/></joint></robot>' >"$work/wrong.urdf"
check "URDF comes from standard input, too" 0 "stdin.urdf: warning: joint knee .* URDF takes radians" "" sh -c "\"$corten\" check - <\"$work/degrees.urdf\""
check "and compiled models" 0 "stdin.mjb: warning: opt.gravity has a number that is NaN" "" sh -c "\"$corten\" check - <\"$work/gravity.mjb\""
check "check finds mistakes of URDF" 1 "wrong.urdf" "mistake" "$corten" check "$work/wrong.urdf"
for joint in a b; do
  printf '<mujoco><worldbody><body><joint name="%s"/><geom size="1"/></body></worldbody></mujoco>' $joint >"$work/joint_$joint.xml"
done
check "a hinge is recorded" 0 "steps" "" "$corten" run "$work/joint_a.xml" --steps 3 --json --csv "$work/joint_a.csv"
check "replay refuses a recording with other names" 1 "" "column 2 is qpos.a, but in a recording of this model it is qpos.b" "$corten" replay "$work/joint_b.xml" "$work/joint_a.csv" --video "$work/x.gif"
printf 'time,qvel\n0,0\n' >"$work/speeds.csv"
check "replay wants positions" 1 "" "has no columns of time and qpos" "$corten" replay "$work/joint_b.xml" "$work/speeds.csv" --video "$work/x.gif"
check "derivatives that are no numbers are refused" 1 "" "derivative: the state at 0 s has none" "$corten" derivative --json "$work/gravity.xml"
check "check counts what it warns of" 0 "turns.xml: no mistakes, but 1 warning" "" "$corten" check "$work/turns.xml"
check "standard input may be empty" 1 "" "standard input is empty" "$corten" info -
check "check takes several files" 1 "names.xml: fine" "small.xml: 2 mistakes" "$corten" check "$work/small.xml" "$work/names.xml"
check "check is content with a good file" 0 "fine" "" "$corten" check "$work/names.xml"
check "view says that there is no display" 1 "" "needs GLFW\|no window can be opened" env -u DISPLAY -u WAYLAND_DISPLAY "$corten" view "$work/names.xml" --frames 1
check "compile writes a model" 0 "" "" "$corten" compile "$work/names.xml" "$work/names.mjb"
check "info reads what compile wrote" 0 ", 1 geom" "" "$corten" info "$work/names.mjb"
check "compile says where it cannot write" 1 "" "cannot write" "$corten" compile "$work/names.xml" "$work/none/x.mjb"
if [ -e /dev/full ]; then
  check "compile fails where the disk is full" 1 "" "cannot write" "$corten" compile "$work/names.xml" /dev/full
  check "help fails where the disk is full" 1 "" "cannot write" sh -c "\"$corten\" --help >/dev/full"
fi
printf '<mujoco><option timestep="abc" solver="newton"/></mujoco>' >"$work/two.xml"
check "check reports every attribute" 1 "did you mean Newton" "2 mistakes; more may show" "$corten" check "$work/two.xml"
check "a missing model file says why" 1 "no such file" "1 mistake" "$corten" check "$work/nowhere.xml"
check "schema lists elements" 0 "worldbody\|(world)body" "" "$corten" schema
check "schema describes an element wherever it may stand" 0 "mujoco/worldbody/body/inertial: .*" "" "$corten" schema inertial
check "schema says which attributes are required" 0 "diaginertia .*3 reals" "" "$corten" schema inertial
check "schema knows similar names" 1 "" "did you mean joint" "$corten" schema jont
printf '<robot name="r"><link name="a"><collision><geometry><sphere radius=".1"/></geometry></collision></link></robot>' >"$work/r.urdf"
check "convert makes MJCF of URDF" 0 "" "" "$corten" convert "$work/r.urdf" "$work/r.xml"
check "what convert wrote is a model" 0 "fine" "" "$corten" check "$work/r.xml"
check "diff finds none where there is none" 0 "no differences" "" "$corten" diff "$work/r.urdf" "$work/r.xml"
sed 's/size="0.1"/size="0.2"/' "$work/r.xml" >"$work/s.xml"
check "diff names what differs" 1 "size is 0.1 0 0, then 0.2 0 0" "" "$corten" diff "$work/r.xml" "$work/s.xml"
printf '<robot name="w"><link name="world"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="a"><collision><geometry><sphere radius=".1"/></geometry></collision></link><joint name="j" type="revolute"><parent link="world"/><child link="a"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>' >"$work/w.urdf"
check "convert tells what no text has" 0 "" "no words for the pose, mass and inertia of the world" "$corten" convert "$work/w.urdf" "$work/w.xml" --keep-all
cp "$work/r.xml" "$work/same.xml"
check "convert does not overwrite what it reads" 2 "" "is the file to read" "$corten" convert "$work/same.xml" "$work/./same.xml"
check "and leaves it as it was" 0 "" "" cmp "$work/r.xml" "$work/same.xml"
printf '<mujoco><worldbody><geom size=".1"/></worldbody></mujoco>' >"$work/part_of.xml"
printf '<mujoco><include file="part_of.xml"/></mujoco>' >"$work/with.xml"
cp "$work/part_of.xml" "$work/part_of.copy"
check "convert does not overwrite what the model includes" 2 "" "is a file that the model reads" "$corten" convert "$work/with.xml" "$work/./part_of.xml"
check "nor from standard input" 2 "" "is a file that the model reads" sh -c "cd \"$work\" && \"$corten\" convert - part_of.xml <with.xml"
check "what it includes is as it was" 0 "" "" cmp "$work/part_of.xml" "$work/part_of.copy"
check "options of convert stand anywhere" 0 "" "" "$corten" convert --keep-all --digits 9 "$work/r.urdf" "$work/front.xml"
check "and are all taken" 0 "no differences" "" "$corten" diff --tolerance 0 "$work/r.urdf" "$work/front.xml"
check "convert refuses unknown options" 2 "" "convert: unknown option --all" "$corten" convert a.xml b.xml --all
check "convert wants digits" 2 "" "digits takes 1 to 17" "$corten" convert a.xml b.xml --digits 3x
check "diff refuses unknown options" 2 "" "diff: unknown option --all" "$corten" diff --all a.xml b.xml
check "diff wants two models" 2 "" "two models" "$corten" diff a.xml --tolerance 1
check "convert takes standard input" 0 "" "" sh -c "\"$corten\" convert - \"$work/input.xml\" <\"$work/r.xml\""
check "which is the same model" 0 "no differences" "" "$corten" diff "$work/r.xml" "$work/input.xml"
check "convert takes text from there" 1 "" "a compiled model has no text" sh -c "printf 'a\0b' | \"$corten\" convert - \"$work/input.xml\""
check "diff takes standard input" 0 "no differences" "" sh -c "\"$corten\" diff \"$work/r.xml\" - <\"$work/r.xml\""
check "derivative takes standard input" 0 "|A|" "" sh -c "\"$corten\" derivative - <\"$work/loose.xml\""
check "view takes standard input" 1 "" "standard input is empty" "$corten" view -
check "replay wants the model of a window as a file" 2 "" "takes the model from a file" "$corten" replay - a.csv
check "convert keeps everything" 0 "" "" "$corten" convert "$work/r.urdf" "$work/whole.xml" --keep-all
check "what was kept is the model" 0 "no differences" "" "$corten" diff "$work/r.urdf" "$work/whole.xml"
check "convert makes text of MJCF" 0 "" "" "$corten" convert "$work/r.xml" "$work/r.txt"
check "convert makes .mjb of URDF" 0 "" "" "$corten" convert "$work/r.urdf" "$work/r.mjb"
check "convert cannot go back from .mjb" 1 "" "cannot become MJCF" "$corten" convert "$work/r.mjb" "$work/x.xml"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' >"$work/part.obj"
check "a decoder makes a model of an OBJ file" 0 "part" "" "$corten" info "$work/part.obj"
check "convert makes MJCF of an OBJ file" 0 "" "" "$corten" convert "$work/part.obj" "$work/part.xml"
check "what it wrote has the mesh inside" 0 "fine" "" "$corten" check "$work/part.xml"
cp "$work/part.obj" "$work/part.txt"
printf '<mujoco><asset><mesh name="m" file="part.txt" content_type="model/obj"/></asset></mujoco>' >"$work/of_mesh.xml"
check "convert does not overwrite a mesh of the model" 2 "" "is a file that the model reads" "$corten" convert "$work/of_mesh.xml" "$work/part.txt"
printf 'f 1 2 3\n' >"$work/bad.obj"
check "a decoder refuses with file and line" 1 "" "bad.obj line 1: a face names one" "$corten" info "$work/bad.obj"
check "convert needs an ending that it knows" 2 "" "ends in" "$corten" convert "$work/r.xml" "$work/x.json"
for model in pid cable touch_grid shapes; do
  check "the plugins of $model come with corten" 0 "fine" "" "$corten" check "$(dirname "$0")/../plugin/$model.xml"
done
check "a model can be run with plugins" 0 "steps per second" "" "$corten" run "$(dirname "$0")/../plugin/pid.xml" --steps 10
[ "$failures" = 0 ]
