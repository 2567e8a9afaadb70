// XML as a tree: elements and attributes, each of which knows the file and line it came from.
//
// Files written for the reference may break XML's rules in ways that its own parser forgives
// (docs/mjcf.md, "The dialect"), and no library for C reads them, so the reader is our own. Bytes
// are passed through as they are, whatever encoding the file claims.

#ifndef CT_MJCF_XML_H_
#define CT_MJCF_XML_H_

#include <stdbool.h>
#include <stddef.h>

#include "base/pool.h"

// Elements inside each other in one file, the root counted.
#define CT_XML_DEPTH 498

typedef struct ct_XmlFile_ {
  const char* name;  // for messages
  const char*
      directory;  // included files: where their own files are looked for; NULL: not included
  int level;      // includes around it
} ct_XmlFile;

typedef struct ct_XmlAttribute_ {
  const char* name;
  const char* value;
  int line;  // of its name
} ct_XmlAttribute;

typedef struct ct_Xml_ {  // an element
  const char* name;
  ct_XmlAttribute* attribute;
  int nattribute;
  int line;
  const ct_XmlFile* file;
  struct ct_Xml_ *parent, *first, *last, *next;
  bool other;                   // has a comment or text inside
  bool reported;                // as an element that cannot stand here
  const struct ct_Rule_* rule;  // what the schema says about it; NULL: nothing
} ct_Xml;

typedef struct ct_XmlDocument_ {
  ct_Xml* root;
  const char* comment;  // first thing inside the root, or NULL
} ct_XmlDocument;

// Reads a text. Everything lies in the pool. false: not XML; `error` says why, and line where.
bool ct_xml_read(ct_Pool* pool, const char* name, const char* text, size_t length,
                 ct_XmlDocument* document, char* error, size_t error_size, int* line);

// Value of an attribute, NULL if it is not there.
const char* ct_xml_value(const ct_Xml* xml, const char* name);

// Line of an attribute's name, or of the element if it has no such attribute.
int ct_xml_line(const ct_Xml* xml, const char* name);

// Puts the elements `first` to `last` in the place of another one, to which *link points: the link
// of its parent or of the element before it.
void ct_xml_replace(ct_Xml** link, ct_Xml* first, ct_Xml* last);

#endif  // CT_MJCF_XML_H_
