"""Drops a file onto a window, as a file manager does: the source's side of the XDND protocol, version 5, through libX11.

    usage: drop_file.py WINDOW FILE

Exit code 0 when the window has said that it took the drop.
"""

import ctypes
import ctypes.util
import pathlib
import sys
import time

CLIENT_MESSAGE, SELECTION_REQUEST, SELECTION_NOTIFY = 33, 30, 31
REPLACE, SECONDS = 0, 60
Id = ctypes.c_ulong


class Message(ctypes.Structure):
  _fields_ = [("type", ctypes.c_int), ("serial", Id), ("sent", ctypes.c_int), ("display", ctypes.c_void_p),
              ("window", Id), ("kind", Id), ("format", ctypes.c_int), ("data", ctypes.c_long * 5)]


class Request(ctypes.Structure):
  _fields_ = [("type", ctypes.c_int), ("serial", Id), ("sent", ctypes.c_int), ("display", ctypes.c_void_p),
              ("owner", Id), ("requestor", Id), ("selection", Id), ("target", Id), ("property", Id), ("time", Id)]


class Answer(ctypes.Structure):
  _fields_ = [("type", ctypes.c_int), ("serial", Id), ("sent", ctypes.c_int), ("display", ctypes.c_void_p),
              ("requestor", Id), ("selection", Id), ("target", Id), ("property", Id), ("time", Id)]


class Event(ctypes.Union):
  _fields_ = [("type", ctypes.c_int), ("message", Message), ("request", Request), ("answer", Answer),
              ("room", ctypes.c_long * 24)]


def load_x11():
  x = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
  void, integer, pointer = ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p
  for name, result, arguments in [
      ("XOpenDisplay", void, [ctypes.c_char_p]),
      ("XDefaultRootWindow", Id, [void]),
      ("XCreateSimpleWindow", Id, [void, Id, integer, integer, integer, integer, integer, Id, Id]),
      ("XInternAtom", Id, [void, ctypes.c_char_p, integer]),
      ("XSetSelectionOwner", integer, [void, Id, Id, Id]),
      ("XSendEvent", integer, [void, Id, integer, ctypes.c_long, pointer]),
      ("XChangeProperty", integer, [void, Id, Id, Id, integer, integer, ctypes.c_char_p, integer]),
      ("XPending", integer, [void]),
      ("XNextEvent", integer, [void, pointer]),
      ("XFlush", integer, [void])]:
    function = getattr(x, name)
    function.restype, function.argtypes = result, arguments
  return x


class Source:
  """The window that a file is dragged from."""

  def __init__(self, target, path):
    self.x, self.target = load_x11(), target
    self.display = self.x.XOpenDisplay(None)
    assert self.display, "there is no display"
    root = self.x.XDefaultRootWindow(self.display)
    self.window = self.x.XCreateSimpleWindow(self.display, root, 0, 0, 1, 1, 0, 0, 0)
    self.uris = (pathlib.Path(path).resolve().as_uri() + "\r\n").encode()
    self.x.XSetSelectionOwner(self.display, self.atom("XdndSelection"), self.window, 0)

  def atom(self, name):
    return self.x.XInternAtom(self.display, name.encode(), 0)

  def send(self, window, event):
    self.x.XSendEvent(self.display, window, 0, 0, ctypes.byref(event))
    self.x.XFlush(self.display)

  def tell(self, kind, *data):
    event = Event()
    event.message = Message(CLIENT_MESSAGE, 0, 1, self.display, self.target, self.atom(kind), 32,
                            (ctypes.c_long * 5)(self.window, *data))
    self.send(self.target, event)

  def hand_over(self, request):
    """What the target asks for: a list of files."""
    self.x.XChangeProperty(self.display, request.requestor, request.property, request.target, 8, REPLACE, self.uris,
                           len(self.uris))
    event = Event()
    event.answer = Answer(SELECTION_NOTIFY, 0, 1, self.display, request.requestor, request.selection, request.target,
                          request.property, request.time)
    self.send(request.requestor, event)

  def wait_for(self, kind):
    """The next message of that kind, with requests answered on the way; its data."""
    end, event = time.monotonic() + SECONDS, Event()
    while time.monotonic() < end:
      if not self.x.XPending(self.display):
        time.sleep(0.02)
        continue
      self.x.XNextEvent(self.display, ctypes.byref(event))
      if event.type == SELECTION_REQUEST:
        self.hand_over(event.request)
      elif event.type == CLIENT_MESSAGE and event.message.kind == self.atom(kind):
        return list(event.message.data)
    sys.exit(f"the window sent no {kind}")


def main():
  target, path = int(sys.argv[1], 0), sys.argv[2]
  source = Source(target, path)
  source.tell("XdndEnter", 5 << 24, source.atom("text/uri-list"), 0, 0)
  source.tell("XdndPosition", 0, (200 << 16) | 200, 0, source.atom("XdndActionCopy"))
  if not source.wait_for("XdndStatus")[1] & 1:
    sys.exit("the window does not want it")
  source.tell("XdndDrop", 0, 0, 0, 0)
  if not source.wait_for("XdndFinished")[1]:
    sys.exit("the window did not take it")


main()
