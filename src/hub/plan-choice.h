/* SPDX-License-Identifier: MIT */
/* Which of a model's files are wanted: of the modules, of the tokenizer, of the weights. */
#pragma once

#include "planning.h"

#include <glib.h>

#include <stdbool.h>

/* modules.json and the modules' configs, where there are any; tells planning->inner. Returns: false
 * with @error. */
bool attn_hub_planning_add_modules (AttnHubPlanning *planning, GError **error);

/* Returns: false with @error: UNSUPPORTED (there is no tokenizer, or no weights, of a kind that we
 * read), FORMAT. */
bool attn_hub_planning_add_tokenizer (AttnHubPlanning *planning, GError **error);
bool attn_hub_planning_add_weights (AttnHubPlanning *planning, GError **error);
