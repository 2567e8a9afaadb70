// Shapes of characters, as pieces of straight strokes, and the sizes that texts are laid out with.

#ifndef CT_RENDER_CHARACTERS_H_
#define CT_RENDER_CHARACTERS_H_

#include <stdbool.h>

enum { CT_FIRST_CHARACTER = 32, CT_END_OF_CHARACTERS = 127 };

// Pixels at a scale in percent (50, 100, ..., 600): of a line, and of a character.
bool ct_has_scale(int scale);
int ct_line_height(int scale);
int ct_character_width(int scale, int code);

// Calls back with the two ends of every piece of a character in a box of that size, y upwards from
// its lower edge. Capitals are a little more than half as high as a line; the baseline is at about
// a quarter of it.
#define CT_BASELINE 0.26f  // share of the height
typedef void (*ct_DrawPiece)(void* user, const float a[2], const float b[2]);
void ct_draw_character(int code, float width, float height, float margin, ct_DrawPiece draw,
                       void* user);

#endif  // CT_RENDER_CHARACTERS_H_
