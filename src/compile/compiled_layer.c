// The compiled layer of a spec (spec/compiled.h): kept after a compilation, and changed by
// mj_copyBack, so that saving writes what a model has.

#include "spec/compiled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "compile/geom_shape.h"

// After a compilation

static void keep_geom(ct_Compiled* to, const ct_WorkGeom* geom) {
  const mjsGeom* v = &geom->v;
  bool mesh = v->type == mjGEOM_MESH || v->type == mjGEOM_SDF;
  to->mass = geom->mass;
  memcpy(to->pos, geom->mesh_pos, sizeof(to->pos));
  memcpy(to->quat, geom->mesh_quat, sizeof(to->quat));
  to->volume = mesh ? geom->mesh->volume : ct_shape_volume(v->type, v->typeinertia, v->size);
}

// A spring from a time constant has its numbers from the model.
static void keep_joint(ct_Compiled* to, const ct_WorkJoint* joint, const mjModel* m) {
  mjsJoint* v = (mjsJoint*)(void*)to->values;
  if (v->springdamper[0] <= 0 || v->springdamper[1] <= 0) return;
  v->stiffness = (double)m->jnt_stiffness[joint->head.id];
  v->damping = (double)m->dof_damping[joint->dofadr];
}

static bool is_swapped(const ct_Work* w) {
  if (ct_type(w->element) == mjOBJ_PAIR) {
    const ct_WorkPair* pair = (const ct_WorkPair*)w;
    return !ct_string_equal(&pair->geom1->head.element->name, ct_text(pair->v.geomname1));
  }
  const ct_WorkExclude* exclude = (const ct_WorkExclude*)w;
  return !ct_string_equal(&exclude->body1->head.element->name, ct_text(exclude->v.bodyname1));
}

// Orientations and weights of bones are normalised in the model.
static void keep_skin(ct_Compiled* to, const mjModel* m, int i) {
  int bone = m->skin_boneadr[i], nbone = m->skin_bonenum[i], nweight = 0;
  if (nbone == 0) return;
  for (int k = 0; k < nbone; k++) nweight += m->skin_bonevertnum[bone + k];
  ct_set_float_numbers(to, 0, m->skin_bonebindquat + 4 * bone, 4 * nbone);
  ct_set_float_numbers(to, 1, m->skin_bonevertweight + m->skin_bonevertadr[bone], nweight);
}

// Tetrahedra are turned to one orientation in the model, and texture coordinates have indices; of
// these the reference writes three for each element, also where an element has four corners.
static void keep_flex(ct_Compiled* to, const mjModel* m, int i) {
  int first = m->flex_elemdataadr[i], count = m->flex_elemnum[i] * (m->flex_dim[i] + 1);
  ct_set_int_numbers(to, 0, m->flex_elem + first, count);
  int three = 3 * m->flex_elemnum[i];
  if (m->flex_texcoordadr[i] < 0) return;
  ct_set_int_numbers(to, 1, m->flex_elemtexcoord + first, count < three ? count : three);
}

static void keep_element(const ct_Compiler* c, const ct_Work* w) {
  ct_Element* e = w->element;
  ct_Compiled* to = ct_make_compiled(e);
  if (!to) return;
  ct_forget_numbers(to);
  memcpy(to->values, ct_work_values(w), e->kind->size);
  switch ((int)ct_type(e)) {
    case mjOBJ_GEOM:
      keep_geom(to, (const ct_WorkGeom*)w);
      break;
    case mjOBJ_JOINT:
      keep_joint(to, (const ct_WorkJoint*)w, c->model);
      break;
    case mjOBJ_MESH:
      memcpy(to->pos, ((const ct_WorkMesh*)w)->pos, sizeof(to->pos));
      memcpy(to->quat, ((const ct_WorkMesh*)w)->quat, sizeof(to->quat));
      break;
    case mjOBJ_FLEX:
      keep_flex(to, c->model, w->id);
      break;
    case mjOBJ_SKIN:
      keep_skin(to, c->model, w->id);
      break;
    case mjOBJ_PAIR:
    case mjOBJ_EXCLUDE:
      to->swapped = is_swapped(w);
      break;
    default:
      break;
  }
}

static void keep_qpos0(ct_CompiledWhole* whole, const mjModel* m) {
  free(whole->qpos0);
  whole->qpos0 = (double*)calloc((size_t)m->nq + 1, sizeof(double));
  whole->nq = whole->qpos0 ? (int)m->nq : 0;
  for (int i = 0; i < whole->nq; i++) whole->qpos0[i] = (double)m->qpos0[i];
}

void ct_keep_compiled_layer(ct_Compiler* c) {
  for (int type = 0; type < mjNOBJECT; type++) {
    const ct_WorkList* list = &c->list[type];
    for (int i = 0; i < list->count; i++) keep_element(c, list->item[i]);
  }
  ct_CompiledWhole* whole = ct_make_compiled_whole(c->spec);
  if (!whole) return;
  whole->nuser_body = c->nuser_body;
  whole->nuser_jnt = c->nuser_jnt;
  whole->nuser_geom = c->nuser_geom;
  whole->nuser_site = c->nuser_site;
  whole->nuser_cam = c->nuser_cam;
  whole->nuser_tendon = c->nuser_tendon;
  whole->nuser_actuator = c->nuser_actuator;
  whole->nuser_sensor = c->nuser_sensor;
  whole->nkey = (int)c->model->nkey;
  whole->computed = c->computed;
  whole->copied_back = false;
  keep_qpos0(whole, c->model);
}

// mj_copyBack

static void take(double* to, const mjtNum* from, int count) {
  for (int i = 0; i < count; i++) to[i] = (double)from[i];
}

static void take_nums(mjtNum* to, const mjtNum* from, int count) {
  memcpy(to, from, (size_t)count * sizeof(mjtNum));
}

static void take_floats(float* to, const float* from, int count) {
  memcpy(to, from, (size_t)count * sizeof(float));
}

static void take_user(ct_Compiled* to, const mjtNum* user, int i, mjtSize nuser) {
  ct_set_numbers(to, 0, user + (size_t)i * (size_t)nuser, (int)nuser);
}

static void body_back(ct_Compiled* to, const mjModel* m, int i) {
  mjsBody* v = (mjsBody*)(void*)to->values;
  take(v->pos, m->body_pos + 3 * i, 3);
  take(v->quat, m->body_quat + 4 * i, 4);
  take(v->ipos, m->body_ipos + 3 * i, 3);
  take(v->iquat, m->body_iquat + 4 * i, 4);
  take(&v->mass, m->body_mass + i, 1);
  take(v->inertia, m->body_inertia + 3 * i, 3);
  take_user(to, m->body_user, i, m->nuser_body);
}

static void joint_back(ct_Compiled* to, const mjModel* m, int i) {
  mjsJoint* v = (mjsJoint*)(void*)to->values;
  int dof = m->jnt_dofadr[i];
  take(v->pos, m->jnt_pos + 3 * i, 3);
  take(v->axis, m->jnt_axis + 3 * i, 3);
  if (v->type == mjJNT_HINGE || v->type == mjJNT_SLIDE) {
    take(&v->ref, m->qpos0 + m->jnt_qposadr[i], 1);
    take(&v->springref, m->qpos_spring + m->jnt_qposadr[i], 1);
  }
  take(&v->stiffness, m->jnt_stiffness + i, 1);
  take(v->range, m->jnt_range + 2 * i, 2);
  take_nums(v->solref_limit, m->jnt_solref + mjNREF * i, mjNREF);
  take_nums(v->solimp_limit, m->jnt_solimp + mjNIMP * i, mjNIMP);
  take(&v->margin, m->jnt_margin + i, 1);
  take_nums(v->solref_friction, m->dof_solref + mjNREF * dof, mjNREF);
  take_nums(v->solimp_friction, m->dof_solimp + mjNIMP * dof, mjNIMP);
  take(&v->armature, m->dof_armature + dof, 1);
  take(&v->damping, m->dof_damping + dof, 1);
  take(&v->frictionloss, m->dof_frictionloss + dof, 1);
  take_user(to, m->jnt_user, i, m->nuser_jnt);
}

static void geom_back(ct_Compiled* to, const mjModel* m, int i) {
  mjsGeom* v = (mjsGeom*)(void*)to->values;
  take(v->size, m->geom_size + 3 * i, 3);
  take(v->pos, m->geom_pos + 3 * i, 3);
  take(v->quat, m->geom_quat + 4 * i, 4);
  take(v->friction, m->geom_friction + 3 * i, 3);
  take_nums(v->solref, m->geom_solref + mjNREF * i, mjNREF);
  take_nums(v->solimp, m->geom_solimp + mjNIMP * i, mjNIMP);
  take_floats(v->rgba, m->geom_rgba + 4 * i, 4);
  take(&v->solmix, m->geom_solmix + i, 1);
  take(&v->margin, m->geom_margin + i, 1);
  take(&v->gap, m->geom_gap + i, 1);
  take_user(to, m->geom_user, i, m->nuser_geom);
}

static void mesh_back(ct_Compiled* to, const mjModel* m, int i) {
  take(to->pos, m->mesh_pos + 3 * i, 3);
  take(to->quat, m->mesh_quat + 4 * i, 4);
}

static void hfield_back(ct_Compiled* to, const mjModel* m, int i) {
  const mjsHField* v = (const mjsHField*)(const void*)to->values;
  if (ct_vec(v->userdata)->begin == ct_vec(v->userdata)->end) return;
  int count = m->hfield_nrow[i] * m->hfield_ncol[i];
  ct_set_float_numbers(to, 0, m->hfield_data + m->hfield_adr[i], count);
}

static void site_back(ct_Compiled* to, const mjModel* m, int i) {
  mjsSite* v = (mjsSite*)(void*)to->values;
  take(v->size, m->site_size + 3 * i, 3);
  take(v->pos, m->site_pos + 3 * i, 3);
  take(v->quat, m->site_quat + 4 * i, 4);
  take_floats(v->rgba, m->site_rgba + 4 * i, 4);
  take_user(to, m->site_user, i, m->nuser_site);
}

static void camera_back(ct_Compiled* to, const mjModel* m, int i) {
  mjsCamera* v = (mjsCamera*)(void*)to->values;
  take(v->pos, m->cam_pos + 3 * i, 3);
  take(v->quat, m->cam_quat + 4 * i, 4);
  take(&v->fovy, m->cam_fovy + i, 1);
  take(&v->ipd, m->cam_ipd + i, 1);
  memcpy(v->resolution, m->cam_resolution + 2 * i, sizeof(v->resolution));
  take_floats(v->intrinsic, m->cam_intrinsic + 4 * i, 4);
  take_user(to, m->cam_user, i, m->nuser_cam);
}

static void light_back(ct_Compiled* to, const mjModel* m, int i) {
  mjsLight* v = (mjsLight*)(void*)to->values;
  take(v->pos, m->light_pos + 3 * i, 3);
  take(v->dir, m->light_dir + 3 * i, 3);
  take_floats(v->attenuation, m->light_attenuation + 3 * i, 3);
  take_floats(&v->cutoff, m->light_cutoff + i, 1);
  take_floats(&v->exponent, m->light_exponent + i, 1);
  take_floats(v->ambient, m->light_ambient + 3 * i, 3);
  take_floats(v->diffuse, m->light_diffuse + 3 * i, 3);
  take_floats(v->specular, m->light_specular + 3 * i, 3);
}

static void material_back(ct_Compiled* to, const mjModel* m, int i) {
  mjsMaterial* v = (mjsMaterial*)(void*)to->values;
  take_floats(v->texrepeat, m->mat_texrepeat + 2 * i, 2);
  take_floats(&v->emission, m->mat_emission + i, 1);
  take_floats(&v->specular, m->mat_specular + i, 1);
  take_floats(&v->shininess, m->mat_shininess + i, 1);
  take_floats(&v->reflectance, m->mat_reflectance + i, 1);
  take_floats(v->rgba, m->mat_rgba + 4 * i, 4);
}

static void pair_back(ct_Compiled* to, const mjModel* m, int i) {
  mjsPair* v = (mjsPair*)(void*)to->values;
  take_nums(v->solref, m->pair_solref + mjNREF * i, mjNREF);
  take_nums(v->solreffriction, m->pair_solreffriction + mjNREF * i, mjNREF);
  take_nums(v->solimp, m->pair_solimp + mjNIMP * i, mjNIMP);
  take(&v->margin, m->pair_margin + i, 1);
  take(&v->gap, m->pair_gap + i, 1);
  take(v->friction, m->pair_friction + 5 * i, 5);
}

static void equality_back(ct_Compiled* to, const mjModel* m, int i) {
  mjsEquality* v = (mjsEquality*)(void*)to->values;
  take(v->data, m->eq_data + mjNEQDATA * i, mjNEQDATA);
  take_nums(v->solref, m->eq_solref + mjNREF * i, mjNREF);
  take_nums(v->solimp, m->eq_solimp + mjNIMP * i, mjNIMP);
}

static void tendon_back(ct_Compiled* to, const mjModel* m, int i) {
  mjsTendon* v = (mjsTendon*)(void*)to->values;
  take(v->range, m->tendon_range + 2 * i, 2);
  take(v->actfrcrange, m->tendon_actfrcrange + 2 * i, 2);
  take_nums(v->solref_limit, m->tendon_solref_lim + mjNREF * i, mjNREF);
  take_nums(v->solimp_limit, m->tendon_solimp_lim + mjNIMP * i, mjNIMP);
  take_nums(v->solref_friction, m->tendon_solref_fri + mjNREF * i, mjNREF);
  take_nums(v->solimp_friction, m->tendon_solimp_fri + mjNIMP * i, mjNIMP);
  take_floats(v->rgba, m->tendon_rgba + 4 * i, 4);
  take(&v->width, m->tendon_width + i, 1);
  take(&v->margin, m->tendon_margin + i, 1);
  take(&v->stiffness, m->tendon_stiffness + i, 1);
  take(&v->damping, m->tendon_damping + i, 1);
  take(&v->armature, m->tendon_armature + i, 1);
  take(&v->frictionloss, m->tendon_frictionloss + i, 1);
  take_user(to, m->tendon_user, i, m->nuser_tendon);
}

static void actuator_back(ct_Compiled* to, const mjModel* m, int i) {
  mjsActuator* v = (mjsActuator*)(void*)to->values;
  take(v->dynprm, m->actuator_dynprm + mjNDYN * i, mjNDYN);
  take(v->gainprm, m->actuator_gainprm + mjNGAIN * i, mjNGAIN);
  take(v->biasprm, m->actuator_biasprm + mjNBIAS * i, mjNBIAS);
  take(v->ctrlrange, m->actuator_ctrlrange + 2 * i, 2);
  take(v->forcerange, m->actuator_forcerange + 2 * i, 2);
  take(v->actrange, m->actuator_actrange + 2 * i, 2);
  take(v->lengthrange, m->actuator_lengthrange + 2 * i, 2);
  take(v->gear, m->actuator_gear + 6 * i, 6);
  take(&v->cranklength, m->actuator_cranklength + i, 1);
  take_user(to, m->actuator_user, i, m->nuser_actuator);
}

static void sensor_back(ct_Compiled* to, const mjModel* m, int i) {
  mjsSensor* v = (mjsSensor*)(void*)to->values;
  take(&v->cutoff, m->sensor_cutoff + i, 1);
  take(&v->noise, m->sensor_noise + i, 1);
  take_user(to, m->sensor_user, i, m->nuser_sensor);
}

static void numeric_back(ct_Compiled* to, const mjModel* m, int i) {
  ct_set_numbers(to, 0, m->numeric_data + m->numeric_adr[i], m->numeric_size[i]);
}

static void tuple_back(ct_Compiled* to, const mjModel* m, int i) {
  ct_set_numbers(to, 0, m->tuple_objprm + m->tuple_adr[i], m->tuple_size[i]);
}

static void key_back(ct_Compiled* to, const mjModel* m, int i) {
  mjsKey* v = (mjsKey*)(void*)to->values;
  int nq = (int)m->nq, nv = (int)m->nv, na = (int)m->na, nu = (int)m->nu, nmocap = (int)m->nmocap;
  take(&v->time, m->key_time + i, 1);
  ct_set_numbers(to, 0, m->key_qpos + i * nq, nq);
  ct_set_numbers(to, 1, m->key_qvel + i * nv, nv);
  ct_set_numbers(to, 2, m->key_act + i * na, na);
  ct_set_numbers(to, 3, m->key_mpos + i * 3 * nmocap, 3 * nmocap);
  ct_set_numbers(to, 4, m->key_mquat + i * 4 * nmocap, 4 * nmocap);
  ct_set_numbers(to, 5, m->key_ctrl + i * nu, nu);
}

static const struct {
  mjtObj type;
  void (*back)(ct_Compiled* to, const mjModel* m, int i);
} backs[] = {
    {mjOBJ_BODY, body_back},         {mjOBJ_JOINT, joint_back},
    {mjOBJ_GEOM, geom_back},         {mjOBJ_MESH, mesh_back},
    {mjOBJ_HFIELD, hfield_back},     {mjOBJ_SITE, site_back},
    {mjOBJ_CAMERA, camera_back},     {mjOBJ_LIGHT, light_back},
    {mjOBJ_MATERIAL, material_back}, {mjOBJ_PAIR, pair_back},
    {mjOBJ_EQUALITY, equality_back}, {mjOBJ_TENDON, tendon_back},
    {mjOBJ_ACTUATOR, actuator_back}, {mjOBJ_SENSOR, sensor_back},
    {mjOBJ_NUMERIC, numeric_back},   {mjOBJ_TUPLE, tuple_back},
    {mjOBJ_KEY, key_back},
};

// Statistics that are not those computed at the last compilation count as given.
static void statistics_back(mjStatistic* to, const mjStatistic* from, const mjStatistic* computed) {
  if (from->meaninertia != computed->meaninertia) to->meaninertia = from->meaninertia;
  if (from->meanmass != computed->meanmass) to->meanmass = from->meanmass;
  if (from->meansize != computed->meansize) to->meansize = from->meansize;
  if (from->extent != computed->extent) to->extent = from->extent;
  bool same = true;
  for (int i = 0; i < 3; i++) same = same && from->center[i] == computed->center[i];
  if (!same) memcpy(to->center, from->center, sizeof(to->center));
}

static void whole_back(ct_Spec* spec, const mjModel* m) {
  ct_CompiledWhole* whole = spec->compiled_whole;
  if (!whole->copied_back) whole->stat = spec->spec.stat;
  whole->option = m->opt;
  whole->visual = m->vis;
  statistics_back(&whole->stat, &m->stat, &whole->computed);
  keep_qpos0(whole, m);
  whole->copied_back = true;
}

// Whether every element has its row in the model.
static bool fits(const ct_Spec* spec, const mjModel* m) {
  return ct_count(spec, mjOBJ_BODY) == m->nbody && ct_count(spec, mjOBJ_JOINT) == m->njnt &&
         ct_count(spec, mjOBJ_GEOM) == m->ngeom && ct_count(spec, mjOBJ_SITE) == m->nsite &&
         ct_count(spec, mjOBJ_CAMERA) == m->ncam && ct_count(spec, mjOBJ_LIGHT) == m->nlight &&
         ct_count(spec, mjOBJ_MESH) == m->nmesh && ct_count(spec, mjOBJ_SKIN) == m->nskin &&
         ct_count(spec, mjOBJ_HFIELD) == m->nhfield && ct_count(spec, mjOBJ_MATERIAL) == m->nmat &&
         ct_count(spec, mjOBJ_TEXTURE) == m->ntex && ct_count(spec, mjOBJ_PAIR) == m->npair &&
         ct_count(spec, mjOBJ_EXCLUDE) == m->nexclude && ct_count(spec, mjOBJ_EQUALITY) == m->neq &&
         ct_count(spec, mjOBJ_TENDON) == m->ntendon && ct_count(spec, mjOBJ_ACTUATOR) == m->nu &&
         ct_count(spec, mjOBJ_SENSOR) == m->nsensor &&
         ct_count(spec, mjOBJ_NUMERIC) == m->nnumeric && ct_count(spec, mjOBJ_TEXT) == m->ntext &&
         ct_count(spec, mjOBJ_TUPLE) == m->ntuple && ct_count(spec, mjOBJ_KEY) == m->nkey;
}

int mj_copyBack(mjSpec* s, const mjModel* m) {
  if (!s) {
    mju_warning("mj_copyBack: the spec is NULL");
    return 0;
  }
  ct_Spec* spec = ct_spec(s);
  const char* why = !m                                         ? "the model is NULL"
                    : !spec->compiled || !spec->compiled_whole ? "the spec has not been compiled"
                    : m->signature != spec->element.handle.signature || !fits(spec, m)
                        ? "the model was not compiled from this spec as it is now"
                        : NULL;
  if (why) {
    ct_spec_error(spec, "mj_copyBack: %s", why);
    return 0;
  }
  for (size_t k = 0; k < sizeof(backs) / sizeof(backs[0]); k++) {
    int i = 0;
    for (ct_Element* e = ct_first_element(spec, backs[k].type); e; e = ct_next_element(e), i++) {
      if (e->compiled) backs[k].back(e->compiled, m, i);
    }
  }
  whole_back(spec, m);
  return 1;
}
