#!/bin/sh
# Sees to it that what the named Debian packages bring is there: by asking for the compiler, the program or the header
# itself, wherever it comes from. What is missing is installed as root where there is apt-get; otherwise it is named.
cc=${CC:-cc}

has_header() {
  command -v "$cc" >/dev/null || cc=gcc
  echo "#include <$1>" | "$cc" -E -x c - >/dev/null 2>&1
}

# Is there a Python that an extension can be built for, and that has NumPy? The first in the PATH, or Debian's.
has_python() {
  for python in python3 /usr/bin/python3; do
    "$python" -c "$header; import numpy" 2>/dev/null && return 0
  done
  return 1
}
header="import os, sysconfig; os.stat(os.path.join(sysconfig.get_paths()['include'], 'Python.h'))"

# The thing itself, for packages that are known; any other is asked of the package manager.
is_there() {
  case $1 in
    gcc) command -v cc >/dev/null || command -v gcc >/dev/null ;;
    cmake | clang | clang-format | cppcheck) command -v "$1" >/dev/null ;;
    libpng-dev) has_header png.h ;;
    libdeflate-dev) has_header libdeflate.h ;;
    libqhull-dev) has_header libqhull_r/libqhull_r.h ;;
    libcmocka-dev) printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <cmocka.h>\n' |
      "$cc" -E -x c - >/dev/null 2>&1 ;;
    python3-dev) has_python || /usr/bin/python3 -c "$header" 2>/dev/null ;;
    python3-numpy) has_python || /usr/bin/python3 -c "import numpy" 2>/dev/null ;;
    python3-venv) python3 -c "import venv, ensurepip" 2>/dev/null ;;
    *) dpkg -s "$1" >/dev/null 2>&1 ;;
  esac
}

missing=
for package in "$@"; do
  is_there "$package" || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "installing$missing"
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing >/dev/null && exit 0
  echo "could not install$missing" >&2
  exit 1
fi
echo "corten needs:$missing (the names of Debian; others have the same under similar names)" >&2
command -v apt-get >/dev/null && echo "install them with:  sudo apt-get install$missing" >&2
exit 1
