/* SPDX-License-Identifier: MIT */
/* What is said where the disk does not do what is asked: which place, why, and what to try. */
#include "cache-fixture.h"

#include "attn-hub/blob.h"
#include "attn-hub/cache.h"
#include "attn-hub/manage.h"
#include "attn/error.h"

#include <glib/gstdio.h>

#include <ftw.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define REPO "owner/a"
#define FOLDER "models--owner--a"
#define NOBODY 65534

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

/* ---- folders that a person may not read or write ---- */

/* Everybody may do anything as root, who becomes nobody for a while. */
static void
become (uid_t user)
{
  if (getuid () == 0)
    g_assert_cmpint (seteuid (user), ==, 0);
}

static int
own_one (const char *path,
         G_GNUC_UNUSED const struct stat *state,
         G_GNUC_UNUSED int kind,
         G_GNUC_UNUSED struct FTW *place)
{
  return lchown (path, NOBODY, (gid_t)-1);
}

/* Gives all of the cache to nobody, where it is root's. */
static void
give_away (const char *cache)
{
  if (getuid () == 0)
    g_assert_cmpint (nftw (cache, own_one, 16, FTW_PHYS), ==, 0);
}

/* Which words stand in the sentences about a model whose folder @path nobody may look into. */
typedef struct {
  const char *path;   /* below the cache, "" for itself */
  const char *listed; /* reason in the list; NULL: there is no list */
  const char *found;  /* opening it by name */
  const char *verified;
} Hidden;

static void
assert_holds (const char *sentence, const char *words)
{
  if (sentence == NULL || strstr (sentence, words) == NULL)
    g_error ("no \"%s\" in: %s", words, sentence);
}

static void
check_hidden (const char *cache, const Hidden *hidden)
{
  g_autoptr (GError) unlisted = NULL, unfound = NULL, unverified = NULL;
  g_autoptr (AttnHubName) name = attn_hub_name_parse (REPO, NULL);
  g_autoptr (AttnHubList) list = attn_hub_cache_list (cache, NULL, NULL, &unlisted);
  g_autofree char *folder = attn_hub_cache_find (cache, name, &unfound);
  g_autoptr (AttnHubVerdict) verdict = attn_hub_verify (cache, name, NULL, NULL, &unverified);
  if (hidden->listed != NULL) {
    g_assert_no_error (unlisted);
    g_assert_cmpuint (list->n_entries, ==, 1);
    g_assert_cmpint (list->entries[0]->state, ==, ATTN_HUB_UNUSABLE);
    assert_holds (list->entries[0]->reason, hidden->listed);
  } else {
    assert_holds (unlisted->message, "Permission denied; check owner");
  }
  if (hidden->found != NULL)
    assert_holds (unfound->message, hidden->found);
  if (unverified != NULL) {
    assert_holds (unverified->message, hidden->verified);
  } else {
    g_assert_cmpuint (verdict->n_problems, >, 0);
    assert_holds (verdict->problems[0]->reason, hidden->verified);
    g_assert_cmpint (verdict->problems[0]->remedy, ==, ATTN_HUB_AS_TOLD);
  }
}

static void
test_hidden (void)
{
  static const Hidden rows[] = {
      {"", NULL, "Permission denied; check owner", "Permission denied; check owner"},
      {FOLDER, "cannot be opened: Permission denied", "Permission denied; check owner",
       "cannot be opened: Permission denied"},
      {FOLDER "/snapshots", "cannot be opened: Permission denied", "Permission denied; check owner",
       "cannot be opened: Permission denied"},
      {FOLDER "/snapshots/" COMMIT_A, "cannot be opened: Permission denied", NULL,
       "check owner and permissions"},
      {FOLDER "/blobs", "config.json: Permission denied", NULL,
       "cannot be followed: Permission denied; check owner"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    char *cache = cache_new ();
    g_assert_cmpint (g_chmod (cache, 0755), ==, 0);
    cache_add_model (cache, FOLDER, COMMIT_A, BERT_CONFIG, "weights");
    cache_refer (cache, FOLDER, "main", COMMIT_A);
    g_autofree char *path = cache_path (cache, rows[i].path);
    g_assert_cmpint (g_chmod (path, 0), ==, 0);
    become (NOBODY);
    check_hidden (cache, &rows[i]);
    become (0);
    g_assert_cmpint (g_chmod (path, 0755), ==, 0);
    cache_remove (cache);
  }
}

/* What may not be removed wholly is left wholly. */
static void
test_kept (void)
{
  static const char *const kept[] = {FOLDER "/blobs", FOLDER "/snapshots/" COMMIT_A, FOLDER, ""};
  for (size_t i = 0; i < G_N_ELEMENTS (kept); i++) {
    char *cache = cache_new ();
    g_autoptr (GError) error = NULL;
    g_autoptr (AttnHubName) name = attn_hub_name_parse (REPO, NULL);
    g_auto (AttnHubRemoval) removal = {0};
    cache_add_model (cache, FOLDER, COMMIT_A, BERT_CONFIG, "weights");
    cache_refer (cache, FOLDER, "main", COMMIT_A);
    give_away (cache);
    g_autofree char *path = cache_path (cache, kept[i]);
    g_assert_cmpint (g_chmod (path, 0555), ==, 0);
    become (NOBODY);
    g_assert_false (attn_hub_remove (cache, name, &removal, &error));
    g_autoptr (AttnHubVerdict) verdict = attn_hub_verify (cache, name, NULL, NULL, NULL);
    become (0);
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
    assert_holds (error->message, "cannot be removed: Permission denied; check owner");
    g_assert_cmpuint (verdict->n_problems, ==, 0);
    g_assert_cmpuint (verdict->n_files, ==, 3);
    g_assert_cmpint (g_chmod (path, 0755), ==, 0);
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
  g_test_add_func ("/io-errors/hidden", test_hidden);
  g_test_add_func ("/io-errors/kept", test_kept);
  return g_test_run ();
}
