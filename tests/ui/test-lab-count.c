/* SPDX-License-Identifier: MIT */
/* The lab's head counts: sums that add up, and times that are measured, stopped and saved. */
#include "hs-application.h"
#include "hs-lab-count.h"
#include "hs-lab-time.h"
#include "hs-run-strip.h"
#include "hs-work.h"
#include "lab-window.h"

#include <glib/gstdio.h>

#include <string.h>

/* ---- head counts ---- */

static void
test_count (void)
{
  LabWindow fixture;

  lab_window_open (&fixture);
  gpointer page = lab_window_open_page (&fixture, ATTN_DRAW_LAB_HEAD_COUNT);
  GtkAdjustment *d_model = lab_window_find_adjustment (page, "d_model"),
                *heads = lab_window_find_adjustment (page, "heads");
  /* begins with the model */
  g_assert_cmpfloat (gtk_adjustment_get_value (d_model), ==, 256);
  g_assert_cmpfloat (gtk_adjustment_get_value (heads), ==, 8);
  g_assert_nonnull (strstr (lab_window_peek_label (page, "verdict"), "256 / 8 = 32"));

  gtk_adjustment_set_value (d_model, 512);
  gtk_adjustment_set_value (heads, 7);
  g_assert_nonnull (
      strstr (lab_window_peek_label (page, "verdict"), "7 heads alike cannot make 512"));
  GtkWidget *eight = ui_test_find_button (page, "8 heads");
  g_assert_nonnull (eight);
  g_assert_nonnull (ui_test_find_button (page, "4 heads"));
  g_assert_nonnull (ui_test_find_button (page, "d_model 511"));
  g_assert_nonnull (ui_test_find_button (page, "d_model 518"));
  g_signal_emit_by_name (eight, "clicked");
  g_assert_cmpfloat (gtk_adjustment_get_value (heads), ==, 8);
  g_assert_null (ui_test_find_button (page, "8 heads"));

  gtk_adjustment_set_value (lab_window_find_adjustment (page, "layers"), 6);
  gtk_adjustment_set_value (lab_window_find_adjustment (page, "tokens"), 100);
  g_autofree char *same = ui_test_dup_labels (
      GTK_WIDGET (gtk_widget_get_template_child (page, HS_TYPE_LAB_COUNT, "same_grid")));
  g_autofree char *changing = ui_test_dup_labels (
      GTK_WIDGET (gtk_widget_get_template_child (page, HS_TYPE_LAB_COUNT, "changing_grid")));
  g_assert_nonnull (strstr (same, "|4·d_model²|")); /* by the name the number is chosen by */
  g_assert_nonnull (strstr (changing, "|d_model / h|"));
  g_assert_nonnull (strstr (same, "|1,048,576|"));        /* 4 · 512² */
  g_assert_nonnull (strstr (same, "|1,050,624|"));        /* and 4 · 512 */
  g_assert_nonnull (strstr (same, "|6,291,456|"));        /* six of them */
  g_assert_nonnull (strstr (changing, "|8|64|480,000|")); /* 8 · 100² · 6 */
  g_assert_nonnull (strstr (lab_window_peek_label (page, "source"), "Vaswani"));
  lab_window_close (&fixture);
}

/* An example that is chosen fills the numbers in. */
static void
test_examples (void)
{
  LabWindow fixture;

  lab_window_open (&fixture);
  gpointer page = lab_window_open_page (&fixture, ATTN_DRAW_LAB_HEAD_COUNT);
  GtkDropDown *drop =
      GTK_DROP_DOWN (gtk_widget_get_template_child (page, HS_TYPE_LAB_COUNT, "preset_drop"));
  gtk_drop_down_set_selected (drop, 4); /* BERT-base */
  g_assert_cmpfloat (gtk_adjustment_get_value (lab_window_find_adjustment (page, "d_model")), ==,
                     768);
  g_assert_cmpfloat (gtk_adjustment_get_value (lab_window_find_adjustment (page, "heads")), ==, 12);
  g_assert_nonnull (strstr (lab_window_peek_label (page, "source"), "Devlin"));
  gtk_adjustment_set_value (lab_window_find_adjustment (page, "heads"), 16);
  g_assert_cmpuint (gtk_drop_down_get_selected (drop), ==, 0);
  lab_window_close (&fixture);
}

/* ---- times ---- */

static bool
is_timed (gpointer panel)
{
  return !hs_lab_time_is_running (panel);
}

static void
test_time (void)
{
  LabWindow fixture;
  size_t n;

  lab_window_open (&fixture);
  gpointer page = lab_window_open_page (&fixture, ATTN_DRAW_LAB_HEAD_COUNT);
  HsLabTime *panel = HS_LAB_TIME (ui_test_find (page, HS_TYPE_LAB_TIME));
  gtk_adjustment_set_value (lab_window_find_adjustment (page, "d_model"), 16);
  gtk_adjustment_set_value (lab_window_find_adjustment (page, "tokens"), 8);
  g_assert_null (hs_lab_time_peek_timings (panel, &n));
  hs_lab_time_start (panel);
  ui_test_wait (is_timed, panel);
  const AttnTiming *timings = hs_lab_time_peek_timings (panel, &n);
  g_assert_cmpuint (n, ==, 5); /* 1, 2, 4, 8, 16 */
  for (size_t i = 0; i < n; i++) {
    g_assert_cmpuint (timings[i].n_heads, ==, (size_t)1 << i);
    g_assert_cmpfloat (timings[i].median, >, 0);
  }
  lab_window_close (&fixture);
}

static gpointer
open_times (LabWindow *fixture, double d_model, double n_tokens)
{
  gpointer page = lab_window_open_page (fixture, ATTN_DRAW_LAB_HEAD_COUNT);

  gtk_adjustment_set_value (lab_window_find_adjustment (page, "d_model"), d_model);
  gtk_adjustment_set_value (lab_window_find_adjustment (page, "tokens"), n_tokens);
  return page;
}

static char *cli; /* the program beside the window */

/* No two measurements are the same, so the line that is copied has the numbers in it; with them it
 * makes the very same picture. */
static void
test_same_times (void)
{
  LabWindow fixture;
  g_autofree char *folder = g_dir_make_tmp ("headscope-lab-XXXXXX", NULL);
  g_autofree char *saved = NULL, *made = NULL;
  gsize saved_length, made_length;

  hs_work_set_n_threads (1);
  lab_window_open (&fixture);
  gpointer page = open_times (&fixture, 16, 8);
  HsLabTime *panel = HS_LAB_TIME (ui_test_find (page, HS_TYPE_LAB_TIME));
  HsRunStrip *strip = HS_RUN_STRIP (ui_test_find (page, HS_TYPE_RUN_STRIP));
  g_assert_null (hs_run_strip_dup_command (strip));
  hs_lab_time_start (panel);
  ui_test_wait (is_timed, panel);
  g_autofree char *command = hs_run_strip_dup_command (strip);
  g_assert_nonnull (strstr (command, "\"threads\":1,")); /* as the preferences say */
  g_assert_nonnull (strstr (command, " --mark 8 "));
  g_autofree char *chosen = g_build_filename (folder, "saved.png", NULL);
  lab_window_set_choice (chosen);
  hs_run_strip_save (strip, "png", lab_window_choose_cb);
  hs_work_drain ();
  g_assert_true (g_file_get_contents (chosen, &saved, &saved_length, NULL));
  g_autofree char *absolute = g_canonicalize_filename (cli, NULL);
  g_autofree char *program = g_shell_quote (absolute);
  g_auto (GStrv) parts = g_strsplit (command, "headscope-cli", 2);
  g_autofree char *shell = g_strconcat (parts[0], program, parts[1], NULL);
  const char *const argv[] = {"sh", "-c", shell, NULL};
  int status = -1;
  g_assert_true (g_spawn_sync (folder, (char **)(gsize)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
                               NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  g_autofree char *path = g_build_filename (folder, "heads-timed.png", NULL);
  g_assert_true (g_file_get_contents (path, &made, &made_length, NULL));
  g_assert_cmpmem (saved, saved_length, made, made_length);
  g_unlink (path);
  g_unlink (chosen);
  g_rmdir (folder);
  hs_work_set_n_threads (0);
  lab_window_close (&fixture);
}

/* What was measured with other numbers says so. */
static void
test_other_shape (void)
{
  LabWindow fixture;

  lab_window_open (&fixture);
  gpointer page = open_times (&fixture, 16, 8);
  HsLabTime *panel = HS_LAB_TIME (ui_test_find (page, HS_TYPE_LAB_TIME));
  hs_lab_time_start (panel);
  ui_test_wait (is_timed, panel);
  g_assert_null (strstr (lab_window_peek_label (panel, "finding"), "d_model"));
  gtk_adjustment_set_value (lab_window_find_adjustment (page, "heads"), 4);
  g_assert_null (strstr (lab_window_peek_label (panel, "finding"), "d_model"));
  gtk_adjustment_set_value (lab_window_find_adjustment (page, "d_model"), 32);
  g_assert_nonnull (strstr (lab_window_peek_label (panel, "finding"),
                            "This was measured with d_model = 16 and T = 8, not with the numbers "
                            "above"));
  gtk_adjustment_set_value (lab_window_find_adjustment (page, "d_model"), 16);
  g_assert_null (strstr (lab_window_peek_label (panel, "finding"), "d_model"));
  lab_window_close (&fixture);
}

/* One block of this shape takes seconds, all of them minutes; its thread ends within some 30 ms,
 * most of them for its memory, and much more where a busy machine has to overwrite that. */
static void
test_stop_at_once (void)
{
  LabWindow fixture;

  lab_window_open (&fixture);
  gpointer page = open_times (&fixture, 1024, 8192);
  HsLabTime *panel = HS_LAB_TIME (ui_test_find (page, HS_TYPE_LAB_TIME));
  hs_lab_time_start (panel);
  g_usleep (G_USEC_PER_SEC / 2);
  const gint64 begin_us = g_get_monotonic_time ();
  hs_lab_time_stop (panel);
  g_assert_false (hs_lab_time_is_running (panel));
  hs_work_drain ();
  const double took_ms = (double)(g_get_monotonic_time () - begin_us) / 1e3;
  g_test_message ("%.0f ms", took_ms);
  g_assert_cmpfloat (took_ms, <, 1500);
  lab_window_close (&fixture);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv);
  hs_application_prepare ();
  g_assert_cmpint (argc, >=, 2);
  cli = argv[1];
  g_test_add_func ("/lab-count/count", test_count);
  g_test_add_func ("/lab-count/examples", test_examples);
  g_test_add_func ("/lab-count/time", test_time);
  g_test_add_func ("/lab-count/same-times", test_same_times);
  g_test_add_func ("/lab-count/other-shape", test_other_shape);
  g_test_add_func ("/lab-count/stop-at-once", test_stop_at_once);
  return g_test_run ();
}
