/* SPDX-License-Identifier: MIT */
/* The window of shortcuts and the keys that work tell the same; undo goes to the text. */
#include "hs-application.h"
#include "hs-keys.h"
#include "hs-lab-pipeline.h"
#include "hs-text-panel.h"
#include "hs-window.h"
#include "hs-work.h"
#include "ui-test.h"

#include <string.h>

#define UI "/io/github/headscope/Headscope/ui/"

/* Sets of "modifiers keyval" in words, as gtk_accelerator_name() writes them. */
static void
add_key (GHashTable *set, const char *accelerator)
{
  guint key;
  GdkModifierType modifiers;

  if (!gtk_accelerator_parse (accelerator, &key, &modifiers))
    g_test_fail_printf ("\"%s\" is no key", accelerator);
  g_hash_table_add (set, gtk_accelerator_name (key, modifiers));
}

/* "<Control>1...<Control>6" stands for all that are between. */
static void
add_range (GHashTable *set, const char *accelerator)
{
  const char *dots = strstr (accelerator, "...");
  const char first = dots[-1], last = accelerator[strlen (accelerator) - 1];

  g_assert_true (g_ascii_isdigit (first) && g_ascii_isdigit (last) && first < last);
  for (char digit = first; digit <= last; digit++) {
    g_autofree char *one = g_strndup (accelerator, (gsize)(dots - accelerator));
    one[strlen (one) - 1] = digit;
    add_key (set, one);
  }
}

typedef struct {
  GHashTable *set;
  bool in_accelerator;
} Reader;

static void
start_cb (GMarkupParseContext *context,
          const char *element,
          const char **names,
          const char **values,
          gpointer data,
          GError **error)
{
  Reader *reader = data;

  (void)context;
  (void)error;
  reader->in_accelerator = g_str_equal (element, "property") && names[0] != NULL &&
                           g_str_equal (values[0], "accelerator");
}

static void
text_cb (
    GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  Reader *reader = data;
  g_autofree char *all = g_strndup (text, length);
  g_auto (GStrv) words = g_strsplit (all, " ", -1);

  (void)context;
  (void)error;
  for (guint i = 0; reader->in_accelerator && words[i] != NULL; i++) {
    if (strstr (words[i], "...") != NULL)
      add_range (reader->set, words[i]);
    else
      add_key (reader->set, words[i]);
  }
  reader->in_accelerator = false;
}

static GHashTable *
new_set (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/* Returns: (transfer full): what the window of shortcuts shows. */
static GHashTable *
list_shown (void)
{
  static const GMarkupParser parser = {.start_element = start_cb, .text = text_cb};
  Reader reader = {new_set (), false};
  g_autoptr (GBytes) ui = g_resources_lookup_data (UI "hs-shortcuts.ui", 0, NULL);
  g_autoptr (GMarkupParseContext) context =
      g_markup_parse_context_new (&parser, G_MARKUP_DEFAULT_FLAGS, &reader, NULL);
  g_autoptr (GError) error = NULL;
  gsize size;
  const char *text = g_bytes_get_data (ui, &size);

  g_markup_parse_context_parse (context, text, (gssize)size, &error);
  g_assert_no_error (error);
  return reader.set;
}

/* Of widgets that hold one: the class's own keys. */
static void
add_bindings (GHashTable *set, GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);
    if (!GTK_IS_SHORTCUT_CONTROLLER (controller))
      continue;
    for (guint k = 0; k < g_list_model_get_n_items (G_LIST_MODEL (controller)); k++) {
      g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), k);
      GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);
      if (GTK_IS_KEYVAL_TRIGGER (trigger))
        g_hash_table_add (
            set,
            gtk_accelerator_name (gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)),
                                  gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger))));
    }
  }
}

/* Of all widgets below: Alt and the underlined letter. */
static void
add_mnemonics (GHashTable *set, GtkWidget *widget)
{
  guint key = GDK_KEY_VoidSymbol;

  if (GTK_IS_LABEL (widget))
    key = gtk_label_get_mnemonic_keyval (GTK_LABEL (widget));
  if (key != GDK_KEY_VoidSymbol)
    g_hash_table_add (set, gtk_accelerator_name (key, GDK_ALT_MASK));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    add_mnemonics (set, child);
}

static void
require (GHashTable *set, const char *key, const char *what)
{
  if (!g_hash_table_contains (set, key))
    g_test_fail_printf ("%s %s", key, what);
}

/* Every action's first key is shown; further ones are for other keyboards. */
static void
test_all_shown (void)
{
  g_autoptr (GtkApplication) application =
      gtk_application_new ("io.github.headscope.Test", G_APPLICATION_NON_UNIQUE);
  g_autoptr (GHashTable) shown = list_shown ();
  g_auto (GStrv) actions = NULL;

  hs_keys_set (application);
  actions = gtk_application_list_action_descriptions (application);
  g_assert_cmpuint (g_strv_length (actions), >, 20);
  for (guint i = 0; actions[i] != NULL; i++) {
    g_auto (GStrv) keys = gtk_application_get_accels_for_action (application, actions[i]);
    g_assert_nonnull (keys[0]);
    require (shown, keys[0], "works and is not shown");
  }
}

static GHashTable *
list_working (GtkWidget *window)
{
  GHashTable *working = new_set ();
  g_autoptr (GtkApplication) application =
      gtk_application_new ("io.github.headscope.Test", G_APPLICATION_NON_UNIQUE);
  g_auto (GStrv) actions = NULL;

  hs_keys_set (application);
  actions = gtk_application_list_action_descriptions (application);
  for (guint i = 0; actions[i] != NULL; i++) {
    g_auto (GStrv) keys = gtk_application_get_accels_for_action (application, actions[i]);
    for (guint k = 0; keys[k] != NULL; k++)
      g_hash_table_add (working, g_strdup (keys[k]));
  }
  add_bindings (working, window);
  add_bindings (working, GTK_WIDGET (hs_window_peek_picture (HS_WINDOW (window))));
  add_mnemonics (working, window);
  return working;
}

/* Everything that is shown is a key of the program, of the window or the picture, or a mnemonic. */
static void
test_all_work (void)
{
  UiTestDesk desk;
  GtkWidget *window;
  g_autoptr (GHashTable) shown = list_shown ();
  g_autoptr (GHashTable) working = NULL;
  GHashTableIter keys;
  gpointer key;

  ui_test_desk_open (&desk, "Text.");
  window = g_object_ref (hs_window_new (NULL, desk.session, desk.updater));
  working = list_working (window);
  g_hash_table_add (working, g_strdup ("F10")); /* GtkMenuButton's, as the primary menu */
  g_hash_table_iter_init (&keys, shown);
  while (g_hash_table_iter_next (&keys, &key, NULL))
    require (working, key, "is shown and does nothing");
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_finalize_object (window);
  ui_test_desk_close (&desk);
}

/* What the picture does by keys is shown, but for the keypad and short forms of keys with Ctrl. */
static void
test_picture_shown (void)
{
  UiTestDesk desk;
  GtkWidget *window;
  g_autoptr (GHashTable) shown = list_shown ();
  g_autoptr (GHashTable) keys = new_set ();
  GHashTableIter each;
  gpointer key;

  ui_test_desk_open (&desk, "Text.");
  window = g_object_ref (hs_window_new (NULL, desk.session, desk.updater));
  add_bindings (keys, GTK_WIDGET (hs_window_peek_picture (HS_WINDOW (window))));
  g_assert_cmpuint (g_hash_table_size (keys), >=, 12);
  g_hash_table_iter_init (&each, keys);
  while (g_hash_table_iter_next (&each, &key, NULL)) {
    g_autofree char *with_control = g_strconcat ("<Control>", key, NULL);
    if (!g_str_has_prefix (key, "KP_") && !g_str_equal (key, "equal") &&
        !g_str_equal (key, "<Control>c") && !g_hash_table_contains (shown, with_control))
      require (shown, key, "works on the picture and is not shown");
  }
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_finalize_object (window);
  ui_test_desk_close (&desk);
}

/* ---- playing ---- */

/* Returns: whether the steps are played, after the key was pressed. */
static bool
press_play (GtkWidget *window, GtkWidget *page)
{
  GObject *button = gtk_widget_get_template_child (page, G_OBJECT_TYPE (page), "play_button");

  gtk_widget_activate_action (window, "win.play", NULL);
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (button));
}

/* The key begins and ends playing, and does nothing where the steps are not seen. */
static void
test_play (void)
{
  UiTestDesk desk;
  GtkWidget *window, *page;

  ui_test_desk_open (&desk, "Text.");
  window = g_object_ref (hs_window_new (NULL, desk.session, desk.updater));
  hs_session_set_in_lab (desk.session, TRUE);
  page = ui_test_find (window, HS_TYPE_LAB_PIPELINE);
  g_assert_nonnull (page);
  hs_work_drain ();
  ui_test_drain (desk.engine);
  g_assert_true (press_play (window, page));
  g_assert_false (press_play (window, page));
  hs_session_set_lab_page (desk.session, ATTN_DRAW_LAB_RESEARCH);
  g_assert_false (press_play (window, page));
  hs_session_set_lab_page (desk.session, ATTN_DRAW_LAB_PIPELINE);
  hs_session_set_in_lab (desk.session, FALSE);
  g_assert_false (press_play (window, page));
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_finalize_object (window);
  ui_test_desk_close (&desk);
}

/* ---- undo ---- */

static HsTextPanel *
find_panel (GtkWidget *widget)
{
  HsTextPanel *found = HS_IS_TEXT_PANEL (widget) ? HS_TEXT_PANEL (widget) : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_panel (child);
  return found;
}

/* An example, a recent text and a dropped one can be taken back one after the other, also after the
 * text was emptied; only the emptiness before the first text cannot be had. */
static void
test_undo (void)
{
  static const char *const texts[] = {"The first.", "", "Second.", "第三。"};
  UiTestDesk desk;
  HsSide *side;
  GtkWidget *window;
  HsTextPanel *panel;

  ui_test_desk_open (&desk, texts[0]);
  side = hs_session_peek_side (desk.session);
  window = g_object_ref (hs_window_new (NULL, desk.session, desk.updater));
  panel = find_panel (window);
  for (size_t i = 1; i < G_N_ELEMENTS (texts); i++)
    hs_side_set_text (side, texts[i]);
  for (size_t i = G_N_ELEMENTS (texts); i-- > 0;) {
    g_assert_cmpstr (hs_side_peek_text (side), ==, texts[i]);
    hs_text_panel_undo (panel, false);
  }
  g_assert_cmpstr (hs_side_peek_text (side), ==, texts[0]);
  for (size_t i = 1; i < G_N_ELEMENTS (texts); i++) {
    hs_text_panel_undo (panel, true);
    g_assert_cmpstr (hs_side_peek_text (side), ==, texts[i]);
  }
  hs_text_panel_undo (panel, true);
  g_assert_cmpstr (hs_side_peek_text (side), ==, texts[3]);
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_finalize_object (window);
  ui_test_drain (desk.engine);
  ui_test_desk_close (&desk);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv);
  hs_application_prepare ();
  g_test_add_func ("/keys/all-shown", test_all_shown);
  g_test_add_func ("/keys/all-work", test_all_work);
  g_test_add_func ("/keys/picture-shown", test_picture_shown);
  g_test_add_func ("/keys/play", test_play);
  g_test_add_func ("/keys/undo", test_undo);
  return g_test_run ();
}
