/* SPDX-License-Identifier: MIT */
/* Giving blobs their names in a model's revision, and references. */
#include "cache-fixture.h"
#include "test-util.h"

#include "attn-hub/blob.h"
#include "attn-hub/cache.h"
#include "attn-hub/snapshot.h"
#include "attn/error.h"

#include <glib/gstdio.h>

#include <string.h>
#include <unistd.h>

#define A "models--owner--a"
#define SNAPSHOT A "/snapshots/" COMMIT_A "/"

static const char *const good_paths[] = {
    "config.json",
    "1_Pooling/config.json",
    "a/b/c",
    "a b",
    "\xe4\xb8\xad.txt",
    "awful?file%you:should,never.give",
    "..a",
    "a..",
    ".gitattributes",

    "CON",
};

static const char *const bad_paths[] = {
    "",         "/etc/passwd", "..",     "../x",           "a/../b",   "a/..",
    ".",        "./a",         "a/./b",  "a//b",           "a/",       "..\\x",
    "a\\..\\b", "C:x",         "c:/x",   "C:\\x",          "\\\\h\\s", "//h/s",
    "a\nb",     "a\x7f",       "a/\xff", "a/b/../../../x",
};

static void
test_paths (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (good_paths); i++)
    g_assert_true (attn_hub_check_path (good_paths[i], NULL));
  for (size_t i = 0; i < G_N_ELEMENTS (bad_paths); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_false (attn_hub_check_path (bad_paths[i], &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
  }
  g_autofree char *part = g_strnfill (256, 'a');
  g_autoptr (GString) deep = g_string_new ("a");
  for (size_t i = 0; i < 31; i++)
    g_string_append (deep, "/a");
  g_assert_false (attn_hub_check_path (part, NULL));
  g_assert_true (attn_hub_check_path (part + 1, NULL));
  g_assert_true (attn_hub_check_path (deep->str, NULL));
  g_string_append (deep, "/a");
  g_assert_false (attn_hub_check_path (deep->str, NULL));
}

static AttnHubSnapshot
snapshot_of (const char *cache)
{
  return (AttnHubSnapshot){.cache = cache, .repo = "owner/a", .commit = COMMIT_A};
}

static void
assert_link (const char *cache, const char *path, const char *wanted)
{
  g_autofree char *whole = cache_path (cache, path);
  g_autofree char *target = g_file_read_link (whole, NULL);
  g_assert_cmpstr (target, ==, wanted);
}

static void
assert_file (const char *cache, const char *path, const char *wanted)
{
  g_autofree char *whole = cache_path (cache, path);
  g_autofree char *content = test_read_file (whole, NULL);
  g_assert_cmpstr (content, ==, wanted);
}

static void
add (const AttnHubSnapshot *snapshot, const char *path, const char *etag)
{
  g_autoptr (GError) error = NULL;
  attn_hub_snapshot_add (snapshot, path, etag, &error);
  g_assert_no_error (error);
}

static void
test_add (void)
{
  char *cache = cache_new ();
  AttnHubSnapshot snapshot = snapshot_of (cache);
  cache_write (cache, A "/blobs/one", "1");
  cache_write (cache, A "/blobs/three", "333");
  g_assert_false (attn_hub_snapshot_has (&snapshot, "config.json", 1));
  add (&snapshot, "config.json", "one");
  add (&snapshot, "a/b/c.txt", "three");
  assert_link (cache, SNAPSHOT "config.json", "../../blobs/one");
  assert_link (cache, SNAPSHOT "a/b/c.txt", "../../../../blobs/three");
  assert_file (cache, SNAPSHOT "a/b/c.txt", "333");
  g_assert_true (attn_hub_snapshot_has (&snapshot, "config.json", 1));
  g_assert_true (attn_hub_snapshot_has (&snapshot, "config.json", ATTN_HUB_UNKNOWN_SIZE));
  g_assert_false (attn_hub_snapshot_has (&snapshot, "config.json", 2));
  g_assert_false (attn_hub_snapshot_has (&snapshot, "a", ATTN_HUB_UNKNOWN_SIZE));
  add (&snapshot, "config.json", "one"); /* nothing to do */
  add (&snapshot, "config.json", "three");
  assert_file (cache, SNAPSHOT "config.json", "333");
  g_autofree char *folder = attn_hub_snapshot_dup_folder (&snapshot);
  g_autofree char *wanted = cache_path (cache, A "/snapshots/" COMMIT_A);
  g_assert_cmpstr (folder, ==, wanted);
  cache_remove (cache);
}

/* Where links are not wanted, or not to be had, the file itself has the name. */
static void
test_without_links (void)
{
  char *cache = cache_new ();
  AttnHubSnapshot snapshot = snapshot_of (cache);
  snapshot.avoids_links = true;
  cache_write (cache, A "/blobs/one", "1");
  add (&snapshot, "a/config.json", "one");
  assert_link (cache, SNAPSHOT "a/config.json", NULL);
  assert_file (cache, SNAPSHOT "a/config.json", "1");
  g_assert_true (attn_hub_snapshot_has (&snapshot, "a/config.json", 1));
  cache_remove (cache);
}

static void
assert_refused (const AttnHubSnapshot *snapshot, const char *path, const char *etag, AttnError code)
{
  g_autoptr (GError) error = NULL;
  g_assert_false (attn_hub_snapshot_add (snapshot, path, etag, &error));
  g_assert_error (error, ATTN_ERROR, (int)code);
}

static void
test_refused (void)
{
  char *cache = cache_new ();
  AttnHubSnapshot snapshot = snapshot_of (cache);
  AttnHubSnapshot other = {.cache = cache, .repo = "owner/a", .commit = "../../x"};
  for (size_t i = 0; i < G_N_ELEMENTS (bad_paths); i++)
    assert_refused (&snapshot, bad_paths[i], "one", ATTN_ERROR_FORMAT);
  assert_refused (&snapshot, "a", "../one", ATTN_ERROR_FORMAT);
  assert_refused (&other, "a", "one", ATTN_ERROR_FORMAT);
  other.repo = "../x";
  other.commit = COMMIT_A;
  assert_refused (&other, "a", "one", ATTN_ERROR_FORMAT);
  cache_write (cache, SNAPSHOT "folder/x", "");
  assert_refused (&snapshot, "folder", "one", ATTN_ERROR_IO);
  assert_refused (&snapshot, "folder/x/y", "one", ATTN_ERROR_IO);
  cache_remove (cache);
}

/* Folders that somebody made links of lead nowhere. */
static void
test_outside (void)
{
  char *cache = cache_new (), *elsewhere = cache_new ();
  AttnHubSnapshot snapshot = snapshot_of (cache);
  cache_link (cache, SNAPSHOT "a", elsewhere);
  assert_refused (&snapshot, "a/b", "one", ATTN_ERROR_IO);
  cache_link (cache, A "/refs", elsewhere);
  g_autoptr (GError) error = NULL;
  g_assert_false (attn_hub_snapshot_refer (&snapshot, "main", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_clear_error (&error);
  cache_link (cache, A "/.no_exist", elsewhere);
  g_assert_false (attn_hub_snapshot_note_missing (&snapshot, "a", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_cmpint (g_rmdir (elsewhere), ==, 0); /* it is empty */
  g_free (elsewhere);
  cache_remove (cache);
}

static void
refer (const AttnHubSnapshot *snapshot, const char *revision)
{
  g_autoptr (GError) error = NULL;
  attn_hub_snapshot_refer (snapshot, revision, &error);
  g_assert_no_error (error);
}

static void
test_refs (void)
{
  char *cache = cache_new ();
  AttnHubSnapshot snapshot = snapshot_of (cache);
  refer (&snapshot, "main");
  refer (&snapshot, "refs/pr/1");
  refer (&snapshot, COMMIT_A);
  assert_file (cache, A "/refs/main", COMMIT_A);
  assert_file (cache, A "/refs/refs/pr/1", COMMIT_A);
  g_autofree char *none = cache_path (cache, A "/refs/" COMMIT_A);
  g_assert_false (g_file_test (none, G_FILE_TEST_EXISTS));
  snapshot.commit = COMMIT_B;
  refer (&snapshot, "main");
  refer (&snapshot, "main");
  assert_file (cache, A "/refs/main", COMMIT_B);
  g_autofree char *folder = cache_path (cache, A);
  g_autofree char *found = attn_hub_cache_read_ref (folder, "main");
  g_assert_cmpstr (found, ==, COMMIT_B);

  g_autoptr (GError) error = NULL;
  g_assert_false (attn_hub_snapshot_refer (&snapshot, "refs", &error)); /* is a folder */
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_clear_error (&error);
  g_assert_false (attn_hub_snapshot_refer (&snapshot, "../x", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
  cache_remove (cache);
}

static void
test_missing (void)
{
  g_autoptr (GError) error = NULL;
  char *cache = cache_new ();
  AttnHubSnapshot snapshot = snapshot_of (cache);
  attn_hub_snapshot_note_missing (&snapshot, "1_Pooling/config.json", &error);
  g_assert_no_error (error);
  attn_hub_snapshot_note_missing (&snapshot, "1_Pooling/config.json", &error);
  g_assert_no_error (error);
  assert_file (cache, A "/.no_exist/" COMMIT_A "/1_Pooling/config.json", "");
  g_assert_false (attn_hub_snapshot_note_missing (&snapshot, "../x", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
  cache_remove (cache);
}

/* What is left beside the files that were wanted: nothing. */
static void
test_no_leftovers (void)
{
  char *cache = cache_new ();
  AttnHubSnapshot snapshot = snapshot_of (cache);
  cache_write (cache, A "/blobs/one", "1");
  add (&snapshot, "a", "one");
  refer (&snapshot, "main");
  g_autofree char *folder = cache_path (cache, A);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    g_assert_false (g_str_has_prefix (name, ".headscope"));
  cache_remove (cache);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/snapshot/paths", test_paths);
  g_test_add_func ("/snapshot/add", test_add);
  g_test_add_func ("/snapshot/without-links", test_without_links);
  g_test_add_func ("/snapshot/refused", test_refused);
  g_test_add_func ("/snapshot/outside", test_outside);
  g_test_add_func ("/snapshot/refs", test_refs);
  g_test_add_func ("/snapshot/missing", test_missing);
  g_test_add_func ("/snapshot/no-leftovers", test_no_leftovers);
  return g_test_run ();
}
