// Signature of a spec's structure: the hash of a text that names the elements in order and says
// nothing about their values but what decides sizes. Two specs with equal signatures compile to
// models with the same layout. The text is never written down, its characters go straight into the
// hash.
//
//   <newline>
//   <body>
//     <joint>7</joint>
//     <geom/>
//     <body>
//     </body>
//   </body>
//   <mesh/>
//
// The lists after the tree follow the order of the types, with the reference's oddities: one
// equality too few, and a sensor that is closed like an empty element.

#include "base/hash.h"
#include "spec/spec.h"

enum { MAX_INDENT = 1024 };

typedef struct {
  uint64_t hash;
} Text;

static void put(Text* text, const char* characters) {
  for (; *characters; characters++) {
    text->hash = (text->hash * 33) ^ (uint64_t)(int64_t)(signed char)*characters;
  }
}

static void put_number(Text* text, int number) {
  char digits[12];
  int at = (int)sizeof(digits) - 1;
  digits[at] = 0;
  do {
    digits[--at] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  put(text, digits + at);
}

static void indent(Text* text, int depth) {
  int spaces = 2 * depth < MAX_INDENT ? 2 * depth : MAX_INDENT;
  for (int i = 0; i < spaces; i++) put(text, " ");
}

static int joint_coordinates(const ct_Element* joint) {
  switch (CT_VALUES(mjsJoint, joint)->type) {
    case mjJNT_FREE:
      return 7;
    case mjJNT_BALL:
      return 4;
    default:
      return 1;
  }
}

static void put_contents(Text* text, const ct_Body* body, int depth) {
  for (int i = 0; i < body->child[CT_CHILD_JOINT].count; i++) {
    indent(text, depth);
    put(text, "<joint>");
    put_number(text, joint_coordinates(body->child[CT_CHILD_JOINT].item[i]));
    put(text, "</joint>\n");
  }
  static const struct {
    int list;
    const char* line;
  } others[] = {{CT_CHILD_GEOM, "<geom/>\n"},
                {CT_CHILD_SITE, "<site/>\n"},
                {CT_CHILD_CAMERA, "<camera/>\n"},
                {CT_CHILD_LIGHT, "<light/>\n"}};
  for (size_t k = 0; k < sizeof(others) / sizeof(others[0]); k++) {
    for (int i = 0; i < body->child[others[k].list].count; i++) {
      indent(text, depth);
      put(text, others[k].line);
    }
  }
}

static void put_tree(Text* text, const ct_Body* world) {
  int depth = 0;
  for (const ct_Body* body = world; body;) {
    indent(text, depth);
    put(text, "<body>\n");
    put_contents(text, body, depth + 1);

    // down, or up to the next body that has not been opened
    const ct_Body* next = ct_next_body(body);
    if (next && next->element.body == &body->element) {
      depth++;
    } else {
      const ct_Element* stop = next ? next->element.body : NULL;
      for (const ct_Element* b = &body->element; b != stop; b = b->body) {
        indent(text, depth);
        put(text, "</body>\n");
        depth--;
      }
      depth++;
    }
    body = next;
  }
}

static void put_sensors(Text* text, const ct_List* sensors) {
  for (int i = 0; i < sensors->count; i++) {
    put(text, "<sensor>");
    put_number(text, (int)CT_VALUES(mjsSensor, sensors->item[i])->type);
    put(text, "<sensor/>\n");
  }
}

static void put_lists(Text* text, const ct_Spec* spec) {
  static const struct {
    mjtObj type;
    const char* line;
  } lists[] = {{mjOBJ_FLEX, "<flex/>\n"},
               {mjOBJ_MESH, "<mesh/>\n"},
               {mjOBJ_SKIN, "<skin/>\n"},
               {mjOBJ_HFIELD, "<heightfield/>\n"},
               {mjOBJ_TEXTURE, "<texture/>\n"},
               {mjOBJ_MATERIAL, "<material/>\n"},
               {mjOBJ_PAIR, "<pair/>\n"},
               {mjOBJ_EXCLUDE, "<exclude/>\n"},
               {mjOBJ_EQUALITY, "<equality/>\n"},
               {mjOBJ_TENDON, "<tendon/>\n"},
               {mjOBJ_ACTUATOR, "<actuator/>\n"},
               {mjOBJ_SENSOR, NULL},
               {mjOBJ_KEY, "<key/>\n"}};
  for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++) {
    const ct_List* list = &spec->list[lists[k].type];
    if (lists[k].type == mjOBJ_SENSOR) {
      put_sensors(text, list);
      continue;
    }
    for (int i = lists[k].type == mjOBJ_EQUALITY; i < list->count; i++) put(text, lists[k].line);
  }
}

uint64_t ct_spec_signature(ct_Spec* spec) {
  Text text = {5381};
  put(&text, "\n");
  put_tree(&text, spec->world);
  put_lists(&text, spec);
  return text.hash % UINT64_MAX;
}
