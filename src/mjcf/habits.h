// What people write from habit: words of other formats and of everyday language, elements in the
// wrong place, quotes that are missing. For messages only; nothing here decides whether a file is
// right.

#ifndef CT_MJCF_HABITS_H_
#define CT_MJCF_HABITS_H_

#include <stddef.h>

// What MJCF calls what others call `word`: "rgba" for "color", "hinge" for "revolute". The k-th
// way, as some habits fit several; NULL when there are no more.
const char* ct_habit(const char* word, int k);

// Where an element of this name may stand, as "actuator" or "worldbody, a body or spatial"; "" if
// nowhere.
void ct_places_of_element(const char* name, char* text, size_t size);

// Which quote is missing in the tag that begins at `tag`, in a text that a zero ends; "" if
// none is. *at becomes where the attribute begins that lacks it.
void ct_missing_quote(const char* tag, char* text, size_t size, size_t* at);

#endif  // CT_MJCF_HABITS_H_
