// Exact line search on the cost of the constraint problem. See line_search.c.

#ifndef CT_ENGINE_SOLVER_LINE_SEARCH_H_
#define CT_ENGINE_SOLVER_LINE_SEARCH_H_

#include "engine/solver/problem.h"

enum {                   // numbers per elliptic contact
  CT_CONE_HEIGHT,        // normal part of the residual at alpha = 0
  CT_CONE_CLIMB,         // and its change
  CT_CONE_WIDTH,         // square of the tangential part at alpha = 0
  CT_CONE_WIDEN,         // half its slope there
  CT_CONE_CURVE,         // half its second derivative
  CT_CONE_BOTTOM,        // cost of the rows as if they were equalities, at alpha = 0
  CT_CONE_BOTTOM_SLOPE,  // its coefficient of alpha
  CT_CONE_BOTTOM_CURVE,  // and of alpha^2
  CT_CONE_MU,
  CT_CONE_STIFFNESS,  // of the side
  CT_CONE_NUMBERS
};

typedef struct ct_Line_ {
  int nfriction, nsided, ncone;  // friction rows, one-sided rows, elliptic contacts
  int nterm;                     // all of them, each kind padded to four
  int* row;                      // (nterm) row, or first row of the contact
  const mjtNum *r, *w;           // residual and its change along the line
  const mjtNum* D;
  mjtNum* own;  // the three of them, if they are not those of the problem
  mjtNum *knee, *loss;
  mjtNum* cone[CT_CONE_NUMBERS];
  mjtNum quadratic[3];  // what is quadratic all along: Gauss cost, equalities
  int neval;
} ct_Line;

typedef struct ct_LineResult_ {
  mjtNum alpha;  // 0: no better point
  mjtNum slope;  // scaled slope there; 1 if nothing was evaluated
  int neval;
} ct_LineResult;

// Takes scratch and what does not change from search to search; false without room.
LANE_FN bool ct_open_line(Lane g, mjData* d, const ct_Problem* p, ct_Line* line);

// The same by one lane for rows that are all one-sided, if all of D, r and w have room for whole
// words, zero behind the last row: nothing is copied. r and w are those of all searches.
LANE_FN void ct_open_line_in_place(const ct_Problem* p, ct_Line* line, const mjtNum* r,
                                   const mjtNum* w);

// The smallest cost along v from the point where residuals are r and Gauss cost is gauss[0]:
// gauss are its coefficients by powers of alpha, w = J v, length = |v|.
LANE_FN ct_LineResult ct_line_search(Lane g, const mjModel* m, const ct_Problem* p, ct_Line* line,
                                     const mjtNum* r, const mjtNum* w, const mjtNum gauss[3],
                                     mjtNum length);

#endif  // CT_ENGINE_SOLVER_LINE_SEARCH_H_
