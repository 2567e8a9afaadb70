// Errors of one environment must not end the others: a function runs, and mju_error in it comes
// back here.

#ifndef CT_BATCH_GUARD_H_
#define CT_BATCH_GUARD_H_

#include <stdbool.h>
#include <stddef.h>

// Runs function(argument). If it, or what it calls on this thread, raises an error, the rest of it
// is left out, the message is in `message`, and the answer is false. Handlers of the user hear
// nothing.
bool ct_run_guarded(void (*function)(void*), void* argument, char* message, size_t room);

// Listens to errors of the calling thread without leaving anything out: functions go on, return
// NULL or do nothing. The first message is kept.
typedef struct ct_Listener_ {
  void (*before)(const char*);
  struct ct_Listener_* outer;
  char message[500];  // "": no error yet
} ct_Listener;

void ct_listen(ct_Listener* listener);
void ct_stop_listening(ct_Listener* listener);

#endif  // CT_BATCH_GUARD_H_
