// Tags and their text: two blanks per level, an element without children on one line.
//
// A blank line stands before every line that begins a section. As in the reference that is told by
// what a line contains, so that some elements deeper down have one too (see `section_starts`).

#include <string.h>

#include "mjcf/write/write.h"

ct_Tag* ct_tag(ct_Writer* w, ct_Tag* parent, const char* name) {
  ct_Tag* tag = (ct_Tag*)ct_pool_alloc(&w->pool, sizeof(ct_Tag));
  tag->name = name;
  tag->parent = parent;
  if (!parent) return tag;
  tag->before = parent->last;
  if (parent->last) {
    parent->last->next = tag;
  } else {
    parent->first = tag;
  }
  parent->last = tag;
  return tag;
}

void ct_tag_comment(ct_Writer* w, ct_Tag* parent, const char* text) {
  ct_tag(w, parent, NULL)->comment = text;
}

bool ct_drop_if_empty(ct_Tag* tag) {
  ct_Tag* parent = tag->parent;
  if (tag->first_value || tag->first || parent->last != tag) return false;
  parent->last = tag->before;
  if (tag->before) {
    tag->before->next = NULL;
  } else {
    parent->first = NULL;
  }
  return true;
}

// Text that grows

typedef struct {
  char* text;
  size_t used, room;
  bool failed;
} Text;

static void append(Text* t, const char* piece, size_t length) {
  if (t->failed) return;
  if (t->used + length + 1 > t->room) {
    size_t room = 2 * (t->used + length) + 1024;
    char* grown = (char*)mju_malloc(room);
    if (!grown) {
      t->failed = true;
      return;
    }
    if (t->used) memcpy(grown, t->text, t->used);
    mju_free(t->text);
    t->text = grown;
    t->room = room;
  }
  memcpy(t->text + t->used, piece, length);
  t->used += length;
  t->text[t->used] = 0;
}

static void append_text(Text* t, const char* piece) {
  append(t, piece, strlen(piece));
}

// Characters that mean something in XML by their names; all others as they are.
static void append_value(Text* t, const char* value) {
  static const char special[] = "&<>\"'";
  static const char* const names[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
  while (*value) {
    size_t plain = strcspn(value, special);
    append(t, value, plain);
    value += plain;
    if (*value) append_text(t, names[strchr(special, *value++) - special]);
  }
}

// Lines

// A line with one of these has a blank line before it, unless it is the first such line.
static const char* const section_starts[] = {
    "<actuator",   "<asset",     "<compiler",  "<contact>", "<custom",   "<default>",
    "<deformable", "<equality",  "<extension", "<keyframe", "<option",   "<sensor",
    "<size",       "<statistic", "<tendon",    "<visual",   "<worldbody"};

static bool starts_section(const char* line, size_t length) {
  for (size_t k = 0; k < length; k++) {
    if (line[k] != '<') continue;
    for (size_t i = 0; i < sizeof(section_starts) / sizeof(section_starts[0]); i++) {
      size_t n = strlen(section_starts[i]);
      if (n <= length - k && !memcmp(line + k, section_starts[i], n)) return true;
    }
  }
  return false;
}

typedef struct {
  Text text;
  bool had_section;
} Printer;

static void separate(Printer* p, const char* line, size_t length) {
  if (!starts_section(line, length)) return;
  if (p->had_section) append_text(&p->text, "\n");
  p->had_section = true;
}

static void indent(Printer* p, int depth) {
  for (int i = 0; i < depth; i++) append_text(&p->text, "  ");
}

// The name of an element and what follows it decide about a blank line: values have no `<`.
static void begin_line(Printer* p, const ct_Tag* tag, int depth) {
  char start[64] = "<";
  strncat(start, tag->name, sizeof(start) - 4);
  if (!tag->first_value && tag->first) strcat(start, ">");
  separate(p, start, strlen(start));
  indent(p, depth);
}

// A comment as it is; its lines count as any others.
static void print_comment(Printer* p, const char* comment, int depth) {
  Text whole = {NULL, 0, 0, false};
  append_text(&whole, "<!--");
  append_text(&whole, comment);
  append_text(&whole, "-->\n");
  if (whole.failed) p->text.failed = true;
  for (const char* line = whole.text; line && *line;) {
    size_t length = strcspn(line, "\n") + 1;
    separate(p, line, length);
    if (line == whole.text) indent(p, depth);
    append(&p->text, line, length);
    line += length;
  }
  mju_free(whole.text);
}

static void print_start(Printer* p, const ct_Tag* tag) {
  append_text(&p->text, "<");
  append_text(&p->text, tag->name);
  for (const ct_TagValue* v = tag->first_value; v; v = v->next) {
    append_text(&p->text, " ");
    append_text(&p->text, v->name);
    append_text(&p->text, "=\"");
    append_value(&p->text, v->value);
    append_text(&p->text, "\"");
  }
  append_text(&p->text, tag->first ? ">\n" : "/>\n");
}

static void print_end(Printer* p, const ct_Tag* tag, int depth) {
  indent(p, depth);
  append_text(&p->text, "</");
  append_text(&p->text, tag->name);
  append_text(&p->text, ">\n");
}

// Depth first, without recursion: bodies nest deeply.
char* ct_print_tags(const ct_Tag* root, size_t* length) {
  Printer p = {{NULL, 0, 0, false}, false};
  int depth = 0;
  for (const ct_Tag* tag = root; tag;) {
    if (!tag->name) {
      print_comment(&p, tag->comment, depth);
    } else {
      begin_line(&p, tag, depth);
      print_start(&p, tag);
    }
    if (tag->first) {
      tag = tag->first;
      depth++;
      continue;
    }
    while (tag && !tag->next) {
      tag = tag->parent;
      depth--;
      if (tag) print_end(&p, tag, depth);
    }
    if (tag) tag = tag->next;
  }
  if (p.text.failed) {
    mju_free(p.text.text);
    return NULL;
  }
  *length = p.text.used;
  return p.text.text;
}
