#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int config_numbers(const char* text, double* number, int most) {
  int count = 0;
  while (*(text += strspn(text, " \t\r\n"))) {
    char* end;
    double value = strtod(text, &end);
    bool apart = *end == 0 || strchr(" \t\r\n", *end);
    if (end == text || !apart || !isfinite(value)) return -1;
    if (count < most) number[count] = value;
    count++;
    text = end;
  }
  return count;
}

static const char* plugin_name(const mjModel* m, int instance) {
  return mjp_getPluginAtSlot(m->plugin[instance])->name;
}

bool config_read(const mjModel* m, int instance, const char* key, double* number, int count,
                 bool* given) {
  const char* text = mj_getPluginConfig(m, instance, key);
  if (given) *given = text && text[0];
  if (!text || !text[0]) return true;
  double read[8] = {0};
  if (config_numbers(text, read, 8) == count) {
    for (int i = 0; i < count; i++) number[i] = read[i];
    return true;
  }
  mju_warning("%s: %s=\"%.200s\" should be %d number%s", plugin_name(m, instance), key, text, count,
              count == 1 ? "" : "s");
  return false;
}

bool config_between(const mjModel* m, int instance, const char* key, double* number, double low,
                    double high) {
  if (!config_read(m, instance, key, number, 1, NULL)) return false;
  if (*number >= low && *number <= high) return true;
  mju_warning("%s: %s is %g, it should be between %g and %g", plugin_name(m, instance), key,
              *number, low, high);
  return false;
}
