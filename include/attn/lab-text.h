/* SPDX-License-Identifier: MIT */
/* What the lab found, written down: as JSON and as CSV, the same from the window and from the
 * command line. Numbers as attn_number_format() writes them; seconds and milliseconds. */
#pragma once

#include "attn/experiment.h"
#include "attn/heads.h"
#include "attn/times.h"

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

/* Returns: (transfer full): {"d_model","tokens","threads","kernel","times":[{"heads","d_k","runs",
 * "median_ms","low_ms","high_ms"}]}, which attn_times_new_from_json() reads. */
char *attn_times_dup_json (const AttnTimes *times);

/* Returns: (transfer full): the same as lines of heads,d_k,runs,median_ms,low_ms,high_ms. */
char *attn_times_dup_csv (const AttnTimes *times);

/* Returns: (transfer full): {"d_model","tokens","symbols","sequences","steps","learning_rate",
 * "runs":[{"heads","d_k","seed","curve":[{"step","loss","right"}],"loss","right","seconds"}],
 * "summary":[{"heads","seeds" and for each measure {"mean","least","most"}}],"best"}. Runs that are
 * not over are left out. */
char *attn_experiment_dup_json (const AttnExperiment *experiment);

/* Returns: (transfer full): a line for each point so far:
 * heads,d_k,seed,step,loss,previous,first,marked. */
char *attn_experiment_dup_csv (const AttnExperiment *experiment);

/* Returns: (transfer full): {"layer","heads","most_alike","most_different","pairs_not_compared",
 * "distances","one_head":{"lost","weights"}}; layer and heads count from 1, the two are
 * {"heads","distance"}, or null where no pair has a distance. Distances in nats.
 *
 * Test: tests/cli/test-lab.c, tests/cli/test-answers.c */
char *attn_layer_heads_dup_json (const AttnLayerHeads *heads);

/* Returns: (transfer full): the distances as lines of layer,head,other_head,distance, each two
 * heads once; counted from 1. */
char *attn_layer_heads_dup_csv (const AttnLayerHeads *heads);

G_END_DECLS
