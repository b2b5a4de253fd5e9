/* SPDX-License-Identifier: MIT */
/* What is told of a head that parks its weight on one token. */
#pragma once

#include "attn-draw/view.h"
#include "attn/maps.h"

/* @map: (nullable): of one head, as @view shows it
 *
 * Returns: (nullable) (transfer full): a sentence with the rule and its numbers, of a head that is
 *   mostly a sink or a no-op as sink.h says; NULL of any other, and where weights are not seen as
 *   the model has them. */
char *hs_sink_dup (const AttnDrawView *view, const AttnMap *map);
