/* SPDX-License-Identifier: MIT */
/* One job: making the bytes, then writing them. */
#include "hs-save.h"

#include "hs-work.h"

#include "attn/output.h"

typedef struct {
  const HsSaveClass *klass;
  gpointer source;
  char *path;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *saving = data;

  saving->klass->free_source (saving->source);
  g_free (saving->path);
  g_free (saving);
}

static gpointer
save_in_thread (gpointer data, HsReport *report G_GNUC_UNUSED, GError **error)
{
  const Saving *saving = data;
  g_autoptr (GBytes) bytes = saving->klass->make (saving->source, error);
  g_autoptr (AttnOutput) output = bytes != NULL ? attn_output_open (saving->path, error) : NULL;
  gsize size = 0;

  if (output == NULL)
    return NULL;
  const void *data_of_file = g_bytes_get_data (bytes, &size);
  if (!attn_output_write (output, data_of_file, size, error) || !attn_output_commit (output, error))
    return NULL;
  return g_strdup (saving->path);
}

void
hs_save_async (const HsSaveClass *klass,
               gpointer source,
               const char *path,
               GAsyncReadyCallback callback,
               gpointer user_data)
{
  static const HsWorkClass work = {save_in_thread, saving_free, g_free, .writes = true};
  Saving *saving = g_new (Saving, 1);

  *saving = (Saving){klass, source, g_strdup (path)};
  hs_work_start (&work, saving, NULL, NULL, NULL, callback, user_data);
}

static GBytes *
take_bytes (gpointer bytes, GError **error G_GNUC_UNUSED)
{
  return g_bytes_ref (bytes);
}

static void
unref_bytes (gpointer bytes)
{
  g_bytes_unref (bytes);
}

void
hs_save_bytes_async (GBytes *bytes,
                     const char *path,
                     GAsyncReadyCallback callback,
                     gpointer user_data)
{
  static const HsSaveClass klass = {take_bytes, unref_bytes};

  hs_save_async (&klass, g_bytes_ref (bytes), path, callback, user_data);
}

char *
hs_save_finish (GAsyncResult *result, GError **error)
{
  return hs_work_finish (result, error);
}
