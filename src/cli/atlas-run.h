/* SPDX-License-Identifier: MIT */
/* An atlas of a file of texts, or a shard of it: read, run, kept at checkpoints, gone on with. */
#pragma once

#include "options.h"
#include "ranks.h"
#include "subject.h"

#include "attn/atlas-part.h"

#include <gio/gio.h>
#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/**
 * cli_atlas_run:
 * @shard:   from 0, of @n_shards
 * @keep:    (nullable): the file that the part is kept in, at checkpoints and at the end; what is
 *   there already is gone on with
 * @stop:    asked between texts; who calls has cli_interrupt_stops() on it before any thread began
 * @tells:   whether progress is told, where standard error is a terminal
 *
 * Returns: (transfer full): the shard's part, or NULL with @error; CANCELLED after an interrupt,
 *   and what was done is then in @keep.
 */
AttnAtlasPart *cli_atlas_run (const CliOptions *options,
                              const CliSubject *subject,
                              size_t shard,
                              size_t n_shards,
                              const char *keep,
                              GCancellable *stop,
                              bool tells,
                              GError **error);

/* What options ask for of each text. */
AttnAtlasOptions cli_atlas_get_options (const CliOptions *options, const CliSubject *subject);
