// The table of element types: sizes, strings and vectors, built-in values.

#include "spec/kinds.h"

#define FIELD(struct_, name_, kind_) \
  { offsetof(struct_, name_), CT_CONTAINER_##kind_ }

// Strings of the plugin that some elements carry. Its `info` and `element` stay NULL, as in the
// reference.
#define PLUGIN_FIELDS(struct_) \
  FIELD(struct_, plugin.name, STRING), FIELD(struct_, plugin.plugin_name, STRING)

static const ct_Container spec_field[] = {
    FIELD(mjSpec, modelname, STRING),           FIELD(mjSpec, comment, STRING),
    FIELD(mjSpec, modelfiledir, STRING),        FIELD(mjSpec, compiler.meshdir, STRING),
    FIELD(mjSpec, compiler.texturedir, STRING),
};

static const ct_Container body_field[] = {
    FIELD(mjsBody, userdata, DOUBLES),
    PLUGIN_FIELDS(mjsBody),
    FIELD(mjsBody, info, STRING),
};

static const ct_Container frame_field[] = {FIELD(mjsFrame, info, STRING)};

static const ct_Container joint_field[] = {
    FIELD(mjsJoint, userdata, DOUBLES),
    FIELD(mjsJoint, info, STRING),
};

static const ct_Container geom_field[] = {
    FIELD(mjsGeom, material, STRING), FIELD(mjsGeom, hfieldname, STRING),
    FIELD(mjsGeom, meshname, STRING), FIELD(mjsGeom, userdata, DOUBLES),
    PLUGIN_FIELDS(mjsGeom),           FIELD(mjsGeom, info, STRING),
};

static const ct_Container site_field[] = {
    FIELD(mjsSite, material, STRING),
    FIELD(mjsSite, userdata, DOUBLES),
    FIELD(mjsSite, info, STRING),
};

static const ct_Container camera_field[] = {
    FIELD(mjsCamera, targetbody, STRING),
    FIELD(mjsCamera, userdata, DOUBLES),
    FIELD(mjsCamera, info, STRING),
};

static const ct_Container light_field[] = {
    FIELD(mjsLight, targetbody, STRING),
    FIELD(mjsLight, texture, STRING),
    FIELD(mjsLight, info, STRING),
};

static const ct_Container flex_field[] = {
    FIELD(mjsFlex, material, STRING),  FIELD(mjsFlex, nodebody, STRINGS),
    FIELD(mjsFlex, vertbody, STRINGS), FIELD(mjsFlex, node, DOUBLES),
    FIELD(mjsFlex, vert, DOUBLES),     FIELD(mjsFlex, elem, INTS),
    FIELD(mjsFlex, texcoord, FLOATS),  FIELD(mjsFlex, elemtexcoord, INTS),
    FIELD(mjsFlex, info, STRING),
};

static const ct_Container mesh_field[] = {
    FIELD(mjsMesh, content_type, STRING),
    FIELD(mjsMesh, file, STRING),
    FIELD(mjsMesh, uservert, FLOATS),
    FIELD(mjsMesh, usernormal, FLOATS),
    FIELD(mjsMesh, usertexcoord, FLOATS),
    FIELD(mjsMesh, userface, INTS),
    FIELD(mjsMesh, userfacenormal, INTS),
    FIELD(mjsMesh, userfacetexcoord, INTS),
    PLUGIN_FIELDS(mjsMesh),
    FIELD(mjsMesh, material, STRING),
    FIELD(mjsMesh, info, STRING),
};

static const ct_Container hfield_field[] = {
    FIELD(mjsHField, content_type, STRING),
    FIELD(mjsHField, file, STRING),
    FIELD(mjsHField, userdata, FLOATS),
    FIELD(mjsHField, info, STRING),
};

static const ct_Container skin_field[] = {
    FIELD(mjsSkin, file, STRING),        FIELD(mjsSkin, material, STRING),
    FIELD(mjsSkin, vert, FLOATS),        FIELD(mjsSkin, texcoord, FLOATS),
    FIELD(mjsSkin, face, INTS),          FIELD(mjsSkin, bodyname, STRINGS),
    FIELD(mjsSkin, bindpos, FLOATS),     FIELD(mjsSkin, bindquat, FLOATS),
    FIELD(mjsSkin, vertid, INT_VECTORS), FIELD(mjsSkin, vertweight, FLOAT_VECTORS),
    FIELD(mjsSkin, info, STRING),
};

static const ct_Container texture_field[] = {
    FIELD(mjsTexture, content_type, STRING), FIELD(mjsTexture, file, STRING),
    FIELD(mjsTexture, cubefiles, STRINGS),   FIELD(mjsTexture, data, BYTES),
    FIELD(mjsTexture, info, STRING),
};

static const ct_Container material_field[] = {
    FIELD(mjsMaterial, textures, STRINGS),
    FIELD(mjsMaterial, info, STRING),
};

static const ct_Container pair_field[] = {
    FIELD(mjsPair, geomname1, STRING),
    FIELD(mjsPair, geomname2, STRING),
    FIELD(mjsPair, info, STRING),
};

static const ct_Container exclude_field[] = {
    FIELD(mjsExclude, bodyname1, STRING),
    FIELD(mjsExclude, bodyname2, STRING),
    FIELD(mjsExclude, info, STRING),
};

static const ct_Container equality_field[] = {
    FIELD(mjsEquality, name1, STRING),
    FIELD(mjsEquality, name2, STRING),
    FIELD(mjsEquality, info, STRING),
};

static const ct_Container tendon_field[] = {
    FIELD(mjsTendon, material, STRING),
    FIELD(mjsTendon, userdata, DOUBLES),
    FIELD(mjsTendon, info, STRING),
};

static const ct_Container wrap_field[] = {FIELD(mjsWrap, info, STRING)};

static const ct_Container actuator_field[] = {
    FIELD(mjsActuator, target, STRING),
    FIELD(mjsActuator, refsite, STRING),
    FIELD(mjsActuator, slidersite, STRING),
    FIELD(mjsActuator, userdata, DOUBLES),
    PLUGIN_FIELDS(mjsActuator),
    FIELD(mjsActuator, info, STRING),
};

static const ct_Container sensor_field[] = {
    FIELD(mjsSensor, objname, STRING),   FIELD(mjsSensor, refname, STRING),
    FIELD(mjsSensor, userdata, DOUBLES), PLUGIN_FIELDS(mjsSensor),
    FIELD(mjsSensor, info, STRING),
};

static const ct_Container numeric_field[] = {
    FIELD(mjsNumeric, data, DOUBLES),
    FIELD(mjsNumeric, info, STRING),
};

static const ct_Container text_field[] = {
    FIELD(mjsText, data, STRING),
    FIELD(mjsText, info, STRING),
};

static const ct_Container tuple_field[] = {
    FIELD(mjsTuple, objtype, INTS),
    FIELD(mjsTuple, objname, STRINGS),
    FIELD(mjsTuple, objprm, DOUBLES),
    FIELD(mjsTuple, info, STRING),
};

static const ct_Container key_field[] = {
    FIELD(mjsKey, qpos, DOUBLES), FIELD(mjsKey, qvel, DOUBLES),  FIELD(mjsKey, act, DOUBLES),
    FIELD(mjsKey, mpos, DOUBLES), FIELD(mjsKey, mquat, DOUBLES), FIELD(mjsKey, ctrl, DOUBLES),
    FIELD(mjsKey, info, STRING),
};

static const ct_Container plugin_field[] = {
    FIELD(mjsPlugin, plugin_name, STRING),
    FIELD(mjsPlugin, info, STRING),
};

#define FIELDS(name_) name_##_field, (int)(sizeof(name_##_field) / sizeof(name_##_field[0]))

// Arguments: number, name in tables and values, public struct, private head; then the aliases of
// name and class and the place of the template in a default class, 0 where there is none.
#define KIND(type_, name_, struct_, head_, alias_, class_, template_)             \
  static const ct_Kind name_##_kind = {                                           \
      type_,         #name_, sizeof(head_), sizeof(struct_), &ct_initial_##name_, \
      FIELDS(name_), alias_, class_,        template_};
#define TEMPLATE(name_) offsetof(mjsDefault, name_)

// clang-format off
KIND(mjOBJ_UNKNOWN,  wrap,     mjsWrap,     ct_Wrap,    0, 0, 0)
KIND(mjOBJ_BODY,     body,     mjsBody,     ct_Body,    0, offsetof(mjsBody, childclass), 0)
KIND(mjOBJ_FRAME,    frame,    mjsFrame,    ct_Frame,   0, offsetof(mjsFrame, childclass), 0)
KIND(mjOBJ_JOINT,    joint,    mjsJoint,    ct_Element, 0, 0, TEMPLATE(joint))
KIND(mjOBJ_GEOM,     geom,     mjsGeom,     ct_Element, 0, 0, TEMPLATE(geom))
KIND(mjOBJ_SITE,     site,     mjsSite,     ct_Element, 0, 0, TEMPLATE(site))
KIND(mjOBJ_CAMERA,   camera,   mjsCamera,   ct_Element, 0, 0, TEMPLATE(camera))
KIND(mjOBJ_LIGHT,    light,    mjsLight,    ct_Element, 0, 0, TEMPLATE(light))
KIND(mjOBJ_FLEX,     flex,     mjsFlex,     ct_Element, 0, 0, TEMPLATE(flex))
KIND(mjOBJ_MESH,     mesh,     mjsMesh,     ct_Element, 0, 0, TEMPLATE(mesh))
KIND(mjOBJ_SKIN,     skin,     mjsSkin,     ct_Element, 0, 0, 0)
KIND(mjOBJ_HFIELD,   hfield,   mjsHField,   ct_Element, 0, 0, 0)
KIND(mjOBJ_TEXTURE,  texture,  mjsTexture,  ct_Element, 0, 0, 0)
KIND(mjOBJ_MATERIAL, material, mjsMaterial, ct_Element, 0, 0, TEMPLATE(material))
KIND(mjOBJ_PAIR,     pair,     mjsPair,     ct_Element, 0, 0, TEMPLATE(pair))
KIND(mjOBJ_EXCLUDE,  exclude,  mjsExclude,  ct_Element, 0, 0, 0)
KIND(mjOBJ_EQUALITY, equality, mjsEquality, ct_Element, 0, 0, TEMPLATE(equality))
KIND(mjOBJ_TENDON,   tendon,   mjsTendon,   ct_Tendon,  0, 0, TEMPLATE(tendon))
KIND(mjOBJ_ACTUATOR, actuator, mjsActuator, ct_Element, 0, 0, TEMPLATE(actuator))
KIND(mjOBJ_SENSOR,   sensor,   mjsSensor,   ct_Element, 0, 0, 0)
KIND(mjOBJ_NUMERIC,  numeric,  mjsNumeric,  ct_Element, 0, 0, 0)
KIND(mjOBJ_TEXT,     text,     mjsText,     ct_Element, 0, 0, 0)
KIND(mjOBJ_TUPLE,    tuple,    mjsTuple,    ct_Element, 0, 0, 0)
KIND(mjOBJ_KEY,      key,      mjsKey,      ct_Element, 0, 0, 0)
KIND(mjOBJ_PLUGIN,   plugin,   mjsPlugin,   ct_Plugin,  offsetof(mjsPlugin, name), 0, 0)
KIND(mjOBJ_MODEL,    spec,     mjSpec,      ct_Spec,    0, 0, 0)
// clang-format on

// A class has no strings of its own, and its pointers lead to templates.
static const mjsDefault initial_class = {.element = NULL};
static const ct_Kind class_kind = {mjOBJ_DEFAULT,
                                   "default",
                                   sizeof(ct_Default),
                                   sizeof(mjsDefault),
                                   &initial_class,
                                   NULL,
                                   0,
                                   0,
                                   0,
                                   0};

const ct_Kind* ct_kind(mjtObj type) {
  static const ct_Kind* const kinds[mjNOBJECT] = {
      [mjOBJ_UNKNOWN] = &wrap_kind,      [mjOBJ_BODY] = &body_kind,
      [mjOBJ_JOINT] = &joint_kind,       [mjOBJ_GEOM] = &geom_kind,
      [mjOBJ_SITE] = &site_kind,         [mjOBJ_CAMERA] = &camera_kind,
      [mjOBJ_LIGHT] = &light_kind,       [mjOBJ_FLEX] = &flex_kind,
      [mjOBJ_MESH] = &mesh_kind,         [mjOBJ_SKIN] = &skin_kind,
      [mjOBJ_HFIELD] = &hfield_kind,     [mjOBJ_TEXTURE] = &texture_kind,
      [mjOBJ_PAIR] = &pair_kind,         [mjOBJ_MATERIAL] = &material_kind,
      [mjOBJ_EXCLUDE] = &exclude_kind,   [mjOBJ_TENDON] = &tendon_kind,
      [mjOBJ_EQUALITY] = &equality_kind, [mjOBJ_ACTUATOR] = &actuator_kind,
      [mjOBJ_SENSOR] = &sensor_kind,     [mjOBJ_NUMERIC] = &numeric_kind,
      [mjOBJ_TEXT] = &text_kind,         [mjOBJ_TUPLE] = &tuple_kind,
      [mjOBJ_KEY] = &key_kind,           [mjOBJ_PLUGIN] = &plugin_kind,
  };
  switch ((int)type) {
    case mjOBJ_FRAME:
      return &frame_kind;
    case mjOBJ_DEFAULT:
      return &class_kind;
    case mjOBJ_MODEL:
      return &spec_kind;
    default:
      return (int)type >= 0 && type < mjNOBJECT ? kinds[type] : NULL;
  }
}
