/* SPDX-License-Identifier: MIT */
/* A strip that verifies a downloaded model: how far it is, a button that stops it, the verdict. */
#pragma once

#include "hs-models.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_VERIFY_STRIP (hs_verify_strip_get_type ())
G_DECLARE_FINAL_TYPE (HsVerifyStrip, hs_verify_strip, HS, VERIFY_STRIP, GtkWidget)

/* Takes the place of what is under way. @item: in the cache. Test: tests/ui/test-models.c */
void hs_verify_strip_start (HsVerifyStrip *self, HsModels *models, HsModelItem *item);

/* Likewise, with something else to tell. */
void hs_verify_strip_say (HsVerifyStrip *self, const char *text);

G_END_DECLS
