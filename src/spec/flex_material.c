// Materials of flexes by name. Numbers are round; docs/flex.md says which of them come from a
// source and which are chosen. Materials of one name differ by more than that.

#include "spec/flex_material.h"

#include <stddef.h>

// In the order of the words.
static const ct_FlexMaterial materials[] = {
    // clang-format off
    // young poisson density thickness damping
    {3e7,   .30,  400,  4e-4, 1e-3},  // cotton
    {8e7,   .30,  450,  1e-4, 5e-4},  // silk
    {2e8,   .40,  900, 1.5e-3, 1e-3},  // leather
    {1.5e6, .49,  950,  1e-3, 2e-3},  // rubber
    {4e9,   .20,  700,  1e-4, 1e-4},  // paper
    {1e7,   .48, 1400,  1e-4, 1e-3},  // membrane
    {2e4,   .45, 1050,  2e-2, 5e-3},  // gelatin
    {2.6e4, .45, 1000,  1e-2, 1e-2},  // soft tissue
    {6e4,   .45, 1060,  1e-2, 1e-2},  // muscle
    {5e5,   .30,   30,  1e-2, 5e-3},  // foam
    {2e7,   .48, 1200,  2e-3, 1e-3},  // stiff rubber
    {1e9,   .30, 1100,  1e-2, 1e-3},  // rope
    {1e11,  .30, 4700,  5e-3, 1e-4},  // steel cable
    {4e9,   .38, 1320,  8e-5, 1e-4},  // hair
    {5e10,  .30, 4000,  5e-3, 1e-4},  // chain
    // clang-format on
};

const ct_FlexMaterial* ct_flex_material(int number) {
  int count = (int)(sizeof(materials) / sizeof(materials[0]));
  return number >= 1 && number <= count ? &materials[number - 1] : NULL;
}
