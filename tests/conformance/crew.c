#include "conformance/crew.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "conformance/tally.h"

#ifdef __linux__
#include <sys/prctl.h>
#endif

// Finding models

static void add_report(ModelReport** reports, int* count, const char* path, size_t folder) {
  *reports = (ModelReport*)realloc(*reports, (size_t)(*count + 1) * sizeof(ModelReport));
  ModelReport* r = *reports + (*count)++;
  memset(r, 0, sizeof(*r));
  r->path = strdup(path);
  r->name = r->path + folder;
}

static int by_path(const void* a, const void* b) {
  return strcmp(((const ModelReport*)a)->path, ((const ModelReport*)b)->path);
}

static bool is_model(const char* path) {
  const char* dot = strrchr(path, '.');
  return dot && (!strcmp(dot, ".xml") || !strcmp(dot, ".urdf"));
}

// Returns the number of folders that could not be read.
static int walk(const char* folder, size_t root, const char* filter, ModelReport** reports,
                int* count) {
  DIR* dir = opendir(folder);
  int unread = 0;
  if (!dir) {
    fprintf(stderr, "cannot read the folder %s: %s\n", folder, strerror(errno));
    return 1;
  }
  for (struct dirent* entry; (entry = readdir(dir));) {
    if (entry->d_name[0] == '.') continue;
    char path[4096];
    struct stat info;
    snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
    if (lstat(path, &info)) continue;
    bool folder_here = S_ISDIR(info.st_mode);
    // a link to a file is a model like any other; a link to a folder may lead back here
    if (S_ISLNK(info.st_mode) && (stat(path, &info) || S_ISDIR(info.st_mode))) continue;
    if (folder_here) {
      unread += walk(path, root, filter, reports, count);
    } else if (is_model(path) && (!filter || strstr(path + root, filter))) {
      add_report(reports, count, path, root);
    }
  }
  closedir(dir);
  return unread;
}

int find_models(const char* folder, const char* filter, ModelReport** reports, int* count) {
  int first = *count;
  int unread = walk(folder, strlen(folder) + 1, filter, reports, count);
  if (*count > first)
    qsort(*reports + first, (size_t)(*count - first), sizeof(ModelReport), by_path);
  return unread;
}

void free_reports(ModelReport* reports, int count) {
  for (int i = 0; i < count; i++) {
    free(reports[i].path);
    free(reports[i].mismatches);
  }
  free(reports);
}

// One process

// Starts a process, in a group of its own, so that processes which an engine starts can be ended
// with it. It then does not hear of an interrupt from the keyboard, so it ends with the parent. 0
// in the process itself.
static pid_t start_process(void) {
  fflush(NULL);
  pid_t pid = fork();
  if (pid < 0) {
    perror("fork");
    exit(2);
  }
  if (pid > 0) {
    setpgid(pid, pid);  // whichever of the two comes first
    return pid;
  }
  setpgid(0, 0);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  return 0;
}

int run_apart(Errand errand, void* argument, int seconds) {
  pid_t pid = start_process();
  if (pid == 0) {
    struct rlimit limit = {(rlim_t)seconds, (rlim_t)seconds + 1};
    if (seconds > 0) setrlimit(RLIMIT_CPU, &limit);
    alarm((unsigned)(10 * seconds));
    int answer = errand(argument);
    fflush(NULL);
    _exit(answer);
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  kill(-pid, SIGKILL);  // what it has left behind
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  bool late = WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGXCPU;
  return late ? RAN_OUT_OF_TIME : CRASHED;
}

void* shared_memory(size_t bytes) {
  void* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    perror("mmap");
    exit(2);
  }
  return memory;
}

typedef struct {
  ModelErrand errand;
  const ModelReport* model;
  void* argument;
} ModelTask;

static int run_model_task(void* task) {
  const ModelTask* t = (const ModelTask*)task;
  return t->errand(t->model, t->argument);
}

Fates ask_one_by_one(const char* folder, const char* filter, int seconds, ModelErrand errand,
                     void* argument) {
  ModelReport* models = NULL;
  Fates fates = {0, {0}, 0};
  find_models(folder, filter, &models, &fates.models);
  for (int i = 0; i < fates.models; i++) {
    ModelTask task = {errand, &models[i], argument};
    int answer = run_apart(run_model_task, &task, seconds);
    if (answer < MOST_FATES) {
      fates.count[answer]++;
      continue;
    }
    fates.lost++;
    printf("%s: %s\n", models[i].name, answer == RAN_OUT_OF_TIME ? "out of time" : "crashed");
  }
  free_reports(models, fates.models);
  return fates;
}

// Without them models with plugins are refused, and nobody notices that they are not compared.
static void load_plugins_or_exit(const Engine* e, const char* library) {
  if (engine_load_plugins(e, library) > 0) return;
  fprintf(stderr, "no plugin library was loaded from a folder \"plugin\" beside %s\n", library);
  exit(2);
}

Fates ask_about_folder(int argc, char** argv, int seconds, ModelErrand errand, Engine engines[2]) {
  if (argc < 4) {
    fprintf(stderr, "usage: %s REFERENCE_LIB CORTEN_LIB FOLDER [FILTER]\n", model_name(argv[0]));
    exit(2);
  }
  engines[0] = engine_open(argv[1], "reference");
  engines[1] = engine_open(argv[2], "corten");
  load_plugins_or_exit(engines, argv[1]);
  load_plugins_or_exit(engines + 1, argv[2]);
  return ask_one_by_one(argv[3], argc > 4 ? argv[4] : NULL, seconds, errand, engines);
}

// One of many processes

typedef struct {
  pid_t pid;
  int pipe;
  ModelReport* report;
  double started;
  double watched_since, worked_before;  // clock and processor time when the present watch began
  bool timed_out;
  char current[16], engine[32];  // what it said it was about to do
  char line[2048];
  size_t used;
} Worker;

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The limit is one on the time of the processor, so that other work on the machine turns no answer
// into a timeout. Those that hang are found on the clock: a process that had less than a hundredth
// of a processor during five times its limit waits for something that does not come.
static const double clock_factor = 5, least_work = 0.01;

// Time of the processor that a process has used.
static double seconds_worked(pid_t pid) {
  clockid_t clock;
  struct timespec t;
  if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t)) return 0;
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool hangs(Worker* w, double limit) {
  double now = seconds_now(), watched = now - w->watched_since;
  if (watched < clock_factor * limit) return false;
  double worked = seconds_worked(w->pid), work = worked - w->worked_before;
  w->watched_since = now;
  w->worked_before = worked;
  return work < least_work * watched;
}

// Sanitizers reserve terabytes of addresses, so that a limit on them would be no limit on memory.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#elif defined(__has_feature)
enum { SANITIZED = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) };
#else
enum { SANITIZED = 0 };
#endif

static const rlim_t most_memory = (rlim_t)8 << 30;

static void limit_work(double seconds) {
  rlim_t whole = (rlim_t)ceil(seconds);
  struct rlimit limit = {whole, whole + 1}, memory = {most_memory, most_memory};
  setrlimit(RLIMIT_CPU, &limit);
  if (!SANITIZED && sizeof(void*) >= 8) setrlimit(RLIMIT_AS, &memory);
}

static void start(Worker* w, const Inquiry* q, Asker ask, ModelReport* report, double limit) {
  int ends[2];
  memset(w, 0, sizeof(*w));
  if (pipe(ends)) {
    perror("pipe");
    exit(2);
  }
  w->report = report;
  w->started = w->watched_since = seconds_now();
  w->pid = start_process();
  if (w->pid == 0) {
    // engines may print; only answers go to the parent
    close(ends[0]);
    if (!freopen("/dev/null", "w", stdout)) _exit(2);
    if (!freopen("/dev/null", "w", stderr)) _exit(2);
    limit_work(limit);
    Inquiry own = *q;
    own.answers = fdopen(ends[1], "w");
    ask(&own, report->path);
    fclose(own.answers);
    _exit(0);
  }
  close(ends[1]);
  w->pipe = ends[0];
  fcntl(w->pipe, F_SETFL, O_NONBLOCK);
}

// The next tab-separated column; "" when there is none.
static char* column(char** rest) {
  char* text = strsep(rest, "\t");
  static char empty[1] = "";
  return text ? text : empty;
}

static int question_of(const char* name) {
  for (int i = 0; i < NQUESTION; i++) {
    if (!strcmp(name, question_names[i])) return i;
  }
  return -1;
}

static void copy_text(char* to, size_t room, const char* from) {
  snprintf(to, room, "%s", from);
}

static void take_answer(ModelReport* r, char* rest) {
  int question = question_of(column(&rest));
  if (question < 0) return;
  Answer* a = r->answers + question;
  copy_text(a->verdict, sizeof(a->verdict), column(&rest));
  a->compared = atol(column(&rest));
  a->wrong = atol(column(&rest));
  a->undefined = atol(column(&rest));
  copy_text(a->detail, sizeof(a->detail), column(&rest));
}

static void take_excuses(ModelReport* r, char* rest) {
  int question = question_of(column(&rest));
  if (question < 0) return;
  r->answers[question].rounded = atol(column(&rest));
  r->answers[question].regrouped = atol(column(&rest));
}

static void take_horizon(ModelReport* r, char* rest) {
  int integrator = atoi(column(&rest)), horizon = atoi(column(&rest));
  if (integrator < 0 || integrator >= NINTEGRATOR || horizon < 0 || horizon >= NHORIZON) return;
  Horizon* h = &r->horizons[integrator][horizon];
  copy_text(h->verdict, sizeof(h->verdict), column(&rest));
  h->ours = strtod(column(&rest), NULL);
  h->chaos = strtod(column(&rest), NULL);
}

enum { MISMATCHES_KEPT = 400 };  // per model; the counts stay exact

static void take_mismatch(ModelReport* r, char* rest) {
  // what is no wrong answer leaves room for those that are
  bool wrong = strstr(rest, "\tresult\t") != NULL;
  if (r->nmismatch >= (wrong ? MISMATCHES_KEPT : MISMATCHES_KEPT / 2)) return;
  r->mismatches = (Mismatch*)realloc(r->mismatches, (size_t)(r->nmismatch + 1) * sizeof(Mismatch));
  Mismatch* m = r->mismatches + r->nmismatch++;
  copy_text(m->question, sizeof(m->question), column(&rest));
  copy_text(m->kind, sizeof(m->kind), column(&rest));
  copy_text(m->stage, sizeof(m->stage), column(&rest));
  copy_text(m->field, sizeof(m->field), column(&rest));
  m->index = atol(column(&rest));
  m->reference = strtod(column(&rest), NULL);
  m->ours = strtod(column(&rest), NULL);
  m->error = strtod(column(&rest), NULL);
  m->count = atol(column(&rest));
  copy_text(m->where, sizeof(m->where), column(&rest));
}

static void take_line(Worker* w, char* line) {
  char* rest = line;
  char* kind = column(&rest);
  if (!strcmp(kind, "R")) {
    take_answer(w->report, rest);
  } else if (!strcmp(kind, "M")) {
    take_mismatch(w->report, rest);
  } else if (!strcmp(kind, "E")) {
    take_excuses(w->report, rest);
  } else if (!strcmp(kind, "H")) {
    take_horizon(w->report, rest);
  } else if (!strcmp(kind, "B")) {
    copy_text(w->current, sizeof(w->current), column(&rest));
    copy_text(w->engine, sizeof(w->engine), column(&rest));
  }
}

// Reads a block of what is there; false if there is nothing now. At the end of the stream the pipe
// is closed.
static bool listen_to(Worker* w) {
  char block[8192];
  if (w->pipe < 0) return false;
  ssize_t n = read(w->pipe, block, sizeof(block));
  if (n < 0 && errno == EINTR) return true;
  if (n == 0 || (n < 0 && errno != EAGAIN)) {
    close(w->pipe);
    w->pipe = -1;
  }
  for (ssize_t i = 0; i < n; i++) {
    if (block[i] == '\n') {
      w->line[w->used] = 0;
      take_line(w, w->line);
      w->used = 0;
    } else if (w->used + 1 < sizeof(w->line)) {
      w->line[w->used++] = block[i];
    }
  }
  return n > 0;
}

// Has the process ended? Not the end of its stream tells: a process that it has left behind may
// hold that open. Its number stays taken until finish().
static bool has_ended(const Worker* w) {
  siginfo_t info;
  memset(&info, 0, sizeof(info));
  return waitid(P_PID, (id_t)w->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid;
}

// The process is gone: questions it left open get the way it went as their answer. The one it died
// in is answered with the engine at work, those after it say that they were never asked.
static void finish(Worker* w, const Inquiry* q) {
  int status = 0;
  struct rusage used;
  memset(&used, 0, sizeof(used));
  while (listen_to(w)) continue;
  if (w->pipe >= 0) close(w->pipe);
  kill(-w->pid, SIGKILL);  // what it has left behind
  while (wait4(w->pid, &status, 0, &used) < 0 && errno == EINTR) continue;
  w->report->seconds = seconds_now() - w->started;
  w->report->cpu_seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) w->timed_out = true;
  char way[80];
  if (w->timed_out) {
    copy_text(way, sizeof(way), "time limit");
  } else if (WIFSIGNALED(status)) {
    copy_text(way, sizeof(way), strsignal(WTERMSIG(status)));
  } else {
    snprintf(way, sizeof(way), "exit with status %d", WEXITSTATUS(status));
  }
  for (int i = 0; i < NQUESTION; i++) {
    Answer* a = w->report->answers + i;
    if (!(q->ask & (1u << i)) || a->verdict[0]) continue;
    bool here = !strcmp(w->current, question_names[i]);
    copy_text(a->verdict, sizeof(a->verdict), w->timed_out ? "timeout" : "crashed");
    snprintf(a->detail, sizeof(a->detail), "%s in %s while asked about %s%s", way,
             w->engine[0] ? w->engine : "no engine", w->current[0] ? w->current : "nothing",
             here ? "" : "; this question was not reached");
  }
  w->pid = 0;
}

// All of them

// On a terminal one line that changes, in a log a line for every tenth of the work.
static void show_progress(int done, int count, const char* name) {
  if (!isatty(STDERR_FILENO)) {
    if (done * 10 / count != (done - 1) * 10 / count)
      fprintf(stderr, "%d of %d models\n", done, count);
    return;
  }
  fprintf(stderr, "\r\033[K%d of %d  %.60s", done, count, name);
  fflush(stderr);
}

void ask_about_all(const Inquiry* q, Asker ask, ModelReport* reports, int count, int jobs,
                   double limit) {
  Worker* crew = (Worker*)calloc((size_t)jobs, sizeof(Worker));
  struct pollfd* ears = (struct pollfd*)calloc((size_t)jobs, sizeof(struct pollfd));
  int next = 0, done = 0;
  while (done < count) {
    int patience = 200;  // milliseconds
    for (int i = 0; i < jobs; i++) {
      if (!crew[i].pid && next < count) start(crew + i, q, ask, reports + next++, limit);
      ears[i].fd = crew[i].pid ? crew[i].pipe : -1;
      ears[i].events = POLLIN;
      ears[i].revents = 0;
      if (crew[i].pid && crew[i].pipe < 0) patience = 2;  // about to end, and nothing will tell
    }
    poll(ears, (nfds_t)jobs, patience);
    for (int i = 0; i < jobs; i++) {
      Worker* w = crew + i;
      if (!w->pid) continue;
      if (!w->timed_out && hangs(w, limit)) {
        w->timed_out = true;
        kill(-w->pid, SIGKILL);
      }
      if (ears[i].revents) listen_to(w);
      if (has_ended(w)) {
        finish(w, q);
        show_progress(++done, count, w->report->name);
      }
    }
  }
  if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
  free(crew);
  free(ears);
}
