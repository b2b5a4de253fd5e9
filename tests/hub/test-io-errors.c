/* SPDX-License-Identifier: MIT */
/* What is said where the disk does not do what is asked: which place, why, and what to try. */
#include "cache-fixture.h"

#include "attn-hub/blob.h"
#include "attn-hub/cache.h"
#include "attn-hub/snapshot.h"
#include "attn/error.h"

#include <glib/gstdio.h>

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define REPO "owner/a"
#define FOLDER "models--owner--a"

/* The sentence of a blob that cannot be written. */
static char *
dup_refusal (const char *cache, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *etag = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  g_autoptr (AttnHubBlob) blob =
      attn_hub_blob_open (cache, REPO, etag, strlen (text), NULL, NULL, &error);
  if (blob != NULL)
    attn_hub_blob_write (blob, text, strlen (text), &error);
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  return g_strdup (error->message);
}

static void
assert_says (const char *sentence, const char *place, const char *words)
{
  if (!g_str_has_prefix (sentence, place) || sentence[strlen (place)] != ':' ||
      strstr (sentence, words) == NULL)
    g_error ("wanted is \"%s: … %s …\", found: %s", place, words, sentence);
}

/* The first thing that is no folder is named, not what would have been below it. */
static void
test_obstacles (void)
{
  static const struct {
    const char *file, *link;   /* what is made, one of them */
    const char *cache, *place; /* where the model is to go, and what is in the way */
    const char *words;
  } rows[] = {
      {"hub", NULL, "hub", "hub", "found is a file; move it away, or name another folder in HF_"},
      {"home", NULL, "home/hub", "home", "found is a file"},
      {NULL, "gone", "gone/hub", "gone", "found is a link"},
      {"x/" FOLDER, NULL, "x", "x/" FOLDER, "found is a file"},
      {"y/" FOLDER "/blobs", NULL, "y", "y/" FOLDER "/blobs", "found is a file; move it away"},
      {NULL, "z/" FOLDER "/blobs", "z", "z/" FOLDER "/blobs", "found is a link; move it away"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    char *top = cache_new ();
    if (rows[i].file != NULL)
      cache_write (top, rows[i].file, "in the way");
    else
      cache_link (top, rows[i].link, "/nowhere/at/all");
    g_autofree char *cache = cache_path (top, rows[i].cache);
    g_autofree char *place = cache_path (top, rows[i].place);
    g_autofree char *sentence = dup_refusal (cache, "content");
    assert_says (sentence, place, rows[i].words);
    cache_remove (top);
  }
}

/* A full disk, as a limit on the size of files makes one. */
static void
test_full (void)
{
  char *cache = cache_new ();
  struct rlimit old, low;
  g_autofree char *text = g_strnfill (20000, 'x');
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  low = (struct rlimit){5000, old.rlim_max};
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &low), ==, 0);
  g_autofree char *sentence = dup_refusal (cache, text);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  g_assert_nonnull (strstr (sentence, "the disk takes no files as large as this, or name a folder "
                                      "on another disk in HF_HUB_CACHE"));
  cache_remove (cache);
}

/* A part that is none: a pipe, a folder, a link. */
static void
test_part (void)
{
  static const char *const words[] = {"File exists; move what is there away",
                                      "Is a directory; move the folder that is there away",
                                      "symbolic links; remove the link that is there"};
  g_autofree char *etag = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "content", -1);
  g_autofree char *part = g_strconcat (FOLDER "/blobs/", etag, ".headscope.part", NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++) {
    char *cache = cache_new ();
    g_autofree char *path = cache_path (cache, part);
    cache_write (cache, FOLDER "/blobs/other", "");
    if (i == 0)
      g_assert_cmpint (mkfifo (path, 0644), ==, 0);
    else if (i == 1)
      g_assert_cmpint (g_mkdir (path, 0755), ==, 0);
    else
      cache_link (cache, part, "elsewhere");
    g_autofree char *sentence = dup_refusal (cache, "content");
    assert_says (sentence, path, words[i]);
    cache_remove (cache);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/io-errors/obstacles", test_obstacles);
  g_test_add_func ("/io-errors/full", test_full);
  g_test_add_func ("/io-errors/part", test_part);
  return g_test_run ();
}
