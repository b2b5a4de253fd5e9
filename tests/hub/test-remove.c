/* SPDX-License-Identifier: MIT */
/* Removing models: only what nobody else needs, and nothing outside. */
#include "cache-fixture.h"
#include "test-util.h"

#include "attn-hub/blob.h"
#include "attn-hub/cache.h"
#include "attn-hub/manage.h"
#include "attn/error.h"

#include <glib/gstdio.h>

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define A "models--owner--a"
#define N_VOCAB 33 /* bytes of the fixture's vocab.txt */

static AttnHubRemoval
remove_named (const char *cache, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnHubName) name = attn_hub_name_parse (text, NULL);
  g_auto (AttnHubRemoval) plan = {0};
  AttnHubRemoval removal = {0};
  attn_hub_plan_removal (cache, name, &plan, &error);
  g_assert_no_error (error);
  attn_hub_remove (cache, name, &removal, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (plan.repo, ==, removal.repo);
  g_assert_cmpuint (plan.n_revisions, ==, removal.n_revisions);
  g_assert_cmpuint (plan.n_bytes, ==, removal.n_bytes);
  g_assert_cmpuint (plan.n_files, ==, removal.n_files);
  g_assert_cmpint (plan.whole, ==, removal.whole);
  return removal;
}

static void
assert_refused (const char *cache, const char *text, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnHubName) name = attn_hub_name_parse (text, NULL);
  g_auto (AttnHubRemoval) removal = {0};
  g_assert_false (attn_hub_remove (cache, name, &removal, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_nonnull (strstr (error->message, words));
}

static bool
is_there (const char *cache, const char *path)
{
  g_autofree char *whole = cache_path (cache, path);
  return g_file_test (whole, G_FILE_TEST_EXISTS) || g_file_test (whole, G_FILE_TEST_IS_SYMLINK);
}

/* Two revisions that share config and vocabulary. */
static char *
make_two (void)
{
  char *cache = cache_new ();
  cache_add_model (cache, A, COMMIT_A, BERT_CONFIG, "weights of a");
  cache_add_model (cache, A, COMMIT_B, BERT_CONFIG, "b's");
  cache_refer (cache, A, "main", COMMIT_B);
  cache_refer (cache, A, "refs/pr/1", COMMIT_A);
  cache_write (cache, A "/.no_exist/" COMMIT_A "/added_tokens.json", "");
  cache_write (cache, A "/trees/" COMMIT_A ".json", "{}");
  cache_add_model (cache, "models--owner--other", COMMIT_A, BERT_CONFIG, "weights of a");
  return cache;
}

static size_t
count_usable (const char *cache)
{
  g_autoptr (AttnHubList) list = attn_hub_cache_list (cache, NULL, NULL, NULL);
  size_t n_usable = 0;
  for (size_t i = 0; i < list->n_entries; i++)
    n_usable += list->entries[i]->state == ATTN_HUB_USABLE;
  return n_usable;
}

static void
test_revision (void)
{
  char *cache = make_two ();
  g_autofree char *weights = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "weights of a", -1);
  g_autofree char *blob = g_strconcat (A "/blobs/", weights, NULL);
  g_assert_true (is_there (cache, blob));
  g_auto (AttnHubRemoval) removal = remove_named (cache, "owner/a@refs/pr/1");
  g_assert_cmpstr (removal.repo, ==, "owner/a");
  g_assert_cmpuint (removal.n_revisions, ==, 1);
  g_assert_cmpuint (removal.n_bytes, ==, strlen ("weights of a") + 2); /* and trees' {} */
  g_assert_false (removal.whole);
  g_assert_false (is_there (cache, blob));
  g_assert_false (is_there (cache, A "/snapshots/" COMMIT_A));
  g_assert_false (is_there (cache, A "/.no_exist/" COMMIT_A));
  g_assert_false (is_there (cache, A "/trees/" COMMIT_A ".json"));
  g_assert_false (is_there (cache, A "/refs/refs"));
  g_assert_true (is_there (cache, A "/refs/main"));
  g_assert_cmpuint (count_usable (cache), ==, 2);
  cache_remove (cache);
}

/* The last revision takes the model with it, whatever else lies there. */
static void
test_last (void)
{
  char *cache = make_two ();
  cache_write (cache, ".locks/" A "/x.lock", "");
  cache_write (cache, A "/blobs/x.headscope.part", "123");
  g_auto (AttnHubRemoval) first = remove_named (cache, "owner/a@" COMMIT_A);
  g_auto (AttnHubRemoval) second = remove_named (cache, "owner/a@main");
  g_assert_true (second.whole);
  g_assert_false (is_there (cache, A));
  g_assert_false (is_there (cache, ".locks/" A));
  g_assert_cmpuint (count_usable (cache), ==, 1);
  assert_refused (cache, "owner/a", "is not among the models");
  cache_remove (cache);
}

static void
test_whole (void)
{
  char *cache = make_two ();
  g_auto (AttnHubRemoval) removal = remove_named (cache, "a");
  g_assert_cmpuint (removal.n_revisions, ==, 2);
  g_assert_cmpuint (removal.n_bytes, ==,
                    strlen (BERT_CONFIG) + N_VOCAB +
                        strlen ("weights of a"
                                "b's") +
                        80 + 2);
  g_assert_true (removal.whole);
  g_assert_false (is_there (cache, A));
  g_assert_cmpuint (count_usable (cache), ==, 1);
  cache_remove (cache);
}

/* A download that never finished is removed, too. */
static void
test_unfinished (void)
{
  char *cache = cache_new ();
  cache_write (cache, A "/blobs/x.headscope.part", "12345");
  g_auto (AttnHubRemoval) removal = remove_named (cache, "owner/a");
  g_assert_cmpuint (removal.n_bytes, ==, 5);
  g_assert_false (is_there (cache, A));
  cache_remove (cache);
}

/* Files instead of links, as on file systems without them. */
static void
test_without_links (void)
{
  char *cache = cache_new ();
  cache_write (cache, A "/snapshots/" COMMIT_A "/config.json", "1");
  cache_write (cache, A "/snapshots/" COMMIT_B "/config.json", "22");
  g_auto (AttnHubRemoval) removal = remove_named (cache, "owner/a@" COMMIT_B);
  g_assert_cmpuint (removal.n_bytes, ==, 2);
  g_assert_true (is_there (cache, A "/snapshots/" COMMIT_A "/config.json"));
  cache_remove (cache);
}

/* While a program downloads, nothing is taken away under its hands. */
static void
test_locked (void)
{
  char *cache = make_two ();
  cache_write (cache, ".locks/" A "/x.lock", "");
  g_autofree char *path = cache_path (cache, ".locks/" A "/x.lock");
  int lock = open (path, O_RDWR | O_CLOEXEC);
  g_assert_cmpint (flock (lock, LOCK_EX), ==, 0);
  assert_refused (cache, "owner/a", "just downloading");
  close (lock);
  AttnHubBlob *blob = attn_hub_blob_open (cache, "owner/a", "etag", 9, NULL, NULL, NULL);
  g_assert_nonnull (blob);
  assert_refused (cache, "owner/a@main", "just downloading");
  attn_hub_blob_free (blob);
  g_assert_cmpuint (count_usable (cache), ==, 3);
  g_auto (AttnHubRemoval) removal = remove_named (cache, "owner/a");
  cache_remove (cache);
}

/* Links that lead out are removed, and what they lead to is not touched. */
static void
test_outside (void)
{
  char *cache = make_two (), *elsewhere = cache_new ();
  cache_write (elsewhere, "snapshots/x/precious", "precious");
  cache_link (cache, A "/snapshots/" COMMIT_A "/out", elsewhere);
  cache_link (cache,
              A "/snapshots/" COMMIT_A "/.."
                "blobs",
              "/etc/hostname");
  cache_link (cache, A "/out", elsewhere);
  cache_link (cache, A "/snapshots/cccc", elsewhere);
  cache_link (cache, A "/loop", "loop");
  cache_link (cache, "models--owner--link", elsewhere);
  g_auto (AttnHubRemoval) first = remove_named (cache, "owner/a@" COMMIT_A);
  g_auto (AttnHubRemoval) second = remove_named (cache, "owner/a");
  assert_refused (cache, "owner/link", "is a link to another place");
  g_assert_true (is_there (elsewhere, "snapshots/x/precious"));
  cache_remove (elsewhere);
  cache_remove (cache);
}

/* Where not all links can be seen, any blob may be needed: all stay. */
static void
test_too_deep (void)
{
  g_autoptr (GString) deep = g_string_new (A "/snapshots/" COMMIT_B);
  char *cache = make_two ();
  for (int i = 0; i < 40; i++)
    g_string_append (deep, "/x");
  cache_write (cache, deep->str, "");
  g_autofree char *weights = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "weights of a", -1);
  g_autofree char *blob = g_strconcat (A "/blobs/", weights, NULL);
  g_auto (AttnHubRemoval) removal = remove_named (cache, "owner/a@" COMMIT_A);
  g_assert_false (is_there (cache, A "/snapshots/" COMMIT_A));
  g_assert_true (is_there (cache, blob));
  g_auto (AttnHubRemoval) rest = remove_named (cache, "owner/a");
  g_assert_false (is_there (cache, A));
  cache_remove (cache);
}

#define HASH "ab00000000000000000000000000000000000000000000000000000000000000"
#define STORED "blobs/ab/" HASH

/* A store of blobs that models share: what the last of them leaves goes, and only with its list. */
static char *
make_shared (bool with_list)
{
  char *cache = cache_new ();
  cache_write (cache, "blobs/.huggingface-shared-blobs", "1\n");
  cache_write (cache, STORED, "shared weights");
  if (with_list)
    cache_write (cache, STORED ".refs", "models--owner--a/blobs/x\nmodels--owner--b/blobs/x\n");
  cache_link (cache, "models--owner--a/blobs/x", "../../" STORED);
  cache_link (cache, "models--owner--b/blobs/x", "../../" STORED);
  cache_link (cache, "models--owner--a/snapshots/" COMMIT_A "/x", "../../blobs/x");
  cache_link (cache, "models--owner--b/snapshots/" COMMIT_A "/x", "../../blobs/x");
  cache_write (cache, "models--owner--b/snapshots/" COMMIT_B "/y", "");
  return cache;
}

static void
test_shared (void)
{
  char *cache = make_shared (true);
  g_auto (AttnHubRemoval) first = remove_named (cache, "owner/a");
  g_assert_cmpuint (first.n_bytes, ==, 0);
  g_assert_true (is_there (cache, STORED));
  g_auto (AttnHubRemoval) second = remove_named (cache, "owner/b@" COMMIT_A);
  g_assert_cmpuint (second.n_bytes, ==, strlen ("shared weights"));
  g_assert_false (is_there (cache, STORED));
  g_assert_false (is_there (cache, STORED ".refs"));
  cache_remove (cache);

  cache = make_shared (false);
  g_auto (AttnHubRemoval) third = remove_named (cache, "owner/a");
  g_auto (AttnHubRemoval) fourth = remove_named (cache, "owner/b");
  g_assert_cmpuint (third.n_bytes + fourth.n_bytes, ==, 0);
  g_assert_true (is_there (cache, STORED));
  cache_remove (cache);
}

static void
test_not_there (void)
{
  char *cache = make_two ();
  assert_refused (cache, "owner/none", "is not among the models");
  assert_refused (cache, "owner/a@none", "has no revision none");
  assert_refused ("/nowhere/at/all", "owner/a", "is not among the models");
  g_assert_cmpuint (count_usable (cache), ==, 3);
  cache_remove (cache);
}

/* One random entry below @folder: a file, a link to somewhere, or a folder. */
static void
add_random (const char *cache, const char *folder, int depth)
{
  static const char *const names[] = {"blobs",       "refs",        "snapshots",    COMMIT_A,
                                      "config.json", "a",           "models--a--b", "main",
                                      COMMIT_B,      "modules.json"};
  static const char *const targets[] = {"../../blobs/a",
                                        "..",
                                        "/",
                                        ".",
                                        "a",
                                        "../..",
                                        "../../../elsewhere/precious",
                                        "../../../elsewhere",
                                        "x",
                                        "../blobs/config.json"};
  const char *name = names[g_test_rand_int_range (0, G_N_ELEMENTS (names))];
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *whole = cache_path (cache, path);
  int kind = g_test_rand_int_range (0, 4);
  if (is_there (cache, path))
    return;
  if (kind == 0)
    cache_write (cache, path, g_test_rand_int_range (0, 2) ? COMMIT_A : BERT_CONFIG);
  else if (kind == 1)
    cache_link (cache, path, targets[g_test_rand_int_range (0, G_N_ELEMENTS (targets))]);
  else if (depth < 4 && g_mkdir (whole, 0755) == 0)
    for (int i = g_test_rand_int_range (0, 6); i > 0; i--)
      add_random (cache, path, depth + 1);
}

/* Random trees of folders, files and links: whatever is made of them, listing, finding, verifying
 * and removing end well, and nothing outside of the model's folder is gone. */
static void
test_random (void)
{
  static const char *const names[] = {"owner/a", "owner/a@main", "owner/a@" COMMIT_A,
                                      "owner/a@" COMMIT_B, "a@refs/a"};
  for (int round = 0; round < 150; round++) {
    char *cache = cache_new ();
    cache_write (cache, "elsewhere/precious", "precious");
    cache_add_model (cache, "models--owner--other", COMMIT_A, BERT_CONFIG, "w");
    if (g_test_rand_int_range (0, 2))
      cache_add_model (cache, A, COMMIT_A, BERT_CONFIG, "w");
    for (int i = g_test_rand_int_range (1, 12); i > 0; i--)
      add_random (cache, A, 0);
    g_autoptr (AttnHubName) name =
        attn_hub_name_parse (names[g_test_rand_int_range (0, G_N_ELEMENTS (names))], NULL);
    g_autoptr (AttnHubList) list = attn_hub_cache_list (cache, NULL, NULL, NULL);
    g_assert_nonnull (list);
    g_autofree char *found = attn_hub_cache_find (cache, name, NULL);
    g_autoptr (AttnHubVerdict) verdict = attn_hub_verify (cache, NULL, NULL, NULL, NULL);
    g_assert_nonnull (verdict);
    g_auto (AttnHubRemoval) removal = {0};
    attn_hub_remove (cache, name, &removal, NULL);
    g_assert_true (is_there (cache, "elsewhere/precious"));
    g_autoptr (AttnHubName) other = attn_hub_name_parse ("owner/other", NULL);
    g_autofree char *folder = attn_hub_cache_find (cache, other, NULL);
    g_autoptr (AttnHubEntry) entry = attn_hub_cache_check_folder (folder);
    g_assert_cmpint (entry->state, ==, ATTN_HUB_USABLE);
    cache_remove (cache);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/remove/revision", test_revision);
  g_test_add_func ("/remove/last", test_last);
  g_test_add_func ("/remove/whole", test_whole);
  g_test_add_func ("/remove/unfinished", test_unfinished);
  g_test_add_func ("/remove/without-links", test_without_links);
  g_test_add_func ("/remove/locked", test_locked);
  g_test_add_func ("/remove/outside", test_outside);
  g_test_add_func ("/remove/too-deep", test_too_deep);
  g_test_add_func ("/remove/shared", test_shared);
  g_test_add_func ("/remove/not-there", test_not_there);
  g_test_add_func ("/remove/random", test_random);
  return g_test_run ();
}
