// Custom numbers, texts and tuples of objects.

#include <string.h>

#include "compile/compile.h"
#include "compile/work/put.h"

static ct_WorkNumeric* numeric_at(const ct_Compiler* c, int i) {
  return CT_WORK(ct_WorkNumeric, c->list[mjOBJ_NUMERIC], i);
}
static ct_WorkText* text_at(const ct_Compiler* c, int i) {
  return CT_WORK(ct_WorkText, c->list[mjOBJ_TEXT], i);
}
static ct_WorkTuple* tuple_at(const ct_Compiler* c, int i) {
  return CT_WORK(ct_WorkTuple, c->list[mjOBJ_TUPLE], i);
}

static int text_size(const ct_WorkText* text) {
  return (int)strlen(ct_text(text->v.data)) + 1;
}
static int tuple_size(const ct_WorkTuple* tuple) {
  int count;
  ct_ints(tuple->v.objtype, &count);
  return count;
}

// Compiling

static void compile_numeric(ct_Compiler* c, ct_Work* work) {
  ct_WorkNumeric* numeric = (ct_WorkNumeric*)work;
  const ct_Element* e = numeric->head.element;
  int count;
  ct_doubles(numeric->v.data, &count);
  if (numeric->v.size == 0) numeric->v.size = count;
  if (numeric->v.size <= 0) ct_fail(c, e, "there are no numbers: give data or a size");
  if (numeric->v.size < count) {
    ct_fail(c, e, "size is %d, but data has %d numbers", numeric->v.size, count);
  }
}

void ct_compile_numerics(ct_Compiler* c) {
  ct_each(c, &c->list[mjOBJ_NUMERIC], compile_numeric);
}

void ct_compile_texts(ct_Compiler* c) {
  for (int i = 0; i < CT_COUNT(c, mjOBJ_TEXT); i++) {
    if (text_size(text_at(c, i)) == 1) ct_fail(c, text_at(c, i)->head.element, "data is empty");
  }
}

static void compile_tuple(ct_Compiler* c, ct_Work* work) {
  ct_WorkTuple* tuple = (ct_WorkTuple*)work;
  const ct_Element* e = tuple->head.element;
  const ct_Vector* names = ct_vec(tuple->v.objname);
  int count, nprm, nname = (int)ct_vector_count(names, sizeof(ct_String));
  const int* type = ct_ints(tuple->v.objtype, &count);
  ct_doubles(tuple->v.objprm, &nprm);
  if (count == 0) ct_fail(c, e, "the tuple has no elements");
  if (nname != count || nprm != count) {
    ct_fail(c, e, "the tuple has %d types, %d names and %d parameters: they must be as many", count,
            nname, nprm);
  }
  tuple->object = (ct_Work**)ct_pool_array(&c->pool, (size_t)count, sizeof(ct_Work*));
  for (int k = 0; k < count; k++) {
    const char* name = ct_string_get(ct_strings_at(names, (size_t)k));
    tuple->object[k] = ct_lookup_or_fail(c, e, "objname", (mjtObj)type[k], name);
    if (type[k] == mjOBJ_GEOM) tuple->object[k]->used = true;
  }
}

void ct_compile_tuples(ct_Compiler* c) {
  ct_each(c, &c->list[mjOBJ_TUPLE], compile_tuple);
}

// Sizes and arrays

void ct_size_customs(ct_Compiler* c) {
  for (int i = 0; i < CT_COUNT(c, mjOBJ_NUMERIC); i++) {
    c->size.nnumericdata += numeric_at(c, i)->v.size;
  }
  for (int i = 0; i < CT_COUNT(c, mjOBJ_TEXT); i++) c->size.ntextdata += text_size(text_at(c, i));
  for (int i = 0; i < CT_COUNT(c, mjOBJ_TUPLE); i++) {
    c->size.ntupledata += tuple_size(tuple_at(c, i));
  }
}

static void copy_numerics(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int i = 0, adr = 0; i < m->nnumeric; i++) {
    const ct_WorkNumeric* numeric = numeric_at(c, i);
    int count;
    const double* data = ct_doubles(numeric->v.data, &count);
    m->numeric_adr[i] = adr;
    m->numeric_size[i] = numeric->v.size;
    ct_put(m->numeric_data + adr, data, count);
    adr += numeric->v.size;
  }
}

static void copy_texts(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int i = 0, adr = 0; i < m->ntext; i++) {
    const ct_WorkText* text = text_at(c, i);
    m->text_adr[i] = adr;
    m->text_size[i] = text_size(text);
    memcpy(m->text_data + adr, ct_text(text->v.data), (size_t)m->text_size[i]);
    adr += m->text_size[i];
  }
}

static void copy_tuples(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int i = 0, adr = 0; i < m->ntuple; i++) {
    const ct_WorkTuple* tuple = tuple_at(c, i);
    int count, nprm;
    const int* type = ct_ints(tuple->v.objtype, &count);
    const double* prm = ct_doubles(tuple->v.objprm, &nprm);
    m->tuple_adr[i] = adr;
    m->tuple_size[i] = count;
    for (int k = 0; k < count; k++, adr++) {
      m->tuple_objtype[adr] = type[k];
      m->tuple_objid[adr] = ct_id(tuple->object[k]);
      m->tuple_objprm[adr] = (mjtNum)prm[k];
    }
  }
}

void ct_copy_customs(ct_Compiler* c) {
  copy_numerics(c);
  copy_texts(c);
  copy_tuples(c);
}
