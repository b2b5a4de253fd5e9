/* SPDX-License-Identifier: MIT */
/* What a model of the list is in use for: open in a window, or being downloaded. */
#pragma once

#include "hs-downloads.h"
#include "hs-model-item.h"
#include "hs-window.h"

G_BEGIN_DECLS

/* Whether @item is what @side has loaded. */
bool hs_model_use_is_of_side (HsModelItem *item, HsSide *side);

/* Whether it is open in @window, or in another one of its application. */
bool hs_model_use_is_open (HsModelItem *item, HsWindow *window);

/* Returns: (transfer full) (nullable): "✓ open here" of @window, "downloading, 42 %"; NULL for
 * neither. Test: tests/ui/test-models.c, tests/ui/test-downloads.c */
char *hs_model_use_dup (HsModelItem *item, HsWindow *window, HsDownloads *downloads);

G_END_DECLS
