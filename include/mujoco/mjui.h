// mjui.h

#ifndef MUJOCO_MJUI_H_
#define MUJOCO_MJUI_H_

#include <mujoco/mjrender.h>

#define mjMAXUISECT      10  //
#define mjMAXUIITEM      200  //
#define mjMAXUITEXT      300  //
#define mjMAXUINAME      40  //
#define mjMAXUIMULTI     35  //
#define mjMAXUIEDIT      7  //
#define mjMAXUIRECT      25  //
#define mjSEPCLOSED      1000  //
#define mjPRESERVE       2000  //
#define mjKEY_ESCAPE     256  //
#define mjKEY_ENTER      257  //
#define mjKEY_TAB        258  //
#define mjKEY_BACKSPACE  259  //
#define mjKEY_INSERT     260  //
#define mjKEY_DELETE     261  //
#define mjKEY_RIGHT      262  //
#define mjKEY_LEFT       263  //
#define mjKEY_DOWN       264  //
#define mjKEY_UP         265  //
#define mjKEY_PAGE_UP    266  //
#define mjKEY_PAGE_DOWN  267  //
#define mjKEY_HOME       268  //
#define mjKEY_END        269  //
#define mjKEY_F1         290  //
#define mjKEY_F2         291  //
#define mjKEY_F3         292  //
#define mjKEY_F4         293  //
#define mjKEY_F5         294  //
#define mjKEY_F6         295  //
#define mjKEY_F7         296  //
#define mjKEY_F8         297  //
#define mjKEY_F9         298  //
#define mjKEY_F10        299  //
#define mjKEY_F11        300  //
#define mjKEY_F12        301  //
#define mjKEY_NUMPAD_0   320  //
#define mjKEY_NUMPAD_9   329  //

typedef enum mjtButton_ {  //
  mjBUTTON_NONE   = 0,  //
  mjBUTTON_LEFT   = 1,  //
  mjBUTTON_RIGHT  = 2,  //
  mjBUTTON_MIDDLE = 3,  //
} mjtButton;

typedef enum mjtEvent_ {  //
  mjEVENT_NONE      = 0,  //
  mjEVENT_MOVE      = 1,  //
  mjEVENT_PRESS     = 2,  //
  mjEVENT_RELEASE   = 3,  //
  mjEVENT_SCROLL    = 4,  //
  mjEVENT_KEY       = 5,  //
  mjEVENT_RESIZE    = 6,  //
  mjEVENT_REDRAW    = 7,  //
  mjEVENT_FILESDROP = 8,  //
} mjtEvent;

typedef enum mjtItem_ {  //
  mjITEM_END       = -2,  //
  mjITEM_SECTION   = -1,  //
  mjITEM_SEPARATOR = 0,  //
  mjITEM_STATIC    = 1,  //
  mjITEM_BUTTON    = 2,  //
  mjITEM_CHECKINT  = 3,  //
  mjITEM_CHECKBYTE = 4,  //
  mjITEM_RADIO     = 5,  //
  mjITEM_RADIOLINE = 6,  //
  mjITEM_SELECT    = 7,  //
  mjITEM_SLIDERINT = 8,  //
  mjITEM_SLIDERNUM = 9,  //
  mjITEM_EDITINT   = 10,  //
  mjITEM_EDITNUM   = 11,  //
  mjITEM_EDITFLOAT = 12,  //
  mjITEM_EDITTXT   = 13,  //
  mjNITEM          = 14,  //
} mjtItem;

typedef enum mjtSection_ {  //
  mjSECT_CLOSED = 0,  //
  mjSECT_OPEN   = 1,  //
  mjSECT_FIXED  = 2,  //
} mjtSection;

typedef int (*mjfItemEnable)(int category, void* data);

typedef struct mjuiState_ {  //
  int nrect;  //
  mjrRect rect[25];  //
  void* userdata;  //
  int type;  //
  int left;  //
  int right;  //
  int middle;  //
  int doubleclick;  //
  int button;  //
  double buttontime;  //
  double x;  //
  double y;  //
  double dx;  //
  double dy;  //
  double sx;  //
  double sy;  //
  int control;  //
  int shift;  //
  int alt;  //
  int key;  //
  double keytime;  //
  int mouserect;  //
  int dragrect;  //
  int dragbutton;  //
  int dropcount;  //
  const char** droppaths;  //
} mjuiState;

typedef struct mjuiThemeSpacing_ {  //
  int total;  //
  int scroll;  //
  int label;  //
  int section;  //
  int cornersect;  //
  int cornersep;  //
  int itemside;  //
  int itemmid;  //
  int itemver;  //
  int texthor;  //
  int textver;  //
  int linescroll;  //
  int samples;  //
} mjuiThemeSpacing;

typedef struct mjuiThemeColor_ {  //
  float master[3];  //
  float thumb[3];  //
  float secttitle[3];  //
  float secttitle2[3];  //
  float secttitleuncheck[3];  //
  float secttitleuncheck2[3];  //
  float secttitlecheck[3];  //
  float secttitlecheck2[3];  //
  float sectfont[3];  //
  float sectsymbol[3];  //
  float sectpane[3];  //
  float separator[3];  //
  float separator2[3];  //
  float shortcut[3];  //
  float fontactive[3];  //
  float fontinactive[3];  //
  float decorinactive[3];  //
  float decorinactive2[3];  //
  float button[3];  //
  float check[3];  //
  float radio[3];  //
  float select[3];  //
  float select2[3];  //
  float slider[3];  //
  float slider2[3];  //
  float edit[3];  //
  float edit2[3];  //
  float cursor[3];  //
} mjuiThemeColor;

struct mjuiItemSingle_ {  //
  int modifier;  //
  int shortcut;  //
};

struct mjuiItemMulti_ {  //
  int nelem;  //
  char name[mjMAXUIMULTI][mjMAXUINAME];  //
};

struct mjuiItemSlider_ {  //
  double range[2];  //
  double divisions;  //
};

struct mjuiItemEdit_ {  //
  int nelem;  //
  double range[mjMAXUIEDIT][2];  //
};

typedef struct mjuiItem_ {  //
  int type;  //
  char name[40];  //
  int state;  //
  void* pdata;  //
  int sectionid;  //
  int itemid;  //
  int userid;  //
  union {  //
    struct mjuiItemSingle_ single;  //
    struct mjuiItemMulti_ multi;  //
    struct mjuiItemSlider_ slider;  //
    struct mjuiItemEdit_ edit;  //
  };
  mjrRect rect;  //
  int skip;  //
} mjuiItem;

typedef struct mjuiSection_ {  //
  char name[40];  //
  int state;  //
  int modifier;  //
  int shortcut;  //
  int checkbox;  //
  int nitem;  //
  mjuiItem item[200];  //
  mjrRect rtitle;  //
  mjrRect rcontent;  //
  int lastclick;  //
} mjuiSection;

typedef struct mjUI_ {  //
  mjuiThemeSpacing spacing;  //
  mjuiThemeColor color;  //
  mjfItemEnable predicate;  //
  void* userdata;  //
  int rectid;  //
  int auxid;  //
  int radiocol;  //
  int width;  //
  int height;  //
  int maxheight;  //
  int scroll;  //
  int mousesect;  //
  int mouseitem;  //
  int mousehelp;  //
  int mouseclicks;  //
  int mousesectcheck;  //
  int editsect;  //
  int edititem;  //
  int editcursor;  //
  int editscroll;  //
  char edittext[300];  //
  mjuiItem* editchanged;  //
  int nsect;  //
  mjuiSection sect[10];  //
} mjUI;

typedef struct mjuiDef_ {  //
  int type;  //
  char name[40];  //
  int state;  //
  void* pdata;  //
  char other[300];  //
  int otherint;  //
} mjuiDef;

#endif
