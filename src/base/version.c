#include <corten/version.h>

// CORTEN_VERSION is the project's, from the build.
#define CT_TEXT_(x_) #x_
#define CT_STRING_(x_) CT_TEXT_(x_)

const char* ct_version(void) {
  return CT_STRING_(CORTEN_VERSION);
}
