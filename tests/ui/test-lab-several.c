/* SPDX-License-Identifier: MIT */
/* The lab's page on several heads: it follows the session, and what is picked in it is the
 * session's. */
#include "hs-figure.h"
#include "hs-lab-several.h"
#include "hs-resources.h"
#include "hs-work.h"
#include "lab-fixture.h"

#include "attn-draw/several.h"

#include <string.h>

#define TEXT "The animal didn't cross the street because it was too tired."
#define N_TOKENS 16

typedef LabFixture Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  lab_fixture_open (fixture, data != NULL ? data : TEXT, ATTN_DRAW_LAB_HEADS, hs_lab_several_new);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  lab_fixture_close (fixture);
}

static void
assert_pair (Fixture *fixture, guint a, guint b)
{
  guint pair[2];
  g_assert_true (hs_lab_several_get_pair (HS_LAB_SEVERAL (fixture->page), pair));
  g_assert_cmpuint (pair[0], ==, a);
  g_assert_cmpuint (pair[1], ==, b);
}

static AttnLayerHeads *
compute (Fixture *fixture)
{
  HsAnswer *answer = hs_side_peek_answer (hs_session_peek_side (fixture->desk.session));
  AttnLayerHeads *heads =
      attn_layer_heads_new (attn_maps_peek_trace (answer->maps),
                            hs_session_get_layer (fixture->desk.session), NULL, NULL);
  g_assert_nonnull (heads);
  return heads;
}

/* The buttons choose by the numbers of the layer that is asked for; words tell the distance. */
static void
test_pair (Fixture *fixture, gconstpointer data)
{
  (void)data;
  for (guint layer = 0; layer < 2; layer++) {
    hs_session_set_layer (fixture->desk.session, layer);
    lab_fixture_settle ();
    g_autoptr (AttnLayerHeads) heads = compute (fixture);
    g_signal_emit_by_name (ui_test_find_button (fixture->page, "Most different"), "clicked");
    assert_pair (fixture, (guint)heads->unlike[0], (guint)heads->unlike[1]);
    g_signal_emit_by_name (ui_test_find_button (fixture->page, "Most alike"), "clicked");
    assert_pair (fixture, (guint)heads->alike[0], (guint)heads->alike[1]);
    g_autofree char *words =
        g_strdup_printf ("heads %zu and %zu: %.4f apart", heads->alike[0] + 1, heads->alike[1] + 1,
                         heads->distances[heads->alike[0] * heads->n_heads + heads->alike[1]]);
    lab_fixture_assert_value (fixture, words);
  }
}

/* A distance chooses its heads, a small map its head, a large one's row the query. */
static void
test_pick (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  (void)data;
  g_signal_emit_by_name (fixture->figure, "picked", ATTN_DRAW_SEVERAL_DISTANCE, 2, 5);
  assert_pair (fixture, 2, 5);
  g_signal_emit_by_name (fixture->figure, "picked", ATTN_DRAW_SEVERAL_DISTANCE, 3, 3);
  assert_pair (fixture, 2, 5); /* the diagonal is no pair */
  g_signal_emit_by_name (fixture->figure, "picked", ATTN_DRAW_SEVERAL_MAPS + 6, 1, 1);
  g_assert_cmpuint (hs_session_get_head (session), ==, 6);
  assert_pair (fixture, 2, 5);
  g_signal_emit_by_name (fixture->figure, "picked", ATTN_DRAW_SEVERAL_PAIR + 1, 4, 9);
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, 4);
  lab_fixture_assert_value (fixture, "is followed");
  g_signal_emit_by_name (fixture->figure, "picked", ATTN_DRAW_SEVERAL_ONE, 4, 0);
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, HS_NONE);
}

/* What the pointer is on is told in words and is the session's. */
static void
test_hover (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  (void)data;
  g_signal_emit_by_name (fixture->figure, "hovered", ATTN_DRAW_SEVERAL_MAPS + 1, 3, 2);
  g_assert_cmpuint (hs_session_peek_hovered (session)->query, ==, 3);
  g_autofree char *on_map = ui_test_dup_labels (fixture->page);
  g_assert_nonnull (strstr (on_map, "head 2 · query “didn” → key “animal”: "));
  g_signal_emit_by_name (fixture->figure, "hovered", ATTN_DRAW_SEVERAL_DISTANCE, 0, 4);
  g_assert_cmpuint (hs_session_peek_hovered (session)->query, ==, HS_NONE);
  g_autofree char *on_distance = ui_test_dup_labels (fixture->page);
  g_assert_nonnull (strstr (on_distance, "heads 1 and 5: "));
}

/* Arrows go from pair to pair and over the diagonal, page keys from query to query. */
static void
test_keys (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  gboolean handled = FALSE;
  (void)data;
  g_signal_emit_by_name (fixture->figure, "picked", ATTN_DRAW_SEVERAL_DISTANCE, 2, 1);
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_RIGHT));
  assert_pair (fixture, 2, 3);
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_DOWN));
  assert_pair (fixture, 4, 3);
  g_signal_emit_by_name (fixture->figure, "activated", &handled);
  g_assert_true (handled);
  g_assert_cmpuint (hs_session_get_head (session), ==, 4);
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_PAGE_DOWN));
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_PAGE_DOWN));
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, 1);
  for (int i = 0; i < N_TOKENS + 2; i++)
    g_assert_true (lab_fixture_move (fixture, HS_MOVE_PAGE_DOWN));
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, N_TOKENS - 1);
}

/* Where the picture has words, what is pinned is a word's row; the figure has tokens all the same.
 */
static void
test_words (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  (void)data;
  hs_session_set_arrangement (session, &(AttnArrangement){.unit = ATTN_UNIT_WORDS});
  ui_test_wait_state (session, HS_STATE_READY);
  ui_test_drain (fixture->desk.engine);
  lab_fixture_settle ();
  g_signal_emit_by_name (fixture->figure, "picked", ATTN_DRAW_SEVERAL_ONE, 8, 0);
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, 6); /* "didn't" is one of 3 */
  lab_fixture_assert_value (fixture, "query “street” is followed");
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_PAGE_UP));
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_PAGE_UP));
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_PAGE_UP));
  lab_fixture_assert_value (fixture, "query “didn” is followed");
  g_signal_emit_by_name (fixture->figure, "hovered", ATTN_DRAW_SEVERAL_ONE, 10, 0);
  g_assert_cmpuint (hs_session_peek_hovered (session)->query, ==, 8);
  g_autofree char *command = hs_lab_several_dup_command (HS_LAB_SEVERAL (fixture->page));
  g_assert_nonnull (strstr (command, " --follow 3 "));
}

/* Another text has other numbers; of quick changes the newest wins. */
static void
test_newest (Fixture *fixture, gconstpointer data)
{
  (void)data;
  for (guint layer = 0; layer < 4; layer++)
    hs_session_set_layer (fixture->desk.session, layer);
  lab_fixture_settle ();
  g_autoptr (AttnLayerHeads) heads = compute (fixture);
  assert_pair (fixture, (guint)heads->unlike[0], (guint)heads->unlike[1]);
  g_assert_cmpuint (heads->layer, ==, 3);
}

/* Who leaves the page does not wait for it: what ran is stopped, and what was there stays until one
 * is back. */
static void
test_left (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  g_autoptr (AttnLayerHeads) before = compute (fixture);
  (void)data;
  for (int i = 0; i < 2; i++) {
    hs_session_set_layer (session, 3);
    if (i == 0)
      hs_session_set_in_lab (session, FALSE);
    else
      hs_session_set_lab_page (session, ATTN_DRAW_LAB_RESEARCH);
    lab_fixture_settle ();
    assert_pair (fixture, (guint)before->unlike[0], (guint)before->unlike[1]);
    hs_session_set_layer (session, 0);
    hs_session_set_in_lab (session, TRUE);
    hs_session_set_lab_page (session, ATTN_DRAW_LAB_HEADS);
    lab_fixture_settle ();
  }
  hs_session_set_layer (session, 3);
  hs_session_set_in_lab (session, FALSE);
  hs_session_set_in_lab (session, TRUE); /* before the one that was stopped has ended */
  lab_fixture_settle ();
  g_autoptr (AttnLayerHeads) heads = compute (fixture);
  assert_pair (fixture, (guint)heads->unlike[0], (guint)heads->unlike[1]);
  g_assert_true (heads->unlike[0] != before->unlike[0] || heads->unlike[1] != before->unlike[1]);
}

static void
test_nothing (Fixture *fixture, gconstpointer data)
{
  guint pair[2];
  (void)data;
  g_assert_false (hs_lab_several_get_pair (HS_LAB_SEVERAL (fixture->page), pair));
  g_autofree char *words = ui_test_dup_labels (fixture->page);
  g_assert_nonnull (strstr (words, "Type a text"));
}

/* A window that is closed while heads are compared leaves nothing behind. */
static void
test_close (Fixture *fixture, gconstpointer data)
{
  (void)data;
  hs_session_set_layer (fixture->desk.session, 3);
  gtk_window_set_child (GTK_WINDOW (fixture->window), NULL);
  g_object_run_dispose (G_OBJECT (fixture->page));
  lab_fixture_settle ();
}

/* ---- files ---- */

/* The line that is copied makes the very file that is saved, of what is picked as of nothing. */
static void
test_save (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  HsLabSeveral *page = HS_LAB_SEVERAL (fixture->page);
  g_autofree char *before = NULL;
  (void)data;
  hs_session_set_layer (session, 1);
  lab_fixture_settle ();
  for (int i = 0; i < 2; i++) {
    gsize saved_size = 0, made_size = 0;
    if (i == 1) { /* the head that is marked is none of the two */
      g_signal_emit_by_name (fixture->figure, "picked", ATTN_DRAW_SEVERAL_DISTANCE, 2, 5);
      hs_session_set_head (session, 6);
      hs_session_set_pinned (session, 4, HS_NONE);
    }
    hs_lab_several_save (page, "png", lab_fixture_name_cb);
    lab_fixture_settle ();
    g_autofree char *saved = lab_fixture_read ("heads-of-layer-2.png", &saved_size);
    g_autofree char *command = hs_lab_several_dup_command (page);
    g_assert_cmpstr (command, !=, before);
    g_assert_nonnull (strstr (command, " lab "));
    g_assert_nonnull (strstr (command, " --several "));
    g_autofree char *out = lab_fixture_run (command);
    g_autofree char *made = lab_fixture_read ("heads-of-layer-2.png", &made_size);
    g_assert_cmpmem (saved, saved_size, made, made_size);
    lab_fixture_render_session (fixture, "session.png");
    g_autofree char *drawn = lab_fixture_read ("session.png", &made_size);
    g_assert_cmpmem (saved, saved_size, drawn, made_size);
    g_free (before);
    before = g_steal_pointer (&command);
  }
}

/* Numbers are what the command line prints. */
static void
test_numbers (Fixture *fixture, gconstpointer data)
{
  static const char *const formats[] = {"json", "csv"};
  (void)data;
  hs_session_set_layer (fixture->desk.session, 2);
  lab_fixture_settle ();
  for (size_t i = 0; i < G_N_ELEMENTS (formats); i++) {
    gsize size = 0;
    g_autofree char *name = g_strconcat ("heads-of-layer-3.", formats[i], NULL);
    hs_lab_several_save (HS_LAB_SEVERAL (fixture->page), formats[i], lab_fixture_name_cb);
    lab_fixture_settle ();
    g_autofree char *saved = lab_fixture_read (name, &size);
    g_autofree char *text = g_shell_quote (TEXT);
    g_autofree char *line = g_strdup_printf (
        "headscope-cli lab --text %s --several --layer 3 --format %s", text, formats[i]);
    g_autofree char *printed = lab_fixture_run (line);
    g_assert_cmpstr (saved, ==, printed);
  }
}

/* Where nothing is shown there is nothing to save, and no line. */
static void
test_no_file (Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_assert_null (hs_lab_several_dup_command (HS_LAB_SEVERAL (fixture->page)));
  hs_lab_several_save (HS_LAB_SEVERAL (fixture->page), "svg", lab_fixture_name_cb);
  lab_fixture_settle ();
  g_autofree char *path = lab_fixture_dup_path ("heads-of-layer-1.svg");
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  hs_register_resource ();
  g_assert_cmpint (argc, >=, 2);
  lab_fixture_begin_files (argv[1]);
  g_test_add ("/lab-several/pair", Fixture, NULL, set_up, test_pair, tear_down);
  g_test_add ("/lab-several/pick", Fixture, NULL, set_up, test_pick, tear_down);
  g_test_add ("/lab-several/hover", Fixture, NULL, set_up, test_hover, tear_down);
  g_test_add ("/lab-several/keys", Fixture, NULL, set_up, test_keys, tear_down);
  g_test_add ("/lab-several/words", Fixture, NULL, set_up, test_words, tear_down);
  g_test_add ("/lab-several/newest", Fixture, NULL, set_up, test_newest, tear_down);
  g_test_add ("/lab-several/left", Fixture, NULL, set_up, test_left, tear_down);
  g_test_add ("/lab-several/nothing", Fixture, "", set_up, test_nothing, tear_down);
  g_test_add ("/lab-several/close", Fixture, NULL, set_up, test_close, tear_down);
  g_test_add ("/lab-several/save", Fixture, NULL, set_up, test_save, tear_down);
  g_test_add ("/lab-several/numbers", Fixture, NULL, set_up, test_numbers, tear_down);
  g_test_add ("/lab-several/no-file", Fixture, "", set_up, test_no_file, tear_down);
  const int result = g_test_run ();
  lab_fixture_end_files ();
  return result;
}
