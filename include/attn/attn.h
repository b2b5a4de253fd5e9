/* SPDX-License-Identifier: MIT */
/* The core in one include: read a model, run it on a text, look at its heads.
 *
 *   AttnModel *model = attn_model_load (folder, pool, NULL, NULL, &error);
 *   AttnTokens *tokens = attn_tokenizer_encode (attn_model_peek_tokenizer (model), &input, &error);
 *   AttnTrace *trace = attn_model_run (model, tokens, &options, &error);
 *   AttnMaps *maps = attn_maps_new_from_trace (trace);
 *   attn_maps_compute (maps, layer, head, weights, &error);
 */
#pragma once

#include "attn/ablate.h"
#include "attn/align.h"
#include "attn/arrays.h"
#include "attn/atlas-part.h"
#include "attn/atlas-text.h"
#include "attn/atlas.h"
#include "attn/code.h"
#include "attn/config.h"
#include "attn/diagnostics.h"
#include "attn/error.h"
#include "attn/experiment.h"
#include "attn/export.h"
#include "attn/finding.h"
#include "attn/folder.h"
#include "attn/gates.h"
#include "attn/heads.h"
#include "attn/hidden.h"
#include "attn/importance.h"
#include "attn/lab.h"
#include "attn/labels.h"
#include "attn/lens.h"
#include "attn/loss.h"
#include "attn/maps.h"
#include "attn/mds.h"
#include "attn/metrics.h"
#include "attn/model.h"
#include "attn/names.h"
#include "attn/number.h"
#include "attn/passport.h"
#include "attn/pool.h"
#include "attn/predict.h"
#include "attn/progress.h"
#include "attn/prune.h"
#include "attn/run.h"
#include "attn/sink.h"
#include "attn/source.h"
#include "attn/steps.h"
#include "attn/task.h"
#include "attn/timing.h"
#include "attn/tokenizer.h"
#include "attn/tokens.h"
#include "attn/trace.h"
