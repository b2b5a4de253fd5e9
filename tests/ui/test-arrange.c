/* SPDX-License-Identifier: MIT */
/* Maps arranged in the window: parts by name, actions, pins that follow, nothing left to show, and
 * the popover's controls. */
#include "hs-arrange-actions.h"
#include "hs-arrange-popover.h"
#include "hs-arrangement.h"
#include "hs-attended-panel.h"
#include "hs-closures.h"
#include "hs-help-panel.h"
#include "hs-resources.h"
#include "hs-state.h"
#include "hs-status-line.h"
#include "hs-words-row.h"
#include "hs-words.h"
#include "test-util.h"
#include "ui-test.h"

#include <glib/gstdio.h>

#include <string.h>

#define TEXT "The animal didn't cross the street, because it was too tired."

/* ---- parts ---- */

static void
test_parts (void)
{
  static const struct {
    const char *name, *word;
  } words[] = {{"unit", "words"}, {"part", "b-a"}, {"combine", "max"}, {"keep", "top"}};
  AttnArrangement arrangement = {0};
  size_t n;
  const HsArrangementPart *parts = hs_arrangement_peek_parts (&n);
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++) {
    g_autoptr (GVariant) word = g_variant_ref_sink (g_variant_new_string (words[i].word));
    g_autoptr (GVariant) wrong = g_variant_ref_sink (g_variant_new_string ("curtains"));
    g_assert_true (hs_arrangement_set (&arrangement, words[i].name, word));
    g_assert_false (hs_arrangement_set (&arrangement, words[i].name, wrong));
    g_autoptr (GVariant) now =
        g_variant_ref_sink (hs_arrangement_get (&arrangement, words[i].name));
    g_assert_true (g_variant_equal (now, word));
  }
  g_assert_cmpuint (arrangement.n_top, ==, HS_N_TOP_DEFAULT);
  g_assert_cmpfloat (arrangement.threshold, ==, HS_THRESHOLD_DEFAULT);
  for (size_t i = 0; i < n; i++) {
    if (!g_variant_type_equal (parts[i].type, G_VARIANT_TYPE_BOOLEAN))
      continue;
    g_autoptr (GVariant) yes = g_variant_ref_sink (g_variant_new_boolean (TRUE));
    AttnArrangement plain = {0};
    g_assert_true (hs_arrangement_set (&plain, parts[i].name, yes));
    g_autoptr (GVariant) now = g_variant_ref_sink (hs_arrangement_get (&plain, parts[i].name));
    g_assert_true (g_variant_get_boolean (now));
    g_assert_true (hs_arrangement_set (&arrangement, parts[i].name, yes));
  }
  g_assert_cmpuint (arrangement.hide, ==, ATTN_HIDE_CLS | ATTN_HIDE_SEP | ATTN_HIDE_PUNCTUATION);
  g_autoptr (GVariant) odd = g_variant_ref_sink (g_variant_new_boolean (TRUE));
  g_assert_false (hs_arrangement_set (&arrangement, "curtains", odd));
}

/* What nobody knows, and numbers out of bounds, leave the rest as it was meant. */
static void
test_variant (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) odd = g_variant_parse (
      G_VARIANT_TYPE_VARDICT,
      "{'unit': <'words'>, 'part': <7>, 'combine': <'sum'>, 'keep': <'above'>, 'threshold': "
      "<2.5>, 'n-top': <uint32 0>, 'heads': <[uint32 1, 999]>, 'curtains': <true>}",
      NULL, NULL, &error);
  g_assert_no_error (error);
  AttnArrangement taken = hs_arrangement_from_variant (odd);
  AttnArrangement expected = {.unit = ATTN_UNIT_WORDS,
                              .keep = ATTN_KEEP_ABOVE,
                              .threshold = HS_THRESHOLD_DEFAULT,
                              .n_top = HS_N_TOP_DEFAULT,
                              .heads = {{2}}};
  g_assert_true (attn_arrangement_equal (&taken, &expected));
  g_autoptr (GVariant) written = g_variant_ref_sink (hs_arrangement_to_variant (&expected));
  AttnArrangement again = hs_arrangement_from_variant (written);
  g_assert_true (attn_arrangement_equal (&again, &expected));
  g_autoptr (GVariant) plain =
      g_variant_ref_sink (hs_arrangement_to_variant (&(AttnArrangement){0}));
  g_assert_cmpuint (g_variant_n_children (plain), ==, 0);
}

static void
test_toggle_heads (void)
{
  AttnArrangement arrangement = {0};
  hs_arrangement_toggle_head (&arrangement, 1, 3);
  g_assert_true (attn_head_set_has (&arrangement.heads, 0));
  g_assert_false (attn_head_set_has (&arrangement.heads, 1));
  g_assert_true (attn_head_set_has (&arrangement.heads, 2));
  hs_arrangement_toggle_head (&arrangement, 0, 3);
  hs_arrangement_toggle_head (&arrangement, 2, 3);
  g_assert_true (attn_head_set_is_empty (&arrangement.heads)); /* none is all */
  hs_arrangement_toggle_head (&arrangement, 2, 3);
  hs_arrangement_toggle_head (&arrangement, 2, 3);
  g_assert_true (attn_head_set_is_empty (&arrangement.heads));
}

/* ---- the session ---- */

static void
ask (UiTestDesk *desk, AttnArrangement arrangement)
{
  hs_session_set_arrangement (desk->session, &arrangement);
  ui_test_drain (desk->engine);
}

static const char *
peek_title (UiTestDesk *desk)
{
  return hs_session_peek_view (desk->session)->strings.title;
}

static void
assert_pinned (UiTestDesk *desk, const char *query, const char *key)
{
  AttnMaps *maps = attn_draw_panels_peek_maps (hs_session_peek_panels (desk->session));
  guint pins[] = {hs_session_get_pinned_query (desk->session),
                  hs_session_get_pinned_key (desk->session)};
  const char *const labels[] = {query, key};
  for (size_t side = 0; side < 2; side++) {
    if (labels[side] == NULL)
      g_assert_cmpuint (pins[side], ==, HS_NONE);
    else
      g_assert_cmpstr (attn_maps_peek_label (maps, (AttnSide)side, pins[side]), ==, labels[side]);
  }
}

static void
test_pins_follow (void)
{
  UiTestDesk desk;
  ui_test_desk_open (&desk, TEXT);
  hs_session_set_pinned (desk.session, 2, 5); /* animal, t */
  assert_pinned (&desk, "animal", "t");
  hs_session_set_hovered (desk.session, &(HsCell){0, 9, 9, 0});
  ask (&desk, (AttnArrangement){.unit = ATTN_UNIT_WORDS});
  assert_pinned (&desk, "animal", "didn't");
  g_assert_cmpuint (hs_session_peek_hovered (desk.session)->query, ==, HS_NONE);
  ask (&desk, (AttnArrangement){.unit = ATTN_UNIT_CHARACTERS, .hide = ATTN_HIDE_CLS});
  assert_pinned (&desk, "a", "d");
  g_assert_cmpuint (hs_session_get_pinned_query (desk.session), ==, 3); /* behind "The" */
  ask (&desk, (AttnArrangement){0});
  assert_pinned (&desk, "animal", "didn");
  hs_session_set_pinned (desk.session, 0, 8); /* [CLS], street */
  ask (&desk, (AttnArrangement){.hide = ATTN_HIDE_CLS});
  assert_pinned (&desk, NULL, "street");
  /* what was computed otherwise leaves rows and columns as they are */
  ask (&desk, (AttnArrangement){.hide = ATTN_HIDE_CLS, .combine = ATTN_COMBINE_MEAN});
  assert_pinned (&desk, NULL, "street");
  ui_test_desk_close (&desk);
}

/* A text that changes under an arrangement keeps a pin by its row's label. */
static void
test_pins_and_text (void)
{
  UiTestDesk desk;
  ui_test_desk_open (&desk, TEXT);
  ask (&desk, (AttnArrangement){.unit = ATTN_UNIT_WORDS});
  hs_session_set_pinned (desk.session, 3, HS_NONE);
  assert_pinned (&desk, "didn't", NULL);
  hs_side_set_text (hs_session_peek_side (desk.session), "The animal didn't sleep.");
  ui_test_drain (desk.engine);
  assert_pinned (&desk, "didn't", NULL);
  hs_side_set_text (hs_session_peek_side (desk.session), "An old animal slept.");
  ui_test_drain (desk.engine);
  assert_pinned (&desk, NULL, NULL);
  ui_test_desk_close (&desk);
}

/* Nothing is left: the text, the model and its answer stay, and the next arrangement shows. */
static void
test_refused (void)
{
  UiTestDesk desk;
  const unsigned all = ATTN_HIDE_CLS | ATTN_HIDE_SEP | ATTN_HIDE_PUNCTUATION;
  ui_test_desk_open (&desk, "!?");
  HsSide *side = hs_session_peek_side (desk.session);
  hs_session_set_pinned (desk.session, 1, 1);
  ask (&desk, (AttnArrangement){.hide = all});
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_FAILED);
  g_assert_null (hs_session_peek_panels (desk.session));
  g_assert_nonnull (hs_side_peek_answer (side));
  g_assert_nonnull (hs_side_peek_model (side));
  g_assert_nonnull (strstr (hs_session_peek_message (desk.session), "Show"));
  g_assert_nonnull (strstr (hs_session_peek_detail (desk.session), "nothing is left to show"));
  g_assert_cmpuint (hs_session_get_pinned_query (desk.session), ==, HS_NONE);

  ask (&desk, (AttnArrangement){.hide = ATTN_HIDE_CLS});
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_READY);
  g_assert_nonnull (hs_session_peek_panels (desk.session));

  ask (&desk, (AttnArrangement){.hide = all});
  hs_side_set_text (side, "a word!");
  ui_test_drain (desk.engine);
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_READY);
  hs_side_set_text (side, "...");
  ui_test_drain (desk.engine);
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_FAILED);
  g_assert_nonnull (hs_side_peek_answer (side));
  hs_side_set_text (side, "");
  ui_test_drain (desk.engine);
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_EMPTY);
  ui_test_desk_close (&desk);
}

/* Long texts go another way: on the engine's thread. */
static void
test_refused_later (void)
{
  UiTestDesk desk;
  g_autoptr (GString) text = g_string_new (NULL);
  for (int i = 0; i < 110; i++)
    g_string_append (text, "word ");
  ui_test_desk_open (&desk, text->str);
  hs_session_set_kind (desk.session, ATTN_DRAW_LAYERS);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  ui_test_drain (desk.engine);
  ask (&desk, (AttnArrangement){.part = ATTN_PART_B_TO_B});
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_FAILED);
  g_assert_nonnull (strstr (hs_session_peek_detail (desk.session), "there is no second text"));
  ask (&desk, (AttnArrangement){.unit = ATTN_UNIT_CHARACTERS, .combine = ATTN_COMBINE_MAX});
  g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_READY);
  g_assert_cmpstr (peek_title (&desk), ==,
                   "Each layer · maximum of all heads · attention weights · between characters");
  ui_test_desk_close (&desk);
}

/* Heads that another model has not are forgotten. */
static void
test_other_model (void)
{
  AttnArrangement how = {.combine = ATTN_COMBINE_MEAN, .heads = {{0x801}}}; /* 1 and 12 */
  HsSession *session = hs_session_new ();
  g_autoptr (AttnModel) model = ui_test_load_demo ();
  hs_session_set_arrangement (session, &how);
  hs_side_set_model (hs_session_peek_side (session), model);
  g_assert_cmpuint (hs_session_peek_arrangement (session)->heads.bits[0], ==, 1);
  g_assert_finalize_object (session);
}

/* ---- actions ---- */

static GAction *
find_action (GActionGroup *group, const char *name)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (group), name);
  g_assert_nonnull (action);
  return action;
}

static void
test_actions (void)
{
  HsSession *session = hs_session_new ();
  GActionGroup *group = hs_arrange_actions_new (session);
  guint changes = 0;
  ui_test_count (session, "arrangement", &changes);
  g_assert_false (g_action_group_get_action_enabled (group, "reset"));
  g_assert_false (g_action_group_get_action_enabled (group, "part"));
  g_assert_false (g_action_group_get_action_enabled (group, "combine-layers"));
  g_action_group_activate_action (group, "unit", g_variant_new_string ("words"));
  g_action_group_activate_action (group, "unit", g_variant_new_string ("words"));
  g_assert_cmpuint (changes, ==, 1);
  g_assert_cmpint (hs_session_peek_arrangement (session)->unit, ==, ATTN_UNIT_WORDS);
  g_action_group_activate_action (group, "renormalise", NULL);
  g_assert_true (hs_session_peek_arrangement (session)->renormalise);
  g_action_group_activate_action (group, "combine", g_variant_new_string ("mean"));
  g_assert_true (g_action_group_get_action_enabled (group, "combine-layers"));
  g_assert_false (g_action_group_get_action_enabled (group, "all-heads"));
  hs_side_set_pair (hs_session_peek_side (session), "b");
  g_assert_true (g_action_group_get_action_enabled (group, "part"));
  g_action_group_activate_action (group, "part", g_variant_new_string ("a-b"));
  hs_side_set_pair (hs_session_peek_side (session), NULL);
  g_assert_true (g_action_group_get_action_enabled (group, "part")); /* it can be left */

  hs_session_set_arrangement (session,
                              &(AttnArrangement){.combine = ATTN_COMBINE_MAX, .heads = {{3}}});
  g_autoptr (GVariant) state = g_action_get_state (find_action (group, "combine"));
  g_assert_cmpstr (g_variant_get_string (state, NULL), ==, "max");
  g_action_group_activate_action (group, "all-heads", NULL);
  g_assert_true (attn_head_set_is_empty (&hs_session_peek_arrangement (session)->heads));
  g_action_group_activate_action (group, "reset", NULL);
  g_assert_true (attn_arrangement_is_plain (hs_session_peek_arrangement (session)));
  g_assert_finalize_object (group);
  g_assert_finalize_object (session);
}

/* ---- the popover ---- */

static void
collect (GtkWidget *root, GType type, GPtrArray *found)
{
  if (g_type_is_a (G_OBJECT_TYPE (root), type))
    g_ptr_array_add (found, root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (child, type, found);
}

/* Of a label that only one of that type has. */
static GtkWidget *
find_button (GtkWidget *root, GType type, const char *label)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  collect (root, type, found);
  for (guint i = 0; i < found->len; i++) {
    GtkWidget *widget = g_ptr_array_index (found, i);
    g_autofree char *own = NULL;
    g_object_get (widget, "label", &own, NULL);
    if (g_strcmp0 (own, label) == 0)
      return widget;
  }
  g_error ("no %s is called %s", g_type_name (type), label);
}

typedef struct {
  UiTestDesk desk;
  GtkWidget *window, *popover;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  ui_test_desk_open (&fixture->desk, TEXT);
  GtkWidget *button = gtk_menu_button_new ();
  GActionGroup *group = hs_arrange_actions_new (fixture->desk.session);
  fixture->popover = hs_arrange_popover_new (fixture->desk.session);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), fixture->popover);
  fixture->window = g_object_ref (gtk_window_new ());
  gtk_widget_insert_action_group (fixture->window, "arrange", group);
  g_object_unref (group);
  gtk_window_set_child (GTK_WINDOW (fixture->window), button);
  gtk_window_present (GTK_WINDOW (fixture->window));
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  ui_test_drain (fixture->desk.engine);
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gtk_popover_popdown (GTK_POPOVER (fixture->popover));
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  ui_test_drain (fixture->desk.engine);
  g_assert_finalize_object (fixture->window);
  ui_test_desk_close (&fixture->desk);
}

static void
press (Fixture *fixture, GType type, const char *label)
{
  GtkWidget *button = find_button (fixture->popover, type, label);
  g_assert_true (gtk_widget_is_sensitive (button));
  g_signal_emit_by_name (button, GTK_IS_BUTTON (button) ? "clicked" : "activate");
  ui_test_drain (fixture->desk.engine);
}

static void
test_popover_actions (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const AttnArrangement *now = hs_session_peek_arrangement (fixture->desk.session);
  GtkWidget *list = find_button (fixture->popover, GTK_TYPE_BUTTON, "Word list…");
  g_assert_false (gtk_widget_is_sensitive (list));
  press (fixture, GTK_TYPE_TOGGLE_BUTTON, "Words");
  g_assert_true (gtk_widget_is_sensitive (list));
  press (fixture, GTK_TYPE_CHECK_BUTTON, "[SEP]");
  press (fixture, GTK_TYPE_CHECK_BUTTON, "Rows sum to 1 again");
  g_assert_cmpint (now->unit, ==, ATTN_UNIT_WORDS);
  g_assert_cmpuint (now->hide, ==, ATTN_HIDE_SEP);
  g_assert_cmpstr (peek_title (&fixture->desk), ==,
                   "Layer 1, head 1 · attention weights · between words · without [SEP] · rows "
                   "renormalised");
  g_assert_false (
      gtk_widget_is_sensitive (find_button (fixture->popover, GTK_TYPE_TOGGLE_BUTTON, "1 → 2")));
  hs_side_set_pair (hs_session_peek_side (fixture->desk.session), "It slept.");
  ui_test_drain (fixture->desk.engine);
  press (fixture, GTK_TYPE_TOGGLE_BUTTON, "1 → 2");
  g_assert_cmpint (now->part, ==, ATTN_PART_A_TO_B);
  press (fixture, GTK_TYPE_BUTTON, "Show everything as it is");
  g_assert_true (attn_arrangement_is_plain (now));
  g_assert_cmpstr (peek_title (&fixture->desk), ==, "Layer 1, head 1 · attention weights");
}

static void
test_popover_heads (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;
  GtkWidget *third = find_button (fixture->popover, GTK_TYPE_TOGGLE_BUTTON, "3");
  g_assert_false (gtk_widget_is_sensitive (third));
  press (fixture, GTK_TYPE_TOGGLE_BUTTON, "Mean");
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (third)));
  press (fixture, GTK_TYPE_TOGGLE_BUTTON, "3");
  g_assert_cmpstr (peek_title (&fixture->desk), ==,
                   "Layer 1 · mean of heads 1, 2, 4–8 · attention weights");
  press (fixture, GTK_TYPE_CHECK_BUTTON, "Of all layers");
  press (fixture, GTK_TYPE_BUTTON, "All heads");
  g_assert_cmpstr (peek_title (&fixture->desk), ==,
                   "All layers · mean of all heads · attention weights");
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (third)));
  hs_session_set_arrangement (session,
                              &(AttnArrangement){.combine = ATTN_COMBINE_MAX, .heads = {{1 << 2}}});
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (third)));
  g_assert_false (gtk_toggle_button_get_active (
      GTK_TOGGLE_BUTTON (find_button (fixture->popover, GTK_TYPE_TOGGLE_BUTTON, "1"))));
  press (fixture, GTK_TYPE_TOGGLE_BUTTON, "3"); /* the last one: all of them again */
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (third)));
  g_assert_true (attn_head_set_is_empty (&hs_session_peek_arrangement (session)->heads));
}

/* A number that is changed is wanted; showing one asks for nothing. */
static void
test_popover_numbers (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const AttnArrangement *now = hs_session_peek_arrangement (fixture->desk.session);
  g_autoptr (GPtrArray) spins = g_ptr_array_new ();
  collect (fixture->popover, GTK_TYPE_SPIN_BUTTON, spins);
  g_assert_cmpuint (spins->len, ==, 2);
  g_assert_true (attn_arrangement_is_plain (now));
  press (fixture, GTK_TYPE_CHECK_BUTTON, "Largest of each row");
  g_assert_cmpstr (peek_title (&fixture->desk), ==,
                   "Layer 1, head 1 · attention weights · the 3 largest of each row");
  gtk_spin_button_set_value (g_ptr_array_index (spins, 1), 2);
  g_assert_cmpuint (now->n_top, ==, 2);
  gtk_spin_button_set_value (g_ptr_array_index (spins, 0), 0.25);
  g_assert_cmpint (now->keep, ==, ATTN_KEEP_ABOVE);
  g_assert_cmpstr (peek_title (&fixture->desk), ==,
                   "Layer 1, head 1 · attention weights · weights from 0.25 on");
  hs_session_set_arrangement (fixture->desk.session,
                              &(AttnArrangement){.threshold = 0.5, .n_top = 9});
  g_assert_cmpfloat (gtk_spin_button_get_value (g_ptr_array_index (spins, 0)), ==, 0.5);
  g_assert_cmpint (now->keep, ==, ATTN_KEEP_ALL);
}

/* Other models have other names for what they add. */
static void
test_popover_names (void)
{
  UiTestDesk desk;
  g_autofree char *folder = test_data_path ("golden/models/roberta-mlm");
  ui_test_desk_open_model (&desk, folder, "the cat");
  GtkWidget *popover = g_object_ref_sink (hs_arrange_popover_new (desk.session));
  find_button (popover, GTK_TYPE_CHECK_BUTTON, "<s>");
  find_button (popover, GTK_TYPE_CHECK_BUTTON, "</s>");
  ask (&desk, (AttnArrangement){.hide = ATTN_HIDE_CLS | ATTN_HIDE_SEP});
  g_assert_cmpstr (peek_title (&desk), ==,
                   "Layer 1, head 1 · attention weights · without <s> and </s>");
  g_assert_finalize_object (popover);
  ui_test_desk_close (&desk);
}

/* ---- lists of words ---- */

static char *
write_list (const char *content)
{
  char *path = NULL;
  int file = g_file_open_tmp ("words-XXXXXX.txt", &path, NULL);
  g_assert_cmpint (file, >=, 0);
  g_close (file, NULL);
  g_assert_true (g_file_set_contents (path, content, -1, NULL));
  return path;
}

static void
count_cb (HsSession *session G_GNUC_UNUSED, const GError *error, gpointer data)
{
  guint *counts = data; /* done, taken over */
  if (error == NULL)
    counts[0]++;
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    counts[1]++;
}

static bool
counts_two (gpointer data)
{
  const guint *counts = data;
  return counts[0] + counts[1] == 2;
}

/* Of two readings the one that began last counts, whichever ends first. */
static void
test_newest_list (void)
{
  HsSession *session = hs_session_new ();
  g_autofree char *first = write_list ("今天\n"), *second = write_list ("天气\n");
  guint counts[2] = {0, 0}, changes = 0;
  ui_test_count (session, "words", &changes);
  hs_words_load_async (session, first, count_cb, counts);
  hs_words_load_async (session, second, count_cb, counts);
  ui_test_wait (counts_two, counts);
  g_assert_cmpuint (counts[0], ==, 1);
  g_assert_cmpstr (attn_word_list_peek_path (hs_session_peek_words (session)), ==, second);
  hs_words_clear (session);
  g_assert_null (hs_session_peek_words (session));
  g_assert_cmpuint (changes, ==, 2);
  hs_words_load_async (session, first, count_cb, counts);
  hs_words_clear (session);
  while (counts[0] + counts[1] < 3)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (hs_session_peek_words (session));
  ui_test_drain (NULL);
  g_assert_finalize_object (session);
  g_unlink (first);
  g_unlink (second);
}

static char *chosen_path; /* what the file chooser of the test answers */

static void
choose_path (GtkWindow *parent G_GNUC_UNUSED,
             const HsQuestion *question,
             HsPathFunc done,
             gpointer data)
{
  g_assert_cmpint (question->action, ==, GTK_FILE_CHOOSER_ACTION_OPEN);
  done (g_strdup (chosen_path), data);
}

static bool
has_words (gpointer session)
{
  return hs_session_peek_words (session) != NULL;
}

static bool
shows_trouble (gpointer row)
{
  g_autofree char *labels = ui_test_dup_labels (row);
  return strstr (labels, "this has none") != NULL;
}

static void
test_words_row (void)
{
  UiTestDesk desk;
  ui_test_desk_open (&desk, "今天天气好");
  HsWordsRow *row =
      g_object_ref_sink (g_object_new (HS_TYPE_WORDS_ROW, "session", desk.session, NULL));
  GtkWidget *choose = find_button (GTK_WIDGET (row), GTK_TYPE_BUTTON, "Word list…");
  hs_words_row_set_ask (row, choose_path);
  g_assert_false (gtk_widget_get_sensitive (GTK_WIDGET (row)));
  ask (&desk, (AttnArrangement){.unit = ATTN_UNIT_WORDS, .hide = ATTN_HIDE_CLS | ATTN_HIDE_SEP});
  g_assert_true (gtk_widget_get_sensitive (GTK_WIDGET (row)));
  AttnMaps *maps = attn_draw_panels_peek_maps (hs_session_peek_panels (desk.session));
  g_assert_cmpuint (attn_maps_get_n (maps, ATTN_SIDE_KEY), ==, 5);
  hs_session_set_pinned (desk.session, 3, HS_NONE);

  chosen_path = write_list ("今天\n天气\n");
  g_signal_emit_by_name (choose, "clicked");
  ui_test_wait (has_words, desk.session);
  ui_test_drain (desk.engine);
  maps = attn_draw_panels_peek_maps (hs_session_peek_panels (desk.session));
  g_assert_cmpuint (attn_maps_get_n (maps, ATTN_SIDE_KEY), ==, 3);
  assert_pinned (&desk, "天气", NULL);
  g_autofree char *name = g_path_get_basename (chosen_path);
  g_autofree char *labels = ui_test_dup_labels (GTK_WIDGET (row));
  g_assert_nonnull (strstr (labels, name));

  g_assert_true (g_file_set_contents (chosen_path, " \n", -1, NULL));
  g_signal_emit_by_name (choose, "clicked");
  ui_test_wait (shows_trouble, row);
  g_assert_nonnull (hs_session_peek_words (desk.session)); /* the one before is used on */
  g_unlink (chosen_path);
  g_clear_pointer (&chosen_path, g_free);
  g_signal_emit_by_name (choose, "clicked"); /* the person changes their mind */
  hs_words_clear (desk.session);
  ui_test_drain (desk.engine);
  maps = attn_draw_panels_peek_maps (hs_session_peek_panels (desk.session));
  g_assert_cmpuint (attn_maps_get_n (maps, ATTN_SIDE_KEY), ==, 5);
  g_assert_finalize_object (row);
  ui_test_desk_close (&desk);
}

/* The list's file is remembered, and read again; one that is gone is left out with a word. */
static void
test_list_is_remembered (void)
{
  g_autoptr (HsSession) before = hs_session_new ();
  g_autoptr (HsSession) after = hs_session_new ();
  g_autofree char *path = write_list ("今天\n"), *model = NULL;
  g_autoptr (AttnWordList) list = attn_word_list_load (path, NULL);
  hs_session_set_words (before, list);
  g_autoptr (GBytes) state = hs_state_dup (before, NULL);
  g_assert_true (hs_state_apply (after, state, &model, NULL));
  ui_test_wait (has_words, after);
  g_assert_cmpstr (attn_word_list_peek_path (hs_session_peek_words (after)), ==, path);
  g_unlink (path);
  hs_words_clear (after);
  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_MESSAGE, "The list of words is left out:*");
  g_assert_true (hs_state_apply (after, state, &model, NULL));
  while (hs_words_is_loading (after))
    g_main_context_iteration (NULL, TRUE);
  g_test_assert_expected_messages ();
  g_assert_null (hs_session_peek_words (after));
}

/* ---- what stands beside the picture is true of it ---- */

static void
test_side_panels (void)
{
  UiTestDesk desk;
  ui_test_desk_open (&desk, TEXT);
  GtkWidget *attended = g_object_ref_sink (hs_attended_panel_new (desk.session));
  GtkWidget *help = g_object_ref_sink (hs_help_panel_new (desk.session));
  GtkWidget *status = g_object_ref_sink (hs_status_line_new (desk.session));
  g_autofree char *tokens = ui_test_dup_labels (attended);
  g_assert_nonnull (strstr (tokens, "What this head attends to"));
  g_assert_nonnull (strstr (tokens, "mean over the 17 query tokens"));
  g_autofree char *whole = ui_test_dup_labels (help);
  g_assert_nonnull (strstr (whole, "The weights of a row sum to 1."));

  ask (&desk, (AttnArrangement){
                  .unit = ATTN_UNIT_WORDS,
                  .hide = ATTN_HIDE_CLS | ATTN_HIDE_SEP | ATTN_HIDE_PUNCTUATION,
                  .combine = ATTN_COMBINE_MEAN,
              });
  g_autofree char *words = ui_test_dup_labels (attended);
  g_assert_nonnull (strstr (words, "What these heads attend to"));
  g_assert_nonnull (strstr (words, "mean over the 11 query words"));
  g_assert_nonnull (strstr (words, "didn't"));
  g_assert_null (strstr (words, "[CLS]"));
  g_autofree char *part = ui_test_dup_labels (help);
  g_assert_nonnull (strstr (part, "the words that look"));
  g_assert_nonnull (strstr (part, "need not sum to 1"));
  hs_session_set_kind (desk.session, ATTN_DRAW_HEADS);
  ui_test_drain (desk.engine);
  hs_session_set_hovered (desk.session, &(HsCell){0, 2, 1, 0});
  g_autofree char *pointed = ui_test_dup_labels (status);
  g_assert_nonnull (strstr (pointed, "query “didn't” → key “animal”"));
  g_assert_null (strstr (pointed, "head"));

  ask (&desk,
       (AttnArrangement){.unit = ATTN_UNIT_CHARACTERS, .hide = ATTN_HIDE_CLS, .renormalise = true});
  g_autofree char *again = ui_test_dup_labels (help);
  g_assert_nonnull (strstr (again, "the characters that look"));
  g_assert_nonnull (strstr (again, "The weights of a row sum to 1."));
  g_object_unref (attended);
  g_object_unref (help);
  g_object_unref (status);
  ui_test_desk_close (&desk);
}

static void
test_closures (void)
{
  AttnArrangement how = {.combine_layers = true, .unit = ATTN_UNIT_WORDS};
  g_assert_true (hs_closure_head_matters (NULL, 8, NULL, ATTN_LENS_RAW, FALSE, NULL));
  g_assert_true (hs_closure_head_matters (NULL, 8, &how, ATTN_LENS_RAW, FALSE, NULL));
  g_assert_false (hs_closure_head_matters (NULL, 0, &how, ATTN_LENS_RAW, FALSE, NULL));
  g_assert_true (hs_closure_layer_matters (NULL, 8, &how, FALSE, NULL));
  how.combine = ATTN_COMBINE_MAX;
  g_assert_false (hs_closure_head_matters (NULL, 8, &how, ATTN_LENS_RAW, FALSE, NULL));
  g_assert_false (hs_closure_layer_matters (NULL, 8, &how, FALSE, NULL));
  g_assert_true (
      hs_closure_head_matters (NULL, 8, &how, ATTN_LENS_RAW, TRUE, NULL)); /* in the lab */
  g_assert_true (hs_closure_layer_matters (NULL, 8, &how, TRUE, NULL));
  HsAttention file = {0}; /* there the lab has nothing of any head */
  g_assert_false (hs_closure_head_matters (NULL, 8, &how, ATTN_LENS_RAW, TRUE, &file));
  g_assert_false (hs_closure_layer_matters (NULL, 8, &how, TRUE, &file));
  g_assert_true (hs_closure_layer_matters (NULL, 8, NULL, FALSE, &file));
  how.combine_layers = false;
  g_assert_true (hs_closure_layer_matters (NULL, 8, &how, FALSE, NULL));
  g_autofree char *words = hs_closure_unit_name (NULL, &how, ATTN_LENS_RAW);
  g_autofree char *tokens = hs_closure_unit_name (NULL, NULL, ATTN_LENS_RAW);
  g_assert_cmpstr (words, ==, "Words");
  g_assert_cmpstr (tokens, ==, "Tokens");
}

int
main (int argc, char **argv)
{
  g_setenv ("GTK_A11Y", "test", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  hs_register_resource ();
  g_test_add_func ("/arrange/parts", test_parts);
  g_test_add_func ("/arrange/variant", test_variant);
  g_test_add_func ("/arrange/toggle-heads", test_toggle_heads);
  g_test_add_func ("/arrange/closures", test_closures);
  g_test_add_func ("/arrange/actions", test_actions);
  g_test_add_func ("/arrange/other-model", test_other_model);
  g_test_add_func ("/arrange/pins/follow", test_pins_follow);
  g_test_add_func ("/arrange/pins/text", test_pins_and_text);
  g_test_add_func ("/arrange/refused", test_refused);
  g_test_add_func ("/arrange/refused/later", test_refused_later);
  g_test_add_func ("/arrange/side-panels", test_side_panels);
  g_test_add_func ("/arrange/words/newest", test_newest_list);
  g_test_add_func ("/arrange/words/remembered", test_list_is_remembered);
  g_test_add_func ("/arrange/words/row", test_words_row);
#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)
  ADD ("/arrange/popover/actions", test_popover_actions);
  ADD ("/arrange/popover/heads", test_popover_heads);
  ADD ("/arrange/popover/numbers", test_popover_numbers);
  g_test_add_func ("/arrange/popover/names", test_popover_names);
#undef ADD
  return g_test_run ();
}
