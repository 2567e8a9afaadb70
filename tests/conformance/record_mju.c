// Writes tests/recorded/mju.rec: inputs and outputs of every mju_ function of the reference.
//
//   record_mju REFERENCE OUTPUT
//
// One array per function holds the tape of all its cases, one after the other.

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "conformance/mju_cases.h"

static void write_array(FILE* f, const char* name, const Tape* tape) {
  int32_t length = (int32_t)strlen(name), type = 'd';
  int64_t count = (int64_t)tape->count;
  fwrite(&length, sizeof(length), 1, f);
  fwrite(name, 1, (size_t)length, f);
  fwrite(&type, sizeof(type), 1, f);
  fwrite(&count, sizeof(count), 1, f);
  fwrite(tape->values, sizeof(double), tape->count, f);
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: record_mju REFERENCE OUTPUT\n");
    return 2;
  }
  void* reference = two_libraries_open(argv[1], argv[1]).reference;
  FILE* f = fopen(argv[2], "wb");
  if (!f) {
    fprintf(stderr, "cannot write %s\n", argv[2]);
    return 2;
  }
  mjData* data = mju_data_of(reference);
  fprintf(f, "CTREC2 mujoco %s\n", LIBRARY_FUNCTION(reference, mj_versionString)());
  Tape tape;
  memset(&tape, 0, sizeof(tape));
  const MjuEntry* e;
  for (int i = 0; (e = mju_entry(i)); i++) {
    tape_clear(&tape);
    for (int number = 0; number < MJU_RECORDED_CASES; number++) {
      Case c = mju_case(e, number, MJU_RECORDED_LARGEST, &tape);
      c.function = library_function(reference, e->name);
      c.data = data;
      if (!c.function) {
        fprintf(stderr, "the reference has no %s\n", e->name);
        return 1;
      }
      case_record(&c, e->run, 20240501u + 1000u * (unsigned)i + (unsigned)number);
    }
    write_array(f, e->name, &tape);
  }
  tape_free(&tape);
  LIBRARY_FUNCTION(reference, mj_deleteData)(data);
  return fclose(f) ? 2 : 0;
}
