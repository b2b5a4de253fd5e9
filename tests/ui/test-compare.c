/* SPDX-License-Identifier: MIT */
/* The view compare: text B follows A until it is another one, the same text is no difference, a B
 * that is empty takes nothing from A, and A is as it was after the view was left. */
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compare/same", test_same);
  g_test_add_func ("/compare/follows", test_follows);
  g_test_add_func ("/compare/texts", test_texts);
  g_test_add_func ("/compare/heads", test_heads);
  g_test_add_func ("/compare/empty", test_empty);
  return g_test_run ();
}
