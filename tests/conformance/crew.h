// Many models, each asked about in a process of its own, a few at a time.
//
// A model that crashes or hangs an engine costs one process; what it had answered before is kept,
// and the question it died in is answered "crashed" or "timeout" with the engine's name. Programs
// with another way of asking use run_apart and ask_one_by_one.

#ifndef TESTS_CONFORMANCE_CREW_H_
#define TESTS_CONFORMANCE_CREW_H_

#include "conformance/questions.h"

typedef struct {  // one disagreeing field
  char question[16], kind[16], stage[40], field[48], where[80];
  long index, count;
  double reference, ours, error;
} Mismatch;

typedef struct {     // answer to one question about one model
  char verdict[16];  // yes, no, explained, missing, skipped, chaotic, crashed, timeout; "": not
                     // asked
  long compared, wrong, undefined;
  long rounded;    // agree only thanks to what rounding does: values, horizons of a trajectory
  long regrouped;  // moved results of the reference that could excuse nothing
  char detail[400];
} Answer;

typedef struct {     // one horizon of one trajectory
  char verdict[16];  // yes, no, chaotic, unreached; "" if not asked
  double ours, chaos;
} Horizon;

typedef struct {  // everything found out about one model
  char* path;
  const char* name;  // path without the folder that was searched
  Answer answers[NQUESTION];
  Horizon horizons[NINTEGRATOR][NHORIZON];
  Mismatch* mismatches;
  int nmismatch;
  double seconds, cpu_seconds;
} ModelReport;

// Model files (.xml, .urdf) below a folder, sorted; those that only serve as parts of others are
// included, as the verdict of both engines on them must be the same too. Appends to *reports.
// Returns how many folders could not be read, each of which is named on standard error.
int find_models(const char* folder, const char* filter, ModelReport** reports, int* count);

// Asks about one model; ask_about, unless a test has something else to run in the processes.
typedef void (*Asker)(const Inquiry* q, const char* path);

// Asks about all of them with `jobs` processes at a time. Each model has `limit` seconds of the
// processor; one that does nothing for five times as long on the clock is stopped too.
// Prints a progress line to standard error.
void ask_about_all(const Inquiry* q, Asker ask, ModelReport* reports, int count, int jobs,
                   double limit);

// Does something in a process of its own, which may crash or take for ever, and returns what it
// returned (0 to 99) or one of the ways in which it ended otherwise. Its time is limited to so many
// seconds of the processor, because a busy machine is no reason to give up, and to ten times as
// many on the clock; 0: it is not, unless it sets an alarm itself.
enum { CRASHED = 100, RAN_OUT_OF_TIME = 101 };
typedef int (*Errand)(void* argument);
int run_apart(Errand errand, void* argument, int seconds);

// Memory in which such processes leave what they found; zero at first.
void* shared_memory(size_t bytes);

// The same for each model below a folder in turn: how many there are, how many returned each
// number, and how many crashed or ran out of time, each of which is named on standard output.
enum { MOST_FATES = 8 };
typedef struct {
  int models, count[MOST_FATES], lost;
} Fates;
typedef int (*ModelErrand)(const ModelReport* model, void* argument);
Fates ask_one_by_one(const char* folder, const char* filter, int seconds, ModelErrand errand,
                     void* argument);

// What programs that are called with REFERENCE_LIB CORTEN_LIB FOLDER [FILTER] have in common: opens
// the two libraries with the plugins beside them and runs the errand, whose argument they are, on
// every model of the folder. Without these words, or without plugins, it says so and ends the
// program.
Fates ask_about_folder(int argc, char** argv, int seconds, ModelErrand errand, Engine engines[2]);

void free_reports(ModelReport* reports, int count);

#endif  // TESTS_CONFORMANCE_CREW_H_
