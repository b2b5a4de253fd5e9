/* SPDX-License-Identifier: MIT */
/* The lab: made when it is opened and not before, head counts that add up, measurements that run,
 * stop and are saved, and sessions that come back to it. */
#include "hs-application.h"
#include "hs-export.h"
#include "hs-figure.h"
#include "hs-lab-code.h"
#include "hs-lab-count.h"
#include "hs-lab-time.h"
#include "hs-lab-train.h"
#include "hs-lab.h"
#include "hs-run-strip.h"
#include "hs-session-file.h"
#include "hs-state.h"
#include "hs-terms-row.h"
#include "hs-window.h"
#include "hs-work.h"
#include "test-util.h"
#include "ui-test.h"

#include "attn-draw/session.h"
#include "attn/lab-text.h"

#include <glib/gstdio.h>

#include <string.h>

#define TEXT "The old man saw the boy."

typedef struct {
  UiTestDesk desk;
  GtkWidget *window;
} Fixture;

static void
set_up (Fixture *fixture)
{
  ui_test_desk_open (&fixture->desk, TEXT);
  fixture->window =
      g_object_ref (hs_window_new (NULL, fixture->desk.session, fixture->desk.updater));
  gtk_window_present (GTK_WINDOW (fixture->window));
  gtk_test_widget_wait_for_draw (fixture->window);
}

static void
tear_down (Fixture *fixture)
{
  hs_work_drain ();
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  hs_work_drain ();
  ui_test_drain (fixture->desk.engine);
  g_assert_finalize_object (fixture->window);
  ui_test_desk_close (&fixture->desk);
}

static gpointer
open_page (Fixture *fixture, AttnDrawLabPage page)
{
  HsSession *session = fixture->desk.session;

  hs_session_set_lab_page (session, page);
  hs_session_set_in_lab (session, TRUE);
  gtk_test_widget_wait_for_draw (fixture->window);
  return hs_lab_peek_page (HS_LAB (ui_test_find (fixture->window, HS_TYPE_LAB)));
}

static GtkAdjustment *
find_adjustment (gpointer page, const char *id)
{
  return GTK_ADJUSTMENT (gtk_widget_get_template_child (page, G_OBJECT_TYPE (page), id));
}

static const char *
peek_label (gpointer page, const char *id)
{
  return gtk_label_get_text (
      GTK_LABEL (gtk_widget_get_template_child (page, G_OBJECT_TYPE (page), id)));
}

/* ---- the frame ---- */

/* Nothing of it is there before; Explore and the lab take each other's place. */
static void
test_lazy (void)
{
  Fixture fixture;

  set_up (&fixture);
  GtkWidget *lab = ui_test_find (fixture.window, HS_TYPE_LAB);
  GtkWidget *picture = GTK_WIDGET (hs_window_peek_picture (HS_WINDOW (fixture.window)));
  g_assert_null (gtk_widget_get_first_child (lab));
  g_assert_null (hs_lab_peek_page (HS_LAB (lab)));
  g_assert_null (ui_test_find (fixture.window, HS_TYPE_LAB_COUNT));

  gtk_widget_activate_action (fixture.window, "view.page", "s", "lab");
  gtk_widget_activate_action (fixture.window, "view.lab-page", "s", "head-count");
  gtk_test_widget_wait_for_draw (fixture.window);
  g_assert_true (HS_IS_LAB_COUNT (hs_lab_peek_page (HS_LAB (lab))));
  g_assert_false (gtk_widget_get_mapped (picture));
  g_assert_null (ui_test_find (fixture.window, HS_TYPE_LAB_TRAIN));

  gtk_widget_activate_action (fixture.window, "view.lab-page", "s", "train");
  g_assert_true (HS_IS_LAB_TRAIN (hs_lab_peek_page (HS_LAB (lab))));
  gtk_widget_activate_action (fixture.window, "view.kind", "s", "heads");
  gtk_test_widget_wait_for_draw (fixture.window);
  g_assert_false (hs_session_get_in_lab (fixture.desk.session));
  g_assert_true (gtk_widget_get_mapped (picture));
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (fixture.window), "export"));
  g_assert_false (gtk_widget_get_visible (lab));
  tear_down (&fixture);
}

static void
check_kept (HsSession *session, gboolean in_lab, AttnDrawLabPage page)
{
  g_assert_cmpint (hs_session_get_in_lab (session), ==, in_lab);
  g_assert_cmpint (hs_session_get_lab_page (session), ==, page);
}

static void
check_place (const AttnDrawLabPlace *place, const AttnDrawLabPlace *wanted)
{
  g_assert_cmpint (place->step, ==, wanted->step);
  g_assert_cmpuint (place->row, ==, wanted->row);
  g_assert_cmpuint (place->column, ==, wanted->column);
  g_assert_cmpint (place->pair, ==, wanted->pair);
  g_assert_cmpuint (place->head_a, ==, wanted->head_a);
  g_assert_cmpuint (place->head_b, ==, wanted->head_b);
  g_assert_cmpint (place->code, ==, wanted->code);
}

/* A session's file, and the properties that are kept from one start to the next. */
static void
test_kept (void)
{
  Fixture fixture;
  HsExportOptions options;
  const AttnDrawLabPlace place = {ATTN_STEP_WEIGHTS, 2, 3, ATTN_DRAW_LAB_CHOSEN, 1, 4, ATTN_CODE_C};
  g_autofree char *json = NULL;

  set_up (&fixture);
  HsSession *session = fixture.desk.session;
  open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  hs_session_set_lab_place (session, &place);
  hs_export_options_init (&options, NULL);
  g_autoptr (HsExport) export = hs_export_new (session, &options);
  g_autoptr (AttnDrawSession) file = hs_export_dup_session (export, 1);
  json = attn_draw_session_dup_json (file);
  g_autoptr (AttnDrawSession) again =
      attn_draw_session_load_bytes (json, strlen (json), "x.headscope", NULL);
  g_assert_true (again->in_lab);
  g_assert_cmpint (again->lab_page, ==, ATTN_DRAW_LAB_TRAIN);

  hs_session_set_in_lab (session, FALSE);
  hs_session_set_lab_page (session, ATTN_DRAW_LAB_HEAD_COUNT);
  hs_session_set_lab_place (session, &(AttnDrawLabPlace){0});
  const HsSessionModel model = {.model = hs_side_peek_model (hs_session_peek_side (session)),
                                .name = "demo"};
  hs_session_file_apply (session, fixture.desk.updater, again, &model, &(HsSessionModel){0}, NULL);
  check_kept (session, TRUE, ATTN_DRAW_LAB_TRAIN);
  check_place (hs_session_peek_lab_place (session), &place);
  ui_test_wait_state (session, HS_STATE_READY);

  static const char *const kept[] = {"in-lab",     "lab-page",   "lab-step",   "lab-row",
                                     "lab-column", "lab-pair",   "lab-head-a", "lab-head-b",
                                     "lab-code",   "head-chosen"};
  for (size_t i = 0; i < G_N_ELEMENTS (kept); i++)
    g_assert_true (
        hs_state_has (g_object_class_find_property (G_OBJECT_GET_CLASS (session), kept[i])));
  tear_down (&fixture);
}

/* A page with a figure takes the keys from the text that was typed in, wherever it is opened from,
 * and gives them back to nobody hidden. */
static void
test_focus (void)
{
  static const AttnDrawLabPage pages[] = {ATTN_DRAW_LAB_PIPELINE, ATTN_DRAW_LAB_HEADS,
                                          ATTN_DRAW_LAB_PIPELINE};
  Fixture fixture;

  set_up (&fixture);
  GtkRoot *root = GTK_ROOT (fixture.window);
  gtk_widget_grab_focus (ui_test_find (fixture.window, GTK_TYPE_TEXT_VIEW));
  g_assert_true (GTK_IS_TEXT_VIEW (gtk_root_get_focus (root)));
  for (size_t i = 0; i < G_N_ELEMENTS (pages); i++) {
    GtkWidget *page = open_page (&fixture, pages[i]);
    hs_work_drain ();
    g_assert_true (HS_IS_FIGURE (gtk_root_get_focus (root)));
    g_assert_true (gtk_widget_is_ancestor (gtk_root_get_focus (root), page));
  }
  open_page (&fixture, ATTN_DRAW_LAB_HEAD_COUNT);
  g_assert_false (HS_IS_FIGURE (gtk_root_get_focus (root)));
  tear_down (&fixture);
}

/* Every term has a name and a sentence of its own; a page shows those it uses, and explains one. */
static void
test_terms (void)
{
  Fixture fixture;

  set_up (&fixture);
  for (HsTerm term = 0; term < HS_N_TERMS; term++) {
    g_assert_cmpstr (hs_term_peek_name (term), !=, "");
    g_assert_true (g_str_has_suffix (hs_term_peek_sentence (term), "."));
  }
  for (AttnStep step = 0; step < ATTN_N_STEPS; step++)
    g_assert_cmpuint (hs_terms_get_of_step (step), !=, 0);
  open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  GtkWidget *lab = ui_test_find (fixture.window, HS_TYPE_LAB);
  HsTermsRow *row = HS_TERMS_ROW (
      gtk_widget_get_last_child (gtk_widget_get_parent (hs_lab_peek_page (HS_LAB (lab)))));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (row)));
  g_autofree char *labels = ui_test_dup_labels (GTK_WIDGET (row));
  g_assert_nonnull (strstr (labels, "loss"));
  g_assert_null (strstr (labels, "residual"));
  g_assert_null (hs_terms_row_peek_explained (row));
  hs_terms_row_explain (row, HS_TERM_SEED);
  g_assert_true (g_str_has_prefix (hs_terms_row_peek_explained (row), "seed\nWhat random"));
  open_page (&fixture, ATTN_DRAW_LAB_PIPELINE);
  hs_work_drain ();
  ui_test_drain (NULL);
  g_autofree char *own = ui_test_dup_labels (hs_lab_peek_page (HS_LAB (lab)));
  g_assert_nonnull (strstr (own, "embedding"));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (row)));
  tear_down (&fixture);
}

/* ---- head counts ---- */

static void
test_count (void)
{
  Fixture fixture;

  set_up (&fixture);
  gpointer page = open_page (&fixture, ATTN_DRAW_LAB_HEAD_COUNT);
  GtkAdjustment *d_model = find_adjustment (page, "d_model"),
                *heads = find_adjustment (page, "heads");
  /* begins with the model */
  g_assert_cmpfloat (gtk_adjustment_get_value (d_model), ==, 256);
  g_assert_cmpfloat (gtk_adjustment_get_value (heads), ==, 8);
  g_assert_nonnull (strstr (peek_label (page, "verdict"), "256 / 8 = 32"));

  gtk_adjustment_set_value (d_model, 512);
  gtk_adjustment_set_value (heads, 7);
  g_assert_nonnull (strstr (peek_label (page, "verdict"), "7 heads alike cannot make 512"));
  GtkWidget *eight = ui_test_find_button (page, "8 heads");
  g_assert_nonnull (eight);
  g_assert_nonnull (ui_test_find_button (page, "4 heads"));
  g_assert_nonnull (ui_test_find_button (page, "d_model 511"));
  g_assert_nonnull (ui_test_find_button (page, "d_model 518"));
  g_signal_emit_by_name (eight, "clicked");
  g_assert_cmpfloat (gtk_adjustment_get_value (heads), ==, 8);
  g_assert_null (ui_test_find_button (page, "8 heads"));

  gtk_adjustment_set_value (find_adjustment (page, "layers"), 6);
  gtk_adjustment_set_value (find_adjustment (page, "tokens"), 100);
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
  g_assert_nonnull (strstr (peek_label (page, "source"), "Vaswani"));
  tear_down (&fixture);
}

/* An example that is chosen fills the numbers in. */
static void
test_examples (void)
{
  Fixture fixture;

  set_up (&fixture);
  gpointer page = open_page (&fixture, ATTN_DRAW_LAB_HEAD_COUNT);
  GtkDropDown *drop =
      GTK_DROP_DOWN (gtk_widget_get_template_child (page, HS_TYPE_LAB_COUNT, "preset_drop"));
  gtk_drop_down_set_selected (drop, 4); /* BERT-base */
  g_assert_cmpfloat (gtk_adjustment_get_value (find_adjustment (page, "d_model")), ==, 768);
  g_assert_cmpfloat (gtk_adjustment_get_value (find_adjustment (page, "heads")), ==, 12);
  g_assert_nonnull (strstr (peek_label (page, "source"), "Devlin"));
  gtk_adjustment_set_value (find_adjustment (page, "heads"), 16);
  g_assert_cmpuint (gtk_drop_down_get_selected (drop), ==, 0);
  tear_down (&fixture);
}

/* ---- measurements ---- */

static bool
is_timed (gpointer panel)
{
  return !hs_lab_time_is_running (panel);
}

static void
test_time (void)
{
  Fixture fixture;
  size_t n;

  set_up (&fixture);
  gpointer page = open_page (&fixture, ATTN_DRAW_LAB_HEAD_COUNT);
  HsLabTime *panel = HS_LAB_TIME (ui_test_find (page, HS_TYPE_LAB_TIME));
  gtk_adjustment_set_value (find_adjustment (page, "d_model"), 16);
  gtk_adjustment_set_value (find_adjustment (page, "tokens"), 8);
  g_assert_null (hs_lab_time_peek_timings (panel, &n));
  hs_lab_time_start (panel);
  ui_test_wait (is_timed, panel);
  const AttnTiming *timings = hs_lab_time_peek_timings (panel, &n);
  g_assert_cmpuint (n, ==, 5); /* 1, 2, 4, 8, 16 */
  for (size_t i = 0; i < n; i++) {
    g_assert_cmpuint (timings[i].n_heads, ==, (size_t)1 << i);
    g_assert_cmpfloat (timings[i].median, >, 0);
  }
  tear_down (&fixture);
}

static bool
is_trained (gpointer page)
{
  return !hs_lab_train_is_running (page);
}

static bool
has_finding (gpointer page)
{
  return gtk_widget_get_visible (
      GTK_WIDGET (gtk_widget_get_template_child (page, G_OBJECT_TYPE (page), "finding")));
}

static void
set_training (gpointer page, double seeds, double steps)
{
  gtk_adjustment_set_value (find_adjustment (page, "seeds"), seeds);
  gtk_adjustment_set_value (find_adjustment (page, "steps"), steps);
}

/* To the digit what the core measures by itself, and so what the command line prints. */
static void
test_train (void)
{
  Fixture fixture;

  set_up (&fixture);
  gpointer page = open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  set_training (page, 2, 20);
  hs_lab_train_start (page);
  g_assert_true (hs_lab_train_is_running (page));
  ui_test_wait (is_trained, page);
  const AttnExperiment *measured = hs_lab_train_peek_experiment (page);
  g_autoptr (AttnExperiment) again =
      attn_experiment_new (attn_experiment_peek_options (measured), NULL);
  g_assert_true (attn_experiment_run (again, NULL, NULL, NULL, NULL));
  g_autofree char *csv = attn_experiment_dup_csv (measured);
  g_autofree char *csv_again = attn_experiment_dup_csv (again);
  g_assert_cmpstr (csv, ==, csv_again);
  g_autofree char *finding = hs_lab_train_dup_finding (again);
  g_assert_cmpstr (peek_label (page, "finding"), ==, finding);
  g_assert_true (has_finding (page));
  g_assert_true (g_str_has_prefix (finding, "The lowest loss was measured with "));
  tear_down (&fixture);
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
  Fixture fixture;
  size_t n, n_later;

  set_up (&fixture);
  gpointer page = open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  set_training (page, 20, 4000);
  hs_lab_train_start (page);
  ui_test_wait (has_points, page);
  hs_lab_train_stop (page);
  g_assert_false (hs_lab_train_is_running (page));
  attn_experiment_peek_points (hs_lab_train_peek_experiment (page), 0, 0, &n);
  g_assert_cmpuint (n, >, 1);
  hs_work_drain ();
  attn_experiment_peek_points (hs_lab_train_peek_experiment (page), 0, 0, &n_later);
  g_assert_cmpuint (n_later, ==, n);
  tear_down (&fixture);
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
  Fixture fixture;

  set_up (&fixture);
  gpointer page = open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  set_training (page, 900, 20);
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
  tear_down (&fixture);
}

/* A page that is closed while it measures ends its work. */
static void
test_closed (void)
{
  Fixture fixture;

  set_up (&fixture);
  gpointer page = open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  set_training (page, 20, 4000);
  hs_lab_train_start (page);
  ui_test_wait (has_points, page);
  gtk_window_destroy (GTK_WINDOW (fixture.window));
  g_assert_finalize_object (fixture.window);
  hs_work_drain ();
  ui_test_drain (fixture.desk.engine);
  ui_test_desk_close (&fixture.desk);
}

/* ---- files ---- */

static char *chosen; /* what the person chooses */

static void
choose_cb (GtkWindow *parent, const HsQuestion *question, HsPathFunc done, gpointer data)
{
  g_assert_nonnull (parent);
  g_assert_true (g_str_has_prefix (question->name, "heads-t"));
  done (g_strdup (chosen), data);
}

static void
check_file (HsRunStrip *strip, const char *format, const char *start)
{
  g_autofree char *folder = g_dir_make_tmp ("headscope-lab-XXXXXX", NULL);
  g_autofree char *content = NULL;

  chosen = g_strdup_printf ("%s/curves.%s", folder, format);
  hs_run_strip_save (strip, format, choose_cb);
  hs_work_drain ();
  g_assert_true (g_file_get_contents (chosen, &content, NULL, NULL));
  g_assert_true (g_str_has_prefix (content, start));
  g_unlink (chosen);
  g_rmdir (folder);
  g_clear_pointer (&chosen, g_free);
}

static void
test_files (void)
{
  Fixture fixture;

  set_up (&fixture);
  gpointer page = open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  HsRunStrip *strip = HS_RUN_STRIP (ui_test_find (page, HS_TYPE_RUN_STRIP));
  hs_run_strip_save (strip, "png", choose_cb); /* there is nothing: nobody is asked */
  set_training (page, 1, 20);
  hs_lab_train_start (page);
  ui_test_wait (is_trained, page);
  check_file (strip, "csv", "heads,d_k,seed,step,loss,previous,first,marked\n1,32,1,0,");
  check_file (strip, "json", "{\"d_model\":32,");
  check_file (strip, "png", "\x89PNG");
  check_file (strip, "svg", "<?xml");
  check_file (strip, "pdf", "%PDF");
  tear_down (&fixture);
}

static char *cli; /* the program beside the window */

/* Training gives the same numbers each time, so the line a chart tells makes the very same file. */
static void
test_same_chart (void)
{
  Fixture fixture;
  g_autofree char *folder = g_dir_make_tmp ("headscope-lab-XXXXXX", NULL);
  g_autofree char *content = NULL, *printed = NULL;
  g_auto (GStrv) words = NULL;
  int status = -1;

  set_up (&fixture);
  hs_session_set_font (fixture.desk.session, "Serif", 12);
  gpointer page = open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  set_training (page, 1, 20);
  hs_lab_train_start (page);
  ui_test_wait (is_trained, page);
  chosen = g_strdup_printf ("%s/curves.svg", folder);
  hs_run_strip_save (HS_RUN_STRIP (ui_test_find (page, HS_TYPE_RUN_STRIP)), "svg", choose_cb);
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
  g_clear_pointer (&chosen, g_free);
  tear_down (&fixture);
}

static void
check_enabled (Fixture *fixture, AttnDrawLabPage page, bool has_export, bool has_image)
{
  GActionGroup *actions = G_ACTION_GROUP (fixture->window);

  open_page (fixture, page);
  g_assert_cmpint (g_action_group_get_action_enabled (actions, "export"), ==, has_export);
  g_assert_cmpint (g_action_group_get_action_enabled (actions, "copy-command"), ==, has_export);
  g_assert_cmpint (g_action_group_get_action_enabled (actions, "copy-image"), ==, has_image);
  g_assert_cmpint (g_action_group_get_action_enabled (actions, "copy-numbers"), ==, has_image);
}

static void
clipboard_read_cb (GObject *source, GAsyncResult *result, gpointer text)
{
  *(char **)text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static bool
has_text (gpointer text)
{
  return *(char **)text != NULL;
}

/* The window's own actions take out what the page shows. */
static void
test_window_actions (void)
{
  Fixture fixture;
  static const struct {
    AttnDrawLabPage page;
    const char *words;
  } cases[] = {{ATTN_DRAW_LAB_PIPELINE, " --step "},
               {ATTN_DRAW_LAB_HEADS, " --several "},
               {ATTN_DRAW_LAB_CODE, " --code "},
               {ATTN_DRAW_LAB_TRAIN, " --train "}};

  set_up (&fixture);
  check_enabled (&fixture, ATTN_DRAW_LAB_RESEARCH, false, false);
  check_enabled (&fixture, ATTN_DRAW_LAB_CODE, true, false);
  check_enabled (&fixture, ATTN_DRAW_LAB_HEAD_COUNT, true, true);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    gpointer page = open_page (&fixture, cases[i].page);
    g_autofree char *text = NULL;
    if (cases[i].page == ATTN_DRAW_LAB_TRAIN) {
      set_training (page, 1, 20);
      hs_lab_train_start (page);
      ui_test_wait (is_trained, page);
    }
    hs_work_drain ();
    ui_test_drain (fixture.desk.engine);
    g_action_group_activate_action (G_ACTION_GROUP (fixture.window), "copy-command", NULL);
    gdk_clipboard_read_text_async (gtk_widget_get_clipboard (fixture.window), NULL,
                                   clipboard_read_cb, &text);
    ui_test_wait (has_text, &text);
    if (strstr (text, "headscope-cli lab ") == NULL || strstr (text, cases[i].words) == NULL)
      g_error ("\"%s\" is not in %s", cases[i].words, text);
  }
  tear_down (&fixture);
}

/* One dialog for all kinds of file: the name's ending says which; a name without is refused. */
static void
check_export (GtkWidget *strip, const char *ending, const char *start)
{
  g_autofree char *folder = g_dir_make_tmp ("headscope-lab-XXXXXX", NULL);
  g_autofree char *content = NULL;

  chosen = g_strconcat (folder, "/what was measured", ending, NULL);
  hs_run_strip_save (HS_RUN_STRIP (strip), NULL, choose_cb);
  hs_work_drain ();
  g_assert_true (g_file_get_contents (chosen, &content, NULL, NULL) == (start != NULL));
  g_assert_true (start == NULL || g_str_has_prefix (content, start));
  g_unlink (chosen);
  g_rmdir (folder);
  g_clear_pointer (&chosen, g_free);
}

static void
test_export (void)
{
  Fixture fixture;

  set_up (&fixture);
  gpointer page = open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  GtkWidget *strip = ui_test_find (page, HS_TYPE_RUN_STRIP);
  set_training (page, 1, 20);
  hs_lab_train_start (page);
  ui_test_wait (is_trained, page);
  check_export (strip, ".svg", "<?xml");
  check_export (strip, ".PDF", "%PDF");
  check_export (strip, ".json", "{\"d_model\":32,");
  check_export (strip, "", NULL);
  check_export (strip, ".doc", NULL);
  g_assert_nonnull (strstr (peek_label (strip, "sentence"), ".png, .svg, .pdf, .csv or .json"));
  tear_down (&fixture);
}

/* The line that is copied writes the very code that is shown. */
static void
test_same_code (void)
{
  Fixture fixture;
  g_autofree char *folder = g_dir_make_tmp ("headscope-lab-XXXXXX", NULL);
  g_autofree char *shown = NULL, *written = NULL;

  set_up (&fixture);
  hs_session_set_head (fixture.desk.session, 3);
  gpointer page = open_page (&fixture, ATTN_DRAW_LAB_CODE);
  g_object_set (page, "kind", "pytorch", NULL);
  GtkTextView *view = GTK_TEXT_VIEW (ui_test_find (page, GTK_TYPE_TEXT_VIEW));
  g_object_get (gtk_text_view_get_buffer (view), "text", &shown, NULL);
  g_assert_true (g_str_has_prefix (shown, "# Built-in model\n")); /* as the window calls it */
  g_autofree char *command = hs_lab_code_dup_command (page);
  g_autofree char *absolute = g_canonicalize_filename (cli, NULL);
  g_autofree char *program = g_shell_quote (absolute);
  g_assert_true (g_str_has_prefix (command, "headscope-cli "));
  g_autofree char *line = g_strconcat (program, command + strlen ("headscope-cli"), NULL);
  g_auto (GStrv) words = NULL;
  int status = -1;
  g_assert_true (g_shell_parse_argv (line, NULL, &words, NULL));
  g_assert_true (
      g_spawn_sync (folder, words, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  g_autofree char *path = g_build_filename (folder, "layer-1-head-4.py", NULL);
  g_assert_true (g_file_get_contents (path, &written, NULL, NULL));
  g_assert_cmpstr (written, ==, shown);
  g_unlink (path);
  g_rmdir (folder);
  tear_down (&fixture);
}

static gpointer
open_times (Fixture *fixture, double d_model, double n_tokens)
{
  gpointer page = open_page (fixture, ATTN_DRAW_LAB_HEAD_COUNT);

  gtk_adjustment_set_value (find_adjustment (page, "d_model"), d_model);
  gtk_adjustment_set_value (find_adjustment (page, "tokens"), n_tokens);
  return page;
}

/* No two measurements are the same, so the line that is copied has the numbers in it; with them it
 * makes the very same picture. */
static void
test_same_times (void)
{
  Fixture fixture;
  g_autofree char *folder = g_dir_make_tmp ("headscope-lab-XXXXXX", NULL);
  g_autofree char *saved = NULL, *made = NULL;
  gsize saved_length, made_length;

  hs_work_set_n_threads (1);
  set_up (&fixture);
  gpointer page = open_times (&fixture, 16, 8);
  HsLabTime *panel = HS_LAB_TIME (ui_test_find (page, HS_TYPE_LAB_TIME));
  HsRunStrip *strip = HS_RUN_STRIP (ui_test_find (page, HS_TYPE_RUN_STRIP));
  g_assert_null (hs_run_strip_dup_command (strip));
  hs_lab_time_start (panel);
  ui_test_wait (is_timed, panel);
  g_autofree char *command = hs_run_strip_dup_command (strip);
  g_assert_nonnull (strstr (command, "\"threads\":1,")); /* as the preferences say */
  g_assert_nonnull (strstr (command, " --mark 8 "));
  chosen = g_build_filename (folder, "saved.png", NULL);
  hs_run_strip_save (strip, "png", choose_cb);
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
  g_clear_pointer (&chosen, g_free);
  hs_work_set_n_threads (0);
  tear_down (&fixture);
}

/* What was measured with other numbers says so. */
static void
test_other_shape (void)
{
  Fixture fixture;

  set_up (&fixture);
  gpointer page = open_times (&fixture, 16, 8);
  HsLabTime *panel = HS_LAB_TIME (ui_test_find (page, HS_TYPE_LAB_TIME));
  hs_lab_time_start (panel);
  ui_test_wait (is_timed, panel);
  g_assert_null (strstr (peek_label (panel, "finding"), "d_model"));
  gtk_adjustment_set_value (find_adjustment (page, "heads"), 4);
  g_assert_null (strstr (peek_label (panel, "finding"), "d_model"));
  gtk_adjustment_set_value (find_adjustment (page, "d_model"), 32);
  g_assert_nonnull (strstr (peek_label (panel, "finding"),
                            "This was measured with d_model = 16 and T = 8, not with the numbers "
                            "above"));
  gtk_adjustment_set_value (find_adjustment (page, "d_model"), 16);
  g_assert_null (strstr (peek_label (panel, "finding"), "d_model"));
  tear_down (&fixture);
}

/* One block of this shape takes seconds, all of them minutes; its thread ends within some 30 ms,
 * most of them for its memory, and much more where a busy machine has to overwrite that. */
static void
test_stop_at_once (void)
{
  Fixture fixture;

  set_up (&fixture);
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
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv);
  hs_application_prepare ();
  g_assert_cmpint (argc, >=, 2);
  cli = argv[1];
  g_test_add_func ("/lab/lazy", test_lazy);
  g_test_add_func ("/lab/kept", test_kept);
  g_test_add_func ("/lab/focus", test_focus);
  g_test_add_func ("/lab/terms", test_terms);
  g_test_add_func ("/lab/count", test_count);
  g_test_add_func ("/lab/examples", test_examples);
  g_test_add_func ("/lab/time", test_time);
  g_test_add_func ("/lab/train", test_train);
  g_test_add_func ("/lab/stop", test_stop);
  g_test_add_func ("/lab/stopped-command", test_stopped_command);
  g_test_add_func ("/lab/closed", test_closed);
  g_test_add_func ("/lab/files", test_files);
  g_test_add_func ("/lab/same-chart", test_same_chart);
  g_test_add_func ("/lab/window-actions", test_window_actions);
  g_test_add_func ("/lab/export", test_export);
  g_test_add_func ("/lab/same-code", test_same_code);
  g_test_add_func ("/lab/same-times", test_same_times);
  g_test_add_func ("/lab/other-shape", test_other_shape);
  g_test_add_func ("/lab/stop-at-once", test_stop_at_once);
  return g_test_run ();
}
