/* SPDX-License-Identifier: MIT */
/* Finding tokens: what matches, stepping, and that the match is brought into view. */
#include "hs-find-bar.h"
#include "hs-picture.h"
#include "hs-resources.h"
#include "hs-zoom.h"
#include "ui-test.h"

#define TEXT "The old man SLEPT on the grass. The Old grass slept."

static AttnMaps *
peek_maps (UiTestDesk *desk)
{
  return attn_draw_panels_peek_maps (hs_session_peek_panels (desk->session));
}

/* The labels of each match's rows, joined; "|" between matches. */
static char *
dup_found (AttnMaps *maps, const char *needle)
{
  g_autoptr (GArray) matches = hs_find_matches (maps, needle);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < matches->len; i++) {
    const HsMatch *match = &g_array_index (matches, HsMatch, i);
    g_string_append (text, i > 0 ? "|" : "");
    for (size_t t = 0; t < match->n_queries; t++)
      g_string_append (text, attn_maps_peek_label (maps, ATTN_SIDE_QUERY, match->query + t));
    g_assert_cmpuint (match->key, ==, match->query); /* both sides are the same tokens here */
    g_assert_cmpuint (match->n_keys, ==, match->n_queries);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
test_matches (void)
{
  static const struct {
    const char *needle, *found;
  } cases[] = {
      {"grass", "grass|grass"},
      {"GRASS.", "grass."},         /* across two tokens, as typed */
      {"slept", "sle##pt|sle##pt"}, /* across the pieces of a word */
      {"lep", "sle##pt|sle##pt"},
      {"old man", "oldman"},
      {"s", "[CLS]|sle|grass|grass|sle|[SEP]"}, /* several places in one token are one match */
      {"[sep]", "[SEP]"},
      {"##", "##pt|##pt"},
      {"cls", "[CLS]"},
      {"xyz", ""},
      {"", ""},
      {"  \t", ""},
      {"grass grass", ""},
  };
  UiTestDesk desk;

  ui_test_desk_open (&desk, TEXT);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *found = dup_found (peek_maps (&desk), cases[i].needle);
    g_assert_cmpstr (found, ==, cases[i].found);
  }
  ui_test_desk_close (&desk);
}

static bool
has_pair (gpointer data)
{
  UiTestDesk *desk = data;
  g_autofree char *found = dup_found (peek_maps (desk), "boy");
  return *found != '\0';
}

/* Both texts are looked through; a place in one is not a place in the other. */
static void
test_pair (void)
{
  UiTestDesk desk;

  ui_test_desk_open (&desk, TEXT);
  hs_side_set_pair (hs_session_peek_side (desk.session), "The boy saw grass.");
  ui_test_wait (has_pair, &desk);
  g_autofree char *found = dup_found (peek_maps (&desk), "grass");
  g_assert_cmpstr (found, ==, "grass|grass|grass");
  ui_test_desk_close (&desk);
}

/* Steps go around, pin the row, and start at what is pinned. */
static void
test_steps (void)
{
  UiTestDesk desk;

  ui_test_desk_open (&desk, TEXT);
  HsSession *session = desk.session;
  hs_session_set_find (session, "grass");
  g_assert_cmpuint (hs_session_peek_matches (session)->len, ==, 2);
  g_assert_cmpuint (hs_session_get_found (session), ==, 0);
  guint first = hs_session_get_pinned_query (session);
  g_assert_cmpstr (attn_maps_peek_label (peek_maps (&desk), ATTN_SIDE_QUERY, first), ==, "grass");
  g_assert_cmpuint (hs_session_get_pinned_key (session), ==, HS_NONE);
  hs_session_step_found (session, 1);
  g_assert_cmpuint (hs_session_get_found (session), ==, 1);
  guint second = hs_session_get_pinned_query (session);
  g_assert_cmpuint (second, >, first);
  hs_session_step_found (session, 1);
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, first);
  hs_session_step_found (session, -1);
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, second);
  hs_session_set_find (session, "the"); /* from the pinned one on; there is none, so the first */
  g_assert_cmpuint (hs_session_get_found (session), ==, 0);
  hs_session_set_find (session, "nowhere");
  g_assert_cmpuint (hs_session_get_found (session), ==, HS_NONE);
  hs_session_step_found (session, 1);
  g_assert_cmpuint (hs_session_get_found (session), ==, HS_NONE);
  hs_session_set_find (session, NULL);
  g_assert_cmpuint (hs_session_peek_matches (session)->len, ==, 0);
  g_assert_cmpuint (hs_session_get_pinned_query (session), !=, HS_NONE); /* the pin stays */
  ui_test_desk_close (&desk);
}

/* A match outside of what is drawn moves the part of the map to it. */
static void
test_reveals (void)
{
  UiTestDesk desk;
  int minimum;

  ui_test_desk_open (&desk, TEXT);
  GtkWidget *picture = g_object_ref_sink (hs_picture_new (desk.session));
  gtk_widget_measure (picture, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  gtk_widget_size_allocate (picture, &(GtkAllocation){0, 0, 600, 500}, -1);
  hs_session_set_crop (desk.session, &(AttnDrawCrop){0, 3, 0, 3});
  hs_session_set_find (desk.session, "grass");
  guint found = hs_session_get_pinned_query (desk.session);
  g_assert_cmpuint (found, >, 2);
  AttnDrawCrop crop = attn_draw_layout_get_crop (hs_picture_peek_layout (HS_PICTURE (picture)));
  g_assert_cmpuint (crop.first_query, ==, found - 2);
  g_assert_cmpuint (crop.first_key, ==, found - 2);
  g_assert_finalize_object (picture);
  ui_test_desk_close (&desk);
}

static bool
is_looked_for (gpointer session)
{
  return hs_session_peek_find (session) != NULL;
}

static void
assert_says (GtkWidget *bar, const char *words)
{
  g_autofree char *labels = ui_test_dup_labels (bar);
  g_assert_nonnull (strstr (labels, words));
}

/* The bar says how many there are; closing it forgets them. */
static void
test_bar (void)
{
  UiTestDesk desk;

  hs_register_resource ();
  ui_test_desk_open (&desk, TEXT);
  GtkWidget *window = g_object_ref (gtk_window_new ());
  GtkWidget *bar = g_object_new (HS_TYPE_FIND_BAR, "session", desk.session, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), gtk_button_new ()); /* somewhere for the focus to go */
  gtk_window_set_child (GTK_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
  g_assert_false (gtk_widget_get_visible (bar));
  hs_find_bar_open (HS_FIND_BAR (bar));
  g_assert_true (gtk_widget_get_visible (bar));
  GtkWidget *entry = ui_test_find (bar, GTK_TYPE_SEARCH_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (entry), "grass");
  ui_test_wait (is_looked_for, desk.session);
  assert_says (bar, "1 of 2");
  g_signal_emit_by_name (entry, "activate");
  assert_says (bar, "2 of 2");
  g_signal_emit_by_name (entry, "previous-match");
  assert_says (bar, "1 of 2");
  gtk_editable_set_text (GTK_EDITABLE (entry), "nowhere");
  g_signal_emit_by_name (entry, "activate"); /* does not wait for the moment after typing */
  assert_says (bar, "Not found");
  g_signal_emit_by_name (entry, "stop-search");
  g_assert_false (gtk_widget_get_visible (bar));
  g_assert_null (hs_session_peek_find (desk.session));
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_finalize_object (window);
  ui_test_desk_close (&desk);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/find/matches", test_matches);
  g_test_add_func ("/find/pair", test_pair);
  g_test_add_func ("/find/steps", test_steps);
  g_test_add_func ("/find/reveals", test_reveals);
  g_test_add_func ("/find/bar", test_bar);
  return g_test_run ();
}
