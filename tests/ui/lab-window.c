/* SPDX-License-Identifier: MIT */
/* What tests of the lab in its window share. */
#include "lab-window.h"

#include "hs-lab-train.h"
#include "hs-lab.h"
#include "hs-window.h"
#include "hs-work.h"

#define TEXT "The old man saw the boy."

static const char *choice;

void
lab_window_open (LabWindow *fixture)
{
  ui_test_desk_open (&fixture->desk, TEXT);
  fixture->window =
      g_object_ref (hs_window_new (NULL, fixture->desk.session, fixture->desk.updater));
  gtk_window_present (GTK_WINDOW (fixture->window));
  gtk_test_widget_wait_for_draw (fixture->window);
}

void
lab_window_close (LabWindow *fixture)
{
  hs_work_drain ();
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  hs_work_drain ();
  ui_test_drain (fixture->desk.engine);
  g_assert_finalize_object (fixture->window);
  ui_test_desk_close (&fixture->desk);
}

gpointer
lab_window_open_page (LabWindow *fixture, AttnDrawLabPage page)
{
  HsSession *session = fixture->desk.session;

  hs_session_set_lab_page (session, page);
  hs_session_set_in_lab (session, TRUE);
  gtk_test_widget_wait_for_draw (fixture->window);
  return hs_lab_peek_page (HS_LAB (ui_test_find (fixture->window, HS_TYPE_LAB)));
}

GtkAdjustment *
lab_window_find_adjustment (gpointer page, const char *id)
{
  return GTK_ADJUSTMENT (gtk_widget_get_template_child (page, G_OBJECT_TYPE (page), id));
}

const char *
lab_window_peek_label (gpointer page, const char *id)
{
  return gtk_label_get_text (
      GTK_LABEL (gtk_widget_get_template_child (page, G_OBJECT_TYPE (page), id)));
}

/* ---- training ---- */

void
lab_window_set_training (gpointer page, double seeds, double steps)
{
  gtk_adjustment_set_value (lab_window_find_adjustment (page, "seeds"), seeds);
  gtk_adjustment_set_value (lab_window_find_adjustment (page, "steps"), steps);
}

static bool
is_trained (gpointer page)
{
  return !hs_lab_train_is_running (page);
}

void
lab_window_wait_trained (gpointer page)
{
  ui_test_wait (is_trained, page);
}

/* ---- files ---- */

void
lab_window_set_choice (const char *path)
{
  choice = path;
}

void
lab_window_choose_cb (GtkWindow *parent, const HsQuestion *question, HsPathFunc done, gpointer data)
{
  g_assert_nonnull (parent);
  g_assert_true (g_str_has_prefix (question->name, "heads-t"));
  done (g_strdup (choice), data);
}
