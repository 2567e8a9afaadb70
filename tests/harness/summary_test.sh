#!/bin/sh
# What the summary of `make test` says about programs that were skipped, not found, disabled, failed, and about cases skipped
# inside of a program.
# usage: summary_test.sh SUMMARY_SCRIPT WORK_DIR
summary=$1 work=$2
rm -rf "$work" && mkdir -p "$work/one" "$work/two"
cat >"$work/one/tests.xml" <<'XML'
<testsuite name="x" tests="6" failures="1" disabled="1" skipped="2">
	<testcase name="a" classname="a" time="1" status="run">
		<system-out>[  SKIPPED ] 3 test(s), listed below:
[  SKIPPED ] that_one
</system-out>
	</testcase>
	<testcase name="b" classname="b" time="1" status="notrun">
	<testcase name="c" classname="c" time="1" status="notrun">
	<testcase name="d" classname="d" time="1" status="disabled">
	<testcase name="e" classname="e" time="1" status="run">
</testsuite>
XML
cp "$work/one/tests.xml" "$work/two/tests.xml"
expect() {
  echo "$said" | grep -qxF "$1" || { echo "expected: $1"; echo "$said"; exit 1; }
}
said=$(sh "$summary" "$work" one) || { echo "skipped tests are not failures"; exit 1; }
expect 'one         2 passed    0 failed    3 skipped (3 cases skipped in others)'
expect '2 passed, 0 failed, 3 skipped'
sed -i 's/name="e" classname="e" time="1" status="run"/name="e" classname="e" time="1" status="fail"/' "$work/two/tests.xml"
said=$(sh "$summary" "$work" one two) && { echo "a failure must fail the summary"; exit 1; }
expect '3 passed, 1 failed, 6 skipped'
said=$(sh "$summary" "$work" one three) && { echo "a variant without results must fail the summary"; exit 1; }
expect '2 passed, 1 failed, 3 skipped'
