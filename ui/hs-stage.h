/* SPDX-License-Identifier: MIT */
/* The picture and, where it leaves room at its side, the strip of heads. */
#pragma once

#include "hs-head-strip.h"
#include "hs-picture.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_STAGE (hs_stage_get_type ())
G_DECLARE_FINAL_TYPE (HsStage, hs_stage, HS, STAGE, GtkWidget)

/* Property "main" (GtkWidget): what holds the picture, scrolled. */
GtkWidget *hs_stage_new (void);

/* @picture: (nullable): in "main", whose width counts; a strip of its session's heads is made
 * beside it. NULL takes the strip away. */
void hs_stage_set_picture (HsStage *stage, HsPicture *picture);

/* Returns: (nullable) (transfer none): the strip, which may have no room at the moment. */
HsHeadStrip *hs_stage_peek_strip (HsStage *stage);

G_END_DECLS
