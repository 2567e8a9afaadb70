#include "render/characters.h"

#include <stddef.h>
#include <string.h>

typedef struct Metrics_ {
  int scale, height;
  unsigned char width[CT_END_OF_CHARACTERS - CT_FIRST_CHARACTER];
} Metrics;

static const Metrics metrics[] = {
#include "render/font_widths.def"
};

static const char* const strokes[CT_END_OF_CHARACTERS - CT_FIRST_CHARACTER] = {
#include "render/font_strokes.def"
};

static const Metrics* metrics_of(int scale) {
  for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
    if (metrics[i].scale == scale) return metrics + i;
  }
  return NULL;
}

bool ct_has_scale(int scale) {
  return metrics_of(scale) != NULL;
}

int ct_line_height(int scale) {
  const Metrics* found = metrics_of(scale);
  return found ? found->height : 0;
}

int ct_character_width(int scale, int code) {
  const Metrics* found = metrics_of(scale);
  bool drawn = code >= CT_FIRST_CHARACTER && code < CT_END_OF_CHARACTERS;
  return found && drawn ? found->width[code - CT_FIRST_CHARACTER] : 0;
}

void ct_draw_character(int code, float width, float height, float margin, ct_DrawPiece draw,
                       void* user) {
  float unit = height / 17, baseline = CT_BASELINE * height, across = (width - 2 * margin - 1) / 8;
  float last[2] = {0, 0};
  bool begun = false;
  for (const char* at = strokes[code - CT_FIRST_CHARACTER]; *at; at++) {
    if (*at == ' ') continue;
    if (*at == ',') {
      begun = false;
      continue;
    }
    int column = at[0] - '0', row = at[1] >= 'a' ? 'a' - at[1] - 1 : at[1] - '0';
    const float point[2] = {margin + 0.5f + (float)column * across, baseline + (float)row * unit};
    draw(user, begun ? last : point, point);
    memcpy(last, point, sizeof(last));
    begun = true;
    at++;
  }
}
