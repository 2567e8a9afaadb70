// R20.1: flexcomp becomes bodies, a flex and an equality; files that it names are read with care.
// Numbers of all shapes are compared with the reference's in tests/compile/test_recorded_models.c.

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

#include "support/fail.h"

#define COMP(attributes_, inside_)                                 \
  "<mujoco><worldbody><flexcomp name='f' " attributes_ ">" inside_ \
  "</flexcomp>"                                                    \
  "</worldbody></mujoco>"

#define APART "<contact selfcollide='none'/>"

typedef struct {
  const char* name;
  const void* bytes;
  size_t size;
} File;

// NULL: refused, for a reason that is in error.
static mjModel* load_with(const char* text, const File* file, char* error, int size) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  if (file) assert_int_equal(mj_addBufferVFS(&vfs, file->name, file->bytes, (int)file->size), 0);
  mjSpec* spec = mj_parseXMLString(text, &vfs, error, size);
  mjModel* m = spec ? mj_compile(spec, &vfs) : NULL;
  if (spec && !m) snprintf(error, (size_t)size, "%s", mjs_getError(spec));
  mj_deleteSpec(spec);
  mj_deleteVFS(&vfs);
  return m;
}

static mjModel* load(const char* text) {
  char error[1000] = "";
  mjModel* m = load_with(text, NULL, error, sizeof(error));
  if (!m) fail_msg("%s\nis refused: %s", text, error);
  return m;
}

static void refuse(const char* text, const File* file, const char* words) {
  char error[1000] = "(compiled)";
  mjModel* m = load_with(text, file, error, sizeof(error));
  mj_deleteModel(m);
  if (m || !strstr(error, words)) fail_msg("%s\nexpected \"%s\", got \"%s\"", text, words, error);
}

static void near(mjtNum found, double expected) {
  double tolerance = sizeof(mjtNum) == 8 ? 1e-14 : 1e-6;
  if (!(fabs((double)found - expected) <= tolerance))
    fail_msg("expected %.17g, got %.17g", expected, (double)found);
}

// Bodies

static void every_point_becomes_a_body_unless_it_is_pinned(void** state) {
  (void)state;
  mjModel* m = load(COMP("count='2 2 1' spacing='.1 .1 .1' mass='2'", "<pin id='1'/>"));
  assert_int_equal(m->nbody, 4);
  assert_int_equal(m->nv, 9);
  assert_string_equal(mj_id2name(m, mjOBJ_BODY, 1), "f_0");
  assert_string_equal(mj_id2name(m, mjOBJ_BODY, 2), "f_2");
  near(m->body_mass[1], 0.5);
  near(m->body_inertia[3], 0.5 * 2 * 0.005 * 0.005 / 3);
  assert_int_equal(m->flex_vertbodyid[1], 0);
  near(m->flex_vert[3 + 1], 0.05);
  assert_int_equal(m->flex_centered[0], 0);
  mj_deleteModel(m);
}

// R20.9: a vertex with three slides has its mass as inertia matrix.
static void R20_9_a_vertex_of_mass_2_has_inertia_2(void** state) {
  (void)state;
  mjModel* m = load(COMP("dim='1' count='2 1 1' mass='4'", "<pin id='0'/>"));
  mjData* d = mj_makeData(m);
  mj_makeM(m, d);
  assert_int_equal(m->nv, 3);
  for (int i = 0; i < 3; i++) near(m->dof_M0[i], 2);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void a_flex_that_is_pinned_everywhere_is_rigid(void** state) {
  (void)state;
  mjModel* m = load(COMP("count='2 2 1'", "<pin range='0 3'/><edge equality='true'/>"));
  assert_int_equal(m->nbody, 1);
  assert_int_equal(m->neq, 0);
  assert_int_equal(m->flex_rigid[0], 1);
  mj_deleteModel(m);
}

static void bodies_take_the_class_of_their_parent(void** state) {
  (void)state;
  mjModel* m = load(
      "<mujoco><default><joint damping='1'/><default class='c'><joint damping='2'/></default>"
      "</default><worldbody><body name='b' childclass='c'><flexcomp name='f' count='2 2 1'/>"
      "</body><frame childclass='c'><flexcomp name='g' count='2 2 "
      "1'/></frame></worldbody></mujoco>");
  near(m->dof_damping[0], 2);
  near(m->dof_damping[12], 1);  // a frame has no say
  mj_deleteModel(m);
}

static void edges_of_a_flexcomp_can_be_constrained(void** state) {
  (void)state;
  mjModel* m = load(COMP("count='2 2 1'", "<edge equality='true' solref='.01 .9'/>"));
  assert_int_equal(m->neq, 1);
  assert_int_equal(m->eq_type[0], mjEQ_FLEX);
  assert_int_equal(m->flex_edgeequality[0], 1);
  near(m->eq_solref[0], 0.01);
  near(m->flex_solref[0], 0.02);
  mj_deleteModel(m);
  m = load(COMP("count='2 2 1'", "<edge equality='vert'/>"));
  assert_int_equal(m->eq_type[0], mjEQ_FLEXVERT);
  assert_int_equal(m->flex_edgeequality[0], 2);
  mj_deleteModel(m);
}

static void points_that_no_element_uses_are_dropped(void** state) {
  (void)state;
  mjModel* m =
      load(COMP("type='direct' point='9 9 9 0 0 0 1 0 0 0 1 0' element='1 2 3' mass='3' "
                "texcoord='9 9 0 0 1 0 0 1'",
                "<pin id='0 1'/>"));
  assert_int_equal(m->nflexvert, 3);
  assert_int_equal(m->nbody, 3);
  assert_int_equal(m->nflextexcoord, 3);
  near(m->body_mass[1], 1);
  near((mjtNum)m->flex_texcoord[2], 1);
  mj_deleteModel(m);
}

// As in the reference, whatever gives the points.
static void control_points_lie_in_the_box_of_all_points(void** state) {
  (void)state;
  static const char mesh[] =
      "v 2 2 2\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 2 4 3\nf 2 3 5\nf 2 5 4\nf 3 4 5\n";
  static const char gmsh[] =
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n"
      "2 2 2\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
      "$Elements\n1 1 1 1\n3 1 4 1\n1 2 3 4 5\n$EndElements\n";
  static const File files[] = {{"t.obj", mesh, sizeof(mesh) - 1},
                               {"t.msh", gmsh, sizeof(gmsh) - 1}};
  static const struct {
    const char* text;
    const File* file;
    int last;  // node at the far corner
  } cases[] = {
      {COMP("type='direct' dim='3' radius='.01' dof='trilinear' element='1 2 3 4' "
            "point='2 2 2 0 0 0 1 0 0 0 1 0 0 0 1'",
            APART),
       NULL, 7},
      {COMP("type='direct' dim='3' radius='.01' dof='quadratic' element='1 2 3 4' "
            "point='2 2 2 0 0 0 1 0 0 0 1 0 0 0 1'",
            APART),
       NULL, 26},
      {COMP("type='mesh' dim='2' radius='.01' dof='trilinear' file='t.obj'", APART), &files[0], 7},
      {COMP("type='gmsh' dim='3' radius='.01' dof='trilinear' file='t.msh'", APART), &files[1], 7},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char error[1000] = "";
    mjModel* m = load_with(cases[i].text, cases[i].file, error, sizeof(error));
    if (!m) fail_msg("case %d is refused: %s", (int)i, error);
    assert_int_equal(m->nflexvert, 4);
    assert_int_equal(m->nflexnode, cases[i].last + 1);
    for (int k = 0; k < 3; k++) {
      near(m->body_pos[3 + k], 0);
      near(m->body_pos[3 * (cases[i].last + 1) + k], 2);
    }
    mj_deleteModel(m);
  }
}

// A point of no element that moves keeps a flex from being rigid, though all others are pinned.
static void points_of_no_element_count_among_the_pinned(void** state) {
  (void)state;
#define SOLID                                                             \
  "type='direct' dim='3' radius='.01' dof='trilinear' element='1 2 3 4' " \
  "point='2 2 2 0 0 0 1 0 0 0 1 0 0 0 1'"
  mjModel* m = load(COMP(SOLID, "<pin id='1 2 3 4'/>" APART));
  assert_int_equal(m->nflexnode, 8);
  assert_int_equal(m->nbody, 4);
  mj_deleteModel(m);
  m = load(COMP(SOLID, "<pin id='0 1 2 3 4'/>" APART));
  assert_int_equal(m->nflexnode, 0);
  assert_int_equal(m->flex_rigid[0], 1);
  mj_deleteModel(m);
#undef SOLID
}

// Which points they mean is not asked, as in the reference.
static void pins_of_a_rigid_flex_are_checked_by_their_form(void** state) {
  (void)state;
  refuse(COMP("dim='1' count='4 1 1' rigid='true'", "<pin grid='0'/>"), NULL, "need dim 2 or 3");
  refuse(COMP("count='3 3 1' rigid='true'", "<pin grid='0 0 0'/>"), NULL, "grid needs 2 numbers");
  refuse(COMP("count='3 3 1' rigid='true'", "<pin gridrange='0 0 0'/>"), NULL, "per range");
  refuse(COMP("count='3 3 1' rigid='true'", "<pin range='1'/>"), NULL, "pairs");
  refuse(COMP("type='box' dim='3' count='3 3 3' rigid='true'", "<pin grid='0 0 0'/>"), NULL,
         "for type grid");
  mjModel* m = load(COMP("count='3 3 1' rigid='true'", "<pin id='99' grid='9 9'/>"));
  assert_int_equal(m->nbody, 1);
  mj_deleteModel(m);
}

// Vertices of a radial flex on the axes of the grid weigh without rows of edges too, as in the
// reference.
static void edges_between_vertices_that_slide_along_axes_have_weights(void** state) {
  (void)state;
  mjModel* m =
      load(COMP("type='grid' dim='3' count='3 3 3' spacing='.1 .1 .1' radius='.01' dof='radial'",
                "<pin gridrange='0 0 0 1 1 1'/>" APART));
  int weights = 0;
  for (int e = 0; e < m->nflexedge; e++) {
    if (m->flexedge_invweight0[e] == 0) continue;
    assert_true(fabs((double)m->flexedge_invweight0[e] - 27) < 1e-4);
    weights++;
  }
  assert_int_equal(weights, 2);
  mj_deleteModel(m);
}

// The reference gives it one pair too many and refuses it then.
static void a_hollow_box_with_a_material_gets_texture_coordinates(void** state) {
  (void)state;
  mjModel* m = load(
      "<mujoco><asset><material name='m'/></asset><worldbody>"
      "<flexcomp name='f' type='box' dim='2' count='2 2 2' material='m'/></worldbody></mujoco>");
  assert_int_equal(m->nflextexcoord, m->nflexvert);
  mj_deleteModel(m);
}

// Sizes

static void sizes_without_end_are_refused_at_once(void** state) {
  (void)state;
  refuse(COMP("dim='3' count='1000000000 1000000000 1000000000'", ""), NULL, "points are too many");
  refuse(COMP("dim='1' count='1000000000 1 1'", ""), NULL, "points are too many");
  refuse(COMP("type='box' dim='3' count='100000 2 100000'", ""), NULL, "points are too many");
  refuse(COMP("count='300 300 1'", ""), NULL,
         "90000 points that move need as many bodies, and 65533 is the most");
  refuse(COMP("type='box' dim='2' count='2 1 2'", ""), NULL, "count has 1; 2 is the least here");
  refuse(COMP("count='3 3 2'", ""), NULL, "a flat grid has one layer");
  refuse(COMP("count='3 3 1' point='0 0 0'", ""), NULL, "point is for type direct");
  refuse(COMP("type='ellipsoid' dim='1' count='3 3 3'", ""), NULL, "dim 2 or 3");
}

// Files

#define HEAD22 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NODES22 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
#define HEAD41 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES41 "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
#define ELEMENTS41 "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n"

static const char gmsh[] = COMP("type='gmsh' file='x.msh'", "");

static void gmsh_files_of_both_formats_are_read(void** state) {
  (void)state;
  static const char* const good[] = {
      HEAD22 NODES22 "$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n",
      HEAD22 "$Elements\n1\n7 4 0 1 2 3 4\n$EndElements\n" NODES22,
      "$MeshFormat\r\n2.2 0 8\r\n$EndMeshFormat\r\n" NODES22
      "$Elements\r\n1\r\n1 4 3 0 1 5 1 2 3 4\r\n$EndElements\r\n",
      HEAD41 NODES41 ELEMENTS41,
  };
  for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
    File file = {"x.msh", good[i], strlen(good[i])};
    char error[1000] = "";
    mjModel* m = load_with(gmsh, &file, error, sizeof(error));
    if (!m) fail_msg("%s\n%s", good[i], error);
    assert_int_equal(m->flex_dim[0], 3);  // whatever dim says
    assert_int_equal(m->nflexvert, 4);
    mj_deleteModel(m);
  }
}

static void gmsh_files_that_lie_are_refused_by_line(void** state) {
  (void)state;
  static const struct {
    const char *text, *words;
  } lies[] = {
      {"hello", "does not start with $MeshFormat"},
      {"$MeshFormat\n3 0 8\n$EndMeshFormat\n",
       "x.msh, line 2: only the formats 2.2 and 4.1 are read"},
      {"$MeshFormat\n2.2 5 8\n$EndMeshFormat\n", "a GMSH file is text (0) or binary (1)"},
      {HEAD22, "$Nodes is missing"},
      {HEAD22 "$Nodes\n4\n1 0 0 0\n", "$EndNodes is missing"},
      {HEAD22 "$Nodes\n1000000000\n1 0 0 0\n$EndNodes\n", "the number of nodes does not fit"},
      {HEAD22 "$Nodes\n-1\n1 0 0 0\n$EndNodes\n", "the number of nodes does not fit"},
      {HEAD22 "$Nodes\n0\n$EndNodes\n", "the number of nodes does not fit"},
      {HEAD22 "$Nodes\n99999999999999999999\n$EndNodes\n", "the number of nodes is missing"},
      {HEAD22 "$Nodes\n1 0 0 0\n$EndNodes\n", "line 5: the number of nodes is missing"},
      {HEAD22 "$Nodes\n1\n1 0 nan 0\n$EndNodes\n", "a coordinate is not a number below 1e10"},
      {HEAD22 "$Nodes\n1\n1 0 1e300 0\n$EndNodes\n", "a coordinate is not a number below 1e10"},
      {HEAD22 NODES22, "$Elements is missing"},
      {HEAD22 NODES22 "$Elements\n0\n$EndElements\n", "there are no elements"},
      {HEAD22 NODES22 "$Elements\n1\n1 15 2 0 1 1\n$EndElements\n",
       "elements are lines (1), triangles (2) or tetrahedra (4)"},
      {HEAD22 NODES22 "$Elements\n2\n1 4 2 0 1 1 2 3 4\n2 2 2 0 1 1 2 3\n$EndElements\n",
       "elements are of several types"},
      {HEAD22 NODES22 "$Elements\n1\n1 4 2 0 1 1 2 3 5\n$EndElements\n",
       "an element has a node that does not exist"},
      {HEAD22 NODES22 "$Elements\n1\n1 4 2 0 1 0 2 3 4\n$EndElements\n",
       "an element has a node that does not exist"},
      {HEAD22 NODES22 "$Elements\n1\n1 4 2 0 1 1 2 3\n$EndElements\n",
       "a node of an element is missing"},
      {HEAD22 NODES22 "$Elements\n2\n1 4 2 0 1 1 2 3 4\n$EndElements\n",
       "the number of an element is missing"},
      {HEAD41 "$Nodes\n2 4 1 4\n3 1 0 4\n$EndNodes\n", "all nodes must be in one block"},
      {HEAD41 "$Nodes\n1 4 1 5\n3 1 0 4\n$EndNodes\n",
       "nodes must be numbered from 1 to their number"},
      {HEAD41 "$Nodes\n1 2 1 2\n3 1 0 2\n1\n3\n0 0 0\n0 0 0\n$EndNodes\n",
       "tags of nodes must follow each other"},
      {HEAD41 NODES41 "$Elements\n2 2 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
       "all elements must be in one block"},
      {HEAD41 NODES41 "$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 3\n$EndElements\n",
       "nodes and elements have different dimensions"},
      {HEAD41 NODES41 "$Elements\n1 1 1 1\n3 1 2 1\n1 1 2 3\n$EndElements\n",
       "the type of the elements is not of their dimension"},
  };
  for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
    File file = {"x.msh", lies[i].text, strlen(lies[i].text)};
    refuse(gmsh, &file, lies[i].words);
  }
}

// A file that is cut anywhere is refused and not read past its end.
static void binary_gmsh_files_that_end_early_are_refused(void** state) {
  (void)state;
  static const char* const names[] = {"block_22_binary.msh", "shell_41_binary.msh"};
  for (int i = 0; i < 2; i++) {
    char path[1024], bytes[2000];
    snprintf(path, sizeof(path), "%s/models/assets/%s", CT_SOURCE_DIR, names[i]);
    FILE* f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(bytes, 1, sizeof(bytes), f);
    fclose(f);
    for (size_t size = 1; size + 13 < n; size++) {  // $EndElements and what is behind it
      char* part = (char*)malloc(size);
      memcpy(part, bytes, size);
      File file = {"x.msh", part, size};
      refuse(gmsh, &file, "x.msh");
      free(part);
    }
  }
}

static void surfaces_that_are_none_are_refused(void** state) {
  (void)state;
  static const char points[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  static const char face[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  static const char away[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n";
  File none = {"x.obj", points, strlen(points)}, flat = {"x.obj", face, strlen(face)};
  File lying = {"x.obj", away, strlen(away)}, legacy = {"x.msh", face, strlen(face)};
  refuse(COMP("type='mesh' file='x.obj'", ""), &none, "file x.obj has no faces");
  refuse(COMP("type='mesh' file='x.obj'", ""), &lying, "file x.obj");
  refuse(COMP("type='mesh' file='x.msh'", ""), &legacy,
         "surfaces are read from .stl and .obj files");
  refuse(COMP("type='mesh' file='y.obj'", ""), &flat, "file y.obj cannot be opened");
  refuse(COMP("type='mesh'", ""), NULL, "types mesh and gmsh need a file");
  refuse(COMP("type='mesh' dim='1' file='x.obj'", ""), &flat, "type mesh needs dim 2 or 3");
  refuse(COMP("type='mesh' dim='3' file='x.obj'", ""), &flat, "needs origin");
  refuse(COMP("type='mesh' dim='3' origin='0 0 1' file='x.obj'", ""), &flat,
         "no face looks away from origin");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_point_becomes_a_body_unless_it_is_pinned),
      cmocka_unit_test(R20_9_a_vertex_of_mass_2_has_inertia_2),
      cmocka_unit_test(a_flex_that_is_pinned_everywhere_is_rigid),
      cmocka_unit_test(bodies_take_the_class_of_their_parent),
      cmocka_unit_test(edges_of_a_flexcomp_can_be_constrained),
      cmocka_unit_test(points_that_no_element_uses_are_dropped),
      cmocka_unit_test(control_points_lie_in_the_box_of_all_points),
      cmocka_unit_test(points_of_no_element_count_among_the_pinned),
      cmocka_unit_test(pins_of_a_rigid_flex_are_checked_by_their_form),
      cmocka_unit_test(edges_between_vertices_that_slide_along_axes_have_weights),
      cmocka_unit_test(a_hollow_box_with_a_material_gets_texture_coordinates),
      cmocka_unit_test(sizes_without_end_are_refused_at_once),
      cmocka_unit_test(gmsh_files_of_both_formats_are_read),
      cmocka_unit_test(gmsh_files_that_lie_are_refused_by_line),
      cmocka_unit_test(binary_gmsh_files_that_end_early_are_refused),
      cmocka_unit_test(surfaces_that_are_none_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
