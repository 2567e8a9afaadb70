// Memory of the compiled layer. See compiled.h.

#include "spec/compiled.h"

#include <stdlib.h>
#include <string.h>

static void* zeroed(size_t bytes) {
  void* p = calloc(1, bytes);
  if (!p) mju_error("out of memory: a compiled spec needs %zu more bytes", bytes);
  return p;
}

ct_Compiled* ct_make_compiled(ct_Element* e) {
  if (!e->compiled) e->compiled = (ct_Compiled*)zeroed(sizeof(ct_Compiled) + e->kind->size);
  return e->compiled;
}

ct_CompiledWhole* ct_make_compiled_whole(ct_Spec* spec) {
  if (!spec->compiled_whole) {
    spec->compiled_whole = (ct_CompiledWhole*)zeroed(sizeof(ct_CompiledWhole));
  }
  return spec->compiled_whole;
}

static double* copied(const double* number, int count) {
  double* copy = (double*)zeroed((size_t)count * sizeof(double) + 1);
  if (copy && count > 0) memcpy(copy, number, (size_t)count * sizeof(double));
  return copy;
}

// The pointers in a public struct lead to its own element.
static void connect(ct_Element* e) {
  const ct_Kind* kind = e->kind;
  char* values = (char*)e->compiled->values;
  for (int i = 0; i < kind->nfield; i++) {
    size_t at = kind->field[i].offset;
    memcpy(values + at, (const char*)e->values + at, sizeof(void*));
  }
  memcpy(values, e->values, sizeof(void*));
}

void ct_copy_compiled(ct_Element* to, const ct_Element* from) {
  ct_free_compiled(to);
  if (!from->compiled) return;
  ct_Compiled* copy = ct_make_compiled(to);
  memcpy(copy, from->compiled, sizeof(ct_Compiled) + from->kind->size);
  for (int k = 0; k < CT_COMPILED_VECTORS; k++) {
    ct_Numbers* numbers = &copy->vector[k];
    if (numbers->number) numbers->number = copied(numbers->number, numbers->count);
  }
  connect(to);
}

void ct_copy_compiled_whole(ct_Spec* to, const ct_Spec* from) {
  ct_free_compiled_whole(to);
  if (!from->compiled_whole) return;
  ct_CompiledWhole* copy = ct_make_compiled_whole(to);
  *copy = *from->compiled_whole;
  copy->qpos0 = copied(copy->qpos0, copy->nq);
}

void ct_free_compiled(ct_Element* e) {
  if (e->compiled) ct_forget_numbers(e->compiled);
  free(e->compiled);
  e->compiled = NULL;
}

void ct_free_compiled_whole(ct_Spec* spec) {
  if (spec->compiled_whole) free(spec->compiled_whole->qpos0);
  free(spec->compiled_whole);
  spec->compiled_whole = NULL;
}

const void* ct_compiled_values(const ct_Element* e) {
  if (e->compiled) return e->compiled->values;
  const ct_Default* def = ct_inherited_class(e->spec, ct_string_get(&e->class_name));
  const ct_Element* template_ = ct_template(def, e->kind);
  return template_ ? template_->values : e->values;
}

// Room for numbers in place of the k-th vector; NULL: there is none.
static double* new_numbers(ct_Compiled* compiled, int k, int count) {
  ct_Numbers* numbers = &compiled->vector[k];
  free(numbers->number);
  numbers->number = (double*)zeroed((size_t)count * sizeof(double) + 1);
  numbers->count = numbers->number ? count : 0;
  return numbers->number;
}

void ct_set_numbers(ct_Compiled* compiled, int k, const mjtNum* number, int count) {
  double* to = new_numbers(compiled, k, count);
  for (int i = 0; to && i < count; i++) to[i] = (double)number[i];
}

void ct_set_float_numbers(ct_Compiled* compiled, int k, const float* number, int count) {
  double* to = new_numbers(compiled, k, count);
  for (int i = 0; to && i < count; i++) to[i] = (double)number[i];
}

void ct_set_int_numbers(ct_Compiled* compiled, int k, const int* number, int count) {
  double* to = new_numbers(compiled, k, count);
  for (int i = 0; to && i < count; i++) to[i] = number[i];
}

void ct_forget_numbers(ct_Compiled* compiled) {
  for (int k = 0; k < CT_COMPILED_VECTORS; k++) {
    free(compiled->vector[k].number);
    compiled->vector[k].number = NULL;
  }
}

const double* ct_compiled_vector(const ct_Element* e, int k, const mjDoubleVec* vector,
                                 int* count) {
  if (e->compiled && e->compiled->vector[k].number) {
    *count = e->compiled->vector[k].count;
    return e->compiled->vector[k].number;
  }
  return ct_doubles(vector, count);
}
