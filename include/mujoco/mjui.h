// A small user interface, drawn with the renderer: sections of items that show and change numbers
// in memory.

#ifndef MUJOCO_MJUI_H_
#define MUJOCO_MJUI_H_

#include <mujoco/mjrender.h>

// clang-format off
#define mjMAXUISECT     10    // sections of a user interface
#define mjMAXUIITEM     200   // items of a section
#define mjMAXUITEXT     300   // characters that can be edited or describe an item
#define mjMAXUINAME     40    // characters of a name
#define mjMAXUIMULTI    35    // elements of a radio or select item
#define mjMAXUIEDIT     7     // numbers of an edit item
#define mjMAXUIRECT     25    // rectangles of a window
#define mjSEPCLOSED     1000  // state of a separator that starts closed
#define mjPRESERVE      2000  // state of a section that keeps what it had
#define mjKEY_ESCAPE    256   // escape
#define mjKEY_ENTER     257   // enter
#define mjKEY_TAB       258   // tab
#define mjKEY_BACKSPACE 259   // backspace
#define mjKEY_INSERT    260   // insert
#define mjKEY_DELETE    261   // delete
#define mjKEY_RIGHT     262   // right arrow
#define mjKEY_LEFT      263   // left arrow
#define mjKEY_DOWN      264   // down arrow
#define mjKEY_UP        265   // up arrow
#define mjKEY_PAGE_UP   266   // page up
#define mjKEY_PAGE_DOWN 267   // page down
#define mjKEY_HOME      268   // home
#define mjKEY_END       269   // end
#define mjKEY_F1        290   // function keys
#define mjKEY_F2        291   // function key
#define mjKEY_F3        292   // function key
#define mjKEY_F4        293   // function key
#define mjKEY_F5        294   // function key
#define mjKEY_F6        295   // function key
#define mjKEY_F7        296   // function key
#define mjKEY_F8        297   // function key
#define mjKEY_F9        298   // function key
#define mjKEY_F10       299   // function key
#define mjKEY_F11       300   // function key
#define mjKEY_F12       301   // function key
#define mjKEY_NUMPAD_0  320   // number pad, first of ten
#define mjKEY_NUMPAD_9  329   // number pad, last of ten

typedef enum mjtButton_ {  // mouse buttons
  mjBUTTON_NONE   = 0,     // none of them
  mjBUTTON_LEFT   = 1,     // left
  mjBUTTON_RIGHT  = 2,     // right
  mjBUTTON_MIDDLE = 3,     // middle
} mjtButton;

typedef enum mjtEvent_ {  // what happened
  mjEVENT_NONE      = 0,  // nothing
  mjEVENT_MOVE      = 1,  // the mouse moved
  mjEVENT_PRESS     = 2,  // a button went down
  mjEVENT_RELEASE   = 3,  // a button went up
  mjEVENT_SCROLL    = 4,  // the wheel turned
  mjEVENT_KEY       = 5,  // a key went down
  mjEVENT_RESIZE    = 6,  // the window changed its size
  mjEVENT_REDRAW    = 7,  // the window needs drawing
  mjEVENT_FILESDROP = 8,  // files were dropped
} mjtEvent;

typedef enum mjtItem_ {   // kinds of entry in an interface
  mjITEM_END       = -2,  // end of a definition
  mjITEM_SECTION   = -1,  // start of a section
  mjITEM_SEPARATOR = 0,   // line that opens and closes what follows
  mjITEM_STATIC    = 1,   // text
  mjITEM_BUTTON    = 2,   // button
  mjITEM_CHECKINT  = 3,   // box over an int
  mjITEM_CHECKBYTE = 4,   // box over a byte
  mjITEM_RADIO     = 5,   // one of several, int
  mjITEM_RADIOLINE = 6,   // one of several in one row, int
  mjITEM_SELECT    = 7,   // one of several in a list, int
  mjITEM_SLIDERINT = 8,   // slider over an int
  mjITEM_SLIDERNUM = 9,   // slider over an mjtNum
  mjITEM_EDITINT   = 10,  // ints to be typed
  mjITEM_EDITNUM   = 11,  // mjtNums to be typed
  mjITEM_EDITFLOAT = 12,  // floats to be typed
  mjITEM_EDITTXT   = 13,  // text to be typed
  mjNITEM          = 14,  // number of kinds
} mjtItem;

typedef enum mjtSection_ {  // of a section
  mjSECT_CLOSED = 0,        // shows its title
  mjSECT_OPEN   = 1,        // shows its items
  mjSECT_FIXED  = 2,        // shows its items and cannot be closed
} mjtSection;
// clang-format on

// Is an item with this state on? data is mjUI.userdata.
typedef int (*mjfItemEnable)(int category, void* data);

typedef struct mjuiState_ {   // window, mouse and keyboard
  int nrect;                  // rectangles in use
  mjrRect rect[mjMAXUIRECT];  // rectangles; 0 is the whole window
  void* userdata;             // for the user's own use
  int type;                   // mjtEvent
  int left;                   // left button is down
  int right;                  // right button is down
  int middle;                 // middle button is down
  int doubleclick;            // last press was a double click
  int button;                 // button pressed last: mjtButton
  double buttontime;          // when it was pressed, seconds
  double x;                   // mouse: column
  double y;                   // mouse: row, from below
  double dx;                  // mouse: columns since the last event
  double dy;                  // mouse: rows since the last event
  double sx;                  // wheel: sideways
  double sy;                  // wheel: up and down
  int control;                // control is down
  int shift;                  // shift is down
  int alt;                    // alt is down
  int key;                    // key pressed last
  double keytime;             // when it was pressed, seconds
  int mouserect;              // rectangle under the mouse
  int dragrect;               // rectangle that is dragged; 0: none
  int dragbutton;             // button that drags: mjtButton
  int dropcount;              // files that were dropped
  const char** droppaths;     // their paths
} mjuiState;

typedef struct mjuiThemeSpacing_ {  // distances in pixels at 100 percent
  int total;                        // width of everything
  int scroll;                       // width of the scroll bar
  int label;                        // width of labels
  int section;                      // between sections
  int cornersect;                   // radius of section corners
  int cornersep;                    // radius of separator corners
  int itemside;                     // left and right of items
  int itemmid;                      // between label and item
  int itemver;                      // between rows of items
  int texthor;                      // left and right of text
  int textver;                      // above and below text
  int linescroll;                   // per turn of the wheel
  int samples;                      // samples per pixel of the buffer
} mjuiThemeSpacing;

typedef struct mjuiThemeColor_ {  // colours of an interface
  float master[3];                // background
  float thumb[3];                 // thumb of the scroll bar
  float secttitle[3];             // titles of sections
  float secttitle2[3];            // titles, lower end of the gradient
  float secttitleuncheck[3];      // title with an empty box
  float secttitleuncheck2[3];     // same, lower end
  float secttitlecheck[3];        // title with a full box
  float secttitlecheck2[3];       // same, lower end
  float sectfont[3];              // text of section titles
  float sectsymbol[3];            // symbol that opens sections
  float sectpane[3];              // background of sections
  float separator[3];             // separator
  float separator2[3];            // separator, lower end
  float shortcut[3];              // keyboard shortcuts
  float fontactive[3];            // text that can be used
  float fontinactive[3];          // text that cannot
  float decorinactive[3];         // decoration that cannot be used
  float decorinactive2[3];        // same, second colour
  float button[3];                // buttons
  float check[3];                 // boxes
  float radio[3];                 // radio items
  float select[3];                // select items
  float select2[3];               // open lists
  float slider[3];                // sliders: rest
  float slider2[3];               // sliders: moved part
  float edit[3];                  // fields to type into
  float edit2[3];                 // fields with errors
  float cursor[3];                // cursor
} mjuiThemeColor;

struct mjuiItemSingle_ {  // of a box or button
  int modifier;           // key held with it; 1: control, 2: shift, 4: alt
  int shortcut;           // key; 0: none
};

struct mjuiItemMulti_ {                  // of a text, radio or select item
  int nelem;                             // elements
  char name[mjMAXUIMULTI][mjMAXUINAME];  // their names
};

struct mjuiItemSlider_ {  // of a slider
  double range[2];        // from, to
  double divisions;       // snaps to so many steps
};

struct mjuiItemEdit_ {           // of an item to type into
  int nelem;                     // numbers
  double range[mjMAXUIEDIT][2];  // from, to; equal: any
};

typedef struct mjuiItem_ {  // entry of a section
  int type;                 // mjtItem
  char name[mjMAXUINAME];   // label
  int state;                // 0: off, 1: on, 2 and more: ask the predicate
  void* pdata;              // what it shows and changes
  int sectionid;            // its section
  int itemid;               // its place there
  int userid;               // id of the user's choice
  // clang-format off
#ifdef __GNUC__
  __extension__  // unnamed unions are newer than C99
#endif
  union {                           // by kind
    struct mjuiItemSingle_ single;  // box, button
    struct mjuiItemMulti_ multi;    // text, radio, select
    struct mjuiItemSlider_ slider;  // slider
    struct mjuiItemEdit_ edit;      // edit
  };
  // clang-format on
  mjrRect rect;  // where it is drawn
  int skip;      // hidden by a closed separator
} mjuiItem;

typedef struct mjuiSection_ {  // section of an interface
  char name[mjMAXUINAME];      // title
  int state;                   // mjtSection
  int modifier;                // key held with it; 1: control, 2: shift, 4: alt
  int shortcut;                // key; 0: none
  int checkbox;                // box in the title: 0: none, 1: empty, 2: full
  int nitem;                   // items in use
  mjuiItem item[mjMAXUIITEM];  // the items
  mjrRect rtitle;              // where the title is drawn
  mjrRect rcontent;            // where the items are drawn
  int lastclick;               // when the title was clicked, as a count
} mjuiSection;

typedef struct mjUI_ {            // user interface
  mjuiThemeSpacing spacing;       // distances
  mjuiThemeColor color;           // colours
  mjfItemEnable predicate;        // says which items are on
  void* userdata;                 // handed to the predicate
  int rectid;                     // rectangle of mjuiState it fills
  int auxid;                      // auxiliary buffer it is drawn into
  int radiocol;                   // columns of radio items; 0: two
  int width;                      // its columns
  int height;                     // its rows, all sections counted
  int maxheight;                  // its rows with all sections open
  int scroll;                     // rows scrolled away
  int mousesect;                  // under the mouse: section; 0: none
  int mouseitem;                  // under the mouse: item
  int mousehelp;                  // under the mouse: help is shown
  int mouseclicks;                // under the mouse: clicks so far
  int mousesectcheck;             // under the mouse: box of the section
  int editsect;                   // being edited: section; 0: none
  int edititem;                   // being edited: item
  int editcursor;                 // being edited: cursor
  int editscroll;                 // being edited: characters scrolled away
  char edittext[mjMAXUITEXT];     // being edited: the text
  mjuiItem* editchanged;          // item that the last event changed; NULL: none
  int nsect;                      // sections in use
  mjuiSection sect[mjMAXUISECT];  // the sections
} mjUI;

typedef struct mjuiDef_ {   // line of a table that describes an interface
  int type;                 // mjtItem; mjITEM_END ends the table
  char name[mjMAXUINAME];   // label
  int state;                // see mjuiItem and mjuiSection
  void* pdata;              // see mjuiItem
  char other[mjMAXUITEXT];  // by kind: shortcut, names, ranges
  int otherint;             // checkbox of a section, ...
} mjuiDef;

#endif  // MUJOCO_MJUI_H_
