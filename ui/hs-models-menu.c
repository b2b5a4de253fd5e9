/* SPDX-License-Identifier: MIT */
/* From the list of models to items of a menu. */
#include "hs-models-menu.h"

#include <stdbool.h>

#define MAX_ITEMS 20

static bool
is_among (GMenuModel *others, const char *target)
{
  const int n = others != NULL ? g_menu_model_get_n_items (others) : 0;

  for (int i = 0; i < n; i++) {
    g_autofree char *other = NULL;

    if (g_menu_model_get_item_attribute (others, i, G_MENU_ATTRIBUTE_TARGET, "s", &other) &&
        g_str_equal (other, target))
      return true;
  }
  return false;
}

/* A target is a variant, which only holds UTF-8. */
static bool
fits (HsModelItem *item, GMenuModel *others)
{
  const char *target = hs_model_item_peek_target (item);

  return hs_model_item_get_place (item) == HS_MODEL_CACHED && hs_model_item_is_usable (item) &&
         g_utf8_validate (target, -1, NULL) && !is_among (others, target);
}

/* An underscore would be taken for a mnemonic's mark. */
static char *
dup_label (HsModelItem *item)
{
  g_autofree char *name = hs_model_item_dup_hub_name (item);
  g_auto (GStrv) parts = g_strsplit (name, "_", -1);

  return g_strjoinv ("__", parts);
}

GMenuModel *
hs_models_dup_menu (HsModels *models, const char *action, GMenuModel *others)
{
  GListModel *list = hs_models_peek_list (models);
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < g_list_model_get_n_items (list); i++) {
    g_autoptr (HsModelItem) item = g_list_model_get_item (list, i);
    g_autoptr (GMenuItem) line = NULL;
    g_autofree char *label = NULL;

    if (!fits (item, others) || g_menu_model_get_n_items (G_MENU_MODEL (menu)) >= MAX_ITEMS)
      continue;
    label = dup_label (item);
    line = g_menu_item_new (label, NULL);
    g_menu_item_set_action_and_target (line, action, "s", hs_model_item_peek_target (item));
    g_menu_append_item (menu, line);
  }
  return G_MENU_MODEL (menu);
}
