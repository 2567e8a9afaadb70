#!/bin/sh
# Installs the Debian packages named on the command line that are missing: as root by itself, otherwise
# it prints the one command that does.
missing=
for package in "$@"; do
  dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "installing$missing"
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing >/dev/null && exit 0
  echo "could not install$missing" >&2
  exit 1
fi
echo "corten needs:$missing" >&2
echo "install them with:  sudo apt-get install$missing" >&2
exit 1
