/* SPDX-License-Identifier: MIT */
/* The heads that are on screen, written by the calls the command line makes. */
#include "hs-lab-several-file.h"

#include "hs-lab-picture.h"

#include "attn/lab-text.h"

#include <string.h>

struct _HsLabSeveralFile {
  HsLabPicture *picture;
  AttnLayerHeads *heads; /* referenced */
  AttnDrawSeveral asked; /* of them */
  char *stem;
};

void
hs_lab_several_file_free (gpointer data)
{
  HsLabSeveralFile *file = data;

  hs_lab_picture_free (file->picture);
  attn_layer_heads_unref (file->heads);
  g_free (file->stem);
  g_free (file);
}

HsLabSeveralFile *
hs_lab_several_file_new (HsSession *session, AttnLayerHeads *heads, const AttnDrawSeveral *asked)
{
  HsLabPicture *picture = hs_lab_picture_new (session);
  if (picture == NULL)
    return NULL;
  HsLabSeveralFile *file = g_new0 (HsLabSeveralFile, 1);
  file->picture = picture;
  file->heads = attn_layer_heads_ref (heads);
  file->asked = (AttnDrawSeveral){
      .heads = heads,
      .pair = {asked->pair[0], asked->pair[1]},
      .head = asked->head,
      .query = asked->query,
  };
  file->stem = g_strdup_printf ("heads-of-layer-%zu", heads->layer + 1);
  return file;
}

const char *
hs_lab_several_file_peek_stem (HsLabSeveralFile *file)
{
  return file->stem;
}

char *
hs_lab_several_file_dup_command (HsLabSeveralFile *file, const char *path)
{
  const AttnDrawPicture picture = hs_lab_picture_get (file->picture, ATTN_DRAW_PNG);

  return attn_draw_several_dup_command (&file->asked, &picture, path);
}

GBytes *
hs_lab_several_file_make (gpointer data, const char *name, GError **error)
{
  HsLabSeveralFile *file = data;
  AttnDrawFormat format;

  if (!attn_draw_format_find (name, &format)) {
    char *text = g_str_equal (name, "csv") ? attn_layer_heads_dup_csv (file->heads)
                                           : attn_layer_heads_dup_json (file->heads);
    return g_bytes_new_take (text, strlen (text));
  }
  AttnDrawPicture picture = hs_lab_picture_get (file->picture, format);
  /* where its files are gone the picture says that it is not known */
  picture.weights_sha256 = attn_model_compute_sha256 (
      attn_trace_peek_model (attn_maps_peek_trace (file->heads->maps)), NULL, NULL, NULL);
  return attn_draw_several_write (&file->asked, &picture, error);
}
