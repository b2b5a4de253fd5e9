/* SPDX-License-Identifier: MIT */
/* Example texts: one key file in the resources. */
#include "hs-examples.h"

#define EXAMPLES_PATH "/io/github/headscope/Headscope/examples/examples.ini"

static void
example_free (gpointer data)
{
  HsExample *example = data;

  g_free (example->text);
  g_free (example->pair);
  g_free (example);
}

GPtrArray *
hs_examples_load (void)
{
  GPtrArray *examples = g_ptr_array_new_with_free_func (example_free);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (EXAMPLES_PATH, 0, NULL);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) groups = NULL;

  if (bytes == NULL || !g_key_file_load_from_bytes (file, bytes, G_KEY_FILE_NONE, &error)) {
    g_warning ("Example texts: %s", error != NULL ? error->message : "not in the resources");
    return examples;
  }
  groups = g_key_file_get_groups (file, NULL);
  for (size_t i = 0; groups[i] != NULL; i++) {
    HsExample *example = g_new0 (HsExample, 1);

    example->text = g_key_file_get_string (file, groups[i], "text", NULL);
    example->pair = g_key_file_get_string (file, groups[i], "pair", NULL);
    g_ptr_array_add (examples, example);
  }
  return examples;
}

/* A menu item on one line, underscores kept from becoming mnemonics. */
static char *
make_label (const HsExample *example)
{
  g_autoptr (GString) label = g_string_new (example->text);

  if (example->pair != NULL)
    g_string_append_printf (label, "  ⏎  %s", example->pair);
  g_string_replace (label, "_", "__", 0);
  return g_string_free (g_steal_pointer (&label), FALSE);
}

GMenuModel *
hs_examples_make_menu (GPtrArray *examples, const char *action)
{
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < examples->len; i++) {
    g_autofree char *label = make_label (g_ptr_array_index (examples, i));
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

    g_menu_item_set_action_and_target (item, action, "u", i);
    g_menu_append_item (menu, item);
  }
  return G_MENU_MODEL (g_steal_pointer (&menu));
}
