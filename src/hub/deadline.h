/* SPDX-License-Identifier: MIT */
/* A time until which something has to be done: then it is cancelled. */
#pragma once

#include <gio/gio.h>

#include <stdbool.h>

typedef struct _AttnHubDeadline AttnHubDeadline;

/**
 * attn_hub_deadline_new:
 * @stop:      cancels before the time, too; referenced
 * @timeout_s: from now on; 0 for no such time
 *
 * What waits on its own thread for the network cannot look at a clock: another one does.
 */
AttnHubDeadline *attn_hub_deadline_new (GCancellable *stop, unsigned timeout_s);

/* Returns: (transfer none): what is cancelled at the time, for the call that may not last longer.
 */
GCancellable *attn_hub_deadline_peek_cancellable (AttnHubDeadline *deadline);

/* From here on nothing is cancelled any more. Returns: whether the time came before. */
bool attn_hub_deadline_end (AttnHubDeadline *deadline);

void attn_hub_deadline_free (AttnHubDeadline *deadline);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnHubDeadline, attn_hub_deadline_free)
