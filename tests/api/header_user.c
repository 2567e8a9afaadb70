// A program as users write it, in the common part of C and C++: never run, only compiled in all the
// ways that rules.cmake lists. It touches what is special about the headers: lists, macros over
// `m`, unnamed parts, elementary functions, sanitizer macros, plugin entry.

#include <mujoco/mjxmacro.h>
#include <mujoco/mujoco.h>

static mjtNum kinetic_energy(const mjModel* m, const mjData* d) {
  mjtNum sum = 0;
  if (mjENABLED(mjENBL_ENERGY) && !mjDISABLED(mjDSBL_GRAVITY)) return d->energy[1];
  for (int i = 0; i < m->nv; i++) sum += mju_pow(d->qvel[i], 2) + mjMAX(0, d->qvel[i]) * mjMINVAL;
  return mju_sqrt(sum);
}

static size_t bytes_of_model(const mjModel* m) {
  size_t total = sizeof(mjModel);
  MJMODEL_POINTERS_PREAMBLE(m)
#define X(type, name, rows, cols) total += m->name ? sizeof(type) * (size_t)(m->rows * (cols)) : 0;
  MJMODEL_POINTERS
#undef X
  return total;
}

static int same_settings(const mjVisual* a, const mjVisual* b) {
  int same = a->global.fovy == b->global.fovy && a->rgba.haze[3] == b->rgba.haze[3];
#define X(part, type, name, n) same = same && sizeof(a->part.name) == (n) * sizeof(type);
  MJVISUAL_FIELDS
#undef X
  return same;
}

static double slider_middle(const mjuiItem* item) {
  return 0.5 * (item->slider.range[0] + item->slider.range[1]);
}

static size_t lock_and_unlock(char* block, size_t size) {
  ASAN_POISON_MEMORY_REGION(block, size);
  ASAN_UNPOISON_MEMORY_REGION(block, size);
  return size;
}

mjPLUGIN_LIB_INIT {
  static char block[8];
  if (lock_and_unlock(block, sizeof(block)) > 8) mju_warning("%d bytes are too many", 8);
}

int main(int argc, char** argv) {
  char error[100];
  mjModel* m = argc > 1 ? mj_loadXML(argv[1], NULL, error, (int)sizeof(error)) : NULL;
  if (!m) return 1;
  mjData* d = mj_makeData(m);
  mjuiItem item;
  item.slider.range[0] = item.slider.range[1] = 0;
  double sum = kinetic_energy(m, d) + (double)bytes_of_model(m) + slider_middle(&item);
  sum += same_settings(&m->vis, &m->vis);
  mj_deleteData(d);
  mj_deleteModel(m);
  return sum > 0 ? 0 : 1;
}
