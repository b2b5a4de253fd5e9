/* SPDX-License-Identifier: MIT */
/* What options ask of a model on their text, for commands that have a loss. */
#pragma once

#include "options.h"
#include "subject.h"

#include "attn/task.h"

#include <glib.h>

/* Reads the first text, fills @subject, which the caller clears even after an error, and makes the
 * task. Returns: (transfer full): for attn_task_free(), or NULL with @error. */
AttnTask *cli_task_new (const CliOptions *options, CliSubject *subject, GError **error);

/* Appends {"loss":NUMBER,"task":"KIND","draws":N, with the brace left open. */
void cli_task_append (GString *json, const AttnTask *task);
