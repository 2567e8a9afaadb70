// What nobody in math may do: see the step.

#include "engine/step.h"
