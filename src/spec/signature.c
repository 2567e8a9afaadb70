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
// by one; and lines that are the same many times over are read by the powers of two in their
// number. The body that the last element went into is read again, because programs set a joint's
// type after adding it, and so is the last sensor; a change to an older one's type shows when the
// spec is compiled.
//
// The lists after the tree follow the order of the types, with the reference's oddities: one
// equality too few, and a sensor that is closed like an empty element.

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "spec/spec.h"

enum {
  MAX_INDENT = 1024,
  LOG_INDENT = 10,
  LOG_REPEAT = 16,
  MANY = 32,  // lines that are worth making their powers
};

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

// A line that stands many times: once, twice, four times ...
typedef struct {
  Piece power[LOG_REPEAT + 1];
} Line;

// Elements that stand for themselves alone, inside bodies and in lists.
static const struct {
  int list;
  const char* line;
} contents[] = {{CT_CHILD_GEOM, "<geom/>\n"},
                {CT_CHILD_SITE, "<site/>\n"},
                {CT_CHILD_CAMERA, "<camera/>\n"},
                {CT_CHILD_LIGHT, "<light/>\n"}};
static const struct {
  mjtObj type;
  const char* line;  // NULL: sensors have their type in it
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
enum {
  NCONTENT = sizeof(contents) / sizeof(contents[0]),
  NLIST = sizeof(lists) / sizeof(lists[0]),
};

static Piece spaces[LOG_INDENT + 1];  // 1, 2, 4, ... of them
static Piece closing;                 // the end of a body
static Piece bare[NCONTENT];          // lines of contents without their indentation
static Line listed[NLIST];
static pthread_once_t pieces_made = PTHREAD_ONCE_INIT;
static pthread_once_t list_powers_made = PTHREAD_ONCE_INIT;  // when a list is long

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

static void make_powers(Line* line) {
  for (int k = 0; k < LOG_REPEAT; k++) double_piece(&line->power[k + 1], &line->power[k]);
}

static void make_pieces(void) {
  make_piece(&closing, "</body>\n");
  make_piece(&spaces[0], " ");
  for (int k = 0; k < LOG_INDENT; k++) double_piece(&spaces[k + 1], &spaces[k]);
  for (int k = 0; k < NCONTENT; k++) make_piece(&bare[k], contents[k].line);
  for (int k = 0; k < NLIST; k++) {
    if (lists[k].line) make_piece(&listed[k].power[0], lists[k].line);
  }
}

static void make_list_powers(void) {
  for (int k = 0; k < NLIST; k++) make_powers(&listed[k]);
}

static void put_many(Text* text, const Line* line, int count) {
  for (; count >= 2 << LOG_REPEAT; count -= 1 << LOG_REPEAT) {
    put_piece(text, &line->power[LOG_REPEAT]);
  }
  for (int k = 0; count >> k; k++) {
    if (count >> k & 1) put_piece(text, &line->power[k]);
  }
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

// Lines of contents at one depth, for a body that has many of them.
struct ct_IndentedLines_ {
  int depth;
  bool made[NCONTENT];
  Line line[NCONTENT];
};

// NULL: there is no memory for it.
static const Line* indented_line(ct_Spec* spec, int kind, int depth) {
  if (!spec->lines) spec->lines = (ct_IndentedLines*)calloc(1, sizeof(ct_IndentedLines));
  ct_IndentedLines* lines = spec->lines;
  if (!lines) return NULL;
  if (lines->depth != depth) memset(lines->made, 0, sizeof(lines->made));
  lines->depth = depth;
  if (!lines->made[kind]) {
    Piece* piece = &lines->line[kind].power[0];
    piece->factor = bare[kind].factor;
    for (int i = 0; i < 2 * depth && i < MAX_INDENT; i++) piece->factor *= 33;
    for (size_t i = 0; i < 256; i++) {
      Text text = {i};
      indent(&text, depth);
      put_piece(&text, &bare[kind]);
      piece->term[i] = text.hash >> 8;
      piece->lowest[i] = (uint8_t)(text.hash & 255);
    }
    make_powers(&lines->line[kind]);
    lines->made[kind] = true;
  }
  return &lines->line[kind];
}

static void put_contents(Text* text, const ct_Body* body, int depth) {
  for (int i = 0; i < body->child[CT_CHILD_JOINT].count; i++) {
    indent(text, depth);
    put(text, "<joint>");
    put_number(text, joint_coordinates(body->child[CT_CHILD_JOINT].item[i]));
    put(text, "</joint>\n");
  }
  for (int k = 0; k < NCONTENT; k++) {
    int count = body->child[contents[k].list].count;
    const Line* line = count < MANY ? NULL : indented_line(body->element.spec, k, depth);
    if (line) {
      put_many(text, line, count);
      continue;
    }
    for (int i = 0; i < count; i++) {
      indent(text, depth);
      put_piece(text, &bare[k]);
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

// Sensors but the last are not read again as long as the text before them stays the same.
static void put_sensors(Text* text, ct_Spec* spec) {
  const ct_List* sensors = &spec->list[mjOBJ_SENSOR];
  ct_SensorsRead* read = &spec->sensors_read;
  if (read->before != text->hash || read->count > sensors->count) {
    read->before = read->after = text->hash;
    read->count = 0;
  }
  text->hash = read->after;
  for (int i = read->count; i < sensors->count; i++) {
    read->after = text->hash;
    read->count = i;
    put(text, "<sensor>");
    put_number(text, (int)CT_VALUES(mjsSensor, sensors->item[i])->type);
    put(text, "<sensor/>\n");
  }
}

static void put_lists(Text* text, ct_Spec* spec) {
  for (int k = 0; k < NLIST; k++) {
    int count = spec->list[lists[k].type].count;
    if (lists[k].type == mjOBJ_EQUALITY && count > 0) count--;
    if (lists[k].type == mjOBJ_SENSOR) {
      put_sensors(text, spec);
    } else if (count >= MANY) {
      pthread_once(&list_powers_made, make_list_powers);
      put_many(text, &listed[k], count);
    } else {
      for (int i = 0; i < count; i++) put_piece(text, &listed[k].power[0]);
    }
  }
}

static uint64_t with_lists(Text* text, ct_Spec* spec) {
  put_lists(text, spec);
  return text->hash % UINT64_MAX;
}

uint64_t ct_spec_signature(ct_Spec* spec) {
  Text text = {5381};
  spec->sensors_read.count = INT_MAX;  // all of them anew
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
