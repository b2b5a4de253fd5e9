/* SPDX-License-Identifier: MIT */
/* The page where heads are switched off: it asks and shows what the command line does. */
#include "hs-ablation-switches.h"
#include "hs-ablation.h"
#include "hs-figure.h"
#include "hs-resources.h"
#include "hs-work.h"
#include "lab-fixture.h"

#include "attn-draw/ablation.h"

#include <string.h>

#define TEXT "Beijing is the [MASK] of China."

typedef LabFixture Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  lab_fixture_open (fixture, data != NULL ? data : TEXT, ATTN_DRAW_LAB_ABLATION, hs_ablation_new);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  lab_fixture_close (fixture);
}

static const HsAblationFound *
peek_found (Fixture *fixture)
{
  return hs_ablation_peek_found (HS_ABLATION (fixture->page));
}

static const char *
peek_off (Fixture *fixture)
{
  return hs_session_peek_ablation (fixture->desk.session)->off;
}

static void
pick (Fixture *fixture, guint id, guint row, guint column)
{
  g_signal_emit_by_name (fixture->figure, "picked", id, row, column);
  lab_fixture_settle ();
}

static void
act (Fixture *fixture, const char *action, const char *target)
{
  GtkWidget *bar = ui_test_find_button (fixture->page, "Invert");
  g_assert_true (gtk_widget_activate_action (bar, action, "s", target));
  lab_fixture_settle ();
}

/* Switches: one head, a layer's name, a head's number, and back. */
static void
test_switches (Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_assert_null (peek_found (fixture)->off);
  pick (fixture, ATTN_DRAW_ABLATION_HEAD, 2, 3);
  g_assert_cmpstr (peek_off (fixture), ==, "3-4");
  g_assert_cmpuint (peek_found (fixture)->off->n_off, ==, 1);
  g_assert_cmpuint (hs_session_get_layer (fixture->desk.session), ==, 2);
  lab_fixture_assert_value (fixture, "layer 3, head 4: off");
  pick (fixture, ATTN_DRAW_ABLATION_LAYER, 0, 0);
  g_assert_cmpuint (peek_found (fixture)->off->n_off, ==, 9);
  pick (fixture, ATTN_DRAW_ABLATION_LAYER, 0, 0);
  g_assert_cmpstr (peek_off (fixture), ==, "3-4");
  pick (fixture, ATTN_DRAW_ABLATION_COLUMN, 0, 7);
  g_assert_cmpuint (peek_found (fixture)->off->n_off, ==, 5);
  pick (fixture, ATTN_DRAW_ABLATION_RANKED, 1, 1); /* shows a head, and switches none */
  g_assert_cmpuint (peek_found (fixture)->off->n_off, ==, 5);
  g_assert_cmpuint (hs_session_get_head (fixture->desk.session), ==, 1);
}

/* Arrows move among the heads, Space switches. */
static void
test_keys (Fixture *fixture, gconstpointer data)
{
  gboolean handled = FALSE;
  (void)data;
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_DOWN));
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_RIGHT));
  g_signal_emit_by_name (fixture->figure, "activated", &handled);
  lab_fixture_settle ();
  g_assert_true (handled);
  g_assert_cmpstr (peek_off (fixture), ==, "2-2");
  g_signal_emit_by_name (fixture->figure, "activated", &handled);
  lab_fixture_settle ();
  g_assert_cmpstr (peek_off (fixture), ==, "");
}

/* Many at once, by the menu's actions. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  (void)data;
  hs_session_set_layer (fixture->desk.session, 1);
  act (fixture, "ablation.heads", "layer-off");
  g_assert_cmpuint (peek_found (fixture)->off->n_off, ==, 8);
  act (fixture, "ablation.heads", "invert");
  g_assert_cmpuint (peek_found (fixture)->off->n_off, ==, 24);
  act (fixture, "ablation.heads", "head-left");
  g_assert_cmpuint (peek_found (fixture)->off->n_off, ==, 31);
  act (fixture, "ablation.heads", "least"); /* nobody knows which */
  g_assert_cmpuint (peek_found (fixture)->off->n_off, ==, 31);
  act (fixture, "ablation.heads", "all-on");
  g_assert_null (peek_found (fixture)->off);
  hs_ablation_start (HS_ABLATION (fixture->page));
  lab_fixture_settle ();
  act (fixture, "ablation.heads", "least");
  g_assert_cmpuint (peek_found (fixture)->off->n_off, ==, 10);
}

/* Every kind gives another loss, and of many questions the newest is answered. */
static void
test_kinds (Fixture *fixture, gconstpointer data)
{
  double losses[ATTN_ABLATE_PATCH];
  (void)data;
  pick (fixture, ATTN_DRAW_ABLATION_HEAD, 1, 2);
  for (int kind = 0; kind < ATTN_ABLATE_PATCH; kind++) {
    act (fixture, "ablation.kind", attn_ablate_kind_names[kind]);
    losses[kind] = peek_found (fixture)->off->loss;
    for (int other = 0; other < kind; other++)
      g_assert_cmpfloat (losses[other], !=, losses[kind]);
  }
  for (guint head = 3; head < 8; head++)
    g_signal_emit_by_name (fixture->figure, "picked", ATTN_DRAW_ABLATION_HEAD, 3, head);
  lab_fixture_settle ();
  g_assert_cmpuint (peek_found (fixture)->off->n_off, ==, 6);
}

/* A second text that does not fit is told, and nothing that is shown is lost; one that does, is
 * taken. */
static void
test_patch (Fixture *fixture, gconstpointer data)
{
  AttnAblationAsked asked = *hs_session_peek_ablation (fixture->desk.session);
  (void)data;
  asked.kind = ATTN_ABLATE_PATCH;
  asked.off = (char *)(guintptr) "1-1";
  asked.patch = (char *)(guintptr) "Too short";
  hs_session_set_ablation (fixture->desk.session, &asked);
  lab_fixture_settle ();
  g_autofree char *told = ui_test_dup_labels (fixture->page);
  g_assert_nonnull (strstr (told, "tokens, wanted are 9"));
  g_assert_nonnull (peek_found (fixture)->clean);
  g_assert_null (hs_ablation_dup_command (HS_ABLATION (fixture->page)));
  asked.patch = (char *)(guintptr) "London is the [MASK] of France.";
  hs_session_set_ablation (fixture->desk.session, &asked);
  lab_fixture_settle ();
  g_assert_no_error (peek_found (fixture)->fault);
  g_assert_nonnull (peek_found (fixture)->off);
}

/* The word that is right: the best guess, or one that somebody chose; one that is no token is told,
 * and what was shown stays. */
static void
test_labels (Fixture *fixture, gconstpointer data)
{
  AttnAblationAsked asked = *hs_session_peek_ablation (fixture->desk.session);
  const double guessed = peek_found (fixture)->clean->task->loss;
  (void)data;
  asked.labels = (char *)(guintptr) "city";
  hs_session_set_ablation (fixture->desk.session, &asked);
  lab_fixture_settle ();
  g_assert_cmpint (peek_found (fixture)->clean->task->kind, ==, ATTN_TASK_LABELLED);
  g_assert_cmpfloat (peek_found (fixture)->clean->task->loss, >, guessed);
  asked.labels = (char *)(guintptr) "supercalifragilistic";
  hs_session_set_ablation (fixture->desk.session, &asked);
  lab_fixture_settle ();
  g_assert_nonnull (peek_found (fixture)->clean);
  g_autofree char *told = ui_test_dup_labels (fixture->page);
  g_assert_nonnull (strstr (told, "is not one token of this model"));
}

/* All in turn: each is the loss with that head alone off; another kind is measured anew at once. */
static void
test_each (Fixture *fixture, gconstpointer data)
{
  HsAblation *page = HS_ABLATION (fixture->page);
  (void)data;
  hs_ablation_start (page);
  lab_fixture_settle ();
  g_assert_true (hs_session_peek_ablation (fixture->desk.session)->each);
  g_assert_nonnull (hs_ablation_peek_each (page));
  pick (fixture, ATTN_DRAW_ABLATION_HEAD, 1, 2);
  /* alone or in a batch is the same but for rounding where kernels do not promise more */
  g_assert_cmpfloat_with_epsilon (peek_found (fixture)->off->loss,
                                  hs_ablation_peek_each (page)->losses[8 + 2], 1e-5);
  act (fixture, "ablation.kind", "mean");
  lab_fixture_settle ();
  g_assert_nonnull (hs_ablation_peek_each (page));
  g_assert_cmpint (hs_ablation_peek_each (page)->asked.kind, ==, ATTN_ABLATE_MEAN);
}

/* Without masks tokens are drawn; the seed and the draws are asked for. */
static void
test_drawn (Fixture *fixture, gconstpointer data)
{
  AttnAblationAsked asked = *hs_session_peek_ablation (fixture->desk.session);
  (void)data;
  g_assert_cmpint (peek_found (fixture)->clean->task->kind, ==, ATTN_TASK_DRAWN);
  asked.n_draws = 3;
  asked.seed = 7;
  hs_session_set_ablation (fixture->desk.session, &asked);
  lab_fixture_settle ();
  g_assert_cmpuint (peek_found (fixture)->clean->task->n_draws, ==, 3);
  g_assert_cmpuint (peek_found (fixture)->clean->seed, ==, 7);
}

/* The line that is copied, and the session, make the very file that is saved; numbers are what the
 * command line prints. */
static void
test_save (Fixture *fixture, gconstpointer data)
{
  HsAblation *page = HS_ABLATION (fixture->page);
  (void)data;
  for (int i = 0; i < 2; i++) {
    gsize saved_size = 0, made_size = 0;
    if (i == 1) {
      AttnAblationAsked asked = *hs_session_peek_ablation (fixture->desk.session);
      asked.off = (char *)(guintptr) "1-7,3-4";
      asked.kind = ATTN_ABLATE_UNIFORM;
      asked.importance = true;
      hs_session_set_ablation (fixture->desk.session, &asked);
      hs_session_set_layer (fixture->desk.session, 3);
      lab_fixture_settle ();
      hs_ablation_start (page);
      lab_fixture_settle ();
      g_assert_nonnull (peek_found (fixture)->importance);
    }
    hs_ablation_save (page, "png", lab_fixture_name_cb);
    lab_fixture_settle ();
    g_autofree char *saved = lab_fixture_read ("heads-off.png", &saved_size);
    g_autofree char *command = hs_ablation_dup_command (page);
    g_assert_nonnull (strstr (command, " ablate "));
    g_free (lab_fixture_run (command));
    g_autofree char *made = lab_fixture_read ("heads-off.png", &made_size);
    g_assert_cmpmem (saved, saved_size, made, made_size);
    lab_fixture_render_session (fixture, "session.png");
    g_autofree char *drawn = lab_fixture_read ("session.png", &made_size);
    g_assert_cmpmem (saved, saved_size, drawn, made_size);
  }
  static const char *const formats[] = {"json", "csv"};
  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++) {
    gsize size = 0;
    g_autofree char *name = g_strconcat ("heads-off.", formats[i], NULL);
    hs_ablation_save (page, formats[i], lab_fixture_name_cb);
    lab_fixture_settle ();
    g_autofree char *saved = lab_fixture_read (name, &size);
    g_autofree char *text = g_shell_quote (TEXT);
    g_autofree char *line = g_strdup_printf ("headscope-cli ablate --text %s --kind uniform --off "
                                             "1-7,3-4 --each --importance --format %s",
                                             text, formats[i]);
    g_autofree char *printed = lab_fixture_run (line);
    g_assert_cmpstr (saved, ==, printed);
  }
}

/* A head's weights are computed once: drawn again and pointed at they are the very same; another
 * head, or other switches, have others. Of a long text they come from another thread, and until
 * then the ones before are shown. */
static void
test_weights (Fixture *fixture, gconstpointer data)
{
  HsAblation *page = HS_ABLATION (fixture->page);
  const bool is_long = data != NULL;
  pick (fixture, ATTN_DRAW_ABLATION_HEAD, 0, 1);
  AttnDrawAblationWeights *kept = hs_ablation_peek_weights (page);
  const AttnTrace *clean = peek_found (fixture)->clean->task->clean;
  g_assert_cmpuint (attn_trace_get_n_tokens (clean) > 128, ==, is_long);
  g_assert_true (
      attn_draw_ablation_weights_are_of (kept, clean, peek_found (fixture)->off->trace, 0, 1));
  for (guint i = 0; i < 3; i++) {
    hs_figure_renew (fixture->figure);
    g_signal_emit_by_name (fixture->figure, "hovered", ATTN_DRAW_ABLATION_MAP + i, 1, 2);
    lab_fixture_settle ();
    g_assert_true (hs_ablation_peek_weights (page) == kept);
  }
  hs_session_set_layer (fixture->desk.session, 2);
  g_assert_true ((hs_ablation_peek_weights (page) == kept) == is_long);
  hs_session_set_layer (fixture->desk.session, 3); /* of two wishes the newest is fulfilled */
  lab_fixture_settle ();
  g_assert_true (attn_draw_ablation_weights_are_of (hs_ablation_peek_weights (page), clean,
                                                    peek_found (fixture)->off->trace, 3, 1));
  pick (fixture, ATTN_DRAW_ABLATION_HEAD, 3, 3);
  g_assert_true (attn_draw_ablation_weights_are_of (hs_ablation_peek_weights (page), clean,
                                                    peek_found (fixture)->off->trace, 3, 3));
  act (fixture, "ablation.heads", "all-on");
  g_assert_null (hs_ablation_peek_weights (page));
}

/* Saves the figure as PNG. Returns: (transfer full): the file. */
static char *
save (Fixture *fixture, const char *name, gsize *size)
{
  hs_ablation_save (HS_ABLATION (fixture->page), "png", lab_fixture_name_cb);
  lab_fixture_settle ();
  return lab_fixture_read (name, size);
}

/* How many heads can go: measured, pointed at, a head chosen, and the very file that the copied
 * line and the session make. */
static void
test_pruning (Fixture *fixture, gconstpointer data)
{
  HsAblation *page = HS_ABLATION (fixture->page);
  gsize sizes[3];
  (void)data;
  act (fixture, "ablation.figure", "pruning");
  g_assert_null (hs_ablation_peek_curves (page));
  g_assert_null (hs_ablation_dup_command (page));
  pick (fixture, ATTN_DRAW_ABLATION_HEAD, 1, 1); /* is no switch here, and none is told of */
  g_assert_null (peek_off (fixture));
  g_autofree char *words = ui_test_dup_labels (fixture->page);
  g_assert_nonnull (strstr (words, "Layer 1, head 1"));
  g_assert_null (strstr (words, "head 1: on"));
  hs_ablation_start (page);
  lab_fixture_settle ();
  const HsAblationCurves *curves = hs_ablation_peek_curves (page);
  g_assert_nonnull (curves);
  g_assert_true (hs_session_peek_ablation (fixture->desk.session)->curves);
  g_assert_cmpuint (curves->pruning->n_curves, ==, 5);
  lab_fixture_assert_value (fixture, "By importance: the accuracy");
  pick (fixture, 4, 10, 0); /* the tenth head among all */
  g_assert_cmpuint (hs_session_get_layer (fixture->desk.session), ==, 1);
  g_assert_cmpuint (hs_session_get_head (fixture->desk.session), ==, 2);
  pick (fixture, 4, 9999, 0);
  pick (fixture, 1, 2, 1);
  g_assert_true (hs_ablation_peek_curves (page) == curves); /* nothing is measured again */
  g_autofree char *saved = save (fixture, "prune-curve.png", &sizes[0]);
  g_autofree char *command = hs_ablation_dup_command (page);
  g_assert_nonnull (strstr (command, " prune-curve "));
  g_free (lab_fixture_run (command));
  g_autofree char *made = lab_fixture_read ("prune-curve.png", &sizes[1]);
  g_assert_cmpmem (saved, sizes[0], made, sizes[1]);
  lab_fixture_render_session (fixture, "session.png");
  g_autofree char *drawn = lab_fixture_read ("session.png", &sizes[2]);
  g_assert_cmpmem (saved, sizes[0], drawn, sizes[2]);
  act (fixture, "ablation.figure", "switches");
  pick (fixture, ATTN_DRAW_ABLATION_HEAD, 1, 1);
  g_assert_cmpstr (peek_off (fixture), ==, "2-2");
  act (fixture, "ablation.figure", "pruning");
  g_assert_true (hs_ablation_peek_curves (page) == curves);
}

/* Another seed is another question: curves that took no time to speak of are drawn anew; stopped
 * ones are not asked for any more. */
static void
test_pruning_anew (Fixture *fixture, gconstpointer data)
{
  HsAblation *page = HS_ABLATION (fixture->page);
  (void)data;
  act (fixture, "ablation.figure", "pruning");
  hs_ablation_start (page);
  hs_ablation_stop (page);
  lab_fixture_settle ();
  g_assert_null (hs_ablation_peek_curves (page));
  g_assert_false (hs_session_peek_ablation (fixture->desk.session)->curves);
  AttnAblationAsked asked = *hs_session_peek_ablation (fixture->desk.session);
  asked.curves = true; /* as a session file does */
  asked.seed = 5;
  hs_session_set_ablation (fixture->desk.session, &asked);
  lab_fixture_settle ();
  const HsAblationCurves *curves = hs_ablation_peek_curves (page);
  g_assert_nonnull (curves);
  g_assert_cmpuint (curves->pruning->curves[2].seed, ==, 5);
}

static void
test_nothing (Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_assert_null (peek_found (fixture));
  g_autofree char *words = ui_test_dup_labels (fixture->page);
  g_assert_nonnull (strstr (words, "Type a text"));
  hs_ablation_start (HS_ABLATION (fixture->page));
  g_assert_null (hs_ablation_dup_command (HS_ABLATION (fixture->page)));
}

/* A window in another language is made around the same session: its page is taken out and put in
 * again before the answer came. */
static void
test_taken_out (Fixture *fixture, gconstpointer data)
{
  (void)data;
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (fixture->page));
  g_object_ref (fixture->page);
  pick (fixture, ATTN_DRAW_ABLATION_HEAD, 2, 3);
  g_signal_emit_by_name (fixture->figure, "picked", ATTN_DRAW_ABLATION_HEAD, 0, 1);
  gtk_window_set_child (window, NULL);
  gtk_window_set_child (window, fixture->page);
  lab_fixture_settle ();
  g_assert_cmpuint (peek_found (fixture)->off->n_off, ==, 2);
  g_object_unref (fixture->page);
}

/* A window that is closed while heads are removed leaves nothing behind. */
static void
test_close (Fixture *fixture, gconstpointer data)
{
  (void)data;
  hs_ablation_start (HS_ABLATION (fixture->page));
  g_signal_emit_by_name (fixture->figure, "picked", ATTN_DRAW_ABLATION_HEAD, 1, 1);
  gtk_window_set_child (GTK_WINDOW (fixture->window), NULL);
  g_object_run_dispose (G_OBJECT (fixture->page));
  lab_fixture_settle ();
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  hs_register_resource ();
  g_assert_cmpint (argc, >=, 2);
  lab_fixture_begin_files (argv[1]);
  g_test_add ("/ablation/switches", Fixture, NULL, set_up, test_switches, tear_down);
  g_test_add ("/ablation/keys", Fixture, NULL, set_up, test_keys, tear_down);
  g_test_add ("/ablation/many", Fixture, NULL, set_up, test_many, tear_down);
  g_test_add ("/ablation/kinds", Fixture, NULL, set_up, test_kinds, tear_down);
  g_test_add ("/ablation/patch", Fixture, NULL, set_up, test_patch, tear_down);
  g_test_add ("/ablation/labels", Fixture, NULL, set_up, test_labels, tear_down);
  g_test_add ("/ablation/each", Fixture, NULL, set_up, test_each, tear_down);
  g_test_add ("/ablation/drawn", Fixture, "The cat sat on the mat today.", set_up, test_drawn,
              tear_down);
  g_test_add ("/ablation/save", Fixture, NULL, set_up, test_save, tear_down);
  g_test_add ("/ablation/weights", Fixture, NULL, set_up, test_weights, tear_down);
  g_autofree char *words = g_strnfill (2 * 150, 'a');
  for (size_t i = 1; i < 2 * 150; i += 2)
    words[i] = ' ';
  g_test_add ("/ablation/weights-of-many", Fixture, words, set_up, test_weights, tear_down);
  g_test_add ("/ablation/pruning", Fixture, NULL, set_up, test_pruning, tear_down);
  g_test_add ("/ablation/pruning-anew", Fixture, "The cat sat on the mat today.", set_up,
              test_pruning_anew, tear_down);
  g_test_add ("/ablation/nothing", Fixture, "", set_up, test_nothing, tear_down);
  g_test_add ("/ablation/taken-out", Fixture, NULL, set_up, test_taken_out, tear_down);
  g_test_add ("/ablation/close", Fixture, NULL, set_up, test_close, tear_down);
  const int result = g_test_run ();
  lab_fixture_end_files ();
  return result;
}
