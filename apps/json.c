#include "json.h"

#include <stdio.h>

#include "command.h"

void json_string(const char* text) {
  putchar('"');
  for (const unsigned char* p = (const unsigned char*)text; *p;) {
    int n = utf8_length(p);
    if (*p == '"' || *p == '\\') {
      printf("\\%c", *p);
    } else if (*p < 32 || *p == 127 || n == 0) {
      printf("\\u%04x", *p);
    } else {
      fwrite(p, 1, (size_t)n, stdout);
    }
    p += n ? n : 1;
  }
  putchar('"');
}

void json_name(const mjModel* m, int type, int id) {
  const char* name = mj_id2name(m, type, id);
  printf("\"name\": ");
  if (name) {
    json_string(name);
  } else {
    printf("null");
  }
}

void json_number(double x) {
  if (x - x == 0) {
    printf("%.17g", x);
  } else {
    printf("null");
  }
}

void json_numbers(const mjtNum* x, int n) {
  printf("[");
  for (int i = 0; i < n; i++) {
    if (i) printf(", ");
    json_number((double)x[i]);
  }
  printf("]");
}
