/* SPDX-License-Identifier: MIT */
/* Everything at once: changes by the hundred while models load and texts run, windows closed while
 * something is under way, one file opened twice. What is shown in the end is what was asked for. */
#include "hs-application.h"
#include "hs-session-actions.h"
#include "hs-window.h"
#include "hs-work.h"
#include "test-util.h"
#include "ui-test.h"

#include <glib/gstdio.h>

#include <string.h>

#define N_HURRIES 6
#define N_CHANGES 250
#define TEXT "A cat sat on the mat."

static const char *const texts[] = {
    "",
    " ",
    "A.",
    "[MASK]",
    "The cat sat on the mat.",
    "第三層的第五個頭",
    "word word word word word",
};

typedef struct {
  UiTestDesk desk;
  GtkWidget *window;
  GRand *dice;
  char *models[3]; /* NULL for the shipped one */
} Hurry;

static void
open_hurry (Hurry *hurry, guint32 seed)
{
  hurry->models[1] = test_data_path ("golden/models/bert");
  hurry->models[2] = test_data_path ("golden/models/gpt2");
  hurry->dice = g_rand_new_with_seed (seed);
  hurry->desk.engine = hs_engine_new ();
  hurry->desk.session = hs_session_new ();
  hurry->desk.updater = hs_updater_new (hurry->desk.engine, hurry->desk.session);
  hurry->window = hs_window_new (NULL, hurry->desk.session, hurry->desk.updater);
  g_object_ref (hurry->window);
  gtk_window_present (GTK_WINDOW (hurry->window));
  hs_updater_load (hurry->desk.updater, NULL);
}

/* Nothing of it outlives this, whatever was under way, and nothing ends on another thread. */
static void
close_hurry (Hurry *hurry)
{
  guint n_alive = 0;

  ui_test_watch_end (hurry->window, &n_alive);
  ui_test_watch_end (hurry->desk.updater, &n_alive);
  ui_test_watch_end (hurry->desk.session, &n_alive);
  ui_test_watch_end (hurry->desk.engine, &n_alive);
  gtk_window_destroy (GTK_WINDOW (hurry->window));
  g_object_unref (hurry->window);
  g_object_unref (hurry->desk.updater);
  g_object_unref (hurry->desk.session);
  hs_work_drain ();
  g_object_unref (hurry->desk.engine);
  ui_test_wait_zero (&n_alive);
  g_rand_free (hurry->dice);
  for (size_t i = 0; i < G_N_ELEMENTS (hurry->models); i++)
    g_free (hurry->models[i]);
}

static guint
roll (Hurry *hurry, guint n)
{
  return (guint)g_rand_int_range (hurry->dice, 0, (gint32)n);
}

static void
change_arrangement (Hurry *hurry)
{
  const AttnArrangement arrangement = {
      .combine = (AttnCombine)roll (hurry, 3),
      .combine_layers = roll (hurry, 2) == 1,
      .heads = {{1 + roll (hurry, 255)}},
      .unit = (AttnUnit)roll (hurry, 3),
      .hide = roll (hurry, 3) == 0 ? ATTN_HIDE_CLS : 0,
  };

  hs_session_set_arrangement (hurry->desk.session, &arrangement);
}

static void
change (Hurry *hurry)
{
  HsSession *session = hurry->desk.session;
  HsSide *side = hs_session_peek_side (session);

  switch (roll (hurry, 12)) {
  case 0:
    hs_side_set_text (side, texts[roll (hurry, G_N_ELEMENTS (texts))]);
    break;
  case 1:
    hs_side_set_pair (side,
                      roll (hurry, 2) == 0 ? NULL : texts[roll (hurry, G_N_ELEMENTS (texts))]);
    break;
  case 2:
    hs_updater_load (hurry->desk.updater, hurry->models[roll (hurry, 3)]);
    break;
  case 3:
    hs_session_set_kind (session, (AttnDrawKind)roll (hurry, 6));
    break;
  case 4:
    hs_session_set_layer (session, roll (hurry, 4));
    break;
  case 5:
    hs_session_set_head (session, roll (hurry, 8));
    break;
  case 6:
    hs_session_set_range (session, (AttnDrawRange)roll (hurry, 4));
    break;
  case 7:
    change_arrangement (hurry);
    break;
  case 8:
    hs_side_set_text (hs_session_peek_side_b (session), texts[roll (hurry, G_N_ELEMENTS (texts))]);
    break;
  case 9:
    hs_engine_set_n_threads (hurry->desk.engine, 1 + roll (hurry, 3));
    break;
  case 10:
    if (roll (hurry, 4) == 0)
      hs_updater_stop (hurry->desk.updater);
    break;
  default:
    g_main_context_iteration (NULL, FALSE);
  }
}

/* One view of one text that no change before can be taken for. */
static void
assert_shows_what_is_asked (Hurry *hurry)
{
  HsSession *session = hurry->desk.session;
  const AttnArrangement plain = {0};
  HsAnswer *answer;

  hs_session_set_arrangement (session, &plain);
  hs_session_set_kind (session, ATTN_DRAW_HEATMAP);
  hs_session_set_layer (session, 1);
  hs_session_set_head (session, 2);
  hs_side_set_pair (hs_session_peek_side (session), NULL);
  hs_side_set_text (hs_session_peek_side (session), "what is asked for last");
  hs_updater_load (hurry->desk.updater, NULL);
  ui_test_wait_state (session, HS_STATE_READY);
  hs_work_drain ();
  ui_test_wait_state (session, HS_STATE_READY);
  answer = hs_side_peek_answer (hs_session_peek_side (session));
  g_assert_cmpstr (attn_tokens_peek_text (hs_answer_peek_tokens (answer), 0, NULL), ==,
                   "what is asked for last");
  g_assert_true (hs_session_is_current (session));
  g_assert_cmpuint (hs_session_peek_map (session)->layer, ==, 1);
  g_assert_cmpuint (hs_session_peek_map (session)->head, ==, 2);
}

static void
test_changes (void)
{
  for (guint32 seed = 0; seed < N_HURRIES; seed++) {
    Hurry hurry = {0};

    g_test_message ("seed %u", seed);
    open_hurry (&hurry, seed);
    for (guint i = 0; i < N_CHANGES; i++)
      change (&hurry);
    if (seed % 2 == 0)
      assert_shows_what_is_asked (&hurry);
    close_hurry (&hurry); /* the others in the midst of it */
  }
}

static char *
write_session (const char *folder)
{
  char *path = g_build_filename (folder, "a screen.headscope", NULL);
  const char *text = "{\"format\":\"headscope-session\",\"version\":1,"
                     "\"a\":{\"model\":\"demo\",\"text\":\"" TEXT "\"},"
                     "\"view\":{\"view\":\"heatmap\",\"layer\":3,\"head\":4}}";

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

static bool
is_opened (gpointer session)
{
  HsAnswer *answer = hs_side_peek_answer (hs_session_peek_side (session));

  return answer != NULL && hs_session_get_state (session) == HS_STATE_READY &&
         strcmp (attn_tokens_peek_text (hs_answer_peek_tokens (answer), 0, NULL), TEXT) == 0;
}

/* The second opening takes over from the first, while the model loads and afterwards; the last
 * window is closed while one is under way. */
static void
test_same_session_twice (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headscope-hurry-XXXXXX", NULL);
  g_autofree char *path = write_session (folder);

  for (int round = 0; round < 3; round++) {
    Hurry hurry = {0};
    GtkApplicationWindow *window;

    open_hurry (&hurry, 0);
    window = GTK_APPLICATION_WINDOW (hurry.window);
    hs_session_actions_open (window, path);
    hs_session_actions_open (window, path);
    if (round > 0) {
      ui_test_wait (is_opened, hurry.desk.session);
      hs_work_drain ();
      g_assert_cmpuint (hs_session_get_head (hurry.desk.session), ==, 3);
      hs_session_actions_open (window, path);
      hs_session_actions_open (window, path);
    }
    if (round > 1) {
      hs_work_drain ();
      ui_test_wait (is_opened, hurry.desk.session);
    }
    close_hurry (&hurry);
  }
  g_remove (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  hs_application_prepare ();
  g_test_add_func ("/hurry/changes", test_changes);
  g_test_add_func ("/hurry/same-session-twice", test_same_session_twice);
  return g_test_run ();
}
