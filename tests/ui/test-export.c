/* SPDX-License-Identifier: MIT */
/* Export from the window: the same bytes as the shared writer, by the dialog too, and failures. */
#include "hs-export-dialog.h"
#include "hs-export.h"
#include "hs-numbers.h"
#include "hs-resources.h"
#include "hs-work.h"
#include "test-util.h"
#include "ui-test.h"

#include "attn-hub/store.h"
#include "attn/error.h"
#include "attn/run.h"

#include <glib/gstdio.h>
#include <gtk/gtk.h>

#include <math.h>
#include <string.h>

#define TEXT "The cat sat on the mat."

/* A session that shows the shipped model's maps of TEXT. */
static HsSession *
new_session (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = attn_hub_find_model ("demo", &error);
  g_autoptr (AttnModel) model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  AttnTokenizerInput input = {TEXT, strlen (TEXT), NULL, 0, 0};
  g_autoptr (AttnTokens) tokens =
      attn_tokenizer_encode (attn_model_peek_tokenizer (model), &input, &error);
  g_autoptr (AttnTrace) trace = attn_model_run (model, tokens, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
  HsSession *session = hs_session_new ();
  g_autoptr (AttnDrawPanels) panels =
      attn_draw_panels_new (hs_session_peek_asked (session), maps, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  hs_session_show (session, panels, hs_session_peek_asked (session));
  return session;
}

static const HsExportOptions paper_svg = {.format = ATTN_DRAW_SVG, .scale = 1, .width_px = 600};

typedef struct {
  GAsyncResult *result;
} Waiter;

static void
take_result_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  (void)source;
  ((Waiter *)data)->result = g_object_ref (result);
}

static GAsyncResult *
wait_for (Waiter *waiter)
{
  while (waiter->result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return waiter->result;
}

static HsExportFile *
make (HsExport *export, const HsExportWish *wish, GError **error)
{
  Waiter waiter = {NULL};
  hs_export_make_async (export, wish, NULL, take_result_cb, &waiter);
  HsExportFile *file = hs_export_make_finish (wait_for (&waiter), error);
  g_object_unref (waiter.result);
  return file;
}

static HsExportFile *
make_good (HsSession *session, const HsExportOptions *options)
{
  GError *error = NULL;
  g_autoptr (HsExport) export = hs_export_new (session, options);
  const HsExportWish wish = {.preview_px = 300};
  HsExportFile *file = make (export, &wish, &error);
  g_assert_no_error (error);
  return file;
}

static void
test_bytes (void)
{
  HsSession *session = new_session ();
  g_autoptr (HsExportFile) one = make_good (session, &paper_svg);
  g_autoptr (HsExportFile) two = make_good (session, &paper_svg);
  g_assert_true (g_bytes_equal (one->bytes, two->bytes));
  const char *svg = g_bytes_get_data (one->bytes, NULL);
  g_assert_nonnull (g_strstr_len (svg, -1, TEXT));
  g_assert_nonnull (g_strstr_len (svg, -1, "weights: SHA-256 "));
  g_assert_null (g_strstr_len (svg, -1, "not known"));
  g_assert_cmpuint (one->n_pages, ==, 1);
  g_assert_cmpfloat_with_epsilon (one->width, 600 * 25.4 / 96, 1e-6); /* mm */
  g_assert_cmpuint (one->preview->len, ==, 1);
  GdkTexture *preview = g_ptr_array_index (one->preview, 0);
  g_assert_cmpint (gdk_texture_get_width (preview), >, 100);
  g_assert_cmpint (MAX (gdk_texture_get_width (preview), gdk_texture_get_height (preview)), <=,
                   301);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (session);
}

static void
assert_holds_bytes (GBytes *bytes, const char *words)
{
  gsize size = 0;
  const void *data = g_bytes_get_data (bytes, &size);
  g_assert_nonnull (memmem (data, size, words, strlen (words)));
}

/* All layers although one head is on screen; paper in several pages. */
static void
test_sheet (void)
{
  HsSession *session = new_session ();
  HsExportOptions options = {
      .what = HS_EXPORT_SHEET,
      .format = ATTN_DRAW_PDF,
      .width_px = 600,
      .page = {ATTN_DRAW_PAGE_A5, true},
  };
  g_autoptr (HsExportFile) pdf = make_good (session, &options);
  g_assert_cmpfloat_with_epsilon (pdf->width, 210, 0.01);
  g_assert_cmpfloat_with_epsilon (pdf->height, 148, 0.01);
  g_assert_cmpuint (pdf->n_pages, ==, pdf->preview->len);
  options.format = ATTN_DRAW_SVG;
  g_autoptr (HsExportFile) svg = make_good (session, &options);
  assert_holds_bytes (svg->bytes, "view: layers");
  g_autoptr (HsExport) export = hs_export_new (session, &options);
  g_autofree char *name = hs_export_dup_file_name (export);
  g_assert_cmpstr (name, ==, "Built-in-model-all-layers.svg");
  g_autofree char *command = hs_export_dup_command (export, name);
  g_assert_nonnull (strstr (command, "--view layers"));
  g_autoptr (HsExport) png = hs_export_dup_as (export, ATTN_DRAW_PNG);
  g_autoptr (HsExportFile) image = make (png, NULL, NULL);
  g_assert_cmpint (memcmp (g_bytes_get_data (image->bytes, NULL), "\x89PNG", 4), ==, 0);
  g_assert_null (image->preview);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (session);
}

/* Stopped before it has begun: no file, and said so. */
static void
test_stop (void)
{
  HsSession *session = new_session ();
  HsExportOptions options = {.what = HS_EXPORT_SHEET, .scale = 2, .width_px = 600};
  g_autoptr (HsExport) export = hs_export_new (session, &options);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  Waiter waiter = {NULL};
  g_cancellable_cancel (cancellable);
  hs_export_make_async (export, NULL, cancellable, take_result_cb, &waiter);
  g_assert_null (hs_export_make_finish (wait_for (&waiter), &error));
  g_assert_true (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ||
                 g_error_matches (error, ATTN_ERROR, ATTN_ERROR_CANCELLED));
  g_object_unref (waiter.result);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (session);
}

/* The command names the model, the text and the width, and the file quoted. */
static void
test_command (void)
{
  HsSession *session = new_session ();
  g_autoptr (HsExport) export = hs_export_new (session, &paper_svg);
  g_autofree char *command = hs_export_dup_command (export, "my file.svg");
  g_assert_true (g_str_has_prefix (command, "headscope-cli render --model demo "));
  g_assert_nonnull (strstr (command, "'" TEXT "'"));
  g_assert_nonnull (strstr (command, "--width-px 600"));
  g_assert_nonnull (strstr (command, "'my file.svg'"));
  g_autofree char *name = hs_export_dup_file_name (export);
  g_assert_cmpstr (name, ==, "Built-in-model-layer-1-head-1.svg");
  g_assert_finalize_object (session);
}

/* ---- numbers ---- */

static void
assert_numbers (HsSession *session, AttnExportFormat format, HsNumbersExtent extent)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HsNumbers) numbers = hs_numbers_new (session, format, extent);
  AttnMaps *maps = attn_draw_panels_peek_maps (hs_session_peek_panels (session));
  AttnModel *model = attn_trace_peek_model (attn_maps_peek_trace (maps));
  const AttnExportAbout about = {
      .model_name = ATTN_MODEL_BUILT_IN,
      .weights_sha256 = attn_model_compute_sha256 (model, NULL, NULL, NULL),
  };
  const AttnExportChoice choice = {
      .about = &about,
      .all_layers = extent == HS_NUMBERS_ALL,
      .all_heads = extent != HS_NUMBERS_MAP,
  };
  g_autofree char *folder = g_dir_make_tmp ("headscope-numbers-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "window", NULL);
  g_autofree char *wanted_path = g_build_filename (folder, "core", NULL);
  Waiter waiter = {NULL};
  hs_numbers_save_async (numbers, path, NULL, NULL, NULL, take_result_cb, &waiter);
  g_autofree char *written = hs_numbers_save_finish (wait_for (&waiter), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (written, ==, path);
  g_clear_object (&waiter.result);
  g_assert_true (attn_export_to_file (maps, &choice, format, wanted_path, &error));
  gsize size = 0, wanted_size = 0;
  g_autofree char *content = test_read_file (path, &size);
  g_autofree char *wanted = test_read_file (wanted_path, &wanted_size);
  g_assert_cmpmem (content, size, wanted, wanted_size);
  hs_numbers_sample_async (numbers, NULL, take_result_cb, &waiter);
  g_autoptr (HsNumbersSample) sample = hs_numbers_sample_finish (wait_for (&waiter), &error);
  g_assert_no_error (error);
  g_clear_object (&waiter.result);
  g_assert_cmpuint (sample->n_maps, ==,
                    extent == HS_NUMBERS_ALL     ? 32
                    : extent == HS_NUMBERS_LAYER ? 8
                                                 : 1);
  if (format == ATTN_EXPORT_CSV)
    g_assert_true (g_str_has_prefix (content, sample->text));
  if (format == ATTN_EXPORT_JSON)
    g_assert_nonnull (strstr (content, about.weights_sha256));
  if (extent == HS_NUMBERS_MAP)
    g_assert_cmpuint (sample->n_bytes, ==, size); /* one map is the sample itself */
  else /* tokens and headers are counted with every map */
    g_assert_cmpfloat (fabs ((double)sample->n_bytes / (double)size - 1), <, 0.6);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_remove (wanted_path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_numbers (void)
{
  static const AttnExportFormat formats[] = {ATTN_EXPORT_CSV, ATTN_EXPORT_JSON, ATTN_EXPORT_NPZ};
  HsSession *session = new_session ();
  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++)
    for (unsigned extent = HS_NUMBERS_MAP; extent <= HS_NUMBERS_ALL; extent++)
      assert_numbers (session, formats[i], (HsNumbersExtent)extent);
  g_autoptr (HsNumbers) numbers = hs_numbers_new (session, ATTN_EXPORT_CSV, HS_NUMBERS_LAYER);
  g_autofree char *name = hs_numbers_dup_file_name (numbers);
  g_assert_cmpstr (name, ==, "Built-in-model-layer-1-heads.csv");
  g_autofree char *command = hs_numbers_dup_command (numbers, name);
  g_assert_cmpstr (command, ==,
                   "headscope-cli attention --model demo --text '" TEXT
                   "' --layer 1 --format csv -o Built-in-model-layer-1-heads.csv");
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (session);
}

/* A row for each query, a column for each key, and the digits of every other export. */
static void
test_table (void)
{
  HsSession *session = new_session ();
  g_autoptr (HsNumbers) numbers = hs_numbers_new (session, ATTN_EXPORT_CSV, HS_NUMBERS_MAP);
  g_autofree char *table = hs_numbers_dup_table (numbers, NULL);
  g_auto (GStrv) rows = g_strsplit (table, "\n", -1);
  const AttnMap *map = hs_session_peek_map (session);
  g_assert_cmpuint (g_strv_length (rows), ==, map->n_queries + 2); /* the last line ends, too */
  g_assert_cmpstr (rows[0], ==, "\t[CLS]\tthe\tcat\tsat\ton\tthe\tmat\t.\t[SEP]");
  for (size_t query = 0; query < map->n_queries; query++) {
    g_auto (GStrv) fields = g_strsplit (rows[query + 1], "\t", -1);
    g_assert_cmpuint (g_strv_length (fields), ==, map->n_keys + 1);
    for (size_t key = 0; key < map->n_keys; key++) {
      float weight = map->weights[query * map->n_keys + key];
      g_assert_true ((float)g_ascii_strtod (fields[key + 1], NULL) == weight);
    }
  }
  g_assert_finalize_object (session);
}

static void
test_nothing_shown (void)
{
  HsSession *session = hs_session_new ();
  g_assert_null (hs_export_new (session, &paper_svg));
  g_assert_finalize_object (session);
}

/* ---- the dialog ---- */

static char *chosen_path; /* what the stand-in for the file chooser answers; NULL cancels */
static char *said;        /* what the dialog said when done */

static void
answer_at_once (GtkWindow *parent, const HsQuestion *question, HsPathFunc done, gpointer data)
{
  (void)parent;
  g_assert_true (g_str_has_suffix (question->name, ".png"));
  done (g_strdup (chosen_path), data);
}

static void
done_cb (HsExportDialog *dialog, const char *message, gpointer data)
{
  (void)dialog;
  (void)data;
  g_free (said);
  said = g_strdup (message);
}

static void
spin_until (gboolean (*is_done) (GtkWidget *dialog), GtkWidget *dialog)
{
  gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  while (!is_done (dialog) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (is_done (dialog));
}

static gboolean
has_said (GtkWidget *dialog)
{
  (void)dialog;
  return said != NULL;
}

static GtkWidget *
find_problem (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_has_css_class (widget, "error"))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_problem (child);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static gboolean
has_problem (GtkWidget *dialog)
{
  return gtk_widget_get_visible (find_problem (dialog));
}

static GtkWidget *
press_save (HsPicture *picture)
{
  g_clear_pointer (&said, g_free);
  HsExportOptions options;
  hs_export_options_init (&options, NULL);
  GtkWidget *dialog = hs_export_dialog_new (NULL, picture, &options);
  hs_export_dialog_set_ask (HS_EXPORT_DIALOG (dialog), answer_at_once);
  g_signal_connect (dialog, "done", G_CALLBACK (done_cb), NULL);
  gtk_window_present (GTK_WINDOW (dialog));
  g_signal_emit_by_name (ui_test_find_button (dialog, "_Save…"), "clicked");
  return dialog;
}

/* Looks at the file's first bytes and removes it. */
static void
assert_starts_with (const char *path, const char *magic)
{
  g_autofree char *content = NULL;
  g_assert_true (g_file_get_contents (path, &content, NULL, NULL));
  g_assert_cmpint (memcmp (content, magic, strlen (magic)), ==, 0);
  g_assert_cmpint (g_remove (path), ==, 0);
}

/* A save that waits for its picture is given up by the button; the next one goes well. */
static void
test_dialog_stopped (void)
{
  HsSession *session = new_session ();
  GtkWidget *picture = g_object_ref_sink (hs_picture_new (session));
  g_autofree char *folder = g_dir_make_tmp ("headscope-export-XXXXXX", NULL);
  GtkWidget *dialog;
  int minimum;
  gtk_widget_measure (picture, GTK_ORIENTATION_VERTICAL, -1, &minimum, NULL, NULL, NULL);
  gtk_widget_size_allocate (picture, &(GtkAllocation){0, 0, 600, 500}, -1);
  chosen_path = g_build_filename (folder, "stopped.png", NULL);
  dialog = press_save (HS_PICTURE (picture));
  g_signal_emit_by_name (ui_test_find_button (dialog, "S_top"), "clicked");
  g_assert_true (has_problem (dialog));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (find_problem (dialog))), ==, "Stopped.");
  for (gint64 end = g_get_monotonic_time () + G_USEC_PER_SEC; g_get_monotonic_time () < end;)
    g_main_context_iteration (NULL, FALSE); /* longer than the picture takes */
  g_assert_null (said);
  g_assert_false (g_file_test (chosen_path, G_FILE_TEST_EXISTS));
  g_signal_emit_by_name (ui_test_find_button (dialog, "_Save…"), "clicked");
  spin_until (has_said, NULL);
  assert_starts_with (chosen_path, "\211PNG");
  g_clear_pointer (&chosen_path, g_free);
  hs_work_drain ();
  g_object_unref (picture);
  g_object_unref (session);
  g_rmdir (folder);
}

/* The dialog stays, and says what is in the clipboard, until something else is chosen. */
static void
test_dialog_copies (void)
{
  HsSession *session = new_session ();
  GtkWidget *picture = g_object_ref_sink (hs_picture_new (session));
  int minimum;
  gtk_widget_measure (picture, GTK_ORIENTATION_VERTICAL, -1, &minimum, NULL, NULL, NULL);
  gtk_widget_size_allocate (picture, &(GtkAllocation){0, 0, 600, 500}, -1);
  HsExportOptions options;
  hs_export_options_init (&options, NULL);
  GtkWidget *dialog = hs_export_dialog_new (NULL, HS_PICTURE (picture), &options);
  gtk_window_present (GTK_WINDOW (dialog));
  g_autofree char *before = ui_test_dup_labels (dialog);
  g_assert_null (strstr (before, "The command is in the clipboard"));
  g_signal_emit_by_name (ui_test_find_button (dialog, "Copy as c_ommand"), "clicked");
  g_assert_true (gtk_widget_get_visible (dialog));
  g_autofree char *after = ui_test_dup_labels (dialog);
  g_assert_nonnull (strstr (after, "The command is in the clipboard"));
  gtk_window_destroy (GTK_WINDOW (dialog));
  hs_work_drain ();
  g_object_unref (picture);
  g_object_unref (session);
}

static void
test_dialog (void)
{
  g_autoptr (GError) error = NULL;
  HsSession *session = new_session ();
  GtkWidget *picture = g_object_ref_sink (hs_picture_new (session));
  int minimum;
  gtk_widget_measure (picture, GTK_ORIENTATION_VERTICAL, -1, &minimum, NULL, NULL, NULL);
  gtk_widget_size_allocate (picture, &(GtkAllocation){0, 0, 600, 500}, -1);
  g_autofree char *folder = g_dir_make_tmp ("headscope-export-XXXXXX", &error);
  g_assert_no_error (error);

  chosen_path = g_build_filename (folder, "圖 1.png", NULL);
  press_save (HS_PICTURE (picture));
  spin_until (has_said, NULL);
  g_assert_nonnull (strstr (said, "圖 1.png"));
  assert_starts_with (chosen_path, "\211PNG");
  g_clear_pointer (&chosen_path, g_free);

  /* the ending decides; without one the chosen format's is added */
  chosen_path = g_build_filename (folder, "a.SVG", NULL);
  press_save (HS_PICTURE (picture));
  spin_until (has_said, NULL);
  assert_starts_with (chosen_path, "<?xml");
  g_clear_pointer (&chosen_path, g_free);
  chosen_path = g_build_filename (folder, "plain.name", NULL);
  press_save (HS_PICTURE (picture));
  spin_until (has_said, NULL);
  g_autofree char *ended = g_strconcat (chosen_path, ".png", NULL);
  assert_starts_with (ended, "\211PNG");
  g_clear_pointer (&chosen_path, g_free);

  /* a folder that is not there: words, and another try */
  chosen_path = g_build_filename (folder, "missing", "x.png", NULL);
  GtkWidget *dialog = press_save (HS_PICTURE (picture));
  spin_until (has_problem, dialog);
  g_assert_null (said);
  g_assert_true (gtk_widget_get_sensitive (ui_test_find_button (dialog, "_Save…")));
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_clear_pointer (&chosen_path, g_free);

  /* the person changed their mind */
  dialog = press_save (HS_PICTURE (picture));
  g_assert_true (gtk_widget_get_sensitive (ui_test_find_button (dialog, "_Save…")));
  g_assert_null (said);
  gtk_window_destroy (GTK_WINDOW (dialog));

  g_clear_pointer (&said, g_free);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  hs_work_drain ();
  g_object_unref (picture);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (session);
}

static GtkWidget *
find_text (GtkWidget *widget)
{
  GtkWidget *found =
      GTK_IS_TEXT (widget) && GTK_IS_SPIN_BUTTON (gtk_widget_get_parent (widget)) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_text (child);
  return found;
}

/* A spin button takes what is typed into it when the focus leaves, be it that the dialog goes. */
static void
test_dialog_closed_while_typing (void)
{
  g_autoptr (HsSession) session = new_session ();
  GtkWidget *picture = g_object_ref_sink (hs_picture_new (session));
  HsExportOptions options;
  GtkWidget *dialog;
  GtkWidget *text;

  hs_export_options_init (&options, NULL);
  dialog = hs_export_dialog_new (NULL, HS_PICTURE (picture), &options);
  gtk_window_present (GTK_WINDOW (dialog));
  text = find_text (dialog);
  g_assert_nonnull (text);
  gtk_widget_grab_focus (text);
  gtk_editable_set_text (GTK_EDITABLE (gtk_widget_get_parent (text)), "77");
  g_object_ref (dialog);
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_assert_finalize_object (dialog);
  g_object_unref (picture);
}

int
main (int argc, char **argv)
{
  g_setenv ("GTK_A11Y", "test", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  hs_register_resource ();
  g_test_add_func ("/export/bytes", test_bytes);
  g_test_add_func ("/export/sheet", test_sheet);
  g_test_add_func ("/export/stop", test_stop);
  g_test_add_func ("/export/dialog-stopped", test_dialog_stopped);
  g_test_add_func ("/export/command", test_command);
  g_test_add_func ("/export/numbers", test_numbers);
  g_test_add_func ("/export/table", test_table);
  g_test_add_func ("/export/nothing-shown", test_nothing_shown);
  g_test_add_func ("/export/dialog", test_dialog);
  g_test_add_func ("/export/dialog-copies", test_dialog_copies);
  g_test_add_func ("/export/dialog-closed-while-typing", test_dialog_closed_while_typing);
  return g_test_run ();
}
