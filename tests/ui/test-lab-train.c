/* SPDX-License-Identifier: MIT */
/* The lab's training: the core's numbers to the digit, stopped at once, and its files. */
#include "hs-application.h"
#include "hs-lab-train.h"
#include "hs-run-strip.h"
#include "hs-work.h"
#include "lab-window.h"

#include "attn/lab-text.h"

#include <glib/gstdio.h>

#include <string.h>

static bool
has_finding (gpointer page)
{
  return gtk_widget_get_visible (
      GTK_WIDGET (gtk_widget_get_template_child (page, G_OBJECT_TYPE (page), "finding")));
}

/* To the digit what the core measures by itself, and so what the command line prints. */
static void
test_train (void)
{
  LabWindow fixture;

  lab_window_open (&fixture);
  gpointer page = lab_window_open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  lab_window_set_training (page, 2, 20);
  hs_lab_train_start (page);
  g_assert_true (hs_lab_train_is_running (page));
  lab_window_wait_trained (page);
  const AttnExperiment *measured = hs_lab_train_peek_experiment (page);
  g_autoptr (AttnExperiment) again =
      attn_experiment_new (attn_experiment_peek_options (measured), NULL);
  g_assert_true (attn_experiment_run (again, NULL, NULL, NULL, NULL));
  g_autofree char *csv = attn_experiment_dup_csv (measured);
  g_autofree char *csv_again = attn_experiment_dup_csv (again);
  g_assert_cmpstr (csv, ==, csv_again);
  g_autofree char *finding = hs_lab_train_dup_finding (again);
  g_assert_cmpstr (lab_window_peek_label (page, "finding"), ==, finding);
  g_assert_true (has_finding (page));
  g_assert_true (g_str_has_prefix (finding, "The lowest loss was measured with "));
  lab_window_close (&fixture);
}

static bool
has_points (gpointer page)
{
  const AttnExperiment *experiment = hs_lab_train_peek_experiment (page);
  size_t n;

  attn_experiment_peek_points (experiment, 0, 0, &n);
  return n > 1;
}

/* At once, and what has come stays. */
static void
test_stop (void)
{
  LabWindow fixture;
  size_t n, n_later;

  lab_window_open (&fixture);
  gpointer page = lab_window_open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  lab_window_set_training (page, 20, 4000);
  hs_lab_train_start (page);
  ui_test_wait (has_points, page);
  hs_lab_train_stop (page);
  g_assert_false (hs_lab_train_is_running (page));
  attn_experiment_peek_points (hs_lab_train_peek_experiment (page), 0, 0, &n);
  g_assert_cmpuint (n, >, 1);
  hs_work_drain ();
  attn_experiment_peek_points (hs_lab_train_peek_experiment (page), 0, 0, &n_later);
  g_assert_cmpuint (n_later, ==, n);
  lab_window_close (&fixture);
}

static bool
has_result (gpointer page)
{
  const AttnExperiment *experiment = hs_lab_train_peek_experiment (page);
  return attn_experiment_find_best (experiment) != G_MAXSIZE;
}

/* The line of a training that was stopped makes what there is of it, and no more. */
static void
test_stopped_command (void)
{
  LabWindow fixture;

  lab_window_open (&fixture);
  gpointer page = lab_window_open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  lab_window_set_training (page, 900, 20);
  hs_lab_train_start (page);
  g_assert_false (has_finding (page)); /* and no empty line in its place */
  ui_test_wait (has_result, page);
  hs_lab_train_stop (page);
  const AttnExperiment *experiment = hs_lab_train_peek_experiment (page);
  g_autofree char *points =
      g_strdup_printf (" --points %zu ", attn_experiment_count_points (experiment));
  g_autofree char *command =
      hs_run_strip_dup_command (HS_RUN_STRIP (ui_test_find (page, HS_TYPE_RUN_STRIP)));
  g_assert_false (attn_experiment_is_whole (experiment));
  if (strstr (command, points) == NULL)
    g_error ("\"%s\" is not in %s", points, command);
  hs_work_drain ();
  lab_window_close (&fixture);
}

/* A page that is closed while it measures ends its work. */
static void
test_closed (void)
{
  LabWindow fixture;

  lab_window_open (&fixture);
  gpointer page = lab_window_open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  lab_window_set_training (page, 20, 4000);
  hs_lab_train_start (page);
  ui_test_wait (has_points, page);
  gtk_window_destroy (GTK_WINDOW (fixture.window));
  g_assert_finalize_object (fixture.window);
  hs_work_drain ();
  ui_test_drain (fixture.desk.engine);
  ui_test_desk_close (&fixture.desk);
}

/* ---- files ---- */

static void
check_file (HsRunStrip *strip, const char *format, const char *start)
{
  g_autofree char *folder = g_dir_make_tmp ("headscope-lab-XXXXXX", NULL);
  g_autofree char *content = NULL;

  g_autofree char *chosen = g_strdup_printf ("%s/curves.%s", folder, format);
  lab_window_set_choice (chosen);
  hs_run_strip_save (strip, format, lab_window_choose_cb);
  hs_work_drain ();
  g_assert_true (g_file_get_contents (chosen, &content, NULL, NULL));
  g_assert_true (g_str_has_prefix (content, start));
  g_unlink (chosen);
  g_rmdir (folder);
}

static void
test_files (void)
{
  LabWindow fixture;

  lab_window_open (&fixture);
  gpointer page = lab_window_open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  HsRunStrip *strip = HS_RUN_STRIP (ui_test_find (page, HS_TYPE_RUN_STRIP));
  hs_run_strip_save (strip, "png", lab_window_choose_cb); /* there is nothing: nobody is asked */
  lab_window_set_training (page, 1, 20);
  hs_lab_train_start (page);
  lab_window_wait_trained (page);
  check_file (strip, "csv", "heads,d_k,seed,step,loss,previous,first,marked\n1,32,1,0,");
  check_file (strip, "json", "{\"d_model\":32,");
  check_file (strip, "png", "\x89PNG");
  check_file (strip, "svg", "<?xml");
  check_file (strip, "pdf", "%PDF");
  lab_window_close (&fixture);
}

static char *cli; /* the program beside the window */

/* Training gives the same numbers each time, so the line a chart tells makes the very same file. */
static void
test_same_chart (void)
{
  LabWindow fixture;
  g_autofree char *folder = g_dir_make_tmp ("headscope-lab-XXXXXX", NULL);
  g_autofree char *content = NULL, *printed = NULL;
  g_auto (GStrv) words = NULL;
  int status = -1;

  lab_window_open (&fixture);
  hs_session_set_font (fixture.desk.session, "Serif", 12);
  gpointer page = lab_window_open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  lab_window_set_training (page, 1, 20);
  hs_lab_train_start (page);
  lab_window_wait_trained (page);
  g_autofree char *chosen = g_strdup_printf ("%s/curves.svg", folder);
  lab_window_set_choice (chosen);
  hs_run_strip_save (HS_RUN_STRIP (ui_test_find (page, HS_TYPE_RUN_STRIP)), "svg",
                     lab_window_choose_cb);
  hs_work_drain ();
  g_assert_true (g_file_get_contents (chosen, &content, NULL, NULL));
  const char *told = strstr (content, "made by: headscope-cli ");
  g_assert_nonnull (told);
  told += strlen ("made by: headscope-cli ");
  g_autofree char *asked = g_strndup (told, strcspn (told, "<"));
  g_autofree char *program = g_shell_quote (cli);
  g_autofree char *line = g_strdup_printf ("%s %s --format svg", program, asked);
  g_assert_nonnull (strstr (line, " --font Serif"));
  g_assert_true (g_shell_parse_argv (line, NULL, &words, NULL));
  g_assert_true (
      g_spawn_sync (NULL, words, NULL, G_SPAWN_DEFAULT, NULL, NULL, &printed, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpstr (content, ==, printed);
  g_unlink (chosen);
  g_rmdir (folder);
  lab_window_close (&fixture);
}

/* One dialog for all kinds of file: the name's ending says which; a name without is refused. */
static void
check_export (GtkWidget *strip, const char *ending, const char *start)
{
  g_autofree char *folder = g_dir_make_tmp ("headscope-lab-XXXXXX", NULL);
  g_autofree char *content = NULL;

  g_autofree char *chosen = g_strconcat (folder, "/what was measured", ending, NULL);
  lab_window_set_choice (chosen);
  hs_run_strip_save (HS_RUN_STRIP (strip), NULL, lab_window_choose_cb);
  hs_work_drain ();
  g_assert_true (g_file_get_contents (chosen, &content, NULL, NULL) == (start != NULL));
  g_assert_true (start == NULL || g_str_has_prefix (content, start));
  g_unlink (chosen);
  g_rmdir (folder);
}

static void
test_export (void)
{
  LabWindow fixture;

  lab_window_open (&fixture);
  gpointer page = lab_window_open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  GtkWidget *strip = ui_test_find (page, HS_TYPE_RUN_STRIP);
  lab_window_set_training (page, 1, 20);
  hs_lab_train_start (page);
  lab_window_wait_trained (page);
  check_export (strip, ".svg", "<?xml");
  check_export (strip, ".PDF", "%PDF");
  check_export (strip, ".json", "{\"d_model\":32,");
  check_export (strip, "", NULL);
  check_export (strip, ".doc", NULL);
  g_assert_nonnull (
      strstr (lab_window_peek_label (strip, "sentence"), ".png, .svg, .pdf, .csv or .json"));
  lab_window_close (&fixture);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv);
  hs_application_prepare ();
  g_assert_cmpint (argc, >=, 2);
  cli = argv[1];
  g_test_add_func ("/lab-train/train", test_train);
  g_test_add_func ("/lab-train/stop", test_stop);
  g_test_add_func ("/lab-train/stopped-command", test_stopped_command);
  g_test_add_func ("/lab-train/closed", test_closed);
  g_test_add_func ("/lab-train/files", test_files);
  g_test_add_func ("/lab-train/same-chart", test_same_chart);
  g_test_add_func ("/lab-train/export", test_export);
  return g_test_run ();
}
