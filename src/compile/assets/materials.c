// Materials: copied as they are, with the textures of their roles.

#include "compile/assets/assets.h"
#include "compile/work/put.h"

void ct_compile_materials(ct_Compiler* c) {
  (void)c;  // references were resolved with those of all assets
}

void ct_size_materials(ct_Compiler* c) {
  (void)c;
}

void ct_copy_materials(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int i = 0; i < m->nmat; i++) {
    const ct_WorkMaterial* material = CT_WORK(ct_WorkMaterial, c->list[mjOBJ_MATERIAL], i);
    const mjsMaterial* v = &material->v;
    for (int role = 0; role < mjNTEXROLE; role++) {
      m->mat_texid[i * mjNTEXROLE + role] = CT_ID(material->texture[role]);
    }
    m->mat_texuniform[i] = v->texuniform;
    ct_put_floats(m->mat_texrepeat + 2 * i, v->texrepeat, 2);
    m->mat_emission[i] = v->emission;
    m->mat_specular[i] = v->specular;
    m->mat_shininess[i] = v->shininess;
    m->mat_reflectance[i] = v->reflectance;
    m->mat_metallic[i] = v->metallic;
    m->mat_roughness[i] = v->roughness;
    ct_put_floats(m->mat_rgba + 4 * i, v->rgba, 4);
  }
}
