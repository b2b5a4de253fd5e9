/* SPDX-License-Identifier: MIT */
/* From options to pruning curves, and to their figure. */
#pragma once

#include "options.h"
#include "subject.h"

#include "attn-draw/picture.h"
#include "attn/pruning.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  CliSubject subject;
  GPtrArray *texts;     /* owned */
  AttnPruning *pruning; /* owned */
} CliPrune;

/* Reads texts and a model, and removes heads. @asked: (nullable): all that the model allows.
 * Returns: false with @error; clear @prune in any case.
 */
bool cli_prune_init (CliPrune *prune,
                     const CliOptions *options,
                     const AttnPruningAsked *asked,
                     GError **error);

void cli_prune_clear (CliPrune *prune);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliPrune, cli_prune_clear)

/* Fills @picture's model and text, which stay @prune's. Returns: (transfer full): the figure, or
 * NULL with @error. */
GBytes *cli_prune_draw (const CliPrune *prune,
                        const CliOptions *options,
                        size_t layer,
                        size_t head,
                        AttnDrawPicture *picture,
                        GError **error);
