/* SPDX-License-Identifier: MIT */
/* What is given to a window: texts by the action, files of text, folders, and what is neither. */
#include "hs-application.h"
#include "hs-open.h"
#include "hs-window.h"
#include "hs-work.h"
#include "test-util.h"
#include "ui-test.h"

#include "attn-hub/store.h"

#include <glib/gstdio.h>

#include <string.h>
#include <sys/stat.h>

typedef struct {
  UiTestDesk desk;
  HsWindow *window;
  char *folder, *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  (void)data;
  ui_test_desk_open (&fixture->desk, "Before.");
  fixture->window = HS_WINDOW (hs_window_new (NULL, fixture->desk.session, fixture->desk.updater));
  g_object_ref (fixture->window);
  fixture->folder = g_dir_make_tmp ("headscope-open-XXXXXX", NULL);
  g_assert_nonnull (fixture->folder);
  fixture->path = g_build_filename (fixture->folder, "a text.txt", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_assert_finalize_object (fixture->window);
  hs_work_drain ();
  ui_test_desk_close (&fixture->desk);
  g_unlink (fixture->path);
  g_rmdir (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
}

static HsSide *
side (Fixture *fixture)
{
  return hs_session_peek_side (fixture->desk.session);
}

static void
open_path (Fixture *fixture, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  hs_open_file (GTK_APPLICATION_WINDOW (fixture->window), file);
  hs_work_drain ();
}

static void
open_bytes (Fixture *fixture, const char *bytes, gsize n_bytes)
{
  g_assert_true (g_file_set_contents (fixture->path, bytes, (gssize)n_bytes, NULL));
  open_path (fixture, fixture->path);
}

static void
test_action (Fixture *fixture, gconstpointer data)
{
  (void)data;
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.show-text", "(ss)", "one", "two");
  g_assert_cmpstr (hs_side_peek_text (side (fixture)), ==, "one");
  g_assert_cmpstr (hs_side_peek_pair (side (fixture)), ==, "two");
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.show-text", "(ss)", "three", "");
  g_assert_cmpstr (hs_side_peek_text (side (fixture)), ==, "three");
  g_assert_null (hs_side_peek_pair (side (fixture)));
}

static void
test_text_file (Fixture *fixture, gconstpointer data)
{
  static const struct {
    const char *bytes, *text;
  } cases[] = {
      {"A cat.\n", "A cat."},
      {"\xef\xbb\xbf貓\r\n", "貓"},
      {" two\nlines \n\n", " two\nlines "},
      {"", ""},
  };

  (void)data;
  hs_side_set_pair (side (fixture), "pair");
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    open_bytes (fixture, cases[i].bytes, strlen (cases[i].bytes));
    g_assert_cmpstr (hs_side_peek_text (side (fixture)), ==, cases[i].text);
    g_assert_null (hs_side_peek_pair (side (fixture)));
  }
}

static void
assert_refused (Fixture *fixture, const char *why)
{
  g_autofree char *labels =
      ui_test_dup_labels (gtk_window_get_child (GTK_WINDOW (fixture->window)));

  g_assert_cmpstr (hs_side_peek_text (side (fixture)), ==, "Before.");
  g_assert_nonnull (strstr (labels, why));
}

static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autofree char *book = g_strnfill ((1 << 20) + 1, 'x');

  (void)data;
  open_bytes (fixture, "a\xff", 2);
  assert_refused (fixture, "is no text in UTF-8");
  open_bytes (fixture, "a\0b", 3);
  assert_refused (fixture, "is no text in UTF-8");
  open_bytes (fixture, book, strlen (book));
  assert_refused (fixture, "is longer than 1 MiB");
  g_assert_cmpint (g_unlink (fixture->path), ==, 0);
  g_assert_cmpint (mkfifo (fixture->path, 0600), ==, 0);
  open_path (fixture, fixture->path);
  assert_refused (fixture, "is no regular file");
  g_assert_cmpint (g_unlink (fixture->path), ==, 0);
  open_path (fixture, "/no/such/file.txt");
  assert_refused (fixture, "/no/such/file.txt");
  for (size_t i = 99; i < strlen (book); i += 100)
    book[i] = '\n';
  book[(1 << 20) - 1] = 'x'; /* or it would be the file's last line end */
  open_bytes (fixture, book, strlen (book) - 1);
  g_assert_cmpuint (strlen (hs_side_peek_text (side (fixture))), ==, 1 << 20);
}

/* Returns: (nullable): the dialog over the window. */
static GtkWidget *
find_alert (Fixture *fixture)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) each = g_list_model_get_item (windows, i);
    if (GTK_IS_MESSAGE_DIALOG (each) &&
        gtk_window_get_transient_for (GTK_WINDOW (each)) == GTK_WINDOW (fixture->window))
      return each;
  }
  return NULL;
}

static bool
is_told (gpointer fixture)
{
  return find_alert (fixture) != NULL;
}

/* A folder that is no model changes nothing, and it is said why. */
static void
test_no_model (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  AttnModel *before = hs_side_peek_model (side (fixture));
  GtkWidget *alert;
  g_autofree char *labels = NULL;

  (void)data;
  open_path (fixture, fixture->folder);
  ui_test_wait (is_told, fixture);
  alert = find_alert (fixture);
  labels = ui_test_dup_labels (alert);
  g_assert_nonnull (strstr (labels, "the one before stays"));
  g_assert_nonnull (strstr (labels, fixture->folder));
  gtk_dialog_response (GTK_DIALOG (alert), GTK_RESPONSE_CLOSE);
  ui_test_wait_state (session, HS_STATE_READY);
  g_assert_true (hs_side_peek_model (side (fixture)) == before);
  g_assert_nonnull (hs_session_peek_panels (session));
  g_assert_cmpstr (hs_updater_peek_name (fixture->desk.updater), ==, "demo");
}

static guint
count_alerts (Fixture *fixture)
{
  GListModel *windows = gtk_window_get_toplevels ();
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) each = g_list_model_get_item (windows, i);
    n += GTK_IS_MESSAGE_DIALOG (each) &&
         gtk_window_get_transient_for (GTK_WINDOW (each)) == GTK_WINDOW (fixture->window);
  }
  return n;
}

/* Dropping goes on while an alert stands there: it is always the newest one, alone. */
static void
test_alerts (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_dir_make_tmp ("headscope-other-XXXXXX", NULL);
  const char *const folders[] = {fixture->folder, other, fixture->folder, other};
  GtkWidget *before = NULL;

  (void)data;
  for (size_t i = 0; i < G_N_ELEMENTS (folders); i++) {
    g_autofree char *labels = NULL;

    open_path (fixture, folders[i]);
    while (find_alert (fixture) == before)
      g_main_context_iteration (NULL, TRUE);
    g_assert_cmpuint (count_alerts (fixture), ==, 1);
    before = find_alert (fixture);
    labels = ui_test_dup_labels (before);
    g_assert_nonnull (strstr (labels, folders[i]));
  }
  gtk_dialog_response (GTK_DIALOG (before), GTK_RESPONSE_CLOSE);
  g_assert_cmpuint (count_alerts (fixture), ==, 0);
  g_assert_cmpint (g_rmdir (other), ==, 0);
}

static void
test_folder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *demo = attn_hub_find_model ("demo", NULL);

  (void)data;
  open_path (fixture, demo);
  ui_test_wait_state (fixture->desk.session, HS_STATE_READY);
  g_assert_cmpstr (hs_updater_peek_name (fixture->desk.updater), ==, demo);
}

/* Weights beside their config are a model, too. */
static void
test_weight_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = test_data_path ("golden/models/bert");
  g_autofree char *weights = g_build_filename (folder, "model.safetensors", NULL);

  (void)data;
  open_path (fixture, weights);
  ui_test_wait_state (fixture->desk.session, HS_STATE_READY);
  g_assert_cmpstr (attn_model_peek_folder (hs_side_peek_model (side (fixture))), ==, folder);
}

/* Of two files given one after the other the newer one is shown, and none once the window is gone.
 */
static void
test_newest (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (fixture->path);
  g_autoptr (GFile) other = g_file_new_for_path ("/no/such/file");

  (void)data;
  g_assert_true (g_file_set_contents (fixture->path, "newest", -1, NULL));
  hs_open_file (GTK_APPLICATION_WINDOW (fixture->window), other);
  hs_open_file (GTK_APPLICATION_WINDOW (fixture->window), file);
  hs_work_drain ();
  g_assert_cmpstr (hs_side_peek_text (side (fixture)), ==, "newest");
  hs_side_set_text (side (fixture), "typed");
  hs_open_file (GTK_APPLICATION_WINDOW (fixture->window), file);
  /* tear_down closes the window while the file is read */
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *path;
    void (*test) (Fixture *, gconstpointer);
  } tests[] = {
      {"/open/action", test_action},   {"/open/text-file", test_text_file},
      {"/open/refused", test_refused}, {"/open/no-model", test_no_model},
      {"/open/alerts", test_alerts},   {"/open/folder", test_folder},
      {"/open/newest", test_newest},   {"/open/weight-file", test_weight_file},
  };

  gtk_test_init (&argc, &argv);
  hs_application_prepare ();
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);
  return g_test_run ();
}
