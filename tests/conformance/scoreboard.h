// What the comparison found, for the terminal, as Markdown and as JSON.

#ifndef TESTS_CONFORMANCE_SCOREBOARD_H_
#define TESTS_CONFORMANCE_SCOREBOARD_H_

#include "conformance/crew.h"

// Summary table on standard output. Returns the number of models with a wrong answer: no, crashed
// or timeout; functions that are not written yet are counted apart.
int print_scoreboard(const ModelReport* reports, int count, unsigned asked);

// The full reports; false if the file cannot be written.
// `note` is a sentence about how it was asked.
bool write_markdown(const char* path, const ModelReport* reports, int count, unsigned asked,
                    const char* note);
bool write_json(const char* path, const ModelReport* reports, int count, unsigned asked);

// A JSON string: quotes, backslashes and controls are escaped, bytes that are not UTF-8 replaced.
void put_json_string(FILE* f, const char* text);

#endif  // TESTS_CONFORMANCE_SCOREBOARD_H_
