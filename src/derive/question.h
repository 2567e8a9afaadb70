// A question about derivatives: options, model and state that make sense.

#ifndef CT_DERIVE_QUESTION_H_
#define CT_DERIVE_QUESTION_H_

#include <stdbool.h>
#include <stddef.h>

#include <corten/derivative.h>

// Options to go by; NULL: none were given, and the standard ones are taken. NULL after an error,
// which names the function, for what makes no sense, and without one, but with a reason in the
// report, for a state that is not made of numbers. Clears the report.
const ct_DerivativeOptions* ct_open_question(const char* function, const mjModel* m,
                                             const mjData* d, const ct_DerivativeOptions* options,
                                             ct_DerivativeReport* report);

// The same for models with delays too.
const ct_DerivativeOptions* ct_open_any_question(const char* function, const mjModel* m,
                                                 const mjData* d,
                                                 const ct_DerivativeOptions* options,
                                                 ct_DerivativeReport* report);

// Reasons against formulas that can be known before anything is evaluated. Code of users that only
// sees, for sensors, is none.
unsigned ct_first_reasons(const mjModel* m);

// Are n numbers all finite? NULL has none.
bool ct_are_finite(const mjtNum* x, size_t n);

#endif  // CT_DERIVE_QUESTION_H_
