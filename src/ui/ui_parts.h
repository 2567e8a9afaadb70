// What the files of the widgets share: distances in pixels, who can be used, where things lie.

#ifndef CT_UI_UI_PARTS_H_
#define CT_UI_UI_PARTS_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>

// The distances of the theme in pixels, at the scale of the font.
mjuiThemeSpacing ct_ui_spacing(const mjUI* ui, const mjrContext* con);

// Pixels of a line with the room above and below it.
int ct_ui_line(const mjUI* ui, const mjrContext* con);

// Whether an item can be used: by its state, or by what the predicate says of it.
bool ct_ui_enabled(const mjUI* ui, const mjuiItem* item);

// The item that is being edited, that the mouse holds; NULL: none.
mjuiItem* ct_ui_edited(mjUI* ui);
mjuiItem* ct_ui_held(mjUI* ui);

// Rows of a radio item, and its columns.
int ct_ui_radio_columns(const mjUI* ui);

// Where the list of a select item lies while it is open, in pixels of the interface. Its
// elements are lines from above.
mjrRect ct_ui_list_rect(const mjUI* ui, const mjuiItem* item, const mjrContext* con);

// From the window to the interface, whose rows are counted from its lower end: add this to y.
int ct_ui_shift(const mjUI* ui, const mjuiState* state);

// Rows that the interface is too high for its rectangle; 0: it fits.
int ct_ui_excess(const mjUI* ui, const mjuiState* state);

// The thumb of the scroll bar, in the window.
mjrRect ct_ui_thumb(const mjUI* ui, const mjuiState* state, const mjrContext* con);

#endif  // CT_UI_UI_PARTS_H_
