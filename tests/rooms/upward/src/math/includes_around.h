// Headers by paths that do not say their room.

#include "../engine/step.h"
#include "twice.h"
