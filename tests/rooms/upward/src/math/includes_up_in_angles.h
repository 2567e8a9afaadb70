// What nobody in math may do, and not in angles either: see the step.

#include <engine/step.h>
