/* SPDX-License-Identifier: MIT */
/* From a question to what is shown: typing, heads in the same moment, empty, stop, long texts, and
 * memory that stays where it was. */
#include "test-util.h"
#include "ui-test.h"

#include "attn-hub/store.h"

#include <malloc.h>

#define TEXT "The animal didn't cross the street because it was too tired."

static const char *
peek_shown_text (HsSession *session)
{
  HsAnswer *answer = hs_side_peek_answer (hs_session_peek_side (session));

  return attn_tokens_peek_text (hs_answer_peek_tokens (answer), 0, NULL);
}

static void
type (UiTestDesk *desk, const char *text)
{
  hs_side_set_text (hs_session_peek_side (desk->session), text);
}

static char *
make_long_text (int n_words)
{
  GString *text = g_string_new ("");

  for (int i = 0; i < n_words; i++)
    g_string_append_printf (text, "%s ", i % 3 == 0 ? "cat" : "the");
  return g_string_free (text, FALSE);
}

static void
test_typing (void)
{
  UiTestDesk desk;
  guint answers = 0, panels = 0;

  ui_test_desk_open (&desk, TEXT);
  ui_test_count (hs_session_peek_side (desk.session), "answer", &answers);
  ui_test_count (desk.session, "panels", &panels);
  type (&desk, "a");
  type (&desk, "an");
  type (&desk, "another");
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_BUSY);
  g_assert_nonnull (hs_session_peek_panels (desk.session)); /* the last picture stays */
  ui_test_wait_state (desk.session, HS_STATE_READY);
  ui_test_drain (desk.engine);
  g_assert_cmpuint (answers, ==, 1);
  g_assert_cmpuint (panels, ==, 1);
  g_assert_cmpstr (peek_shown_text (desk.session), ==, "another");
  g_assert_nonnull (strstr (hs_session_peek_view (desk.session)->strings.subtitle, "another"));
  ui_test_desk_close (&desk);
}

/* The new head is there when the setter returns: the next frame draws it. */
static void
test_heads_at_once (void)
{
  UiTestDesk desk;

  ui_test_desk_open (&desk, TEXT);
  for (guint head = 0; head < hs_session_get_n_heads (desk.session); head++) {
    const AttnMap *map;

    hs_session_set_head (desk.session, head);
    hs_session_set_layer (desk.session, head % hs_session_get_n_layers (desk.session));
    g_assert_true (hs_session_is_current (desk.session));
    map = hs_session_peek_map (desk.session);
    g_assert_cmpuint (map->head, ==, head);
    g_assert_cmpuint (map->layer, ==, head % hs_session_get_n_layers (desk.session));
    g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_READY);
  }
  ui_test_desk_close (&desk);
}

/* In the grid another head is another mark, not other numbers. */
static void
test_grid (void)
{
  UiTestDesk desk;
  AttnDrawPanels *panels;

  ui_test_desk_open (&desk, TEXT);
  hs_session_set_kind (desk.session, ATTN_DRAW_HEADS);
  g_assert_true (hs_session_is_current (desk.session));
  panels = hs_session_peek_panels (desk.session);
  g_assert_cmpuint (attn_draw_panels_get_n (panels), ==, hs_session_get_n_heads (desk.session));
  hs_session_set_head (desk.session, 3);
  g_assert_true (hs_session_peek_panels (desk.session) == panels);
  g_assert_cmpuint (hs_session_peek_view (desk.session)->head, ==, 3);
  g_assert_cmpuint (hs_session_peek_map (desk.session)->head, ==, 3);
  hs_session_set_kind (desk.session, ATTN_DRAW_HEATMAP);
  g_assert_cmpuint (hs_session_peek_map (desk.session)->head, ==, 3);
  ui_test_desk_close (&desk);
}

/* The map that the panels beside the picture read is weight by weight that of the model. */
static void
assert_exact_map (HsSession *session, guint layer, guint head)
{
  const AttnMap *map = hs_session_peek_map (session);
  HsAnswer *answer = hs_side_peek_answer (hs_session_peek_side (session));
  g_autoptr (AttnMap) wanted = attn_maps_dup_map (answer->maps, layer, head, NULL);

  g_assert_nonnull (map);
  g_assert_cmpuint (map->layer, ==, layer);
  g_assert_cmpuint (map->head, ==, head);
  g_assert_cmpmem (map->weights, map->n_queries * map->n_keys * sizeof *map->weights,
                   wanted->weights, wanted->n_queries * wanted->n_keys * sizeof *map->weights);
}

/* All layers hold every head, too; of long texts only pooled, but not for the panels beside. */
static void
test_layers (void)
{
  UiTestDesk desk;
  AttnDrawPanels *panels;
  g_autoptr (GString) text = g_string_new (TEXT);

  ui_test_desk_open (&desk, TEXT);
  hs_session_set_kind (desk.session, ATTN_DRAW_LAYERS);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  panels = hs_session_peek_panels (desk.session);
  g_assert_cmpuint (attn_draw_panels_get_n (panels), ==,
                    hs_session_get_n_layers (desk.session) * hs_session_get_n_heads (desk.session));
  g_assert_nonnull (attn_draw_panels_peek (panels, 0));
  hs_session_set_head (desk.session, 3);
  hs_session_set_layer (desk.session, 2);
  g_assert_true (hs_session_peek_panels (desk.session) == panels);
  g_assert_true (hs_session_is_current (desk.session));
  assert_exact_map (desk.session, 2, 3);

  while (text->len < 3000)
    g_string_append (text, " " TEXT);
  type (&desk, text->str);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  panels = hs_session_peek_panels (desk.session);
  g_assert_cmpuint (hs_session_get_n_tokens (desk.session), >, 400);
  g_assert_null (attn_draw_panels_peek (panels, 0));
  assert_exact_map (desk.session, 2, 3);
  hs_session_set_head (desk.session, 1);
  g_assert_true (hs_session_peek_panels (desk.session) == panels);
  assert_exact_map (desk.session, 2, 1);
  ui_test_desk_close (&desk);
}

static void
test_empty (void)
{
  UiTestDesk desk;

  ui_test_desk_open (&desk, "");
  g_assert_null (hs_session_peek_panels (desk.session));
  type (&desk, "words");
  ui_test_wait_state (desk.session, HS_STATE_READY);
  type (&desk, " \n\t\xe3\x80\x80"); /* blanks of all kinds */
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_EMPTY);
  g_assert_null (hs_session_peek_panels (desk.session));
  g_assert_null (hs_side_peek_answer (hs_session_peek_side (desk.session)));
  ui_test_drain (desk.engine);
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_EMPTY);
  ui_test_desk_close (&desk);
}

static void
test_pair (void)
{
  UiTestDesk desk;
  HsSide *side;
  guint alone;

  ui_test_desk_open (&desk, "one");
  side = hs_session_peek_side (desk.session);
  alone = hs_session_get_n_tokens (desk.session);
  hs_side_set_pair (side, "  "); /* the field is open, nothing is in it */
  ui_test_wait_state (desk.session, HS_STATE_READY);
  g_assert_cmpuint (hs_session_get_n_tokens (desk.session), ==, alone);
  hs_side_set_pair (side, "two");
  ui_test_wait_state (desk.session, HS_STATE_READY);
  g_assert_cmpuint (hs_session_get_n_tokens (desk.session), ==, alone + 2);
  ui_test_desk_close (&desk);
}

static void
test_stop_and_retry (void)
{
  UiTestDesk desk;

  ui_test_desk_open (&desk, TEXT);
  type (&desk, "stop this");
  hs_updater_stop (desk.updater);
  ui_test_drain (desk.engine);
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_FAILED);
  g_assert_nonnull (hs_session_peek_message (desk.session));
  g_assert_null (hs_session_peek_panels (desk.session)); /* not the picture of another text */
  hs_updater_retry (desk.updater);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  g_assert_cmpstr (peek_shown_text (desk.session), ==, "stop this");
  g_assert_null (hs_session_peek_message (desk.session));
  hs_updater_stop (desk.updater); /* nothing to stop: nothing happens */
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_READY);
  ui_test_desk_close (&desk);
}

static void
test_no_model (void)
{
  UiTestDesk desk = {hs_engine_new (), hs_session_new (), NULL};

  desk.updater = hs_updater_new (desk.engine, desk.session);
  type (&desk, TEXT);
  hs_updater_load (desk.updater, "/nowhere/at/all");
  ui_test_wait_state (desk.session, HS_STATE_FAILED);
  g_assert_nonnull (strstr (hs_session_peek_detail (desk.session), "/nowhere/at/all"));
  type (&desk, "typed meanwhile");
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_FAILED);
  hs_updater_load (desk.updater, NULL);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  g_assert_cmpstr (peek_shown_text (desk.session), ==, "typed meanwhile");
  ui_test_desk_close (&desk);
}

static void
count_failure (guint *n, const GError *error)
{
  g_assert_nonnull (error->message);
  ++*n;
}

static bool
has_failed (gpointer n)
{
  return *(guint *)n > 0;
}

/* A model that cannot be loaded leaves the one that can, and that one's name is to be kept. */
static void
test_other_model_fails (void)
{
  UiTestDesk desk;
  guint n_failures = 0;
  g_autofree char *shipped = attn_hub_find_model ("demo", NULL);

  ui_test_desk_open_model (&desk, shipped, TEXT);
  g_signal_connect_swapped (desk.updater, "load-failed", G_CALLBACK (count_failure), &n_failures);
  hs_updater_load (desk.updater, "/nowhere/at/all");
  g_assert_cmpstr (hs_updater_peek_name (desk.updater), ==, shipped);
  type (&desk, "typed meanwhile");
  ui_test_wait (has_failed, &n_failures);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  g_assert_cmpstr (peek_shown_text (desk.session), ==, "typed meanwhile");
  g_assert_cmpstr (hs_updater_peek_name (desk.updater), ==, shipped);
  hs_updater_load (desk.updater, "/nowhere/else");
  g_assert_cmpstr (hs_side_peek_coming (hs_session_peek_side (desk.session)), ==, "else");
  hs_updater_stop_load (desk.updater);
  g_assert_cmpstr (hs_updater_peek_name (desk.updater), ==, shipped);
  g_assert_null (hs_side_peek_coming (hs_session_peek_side (desk.session)));
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_READY);
  g_assert_cmpstr (peek_shown_text (desk.session), ==, "typed meanwhile");
  g_assert_cmpuint (n_failures, ==, 1);
  ui_test_desk_close (&desk);
}

/* While another model loads, texts run on the one that is there, and a run of its that is still
 * under way when the other takes over is dropped. */
static void
test_works_while_loading (void)
{
  UiTestDesk desk;
  g_autofree char *other = test_data_path ("golden/models/bert");
  AttnModel *before;

  ui_test_desk_open (&desk, TEXT);
  before = hs_side_peek_model (hs_session_peek_side (desk.session));
  hs_updater_load (desk.updater, other);
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_READY);
  g_assert_cmpstr (hs_side_peek_coming (hs_session_peek_side (desk.session)), ==, "bert");
  g_assert_nonnull (hs_session_peek_panels (desk.session));
  hs_session_set_head (desk.session, 1);
  g_assert_true (hs_session_is_current (desk.session));
  type (&desk, "meanwhile");
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_BUSY);
  g_assert_true (hs_side_peek_model (hs_session_peek_side (desk.session)) == before);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  ui_test_drain (desk.engine);
  g_assert_cmpstr (hs_updater_peek_name (desk.updater), ==, other);
  g_assert_cmpuint (hs_session_get_n_layers (desk.session), ==, 3);
  g_assert_cmpstr (peek_shown_text (desk.session), ==, "meanwhile");
  ui_test_desk_close (&desk);
}

/* The text changes while the model loads: the first run's answer is for another text. */
static void
test_typed_while_loading (void)
{
  UiTestDesk desk = {hs_engine_new (), hs_session_new (), NULL};
  guint answers = 0;

  ui_test_count (hs_session_peek_side (desk.session), "answer", &answers);
  desk.updater = hs_updater_new (desk.engine, desk.session);
  type (&desk, "before");
  hs_updater_load (desk.updater, NULL);
  type (&desk, "after");
  hs_session_set_head (desk.session, 2);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  g_assert_cmpuint (answers, ==, 1);
  g_assert_cmpstr (peek_shown_text (desk.session), ==, "after");
  g_assert_cmpuint (hs_session_peek_map (desk.session)->head, ==, 2);
  ui_test_desk_close (&desk);
}

static bool
is_current (gpointer session)
{
  return hs_session_is_current (session);
}

static void
test_long_text (void)
{
  g_autofree char *text = make_long_text (700);
  UiTestDesk desk;

  ui_test_desk_open (&desk, text);
  g_assert_cmpuint (hs_session_get_n_tokens (desk.session), <=, HS_MAX_TOKENS);
  g_assert_cmpuint (hs_session_get_n_truncated (desk.session), ==,
                    702 - hs_session_get_n_tokens (desk.session));
  hs_session_set_range (desk.session, ATTN_DRAW_RANGE_MODEL); /* every map: not on this thread */
  hs_session_set_layer (desk.session, 1);
  ui_test_wait (is_current, desk.session);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  g_assert_cmpuint (hs_session_peek_map (desk.session)->layer, ==, 1);
  type (&desk, "short again");
  ui_test_wait_state (desk.session, HS_STATE_READY);
  g_assert_cmpuint (hs_session_get_n_truncated (desk.session), ==, 0);
  g_assert_true (hs_session_is_current (desk.session));
  ui_test_desk_close (&desk);
}

static size_t
get_used_bytes (void)
{
  const struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
}

static void
change_heads (UiTestDesk *desk, guint n)
{
  for (guint i = 0; i < n; i++) {
    hs_session_set_layer (desk->session, i % hs_session_get_n_layers (desk->session));
    hs_session_set_head (desk->session, (i / 3) % hs_session_get_n_heads (desk->session));
    hs_session_set_kind (desk->session, i % 7 == 0 ? ATTN_DRAW_HEADS : ATTN_DRAW_HEATMAP);
  }
}

static void
change_texts (UiTestDesk *desk, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autofree char *text = g_strdup_printf ("%s %u [MASK]", TEXT, i);

    type (desk, text);
    if (i % 4 == 0) /* the others are overtaken */
      ui_test_wait_state (desk->session, HS_STATE_READY);
  }
  type (desk, TEXT);
  ui_test_wait_state (desk->session, HS_STATE_READY);
  ui_test_drain (desk->engine);
}

#define N_ROUNDS 4

/* After a warm-up, 500 head changes and 100 texts leave what is allocated where it was; 128 KiB are
 * allowed, one trace of this text alone would be 0.6 MB. What leaks does so in every round; a cache
 * of GLib's, Pango's or a thread's own grows in some, so the round that grew least counts. */
static void
test_memory (void)
{
  UiTestDesk desk;
  gint64 least = G_MAXINT64;

  ui_test_desk_open (&desk, TEXT);
  change_heads (&desk, 100);
  change_texts (&desk, 20);
  for (int round = 0; round < N_ROUNDS; round++) {
    const gint64 before = (gint64)get_used_bytes ();
    gint64 grown;

    change_heads (&desk, 500);
    change_texts (&desk, 100);
    grown = (gint64)get_used_bytes () - before;
    g_test_message ("%" G_GINT64_FORMAT " bytes more", grown);
    least = MIN (least, grown);
  }
  g_assert_cmpint (least, <, 128 * 1024);
  ui_test_desk_close (&desk);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/updater/typing", test_typing);
  g_test_add_func ("/updater/heads-at-once", test_heads_at_once);
  g_test_add_func ("/updater/grid", test_grid);
  g_test_add_func ("/updater/layers", test_layers);
  g_test_add_func ("/updater/empty", test_empty);
  g_test_add_func ("/updater/pair", test_pair);
  g_test_add_func ("/updater/stop-and-retry", test_stop_and_retry);
  g_test_add_func ("/updater/no-model", test_no_model);
  g_test_add_func ("/updater/other-model-fails", test_other_model_fails);
  g_test_add_func ("/updater/works-while-loading", test_works_while_loading);
  g_test_add_func ("/updater/typed-while-loading", test_typed_while_loading);
  g_test_add_func ("/updater/long-text", test_long_text);
  g_test_add_func ("/updater/memory", test_memory);
  return g_test_run ();
}
