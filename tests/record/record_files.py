"""Records how the reference treats paths, virtual files and base64, as tests/recorded/files.def.

  REDUCED(path, reduced)                       the key under which a path is kept
  BASE64(text, bytes)                          what mju_isValidBase64 says
  TIMESTAMP(contents, text)                    content hash of a virtual file
  START()                                      a fresh virtual file system, for the lines that follow
  ADD(name, code), DELETE(name, code), UNMOUNT(name, code)
  OPEN(dir, name, opened, contents, ndir)      what was found; contents are the name it was added under
  MISSING(dir, name)                           not found

Names are drawn from a few words, so that they meet often. Two virtual files of one base name are never present at a
time: which of them the reference finds is not specified.

Usage: python tests/record/record_files.py    (the interpreter must have mujoco 3.5.0)
"""

import ctypes
import os
import random

from recorded import reference

mujoco = reference()

HERE = os.path.dirname(os.path.abspath(__file__))
OUTPUT = os.path.join(HERE, os.pardir, "recorded", "files.def")
LIBRARY = ctypes.CDLL(os.path.join(os.path.dirname(mujoco.__file__), "libmujoco.so.3.5.0"))

SCHEME = "web"  # the only registered provider
FOLDERS = ["a", "b", "B", "..", ".", "", "web:", "c:", "q.x", "..."]
FILES = ["f.txt", "F.TXT", "g.obj", "G.obj", "h", "i.j.k", "l m.stl"]


class Vfs(ctypes.Structure):
  _fields_ = [("impl", ctypes.c_void_p)]


class Provider(ctypes.Structure):
  _fields_ = [("prefix", ctypes.c_char_p)] + [
      (name, ctypes.c_void_p) for name in ("open", "read", "close", "mount", "unmount", "modified", "data")]


class Resource(ctypes.Structure):
  _fields_ = [("name", ctypes.c_char_p), ("data", ctypes.c_void_p), ("vfs", ctypes.c_void_p),
              ("timestamp", ctypes.c_char * 512), ("provider", ctypes.POINTER(Provider))]


CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Resource))
LIBRARY.mju_openResource.restype = ctypes.POINTER(Resource)
LIBRARY.mju_isValidBase64.restype = ctypes.c_size_t
seen = []
note_name = CALLBACK(lambda resource: seen.append(resource.contents.name.decode()) or 1)
refuse = CALLBACK(lambda resource: 0)


def make_provider():
  pointer = ctypes.cast(note_name, ctypes.c_void_p)
  return Provider(SCHEME.encode(), ctypes.cast(refuse, ctypes.c_void_p), pointer, pointer, pointer, pointer, None, None)


def quote(text):
  return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def draw_path(rng, words):
  path = ""
  for _ in range(rng.randrange(words)):
    path += rng.choice(FOLDERS) + rng.choice("///\\")
  return path


def record_paths(out, rng):
  provider = make_provider()
  for _ in range(400):
    path = draw_path(rng, 7) + rng.choice(FOLDERS + FILES)
    vfs = Vfs()
    LIBRARY.mj_defaultVFS(ctypes.byref(vfs))
    LIBRARY.mj_mountVFS(ctypes.byref(vfs), path.encode(), ctypes.byref(provider))
    out.append(f"REDUCED({quote(path)}, {quote(seen[-1])})")
    LIBRARY.mj_deleteVFS(ctypes.byref(vfs))


def record_base64(out, rng):
  texts = ["", "A", "AA==", "AAA=", "A===", "====", "AB==", "AA=A", "AA==AAAA", "AAAA=", "-_+/", "+/+/", "AA A"]
  for _ in range(40):
    texts.append("".join(rng.choice("AZaz09+/=") for _ in range(rng.randrange(13))))
  for text in texts:
    out.append(f"BASE64({quote(text)}, {LIBRARY.mju_isValidBase64(text.encode())})")


def open_resource(vfs, folder, name):
  error = ctypes.create_string_buffer(100)
  return LIBRARY.mju_openResource(folder.encode(), name.encode(), ctypes.byref(vfs), error, ctypes.c_size_t(100))


def describe_open(vfs, folder, name):
  resource = open_resource(vfs, folder, name)
  if not resource:
    return f"MISSING({quote(folder)}, {quote(name)})"
  contents, start, length = ctypes.c_void_p(), ctypes.c_char_p(), ctypes.c_int()
  size = LIBRARY.mju_readResource(resource, ctypes.byref(contents))
  text = ctypes.string_at(contents, size).decode() if size else ""
  LIBRARY.mju_getResourceDir(resource, ctypes.byref(start), ctypes.byref(length))
  opened = resource.contents.name.decode()
  LIBRARY.mju_closeResource(resource)
  return f"OPEN({quote(folder)}, {quote(name)}, {quote(opened)}, {quote(text)}, {length.value})"


def base_name(path):
  return path.replace("\\", "/").rsplit("/", 1)[-1].lower()


def record_session(out, rng):
  out.append("START()")
  vfs = Vfs()
  LIBRARY.mj_defaultVFS(ctypes.byref(vfs))
  added = []
  for _ in range(20):
    folder, name = draw_path(rng, 4), draw_path(rng, 4) + rng.choice(FILES)
    kind = rng.randrange(6)
    if kind < 2:
      if base_name(name) in map(base_name, added) and name not in added:
        continue
      code = LIBRARY.mj_addBufferVFS(ctypes.byref(vfs), name.encode(), name.encode(), len(name))
      out.append(f"ADD({quote(name)}, {code})")
      added.append(name)
    elif kind == 2:
      function, label = rng.choice([(LIBRARY.mj_deleteFileVFS, "DELETE"), (LIBRARY.mj_unmountVFS, "UNMOUNT")])
      name = rng.choice(added + [name])
      out.append(f"{label}({quote(name)}, {function(ctypes.byref(vfs), name.encode())})")
    else:
      if added and rng.random() < 0.5:
        name = rng.choice(added)
      out.append(describe_open(vfs, folder, name))
  LIBRARY.mj_deleteVFS(ctypes.byref(vfs))


def record_timestamps(out, rng):
  vfs = Vfs()
  LIBRARY.mj_defaultVFS(ctypes.byref(vfs))
  for i in range(20):
    text = "".join(rng.choice("abcXYZ 019") for _ in range(i))
    LIBRARY.mj_addBufferVFS(ctypes.byref(vfs), f"t{i}".encode(), text.encode(), len(text))
    resource = open_resource(vfs, "", f"t{i}")
    out.append(f"TIMESTAMP({quote(text)}, {quote(resource.contents.timestamp.decode())})")
    LIBRARY.mju_closeResource(resource)
  LIBRARY.mj_deleteVFS(ctypes.byref(vfs))


def main():
  rng = random.Random(3)
  provider = make_provider()
  LIBRARY.mjp_registerResourceProvider(ctypes.byref(provider))
  out = [f"// Written by tests/record/record_files.py from mujoco {mujoco.__version__}; do not edit."]
  record_paths(out, rng)
  record_base64(out, rng)
  record_timestamps(out, rng)
  for _ in range(40):
    record_session(out, rng)
  with open(OUTPUT, "w") as file:
    file.write("\n".join(out) + "\n")
  print(f"{OUTPUT}: {len(out)} lines")


if __name__ == "__main__":
  main()
