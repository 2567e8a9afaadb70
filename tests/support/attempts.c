#include "support/attempts.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/fail.h"

enum { MOST_FINDINGS = 1000, NAME_BYTES = 200 };
static const struct itimerval patience = {.it_value = {.tv_sec = 20}};

// What a child is doing, for the parent to read when it has died.
typedef struct {
  long attempt;
  char name[NAME_BYTES];
} Progress;

struct Attempts_ {
  long start, count;
  Progress* progress;
};

static const int deadly[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
enum { NDEADLY = sizeof(deadly) / sizeof(deadly[0]) };
static struct sigaction at_start[NDEADLY];

void remember_signals(void) {
  for (int i = 0; i < NDEADLY; i++) sigaction(deadly[i], NULL, at_start + i);
}

static void restore_signals(void) {
  for (int i = 0; i < NDEADLY; i++) sigaction(deadly[i], at_start + i, NULL);
}

bool attempt_begins(Attempts* a, const char* name, ...) {
  long attempt = a->count++;
  if (attempt < a->start) return false;
  a->progress->attempt = attempt;
  va_list rest;
  va_start(rest, name);
  vsnprintf(a->progress->name, NAME_BYTES, name, rest);
  va_end(rest);
  setitimer(ITIMER_PROF, &patience, NULL);
  return true;
}

long attempts_so_far(const Attempts* a) {
  return a->count;
}

// Returns how the child ended: 0 if well.
static int work_in_child(Attempts* a, void (*work)(Attempts*, void*), void* arg) {
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    restore_signals();
    work(a, arg);
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

int count_harmful_attempts(const char* title, void (*work)(Attempts*, void*), void* arg) {
  int findings = 0;
  Attempts a = {0};
  a.progress = (Progress*)mmap(NULL, sizeof(Progress), PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(a.progress != MAP_FAILED);
  for (; findings < MOST_FINDINGS; a.start = a.progress->attempt + 1) {
    int status = work_in_child(&a, work, arg);
    if (status == 0) break;
    findings++;
    bool hung = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
    print_error("%s: %s: %s\n", title, a.progress->name, hung ? "takes for ever" : "crashes");
  }
  munmap(a.progress, sizeof(Progress));
  return findings;
}
