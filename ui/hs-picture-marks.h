/* SPDX-License-Identifier: MIT */
/* What is emphasised on a picture, and which of its panels are pointed at and chosen. */
#pragma once

#include "hs-picture-paint.h"
#include "hs-picture.h"

G_BEGIN_DECLS

/* Returns: index of the shown panel of this head, or G_MAXSIZE. The layer counts only where panels
 * are of several. */
size_t hs_picture_find_panel (HsPicture *picture, guint layer, guint head);

/* Returns: index of the panel of the chosen layer and head, or G_MAXSIZE. Combined heads are one,
 * and combined layers, too. */
size_t hs_picture_find_selected (HsPicture *picture);

/* @layout: what is drawn of @picture */
HsPictureMarks hs_picture_find_marks (HsPicture *picture, const AttnDrawLayout *layout);

G_END_DECLS
