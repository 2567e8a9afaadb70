// Questions about files that two programs ask (conform_loading, conform_saving): how often each was
// asked, and what differed. A process that asks about one file shares the counts with the others.

#ifndef TESTS_CONFORMANCE_FILE_QUESTIONS_H_
#define TESTS_CONFORMANCE_FILE_QUESTIONS_H_

#include "conformance/compare.h"

typedef struct {
  int asked, missing, wrong;
} Score;

typedef struct {
  const char* const* names;  // of the questions
  int count;
  Score* scores;     // of each question, shared with the children
  const char* file;  // that is being asked about
  int now;           // the question of the moment
} FileQuestions;

FileQuestions file_questions(const char* const* names, int count);

// Counts an answer to the question of the moment that is wrong, and tells it.
void tell_wrong(FileQuestions* q, const char* what, const char* more);

// Compares two models to the question of the moment; tells the first fields that differ.
void compare_models_of(FileQuestions* q, const mjModel* theirs, const mjModel* ours);

// The score of the question of the moment.
Score* score_now(FileQuestions* q);

// The table of all questions; true if something differs, or was never asked.
bool print_file_scores(const FileQuestions* q);

#endif  // TESTS_CONFORMANCE_FILE_QUESTIONS_H_
