// Values of attributes: from text to numbers, words and members of the public structs.
//
// Numbers are those of strtod, strtof and strtol in the C locale, one per word of the text; what
// overflows or underflows is refused. A text without any number is the same as no attribute at all,
// except for a single integer.

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/spelling.h"
#include "base/text.h"
#include "mjcf/habits.h"
#include "mjcf/read.h"

static const char* skip_word(const char* p) {
  while (*p && !ct_is_blank(*p)) p++;
  return p;
}

static int count_words(const char* text) {
  int n = 0;
  for (const char* p = ct_skip_blanks(text); *p; p = ct_skip_blanks(skip_word(p))) n++;
  return n;
}

static int shown(const char* word) {
  ptrdiff_t n = skip_word(word) - word;
  return n > 40 ? 40 : (int)n;
}

CT_MJCF_NORETURN static void refuse_number(ct_Reader* r, const ct_Xml* xml, const char* name,
                                           const char* word, const char* wanted) {
  // 1,2,3 and 1; 2 and [1 2] are other languages' lists, and 9,81 is another language's number
  bool list = strcspn(word, ",;[]()") < (size_t)(skip_word(word) - word);
  ct_refuse(r, xml, name, "%s has \"%.*s\" where %s should be%s", name, shown(word), word, wanted,
            list ? "; numbers are separated by spaces, and decimals have a point" : "");
}

CT_MJCF_NORETURN static void refuse_range(ct_Reader* r, const ct_Xml* xml, const char* name,
                                          const char* word) {
  ct_refuse(r, xml, name, "%s has %.*s, which is too large or too small", name, shown(word), word);
}

// Refuses a wrong count. max 0: any.
static void check_count(ct_Reader* r, const ct_Xml* xml, const char* name, int n, int min,
                        int max) {
  if (n >= min && (max == 0 || n <= max)) return;
  if (strchr(ct_given(xml, name), ','))
    ct_refuse(r, xml, name, "%s has a comma; numbers are separated by spaces", name);
  if (min == max) {
    ct_refuse(r, xml, name, "%s needs %d number%s, got %d", name, min, min == 1 ? "" : "s", n);
  }
  ct_refuse(r, xml, name, "%s takes %d to %d numbers, got %d", name, min, max, n);
}

// A copy, because elements that are read in parts do not last.
static void note_nan(ct_Reader* r, const ct_Xml* xml) {
  if (r->nan) return;
  ct_Xml* element = (ct_Xml*)ct_pool_alloc(&r->pool, sizeof(ct_Xml));
  *element = *xml;
  r->nan = element;
}

// The end of a number that was read from a word; refuses what is not a number or was out of range.
static void check_number(ct_Reader* r, const ct_Xml* xml, const char* name, const char* word,
                         const char* end, const char* wanted) {
  if (end == word || (*end && !ct_is_blank(*end))) refuse_number(r, xml, name, word, wanted);
  if (errno == ERANGE) refuse_range(r, xml, name, word);
}

static void to_real(ct_Reader* r, const ct_Xml* xml, const char* name, const char* word,
                    void* result) {
  char* end;
  errno = 0;
  double value = strtod(word, &end);
  check_number(r, xml, name, word, end, "a number");
  if (isnan(value)) note_nan(r, xml);
  *(double*)result = value;
}

static void to_float(ct_Reader* r, const ct_Xml* xml, const char* name, const char* word,
                     void* result) {
  char* end;
  errno = 0;
  float value = strtof(word, &end);
  check_number(r, xml, name, word, end, "a number");
  if (isnan(value)) note_nan(r, xml);
  *(float*)result = value;
}

static void to_int(ct_Reader* r, const ct_Xml* xml, const char* name, const char* word,
                   void* result) {
  char* end;
  errno = 0;
  long value = strtol(word, &end, 10);
  check_number(r, xml, name, word, end, "an integer");
  if (value > INT_MAX || value < INT_MIN) refuse_range(r, xml, name, word);
  *(int*)result = (int)value;
}

// The three types of numbers: how long one is, and how a word becomes one.
typedef struct {
  size_t size;
  void (*convert)(ct_Reader* r, const ct_Xml* xml, const char* name, const char* word,
                  void* result);
} NumberType;

static const NumberType reals = {sizeof(double), to_real}, floats = {sizeof(float), to_float},
                        ints = {sizeof(int), to_int};

// Number of values of an attribute; 0: as if it were not there.
static int count_values(ct_Reader* r, const ct_Xml* xml, const char* name, int min, int max) {
  const char* text = ct_given(xml, name);
  int n = text ? count_words(text) : 0;
  if (n) check_count(r, xml, name, n, min, max);
  return n;
}

// An attribute that is being read: what it can be, and what has been found.
typedef struct {
  const ct_Xml* xml;
  const char* name;
  const NumberType* type;  // numbers
  int min, max;            // how many
  ct_Words words;          // or words
  bool* in_order;          // of a list of words: are they in the order of `words`? May be NULL
  void* result;
  int count;  // of the numbers in result
} Reading;

typedef void (*Taker)(ct_Reader* r, Reading* reading);

// Reads what may be refused. When a file is checked, a refusal ends the attribute only: false. What
// was to be read is then zero, for who goes on with it.
static bool attempt(ct_Reader* r, Taker take, Reading* reading) {
  if (!r->check) {
    take(r, reading);
    return true;
  }
  jmp_buf here;
  jmp_buf* outer = r->out;
  if (setjmp(here)) {
    r->out = outer;
    return false;
  }
  r->out = &here;
  take(r, reading);
  r->out = outer;
  return true;
}

static void take_numbers(ct_Reader* r, Reading* reading) {
  const ct_Xml* xml = reading->xml;
  int n = count_values(r, xml, reading->name, reading->min, reading->max);
  const char* word = n ? ct_skip_blanks(ct_given(xml, reading->name)) : NULL;
  char* to = (char*)reading->result;
  for (int i = 0; i < n; i++, word = ct_skip_blanks(skip_word(word))) {
    reading->type->convert(r, xml, reading->name, word, to);
    to += reading->type->size;
  }
  reading->count = n;
}

static int read_numbers(ct_Reader* r, const ct_Xml* xml, const char* name, const NumberType* type,
                        void* result, int min, int max) {
  Reading reading = {.xml = xml, .name = name, .type = type, .min = min, .max = max};
  reading.result = result;
  if (!attempt(r, take_numbers, &reading)) reading.count = 0;
  if (!reading.count && ct_given(xml, name) && r->nmistake) {
    memset(result, 0, (size_t)max * type->size);
  }
  return reading.count;
}

static void* read_all_numbers(ct_Reader* r, const ct_Xml* xml, const char* name,
                              const NumberType* type, int* count) {
  const char* text = ct_given(xml, name);
  *count = text ? count_words(text) : 0;
  if (!*count) return NULL;
  void* values = ct_pool_array(&r->pool, (size_t)*count, type->size);
  *count = read_numbers(r, xml, name, type, values, 1, 0);
  return *count ? values : NULL;
}

int ct_read_reals(ct_Reader* r, const ct_Xml* xml, const char* name, double* result, int min,
                  int max) {
  return read_numbers(r, xml, name, &reals, result, min, max);
}

int ct_read_floats(ct_Reader* r, const ct_Xml* xml, const char* name, float* result, int min,
                   int max) {
  return read_numbers(r, xml, name, &floats, result, min, max);
}

int ct_read_ints(ct_Reader* r, const ct_Xml* xml, const char* name, int* result, int min, int max) {
  return read_numbers(r, xml, name, &ints, result, min, max);
}

double* ct_read_all_reals(ct_Reader* r, const ct_Xml* xml, const char* name, int* count) {
  return (double*)read_all_numbers(r, xml, name, &reals, count);
}

float* ct_read_all_floats(ct_Reader* r, const ct_Xml* xml, const char* name, int* count) {
  return (float*)read_all_numbers(r, xml, name, &floats, count);
}

int* ct_read_all_ints(ct_Reader* r, const ct_Xml* xml, const char* name, int* count) {
  return (int*)read_all_numbers(r, xml, name, &ints, count);
}

bool ct_read_real(ct_Reader* r, const ct_Xml* xml, const char* name, double* result) {
  return ct_read_reals(r, xml, name, result, 1, 1) == 1;
}

static void take_int(ct_Reader* r, Reading* reading) {
  const char* name = reading->name;
  const char* text = ct_given(reading->xml, name);
  const char* word = ct_skip_blanks(text);
  if (!*word) ct_refuse(r, reading->xml, name, "%s is empty; it needs an integer", name);
  if (*ct_skip_blanks(skip_word(word)))
    ct_refuse(r, reading->xml, name, "%s needs one integer, got %d", name, count_words(text));
  to_int(r, reading->xml, name, word, reading->result);
}

bool ct_read_int(ct_Reader* r, const ct_Xml* xml, const char* name, int* result) {
  if (!ct_given(xml, name)) return false;
  Reading reading = {.xml = xml, .name = name, .result = result};
  bool fine = attempt(r, take_int, &reading);
  if (!fine) *result = 0;
  return fine;
}

// Words

// A list of words for a message: "a, b or c".
static const char* join_words(ct_Reader* r, const ct_Word* word, int n, const char* last) {
  size_t size = 1;
  for (int i = 0; i < n; i++) size += strlen(word[i].text) + strlen(last) + 2;
  char* text = (char*)ct_pool_alloc(&r->pool, size);
  for (int i = 0; i < n; i++) {
    if (i) strcat(text, i + 1 < n ? ", " : last);
    strcat(text, word[i].text);
  }
  return text;
}

static const char* list_words(ct_Reader* r, const ct_Word* word, int n) {
  return join_words(r, word, n, " or ");
}

const char* ct_list_words(ct_Reader* r, const char* words, const char* last) {
  ct_Words w = ct_words(words);
  return join_words(r, w.word, w.count, last);
}

static int find_word(const ct_Word* word, int n, const char* text, size_t length) {
  for (int i = 0; i < n; i++) {
    if (strlen(word[i].text) == length && !memcmp(word[i].text, text, length)) return i;
  }
  return -1;
}

// The word that was probably meant; NULL if none is like it, or there are two to choose from.
static const char* word_meant(const char* text, const ct_Word* word, int n) {
  const char* habit;
  for (int k = 0; (habit = ct_habit(text, k)); k++) {
    if (find_word(word, n, habit, strlen(habit)) >= 0) return habit;
  }
  ct_Spelling nearest = {text, NULL, 0};
  for (int k = 0; k < n; k++) ct_spelling_add(&nearest, word[k].text);
  return n > 2 ? nearest.found : NULL;
}

static void take_word(ct_Reader* r, Reading* reading) {
  const char *name = reading->name, *text = ct_given(reading->xml, name);
  const ct_Word* word = reading->words.word;
  int n = reading->words.count, i = find_word(word, n, text, strlen(text));
  if (i >= 0) {
    *(int*)reading->result = word[i].value;
    return;
  }
  const char* meant = word_meant(text, word, n);
  if (meant)
    ct_refuse(r, reading->xml, name, "%s is \"%.40s\"; did you mean %s? It can be %s", name, text,
              meant, list_words(r, word, n));
  ct_refuse(r, reading->xml, name, "%s is \"%.40s\"; it can be %s", name, text,
            list_words(r, word, n));
}

bool ct_read_word(ct_Reader* r, const ct_Xml* xml, const char* name, const char* words,
                  int* result) {
  if (!ct_given(xml, name)) return false;
  Reading reading = {.xml = xml, .name = name, .words = ct_words(words), .result = result};
  bool fine = attempt(r, take_word, &reading);
  if (!fine) *result = reading.words.word[0].value;
  return fine;
}

static void take_word_list(ct_Reader* r, Reading* reading) {
  const char *name = reading->name, *text = ct_given(reading->xml, name);
  ct_Words w = reading->words;
  unsigned bits = 0;
  int last = -1;
  if (reading->in_order) *reading->in_order = true;
  for (const char* p = text ? ct_skip_blanks(text) : ""; *p; p = ct_skip_blanks(skip_word(p))) {
    int i = find_word(w.word, w.count, p, (size_t)(skip_word(p) - p));
    if (i < 0)
      ct_refuse(r, reading->xml, name, "%s has \"%.*s\"; it can have %s", name, shown(p), p,
                list_words(r, w.word, w.count));
    if (bits & (1u << i)) ct_refuse(r, reading->xml, name, "%s has %s twice", name, w.word[i].text);
    if (i < last && reading->in_order) *reading->in_order = false;
    bits |= 1u << i;
    last = i;
  }
  *(unsigned*)reading->result = bits;
}

unsigned ct_read_word_list(ct_Reader* r, const ct_Xml* xml, const char* name, const char* words,
                           bool* in_order) {
  unsigned bits = 0;
  Reading reading = {.xml = xml, .name = name, .words = ct_words(words), .in_order = in_order};
  reading.result = &bits;
  attempt(r, take_word_list, &reading);
  return bits;
}

char** ct_split(ct_Reader* r, const char* text, int* count) {
  *count = count_words(text);
  char** words = (char**)ct_pool_array(&r->pool, (size_t)*count + 1, sizeof(char*));
  const char* p = ct_skip_blanks(text);
  for (int i = 0; i < *count; i++, p = ct_skip_blanks(skip_word(p))) {
    words[i] = ct_pool_text_n(&r->pool, p, (size_t)(skip_word(p) - p));
  }
  return words;
}

const char* ct_required(ct_Reader* r, const ct_Xml* xml, const char* name) {
  const char* text = ct_given(xml, name);
  if (!text) ct_refuse(r, xml, NULL, "%s is missing", name);
  return text;
}

// NULL, or the attribute that is missing; all that are have been told then.
static const char* missing_attribute(ct_Reader* r, const ct_Xml* xml) {
  const char* missing = NULL;
  for (int i = 0; xml->rule && i < xml->rule->nallowed; i++) {
    const ct_Allowed* allowed = &xml->rule->allowed[i];
    if (!allowed->required) continue;
    const char* name = allowed->attribute->name;
    const char* text = ct_given(xml, name);
    ct_ValueKind kind = allowed->attribute->kind;
    if (!text) {
      ct_mistake(r, xml, NULL, "%s is missing", name);
      missing = name;
    } else if ((kind == CT_VALUE_REAL || kind == CT_VALUE_FLOAT) && !*ct_skip_blanks(text)) {
      ct_mistake(r, xml, name, "%s is empty", name);
    }
  }
  return missing;
}

// Ends the element, which cannot be read on. What is missing has been told.
static void stop_if_missing(ct_Reader* r, const ct_Xml* xml, const char* missing) {
  if (missing) ct_refuse(r, xml, NULL, "%s is missing", missing);
}

void ct_require(ct_Reader* r, const ct_Xml* xml) {
  stop_if_missing(r, xml, missing_attribute(r, xml));
}

// Members

static void store_reals(const ct_Attribute* a, char* member, const double* value, int n) {
  size_t size = a->size / (size_t)a->max;
  for (int i = 0; i < n; i++) {
    if (size == sizeof(double)) {
      ((double*)(void*)member)[i] = value[i];
    } else {
      ((float*)(void*)member)[i] = (float)value[i];
    }
  }
}

static void store_int(const ct_Attribute* a, char* member, int value) {
  if (a->size == 1) {
    *(mjtByte*)member = (mjtByte)value;
  } else if (a->size == sizeof(int)) {
    *(int*)(void*)member = value;
  } else {
    *(int64_t*)(void*)member = value;
  }
}

enum { MOST = 16 };  // numbers of a member that is not a vector

static void read_vector(ct_Reader* r, const ct_Xml* xml, const ct_Attribute* a, char* member) {
  ct_Vector* vector = *(ct_Vector**)(void*)member;
  int n = 0;
  const void* values;
  size_t size;
  if (a->kind == CT_VALUE_REAL) {
    values = ct_read_all_reals(r, xml, a->name, &n);
    size = sizeof(double);
  } else if (a->kind == CT_VALUE_FLOAT) {
    values = ct_read_all_floats(r, xml, a->name, &n);
    size = sizeof(float);
  } else {
    values = ct_read_all_ints(r, xml, a->name, &n);
    size = sizeof(int);
  }
  if (n) ct_vector_set(vector, values, (size_t)n, size);
}

// true: the orientation was given.
static bool read_orientation(ct_Reader* r, const ct_Xml* xml, const ct_Attribute* a, char* member) {
  double value[6];
  int n = ct_read_reals(r, xml, a->name, value, a->min, a->max);
  if (a->kind == CT_VALUE_QUAT) {
    if (n && value[0] == 0 && value[1] == 0 && value[2] == 0 && value[3] == 0) {
      ct_mistake(r, xml, a->name, "%s is zero, which is not an orientation", a->name);
    }
    if (n) memcpy(member, value, 4 * sizeof(double));
    return true;
  }
  if (!n) return false;
  mjsOrientation* alt = (mjsOrientation*)(void*)member;
  double* target = a->kind == CT_VALUE_AXISANGLE ? alt->axisangle
                   : a->kind == CT_VALUE_XYAXES  ? alt->xyaxes
                   : a->kind == CT_VALUE_ZAXIS   ? alt->zaxis
                                                 : alt->euler;
  memcpy(target, value, (size_t)n * sizeof(double));
  alt->type = (mjtOrientation)(mjORIENTATION_AXISANGLE + (a->kind - CT_VALUE_AXISANGLE));
  return true;
}

static void read_row(ct_Reader* r, const ct_Xml* xml, const ct_Attribute* a, const char* text,
                     char* member) {
  double real[MOST];
  float single[MOST];
  int n, integer[MOST];
  switch (a->kind) {
    case CT_VALUE_REAL:
      n = ct_read_reals(r, xml, a->name, real, a->min, a->max);
      store_reals(a, member, real, n);
      break;
    case CT_VALUE_FLOAT:
      n = ct_read_floats(r, xml, a->name, single, a->min, a->max);
      memcpy(member, single, (size_t)n * sizeof(float));
      break;
    case CT_VALUE_INTEGER:
      if (ct_read_int(r, xml, a->name, integer)) store_int(a, member, integer[0]);
      break;
    case CT_VALUE_INTEGERS:
      n = ct_read_ints(r, xml, a->name, integer, a->min, a->max);
      memcpy(member, integer, (size_t)n * sizeof(int));
      break;
    case CT_VALUE_TEXT:
      ct_string_set(*(ct_String**)(void*)member, text);
      break;
    case CT_VALUE_WORD: {
      Reading word = {.xml = xml, .name = a->name, .words = {NULL, a->word, a->nword}};
      word.result = integer;
      if (attempt(r, take_word, &word)) store_int(a, member, integer[0]);
      break;
    }
    default:
      break;
  }
}

void ct_read_rows(ct_Reader* r, const ct_Xml* xml, void* values) {
  if (!xml->rule) return;
  const char* missing = missing_attribute(r, xml);
  const char* orientation = NULL;
  for (int i = 0; i < xml->nattribute; i++) {
    const ct_Allowed* allowed = ct_rule_attribute(xml->rule, xml->attribute[i].name);
    if (!allowed) continue;  // where nothing is checked
    const ct_Attribute* a = allowed->attribute;
    if (a->kind == CT_VALUE_OTHER) continue;
    char* member = (char*)values + a->offset;
    if (a->max == 0) {
      read_vector(r, xml, a, member);
    } else if (a->kind < CT_VALUE_QUAT) {
      read_row(r, xml, a, xml->attribute[i].value, member);
    } else if (read_orientation(r, xml, a, member)) {
      if (orientation)
        ct_mistake(r, xml, a->name, "%s and %s both give the orientation", orientation, a->name);
      orientation = a->name;
    }
  }
  stop_if_missing(r, xml, missing);
}
