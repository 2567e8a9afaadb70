// Themes of the widgets: distances at a scale of 100 percent, and colours.

#include <mujoco/mujoco.h>

// clang-format off
static const mjuiThemeSpacing tight = {
  .total = 270, .scroll = 15, .label = 120, .section = 8, .cornersect = 6, .cornersep = 6,
  .itemside = 4, .itemmid = 4, .itemver = 4, .texthor = 8, .textver = 4, .linescroll = 30, .samples = 4,
};

static const mjuiThemeSpacing wide = {
  .total = 310, .scroll = 15, .label = 120, .section = 10, .cornersect = 10, .cornersep = 10,
  .itemside = 7, .itemmid = 7, .itemver = 7, .texthor = 10, .textver = 5, .linescroll = 30, .samples = 4,
};

#define GREY(x_) {x_, x_, x_}
static const mjuiThemeColor colours[4] = {
  {  // red titles, one colour for each kind of item
    .master = GREY(.25f), .thumb = GREY(.12f),
    .secttitle = {.6f, .2f, .2f}, .secttitle2 = GREY(.1f),
    .secttitleuncheck = {.45f, .17f, .17f}, .secttitleuncheck2 = {.45f, .17f, .17f},
    .secttitlecheck = {.45f, .17f, .17f}, .secttitlecheck2 = {.45f, .17f, .17f},
    .sectfont = GREY(1), .sectsymbol = GREY(.7f), .sectpane = GREY(.1f),
    .separator = GREY(.25f), .separator2 = GREY(.1f),
    .shortcut = {0, 0, 1}, .fontactive = GREY(1), .fontinactive = GREY(.5f),
    .decorinactive = GREY(.3f), .decorinactive2 = GREY(.4f),
    .button = {.6f, .4f, .4f}, .check = {.4f, .4f, .7f}, .radio = {.4f, .6f, .4f},
    .select = {.4f, .6f, .6f}, .select2 = {.2f, .3f, .3f},
    .slider = {.3f, .2f, .3f}, .slider2 = {.6f, .4f, .6f},
    .edit = {.6f, .6f, .4f}, .edit2 = {.7f, 0, 0}, .cursor = GREY(.9f),
  },
  {  // orange
    .master = GREY(.2f), .thumb = GREY(.12f),
    .secttitle = GREY(.3f), .secttitle2 = GREY(.15f),
    .secttitleuncheck = GREY(.25f), .secttitleuncheck2 = GREY(.25f),
    .secttitlecheck = GREY(.25f), .secttitlecheck2 = GREY(.25f),
    .sectfont = GREY(.8f), .sectsymbol = GREY(.7f), .sectpane = GREY(.15f),
    .separator = GREY(.2f), .separator2 = GREY(.15f),
    .shortcut = {0, 0, 1}, .fontactive = GREY(.9f), .fontinactive = GREY(.5f),
    .decorinactive = GREY(.2f), .decorinactive2 = GREY(.25f),
    .button = {.6f, .4f, .2f}, .check = {.6f, .4f, .2f}, .radio = {.6f, .4f, .2f},
    .select = {.6f, .4f, .2f}, .select2 = {.3f, .2f, .1f},
    .slider = GREY(.2f), .slider2 = {.6f, .4f, .2f},
    .edit = {.6f, .4f, .2f}, .edit2 = {.7f, 0, 0}, .cursor = GREY(.9f),
  },
  {  // white
    .master = GREY(.9f), .thumb = GREY(.7f),
    .secttitle = GREY(.8f), .secttitle2 = GREY(1),
    .secttitleuncheck = GREY(.95f), .secttitleuncheck2 = GREY(.95f),
    .secttitlecheck = GREY(.95f), .secttitlecheck2 = GREY(.95f),
    .sectfont = {0, 0, .8f}, .sectsymbol = {0, 0, .8f}, .sectpane = GREY(1),
    .separator = GREY(.9f), .separator2 = GREY(1),
    .shortcut = {0, 1, 1}, .fontactive = GREY(0), .fontinactive = GREY(.7f),
    .decorinactive = GREY(.95f), .decorinactive2 = GREY(.9f),
    .button = GREY(.8f), .check = GREY(.8f), .radio = GREY(.8f),
    .select = GREY(.8f), .select2 = GREY(.9f),
    .slider = GREY(.95f), .slider2 = GREY(.8f),
    .edit = GREY(.8f), .edit2 = {1, .3f, .3f}, .cursor = GREY(.2f),
  },
  {  // black
    .master = GREY(.15f), .thumb = GREY(.3f),
    .secttitle = GREY(.25f), .secttitle2 = GREY(0),
    .secttitleuncheck = GREY(.2f), .secttitleuncheck2 = GREY(.2f),
    .secttitlecheck = GREY(.2f), .secttitlecheck2 = GREY(.2f),
    .sectfont = {1, .3f, .3f}, .sectsymbol = {1, .3f, .3f}, .sectpane = GREY(0),
    .separator = GREY(.15f), .separator2 = GREY(0),
    .shortcut = {0, 0, 1}, .fontactive = GREY(1), .fontinactive = GREY(.4f),
    .decorinactive = GREY(.1f), .decorinactive2 = GREY(.15f),
    .button = GREY(.3f), .check = GREY(.3f), .radio = GREY(.3f),
    .select = GREY(.3f), .select2 = GREY(.15f),
    .slider = GREY(.15f), .slider2 = GREY(.3f),
    .edit = GREY(.3f), .edit2 = {.8f, .2f, .2f}, .cursor = GREY(.8f),
  },
};
#undef GREY
// clang-format on

mjuiThemeSpacing mjui_themeSpacing(int ind) {
  return ind == 0 ? tight : wide;
}

mjuiThemeColor mjui_themeColor(int ind) {
  return colours[ind >= 0 && ind < 3 ? ind : 3];
}
