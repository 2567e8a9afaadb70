// Points and elements of flexcomps that come from files: surfaces of meshes, and GMSH files.
//
// A surface is a flex of triangles, or of the tetrahedra between its triangles and a point inside.

#include <string.h>

#include "compile/assets/gmsh.h"
#include "mjcf/flexcomp.h"
#include "spec/pose.h"

static ct_FlexSource source_of(ct_Reader* r, const ct_Flexcomp* comp) {
  const char* file = ct_file_name(r, comp->xml, "file", r->directory);
  if (!file || !*file) ct_refuse(r, comp->xml, NULL, "types mesh and gmsh need a file");
  ct_FlexSource source = {.flex = comp->element, .vfs = r->vfs, .file = file, .pool = &r->pool};
  return source;
}

// GMSH

void ct_flexcomp_read_gmsh(ct_Reader* r, ct_Flexcomp* comp) {
  ct_FlexSource source = source_of(r, comp);
  ct_Gmsh gmsh;
  if (!ct_load_gmsh(&source, &gmsh)) ct_refuse(r, comp->xml, "file", "%s", source.message);
  comp->flex.dim = gmsh.dim;
  comp->point = gmsh.point;
  comp->npoint = gmsh.npoint;
  comp->elem = gmsh.elem;
  comp->nelem = gmsh.nelem;
}

// Surfaces

static void copy_texcoords(ct_Flexcomp* comp, const ct_MeshFile* mesh) {
  if (!mesh->ntexcoord || !mesh->nfacetexcoord) return;
  comp->texcoord = mesh->texcoord;
  comp->ntexcoord = mesh->ntexcoord / 2;
  comp->texcoord_room = (size_t)comp->ntexcoord;
}

// Does the inner point see the face from inside?
static bool encloses(const double inner[3], const ct_MeshFile* mesh, const int* face) {
  double side[3][3], cross[3];
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) side[i][k] = (double)mesh->vert[3 * face[i] + k] - inner[k];
  }
  ct_cross64(cross, side[0], side[1]);
  return ct_dot64(cross, side[2]) >= mjMINVAL;
}

static void add_points(ct_Reader* r, ct_Flexcomp* comp, const ct_MeshFile* mesh) {
  for (int i = 0; i < mesh->nvert / 3; i++) {
    double point[3];
    for (int k = 0; k < 3; k++) point[k] = (double)mesh->vert[3 * i + k];
    ct_flexcomp_add_point(r, comp, point);
  }
}

static void add_faces(ct_Reader* r, ct_Flexcomp* comp, const ct_MeshFile* mesh) {
  bool solid = comp->flex.dim == 3, textured = comp->texcoord == mesh->texcoord && mesh->ntexcoord;
  ct_Vector* corners = (ct_Vector*)comp->flex.elemtexcoord;
  for (int i = 0; i < mesh->nface / 3; i++) {
    const int* face = mesh->face + 3 * i;
    if (solid && !encloses(comp->origin, mesh, face)) continue;
    int vertex[4] = {0, face[0] + 1, face[1] + 1, face[2] + 1};
    ct_flexcomp_add_element(r, comp, solid ? vertex : face);
    for (int k = 0; textured && k < 3; k++) {
      ct_vector_append(corners, &mesh->facetexcoord[3 * i + k], sizeof(int));
    }
  }
}

void ct_flexcomp_read_mesh(ct_Reader* r, ct_Flexcomp* comp) {
  bool solid = comp->flex.dim == 3;
  ct_MeshFile mesh;
  if (comp->flex.dim == 1) ct_refuse(r, comp->xml, "dim", "type mesh needs dim 2 or 3");
  if (solid && !ct_given(comp->xml, "origin"))
    ct_refuse(r, comp->xml, NULL, "type mesh with dim 3 needs origin, a point inside the surface");
  ct_FlexSource source = source_of(r, comp);
  if (!ct_load_surface(&source, &mesh)) ct_refuse(r, comp->xml, "file", "%s", source.message);
  copy_texcoords(comp, &mesh);
  if (solid) ct_flexcomp_add_point(r, comp, comp->origin);
  add_points(r, comp, &mesh);
  add_faces(r, comp, &mesh);
  if (!comp->nelem)
    ct_refuse(r, comp->xml, "origin", "no face looks away from origin, so there are no elements");
}
