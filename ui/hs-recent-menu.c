/* SPDX-License-Identifier: MIT */
/* Menus of what was looked at before, made from the lists in the settings. */
#include "hs-recent-menu.h"

#include "attn/folder.h"

#include <glib/gi18n.h>

#include <stdbool.h>

#define LABEL_CHARS 56 /* of a menu item */

/* The menus and what they are made from. */
typedef struct {
  const HsRecentMenus *menus;
  GSettings *settings;
  const char *const *missing; /* nullable */
} Filling;

/* On one line, cut at a character, underscores kept from becoming mnemonics. */
static char *
make_label (const char *text, const char *pair)
{
  g_autofree char *both =
      *pair != '\0' ? g_strdup_printf ("%s  ⏎  %s", text, pair) : g_strdup (text);
  g_autoptr (GString) label = g_string_new (NULL);
  glong n = 0;

  for (const char *at = both; *at != '\0' && n < LABEL_CHARS; at = g_utf8_next_char (at), n++) {
    const gunichar character = g_utf8_get_char (at);

    if (character == '_')
      g_string_append_c (label, '_');
    g_string_append_unichar (label, g_unichar_isspace (character) ? ' ' : character);
  }
  if (n == LABEL_CHARS)
    g_string_append (label, "…");
  return g_string_free (g_steal_pointer (&label), FALSE);
}

static GMenuModel *
make_texts (const Filling *filling)
{
  g_autoptr (GVariantIter) texts = NULL;
  GMenu *section = g_menu_new ();
  const char *text, *pair;

  g_settings_get (filling->settings, HS_RECENT_TEXTS, HS_RECENT_LIST_OF_TEXTS, &texts);
  while (g_variant_iter_next (texts, "(&s&s)", &text, &pair)) {
    g_autofree char *label = make_label (text, pair);
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

    g_menu_item_set_action_and_target (item, "win.show-text", "(ss)", text, pair);
    g_menu_append_item (section, item);
  }
  return G_MENU_MODEL (section);
}

static bool
is_missing (const Filling *filling, const char *folder)
{
  return filling->missing != NULL && g_strv_contains (filling->missing, folder);
}

/* Of two models of one name, where each is, too. */
static char *
dup_model_label (char **folders, guint index)
{
  g_autofree char *name = attn_folder_dup_name (folders[index]);
  g_autofree char *above = g_path_get_dirname (folders[index]);
  g_autofree char *both = NULL;
  bool is_twice = false;

  for (guint i = 0; folders[i] != NULL; i++) {
    g_autofree char *other = attn_folder_dup_name (folders[i]);
    is_twice |= i != index && g_str_equal (name, other);
  }
  if (is_twice)
    both = g_strdup_printf ("%s (%s)", name, above);
  return make_label (is_twice ? both : name, "");
}

static void
append_models (const Filling *filling, GMenu *section, const char *action, bool missing)
{
  g_auto (GStrv) folders = g_settings_get_strv (filling->settings, HS_RECENT_MODELS);

  for (guint i = 0; folders[i] != NULL; i++) {
    g_autofree char *label = dup_model_label (folders, i);
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

    if (is_missing (filling, folders[i]) != missing)
      continue;
    g_menu_item_set_action_and_target (item, action, "s", folders[i]);
    g_menu_append_item (section, item);
  }
}

/* The way back from others, to the one that is always there. */
static void
append_built_in (GMenu *section)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (_ ("Built-in model"), NULL);

  if (g_menu_model_get_n_items (G_MENU_MODEL (section)) == 0)
    return;
  g_menu_item_set_action_and_target (item, "win.load-model", "s", "demo");
  g_menu_append_item (section, item);
}

static void
append_attentions (const Filling *filling, GMenu *section, bool missing)
{
  g_autoptr (GVariantIter) list = NULL;
  const char *path, *array, *tokens;

  g_settings_get (filling->settings, HS_RECENT_ATTENTIONS, HS_RECENT_LIST_OF_ATTENTIONS, &list);
  while (g_variant_iter_next (list, "(&s&s&s)", &path, &array, &tokens)) {
    g_autofree char *name = g_path_get_basename (path);
    g_autofree char *label = make_label (name, "");
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

    if (is_missing (filling, path) != missing)
      continue;
    if (missing)
      g_menu_item_set_action_and_target (item, "app.forget-model", "s", path);
    else
      g_menu_item_set_action_and_target (item, "win.load-attention", "(sss)", path, array, tokens);
    g_menu_append_item (section, item);
  }
}

static void
append_section (const Filling *filling, const char *title, GMenuModel *section)
{
  if (g_menu_model_get_n_items (section) > 0)
    g_menu_append_section (filling->menus->all, title, section);
}

void
hs_recent_menus_fill (const HsRecentMenus *menus,
                      GSettings *settings,
                      const char *const *missing_paths)
{
  const Filling filling = {menus, settings, missing_paths};
  g_autoptr (GMenuModel) texts = make_texts (&filling);
  g_autoptr (GMenu) models = g_menu_new ();
  g_autoptr (GMenu) attentions = g_menu_new ();
  g_autoptr (GMenu) missing = g_menu_new ();
  g_autoptr (GMenu) last = g_menu_new ();

  append_models (&filling, models, "win.load-model", false);
  append_built_in (models);
  append_models (&filling, missing, "app.forget-model", true);
  append_attentions (&filling, attentions, false);
  append_attentions (&filling, missing, true);
  g_menu_remove_all (menus->models_b);
  append_models (&filling, menus->models_b, "win.model-b", false);
  g_menu_remove_all (menus->all);
  append_section (&filling, _ ("Texts"), texts);
  append_section (&filling, _ ("Models"), G_MENU_MODEL (models));
  append_section (&filling, _ ("Attention files"), G_MENU_MODEL (attentions));
  append_section (&filling, _ ("Not found: choose to take off the list"), G_MENU_MODEL (missing));
  /* without an action it is only a line to read */
  if (g_menu_model_get_n_items (G_MENU_MODEL (menus->all)) == 0)
    g_menu_append (last, _ ("Nothing yet"), "win.none");
  else
    g_menu_append (last, _ ("Clear list"), "app.clear-recent");
  g_menu_append_section (menus->all, NULL, G_MENU_MODEL (last));
}

/* Sections are never changed, only replaced. */
GMenuModel *
hs_recent_menu_freeze (GMenuModel *menu)
{
  GMenu *frozen = g_menu_new ();

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autoptr (GMenuItem) item = g_menu_item_new_from_model (menu, i);
    g_menu_append_item (frozen, item);
  }
  return G_MENU_MODEL (frozen);
}
