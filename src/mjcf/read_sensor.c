// Sensors: what each kind is attached to, and what it is relative to.

#include <corten/mjcf.h>
#include <string.h>

#include "mjcf/read.h"

typedef struct Kind_ Kind;
typedef void (*ReadKind)(ct_Reader* r, const ct_Xml* xml, const Kind* kind, mjsSensor* sensor);

struct Kind_ {
  const char* name;
  mjtSensor type;
  ReadKind read;
  const char* attribute;  // names the object
  mjtObj object;
};

static void set_object(mjsSensor* sensor, mjtObj type, const char* name) {
  sensor->objtype = type;
  mjs_setString(sensor->objname, name);
}

static void set_reference(mjsSensor* sensor, mjtObj type, const char* name) {
  sensor->reftype = type;
  mjs_setString(sensor->refname, name);
}

// Kinds

static void attached(ct_Reader* r, const ct_Xml* xml, const Kind* kind, mjsSensor* sensor) {
  set_object(sensor, kind->object, ct_required(r, xml, kind->attribute));
}

static void global(ct_Reader* r, const ct_Xml* xml, const Kind* kind, mjsSensor* sensor) {
  (void)r;
  (void)xml;
  (void)kind;
  sensor->objtype = mjOBJ_UNKNOWN;
}

static void projection(ct_Reader* r, const ct_Xml* xml, const Kind* kind, mjsSensor* sensor) {
  attached(r, xml, kind, sensor);
  set_reference(sensor, mjOBJ_CAMERA, ct_required(r, xml, "camera"));
}

static void tactile(ct_Reader* r, const ct_Xml* xml, const Kind* kind, mjsSensor* sensor) {
  attached(r, xml, kind, sensor);
  set_reference(sensor, mjOBJ_GEOM, ct_required(r, xml, "geom"));
}

// Words that must stand in the order of their table: a bit for each.
static int read_data(ct_Reader* r, const ct_Xml* xml, const char* words) {
  bool in_order;
  unsigned bits = ct_read_word_list(r, xml, "data", words, &in_order);
  if (!in_order) {
    ct_refuse(r, xml, "data", "the words of data must stand in the order %s",
              ct_list_words(r, words, ", "));
  }
  return bits ? (int)bits : 1;
}

static void ray(ct_Reader* r, const ct_Xml* xml, const Kind* kind, mjsSensor* sensor) {
  const char *site = ct_given(xml, "site"), *camera = ct_given(xml, "camera");
  (void)kind;
  if (!site == !camera) ct_refuse(r, xml, NULL, "needs a site or a camera, and not both");
  set_object(sensor, site ? mjOBJ_SITE : mjOBJ_CAMERA, site ? site : camera);
  sensor->intprm[0] = read_data(r, xml, "raydata");
}

// A word that is not a type means none: whether a sensor can do with that the compiler says.
static mjtObj object_type(ct_Reader* r, const ct_Xml* xml, const char* attribute) {
  return (mjtObj)mju_str2Type(ct_required(r, xml, attribute));
}

// An unknown type means no reference.
static void read_reference(ct_Reader* r, const ct_Xml* xml, mjsSensor* sensor) {
  const char *type = ct_given(xml, "reftype"), *name = ct_given(xml, "refname");
  if (!type && !name) return;
  if (!type || !name) ct_refuse(r, xml, NULL, "reftype and refname must be given together");
  set_reference(sensor, object_type(r, xml, "reftype"), name);
}

static void frame(ct_Reader* r, const ct_Xml* xml, const Kind* kind, mjsSensor* sensor) {
  (void)kind;
  set_object(sensor, object_type(r, xml, "objtype"), ct_required(r, xml, "objname"));
  read_reference(r, xml, sensor);
}

static void inside(ct_Reader* r, const ct_Xml* xml, const Kind* kind, mjsSensor* sensor) {
  (void)kind;
  set_object(sensor, object_type(r, xml, "objtype"), ct_required(r, xml, "objname"));
  set_reference(sensor, mjOBJ_SITE, ct_required(r, xml, "site"));
}

static void between(ct_Reader* r, const ct_Xml* xml, const Kind* kind, mjsSensor* sensor) {
  const char *geom1 = ct_given(xml, "geom1"), *body1 = ct_given(xml, "body1");
  const char *geom2 = ct_given(xml, "geom2"), *body2 = ct_given(xml, "body2");
  (void)kind;
  if (!geom1 == !body1) ct_refuse(r, xml, NULL, "needs geom1 or body1, and not both");
  if (!geom2 == !body2) ct_refuse(r, xml, NULL, "needs geom2 or body2, and not both");
  set_object(sensor, geom1 ? mjOBJ_GEOM : mjOBJ_BODY, geom1 ? geom1 : body1);
  set_reference(sensor, geom2 ? mjOBJ_GEOM : mjOBJ_BODY, geom2 ? geom2 : body2);
}

typedef struct {
  const char* attribute;
  mjtObj type;
} Side;

// The one of several attributes that is given; NULL: none.
static const char* read_side(ct_Reader* r, const ct_Xml* xml, const Side* side, int n,
                             mjtObj* type) {
  const char* found = NULL;
  for (int i = 0; i < n; i++) {
    const char* name = ct_given(xml, side[i].attribute);
    if (!name) continue;
    if (found) ct_refuse(r, xml, side[i].attribute, "%s is one side too many", side[i].attribute);
    found = name;
    *type = side[i].type;
  }
  return found;
}

static void contact(ct_Reader* r, const ct_Xml* xml, const Kind* kind, mjsSensor* sensor) {
  static const Side first[] = {{"site", mjOBJ_SITE},
                               {"geom1", mjOBJ_GEOM},
                               {"body1", mjOBJ_BODY},
                               {"subtree1", mjOBJ_XBODY}};
  static const Side second[] = {
      {"geom2", mjOBJ_GEOM}, {"body2", mjOBJ_BODY}, {"subtree2", mjOBJ_XBODY}};
  mjtObj type = mjOBJ_UNKNOWN;
  (void)kind;
  const char* name = read_side(r, xml, first, 4, &type);
  if (name) set_object(sensor, type, name);
  name = read_side(r, xml, second, 3, &type);
  if (name) set_reference(sensor, type, name);
  sensor->intprm[0] = read_data(r, xml, "contactdata");
  sensor->intprm[1] = 0;
  ct_read_word(r, xml, "reduce", "reduce", &sensor->intprm[1]);
  sensor->intprm[2] = 1;
  ct_read_int(r, xml, "num", &sensor->intprm[2]);
  if (sensor->intprm[2] <= 0)
    ct_refuse(r, xml, "num", "num is %d; it must be positive", sensor->intprm[2]);
}

static void user(ct_Reader* r, const ct_Xml* xml, const Kind* kind, mjsSensor* sensor) {
  const char *type = ct_given(xml, "objtype"), *name = ct_given(xml, "objname");
  (void)kind;
  if (!type != !name) ct_refuse(r, xml, NULL, "objtype and objname must be given together");
  if (type) set_object(sensor, object_type(r, xml, "objtype"), name);
  ct_required(r, xml, "dim");
  ct_read_int(r, xml, "dim", &sensor->dim);
}

// A word that is not a type counts as not given, and so does an empty name.
static mjtObj optional_type(ct_Reader* r, const ct_Xml* xml, const char* attribute,
                            const char* name_attribute) {
  const char *word = ct_given(xml, attribute), *name = ct_given(xml, name_attribute);
  int type = word ? mju_str2Type(word) : mjOBJ_UNKNOWN;
  if ((type != mjOBJ_UNKNOWN) != (name && *name)) {
    ct_refuse(r, xml, type != mjOBJ_UNKNOWN ? attribute : name_attribute,
              "%s and %s must be given together", attribute, name_attribute);
  }
  return (mjtObj)type;
}

static void plugin(ct_Reader* r, const ct_Xml* xml, const Kind* kind, mjsSensor* sensor) {
  const char *name = ct_given(xml, "objname"), *refname = ct_given(xml, "refname");
  (void)kind;
  sensor->objtype = optional_type(r, xml, "objtype", "objname");
  sensor->reftype = optional_type(r, xml, "reftype", "refname");
  if (name) mjs_setString(sensor->objname, name);
  if (refname) mjs_setString(sensor->refname, refname);
  ct_read_plugin(r, xml, &sensor->plugin);
}

// clang-format off
static const Kind kinds[] = {
    {"touch",             mjSENS_TOUCH,          attached,   "site",     mjOBJ_SITE},
    {"accelerometer",     mjSENS_ACCELEROMETER,  attached,   "site",     mjOBJ_SITE},
    {"velocimeter",       mjSENS_VELOCIMETER,    attached,   "site",     mjOBJ_SITE},
    {"gyro",              mjSENS_GYRO,           attached,   "site",     mjOBJ_SITE},
    {"force",             mjSENS_FORCE,          attached,   "site",     mjOBJ_SITE},
    {"torque",            mjSENS_TORQUE,         attached,   "site",     mjOBJ_SITE},
    {"magnetometer",      mjSENS_MAGNETOMETER,   attached,   "site",     mjOBJ_SITE},
    {"camprojection",     mjSENS_CAMPROJECTION,  projection, "site",     mjOBJ_SITE},
    {"rangefinder",       mjSENS_RANGEFINDER,    ray,        NULL,       mjOBJ_UNKNOWN},
    {"jointpos",          mjSENS_JOINTPOS,       attached,   "joint",    mjOBJ_JOINT},
    {"jointvel",          mjSENS_JOINTVEL,       attached,   "joint",    mjOBJ_JOINT},
    {"tendonpos",         mjSENS_TENDONPOS,      attached,   "tendon",   mjOBJ_TENDON},
    {"tendonvel",         mjSENS_TENDONVEL,      attached,   "tendon",   mjOBJ_TENDON},
    {"actuatorpos",       mjSENS_ACTUATORPOS,    attached,   "actuator", mjOBJ_ACTUATOR},
    {"actuatorvel",       mjSENS_ACTUATORVEL,    attached,   "actuator", mjOBJ_ACTUATOR},
    {"actuatorfrc",       mjSENS_ACTUATORFRC,    attached,   "actuator", mjOBJ_ACTUATOR},
    {"jointactuatorfrc",  mjSENS_JOINTACTFRC,    attached,   "joint",    mjOBJ_JOINT},
    {"tendonactuatorfrc", mjSENS_TENDONACTFRC,   attached,   "tendon",   mjOBJ_TENDON},
    {"ballquat",          mjSENS_BALLQUAT,       attached,   "joint",    mjOBJ_JOINT},
    {"ballangvel",        mjSENS_BALLANGVEL,     attached,   "joint",    mjOBJ_JOINT},
    {"jointlimitpos",     mjSENS_JOINTLIMITPOS,  attached,   "joint",    mjOBJ_JOINT},
    {"jointlimitvel",     mjSENS_JOINTLIMITVEL,  attached,   "joint",    mjOBJ_JOINT},
    {"jointlimitfrc",     mjSENS_JOINTLIMITFRC,  attached,   "joint",    mjOBJ_JOINT},
    {"tendonlimitpos",    mjSENS_TENDONLIMITPOS, attached,   "tendon",   mjOBJ_TENDON},
    {"tendonlimitvel",    mjSENS_TENDONLIMITVEL, attached,   "tendon",   mjOBJ_TENDON},
    {"tendonlimitfrc",    mjSENS_TENDONLIMITFRC, attached,   "tendon",   mjOBJ_TENDON},
    {"framepos",          mjSENS_FRAMEPOS,       frame,      NULL,       mjOBJ_UNKNOWN},
    {"framequat",         mjSENS_FRAMEQUAT,      frame,      NULL,       mjOBJ_UNKNOWN},
    {"framexaxis",        mjSENS_FRAMEXAXIS,     frame,      NULL,       mjOBJ_UNKNOWN},
    {"frameyaxis",        mjSENS_FRAMEYAXIS,     frame,      NULL,       mjOBJ_UNKNOWN},
    {"framezaxis",        mjSENS_FRAMEZAXIS,     frame,      NULL,       mjOBJ_UNKNOWN},
    {"framelinvel",       mjSENS_FRAMELINVEL,    frame,      NULL,       mjOBJ_UNKNOWN},
    {"frameangvel",       mjSENS_FRAMEANGVEL,    frame,      NULL,       mjOBJ_UNKNOWN},
    {"framelinacc",       mjSENS_FRAMELINACC,    frame,      NULL,       mjOBJ_UNKNOWN},
    {"frameangacc",       mjSENS_FRAMEANGACC,    frame,      NULL,       mjOBJ_UNKNOWN},
    {"subtreecom",        mjSENS_SUBTREECOM,     attached,   "body",     mjOBJ_BODY},
    {"subtreelinvel",     mjSENS_SUBTREELINVEL,  attached,   "body",     mjOBJ_BODY},
    {"subtreeangmom",     mjSENS_SUBTREEANGMOM,  attached,   "body",     mjOBJ_BODY},
    {"insidesite",        mjSENS_INSIDESITE,     inside,     NULL,       mjOBJ_UNKNOWN},
    {"distance",          mjSENS_GEOMDIST,       between,    NULL,       mjOBJ_UNKNOWN},
    {"normal",            mjSENS_GEOMNORMAL,     between,    NULL,       mjOBJ_UNKNOWN},
    {"fromto",            mjSENS_GEOMFROMTO,     between,    NULL,       mjOBJ_UNKNOWN},
    {"contact",           mjSENS_CONTACT,        contact,    NULL,       mjOBJ_UNKNOWN},
    {"e_potential",       mjSENS_E_POTENTIAL,    global,     NULL,       mjOBJ_UNKNOWN},
    {"e_kinetic",         mjSENS_E_KINETIC,      global,     NULL,       mjOBJ_UNKNOWN},
    {"clock",             mjSENS_CLOCK,          global,     NULL,       mjOBJ_UNKNOWN},
    {"tactile",           mjSENS_TACTILE,        tactile,    "mesh",     mjOBJ_MESH},
    {"user",              mjSENS_USER,           user,       NULL,       mjOBJ_UNKNOWN},
    {"plugin",            mjSENS_PLUGIN,         plugin,     NULL,       mjOBJ_UNKNOWN},
};
// clang-format on

const char* ct_sensor_element(int type) {
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
    if ((int)kinds[i].type == type) return kinds[i].name;
  }
  return NULL;
}

static void read_sensor(ct_Reader* r, const ct_Xml* xml, void* arg) {
  (void)arg;
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
    if (strcmp(kinds[i].name, xml->name)) continue;
    mjsSensor* sensor = CT_VALUES(mjsSensor, ct_read_element(r, xml, mjOBJ_SENSOR));
    sensor->type = kinds[i].type;
    kinds[i].read(r, xml, &kinds[i], sensor);
    return;
  }
}

void ct_read_sensor(ct_Reader* r, const ct_Xml* section) {
  for (const ct_Xml* xml = section->first; xml; xml = xml->next)
    ct_guarded(r, read_sensor, xml, NULL);
}
