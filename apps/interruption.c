#include "interruption.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

static volatile sig_atomic_t came;

static void remember(int signal_number) {
  (void)signal_number;
  came = 1;
}

// What is being read or written goes on.
void interruption_await(void) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
}

bool interruption_came(void) {
  return came;
}
