// OpenGL, looked up at run time.
//
// The library is linked with no OpenGL library, so that it loads where there is none. Whoever made
// the current context (GLFW, EGL, OSMesa) has loaded one; its functions are found through the
// GetProcAddress of that one. Names and numbers are those of the OpenGL specification; a name
// without gl is one of ours: gl->Enable is glEnable.

#ifndef CT_RENDER_GL_H_
#define CT_RENDER_GL_H_

#include <stdbool.h>

// clang-format off
#define CT_GL_FUNCTIONS(X_) \
  X_(void, AlphaFunc, (unsigned func, float ref)) \
  X_(void, Begin, (unsigned mode)) \
  X_(void, BindTexture, (unsigned target, unsigned texture)) \
  X_(void, Bitmap, (int width, int height, float xorig, float yorig, float xmove, float ymove, const unsigned char* bitmap)) \
  X_(void, BlendFunc, (unsigned source, unsigned destination)) \
  X_(void, CallList, (unsigned list)) \
  X_(void, CallLists, (int n, unsigned type, const void* lists)) \
  X_(void, Clear, (unsigned mask)) \
  X_(void, ClearColor, (float r, float g, float b, float a)) \
  X_(void, ClearDepth, (double depth)) \
  X_(void, ClearStencil, (int value)) \
  X_(void, ClipPlane, (unsigned plane, const double* equation)) \
  X_(void, Color3f, (float r, float g, float b)) \
  X_(void, Color4f, (float r, float g, float b, float a)) \
  X_(void, Color4fv, (const float* rgba)) \
  X_(void, ColorMask, (unsigned char r, unsigned char g, unsigned char b, unsigned char a)) \
  X_(void, ColorMaterial, (unsigned face, unsigned mode)) \
  X_(void, CullFace, (unsigned mode)) \
  X_(void, DeleteLists, (unsigned list, int range)) \
  X_(void, DeleteTextures, (int n, const unsigned* textures)) \
  X_(void, DepthFunc, (unsigned func)) \
  X_(void, DepthMask, (unsigned char flag)) \
  X_(void, DepthRange, (double near, double far)) \
  X_(void, Disable, (unsigned cap)) \
  X_(void, DisableClientState, (unsigned cap)) \
  X_(void, DrawArrays, (unsigned mode, int first, int count)) \
  X_(void, DrawBuffer, (unsigned mode)) \
  X_(void, DrawElements, (unsigned mode, int count, unsigned type, const void* indices)) \
  X_(void, DrawPixels, (int width, int height, unsigned format, unsigned type, const void* pixels)) \
  X_(void, Enable, (unsigned cap)) \
  X_(void, EnableClientState, (unsigned cap)) \
  X_(void, End, (void)) \
  X_(void, EndList, (void)) \
  X_(void, Finish, (void)) \
  X_(void, Fogf, (unsigned name, float value)) \
  X_(void, Fogfv, (unsigned name, const float* value)) \
  X_(void, Fogi, (unsigned name, int value)) \
  X_(void, FrontFace, (unsigned mode)) \
  X_(unsigned, GenLists, (int range)) \
  X_(void, GenTextures, (int n, unsigned* textures)) \
  X_(void, GetBooleanv, (unsigned name, unsigned char* value)) \
  X_(unsigned, GetError, (void)) \
  X_(void, GetIntegerv, (unsigned name, int* value)) \
  X_(const unsigned char*, GetString, (unsigned name)) \
  X_(void, LightModelfv, (unsigned name, const float* value)) \
  X_(void, LightModeli, (unsigned name, int value)) \
  X_(void, Lightf, (unsigned light, unsigned name, float value)) \
  X_(void, Lightfv, (unsigned light, unsigned name, const float* value)) \
  X_(void, LineWidth, (float width)) \
  X_(void, ListBase, (unsigned base)) \
  X_(void, LoadIdentity, (void)) \
  X_(void, LoadMatrixf, (const float* m)) \
  X_(void, Materialf, (unsigned face, unsigned name, float value)) \
  X_(void, Materialfv, (unsigned face, unsigned name, const float* value)) \
  X_(void, MatrixMode, (unsigned mode)) \
  X_(void, MultMatrixf, (const float* m)) \
  X_(void, NewList, (unsigned list, unsigned mode)) \
  X_(void, Normal3f, (float x, float y, float z)) \
  X_(void, NormalPointer, (unsigned type, int stride, const void* pointer)) \
  X_(void, Ortho, (double l, double r, double b, double t, double n, double f)) \
  X_(void, PixelStorei, (unsigned name, int value)) \
  X_(void, PixelZoom, (float x, float y)) \
  X_(void, PolygonMode, (unsigned face, unsigned mode)) \
  X_(void, PolygonOffset, (float factor, float units)) \
  X_(void, PopMatrix, (void)) \
  X_(void, PushMatrix, (void)) \
  X_(void, RasterPos3f, (float x, float y, float z)) \
  X_(void, ReadBuffer, (unsigned mode)) \
  X_(void, ReadPixels, (int x, int y, int width, int height, unsigned format, unsigned type, void* pixels)) \
  X_(void, Scalef, (float x, float y, float z)) \
  X_(void, Scissor, (int x, int y, int width, int height)) \
  X_(void, ShadeModel, (unsigned mode)) \
  X_(void, StencilFunc, (unsigned func, int ref, unsigned mask)) \
  X_(void, StencilOp, (unsigned fail, unsigned zfail, unsigned zpass)) \
  X_(void, TexCoordPointer, (int size, unsigned type, int stride, const void* pointer)) \
  X_(void, TexEnvi, (unsigned target, unsigned name, int value)) \
  X_(void, TexGenfv, (unsigned coord, unsigned name, const float* value)) \
  X_(void, TexGeni, (unsigned coord, unsigned name, int value)) \
  X_(void, TexImage2D, (unsigned target, int level, int internal, int width, int height, int border, unsigned format, unsigned type, const void* pixels)) \
  X_(void, TexParameterfv, (unsigned target, unsigned name, const float* value)) \
  X_(void, TexParameteri, (unsigned target, unsigned name, int value)) \
  X_(void, Translatef, (float x, float y, float z)) \
  X_(void, Vertex2f, (float x, float y)) \
  X_(void, Vertex3f, (float x, float y, float z)) \
  X_(void, VertexPointer, (int size, unsigned type, int stride, const void* pointer)) \
  X_(void, Viewport, (int x, int y, int width, int height)) \
  X_(void, ActiveTexture, (unsigned texture)) \
  X_(void, BindBuffer, (unsigned target, unsigned buffer)) \
  X_(void, BufferData, (unsigned target, long size, const void* data, unsigned usage)) \
  X_(void, DeleteBuffers, (int n, const unsigned* buffers)) \
  X_(void, GenBuffers, (int n, unsigned* buffers)) \
  X_(void, BindFramebuffer, (unsigned target, unsigned framebuffer)) \
  X_(void, BindRenderbuffer, (unsigned target, unsigned renderbuffer)) \
  X_(void, BlitFramebuffer, (int sx0, int sy0, int sx1, int sy1, int dx0, int dy0, int dx1, int dy1, unsigned mask, unsigned filter)) \
  X_(unsigned, CheckFramebufferStatus, (unsigned target)) \
  X_(void, DeleteFramebuffers, (int n, const unsigned* framebuffers)) \
  X_(void, DeleteRenderbuffers, (int n, const unsigned* renderbuffers)) \
  X_(void, FramebufferRenderbuffer, (unsigned target, unsigned attachment, unsigned rbtarget, unsigned renderbuffer)) \
  X_(void, FramebufferTexture2D, (unsigned target, unsigned attachment, unsigned textarget, unsigned texture, int level)) \
  X_(void, GenerateMipmap, (unsigned target)) \
  X_(void, GenFramebuffers, (int n, unsigned* framebuffers)) \
  X_(void, GenRenderbuffers, (int n, unsigned* renderbuffers)) \
  X_(void, GetRenderbufferParameteriv, (unsigned target, unsigned name, int* value)) \
  X_(void, RenderbufferStorage, (unsigned target, unsigned format, int width, int height)) \
  X_(void, RenderbufferStorageMultisample, (unsigned target, int samples, unsigned format, int width, int height))

enum {
  GL_POINTS = 0, GL_LINES = 1, GL_LINE_LOOP = 2, GL_LINE_STRIP = 3, GL_TRIANGLES = 4, GL_TRIANGLE_STRIP = 5, GL_TRIANGLE_FAN = 6, GL_QUADS = 7, GL_QUAD_STRIP = 8,
  GL_NO_ERROR = 0, GL_ZERO = 0, GL_ONE = 1, GL_NONE = 0,
  GL_LESS = 0x0201, GL_EQUAL = 0x0202, GL_LEQUAL = 0x0203, GL_GREATER = 0x0204, GL_GEQUAL = 0x0206, GL_ALWAYS = 0x0207,
  GL_SRC_ALPHA = 0x0302, GL_ONE_MINUS_SRC_ALPHA = 0x0303,
  GL_FRONT = 0x0404, GL_BACK = 0x0405, GL_FRONT_AND_BACK = 0x0408, GL_BACK_LEFT = 0x0402, GL_BACK_RIGHT = 0x0403,
  GL_CW = 0x0900, GL_CCW = 0x0901, GL_MAX_VIEWPORT_DIMS = 0x0D3A,
  GL_CULL_FACE = 0x0B44, GL_LIGHTING = 0x0B50, GL_LIGHT_MODEL_LOCAL_VIEWER = 0x0B51, GL_LIGHT_MODEL_TWO_SIDE = 0x0B52,
  GL_LIGHT_MODEL_AMBIENT = 0x0B53, GL_COLOR_MATERIAL = 0x0B57, GL_FOG = 0x0B60, GL_FOG_START = 0x0B63, GL_FOG_END = 0x0B64,
  GL_FOG_MODE = 0x0B65, GL_FOG_COLOR = 0x0B66, GL_DEPTH_TEST = 0x0B71, GL_STENCIL_TEST = 0x0B90, GL_NORMALIZE = 0x0BA1, GL_VIEWPORT = 0x0BA2,
  GL_ALPHA_TEST = 0x0BC0, GL_BLEND = 0x0BE2, GL_SCISSOR_BOX = 0x0C10, GL_SCISSOR_TEST = 0x0C11, GL_DOUBLEBUFFER = 0x0C32,
  GL_STEREO = 0x0C33, GL_TEXTURE_GEN_S = 0x0C60, GL_TEXTURE_GEN_T = 0x0C61, GL_TEXTURE_GEN_R = 0x0C62, GL_TEXTURE_GEN_Q = 0x0C63,
  GL_UNPACK_ALIGNMENT = 0x0CF5, GL_PACK_ALIGNMENT = 0x0D05, GL_TEXTURE_2D = 0x0DE1, GL_TEXTURE_BORDER_COLOR = 0x1004,
  GL_AMBIENT = 0x1200, GL_DIFFUSE = 0x1201, GL_SPECULAR = 0x1202, GL_POSITION = 0x1203, GL_SPOT_DIRECTION = 0x1204, GL_SPOT_EXPONENT = 0x1205,
  GL_SPOT_CUTOFF = 0x1206, GL_CONSTANT_ATTENUATION = 0x1207, GL_LINEAR_ATTENUATION = 0x1208, GL_QUADRATIC_ATTENUATION = 0x1209,
  GL_COMPILE = 0x1300, GL_UNSIGNED_BYTE = 0x1401, GL_UNSIGNED_INT = 0x1405, GL_INT = 0x1404, GL_FLOAT = 0x1406,
  GL_EMISSION = 0x1600, GL_SHININESS = 0x1601, GL_AMBIENT_AND_DIFFUSE = 0x1602,
  GL_MODELVIEW = 0x1700, GL_PROJECTION = 0x1701, GL_TEXTURE = 0x1702, GL_DEPTH = 0x1801,
  GL_DEPTH_COMPONENT = 0x1902, GL_ALPHA = 0x1906, GL_RGB = 0x1907, GL_RGBA = 0x1908, GL_LUMINANCE = 0x1909, GL_RED = 0x1903,
  GL_LINE = 0x1B01, GL_FILL = 0x1B02, GL_FLAT = 0x1D00, GL_SMOOTH = 0x1D01, GL_KEEP = 0x1E00, GL_REPLACE = 0x1E01,
  GL_VENDOR = 0x1F00, GL_RENDERER = 0x1F01, GL_VERSION = 0x1F02, GL_EXTENSIONS = 0x1F03, GL_MODULATE = 0x2100,
  GL_TEXTURE_ENV_MODE = 0x2200, GL_TEXTURE_ENV = 0x2300, GL_EYE_LINEAR = 0x2400, GL_OBJECT_LINEAR = 0x2401,
  GL_TEXTURE_GEN_MODE = 0x2500, GL_OBJECT_PLANE = 0x2501, GL_EYE_PLANE = 0x2502, GL_S = 0x2000, GL_T = 0x2001, GL_R = 0x2002, GL_Q = 0x2003,
  GL_NEAREST = 0x2600, GL_LINEAR = 0x2601, GL_LINEAR_MIPMAP_LINEAR = 0x2703, GL_TEXTURE_MAG_FILTER = 0x2800, GL_TEXTURE_MIN_FILTER = 0x2801,
  GL_TEXTURE_WRAP_S = 0x2802, GL_TEXTURE_WRAP_T = 0x2803, GL_TEXTURE_WRAP_R = 0x8072, GL_REPEAT = 0x2901, GL_CLIP_PLANE0 = 0x3000, GL_LIGHT0 = 0x4000,
  GL_INTENSITY = 0x8049, GL_RGB8 = 0x8051, GL_RGBA8 = 0x8058, GL_VERTEX_ARRAY = 0x8074, GL_NORMAL_ARRAY = 0x8075, GL_TEXTURE_COORD_ARRAY = 0x8078,
  GL_MULTISAMPLE = 0x809D, GL_SAMPLE_BUFFERS = 0x80A8, GL_SAMPLES = 0x80A9, GL_CLAMP_TO_BORDER = 0x812D, GL_CLAMP_TO_EDGE = 0x812F,
  GL_DEPTH_COMPONENT24 = 0x81A6, GL_DEPTH_STENCIL_ATTACHMENT = 0x821A, GL_FRAMEBUFFER_UNDEFINED = 0x8219, GL_POLYGON_OFFSET_FILL = 0x8037,
  GL_TEXTURE0 = 0x84C0, GL_TEXTURE1 = 0x84C1, GL_MAX_RENDERBUFFER_SIZE = 0x84E8, GL_TEXTURE_CUBE_MAP = 0x8513,
  GL_TEXTURE_CUBE_MAP_POSITIVE_X = 0x8515, GL_DEPTH_TEXTURE_MODE = 0x884B, GL_TEXTURE_COMPARE_MODE = 0x884C, GL_TEXTURE_COMPARE_FUNC = 0x884D,
  GL_COMPARE_R_TO_TEXTURE = 0x884E, GL_TEXTURE_CUBE_MAP_SEAMLESS = 0x884F, GL_ARRAY_BUFFER = 0x8892, GL_ELEMENT_ARRAY_BUFFER = 0x8893,
  GL_STREAM_DRAW = 0x88E0, GL_STATIC_DRAW = 0x88E4, GL_DEPTH24_STENCIL8 = 0x88F0, GL_SRGB8 = 0x8C41, GL_SRGB8_ALPHA8 = 0x8C43,
  GL_READ_FRAMEBUFFER = 0x8CA8, GL_DRAW_FRAMEBUFFER = 0x8CA9, GL_RENDERBUFFER_SAMPLES = 0x8CAB, GL_DEPTH32F_STENCIL8 = 0x8CAD,
  GL_FRAMEBUFFER_COMPLETE = 0x8CD5, GL_COLOR_ATTACHMENT0 = 0x8CE0, GL_DEPTH_ATTACHMENT = 0x8D00, GL_FRAMEBUFFER = 0x8D40, GL_RENDERBUFFER = 0x8D41,
  GL_MAX_SAMPLES = 0x8D57, GL_DRAW_FRAMEBUFFER_BINDING = 0x8CA6, GL_LOWER_LEFT = 0x8CA1, GL_ZERO_TO_ONE = 0x935F,
  GL_DEPTH_BUFFER_BIT = 0x0100, GL_STENCIL_BUFFER_BIT = 0x0400, GL_COLOR_BUFFER_BIT = 0x4000,
};
// clang-format on

#define CT_GL_MEMBER_(type_, name_, arguments_) type_(*name_) arguments_;
typedef struct ct_GL_ {
  CT_GL_FUNCTIONS(CT_GL_MEMBER_)
  void (*ClipControl)(unsigned origin, unsigned depth);  // NULL: the driver has none
  bool float_depth, seamless_cubes, srgb;                // what the driver can do
} ct_GL;
#undef CT_GL_MEMBER_

// The functions of the OpenGL that is loaded. They are looked up when a context is made (again:
// NULL and an error if there is none); before that, NULL.
const ct_GL* ct_load_gl(void);
const ct_GL* ct_loaded_gl(void);

#endif  // CT_RENDER_GL_H_
