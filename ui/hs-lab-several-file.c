/* SPDX-License-Identifier: MIT */
/* The heads are compared anew on the thread that writes, by the calls the command line makes. */
#include "hs-lab-several-file.h"

#include "hs-export.h"

#include "attn/lab-text.h"

#include <string.h>

#define WIDTH_PX 1320 /* distances, and two heads beside each other */
#define PNG_SCALE 2.0

struct _HsLabSeveralFile {
  HsExport *export; /* knows model and text */
  AttnDrawView *view;
  AttnTrace *trace;
  size_t layer;
  AttnDrawSeveral asked; /* without heads */
  char *stem;
};

void
hs_lab_several_file_free (gpointer data)
{
  HsLabSeveralFile *file = data;

  hs_export_unref (file->export);
  attn_draw_view_free (file->view);
  attn_trace_unref (file->trace);
  g_free (file->stem);
  g_free (file);
}

HsLabSeveralFile *
hs_lab_several_file_new (HsSession *session, AttnTrace *trace, const AttnDrawSeveral *asked)
{
  HsExportOptions options;
  hs_export_options_init (&options, NULL);
  HsExport *export = hs_export_new (session, &options);
  if (export == NULL)
    return NULL;
  HsLabSeveralFile *file = g_new0 (HsLabSeveralFile, 1);
  file->export = export;
  file->view = attn_draw_view_copy (hs_export_peek_picture (export)->view);
  file->view->width_px = WIDTH_PX;
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

static AttnDrawPicture
make_picture (const HsLabSeveralFile *file, AttnDrawFormat format)
{
  AttnDrawPicture picture = *hs_export_peek_picture (file->export);

  picture.view = file->view;
  picture.format = format;
  picture.scale = format == ATTN_DRAW_PNG ? PNG_SCALE : 1;
  return picture;
}

char *
hs_lab_several_file_dup_command (HsLabSeveralFile *file,
                                 const AttnLayerHeads *heads,
                                 const char *path)
{
  const AttnDrawPicture picture = make_picture (file, ATTN_DRAW_PNG);
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
  AttnDrawPicture picture = make_picture (file, format);
  AttnDrawSeveral several = file->asked;
  several.heads = heads;
  /* where its files are gone the picture says that it is not known */
  picture.weights_sha256 =
      attn_model_compute_sha256 (attn_trace_peek_model (file->trace), NULL, NULL, NULL);
  return attn_draw_several_write (&several, &picture, error);
}
