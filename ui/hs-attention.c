/* SPDX-License-Identifier: MIT */
/* A file's maps, reference-counted. */
#include "hs-attention.h"

G_DEFINE_BOXED_TYPE (HsAttention, hs_attention, hs_attention_ref, hs_attention_unref)

HsAttention *
hs_attention_new (AttnMaps *maps, const char *path, const char *tokens)
{
  HsAttention *attention = g_atomic_rc_box_new0 (HsAttention);

  attention->maps = attn_maps_ref (maps);
  attention->path = g_strdup (path);
  attention->tokens = g_strdup (tokens);
  attention->name = g_filename_display_basename (path);
  attention->warnings = g_new0 (char *, 1);
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
  g_free (attention->path);
  g_free (attention->tokens);
  g_free (attention->name);
  g_strfreev (attention->warnings);
}

void
hs_attention_unref (HsAttention *attention)
{
  g_atomic_rc_box_release_full (attention, clear);
}
