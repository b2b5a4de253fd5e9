/* SPDX-License-Identifier: MIT */
/* The newest state of a measurement, under a lock. */
#include "hs-live.h"

struct HsLive {
  GMutex lock;
  gpointer state; /* nullable */
  GDestroyNotify free_state;
};

HsLive *
hs_live_new (GDestroyNotify free_state)
{
  HsLive *live = g_atomic_rc_box_new0 (HsLive);

  g_mutex_init (&live->lock);
  live->free_state = free_state;
  return live;
}

HsLive *
hs_live_ref (HsLive *live)
{
  return g_atomic_rc_box_acquire (live);
}

static void
clear_live (gpointer data)
{
  HsLive *live = data;

  if (live->state != NULL)
    live->free_state (live->state);
  g_mutex_clear (&live->lock);
}

void
hs_live_unref (HsLive *live)
{
  g_atomic_rc_box_release_full (live, clear_live);
}

void
hs_live_put (HsLive *live, gpointer state)
{
  g_mutex_lock (&live->lock);
  gpointer old = live->state;
  live->state = state;
  g_mutex_unlock (&live->lock);
  if (old != NULL)
    live->free_state (old);
}

gpointer
hs_live_take (HsLive *live)
{
  g_mutex_lock (&live->lock);
  gpointer state = live->state;
  live->state = NULL;
  g_mutex_unlock (&live->lock);
  return state;
}
