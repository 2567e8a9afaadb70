#include "conformance/file_questions.h"

#include <stdio.h>

#include "conformance/crew.h"

FileQuestions file_questions(const char* const* names, int count) {
  FileQuestions q = {names, count, NULL, "", 0};
  q.scores = (Score*)shared_memory((size_t)count * sizeof(Score));
  return q;
}

Score* score_now(FileQuestions* q) {
  return q->scores + q->now;
}

void tell_wrong(FileQuestions* q, const char* what, const char* more) {
  score_now(q)->wrong++;
  printf("%s: %s: %s %s\n", q->file, q->names[q->now], what, more);
  fflush(stdout);
}

typedef struct {
  const FileQuestions* q;
  int fields;  // that differ
} Difference;

static void tell_field(void* context, const FieldVerdict* v) {
  Difference* d = (Difference*)context;
  if (v->wrong && v->kind == FIELD_RESULT && d->fields++ < 3) {
    printf("%s: %s: %s[%ld] is %.12g, not %.12g\n", d->q->file, d->q->names[d->q->now], v->field,
           v->worst.index, v->worst.ours, v->worst.reference);
  }
}

void compare_models_of(FileQuestions* q, const mjModel* theirs, const mjModel* ours) {
  FieldFilter all = {NULL, NULL};
  Difference d = {q, 0};
  compare_models(theirs, ours, &all, tell_field, &d);
  if (d.fields) tell_wrong(q, "other model", "");
}

bool print_file_scores(const FileQuestions* q) {
  bool failed = false;
  for (int i = 0; i < q->count; i++) {
    const Score* s = q->scores + i;
    printf("%-24s asked %4d times, %d need what corten lacks, %d differ\n", q->names[i], s->asked,
           s->missing, s->wrong);
    failed = failed || s->wrong > 0 || s->asked == 0;
  }
  return failed;
}
