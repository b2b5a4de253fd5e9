/* SPDX-License-Identifier: MIT */
/* The lab's pipeline in the window: it follows the session and the session follows it; steps and
 * numbers by mouse and by keys. */
#include "hs-export.h"
#include "hs-lab-pipeline.h"
#include "hs-lab-reading.h"
#include "hs-lab-walk.h"
#include "hs-resources.h"
#include "hs-session-file.h"
#include "hs-state.h"
#include "hs-sticky.h"
#include "lab-fixture.h"

#include "attn-draw/pipeline.h"

#include <string.h>

#define TEXT "The animal didn't cross the street because it was too tired."
#define IT 10 /* the token "it" of it */

typedef LabFixture Fixture;

static char *
dup_value (Fixture *fixture)
{
  char *value = NULL;
  g_object_get (fixture->figure, "value", &value, NULL);
  return value;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  lab_fixture_open (fixture, data != NULL ? data : TEXT, ATTN_DRAW_LAB_PIPELINE,
                    hs_lab_pipeline_new);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  lab_fixture_close (fixture);
}

static AttnStep
get_step (Fixture *fixture)
{
  return hs_lab_pipeline_get_step (HS_LAB_PIPELINE (fixture->page));
}

static void
pick (Fixture *fixture, AttnStep step, guint row, guint column)
{
  g_signal_emit_by_name (fixture->figure, "picked", ATTN_DRAW_PIPELINE_STEP + step, row, column);
  lab_fixture_settle ();
}

static void
test_steps (Fixture *fixture, gconstpointer data)
{
  (void)data;
  lab_fixture_assert_value (fixture, "Layer 1, head 1");
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_RIGHT));
  g_assert_cmpint (get_step (fixture), ==, ATTN_STEP_QUERIES);
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_PAGE_DOWN));
  g_assert_cmpint (get_step (fixture), ==, ATTN_STEP_HEAD_QUERIES);
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_LEFT));
  g_assert_cmpint (get_step (fixture), ==, ATTN_STEP_QUERIES);
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_END));
  g_assert_cmpint (get_step (fixture), ==, ATTN_STEP_RESULT);
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_HOME));
  g_assert_cmpint (get_step (fixture), ==, ATTN_STEP_INPUT);
  g_assert_false (lab_fixture_move (fixture, HS_MOVE_DOWN)); /* the page scrolls */
}

/* A number that is picked is the session's selection; arrows move it. */
static void
test_pick (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  gboolean handled = FALSE;
  (void)data;
  hs_session_set_layer (session, 2);
  hs_session_set_head (session, 4);
  lab_fixture_settle ();
  pick (fixture, ATTN_STEP_WEIGHTS, IT, 13);
  g_assert_cmpint (get_step (fixture), ==, ATTN_STEP_WEIGHTS);
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, IT);
  g_assert_cmpuint (hs_session_get_pinned_key (session), ==, 13);
  lab_fixture_assert_value (fixture, "“it” → “tired”: weight 0.");
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_LEFT));
  lab_fixture_assert_value (fixture, "“it” → “too”");
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_UP));
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, IT - 1);
  g_signal_emit_by_name (fixture->figure, "activated", &handled);
  lab_fixture_settle ();
  g_assert_true (handled);
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_LEFT)); /* from step to step again */
  g_assert_cmpint (get_step (fixture), ==, ATTN_STEP_SCORES);
}

/* Escape lets the number go, then the row; what is said follows. */
static void
test_escape (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  (void)data;
  pick (fixture, ATTN_STEP_WEIGHTS, IT, 13);
  g_assert_true (hs_lab_walk_escape (session));
  lab_fixture_settle ();
  g_assert_cmpuint (hs_session_get_pinned_key (session), ==, HS_NONE);
  g_autofree char *said = hs_lab_dup_reading (session);
  g_assert_cmpstr (said, ==, "following “it”: its row is marked in every step; Esc lets it go");
  g_assert_true (hs_lab_walk_escape (session));
  g_assert_false (hs_lab_walk_escape (session));
  g_assert_null (hs_lab_dup_reading (session));
}

/* What the pointer was on is not said any more once the figure is another one. */
static void
test_stale (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  (void)data;
  gtk_widget_size_allocate (GTK_WIDGET (fixture->figure), &(GtkAllocation){0, 0, 1100, 700}, -1);
  AttnDrawFigure *figure = hs_figure_peek (fixture->figure);
  const AttnDrawRect *rect =
      &attn_draw_figure_peek_item (figure,
                                   attn_draw_figure_find_part (figure, ATTN_DRAW_PIPELINE_MATRIX))
           ->rect;
  g_autoptr (GListModel) all = gtk_widget_observe_controllers (GTK_WIDGET (fixture->figure));
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (all, i);
    if (GTK_IS_EVENT_CONTROLLER_MOTION (controller))
      g_signal_emit_by_name (controller, "motion", rect->x + 2, rect->y + 2);
  }
  g_assert_cmpuint (hs_session_peek_hovered (session)->query, ==, 0);
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_RIGHT));
  g_assert_cmpuint (hs_session_peek_hovered (session)->query, ==, HS_NONE);
}

/* Where one is comes back with the session, with the row that goes with it. */
static void
test_place (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  (void)data;
  hs_session_set_lab_place (session, &(AttnDrawLabPlace){ATTN_STEP_SCORES, IT, 13});
  lab_fixture_settle ();
  g_assert_cmpint (get_step (fixture), ==, ATTN_STEP_SCORES);
  lab_fixture_assert_value (fixture, "“it” → “tired”: score");
  hs_session_set_lab_place (session, &(AttnDrawLabPlace){ATTN_STEP_OUTPUT, 400, 13});
  lab_fixture_settle ();
  g_assert_cmpint (get_step (fixture), ==, ATTN_STEP_OUTPUT);
  g_assert_false (hs_lab_walk_has_cell (session)); /* there is no such row */
}

/* Numbers of matrices whose columns are no tokens pin their row alone. */
static void
test_pick_wide (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  (void)data;
  pick (fixture, ATTN_STEP_OUTPUT, 3, 200);
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, 3);
  g_assert_cmpuint (hs_session_get_pinned_key (session), ==, HS_NONE);
  lab_fixture_assert_value (fixture, "output, row “didn”, column 201");
}

static void
test_follow (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  (void)data;
  g_signal_emit_by_name (fixture->figure, "picked", ATTN_DRAW_PIPELINE_TOKEN, IT, 0);
  lab_fixture_settle ();
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, IT);
  lab_fixture_assert_value (fixture, "row “it”");
  hs_session_set_pinned (session, 2, HS_NONE); /* as the text panel would */
  lab_fixture_settle ();
  lab_fixture_assert_value (fixture, "row “animal”");
  g_signal_emit_by_name (fixture->figure, "picked", ATTN_DRAW_PIPELINE_TOKEN, 2, 0);
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, HS_NONE);
}

/* A shorter text has fewer rows than the number that was picked. */
static void
test_other_text (Fixture *fixture, gconstpointer data)
{
  (void)data;
  pick (fixture, ATTN_STEP_SCORES, 15, 15);
  hs_side_set_text (hs_session_peek_side (fixture->desk.session), "Hello");
  ui_test_wait_state (fixture->desk.session, HS_STATE_READY);
  ui_test_drain (fixture->desk.engine);
  lab_fixture_settle ();
  gtk_widget_size_allocate (GTK_WIDGET (fixture->figure), &(GtkAllocation){0, 0, 900, 900}, -1);
  g_assert_nonnull (hs_figure_peek (fixture->figure));
  g_assert_cmpint (get_step (fixture), ==, ATTN_STEP_SCORES);
}

static void
test_no_text (Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_autofree char *labels = ui_test_dup_labels (fixture->page);
  g_assert_null (hs_figure_peek (fixture->figure));
  g_assert_nonnull (strstr (labels, "Type a text above"));
}

/* A text that is taken away takes its figure with it, and one that comes again brings it back. */
static void
test_emptied (Fixture *fixture, gconstpointer data)
{
  HsSide *side = hs_session_peek_side (fixture->desk.session);
  (void)data;
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_RIGHT));
  hs_side_set_text (side, "");
  ui_test_wait_state (fixture->desk.session, HS_STATE_EMPTY);
  lab_fixture_settle ();
  g_autofree char *labels = ui_test_dup_labels (fixture->page);
  g_assert_nonnull (strstr (labels, "Type a text above"));
  g_assert_false (lab_fixture_move (fixture, HS_MOVE_RIGHT));
  g_assert_null (hs_lab_pipeline_dup_command (HS_LAB_PIPELINE (fixture->page)));
  hs_side_set_text (side, "Hello");
  ui_test_wait_state (fixture->desk.session, HS_STATE_READY);
  lab_fixture_settle ();
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_RIGHT));
}

/* The line that is copied makes the very file that is saved, and so does a session of the screen.
 */
static void
test_save (Fixture *fixture, gconstpointer data)
{
  const char *name = "attention-layer-3-head-5-weights.png";
  (void)data;
  hs_session_set_layer (fixture->desk.session, 2);
  hs_session_set_head (fixture->desk.session, 4);
  lab_fixture_settle ();
  pick (fixture, ATTN_STEP_WEIGHTS, IT, 13);
  hs_lab_pipeline_save (HS_LAB_PIPELINE (fixture->page), "png", lab_fixture_name_cb);
  lab_fixture_settle ();
  gsize saved_size = 0, made_size = 0;
  g_autofree char *saved = lab_fixture_read (name, &saved_size);
  g_autofree char *command = hs_lab_pipeline_dup_command (HS_LAB_PIPELINE (fixture->page));
  g_free (lab_fixture_run (command));
  g_autofree char *made = lab_fixture_read (name, &made_size);
  g_assert_cmpmem (saved, saved_size, made, made_size);
  lab_fixture_render_session (fixture, "session.png");
  g_autofree char *drawn = lab_fixture_read ("session.png", &made_size);
  g_assert_cmpmem (saved, saved_size, drawn, made_size);
}

static void
test_numbers (Fixture *fixture, gconstpointer data)
{
  (void)data;
  pick (fixture, ATTN_STEP_HEAD_OUTPUT, 1, 2);
  hs_lab_pipeline_save (HS_LAB_PIPELINE (fixture->page), "csv", lab_fixture_name_cb);
  lab_fixture_settle ();
  gsize size = 0;
  g_autofree char *text = lab_fixture_read ("attention-layer-1-head-1-head-output.csv", &size);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_assert_cmpstr (lines[0], ==, "step,row,token,column,value");
  g_assert_true (g_str_has_prefix (lines[1], "head-output,0,[CLS],0,"));
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + 16 * 32 + 1);
  /* as JSON they are what the command line prints */
  hs_lab_pipeline_save (HS_LAB_PIPELINE (fixture->page), "json", lab_fixture_name_cb);
  lab_fixture_settle ();
  g_autofree char *json = lab_fixture_read ("attention-layer-1-head-1-head-output.json", &size);
  g_autofree char *quoted = g_shell_quote (TEXT);
  g_autofree char *line =
      g_strdup_printf ("headscope-cli lab --text %s --step head-output", quoted);
  g_autofree char *printed = lab_fixture_run (line);
  g_assert_cmpstr (json, ==, printed);
}

static GKeyFile *
dup_kept (HsSession *session)
{
  g_autoptr (GBytes) bytes = hs_state_dup (session, "demo");
  GKeyFile *file = g_key_file_new ();

  g_assert_true (g_key_file_load_from_bytes (file, bytes, G_KEY_FILE_NONE, NULL));
  return file;
}

/* Nobody has chosen a head: one of the middle layer is, once, and an example of a whole word. */
static void
test_open (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  AttnTrace *trace =
      attn_maps_peek_trace (hs_side_peek_answer (hs_session_peek_side (session))->maps);
  size_t layer, head;
  (void)data;
  g_assert_true (attn_draw_steps_choose_head (trace, &layer, &head, NULL));
  hs_session_set_head_chosen (session, FALSE);
  hs_session_set_lab_place (session, &(AttnDrawLabPlace){ATTN_STEP_WEIGHTS, G_MAXSIZE, G_MAXSIZE});
  lab_fixture_settle ();
  g_assert_true (hs_session_get_head_chosen (session));
  g_assert_cmpuint (hs_session_get_layer (session), ==, 2);
  g_assert_cmpuint (hs_session_get_head (session), ==, head);
  g_autofree char *value = dup_value (fixture);
  g_assert_null (strstr (value, "“t”"));
  g_assert_null (strstr (value, "“[CLS]” →"));
  /* which is not kept for the next time, as nobody has chosen it */
  g_autoptr (GKeyFile) kept = dup_kept (session);
  g_assert_cmpint (g_key_file_get_integer (kept, "view", "layer", NULL), ==, 0);
  g_assert_cmpint (g_key_file_get_integer (kept, "view", "head", NULL), ==, 0);
  g_assert_false (g_key_file_get_boolean (kept, "view", "head-chosen", NULL));
  /* elsewhere the head is the one that was there; back in the lab it is the example again */
  hs_session_set_in_lab (session, FALSE);
  g_assert_cmpuint (hs_session_get_layer (session), ==, 0);
  g_assert_cmpuint (hs_session_get_head (session), ==, 0);
  g_assert_false (hs_session_get_head_chosen (session));
  hs_session_set_in_lab (session, TRUE);
  lab_fixture_settle ();
  g_assert_cmpuint (hs_session_get_layer (session), ==, 2);
  hs_session_set_layer (session, 0);
  hs_session_set_head (session, 0);
  lab_fixture_settle ();
  g_assert_cmpuint (hs_session_get_layer (session), ==, 0); /* that is a choice, too */
  lab_fixture_assert_value (fixture, "Layer 1, head 1");
  hs_session_set_in_lab (session, FALSE);
  g_assert_cmpuint (hs_session_get_layer (session), ==, 0);
  g_assert_true (hs_session_get_head_chosen (session)); /* which is kept elsewhere */
  hs_session_set_head (session, 5);
  g_autoptr (GKeyFile) after = dup_kept (session);
  g_assert_cmpint (g_key_file_get_integer (after, "view", "head", NULL), ==, 5);
  g_assert_true (g_key_file_get_boolean (after, "view", "head-chosen", NULL));
}

/* Returns: (transfer full): the session's file, as text. */
static char *
dup_file (HsSession *session)
{
  HsExportOptions options;

  hs_export_options_init (&options, NULL);
  g_autoptr (HsExport) export = hs_export_new (session, &options);
  g_autoptr (AttnDrawSession) file = hs_export_dup_session (export, 1);
  return attn_draw_session_dup_json (file);
}

static void
apply_file (Fixture *fixture, const char *json)
{
  HsSession *session = fixture->desk.session;
  const HsSessionModel model = {.model = hs_side_peek_model (hs_session_peek_side (session)),
                                .name = "demo"};
  g_autoptr (AttnDrawSession) file =
      attn_draw_session_load_bytes (json, strlen (json), "x.headscope", NULL);

  g_assert_nonnull (file);
  hs_session_file_apply (session, fixture->desk.updater, file, &model, &(HsSessionModel){0}, NULL);
  lab_fixture_settle ();
}

/* A session's file tells an example from a choice. */
static void
test_example_in_file (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  (void)data;
  hs_session_set_head (session, 5);
  hs_session_set_head_chosen (session, FALSE);
  hs_session_set_lab_place (session, &(AttnDrawLabPlace){ATTN_STEP_WEIGHTS, G_MAXSIZE, G_MAXSIZE});
  lab_fixture_settle ();
  g_assert_true (hs_session_is_head_lent (session));
  const guint layer = hs_session_get_layer (session), head = hs_session_get_head (session);
  g_autofree char *lent = dup_file (session);

  hs_session_set_layer (session, 1);
  hs_session_set_head (session, 1);
  g_assert_false (hs_session_is_head_lent (session));
  apply_file (fixture, lent);
  g_assert_true (hs_session_is_head_lent (session));
  g_assert_cmpuint (hs_session_get_layer (session), ==, layer);
  g_assert_cmpuint (hs_session_get_head (session), ==, head);
  hs_session_set_in_lab (session, FALSE);
  g_assert_cmpuint (hs_session_get_layer (session), ==, 0);
  g_assert_cmpuint (hs_session_get_head (session), ==, 5);
  g_assert_false (hs_session_get_head_chosen (session));

  hs_session_set_in_lab (session, TRUE);
  hs_session_set_layer (session, layer);
  hs_session_set_head (session, head);
  g_autofree char *chosen = dup_file (session);
  apply_file (fixture, lent);
  apply_file (fixture, chosen); /* over an example that is the very head */
  g_assert_false (hs_session_is_head_lent (session));
  hs_session_set_in_lab (session, FALSE);
  g_assert_cmpuint (hs_session_get_layer (session), ==, layer);
  g_assert_cmpuint (hs_session_get_head (session), ==, head);
}

/* The example stays on the lab's pages; those beside it have the head that was there before. */
static void
test_example_beside (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  (void)data;
  hs_session_set_head (session, 5);
  hs_session_set_head_chosen (session, FALSE);
  hs_session_set_lab_place (session, &(AttnDrawLabPlace){ATTN_STEP_WEIGHTS, G_MAXSIZE, G_MAXSIZE});
  lab_fixture_settle ();
  g_assert_true (hs_session_is_head_lent (session));
  hs_session_set_lab_page (session, ATTN_DRAW_LAB_CODE);
  g_assert_true (hs_session_is_head_lent (session));
  hs_session_set_lab_page (session, ATTN_DRAW_LAB_ABLATION);
  g_assert_false (hs_session_is_head_lent (session));
  g_assert_cmpuint (hs_session_get_layer (session), ==, 0);
  g_assert_cmpuint (hs_session_get_head (session), ==, 5);
  hs_session_set_lab_page (session, ATTN_DRAW_LAB_PIPELINE);
  lab_fixture_settle ();
  g_assert_true (hs_session_is_head_lent (session));
}

/* In a low window what is stepped to, and the arithmetic of what is picked, comes into view. */
static void
test_reveal (Fixture *fixture, gconstpointer data)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  (void)data;
  gtk_window_set_child (GTK_WINDOW (fixture->window), NULL);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), fixture->page);
  gtk_window_set_child (GTK_WINDOW (fixture->window), scrolled);
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 1138, 420);
  gtk_window_present (GTK_WINDOW (fixture->window));
  gtk_test_widget_wait_for_draw (fixture->window);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 0);
  pick (fixture, ATTN_STEP_WEIGHTS, IT, 13);
  for (int i = 0; i < 50 && gtk_adjustment_get_value (adjustment) <= 0; i++)
    gtk_test_widget_wait_for_draw (fixture->window);
  gtk_test_widget_wait_for_draw (fixture->window);
  AttnDrawFigure *figure = hs_figure_peek (fixture->figure);
  const AttnDrawFigureItem *card = attn_draw_figure_peek_item (
      figure, attn_draw_figure_find_part (figure, ATTN_DRAW_PIPELINE_CARD));
  double x, y;
  g_assert_true (gtk_widget_translate_coordinates (GTK_WIDGET (fixture->figure), scrolled, 0,
                                                   card->rect.y, &x, &y));
  g_assert_cmpfloat (y, >=, hs_sticky_get_covered (GTK_WIDGET (fixture->figure)));
  g_assert_cmpfloat (y + card->rect.height, <=, gtk_adjustment_get_page_size (adjustment));
  /* the buttons are in sight still */
  GtkWidget *sticky = gtk_widget_get_ancestor (GTK_WIDGET (fixture->figure), HS_TYPE_STICKY);
  g_assert_true (gtk_widget_translate_coordinates (gtk_widget_get_last_child (sticky), scrolled, 0,
                                                   0, &x, &y));
  g_assert_cmpfloat_with_epsilon (y, 0, 1); /* whole px */
}

/* How long it takes at 128 tokens: told, and far from what would be a fault. */
static void
test_time (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  (void)data;
  g_assert_cmpuint (hs_session_get_n_tokens (session), ==, 130);
  const gint64 start = g_get_monotonic_time ();
  hs_session_set_head (session, 3);
  lab_fixture_settle ();
  const gint64 computed = g_get_monotonic_time ();
  gtk_widget_size_allocate (GTK_WIDGET (fixture->figure), &(GtkAllocation){0, 0, 1300, 900}, -1);
  g_assert_nonnull (hs_figure_peek (fixture->figure));
  g_test_message ("130 tokens: steps %.1f ms on another thread, figure %.1f ms",
                  (double)(computed - start) / 1e3,
                  (double)(g_get_monotonic_time () - computed) / 1e3);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 2 * G_USEC_PER_SEC);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  hs_register_resource ();
  g_assert_cmpint (argc, >=, 2);
  lab_fixture_begin_files (argv[1]);
  GString *long_text = g_string_new (NULL);
  for (int i = 0; i < 128; i++)
    g_string_append (long_text, i % 2 == 0 ? "the " : "cat ");
  g_test_add ("/lab-pipeline/steps", Fixture, NULL, set_up, test_steps, tear_down);
  g_test_add ("/lab-pipeline/pick", Fixture, NULL, set_up, test_pick, tear_down);
  g_test_add ("/lab-pipeline/escape", Fixture, NULL, set_up, test_escape, tear_down);
  g_test_add ("/lab-pipeline/stale", Fixture, NULL, set_up, test_stale, tear_down);
  g_test_add ("/lab-pipeline/place", Fixture, NULL, set_up, test_place, tear_down);
  g_test_add ("/lab-pipeline/pick-wide", Fixture, NULL, set_up, test_pick_wide, tear_down);
  g_test_add ("/lab-pipeline/follow", Fixture, NULL, set_up, test_follow, tear_down);
  g_test_add ("/lab-pipeline/other-text", Fixture, NULL, set_up, test_other_text, tear_down);
  g_test_add ("/lab-pipeline/no-text", Fixture, "", set_up, test_no_text, tear_down);
  g_test_add ("/lab-pipeline/emptied", Fixture, NULL, set_up, test_emptied, tear_down);
  g_test_add ("/lab-pipeline/save", Fixture, NULL, set_up, test_save, tear_down);
  g_test_add ("/lab-pipeline/numbers", Fixture, NULL, set_up, test_numbers, tear_down);
  g_test_add ("/lab-pipeline/open", Fixture, NULL, set_up, test_open, tear_down);
  g_test_add ("/lab-pipeline/example-in-file", Fixture, NULL, set_up, test_example_in_file,
              tear_down);
  g_test_add ("/lab-pipeline/example-beside", Fixture, NULL, set_up, test_example_beside,
              tear_down);
  g_test_add ("/lab-pipeline/reveal", Fixture, NULL, set_up, test_reveal, tear_down);
  g_test_add ("/lab-pipeline/time", Fixture, long_text->str, set_up, test_time, tear_down);
  const int result = g_test_run ();
  g_string_free (long_text, TRUE);
  lab_fixture_end_files ();
  return result;
}
