/* SPDX-License-Identifier: MIT */
/* From a file of weights back to a text, by every way: what was chosen for the one does not reach
 * the other. */
#include "formula-maps.h"
#include "hs-open-attention.h"
#include "hs-open.h"
#include "hs-resources.h"
#include "hs-window.h"
#include "hs-work.h"
#include "ui-test.h"

#include "attn/lens.h"

#include <glib/gstdio.h>

#define TEXT "The cat sat."

typedef struct {
  UiTestDesk desk;
  GtkWidget *window;
  char *path; /* of a file of weights, where one was written */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *folder = g_dir_make_tmp ("headscope-attention-XXXXXX", NULL);

  ui_test_desk_open (&fixture->desk, TEXT);
  fixture->window =
      g_object_ref (hs_window_new (NULL, fixture->desk.session, fixture->desk.updater));
  fixture->path = g_build_filename (folder, "weights.npy", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *folder = g_path_get_dirname (fixture->path);

  gtk_window_destroy (GTK_WINDOW (fixture->window));
  ui_test_drain (fixture->desk.engine);
  g_assert_finalize_object (fixture->window);
  hs_work_drain ();
  ui_test_desk_close (&fixture->desk);
  g_unlink (fixture->path);
  g_rmdir (folder);
  g_free (fixture->path);
}

static HsSide *
side (Fixture *fixture)
{
  return hs_session_peek_side (fixture->desk.session);
}

/* A file's tokens are looked for by a second piece of work. */
static void
wait (Fixture *fixture)
{
  hs_work_drain ();
  hs_work_drain ();
  ui_test_drain (fixture->desk.engine);
}

static void
open_path (Fixture *fixture)
{
  hs_open_attention_file (GTK_APPLICATION_WINDOW (fixture->window), fixture->path);
  wait (fixture);
}

/* The text is arranged as it was before the file, whatever was chosen for that. */
static void
test_arranged_before (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const AttnArrangement words = {.unit = ATTN_UNIT_WORDS}, plain = {0};
  const AttnArrangement *const before[] = {&plain, &words};
  HsSession *session = fixture->desk.session;

  formula_maps_write (fixture->path, 2, 2);
  for (size_t i = 0; i < G_N_ELEMENTS (before); i++) {
    hs_session_set_arrangement (session, before[i]);
    open_path (fixture);
    g_assert_nonnull (hs_side_peek_attention (side (fixture)));
    hs_session_set_arrangement (session, before[1 - i]);
    open_path (fixture); /* the same again */
    gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.leave-attention", NULL);
    ui_test_wait_state (session, HS_STATE_READY);
    ui_test_drain (fixture->desk.engine);
    g_assert_null (hs_side_peek_attention (side (fixture)));
    g_assert_true (attn_arrangement_equal (hs_session_peek_arrangement (session), before[i]));
  }
}

/* What a way from the file to a text begins with. */
static void
leave (Fixture *fixture, gconstpointer way)
{
  g_autofree char *demo =
      g_test_build_filename (G_TEST_DIST, "..", "resources", "demo-model", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (demo);

  if (g_str_equal (way, "leave"))
    gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.leave-attention", NULL);
  else if (g_str_equal (way, "drop"))
    hs_open_file (GTK_APPLICATION_WINDOW (fixture->window), file);
  else
    hs_updater_load (fixture->desk.updater, demo);
}

/* Whichever way leads from a file to a text, nothing that was chosen for the file comes along;
 * while another model loads, the file stays as it is. */
static void
test_arranged_by_way (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const ways[] = {"leave", "drop", "load"};
  static const AttnArrangement of_text = {.unit = ATTN_UNIT_CHARACTERS, .hide = ATTN_HIDE_CLS};
  const AttnArrangement of_file = {.unit = ATTN_UNIT_WORDS,
                                   .hide = ATTN_HIDE_SEP | ATTN_HIDE_PUNCTUATION,
                                   .combine = ATTN_COMBINE_MEAN,
                                   .keep = ATTN_KEEP_TOP,
                                   .n_top = 1};
  HsSession *session = fixture->desk.session;

  formula_maps_write (fixture->path, 2, 2);
  for (size_t i = 0; i < G_N_ELEMENTS (ways); i++) {
    hs_session_set_arrangement (session, &of_text);
    hs_session_set_lens (session, ATTN_LENS_NORM);
    ui_test_wait_state (session, HS_STATE_READY);
    open_path (fixture);
    g_assert_cmpint (hs_session_get_lens (session), ==, ATTN_LENS_RAW);
    hs_session_set_arrangement (session, &of_file);
    hs_session_set_lens (session, ATTN_LENS_ROLLOUT);
    wait (fixture);
    leave (fixture, ways[i]);
    if (hs_side_peek_attention (side (fixture)) != NULL)
      g_assert_true (attn_arrangement_equal (hs_session_peek_arrangement (session), &of_file));
    hs_work_drain ();
    ui_test_drain (fixture->desk.engine);
    wait (fixture);
    g_assert_null (hs_side_peek_attention (side (fixture)));
    g_assert_cmpint (hs_session_get_state (session), ==, HS_STATE_READY);
    g_assert_true (attn_arrangement_equal (hs_session_peek_arrangement (session), &of_text));
    g_assert_cmpint (hs_session_get_lens (session), ==, ATTN_LENS_NORM);
    g_assert_true (hs_session_is_current (session));
  }
}

/* A file that is too large for a lens is seen as it is, also after one that was not. */
static void
test_lens_fits (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;

  formula_maps_write (fixture->path, 2, 2);
  open_path (fixture);
  hs_session_set_lens (session, ATTN_LENS_FLOW);
  wait (fixture);
  g_assert_cmpint (hs_session_get_lens (session), ==, ATTN_LENS_FLOW);
  formula_maps_write (fixture->path, ATTN_LENS_FLOW_TOKENS + 1, ATTN_LENS_FLOW_TOKENS + 1);
  open_path (fixture);
  g_assert_cmpint (hs_session_get_lens (session), ==, ATTN_LENS_RAW);
  g_assert_cmpint (hs_session_get_state (session), ==, HS_STATE_READY);
}

#define ADD(name, func) \
  g_test_add ("/attention-leave/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  hs_register_resource ();
  ADD ("arranged-before", test_arranged_before);
  ADD ("arranged-by-way", test_arranged_by_way);
  ADD ("lens-fits", test_lens_fits);
  return g_test_run ();
}
