// Which rule of agreement applies to which field of mjData, by what computes it.

#ifndef TESTS_CONFORMANCE_RULES_H_
#define TESTS_CONFORMANCE_RULES_H_

#include "conformance/judge.h"

// Does this field hold the iterative solver's result, or what is computed from it? Sensors are
// judged one by one: those of the acceleration stage are behind the solver.
bool behind_solver(const char* field);

// Does a step put the solver's result into this field of the state?
bool integrates_solver(const char* field);

// How closely two correct solvers agree, as a part of the largest value of a field: 1e-6, or
// opt.tolerance if that is looser.
Tolerance solver_tolerance(const mjModel* m);

// Says how memory and time were spent; two correct engines differ in it.
bool is_bookkeeping(const char* value);

// Compared and reported apart: statistics of the solver, nodes of search trees that were visited.
bool is_statistic(const char* field);

#endif  // TESTS_CONFORMANCE_RULES_H_
