/* SPDX-License-Identifier: MIT */
/* The lab's pipeline in the window: it follows the session and the session follows it; steps and
 * numbers by mouse and by keys. */
#include "hs-lab-follow.h"
#include "hs-lab-pipeline.h"
#include "hs-lab-walk.h"
#include "hs-resources.h"
#include "hs-work.h"
#include "ui-test.h"

#include "attn-draw/pipeline.h"

#include <string.h>

#define TEXT "The animal didn't cross the street because it was too tired."
#define IT 10 /* the token "it" of it */

typedef struct {
  UiTestDesk desk;
  GtkWidget *window, *page;
  HsFigure *figure;
} Fixture;

static char *
dup_value (Fixture *fixture)
{
  char *value = NULL;
  g_object_get (fixture->figure, "value", &value, NULL);
  return value;
}

/* Until the newest question is answered. */
static void
settle (void)
{
  hs_work_drain ();
  ui_test_drain (NULL);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  ui_test_desk_open (&fixture->desk, data != NULL ? data : TEXT);
  hs_session_set_head_chosen (fixture->desk.session, TRUE); /* layer 1, head 1 */
  hs_session_set_in_lab (fixture->desk.session, TRUE);
  hs_session_set_lab_page (fixture->desk.session, ATTN_DRAW_LAB_PIPELINE);
  fixture->page = g_object_ref_sink (hs_lab_pipeline_new (fixture->desk.session));
  fixture->window = gtk_window_new ();
  gtk_window_set_child (GTK_WINDOW (fixture->window), fixture->page);
  fixture->figure = hs_lab_pipeline_peek_figure (HS_LAB_PIPELINE (fixture->page));
  settle ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_assert_finalize_object (fixture->page);
  ui_test_desk_close (&fixture->desk);
}

static AttnStep
get_step (Fixture *fixture)
{
  return hs_lab_pipeline_get_step (HS_LAB_PIPELINE (fixture->page));
}

static gboolean
move (Fixture *fixture, HsMove direction)
{
  gboolean handled = FALSE;
  g_signal_emit_by_name (fixture->figure, "moved", direction, &handled);
  settle ();
  return handled;
}

static void
pick (Fixture *fixture, AttnStep step, guint row, guint column)
{
  g_signal_emit_by_name (fixture->figure, "picked", ATTN_DRAW_PIPELINE_STEP + step, row, column);
  settle ();
}

static void
assert_value (Fixture *fixture, const char *part)
{
  g_autofree char *value = dup_value (fixture);
  if (value == NULL || strstr (value, part) == NULL)
    g_error ("\"%s\" is not in \"%s\"", part, value);
}

static void
test_steps (Fixture *fixture, gconstpointer data)
{
  (void)data;
  assert_value (fixture, "Layer 1, head 1");
  g_assert_true (move (fixture, HS_MOVE_RIGHT));
  g_assert_cmpint (get_step (fixture), ==, ATTN_STEP_QUERIES);
  g_assert_true (move (fixture, HS_MOVE_PAGE_DOWN));
  g_assert_cmpint (get_step (fixture), ==, ATTN_STEP_HEAD_QUERIES);
  g_assert_true (move (fixture, HS_MOVE_LEFT));
  g_assert_cmpint (get_step (fixture), ==, ATTN_STEP_QUERIES);
  g_assert_true (move (fixture, HS_MOVE_END));
  g_assert_cmpint (get_step (fixture), ==, ATTN_STEP_RESULT);
  g_assert_true (move (fixture, HS_MOVE_HOME));
  g_assert_cmpint (get_step (fixture), ==, ATTN_STEP_INPUT);
  g_assert_false (move (fixture, HS_MOVE_DOWN)); /* the page scrolls */
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
  settle ();
  pick (fixture, ATTN_STEP_WEIGHTS, IT, 13);
  g_assert_cmpint (get_step (fixture), ==, ATTN_STEP_WEIGHTS);
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, IT);
  g_assert_cmpuint (hs_session_get_pinned_key (session), ==, 13);
  assert_value (fixture, "“it” → “tired”: weight 0.");
  g_assert_true (move (fixture, HS_MOVE_LEFT));
  assert_value (fixture, "“it” → “too”");
  g_assert_true (move (fixture, HS_MOVE_UP));
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, IT - 1);
  g_signal_emit_by_name (fixture->figure, "activated", &handled);
  settle ();
  g_assert_true (handled);
  g_assert_true (move (fixture, HS_MOVE_LEFT)); /* from step to step again */
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
  settle ();
  g_assert_cmpuint (hs_session_get_pinned_key (session), ==, HS_NONE);
  g_autofree char *said = hs_lab_dup_reading (session);
  g_assert_cmpstr (said, ==, "following “it”: its row is marked in every step");
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
  g_assert_true (move (fixture, HS_MOVE_RIGHT));
  g_assert_cmpuint (hs_session_peek_hovered (session)->query, ==, HS_NONE);
}

/* Where one is comes back with the session, with the row that goes with it. */
static void
test_place (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  (void)data;
  hs_session_set_lab_place (session, &(AttnDrawLabPlace){ATTN_STEP_SCORES, IT, 13});
  settle ();
  g_assert_cmpint (get_step (fixture), ==, ATTN_STEP_SCORES);
  assert_value (fixture, "“it” → “tired”: score");
  hs_session_set_lab_place (session, &(AttnDrawLabPlace){ATTN_STEP_OUTPUT, 400, 13});
  settle ();
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
  assert_value (fixture, "output, row “didn”, column 201");
}

static void
test_follow (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  (void)data;
  g_signal_emit_by_name (fixture->figure, "picked", ATTN_DRAW_PIPELINE_TOKEN, IT, 0);
  settle ();
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, IT);
  assert_value (fixture, "row “it”");
  hs_session_set_pinned (session, 2, HS_NONE); /* as the text panel would */
  settle ();
  assert_value (fixture, "row “animal”");
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
  settle ();
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
  g_assert_true (move (fixture, HS_MOVE_RIGHT));
  hs_side_set_text (side, "");
  ui_test_wait_state (fixture->desk.session, HS_STATE_EMPTY);
  settle ();
  g_autofree char *labels = ui_test_dup_labels (fixture->page);
  g_assert_nonnull (strstr (labels, "Type a text above"));
  g_assert_false (move (fixture, HS_MOVE_RIGHT));
  g_assert_null (hs_lab_pipeline_dup_command (HS_LAB_PIPELINE (fixture->page)));
  hs_side_set_text (side, "Hello");
  ui_test_wait_state (fixture->desk.session, HS_STATE_READY);
  settle ();
  g_assert_true (move (fixture, HS_MOVE_RIGHT));
}

static char *folder; /* of the files that are saved */
static char *cli;    /* the program beside the window */

static void
name_cb (GtkWindow *parent, const HsQuestion *question, HsPathFunc done, gpointer data)
{
  (void)parent;
  done (g_build_filename (folder, question->name, NULL), data);
}

static GBytes *
read_file (const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *bytes = NULL;
  gsize size = 0;
  g_file_get_contents (path, &bytes, &size, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (bytes, size);
}

/* The line that is copied makes the very file that is saved. */
static void
test_save (Fixture *fixture, gconstpointer data)
{
  const char *name = "attention-layer-3-head-5-weights.png";
  g_autoptr (GError) error = NULL;
  (void)data;
  hs_session_set_layer (fixture->desk.session, 2);
  hs_session_set_head (fixture->desk.session, 4);
  settle ();
  pick (fixture, ATTN_STEP_WEIGHTS, IT, 13);
  hs_lab_pipeline_save (HS_LAB_PIPELINE (fixture->page), "png", name_cb);
  settle ();
  g_autoptr (GBytes) saved = read_file (name);
  g_autofree char *command = hs_lab_pipeline_dup_command (HS_LAB_PIPELINE (fixture->page));
  g_assert_true (g_str_has_prefix (command, "headscope-cli "));
  g_autofree char *line = g_strdup_printf ("%s%s", cli, command + strlen ("headscope-cli"));
  g_auto (GStrv) words = NULL;
  int status = -1;
  g_assert_true (g_shell_parse_argv (line, NULL, &words, NULL));
  g_spawn_sync (folder, words, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, &error));
  g_autoptr (GBytes) made = read_file (name);
  g_assert_true (g_bytes_equal (saved, made));
}

static void
test_numbers (Fixture *fixture, gconstpointer data)
{
  (void)data;
  pick (fixture, ATTN_STEP_HEAD_OUTPUT, 1, 2);
  hs_lab_pipeline_save (HS_LAB_PIPELINE (fixture->page), "csv", name_cb);
  settle ();
  g_autoptr (GBytes) saved = read_file ("attention-layer-1-head-1-head-output.csv");
  gsize size = 0;
  const char *bytes = g_bytes_get_data (saved, &size);
  g_autofree char *text = g_strndup (bytes, size);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_assert_cmpstr (lines[0], ==, "step,row,token,column,value");
  g_assert_true (g_str_has_prefix (lines[1], "head-output,0,[CLS],0,"));
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + 16 * 32 + 1);
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
  settle ();
  g_assert_true (hs_session_get_head_chosen (session));
  g_assert_cmpuint (hs_session_get_layer (session), ==, 2);
  g_assert_cmpuint (hs_session_get_head (session), ==, head);
  g_autofree char *value = dup_value (fixture);
  g_assert_null (strstr (value, "“t”"));
  g_assert_null (strstr (value, "“[CLS]” →"));
  hs_session_set_layer (session, 0);
  hs_session_set_head (session, 0);
  settle ();
  g_assert_cmpuint (hs_session_get_layer (session), ==, 0); /* that is a choice, too */
  assert_value (fixture, "Layer 1, head 1");
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
  g_assert_cmpfloat (y, >=, 0);
  g_assert_cmpfloat (y + card->rect.height, <=, gtk_adjustment_get_page_size (adjustment));
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
  settle ();
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
  cli = g_canonicalize_filename (argv[1], NULL);
  folder = g_dir_make_tmp ("headscope-lab-XXXXXX", NULL);
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
  g_test_add ("/lab-pipeline/reveal", Fixture, NULL, set_up, test_reveal, tear_down);
  g_test_add ("/lab-pipeline/time", Fixture, long_text->str, set_up, test_time, tear_down);
  const int result = g_test_run ();
  g_string_free (long_text, TRUE);
  g_autofree char *remove = g_strdup_printf ("rm -r %s", folder);
  g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL);
  g_free (folder);
  g_free (cli);
  return result;
}
