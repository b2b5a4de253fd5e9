/* SPDX-License-Identifier: MIT */
/* The lab: made when it is opened and not before, kept by sessions, and what the window's own
 * actions take out of it. */
#include "hs-application.h"
#include "hs-export.h"
#include "hs-figure.h"
#include "hs-lab-count.h"
#include "hs-lab-train.h"
#include "hs-lab.h"
#include "hs-session-file.h"
#include "hs-state.h"
#include "hs-terms-row.h"
#include "hs-window.h"
#include "hs-work.h"
#include "lab-window.h"

#include "attn-draw/session.h"

#include <glib/gstdio.h>

#include <string.h>

/* ---- the frame ---- */

/* Nothing of it is there before; Explore and the lab take each other's place. */
static void
test_lazy (void)
{
  LabWindow fixture;

  lab_window_open (&fixture);
  GtkWidget *lab = ui_test_find (fixture.window, HS_TYPE_LAB);
  GtkWidget *picture = GTK_WIDGET (hs_window_peek_picture (HS_WINDOW (fixture.window)));
  g_assert_null (gtk_widget_get_first_child (lab));
  g_assert_null (hs_lab_peek_page (HS_LAB (lab)));
  g_assert_null (ui_test_find (fixture.window, HS_TYPE_LAB_COUNT));

  gtk_widget_activate_action (fixture.window, "view.page", "s", "lab");
  gtk_widget_activate_action (fixture.window, "view.lab-page", "s", "head-count");
  gtk_test_widget_wait_for_draw (fixture.window);
  g_assert_true (HS_IS_LAB_COUNT (hs_lab_peek_page (HS_LAB (lab))));
  g_assert_false (gtk_widget_get_mapped (picture));
  g_assert_null (ui_test_find (fixture.window, HS_TYPE_LAB_TRAIN));

  gtk_widget_activate_action (fixture.window, "view.lab-page", "s", "train");
  g_assert_true (HS_IS_LAB_TRAIN (hs_lab_peek_page (HS_LAB (lab))));
  gtk_widget_activate_action (fixture.window, "view.kind", "s", "heads");
  gtk_test_widget_wait_for_draw (fixture.window);
  g_assert_false (hs_session_get_in_lab (fixture.desk.session));
  g_assert_true (gtk_widget_get_mapped (picture));
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (fixture.window), "export"));
  g_assert_false (gtk_widget_get_visible (lab));
  lab_window_close (&fixture);
}

static void
check_kept (HsSession *session, gboolean in_lab, AttnDrawLabPage page)
{
  g_assert_cmpint (hs_session_get_in_lab (session), ==, in_lab);
  g_assert_cmpint (hs_session_get_lab_page (session), ==, page);
}

static void
check_place (const AttnDrawLabPlace *place, const AttnDrawLabPlace *wanted)
{
  g_assert_cmpint (place->step, ==, wanted->step);
  g_assert_cmpuint (place->row, ==, wanted->row);
  g_assert_cmpuint (place->column, ==, wanted->column);
  g_assert_cmpint (place->pair, ==, wanted->pair);
  g_assert_cmpuint (place->head_a, ==, wanted->head_a);
  g_assert_cmpuint (place->head_b, ==, wanted->head_b);
  g_assert_cmpint (place->code, ==, wanted->code);
}

/* A session's file, and the properties that are kept from one start to the next. */
static void
test_kept (void)
{
  LabWindow fixture;
  HsExportOptions options;
  const AttnDrawLabPlace place = {ATTN_STEP_WEIGHTS, 2, 3, ATTN_DRAW_LAB_CHOSEN, 1, 4, ATTN_CODE_C};
  g_autofree char *json = NULL;

  lab_window_open (&fixture);
  HsSession *session = fixture.desk.session;
  lab_window_open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  hs_session_set_lab_place (session, &place);
  hs_export_options_init (&options, NULL);
  g_autoptr (HsExport) export = hs_export_new (session, &options);
  g_autoptr (AttnDrawSession) file = hs_export_dup_session (export, 1);
  json = attn_draw_session_dup_json (file);
  g_autoptr (AttnDrawSession) again =
      attn_draw_session_load_bytes (json, strlen (json), "x.headscope", NULL);
  g_assert_true (again->in_lab);
  g_assert_cmpint (again->lab_page, ==, ATTN_DRAW_LAB_TRAIN);

  hs_session_set_in_lab (session, FALSE);
  hs_session_set_lab_page (session, ATTN_DRAW_LAB_HEAD_COUNT);
  hs_session_set_lab_place (session, &(AttnDrawLabPlace){0});
  const HsSessionModel model = {.model = hs_side_peek_model (hs_session_peek_side (session)),
                                .name = "demo"};
  hs_session_file_apply (session, fixture.desk.updater, again, &model, &(HsSessionModel){0}, NULL);
  check_kept (session, TRUE, ATTN_DRAW_LAB_TRAIN);
  check_place (hs_session_peek_lab_place (session), &place);
  ui_test_wait_state (session, HS_STATE_READY);

  static const char *const kept[] = {"in-lab",     "lab-page",   "lab-step",   "lab-row",
                                     "lab-column", "lab-pair",   "lab-head-a", "lab-head-b",
                                     "lab-code",   "head-chosen"};
  for (size_t i = 0; i < G_N_ELEMENTS (kept); i++)
    g_assert_true (
        hs_state_has (g_object_class_find_property (G_OBJECT_GET_CLASS (session), kept[i])));
  lab_window_close (&fixture);
}

/* A page with a figure takes the keys from the text that was typed in, wherever it is opened from,
 * and gives them back to nobody hidden. */
static void
test_focus (void)
{
  static const AttnDrawLabPage pages[] = {ATTN_DRAW_LAB_PIPELINE, ATTN_DRAW_LAB_HEADS,
                                          ATTN_DRAW_LAB_PIPELINE};
  LabWindow fixture;

  lab_window_open (&fixture);
  GtkRoot *root = GTK_ROOT (fixture.window);
  gtk_widget_grab_focus (ui_test_find (fixture.window, GTK_TYPE_TEXT_VIEW));
  g_assert_true (GTK_IS_TEXT_VIEW (gtk_root_get_focus (root)));
  for (size_t i = 0; i < G_N_ELEMENTS (pages); i++) {
    GtkWidget *page = lab_window_open_page (&fixture, pages[i]);
    hs_work_drain ();
    g_assert_true (HS_IS_FIGURE (gtk_root_get_focus (root)));
    g_assert_true (gtk_widget_is_ancestor (gtk_root_get_focus (root), page));
  }
  lab_window_open_page (&fixture, ATTN_DRAW_LAB_HEAD_COUNT);
  g_assert_false (HS_IS_FIGURE (gtk_root_get_focus (root)));
  lab_window_close (&fixture);
}

/* Every term has a name and a sentence of its own; a page shows those it uses, and explains one. */
static void
test_terms (void)
{
  LabWindow fixture;

  lab_window_open (&fixture);
  for (HsTerm term = 0; term < HS_N_TERMS; term++) {
    g_assert_cmpstr (hs_term_peek_name (term), !=, "");
    g_assert_true (g_str_has_suffix (hs_term_peek_sentence (term), "."));
  }
  for (AttnStep step = 0; step < ATTN_N_STEPS; step++)
    g_assert_cmpuint (hs_terms_get_of_step (step), !=, 0);
  lab_window_open_page (&fixture, ATTN_DRAW_LAB_TRAIN);
  GtkWidget *lab = ui_test_find (fixture.window, HS_TYPE_LAB);
  HsTermsRow *row = HS_TERMS_ROW (
      gtk_widget_get_last_child (gtk_widget_get_parent (hs_lab_peek_page (HS_LAB (lab)))));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (row)));
  g_autofree char *labels = ui_test_dup_labels (GTK_WIDGET (row));
  g_assert_nonnull (strstr (labels, "loss"));
  g_assert_null (strstr (labels, "residual"));
  g_assert_null (hs_terms_row_peek_explained (row));
  hs_terms_row_explain (row, HS_TERM_SEED);
  g_assert_true (g_str_has_prefix (hs_terms_row_peek_explained (row), "seed\nWhat random"));
  lab_window_open_page (&fixture, ATTN_DRAW_LAB_PIPELINE);
  hs_work_drain ();
  ui_test_drain (NULL);
  g_autofree char *own = ui_test_dup_labels (hs_lab_peek_page (HS_LAB (lab)));
  g_assert_nonnull (strstr (own, "embedding"));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (row)));
  lab_window_close (&fixture);
}

/* ---- what the window does with it ---- */

static void
check_enabled (LabWindow *fixture, AttnDrawLabPage page, bool has_export, bool has_image)
{
  GActionGroup *actions = G_ACTION_GROUP (fixture->window);

  lab_window_open_page (fixture, page);
  g_assert_cmpint (g_action_group_get_action_enabled (actions, "export"), ==, has_export);
  g_assert_cmpint (g_action_group_get_action_enabled (actions, "copy-command"), ==, has_export);
  g_assert_cmpint (g_action_group_get_action_enabled (actions, "copy-image"), ==, has_image);
  g_assert_cmpint (g_action_group_get_action_enabled (actions, "copy-numbers"), ==, has_image);
}

static void
clipboard_read_cb (GObject *source, GAsyncResult *result, gpointer text)
{
  *(char **)text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static bool
has_text (gpointer text)
{
  return *(char **)text != NULL;
}

/* The window's own actions take out what the page shows. */
static void
test_window_actions (void)
{
  LabWindow fixture;
  static const struct {
    AttnDrawLabPage page;
    const char *words;
  } cases[] = {{ATTN_DRAW_LAB_PIPELINE, " --step "},
               {ATTN_DRAW_LAB_HEADS, " --several "},
               {ATTN_DRAW_LAB_CODE, " --code "},
               {ATTN_DRAW_LAB_TRAIN, " --train "}};

  lab_window_open (&fixture);
  check_enabled (&fixture, ATTN_DRAW_LAB_RESEARCH, false, false);
  check_enabled (&fixture, ATTN_DRAW_LAB_CODE, true, false);
  check_enabled (&fixture, ATTN_DRAW_LAB_HEAD_COUNT, true, true);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    gpointer page = lab_window_open_page (&fixture, cases[i].page);
    g_autofree char *text = NULL;
    if (cases[i].page == ATTN_DRAW_LAB_TRAIN) {
      lab_window_set_training (page, 1, 20);
      hs_lab_train_start (page);
      lab_window_wait_trained (page);
    }
    hs_work_drain ();
    ui_test_drain (fixture.desk.engine);
    g_action_group_activate_action (G_ACTION_GROUP (fixture.window), "copy-command", NULL);
    gdk_clipboard_read_text_async (gtk_widget_get_clipboard (fixture.window), NULL,
                                   clipboard_read_cb, &text);
    ui_test_wait (has_text, &text);
    if (strstr (text, "headscope-cli lab ") == NULL || strstr (text, cases[i].words) == NULL)
      g_error ("\"%s\" is not in %s", cases[i].words, text);
  }
  lab_window_close (&fixture);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv);
  hs_application_prepare ();
  g_test_add_func ("/lab/lazy", test_lazy);
  g_test_add_func ("/lab/kept", test_kept);
  g_test_add_func ("/lab/focus", test_focus);
  g_test_add_func ("/lab/terms", test_terms);
  g_test_add_func ("/lab/window-actions", test_window_actions);
  return g_test_run ();
}
