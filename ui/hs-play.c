/* SPDX-License-Identifier: MIT */
/* A timeout as long as the toggle is down. */
#include "hs-play.h"

struct _HsPlay {
  GtkToggleButton *toggle; /* borrowed */
  gulong handler;
  guint pause_ms, timeout; /* timeout: 0 for none */
  const HsPlayClass *klass;
  gpointer data;
};

void
hs_play_stop (HsPlay *play)
{
  g_clear_handle_id (&play->timeout, g_source_remove);
  gtk_toggle_button_set_active (play->toggle, FALSE);
}

static gboolean
next_cb (gpointer data)
{
  HsPlay *play = data;

  if (play->klass->next (play->data))
    return G_SOURCE_CONTINUE;
  play->timeout = 0;
  gtk_toggle_button_set_active (play->toggle, FALSE);
  return G_SOURCE_REMOVE;
}

static void
toggled_cb (HsPlay *play)
{
  g_clear_handle_id (&play->timeout, g_source_remove);
  if (gtk_toggle_button_get_active (play->toggle) && play->klass->begin (play->data))
    play->timeout = g_timeout_add (play->pause_ms, next_cb, play);
}

HsPlay *
hs_play_new (GtkToggleButton *toggle, guint pause_ms, const HsPlayClass *klass, gpointer data)
{
  HsPlay *play = g_new0 (HsPlay, 1);

  play->toggle = toggle;
  play->pause_ms = pause_ms;
  play->klass = klass;
  play->data = data;
  play->handler = g_signal_connect_swapped (toggle, "toggled", G_CALLBACK (toggled_cb), play);
  return play;
}

void
hs_play_free (HsPlay *play)
{
  g_clear_handle_id (&play->timeout, g_source_remove);
  g_signal_handler_disconnect (play->toggle, play->handler);
  g_free (play);
}
