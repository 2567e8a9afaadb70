// R30.5: the virtual file system finds files as the reference does, and takes thousands of them.

#include <mujoco/mujoco.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int warnings;

static void count_warning(const char* message) {
  (void)message;
  warnings++;
}

// A provider that notes what it is asked for and serves one text.
static char asked[8][64];
static int nasked;

static void note(const char* what, const mjResource* resource) {
  snprintf(asked[nasked++ % 8], sizeof(asked[0]), "%s %s", what, resource->name);
}

static int refuses_bad_names(mjResource* resource) {
  note("open", resource);
  return strstr(resource->name, "bad") == NULL;
}

static int reads_served(mjResource* resource, const void** buffer) {
  (void)resource;
  *buffer = "served";
  return 6;
}

static void closes(mjResource* resource) {
  note("close", resource);
}

static int mounts(mjResource* resource) {
  note("mount", resource);
  resource->data = asked;
  return 1;
}

static int unmounts(mjResource* resource) {
  note("unmount", resource);
  resource->data = NULL;
  return 1;
}

static mjpResourceProvider serving_provider(const char* prefix) {
  mjpResourceProvider provider;
  mjp_defaultResourceProvider(&provider);
  provider.prefix = prefix;
  provider.open = refuses_bad_names;
  provider.read = reads_served;
  provider.close = closes;
  provider.mount = mounts;
  provider.unmount = unmounts;
  return provider;
}

static int never_opens(mjResource* resource) {
  (void)resource;
  return 0;
}

static int start(void** state) {
  static mjVFS vfs;
  mj_defaultVFS(&vfs);
  *state = &vfs;
  mju_user_warning = count_warning;
  warnings = 0;
  nasked = 0;
  return vfs.impl_ ? 0 : -1;
}

static int end(void** state) {
  mj_deleteVFS((mjVFS*)*state);
  mju_clearHandlers();
  return 0;
}

// Opens, compares the contents and closes. NULL: must not be found.
static void expect_contents(const mjVFS* vfs, const char* dir, const char* name,
                            const char* contents) {
  char error[100];
  mjResource* resource = mju_openResource(dir, name, vfs, error, sizeof(error));
  if (!contents) {
    assert_null(resource);
    return;
  }
  if (!resource) fail_msg("'%s' in '%s': %s", name, dir, error);
  const void* bytes = NULL;
  int size = mju_readResource(resource, &bytes);
  assert_int_equal(size, strlen(contents));
  if (size) assert_memory_equal(bytes, contents, (size_t)size);
  mju_closeResource(resource);
}

static int add(mjVFS* vfs, const char* name, const char* contents) {
  return mj_addBufferVFS(vfs, name, contents, (int)strlen(contents));
}

static void expect_code(const char* what, const char* name, int code, int expected) {
  if (code != expected) fail_msg("%s '%s': expected %d, got %d", what, name, expected, code);
}

static void expect_open(mjVFS* vfs, const char* dir, const char* name, const char* opened,
                        const char* contents, int ndir) {
  char error[100] = "?";
  mjResource* resource = mju_openResource(dir, name, vfs, error, sizeof(error));
  if (!resource) fail_msg("'%s' in '%s': %s", name, dir, error);
  const void* bytes = NULL;
  const char* folder = NULL;
  int length = -1;
  int size = mju_readResource(resource, &bytes);
  mju_getResourceDir(resource, &folder, &length);
  assert_string_equal(resource->name, opened);
  assert_string_equal(error, "");
  assert_int_equal(size, strlen(contents));
  assert_memory_equal(bytes, contents, (size_t)size);
  assert_int_equal(length, ndir);
  assert_memory_equal(folder, opened, (size_t)length);
  assert_ptr_equal(resource->vfs, vfs);
  mju_closeResource(resource);
}

// Forty sessions of adding, deleting and opening, as the reference answered them.
static void sessions_agree_with_the_reference(void** state) {
  mjVFS* vfs = (mjVFS*)*state;
  mjpResourceProvider web = serving_provider("web");
  web.open = never_opens;
  assert_int_equal(mjp_registerResourceProvider(&web), 1);
  int sessions = 0;
#define REDUCED(path_, reduced_)
#define BASE64(text_, bytes_)
#define TIMESTAMP(contents_, text_)
#define START()       \
  mj_deleteVFS(vfs);  \
  mj_defaultVFS(vfs); \
  sessions++;
#define ADD(name_, code_) expect_code("add", name_, add(vfs, name_, name_), code_);
#define DELETE(name_, code_) expect_code("delete", name_, mj_deleteFileVFS(vfs, name_), code_);
#define UNMOUNT(name_, code_) expect_code("unmount", name_, mj_unmountVFS(vfs, name_), code_);
#define OPEN(dir_, name_, opened_, contents_, ndir_) \
  expect_open(vfs, dir_, name_, opened_, contents_, ndir_);
#define MISSING(dir_, name_) expect_contents(vfs, dir_, name_, NULL);
#include "recorded/files.def"
  assert_int_equal(sessions, 40);
  assert_int_equal(warnings, 0);
}

static void a_file_is_found_by_path_or_by_base_name(void** state) {
  mjVFS* vfs = (mjVFS*)*state;
  assert_int_equal(add(vfs, "x\\y/./D.txt", "d"), 0);
  assert_int_equal(add(vfs, "x/y/D.txt", "again"), 2);
  expect_contents(vfs, "x/y", "D.txt", "d");
  expect_contents(vfs, "x/y/z", "../D.txt", "d");
  expect_contents(vfs, "elsewhere", "d.TXT", "d");
  expect_contents(vfs, NULL, "d.txt", "d");
  expect_contents(vfs, "x/y", "E.txt", NULL);
}

// Which one the reference finds is not specified; ours is the one added last, however large the
// table.
static void of_equal_base_names_the_last_one_wins(void** state) {
  mjVFS* vfs = (mjVFS*)*state;
  char name[32], contents[32];
  for (int i = 0; i < 100; i++) {
    snprintf(name, sizeof(name), "d%d/mesh.obj", i);
    snprintf(contents, sizeof(contents), "%d", i);
    assert_int_equal(add(vfs, name, contents), 0);
    expect_contents(vfs, "", "MESH.OBJ", contents);
  }
  expect_contents(vfs, "d7", "mesh.obj", "7");
  assert_int_equal(mj_deleteFileVFS(vfs, "d99/mesh.obj"), 0);
  expect_contents(vfs, "", "mesh.obj", "98");
}

static void files_of_the_disk_are_kept_by_lower_case_base_name(void** state) {
  mjVFS* vfs = (mjVFS*)*state;
  char folder[] = "/tmp/corten_vfs_XXXXXX";
  assert_non_null(mkdtemp(folder));
  char path[64];
  snprintf(path, sizeof(path), "%s/Part.OBJ", folder);
  FILE* file = fopen(path, "w");
  fputs("on disk", file);
  fclose(file);

  assert_int_equal(mj_addFileVFS(vfs, folder, "Part.OBJ"), 0);
  assert_int_equal(mj_addFileVFS(vfs, NULL, path), 2);
  remove(path);
  expect_contents(vfs, "anywhere", "PART.obj", "on disk");
  assert_int_equal(mj_deleteFileVFS(vfs, "dir/PART.OBJ"), 0);
  assert_int_equal(mj_deleteFileVFS(vfs, "part.obj"), -1);

  // a missing file becomes an empty one; existing programs see 0
  assert_int_equal(mj_addFileVFS(vfs, folder, "Missing.obj"), 0);
  assert_int_equal(mj_addFileVFS(vfs, folder, "missing.OBJ"), 2);
  expect_contents(vfs, "", "missing.obj", "");
  assert_int_equal(warnings, 0);

  // so does a directory, with a warning
  assert_int_equal(mj_addFileVFS(vfs, "/tmp", strrchr(folder, '/') + 1), 0);
  assert_int_equal(warnings, 1);
  rmdir(folder);
}

static void bad_arguments_are_refused(void** state) {
  mjVFS* vfs = (mjVFS*)*state;
  mjpResourceProvider provider = serving_provider("p");
  assert_int_equal(mj_addBufferVFS(vfs, NULL, "x", 1), -1);
  assert_int_equal(mj_addBufferVFS(vfs, "x", NULL, 1), -1);
  assert_int_equal(mj_addBufferVFS(vfs, "x", "x", -1), -1);
  assert_int_equal(mj_addBufferVFS(vfs, "x", NULL, 0), 0);
  assert_int_equal(mj_mountVFS(vfs, NULL, &provider), -1);
  assert_int_equal(mj_mountVFS(vfs, "m", NULL), -1);
  assert_int_equal(mj_unmountVFS(vfs, "m"), -1);

  mjVFS deleted;
  mj_defaultVFS(&deleted);
  mj_deleteVFS(&deleted);
  assert_null(deleted.impl_);
  mj_deleteVFS(&deleted);
  assert_int_equal(add(&deleted, "x", "x"), -1);
  assert_int_equal(mj_deleteFileVFS(&deleted, "x"), -1);
  assert_int_equal(mj_mountVFS(&deleted, "m", &provider), -1);
  expect_contents(&deleted, "", "x", NULL);
}

static void a_mount_serves_everything_below_it(void** state) {
  mjVFS* vfs = (mjVFS*)*state;
  mjpResourceProvider provider = serving_provider("mnt");
  assert_int_equal(mj_mountVFS(vfs, "a/./b", &provider), 0);
  assert_string_equal(asked[0], "mount a/b");
  assert_int_equal(mj_mountVFS(vfs, "a/b", &provider), 2);
  assert_int_equal(add(vfs, "a/b", "x"), 2);
  assert_int_equal(add(vfs, "a/b/own.txt", "own"), 0);
  assert_int_equal(nasked, 1);

  expect_contents(vfs, "a/b/c", "../d/e.txt", "served");
  assert_string_equal(asked[1], "open a/b/d/e.txt");
  assert_string_equal(asked[2], "close a/b/d/e.txt");
  expect_contents(vfs, "a/b", "own.txt", "own");
  expect_contents(vfs, "a", "b", "served");
  expect_contents(vfs, "other", "B", "served");  // a mount has a base name, too
  expect_contents(vfs, "a/bb", "e.txt", NULL);
  expect_contents(vfs, "a/b", "bad.txt",
                  NULL);  // what the mount refuses is not looked for elsewhere

  nasked = 0;
  assert_int_equal(mj_unmountVFS(vfs, "a/b"), 0);
  assert_string_equal(asked[0], "unmount a/b");
  assert_int_equal(mj_unmountVFS(vfs, "a/b"), -1);
  assert_int_equal(warnings, 0);
}

// The reference crashes on the first.
static void a_mount_needs_no_callbacks_of_its_own(void** state) {
  mjVFS* vfs = (mjVFS*)*state;
  mjpResourceProvider provider = serving_provider("bare");
  provider.mount = NULL;
  provider.unmount = NULL;
  assert_int_equal(mj_mountVFS(vfs, "m", &provider), 0);
  expect_contents(vfs, "m", "x", "served");
  provider.open = NULL;
  expect_contents(vfs, "m", "x", NULL);
  assert_int_equal(mj_unmountVFS(vfs, "m"), 0);
}

static int leaves_data(mjResource* resource) {
  note("unmount", resource);
  return 1;
}

static void data_left_behind_is_warned_about(void** state) {
  mjVFS* vfs = (mjVFS*)*state;
  mjpResourceProvider provider = serving_provider("leak");
  provider.unmount = leaves_data;
  assert_int_equal(mj_mountVFS(vfs, "m", &provider), 0);
  assert_int_equal(mj_unmountVFS(vfs, "m"), 0);
  assert_int_equal(warnings, 1);
}

// In the reference the resource is empty from then on; bytes that were handed out are gone.
static void an_open_resource_outlives_its_file(void** state) {
  mjVFS* vfs = (mjVFS*)*state;
  assert_int_equal(add(vfs, "x", "contents"), 0);
  mjResource* resource = mju_openResource("", "x", vfs, NULL, 0);
  const void* bytes = NULL;
  assert_int_equal(mju_readResource(resource, &bytes), 8);
  assert_int_equal(mj_deleteFileVFS(vfs, "x"), 0);
  assert_memory_equal(bytes, "contents", 8);
  assert_int_equal(mju_readResource(resource, &bytes), 8);
  mju_closeResource(resource);
}

static void deleting_a_file_system_ends_its_open_resources(void** state) {
  (void)state;
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(add(&vfs, "x", "contents"), 0);
  mjResource* first = mju_openResource("", "x", &vfs, NULL, 0);
  mjResource* second = mju_openResource("", "x", &vfs, NULL, 0);
  mj_deleteVFS(&vfs);
  assert_int_equal(warnings, 1);
  const void* bytes = NULL;
  assert_int_equal(mju_readResource(first, &bytes), -1);
  assert_int_equal(mju_isModifiedResource(first, ""), 1);
  mju_closeResource(first);
  mju_closeResource(second);
}

// Thirty thousand files and two lookups each; with a list instead of a table this takes minutes.
static void thousands_of_files_are_no_trouble(void** state) {
  mjVFS* vfs = (mjVFS*)*state;
  enum { COUNT = 30000 };
  char name[64], base[32];
  for (int i = 0; i < COUNT; i++) {
    snprintf(name, sizeof(name), "robot%d/assets/Mesh_%d.obj", i % 7, i);
    assert_int_equal(add(vfs, name, name), 0);
  }
  for (int i = 0; i < COUNT; i++) {
    snprintf(name, sizeof(name), "robot%d/assets/Mesh_%d.obj", i % 7, i);
    snprintf(base, sizeof(base), "MESH_%d.OBJ", i);
    expect_contents(vfs, "", name, name);
    expect_contents(vfs, "elsewhere", base, name);
  }
  for (int i = 0; i < COUNT; i += 2) {
    snprintf(name, sizeof(name), "robot%d/assets/Mesh_%d.obj", i % 7, i);
    assert_int_equal(mj_deleteFileVFS(vfs, name), 0);
  }
  expect_contents(vfs, "", "mesh_4.obj", NULL);
  expect_contents(vfs, "", "mesh_5.obj", "robot5/assets/Mesh_5.obj");
}

// A registered provider is mounted, under its scheme, in every file system that it serves.
static void a_registered_provider_is_mounted_when_it_is_used(void** state) {
  mjVFS* vfs = (mjVFS*)*state;
  mjpResourceProvider provider = serving_provider("mounted");
  assert_true(mjp_registerResourceProvider(&provider) > 0);
  expect_contents(vfs, "", "mounted:a", "served");
  expect_contents(vfs, "", "MOUNTED:b", "served");
  const char* const once[] = {"mount mounted", "open mounted:a", "close mounted:a",
                              "open MOUNTED:b", "close MOUNTED:b"};
  assert_int_equal(nasked, 5);
  for (int i = 0; i < 5; i++) assert_string_equal(asked[i], once[i]);

  // its scheme is taken, and can be unmounted; the next use mounts it again
  assert_int_equal(add(vfs, "mounted", "x"), 2);
  nasked = 0;
  assert_int_equal(mj_unmountVFS(vfs, "mounted"), 0);
  assert_string_equal(asked[0], "unmount mounted");
  expect_contents(vfs, "", "mounted:a", "served");
  assert_string_equal(asked[1], "mount mounted");

  // files of that name are not its business
  expect_contents(vfs, "", "mounted", NULL);
  expect_contents(vfs, "", "mounted/a", NULL);

  // without a file system it lasts as long as the resource
  nasked = 0;
  expect_contents(NULL, "", "mounted:a", "served");
  const char* const alone[] = {"mount mounted", "open mounted:a", "close mounted:a",
                               "unmount mounted"};
  for (int i = 0; i < 4; i++) assert_string_equal(asked[i], alone[i]);
}

static int sees_data(mjResource* resource) {
  note(resource->data ? "lent" : "empty", resource);
  return 1;
}

static int reads_data(mjResource* resource, const void** buffer) {
  sees_data(resource);
  *buffer = "served";
  return 6;
}

static void data_of_a_mount_is_lent_for_opening(void** state) {
  mjVFS* vfs = (mjVFS*)*state;
  static mjpResourceProvider provider;  // still mounted when the test ends
  provider = serving_provider("data");
  provider.open = sees_data;
  provider.read = reads_data;
  assert_int_equal(mj_mountVFS(vfs, "m", &provider), 0);
  expect_contents(vfs, "", "m/a", "served");
  assert_string_equal(asked[1], "lent m/a");
  assert_string_equal(asked[2], "empty m/a");
  assert_int_equal(warnings, 0);
}

static void a_mount_is_found_from_far_below(void** state) {
  mjVFS* vfs = (mjVFS*)*state;
  enum { DEPTH = 20000 };
  mjpResourceProvider provider = serving_provider("deep");
  assert_int_equal(mj_mountVFS(vfs, "top", &provider), 0);
  char* path = (char*)malloc(2 * DEPTH + 8);
  strcpy(path, "top/");
  for (int i = 0; i < DEPTH; i++) memcpy(path + 4 + 2 * i, "d/", 2);
  strcpy(path + 4 + 2 * DEPTH, "end");
  expect_contents(vfs, "", path, "served");
  free(path);
  assert_int_equal(mj_unmountVFS(vfs, "top"), 0);
}

static void odd_names_are_names(void** state) {
  mjVFS* vfs = (mjVFS*)*state;
  static const char* names[] = {"",     " ",  "a b.txt",    "\xc3\xa9t\xc3\xa9.obj",
                                "%s%n", "..", "a:b",        "tab\there",
                                "-",    "*",  "\"quoted\"", "\xff\xfe"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    assert_int_equal(add(vfs, names[i], names[i]), 0);
  }
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    expect_contents(vfs, "", names[i], names[i]);
    assert_int_equal(mj_deleteFileVFS(vfs, names[i]), 0);
  }
}

// Half of the threads fill file systems of their own, all of them read a common one.
static void* use_file_systems(void* argument) {
  const mjVFS* common = (const mjVFS*)argument;
  mjVFS own;
  mj_defaultVFS(&own);
  char name[32];
  for (int i = 0; i < 200; i++) {
    snprintf(name, sizeof(name), "own%d", i);
    add(&own, name, name);
    mjResource* mine = mju_openResource("", name, &own, NULL, 0);
    mjResource* shared = mju_openResource("", "common.txt", common, NULL, 0);
    if (!mine || !shared) return argument;
    mju_closeResource(mine);
    mju_closeResource(shared);
  }
  mj_deleteVFS(&own);
  return NULL;
}

static void threads_do_not_disturb_each_other(void** state) {
  mjVFS* vfs = (mjVFS*)*state;
  add(vfs, "common.txt", "common");
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(threads + i, NULL, use_file_systems, vfs);
  for (int i = 0; i < 4; i++) {
    void* failed = NULL;
    pthread_join(threads[i], &failed);
    assert_null(failed);
  }
}

int main(void) {
#define TEST(name_) cmocka_unit_test_setup_teardown(name_, start, end)
  const struct CMUnitTest tests[] = {
      TEST(sessions_agree_with_the_reference),
      TEST(a_file_is_found_by_path_or_by_base_name),
      TEST(of_equal_base_names_the_last_one_wins),
      TEST(files_of_the_disk_are_kept_by_lower_case_base_name),
      TEST(bad_arguments_are_refused),
      TEST(a_mount_serves_everything_below_it),
      TEST(a_mount_needs_no_callbacks_of_its_own),
      TEST(data_left_behind_is_warned_about),
      TEST(an_open_resource_outlives_its_file),
      TEST(deleting_a_file_system_ends_its_open_resources),
      TEST(thousands_of_files_are_no_trouble),
      TEST(a_registered_provider_is_mounted_when_it_is_used),
      TEST(data_of_a_mount_is_lent_for_opening),
      TEST(a_mount_is_found_from_far_below),
      TEST(odd_names_are_names),
      TEST(threads_do_not_disturb_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
