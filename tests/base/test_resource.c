// R30.5: resources of the disk, of memory and of registered providers.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

#include <cmocka.h>

#include "support/messages.h"

static char folder[] = "/tmp/corten_resource_XXXXXX";

static int make_folder(void** state) {
  (void)state;
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void** state) {
  (void)state;
  return rmdir(folder);
}

static void write_file(const char* name, const char* text, time_t modified) {
  char path[64];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  struct utimbuf times = {modified, modified};
  utime(path, &times);
}

static void remove_file(const char* name) {
  char path[64];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  remove(path);
}

static void timestamps_of_memory_agree_with_the_reference(void** state) {
  (void)state;
  static const struct {
    const char *contents, *text;
  } recorded[] = {
#define REDUCED(path_, reduced_)
#define BASE64(text_, bytes_)
#define TIMESTAMP(contents_, text_) {contents_, text_},
#define START()
#define ADD(name_, code_)
#define DELETE(name_, code_)
#define UNMOUNT(name_, code_)
#define OPEN(dir_, name_, opened_, contents_, ndir_)
#define MISSING(dir_, name_)
#include "recorded/files.def"
  };
  for (size_t i = 0; i < sizeof(recorded) / sizeof(recorded[0]); i++) {
    mjVFS vfs;
    mj_defaultVFS(&vfs);
    mj_addBufferVFS(&vfs, "x", recorded[i].contents, (int)strlen(recorded[i].contents));
    mjResource* resource = mju_openResource("", "x", &vfs, NULL, 0);
    assert_string_equal(resource->timestamp, recorded[i].text);
    assert_int_equal(mju_isModifiedResource(resource, recorded[i].text), 0);
    assert_int_equal(mju_isModifiedResource(resource, "AQAAAAAAAAA="), 1);
    assert_int_equal(mju_isModifiedResource(resource, "AAAAAAAAAAAA"), 1);  // nine bytes
    mju_closeResource(resource);
    mj_deleteVFS(&vfs);
  }
}

// 1000 seconds after the epoch is e8 03 00 ..., low byte first.
static void timestamps_of_the_disk_are_modification_times(void** state) {
  (void)state;
  write_file("t.txt", "one", 1000);
  mjResource* resource = mju_openResource(folder, "t.txt", NULL, NULL, 0);
  assert_string_equal(resource->timestamp, "6AMAAAAAAAA=");
  assert_int_equal(mju_isModifiedResource(resource, "6AMAAAAAAAA="), 0);
  assert_int_equal(mju_isModifiedResource(resource, "6QMAAAAAAAA="), -1);
  assert_int_equal(mju_isModifiedResource(resource, "5wMAAAAAAAA="), 1);
  assert_int_equal(mju_isModifiedResource(resource, ""), 1);
  assert_int_equal(mju_isModifiedResource(resource, "AAAA"), 1);
  assert_int_equal(mju_isModifiedResource(resource, "garbage"), 1);
  mju_closeResource(resource);

  write_file("t.txt", "one", -5);
  resource = mju_openResource(folder, "t.txt", NULL, NULL, 0);
  assert_string_equal(resource->timestamp, "+/////////8=");
  assert_int_equal(mju_isModifiedResource(resource, "AAAAAAAAAAA="), -1);
  mju_closeResource(resource);
  remove_file("t.txt");
}

static void a_file_is_read_once_and_stays(void** state) {
  (void)state;
  write_file("t.txt", "one", 1000);
  char error[64] = "?";
  mjResource* resource = mju_openResource(folder, "./t.txt", NULL, error, sizeof(error));
  assert_non_null(resource);
  assert_string_equal(error, "");
  assert_non_null(resource->vfs);
  const void* bytes = NULL;
  assert_int_equal(mju_readResource(resource, &bytes), 3);
  write_file("t.txt", "second", 2000);
  assert_int_equal(mju_readResource(resource, &bytes), 3);
  assert_memory_equal(bytes, "one", 3);
  mju_closeResource(resource);
  remove_file("t.txt");
}

static void a_pipe_can_be_read(void** state) {
  (void)state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  char block[1000];
  memset(block, 'p', sizeof(block));
  for (int i = 0; i < 60; i++)
    assert_int_equal(write(ends[1], block, sizeof(block)), sizeof(block));
  close(ends[1]);
  char path[32];
  snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
  mjResource* resource = mju_openResource("", path, NULL, NULL, 0);
  assert_non_null(resource);
  const void* bytes = NULL;
  assert_int_equal(mju_readResource(resource, &bytes), 60000);
  mju_closeResource(resource);
  close(ends[0]);
}

static void a_named_pipe_is_read_if_somebody_writes(void** state) {
  (void)state;
  char path[300], error[400];
  snprintf(path, sizeof(path), "%s/pipe", folder);
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_null(mju_openResource("", path, NULL, error, sizeof(error)));
  assert_non_null(strstr(error, "it is a pipe that nobody writes to"));

  pid_t writer = fork();
  if (writer == 0) {
    FILE* end = fopen(path, "wb");
    for (int i = 0; end && i < 10; i++) {
      fputs("piece ", end);
      fflush(end);
      usleep(1000);
    }
    _exit(!end || fclose(end) != 0);
  }
  mjResource* resource = mju_openResource("", path, NULL, NULL, 0);
  assert_non_null(resource);
  const void* bytes = NULL;
  assert_int_equal(mju_readResource(resource, &bytes), 60);
  assert_memory_equal(bytes, "piece piece ", 12);
  mju_closeResource(resource);
  int status = 1;
  waitpid(writer, &status, 0);
  assert_int_equal(status, 0);
  remove(path);
}

static void folders_and_devices_are_refused_by_name(void** state) {
  (void)state;
  char error[100];
  assert_null(mju_openResource("", "/dev/zero", NULL, error, sizeof(error)));
  assert_string_equal(error,
                      "Error opening file '/dev/zero': it is a device or a socket; files and pipes "
                      "can be read");
  assert_null(mju_openResource("/", "dev", NULL, error, sizeof(error)));
  assert_string_equal(error, "Error opening file 'dev': it is a folder");
}

static void failures_are_told_in_the_space_there_is(void** state) {
  (void)state;
  char error[64];
  assert_null(mju_openResource("no/such", "file.xml", NULL, error, sizeof(error)));
  assert_string_equal(error, "Error opening file 'file.xml'");
  assert_null(mju_openResource("", "file.xml", NULL, error, 8));
  assert_string_equal(error, "Error o");
  assert_null(mju_openResource("", "file.xml", NULL, NULL, 0));
  assert_null(mju_openResource("", NULL, NULL, error, sizeof(error)));

  const char* dir = error;
  int ndir = 7;
  const void* bytes = NULL;
  mju_getResourceDir(NULL, &dir, &ndir);
  assert_null(dir);
  assert_int_equal(ndir, 0);
  assert_int_equal(mju_readResource(NULL, &bytes), -1);
  assert_int_equal(mju_isModifiedResource(NULL, ""), 1);
  mju_closeResource(NULL);
}

static int opens(mjResource* resource) {
  return strstr(resource->name, "bad") == NULL;
}

static int reads(mjResource* resource, const void** buffer) {
  *buffer = resource->name;
  return (int)strlen(resource->name);
}

static void closes(mjResource* resource) {
  (void)resource;
}

static mjpResourceProvider named_provider(const char* prefix) {
  mjpResourceProvider provider;
  mjp_defaultResourceProvider(&provider);
  provider.prefix = prefix;
  provider.open = opens;
  provider.read = reads;
  provider.close = closes;
  return provider;
}

static void providers_are_checked_and_counted_from_one(void** state) {
  (void)state;
  mjpResourceProvider provider = named_provider("Store");
  int before = mjp_resourceProviderCount();
  assert_int_equal(mjp_registerResourceProvider(&provider), before + 1);
  assert_int_equal(mjp_registerResourceProvider(&provider), before + 1);
  provider.prefix = "STORE";
  assert_int_equal(mjp_registerResourceProvider(&provider), before + 1);
  assert_string_equal(newest_message(), "");

  provider.data = folder;
  assert_int_equal(mjp_registerResourceProvider(&provider), 0);
  assert_non_null(strstr(newest_message(), "'STORE' is already registered"));
  assert_int_equal(mjp_resourceProviderCount(), before + 1);

  assert_string_equal(mjp_getResourceProvider("stORE:x:y")->prefix, "Store");
  assert_null(mjp_getResourceProvider("Store"));
  assert_null(mjp_getResourceProvider("Stor:x"));
  assert_null(mjp_getResourceProvider(":"));
  assert_ptr_equal(mjp_getResourceProviderAtSlot(before + 1), mjp_getResourceProvider("store:"));
  assert_null(mjp_getResourceProviderAtSlot(0));
  assert_null(mjp_getResourceProviderAtSlot(before + 2));
  assert_null(mjp_getResourceProviderAtSlot(-1));
}

static void a_provider_without_scheme_or_callbacks_is_refused(void** state) {
  (void)state;
  static const char* schemes[] = {NULL, "", "1a", "a b", "a_b", "ab:", "\xc3\xa9"};
  for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
    mjpResourceProvider provider = named_provider(schemes[i]);
    assert_int_equal(mjp_registerResourceProvider(&provider), -1);
    assert_non_null(strstr(newest_message(), "is not a scheme"));
  }
  mjpResourceProvider provider = named_provider("half");
  provider.close = NULL;
  assert_int_equal(mjp_registerResourceProvider(&provider), -1);
  assert_non_null(strstr(newest_message(), "'half' needs"));
  provider = named_provider("a+.-1");
  assert_true(mjp_registerResourceProvider(&provider) > 0);
}

static void expect_dir(const char* dir, const char* name, const char* opened, int ndir) {
  mjResource* resource = mju_openResource(dir, name, NULL, NULL, 0);
  assert_non_null(resource);
  assert_string_equal(resource->name, opened);
  const char* start = NULL;
  int length = 0;
  mju_getResourceDir(resource, &start, &length);
  assert_int_equal(length, ndir);
  assert_int_equal(mju_isModifiedResource(resource, resource->timestamp), 1);  // it cannot tell
  mju_closeResource(resource);
}

static void a_scheme_leads_to_its_provider(void** state) {
  (void)state;
  mjpResourceProvider provider = named_provider("net");
  assert_true(mjp_registerResourceProvider(&provider) > 0);
  expect_dir("", "net:x/y.txt", "net:x/y.txt", 6);
  expect_dir("dir", "net:x/../y.txt", "net:y.txt", 4);
  expect_dir("net:dir", "y.txt", "net:dir/y.txt", 8);
  expect_dir("net:", "y.txt", "net:/y.txt", 5);
  expect_dir("NET:a/b", "../y.txt", "NET:a/y.txt", 6);
  expect_dir("", "net:", "net:", 4);
  assert_null(mju_openResource("", "net:bad", NULL, NULL, 0));

  // a virtual file of exactly that name comes first, one of that base name does not
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "net:in/vfs.txt", "virtual", 7);
  const void* bytes = NULL;
  mjResource* resource = mju_openResource("", "net:in/vfs.txt", &vfs, NULL, 0);
  assert_int_equal(mju_readResource(resource, &bytes), 7);
  mju_closeResource(resource);
  resource = mju_openResource("", "net:out/vfs.txt", &vfs, NULL, 0);
  assert_int_equal(mju_readResource(resource, &bytes), strlen("net:out/vfs.txt"));
  mju_closeResource(resource);
  mj_deleteVFS(&vfs);
}

static void any_number_of_providers_keeps_its_place(void** state) {
  (void)state;
  mjpResourceProvider provider = named_provider("many0");
  mjp_registerResourceProvider(&provider);
  const mjpResourceProvider* first = mjp_getResourceProvider("many0:");
  char prefix[16];
  for (int i = 1; i < 500; i++) {
    snprintf(prefix, sizeof(prefix), "many%d", i);
    provider.prefix = prefix;
    assert_true(mjp_registerResourceProvider(&provider) > 0);
  }
  assert_ptr_equal(mjp_getResourceProvider("MANY0:"), first);
  assert_string_equal(mjp_getResourceProvider("many499:")->prefix, "many499");
}

int main(void) {
#define TEST(name_) cmocka_unit_test_setup_teardown(name_, listen_to_messages, stop_listening)
  const struct CMUnitTest tests[] = {
      TEST(timestamps_of_memory_agree_with_the_reference),
      TEST(timestamps_of_the_disk_are_modification_times),
      TEST(a_file_is_read_once_and_stays),
      TEST(a_pipe_can_be_read),
      TEST(a_named_pipe_is_read_if_somebody_writes),
      TEST(folders_and_devices_are_refused_by_name),
      TEST(failures_are_told_in_the_space_there_is),
      TEST(providers_are_checked_and_counted_from_one),
      TEST(a_provider_without_scheme_or_callbacks_is_refused),
      TEST(a_scheme_leads_to_its_provider),
      TEST(any_number_of_providers_keeps_its_place),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
