#include "conformance/scoreboard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char* const verdicts[] = {"yes",     "no",      "explained", "missing",
                                       "chaotic", "skipped", "crashed",   "timeout"};
enum { NVERDICT = 8 };

static bool is_wrong(const char* verdict) {
  return !strcmp(verdict, "no") || !strcmp(verdict, "crashed") || !strcmp(verdict, "timeout");
}

static int count_verdict(const ModelReport* reports, int count, int question, const char* verdict) {
  int n = 0;
  for (int i = 0; i < count; i++) n += !strcmp(reports[i].answers[question].verdict, verdict);
  return n;
}

// One row of the table for each question asked, in Markdown, which reads well on a terminal too.
static void put_table(FILE* f, const ModelReport* reports, int count, unsigned asked) {
  fprintf(f, "| question   | models |");
  for (int v = 0; v < NVERDICT; v++) fprintf(f, " %9s |", verdicts[v]);
  fprintf(f, " values compared |   wrong |\n|------------|--------|");
  for (int v = 0; v < NVERDICT; v++) fprintf(f, "-----------|");
  fprintf(f, "-----------------|---------|\n");
  for (int q = 0; q < NQUESTION; q++) {
    if (!(asked & (1u << q))) continue;
    long compared = 0, wrong = 0;
    for (int i = 0; i < count; i++) {
      compared += reports[i].answers[q].compared;
      wrong += reports[i].answers[q].wrong;
    }
    fprintf(f, "| %-10s | %6d |", question_names[q], count);
    for (int v = 0; v < NVERDICT; v++) {
      fprintf(f, " %9d |", count_verdict(reports, count, q, verdicts[v]));
    }
    fprintf(f, " %15ld | %7ld |\n", compared, wrong);
  }
}

// A "no" of a model whose trajectory is explained counts as that.
static const char* verdict_at_horizon(const ModelReport* report, int integrator, int horizon) {
  const char* verdict = report->horizons[integrator][horizon].verdict;
  bool explained = !strcmp(report->answers[ASK_TRAJECTORY].verdict, "explained");
  return explained && !strcmp(verdict, "no") ? "explained" : verdict;
}

// Trajectories, horizon by horizon.
static void put_horizons(FILE* f, const ModelReport* reports, int count) {
  static const char* const kinds[] = {"yes", "no", "explained", "chaotic", "unreached"};
  enum { NKIND = sizeof(kinds) / sizeof(kinds[0]) };
  fprintf(f,
          "| integrator   | steps |     yes |      no | explained | chaotic | not reached in time "
          "|\n|--------------|-------|---------|---------|-----------|---------|-----------------"
          "----|\n");
  for (int i = 0; i < NINTEGRATOR; i++) {
    for (int h = 0; h < NHORIZON; h++) {
      int n[NKIND] = {0}, all = 0;
      for (int m = 0; m < count; m++) {
        const char* verdict = verdict_at_horizon(reports + m, i, h);
        for (int k = 0; k < NKIND; k++) n[k] += !strcmp(verdict, kinds[k]);
      }
      for (int k = 0; k < NKIND; k++) all += n[k];
      if (!all) continue;
      fprintf(f, "| %-12s | %5d | %7d | %7d | %9d | %7d | %19d |\n", integrator_names[i],
              horizons[h], n[0], n[1], n[2], n[3], n[4]);
    }
  }
}

// How often something was called right only because rounding moves the reference too.
static void put_excuses(FILE* f, const ModelReport* reports, int count) {
  long values = 0, trajectories = 0, regrouped = 0;
  for (int i = 0; i < count; i++) {
    for (int q = 0; q < NQUESTION; q++) {
      *(q == ASK_TRAJECTORY ? &trajectories : &values) += reports[i].answers[q].rounded;
      regrouped += reports[i].answers[q].regrouped;
    }
  }
  fprintf(f,
          "Rounding excused %ld values and %ld horizons; %ld moved results of the reference had "
          "other contacts or rows and excused nothing.\n",
          values, trajectories, regrouped);
}

static void put_time(FILE* f, const ModelReport* reports, int count) {
  double cpu = 0;
  for (int i = 0; i < count; i++) cpu += reports[i].cpu_seconds;
  fprintf(f, "%.0f seconds of processor time.\n", cpu);
}

int print_scoreboard(const ModelReport* reports, int count, unsigned asked) {
  int wrong_models = 0, shown = 0;
  for (int i = 0; i < count; i++) {
    bool wrong = false, explained = false;
    for (int q = 0; q < NQUESTION; q++) {
      const Answer* a = reports[i].answers + q;
      explained = explained || !strcmp(a->verdict, "explained");
      if (!is_wrong(a->verdict)) continue;
      wrong = true;
      if (shown++ < 40)
        printf("%s: %s: %s %s\n", reports[i].name, question_names[q], a->verdict, a->detail);
    }
    if (explained && !wrong) continue;
    for (int k = 0, told = 0; k < reports[i].nmismatch && told < 5 && shown < 40; k++) {
      const Mismatch* m = reports[i].mismatches + k;
      if (strcmp(m->kind, "result")) continue;
      told++;
      shown++;
      printf("  %s %s %s[%ld]: reference %.17g, corten %.17g (%ld wrong; %s)\n", m->question,
             m->stage, m->field, m->index, m->reference, m->ours, m->count, m->where);
    }
    wrong_models += wrong;
  }
  if (shown >= 40) printf("... more in the report\n");
  printf("\n");
  put_table(stdout, reports, count, asked);
  if (asked & (1u << ASK_TRAJECTORY)) {
    printf("\n");
    put_horizons(stdout, reports, count);
  }
  put_excuses(stdout, reports, count);
  put_time(stdout, reports, count);
  return wrong_models;
}

// Markdown

typedef struct {  // how often a field disagrees
  const Mismatch* first;
  int models;
  double worst;
} FieldCount;

static int find_field(FieldCount* fields, int n, const Mismatch* m) {
  for (int i = 0; i < n; i++) {
    if (!strcmp(fields[i].first->field, m->field) &&
        !strcmp(fields[i].first->question, m->question)) {
      return i;
    }
  }
  return -1;
}

static int by_models(const void* a, const void* b) {
  return ((const FieldCount*)b)->models - ((const FieldCount*)a)->models;
}

enum { FIELDS_LISTED = 1000 };

static void put_fields(FILE* f, const ModelReport* reports, int count, const char* kind) {
  FieldCount* fields = (FieldCount*)calloc(FIELDS_LISTED, sizeof(FieldCount));
  int n = 0;
  for (int i = 0; i < count; i++) {
    int before[FIELDS_LISTED] = {0};
    for (int k = 0; k < reports[i].nmismatch; k++) {
      const Mismatch* m = reports[i].mismatches + k;
      if (strcmp(m->kind, kind)) continue;
      int at = find_field(fields, n, m);
      if (at < 0 && n < FIELDS_LISTED) {
        at = n++;
        fields[at].first = m;
      }
      if (at < 0) continue;
      if (!before[at]++) fields[at].models++;
      if (!(m->error <= fields[at].worst)) fields[at].worst = m->error;
    }
  }
  qsort(fields, (size_t)n, sizeof(FieldCount), by_models);
  fprintf(f, "| question | stage | field | models | worst error |\n|---|---|---|---|---|\n");
  for (int i = 0; i < n; i++) {
    fprintf(f, "| %s | %s | `%s` | %d | %.2g |\n", fields[i].first->question,
            fields[i].first->stage, fields[i].first->field, fields[i].models, fields[i].worst);
  }
  free(fields);
}

// Length of the UTF-8 sequence at p, 0 if it is not one.
static int utf8_length(const unsigned char* p) {
  int n = *p < 0x80 ? 1 : *p >= 0xc2 && *p < 0xe0 ? 2 : *p >= 0xe0 && *p < 0xf0 ? 3 : 0;
  if (*p >= 0xf0 && *p < 0xf5) n = 4;
  for (int k = 1; k < n; k++) {
    if ((p[k] & 0xc0) != 0x80) return 0;
  }
  bool overlong = (*p == 0xe0 && p[1] < 0xa0) || (*p == 0xf0 && p[1] < 0x90);
  bool outside = (*p == 0xed && p[1] >= 0xa0) || (*p == 0xf4 && p[1] >= 0x90);
  return overlong || outside ? 0 : n;
}

// A name in a table's cell: nothing in it ends the cell or the line, is markup, or is no text.
static void put_cell(FILE* f, const char* text) {
  for (const unsigned char* p = (const unsigned char*)text; *p;) {
    int n = utf8_length(p);
    if (!n || *p < 32 || *p == 127) {
      fputs("\xef\xbf\xbd", f);
      n = 1;
    } else {
      if (strchr("|\\`*<>[]&", *p)) fputc('\\', f);
      fwrite(p, 1, (size_t)n, f);
    }
    p += n;
  }
}

// The longest horizon that all integrators reached; 0 if they reached all that were asked for.
static int short_of(const ModelReport* r) {
  int reached = 0;
  for (int h = 0; h < NHORIZON; h++) {
    for (int i = 0; i < NINTEGRATOR; i++) {
      if (!strcmp(r->horizons[i][h].verdict, "unreached")) return reached ? reached : 1;
    }
    reached = horizons[h];
  }
  return 0;
}

static void put_models(FILE* f, const ModelReport* reports, int count, unsigned asked) {
  fprintf(f, "| model |");
  for (int q = 0; q < NQUESTION; q++) {
    if (asked & (1u << q)) fprintf(f, " %s |", question_names[q]);
  }
  fprintf(f, "\n|---|");
  for (int q = 0; q < NQUESTION; q++) {
    if (asked & (1u << q)) fprintf(f, "---|");
  }
  fprintf(f, "\n");
  for (int i = 0; i < count; i++) {
    fprintf(f, "| ");
    put_cell(f, reports[i].name);
    fprintf(f, " |");
    for (int q = 0; q < NQUESTION; q++) {
      const Answer* a = reports[i].answers + q;
      if (!(asked & (1u << q))) continue;
      if (a->wrong && a->compared > 1) {
        fprintf(f, " %s (%ld of %ld) |", a->verdict, a->wrong, a->compared);
      } else if (q == ASK_TRAJECTORY && short_of(reports + i) && !strcmp(a->verdict, "yes")) {
        fprintf(f, " yes, to %d steps |", short_of(reports + i));
      } else {
        fprintf(f, " %s |", a->verdict);
      }
    }
    fprintf(f, "\n");
  }
}

// What is known to differ, and why.
static void put_explained(FILE* f, const ModelReport* reports, int count) {
  fprintf(f, "| model | question | why |\n|---|---|---|\n");
  for (int i = 0; i < count; i++) {
    for (int q = 0; q < NQUESTION; q++) {
      const Answer* a = reports[i].answers + q;
      if (strcmp(a->verdict, "explained")) continue;
      fprintf(f, "| ");
      put_cell(f, reports[i].name);
      fprintf(f, " | %s | ", question_names[q]);
      put_cell(f, a->detail);
      fprintf(f, " |\n");
    }
  }
}

bool write_markdown(const char* path, const ModelReport* reports, int count, unsigned asked,
                    const char* note) {
  FILE* f = fopen(path, "w");
  if (!f) return false;
  fprintf(
      f,
      "# Conformance\n\nGenerated by `make conformance`; do not edit. corten against MuJoCo 3.5.0, "
      "model by model. What the questions mean: `docs/conformance-suite.md`.\n\n");
  if (note[0]) fprintf(f, "%s\n\n", note);
  put_table(f, reports, count, asked);
  if (asked & (1u << ASK_TRAJECTORY)) {
    fprintf(f, "\n## Trajectories\n\n");
    put_horizons(f, reports, count);
  }
  fprintf(f, "\n## Differences that are explained\n\n");
  put_explained(f, reports, count);
  fprintf(f, "\n## Fields that disagree\n\n");
  put_fields(f, reports, count, "result");
  fprintf(f, "\n## Fields with values that rounding decides\n\n");
  put_excuses(f, reports, count);
  fprintf(f, "\n");
  put_fields(f, reports, count, "rounding");
  fprintf(f, "\n## Search structures and statistics that differ\n\n");
  put_fields(f, reports, count, "apart");
  fprintf(f, "\n## Models\n\n");
  put_models(f, reports, count, asked);
  return fclose(f) == 0;
}

// JSON

// Bytes that are no text become the replacement character.
void put_json_string(FILE* f, const char* text) {
  fputc('"', f);
  for (const unsigned char* p = (const unsigned char*)text; *p;) {
    int n = utf8_length(p);
    if (!n) {
      fprintf(f, "\\ufffd");
      n = 1;
    } else if (*p == '"' || *p == '\\') {
      fprintf(f, "\\%c", *p);
    } else if (*p < 32 || *p == 127) {
      fprintf(f, "\\u%04x", *p);
    } else {
      fwrite(p, 1, (size_t)n, f);
    }
    p += n;
  }
  fputc('"', f);
}

// JSON has no NaN and no infinity.
static void put_number(FILE* f, double x) {
  if (isfinite(x)) {
    fprintf(f, "%.17g", x);
  } else {
    fprintf(f, "\"%s\"", isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
  }
}

static void put_mismatch(FILE* f, const Mismatch* m) {
  fprintf(f, "{\"question\": \"%s\", \"kind\": \"%s\", \"stage\": ", m->question, m->kind);
  put_json_string(f, m->stage);
  fprintf(f, ", \"field\": ");
  put_json_string(f, m->field);
  fprintf(f, ", \"index\": %ld, \"reference\": ", m->index);
  put_number(f, m->reference);
  fprintf(f, ", \"corten\": ");
  put_number(f, m->ours);
  fprintf(f, ", \"error\": ");
  put_number(f, m->error);
  fprintf(f, ", \"count\": %ld, \"where\": ", m->count);
  put_json_string(f, m->where);
  fprintf(f, "}");
}

static void put_json_horizons(FILE* f, const ModelReport* r) {
  fprintf(f, ",\n  \"horizons\": [");
  for (int i = 0, n = 0; i < NINTEGRATOR; i++) {
    for (int h = 0; h < NHORIZON; h++) {
      const Horizon* x = &r->horizons[i][h];
      if (!x->verdict[0]) continue;
      fprintf(f, "%s\n   {\"integrator\": \"%s\", \"steps\": %d, \"verdict\": \"%s\", \"error\": ",
              n++ ? "," : "", integrator_names[i], horizons[h], x->verdict);
      put_number(f, x->ours);
      fprintf(f, ", \"chaos\": ");
      put_number(f, x->chaos);
      fprintf(f, "}");
    }
  }
  fprintf(f, "]");
}

bool write_json(const char* path, const ModelReport* reports, int count, unsigned asked) {
  FILE* f = fopen(path, "w");
  if (!f) return false;
  fprintf(f, "{\"models\": [");
  for (int i = 0; i < count; i++) {
    fprintf(f, "%s\n {\"path\": ", i ? "," : "");
    put_json_string(f, reports[i].name);
    fprintf(f, ", \"seconds\": %.3f, \"cpu_seconds\": %.3f", reports[i].seconds,
            reports[i].cpu_seconds);
    for (int q = 0; q < NQUESTION; q++) {
      const Answer* a = reports[i].answers + q;
      if (!(asked & (1u << q))) continue;
      fprintf(f,
              ",\n  \"%s\": {\"verdict\": \"%s\", \"compared\": %ld, \"wrong\": %ld, "
              "\"undefined\": %ld, \"rounded\": %ld, \"regrouped\": %ld, \"detail\": ",
              question_names[q], a->verdict, a->compared, a->wrong, a->undefined, a->rounded,
              a->regrouped);
      put_json_string(f, a->detail);
      fprintf(f, "}");
    }
    if (asked & (1u << ASK_TRAJECTORY)) put_json_horizons(f, reports + i);
    fprintf(f, ",\n  \"mismatches\": [");
    for (int k = 0; k < reports[i].nmismatch; k++) {
      fprintf(f, "%s\n   ", k ? "," : "");
      put_mismatch(f, reports[i].mismatches + k);
    }
    fprintf(f, "]}");
  }
  fprintf(f, "\n]}\n");
  return fclose(f) == 0;
}
