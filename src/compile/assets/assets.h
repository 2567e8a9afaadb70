// Passes over assets, in the order of compile.c; what each kind of them does is said there.

#ifndef CT_COMPILE_ASSETS_ASSETS_H_
#define CT_COMPILE_ASSETS_ASSETS_H_

#include "compile/work/work.h"

void ct_compile_meshes(ct_Compiler* c);
void ct_compile_textures(ct_Compiler* c);
void ct_compile_skins(ct_Compiler* c);
void ct_compile_hfields(ct_Compiler* c);
void ct_compile_materials(ct_Compiler* c);

void ct_size_meshes(ct_Compiler* c);
void ct_size_textures(ct_Compiler* c);
void ct_size_skins(ct_Compiler* c);
void ct_size_hfields(ct_Compiler* c);
void ct_size_materials(ct_Compiler* c);

void ct_copy_meshes(ct_Compiler* c);
void ct_copy_textures(ct_Compiler* c);
void ct_copy_skins(ct_Compiler* c);
void ct_copy_hfields(ct_Compiler* c);
void ct_copy_materials(ct_Compiler* c);

#endif  // CT_COMPILE_ASSETS_ASSETS_H_
