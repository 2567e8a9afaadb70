#!/bin/sh
# Passes only if the check of rooms fails and says so.
# usage: refuses.sh MESSAGE PAGE NM SOURCES OBJECT...     MESSAGE is a basic regular expression
message=$1
shift
said=$(sh "$(dirname "$0")/check.sh" "$@")
if [ $? = 0 ]; then
  echo "accepted"
  exit 1
fi
echo "$said" | grep "$message" && exit 0
echo "$said"
exit 1
