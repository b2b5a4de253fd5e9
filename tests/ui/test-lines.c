/* SPDX-License-Identifier: MIT */
/* Whose lines a person sees who opens the view, and that sessions say nothing else than before. */
#include "hs-lines.h"
#include "hs-resources.h"
#include "hs-view-actions.h"
#include "ui-test.h"

#include <string.h>

#define TEXT "The cat sat on the mat."

/* "1,4" of the heads whose lines are shown; "all" */
static char *
dup_heads (HsSession *session)
{
  const AttnHeadSet *heads = &hs_session_peek_arrangement (session)->heads;
  GString *text = g_string_new (NULL);

  if (attn_head_set_is_empty (heads))
    g_string_append (text, "all");
  for (size_t head = 0; head < ATTN_HEAD_SET_MAX && !attn_head_set_is_empty (heads); head++)
    if (attn_head_set_has (heads, head))
      g_string_append_printf (text, "%s%zu", text->len > 0 ? "," : "", head + 1);
  return g_string_free (text, FALSE);
}

static void
assert_heads (HsSession *session, const char *wanted)
{
  g_autofree char *heads = dup_heads (session);

  g_assert_cmpstr (heads, ==, wanted);
}

static void
set_heads (HsSession *session, AttnArrangement arrangement, guint head)
{
  if (head != HS_NONE)
    attn_head_set_put (&arrangement.heads, head, true);
  hs_session_set_arrangement (session, &arrangement);
}

/* By the window's actions, as buttons and keys do it. */
static void
test_open (void)
{
  UiTestDesk desk;

  ui_test_desk_open (&desk, TEXT);
  HsSession *session = desk.session;
  GActionGroup *actions = hs_view_actions_new (session);
  hs_session_set_head (session, 2);
  g_action_group_activate_action (actions, "kind", g_variant_new_string ("lines"));
  g_assert_cmpint (hs_session_get_kind (session), ==, ATTN_DRAW_LINES);
  assert_heads (session, "3");
  ui_test_drain (desk.engine);
  g_assert_true (hs_lines_are_of_some (session));
  g_assert_nonnull (strstr (hs_session_peek_view (session)->strings.title, "head 3"));
  g_action_group_activate_action (actions, "next-head", NULL);
  g_assert_cmpuint (hs_session_get_head (session), ==, 3);
  assert_heads (session, "4"); /* the chosen one's still */

  g_action_group_activate_action (actions, "page", g_variant_new_string ("compare"));
  assert_heads (session, "all"); /* combined heads are of all */
  g_action_group_activate_action (actions, "page", g_variant_new_string ("explore"));
  g_assert_cmpint (hs_session_get_kind (session), ==, ATTN_DRAW_LINES);
  assert_heads (session, "4");
  g_autoptr (GVariant) state = g_action_group_get_action_state (actions, "kind");
  g_assert_cmpstr (g_variant_get_string (state, NULL), ==, "lines");
  ui_test_drain (desk.engine);
  g_object_unref (actions);
  ui_test_desk_close (&desk);
}

/* Whoever chose all, or several, finds them again. */
static void
test_chosen (void)
{
  UiTestDesk desk;

  ui_test_desk_open (&desk, TEXT);
  HsSession *session = desk.session;
  hs_lines_open_view (session, ATTN_DRAW_LINES);
  assert_heads (session, "1");
  set_heads (session, (AttnArrangement){0}, HS_NONE);
  ui_test_drain (desk.engine);
  g_assert_false (hs_lines_are_of_some (session));
  hs_lines_choose_head (session, 5);
  assert_heads (session, "all");
  hs_lines_open_view (session, ATTN_DRAW_TEXT);
  hs_lines_open_view (session, ATTN_DRAW_LINES);
  assert_heads (session, "all");

  set_heads (session, *hs_session_peek_arrangement (session), 1);
  set_heads (session, *hs_session_peek_arrangement (session), 6);
  hs_lines_choose_head (session, 4);
  hs_lines_open_view (session, ATTN_DRAW_HEADS);
  hs_lines_open_view (session, ATTN_DRAW_LINES);
  assert_heads (session, "2,7");
  ui_test_drain (desk.engine);
  ui_test_desk_close (&desk);
}

/* What a session file, the state or a mean says is taken as it is. */
static void
test_said (void)
{
  UiTestDesk desk;

  ui_test_desk_open (&desk, TEXT);
  HsSession *session = desk.session;
  hs_session_set_kind (session, ATTN_DRAW_LINES);
  assert_heads (session, "all");
  hs_session_set_head (session, 3);
  assert_heads (session, "all");
  hs_session_set_kind (session, ATTN_DRAW_HEATMAP);
  set_heads (session, (AttnArrangement){.combine = ATTN_COMBINE_MEAN}, HS_NONE);
  hs_lines_open_view (session, ATTN_DRAW_LINES);
  assert_heads (session, "all");
  ui_test_drain (desk.engine);
  g_assert_false (hs_lines_are_of_some (session));
  set_heads (session, (AttnArrangement){.combine = ATTN_COMBINE_MEAN}, 3);
  hs_lines_open_view (session, ATTN_DRAW_HEATMAP);
  assert_heads (session, "4");
  ui_test_drain (desk.engine);
  ui_test_desk_close (&desk);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv);
  hs_register_resource ();
  g_test_add_func ("/lines/open", test_open);
  g_test_add_func ("/lines/chosen", test_chosen);
  g_test_add_func ("/lines/said", test_said);
  return g_test_run ();
}
