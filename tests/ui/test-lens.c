/* SPDX-License-Identifier: MIT */
/* Lenses in the window: the choice and what is greyed out, what is said of them, stop, what a text
 * or a file does not have, Compare. */
#include "formula-maps.h"
#include "hs-arrange-actions.h"
#include "hs-attended-panel.h"
#include "hs-closures.h"
#include "hs-export.h"
#include "hs-help-panel.h"
#include "hs-lens-row.h"
#include "hs-reading.h"
#include "hs-resources.h"
#include "hs-sink.h"
#include "ui-test.h"

#include "attn/sink.h"

#include <string.h>

#define TEXT "The animal didn't cross the street, because it was too tired."

static const char *
peek_title (UiTestDesk *desk)
{
  return hs_session_peek_view (desk->session)->strings.title;
}

/* ---- the choice ---- */

typedef struct {
  UiTestDesk desk;
  GtkWidget *window;
  HsLensRow *row;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  ui_test_desk_open (&fixture->desk, TEXT);
  fixture->row =
      g_object_ref_sink (g_object_new (HS_TYPE_LENS_ROW, "session", fixture->desk.session, NULL));
  fixture->window = g_object_ref (gtk_window_new ());
  gtk_window_set_child (GTK_WINDOW (fixture->window), GTK_WIDGET (fixture->row));
  gtk_window_present (GTK_WINDOW (fixture->window));
  ui_test_drain (fixture->desk.engine);
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_object_unref (fixture->row);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  ui_test_drain (fixture->desk.engine);
  g_assert_finalize_object (fixture->window);
  ui_test_desk_close (&fixture->desk);
}

static void
choose (Fixture *fixture, AttnLens lens)
{
  GtkWidget *check = hs_lens_row_peek_choice (fixture->row, lens);
  g_assert_true (gtk_widget_get_sensitive (check));
  g_signal_emit_by_name (check, "activate");
  ui_test_wait_state (fixture->desk.session, HS_STATE_READY);
  ui_test_drain (fixture->desk.engine);
  g_assert_true (hs_session_is_current (fixture->desk.session));
}

/* Every lens of the shipped model, which has what each of them needs. */
static void
test_choice (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;
  guint changes = 0;
  ui_test_count (session, "lens", &changes);
  for (size_t lens = 1; lens < ATTN_N_LENSES; lens++) {
    choose (fixture, (AttnLens)lens);
    g_assert_cmpint (hs_session_peek_view (session)->lens, ==, lens);
    g_assert_nonnull (
        strstr (peek_title (&fixture->desk), attn_lens_peek_about ((AttnLens)lens)->title));
    g_assert_nonnull (hs_session_peek_map (session));
  }
  g_assert_cmpuint (changes, ==, ATTN_N_LENSES - 1);
  g_autofree char *labels = ui_test_dup_labels (GTK_WIDGET (fixture->row));
  g_assert_true (g_str_has_prefix (labels, "Scores before softmax"));
}

static void
test_greyed (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;
  g_autoptr (GString) text = g_string_new (NULL);
  for (int i = 0; i < 80; i++)
    g_string_append (text, "cat ");
  g_assert_true (gtk_widget_get_sensitive (hs_lens_row_peek_choice (fixture->row, ATTN_LENS_FLOW)));
  hs_side_set_text (hs_session_peek_side (session), text->str);
  ui_test_wait_state (session, HS_STATE_READY);
  ui_test_drain (fixture->desk.engine);
  g_assert_false (
      gtk_widget_get_sensitive (hs_lens_row_peek_choice (fixture->row, ATTN_LENS_FLOW)));
  g_assert_true (
      gtk_widget_get_sensitive (hs_lens_row_peek_choice (fixture->row, ATTN_LENS_ZEROING)));
  g_autofree char *reason = hs_lens_row_dup_reason (session, ATTN_LENS_FLOW);
  g_assert_cmpstr (reason, ==, "it takes long, so texts may have 64 tokens at most");
  g_assert_null (hs_lens_row_dup_reason (session, ATTN_LENS_RAW));
}

/* ---- what is said ---- */

static void
test_words (void)
{
  UiTestDesk desk;
  ui_test_desk_open (&desk, TEXT);
  GtkWidget *help = g_object_ref_sink (hs_help_panel_new (desk.session));
  GtkWidget *attended = g_object_ref_sink (hs_attended_panel_new (desk.session));
  hs_session_set_lens (desk.session, ATTN_LENS_NORM);
  ui_test_drain (desk.engine);
  g_autofree char *norm = ui_test_dup_labels (help);
  g_assert_nonnull (strstr (norm, "a token may get much weight and bring little"));
  g_assert_nonnull (strstr (norm, "The numbers of a row need not sum to 1."));
  g_autofree char *shown = ui_test_dup_labels (attended);
  g_assert_nonnull (strstr (shown, "What this head attends to"));
  g_assert_nonnull (strstr (shown, "norm-weighted attention · mean over"));
  hs_session_set_lens (desk.session, ATTN_LENS_MIXING);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  g_autofree char *mixing = ui_test_dup_labels (help);
  g_assert_nonnull (strstr (mixing, "rows sum to 1"));
  g_assert_null (strstr (mixing, "need not sum"));
  g_autofree char *of_layer = ui_test_dup_labels (attended);
  g_assert_nonnull (strstr (of_layer, "What this layer attends to"));
  g_object_unref (help);
  g_object_unref (attended);
  ui_test_desk_close (&desk);
}

static void
test_closures (void)
{
  AttnArrangement how = {0};
  g_assert_true (hs_closure_head_matters (NULL, 8, &how, ATTN_LENS_NORM, FALSE, NULL));
  g_assert_false (hs_closure_head_matters (NULL, 8, &how, ATTN_LENS_MIXING, FALSE, NULL));
  g_assert_true (
      hs_closure_head_matters (NULL, 8, &how, ATTN_LENS_MIXING, TRUE, NULL)); /* in the lab */
}

static void
test_command (void)
{
  UiTestDesk desk;
  HsExportOptions options;
  ui_test_desk_open (&desk, TEXT);
  hs_session_set_lens (desk.session, ATTN_LENS_ROLLOUT);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  hs_export_options_init (&options, NULL);
  g_autoptr (HsExport) export = hs_export_new (desk.session, &options);
  g_autofree char *command = hs_export_dup_command (export, "a.png");
  g_assert_nonnull (strstr (command, "--lens rollout"));
  g_autofree char *name = hs_export_dup_file_name (export);
  g_assert_true (g_str_has_suffix (name, "-rollout-layer-1.png"));
  ui_test_desk_close (&desk);
}

/* ---- how it goes ---- */

/* The picture that was there stays, and its lens. */
static void
test_stop (void)
{
  UiTestDesk desk;
  ui_test_desk_open (&desk, TEXT);
  AttnDrawPanels *before = hs_session_peek_panels (desk.session);
  HsAnswer *answer = hs_side_peek_answer (hs_session_peek_side (desk.session));
  hs_session_set_lens (desk.session, ATTN_LENS_ZEROING);
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_BUSY);
  g_assert_true (hs_session_peek_panels (desk.session) == before);
  hs_updater_stop (desk.updater);
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_READY);
  g_assert_cmpint (hs_session_get_lens (desk.session), ==, ATTN_LENS_RAW);
  ui_test_drain (desk.engine);
  g_assert_true (hs_session_peek_panels (desk.session) == before);
  g_assert_true (hs_side_peek_answer (hs_session_peek_side (desk.session)) == answer);

  /* the newest wins */
  hs_session_set_lens (desk.session, ATTN_LENS_ZEROING);
  hs_session_set_lens (desk.session, ATTN_LENS_MIXING);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  ui_test_drain (desk.engine);
  g_assert_cmpint (hs_session_peek_view (desk.session)->lens, ==, ATTN_LENS_MIXING);
  ui_test_desk_close (&desk);
}

static void
failed_cb (char **sentence, const GError *error)
{
  g_free (*sentence);
  *sentence = g_strdup (error->message);
}

/* A lens that does not fit leaves the picture; a text that does not fit the lens has none. */
static void
test_refused (void)
{
  UiTestDesk desk;
  g_autofree char *sentence = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  for (int i = 0; i < 80; i++)
    g_string_append (text, "cat ");
  ui_test_desk_open (&desk, text->str);
  g_signal_connect_swapped (desk.updater, "lens-failed", G_CALLBACK (failed_cb), &sentence);
  AttnDrawPanels *before = hs_session_peek_panels (desk.session);
  hs_session_set_lens (desk.session, ATTN_LENS_FLOW);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  ui_test_drain (desk.engine);
  g_assert_true (hs_session_peek_panels (desk.session) == before);
  g_assert_cmpint (hs_session_get_lens (desk.session), ==, ATTN_LENS_RAW);
  g_assert_nonnull (strstr (sentence, "64 tokens at most"));

  hs_side_set_text (hs_session_peek_side (desk.session), TEXT);
  hs_session_set_lens (desk.session, ATTN_LENS_FLOW);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  ui_test_drain (desk.engine);
  hs_side_set_text (hs_session_peek_side (desk.session), text->str);
  ui_test_wait_state (desk.session, HS_STATE_FAILED);
  ui_test_drain (desk.engine);
  g_assert_cmpstr (hs_session_peek_message (desk.session), ==,
                   "The chosen lens does not fit what is opened.");
  GActionGroup *group = hs_arrange_actions_new (desk.session);
  g_assert_true (g_action_group_get_action_enabled (group, "reset"));
  g_action_group_activate_action (group, "reset", NULL);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  ui_test_drain (desk.engine);
  g_assert_nonnull (hs_session_peek_panels (desk.session));
  g_assert_cmpint (hs_session_peek_view (desk.session)->lens, ==, ATTN_LENS_RAW);
  g_assert_finalize_object (group);
  ui_test_desk_close (&desk);
}

/* Both sides are seen through it. */
static void
test_compare (void)
{
  UiTestDesk desk;
  ui_test_desk_open (&desk, TEXT);
  hs_side_set_text (hs_session_peek_side_b (desk.session), "The animal was tired.");
  hs_session_set_kind (desk.session, ATTN_DRAW_COMPARE);
  ui_test_drain (desk.engine);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  hs_session_set_lens (desk.session, ATTN_LENS_ZEROING);
  ui_test_drain (desk.engine);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  g_assert_true (hs_session_is_current (desk.session));
  g_autofree char *shown = hs_closure_unit_name (NULL, NULL, ATTN_LENS_ZEROING);
  g_assert_cmpstr (shown, ==, "Tokens · value zeroing");
  g_autofree char *cut = hs_closure_unit_name (NULL, NULL, ATTN_LENS_NORM_LAYER);
  g_assert_cmpstr (cut, ==, "Tokens · norm-weighted attention…");
  g_assert_nonnull (strstr (peek_title (&desk), "value zeroing"));
  g_assert_null (hs_session_peek_changes (desk.session)); /* which are of weights */
  ui_test_desk_close (&desk);
}

static void
compare_failed_cb (char **told, const GError *error)
{
  g_free (*told);
  *told = g_strdup (error->message);
}

/* A text B that a lens does not fit leaves the comparison, of what fits both, and is told why. */
static void
test_compare_refused (void)
{
  UiTestDesk desk;
  g_autofree char *sentence = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  for (int i = 0; i < 20; i++)
    g_string_append (text, "the animal was tired ");
  ui_test_desk_open (&desk, TEXT);
  g_signal_connect_swapped (desk.updater, "lens-failed", G_CALLBACK (compare_failed_cb), &sentence);
  hs_session_set_lens (desk.session, ATTN_LENS_FLOW);
  ui_test_drain (desk.engine);
  hs_side_set_text (hs_session_peek_side_b (desk.session), text->str);
  hs_session_set_kind (desk.session, ATTN_DRAW_COMPARE);
  ui_test_drain (desk.engine);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  g_assert_nonnull (sentence);
  g_assert_nonnull (strstr (sentence, "texts may have 64 tokens at most"));
  g_assert_cmpint (hs_session_get_lens (desk.session), ==, ATTN_LENS_RAW);
  g_assert_true (hs_session_is_current (desk.session));
  g_assert_cmpint (hs_session_peek_view (desk.session)->kind, ==, ATTN_DRAW_COMPARE);
  g_assert_nonnull (hs_session_peek_panels (desk.session));
  ui_test_desk_close (&desk);
}

/* ---- heads that park their weight ---- */

/* Each head is told to be a sink where the core says so, and nowhere else. */
static void
test_sink (void)
{
  UiTestDesk desk;
  guint n_sinks = 0;
  ui_test_desk_open (&desk, "Beijing is the [MASK] of China.");
  GtkWidget *attended = g_object_ref_sink (hs_attended_panel_new (desk.session));
  for (guint i = 0;
       i < hs_session_get_n_layers (desk.session) * hs_session_get_n_heads (desk.session); i++) {
    hs_session_set_layer (desk.session, i / hs_session_get_n_heads (desk.session));
    hs_session_set_head (desk.session, i % hs_session_get_n_heads (desk.session));
    ui_test_drain (desk.engine);
    ui_test_wait_state (desk.session, HS_STATE_READY);
    const AttnMap *map = hs_session_peek_map (desk.session);
    AttnSink sink;
    g_assert_true (attn_map_find_sink (map, &sink, NULL));
    g_autofree char *told = hs_sink_dup (hs_session_peek_view (desk.session), map);
    g_autofree char *labels = ui_test_dup_labels (attended);
    g_autofree char *description = hs_reading_dup_description (desk.session);
    g_assert_cmpint (told != NULL, ==, sink.is_sink);
    g_assert_cmpint (strstr (labels, "Mostly a") != NULL, ==, sink.is_sink);
    g_assert_cmpint (strstr (description, "Mostly a") != NULL, ==, sink.is_sink);
    if (sink.is_sink)
      g_assert_cmpint (strstr (told, "Mostly a no-op: ") != NULL, ==, sink.is_no_op);
    n_sinks += sink.is_sink;
  }
  g_assert_cmpuint (n_sinks, >, 0);
  hs_session_set_lens (desk.session, ATTN_LENS_NORM);
  ui_test_drain (desk.engine);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  g_assert_null (
      hs_sink_dup (hs_session_peek_view (desk.session), hs_session_peek_map (desk.session)));
  g_object_unref (attended);
  ui_test_desk_close (&desk);
}

/* ---- files ---- */

static void
show (UiTestDesk *desk, HsAttention *attention)
{
  hs_updater_show_attention (desk->updater, attention);
  ui_test_wait_state (desk->session, HS_STATE_READY);
  ui_test_drain (desk->engine);
}

/* What needs a model is put aside while a file is shown, and is not for Compare with one either. */
static void
test_file (void)
{
  static char path[] = "/nowhere/weights.npy", tokens[] = "/nowhere/weights.json";
  static const AttnLens of_maps[] = {ATTN_LENS_RAW, ATTN_LENS_ROLLOUT, ATTN_LENS_FLOW};
  const HsAttentionPlace place = {.path = path, .tokens = tokens};
  UiTestDesk desk;
  g_autoptr (AttnMaps) maps = formula_maps_new (6, 6);
  g_autoptr (HsAttention) attention = hs_attention_new (maps, &place);
  ui_test_desk_open (&desk, TEXT);
  hs_session_set_lens (desk.session, ATTN_LENS_NORM);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  show (&desk, attention);
  g_assert_cmpint (hs_session_peek_view (desk.session)->lens, ==, ATTN_LENS_RAW);
  for (size_t i = 0; i < G_N_ELEMENTS (of_maps); i++)
    g_assert_null (hs_lens_row_dup_reason (desk.session, of_maps[i]));
  g_autofree char *reason = hs_lens_row_dup_reason (desk.session, ATTN_LENS_NORM);
  g_assert_cmpstr (reason, ==, "it needs a model, and a file of attention has none");
  hs_session_set_lens (desk.session, ATTN_LENS_FLOW);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  g_assert_true (hs_session_is_current (desk.session));
  hs_session_set_lens (desk.session, ATTN_LENS_RAW);
  show (&desk, NULL);
  g_assert_cmpint (hs_session_peek_view (desk.session)->lens, ==, ATTN_LENS_NORM);

  hs_session_set_lens (desk.session, ATTN_LENS_RAW);
  hs_session_set_kind (desk.session, ATTN_DRAW_COMPARE);
  hs_updater_show_attention_b (desk.updater, attention);
  ui_test_drain (desk.engine);
  g_autofree char *reason_b = hs_lens_row_dup_reason (desk.session, ATTN_LENS_NORM);
  g_assert_cmpstr (reason_b, ==, reason);
  ui_test_desk_close (&desk);
}

int
main (int argc, char **argv)
{
  g_setenv ("GTK_A11Y", "test", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  hs_register_resource ();
  g_test_add ("/lens/choice", Fixture, NULL, set_up, test_choice, tear_down);
  g_test_add ("/lens/greyed", Fixture, NULL, set_up, test_greyed, tear_down);
  g_test_add_func ("/lens/words", test_words);
  g_test_add_func ("/lens/closures", test_closures);
  g_test_add_func ("/lens/command", test_command);
  g_test_add_func ("/lens/stop", test_stop);
  g_test_add_func ("/lens/refused", test_refused);
  g_test_add_func ("/lens/compare", test_compare);
  g_test_add_func ("/lens/compare/refused", test_compare_refused);
  g_test_add_func ("/lens/sink", test_sink);
  g_test_add_func ("/lens/file", test_file);
  return g_test_run ();
}
