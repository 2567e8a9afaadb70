#!/bin/sh
# Checks that nobody in src/ calls or includes upwards, that no name of a file or type is taken twice, that every function of
# a header is used, and that the files that the page of rooms names exist.
# usage: check.sh PAGE NM SOURCES OBJECT...     SOURCES is a folder src; PAGE has the table of rooms
page=$1 nm=$2 sources=$3
shift 3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

"$nm" -P -g "$@" >"$work/symbols" || exit 1
find "$sources" -name '*.[ch]' -o -name '*.cu' -o -name '*.def' | sort >"$work/files"
xargs grep -H '^ *# *include *["<]' <"$work/files" >"$work/includes"
awk -f "$(dirname "$0")/rooms.awk" input=table "$page" input=files "$work/files" \
  input=includes "$work/includes" input=symbols "$work/symbols"
result=$?

find "$sources" "$sources/../apps" "$sources/../schema" -name '*.[ch]' -o -name '*.cu' -o -name '*.def' 2>/dev/null |
  xargs awk -f "$(dirname "$0")/used.awk" || result=1

for name in $(sed 's|.*/||' "$work/files" | sort | uniq -d); do
  echo "$name is the name of more than one file:" $(grep "/$name\$" "$work/files")
  result=1
done

for name in $(grep -o '`[A-Za-z_/]*\.[a-z]*`' "$page" | grep '\.\(c\|h\|def\)`' | tr -d '`'); do
  [ -n "$(find "$sources" "$sources/../schema" -path "*/$name" 2>/dev/null)" ] && continue
  echo "$page names $name, which does not exist"
  result=1
done

# The declaration of a type ends with its name: "} ct_Field;".
xargs grep -h '^} ct_[A-Za-z0-9]*;' <"$work/files" | sort | uniq -d | sed 's/^} \(.*\);.*/\1/' >"$work/types"
while read -r type; do
  echo "type $type is defined more than once:" $(xargs grep -l "^} $type;" <"$work/files")
  result=1
done <"$work/types"

# So does its tag: "struct ct_Field_ {".
xargs grep -hoE '^ *(typedef +)?(struct|enum|union) +ct_[A-Za-z0-9_]+ *\{' <"$work/files" |
  sed 's/.*\(ct_[A-Za-z0-9_]*\).*/\1/' | sort | uniq -d >"$work/tags"
while read -r tag; do
  echo "tag $tag is defined more than once:" $(xargs grep -lE "(struct|enum|union) +$tag *\{" <"$work/files")
  result=1
done <"$work/tags"
exit $result
