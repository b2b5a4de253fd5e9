/* SPDX-License-Identifier: MIT */
/* Downloaded models as a section of a menu. */
#pragma once

#include "hs-models.h"

G_BEGIN_DECLS

/**
 * hs_models_dup_menu:
 * @action: takes a model's folder, a string
 * @others: (nullable): a menu of such items, whose models are left out
 *
 * Returns: (transfer full): the models of the cache that can be opened, as they were last read;
 * more than a menu has room for are left to the Models dialog. Test: tests/ui/test-models.c
 */
GMenuModel *hs_models_dup_menu (HsModels *models, const char *action, GMenuModel *others);

G_END_DECLS
