// Decoding a file by whoever is registered for its format.

#ifndef CT_BASE_RESOURCE_DECODER_H_
#define CT_BASE_RESOURCE_DECODER_H_

#include <mujoco/mujoco.h>

// The model of a file, by the decoder of its content type or, if that has none, of its ending. A
// file that cannot be opened is still given to the decoder, as a name alone. NULL: the decoder made
// none, or there is no decoder, which is a warning.
mjSpec* ct_decode(const char* file, const char* content_type, const mjVFS* vfs);

#endif  // CT_BASE_RESOURCE_DECODER_H_
