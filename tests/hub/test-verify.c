/* SPDX-License-Identifier: MIT */
/* Verifying models of the cache. */
#include "cache-fixture.h"

#include "attn-hub/manage.h"
#include "attn/error.h"

#include <glib/gstdio.h>

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define A "models--owner--a"

static AttnHubVerdict *
verify (const char *cache, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnHubName) name = text == NULL ? NULL : attn_hub_name_parse (text, NULL);
  AttnHubVerdict *verdict = attn_hub_verify (cache, name, NULL, NULL, &error);
  g_assert_no_error (error);
  return verdict;
}

static void
assert_problem (const AttnHubVerdict *verdict, size_t index, const char *path, const char *words)
{
  g_assert_cmpuint (index, <, verdict->n_problems);
  const AttnHubProblem *problem = verdict->problems[index];
  g_assert_cmpstr (problem->repo, ==, "owner/a");
  g_assert_cmpstr (problem->path, ==, path);
  g_assert_nonnull (strstr (problem->reason, words));
}

/* A blob called by git's hash: what small files have. */
static void
add_git (const char *cache, const char *path, const char *content)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA1);
  g_autofree char *head = g_strdup_printf ("blob %zu", strlen (content));
  g_checksum_update (sum, (const guchar *)head, (gssize)strlen (head) + 1);
  g_checksum_update (sum, (const guchar *)content, (gssize)strlen (content));
  g_autofree char *blob = g_strconcat (A "/blobs/", g_checksum_get_string (sum), NULL);
  g_autofree char *link = g_strconcat (A "/snapshots/" COMMIT_A "/", path, NULL);
  g_autofree char *target = g_strconcat ("../../blobs/", g_checksum_get_string (sum), NULL);
  cache_write (cache, blob, content);
  cache_link (cache, link, target);
}

static void
test_good (void)
{
  char *cache = cache_new ();
  cache_add_model (cache, A, COMMIT_A, BERT_CONFIG, "weights");
  cache_add_model (cache, A, COMMIT_B, BERT_CONFIG, "others");
  add_git (cache, "README.md", "read me");
  add_git (cache, "empty", "");
  cache_write (cache, A "/snapshots/" COMMIT_A "/plain", "plain");
  g_autoptr (AttnHubVerdict) all = verify (cache, NULL);
  g_autoptr (AttnHubVerdict) model = verify (cache, "owner/a");
  g_autoptr (AttnHubVerdict) one = verify (cache, "owner/a@" COMMIT_B);
  g_assert_cmpuint (all->n_problems, ==, 0);
  g_assert_cmpuint (all->n_files, ==, 7); /* two of them in both revisions */
  g_assert_cmpuint (all->n_unchecked, ==, 1);
  g_assert_cmpuint (all->n_bytes, ==, strlen (BERT_CONFIG "weightsothersread meplain") + 33);
  g_assert_cmpuint (model->n_files, ==, 7);
  g_assert_cmpuint (one->n_files, ==, 3);
  cache_remove (cache);
}

/* One byte changed, one file cut, one gone, one that nobody may read as a file. */
static void
test_wrong (void)
{
  char *cache = cache_new ();
  cache_add_model (cache, A, COMMIT_A, BERT_CONFIG, "weights");
  add_git (cache, "README.md", "read me");
  cache_link (cache, A "/snapshots/" COMMIT_A "/gone", "../../blobs/gone");
  g_autofree char *weights = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "weights", -1);
  g_autofree char *blob = g_strconcat (A "/blobs/", weights, NULL);
  cache_write (cache, blob, "weightS");
  g_autofree char *pipe = cache_path (cache, A "/blobs/" COMMIT_B);
  g_assert_cmpint (mkfifo (pipe, 0644), ==, 0);
  cache_link (cache, A "/snapshots/" COMMIT_A "/pipe", "../../blobs/" COMMIT_B);
  g_autoptr (AttnHubVerdict) verdict = verify (cache, "owner/a");
  g_assert_cmpuint (verdict->n_problems, ==, 3);
  assert_problem (verdict, 0, "gone", "is missing");
  assert_problem (verdict, 1, "model.safetensors", weights);
  assert_problem (verdict, 2, "pipe", "no file");
  cache_remove (cache);
}

/* What a snapshot holds beside links to the model's own blobs is said, whatever it is. */
static void
test_no_files (void)
{
  char *cache = cache_new ();
  g_autofree char *outside = cache_new ();
  g_autofree char *secret = cache_path (outside, "secret");
  g_autofree char *weights = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "weights", -1);
  g_autofree char *lookalike = g_strconcat ("blobs/", weights, NULL);
  g_autofree char *target = cache_path (outside, lookalike);
  cache_add_model (cache, A, COMMIT_A, BERT_CONFIG, "weights");
  cache_write (outside, "secret", "not of the cache");
  cache_write (outside, lookalike, "Weights");
  cache_link (cache, A "/snapshots/" COMMIT_A "/1-secret", secret);
  cache_link (cache, A "/snapshots/" COMMIT_A "/2-same-name", target);
  cache_link (cache, A "/snapshots/" COMMIT_A "/3-folder", outside);
  cache_link (cache, A "/snapshots/" COMMIT_A "/4-circle", "4-circle");
  g_autofree char *pipe = cache_path (cache, A "/snapshots/" COMMIT_A "/5-pipe");
  g_assert_cmpint (mkfifo (pipe, 0644), ==, 0);
  g_autofree char *socket = cache_path (cache, A "/snapshots/" COMMIT_A "/6-socket");
  g_assert_cmpint (mknod (socket, S_IFSOCK | 0644, 0), ==, 0);
  g_autoptr (AttnHubVerdict) verdict = verify (cache, "owner/a");
  g_assert_cmpuint (verdict->n_problems, ==, 6);
  assert_problem (verdict, 0, "1-secret", secret);
  assert_problem (verdict, 1, "2-same-name", "none of this model's files");
  assert_problem (verdict, 2, "3-folder", "no file but a folder");
  assert_problem (verdict, 3, "4-circle", "remove the link");
  g_assert_cmpint (verdict->problems[3]->remedy, ==, ATTN_HUB_AS_TOLD);
  assert_problem (verdict, 4, "5-pipe", "no file but a pipe");
  assert_problem (verdict, 5, "6-socket", "no file but a socket");
  g_assert_cmpuint (verdict->n_files, ==, 9);
  cache_remove (g_steal_pointer (&outside));
  cache_remove (cache);
}

/* A model of which nothing is there, and one of which something is missing, are not right. */
static void
test_incomplete (void)
{
  static const char *const missing[] = {"a file is missing: tokenizer.json", "none of its files",
                                        "none of its files", "none of its files"};
  char *cache = cache_new ();
  cache_add (cache, "models--owner--1", COMMIT_A, "config.json", BERT_CONFIG);
  cache_add (cache, "models--owner--1", COMMIT_A, "model.safetensors", "weights");
  cache_write (cache, "models--owner--2/blobs/part.headscope.part", "some bytes");
  g_autofree char *empty = cache_path (cache, "models--owner--3/snapshots");
  g_autofree char *revision = cache_path (cache, "models--owner--4/snapshots/" COMMIT_B);
  g_assert_cmpint (g_mkdir_with_parents (empty, 0755), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (revision, 0755), ==, 0);
  g_autoptr (AttnHubVerdict) verdict = verify (cache, NULL);
  g_assert_cmpuint (verdict->n_problems, ==, 4);
  for (size_t i = 0; i < 4; i++) {
    g_assert_null (verdict->problems[i]->path);
    g_assert_nonnull (strstr (verdict->problems[i]->reason, missing[i]));
    g_assert_cmpint (verdict->problems[i]->remedy, ==, ATTN_HUB_FETCH);
  }
  g_assert_cmpstr (verdict->problems[3]->commit, ==, COMMIT_B);
  cache_remove (cache);
}

/* What is no cache is not called right either; one that does not exist yet is. */
static void
test_no_cache (void)
{
  g_autoptr (GError) error = NULL;
  char *cache = cache_new ();
  cache_write (cache, "file", "x");
  g_autofree char *file = cache_path (cache, "file"), *none = cache_path (cache, "none");
  g_assert_null (attn_hub_verify (file, NULL, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_autoptr (AttnHubVerdict) verdict = verify (none, NULL);
  g_assert_cmpuint (verdict->n_problems, ==, 0);
  cache_remove (cache);
}

static bool
stop_cb (double fraction, G_GNUC_UNUSED void *data)
{
  return fraction < 0.5;
}

static void
test_stop (void)
{
  g_autoptr (GError) error = NULL;
  char *cache = cache_new ();
  cache_add_model (cache, A, COMMIT_A, BERT_CONFIG, "weights");
  g_assert_null (attn_hub_verify (cache, NULL, stop_cb, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
  g_clear_error (&error);
  g_autoptr (AttnHubName) name = attn_hub_name_parse ("none", NULL);
  g_assert_null (attn_hub_verify (cache, name, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  cache_remove (cache);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/verify/good", test_good);
  g_test_add_func ("/verify/wrong", test_wrong);
  g_test_add_func ("/verify/no-files", test_no_files);
  g_test_add_func ("/verify/incomplete", test_incomplete);
  g_test_add_func ("/verify/no-cache", test_no_cache);
  g_test_add_func ("/verify/stop", test_stop);
  return g_test_run ();
}
