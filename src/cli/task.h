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

/* The same of one of several texts, with a subject that is there; errors name the text's place. */
AttnTask *cli_task_new_of (const CliOptions *options,
                           const CliSubject *subject,
                           const CliText *text,
                           GError **error);

/* Tells where labels were given and are of no use. */
void cli_task_note_labels (const CliOptions *options, const AttnTask *task);

/* Returns: what --seed says of draws. */
uint32_t cli_task_get_seed (const CliOptions *options);

/* Appends {"loss":NUMBER,"task":"KIND","draws":N, with the brace left open. */
void cli_task_append (GString *json, const AttnTask *task);
