// conform_mjb: binary models and fresh data, corten against the reference, on every model of a
// folder.
//
//   usage: conform_mjb REFERENCE_LIB CORTEN_LIB FOLDER
//
// The reference compiles a model and saves it; corten loads it and saves it again, byte for byte
// the same; the reference loads that. Both make data of it: same sizes, same offsets on the stack,
// same arrays after a reset with a fill byte. Each model has a process of its own and a few
// seconds.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/model/fields.h"
#include "conformance/crew.h"
#include "conformance/engine.h"

enum { SECONDS = 20, FILL = 0xA5 };

// How a model fared; the exit status of its process.
typedef enum { SAME, DIFFERENT, REFUSED, PLUGINS, SLEEPING } Fate;

static const char* current;  // model being compared

static Fate differs(const char* what, const char* name) {
  printf("%s: %s %s\n", current, what, name);
  fflush(stdout);
  return DIFFERENT;
}

static void* save(const Engine* e, const mjModel* m, size_t* size) {
  *size = (size_t)e->mj_sizeModel(m);
  void* bytes = malloc(*size);
  e->mj_saveModel(m, NULL, bytes, (int)*size);
  return bytes;
}

// Through corten and back; *copy is corten's model.
static Fate compare_files(const Engine* reference, const Engine* corten, const mjModel* m,
                          mjModel** copy) {
  size_t size, again;
  void* bytes = save(reference, m, &size);
  *copy = corten->mj_loadModelBuffer(bytes, (int)size);
  if (!*copy) return differs("corten does not load", "the file");
  void* ours = save(corten, *copy, &again);
  if (again != size || memcmp(bytes, ours, size)) return differs("corten saves", "other bytes");
  mjModel* back = reference->mj_loadModelBuffer(ours, (int)size);
  if (!back) return differs("the reference does not load", "corten's file");
  reference->mj_deleteModel(back);
  free(bytes);
  free(ours);
  return SAME;
}

// The same marks, allocations and frees on both stacks leave both at the same offsets.
static Fate compare_stacks(const Engine* reference, const Engine* corten, mjData* theirs,
                           mjData* ours) {
  unsigned random = 1;
  int depth = 0;
  for (int i = 0; i < 200; i++) {
    random = random * 1664525u + 1013904223u;
    unsigned choice = random >> 29, size = (random >> 16) & 63;
    const Engine* engines[] = {reference, corten};
    mjData* data[] = {theirs, ours};
    for (int k = 0; k < 2; k++) {
      if (choice < 2)
        engines[k]->mj_markStack(data[k]);
      else if (choice == 2)
        engines[k]->mj_freeStack(data[k]);
      else if (choice == 3)
        engines[k]->mj_stackAllocInt(data[k], size);
      else if (choice == 4)
        engines[k]->mj_stackAllocNum(data[k], size);
      else
        engines[k]->mj_stackAllocByte(data[k], size, (size_t)1 << (size & 6));
    }
    depth += choice < 2 ? 1 : choice == 2 && depth ? -1 : 0;
    if (theirs->pstack != ours->pstack || theirs->maxuse_stack != ours->maxuse_stack ||
        theirs->maxuse_arena != ours->maxuse_arena) {
      return differs("offsets of the stack after", choice < 2    ? "a mark"
                                                   : choice == 2 ? "a free"
                                                                 : "an allocation");
    }
  }
  for (; depth > 0; depth--) {
    reference->mj_freeStack(theirs);
    corten->mj_freeStack(ours);
  }
  return SAME;
}

// With sleep enabled the reference's reset computes poses, so only what a step starts from is
// compared.
static bool is_comparable(const mjModel* m, const ct_Field* f) {
  if (!(m->opt.enableflags & mjENBL_SLEEP)) return true;
  return !strcmp(f->stage, "STATE") || !strcmp(f->stage, "INPUT") || !strcmp(f->stage, "SLEEP");
}

static Fate compare_arrays(const mjModel* m, const mjData* theirs, const mjData* ours) {
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    if (!is_comparable(m, f)) continue;
    if (memcmp(ct_field_array(f, theirs), ct_field_array(f, ours), ct_field_bytes(f, m, ours))) {
      return differs("after a reset", f->name);
    }
  }
  bool sleeps = m->opt.enableflags & mjENBL_SLEEP;
  for (int i = 0; i < ct_ndata_value && !sleeps; i++) {
    const ct_Member* v = ct_data_values + i;
    if (strstr(v->type, "*") || !strcmp(v->name, "threadpool") || !strcmp(v->name, "pbase"))
      continue;
    if (memcmp((const char*)theirs + v->offset, (const char*)ours + v->offset, v->bytes)) {
      return differs("after a reset", v->name);
    }
  }
  return SAME;
}

static Fate compare_fresh_data(const Engine* reference, const Engine* corten, const mjModel* m,
                               const mjModel* copy) {
  mjData *theirs = reference->mj_makeData(m), *ours = corten->mj_makeData(copy);
  if (theirs->nbuffer != ours->nbuffer) return differs("data has another", "nbuffer");
  if (theirs->narena != ours->narena) return differs("data has another", "narena");
  bool sleeps = m->opt.enableflags & mjENBL_SLEEP;  // the reference has used its stack already
  Fate fate = sleeps ? SAME : compare_stacks(reference, corten, theirs, ours);
  for (int key = -1; key < m->nkey && key < 3 && fate == SAME; key++) {
    if (key < 0) {
      reference->mj_resetDataDebug(m, theirs, FILL);
      corten->mj_resetDataDebug(copy, ours, FILL);
    } else {
      reference->mj_resetDataKeyframe(m, theirs, key);
      corten->mj_resetDataKeyframe(copy, ours, key);
    }
    ours->signature = theirs->signature;  // not in a file
    fate = compare_arrays(m, theirs, ours);
  }
  reference->mj_deleteData(theirs);
  corten->mj_deleteData(ours);
  return fate;
}

// Trees that are to sleep from the start: their reset is a whole step.
static bool has_sleepers(const mjModel* m) {
  for (int i = 0; i < m->ntree; i++) {
    if (m->tree_sleep_policy[i] == mjSLEEP_INIT) return true;
  }
  return false;
}

// Files, then data where corten can make the same: without plugins, which are not loaded here, and
// without trees that sleep from the start.
static Fate compare_model(const Engine* reference, const Engine* corten, mjModel* m) {
  mjModel* copy = NULL;
  Fate fate = compare_files(reference, corten, m, &copy);
  if (fate == SAME && m->nplugin) fate = PLUGINS;
  if (fate == SAME && (m->opt.enableflags & mjENBL_SLEEP) && has_sleepers(m)) fate = SLEEPING;
  if (fate == SAME) fate = compare_fresh_data(reference, corten, m, copy);
  corten->mj_deleteModel(copy);
  reference->mj_deleteModel(m);
  return fate;
}

static mjModel* load(const Engine* reference, const char* path) {
  char error[1000];
  ENGINE_TRY(return reference->mj_loadXML(path, NULL, error, sizeof(error)), return NULL);
}

static Fate compare(const Engine* reference, const Engine* corten, const char* path) {
  mjModel* m = load(reference, path);
  if (!m) return REFUSED;
  ENGINE_TRY(return compare_model(reference, corten, m),
                    return differs("error:", engine_trap.message));
}

static int judge_model(const ModelReport* model, void* engines) {
  const Engine* reference = (const Engine*)engines;
  current = model->name;
  return (int)compare(reference, reference + 1, model->path);
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: conform_mjb REFERENCE_LIB CORTEN_LIB FOLDER\n");
    return 2;
  }
  Engine engines[2] = {engine_open(argv[1], "reference"), engine_open(argv[2], "corten")};
  Fates fates = ask_one_by_one(argv[3], NULL, SECONDS, judge_model, engines);
  const int* count = fates.count;
  int loaded = fates.models - count[REFUSED] - fates.lost;
  printf(
      "%d models, %d loaded by the reference: %d files and data the same, %d different, %d files "
      "only "
      "(%d with plugins, %d with sleep), %d crashed or out of time\n",
      fates.models, loaded, count[SAME], count[DIFFERENT], count[PLUGINS] + count[SLEEPING],
      count[PLUGINS], count[SLEEPING], fates.lost);
  return count[DIFFERENT] > 0 || fates.lost > 0 || loaded == 0;
}
