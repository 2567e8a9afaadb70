// Reading model files: what each section puts into the spec.

#include <math.h>
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "spec/spec.h"

#define IN(x_) "<mujoco>" x_ "</mujoco>"
#define WORLD(x_) IN("<worldbody>" x_ "</worldbody>")

static mjSpec* read_text(const char* text) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s\nis refused: %s", text, error);
  return spec;
}

static void* find(mjSpec* spec, mjtObj type, const char* name) {
  mjsElement* e = mjs_findElement(spec, type, name);
  if (!e) fail_msg("no element \"%s\"", name);
  return ct_element(e)->values;
}

static void expect(const double* got, int n, const double* wanted) {
  for (int i = 0; i < n; i++) {
    if (got[i] != wanted[i]) fail_msg("number %d is %.17g, expected %.17g", i, got[i], wanted[i]);
  }
}
#define EXPECT(got_, ...)                                  \
  {                                                        \
    static const double wanted[] = {__VA_ARGS__};          \
    expect(got_, sizeof(wanted) / sizeof(double), wanted); \
  }

static void expect_vector(const mjDoubleVec* vector, int n, const double* wanted) {
  int count;
  const double* got = ct_doubles(vector, &count);
  assert_int_equal(count, n);
  expect(got, n, wanted);
}
#define EXPECT_VECTOR(vector_, ...)                                  \
  {                                                                  \
    static const double wanted[] = {__VA_ARGS__};                    \
    expect_vector(vector_, sizeof(wanted) / sizeof(double), wanted); \
  }

// The whole model

static void the_root_gives_name_and_comment(void** state) {
  (void)state;
  mjSpec* spec = read_text("<mujoco model='m'><!-- words --><option/></mujoco>");
  assert_string_equal(mjs_getString(spec->modelname), "m");
  assert_string_equal(mjs_getString(spec->comment), " words ");
  mj_deleteSpec(spec);
  spec = read_text("<mujoco>text<!-- words --></mujoco>");
  assert_string_equal(mjs_getString(spec->modelname), "MuJoCo Model");
  assert_string_equal(mjs_getString(spec->comment), "");
  mj_deleteSpec(spec);
}

static void R30_1_characters_come_through_as_the_bytes_they_are(void** state) {
  (void)state;
  static const struct {
    const char *text, *name;
  } cases[] = {
      {"<mujoco model='a\x1B&#27;&#x1b;b\x7F'/>", "a\x1B\x1B\x1B\x62\x7F"},
      {"<mujoco model='\xE9&#233;&#xFDD5;\xEF\xB7\x95'/>", "\xE9\xC3\xA9\xEF\xB7\x95\xEF\xB7\x95"},
      {"<mujoco model='&#xFFFE;&#x1F600;&#x110000;'/>", "\xEF\xBF\xBE\xF0\x9F\x98\x80&#x110000;"},
      {"<mujoco model='cut&#0;here'/>", "cut"},
      {"<mujoco model='a\r\nb\rc\td'/>", "a\nb\nc\td"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char error[500] = "";
    mjSpec* spec = mj_parseXMLString(cases[i].text, NULL, error, sizeof(error));
    if (!spec) fail_msg("%s", error);
    assert_string_equal(ct_text(spec->modelname), cases[i].name);
    mj_deleteSpec(spec);
  }
}

static void R30_1_settings_of_repeated_sections_add_up(void** state) {
  (void)state;
  mjSpec* spec = read_text(
      IN("<compiler angle='radian' eulerseq='ZYX' assetdir='a' texturedir='t' inertiagrouprange='1 "
         "2' alignfree='true'>"
         "<lengthrange mode='all' accel='7'/></compiler><compiler autolimits='false' "
         "coordinate='local'/>"
         "<option timestep='.5' gravity='1 2 3' o_solref='.25' solver='CG' actuatorgroupdisable='0 "
         "30'>"
         "<flag contact='disable' gravity='disable' energy='enable'/></option>"
         "<option integrator='RK4' actuatorgroupdisable='1'><flag gravity='enable'/></option>"
         "<size memory='2K' nkey='3' nuser_geom='4'/>"
         "<visual><global fovy='30' orthographic='true'/><map znear='.5'/><rgba haze='1 0 0 "
         "1'/></visual>"
         "<statistic extent='2' center='1 2 3'/>"));
  const mjsCompiler* c = &spec->compiler;
  assert_int_equal(c->degree, 0);
  assert_memory_equal(c->eulerseq, "ZYX", 3);
  assert_string_equal(mjs_getString(c->meshdir), "a");
  assert_string_equal(mjs_getString(c->texturedir), "t");
  assert_int_equal(c->inertiagrouprange[1], 2);
  assert_int_equal(c->alignfree, 1);
  assert_int_equal(c->autolimits, 0);
  assert_int_equal(c->LRopt.mode, mjLRMODE_ALL);
  assert_true(c->LRopt.accel == 7);
  assert_true(spec->option.timestep == .5 && spec->option.gravity[2] == 3);
  assert_true(spec->option.o_solref[0] == .25 && spec->option.o_solref[1] == 1);
  assert_int_equal(spec->option.solver, mjSOL_CG);
  assert_int_equal(spec->option.integrator, mjINT_RK4);
  assert_int_equal(spec->option.disableactuator, 1 << 30 | 3);
  assert_int_equal(spec->option.disableflags, mjDSBL_CONTACT);
  assert_int_equal(spec->option.enableflags, mjENBL_ENERGY);
  assert_int_equal(spec->memory, 2048);
  assert_int_equal(spec->nkey, 3);
  assert_int_equal(spec->nuser_geom, 4);
  assert_true(spec->visual.global.fovy == 30 && spec->visual.global.orthographic == 1);
  assert_true(spec->visual.map.znear == .5f && spec->visual.rgba.haze[1] == 0);
  assert_true(spec->stat.extent == 2 && spec->stat.center[1] == 2 &&
              isnan((double)spec->stat.meanmass));
  mj_deleteSpec(spec);
}

// Classes

static void R30_1_elements_start_from_the_class_in_force(void** state) {
  (void)state;
  mjSpec* spec = read_text(
      "<mujoco><default><geom size='1 2 3' rgba='1 0 0 1'/><default class='a'><geom "
      "size='4'/><joint damping='2'/>"
      "<default class='b'><geom friction='.5'/></default></default></default>"
      "<default><geom margin='9'/></default>"
      "<worldbody><geom name='g0'/><body childclass='a'><geom name='g1'/><frame "
      "childclass='b'><geom name='g2'/>"
      "<body name='inner'><geom name='g3'/></body></frame><geom name='g4' class='main'/><joint "
      "name='j'/>"
      "<freejoint name='f'/></body></worldbody></mujoco>");
  EXPECT(((mjsGeom*)find(spec, mjOBJ_GEOM, "g0"))->size, 1, 2, 3)
  EXPECT(((mjsGeom*)find(spec, mjOBJ_GEOM, "g1"))->size, 4, 2, 3)
  EXPECT(((mjsGeom*)find(spec, mjOBJ_GEOM, "g2"))->friction, .5, .005, .0001)
  EXPECT(((mjsGeom*)find(spec, mjOBJ_GEOM, "g3"))->friction, .5, .005, .0001)
  EXPECT(((mjsGeom*)find(spec, mjOBJ_GEOM, "g4"))->size, 1, 2, 3)
  assert_true(((mjsGeom*)find(spec, mjOBJ_GEOM, "g0"))->margin == 9);
  assert_true(((mjsGeom*)find(spec, mjOBJ_GEOM, "g1"))->margin == 0);  // copied before it was set
  assert_true(((mjsJoint*)find(spec, mjOBJ_JOINT, "j"))->damping == 2);
  assert_true(((mjsJoint*)find(spec, mjOBJ_JOINT, "f"))->damping == 0);
  mj_deleteSpec(spec);
}

static void shortcuts_of_actuators_in_a_class_write_one_template(void** state) {
  (void)state;
  mjSpec* spec =
      read_text(IN("<default><velocity kv='7'/><position kp='3'/></default>"
                   "<actuator><general name='a' joint='j'/></actuator>"));
  const mjsActuator* a = (const mjsActuator*)find(spec, mjOBJ_ACTUATOR, "a");
  EXPECT(a->biasprm, 0, -3, -7)
  mj_deleteSpec(spec);
}

// The tree

static void R30_1_the_tree_is_read_with_poses_and_orders(void** state) {
  (void)state;
  mjSpec* spec = read_text(
      WORLD("<body name='b' pos='1 2 3' euler='10 20 30' gravcomp='.5' sleep='never' user='1 2'>"
            "<inertial pos='0 0 1' mass='2' diaginertia='1 2 3'/>"
            "<geom name='late' type='box' size='1 1 1' fluidshape='ellipsoid' shellinertia='true' "
            "mass='3' zaxis='1 0 0'/>"
            "<joint name='j' type='slide' axis='1 0 0' range='0 1' limited='true'/>"
            "<site name='s' type='capsule' fromto='0 0 0 1 1 1'/>"
            "<camera name='c' output='depth normal' resolution='3 4' focal='.5 .25'/>"
            "<light name='l' directional='true' dir='0 1 0' castshadow='false'/></body>"
            "<frame name='f' pos='1 0 0'><body name='framed' mocap='true'/></frame>"));
  const mjsBody* b = (const mjsBody*)find(spec, mjOBJ_BODY, "b");
  EXPECT(b->pos, 1, 2, 3)
  EXPECT(b->alt.euler, 10, 20, 30)
  assert_int_equal(b->alt.type, mjORIENTATION_EULER);
  assert_int_equal(b->sleep, mjSLEEP_NEVER);
  assert_int_equal(b->explicitinertial, 1);
  EXPECT(b->inertia, 1, 2, 3)
  EXPECT_VECTOR(b->userdata, 1, 2)
  const mjsGeom* g = (const mjsGeom*)find(spec, mjOBJ_GEOM, "late");
  assert_true(g->type == mjGEOM_BOX && g->typeinertia == mjINERTIA_SHELL &&
              g->fluid_ellipsoid == 1 && g->mass == 3);
  assert_int_equal(g->alt.type, mjORIENTATION_ZAXIS);
  const mjsJoint* j = (const mjsJoint*)find(spec, mjOBJ_JOINT, "j");
  assert_true(j->type == mjJNT_SLIDE && j->limited == mjLIMITED_TRUE && j->range[1] == 1);
  EXPECT(((mjsSite*)find(spec, mjOBJ_SITE, "s"))->fromto, 0, 0, 0, 1, 1, 1)
  const mjsCamera* c = (const mjsCamera*)find(spec, mjOBJ_CAMERA, "c");
  assert_true(c->output == (mjCAMOUT_DEPTH | mjCAMOUT_NORMAL) && c->resolution[1] == 4 &&
              c->focal_length[1] == .25f);
  const mjsLight* l = (const mjsLight*)find(spec, mjOBJ_LIGHT, "l");
  assert_true(l->type == mjLIGHT_DIRECTIONAL && !l->castshadow);
  const mjsBody* framed = (const mjsBody*)find(spec, mjOBJ_BODY, "framed");
  assert_string_equal(mjs_getString(mjs_getName(mjs_getFrame(framed->element)->element)), "f");
  mj_deleteSpec(spec);
}

// Test vector 1 of the behaviour notes, as the frame of the fifth copy.
static void R30_1_replicate_turns_and_moves_its_copies(void** state) {
  (void)state;
  mjSpec* spec =
      read_text(WORLD("<replicate count='5' offset='1 2 3' euler='10 20 30'><geom name='g' "
                      "size='.1'/></replicate>"));
  static const double pos[3] = {4.482798856175017, 3.647276885460174, 13.049949220542153};
  static const double quat[4] = {0.16953066546790002, 0.6541003814777043, 0.07511045314053885,
                                 0.7333283468172735};
  const mjsGeom* g = (const mjsGeom*)find(spec, mjOBJ_GEOM, "g4");
  const mjsFrame* frame = mjs_getFrame(g->element);
  for (int i = 0; i < 3; i++) assert_true(fabs(frame->pos[i] - pos[i]) < 1e-14);
  for (int i = 0; i < 4; i++) assert_true(fabs(frame->quat[i] - quat[i]) < 1e-15);
  assert_null(mjs_findElement(spec, mjOBJ_GEOM, "g"));
  mj_deleteSpec(spec);
}

// The other sections

static void R30_1_assets_are_read(void** state) {
  (void)state;
  mjSpec* spec = read_text(
      IN("<asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' scale='1 2 3' inertia='exact'/>"
         "<hfield name='h' nrow='2' ncol='3' size='1 1 1 1' elevation='1 2 3 4 5 6'/>"
         "<texture name='t' builtin='checker' type='2d' width='8' height='8' gridsize='3 4' "
         "gridlayout='.U..LFRB.D..'/>"
         "<material name='a' texture='t' rgba='1 0 0 1'/>"
         "<material name='b'><layer role='orm' texture='t'/></material>"
         "<skin name='s' group='2'><bone body='x' bindpos='1 2 3' bindquat='1 0 0 0' vertid='0 1' "
         "vertweight='1 .5'/></skin>"
         "</asset>"));
  int n;
  const mjsMesh* mesh = (const mjsMesh*)find(spec, mjOBJ_MESH, "m");
  ct_floats(mesh->uservert, &n);
  assert_int_equal(n, 12);
  assert_int_equal(mesh->inertia, mjMESH_INERTIA_EXACT);
  const float* height = ct_floats(((mjsHField*)find(spec, mjOBJ_HFIELD, "h"))->userdata, &n);
  assert_int_equal(n, 6);
  assert_true(height[0] == 4 && height[3] == 1);
  assert_memory_equal(((mjsTexture*)find(spec, mjOBJ_TEXTURE, "t"))->gridlayout, ".U..LFRB.D..",
                      12);
  const mjsMaterial* a = (const mjsMaterial*)find(spec, mjOBJ_MATERIAL, "a");
  const mjsMaterial* b = (const mjsMaterial*)find(spec, mjOBJ_MATERIAL, "b");
  assert_true(ct_string_equal(ct_strings_at(ct_vec(a->textures), mjTEXROLE_RGB), "t"));
  assert_true(ct_string_equal(ct_strings_at(ct_vec(b->textures), mjTEXROLE_ORM), "t"));
  const mjsSkin* skin = (const mjsSkin*)find(spec, mjOBJ_SKIN, "s");
  assert_true(ct_string_equal(ct_strings_at(ct_vec(skin->bodyname), 0), "x"));
  assert_int_equal(ct_vector_count(ct_vectors_at(ct_vec(skin->vertweight), 0), sizeof(float)), 2);
  mj_deleteSpec(spec);
}

static void R30_1_constraints_and_tendons_are_read(void** state) {
  (void)state;
  mjSpec* spec =
      read_text(IN("<contact><pair name='p' geom1='a' geom2='b' friction='2'/><exclude name='x' "
                   "body1='c' body2='d'/></contact>"
                   "<equality><connect name='k' body1='a' anchor='1 2 3'/><weld name='w' body1='a' "
                   "relpose='1 2 3 1 0 0 0'/>"
                   "<weld name='s' site1='a' site2='b' torquescale='4'/><joint name='j' joint1='a' "
                   "polycoef='5'/></equality>"
                   "<tendon><spatial name='t' springlength='.5' width='.1'><site site='a'/><geom "
                   "geom='g' sidesite='b'/>"
                   "<pulley divisor='2'/></spatial><fixed name='f'><joint joint='j' "
                   "coef='-1'/></fixed></tendon>"));
  EXPECT(((mjsPair*)find(spec, mjOBJ_PAIR, "p"))->friction, 2, 1, .005, .0001, .0001)
  assert_string_equal(mjs_getString(((mjsExclude*)find(spec, mjOBJ_EXCLUDE, "x"))->bodyname2), "d");
  EXPECT(((mjsEquality*)find(spec, mjOBJ_EQUALITY, "k"))->data, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 1)
  EXPECT(((mjsEquality*)find(spec, mjOBJ_EQUALITY, "w"))->data, 0, 0, 0, 1, 2, 3, 1, 0, 0, 0, 1)
  EXPECT(((mjsEquality*)find(spec, mjOBJ_EQUALITY, "s"))->data, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 4)
  EXPECT(((mjsEquality*)find(spec, mjOBJ_EQUALITY, "j"))->data, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1)
  mjsTendon* t = (mjsTendon*)find(spec, mjOBJ_TENDON, "t");
  EXPECT(t->springlength, .5, .5)
  assert_int_equal(mjs_getWrapNum(t), 3);
  assert_true(mjs_getWrapDivisor(mjs_getWrap(t, 2)) == 2);
  assert_true(mjs_getWrapCoef(mjs_getWrap((mjsTendon*)find(spec, mjOBJ_TENDON, "f"), 0)) == -1);
  mj_deleteSpec(spec);
}

// Test vector 7 of the behaviour notes, and one of each other kind.
static void R30_1_shortcuts_of_actuators_write_their_parameters(void** state) {
  (void)state;
  mjSpec* spec = read_text(
      IN("<actuator><cylinder name='c' joint='j' diameter='2' timeconst='.3' bias='1 2 3'/>"
         "<position name='p' joint='j' kp='3' kv='2' timeconst='.1'/><velocity name='v' tendon='t' "
         "kv='5'/>"
         "<intvelocity name='i' site='s' refsite='r' kp='2' actrange='0 1'/><damper name='d' "
         "joint='j' kv='6' ctrlrange='0 1'/>"
         "<muscle name='m' joint='j' force='100' timeconst='.02 .05'/><adhesion name='a' body='b' "
         "gain='7' ctrlrange='0 1'/>"
         "<motor name='o' cranksite='k' slidersite='l' cranklength='2' gear='1 2 3'/></actuator>"));
#define ACTUATOR(name_) ((mjsActuator*)find(spec, mjOBJ_ACTUATOR, name_))
  EXPECT(ACTUATOR("c")->biasprm, 1, 0, 0)
  assert_true(ACTUATOR("c")->dynprm[0] == .3 &&
              fabs(ACTUATOR("c")->gainprm[0] - 3.14159265358979) < 1e-14);
  EXPECT(ACTUATOR("p")->biasprm, 0, -3, -2)
  assert_int_equal(ACTUATOR("p")->dyntype, mjDYN_FILTEREXACT);
  assert_int_equal(ACTUATOR("v")->trntype, mjTRN_TENDON);
  EXPECT(ACTUATOR("v")->biasprm, 0, 0, -5)
  assert_true(ACTUATOR("i")->dyntype == mjDYN_INTEGRATOR &&
              ACTUATOR("i")->actlimited == mjLIMITED_TRUE);
  assert_string_equal(mjs_getString(ACTUATOR("i")->refsite), "r");
  EXPECT(ACTUATOR("d")->gainprm, 0, 0, -6)
  EXPECT(ACTUATOR("m")->gainprm, .75, 1.05, 100, 200, .5, 1.6, 1.5, 1.3, 1.2)
  assert_true(ACTUATOR("a")->gainprm[0] == 7 && ACTUATOR("a")->trntype == mjTRN_BODY);
  EXPECT(ACTUATOR("o")->gear, 1, 2, 3, 0, 0, 0)
  assert_int_equal(ACTUATOR("o")->trntype, mjTRN_SLIDERCRANK);
  mj_deleteSpec(spec);
}

static void R30_1_sensors_know_what_they_are_attached_to(void** state) {
  (void)state;
  mjSpec* spec =
      read_text(IN("<sensor><gyro name='g' site='s' noise='.1' cutoff='2'/><framepos name='f' "
                   "objtype='xbody' objname='b' reftype='site' refname='s'/>"
                   "<rangefinder name='r' camera='c' data='dist normal'/><contact name='k' "
                   "subtree1='a' geom2='b' num='3' data='found force' reduce='netforce'/>"
                   "<distance name='d' geom1='a' body2='b'/><insidesite name='i' site='s' "
                   "objtype='geom' objname='g'/>"
                   "<user name='u' dim='4' datatype='quaternion' needstage='vel'/><clock name='t' "
                   "interval='.1'/></sensor>"));
#define SENSOR(name_) ((mjsSensor*)find(spec, mjOBJ_SENSOR, name_))
  assert_true(SENSOR("g")->type == mjSENS_GYRO && SENSOR("g")->objtype == mjOBJ_SITE &&
              SENSOR("g")->cutoff == 2);
  assert_true(SENSOR("f")->objtype == mjOBJ_XBODY && SENSOR("f")->reftype == mjOBJ_SITE);
  assert_true(SENSOR("r")->objtype == mjOBJ_CAMERA && SENSOR("r")->intprm[0] == 17);
  assert_true(SENSOR("k")->objtype == mjOBJ_XBODY && SENSOR("k")->reftype == mjOBJ_GEOM);
  assert_true(SENSOR("k")->intprm[0] == 3 && SENSOR("k")->intprm[1] == 3 &&
              SENSOR("k")->intprm[2] == 3);
  assert_true(SENSOR("d")->objtype == mjOBJ_GEOM && SENSOR("d")->reftype == mjOBJ_BODY);
  assert_true(SENSOR("i")->objtype == mjOBJ_GEOM && SENSOR("i")->reftype == mjOBJ_SITE);
  assert_true(SENSOR("u")->dim == 4 && SENSOR("u")->needstage == mjSTAGE_VEL &&
              SENSOR("u")->datatype == mjDATATYPE_QUATERNION);
  assert_true(SENSOR("t")->interval[0] == .1 && SENSOR("t")->objtype == mjOBJ_UNKNOWN);
  mj_deleteSpec(spec);
}

static void custom_fields_and_keys_are_read(void** state) {
  (void)state;
  mjSpec* spec =
      read_text(IN("<custom><numeric name='n' size='3' data='1'/><text name='t' data='a\nb'/>"
                   "<tuple name='u'><element objtype='body' objname='b' prm='2'/></tuple></custom>"
                   "<keyframe><key name='k' time='2' qpos='1 2 3' ctrl='4'/></keyframe>"));
  EXPECT_VECTOR(((mjsNumeric*)find(spec, mjOBJ_NUMERIC, "n"))->data, 1, 0, 0)
  assert_string_equal(mjs_getString(((mjsText*)find(spec, mjOBJ_TEXT, "t"))->data), "a\nb");
  EXPECT_VECTOR(((mjsTuple*)find(spec, mjOBJ_TUPLE, "u"))->objprm, 2)
  EXPECT_VECTOR(((mjsKey*)find(spec, mjOBJ_KEY, "k"))->qpos, 1, 2, 3)
  mj_deleteSpec(spec);
}

// Files

static void add(mjVFS* vfs, const char* name, const char* text) {
  assert_int_equal(mj_addBufferVFS(vfs, name, text, (int)strlen(text)), 0);
}

static void R30_1_includes_are_put_in_place(void** state) {
  (void)state;
  mjVFS vfs;
  char error[1000];
  mj_defaultVFS(&vfs);
  add(&vfs, "main.xml",
      "<mujoco><worldbody><geom name='a' size='1'/><include file='part.xml'/><geom name='c' "
      "size='1'/></worldbody></mujoco>");
  add(&vfs, "part.xml", "<x y='1'><geom name='b' size='1'/><include file='deep.xml'/></x>");
  add(&vfs, "deep.xml", "<x><geom name='d' size='1'/></x>");
  add(&vfs, "twice.xml",
      "<mujoco><include file='deep2.xml'/><include file='./deep2.xml'/></mujoco>");
  add(&vfs, "deep2.xml", "<x><option/></x>");
  add(&vfs, "self.xml", "<mujoco><include file='self.xml'/></mujoco>");
  add(&vfs, "none.xml", "<mujoco><include file='nowhere.xml'/></mujoco>");
  add(&vfs, "full.xml", "<mujoco><include file='deep.xml'><!-- --></include></mujoco>");
  mjSpec* spec = mj_parseXML("main.xml", &vfs, error, sizeof(error));
  assert_non_null(spec);
  const char* order = "abdc";
  mjsElement* e = mjs_firstElement(spec, mjOBJ_GEOM);
  for (int i = 0; order[i]; i++, e = mjs_nextElement(spec, e)) {
    assert_int_equal(mjs_getString(mjs_getName(e))[0], order[i]);
  }
  mj_deleteSpec(spec);
  assert_null(mj_parseXML("twice.xml", &vfs, error, sizeof(error)));
  assert_non_null(strstr(error, "included already"));
  assert_null(mj_parseXML("self.xml", &vfs, error, sizeof(error)));
  assert_non_null(strstr(error, "included already"));
  assert_null(mj_parseXML("none.xml", &vfs, error, sizeof(error)));
  assert_non_null(strstr(error, "cannot include nowhere.xml"));
  assert_null(mj_parseXML("full.xml", &vfs, error, sizeof(error)));
  assert_non_null(strstr(error, "must be empty"));
  assert_null(mj_parseXML("missing.xml", &vfs, error, sizeof(error)));
  assert_non_null(strstr(error, "missing.xml"));
  mj_deleteVFS(&vfs);
}

static void R30_1_models_are_attached_with_a_prefix(void** state) {
  (void)state;
  mjVFS vfs;
  char error[1000];
  mj_defaultVFS(&vfs);
  add(&vfs, "part.xml",
      "<mujoco model='part'><default><default class='k'><geom "
      "size='7'/></default></default><worldbody>"
      "<body name='b'><joint name='j'/><geom name='g' class='k'/></body></worldbody>"
      "<actuator><motor name='m' joint='j'/></actuator></mujoco>");
  add(&vfs, "main.xml",
      "<mujoco><asset><model file='part.xml'/></asset><worldbody><frame pos='1 0 0'>"
      "<attach model='part' body='b' prefix='l_'/></frame><attach model='part' prefix='r_'/>"
      "<geom name='x' class='l_k'/></worldbody></mujoco>");
  mjSpec* spec = mj_parseXML("main.xml", &vfs, error, sizeof(error));
  if (!spec) fail_msg("%s", error);
  find(spec, mjOBJ_BODY, "l_b");
  find(spec, mjOBJ_BODY, "r_b");
  find(spec, mjOBJ_ACTUATOR, "l_m");
  find(spec, mjOBJ_ACTUATOR, "r_m");
  assert_true(((mjsGeom*)find(spec, mjOBJ_GEOM, "x"))->size[0] == 7);
  mj_deleteSpec(spec);
  mj_deleteVFS(&vfs);
}

static mjModel* load_with_parts(const char* text) {
  mjVFS vfs;
  char error[1000] = "";
  mj_defaultVFS(&vfs);
  add(&vfs, "leaf.xml",
      "<mujoco><worldbody><body name='r'><joint name='j'/><geom size='.1'/></body></worldbody>"
      "<keyframe><key name='k1' qpos='.3'/></keyframe></mujoco>");
  add(&vfs, "middle.xml",
      "<mujoco><asset><model name='leaf' file='leaf.xml'/></asset><worldbody><body name='q'>"
      "<attach model='leaf' body='r' prefix='in_'/></body></worldbody></mujoco>");
  add(&vfs, "main.xml", text);
  mjModel* m = mj_loadXML("main.xml", &vfs, error, sizeof(error));
  if (!m) print_message("%s\n", error);
  mj_deleteVFS(&vfs);
  return m;
}

// The first attachment takes the keys of the attached model's own parts along.
// A decoder that makes a model with one body, called after the file.
static mjSpec* decodes(mjResource* resource, const mjVFS* vfs) {
  (void)vfs;
  if (strstr(resource->name, "broken")) return NULL;
  mjSpec* spec = mj_makeSpec();
  mjsBody* body = mjs_addBody(mjs_findBody(spec, "world"), NULL);
  mjs_setName(body->element, "decoded");
  return spec;
}

static int decodes_all_but_secrets(const mjResource* resource) {
  return !strstr(resource->name, "secret");
}

static void ignore_warnings_of_decoders(const char* message) {
  (void)message;
}

// What a model asset is made from: XML by its ending or content type, else whatever a registered
// decoder makes of it, by content type and then by ending, even if there is no such file.
static void R30_1_a_model_asset_may_be_decoded(void** state) {
  (void)state;
  mjpDecoder decoder;
  mjp_defaultDecoder(&decoder);
  decoder.content_type = "model/blocks";
  decoder.extension = ".blocks";
  decoder.can_decode = decodes_all_but_secrets;
  decoder.decode = decodes;
  mjp_registerDecoder(&decoder);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  const char* const files[] = {"a.blocks", "a.txt", "a.xml", "broken.blocks", "secret.blocks"};
  for (int i = 0; i < 5; i++) {
    add(&vfs, files[i], "<mujoco><worldbody><body name='read'/></worldbody></mujoco>");
  }
  static const struct {
    const char *attributes, *body;  // body NULL: refused
  } cases[] = {{"file='a.blocks'", "decoded"},
               {"file='a.txt' content_type='model/blocks'", "decoded"},
               {"file='missing.blocks'", "decoded"},
               {"file='a.blocks' content_type='model/unknown'", "decoded"},
               {"file='a.blocks' content_type='text/xml'", "read"},
               {"file='a.xml' content_type='model/blocks'", "read"},
               {"file='a.txt'", NULL},
               {"file='broken.blocks'", NULL},
               {"file='secret.blocks'", NULL}};
  mju_user_warning = ignore_warnings_of_decoders;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char text[500], error[500];
    snprintf(text, sizeof(text),
             "<mujoco><asset><model name='m' %s/></asset><worldbody><attach model='m' prefix='p_'"
             " body='%s'/></worldbody></mujoco>",
             cases[i].attributes, cases[i].body ? cases[i].body : "read");
    mjSpec* spec = mj_parseXMLString(text, &vfs, error, sizeof(error));
    if (!spec != !cases[i].body) fail_msg("%s: %s", cases[i].attributes, error);
    mj_deleteSpec(spec);
  }
  mju_user_warning = NULL;
  mj_deleteVFS(&vfs);
}

static void R30_1_a_model_with_attached_keys_can_be_attached_twice(void** state) {
  (void)state;
  mjModel* m = load_with_parts(
      "<mujoco><asset><model name='middle' file='middle.xml'/></asset><worldbody>"
      "<attach model='middle' body='q' prefix='o_'/><attach model='middle' body='q' prefix='p_'/>"
      "</worldbody></mujoco>");
  assert_non_null(m);
  assert_int_equal(m->nbody, 5);
  assert_int_equal(m->nkey, 1);
  assert_int_equal(mj_name2id(m, mjOBJ_KEY, "in_k1"), 0);
  assert_true(m->key_qpos[0] == (mjtNum)0.3 && m->key_qpos[1] == 0);
  mj_deleteModel(m);
}

static void R30_1_an_empty_prefix_stands_for_the_first_body_without_name(void** state) {
  (void)state;
#define WITH_LEAF(x_)                                                         \
  "<mujoco><asset><model name='leaf' file='leaf.xml'/></asset><worldbody>" x_ \
  "</worldbody></mujoco>"
  static const struct {
    const char* text;
    int nbody, nkey;
    double x;  // of the first body
  } cases[] = {
      {WITH_LEAF("<attach model='leaf' prefix=''/>"), 2, 1, 0},
      {WITH_LEAF("<body/><attach model='leaf' prefix=''/>"), 2, 0, 0},
      {WITH_LEAF("<body/><frame pos='1 0 0'><attach model='leaf' prefix=''/></frame>"), 2, 0, 1},
      {WITH_LEAF("<body/><attach model='leaf' body='r' prefix=''/>"), 3, 1, 0},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    mjModel* m = load_with_parts(cases[i].text);
    assert_non_null(m);
    assert_int_equal(m->nbody, cases[i].nbody);
    assert_int_equal(m->nkey, cases[i].nkey);
    assert_true(m->body_pos[3] == cases[i].x);
    mj_deleteModel(m);
  }
  assert_null(load_with_parts(WITH_LEAF("<body><attach model='leaf' prefix=''/></body>")));
#undef WITH_LEAF
}

// The schema

static uint64_t fingerprint(const char* text) {
  uint64_t hash = 1469598103934665603u;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  return hash;
}

static void R30_1_the_schema_is_the_one_of_the_reference(void** state) {
  (void)state;
  static const int length[3] = {27415, 40115, 35554};
  static const uint64_t hash[3] = {0x44821789e7c6da32u, 0x47e83ac99461918fu, 0x1d266e6ea09ea2a2u};
  for (int i = 0; i < 3; i++) {
    char* text = (char*)malloc(50000);
    assert_int_equal(mj_printSchema(NULL, text, 50000, i > 0, i > 1), length[i]);
    assert_int_equal(strlen(text), length[i]);
    assert_true(fingerprint(text) == hash[i]);
    assert_int_equal(mj_printSchema(NULL, text, 10, i > 0, i > 1), length[i]);
    assert_int_equal(strlen(text), 9);
    free(text);
  }
}

// What refers to the content goes along with every copy, also if it refers to something that went
// along; what is left of the content's own goes with it.
static void everything_that_refers_to_a_replicate_is_replicated(void** state) {
  (void)state;
  const char* text =
      "<mujoco><worldbody><body name='ground'><geom name='floor' size='1'/></body>"
      "<replicate count='20' offset='1 0 0'><body name='b'><joint name='j'/><geom name='g' "
      "size='.1'/><site name='s'/><site name='e' pos='1 0 0'/></body></replicate></worldbody>"
      "<contact><exclude name='x' body1='b' body2='ground'/><pair name='p' geom1='g' "
      "geom2='floor'/></contact><equality><joint name='q' joint1='j'/><tendon name='u' "
      "tendon1='t'/>"
      "</equality><tendon><spatial name='t'><site site='s'/><site site='e'/></spatial></tendon>"
      "<actuator><motor name='m' tendon='t'/><motor name='n' joint='j'/></actuator>"
      "<sensor><actuatorfrc name='f' actuator='m'/><tendonpos name='l' tendon='t'/></sensor>"
      "</mujoco>";
  char error[500] = "";
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  assert_string_equal(error, "");
  mjModel* m = mj_compile(spec, NULL);
  assert_non_null(m);
  const struct {
    int type;
    const char* name;
  } kinds[] = {{mjOBJ_BODY, "b"},   {mjOBJ_JOINT, "j"},    {mjOBJ_EXCLUDE, "x"},
               {mjOBJ_PAIR, "p"},   {mjOBJ_EQUALITY, "q"}, {mjOBJ_EQUALITY, "u"},
               {mjOBJ_TENDON, "t"}, {mjOBJ_ACTUATOR, "m"}, {mjOBJ_ACTUATOR, "n"},
               {mjOBJ_SENSOR, "f"}, {mjOBJ_SENSOR, "l"}};
  for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
    for (int i = 0; i < 20; i++) {
      char name[20];
      snprintf(name, sizeof(name), "%s%02d", kinds[k].name, i);
      if (mj_name2id(m, kinds[k].type, name) < 0) fail_msg("%s is not there", name);
    }
  }
  assert_int_equal(m->neq, 40);
  assert_int_equal(m->nu, 40);
  assert_int_equal(m->nsensor, 40);
  assert_int_equal(m->sensor_objid[mj_name2id(m, mjOBJ_SENSOR, "f07")],
                   mj_name2id(m, mjOBJ_ACTUATOR, "m07"));
  assert_int_equal(m->actuator_trnid[2 * mj_name2id(m, mjOBJ_ACTUATOR, "m07")],
                   mj_name2id(m, mjOBJ_TENDON, "t07"));
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_root_gives_name_and_comment),
      cmocka_unit_test(R30_1_characters_come_through_as_the_bytes_they_are),
      cmocka_unit_test(R30_1_settings_of_repeated_sections_add_up),
      cmocka_unit_test(R30_1_elements_start_from_the_class_in_force),
      cmocka_unit_test(shortcuts_of_actuators_in_a_class_write_one_template),
      cmocka_unit_test(R30_1_the_tree_is_read_with_poses_and_orders),
      cmocka_unit_test(R30_1_replicate_turns_and_moves_its_copies),
      cmocka_unit_test(R30_1_assets_are_read),
      cmocka_unit_test(R30_1_constraints_and_tendons_are_read),
      cmocka_unit_test(R30_1_shortcuts_of_actuators_write_their_parameters),
      cmocka_unit_test(R30_1_sensors_know_what_they_are_attached_to),
      cmocka_unit_test(custom_fields_and_keys_are_read),
      cmocka_unit_test(R30_1_includes_are_put_in_place),
      cmocka_unit_test(R30_1_models_are_attached_with_a_prefix),
      cmocka_unit_test(R30_1_a_model_asset_may_be_decoded),
      cmocka_unit_test(R30_1_a_model_with_attached_keys_can_be_attached_twice),
      cmocka_unit_test(R30_1_an_empty_prefix_stands_for_the_first_body_without_name),
      cmocka_unit_test(R30_1_the_schema_is_the_one_of_the_reference),
      cmocka_unit_test(everything_that_refers_to_a_replicate_is_replicated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
