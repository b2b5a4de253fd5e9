/* SPDX-License-Identifier: MIT */
/* Getting models from a hub on the loopback: asked first, paused, resumed, failed, opened. */
#include "fake-hub.h"
#include "hs-application.h"
#include "hs-models-actions.h"
#include "hs-models-get.h"
#include "hs-models-here.h"
#include "hs-quit-question.h"
#include "hs-settings.h"
#include "hs-verify-strip.h"
#include "hs-work.h"
#include "model-cache.h"
#include "test-util.h"
#include "ui-test.h"

#include <string.h>
#include <unistd.h>

#define NAME "tiny/bert"
#define N_BYTES ((size_t)6 << 20) /* of the weights; slow enough to be seen */

typedef struct {
  FakeHub *hub;
  char *home; /* HF_HOME */
  GSettings *settings;
  HsModels *models;
  HsDownloads *downloads;
} Fixture;

static void
open_downloads (Fixture *fixture, gboolean offline)
{
  fixture->models = hs_models_new (
      model_cache_places (fixture->home, fake_hub_peek_url (fixture->hub), offline), NULL);
  fixture->downloads = hs_downloads_new (fixture->models, fixture->settings);
}

static void
close_downloads (Fixture *fixture)
{
  hs_downloads_stop (fixture->downloads);
  hs_work_drain ();
  g_assert_finalize_object (fixture->downloads);
  g_assert_finalize_object (fixture->models);
}

static void
set_up (Fixture *fixture, gconstpointer offline)
{
  g_autofree char *folder = test_data_path ("golden/models/bert");

  fixture->hub = fake_hub_new (false);
  fake_hub_add_folder (fixture->hub, NAME, "main", folder);
  fake_hub_add_folder (fixture->hub, "tiny/other", "main", folder);
  fixture->home = model_cache_new ();
  fixture->settings = hs_settings_open ();
  g_settings_reset (fixture->settings, "unfinished-downloads");
  open_downloads (fixture, offline != NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  close_downloads (fixture);
  fake_hub_free (fixture->hub);
  g_object_unref (fixture->settings);
  model_cache_free (fixture->home);
}

static HsDownload *
peek (Fixture *fixture, guint index)
{
  g_autoptr (HsDownload) download =
      g_list_model_get_item (hs_downloads_peek_list (fixture->downloads), index);

  return download; /* the list keeps it */
}

static HsDownload *
look_up (Fixture *fixture, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (hs_downloads_look_up (fixture->downloads, text, &error));
  g_assert_no_error (error);
  return peek (fixture, 0);
}

typedef struct {
  HsDownload *download;
  HsDownloadState state;
} Wanted;

static bool
has_state (gpointer data)
{
  const Wanted *wanted = data;
  const HsDownloadState state = hs_download_get_state (wanted->download);
  g_autofree char *status = hs_download_dup_status (wanted->download);

  if (state == HS_DOWNLOAD_FAILED && wanted->state != HS_DOWNLOAD_FAILED)
    g_error ("%s", status);
  return state == wanted->state;
}

static void
wait_state (HsDownload *download, HsDownloadState state)
{
  Wanted wanted = {download, state};

  ui_test_wait (has_state, &wanted);
}

static void
assert_status (HsDownload *download, const char *part)
{
  g_autofree char *status = hs_download_dup_status (download);

  if (strstr (status, part) == NULL)
    g_error ("no \"%s\" in: %s", part, status);
}

/* Nothing is asked before somebody wants it, nothing fetched before its size was told. */
static void
test_plan_then_fetch (Fixture *fixture, gconstpointer data)
{
  HsDownload *download;
  g_autoptr (AttnModel) model = NULL;

  (void)data;
  g_assert_cmpuint (fake_hub_count (fixture->hub, "*"), ==, 0);
  download = look_up (fixture, " " NAME " ");
  assert_status (download, "127.0.0.1"); /* who is asked */
  wait_state (download, HS_DOWNLOAD_PLANNED);
  assert_status (download, "bert · 3 layers × 4 heads · ");
  assert_status (download, " files");
  g_assert_cmpuint (fake_hub_count (fixture->hub, "files *"), ==, 0);
  g_assert_true (hs_downloads_look_up (fixture->downloads, NAME, NULL)); /* not listed twice */
  g_assert_cmpuint (g_list_model_get_n_items (hs_downloads_peek_list (fixture->downloads)), ==, 1);
  hs_downloads_start (fixture->downloads, download);
  wait_state (download, HS_DOWNLOAD_DONE);
  g_assert_cmpfloat (hs_download_get_fraction (download), ==, 1);
  model = attn_model_load (hs_download_peek_folder (download), NULL, NULL, NULL, NULL);
  g_assert_nonnull (model);
  g_assert_cmpstr (attn_model_peek_name (model), ==, NAME);
  hs_work_drain ();
  g_assert_cmpuint (g_list_model_get_n_items (hs_models_peek_list (fixture->models)), ==, 2);
}

static char *
verify (Fixture *fixture)
{
  HsVerifyStrip *strip = g_object_ref_sink (g_object_new (HS_TYPE_VERIFY_STRIP, NULL));
  GListModel *list = hs_models_peek_list (fixture->models);
  g_autoptr (HsModelItem) item = g_list_model_get_item (list, 1);
  char *labels;

  hs_verify_strip_start (strip, fixture->models, item);
  hs_work_drain ();
  labels = ui_test_dup_labels (GTK_WIDGET (strip));
  g_object_unref (strip);
  return labels;
}

/* What was fetched verifies until somebody changes it. */
static void
test_verify (Fixture *fixture, gconstpointer data)
{
  HsDownload *download = look_up (fixture, NAME);
  g_autofree char *good = NULL, *bad = NULL, *weights = NULL;

  (void)data;
  wait_state (download, HS_DOWNLOAD_PLANNED);
  hs_downloads_start (fixture->downloads, download);
  wait_state (download, HS_DOWNLOAD_DONE);
  hs_work_drain ();
  good = verify (fixture);
  g_assert_nonnull (strstr (good, NAME ": all 5 files are what was downloaded"));
  weights = g_build_filename (hs_download_peek_folder (download), "model.safetensors", NULL);
  g_assert_cmpint (truncate (weights, 100), ==, 0);
  bad = verify (fixture);
  g_assert_nonnull (strstr (bad, NAME " is damaged"));
  g_assert_nonnull (strstr (bad, "download it again"));
  g_assert_nonnull (strstr (bad, "\nmodel.safetensors: "));
}

static void
test_wrong_names (Fixture *fixture, gconstpointer data)
{
  static const char *const wrong[] = {"", "a b", "a/b/c", "../x", "no spaces/please"};

  (void)data;
  for (size_t i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_false (hs_downloads_look_up (fixture->downloads, wrong[i], &error));
    g_assert_nonnull (error);
  }
  g_assert_cmpuint (fake_hub_count (fixture->hub, "*"), ==, 0);
}

/* What the Hub has not is said, and can be tried again. */
static void
test_missing (Fixture *fixture, gconstpointer data)
{
  HsDownload *download;
  g_autofree char *folder = test_data_path ("golden/models/bert");

  (void)data;
  download = look_up (fixture, "nobody/nothing");
  wait_state (download, HS_DOWNLOAD_FAILED);
  assert_status (download, "could not be looked up.\nThere is no such model");
  fake_hub_add_folder (fixture->hub, "nobody/nothing", "main", folder);
  hs_downloads_start (fixture->downloads, download);
  wait_state (download, HS_DOWNLOAD_DONE);
}

static bool
has_some (gpointer download)
{
  return hs_download_get_fraction (download) > 0;
}

static void
add_slow_weights (Fixture *fixture)
{
  g_autofree char *bytes = g_malloc0 (N_BYTES);

  fake_hub_add_bytes (fixture->hub, NAME, "main", "model.safetensors", bytes, N_BYTES);
  fake_hub_add_rule (fixture->hub, "GET *model.safetensors drip=20000");
}

/* Paused, kept over another start of the program, and gone on with only when asked. */
static void
test_pause_and_resume (Fixture *fixture, gconstpointer data)
{
  HsDownload *download;

  (void)data;
  add_slow_weights (fixture);
  download = look_up (fixture, NAME);
  wait_state (download, HS_DOWNLOAD_PLANNED);
  hs_downloads_start (fixture->downloads, download);
  g_assert_true (hs_downloads_peek_running (fixture->downloads) == download);
  ui_test_wait (has_some, download);
  hs_downloads_pause (fixture->downloads, download);
  wait_state (download, HS_DOWNLOAD_PAUSED);
  assert_status (download, "Paused · ");
  close_downloads (fixture);

  fake_hub_clear_log (fixture->hub);
  fake_hub_clear_rules (fixture->hub);
  open_downloads (fixture, FALSE);
  download = peek (fixture, 0);
  g_assert_nonnull (download);
  g_assert_cmpstr (hs_download_peek_name (download), ==, NAME);
  g_assert_cmpint (hs_download_get_state (download), ==, HS_DOWNLOAD_PAUSED);
  g_assert_cmpuint (fake_hub_count (fixture->hub, "*"), ==, 0);
  hs_downloads_start (fixture->downloads, download);
  wait_state (download, HS_DOWNLOAD_DONE);
  g_assert_null (hs_downloads_peek_running (fixture->downloads));
}

/* One after the other; what is taken off the list is stopped and forgotten. */
static void
test_queue (Fixture *fixture, gconstpointer data)
{
  HsDownload *first, *second;
  g_auto (GStrv) unfinished = NULL;

  (void)data;
  add_slow_weights (fixture);
  first = look_up (fixture, NAME);
  second = look_up (fixture, "tiny/other");
  wait_state (first, HS_DOWNLOAD_PLANNED);
  wait_state (second, HS_DOWNLOAD_PLANNED);
  hs_downloads_start (fixture->downloads, first);
  hs_downloads_start (fixture->downloads, second);
  g_assert_cmpint (hs_download_get_state (second), ==, HS_DOWNLOAD_QUEUED);
  ui_test_wait (has_some, first);
  g_assert_cmpint (hs_download_get_state (second), ==, HS_DOWNLOAD_QUEUED);
  hs_downloads_remove (fixture->downloads, first);
  g_assert_cmpuint (g_list_model_get_n_items (hs_downloads_peek_list (fixture->downloads)), ==, 1);
  wait_state (second, HS_DOWNLOAD_DONE);
  unfinished = g_settings_get_strv (fixture->settings, "unfinished-downloads");
  g_assert_cmpuint (g_strv_length (unfinished), ==, 0);
}

/* ---- the page ---- */

typedef struct {
  UiTestDesk desk;
  HsWindow *window;
  GtkWidget *dialog, *page;
} Page;

static void
open_page (Fixture *fixture, Page *page)
{
  ui_test_desk_open (&page->desk, "It was too tired.");
  page->window = HS_WINDOW (hs_window_new (NULL, page->desk.session, page->desk.updater));
  hs_models_actions_add (page->window, fixture->downloads);
  gtk_window_present (GTK_WINDOW (page->window));
  gtk_widget_activate_action (GTK_WIDGET (page->window), "win.get-model", NULL);
  page->dialog = hs_models_actions_peek_dialog (page->window);
  page->page = ui_test_find (page->dialog, HS_TYPE_MODELS_GET);
}

static void
close_page (Page *page)
{
  gtk_window_destroy (GTK_WINDOW (page->window));
  hs_work_drain ();
  ui_test_desk_close (&page->desk);
}

typedef struct {
  GtkWidget *widget;
  const char *label;
} Button;

static bool
has_button (gpointer data)
{
  const Button *button = data;

  return ui_test_find_seen_button (button->widget, button->label) != NULL;
}

static void
press (Page *page, const char *label)
{
  Button button = {page->page, label};

  ui_test_wait (has_button, &button);
  g_signal_emit_by_name (ui_test_find_seen_button (page->page, label), "clicked");
}

static void
test_page (Fixture *fixture, gconstpointer data)
{
  Page page;
  GtkEditable *entry;
  g_autofree char *labels = NULL;

  (void)data;
  open_page (fixture, &page);
  labels = ui_test_dup_labels (page.page);
  g_assert_nonnull (strstr (labels, fake_hub_peek_url (fixture->hub)));
  g_assert_nonnull (strstr (labels, "google-bert/bert-base-chinese"));
  g_assert_nonnull (strstr (labels, "one token a character"));
  entry = GTK_EDITABLE (ui_test_find (page.page, GTK_TYPE_ENTRY));
  gtk_editable_set_text (entry, "no/such/name");
  press (&page, "_Look up");
  g_clear_pointer (&labels, g_free);
  labels = ui_test_dup_labels (page.page);
  g_assert_nonnull (strstr (labels, "no/such/name"));
  g_assert_cmpuint (fake_hub_count (fixture->hub, "*"), ==, 0);
  gtk_editable_set_text (entry, NAME);
  press (&page, "_Look up");
  press (&page, "Download");
  press (&page, "Open");
  g_assert_null (hs_models_actions_peek_dialog (page.window));
  ui_test_wait_state (page.desk.session, HS_STATE_READY);
  g_assert_cmpstr (
      attn_model_peek_name (hs_side_peek_model (hs_session_peek_side (page.desk.session))), ==,
      NAME);
  close_page (&page);
}

/* A suggestion is one look away, and costs none by itself. */
static void
test_suggestion (Fixture *fixture, gconstpointer data)
{
  Page page;
  GtkWidget *list;

  (void)data;
  open_page (fixture, &page);
  list = gtk_widget_get_parent (ui_test_find (page.page, GTK_TYPE_LIST_BOX));
  list = gtk_widget_get_last_child (list);
  gtk_list_box_select_row (GTK_LIST_BOX (list),
                           gtk_list_box_get_row_at_index (GTK_LIST_BOX (list), 0));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (ui_test_find (page.page, GTK_TYPE_ENTRY))),
                   ==, "google-bert/bert-base-uncased");
  g_assert_cmpuint (fake_hub_count (fixture->hub, "*"), ==, 0);
  close_page (&page);
}

static bool
is_read (gpointer models)
{
  return !hs_models_get_is_reading (models);
}

/* Suggestions say how large about, and which are there. */
static void
test_suggestions (Fixture *fixture, gconstpointer data)
{
  Page page;
  g_autofree char *snapshot =
      model_cache_add (fixture->home, "models--distilbert--distilgpt2", "golden/models/bert");
  g_autofree char *labels = NULL;
  const char *first;

  (void)data;
  open_page (fixture, &page);
  ui_test_wait (is_read, fixture->models);
  labels = ui_test_dup_labels (page.page);
  g_assert_nonnull (strstr (labels, "bert · 12 layers × 12 heads · about 441 MB"));
  g_assert_nonnull (strstr (labels, "about 1.1 GB"));
  first = strstr (labels, "✓ on this computer");
  g_assert_nonnull (first);
  g_assert_true (first == g_strrstr (labels, "✓ on this computer"));
  g_assert_true (strstr (labels, "distilbert/distilgpt2") < first);
  close_page (&page);
}

static GtkWidget *
find_seen_label (GtkWidget *widget, const char *text)
{
  g_autofree char *labels = ui_test_dup_labels (widget);

  return strstr (labels, text) != NULL ? widget : NULL;
}

/* How a download ended stands in the window until somebody looks. */
static void
test_news (Fixture *fixture, gconstpointer data)
{
  Page page;
  HsDownload *download;

  (void)data;
  open_page (fixture, &page);
  gtk_window_destroy (GTK_WINDOW (page.dialog));
  download = look_up (fixture, NAME);
  wait_state (download, HS_DOWNLOAD_PLANNED);
  g_assert_null (find_seen_label (GTK_WIDGET (page.window), "Model downloaded"));
  hs_downloads_start (fixture->downloads, download);
  wait_state (download, HS_DOWNLOAD_DONE);
  g_assert_true (hs_downloads_peek_news (fixture->downloads) == download);
  g_assert_nonnull (find_seen_label (GTK_WIDGET (page.window), "Model downloaded"));
  gtk_widget_activate_action (GTK_WIDGET (page.window), "win.get-model", NULL);
  g_assert_null (hs_downloads_peek_news (fixture->downloads));
  g_assert_null (find_seen_label (GTK_WIDGET (page.window), "Model downloaded"));
  close_page (&page);
}

/* Taking a row away by the keyboard leaves it at the name, as it was typed. */
static void
test_leave (Fixture *fixture, gconstpointer data)
{
  Page page;
  GtkEditable *entry;
  GtkWidget *remove;

  (void)data;
  open_page (fixture, &page);
  entry = GTK_EDITABLE (ui_test_find (page.page, GTK_TYPE_ENTRY));
  gtk_editable_set_text (entry, NAME);
  press (&page, "_Look up");
  ui_test_wait (has_button, &(Button){page.page, "Download"});
  gtk_editable_set_text (entry, "typed/before");
  remove = gtk_widget_get_next_sibling (ui_test_find_seen_button (page.page, "Download"));
  gtk_widget_grab_focus (remove);
  g_signal_emit_by_name (remove, "clicked");
  g_assert_cmpuint (g_list_model_get_n_items (hs_downloads_peek_list (fixture->downloads)), ==, 0);
  g_assert_true (
      gtk_widget_is_ancestor (gtk_window_get_focus (GTK_WINDOW (page.dialog)), GTK_WIDGET (entry)));
  g_assert_cmpstr (gtk_editable_get_text (entry), ==, "typed/before");
  close_page (&page);
}

/* Stopping says that what has arrived is kept; the list and the next look have it; and a paused one
 * stands in the window. */
static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  Page page;
  GtkWidget *remove;
  HsDownload *download;
  g_autoptr (HsModelItem) item = NULL;

  (void)data;
  add_slow_weights (fixture);
  open_page (fixture, &page);
  gtk_editable_set_text (GTK_EDITABLE (ui_test_find (page.page, GTK_TYPE_ENTRY)), NAME);
  press (&page, "_Look up");
  press (&page, "Download");
  ui_test_wait (has_some, peek (fixture, 0));
  press (&page, "Pause");
  wait_state (peek (fixture, 0), HS_DOWNLOAD_PAUSED);
  g_assert_nonnull (find_seen_label (GTK_WIDGET (page.window), "Download paused"));
  remove = gtk_widget_get_next_sibling (ui_test_find_seen_button (page.page, "Resume"));
  g_signal_emit_by_name (remove, "clicked");
  g_assert_nonnull (find_seen_label (page.page, NAME ": stopped. What has arrived is kept"));
  g_assert_null (find_seen_label (GTK_WIDGET (page.window), "Download paused"));
  ui_test_wait (is_read, fixture->models);
  item = g_list_model_get_item (hs_models_peek_list (fixture->models), 1);
  g_assert_cmpstr (hs_model_item_peek_name (item), ==, NAME);
  g_assert_false (hs_model_item_is_usable (item));
  download = look_up (fixture, NAME);
  wait_state (download, HS_DOWNLOAD_PLANNED);
  assert_status (download, " are here already");
  close_page (&page);
}

static bool
says (gpointer data)
{
  const Button *wanted = data;

  return find_seen_label (wanted->widget, wanted->label) != NULL;
}

/* The list of what is on this computer tells what of it is on its way. */
static void
test_row (Fixture *fixture, gconstpointer data)
{
  Page page;
  GtkWidget *here;
  HsDownload *download;

  (void)data;
  add_slow_weights (fixture);
  open_page (fixture, &page);
  gtk_widget_activate_action (GTK_WIDGET (page.window), "win.models", NULL);
  here = ui_test_find (page.dialog, HS_TYPE_MODELS_HERE);
  download = look_up (fixture, NAME);
  wait_state (download, HS_DOWNLOAD_PLANNED);
  hs_downloads_start (fixture->downloads, download);
  ui_test_wait (says, &(Button){here, "downloading, "});
  g_assert_null (find_seen_label (here, "Not complete"));
  g_assert_nonnull (find_seen_label (here, " %"));
  hs_downloads_pause (fixture->downloads, download);
  ui_test_wait (says, &(Button){here, "download paused"});
  g_assert_null (find_seen_label (here, "downloading, "));
  close_page (&page);
}

static guint
count_windows (GtkApplication *application)
{
  return g_list_length (gtk_application_get_windows (application));
}

/* Only a download that runs is in the way of the program's end, and it is asked about once. */
static void
test_quit (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GtkApplication) application = gtk_application_new (NULL, G_APPLICATION_NON_UNIQUE);
  Page page;
  HsDownload *download;

  (void)data;
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  add_slow_weights (fixture);
  open_page (fixture, &page);
  gtk_window_set_application (GTK_WINDOW (page.window), application);
  const guint n = count_windows (application);
  download = look_up (fixture, NAME);
  wait_state (download, HS_DOWNLOAD_PLANNED);
  g_assert_false (hs_quit_question_ask (application, fixture->downloads));
  hs_downloads_start (fixture->downloads, download);
  for (int again = 0; again < 2; again++)
    g_assert_true (hs_quit_question_ask (application, fixture->downloads));
  g_assert_cmpuint (count_windows (application), ==, n + 1);
  GtkWindow *question = gtk_application_get_windows (application)->data;
  g_assert_nonnull (find_seen_label (GTK_WIDGET (question), NAME " is being downloaded"));
  g_assert_nonnull (find_seen_label (GTK_WIDGET (question), "What has arrived is kept"));
  gtk_dialog_response (GTK_DIALOG (question), GTK_RESPONSE_CANCEL);
  g_assert_cmpuint (count_windows (application), ==, n);
  g_assert_cmpint (hs_download_get_state (download), ==, HS_DOWNLOAD_RUNNING);
  hs_downloads_pause (fixture->downloads, download);
  wait_state (download, HS_DOWNLOAD_PAUSED);
  g_assert_false (hs_quit_question_ask (application, fixture->downloads));
  close_page (&page);
}

/* A model that lacks files is looked up from the list, and then it is all there. */
static void
test_complete (Fixture *fixture, gconstpointer data)
{
  Page page;
  GtkWidget *here;

  (void)data;
  model_cache_add_config (fixture->home, "models--tiny--bert",
                          "{\"model_type\":\"bert\",\"hidden_size\":8,\"num_hidden_layers\":2,"
                          "\"num_attention_heads\":4,\"intermediate_size\":16,"
                          "\"vocab_size\":30}");
  open_page (fixture, &page);
  gtk_widget_activate_action (GTK_WIDGET (page.window), "win.models", NULL);
  ui_test_wait (is_read, fixture->models);
  here = ui_test_find (page.dialog, HS_TYPE_MODELS_HERE);
  gtk_list_box_select_row (
      GTK_LIST_BOX (ui_test_find (here, GTK_TYPE_LIST_BOX)),
      gtk_list_box_get_row_at_index (GTK_LIST_BOX (ui_test_find (here, GTK_TYPE_LIST_BOX)), 1));
  g_assert_cmpuint (fake_hub_count (fixture->hub, "*"), ==, 0);
  gtk_widget_activate_action (here, "models.open", NULL);
  press (&page, "Download");
  press (&page, "Open");
  ui_test_wait_state (page.desk.session, HS_STATE_READY);
  g_assert_cmpstr (
      attn_model_peek_name (hs_side_peek_model (hs_session_peek_side (page.desk.session))), ==,
      NAME);
  close_page (&page);
}

/* Offline nothing can be asked for, and it is said why. */
static void
test_offline (Fixture *fixture, gconstpointer data)
{
  Page page;
  g_autofree char *labels = NULL;

  (void)data;
  open_page (fixture, &page);
  labels = ui_test_dup_labels (page.page);
  g_assert_nonnull (strstr (labels, "HF_HUB_OFFLINE"));
  g_assert_false (gtk_widget_is_sensitive (ui_test_find_seen_button (page.page, "_Look up")));
  close_page (&page);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *path;
    void (*test) (Fixture *, gconstpointer);
    bool offline;
  } tests[] = {
      {"/downloads/plan-then-fetch", test_plan_then_fetch, false},
      {"/downloads/verify", test_verify, false},
      {"/downloads/wrong-names", test_wrong_names, false},
      {"/downloads/missing", test_missing, false},
      {"/downloads/pause-and-resume", test_pause_and_resume, false},
      {"/downloads/queue", test_queue, false},
      {"/downloads/page", test_page, false},
      {"/downloads/suggestion", test_suggestion, false},
      {"/downloads/suggestions", test_suggestions, false},
      {"/downloads/leave", test_leave, false},
      {"/downloads/news", test_news, false},
      {"/downloads/stopped", test_stopped, false},
      {"/downloads/row", test_row, false},
      {"/downloads/quit", test_quit, false},
      {"/downloads/complete", test_complete, false},
      {"/downloads/offline", test_offline, true},
  };

  gtk_test_init (&argc, &argv);
  hs_application_prepare ();
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, tests[i].offline ? "" : NULL, set_up, tests[i].test,
                tear_down);
  return g_test_run ();
}
