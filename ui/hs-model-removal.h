/* SPDX-License-Identifier: MIT */
/* Removing a downloaded model: asks first, and tells what is freed. */
#pragma once

#include "hs-models.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * hs_model_removal_ask:
 * @parent:    of the questions; where it is closed before the answer nothing is removed
 * @item:      in the cache
 * @is_in_use: whether a window has it open, which is then said
 *
 * Test: tests/ui/test-models.c
 */
void hs_model_removal_ask (GtkWindow *parent, HsModels *models, HsModelItem *item, bool is_in_use);

G_END_DECLS
