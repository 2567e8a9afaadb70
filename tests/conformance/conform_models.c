// conform_models: corten against the reference, model by model. docs/conformance-suite.md explains
// it.

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/explained.h"
#include "conformance/scoreboard.h"
#include "conformance/spelling.h"
#include "conformance/tally.h"

enum { WRONG_USAGE = 101, MOST_COUNTED = 100 };

typedef struct {
  const char *reference, *ours;
  const char** folders;  // has room for every word of the command line
  int nfolder;
  const char *model, *explained, *markdown, *json;
  int jobs;
  double limit;
  bool no_plugins;
} Options;

static void usage(void) {
  printf(
      "usage: conform_models REFERENCE_LIB CORTEN_LIB FOLDER ... [options]\n"
      "  --model TEXT       only models whose path contains TEXT\n"
      "  --field TEXT       only fields whose name contains TEXT\n"
      "  --stage TEXT       only fields written by a stage (or in a group) whose name contains "
      "TEXT\n"
      "  --ask LIST         questions: loads,model,forward,trajectory (default: all)\n"
      "  --states N         random states of the forward question (10)\n"
      "  --steps N          steps of a trajectory (1000)\n"
      "  --seconds S        time for the trajectories of one model, likewise (4)\n"
      "  --smooth           constraints and sensors disabled\n"
      "  --no-sensors       sensors disabled\n"
      "  --given-contacts   forward begins at the constraint rows, with the reference's contacts\n"
      "  --no-plugins       go on though an engine has no plugin libraries beside it\n"
      "  --explained FILE   differences that are known, with reasons; one that is gone is wrong\n"
      "  --jobs N           models at a time (all cores)\n"
      "  --limit S          time limit of one model, in seconds of the processor (60)\n"
      "  --markdown FILE, --json FILE   full reports\n"
      "exit status: number of models with a wrong answer (no, crashed, timeout) and of wrong "
      "lines\n"
      "             in the list of what is explained, at most 100;\n"
      "             101 if the command line is wrong, nothing matches it, or a folder, library or\n"
      "             report cannot be opened\n");
}

// An option with a value; false if there is no such option or the value cannot be.
static bool take_option(const char* word, const char* value, Options* o, Inquiry* q) {
  const struct {
    const char* name;
    const char** text;
    int* whole;
    double* real;
  } table[] = {
      {"--model", &o->model, NULL, NULL},         {"--field", &q->filter.field, NULL, NULL},
      {"--stage", &q->filter.stage, NULL, NULL},  {"--markdown", &o->markdown, NULL, NULL},
      {"--json", &o->json, NULL, NULL},           {"--states", NULL, &q->states, NULL},
      {"--steps", NULL, &q->steps, NULL},         {"--jobs", NULL, &o->jobs, NULL},
      {"--seconds", NULL, NULL, &q->seconds},     {"--limit", NULL, NULL, &o->limit},
      {"--explained", &o->explained, NULL, NULL},
  };
  if (!strcmp(word, "--ask")) return parse_questions(value, &q->ask);
  const char* nearest = "--ask";
  for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
    if (spelling_distance(word, table[i].name) < spelling_distance(word, nearest)) {
      nearest = table[i].name;
    }
    if (strcmp(word, table[i].name)) continue;
    char* end = NULL;
    double number = strtod(value, &end);
    if (table[i].text) {
      *table[i].text = value;
    } else if (*end || !(number > 0) || number > 1e9 ||
               (table[i].whole && number != floor(number))) {
      fprintf(stderr, "%s needs a positive %snumber, not \"%s\"\n", word,
              table[i].whole ? "whole " : "", value);
      return false;
    } else if (table[i].whole) {
      *table[i].whole = (int)number;
    } else {
      *table[i].real = number;
    }
    return true;
  }
  fprintf(stderr, "there is no option %s; did you mean %s?\n", word, nearest);
  return false;
}

// Fills options; false if the command line is wrong (told on standard error).
static bool parse(int argc, char** argv, Options* o, Inquiry* q) {
  int place = 0;
  for (int i = 1; i < argc; i++) {
    const char* word = argv[i];
    if (!strcmp(word, "--smooth")) {
      q->disable |= mjDSBL_CONSTRAINT | mjDSBL_SENSOR;
    } else if (!strcmp(word, "--no-sensors")) {
      q->disable |= mjDSBL_SENSOR;
    } else if (!strcmp(word, "--given-contacts")) {
      q->given_contacts = true;
    } else if (!strcmp(word, "--no-plugins")) {
      o->no_plugins = true;
    } else if (!strncmp(word, "--", 2)) {
      if (i + 1 >= argc) {
        fprintf(stderr, "%s needs a value\n", word);
        return false;
      }
      if (!take_option(word, argv[i + 1], o, q)) return false;
      i++;
    } else if (place++ < 2) {
      *(place == 1 ? &o->reference : &o->ours) = word;
    } else {
      o->folders[o->nfolder++] = word;
    }
  }
  if (!o->nfolder) usage();
  return o->nfolder > 0 && filter_matches(&q->filter, q->ask);
}

// All models in all folders; false (with a message) if there is none or a folder cannot be read.
static bool collect(const Options* o, ModelReport** reports, int* count) {
  for (int i = 0; i < o->nfolder; i++) {
    int before = *count;
    if (find_models(o->folders[i], NULL, reports, count)) return false;
    if (*count > before) continue;
    fprintf(stderr, "no model (.xml) below %s\n", o->folders[i]);
    return false;
  }
  if (!o->model) return true;
  int kept = 0, best = 0;
  const char* nearest = NULL;
  for (int i = 0; i < *count; i++) {
    int distance = spelling_distance(o->model, model_name((*reports)[i].name));
    if (!nearest || distance < best) {
      nearest = (*reports)[i].name;
      best = distance;
    }
    if (strstr((*reports)[i].name, o->model)) {
      ModelReport r = (*reports)[i];
      (*reports)[i] = (*reports)[kept];
      (*reports)[kept++] = r;
    }
  }
  if (!kept) fprintf(stderr, "no model matches --model %s; the nearest is %s\n", o->model, nearest);
  for (int i = kept; i < *count; i++) free((*reports)[i].path);
  *count = kept;
  return kept > 0;
}

static const char* note_on(const Inquiry* q) {
  if (q->given_contacts) return "Forward began at the constraint rows, with given contacts.";
  if (q->disable & mjDSBL_CONSTRAINT) {
    return "Forward and trajectory were asked with constraints and sensors disabled.";
  }
  if (q->disable) return "Forward and trajectory were asked with sensors disabled.";
  return "";
}

// Without them both engines refuse models with plugins, and seem to agree.
static bool load_plugins(const Engine* e, const char* library, const Options* o) {
  if (engine_load_plugins(e, library) > 0 || o->no_plugins) return true;
  fprintf(stderr,
          "no plugin library was loaded from a folder \"plugin\" beside %s, so that models with "
          "plugins would be refused. Put them there, or say --no-plugins.\n",
          library);
  return false;
}

static bool can_read(const char* path) {
  FILE* f = path ? fopen(path, "r") : NULL;
  if (f) fclose(f);
  if (!path || f) return true;
  fprintf(stderr, "cannot read %s: %s\n", path, strerror(errno));
  return false;
}

// A report that cannot be written is better known before the run than after it.
static bool can_write(const char* path) {
  FILE* f = path ? fopen(path, "a") : NULL;
  if (f) fclose(f);
  if (!path || f) return true;
  fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
  return false;
}

static bool written(const char* path, bool fine) {
  if (!fine) fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
  return fine;
}

int main(int argc, char** argv) {
  Options o;
  Inquiry q;
  memset(&o, 0, sizeof(o));
  memset(&q, 0, sizeof(q));
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") && strcmp(argv[i], "-h")) continue;
    usage();
    return 0;
  }
  o.folders = (const char**)calloc((size_t)argc, sizeof(char*));
  o.jobs = (int)sysconf(_SC_NPROCESSORS_ONLN);
  o.limit = 60;
  q.ask = (1u << NQUESTION) - 1;
  q.states = 10;
  q.steps = 1000;
  q.seconds = 4;
  if (!parse(argc, argv, &o, &q) || !can_read(o.explained) || !can_write(o.markdown) ||
      !can_write(o.json)) {
    return WRONG_USAGE;
  }
  ModelReport* reports = NULL;
  int count = 0;
  if (!collect(&o, &reports, &count)) return WRONG_USAGE;
  if (o.jobs > count) o.jobs = count;
  Engine reference = engine_open(o.reference, "reference"), ours = engine_open(o.ours, "corten");
  if (!load_plugins(&reference, o.reference, &o) || !load_plugins(&ours, o.ours, &o)) {
    return WRONG_USAGE;
  }
  q.reference = &reference;
  q.ours = &ours;
  ask_about_all(&q, ask_about, reports, count, o.jobs, o.limit);
  int stale = o.explained ? apply_explanations(o.explained, reports, count) : 0;
  int wrong = print_scoreboard(reports, count, q.ask) + stale;
  bool page = !o.markdown ||
              written(o.markdown, write_markdown(o.markdown, reports, count, q.ask, note_on(&q)));
  bool data = !o.json || written(o.json, write_json(o.json, reports, count, q.ask));
  free_reports(reports, count);
  free(o.folders);
  if (!page || !data) return WRONG_USAGE;
  return wrong > MOST_COUNTED ? MOST_COUNTED : wrong;
}
