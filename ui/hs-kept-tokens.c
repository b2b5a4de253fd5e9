/* SPDX-License-Identifier: MIT */
/* JSON by its own hash in the user's data folder. */
#include "hs-kept-tokens.h"

#include "hs-work.h"

#include "attn/quote.h"

#include <glib/gstdio.h>

#include <errno.h>
#include <string.h>

static void
append_list (GString *json, AttnLabels *labels, AttnSide side)
{
  for (size_t i = 0; i < attn_labels_get_n (labels, side); i++) {
    const char *label = attn_labels_peek (labels, side, i);

    g_string_append_c (json, i > 0 ? ',' : '[');
    attn_quote_json (json, label, strlen (label));
  }
  g_string_append_c (json, ']');
}

static GString *
new_json (AttnLabels *labels)
{
  GString *json = g_string_new (NULL);

  if (attn_labels_is_one_list (labels)) {
    append_list (json, labels, ATTN_SIDE_QUERY);
  } else {
    g_string_append (json, "{\"queries\":");
    append_list (json, labels, ATTN_SIDE_QUERY);
    g_string_append (json, ",\"keys\":");
    append_list (json, labels, ATTN_SIDE_KEY);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, '\n');
  return json;
}

char *
hs_kept_tokens_save (AttnLabels *labels, GError **error)
{
  GString *json = new_json (labels);
  g_autofree char *text = g_string_free (json, FALSE);
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  g_autofree char *name = g_strdup_printf ("typed-%.12s.json", hash);
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "headscope", "tokens", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  if (g_mkdir_with_parents (folder, 0700) < 0) {
    g_set_error (error, G_FILE_ERROR, (int)g_file_error_from_errno (errno), "%s: %s", folder,
                 g_strerror (errno));
    return NULL;
  }
  if (!g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error))
    return NULL;
  return g_steal_pointer (&path);
}

bool
hs_kept_tokens_is_kept (const char *path)
{
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "headscope", "tokens", NULL);
  g_autofree char *above = g_path_get_dirname (path);

  return g_str_equal (above, folder);
}

static gpointer
save_in_thread (gpointer labels, HsReport *report G_GNUC_UNUSED, GError **error)
{
  return hs_kept_tokens_save (labels, error);
}

static void
unref_labels (gpointer labels)
{
  attn_labels_unref (labels);
}

void
hs_kept_tokens_save_async (AttnLabels *labels, GAsyncReadyCallback callback, gpointer data)
{
  static const HsWorkClass klass = {save_in_thread, unref_labels, g_free, .writes = true};

  hs_work_start (&klass, attn_labels_ref (labels), NULL, NULL, NULL, callback, data);
}

char *
hs_kept_tokens_save_finish (GAsyncResult *result, GError **error)
{
  return hs_work_finish (result, error);
}
