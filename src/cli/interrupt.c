/* SPDX-License-Identifier: MIT */
/* Waiting for signals on a thread of its own, where everything may be called. */
#include "interrupt.h"

#include <signal.h>
#include <unistd.h>

#define EXIT_INTERRUPTED 130 /* as shells have it for SIGINT */

static sigset_t
list_signals (void)
{
  sigset_t signals;
  sigemptyset (&signals);
  sigaddset (&signals, SIGINT);
  sigaddset (&signals, SIGTERM);
  return signals;
}

static void *
wait_for_signals (void *data)
{
  g_autoptr (GCancellable) stop = data;
  sigset_t signals = list_signals ();
  int which;
  while (sigwait (&signals, &which) != 0)
    continue;
  g_cancellable_cancel (stop);
  while (sigwait (&signals, &which) != 0)
    continue;
  _exit (EXIT_INTERRUPTED);
}

void
cli_interrupt_stops (GCancellable *stop)
{
  sigset_t signals = list_signals ();
  pthread_sigmask (SIG_BLOCK, &signals, NULL);
  g_thread_unref (g_thread_new ("signals", wait_for_signals, g_object_ref (stop)));
}
