/* SPDX-License-Identifier: MIT */
/* Waiting for signals on a thread of its own, where everything may be called. */
#include "interrupt.h"

#include <signal.h>
#include <unistd.h>

#define SIGNAL_EXIT 128 /* as shells add it to a signal's number */

static gint caught; /* atomic: the signal that stopped the work, 0 for none */

/* What somebody left to be ignored, as nohup does, stays ignored. */
static void
add_signal (sigset_t *signals, int which)
{
  struct sigaction action;
  if (sigaction (which, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
    sigaddset (signals, which);
}

static sigset_t
list_signals (void)
{
  sigset_t signals;
  sigemptyset (&signals);
  add_signal (&signals, SIGINT);
  add_signal (&signals, SIGTERM);
  add_signal (&signals, SIGHUP);
  return signals;
}

/* Dies of it, as without us: a shell ends its loop only then. */
static void
end_by (int which)
{
  sigset_t signals;
  signal (which, SIG_DFL);
  sigemptyset (&signals);
  sigaddset (&signals, which);
  pthread_sigmask (SIG_UNBLOCK, &signals, NULL);
  raise (which);
  _exit (SIGNAL_EXIT + which);
}

static void *
wait_for_signals (void *data)
{
  g_autoptr (GCancellable) stop = data;
  sigset_t signals = list_signals ();
  int which;
  while (sigwait (&signals, &which) != 0)
    continue;
  g_atomic_int_set (&caught, which);
  g_cancellable_cancel (stop);
  while (sigwait (&signals, &which) != 0)
    continue;
  end_by (which);
  return NULL;
}

void
cli_interrupt_stops (GCancellable *stop)
{
  sigset_t signals = list_signals ();
  pthread_sigmask (SIG_BLOCK, &signals, NULL);
  g_thread_unref (g_thread_new ("signals", wait_for_signals, g_object_ref (stop)));
}

void
cli_interrupt_end (void)
{
  const int which = g_atomic_int_get (&caught);
  if (which != 0)
    end_by (which);
}
