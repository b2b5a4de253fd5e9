/* SPDX-License-Identifier: MIT */
/* Making caches for tests. */
#include "cache-fixture.h"

#include <glib/gstdio.h>

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

char *
cache_new (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("headscope-cache-XXXXXX", &error);
  g_assert_no_error (error);
  return folder;
}

static int
remove_one (const char *path,
            G_GNUC_UNUSED const struct stat *state,
            G_GNUC_UNUSED int kind,
            G_GNUC_UNUSED struct FTW *place)
{
  return g_remove (path);
}

void
cache_remove (char *cache)
{
  nftw (cache, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  g_free (cache);
}

char *
cache_path (const char *cache, const char *path)
{
  return g_build_filename (cache, path, NULL);
}

static char *
make_room (const char *cache, const char *path)
{
  char *whole = cache_path (cache, path);
  g_autofree char *folder = g_path_get_dirname (whole);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  return whole;
}

void
cache_write (const char *cache, const char *path, const char *content)
{
  g_autofree char *whole = make_room (cache, path);
  FILE *file = fopen (whole, "we"); /* nothing waits for the disk, as GLib's would */
  g_assert_nonnull (file);
  g_assert_cmpint (fputs (content, file), >=, 0);
  g_assert_cmpint (fclose (file), ==, 0);
}

void
cache_link (const char *cache, const char *path, const char *target)
{
  g_autofree char *whole = make_room (cache, path);
  g_assert_cmpint (symlink (target, whole), ==, 0);
}

void
cache_add (const char *cache,
           const char *folder,
           const char *commit,
           const char *path,
           const char *content)
{
  g_autofree char *etag = g_compute_checksum_for_string (G_CHECKSUM_SHA256, content, -1);
  g_autofree char *blob = g_strconcat (folder, "/blobs/", etag, NULL);
  g_autofree char *link = g_strconcat (folder, "/snapshots/", commit, "/", path, NULL);
  g_autoptr (GString) target = g_string_new ("../../");
  for (const char *p = path; *p != '\0'; p++)
    if (*p == '/')
      g_string_append (target, "../");
  g_string_append_printf (target, "blobs/%s", etag);
  cache_write (cache, blob, content);
  cache_link (cache, link, target->str);
}

void
cache_refer (const char *cache, const char *folder, const char *ref, const char *commit)
{
  g_autofree char *path = g_strconcat (folder, "/refs/", ref, NULL);
  cache_write (cache, path, commit);
}

void
cache_add_model (const char *cache,
                 const char *folder,
                 const char *commit,
                 const char *config,
                 const char *weights)
{
  cache_add (cache, folder, commit, "config.json", config);
  cache_add (cache, folder, commit, "model.safetensors", weights);
  cache_add (cache, folder, commit, "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n");
}
