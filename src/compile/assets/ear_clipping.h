// Polygons to triangles by clipping ears, as the reference does it.

#ifndef CT_COMPILE_ASSETS_EAR_CLIPPING_H_
#define CT_COMPILE_ASSETS_EAR_CLIPPING_H_

enum { CT_POLYGON_CORNERS = 100 };  // the most that a polygon may have

// Cuts the polygon whose corners are at (x, y), more than three of them, into at most n - 2
// triangles of three corners each. One that crosses itself may leave corners over that are no ears.
// Returns how many triangles there are.
int ct_clip_ears(const float* x, const float* y, int n, int triangle[3 * CT_POLYGON_CORNERS]);

#endif  // CT_COMPILE_ASSETS_EAR_CLIPPING_H_
