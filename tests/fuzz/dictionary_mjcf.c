// Writes libFuzzer's dictionary for model files: every element, attribute and word of the schema.

#include <stdio.h>

typedef struct {
  const char* text;
  int value;
} Word;

static void put(const char* text) {
  if (*text) printf("\"%s\"\n", text);
}

#include <mujoco/mujoco.h>

int main(void) {
#define WORDS(name_, ...)                                                             \
  {                                                                                   \
    static const Word words[] = {__VA_ARGS__};                                        \
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) put(words[i].text); \
  }
#define ROW(set_, attribute_, ...) printf("\" %s=\\\"\"\n", #attribute_);
#define OTHER(set_, attribute_, ...) printf("\" %s=\\\"\"\n", #attribute_);
#define ELEMENT(depth_, name_, ...) printf("\"<%s \"\n\"</%s>\"\n", name_, name_);
#include "mjcf.def"
  put("<include file='beside.xml'/>");
  put("/>");
  put("<!-- --");
  put("<![CDATA[");
  put("&#x41;");
  put("nan");
  put("1e400");
  put("-1");
  return 0;
}
