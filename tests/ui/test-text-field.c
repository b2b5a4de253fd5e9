/* SPDX-License-Identifier: MIT */
/* What would keep the text fields busy for long: lines, words, and marks on one letter. */
#include "hs-application.h"
#include "hs-text-limit.h"
#include "hs-text-panel.h"
#include "ui-test.h"

#include <string.h>
#include <time.h>

#define WIDTH_PX 360

typedef struct {
  HsSession *session;
  HsSide *side;
  GtkWidget *window;
  GtkTextView *view;
  GtkTextBuffer *buffer;
} Fixture;

static GtkWidget *
find_text_view (GtkWidget *root)
{
  GtkWidget *found = GTK_IS_TEXT_VIEW (root) ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_text_view (child);
  return found;
}

static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GtkWidget *panel;

  fixture->session = hs_session_new ();
  fixture->side = hs_session_peek_side (fixture->session);
  panel = hs_text_panel_new (fixture->session);
  gtk_widget_set_valign (panel, GTK_ALIGN_START);
  fixture->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), WIDTH_PX, WIDTH_PX);
  gtk_window_set_child (GTK_WINDOW (fixture->window), panel);
  fixture->view = GTK_TEXT_VIEW (find_text_view (panel));
  fixture->buffer = gtk_text_view_get_buffer (fixture->view);
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_object_unref (fixture->session);
}

/* A line that is too long is cut when it is pasted, and that is said. */
static void
test_line (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *line = g_strnfill (3 * HS_MAX_LINE_BYTES, 'x');

  gtk_text_buffer_set_text (fixture->buffer, "before", -1);
  gtk_text_buffer_insert_at_cursor (fixture->buffer, line, -1);
  g_assert_cmpint (gtk_text_buffer_get_char_count (fixture->buffer), ==, HS_MAX_LINE_BYTES);
  g_assert_cmpuint (strlen (hs_side_peek_text (fixture->side)), ==, HS_MAX_LINE_BYTES);
  g_assert_true (g_str_has_prefix (hs_side_peek_text (fixture->side), "before"));
  g_assert_true (hs_side_get_is_cut (fixture->side));
  gtk_text_buffer_undo (fixture->buffer);
  g_assert_cmpstr (hs_side_peek_text (fixture->side), ==, "before");
  g_assert_false (hs_side_get_is_cut (fixture->side));
}

/* Marks beyond what a letter can have never reach the field, pasted at once or one by one. */
static void
test_marks (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GtkTextBuffer *buffer = fixture->buffer;
  GtkTextIter at;
  GString *marks = g_string_new (NULL);

  for (int i = 0; i < 15000; i++)
    g_string_append (marks, "\xcc\x81");
  gtk_text_buffer_set_text (buffer, "a", -1);
  g_assert_false (hs_side_get_is_cut (fixture->side));
  gtk_text_buffer_insert_at_cursor (buffer, marks->str, -1);
  g_assert_cmpint (gtk_text_buffer_get_char_count (buffer), ==, 1 + HS_MAX_MARKS);
  g_assert_cmpuint (strlen (hs_side_peek_text (fixture->side)), ==, 1 + 2 * HS_MAX_MARKS);
  g_assert_true (hs_side_get_is_cut (fixture->side));
  for (int where = 1; where < 1 + HS_MAX_MARKS; where += 33) { /* before, among and after them */
    gtk_text_buffer_get_iter_at_offset (buffer, &at, where);
    gtk_text_buffer_insert (buffer, &at, "\xcc\x81", -1);
    g_assert_cmpint (gtk_text_buffer_get_char_count (buffer), ==, 1 + HS_MAX_MARKS);
  }
  gtk_text_buffer_insert_at_cursor (buffer, "b", -1);
  g_assert_cmpint (gtk_text_buffer_get_char_count (buffer), ==, 2 + HS_MAX_MARKS);
  g_assert_false (hs_side_get_is_cut (fixture->side));
  g_string_free (marks, TRUE);
}

static bool
is_painted (gpointer window)
{
  return gtk_widget_get_mapped (window) && gtk_widget_get_width (window) > 0;
}

/* Words are kept whole, but for a text with one that is longer than any field is wide. */
static void
test_wrapping (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *word = g_strnfill (HS_LONG_WORD + 1, 'x');

  gtk_window_present (GTK_WINDOW (fixture->window));
  ui_test_wait (is_painted, fixture->window);
  g_assert_cmpint (gtk_text_view_get_wrap_mode (fixture->view), ==, GTK_WRAP_WORD_CHAR);
  hs_side_set_text (fixture->side, word);
  g_assert_cmpint (gtk_text_view_get_wrap_mode (fixture->view), ==, GTK_WRAP_CHAR);
  gtk_text_buffer_set_text (fixture->buffer, word + 1, -1);
  g_assert_cmpint (gtk_text_view_get_wrap_mode (fixture->view), ==, GTK_WRAP_WORD_CHAR);
  gtk_text_buffer_insert_at_cursor (fixture->buffer, "y", -1);
  g_assert_cmpint (gtk_text_view_get_wrap_mode (fixture->view), ==, GTK_WRAP_CHAR);
}

static gint64
get_cpu_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (gint64)now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

/* Returns: CPU time until @text is shown, of the best of three. */
static gint64
measure_us (Fixture *fixture, const char *text)
{
  gint64 best = G_MAXINT64;

  for (int i = 0; i < 3; i++) {
    hs_side_set_text (fixture->side, "");
    gtk_test_widget_wait_for_draw (fixture->window);
    const gint64 start = get_cpu_us ();
    hs_side_set_text (fixture->side, text);
    gtk_test_widget_wait_for_draw (fixture->window);
    best = MIN (best, get_cpu_us () - start);
  }
  return best;
}

/* One word that fills a line takes some two times as long as the same line full of words; broken at
 * words only, it took 25 times as long in a narrow window. 8 is between. */
static void
test_time (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *word = g_strnfill (HS_MAX_LINE_BYTES, 'x');
  g_autofree char *words = g_strdup (word);
  gint64 word_us, words_us;

  for (size_t i = 5; i < HS_MAX_LINE_BYTES; i += 6)
    words[i] = ' ';
  gtk_window_present (GTK_WINDOW (fixture->window));
  ui_test_wait (is_painted, fixture->window);
  words_us = measure_us (fixture, words);
  word_us = measure_us (fixture, word);
  g_test_message ("%" G_GINT64_FORMAT " us for words, %" G_GINT64_FORMAT " us for one word",
                  words_us, word_us);
  g_assert_cmpint (word_us, <, 8 * words_us);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *path;
    void (*test) (Fixture *, gconstpointer);
  } tests[] = {
      {"/text-field/line", test_line},
      {"/text-field/marks", test_marks},
      {"/text-field/wrapping", test_wrapping},
      {"/text-field/time", test_time},
  };

  gtk_test_init (&argc, &argv);
  hs_application_prepare ();
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);
  return g_test_run ();
}
