// XML as a tree. See xml.h.
//
// The text is read once, from the first byte to the last. Bytes are passed through as they are.
// Only values are changed: references (&lt;, &#65;) become characters, and a line break of two
// bytes becomes one of one byte.

#include "mjcf/xml.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hash_table.h"
#include "base/text.h"
#include "mjcf/habits.h"

typedef struct {
  ct_Pool* pool;
  const char *at, *end;  // what is to be read
  const char* tag;       // where the tag begins that is being read
  const char* counted;   // up to here, line breaks have been counted
  int line;              // of what has been counted
  ct_XmlFile* file;
  ct_XmlDocument* document;
  ct_Xml* open;                // innermost element
  int depth;                   // elements open
  ct_XmlAttribute* attribute;  // of the tag that is being read
  size_t nattribute, room;
  ct_HashTable names;  // of its attributes, if they are many
  char* error;
  size_t error_size;
} Parser;

// Characters

static bool is_control(char c) {
  return (unsigned char)c < 32 && c != '\t' && c != '\n' && c != '\r';
}

// Names begin with a letter, and all bytes beyond ASCII are letters.
static bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         (unsigned char)c >= 128;
}

static bool is_in_name(char c) {
  return starts_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

static bool starts(const Parser* p, const char* word) {
  size_t n = strlen(word);
  return (size_t)(p->end - p->at) >= n && !memcmp(p->at, word, n);
}

static const char* find(const char* from, const char* end, const char* word) {
  size_t n = strlen(word);
  for (; (size_t)(end - from) >= n; from++) {
    from = (const char*)memchr(from, word[0], (size_t)(end - from));
    if (!from || (size_t)(end - from) < n) return NULL;
    if (!memcmp(from, word, n)) return from;
  }
  return NULL;
}

static bool skip_blanks(Parser* p) {
  const char* from = p->at;
  while (p->at < p->end && ct_is_blank(*p->at)) p->at++;
  return p->at > from;
}

// The line of a place that is not before the one that was asked for last.
static int line_at(Parser* p, const char* place) {
  while (p->counted < place) {
    const char* next = (const char*)memchr(p->counted, '\n', (size_t)(place - p->counted));
    if (!next) break;
    p->line++;
    p->counted = next + 1;
  }
  if (p->counted < place) p->counted = place;
  return p->line;
}

// Mistakes

// Says what is wrong at a place; false.
__attribute__((format(printf, 3, 4))) static bool fail(Parser* p, const char* place,
                                                       const char* format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(p->error, p->error_size, format, values);
  va_end(values);
  p->at = place;
  return false;
}

// In a tag of an element, a quote that is missing explains more than the place where it shows.
static bool explain_quote(Parser* p) {
  if (!p->tag) return false;
  const char* begin = p->tag;
  while (begin + 1 < p->end && ct_is_blank(begin[1])) begin++;  // before the name
  const char* tag = ct_pool_text_n(p->pool, begin, (size_t)(p->end - begin));
  if (!tag || tag[1] == '/') return false;
  size_t inside = 0;
  ct_missing_quote(tag, p->error, p->error_size, &inside);
  if (p->error[0]) p->at = begin + inside;
  return p->error[0] != 0;
}

// A character that cannot stand where it does.
static bool fail_token(Parser* p, const char* place) {
  const ct_Xml* open = p->open;
  if (explain_quote(p)) return false;
  const char* what = "a character cannot stand here; check names, '=', quotes and '>' before it";
  if (!open) return fail(p, place, "%s", what);
  return fail(p, place, "%s, inside <%.60s> of line %d", what, open->name, open->line);
}

static bool fail_at_end(Parser* p, const char* begin) {
  if (explain_quote(p)) return false;
  return fail(p, begin, "the file ends inside a tag or comment that begins here");
}

// Values

// Length of a reference that XML knows, from & to ;, or 0. The character is *number.
static size_t reference_length(const char* p, const char* end, long* number) {
  static const char* const known[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};
  for (int i = 0; i < 5; i++) {
    size_t n = strlen(known[i]);
    if ((size_t)(end - p) < n || memcmp(p, known[i], n) != 0) continue;
    *number = "<>&\"'"[i];
    return n;
  }
  if (end - p < 4 || p[1] != '#') return 0;
  bool hex = p[2] == 'x';
  size_t k = hex ? 3 : 2, first = k;
  while (p + k < end && k < first + 8 && p[k] &&
         strchr(hex ? "0123456789abcdefABCDEF" : "0123456789", p[k])) {
    k++;
  }
  if (k == first || p + k == end || p[k] != ';') return 0;
  *number = strtol(p + first, NULL, hex ? 16 : 10);
  return k + 1;
}

// Appends a character in UTF-8. XML's rules about which numbers are characters do not apply.
static char* put_utf8(char* to, long number) {
  if (number < 128) {
    *to++ = (char)number;
    return to;
  }
  int n = number < 0x800 ? 2 : number < 0x10000 ? 3 : 4;
  for (int i = n - 1; i > 0; i--, number >>= 6) to[i] = (char)(0x80 | (number & 0x3F));
  to[0] = (char)((0xF0 << (4 - n)) | number);
  return to + n;
}

// The value between two places. Character 0 ends it, as it ends texts in C.
static const char* decode(ct_Pool* pool, const char* from, const char* end) {
  char* value = (char*)ct_pool_alloc(pool, (size_t)(end - from) + 1);
  for (char* to = value; from < end;) {
    const char* plain = from;
    while (from < end && *from != '&' && *from != '\r') from++;
    memcpy(to, plain, (size_t)(from - plain));
    to += from - plain;
    if (from == end) break;
    long number = *from == '&' ? '&' : '\n';
    size_t n = *from == '&' ? reference_length(from, end, &number) : 0;
    if (n && number == 0) break;
    if (n && number > 0x10FFFF) {
      memcpy(to, from, n);
      to += n;
    } else {
      to = put_utf8(to, number);
    }
    bool pair = *from == '\r' && from + 1 < end && from[1] == '\n';
    from += n ? n : pair ? 2 : 1;
  }
  return value;
}

// Tags

// The name at the present place, and beyond it.
static const char* take_name(Parser* p, size_t* length) {
  const char* name = p->at;
  while (p->at < p->end && is_in_name(*p->at)) p->at++;
  *length = (size_t)(p->at - name);
  return name;
}

// Has the tag two attributes of a name? Few are compared one by one.
static bool is_repeated(Parser* p, const char* name) {
  enum { FEW = 16 };
  size_t n = p->nattribute;
  for (size_t i = 0; i < n && n <= FEW; i++) {
    if (!strcmp(p->attribute[i].name, name)) return true;
  }
  if (n < FEW) return false;
  if (n == FEW) ct_hash_clear(&p->names);
  ct_hash_reserve(&p->names, p->pool, n + 1);
  for (size_t i = n == FEW ? 0 : n; i < n; i++) {
    ct_hash_add(&p->names, ct_hash(p->attribute[i].name), (int)i);
  }
  uint64_t hash = ct_hash(name);
  ct_HashSearch s = ct_hash_search(&p->names, hash);
  while (ct_hash_next(&p->names, &s)) {
    if (!strcmp(p->attribute[s.number].name, name)) return true;
  }
  ct_hash_add(&p->names, hash, (int)n);
  return false;
}

// name = "value", or with the other quotes
static bool take_attribute(Parser* p) {
  size_t length;
  if (!starts_name(*p->at)) return fail_token(p, p->at);
  const char* name = take_name(p, &length);
  skip_blanks(p);
  if (p->at == p->end) return fail_at_end(p, p->tag);
  if (*p->at++ != '=') return fail_token(p, p->at - 1);
  skip_blanks(p);
  if (p->at == p->end) return fail_at_end(p, p->tag);
  if (*p->at != '"' && *p->at != '\'') return fail_token(p, p->at);
  const char* value = p->at + 1;
  const char* stop = (const char*)memchr(value, *p->at, (size_t)(p->end - value));
  if (!stop) return fail_at_end(p, p->tag);
  ct_XmlAttribute made = {ct_pool_text_n(p->pool, name, length), decode(p->pool, value, stop),
                          line_at(p, name)};
  if (is_repeated(p, made.name)) {
    const ct_Xml* open = p->open;
    if (explain_quote(p)) return false;
    const char* what = "is given twice; leave one of them out";
    if (!open) return fail(p, name, "%.60s %s", made.name, what);
    return fail(p, name, "%.60s %s, inside <%.60s> of line %d", made.name, what, open->name,
                open->line);
  }
  p->attribute = (ct_XmlAttribute*)ct_pool_grow(p->pool, p->attribute, p->nattribute,
                                                p->nattribute + 1, &p->room, sizeof(made));
  p->attribute[p->nattribute++] = made;
  p->at = stop + 1;
  return true;
}

// Attributes to the end of the tag. *leaf: the element ends here.
static bool take_attributes(Parser* p, bool* leaf) {
  p->nattribute = 0;
  for (bool apart = false;; apart = true) {  // no blank is needed after a value
    apart |= skip_blanks(p);
    if (p->at == p->end) return fail_at_end(p, p->tag);
    *leaf = *p->at == '/';
    if (*p->at == '/' && ++p->at == p->end) return fail_at_end(p, p->tag);
    if (*p->at == '>') break;
    if (*leaf || !apart) return fail_token(p, p->at);
    if (!take_attribute(p)) return false;
  }
  p->at++;
  return true;
}

static void add_element(Parser* p, ct_Xml* xml) {
  xml->parent = p->open;
  if (!p->open) {
    p->document->root = xml;
  } else if (p->open->last) {
    p->open->last->next = xml;
  } else {
    p->open->first = xml;
  }
  if (p->open) p->open->last = xml;
}

static bool read_start(Parser* p) {
  bool leaf;
  size_t length;
  if (!starts_name(*p->at)) return fail_token(p, p->at);
  ct_Xml* xml = (ct_Xml*)ct_pool_alloc(p->pool, sizeof(ct_Xml));
  const char* name = take_name(p, &length);
  xml->name = ct_pool_text_n(p->pool, name, length);
  xml->file = p->file;
  xml->line = line_at(p, p->tag);
  if (!take_attributes(p, &leaf)) return false;
  // an element that ends in its own tag may be one deeper
  if (p->depth >= CT_XML_DEPTH + leaf) {
    return fail(p, p->tag, "elements are nested too deeply; use at most %d levels", CT_XML_DEPTH);
  }
  size_t n = p->nattribute;
  xml->nattribute = (int)n;
  xml->attribute = (ct_XmlAttribute*)ct_pool_array(p->pool, n, sizeof(ct_XmlAttribute));
  if (n) memcpy(xml->attribute, p->attribute, n * sizeof(ct_XmlAttribute));
  add_element(p, xml);
  if (leaf) return true;
  p->open = xml;
  p->depth++;
  return true;
}

static bool read_end(Parser* p) {
  size_t length;
  const ct_Xml* open = p->open;
  if (++p->at == p->end) return fail_at_end(p, p->tag);
  if (!open || !starts_name(*p->at)) return fail_token(p, p->at);
  const char* name = take_name(p, &length);
  skip_blanks(p);
  if (p->at == p->end) return fail_at_end(p, p->tag);
  if (*p->at != '>') return fail_token(p, p->at);
  if (strlen(open->name) != length || memcmp(open->name, name, length) != 0) {
    return fail(p, name, "</%.60s> should be here: <%.60s> was opened in line %d", open->name,
                open->name, open->line);
  }
  p->at++;
  p->open = open->parent;
  p->depth--;
  return true;
}

// An end too many, behind the root. Nobody asks what it ends, but it must be a tag.
static bool read_stray_end(Parser* p) {
  bool leaf;
  size_t length;
  p->tag = p->at++;
  skip_blanks(p);
  if (++p->at == p->end) return fail_at_end(p, p->tag);
  if (!starts_name(*p->at)) return fail_token(p, p->at);
  take_name(p, &length);
  if (!take_attributes(p, &leaf)) return false;
  return leaf ? fail_token(p, p->at - 2) : true;
}

static bool read_tag(Parser* p) {
  p->tag = p->at++;
  skip_blanks(p);
  if (p->at == p->end) return fail_at_end(p, p->tag);
  bool fine = *p->at == '/' ? read_end(p) : read_start(p);
  p->tag = NULL;
  return fine;
}

// What stands between tags

// Something other than an element is inside the one that is open.
static void note_other(Parser* p) {
  if (p->open) p->open->other = true;
}

// Text means nothing in MJCF, but it cannot be the last thing in a file.
static bool read_text(Parser* p) {
  const char* first = NULL;
  for (; p->at < p->end && *p->at != '<'; p->at++) {
    if (ct_is_blank(*p->at)) continue;
    if (!first) first = p->at;
    note_other(p);
  }
  if (first && p->at == p->end && p->document->root && !p->open) {
    return fail(p, first, "text stands behind the last element; remove it or make it a comment");
  }
  return true;
}

// A comment by the rules of XML: two dashes in a row, one at the end, and control characters are
// not part of it, and lines end with \n.
static const char* clean_comment(ct_Pool* pool, const char* from, const char* end) {
  char* text = (char*)ct_pool_alloc(pool, (size_t)(end - from) + 1);
  char *to = text, before = 0;
  for (; from < end; from++) {
    bool dash = *from == '-' && (before == '-' || from + 1 == end);
    before = dash || is_control(*from) ? ' ' : *from;
    if (*from == '\r' && from + 1 < end && from[1] == '\n') continue;
    *to++ = before == '\r' ? '\n' : before;
  }
  return text;
}

static bool read_comment(Parser* p) {
  const char* from = p->at + 4;
  const char* stop = find(from, p->end, "-->");
  if (!stop) return fail_at_end(p, p->at);
  const ct_Xml* open = p->open;
  if (open && open == p->document->root && !open->first && !open->other) {
    p->document->comment = clean_comment(p->pool, from, stop);
  }
  note_other(p);
  p->at = stop + 3;
  return true;
}

// What is not looked at, up to its end.
static bool skip_unread(Parser* p, const char* closing) {
  const char* stop = find(p->at + 2, p->end, closing);  // <?> is no end of itself
  if (!stop) return fail_at_end(p, p->at);
  p->at = stop + strlen(closing);
  note_other(p);
  return true;
}

// Byte order mark, and <? ... ?> before everything else
static bool skip_prolog(Parser* p) {
  if (starts(p, "\xEF\xBB\xBF")) p->at += 3;
  skip_blanks(p);
  while (starts(p, "<?")) {
    if (!skip_unread(p, "?>")) return false;
    skip_blanks(p);
  }
  return true;
}

// Is the tag at the present place an end?
static bool starts_end(const Parser* p) {
  const char* at = p->at + 1;
  while (at < p->end && ct_is_blank(*at)) at++;
  return at < p->end && *at == '/';
}

// Reads one root. *rest becomes where a second one begins; NULL: nowhere.
static bool read_root(Parser* p, const char** rest) {
  *rest = NULL;
  if (!skip_prolog(p)) return false;
  while (p->at < p->end) {
    bool fine = true;
    if (*p->at != '<') {
      fine = read_text(p);
    } else if (starts(p, "<!--")) {
      fine = read_comment(p);
    } else if (starts(p, "<![CDATA[")) {
      fine = skip_unread(p, "]]>");
    } else if (starts(p, "<!")) {
      fine = skip_unread(p, ">");
    } else if (starts(p, "<?")) {
      fine = fail(p, p->at, "<? ... ?> may stand at the very beginning only");
    } else if (p->document->root && !p->open) {
      // as in the reference, what stands behind an end too many is not looked at
      if (starts_end(p)) return read_stray_end(p);
      *rest = p->at;
      return true;
    } else {
      fine = read_tag(p);
    }
    if (!fine) return false;
  }
  if (p->open) {
    return fail(p, p->end, "the file ends without </%.60s>, which was opened in line %d",
                p->open->name, p->open->line);
  }
  if (!p->document->root) return fail(p, p->end, "there is no element in the file");
  return true;
}

// The first root counts. As in the reference, others may follow, and are XML too.
bool ct_xml_read(ct_Pool* pool, const char* name, const char* text, size_t length,
                 ct_XmlDocument* document, char* error, size_t error_size, int* line) {
  size_t size = strnlen(text, length);
  *line = 1;
  if (size > INT_MAX) {
    snprintf(error, error_size, "the file is larger than 2 GB");
    return false;
  }
  ct_XmlFile* file = (ct_XmlFile*)ct_pool_alloc(pool, sizeof(ct_XmlFile));
  ct_XmlDocument ignored;
  const char* rest = text;
  memset(document, 0, sizeof(*document));
  file->name = ct_pool_text(pool, name);
  Parser p = {.pool = pool, .end = text + size, .counted = text, .line = 1, .file = file};
  p.error = error;
  p.error_size = error_size;
  for (p.document = document; rest; p.document = &ignored) {
    memset(&ignored, 0, sizeof(ignored));
    p.at = rest;
    if (read_root(&p, &rest)) continue;
    for (const char* c = text; c < p.at; c++) *line += *c == '\n';
    size_t used = strlen(error);
    if (size < length && used < error_size) {
      snprintf(error + used, error_size - used, " (the file has a zero byte, its end)");
    }
    return false;
  }
  return true;
}

// Looking at it

const char* ct_xml_value(const ct_Xml* xml, const char* name) {
  for (int i = 0; i < xml->nattribute; i++) {
    if (!strcmp(xml->attribute[i].name, name)) return xml->attribute[i].value;
  }
  return NULL;
}

int ct_xml_line(const ct_Xml* xml, const char* name) {
  for (int i = 0; i < xml->nattribute; i++) {
    if (!strcmp(xml->attribute[i].name, name)) return xml->attribute[i].line;
  }
  return xml->line;
}

void ct_xml_replace(ct_Xml** link, ct_Xml* first, ct_Xml* last) {
  const ct_Xml* replaced = *link;
  ct_Xml* parent = replaced->parent;
  for (ct_Xml* x = first; x; x = x == last ? NULL : x->next) x->parent = parent;
  last->next = replaced->next;
  if (parent->last == replaced) parent->last = last;
  *link = first;
}
