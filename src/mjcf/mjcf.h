// Reading model files: what other parts of the library call. See also corten/mjcf.h.

#ifndef CT_MJCF_MJCF_H_
#define CT_MJCF_MJCF_H_

#include <corten/mjcf.h>
#include <stdbool.h>

// Is this file read as XML?
bool ct_is_xml(const char* file, const char* content_type);

#endif  // CT_MJCF_MJCF_H_
