// Which assets elements refer to, and what becomes of assets and geoms that only matter to the eye.
//
// With `discardvisual` materials and textures go before anything is resolved, and visual geoms and
// meshes after everything is compiled: their masses have counted by then. Both go for good, from
// the spec too, so that the next compilation of it gives the same model.

#include <math.h>
#include <string.h>

#include "compile/compile.h"

// Resolving

static ct_WorkMaterial* material(ct_Compiler* c, const ct_Element* e, const mjString* name) {
  if (!ct_text(name)[0]) return NULL;
  return (ct_WorkMaterial*)ct_lookup_or_fail(c, e, "material", mjOBJ_MATERIAL, ct_text(name));
}

static void resolve_geom(ct_Compiler* c, ct_Work* work) {
  ct_WorkGeom* geom = (ct_WorkGeom*)work;
  const ct_Element* e = geom->head.element;
  const char* mesh = ct_text(geom->v.meshname);
  const char* hfield = ct_text(geom->v.hfieldname);
  if (mesh[0]) {
    geom->mesh = (ct_WorkMesh*)ct_lookup_or_fail(c, e, "mesh", mjOBJ_MESH, mesh);
    if (geom->v.type == mjGEOM_SDF) {
      geom->mesh->needs_sdf = true;
      CT_VALUES(mjsMesh, geom->mesh->head.element)->needsdf = 1;
    }
  }
  if (hfield[0]) {
    geom->hfield = (ct_WorkHField*)ct_lookup_or_fail(c, e, "hfield", mjOBJ_HFIELD, hfield);
  }
  geom->material = material(c, e, geom->v.material);
  if (!geom->material && geom->mesh) geom->material = material(c, e, geom->mesh->v.material);
}

static void resolve_mesh(ct_Compiler* c, ct_Work* work) {
  ct_WorkMesh* mesh = (ct_WorkMesh*)work;
  ct_Work* plugin = ct_resolve_plugin(c, work->element, &mesh->v.plugin, mjPLUGIN_SDF);
  if (!ct_text(mesh->v.file)[0]) mesh->plugin = plugin;  // else the file prevails
}

static void resolve_textures(ct_Compiler* c, ct_Work* work) {
  ct_WorkMaterial* mat = (ct_WorkMaterial*)work;
  const ct_Vector* names = ct_vec(mat->v.textures);
  int count = (int)ct_vector_count(names, sizeof(ct_String));
  for (int i = 0; i < count && i < mjNTEXROLE; i++) {
    const char* name = ct_string_get(ct_strings_at(names, (size_t)i));
    if (!name[0]) continue;
    mat->texture[i] =
        (ct_WorkTexture*)ct_lookup_or_fail(c, mat->head.element, "texture", mjOBJ_TEXTURE, name);
  }
}

static void resolve_skin(ct_Compiler* c, ct_Work* work) {
  ct_WorkSkin* skin = (ct_WorkSkin*)work;
  skin->material = material(c, work->element, skin->v.material);
}

static void resolve_flex(ct_Compiler* c, ct_Work* work) {
  ct_WorkFlex* flex = (ct_WorkFlex*)work;
  flex->material = material(c, work->element, flex->v.material);
}

static void resolve_site(ct_Compiler* c, ct_Work* work) {
  ct_WorkSite* site = (ct_WorkSite*)work;
  site->material = material(c, work->element, site->v.material);
}

static void resolve_tendon(ct_Compiler* c, ct_Work* work) {
  ct_WorkTendon* tendon = (ct_WorkTendon*)work;
  tendon->material = material(c, work->element, tendon->v.material);
}

void ct_resolve_assets(ct_Compiler* c) {
  ct_each(c, &c->list[mjOBJ_MESH], resolve_mesh);
  ct_each(c, &c->list[mjOBJ_GEOM], resolve_geom);
  ct_each(c, &c->list[mjOBJ_FLEX], resolve_flex);
  ct_each(c, &c->list[mjOBJ_SKIN], resolve_skin);
  ct_each(c, &c->list[mjOBJ_SITE], resolve_site);
  ct_each(c, &c->list[mjOBJ_TENDON], resolve_tendon);
  ct_each(c, &c->list[mjOBJ_MATERIAL], resolve_textures);
}

void ct_mark_hulls(ct_Compiler* c) {
  for (int i = 0; i < CT_COUNT(c, mjOBJ_GEOM); i++) {
    const ct_WorkGeom* geom = ct_geom_at(c, i);
    if (!geom->mesh || (geom->v.type != mjGEOM_MESH && geom->v.type != mjGEOM_SDF)) continue;
    bool collides = geom->v.contype || geom->v.conaffinity || geom->head.used;
    if (collides || geom->mesh->v.inertia == mjMESH_INERTIA_CONVEX) geom->mesh->needs_hull = true;
  }
}

// Discarding

static void forget_all(ct_Compiler* c, mjtObj type) {
  ct_List* list = &c->spec->list[type];
  for (int i = 0; i < list->count; i++) list->item[i]->position = -1;
  list->count = 0;
  c->list[type].count = 0;
  memset(&c->names[type], 0, sizeof(c->names[type]));
}

// Geoms forget their material. As in the reference, sites, tendons, skins and meshes do not, and
// are refused later on because it is not found.
void ct_discard_materials(ct_Compiler* c) {
  if (!c->settings->discardvisual) return;
  for (int i = 0; i < CT_COUNT(c, mjOBJ_GEOM); i++) {
    ct_string_set(ct_str(ct_geom_at(c, i)->v.material), "");
  }
  forget_all(c, mjOBJ_MATERIAL);
  forget_all(c, mjOBJ_TEXTURE);
}

// Takes what is marked out of a list of the spec.
static void forget_discarded(ct_List* list, const ct_WorkList* work) {
  for (int i = 0; i < work->count; i++) {
    if (work->item[i]->discard) work->item[i]->element->position = -1;
  }
  int kept = 0;
  for (int i = 0; i < list->count; i++) {
    if (list->item[i]->position >= 0) list->item[kept++] = list->item[i];
  }
  list->count = kept;
  ct_list_number(list);
}

// The body keeps the inertia that it had with the geoms, also in the spec.
static void keep_inertia(ct_WorkBody* body) {
  mjsBody* v = CT_VALUES(mjsBody, body->head.element);
  if (v->explicitinertial || ct_is_world(body)) return;
  v->explicitinertial = body->v.explicitinertial = 1;
  v->mass = body->v.mass;
  memcpy(v->ipos, body->v.ipos, sizeof(v->ipos));
  memcpy(v->iquat, body->v.iquat, sizeof(v->iquat));
  memcpy(v->inertia, body->v.inertia, sizeof(v->inertia));
  v->ialt.type = mjORIENTATION_QUAT;
  v->fullinertia[0] = NAN;
}

static void discard_geoms(ct_WorkBody* body) {
  ct_WorkList* geoms = &body->child[CT_CHILD_GEOM];
  bool any = false;
  for (int i = 0; i < geoms->count; i++) {
    ct_WorkGeom* geom = CT_WORK(ct_WorkGeom, *geoms, i);
    geom->head.discard = geom->visual && !geom->head.used;
    if (geom->head.discard) any = true;
    if (!geom->head.discard && geom->mesh) geom->mesh->head.used = true;
  }
  if (!any) return;
  forget_discarded(&((ct_Body*)body->head.element)->child[CT_CHILD_GEOM], geoms);
  int kept = 0;
  for (int i = 0; i < geoms->count; i++) {
    if (!geoms->item[i]->discard) geoms->item[kept++] = geoms->item[i];
  }
  geoms->count = kept;
  keep_inertia(body);
}

void ct_discard_visual(ct_Compiler* c) {
  if (!c->settings->discardvisual) return;
  for (int b = 0; b < CT_COUNT(c, mjOBJ_BODY); b++) discard_geoms(ct_body_at(c, b));
  ct_drop_discarded(&c->list[mjOBJ_GEOM]);

  ct_WorkList* meshes = &c->list[mjOBJ_MESH];
  for (int i = 0; i < meshes->count; i++) meshes->item[i]->discard = !meshes->item[i]->used;
  forget_discarded(&c->spec->list[mjOBJ_MESH], meshes);
  ct_drop_discarded(meshes);
}
