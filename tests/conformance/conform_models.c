// conform_models: corten against the reference, model by model. docs/conformance-suite.md explains
// it.

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/scoreboard.h"

typedef struct {
  const char *reference, *ours, *corpus;
  const char *model, *markdown, *json;
  int jobs;
  double limit;
} Options;

static void usage(void) {
  printf(
      "usage: conform_models REFERENCE_LIB CORTEN_LIB FOLDER [options]\n"
      "  --model TEXT     only models whose path contains TEXT\n"
      "  --field TEXT     only fields whose name contains TEXT\n"
      "  --stage TEXT     only fields written by a stage (or in a group) whose name contains TEXT\n"
      "  --ask LIST       questions: loads,model,forward,trajectory (default: all)\n"
      "  --states N       random states of the forward question (10)\n"
      "  --steps N        steps of a trajectory (1000)\n"
      "  --seconds S      time for the trajectories of one model (4)\n"
      "  --smooth         constraints disabled\n"
      "  --jobs N         models at a time (all cores)\n"
      "  --limit S        time limit of one model (60)\n"
      "  --markdown FILE, --json FILE   full reports\n"
      "exit status: number of models with a wrong answer, at most 100\n");
}

static unsigned questions_in(const char* list) {
  unsigned ask = 0;
  for (int i = 0; i < NQUESTION; i++) {
    if (strstr(list, question_names[i])) ask |= 1u << i;
  }
  return ask;
}

// Fills options; false if the command line is wrong.
static bool parse(int argc, char** argv, Options* o, Inquiry* q) {
  int place = 0;
  for (int i = 1; i < argc; i++) {
    const char* word = argv[i];
    if (!strcmp(word, "--smooth")) {
      q->disable |= mjDSBL_CONSTRAINT;
      continue;
    }
    if (strncmp(word, "--", 2) != 0) {
      const char** places[] = {&o->reference, &o->ours, &o->corpus};
      if (place >= 3) return false;
      *places[place++] = word;
      continue;
    }
    if (i + 1 >= argc) return false;
    const char* value = argv[++i];
    if (!strcmp(word, "--model"))
      o->model = value;
    else if (!strcmp(word, "--field"))
      q->filter.field = value;
    else if (!strcmp(word, "--stage"))
      q->filter.stage = value;
    else if (!strcmp(word, "--ask"))
      q->ask = questions_in(value);
    else if (!strcmp(word, "--states"))
      q->states = atoi(value);
    else if (!strcmp(word, "--steps"))
      q->steps = atoi(value);
    else if (!strcmp(word, "--seconds"))
      q->seconds = atof(value);
    else if (!strcmp(word, "--jobs"))
      o->jobs = atoi(value);
    else if (!strcmp(word, "--limit"))
      o->limit = atof(value);
    else if (!strcmp(word, "--markdown"))
      o->markdown = value;
    else if (!strcmp(word, "--json"))
      o->json = value;
    else
      return false;
  }
  return place == 3 && o->jobs > 0 && q->ask;
}

int main(int argc, char** argv) {
  Options o = {NULL, NULL, NULL, NULL, NULL, NULL, (int)sysconf(_SC_NPROCESSORS_ONLN), 60};
  Inquiry q;
  memset(&q, 0, sizeof(q));
  q.ask = (1u << NQUESTION) - 1;
  q.states = 10;
  q.steps = 1000;
  q.seconds = 4;
  if (!parse(argc, argv, &o, &q)) {
    usage();
    return 101;
  }
  Engine reference = engine_open(o.reference, "reference"), ours = engine_open(o.ours, "corten");
  q.reference = &reference;
  q.ours = &ours;
  ModelReport* reports = NULL;
  int count = 0;
  find_models(o.corpus, o.model, &reports, &count);
  if (!count) {
    fprintf(stderr, "no model to compare below %s\n", o.corpus);
    return 101;
  }
  ask_about_all(&q, reports, count, o.jobs, o.limit);
  const char* note =
      q.disable ? "Forward and trajectory were asked with constraints disabled." : "";
  int wrong = print_scoreboard(reports, count, q.ask);
  bool written = (!o.markdown || write_markdown(o.markdown, reports, count, q.ask, note)) &&
                 (!o.json || write_json(o.json, reports, count, q.ask));
  free_reports(reports, count);
  if (!written) {
    fprintf(stderr, "cannot write the report\n");
    return 101;
  }
  return wrong > 100 ? 100 : wrong;
}
