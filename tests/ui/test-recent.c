/* SPDX-License-Identifier: MIT */
/* Texts and models looked at before: order, distinct ones, limits, switched off, and the menu. */
#include "hs-recent.h"
#include "hs-settings.h"
#include "hs-work.h"
#include "ui-test.h"

#include <glib/gstdio.h>

typedef struct {
  GSettings *settings;
  HsRecent *recent;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  (void)data;
  fixture->settings = hs_settings_open ();
  g_assert_nonnull (fixture->settings);
  fixture->recent = hs_recent_new (fixture->settings);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  static const char *const keys[] = {"keeps-recent", "recent-texts", "recent-models",
                                     "recent-attentions"};

  (void)data;
  for (size_t i = 0; i < G_N_ELEMENTS (keys); i++)
    g_settings_reset (fixture->settings, keys[i]);
  hs_settings_flush (fixture->settings);
  g_assert_finalize_object (fixture->recent);
  g_object_unref (fixture->settings);
}

static char *
dup_texts (Fixture *fixture)
{
  g_autoptr (GVariant) texts = g_settings_get_value (fixture->settings, "recent-texts");

  return g_variant_print (texts, FALSE);
}

static void
assert_texts (Fixture *fixture, const char *expected)
{
  g_autofree char *texts = dup_texts (fixture);

  g_assert_cmpstr (texts, ==, expected);
}

static void
test_order (Fixture *fixture, gconstpointer data)
{
  (void)data;
  hs_recent_add_text (fixture->recent, "one", NULL);
  hs_recent_add_text (fixture->recent, "two", "second");
  hs_recent_add_text (fixture->recent, "two", NULL);
  assert_texts (fixture, "[('two', ''), ('two', 'second'), ('one', '')]");
  hs_recent_add_text (fixture->recent, "one", "");
  assert_texts (fixture, "[('one', ''), ('two', ''), ('two', 'second')]");
}

static void
test_limits (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GVariant) texts = NULL;
  g_autofree char *book = g_strnfill (16385, 'x');
  g_autofree char *page = g_strnfill (16384, 'x');
  const char *text;
  char number[16];

  (void)data;
  hs_recent_add_text (fixture->recent, "", NULL);
  hs_recent_add_text (fixture->recent, " \n\t", NULL);
  hs_recent_add_text (fixture->recent, book, NULL);
  hs_recent_add_text (fixture->recent, "a", book);
  assert_texts (fixture, "[]");
  for (int i = 0; i < 30; i++) {
    g_snprintf (number, sizeof number, "text %d", i);
    hs_recent_add_text (fixture->recent, number, NULL);
  }
  hs_recent_add_text (fixture->recent, page, NULL);
  texts = g_settings_get_value (fixture->settings, "recent-texts");
  g_assert_cmpuint (g_variant_n_children (texts), ==, HS_RECENT_MAX_TEXTS);
  g_variant_get_child (texts, HS_RECENT_MAX_TEXTS - 1, "(&s&s)", &text, NULL);
  g_assert_cmpstr (text, ==, "text 11");
}

static void
test_models (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) models = NULL;
  char path[16];

  (void)data;
  for (int i = 0; i < 12; i++) {
    g_snprintf (path, sizeof path, "/m/%d", i);
    hs_recent_add_model (fixture->recent, path);
  }
  hs_recent_add_model (fixture->recent, "/m/5");
  hs_recent_add_model (fixture->recent, "/not \xff utf-8"); /* settings hold text */
  models = g_settings_get_strv (fixture->settings, "recent-models");
  g_assert_cmpuint (g_strv_length (models), ==, HS_RECENT_MAX_MODELS);
  g_assert_cmpstr (models[0], ==, "/m/5");
  g_assert_cmpstr (models[1], ==, "/m/11");
  g_assert_cmpstr (models[9], ==, "/m/2");
}

static void
test_off (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) models = NULL;

  (void)data;
  g_settings_set_boolean (fixture->settings, "keeps-recent", FALSE);
  hs_recent_add_text (fixture->recent, "one", NULL);
  hs_recent_add_model (fixture->recent, "/m");
  assert_texts (fixture, "[]");
  models = g_settings_get_strv (fixture->settings, "recent-models");
  g_assert_cmpuint (g_strv_length (models), ==, 0);
}

/* Returns: (transfer full): labels of all sections, with "|" between. */
static char *
dup_labels (GMenuModel *menu)
{
  GString *labels = g_string_new (NULL);

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);

    for (int k = 0; k < g_menu_model_get_n_items (section); k++) {
      g_autofree char *label = NULL;
      g_menu_model_get_item_attribute (section, k, G_MENU_ATTRIBUTE_LABEL, "s", &label);
      g_string_append_printf (labels, "%s|", label);
    }
  }
  return g_string_free (labels, FALSE);
}

static void
test_menu (Fixture *fixture, gconstpointer data)
{
  GMenuModel *menu = hs_recent_peek_menu (fixture->recent);
  g_autofree char *empty = dup_labels (menu);
  g_autofree char *full = NULL;
  g_autoptr (GMenuModel) texts = NULL;
  g_autoptr (GVariant) target = NULL;

  (void)data;
  g_assert_cmpstr (empty, ==, "Nothing yet|");
  hs_recent_add_model (fixture->recent, "/models/bert_base");
  hs_recent_add_text (fixture->recent, "貓 a_b\nc", "d");
  full = dup_labels (menu);
  g_assert_cmpstr (full, ==, "貓 a__b c  ⏎  d|bert__base|Built-in model|Clear list|");
  texts = g_menu_model_get_item_link (menu, 0, G_MENU_LINK_SECTION);
  target = g_menu_model_get_item_attribute_value (texts, 0, G_MENU_ATTRIBUTE_TARGET, NULL);
  g_assert_cmpstr (g_variant_get_type_string (target), ==, "(ss)");
}

/* Names as people know them, and where two have the same one, where they are. */
static void
test_names (Fixture *fixture, gconstpointer data)
{
  g_autofree char *labels = NULL;

  (void)data;
  hs_recent_add_model (fixture->recent, "/c/models--org--small/snapshots/0123abcd");
  hs_recent_add_model (fixture->recent, "/a/bert");
  hs_recent_add_model (fixture->recent, "/b/bert");
  labels = dup_labels (hs_recent_peek_menu (fixture->recent));
  g_assert_cmpstr (labels, ==, "bert (/b)|bert (/a)|org/small|Built-in model|Clear list|");
}

/* A model that is gone is told from the others, can be taken off the list, and is one of them again
 * where it has come back. */
static void
test_missing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  g_autofree char *here = g_dir_make_tmp ("headscope-here-XXXXXX", NULL);
  g_autofree char *gone = g_dir_make_tmp ("headscope-gone-XXXXXX", NULL);
  GMenuModel *menu = hs_recent_peek_menu (fixture->recent);
  g_autoptr (GMenuModel) missing = NULL;
  g_autofree char *title = NULL, *action = NULL, *labels = NULL;
  g_autoptr (GMenuModel) models = NULL;
  g_autofree char *last = NULL;

  (void)data;
  hs_recent_add_actions (fixture->recent, G_ACTION_MAP (actions));
  hs_recent_add_model (fixture->recent, gone);
  hs_recent_add_model (fixture->recent, here);
  g_assert_cmpint (g_rmdir (gone), ==, 0);
  g_action_group_activate_action (G_ACTION_GROUP (actions), "check-recent", NULL);
  hs_work_drain ();
  models = g_menu_model_get_item_link (menu, 0, G_MENU_LINK_SECTION);
  g_assert_cmpint (g_menu_model_get_n_items (models), ==, 2); /* and the one that is always there */
  g_menu_model_get_item_attribute (models, 1, G_MENU_ATTRIBUTE_TARGET, "s", &last);
  g_assert_cmpstr (last, ==, "demo");
  missing = g_menu_model_get_item_link (menu, 1, G_MENU_LINK_SECTION);
  g_menu_model_get_item_attribute (menu, 1, G_MENU_ATTRIBUTE_LABEL, "s", &title);
  g_menu_model_get_item_attribute (missing, 0, G_MENU_ATTRIBUTE_ACTION, "s", &action);
  g_assert_cmpstr (title, ==, "Not found: choose to take off the list");
  g_assert_cmpstr (action, ==, "app.forget-model");
  g_assert_cmpint (g_menu_model_get_n_items (hs_recent_peek_models_b (fixture->recent)), ==, 1);
  g_assert_cmpint (g_mkdir (gone, 0700), ==, 0);
  g_action_group_activate_action (G_ACTION_GROUP (actions), "check-recent", NULL);
  hs_work_drain ();
  g_assert_cmpint (g_menu_model_get_n_items (menu), ==, 2); /* models, clear */
  g_action_group_activate_action (G_ACTION_GROUP (actions), "forget-model",
                                  g_variant_new_string (gone));
  g_assert_cmpint (g_menu_model_get_n_items (hs_recent_peek_models_b (fixture->recent)), ==, 1);
  g_action_group_activate_action (G_ACTION_GROUP (actions), "clear-recent", NULL);
  labels = dup_labels (menu);
  g_assert_cmpstr (labels, ==, "Nothing yet|");
  g_rmdir (gone);
  g_rmdir (here);
}
static HsAttentionPlace
make_place (const char *path, const char *array, const char *tokens)
{
  return (HsAttentionPlace){(char *)(guintptr)path, (char *)(guintptr)array,
                            (char *)(guintptr)tokens};
}

/* Attention files: each once, with its array and tokens; what is gone can be taken off. */
static void
test_attentions (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  g_autofree char *folder = g_dir_make_tmp ("headscope-here-XXXXXX", NULL);
  g_autofree char *here = g_build_filename (folder, "a_b.npy", NULL);
  GMenuModel *menu = hs_recent_peek_menu (fixture->recent);
  const HsAttentionPlace first = make_place (here, NULL, "/x/tokens.json");
  const HsAttentionPlace second = make_place ("/gone/two.npz", "encoder", NULL);
  const HsAttentionPlace again = make_place (here, NULL, NULL);
  const HsAttentionPlace odd = make_place ("/\xff.npy", NULL, NULL);
  g_autoptr (GMenuModel) section = NULL;
  g_autoptr (GVariant) target = NULL;

  g_assert_true (g_file_set_contents (here, "x", 1, NULL));
  hs_recent_add_actions (fixture->recent, G_ACTION_MAP (actions));
  hs_recent_add_attention (fixture->recent, &again);
  hs_recent_add_attention (fixture->recent, &second);
  hs_recent_add_attention (fixture->recent, &odd); /* settings hold text */
  hs_recent_add_attention (fixture->recent, &first);
  g_autofree char *labels = dup_labels (menu);
  g_assert_cmpstr (labels, ==, "a__b.npy|two.npz|Clear list|");
  section = g_menu_model_get_item_link (menu, 0, G_MENU_LINK_SECTION);
  target = g_menu_model_get_item_attribute_value (section, 0, G_MENU_ATTRIBUTE_TARGET, NULL);
  g_autofree char *printed = g_variant_print (target, FALSE);
  g_autofree char *wanted = g_strdup_printf ("('%s', '', '/x/tokens.json')", here);
  g_assert_cmpstr (printed, ==, wanted);
  g_action_group_activate_action (G_ACTION_GROUP (actions), "check-recent", NULL);
  hs_work_drain ();
  g_assert_cmpint (g_menu_model_get_n_items (menu), ==, 3); /* the one, the missing one, clear */
  g_action_group_activate_action (G_ACTION_GROUP (actions), "forget-model",
                                  g_variant_new_string (second.path));
  g_autofree char *left = dup_labels (menu);
  g_assert_cmpstr (left, ==, "a__b.npy|Clear list|");
  g_action_group_activate_action (G_ACTION_GROUP (actions), "clear-recent", NULL);
  g_autofree char *none = dup_labels (menu);
  g_assert_cmpstr (none, ==, "Nothing yet|");
  g_unlink (here);
  g_rmdir (folder);
}

static bool
is_listed (gpointer data)
{
  g_autofree char *texts = dup_texts (data);

  return g_strcmp0 (texts, "[('It stands.', '')]") == 0;
}

/* What is typed over within the time is not listed, what stands is. */
static void
test_stands (Fixture *fixture, gconstpointer data)
{
  UiTestDesk desk;
  const gint64 start = g_get_monotonic_time ();

  (void)data;
  ui_test_desk_open (&desk, "It is typed over.");
  hs_recent_watch (fixture->recent, desk.session);
  hs_side_set_text (hs_session_peek_side (desk.session), "It stands.");
  ui_test_wait (is_listed, fixture);
  g_assert_cmpint (g_get_monotonic_time () - start, >=, (gint64)HS_RECENT_STAND_MS * 1000);
  ui_test_desk_close (&desk);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *path;
    void (*test) (Fixture *, gconstpointer);
  } tests[] = {
      {"/recent/order", test_order},
      {"/recent/limits", test_limits},
      {"/recent/models", test_models},
      {"/recent/off", test_off},
      {"/recent/menu", test_menu},
      {"/recent/stands", test_stands},
      {"/recent/attentions", test_attentions},
      {"/recent/names", test_names},
      {"/recent/missing", test_missing},
  };

  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);
  return g_test_run ();
}
