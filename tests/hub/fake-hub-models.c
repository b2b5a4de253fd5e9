/* SPDX-License-Identifier: MIT */
/* What the fake hub has: files with their hashes, in revisions with their commits. */
#include "fake-hub-private.h"

#include <string.h>

static void
file_free (void *data)
{
  HubFile *file = data;
  g_free (file->path);
  g_bytes_unref (file->bytes);
  g_free (file->sha1);
  g_free (file->sha256);
  g_free (file);
}

void
fake_hub_model_free (void *data)
{
  HubModel *model = data;
  g_free (model->repo);
  g_free (model->revision);
  g_free (model->commit);
  g_ptr_array_unref (model->files);
  g_free (model);
}

static bool
is_large_file (const char *path)
{
  static const char *const endings[] = {".safetensors", ".bin", ".model", ".h5"};
  for (size_t i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (path, endings[i]))
      return true;
  return false;
}

static char *
hash_as_git (GBytes *bytes)
{
  gsize n = 0;
  const guint8 *data = g_bytes_get_data (bytes, &n);
  g_autofree char *head = g_strdup_printf ("blob %zu", (size_t)n);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA1);
  g_checksum_update (sum, (const guint8 *)head, (gssize)strlen (head) + 1);
  g_checksum_update (sum, data, (gssize)n);
  return g_strdup (g_checksum_get_string (sum));
}

static HubFile *
file_new (const char *path, GBytes *bytes)
{
  HubFile *file = g_new0 (HubFile, 1);
  file->path = g_strdup (path);
  file->bytes = g_bytes_ref (bytes);
  if (is_large_file (path))
    file->sha256 = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes);
  else
    file->sha1 = hash_as_git (bytes);
  return file;
}

/* The newest state of a revision, which may be its commit. */
HubModel *
fake_hub_find_model (FakeHub *hub, const char *repo, const char *revision)
{
  for (guint i = hub->models->len; i-- > 0;) {
    HubModel *model = g_ptr_array_index (hub->models, i);
    if (strcmp (model->repo, repo) == 0 &&
        (revision == NULL || strcmp (model->revision, revision) == 0 ||
         strcmp (model->commit, revision) == 0))
      return model;
  }
  return NULL;
}

HubFile *
fake_hub_find_file (HubModel *model, const char *path)
{
  for (guint i = 0; i < model->files->len; i++) {
    HubFile *file = g_ptr_array_index (model->files, i);
    if (strcmp (file->path, path) == 0)
      return file;
  }
  return NULL;
}

static void
compute_commit (HubModel *model)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA1);
  g_checksum_update (sum, (const guint8 *)model->repo, -1);
  for (guint i = 0; i < model->files->len; i++) {
    const HubFile *file = g_ptr_array_index (model->files, i);
    g_checksum_update (sum, (const guint8 *)file->path, -1);
    g_checksum_update (sum, (const guint8 *)(file->sha256 != NULL ? file->sha256 : file->sha1), -1);
  }
  g_free (model->commit);
  model->commit = g_strdup (g_checksum_get_string (sum));
}

/* A copy of the revision as it is, to be changed: what was there stays under its commit. */
static HubModel *
begin_change (FakeHub *hub, const char *repo, const char *revision)
{
  HubModel *model = g_new0 (HubModel, 1);
  model->repo = g_strdup (repo);
  model->revision = g_strdup (revision);
  model->files = g_ptr_array_new_with_free_func (file_free);
  HubModel *old = fake_hub_find_model (hub, repo, revision);
  for (guint i = 0; old != NULL && i < old->files->len; i++) {
    const HubFile *from = g_ptr_array_index (old->files, i);
    HubFile *file = g_new0 (HubFile, 1);
    *file = (HubFile){g_strdup (from->path), g_bytes_ref (from->bytes), g_strdup (from->sha1),
                      g_strdup (from->sha256)};
    g_ptr_array_add (model->files, file);
  }
  return model;
}

static void
put_file (HubModel *model, HubFile *file)
{
  HubFile *old = fake_hub_find_file (model, file->path);
  if (old != NULL)
    g_ptr_array_remove (model->files, old);
  g_ptr_array_add (model->files, file);
}

static void
end_change (FakeHub *hub, HubModel *model)
{
  compute_commit (model);
  g_ptr_array_add (hub->models, model);
}

static void
add_folder (HubModel *model, const char *folder, const char *inside)
{
  g_autofree char *path = g_build_filename (folder, inside, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (path, 0, &error);
  if (dir == NULL)
    g_error ("fake hub: %s", error->message);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;) {
    g_autofree char *relative =
        *inside == '\0' ? g_strdup (name) : g_strconcat (inside, "/", name, NULL);
    g_autofree char *file = g_build_filename (folder, relative, NULL);
    if (g_file_test (file, G_FILE_TEST_IS_DIR)) {
      add_folder (model, folder, relative);
      continue;
    }
    g_autoptr (GMappedFile) mapped = g_mapped_file_new (file, FALSE, &error);
    if (mapped == NULL)
      g_error ("fake hub: %s", error->message);
    g_autoptr (GBytes) bytes = g_mapped_file_get_bytes (mapped);
    put_file (model, file_new (relative, bytes));
  }
}

void
fake_hub_add_folder (FakeHub *hub, const char *repo, const char *revision, const char *folder)
{
  g_mutex_lock (&hub->lock);
  HubModel *model = begin_change (hub, repo, revision);
  add_folder (model, folder, "");
  end_change (hub, model);
  g_mutex_unlock (&hub->lock);
}

void
fake_hub_add_bytes (FakeHub *hub,
                    const char *repo,
                    const char *revision,
                    const char *path,
                    const void *bytes,
                    size_t n_bytes)
{
  g_autoptr (GBytes) copy = g_bytes_new (bytes, n_bytes);
  g_mutex_lock (&hub->lock);
  HubModel *model = begin_change (hub, repo, revision);
  put_file (model, file_new (path, copy));
  end_change (hub, model);
  g_mutex_unlock (&hub->lock);
}

void
fake_hub_rename (FakeHub *hub, const char *old, const char *repo)
{
  g_mutex_lock (&hub->lock);
  g_ptr_array_add (hub->renames, g_strdup (old));
  g_ptr_array_add (hub->renames, g_strdup (repo));
  g_mutex_unlock (&hub->lock);
}

char *
fake_hub_dup_commit (FakeHub *hub, const char *repo, const char *revision)
{
  g_mutex_lock (&hub->lock);
  HubModel *model = fake_hub_find_model (hub, repo, revision);
  char *commit = g_strdup (model != NULL ? model->commit : NULL);
  g_mutex_unlock (&hub->lock);
  return commit;
}

char *
fake_hub_dup_blob (FakeHub *hub, const char *repo, const char *revision, const char *path)
{
  g_mutex_lock (&hub->lock);
  HubModel *model = fake_hub_find_model (hub, repo, revision);
  HubFile *file = model == NULL ? NULL : fake_hub_find_file (model, path);
  char *blob = file == NULL ? NULL : g_strdup (file->sha256 != NULL ? file->sha256 : file->sha1);
  g_mutex_unlock (&hub->lock);
  return blob;
}
