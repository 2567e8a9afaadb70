// A room that the table does not know.

#include "base/lanes.h"
