// Fields that are typed into.

#ifndef CT_UI_UI_EDIT_H_
#define CT_UI_UI_EDIT_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>

// What a field shows when nobody types.
void ct_ui_field_text(const mjuiItem* item, char text[mjMAXUITEXT]);

// Whether a text is what the field takes: as many numbers as it has, each within its range.
bool ct_ui_field_accepts(const mjuiItem* item, const char* text);

// Starts to edit, with the cursor near x (of the interface).
void ct_ui_edit_begin(mjUI* ui, const mjuiItem* item, int x, const mjrContext* con);

// Puts the cursor into the gap between characters that is nearest to x.
void ct_ui_edit_point(mjUI* ui, int x, const mjrContext* con);

// Ends it, and takes the text if it can be taken; the item that changed, or NULL.
mjuiItem* ct_ui_edit_end(mjUI* ui);

// A key while something is edited; the item that changed, or NULL.
mjuiItem* ct_ui_edit_key(mjUI* ui, const mjuiState* state, const mjrContext* con);

#endif  // CT_UI_UI_EDIT_H_
