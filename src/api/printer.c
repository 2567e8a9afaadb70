#include "api/printer.h"

#include <errno.h>
#include <string.h>

static const char usual_format[] = "% -9.2g";
enum { LONGEST_FORMAT = 20, WIDEST_PICTURE = 300 };

// Skips digits.
static const char* digits(const char* s) {
  return s + strspn(s, "0123456789");
}

// Copies a format if it is a percent sign, flags without repetition, width, precision, an optional
// L and one of fgGeE. The L is left out: our numbers are never long double.
static bool copy_format(char* to, const char* format) {
  if (strlen(format) > LONGEST_FORMAT || format[0] != '%') return false;
  const char* s = format + 1;
  for (const char* flag = s; *flag && strchr("-+ #0", *flag); flag++, s++) {
    if (memchr(format + 1, *flag, (size_t)(flag - format - 1))) return false;
  }
  s = digits(s);
  if (*s == '.') s = digits(s + 1);
  const char* end = *s == 'L' ? s + 1 : s;
  if (!*end || !strchr("fgGeE", *end) || end[1]) return false;
  size_t head = (size_t)(s - format);
  memcpy(to, format, head);
  to[head] = *end;
  to[head + 1] = 0;
  return true;
}

bool ct_printer_open(ct_Printer* p, const char* function, const char* filename,
                     const char* format) {
  memset(p, 0, sizeof(*p));
  if (format && !copy_format(p->format, format)) {
    mju_warning("%s: '%s' is not a format of a number; '%s' is used instead", function, format,
                usual_format);
    p->format[0] = 0;
  }
  if (!p->format[0]) memcpy(p->format, usual_format, sizeof(usual_format));
  p->out = filename ? fopen(filename, "wt") : stdout;
  p->close = filename != NULL;
  if (!p->out) mju_warning("%s: cannot open '%s': %s", function, filename, strerror(errno));
  return p->out != NULL;
}

void ct_printer_close(ct_Printer* p) {
  if (p->close) fclose(p->out);
}

// copy_format has looked at the format.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
void ct_print_number(ct_Printer* p, double x) {
  fprintf(p->out, p->format, x);
}
#pragma GCC diagnostic pop

void ct_print_numbers(ct_Printer* p, const mjtNum* x, mjtSize n) {
  for (mjtSize i = 0; i < n; i++) {
    ct_print_number(p, (double)x[i]);
    fputc(' ', p->out);
  }
}

void ct_print_element(ct_Printer* p, const ct_Field* f, const void* array, mjtSize i) {
  switch (f->type) {
    case CT_TYPE_mjtNum:
      ct_print_number(p, (double)((const mjtNum*)array)[i]);
      break;
    case CT_TYPE_float:
      ct_print_number(p, (double)((const float*)array)[i]);
      break;
    case CT_TYPE_int:
      fprintf(p->out, "%d", ((const int*)array)[i]);
      break;
    case CT_TYPE_mjtByte:
      fprintf(p->out, "%d", ((const mjtByte*)array)[i]);
      break;
    case CT_TYPE_char:
      fprintf(p->out, "%d", ((const char*)array)[i]);
      break;
    case CT_TYPE_mjtSize:
      fprintf(p->out, "%lld", (long long)((const mjtSize*)array)[i]);
      break;
    case CT_TYPE_uintptr_t:
      fprintf(p->out, "%llu", (unsigned long long)((const uintptr_t*)array)[i]);
      break;
    case CT_TYPE_mjContact:
      break;  // has a form of its own
  }
}

void ct_print_memory(ct_Printer* p, const char* name, size_t bytes) {
  if (bytes >= 1024) {
    fprintf(p->out, "  %-12s%7.0f KB\n", name, (double)bytes / 1024);
  } else if (bytes) {
    fprintf(p->out, "  %-12s%5zu bytes\n", name, bytes);
  }
}

void ct_print_sparse(ct_Printer* p, const char* title, const mjtNum* value, mjtSize nnz,
                     mjtSize rows, const int* rownnz, const int* rowadr, const int* colind) {
  fprintf(p->out, "%s\n", title);
  for (mjtSize r = 0; r < rows; r++) {
    fputs("  ", p->out);
    bool inside = rowadr[r] >= 0 && rownnz[r] >= 0 && (mjtSize)rowadr[r] + rownnz[r] <= nnz;
    if (!inside) fputs("  not computed", p->out);
    for (int k = rowadr[r]; inside && k < rowadr[r] + rownnz[r]; k++) {
      fprintf(p->out, "  %3d: ", colind[k]);
      ct_print_number(p, (double)value[k]);
    }
    fputc('\n', p->out);
  }
  fputc('\n', p->out);
}

void ct_print_pattern(ct_Printer* p, const char* title, mjtSize rows, mjtSize columns,
                      const int* rownnz, const int* rowadr, const int* colind, const int* diag) {
  if (columns == 0 || columns > WIDEST_PICTURE) return;
  char line[WIDEST_PICTURE + 3];
  memset(line, '-', sizeof(line));
  fprintf(p->out, "%s\n%.*s\n", title, (int)columns + 2, line);
  for (mjtSize r = 0; r < rows; r++) {
    char entries[WIDEST_PICTURE];
    memset(entries, ' ', sizeof(entries));
    for (int k = 0; k < rownnz[r]; k++) {
      entries[colind[rowadr[r] + k]] = diag && diag[r] == k ? 'D' : 'x';
    }
    fprintf(p->out, " %.*s |\n", (int)columns, entries);
  }
  fprintf(p->out, "%.*s\n\n", (int)columns + 2, line);
}
