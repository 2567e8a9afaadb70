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
// Bodies remember the hash of the text up to their children and past their end. When an element is
// added, the text before it is not read again, so that a program can add thousands of elements one
// by one. The body that the last element went into is read again, because programs set a joint's
// type after adding it; a change to an older joint's type shows when the spec is compiled.
//
// The lists after the tree follow the order of the types, with the reference's oddities: one
// equality too few, and a sensor that is closed like an empty element.

#include <limits.h>
#include <pthread.h>

#include "spec/spec.h"

enum { MAX_INDENT = 1024, LOG_INDENT = 10 };

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

// What a piece of text does to any hash. Its lowest byte becomes one that depends on nothing but
// itself, and the rest is multiplied and gets a number added that depends on the lowest byte: so
// 256 entries say all, and a piece takes the time of one character. That is for deep trees, where
// the text is indentation for the most part and every new body is followed by the closing of all
// around it.
typedef struct {
  uint64_t factor;
  uint64_t term[256];
  uint8_t lowest[256];
} Piece;

static Piece spaces[LOG_INDENT + 1];  // 1, 2, 4, ... of them
static Piece closing;                 // the end of a body
static pthread_once_t pieces_made = PTHREAD_ONCE_INIT;

static void put_piece(Text* text, const Piece* piece) {
  size_t lowest = text->hash & 255;
  uint64_t rest = (text->hash >> 8) * piece->factor + piece->term[lowest];
  text->hash = rest << 8 | piece->lowest[lowest];
}

// A hash that is nothing but its lowest byte shows the term.
static void make_piece(Piece* piece, const char* characters) {
  piece->factor = 1;
  for (const char* c = characters; *c; c++) piece->factor *= 33;
  for (size_t i = 0; i < 256; i++) {
    Text text = {i};
    put(&text, characters);
    piece->term[i] = text.hash >> 8;
    piece->lowest[i] = (uint8_t)(text.hash & 255);
  }
}

static void double_piece(Piece* twice, const Piece* once) {
  twice->factor = once->factor * once->factor;
  for (size_t i = 0; i < 256; i++) {
    Text text = {i};
    put_piece(&text, once);
    put_piece(&text, once);
    twice->term[i] = text.hash >> 8;
    twice->lowest[i] = (uint8_t)(text.hash & 255);
  }
}

static void make_pieces(void) {
  make_piece(&closing, "</body>\n");
  make_piece(&spaces[0], " ");
  for (int k = 0; k < LOG_INDENT; k++) double_piece(&spaces[k + 1], &spaces[k]);
}

static void indent(Text* text, int depth) {
  int n = 2 * depth < MAX_INDENT ? 2 * depth : MAX_INDENT;
  for (int k = LOG_INDENT; n > 0; k--) {
    if (n < 1 << k) continue;
    put_piece(text, &spaces[k]);
    n -= 1 << k;
  }
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

// The text from the opening of a body, whose place in the tree is given, to the end of the tree.
static void put_tree_from(Text* text, ct_Spec* spec, ct_Body* body, int depth, int order) {
  pthread_once(&pieces_made, make_pieces);
  while (body) {
    indent(text, depth);
    put(text, "<body>\n");
    put_contents(text, body, depth + 1);
    body->hash_inside = text->hash;
    body->order = order++;

    // down, or up to the next body that has not been opened
    ct_Body* next = ct_next_body(body);
    ct_Element* stop = next ? next->element.body : NULL;
    for (ct_Element* b = &body->element; b != stop; b = b->body) {
      indent(text, depth--);
      put_piece(text, &closing);
      ((ct_Body*)b)->hash_after = text->hash;
    }
    depth++;
    body = next;
  }
  spec->hash_tree = text->hash;
  spec->hashes_valid = true;
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

static uint64_t with_lists(Text* text, ct_Spec* spec) {
  put_lists(text, spec);
  return text->hash % UINT64_MAX;
}

uint64_t ct_spec_signature(ct_Spec* spec) {
  Text text = {5381};
  put(&text, "\n");
  put_tree_from(&text, spec, spec->world, 0, 0);
  spec->last_changed = NULL;
  return with_lists(&text, spec);
}

// Hash of the text before the opening of a body.
static uint64_t hash_before(const ct_Body* body) {
  const ct_Body* parent = (const ct_Body*)body->element.body;
  int position = body->element.position;
  if (position == 0) return parent->hash_inside;
  return ((const ct_Body*)parent->child[CT_CHILD_BODY].item[position - 1])->hash_after;
}

// Place in the order of the body that stands before a new one.
static int order_before(const ct_Element* added) {
  const ct_Body* body = (const ct_Body*)added->body;
  const ct_List* siblings = &body->child[CT_CHILD_BODY];
  if (added->position > 0) body = (const ct_Body*)siblings->item[added->position - 1];
  while (added->position > 0 && body->child[CT_CHILD_BODY].count > 0) {
    body = (const ct_Body*)body->child[CT_CHILD_BODY].item[body->child[CT_CHILD_BODY].count - 1];
  }
  return body->order;
}

// Reads the text from a body on, which is not the world.
static uint64_t signature_from_body(ct_Spec* spec, ct_Body* body, int order) {
  int depth = 0;
  for (const ct_Element* b = body->element.body; b; b = b->body) depth++;
  Text text = {hash_before(body)};
  put_tree_from(&text, spec, body, depth, order);
  return with_lists(&text, spec);
}

// The first body whose text has to be read because of a new element, and its order; NULL: none.
static ct_Body* first_to_read(const ct_Spec* spec, ct_Element* added, int* order) {
  bool new_body = ct_type(added) == mjOBJ_BODY;
  ct_Body* start = (ct_Body*)(new_body ? added : added->body);
  *order = new_body ? order_before(added) + 1 : start ? start->order : INT_MAX;
  ct_Body* last = spec->last_changed;
  if (!last || last->child[CT_CHILD_JOINT].count == 0 || last->order >= *order) return start;
  *order = last->order;
  return last;
}

uint64_t ct_spec_signature_from(ct_Spec* spec, ct_Element* added) {
  uint64_t signature;
  int order;
  ct_Body* start = spec->hashes_valid ? first_to_read(spec, added, &order) : spec->world;
  if (start) {
    signature =
        start == spec->world ? ct_spec_signature(spec) : signature_from_body(spec, start, order);
  } else {
    Text text = {spec->hash_tree};
    signature = with_lists(&text, spec);
  }
  spec->last_changed = (ct_Body*)(ct_type(added) == mjOBJ_BODY ? added : added->body);
  return signature;
}
