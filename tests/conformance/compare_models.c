// Compiled models, field by field: sizes, options, arrays.

#include <math.h>
#include <string.h>

#include "conformance/compare.h"

// Search structures: any tree, hull order or hash table that finds the same things is right.
static bool is_search_structure(const char* name) {
  static const char* const prefixes[] = {"bvh_",     "oct_",     "mesh_graph", "names_map",
                                         "body_bvh", "mesh_bvh", "flex_bvh",   "mesh_oct"};
  for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
    if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) return true;
  }
  return false;
}

// Sizes that follow from search structures only.
static bool is_search_size(const char* name) {
  return !strncmp(name, "nbvh", 4) || !strcmp(name, "noct") || !strcmp(name, "nmeshgraph") ||
         !strcmp(name, "nbuffer");
}

// The arrays of both, or a run of bytes in both structs.
static Span model_span(const void* reference, const void* ours, ct_ElementType type,
                       size_t element) {
  Span s = {(const char*)reference, NULL, (const char*)ours, type, element, exact_tolerance, NULL};
  return s;
}

static void compare_sizes(const Job* job, const mjModel* reference, const mjModel* ours) {
  for (int i = 0; i < ct_nmodel_size; i++) {
    const ct_Member* member = ct_model_sizes + i;
    if (!wanted(job, member->name, "sizes")) continue;
    FieldVerdict v = new_verdict(member->name, "sizes",
                                 is_search_size(member->name) ? FIELD_APART : FIELD_RESULT);
    Span s = model_span((const char*)reference + member->offset, (const char*)ours + member->offset,
                        CT_TYPE_mjtSize, sizeof(mjtSize));
    compare_span(job, &s, 1, 1, &v);
  }
}

// The structs inside a model as runs of one type. mjVisual mixes integers and floats; both are
// parsed or constant, so their bits are compared.
static void compare_embedded(const Job* job, const mjModel* reference, const mjModel* ours) {
  const struct {
    const char* name;
    size_t offset, bytes;
    ct_ElementType type;
    size_t element;
  } runs[] = {
      {"opt", offsetof(mjModel, opt), offsetof(mjOption, integrator), CT_TYPE_mjtNum,
       sizeof(mjtNum)},
      {"opt flags", offsetof(mjModel, opt) + offsetof(mjOption, integrator),
       offsetof(mjOption, sdf_iterations) + sizeof(int) - offsetof(mjOption, integrator),
       CT_TYPE_int, sizeof(int)},
      {"vis", offsetof(mjModel, vis), sizeof(mjVisual), CT_TYPE_int, sizeof(int)},
      {"stat", offsetof(mjModel, stat), sizeof(mjStatistic), CT_TYPE_mjtNum, sizeof(mjtNum)},
      {"signature", offsetof(mjModel, signature), sizeof(uint64_t), CT_TYPE_int, sizeof(int)},
  };
  for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
    if (!wanted(job, runs[i].name, "options")) continue;
    FieldVerdict v = new_verdict(runs[i].name, "options", FIELD_RESULT);
    Span s = model_span((const char*)reference + runs[i].offset, (const char*)ours + runs[i].offset,
                        runs[i].type, runs[i].element);
    compare_span(job, &s, (long)(runs[i].bytes / runs[i].element), 1, &v);
  }
}

// Length ranges are where two long simulations behind the constraint solver end, so they agree as
// its results do: to 1e-6 of the range.
static void compare_length_ranges(const Job* job, Span* s, long n, FieldVerdict* v) {
  s->tolerance.floor = 1e-6;
  for (long i = 0; i + 1 < n; i += 2) {
    const mjtNum* range = (const mjtNum*)s->a + i;
    double width = fabs((double)(range[1] - range[0]));
    double scale = fmax(width, exact_tolerance.floor / s->tolerance.floor);
    judge_element(v, s, i, i, scale);
    judge_element(v, s, i + 1, i + 1, scale);
  }
  report(job, v);
}

// Entries of a stiffness matrix are sums of products that cancel where directions are at right
// angles, so that a small entry is what is left of large ones: the floor is taken of the largest
// entry of the element, or of the one matrix of an interpolated flex.
static void compare_stiffness(const Job* job, const mjModel* m, const Span* s, FieldVerdict* v) {
  enum { NUMBERS = 21 };  // of an element
  for (int f = 0; f < m->nflex; f++) {
    long first = (long)NUMBERS * m->flex_elemadr[f], n = (long)NUMBERS * m->flex_elemnum[f];
    long block = m->flex_interp[f] ? n : NUMBERS;
    for (long i = first; i < first + n; i += block) {
      double scale = scale_of(s, i, block);
      for (long k = i; k < i + block; k++) judge_element(v, s, k, k, scale);
    }
  }
  report(job, v);
}

void compare_models(const mjModel* reference, const mjModel* ours, const FieldFilter* filter,
                    FieldSink sink, void* context) {
  Job job = {reference, filter, sink, context};
  compare_sizes(&job, reference, ours);
  compare_embedded(&job, reference, ours);
  for (int i = 0; i < ct_nmodel_field; i++) {
    const ct_Field* f = ct_model_fields + i;
    const char* group = ct_field_group(f, ct_model_groups, ct_nmodel_group)->title;
    if (!wanted(&job, f->name, group)) continue;
    FieldVerdict v =
        new_verdict(f->name, group, is_search_structure(f->name) ? FIELD_APART : FIELD_RESULT);
    long n = (long)(ct_field_bytes(f, reference, NULL) / f->element);
    long k = (long)(ct_field_bytes(f, ours, NULL) / f->element);
    if (n != k) {
      report_count(&job, &v, (double)n, (double)k);
      continue;
    }
    Span s = model_span(ct_field_array(f, reference), ct_field_array(f, ours), f->type, f->element);
    if (!strcmp(f->name, "actuator_lengthrange")) {
      compare_length_ranges(&job, &s, n, &v);
    } else if (!strcmp(f->name, "flex_stiffness")) {
      compare_stiffness(&job, reference, &s, &v);
    } else {
      compare_span(&job, &s, n, 1, &v);
    }
  }
}
