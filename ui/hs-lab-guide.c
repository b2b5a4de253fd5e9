/* SPDX-License-Identifier: MIT */
/* Who goes on by hand is not played to. */
#include "hs-lab-guide.h"

#include "hs-lab-walk.h"
#include "hs-play.h"

#define PLAY_MS 3500 /* of a step: long enough to read its sentence */

struct _HsLabGuide {
  HsPanel *panel;
  HsLabSteps *steps;
  HsFigure *figure;
  HsLabGuideButtons buttons;
  HsPlay *play;
};

static HsSession *
peek_session (HsLabGuide *self)
{
  return hs_panel_peek_session (self->panel);
}

static AttnStep
get_step (HsLabGuide *self)
{
  return hs_session_peek_lab_place (peek_session (self))->step;
}

/* ---- buttons ---- */

/* By a button: who goes on by hand is not played to. Who has clicked it goes on by the figure's
 * keys; who has pressed it by the keyboard keeps it. */
static void
move_by_hand (HsLabGuide *self, GtkWidget *button, int by)
{
  AttnDrawSteps *steps = hs_lab_steps_peek (self->steps);

  hs_play_stop (self->play);
  if (steps != NULL)
    hs_lab_walk_move_step (peek_session (self), steps, by);
  if (!gtk_widget_has_focus (button))
    hs_figure_take_keys (self->figure);
}

static void
back_cb (HsLabGuide *self)
{
  move_by_hand (self, self->buttons.back, -1);
}

static void
next_cb (HsLabGuide *self)
{
  move_by_hand (self, self->buttons.next, 1);
}

/* From the end it begins again. */
static gboolean
begin_playing (gpointer data)
{
  HsLabGuide *self = data;
  AttnDrawSteps *steps = hs_lab_steps_peek (self->steps);

  if (steps == NULL)
    return FALSE;
  const AttnStep step = get_step (self);
  if (attn_draw_steps_move (steps, step, 1) == step)
    hs_lab_walk_set_step (peek_session (self), ATTN_STEP_INPUT);
  return TRUE;
}

static gboolean
play_next (gpointer data)
{
  HsLabGuide *self = data;
  AttnDrawSteps *steps = hs_lab_steps_peek (self->steps);

  return hs_lab_walk_is_open (peek_session (self)) && steps != NULL &&
         hs_lab_walk_move_step (peek_session (self), steps, 1);
}

/* ---- the figure's keys and clicks ---- */

static void
picked_cb (HsLabGuide *self, guint id, guint row, guint column)
{
  HsSession *session = peek_session (self);

  hs_play_stop (self->play);
  if (id == ATTN_DRAW_PIPELINE_TOKEN)
    hs_lab_walk_follow (session, row);
  else if (id >= ATTN_DRAW_PIPELINE_STEP)
    hs_lab_walk_pick (session, id - ATTN_DRAW_PIPELINE_STEP, row, column);
}

static void
hovered_cb (HsLabGuide *self, guint id, guint row, guint column)
{
  if (peek_session (self) != NULL)
    hs_lab_walk_hover (peek_session (self), id, row, column);
}

static gboolean
moved_cb (HsLabGuide *self, int move)
{
  AttnDrawSteps *steps = hs_lab_steps_peek (self->steps);

  if (steps == NULL)
    return FALSE;
  hs_play_stop (self->play);
  return hs_lab_walk_move (peek_session (self), steps, (HsMove)move);
}

/* The example becomes the number that is picked, or is one again. */
static gboolean
activated_cb (HsLabGuide *self)
{
  HsSession *session = peek_session (self);
  AttnDrawExample *example = hs_lab_steps_peek_example (self->steps);

  if (example == NULL)
    return FALSE;
  hs_play_stop (self->play);
  if (hs_lab_walk_has_cell (session)) {
    hs_lab_walk_drop (session);
  } else if (attn_draw_example_get_step (example) == get_step (self)) {
    const AttnCell *cell = attn_draw_example_peek_cell (example);
    hs_lab_walk_pick (session, attn_draw_example_get_step (example), cell->row, cell->column);
  } /* else this step's is on its way */
  return TRUE;
}

/* ---- guide ---- */

void
hs_lab_guide_show_step (HsLabGuide *self, AttnStep step)
{
  AttnDrawSteps *steps = hs_lab_steps_peek (self->steps);

  gtk_widget_set_sensitive (self->buttons.back, attn_draw_steps_move (steps, step, -1) != step);
  gtk_widget_set_sensitive (self->buttons.next, attn_draw_steps_move (steps, step, 1) != step);
  gtk_widget_set_sensitive (GTK_WIDGET (self->buttons.play), TRUE);
}

void
hs_lab_guide_show_nothing (HsLabGuide *self)
{
  hs_play_stop (self->play);
  gtk_widget_set_sensitive (self->buttons.back, FALSE);
  gtk_widget_set_sensitive (self->buttons.next, FALSE);
  gtk_widget_set_sensitive (GTK_WIDGET (self->buttons.play), FALSE);
}

void
hs_lab_guide_toggle_play (HsLabGuide *self)
{
  GtkToggleButton *play = self->buttons.play;

  if (gtk_widget_get_sensitive (GTK_WIDGET (play)))
    gtk_toggle_button_set_active (play, !gtk_toggle_button_get_active (play));
}

HsLabGuide *
hs_lab_guide_new (HsPanel *panel,
                  HsLabSteps *steps,
                  HsFigure *figure,
                  const HsLabGuideButtons *buttons)
{
  static const HsPlayClass playing = {begin_playing, play_next};
  HsLabGuide *self = g_new0 (HsLabGuide, 1);

  *self = (HsLabGuide){panel, g_object_ref (steps), figure, *buttons, NULL};
  g_signal_connect_swapped (figure, "picked", G_CALLBACK (picked_cb), self);
  g_signal_connect_swapped (figure, "hovered", G_CALLBACK (hovered_cb), self);
  g_signal_connect_swapped (figure, "moved", G_CALLBACK (moved_cb), self);
  g_signal_connect_swapped (figure, "activated", G_CALLBACK (activated_cb), self);
  g_signal_connect_swapped (buttons->back, "clicked", G_CALLBACK (back_cb), self);
  g_signal_connect_swapped (buttons->next, "clicked", G_CALLBACK (next_cb), self);
  self->play = hs_play_new (buttons->play, PLAY_MS, &playing, self);
  return self;
}

void
hs_lab_guide_free (HsLabGuide *self)
{
  g_clear_pointer (&self->play, hs_play_free);
  g_signal_handlers_disconnect_by_data (self->figure, self);
  g_signal_handlers_disconnect_by_data (self->buttons.back, self);
  g_signal_handlers_disconnect_by_data (self->buttons.next, self);
  g_object_unref (self->steps);
  g_free (self);
}
