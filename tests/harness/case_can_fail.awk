# Says why a case of a C test cannot fail, or nothing: it must be a function of the first file, be used in it, and assert
# something, itself or in functions and macros of these files that it calls.
# usage: awk -v name=CASE -f case_can_fail.awk FILE [HELPER ...]
# Reads what clang-format writes: a function begins at the left edge and ends with a brace there.

function take_function(text) {
  if (match(text, /[A-Za-z_][A-Za-z_0-9]* *\(/) == 0) return
  current = substr(text, RSTART, RLENGTH)
  sub(/ *\($/, "", current)
  known[current] = 1
  if (current == name && FILENAME == ARGV[1]) there = 1
}

FNR == 1 { current = head = "" }

{
  sub(/\/\/.*/, "")
  gsub(/"([^"\\]|\\.)*"/, "\"\"")
}

current == "" && /^#define [A-Za-z_0-9]+\(.*\\$/ { take_function($0); macro = current; next }
macro != "" && !/\\$/ { macro = ""; last_line = 1 }

current == "" && /^[A-Za-z]/ && !/[;=]/ && !/^(typedef|struct|enum|union)/ { head = $0 }
current == "" && head != "" && /^ / { head = head $0 }
current == "" && head != "" && /;$/ { head = "" }
current == "" && head != "" && /\{$/ { take_function(head); head = ""; next }
/^}/ { current = ""; head = ""; next }

current != "" {
  body = $0
  if (body ~ /(^|[^A-Za-z_0-9])(assert_[a-z_]+|fail|fail_[a-z]+|expect_[a-z_]+|abort) *\(/) asserts[current] = 1
  while (match(body, /[A-Za-z_][A-Za-z_0-9]*/)) {
    word = substr(body, RSTART, RLENGTH)
    body = substr(body, RSTART + RLENGTH)
    uses[current, word] = 1
    if (word == name && current != name && FILENAME == ARGV[1]) used = 1
  }
}
last_line { current = ""; last_line = 0 }

current == "" && FILENAME == ARGV[1] {  # a table of cases outside of functions
  text = $0
  if (text ~ "(^|[^A-Za-z_0-9])" name "([^A-Za-z_0-9]|$)" && text !~ /^[a-z]/) used = 1
}

END {
  if (!there) { print "there is no such function in " ARGV[1]; exit }
  if (!used) print "nothing in " ARGV[1] " runs it"
  for (grown = 1; grown;) {
    grown = 0
    for (f in known) {
      if (asserts[f]) continue
      for (g in known) {
        if (asserts[g] && ((f, g) in uses)) { asserts[f] = grown = 1 }
      }
    }
  }
  if (!asserts[name]) print "it asserts nothing"
}
