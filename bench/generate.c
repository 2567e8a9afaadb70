#include "generate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/two_libraries.h"

enum { CHAIN = 20 };  // bodies per chain of generate_tree

// Text

static FILE* begin(Generated* g, const char* settings) {
  memset(g, 0, sizeof(*g));
  FILE* f = open_memstream(&g->text, &g->length);
  if (!f) {
    perror("a buffer for a model");
    exit(2);
  }
  fprintf(f, "<mujoco>%s<worldbody>", settings);
  return f;
}

static void end(FILE* f) {
  fprintf(f, "</worldbody></mujoco>\n");
  fclose(f);
}

void generate_chain(Generated* g, int links) {
  FILE* f = begin(g, "");
  for (int i = 0; i < links; i++) {
    fprintf(f,
            "<body pos='0 0 %s'><joint axis='%s' damping='.1'/>"
            "<geom type='capsule' size='.02' fromto='0 0 0 0 0 -.1' contype='0' conaffinity='0'/>",
            i ? "-.1" : "1", i % 2 ? "1 0 0" : "0 1 0");
  }
  for (int i = 0; i < links; i++) fprintf(f, "</body>");
  end(f);
}

void generate_boxes(Generated* g, int count) {
  int side = (int)ceil(cbrt(count));
  FILE* f = begin(g, "<size memory='200M'/>");
  fprintf(f, "<geom type='plane' size='5 5 .1'/>");
  for (int i = 0; i < count; i++) {
    fprintf(f, "<body pos='%g %g %g'><freejoint/><geom type='box' size='.05 .05 .05'/></body>",
            .11 * (i % side), .11 * (i / side % side), .06 + .105 * (i / side / side));
  }
  end(f);
}

void generate_near(Generated* g, int bodies) {
  FILE* f = begin(g, "");
  for (int i = 0; i < bodies; i++) {
    fprintf(f, "<body name='b%d' pos='%g 0 1'><freejoint/>", i, .6 * i);
    for (int k = 0; k < 8; k++) {
      fprintf(f, "<geom type='%s' size='.05 .05 .05' pos='%g %g %g'/>", k % 2 ? "box" : "sphere",
              .2 * (k & 1), .1 * (k & 2), .05 * (k & 4));
    }
    fprintf(f, "</body>");
  }
  fprintf(f, "</worldbody><sensor>");
  for (int i = 0; i < bodies; i++) {
    for (int k = i + 1; k < bodies; k++) {
      fprintf(f, "<distance body1='b%d' body2='b%d' cutoff='5'/>", i, k);
    }
  }
  fprintf(f, "</sensor></mujoco>\n");
  fclose(f);
}

void generate_cloth(Generated* g, int vertices) {
  int side = (int)lround(sqrt(vertices));
  FILE* f = begin(g, "<size memory='1G'/><option solver='CG' tolerance='1e-6'/>");
  fprintf(f,
          "<geom type='plane' size='5 5 .1' pos='0 0 -.2'/><geom size='.2'/>"
          "<flexcomp name='cloth' type='grid' dim='2' count='%d %d 1' spacing='.03 .03 .03' "
          "radius='.01' mass='1' pos='0 0 .24'><edge equality='true' damping='.01'/></flexcomp>",
          side, side);
  end(f);
}

// As heavy as water, whatever its size, and stiff enough to carry the weight of 22 layers: a wave
// crosses an element in 3 ms, six steps. With a mass that does not grow, large ones blow up.
void generate_jelly(Generated* g, int vertices) {
  const double spacing = .03, density = 1000;
  int side = (int)lround(cbrt(vertices));
  FILE* f = begin(g,
                  "<size memory='1G'/>"
                  "<option solver='CG' tolerance='1e-6' timestep='.0005' "
                  "integrator='implicitfast'/>");
  fprintf(
      f,
      "<geom type='plane' size='5 5 .1'/>"
      "<flexcomp name='jelly' type='grid' dim='3' count='%d %d %d' spacing='%g %g %g' "
      "radius='.005' mass='%g' pos='0 0 %g'><elasticity young='1e5' poisson='.2' damping='.0005'/>"
      "</flexcomp>",
      side, side, side, spacing, spacing, spacing, density * pow(spacing * (side - 1), 3),
      spacing / 2 * side);
  end(f);
}

static void open_body(FILE* f, int i) {
  fprintf(f,
          "<body name='b%d' pos='%g %g 0'><joint name='j%d' axis='0 1 0'/>"
          "<geom name='g%d' type='capsule' size='.02 .1'/>",
          i, 0.1 * (i % 100), 0.1 * (i / 100), i, i);
}

void generate_flat(Generated* g, int bodies) {
  FILE* f = begin(g, "<size memory='200M'/>");
  for (int i = 0; i < bodies; i++) {
    open_body(f, i);
    fprintf(f, "</body>");
  }
  end(f);
}

void generate_tree(Generated* g, int bodies) {
  FILE* f = begin(g, "<size memory='200M'/>");
  for (int i = 0; i < bodies; i++) {
    open_body(f, i);
    if (i % CHAIN == CHAIN - 1 || i == bodies - 1) {
      for (int k = 0; k <= i % CHAIN; k++) fprintf(f, "</body>");
    }
  }
  end(f);
}

void generate_statics(Generated* g, int bodies) {
  FILE* f = begin(g, "<compiler fusestatic='true'/><size memory='200M'/>");
  for (int i = 0; i < bodies; i++) {
    fprintf(f, "<body pos='%g %g 0'><geom type='box' size='.03 .04 .05'/></body>", 0.1 * (i % 100),
            0.1 * (i / 100));
  }
  end(f);
}

// Meshes

// A sphere of rings and segments, closed by a fan at each pole.
typedef struct {
  int rings, segments;  // rings: without the poles
  double bump;          // how far the radius varies
} Ball;

static Ball ball_with(int triangles, double bump) {
  Ball b;
  b.segments = (int)fmax(3, round(sqrt(triangles)));
  b.rings = (int)fmax(1, floor((double)triangles / (2 * b.segments)));  // never more than asked for
  b.bump = bump;
  return b;
}

static int ball_vertices(const Ball* b) {
  return b->rings * b->segments + 2;
}

static int ball_triangles(const Ball* b) {
  return 2 * b->rings * b->segments;
}

static void ball_vertex(const Ball* b, int i, float v[3]) {
  const double pi = 3.14159265358979323846;
  double polar = 0, around = 0;
  if (i == ball_vertices(b) - 1) {
    polar = pi;
  } else if (i > 0) {
    polar = pi * ((i - 1) / b->segments + 1) / (b->rings + 1);
    around = 2 * pi * ((i - 1) % b->segments) / b->segments;
  }
  double r = 1 + b->bump * sin(9 * polar) * sin(7 * around);
  v[0] = (float)(r * sin(polar) * cos(around));
  v[1] = (float)(r * sin(polar) * sin(around) * 1.1);
  v[2] = (float)(r * cos(polar) * 1.2);
}

static void ball_triangle(const Ball* b, int t, int corner[3]) {
  int n = b->segments, last = ball_vertices(b) - 1;
  int band = (t / 2) / n, k = (t / 2) % n, next = (k + 1) % n;
  int upper = 1 + (band - 1) * n, lower = 1 + band * n;
  if (t % 2 == 0) {  // one up: in the first band its two upper corners are the pole
    corner[0] = band ? upper + k : 0;
    corner[1] = lower + k;
    corner[2] = lower + next;
  } else if (band) {  // one down
    corner[0] = upper + k;
    corner[1] = lower + next;
    corner[2] = upper + next;
  } else {  // the first band has none; these close the other pole
    corner[0] = 1 + (b->rings - 1) * n + k;
    corner[1] = last;
    corner[2] = 1 + (b->rings - 1) * n + next;
  }
}

static void write_mesh_model(Generated* g, const char* meshname) {
  FILE* f;
  memset(g, 0, sizeof(*g));
  g->meshname = meshname;
  f = open_memstream(&g->text, &g->length);
  if (!f) {
    perror("a buffer for a model");
    exit(2);
  }
  fprintf(f,
          "<mujoco><asset><mesh name='m' file='%s'/></asset><worldbody>"
          "<body><freejoint/><geom type='mesh' mesh='m'/></body>",
          meshname);
  end(f);
}

void generate_sphere(Generated* g, int triangles) {
  Ball b = ball_with(triangles, 0);
  write_mesh_model(g, "sphere.obj");
  FILE* f = open_memstream(&g->mesh, &g->nmesh);
  if (!f) return;
  for (int i = 0; i < ball_vertices(&b); i++) {
    float v[3];
    ball_vertex(&b, i, v);
    fprintf(f, "v %.7g %.7g %.7g\n", (double)v[0], (double)v[1], (double)v[2]);
  }
  for (int t = 0; t < ball_triangles(&b); t++) {
    int c[3];
    ball_triangle(&b, t, c);
    fprintf(f, "f %d %d %d\n", c[0] + 1, c[1] + 1, c[2] + 1);
  }
  fclose(f);
}

void generate_bumpy(Generated* g, int triangles) {
  enum { HEADER = 80, TRIANGLE = 50 };
  Ball b = ball_with(triangles, 0.2);
  write_mesh_model(g, "bumpy.stl");
  int count = ball_triangles(&b);
  g->nmesh = HEADER + 4 + (size_t)count * TRIANGLE;
  g->mesh = (char*)calloc(1, g->nmesh);
  if (!g->mesh) return;
  memcpy(g->mesh + HEADER, &count, 4);
  for (int t = 0; t < count; t++) {
    int c[3];
    ball_triangle(&b, t, c);
    char* at = g->mesh + HEADER + 4 + (size_t)t * TRIANGLE + 12;  // behind the normal, left zero
    for (int k = 0; k < 3; k++) {
      float v[3];
      ball_vertex(&b, c[k], v);
      memcpy(at + (size_t)k * sizeof(v), v, sizeof(v));
    }
  }
}

void generated_free(Generated* g) {
  free(g->text);
  free(g->mesh);
  memset(g, 0, sizeof(*g));
}

// Loading

mjModel* generated_load(const Engine* e, const Generated* g, char* error, int room,
                        LoadTime* time) {
  mjVFS vfs;
  LIBRARY_FUNCTION(e->handle, mj_defaultVFS)(&vfs);
  __typeof__(&mj_addBufferVFS) add = LIBRARY_FUNCTION(e->handle, mj_addBufferVFS);
  add(&vfs, "model.xml", g->text, (int)g->length);
  if (g->mesh) add(&vfs, g->meshname, g->mesh, (int)g->nmesh);
  mjModel* m = load_timed(e, "model.xml", &vfs, error, room, time);
  LIBRARY_FUNCTION(e->handle, mj_deleteVFS)(&vfs);
  return m;
}
