/* SPDX-License-Identifier: MIT */
/* What is emphasised on a picture, and which of its panels are pointed at and chosen. */
#pragma once

#include "hs-picture-paint.h"
#include "hs-session.h"

G_BEGIN_DECLS

/* Returns: index of the panel of the chosen layer and head, or G_MAXSIZE. Combined heads are one,
 * and combined layers, too. */
size_t hs_picture_find_selected (HsSession *session);

/* @layout: what is drawn of @session */
HsPictureMarks hs_picture_find_marks (HsSession *session, const AttnDrawLayout *layout);

G_END_DECLS
