// Drawing a scene with OpenGL: where pictures go, fonts, and what is kept on the graphics card.

#ifndef MUJOCO_MJRENDER_H_
#define MUJOCO_MJRENDER_H_

#include <mujoco/mjmodel.h>

// clang-format off
#define mjNAUX        10    // auxiliary buffers
#define mjMAXTEXTURE  1000  // textures in a context
#define mjMAXMATERIAL 1000  // materials with textures in a context

typedef enum mjtGridPos_ {  // where an overlay stands
  mjGRID_TOPLEFT     = 0,   // left at the top
  mjGRID_TOPRIGHT    = 1,   // right at the top
  mjGRID_BOTTOMLEFT  = 2,   // left at the bottom
  mjGRID_BOTTOMRIGHT = 3,   // right at the bottom
  mjGRID_TOP         = 4,   // middle of the top
  mjGRID_BOTTOM      = 5,   // middle of the bottom
  mjGRID_LEFT        = 6,   // middle of the left side
  mjGRID_RIGHT       = 7,   // middle of the right side
} mjtGridPos;

typedef enum mjtFramebuffer_ {  // where pictures go
  mjFB_WINDOW    = 0,           // to the window
  mjFB_OFFSCREEN = 1,           // to memory
} mjtFramebuffer;

typedef enum mjtDepthMap_ {  // how distance becomes a depth value
  mjDEPTH_ZERONEAR = 0,      // 0 at the near plane, 1 at the far one
  mjDEPTH_ZEROFAR  = 1,      // the other way round, finer far away
} mjtDepthMap;

typedef enum mjtFontScale_ {  // sizes of fonts in percent
  mjFONTSCALE_50  = 50,       // half
  mjFONTSCALE_100 = 100,      // as designed
  mjFONTSCALE_150 = 150,      // for high resolutions
  mjFONTSCALE_200 = 200,      // twice as large
  mjFONTSCALE_250 = 250,      // two and a half times
  mjFONTSCALE_300 = 300,      // three times
} mjtFontScale;

typedef enum mjtFont_ {  // fonts
  mjFONT_NORMAL = 0,     // plain
  mjFONT_SHADOW = 1,     // with a shadow, readable on any background
  mjFONT_BIG    = 2,     // large
} mjtFont;
// clang-format on

typedef struct mjrRect_ {  // part of a picture, in pixels
  int left;                // first column
  int bottom;              // first row, from below
  int width;               // columns
  int height;              // rows
} mjrRect;

typedef struct mjrContext_ {                  // what a renderer keeps on the graphics card
  float lineWidth;                            // pixels of wires and rays
  float shadowClip;                           // half width of directional shadows
  float shadowScale;                          // share of a spot's cone with shadows
  float fogStart;                             // where fog begins
  float fogEnd;                               // where fog ends
  float fogRGBA[4];                           // colour of fog
  int shadowSize;                             // texels per side of the shadow map; 0: none
  int offWidth;                               // offscreen: columns
  int offHeight;                              // offscreen: rows
  int offSamples;                             // offscreen: samples per pixel; 0: one
  int fontScale;                              // mjtFontScale
  int auxWidth[mjNAUX];                       // auxiliary: columns
  int auxHeight[mjNAUX];                      // auxiliary: rows
  int auxSamples[mjNAUX];                     // auxiliary: samples per pixel
  unsigned int offFBO;                        // offscreen framebuffer
  unsigned int offFBO_r;                      // same with single samples, to read from
  unsigned int offColor;                      // its colours
  unsigned int offColor_r;                    // its colours, single samples
  unsigned int offDepthStencil;               // its depth and stencil
  unsigned int offDepthStencil_r;             // its depth and stencil, single samples
  unsigned int shadowFBO;                     // framebuffer for shadows
  unsigned int shadowTex;                     // its depth texture
  unsigned int auxFBO[mjNAUX];                // auxiliary framebuffers
  unsigned int auxFBO_r[mjNAUX];              // same with single samples
  unsigned int auxColor[mjNAUX];              // their colours
  unsigned int auxColor_r[mjNAUX];            // their colours, single samples
  int mat_texid[mjMAXMATERIAL * mjNTEXROLE];  // textures by material and role; -1: none
  int mat_texuniform[mjMAXMATERIAL];          // repeat per size and not per object, by material
  float mat_texrepeat[mjMAXMATERIAL * 2];     // repeats along both sides, by material
  int ntexture;                               // textures in use
  int textureType[mjMAXTEXTURE];              // mjtTexture
  unsigned int texture[mjMAXTEXTURE];         // their names
  unsigned int basePlane;                     // display lists: first plane
  unsigned int baseMesh;                      // display lists: first mesh
  unsigned int baseHField;                    // display lists: first height field
  unsigned int baseBuiltin;                   // display lists: first built-in shape
  unsigned int baseFontNormal;                // display lists: first character, mjFONT_NORMAL
  unsigned int baseFontShadow;                // display lists: first character, mjFONT_SHADOW
  unsigned int baseFontBig;                   // display lists: first character, mjFONT_BIG
  int rangePlane;                             // display lists: planes
  int rangeMesh;                              // display lists: meshes
  int rangeHField;                            // display lists: height fields
  int rangeBuiltin;                           // display lists: built-in shapes
  int rangeFont;                              // display lists: characters per font
  int nskin;                                  // skins
  unsigned int* skinvertVBO;                  // (nskin) buffers of positions
  unsigned int* skinnormalVBO;                // (nskin) buffers of normals
  unsigned int* skintexcoordVBO;              // (nskin) buffers of texture coordinates
  unsigned int* skinfaceVBO;                  // (nskin) buffers of faces
  int charWidth[127];                         // columns of each character, NORMAL and SHADOW
  int charWidthBig[127];                      // columns of each character, BIG
  int charHeight;                             // rows of NORMAL and SHADOW
  int charHeightBig;                          // rows of BIG
  int glInitialized;                          // OpenGL has been looked up
  int windowAvailable;                        // there is a window to draw to
  int windowSamples;                          // its samples per pixel
  int windowStereo;                           // it has buffers for two eyes
  int windowDoublebuffer;                     // it has a back buffer
  int currentBuffer;                          // where pictures go now: mjtFramebuffer
  int readPixelFormat;                        // OpenGL format of colours read back
  int readDepthMap;                           // mjtDepthMap of depths read back
} mjrContext;

#endif  // MUJOCO_MJRENDER_H_
