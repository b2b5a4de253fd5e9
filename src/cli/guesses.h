/* SPDX-License-Identifier: MIT */
/* What a model guesses at masks, or for the token after a text, as JSON. */
#pragma once

#include "attn/predict.h"

#include <glib.h>

/* Appends [{"position","top":[{"token","id","p"}]}]. */
void cli_append_predictions (GString *json, const AttnPredictions *predictions);
