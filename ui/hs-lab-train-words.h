/* SPDX-License-Identifier: MIT */
/* What an experiment of training is, and what came of it, in words and in a table. */
#pragma once

#include "attn/experiment.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Returns: what the page trains; its heads are static. */
AttnExperimentOptions hs_lab_train_get_options (void);

/* A sequence with its answers, as markup. */
void hs_lab_train_say_example (GtkLabel *label);

/* A row for each number of heads, of what has come. */
void hs_lab_train_fill_table (GtkGrid *grid, const AttnExperiment *experiment);

G_END_DECLS
