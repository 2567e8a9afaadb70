// Checks a tree against the schema: is every element allowed where it stands, and as often; is
// every attribute one of its element?
//
// Like the reference, the check stops at frame and replicate: their attributes and what is inside
// them are not checked, unknown attributes there have no effect. Every element that the schema
// knows gets its rule, checked or not.

#include <stdint.h>
#include <string.h>

#include "base/spelling.h"
#include "mjcf/habits.h"
#include "mjcf/read.h"

// The attribute of the element that was probably meant; NULL if nothing is like it.
static const char* attribute_meant(const ct_Rule* rule, const char* name) {
  const char* habit;
  for (int k = 0; (habit = ct_habit(name, k)); k++) {
    if (ct_rule_attribute(rule, habit)) return habit;
  }
  ct_Spelling nearest = {name, NULL, 0};
  for (int k = 0; k < rule->nallowed; k++)
    ct_spelling_add(&nearest, rule->allowed[k].attribute->name);
  return nearest.found;
}

static void check_attributes(ct_Reader* r, const ct_Xml* xml, const ct_Rule* rule) {
  for (int i = 0; i < xml->nattribute; i++) {
    const char* name = xml->attribute[i].name;
    if (ct_rule_attribute(rule, name)) continue;
    const char* meant = attribute_meant(rule, name);
    if (meant) {
      ct_mistake(r, xml, name, "there is no attribute %.40s; did you mean %s?", name, meant);
    } else {
      ct_mistake(r, xml, name, "there is no attribute %.40s", name);
    }
  }
}

// The element that was probably meant; NULL if nothing is like it.
static const char* element_meant(const ct_Xml* xml, const ct_Rule* around) {
  const char* habit;
  for (int k = 0; (habit = ct_habit(xml->name, k)); k++) {
    bool world = around->depth == 0 && !strcmp(habit, "worldbody");
    if (world || ct_rule_below(around, habit)) return habit;
  }
  ct_Spelling nearest = {xml->name, NULL, 0};
  if (around->depth == 0) ct_spelling_add(&nearest, "worldbody");
  if (around->count == 'R') ct_spelling_add(&nearest, around->name);
  for (const ct_Rule* rule = around->first; rule; rule = rule->next)
    ct_spelling_add(&nearest, rule->name);
  return nearest.found;
}

static void unknown_element(ct_Reader* r, ct_Xml* xml, const ct_Rule* around) {
  xml->reported = true;
  char places[200];
  ct_places_of_element(xml->name, places, sizeof(places));
  if (places[0]) {
    ct_mistake(r, xml, NULL, "not an element of %s; it belongs in %s", xml->parent->name, places);
    return;
  }
  const char* meant = element_meant(xml, around);
  if (meant) {
    ct_mistake(r, xml, NULL, "not an element of %s; did you mean %s?", xml->parent->name, meant);
  } else {
    ct_mistake(r, xml, NULL, "not an element of %s", xml->parent->name);
  }
}

// Directly under the root, what is part of bodies goes by the rule of bodies.
static const ct_Rule* rule_of(const ct_Xml* xml, const ct_Rule* around) {
  if (around->depth > 0) return ct_rule_below(around, xml->name);
  const ct_Rule* body = ct_rule_below(around, "body");
  if (!strcmp(xml->name, "worldbody")) return body;
  if (!strcmp(xml->name, "frame") || !strcmp(xml->name, "replicate")) return body;
  return ct_rule_below(around, xml->name);
}

static bool is_world(const ct_Xml* xml) {
  return !strcmp(xml->name, "worldbody");
}

static void check_world(ct_Reader* r, const ct_Xml* xml) {
  for (int i = 0; i < xml->nattribute; i++) {
    ct_mistake(r, xml, xml->attribute[i].name, "worldbody has no attributes, got %.40s",
               xml->attribute[i].name);
  }
}

// Elements that may stand once: a bit for each place among their parent's rules.
static void check_count(ct_Reader* r, const ct_Xml* xml, const ct_Rule* around, uint64_t* seen) {
  int place = 0;
  for (const ct_Rule* rule = around->first; rule && rule != xml->rule; rule = rule->next) place++;
  uint64_t bit = (uint64_t)1 << (place & 63);
  if (xml->rule->count == '?' && (*seen & bit))
    ct_mistake(r, xml, NULL, "stands twice in %s; once is possible", xml->parent->name);
  *seen |= bit;
}

static void check_children(ct_Reader* r, ct_Xml* xml, bool checked) {
  uint64_t seen = 0;
  for (ct_Xml* child = xml->first; child; child = child->next) {
    child->rule = rule_of(child, xml->rule);
    if (!child->rule) {
      if (checked) unknown_element(r, child, xml->rule);
      continue;
    }
    bool open = child->rule->count == '.';
    if (checked && !open) {
      check_count(r, child, xml->rule, &seen);
      if (is_world(child)) {
        check_world(r, child);
      } else {
        check_attributes(r, child, child->rule);
      }
    }
    check_children(r, child, checked && !open);
  }
}

// What a world cannot have, also inside frames.
static void check_world_content(ct_Reader* r, const ct_Xml* xml) {
  for (const ct_Xml* child = xml->first; child; child = child->next) {
    if (!strcmp(child->name, "inertial") || !strcmp(child->name, "joint") ||
        !strcmp(child->name, "freejoint")) {
      ct_mistake(r, child, NULL, "the world cannot have one; put it into a body");
    } else if (!strcmp(child->name, "frame")) {
      check_world_content(r, child);
    }
  }
}

void ct_check_tree(ct_Reader* r, ct_Xml* root) {
  if (strcmp(root->name, "mujoco"))
    ct_refuse(r, root, NULL, "the root must be mujoco, in small letters");
  root->rule = ct_schema();
  check_attributes(r, root, root->rule);
  check_children(r, root, true);
  for (const ct_Xml* section = root->first; section; section = section->next) {
    if (is_world(section)) check_world_content(r, section);
  }
}
