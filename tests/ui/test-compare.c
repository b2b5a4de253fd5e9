/* SPDX-License-Identifier: MIT */
/* The view compare: text B follows A until it is another one, the same text is no difference, a B
 * that is empty takes nothing from A, and A is as it was after the view was left. */
#include "hs-state.h"
#include "test-util.h"
#include "ui-test.h"

#define TEXT "The animal didn't cross the street because it was too tired."
#define TEXT_B "The animal didn't cross the street because it was too wide."

static void
open_compare (UiTestDesk *desk)
{
  ui_test_desk_open (desk, TEXT);
  hs_session_set_kind (desk->session, ATTN_DRAW_COMPARE);
  ui_test_wait_state (desk->session, HS_STATE_READY);
  ui_test_drain (desk->engine);
}

/* The largest difference that the last panel holds. */
static float
find_largest (HsSession *session)
{
  AttnDrawPanels *panels = hs_session_peek_panels (session);
  float largest = 0;

  g_assert_nonnull (panels);
  g_assert_nonnull (attn_draw_panels_peek_source_b (panels));
  g_assert_cmpuint (attn_draw_panels_get_n (panels), ==, 3);
  const AttnMap *map = attn_draw_panels_peek (panels, 2);
  for (size_t i = 0; i < map->n_queries * map->n_keys; i++)
    largest = MAX (largest, ABS (map->weights[i]));
  return largest;
}

static void
test_same (void)
{
  UiTestDesk desk;

  open_compare (&desk);
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_READY);
  g_assert_true (find_largest (desk.session) <= 0);
  g_assert_true (attn_draw_panels_has_no_difference (hs_session_peek_panels (desk.session)));
  ui_test_desk_close (&desk);
}

/* Until B is edited it is a copy of A. */
static void
test_follows (void)
{
  UiTestDesk desk;

  open_compare (&desk);
  hs_side_set_text (hs_session_peek_side (desk.session), "Another text.");
  ui_test_wait_state (desk.session, HS_STATE_READY);
  ui_test_drain (desk.engine);
  g_assert_true (find_largest (desk.session) <= 0);
  ui_test_desk_close (&desk);
}

static void
test_texts (void)
{
  UiTestDesk desk;

  open_compare (&desk);
  hs_side_set_text (hs_session_peek_side_b (desk.session), "The");
  hs_side_set_text (hs_session_peek_side_b (desk.session), TEXT_B);
  ui_test_drain (desk.engine);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  ui_test_drain (desk.engine);
  g_assert_true (find_largest (desk.session) > 0);
  ui_test_desk_close (&desk);
}

static void
test_heads (void)
{
  UiTestDesk desk;

  open_compare (&desk);
  guint head = hs_session_get_head_b (desk.session);
  hs_session_set_head_b (desk.session, head == 0 ? 1 : 0);
  ui_test_drain (desk.engine);
  g_assert_true (find_largest (desk.session) > 0);
  hs_session_set_head_b (desk.session, head);
  ui_test_drain (desk.engine);
  g_assert_true (find_largest (desk.session) <= 0);
  ui_test_desk_close (&desk);
}

static void
assert_head_b (HsSession *session, guint layer, guint head)
{
  g_assert_cmpuint (hs_session_get_layer_b (session), ==, layer);
  g_assert_cmpuint (hs_session_get_head_b (session), ==, head);
}

/* B's head is the one that is looked at, until it is made another one. */
static void
test_follows_head (void)
{
  UiTestDesk desk;

  ui_test_desk_open (&desk, TEXT);
  hs_session_set_layer (desk.session, 2);
  hs_session_set_head (desk.session, 5);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  hs_session_set_kind (desk.session, ATTN_DRAW_COMPARE);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  ui_test_drain (desk.engine);
  assert_head_b (desk.session, 2, 5);
  g_assert_true (find_largest (desk.session) <= 0);
  hs_session_set_head (desk.session, 3);
  ui_test_drain (desk.engine);
  assert_head_b (desk.session, 2, 3);
  g_assert_true (find_largest (desk.session) <= 0);

  hs_session_set_head_b (desk.session, 6);
  hs_session_set_layer (desk.session, 1);
  hs_session_set_head (desk.session, 6);
  hs_session_set_layer (desk.session, 2);
  hs_session_set_head (desk.session, 1); /* past B's own, which does not come along */
  assert_head_b (desk.session, 2, 6);
  hs_session_set_head_b (desk.session, 1);
  hs_session_set_head (desk.session, 4);
  assert_head_b (desk.session, 2, 4);
  ui_test_desk_close (&desk);
}

/* What is kept of the screen says whether B's head is its own. */
static void
test_kept_head (void)
{
  for (guint own = 0; own < 2; own++) {
    g_autoptr (HsSession) before = hs_session_new ();
    g_autoptr (HsSession) after = hs_session_new ();
    g_autofree char *model = NULL;
    g_autoptr (GError) error = NULL;

    hs_session_set_layer (before, 3);
    hs_session_set_head (before, 2);
    hs_session_set_head_b (before, own ? 5 : 2);
    g_autoptr (GBytes) bytes = hs_state_dup (before, NULL);
    g_assert_true (hs_state_apply (after, bytes, &model, &error));
    g_assert_no_error (error);
    assert_head_b (after, 3, own ? 5 : 2);
    hs_session_set_head (after, 4);
    assert_head_b (after, 3, own ? 5 : 4);
  }
}

static void
test_empty (void)
{
  UiTestDesk desk;

  open_compare (&desk);
  hs_side_set_text (hs_session_peek_side_b (desk.session), "");
  ui_test_wait_state (desk.session, HS_STATE_EMPTY);
  HsAnswer *answer = hs_side_peek_answer (hs_session_peek_side (desk.session));
  hs_session_set_kind (desk.session, ATTN_DRAW_HEATMAP);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  g_assert_true (hs_side_peek_answer (hs_session_peek_side (desk.session)) == answer);
  g_assert_cmpuint (attn_draw_panels_get_n (hs_session_peek_panels (desk.session)), ==, 1);
  g_assert_null (attn_draw_panels_peek_source_b (hs_session_peek_panels (desk.session)));
  g_assert_nonnull (strstr (hs_session_peek_view (desk.session)->strings.subtitle, "tired"));
  ui_test_desk_close (&desk);
}

/* ---- two models ---- */

static bool
is_settled (gpointer data)
{
  HsSession *session = data;
  HsSide *b = hs_session_peek_side_b (session);

  return hs_side_peek_coming (b) == NULL && hs_session_get_state (session) == HS_STATE_READY &&
         hs_session_is_current (session);
}

static AttnModel *
peek_model_b (HsSession *session)
{
  AttnMaps *source = attn_draw_panels_peek_source_b (hs_session_peek_panels (session));
  return attn_trace_peek_model (attn_maps_peek_trace (source));
}

/* The other model's heads are counted apart, its name is in the picture, and A is as it was. */
static void
test_two_models (void)
{
  g_autofree char *other = test_data_path ("golden/models/bert-mlm");
  UiTestDesk desk;

  open_compare (&desk);
  HsSide *b = hs_session_peek_side_b (desk.session);
  HsAnswer *answer = hs_side_peek_answer (hs_session_peek_side (desk.session));
  hs_session_set_layer_b (desk.session, 3);
  hs_side_set_name (b, other);
  g_assert_cmpstr (hs_side_peek_coming (b), ==, "bert-mlm");
  ui_test_drain (desk.engine);
  ui_test_wait (is_settled, desk.session);
  g_assert_cmpstr (attn_model_peek_name (peek_model_b (desk.session)), ==, "bert-mlm");
  g_assert_cmpuint (hs_session_get_n_layers_b (desk.session), ==, 3);
  g_assert_cmpuint (hs_session_get_n_heads_b (desk.session), ==, 4);
  g_assert_cmpuint (hs_session_get_n_layers (desk.session), ==, 4);
  g_assert_cmpuint (hs_session_get_layer_b (desk.session), ==, 2); /* its last */
  g_assert_nonnull (strstr (hs_session_peek_view (desk.session)->strings.subtitle_b, "bert-mlm"));
  g_assert_true (hs_side_peek_answer (hs_session_peek_side (desk.session)) == answer);

  hs_side_set_name (b, "");
  ui_test_drain (desk.engine);
  ui_test_wait (is_settled, desk.session);
  g_assert_true (peek_model_b (desk.session) ==
                 hs_side_peek_model (hs_session_peek_side (desk.session)));
  g_assert_cmpuint (hs_session_get_n_layers_b (desk.session), ==, 4);
  ui_test_desk_close (&desk);
}

/* A's own model under its name is no second copy, and no difference. */
static void
test_same_model (void)
{
  UiTestDesk desk;

  open_compare (&desk);
  hs_side_set_name (hs_session_peek_side_b (desk.session), "demo");
  ui_test_drain (desk.engine);
  g_assert_true (hs_side_peek_model (hs_session_peek_side_b (desk.session)) ==
                 hs_side_peek_model (hs_session_peek_side (desk.session)));
  g_assert_true (find_largest (desk.session) <= 0);
  ui_test_desk_close (&desk);
}

/* What cannot be had, and what is stopped, changes nothing but a sentence. */
static void
test_no_model (void)
{
  g_autofree char *other = test_data_path ("golden/models/bert-mlm");
  UiTestDesk desk;

  open_compare (&desk);
  HsSide *b = hs_session_peek_side_b (desk.session);
  AttnDrawPanels *panels = hs_session_peek_panels (desk.session);
  hs_side_set_name (b, "/nowhere/at all");
  ui_test_drain (desk.engine);
  g_assert_nonnull (strstr (hs_side_peek_trouble (b), "/nowhere/at all"));
  g_assert_cmpstr (hs_side_peek_name (b), ==, "");
  g_assert_null (hs_side_peek_coming (b));
  g_assert_true (hs_session_peek_panels (desk.session) == panels);
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_READY);

  hs_side_set_name (b, other);
  g_assert_null (hs_side_peek_trouble (b)); /* of the name before */
  g_assert_nonnull (hs_side_peek_coming (b));
  hs_updater_stop_b (desk.updater);
  g_assert_null (hs_side_peek_coming (b));
  g_assert_cmpstr (hs_side_peek_name (b), ==, "");
  ui_test_drain (desk.engine);
  g_assert_null (hs_side_peek_model (b));
  g_assert_null (hs_side_peek_trouble (b));
  g_assert_true (hs_session_peek_panels (desk.session) == panels);
  ui_test_desk_close (&desk);
}

/* Nobody looks: the name is kept, and nothing is loaded before the view is there. */
static void
test_not_before (void)
{
  g_autofree char *other = test_data_path ("golden/models/bert-mlm");
  UiTestDesk desk;

  ui_test_desk_open (&desk, TEXT);
  HsSide *b = hs_session_peek_side_b (desk.session);
  hs_side_set_name (b, other);
  ui_test_drain (desk.engine);
  g_assert_null (hs_side_peek_model (b));
  g_assert_null (hs_side_peek_coming (b));
  hs_session_set_kind (desk.session, ATTN_DRAW_COMPARE);
  ui_test_drain (desk.engine);
  ui_test_wait (is_settled, desk.session);
  g_assert_cmpstr (attn_model_peek_name (peek_model_b (desk.session)), ==, "bert-mlm");
  ui_test_desk_close (&desk);
}

/* A second text of B is B's own; while B follows it is A's. */
static void
test_pairs (void)
{
  UiTestDesk desk;

  open_compare (&desk);
  hs_side_set_pair (hs_session_peek_side (desk.session), "It slept.");
  ui_test_drain (desk.engine);
  ui_test_wait (is_settled, desk.session);
  g_assert_true (find_largest (desk.session) <= 0);
  hs_side_set_pair (hs_session_peek_side_b (desk.session), "It ran.");
  ui_test_drain (desk.engine);
  ui_test_wait (is_settled, desk.session);
  g_assert_true (find_largest (desk.session) > 0);
  g_assert_nonnull (strstr (hs_session_peek_view (desk.session)->strings.subtitle_b, "It ran."));
  ui_test_desk_close (&desk);
}

/* ---- heads by how much they changed ---- */

static bool
is_ranked (gpointer data)
{
  HsSession *session = data;
  HsChanges *changes = hs_session_peek_changes (session);
  AttnDrawPanels *panels = hs_session_peek_panels (session);

  return is_settled (session) && changes != NULL &&
         changes->a == attn_draw_panels_peek_source (panels) &&
         changes->b == attn_draw_panels_peek_source_b (panels) &&
         (changes->ranked == ATTN_RANKED_SAME_HEADS ||
          (changes->layer == hs_session_get_layer (session) &&
           changes->head == hs_session_get_head (session)));
}

static void
test_changes (void)
{
  UiTestDesk desk;

  open_compare (&desk);
  ui_test_wait (is_ranked, desk.session);
  HsChanges *one = hs_session_peek_changes (desk.session);
  g_assert_cmpint (one->ranked, ==, ATTN_RANKED_ONE_HEAD);
  g_assert_cmpuint (one->n, ==, 4 * 8);
  g_assert_cmpfloat (one->heads[one->n - 1].change, ==, 0); /* the head itself */
  g_assert_cmpuint (one->heads[one->n - 1].layer, ==, 0);
  g_assert_cmpuint (one->heads[one->n - 1].head, ==, 0);
  hs_session_set_head (desk.session, 5);
  ui_test_wait (is_ranked, desk.session);
  g_assert_cmpuint (hs_session_peek_changes (desk.session)->heads[4 * 8 - 1].head, ==, 5);

  hs_side_set_text (hs_session_peek_side_b (desk.session), TEXT_B);
  ui_test_drain (desk.engine);
  ui_test_wait (is_ranked, desk.session);
  HsChanges *same = hs_session_peek_changes (desk.session);
  g_assert_cmpint (same->ranked, ==, ATTN_RANKED_SAME_HEADS);
  g_assert_cmpfloat (same->heads[0].change, >, same->heads[same->n - 1].change);
  hs_session_set_kind (desk.session, ATTN_DRAW_HEATMAP);
  g_assert_null (hs_session_peek_changes (desk.session));
  ui_test_desk_close (&desk);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compare/same", test_same);
  g_test_add_func ("/compare/follows", test_follows);
  g_test_add_func ("/compare/texts", test_texts);
  g_test_add_func ("/compare/heads", test_heads);
  g_test_add_func ("/compare/follows-head", test_follows_head);
  g_test_add_func ("/compare/kept-head", test_kept_head);
  g_test_add_func ("/compare/empty", test_empty);
  g_test_add_func ("/compare/two-models", test_two_models);
  g_test_add_func ("/compare/same-model", test_same_model);
  g_test_add_func ("/compare/no-model", test_no_model);
  g_test_add_func ("/compare/not-before", test_not_before);
  g_test_add_func ("/compare/pairs", test_pairs);
  g_test_add_func ("/compare/changes", test_changes);
  return g_test_run ();
}
