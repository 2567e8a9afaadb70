// XML as a tree. See xml.h.
//
// The text goes through two steps: make_strict writes a copy that obeys the rules of XML, and Expat
// turns the copy into a tree. Line breaks inside attribute values become references (&#010;),
// because XML would otherwise make blanks of them; the odd spelling tells them from those of the
// file, so that lines can be counted. Expat reads the copy as Latin-1, where every byte is a
// character; what it hands out, in UTF-8, is narrowed to bytes again.

#include "mjcf/xml.h"

#include <expat.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/habits.h"

#define LINE_BREAK "&#010;"

// The copy by the rules

typedef struct {
  ct_Pool* pool;
  const char *at, *end;  // of the file
  char* text;            // the copy
  size_t size, room;
  int depth;         // elements open
  bool in_root;      // the root has been opened
  const char* rest;  // where a second root begins; NULL: nowhere
} Copy;

static void put_n(Copy* c, const char* piece, size_t n) {
  c->text = (char*)ct_pool_grow(c->pool, c->text, c->size, c->size + n + 1, &c->room, 1);
  if (!c->text) return;
  memcpy(c->text + c->size, piece, n);
  c->size += n;
  c->text[c->size] = 0;
}

static void put(Copy* c, const char* piece) {
  put_n(c, piece, strlen(piece));
}

static bool starts(const Copy* c, const char* word) {
  size_t n = strlen(word);
  return (size_t)(c->end - c->at) >= n && !memcmp(c->at, word, n);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static const char* find(const Copy* c, const char* word) {
  size_t n = strlen(word);
  for (const char* p = c->at; (size_t)(c->end - p) >= n; p++) {
    p = (const char*)memchr(p, word[0], (size_t)(c->end - p));
    if (!p || (size_t)(c->end - p) < n) return NULL;
    if (!memcmp(p, word, n)) return p;
  }
  return NULL;
}

// Leaves out everything before `to`, but for line breaks.
static void skip_to(Copy* c, const char* to) {
  for (; c->at < to; c->at++) {
    if (*c->at == '\n') put(c, "\n");
  }
}

// A comment: two dashes in a row are not allowed inside, and the last character must not be one.
static void copy_comment(Copy* c) {
  c->at += 4;
  const char* stop = find(c, "-->");
  put(c, "<!--");
  if (!stop) {
    c->at = c->end;
    return;
  }
  char before = 0;
  for (; c->at < stop; c->at++) {
    bool bad = *c->at == '-' && (before == '-' || c->at + 1 == stop);
    bool control = (unsigned char)*c->at < 32 && !is_blank(*c->at);
    before = bad || control ? ' ' : *c->at;
    put_n(c, &before, 1);
  }
  put(c, "-->");
  c->at = stop + 3;
}

// Length of a reference that XML knows, from & to ;, or 0.
static size_t reference_length(const char* p, const char* end) {
  static const char* const known[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};
  for (int i = 0; i < 5; i++) {
    size_t n = strlen(known[i]);
    if ((size_t)(end - p) >= n && !memcmp(p, known[i], n)) return n;
  }
  if (end - p < 4 || p[1] != '#') return 0;
  bool hex = p[2] == 'x';
  size_t k = hex ? 3 : 2, first = k;
  while (p + k < end && k < first + 8 &&
         strchr(hex ? "0123456789abcdefABCDEF" : "0123456789", p[k]) && p[k])
    k++;
  return k > first && p + k < end && p[k] == ';' ? k + 1 : 0;
}

// A control character is not part of XML. It travels as one of the 32 characters from U+FDD0 on,
// which no text has: references to them are spelled out like all beyond ASCII.
enum { CONTROL = 0xFDD0 };

static void put_control(Copy* c, int number) {
  char reference[16];
  snprintf(reference, sizeof(reference), "&#x%X;", (unsigned)(CONTROL + number));
  put(c, reference);
}

// A character in UTF-8, byte by byte, so that narrowing keeps it. XML's rules about which numbers
// are characters do not apply.
static void put_utf8(Copy* c, long number) {
  char utf8[4];
  int n = number < 0x800 ? 2 : number < 0x10000 ? 3 : 4;
  for (int i = n - 1; i > 0; i--, number >>= 6) utf8[i] = (char)(0x80 | (number & 0x3F));
  utf8[0] = (char)((0xF0 << (4 - n)) | number);
  put_n(c, utf8, (size_t)n);
}

// A character by name or number. Number 0 ends the value, as it ends texts in C.
static void copy_reference(Copy* c, size_t n, char quote) {
  bool hex = c->at[2] == 'x';
  long number = c->at[1] == '#' ? strtol(c->at + (hex ? 3 : 2), NULL, hex ? 16 : 10) : -1;
  bool break_or_tab = number == '\t' || number == '\n' || number == '\r';
  if (number == 0) {
    while (c->at + n < c->end && c->at[n] != quote) c->at++;
  } else if (number > 0 && number < 32 && !break_or_tab) {
    put_control(c, (int)number);
  } else if (number > 0x10FFFF) {
    put(c, "&amp;");
    put_n(c, c->at + 1, n - 1);
  } else if (number >= 128) {
    put_utf8(c, number);
  } else {
    put_n(c, c->at, n);
  }
  c->at += n;
}

// A character that may not stand in a value as it is.
static void copy_special(Copy* c) {
  bool pair = *c->at == '\r' && c->at + 1 < c->end && c->at[1] == '\n';
  if (*c->at == '\n' || pair) {
    put(c, LINE_BREAK);
  } else if (*c->at == '<' || *c->at == '&') {
    put(c, *c->at == '<' ? "&lt;" : "&amp;");
  } else if (*c->at == '\t' || *c->at == '\r') {
    put(c, *c->at == '\t' ? "&#9;" : "&#10;");
  } else {
    put_control(c, *c->at);
  }
  c->at += pair ? 2 : 1;
}

static bool is_special(char c) {
  return c == '<' || c == '&' || (unsigned char)c < 32;
}

static void copy_value(Copy* c) {
  char quote = *c->at++;
  put_n(c, &quote, 1);
  while (c->at < c->end && *c->at != quote) {
    const char* plain = c->at;
    while (c->at < c->end && *c->at != quote && !is_special(*c->at)) c->at++;
    put_n(c, plain, (size_t)(c->at - plain));
    if (c->at == c->end || *c->at == quote) break;
    size_t n = *c->at == '&' ? reference_length(c->at, c->end) : 0;
    if (n) {
      copy_reference(c, n, quote);
      continue;
    }
    copy_special(c);
  }
  if (c->at == c->end) return;
  put_n(c, &quote, 1);
  c->at++;
  if (c->at < c->end && !is_blank(*c->at) && *c->at != '/' && *c->at != '>' && *c->at != '?')
    put(c, " ");
}

static void copy_tag(Copy* c) {
  bool closes = starts(c, "</");
  put_n(c, c->at++, 1);
  while (c->at < c->end && is_blank(*c->at)) c->at++;
  while (c->at < c->end && *c->at != '>') {
    if ((*c->at == '"' || *c->at == '\'') && !closes) {
      copy_value(c);
    } else {
      const char* plain = c->at++;
      while (c->at < c->end && *c->at != '>' && *c->at != '"' && *c->at != '\'') c->at++;
      put_n(c, plain, (size_t)(c->at - plain));
    }
  }
  if (c->at == c->end) return;
  bool empty = c->at[-1] == '/';
  put_n(c, c->at++, 1);
  c->depth += closes ? -1 : empty ? 0 : 1;
  c->in_root = true;
}

// Text means nothing in MJCF. Inside the root it leaves a mark, because it is a child of its
// element; after the root it is a mistake, and stays one.
static void copy_text(Copy* c) {
  for (; c->at < c->end && *c->at != '<'; c->at++) {
    if (is_blank(*c->at)) {
      put(c, *c->at == '\n' ? "\n" : " ");
    } else if (c->in_root) {
      put(c, "x");
    }
  }
}

static void skip_unread(Copy* c, const char* closing, size_t length) {
  const char* stop = find(c, closing);
  if (c->depth > 0) put(c, "x");
  skip_to(c, stop ? stop + length : c->end);
}

static void make_strict(Copy* c) {
  if (starts(c, "\xEF\xBB\xBF")) c->at += 3;
  while (c->at < c->end && is_blank(*c->at)) skip_to(c, c->at + 1);
  while (starts(c, "<?")) {
    skip_unread(c, "?>", 2);
    while (c->at < c->end && is_blank(*c->at)) skip_to(c, c->at + 1);
  }
  while (c->at < c->end) {
    if (*c->at != '<') {
      copy_text(c);
    } else if (starts(c, "<!--")) {
      copy_comment(c);
    } else if (starts(c, "<![CDATA[")) {
      skip_unread(c, "]]>", 3);
    } else if (starts(c, "<!")) {
      skip_unread(c, ">", 1);
    } else if (c->in_root && c->depth == 0 && !starts(c, "<?")) {
      if (!starts(c, "</")) c->rest = c->at;
      return;  // as in the reference, what stands behind an end too many is not looked at
    } else {
      copy_tag(c);
    }
  }
}

// The tree

typedef struct {
  ct_Pool* pool;
  XML_Parser parser;
  ct_XmlFile* file;
  ct_XmlDocument* document;
  ct_Xml* open;            // innermost element
  size_t counted;          // bytes of the text in which lines have been counted
  int first, line, depth;  // lines: of the beginning, of what has been counted
  const char* refusal;     // why the text is refused though Expat accepts it
  bool cut;                // a zero byte ends the text
} Builder;

static int count_lines(const char* text, size_t from, size_t to) {
  int n = 0;
  for (size_t i = from; i < to; i++) {
    if (text[i] == '\n' || (text[i] == '&' && !strncmp(text + i, LINE_BREAK, strlen(LINE_BREAK))))
      n++;
  }
  return n;
}

static int line_at(Builder* b, size_t offset) {
  b->line += count_lines(b->file->text, b->counted, offset);
  b->counted = offset;
  return b->line;
}

static char* narrow(ct_Pool* pool, const char* utf8) {
  char* text = ct_pool_text(pool, utf8);
  if (!text) return NULL;
  const unsigned char* from = (const unsigned char*)utf8;
  char* to = text;
  while (*from) {
    if (*from == 0xC2 || *from == 0xC3) {
      *to++ = (char)((from[0] & 3) << 6 | (from[1] & 0x3F));
      from += 2;
    } else if (*from == 0xEF) {
      *to++ = (char)((((from[1] & 0x3F) << 6) | (from[2] & 0x3F)) - (CONTROL & 0xFFF));
      from += 3;
    } else {
      *to++ = (char)*from++;
    }
  }
  *to = 0;
  return text;
}

static void refuse(Builder* b, const char* why) {
  if (!b->refusal) b->refusal = why;
  XML_StopParser(b->parser, XML_FALSE);
}

static void XMLCALL on_start(void* arg, const char* name, const char** pairs) {
  Builder* b = (Builder*)arg;
  // an element that ends in its own tag may be one deeper
  XML_Index at = XML_GetCurrentByteIndex(b->parser);
  bool leaf = b->file->text[at + XML_GetCurrentByteCount(b->parser) - 2] == '/';
  if (++b->depth > CT_XML_DEPTH + leaf) {
    refuse(b, "elements are nested too deeply (498 levels are possible)");
    return;
  }
  ct_Xml* xml = (ct_Xml*)ct_pool_alloc(b->pool, sizeof(ct_Xml));
  int n = 0;
  while (pairs[2 * n]) n++;
  xml->attribute = (ct_XmlAttribute*)ct_pool_array(b->pool, (size_t)n, sizeof(ct_XmlAttribute));
  xml->nattribute = n;
  for (int i = 0; i < n; i++) {
    xml->attribute[i].name = narrow(b->pool, pairs[2 * i]);
    xml->attribute[i].value = narrow(b->pool, pairs[2 * i + 1]);
  }
  xml->name = narrow(b->pool, name);
  xml->file = b->file;
  xml->offset = (size_t)XML_GetCurrentByteIndex(b->parser);
  xml->line = line_at(b, xml->offset);
  xml->parent = b->open;
  if (!b->open) {
    b->document->root = xml;
  } else if (b->open->last) {
    b->open->last->next = xml;
  } else {
    b->open->first = xml;
  }
  if (b->open) b->open->last = xml;
  b->open = xml;
}

static void XMLCALL on_end(void* arg, const char* name) {
  Builder* b = (Builder*)arg;
  (void)name;
  b->depth--;
  b->open = b->open->parent;
}

static void XMLCALL on_comment(void* arg, const char* text) {
  Builder* b = (Builder*)arg;
  if (!b->open) return;
  bool first = b->open == b->document->root && !b->open->first && !b->open->other;
  if (first) b->document->comment = narrow(b->pool, text);
  b->open->other = true;
}

static void XMLCALL on_text(void* arg, const char* text, int n) {
  Builder* b = (Builder*)arg;
  for (int i = 0; i < n; i++) {
    if (!is_blank(text[i]) && b->open) b->open->other = true;
  }
}

static void XMLCALL on_instruction(void* arg, const char* target, const char* data) {
  (void)target;
  (void)data;
  refuse((Builder*)arg, "<? ... ?> may stand at the very beginning only");
}

// What Expat complains about, in terms of the element that is open.
static void explain(const Builder* b, char* error, size_t size) {
  enum XML_Error code = XML_GetErrorCode(b->parser);
  const ct_Xml* open = b->open;
  if (b->refusal) {
    snprintf(error, size, "%s", b->refusal);
  } else if (open && code == XML_ERROR_TAG_MISMATCH) {
    snprintf(error, size, "</%.60s> should be here: <%.60s> was opened in line %d", open->name,
             open->name, open->line);
  } else if (open && code == XML_ERROR_NO_ELEMENTS) {
    snprintf(error, size, "the file ends without </%.60s>, which was opened in line %d", open->name,
             open->line);
  } else if (code == XML_ERROR_NO_ELEMENTS) {
    snprintf(error, size, "there is no element in the file");
  } else if (code == XML_ERROR_UNCLOSED_TOKEN) {
    snprintf(error, size, "the file ends inside a tag or comment that begins here");
  } else if (open) {
    snprintf(error, size, "%s, inside <%.60s> of line %d", XML_ErrorString(code), open->name,
             open->line);
  } else {
    snprintf(error, size, "%s", XML_ErrorString(code));
  }
}

// Explains a missing quote in the tag at which Expat stopped, and finds its place. Values have no <
// in the copy, so the last one before is where the tag begins.
static bool explain_quote(const Builder* b, size_t* at, char* error, size_t size) {
  enum XML_Error code = XML_GetErrorCode(b->parser);
  if (b->refusal || (code != XML_ERROR_INVALID_TOKEN && code != XML_ERROR_UNCLOSED_TOKEN))
    return false;
  const char* text = b->file->text;
  size_t tag = *at, inside = 0;
  while (tag > 0 && text[tag] != '<') tag--;
  if (text[tag] != '<' || !strncmp(text + tag, "<!", 2) || text[tag + 1] == '/') return false;
  ct_missing_quote(text + tag, error, size, &inside);
  if (error[0]) *at = tag + inside;
  return error[0] != 0;
}

static bool parse(Builder* b, size_t size, char* error, size_t error_size, int* line) {
  XML_SetUserData(b->parser, b);
  XML_SetElementHandler(b->parser, on_start, on_end);
  XML_SetCommentHandler(b->parser, on_comment);
  XML_SetCharacterDataHandler(b->parser, on_text);
  XML_SetProcessingInstructionHandler(b->parser, on_instruction);
  if (XML_Parse(b->parser, b->file->text, (int)size, 1) == XML_STATUS_OK) return true;
  XML_Index index = XML_GetCurrentByteIndex(b->parser);
  size_t at = index < 0 ? 0 : (size_t)index;
  if (!explain_quote(b, &at, error, error_size)) explain(b, error, error_size);
  *line = b->first + count_lines(b->file->text, 0, at);
  size_t used = strlen(error);
  if (b->cut) snprintf(error + used, error_size - used, " (the file has a zero byte, its end)");
  return false;
}

// Reads from *text to the end of its first root; *text becomes where the next one begins, or NULL.
// *line is that of the beginning, then that of a mistake.
static bool read_root(ct_Pool* pool, const char* name, const char** text, const char* end, bool cut,
                      ct_XmlDocument* document, char* error, size_t error_size, int* line) {
  Copy copy = {pool, *text, end, NULL, 0, 0, 0, false, NULL};
  memset(document, 0, sizeof(*document));
  put(&copy, "");
  make_strict(&copy);
  *text = copy.rest;
  if (copy.size > INT_MAX) {
    snprintf(error, error_size, "the file is larger than 2 GB");
    return false;
  }
  ct_XmlFile* file = (ct_XmlFile*)ct_pool_alloc(pool, sizeof(ct_XmlFile));
  file->name = ct_pool_text(pool, name);
  file->text = copy.text;
  Builder builder = {
      pool, XML_ParserCreate("ISO-8859-1"), file, document, NULL, 0, *line, *line, 0, NULL, cut};
  if (!builder.parser) {
    snprintf(error, error_size, "out of memory");
    return false;
  }
  bool fine = parse(&builder, copy.size, error, error_size, line);
  XML_ParserFree(builder.parser);
  return fine;
}

// The first root counts. As in the reference, others may follow, and are XML too.
bool ct_xml_read(ct_Pool* pool, const char* name, const char* text, size_t length,
                 ct_XmlDocument* document, char* error, size_t error_size, int* line) {
  size_t size = strnlen(text, length);
  const char *from = text, *end = text + size;
  int first = *line = 1;
  if (!read_root(pool, name, &from, end, size < length, document, error, error_size, line))
    return false;
  for (const char* before = text; from; *line = first) {
    ct_XmlDocument ignored;
    for (; before < from; before++) first += *before == '\n';
    *line = first;
    if (!read_root(pool, name, &from, end, size < length, &ignored, error, error_size, line))
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

// Looks through the tag's text, outside of values.
int ct_xml_line(const ct_Xml* xml, const char* name) {
  const char* text = xml->file->text;
  size_t n = strlen(name);
  char quote = 0;
  for (size_t i = xml->offset + 1 + strlen(xml->name); text[i] && (quote || text[i] != '>'); i++) {
    if (quote) {
      if (text[i] == quote) quote = 0;
    } else if (text[i] == '"' || text[i] == '\'') {
      quote = text[i];
    } else if (is_blank(text[i]) && !strncmp(text + i + 1, name, n) &&
               (is_blank(text[i + 1 + n]) || text[i + 1 + n] == '=')) {
      return xml->line + count_lines(text, xml->offset, i + 1);
    }
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
