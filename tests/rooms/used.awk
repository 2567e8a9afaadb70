# Is every function that a header of src/ declares used by what is shipped? Reads sources, headers and tables of src/, apps/
# and schema/. A line of C that begins in the first column and has the name before a parenthesis declares or defines it; any
# other line uses it, comments aside. A word of a table stands for the function whose name is put together from it, too.
# What only tests call belongs to the tests. batch/cuda is not looked at, but what it uses is used.

FNR == 1 {
  table = FILENAME ~ /\.def$/
  header = FILENAME ~ /(^|\/)src\/.*\.h$/ && FILENAME !~ /\/batch\/cuda\//
}

{
  line = $0
  sub(/\/\/.*/, "", line)
  may_declare = !table && line ~ /^[A-Za-z]/
  while (match(line, /[A-Za-z_][A-Za-z0-9_]*/)) {
    name = substr(line, RSTART, RLENGTH)
    line = substr(line, RSTART + RLENGTH)
    if (table) used["ct_" name] = 1
    if (name !~ /^(ct|lane|wide)_[a-z0-9_]+$/) continue
    if (may_declare && line ~ /^\(/) {
      if (header) declared[name] = FILENAME
      may_declare = 0
    } else {
      used[name] = 1
    }
  }
}

END {
  for (name in declared) {
    count++
    if (name in used) continue
    print declared[name] " declares " name ", which nothing shipped uses"
    mistakes++
  }
  if (!count) {
    print "no header declares a function"
    exit 1
  }
  if (mistakes) exit 1
  printf "%d functions of headers: all are used\n", count
}
