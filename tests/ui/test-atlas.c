/* SPDX-License-Identifier: MIT */
/* The page of all heads: it shows, saves and copies what the command line makes. */
#include "hs-atlas-row.h"
#include "hs-atlas-table.h"
#include "hs-atlas.h"
#include "hs-figure.h"
#include "hs-resources.h"
#include "lab-fixture.h"

#include "attn-draw/atlas.h"

#include <string.h>

#define TEXT "The cat sat on the mat because it was tired."

typedef LabFixture Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  lab_fixture_open (fixture, data != NULL ? data : TEXT, ATTN_DRAW_LAB_ATLAS, hs_atlas_new);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  lab_fixture_close (fixture);
}

static const HsAtlasFound *
peek_found (Fixture *fixture)
{
  return hs_atlas_peek_found (HS_ATLAS (fixture->page));
}

static void
pick (Fixture *fixture, guint id, guint row, guint column)
{
  g_signal_emit_by_name (fixture->figure, "picked", id, row, column);
  lab_fixture_settle ();
}

/* A click on a head chooses it for all views; arrows go on from there; the figure says why. */
static void
test_choose (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  (void)data;
  g_assert_nonnull (peek_found (fixture)->map);
  g_assert_true (peek_found (fixture)->is_whole);
  pick (fixture, ATTN_DRAW_ATLAS_HEAD, 1, 2);
  g_assert_cmpuint (hs_session_get_layer (session), ==, 1);
  g_assert_cmpuint (hs_session_get_head (session), ==, 2);
  lab_fixture_assert_value (fixture, "layer 2, head 3: diagonal (the next token)");
  lab_fixture_assert_value (fixture, "the next token gets 0.893");
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_DOWN));
  g_assert_true (lab_fixture_move (fixture, HS_MOVE_RIGHT));
  lab_fixture_assert_value (fixture, "layer 3, head 4");
  pick (fixture, ATTN_DRAW_ATLAS_HEAD, 99, 99); /* of a model that was larger */
  lab_fixture_assert_value (fixture, "layer 3, head 4");
}

/* A pattern of the legend is looked for alone, and once more not. */
static void
test_filter (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  (void)data;
  pick (fixture, ATTN_DRAW_ATLAS_CLASS, ATTN_PATTERN_DIAGONAL, 0);
  g_assert_cmpuint (hs_session_peek_atlas (session)->pattern, ==, ATTN_PATTERN_DIAGONAL + 1);
  pick (fixture, ATTN_DRAW_ATLAS_CLASS, ATTN_PATTERN_MIXED, 0);
  g_assert_cmpuint (hs_session_peek_atlas (session)->pattern, ==, ATTN_PATTERN_MIXED + 1);
  pick (fixture, ATTN_DRAW_ATLAS_CLASS, ATTN_PATTERN_MIXED, 0);
  g_assert_cmpuint (hs_session_peek_atlas (session)->pattern, ==, 0);
}

/* The table has all heads, or those that are looked for; its order is that of a column; a row
 * chooses its head, and the chosen head's row is selected. */
static void
test_table (Fixture *fixture, gconstpointer data)
{
  HsSession *session = fixture->desk.session;
  HsAtlasTable *table = HS_ATLAS_TABLE (ui_test_find (fixture->page, HS_TYPE_ATLAS_TABLE));
  const guint confidence = HS_ATLAS_COLUMN_FIELDS + ATTN_PASSPORT_CONFIDENCE;
  (void)data;
  g_assert_cmpuint (hs_atlas_table_get_n (table), ==, 32);
  hs_atlas_table_sort (table, confidence, GTK_SORT_DESCENDING);
  for (guint row = 1; row < 32; row++)
    g_assert_cmpfloat (g_ascii_strtod (hs_atlas_table_peek_text (table, row - 1, confidence), NULL),
                       >=,
                       g_ascii_strtod (hs_atlas_table_peek_text (table, row, confidence), NULL));
  hs_session_set_atlas (session, &(AttnDrawAtlasFilter){ATTN_PATTERN_DIAGONAL + 1, 3});
  lab_fixture_settle ();
  g_assert_cmpuint (hs_atlas_table_get_n (table), <, 8);
  for (guint row = 0; row < hs_atlas_table_get_n (table); row++) {
    g_assert_true (g_str_has_prefix (hs_atlas_table_peek_text (table, row, 0), "3-"));
    g_assert_true (g_str_has_prefix (hs_atlas_table_peek_text (table, row, 1), "diagonal"));
  }
  hs_session_set_atlas (session, &(AttnDrawAtlasFilter){0, 99}); /* of a deeper model */
  g_assert_cmpuint (hs_atlas_table_get_n (table), ==, 32);
  g_signal_emit_by_name (table, "chosen", 3u, 1u);
  g_assert_cmpuint (hs_session_get_layer (session), ==, 3);
  g_assert_cmpuint (hs_session_get_head (session), ==, 1);
}

/* The first number that is on the screen: the first row's entropy. */
static char *
dup_first (GtkWidget *table)
{
  GtkWidget *cell = ui_test_find (table, GTK_TYPE_INSCRIPTION);
  g_assert_nonnull (cell);
  return g_strdup (gtk_inscription_get_text (GTK_INSCRIPTION (cell)));
}

/* Another text: the same rows and cells have its numbers, in the order that was asked for. */
static void
test_table_renewed (Fixture *fixture, gconstpointer data)
{
  HsAtlasTable *table = HS_ATLAS_TABLE (ui_test_find (fixture->page, HS_TYPE_ATLAS_TABLE));
  const guint entropy = HS_ATLAS_COLUMN_FIELDS + ATTN_PASSPORT_ENTROPY;
  (void)data;
  gtk_window_present (GTK_WINDOW (fixture->window));
  lab_fixture_settle ();
  hs_atlas_table_sort (table, entropy, GTK_SORT_ASCENDING);
  lab_fixture_settle ();
  GtkWidget *cell = ui_test_find (GTK_WIDGET (table), GTK_TYPE_INSCRIPTION);
  g_autofree char *before = dup_first (GTK_WIDGET (table));
  hs_side_set_text (hs_session_peek_side (fixture->desk.session), "Another text, which is longer.");
  lab_fixture_settle ();
  g_assert_true (ui_test_find (GTK_WIDGET (table), GTK_TYPE_INSCRIPTION) == cell);
  g_autofree char *after = dup_first (GTK_WIDGET (table));
  g_assert_cmpstr (before, !=, after);
  g_assert_cmpstr (after, ==, hs_atlas_table_peek_text (table, 0, entropy));
  for (guint row = 1; row < hs_atlas_table_get_n (table); row++)
    g_assert_cmpfloat (g_ascii_strtod (hs_atlas_table_peek_text (table, row - 1, entropy), NULL),
                       <=, g_ascii_strtod (hs_atlas_table_peek_text (table, row, entropy), NULL));
}

/* What is pointed at is told, and then the chosen head again. */
static void
test_point (Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_signal_emit_by_name (fixture->figure, "hovered", ATTN_DRAW_ATLAS_HEAD, 3u, 7u);
  g_autofree char *pointed = ui_test_dup_labels (fixture->page);
  g_assert_nonnull (strstr (pointed, "layer 4, head 8: "));
  g_signal_emit_by_name (fixture->figure, "hovered", 0u, 0u, 0u);
  g_autofree char *left = ui_test_dup_labels (fixture->page);
  g_assert_null (strstr (left, "layer 4, head 8: "));
}

/* Another text has another atlas; of several in a hurry the newest is shown. */
static void
test_newest (Fixture *fixture, gconstpointer data)
{
  HsSide *side = hs_session_peek_side (fixture->desk.session);
  (void)data;
  for (int i = 0; i < 3; i++)
    hs_side_set_text (side, i == 2 ? "Cold." : TEXT TEXT);
  lab_fixture_settle ();
  g_assert_cmpuint (peek_found (fixture)->atlas->n_tokens, ==, 4);
}

/* Texts that take longer have passports first, and the map after them: both are there at last. */
static void
test_long (Fixture *fixture, gconstpointer data)
{
  HsSide *side = hs_session_peek_side (fixture->desk.session);
  g_autoptr (GString) text = g_string_new (NULL);
  (void)data;
  for (int i = 0; i < 40; i++)
    g_string_append (text, TEXT " ");
  hs_side_set_text (side, text->str);
  lab_fixture_settle ();
  g_assert_cmpuint (peek_found (fixture)->atlas->n_tokens, >, 250);
  g_assert_true (peek_found (fixture)->is_whole);
  g_assert_nonnull (peek_found (fixture)->map);
}

/* The line that is copied, and the session, make the very file that is saved; numbers are what the
 * command line prints. */
static void
test_save (Fixture *fixture, gconstpointer data)
{
  HsAtlas *page = HS_ATLAS (fixture->page);
  (void)data;
  pick (fixture, ATTN_DRAW_ATLAS_HEAD, 2, 5);
  for (int i = 0; i < 2; i++) {
    gsize saved_size = 0, made_size = 0;
    if (i == 1)
      pick (fixture, ATTN_DRAW_ATLAS_CLASS, ATTN_PATTERN_DIAGONAL, 0);
    hs_atlas_save (page, "png", lab_fixture_name_cb);
    lab_fixture_settle ();
    g_autofree char *saved = lab_fixture_read ("atlas.png", &saved_size);
    g_autofree char *command = hs_atlas_dup_command (page);
    g_assert_nonnull (strstr (command, " atlas "));
    g_free (lab_fixture_run (command));
    g_autofree char *made = lab_fixture_read ("atlas.png", &made_size);
    g_assert_cmpmem (saved, saved_size, made, made_size);
    lab_fixture_render_session (fixture, "session.png");
    g_autofree char *drawn = lab_fixture_read ("session.png", &made_size);
    g_assert_cmpmem (saved, saved_size, drawn, made_size);
  }
  hs_atlas_save (page, "csv", lab_fixture_name_cb);
  lab_fixture_settle ();
  gsize size = 0;
  g_autofree char *saved = lab_fixture_read ("atlas.csv", &size);
  g_autofree char *text = g_shell_quote (TEXT);
  g_autofree char *line = g_strdup_printf ("headscope-cli atlas --text %s --format csv", text);
  g_autofree char *printed = lab_fixture_run (line);
  g_assert_cmpstr (saved, ==, printed);
}

static void
test_nothing (Fixture *fixture, gconstpointer data)
{
  (void)data;
  g_assert_null (peek_found (fixture));
  g_autofree char *words = ui_test_dup_labels (fixture->page);
  g_assert_nonnull (strstr (words, "Type a text"));
  g_assert_null (hs_atlas_dup_command (HS_ATLAS (fixture->page)));
  pick (fixture, ATTN_DRAW_ATLAS_HEAD, 0, 0);
  g_signal_emit_by_name (fixture->figure, "hovered", ATTN_DRAW_ATLAS_HEAD, 0u, 0u);
}

/* A window that is closed while it is at work leaves nothing behind. */
static void
test_close (Fixture *fixture, gconstpointer data)
{
  (void)data;
  hs_side_set_text (hs_session_peek_side (fixture->desk.session), TEXT TEXT TEXT);
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
  g_test_add ("/atlas/choose", Fixture, NULL, set_up, test_choose, tear_down);
  g_test_add ("/atlas/filter", Fixture, NULL, set_up, test_filter, tear_down);
  g_test_add ("/atlas/table", Fixture, NULL, set_up, test_table, tear_down);
  g_test_add ("/atlas/table-renewed", Fixture, NULL, set_up, test_table_renewed, tear_down);
  g_test_add ("/atlas/point", Fixture, NULL, set_up, test_point, tear_down);
  g_test_add ("/atlas/newest", Fixture, NULL, set_up, test_newest, tear_down);
  g_test_add ("/atlas/long", Fixture, NULL, set_up, test_long, tear_down);
  g_test_add ("/atlas/save", Fixture, NULL, set_up, test_save, tear_down);
  g_test_add ("/atlas/nothing", Fixture, "", set_up, test_nothing, tear_down);
  g_test_add ("/atlas/close", Fixture, NULL, set_up, test_close, tear_down);
  const int result = g_test_run ();
  lab_fixture_end_files ();
  return result;
}
