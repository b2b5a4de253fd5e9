/* SPDX-License-Identifier: MIT */
/* An export's picture with the width of the lab's figures. */
#include "hs-lab-picture.h"

#include "hs-export.h"

#define WIDTH_PX 1320 /* all steps stand in one row, and two heads beside their distances */
#define PNG_SCALE 2.0

struct _HsLabPicture {
  HsExport *export; /* knows model and text */
  AttnDrawView *view;
};

HsLabPicture *
hs_lab_picture_new (HsSession *session)
{
  HsExportOptions options;
  hs_export_options_init (&options, NULL);
  HsExport *export = hs_export_new (session, &options);
  if (export == NULL)
    return NULL;
  HsLabPicture *self = g_new (HsLabPicture, 1);
  self->export = export;
  self->view = attn_draw_view_copy (hs_export_peek_picture (export)->view);
  self->view->width_px = WIDTH_PX;
  return self;
}

void
hs_lab_picture_free (HsLabPicture *self)
{
  hs_export_unref (self->export);
  attn_draw_view_free (self->view);
  g_free (self);
}

AttnDrawPicture
hs_lab_picture_get (const HsLabPicture *self, AttnDrawFormat format)
{
  AttnDrawPicture picture = *hs_export_peek_picture (self->export);

  picture.view = self->view;
  picture.format = format;
  picture.scale = format == ATTN_DRAW_PNG ? PNG_SCALE : 1;
  return picture;
}
