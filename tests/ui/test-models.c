/* SPDX-License-Identifier: MIT */
/* The dialog of models over a cache of the test's own: what is listed, found and opened. */
#include "hs-application.h"
#include "hs-model-row.h"
#include "hs-models-actions.h"
#include "hs-models-here.h"
#include "hs-models-menu.h"
#include "hs-settings.h"
#include "hs-verify-strip.h"
#include "hs-work.h"
#include "model-cache.h"
#include "test-util.h"
#include "ui-test.h"

#include <string.h>

typedef struct {
  char *home;     /* HF_HOME */
  char *snapshot; /* of tiny/bert in it */
  HsModels *models;
  HsDownloads *downloads;
  UiTestDesk desk;
  HsWindow *window;
} Fixture;

/* ---- a window over it ---- */

/* @folder: (nullable): a list in the settings has it */
static void
set_up (Fixture *fixture, gconstpointer folder)
{
  const char *const folders[] = {folder, NULL};
  g_autoptr (GSettings) settings = folder != NULL ? hs_settings_open () : NULL;

  if (settings != NULL)
    g_settings_set_strv (settings, "recent-models", folders);
  fixture->home = model_cache_new ();
  fixture->snapshot = model_cache_add (fixture->home, "models--tiny--bert", "golden/models/bert");
  model_cache_add_config (fixture->home, "models--big--llama", "{\"model_type\":\"llama\"}");
  fixture->models = hs_models_new (model_cache_places (fixture->home, NULL, FALSE), settings);
  ui_test_desk_open (&fixture->desk, "It was too tired.");
  fixture->window = HS_WINDOW (hs_window_new (NULL, fixture->desk.session, fixture->desk.updater));
  fixture->downloads = hs_downloads_new (fixture->models, NULL);
  hs_models_actions_add (fixture->window, fixture->downloads);
  gtk_window_present (GTK_WINDOW (fixture->window));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  hs_work_drain ();
  g_assert_finalize_object (fixture->downloads);
  g_assert_finalize_object (fixture->models);
  ui_test_desk_close (&fixture->desk);
  model_cache_free (fixture->home);
  g_free (fixture->snapshot);
}

static bool
is_read (gpointer models)
{
  return !hs_models_get_is_reading (models);
}

static GtkWidget *
open_dialog (Fixture *fixture)
{
  GtkWidget *dialog;

  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.models", NULL);
  dialog = hs_models_actions_peek_dialog (fixture->window);
  g_assert_nonnull (dialog);
  ui_test_wait (is_read, fixture->models);
  return dialog;
}

static void
choose (GtkWidget *dialog, int index)
{
  GtkListBox *list = GTK_LIST_BOX (ui_test_find (dialog, GTK_TYPE_LIST_BOX));

  gtk_list_box_select_row (list, gtk_list_box_get_row_at_index (list, index));
}

static bool
act (GtkWidget *dialog, const char *action)
{
  GtkWidget *here = ui_test_find (dialog, HS_TYPE_MODELS_HERE);

  return gtk_widget_activate_action (here, action, NULL);
}

/* Name, what is known, and of what cannot be used why. */
static void
test_list (Fixture *fixture, gconstpointer data)
{
  GtkWidget *dialog = open_dialog (fixture);
  g_autofree char *labels = ui_test_dup_labels (dialog);
  static const char *const wanted[] = {"Comes with the program",
                                       "Built-in model",
                                       "bert · 4 layers × 8 heads",
                                       "open",
                                       "Downloaded",
                                       "big/llama",
                                       "family llama",
                                       "tiny/bert",
                                       "bert · 3 layers × 4 heads",
                                       "shared with Python"};

  (void)data;
  for (size_t i = 0; i < G_N_ELEMENTS (wanted); i++)
    if (strstr (labels, wanted[i]) == NULL)
      g_error ("no \"%s\" in: %s", wanted[i], labels);
  /* a second time it is the same window */
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.models", NULL);
  g_assert_true (hs_models_actions_peek_dialog (fixture->window) == dialog);
}

static void
test_filter (Fixture *fixture, gconstpointer data)
{
  GtkWidget *dialog = open_dialog (fixture);
  GtkWidget *filter = ui_test_find (dialog, GTK_TYPE_SEARCH_ENTRY);
  GtkListBox *list = GTK_LIST_BOX (ui_test_find (dialog, GTK_TYPE_LIST_BOX));
  g_autofree char *labels = NULL;

  (void)data;
  gtk_editable_set_text (GTK_EDITABLE (filter), "TINY");
  g_signal_emit_by_name (filter, "search-changed");
  g_assert_nonnull (gtk_list_box_get_row_at_index (list, 0));
  g_assert_null (gtk_list_box_get_row_at_index (list, 1));
  g_signal_emit_by_name (filter, "activate");
  g_assert_true (gtk_list_box_get_selected_row (list) == gtk_list_box_get_row_at_index (list, 0));
  gtk_editable_set_text (GTK_EDITABLE (filter), "nothing of this name");
  g_signal_emit_by_name (filter, "search-changed");
  g_assert_null (gtk_list_box_get_row_at_index (list, 0));
  labels = ui_test_dup_labels (dialog);
  g_assert_nonnull (strstr (labels, "No model is called so"));
}

/* Escape in the filter, which has the focus at first, closes the dialog like anywhere else in it.
 */
static void
test_filter_left (Fixture *fixture, gconstpointer data)
{
  GtkWidget *filter = ui_test_find (open_dialog (fixture), GTK_TYPE_SEARCH_ENTRY);

  (void)data;
  g_signal_emit_by_name (filter, "stop-search");
  g_assert_null (hs_models_actions_peek_dialog (fixture->window));
}

/* Returns: (transfer none): what opens the chosen row's model. */
static const char *
peek_target (GtkWidget *dialog)
{
  GtkListBox *list = GTK_LIST_BOX (ui_test_find (dialog, GTK_TYPE_LIST_BOX));
  GtkListBoxRow *row = gtk_list_box_get_selected_row (list);

  return row != NULL ? hs_model_item_peek_target (hs_model_row_peek_item (HS_MODEL_ROW (row)))
                     : NULL;
}

/* There is always a row for the buttons: at first the open model's, then the one chosen, even when
 * all is read anew; and what is left by the filter. */
static void
test_chosen (Fixture *fixture, gconstpointer data)
{
  GtkWidget *dialog = open_dialog (fixture);
  GtkWidget *filter = ui_test_find (dialog, GTK_TYPE_SEARCH_ENTRY);

  (void)data;
  g_assert_cmpstr (peek_target (dialog), ==, "demo");
  g_assert_true (gtk_widget_is_sensitive (ui_test_find_seen_button (dialog, "_Open")));
  choose (dialog, 2);
  hs_models_refresh (fixture->models);
  ui_test_wait (is_read, fixture->models);
  g_assert_cmpstr (peek_target (dialog), ==, fixture->snapshot);
  choose (dialog, 0);
  gtk_editable_set_text (GTK_EDITABLE (filter), "TINY");
  g_signal_emit_by_name (filter, "search-changed");
  g_assert_cmpstr (peek_target (dialog), ==, fixture->snapshot);
}

static void
assert_tooltip (GtkWidget *dialog, const char *label, bool sensitive, const char *words)
{
  GtkWidget *button = ui_test_find_seen_button (dialog, label);

  g_assert_cmpint (gtk_widget_is_sensitive (button), ==, sensitive);
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (button), words));
}

/* A button that does nothing for this model says why; the one whose label changes keeps no name
 * with the underscore of its mnemonic beside the label's own. */
static void
test_buttons (Fixture *fixture, gconstpointer data)
{
  GtkWidget *dialog = open_dialog (fixture);

  (void)data;
  choose (dialog, 0);
  assert_tooltip (dialog, "_Verify", false, "Only of downloaded models");
  assert_tooltip (dialog, "_Remove…", false, "comes with the program");
  choose (dialog, 1);
  assert_tooltip (dialog, "_Open", false, "tells why");
  choose (dialog, 2);
  assert_tooltip (dialog, "_Verify", true, "Compare its files");
  g_assert_false (gtk_test_accessible_has_property (
      GTK_ACCESSIBLE (ui_test_find_seen_button (dialog, "_Open")), GTK_ACCESSIBLE_PROPERTY_LABEL));
}

static void
forget_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *path, gpointer forgotten)
{
  *(char **)forgotten = g_variant_dup_string (path, NULL);
}

/* A folder leaves the list alone: its button says so, asks nothing, and tells what was done. */
static void
test_taken_off (Fixture *fixture, gconstpointer folder)
{
  g_autofree char *forgotten = NULL;
  const GActionEntry forget = {
      .name = "forget-model", .activate = forget_cb, .parameter_type = "s"};
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  GtkWidget *dialog = open_dialog (fixture);

  g_action_map_add_action_entries (G_ACTION_MAP (actions), &forget, 1, &forgotten);
  gtk_widget_insert_action_group (GTK_WIDGET (fixture->window), "app", G_ACTION_GROUP (actions));
  choose (dialog, 2);
  assert_tooltip (dialog, "_Remove…", true, "you are asked");
  choose (dialog, 3);
  g_assert_cmpstr (peek_target (dialog), ==, folder);
  assert_tooltip (dialog, "_Take off list", true, "files stay");
  g_assert_true (act (dialog, "models.remove"));
  g_assert_cmpstr (forgotten, ==, folder);
  g_autofree char *labels = ui_test_dup_labels (dialog);
  g_assert_nonnull (strstr (labels, "is off the list; its folder and files stay as they are."));
  g_assert_true (g_file_test (folder, G_FILE_TEST_IS_DIR));
  ui_test_wait (is_read, fixture->models);
  gtk_widget_insert_action_group (GTK_WIDGET (fixture->window), "app", NULL);
}

/* Returns: (nullable): the first button of the action. */
static GtkWidget *
find_by_action (GtkWidget *widget, const char *action)
{
  GtkWidget *found = NULL;

  if (GTK_IS_BUTTON (widget) &&
      g_strcmp0 (gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)), action) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_by_action (child, action);
  return found;
}

/* The model's name opens the dialog, and looks like a button that does. */
static void
test_name_is_button (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GtkWidget *header = gtk_window_get_titlebar (GTK_WINDOW (fixture->window));
  GtkWidget *button = find_by_action (header, "win.models");

  g_assert_nonnull (button);
  g_assert_true (gtk_button_get_has_frame (GTK_BUTTON (button)));
}

/* Names that are no text are shown, and told to screen readers, as text. */
static void
test_no_text (Fixture *fixture, gconstpointer data)
{
  GtkWidget *dialog;
  GtkListBox *list;
  GtkListBoxRow *row;
  int n = 0;

  (void)data;
  model_cache_add_config (fixture->home, "models--\xff\xfe", "{}");
  dialog = open_dialog (fixture);
  list = GTK_LIST_BOX (ui_test_find (dialog, GTK_TYPE_LIST_BOX));
  for (; (row = gtk_list_box_get_row_at_index (list, n)) != NULL; n++)
    g_assert_true (g_utf8_validate (gtk_widget_get_tooltip_text (GTK_WIDGET (row)), -1, NULL));
  g_assert_cmpint (n, ==, 4);
}

/* What can be used opens, and the dialog goes; what cannot does not. */
static void
test_open (Fixture *fixture, gconstpointer data)
{
  GtkWidget *dialog = open_dialog (fixture);
  HsSide *side = hs_session_peek_side (fixture->desk.session);
  AttnModel *before = hs_side_peek_model (side);

  (void)data;
  choose (dialog, 1);
  act (dialog, "models.open");
  g_assert_null (hs_side_peek_coming (side));
  g_assert_nonnull (hs_models_actions_peek_dialog (fixture->window));
  choose (dialog, 2);
  act (dialog, "models.open");
  g_assert_cmpstr (hs_side_peek_coming (side), ==, "tiny/bert");
  g_assert_null (hs_models_actions_peek_dialog (fixture->window));
  ui_test_wait_state (fixture->desk.session, HS_STATE_READY);
  g_assert_true (hs_side_peek_model (side) != before);
  g_assert_cmpstr (attn_model_peek_name (hs_side_peek_model (side)), ==, "tiny/bert");
}

static bool
has_model_b (gpointer session)
{
  return hs_side_peek_model (hs_session_peek_side_b (session)) != NULL;
}

static void
test_open_b (Fixture *fixture, gconstpointer data)
{
  GtkWidget *dialog = open_dialog (fixture);
  HsSession *session = fixture->desk.session;

  (void)data;
  choose (dialog, 2);
  act (dialog, "models.open-b");
  ui_test_wait (has_model_b, session);
  g_assert_cmpint (hs_session_get_kind (session), ==, ATTN_DRAW_COMPARE);
  g_assert_cmpstr (attn_model_peek_name (hs_side_peek_model (hs_session_peek_side_b (session))), ==,
                   "tiny/bert");
  hs_session_set_kind (session, ATTN_DRAW_HEATMAP);
  ui_test_wait_state (session, HS_STATE_READY);
}

/* A model whose files are damaged leaves all as it was. */
static void
test_failed_load (Fixture *fixture, gconstpointer data)
{
  GtkWidget *dialog = open_dialog (fixture);
  HsSide *side = hs_session_peek_side (fixture->desk.session);
  AttnModel *before = hs_side_peek_model (side);
  g_autofree char *weights = g_build_filename (fixture->snapshot, "model.safetensors", NULL);

  (void)data;
  g_assert_true (g_file_set_contents (weights, "not weights at all", -1, NULL));
  choose (dialog, 2);
  act (dialog, "models.open");
  g_assert_nonnull (hs_side_peek_coming (side));
  ui_test_wait_state (fixture->desk.session, HS_STATE_READY);
  g_assert_true (hs_side_peek_model (side) == before);
  g_assert_nonnull (hs_session_peek_panels (fixture->desk.session));
}

/* Returns: (nullable) (transfer none): the question over the dialog. */
static GtkWidget *
find_question (GtkWidget *dialog)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) each = g_list_model_get_item (windows, i);
    if (GTK_IS_MESSAGE_DIALOG (each) &&
        gtk_window_get_transient_for (GTK_WINDOW (each)) == GTK_WINDOW (dialog))
      return each;
  }
  return NULL;
}

static bool
is_asked (gpointer dialog)
{
  return find_question (dialog) != NULL;
}

static GtkWidget *
ask_removal (GtkWidget *dialog)
{
  choose (dialog, 2);
  act (dialog, "models.remove");
  ui_test_wait (is_asked, dialog);
  return find_question (dialog);
}

/* Nothing goes before it was asked, and only what was chosen goes. */
static void
test_remove (Fixture *fixture, gconstpointer data)
{
  GtkWidget *dialog = open_dialog (fixture), *question;
  GListModel *list = hs_models_peek_list (fixture->models);
  g_autofree char *labels = NULL;

  (void)data;
  choose (dialog, 0);
  act (dialog, "models.remove"); /* what comes with the program stays */
  g_assert_null (find_question (dialog));
  question = ask_removal (dialog);
  labels = ui_test_dup_labels (question);
  g_assert_nonnull (strstr (labels, "Remove tiny/bert from this computer?"));
  g_assert_nonnull (strstr (labels, "are freed"));
  g_assert_null (strstr (labels, "open in a window"));
  gtk_dialog_response (GTK_DIALOG (question), GTK_RESPONSE_CANCEL);
  hs_work_drain ();
  g_assert_true (g_file_test (fixture->snapshot, G_FILE_TEST_IS_DIR));
  gtk_dialog_response (GTK_DIALOG (ask_removal (dialog)), GTK_RESPONSE_ACCEPT);
  hs_work_drain ();
  g_assert_false (g_file_test (fixture->snapshot, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, 2);
  g_free (labels);
  labels = ui_test_dup_labels (ui_test_find (dialog, HS_TYPE_VERIFY_STRIP));
  g_assert_nonnull (strstr (labels, "tiny/bert was removed"));
}

/* It is said when a window has the model; the window goes on. */
static void
test_remove_in_use (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  GtkWidget *dialog, *question;
  g_autofree char *labels = NULL;

  (void)data;
  hs_updater_load (fixture->desk.updater, fixture->snapshot);
  ui_test_wait_state (session, HS_STATE_READY);
  dialog = open_dialog (fixture);
  question = ask_removal (dialog);
  labels = ui_test_dup_labels (question);
  g_assert_nonnull (strstr (labels, "It is open in a window"));
  gtk_dialog_response (GTK_DIALOG (question), GTK_RESPONSE_ACCEPT);
  hs_work_drain ();
  g_assert_false (g_file_test (fixture->snapshot, G_FILE_TEST_EXISTS));
  hs_side_set_text (hs_session_peek_side (session), "still here");
  ui_test_wait_state (session, HS_STATE_READY);
}

static void
test_verify (Fixture *fixture, gconstpointer data)
{
  GtkWidget *dialog = open_dialog (fixture);
  GtkWidget *strip = ui_test_find (dialog, HS_TYPE_VERIFY_STRIP);
  g_autofree char *labels = NULL;

  (void)data;
  g_assert_false (gtk_widget_get_visible (strip));
  choose (dialog, 2);
  act (dialog, "models.verify");
  g_assert_true (gtk_widget_get_visible (strip));
  hs_work_drain ();
  labels = ui_test_dup_labels (strip);
  g_assert_nonnull (strstr (labels, "tiny/bert: 0 of 4 files")); /* they were never blobs */
  g_assert_null (strstr (labels, "Stop"));
}

static bool
is_in_menu (GMenuModel *menu, int index, const char *label, const char *target)
{
  g_autofree char *has_label = NULL, *has_target = NULL;

  return g_menu_model_get_item_attribute (menu, index, "label", "s", &has_label) &&
         g_menu_model_get_item_attribute (menu, index, "target", "s", &has_target) &&
         g_str_equal (has_label, label) && g_str_equal (has_target, target);
}

/* What can be opened is offered for B without a way through the dialog, and once. */
static void
test_menu_of_b (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GMenuModel) menu = NULL;
  g_autoptr (GMenuModel) none = NULL;

  (void)data;
  g_assert_cmpuint (g_list_model_get_n_items (hs_models_peek_list (fixture->models)), ==, 0);
  g_assert_false (hs_models_get_is_reading (fixture->models)); /* nobody looks yet */
  hs_session_set_kind (fixture->desk.session, ATTN_DRAW_COMPARE);
  g_assert_true (hs_models_get_is_reading (fixture->models));
  ui_test_wait (is_read, fixture->models);
  menu = hs_models_dup_menu (fixture->models, "win.model-b", NULL);
  g_assert_cmpint (g_menu_model_get_n_items (menu), ==, 1); /* the llama cannot be run */
  g_assert_true (is_in_menu (menu, 0, "tiny/bert", fixture->snapshot));
  none = hs_models_dup_menu (fixture->models, "win.model-b", menu);
  g_assert_cmpint (g_menu_model_get_n_items (none), ==, 0);
}

static bool
is_alert_up (gpointer window)
{
  return find_question (window) != NULL;
}

/* What is not on this computer is not told as a file that cannot be read, and its alert leads to
 * where it can be had: the name stands there, and nothing was asked of the Hub yet. */
static void
test_get_missing (Fixture *fixture, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (fixture->window);
  GtkWidget *alert, *dialog, *entry;
  g_autofree char *labels = NULL;

  (void)data;
  gtk_widget_activate_action (window, "win.load-model", "s", "nobody/nothing");
  ui_test_wait (is_alert_up, window);
  alert = find_question (window);
  labels = ui_test_dup_labels (alert);
  g_assert_nonnull (strstr (labels, "No model is called so"));
  g_assert_nonnull (ui_test_find_button (alert, "Get a model"));
  g_signal_emit_by_name (ui_test_find_button (alert, "Get a model"), "clicked");
  dialog = hs_models_actions_peek_dialog (fixture->window);
  g_assert_nonnull (dialog);
  ui_test_wait (is_read, fixture->models);
  entry = ui_test_find_seen (dialog, GTK_TYPE_ENTRY);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "nobody/nothing");
  g_assert_cmpuint (g_list_model_get_n_items (hs_downloads_peek_list (fixture->downloads)), ==, 0);
  g_assert_null (find_question (window));
}

/* Of a folder that is damaged, the alert offers nothing that would not help. */
static void
test_get_nothing (Fixture *fixture, gconstpointer data)
{
  GtkWidget *window = GTK_WIDGET (fixture->window);
  g_autofree char *labels = NULL;

  (void)data;
  gtk_widget_activate_action (window, "win.load-model", "s", "/nowhere/at all");
  ui_test_wait (is_alert_up, window);
  labels = ui_test_dup_labels (find_question (window));
  g_assert_nonnull (strstr (labels, "There is no such folder."));
  g_assert_null (ui_test_find_button (find_question (window), "Get a model"));
  gtk_dialog_response (GTK_DIALOG (find_question (window)), GTK_RESPONSE_CLOSE);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *path;
    void (*test) (Fixture *, gconstpointer);
  } tests[] = {
      {"/models/menu-of-b", test_menu_of_b},     {"/models/list", test_list},
      {"/models/filter", test_filter},           {"/models/filter-left", test_filter_left},
      {"/models/chosen", test_chosen},           {"/models/buttons", test_buttons},
      {"/models/no-text", test_no_text},         {"/models/open", test_open},
      {"/models/open-b", test_open_b},           {"/models/failed-load", test_failed_load},
      {"/models/remove", test_remove},           {"/models/remove-in-use", test_remove_in_use},
      {"/models/verify", test_verify},           {"/models/get-missing", test_get_missing},
      {"/models/get-nothing", test_get_nothing}, {"/models/name-is-button", test_name_is_button},
  };
  g_autofree char *folder = test_data_path ("golden/models/gpt2");

  gtk_test_init (&argc, &argv);
  hs_application_prepare ();
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);
  g_test_add ("/models/taken-off", Fixture, folder, set_up, test_taken_off, tear_down);
  return g_test_run ();
}
