#include "lanes/heap.h"

#include <stdarg.h>
#include <stdio.h>

#include "support/fail.h"

enum { XML_BYTES = 1 << 14, SHAPES = 6, LAYERS = 4 };

typedef struct {
  char text[XML_BYTES];
  int length;
} Xml;

static void add(Xml* xml, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  xml->length +=
      vsnprintf(xml->text + xml->length, (size_t)(XML_BYTES - xml->length), format, arguments);
  va_end(arguments);
}

static void add_shape(Xml* xml, int shape) {
  static const char* const shapes[SHAPES] = {"type='sphere' size='.1'",
                                             "type='capsule' size='.07 .1'",
                                             "type='ellipsoid' size='.1 .07 .12'",
                                             "type='cylinder' size='.08 .1'",
                                             "type='box' size='.1 .08 .06'",
                                             "type='mesh' mesh='wedge'"};
  add(xml, "<geom %s/>", shapes[shape]);
}

// Columns of different shapes, the first three over the height field, close enough to touch.
static void add_columns(Xml* xml) {
  for (int column = 0; column < SHAPES; column++) {
    for (int layer = 0; layer < LAYERS; layer++) {
      add(xml, "<body pos='%g %g %g' euler='%d %d 20'><freejoint/>", .19 * column - .5, .03 * layer,
          .1 + .15 * layer, 25 * layer, 15 * column);
      add_shape(xml, (column + layer * (layer + 1) / 2) % SHAPES);
      if (layer == 1) add(xml, "<site name='s%d' pos='0 0 .05'/>", column);
      add(xml, "</body>");
    }
  }
}

mjModel* heap_model(void) {
  static Xml xml;
  xml.length = 0;
  add(&xml,
      "<mujoco><asset><mesh name='wedge' vertex='-.1 -.1 -.05 .1 -.1 -.05 .1 .1 -.05 -.1 .1 "
      "-.05 0 .05 .1 0 -.05 .1'/><hfield name='hills' nrow='4' ncol='4' size='.5 1 .1 .1' "
      "elevation='0 1 0 1 1 0 1 0 0 1 0 1 0 0 1 1'/></asset><worldbody>"
      "<geom type='plane' size='3 3 1'/><geom type='hfield' hfield='hills' pos='-.5 0 0'/>");
  add_columns(&xml);
  add(&xml,
      "</worldbody><equality><distance site1='s0' site2='s1' distance='.2'/>"
      "<distance site1='s3' site2='s2'/></equality></mujoco>");
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "heap.xml", xml.text, xml.length);
  char error[300] = "";
  mjModel* m = mj_loadXML("heap.xml", &vfs, error, sizeof(error));
  mj_deleteVFS(&vfs);
  if (!m) fail_msg("the heap: %s", error);
  return m;
}
