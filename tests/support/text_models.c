#include "support/text_models.h"

#include <stdio.h>

#include "support/fail.h"

mjModel* try_text_model(const char* text, char* why, int size) {
  mjSpec* spec = mj_parseXMLString(text, NULL, why, size);
  if (!spec) return NULL;
  mjModel* m = mj_compile(spec, NULL);
  if (!m) snprintf(why, (size_t)size, "%s", mjs_getError(spec));
  mj_deleteSpec(spec);
  return m;
}

mjModel* text_model(const char* text) {
  char why[1000] = "";
  mjModel* m = try_text_model(text, why, sizeof(why));
  if (!m) fail_msg("%s\nis refused: %s", text, why);
  return m;
}
