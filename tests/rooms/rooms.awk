# Do the rooms of src/ stand in the order of the table in docs/architecture.md? Reads, in this order, the
# table, the names of all sources, lines "file:#include ..." from them, and the output of `nm -P -g` on all
# objects; `input` says which of them is being read. A room is a folder of src/; it may use itself and
# whatever it stands on, directly or through others.

# The folder of a file of src/, wherever the tree is: /any/where/src/base/model/fields.c.o -> base/model
function file_of(path) {
  sub(/^.*\/src\//, "", path)
  sub(/^src\//, "", path)
  sub(/\.o(bj)?$/, "", path)
  return path
}

function room_of(file) {
  return sub(/\/[^\/]*$/, "", file) ? file : "."
}

function mistake(text) {
  print text
  mistakes++
}

# May room a use room b?
function may_use(a, b) {
  return a == b || (a, b) in below
}

function check_use(file, how, other,   a, b) {
  a = room_of(file)
  b = room_of(other)
  if (a in rank && b in rank && !may_use(a, b)) {
    mistake("src/" file " " how " src/" other ", but room " a " does not stand on " b)
  }
}

# Paths of our headers begin with their room. Quotes are for them, for the public headers, and for tables and lists
# of the build, which have no folder and no name of ours.
function check_include(file, other, in_quotes) {
  if (other ~ /^(mujoco|corten)\//) return
  if (room_of(other) in rank) {
    check_use(file, "includes", other)
    ninclude++
  }
  if (in_quotes && (other ~ /\// ? !(other in exists) : other in named)) {
    mistake("src/" file " includes " other ", which is not the path of a file from src/")
  }
}

# | `room` | `below`, `below` | what lives there |
function read_row(line,   cell, room, names, n, i, lower, k) {
  split(line, cell, "|")
  gsub(/[` ]/, "", cell[2])
  gsub(/[` ]/, "", cell[3])
  room = cell[2]
  rank[room] = ++nroom
  n = split(cell[3], names, ",")
  for (i = 1; i <= n; i++) {
    lower = names[i]
    if (!(lower in rank) || lower == room) {
      mistake("the table lets " room " stand on " lower ", which is not a row above it")
      continue
    }
    below[room, lower] = 1
    for (k in rank) if ((lower, k) in below) below[room, k] = 1
  }
}

input == "table" && /^\| `[a-z_]+(\/[a-z_]+)*` \|/ { read_row($0) }

input == "files" {
  room = room_of(file_of($0))
  if (!(room in rank) && !(room in full)) mistake("src/" room " is not in the table of rooms")
  full[room] = 1
  exists[file_of($0)] = 1
  name = file_of($0)
  sub(/^.*\//, "", name)
  named[name] = 1
}

input == "includes" {
  colon = index($0, ":")
  file = file_of(substr($0, 1, colon - 1))
  split(substr($0, colon + 1), part, /["<>]/)
  check_include(file, part[2], $0 ~ /include *"/)
}

input == "symbols" && /:$/ { object = file_of(substr($0, 1, length($0) - 1)) }
input == "symbols" && NF >= 2 {
  if ($2 == "U" || $2 == "w" || $2 == "v") wanted[object, $1] = 1
  else defined[$1] = object
}

END {
  if (nroom < 2) mistake("there is no table of rooms")
  for (room in rank) if (!(room in full)) mistake("room " room " of the table has no file")
  for (use in wanted) {
    split(use, part, SUBSEP)
    if (!(part[2] in defined)) continue
    check_use(part[1], "uses " part[2] " of", defined[part[2]])
    ncall++
  }
  if (!ncall) mistake("nm shows no symbol that one object has and another uses")
  if (!ninclude) mistake("no source includes a header of another")
  if (mistakes) exit 1
  printf "%d rooms, %d uses of symbols and %d includes: all point downwards\n", nroom, ncall, ninclude
}
