/* SPDX-License-Identifier: MIT */
/* Writing blobs into the cache: resumed, checked, locked, and never half there. */
#include "cache-fixture.h"
#include "test-util.h"

#include "attn-hub/blob.h"
#include "attn/error.h"

#include <glib/gstdio.h>

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define REPO "owner/a"
#define BLOBS "models--owner--a/blobs/"
#define TEXT "twelve bytes"
#define N_TEXT ((guint64)sizeof TEXT - 1)

static char *
dup_sha256 (const char *bytes, size_t n)
{
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)bytes, n);
}

static AttnHubBlob *
open_blob (const char *cache, const char *etag, guint64 n_bytes)
{
  g_autoptr (GError) error = NULL;
  AttnHubBlob *blob = attn_hub_blob_open (cache, REPO, etag, n_bytes, NULL, NULL, &error);
  g_assert_no_error (error);
  return blob;
}

static void
write_blob (AttnHubBlob *blob, const char *text)
{
  g_autoptr (GError) error = NULL;
  attn_hub_blob_write (blob, text, strlen (text), &error);
  g_assert_no_error (error);
}

static void
assert_content (const char *cache, const char *etag, const char *wanted)
{
  g_autofree char *name = g_strconcat (BLOBS, etag, NULL);
  g_autofree char *path = cache_path (cache, name);
  g_autofree char *content = test_read_file (path, NULL);
  g_assert_cmpstr (content, ==, wanted);
}

/* Nothing but the blobs named is in the folder of blobs. */
static void
assert_only (const char *cache, const char *etag)
{
  g_autofree char *path = cache_path (cache, BLOBS);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    g_assert_cmpstr (name, ==, etag);
}

static void
test_whole (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *etag = dup_sha256 (TEXT, N_TEXT);
  char *folder = cache_new ();
  g_autofree char *cache = cache_path (folder, "made/when/needed");
  {
    g_autoptr (AttnHubBlob) blob = open_blob (cache, etag, N_TEXT);
    g_assert_false (attn_hub_blob_is_there (blob));
    g_assert_cmpuint (attn_hub_blob_get_n_bytes (blob), ==, 0);
    write_blob (blob, "twelve");
    write_blob (blob, " bytes");
    g_assert_true (attn_hub_blob_commit (blob, &error));
    g_assert_true (attn_hub_blob_is_there (blob));
  }
  assert_content (cache, etag, TEXT);
  assert_only (cache, etag);
  g_autoptr (AttnHubBlob) again = open_blob (cache, etag, N_TEXT);
  g_assert_true (attn_hub_blob_is_there (again));
  g_assert_cmpuint (attn_hub_blob_get_n_bytes (again), ==, N_TEXT);
  g_autofree char *tag = cache_path (cache, "CACHEDIR.TAG");
  g_autofree char *content = test_read_file (tag, NULL);
  g_assert_true (g_str_has_prefix (content, "Signature: 8a477f597d28d172789f06886806bc55"));
  cache_remove (folder);
}

/* Hashes of git, names that are none, and sizes nobody knew. */
static void
test_kinds (void)
{
  g_autoptr (GChecksum) git = g_checksum_new (G_CHECKSUM_SHA1);
  g_checksum_update (git, (const guchar *)"blob 12\0" TEXT, 8 + N_TEXT);
  const char *etags[] = {g_checksum_get_string (git), "any-other_etag5", "unknown-size"};
  const guint64 sizes[] = {N_TEXT, N_TEXT, ATTN_HUB_UNKNOWN_SIZE};
  char *cache = cache_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (etags); i++) {
    g_autoptr (GError) error = NULL;
    const char *etag = etags[i];
    g_autoptr (AttnHubBlob) blob = open_blob (cache, etag, sizes[i]);
    write_blob (blob, TEXT);
    attn_hub_blob_commit (blob, &error);
    g_assert_no_error (error);
    assert_content (cache, etag, TEXT);
  }
  g_assert_cmpint (attn_hub_hash_of_etag (g_checksum_get_string (git)), ==, ATTN_HUB_HASH_GIT);
  g_assert_cmpint (attn_hub_hash_of_etag ("x"), ==, ATTN_HUB_HASH_NONE);
  cache_remove (cache);
}

static void
test_resume (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *etag = dup_sha256 (TEXT, N_TEXT);
  char *cache = cache_new ();
  bool is_there = true;
  g_assert_cmpuint (attn_hub_blob_look (cache, REPO, etag, N_TEXT, &is_there), ==, 0);
  g_assert_false (is_there);
  {
    g_autoptr (AttnHubBlob) blob = open_blob (cache, etag, N_TEXT);
    write_blob (blob, "twelve");
    g_assert_false (attn_hub_blob_commit (blob, &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
    g_assert_nonnull (strstr (error->message, "found 6 bytes, wanted 12"));
  }
  g_assert_cmpuint (attn_hub_blob_look (cache, REPO, etag, N_TEXT, &is_there), ==, 6);
  g_assert_false (is_there);
  {
    g_autoptr (AttnHubBlob) blob = open_blob (cache, etag, N_TEXT);
    g_assert_cmpuint (attn_hub_blob_get_n_bytes (blob), ==, 6);
    write_blob (blob, " bytes");
    g_assert_true (attn_hub_blob_commit (blob, NULL));
  }
  assert_content (cache, etag, TEXT);
  assert_only (cache, etag);
  g_assert_cmpuint (attn_hub_blob_look (cache, REPO, etag, N_TEXT, &is_there), ==, N_TEXT);
  g_assert_true (is_there);
  cache_remove (cache);
}

/* What is there belongs to a file of another size: begun anew. */
static void
test_other_size (void)
{
  char *cache = cache_new ();
  {
    g_autoptr (AttnHubBlob) blob = open_blob (cache, "etag", 20);
    write_blob (blob, "12345678");
  }
  bool is_there = false;
  g_assert_cmpuint (attn_hub_blob_look (cache, REPO, "etag", 21, &is_there), ==, 0);
  g_autoptr (AttnHubBlob) blob = open_blob (cache, "etag", 21);
  g_assert_cmpuint (attn_hub_blob_get_n_bytes (blob), ==, 0);
  cache_remove (cache);
}

static void
test_wrong (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *etag = dup_sha256 (TEXT, N_TEXT);
  char *cache = cache_new ();
  g_autoptr (AttnHubBlob) blob = open_blob (cache, etag, N_TEXT);
  write_blob (blob, "twelve Bytes");
  g_assert_false (attn_hub_blob_write (blob, "!", 1, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
  g_clear_error (&error);
  g_assert_false (attn_hub_blob_commit (blob, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
  g_autofree char *shown = g_strndup (etag, 12);
  g_assert_nonnull (strstr (error->message, shown));
  g_assert_false (attn_hub_blob_is_there (blob));
  g_assert_cmpuint (attn_hub_blob_get_n_bytes (blob), ==, 0);
  write_blob (blob, TEXT); /* and again, well this time */
  g_assert_true (attn_hub_blob_commit (blob, NULL));
  assert_content (cache, etag, TEXT);
  assert_only (cache, etag);
  cache_remove (cache);
}

/* A blob of another size than is asked for is not taken for it, and replaced. */
static void
test_damaged (void)
{
  g_autofree char *etag = dup_sha256 (TEXT, N_TEXT);
  g_autofree char *path = g_strconcat (BLOBS, etag, NULL);
  char *cache = cache_new ();
  cache_write (cache, path, "cut");
  g_autoptr (AttnHubBlob) blob = open_blob (cache, etag, N_TEXT);
  g_assert_false (attn_hub_blob_is_there (blob));
  write_blob (blob, TEXT);
  g_assert_true (attn_hub_blob_commit (blob, NULL));
  assert_content (cache, etag, TEXT);
  cache_remove (cache);
}

static void
test_names (void)
{
  static const char *const etags[] = {"", "..", ".", "a/b", "../x", "a b", "a\n", "\xff", "a.b"};
  static const char *const repos[] = {"", "../x", "a/b/c", "a--b"};
  char *cache = cache_new ();
  for (size_t i = 0; i < G_N_ELEMENTS (etags); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (attn_hub_blob_open (cache, REPO, etags[i], 1, NULL, NULL, &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (repos); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (attn_hub_blob_open (cache, repos[i], "etag", 1, NULL, NULL, &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
  }
  g_autofree char *longest = g_strnfill (128, 'a');
  g_autofree char *longer = g_strnfill (129, 'a');
  g_assert_true (attn_hub_check_etag (longest, NULL));
  g_assert_false (attn_hub_check_etag (longer, NULL));
  cache_remove (cache);
}

/* The mode is what the user's umask says, not that of a temporary file. */
static void
test_mode (void)
{
  struct stat state;
  char *cache = cache_new ();
  mode_t before = umask (0027);
  g_autoptr (AttnHubBlob) blob = open_blob (cache, "etag", N_TEXT);
  write_blob (blob, TEXT);
  g_assert_true (attn_hub_blob_commit (blob, NULL));
  umask (before);
  g_autofree char *path = cache_path (cache, BLOBS "etag");
  g_assert_cmpint (g_stat (path, &state), ==, 0);
  g_assert_cmpint (state.st_mode & 0777, ==, 0640);
  cache_remove (cache);
}

/* A link where the part should be is not followed, and a link instead of the folder is refused. */
static void
test_links (void)
{
  g_autoptr (GError) error = NULL;
  char *cache = cache_new ();
  g_autofree char *victim = cache_path (cache, "victim");
  cache_write (cache, "victim", "precious");
  cache_link (cache, BLOBS "etag.headscope.part", victim);
  g_assert_null (attn_hub_blob_open (cache, REPO, "etag", 3, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_clear_error (&error);
  cache_link (cache, "models--owner--b/blobs", cache);
  g_assert_null (attn_hub_blob_open (cache, "owner/b", "victim", 3, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_autofree char *content = test_read_file (victim, NULL);
  g_assert_cmpstr (content, ==, "precious");
  cache_remove (cache);
}

/* Stops the second time it is asked. */
static bool
count_cb (G_GNUC_UNUSED double fraction, void *data)
{
  return (*(int *)data)++ < 1;
}

static void
test_locked (void)
{
  g_autoptr (GError) error = NULL;
  char *cache = cache_new ();
  int n_asked = 0;
  g_autoptr (AttnHubBlob) first = open_blob (cache, "etag", N_TEXT);
  write_blob (first, "twelve");
  g_assert_null (attn_hub_blob_open (cache, REPO, "etag", N_TEXT, count_cb, &n_asked, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
  g_assert_cmpint (n_asked, ==, 2);
  cache_remove (cache);
}

/* Python's library holds its lock while it downloads the same blob. */
static void
test_lock_of_others (void)
{
  g_autoptr (GError) error = NULL;
  char *cache = cache_new ();
  int n_asked = 0;
  cache_write (cache, ".locks/models--owner--a/etag.lock", "");
  g_autofree char *path = cache_path (cache, ".locks/models--owner--a/etag.lock");
  int lock = open (path, O_RDWR | O_CLOEXEC);
  g_assert_cmpint (flock (lock, LOCK_EX), ==, 0);
  g_assert_null (attn_hub_blob_open (cache, REPO, "etag", N_TEXT, count_cb, &n_asked, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
  close (lock);
  g_autoptr (AttnHubBlob) blob = open_blob (cache, "etag", N_TEXT);
  g_assert_false (attn_hub_blob_is_there (blob));
  cache_remove (cache);
}

static void *
write_thread (void *data)
{
  g_autofree char *etag = dup_sha256 (TEXT, N_TEXT);
  g_autoptr (AttnHubBlob) blob = open_blob (data, etag, N_TEXT);
  if (attn_hub_blob_is_there (blob))
    return NULL;
  for (const char *p = TEXT + attn_hub_blob_get_n_bytes (blob); *p != '\0'; p++) {
    g_autoptr (GError) error = NULL;
    g_assert_true (attn_hub_blob_write (blob, p, 1, &error));
    g_usleep (1000);
  }
  g_assert_true (attn_hub_blob_commit (blob, NULL));
  return data;
}

/* Several at once: one writes, the others find it done. */
static void
test_many (void)
{
  enum { N = 8 };
  GThread *threads[N];
  size_t n_written = 0;
  char *cache = cache_new ();
  g_autofree char *etag = dup_sha256 (TEXT, N_TEXT);
  for (size_t i = 0; i < N; i++)
    threads[i] = g_thread_new ("writer", write_thread, cache);
  for (size_t i = 0; i < N; i++)
    n_written += g_thread_join (threads[i]) != NULL;
  g_assert_cmpuint (n_written, ==, 1);
  assert_content (cache, etag, TEXT);
  assert_only (cache, etag);
  cache_remove (cache);
}

/* A process killed at a random moment leaves either nothing, a part that is resumed, or the blob.
 */
static void
test_killed (void)
{
  enum { N_BYTES = 3000000, ROUNDS = 20 };
  char *cache = cache_new ();
  g_autofree char *bytes = g_malloc (N_BYTES);
  for (size_t i = 0; i < N_BYTES; i++)
    bytes[i] = (char)g_test_rand_int_range (0, 256);
  g_autofree char *etag = dup_sha256 (bytes, N_BYTES);
  for (int round = 0; round < ROUNDS; round++) {
    pid_t child = fork ();
    if (child == 0) {
      AttnHubBlob *blob = attn_hub_blob_open (cache, REPO, etag, N_BYTES, NULL, NULL, NULL);
      for (guint64 at = blob == NULL ? N_BYTES : attn_hub_blob_get_n_bytes (blob); at < N_BYTES;
           at += 1000) {
        guint64 n = MIN (1000, N_BYTES - at);
        if (!attn_hub_blob_write (blob, bytes + at, n, NULL))
          _exit (1);
        g_usleep (100);
      }
      _exit (0);
    }
    g_usleep ((gulong)g_test_rand_int_range (0, 20000));
    kill (child, SIGKILL);
    g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
  }
  g_autoptr (AttnHubBlob) blob = open_blob (cache, etag, N_BYTES);
  guint64 at = attn_hub_blob_get_n_bytes (blob);
  g_test_message ("%d of %d bytes were there", (int)at, (int)N_BYTES);
  g_assert_true (attn_hub_blob_write (blob, bytes + at, N_BYTES - at, NULL));
  g_autoptr (GError) error = NULL;
  attn_hub_blob_commit (blob, &error);
  g_assert_no_error (error);
  assert_only (cache, etag);
  cache_remove (cache);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blob/whole", test_whole);
  g_test_add_func ("/blob/kinds", test_kinds);
  g_test_add_func ("/blob/resume", test_resume);
  g_test_add_func ("/blob/other-size", test_other_size);
  g_test_add_func ("/blob/wrong", test_wrong);
  g_test_add_func ("/blob/damaged", test_damaged);
  g_test_add_func ("/blob/names", test_names);
  g_test_add_func ("/blob/mode", test_mode);
  g_test_add_func ("/blob/links", test_links);
  g_test_add_func ("/blob/locked", test_locked);
  g_test_add_func ("/blob/lock-of-others", test_lock_of_others);
  g_test_add_func ("/blob/many", test_many);
  g_test_add_func ("/blob/killed", test_killed);
  return g_test_run ();
}
