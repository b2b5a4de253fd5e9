/* SPDX-License-Identifier: MIT */
/* The dialog of models over a cache of the test's own: what is listed, found and opened. */
#include "hs-application.h"
#include "hs-models-actions.h"
#include "hs-models-here.h"
#include "hs-work.h"
#include "test-util.h"
#include "ui-test.h"

#include <glib/gstdio.h>

#include <string.h>
#include <unistd.h>

#define COMMIT "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

typedef struct {
  char *home; /* HF_HOME */
  HsModels *models;
  UiTestDesk desk;
  HsWindow *window;
} Fixture;

/* ---- a cache ---- */

static char *
make_snapshot (Fixture *fixture, const char *folder)
{
  char *snapshot = g_build_filename (fixture->home, "hub", folder, "snapshots", COMMIT, NULL);
  g_autofree char *refs = g_build_filename (fixture->home, "hub", folder, "refs", NULL);
  g_autofree char *main_ref = g_build_filename (refs, "main", NULL);

  g_assert_cmpint (g_mkdir_with_parents (snapshot, 0755), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (refs, 0755), ==, 0);
  g_assert_true (g_file_set_contents (main_ref, COMMIT, -1, NULL));
  return snapshot;
}

/* Copies, so that what a test removes is its own. */
static void
add_file (const char *snapshot, const char *from, const char *name)
{
  g_autofree char *source = g_build_filename (from, name, NULL);
  g_autofree char *target = g_build_filename (snapshot, name, NULL);
  gsize n_bytes;
  g_autofree char *bytes = test_read_file (source, &n_bytes);

  g_assert_true (g_file_set_contents (target, bytes, (gssize)n_bytes, NULL));
}

static void
add_model (Fixture *fixture, const char *folder, const char *golden)
{
  static const char *const names[] = {"config.json", "model.safetensors", "vocab.txt",
                                      "tokenizer_config.json"};
  g_autofree char *from = test_data_path (golden);
  g_autofree char *snapshot = make_snapshot (fixture, folder);

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    add_file (snapshot, from, names[i]);
}

static void
add_unknown (Fixture *fixture)
{
  g_autofree char *snapshot = make_snapshot (fixture, "models--big--llama");
  g_autofree char *config = g_build_filename (snapshot, "config.json", NULL);

  g_assert_true (g_file_set_contents (config, "{\"model_type\":\"llama\"}", -1, NULL));
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *child = g_build_filename (path, name, NULL);
    remove_tree (child);
  }
  g_remove (path);
}

/* ---- a window over it ---- */

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *home = NULL;

  (void)data;
  fixture->home = g_dir_make_tmp ("headscope-models-XXXXXX", NULL);
  add_model (fixture, "models--tiny--bert", "golden/models/bert");
  add_unknown (fixture);
  home = g_strconcat ("HF_HOME=", fixture->home, NULL);
  fixture->models = hs_models_new (attn_hub_places_new ((const char *const[]){home, NULL}), NULL);
  ui_test_desk_open (&fixture->desk, "It was too tired.");
  fixture->window = HS_WINDOW (hs_window_new (NULL, fixture->desk.session, fixture->desk.updater));
  hs_models_actions_add (fixture->window, fixture->models);
  gtk_window_present (GTK_WINDOW (fixture->window));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  hs_work_drain ();
  g_assert_finalize_object (fixture->models);
  ui_test_desk_close (&fixture->desk);
  remove_tree (fixture->home);
  g_free (fixture->home);
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

static GtkWidget *
find_widget (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_widget (child, type);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
choose (GtkWidget *dialog, int index)
{
  GtkListBox *list = GTK_LIST_BOX (find_widget (dialog, GTK_TYPE_LIST_BOX));

  gtk_list_box_select_row (list, gtk_list_box_get_row_at_index (list, index));
}

static bool
act (GtkWidget *dialog, const char *action)
{
  GtkWidget *here = find_widget (dialog, HS_TYPE_MODELS_HERE);

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
                                       "found \"llama\"",
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
  GtkWidget *filter = find_widget (dialog, GTK_TYPE_SEARCH_ENTRY);
  GtkListBox *list = GTK_LIST_BOX (find_widget (dialog, GTK_TYPE_LIST_BOX));
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
  g_autofree char *weights = g_build_filename (fixture->home, "hub", "models--tiny--bert",
                                               "snapshots", COMMIT, "model.safetensors", NULL);

  (void)data;
  g_assert_true (g_file_set_contents (weights, "not weights at all", -1, NULL));
  choose (dialog, 2);
  act (dialog, "models.open");
  g_assert_nonnull (hs_side_peek_coming (side));
  ui_test_wait_state (fixture->desk.session, HS_STATE_READY);
  g_assert_true (hs_side_peek_model (side) == before);
  g_assert_nonnull (hs_session_peek_panels (fixture->desk.session));
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *path;
    void (*test) (Fixture *, gconstpointer);
  } tests[] = {
      {"/models/list", test_list},
      {"/models/filter", test_filter},
      {"/models/open", test_open},
      {"/models/open-b", test_open_b},
      {"/models/failed-load", test_failed_load},
  };

  gtk_test_init (&argc, &argv);
  hs_application_prepare ();
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);
  return g_test_run ();
}
