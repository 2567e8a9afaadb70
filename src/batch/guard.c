#include "batch/guard.h"

#include <setjmp.h>
#include <stdio.h>

#include "base/error.h"

typedef struct Guard_ Guard;
struct Guard_ {
  jmp_buf back;
  char* message;
  size_t room;
  Guard* outer;  // a guarded function may use another batch
};

static _Thread_local Guard* innermost = NULL;

static void come_back(const char* message) {
  Guard* guard = innermost;
  snprintf(guard->message, guard->room, "%s", message);
  longjmp(guard->back, 1);
}

bool ct_run_guarded(void (*function)(void*), void* argument, char* message, size_t room) {
  ct_MessageHandler before = _mjPRIVATE__get_tls_error_fn();
  Guard guard;
  guard.message = message;
  guard.room = room;
  guard.outer = innermost;
  volatile bool good = false;
  if (!setjmp(guard.back)) {
    innermost = &guard;
    _mjPRIVATE__set_tls_error_fn(come_back);
    function(argument);
    good = true;
  }
  innermost = guard.outer;
  _mjPRIVATE__set_tls_error_fn(before);
  return good;
}

static _Thread_local ct_Listener* listening = NULL;

static void take_down(const char* message) {
  if (!listening->message[0]) {
    snprintf(listening->message, sizeof(listening->message), "%s", message);
  }
}

void ct_listen(ct_Listener* listener) {
  listener->before = _mjPRIVATE__get_tls_error_fn();
  listener->outer = listening;
  listener->message[0] = 0;
  listening = listener;
  _mjPRIVATE__set_tls_error_fn(take_down);
}

void ct_stop_listening(ct_Listener* listener) {
  listening = listener->outer;
  _mjPRIVATE__set_tls_error_fn(listener->before);
}
