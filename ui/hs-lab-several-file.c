/* SPDX-License-Identifier: MIT */
/* The heads are compared anew on the thread that writes, by the calls the command line makes. */
#include "hs-lab-several-file.h"

#include "hs-lab-picture.h"

#include "attn/lab-text.h"

#include <string.h>

struct _HsLabSeveralFile {
  HsLabPicture *picture;
  AttnTrace *trace;
  size_t layer;
  AttnDrawSeveral asked; /* without heads */
  char *stem;
};

void
hs_lab_several_file_free (gpointer data)
{
  HsLabSeveralFile *file = data;

  hs_lab_picture_free (file->picture);
  attn_trace_unref (file->trace);
  g_free (file->stem);
  g_free (file);
}

HsLabSeveralFile *
hs_lab_several_file_new (HsSession *session, AttnTrace *trace, const AttnDrawSeveral *asked)
{
  HsLabPicture *picture = hs_lab_picture_new (session);
  if (picture == NULL)
    return NULL;
  HsLabSeveralFile *file = g_new0 (HsLabSeveralFile, 1);
  file->picture = picture;
  file->trace = attn_trace_ref (trace);
  file->layer = asked->heads->layer;
  file->asked = (AttnDrawSeveral){
      .pair = {asked->pair[0], asked->pair[1]},
      .head = asked->head,
      .query = asked->query,
  };
  file->stem = g_strdup_printf ("heads-of-layer-%zu", file->layer + 1);
  return file;
}

const char *
hs_lab_several_file_peek_stem (HsLabSeveralFile *file)
{
  return file->stem;
}

char *
hs_lab_several_file_dup_command (HsLabSeveralFile *file,
                                 const AttnLayerHeads *heads,
                                 const char *path)
{
  const AttnDrawPicture picture = hs_lab_picture_get (file->picture, ATTN_DRAW_PNG);
  AttnDrawSeveral several = file->asked;

  several.heads = heads;
  return attn_draw_several_dup_command (&several, &picture, path);
}

GBytes *
hs_lab_several_file_make (gpointer data, const char *name, GError **error)
{
  HsLabSeveralFile *file = data;
  AttnDrawFormat format;
  g_autoptr (AttnPool) pool = attn_pool_new (0);
  g_autoptr (AttnLayerHeads) heads = attn_layer_heads_new (file->trace, file->layer, pool, error);

  if (heads == NULL)
    return NULL;
  if (!attn_draw_format_find (name, &format)) {
    char *text = g_str_equal (name, "csv") ? attn_layer_heads_dup_csv (heads)
                                           : attn_layer_heads_dup_json (heads);
    return g_bytes_new_take (text, strlen (text));
  }
  AttnDrawPicture picture = hs_lab_picture_get (file->picture, format);
  AttnDrawSeveral several = file->asked;
  several.heads = heads;
  /* where its files are gone the picture says that it is not known */
  picture.weights_sha256 =
      attn_model_compute_sha256 (attn_trace_peek_model (file->trace), NULL, NULL, NULL);
  return attn_draw_several_write (&several, &picture, error);
}
