// Plugins and decoders: what may be registered, how it is found, and libraries that bring plugins.

#include <mujoco/mujoco.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/messages.h"

static int no_state(const mjModel* m, int instance) {
  (void)m;
  (void)instance;
  return 0;
}

static mjpPlugin named_plugin(const char* name) {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = name;
  return plugin;
}

static void expect_refused(const mjpPlugin* plugin, const char* why) {
  int count = mjp_pluginCount();
  listen_to_messages(NULL);
  assert_int_equal(mjp_registerPlugin(plugin), -1);
  if (!strstr(newest_message(), why)) fail_msg("expected \"%s\" in \"%s\"", why, newest_message());
  assert_int_equal(mjp_pluginCount(), count);
}

static void a_plugin_is_registered_once(void** state) {
  (void)state;
  int slot = mjp_pluginCount();
  const char* attributes[] = {"kp", "ki"};
  mjpPlugin plugin = named_plugin("test.once");
  plugin.attributes = attributes;
  plugin.nattribute = 2;
  assert_int_equal(mjp_registerPlugin(&plugin), slot);
  assert_int_equal(mjp_pluginCount(), slot + 1);

  // the same from other memory is the same
  char name[] = "test.once", kp[] = "kp", ki[] = "ki";
  const char* same_attributes[] = {kp, ki};
  plugin.name = name;
  plugin.attributes = same_attributes;
  assert_int_equal(mjp_registerPlugin(&plugin), slot);
  assert_string_equal(newest_message(), "");

  // anything else under that name is not, not even the case of a letter
  plugin.nstate = no_state;
  expect_refused(&plugin, "'test.once' is already registered");
  plugin.nstate = NULL;
  strcpy(ki, "kd");
  expect_refused(&plugin, "already registered");
  strcpy(ki, "ki");
  strcpy(name, "test.ONCE");
  expect_refused(&plugin, "already registered");
}

static void a_plugin_is_copied_and_found_in_any_case(void** state) {
  (void)state;
  char name[] = "test.Found", attribute[] = "gain";
  const char* attributes[] = {attribute};
  mjpPlugin plugin = named_plugin(name);
  plugin.attributes = attributes;
  plugin.nattribute = 1;
  int slot = mjp_registerPlugin(&plugin);
  memset(name, 'x', 3);
  memset(attribute, 'x', 4);

  int found = -2;
  const mjpPlugin* there = mjp_getPlugin("TEST.found", &found);
  assert_int_equal(found, slot);
  assert_ptr_equal(there, mjp_getPluginAtSlot(slot));
  assert_string_equal(there->name, "test.Found");
  assert_string_equal(there->attributes[0], "gain");
  assert_ptr_equal(mjp_getPlugin("test.found", NULL), there);
  assert_null(mjp_getPlugin("test.foun", &found));
  assert_int_equal(found, -1);
  assert_null(mjp_getPlugin(NULL, &found));
  assert_null(mjp_getPluginAtSlot(-1));
  assert_null(mjp_getPluginAtSlot(mjp_pluginCount()));
}

static void limits_are_those_of_the_reference(void** state) {
  (void)state;
  mjpPlugin plugin = named_plugin(NULL);
  expect_refused(&plugin, "no name");
  plugin.name = "";
  expect_refused(&plugin, "no name");

  char longest[1025];
  memset(longest, 'n', 1024);
  longest[1024] = 0;
  plugin.name = longest;
  expect_refused(&plugin, "more than 1023");
  longest[1023] = 0;
  assert_true(mjp_registerPlugin(&plugin) >= 0);

  const char* attributes[256];
  for (int i = 0; i < 256; i++) attributes[i] = "a";
  plugin.attributes = attributes;
  plugin.name = "test.attributes";
  plugin.nattribute = -1;
  expect_refused(&plugin, "-1 attributes");
  plugin.nattribute = 256;
  expect_refused(&plugin, "256 attributes");
  attributes[3] = NULL;
  plugin.nattribute = 255;
  expect_refused(&plugin, "attribute 3");
  attributes[3] = "";
  assert_true(mjp_registerPlugin(&plugin) >= 0);
}

static void a_configuration_is_read_attribute_by_attribute(void** state) {
  (void)state;
  const char* attributes[] = {"kp", "ki", "kd"};
  mjpPlugin plugin = named_plugin("test.config");
  plugin.attributes = attributes;
  plugin.nattribute = 3;

  char texts[] = "zz\0004.0\0\0001";  // of some other instance: "zz"; of ours: "4.0", "", "1"
  int slots[] = {-1, mjp_registerPlugin(&plugin)};
  int addresses[] = {0, 3};
  mjModel model;
  memset(&model, 0, sizeof(model));
  model.nplugin = 2;
  model.npluginattr = sizeof(texts);
  model.plugin = slots;
  model.plugin_attr = texts;
  model.plugin_attradr = addresses;
  assert_string_equal(mj_getPluginConfig(&model, 1, "kp"), "4.0");
  assert_string_equal(mj_getPluginConfig(&model, 1, "ki"), "");
  assert_string_equal(mj_getPluginConfig(&model, 1, "kd"), "1");
  assert_null(mj_getPluginConfig(&model, 1, "KP"));
  assert_null(mj_getPluginConfig(&model, 1, NULL));
  assert_null(mj_getPluginConfig(&model, 0, "kp"));
  assert_null(mj_getPluginConfig(&model, -1, "kp"));
  assert_null(mj_getPluginConfig(&model, 2, "kp"));

  model.npluginattr = 5;  // cut short: no closing zero, no value
  assert_null(mj_getPluginConfig(&model, 1, "kp"));
}

static char loaded[4][64];
static int nloaded;

static void note_library(const char* filename, int first, int count) {
  snprintf(loaded[nloaded++ % 4], sizeof(loaded[0]), "%s %d %d", filename, first, count);
}

static void a_library_registers_its_plugins_when_loaded(void** state) {
  (void)state;
  char folder[] = "/tmp/corten_plugin_XXXXXX";
  assert_non_null(mkdtemp(folder));
  char link[64], text[64], trap[64], expected[64];
  snprintf(link, sizeof(link), "%s/libtest.so", folder);
  snprintf(text, sizeof(text), "%s/readme.txt", folder);
  snprintf(trap, sizeof(trap), "%s/folder.so", folder);
  assert_int_equal(symlink(CT_PLUGIN_LIBRARY, link), 0);
  fclose(fopen(text, "w"));
  mkdir(trap, 0700);

  nloaded = 0;
  int first = mjp_pluginCount();
  mj_loadAllPluginLibraries(folder, note_library);
  assert_int_equal(nloaded, 1);
  snprintf(expected, sizeof(expected), "libtest.so %d 2", first);
  assert_string_equal(loaded[0], expected);
  assert_non_null(mjp_getPlugin("test.library.second", NULL));

  mj_loadAllPluginLibraries(folder, note_library);
  assert_string_equal(loaded[1], "libtest.so -1 0");
  mj_loadAllPluginLibraries(folder, NULL);
  mj_loadPluginLibrary(link);
  assert_string_equal(newest_message(), "");

  mj_loadAllPluginLibraries("/no/such/folder", note_library);
  assert_int_equal(nloaded, 2);
  mj_loadPluginLibrary("/no/such/library.so");
  assert_non_null(strstr(newest_message(), "'/no/such/library.so'"));
  unlink(link);
  unlink(text);
  rmdir(trap);
  rmdir(folder);
}

static void* register_many(void* argument) {
  for (int i = 0; i < 100; i++) {
    char name[32];
    snprintf(name, sizeof(name), "test.thread%d", i);
    mjpPlugin plugin = named_plugin(name);
    int slot = mjp_registerPlugin(&plugin);
    const mjpPlugin* there = mjp_getPluginAtSlot(slot);
    if (!there || strcmp(there->name, name) != 0) return argument;
  }
  return NULL;
}

static void threads_register_each_plugin_once(void** state) {
  int before = mjp_pluginCount();
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(threads + i, NULL, register_many, state);
  for (int i = 0; i < 4; i++) {
    void* failed = NULL;
    pthread_join(threads[i], &failed);
    assert_null(failed);
  }
  assert_int_equal(mjp_pluginCount(), before + 100);
}

static mjSpec* decodes(mjResource* resource, const mjVFS* vfs) {
  (void)resource;
  (void)vfs;
  return NULL;
}

static int wants_all(const mjResource* resource) {
  (void)resource;
  return 1;
}

static int wants_good(const mjResource* resource) {
  return strstr(resource->name, "bad") == NULL;
}

static mjpDecoder make_decoder(const char* content_type, const char* extension,
                               mjfCanDecode can_decode) {
  mjpDecoder decoder;
  mjp_defaultDecoder(&decoder);
  decoder.content_type = content_type;
  decoder.extension = extension;
  decoder.can_decode = can_decode;
  decoder.decode = decodes;
  return decoder;
}

// What the decoder found for a name is known by: its content type or its extension, "" if there is
// none.
static const char* found_by(const char* name, const char* content_type) {
  char copy[64];
  snprintf(copy, sizeof(copy), "%s", name);
  mjResource resource;
  memset(&resource, 0, sizeof(resource));
  resource.name = copy;
  const mjpDecoder* decoder = mjp_findDecoder(&resource, content_type);
  if (!decoder) return "";
  return decoder->content_type ? decoder->content_type : decoder->extension;
}

static void decoders_are_found_by_type_then_by_extension(void** state) {
  (void)state;
  mjpDecoder decoder = make_decoder("model/t", ".t|.u|v", wants_good);
  mjp_registerDecoder(&decoder);
  mjp_registerDecoder(&decoder);
  assert_string_equal(newest_message(), "");

  assert_string_equal(found_by("a.x", "model/t"), "model/t");
  assert_string_equal(found_by("a.x", "MODEL/T"), "model/t");
  assert_string_equal(found_by("a.t", "other"), ".t");
  assert_string_equal(found_by("a.T", NULL), ".t");
  assert_string_equal(found_by("dir.x/a.b.u", ""), ".u");
  assert_string_equal(found_by("a.v", ""), "");  // an extension begins with a dot
  assert_string_equal(found_by("dir.t/a", ""), "");
  assert_string_equal(found_by("bad.t", "model/t"), "");
  assert_string_equal(found_by("a.t.txt", ""), "");

  decoder = make_decoder("model/other", ".u", wants_all);
  mjp_registerDecoder(&decoder);
  assert_non_null(strstr(newest_message(), "'.u' is already registered"));
  assert_string_equal(found_by("bad.u", "model/other"), "model/other");
}

static mjSpec* makes_an_empty_spec(mjResource* resource, const mjVFS* vfs) {
  (void)resource;
  (void)vfs;
  return mj_makeSpec();
}

static void a_resource_is_decoded_by_who_is_registered_for_it(void** state) {
  (void)state;
  mjpDecoder decoder = make_decoder("model/empty", ".empty", wants_all);
  decoder.decode = makes_an_empty_spec;
  mjp_registerDecoder(&decoder);
  char name[] = "a.empty", unknown[] = "a.unknown";
  mjResource resource;
  memset(&resource, 0, sizeof(resource));
  resource.name = name;
  mjSpec* spec = mju_decodeResource(&resource, NULL, NULL);
  assert_non_null(spec);
  mj_deleteSpec(spec);
  assert_string_equal(newest_message(), "");
  resource.name = unknown;
  assert_null(mju_decodeResource(&resource, "", NULL));
  assert_non_null(strstr(newest_message(), "no decoder is registered for a.unknown"));
}

static void half_a_decoder_is_refused(void** state) {
  (void)state;
  mjpDecoder decoder = make_decoder(NULL, NULL, wants_all);
  mjp_registerDecoder(&decoder);
  assert_non_null(strstr(newest_message(), "content type or extensions"));
  decoder = make_decoder("", "", wants_all);
  listen_to_messages(NULL);
  mjp_registerDecoder(&decoder);
  assert_non_null(strstr(newest_message(), "content type or extensions"));
  decoder = make_decoder("model/half", ".half", NULL);
  mjp_registerDecoder(&decoder);
  assert_non_null(strstr(newest_message(), "can_decode"));
  assert_string_equal(found_by("a.half", "model/half"), "");
}

static void the_cache_has_a_capacity_and_is_empty(void** state) {
  (void)state;
  mjCache* cache = mj_getCache();
  assert_non_null(cache);
  assert_int_equal(mj_getCacheCapacity(cache), 500 * 1024 * 1024);
  assert_int_equal(mj_getCacheSize(cache), 0);
  assert_int_equal(mj_setCacheCapacity(cache, 1000), 1000);
  assert_int_equal(mj_getCacheCapacity(mj_getCache()), 1000);
  mj_clearCache(cache);
  assert_int_equal(mj_getCacheCapacity(cache), 1000);

  assert_int_equal(mj_getCacheSize(NULL), 0);
  assert_int_equal(mj_getCacheCapacity(NULL), 0);
  assert_int_equal(mj_setCacheCapacity(NULL, 5), 0);
  mj_clearCache(NULL);
}

int main(void) {
#define TEST(name_) cmocka_unit_test_setup_teardown(name_, listen_to_messages, stop_listening)
  const struct CMUnitTest tests[] = {
      TEST(a_plugin_is_registered_once),
      TEST(a_plugin_is_copied_and_found_in_any_case),
      TEST(limits_are_those_of_the_reference),
      TEST(a_configuration_is_read_attribute_by_attribute),
      TEST(a_library_registers_its_plugins_when_loaded),
      TEST(threads_register_each_plugin_once),
      TEST(decoders_are_found_by_type_then_by_extension),
      TEST(a_resource_is_decoded_by_who_is_registered_for_it),
      TEST(half_a_decoder_is_refused),
      TEST(the_cache_has_a_capacity_and_is_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
