// Attributes that are written: the form of numbers, what counts as a default, and the lists of the
// schema.

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/schema.h"
#include "mjcf/write/write.h"

// Values

static void add_value(ct_Writer* w, ct_Tag* tag, const char* name, const char* value) {
  ct_TagValue* v = (ct_TagValue*)ct_pool_alloc(&w->pool, sizeof(ct_TagValue));
  v->name = name;
  v->value = value;
  if (tag->last_value) {
    tag->last_value->next = v;
  } else {
    tag->first_value = v;
  }
  tag->last_value = v;
}

void ct_put(ct_Writer* w, ct_Tag* tag, const char* name, const char* value) {
  add_value(w, tag, name, ct_pool_text(&w->pool, value));
}

void ct_put_text(ct_Writer* w, ct_Tag* tag, const char* name, const mjString* text) {
  if (*ct_text(text)) ct_put(w, tag, name, ct_text(text));
}

void ct_put_int(ct_Writer* w, ct_Tag* tag, const char* name, int value) {
  char text[16];
  snprintf(text, sizeof(text), "%d", value);
  ct_put(w, tag, name, text);
}

void ct_put_int_unless(ct_Writer* w, ct_Tag* tag, const char* name, int value, int otherwise) {
  if (value != otherwise) ct_put_int(w, tag, name, value);
}

void ct_put_word(ct_Writer* w, ct_Tag* tag, const char* name, const char* words, int value) {
  ct_Words table = ct_words(words);
  for (int i = 0; i < table.count; i++) {
    if (table.word[i].value != value) continue;
    ct_put(w, tag, name, table.word[i].text);
    return;
  }
}

void ct_put_word_unless(ct_Writer* w, ct_Tag* tag, const char* name, const char* words, int value,
                        int otherwise) {
  if (value != otherwise) ct_put_word(w, tag, name, words, value);
}

void ct_put_words(ct_Writer* w, ct_Tag* tag, const char* name, const char* words, unsigned bits) {
  char text[200] = "";
  ct_Words table = ct_words(words);
  for (int i = 0; i < table.count && i < 32; i++) {
    if (!(bits & 1u << i)) continue;
    if (*text) strncat(text, " ", sizeof(text) - strlen(text) - 1);
    strncat(text, table.word[i].text, sizeof(text) - strlen(text) - 1);
  }
  ct_put(w, tag, name, text);
}

// Numbers

enum { LONGEST = 32 };  // number as a text

// As the C locale has it, whatever the program's is.
static int print_real(char* text, double x, int digits) {
  int n = snprintf(text, LONGEST, "%.*g", digits, x);
  const char* point = localeconv()->decimal_point;
  if (strcmp(point, ".")) {
    char* at = strstr(text, point);
    size_t length = strlen(point);
    if (at) {
      *at = '.';
      memmove(at + 1, at + length, strlen(at + length) + 1);
      n -= (int)length - 1;
    }
  }
  return n;
}

// Numbers that are integers but for rounding are written as such.
static int print_number(char* text, double x, int digits) {
  if (x > -2147483647 && x < 2147483647) {
    double nearest = floor(x + 0.5);
    if (fabs(x - nearest) < 1e-12) return snprintf(text, LONGEST, "%d", (int)nearest);
  }
  return print_real(text, x, digits);
}

typedef enum { DOUBLES, FLOATS, INTS } NumberType;

// With as many digits as it takes to read the same number again.
static int print_exactly(char* text, double x, NumberType type) {
  int most = type == FLOATS ? 9 : 17, digits = most - 3;
  for (; digits < most; digits++) {
    char trial[LONGEST];
    snprintf(trial, sizeof(trial), "%.*g", digits, x);
    double again = strtod(trial, NULL);
    if (type == FLOATS ? (float)again == (float)x : again == x) break;
  }
  return print_real(text, x, digits);
}

typedef struct {  // numbers of any type
  const void* number;
  NumberType type;
} Numbers;

static double number_at(Numbers n, int i) {
  switch (n.type) {
    case DOUBLES:
      return ((const double*)n.number)[i];
    case FLOATS:
      return (double)((const float*)n.number)[i];
    default:
      return ((const int*)n.number)[i];
  }
}

static double tolerance(Numbers n) {
  switch (n.type) {
    case DOUBLES:
      return DBL_EPSILON;
    case FLOATS:
      return (double)FLT_EPSILON;
    default:
      return 0;
  }
}

static bool has_nan(Numbers n, int count) {
  for (int i = 0; i < count; i++) {
    if (isnan(number_at(n, i))) return true;
  }
  return false;
}

static bool same(Numbers a, Numbers b, int count, double allowed) {
  for (int i = 0; i < count; i++) {
    if (!(fabs(number_at(a, i) - number_at(b, i)) <= allowed)) return false;
  }
  return true;
}

static void put_numbers(ct_Writer* w, ct_Tag* tag, const char* name, Numbers n, int count) {
  char* text = (char*)ct_pool_alloc(&w->pool, (size_t)count * LONGEST + 1);
  char* end = text;
  for (int i = 0; i < count; i++) {
    if (i) *end++ = ' ';
    end += w->keep_all ? print_exactly(end, number_at(n, i), n.type)
                       : print_number(end, number_at(n, i), w->digits);
  }
  add_value(w, tag, name, text);
}

// Numbers unless they are the default; `trim` leaves out the last ones that are.
static void put_unless(ct_Writer* w, ct_Tag* tag, const char* name, Numbers n, int count,
                       Numbers otherwise, bool trim) {
  if (has_nan(n, count)) return;
  if (otherwise.number && same(n, otherwise, count, w->keep_all ? 0 : tolerance(n))) return;
  while (trim && otherwise.number && count > 1 &&
         number_at(n, count - 1) == number_at(otherwise, count - 1)) {
    count--;
  }
  put_numbers(w, tag, name, n, count);
}

void ct_put_reals(ct_Writer* w, ct_Tag* tag, const char* name, const double* value, int count,
                  const double* otherwise) {
  put_unless(w, tag, name, (Numbers){value, DOUBLES}, count, (Numbers){otherwise, DOUBLES}, false);
}

void ct_put_floats(ct_Writer* w, ct_Tag* tag, const char* name, const float* value, int count,
                   const float* otherwise) {
  put_unless(w, tag, name, (Numbers){value, FLOATS}, count, (Numbers){otherwise, FLOATS}, false);
}

static const double unit[4] = {1, 0, 0, 0};

void ct_put_quat(ct_Writer* w, ct_Tag* tag, const double quat[4]) {
  ct_put_reals(w, tag, "quat", quat, 4, unit);
}

// Long lists

enum { LIST_DIGITS = 6 };

static void put_list(ct_Writer* w, ct_Tag* tag, const char* name, Numbers n, int count) {
  if (count <= 0) return;
  char* text = (char*)ct_pool_alloc(&w->pool, (size_t)count * LONGEST + 1);
  char* end = text;
  for (int i = 0; i < count; i++) {
    if (i) *end++ = ' ';
    if (n.type == INTS) {
      end += snprintf(end, LONGEST, "%d", ((const int*)n.number)[i]);
    } else if (w->keep_all) {
      end += print_exactly(end, number_at(n, i), n.type);
    } else {
      end += print_real(end, number_at(n, i), LIST_DIGITS);
    }
  }
  add_value(w, tag, name, ct_pool_text_n(&w->pool, text, (size_t)(end - text)));
}

void ct_put_float_list(ct_Writer* w, ct_Tag* tag, const char* name, const float* value, int count) {
  put_list(w, tag, name, (Numbers){value, FLOATS}, count);
}

void ct_put_real_list(ct_Writer* w, ct_Tag* tag, const char* name, const double* value, int count) {
  put_list(w, tag, name, (Numbers){value, DOUBLES}, count);
}

void ct_put_int_list(ct_Writer* w, ct_Tag* tag, const char* name, const int* value, int count) {
  put_list(w, tag, name, (Numbers){value, INTS}, count);
}

// Lists of the schema

static int int_member(const ct_Attribute* a, const void* member) {
  if (a->size == 1) return *(const mjtByte*)member;
  if (a->size == sizeof(int)) return *(const int*)member;
  return (int)*(const int64_t*)member;
}

static Numbers number_member(const ct_Attribute* a, const void* member) {
  Numbers n = {member, DOUBLES};
  if (a->kind == CT_VALUE_INTEGERS) n.type = INTS;
  if (a->kind == CT_VALUE_FLOAT || (a->kind == CT_VALUE_REAL && a->size / (size_t)a->max == 4))
    n.type = FLOATS;
  return n;
}

static void put_row(ct_Writer* w, ct_Tag* tag, const ct_Written* row, const void* member,
                    const void* other) {
  static const double zero[10] = {0};
  const ct_Attribute* a = row->attribute;
  bool always = row->mark == '!';
  switch (a->kind) {
    case CT_VALUE_TEXT: {
      const char *text = ct_text(*(mjString*const*)member),
                 *same_as = ct_text(*(mjString*const*)other);
      if (*text && strcmp(text, same_as)) ct_put(w, tag, a->name, text);
      break;
    }
    case CT_VALUE_INTEGER:
      if (always || int_member(a, member) != int_member(a, other))
        ct_put_int(w, tag, a->name, int_member(a, member));
      break;
    case CT_VALUE_WORD:
      if (!always && int_member(a, member) == int_member(a, other)) break;
      for (int i = 0; i < a->nword; i++) {
        if (a->word[i].value == int_member(a, member)) {
          ct_put(w, tag, a->name, a->word[i].text);
          break;
        }
      }
      break;
    default: {
      Numbers n = number_member(a, member), otherwise = number_member(a, other);
      if (row->mark == '-' && !w->keep_all) otherwise.number = zero;
      if (always) otherwise.number = NULL;
      put_unless(w, tag, a->name, n, a->max, otherwise, row->mark == '=');
      break;
    }
  }
}

void ct_put_rows(ct_Writer* w, ct_Tag* tag, const char* list, const void* values,
                 const void* otherwise) {
  int count;
  const ct_Written* row = ct_written(list, &count);
  for (int i = 0; i < count; i++) {
    size_t at = row[i].attribute->offset;
    put_row(w, tag, &row[i], (const char*)values + at, (const char*)otherwise + at);
  }
}

// User numbers

void ct_put_user(ct_Writer* w, ct_Tag* tag, const double* user, int count, const double* otherwise,
                 int nother, int nuser) {
  double* padded = (double*)ct_pool_array(&w->pool, (size_t)nuser + 1, sizeof(double));
  bool differs = false;
  for (int i = 0; i < nuser; i++) {
    padded[i] = i < count ? user[i] : 0;
    differs = differs || padded[i] != (i < nother ? otherwise[i] : 0);
  }
  if (differs) ct_put_reals(w, tag, "user", padded, nuser, NULL);
}
