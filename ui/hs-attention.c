/* SPDX-License-Identifier: MIT */
/* A file's maps, reference-counted, and which files are of such. */
#include "hs-attention.h"

#include "attn/folder.h"

#define LINE_BYTES 65536 /* far more than a title shows */

G_DEFINE_BOXED_TYPE (HsAttention, hs_attention, hs_attention_ref, hs_attention_unref)

void
hs_attention_place_clear (HsAttentionPlace *place)
{
  g_clear_pointer (&place->path, g_free);
  g_clear_pointer (&place->array, g_free);
  g_clear_pointer (&place->tokens, g_free);
}

void
hs_attention_place_set (HsAttentionPlace *place, const HsAttentionPlace *from)
{
  HsAttentionPlace copy = {0}; /* they may be the same */

  if (from != NULL)
    copy =
        (HsAttentionPlace){g_strdup (from->path), g_strdup (from->array), g_strdup (from->tokens)};
  hs_attention_place_clear (place);
  *place = copy;
}

/* The tokens in a line, as the picture's files have it. */
static void
set_lines (HsAttention *attention)
{
  AttnLabels *labels = attn_maps_peek_labels (attention->maps);

  if (labels == NULL || attn_labels_is_numbers (labels))
    return;
  attention->text = attn_labels_dup_line (labels, ATTN_SIDE_QUERY, LINE_BYTES);
  if (!attn_labels_is_one_list (labels))
    attention->pair = attn_labels_dup_line (labels, ATTN_SIDE_KEY, LINE_BYTES);
}

HsAttention *
hs_attention_new (AttnMaps *maps, const HsAttentionPlace *place)
{
  HsAttention *attention = g_atomic_rc_box_new0 (HsAttention);
  AttnArrays *arrays = attn_maps_peek_arrays (maps);

  attention->maps = attn_maps_ref (maps);
  attention->arrays = arrays != NULL ? attn_arrays_ref (arrays) : NULL;
  hs_attention_place_set (&attention->place, place);
  attention->name = g_filename_display_basename (place->path);
  attention->warnings = g_new0 (char *, 1);
  set_lines (attention);
  return attention;
}

HsAttention *
hs_attention_ref (HsAttention *attention)
{
  return g_atomic_rc_box_acquire (attention);
}

static void
clear (gpointer data)
{
  HsAttention *attention = data;

  attn_maps_unref (attention->maps);
  g_clear_pointer (&attention->arrays, attn_arrays_unref);
  hs_attention_place_clear (&attention->place);
  g_free (attention->name);
  g_free (attention->text);
  g_free (attention->pair);
  g_free (attention->token_list);
  g_free (attention->key_list);
  g_strfreev (attention->warnings);
  g_free (attention->note);
}

void
hs_attention_unref (HsAttention *attention)
{
  g_atomic_rc_box_release_full (attention, clear);
}

bool
hs_attention_is_numbered (const HsAttention *attention)
{
  return attention->place.tokens == NULL &&
         (attention->arrays == NULL || attn_arrays_peek_labels (attention->arrays) == NULL);
}

/* Weights of a model stand beside its config. */
static bool
is_of_model (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *config = g_build_filename (folder, "config.json", NULL);

  return attn_folder_is_weight_file (path) && g_file_test (config, G_FILE_TEST_IS_REGULAR);
}

bool
hs_attention_takes (const char *path)
{
  /* PyTorch's own files are refused with the reason, where no model's config makes them weights */
  static const char *const endings[] = {".npy", ".npz", ".safetensors", ".pt", ".pth"};

  for (size_t i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (path, endings[i]))
      return !is_of_model (path);
  return false;
}
