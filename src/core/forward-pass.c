/* SPDX-License-Identifier: MIT */
/* A forward pass under way: its scratch memory, and the texts' rows in it. */
#include "forward-pass.h"

#include "distances.h"
#include "linear.h"
#include "ops.h"

static size_t
find_head_size (const AttnForwardPass *pass)
{
  size_t size = 0;
  for (size_t i = 0; i < pass->n_texts; i++) {
    AttnScoreCall call = attn_trace_get_score_call (pass->traces[i], 0, 0);
    size = MAX (size, attn_ops_attend_scratch_size (&call));
  }
  return size;
}

static int32_t *
cut_integers (AttnCutter *cutter, size_t n)
{
  return (int32_t *)(void *)attn_cutter_take (cutter, n);
}

static void
cut_pass (AttnCutter *cutter, AttnForwardPass *pass)
{
  const AttnConfig *config = pass->config;
  const size_t R = pass->R, D = config->d_model;
  pass->tokens = cut_integers (cutter, R);
  pass->ids = cut_integers (cutter, R);
  pass->types = cut_integers (cutter, R);
  pass->positions = cut_integers (cutter, R);
  if (pass->weights->projection.panels != NULL)
    pass->embedded = attn_cutter_take_matrix (cutter, R, pass->weights->projection.n_in);
  if (pass->arch->norm == ATTN_NORM_BEFORE)
    pass->normed = attn_cutter_take_matrix (cutter, R, D);
  pass->mixed = attn_cutter_take_matrix (cutter, R, D);
  pass->attended = attn_cutter_take_matrix (cutter, R, D);
  if (config->conv_width > 0)
    pass->unfolded = attn_cutter_take_matrix (cutter, R, pass->weights->convolution.n_in);
  pass->inner_stride = attn_linear_get_stride (pass->weights->layers[0].up.n_out);
  pass->inner = attn_cutter_take_matrix (cutter, R, pass->inner_stride);
  if (pass->arch->positions == ATTN_POSITION_ROTARY) {
    pass->angles = attn_cutter_take_matrix (cutter, pass->longest, config->d_k);
    if (config->local_layers != NULL)
      pass->local_angles = attn_cutter_take_matrix (cutter, pass->longest, config->d_k);
  }
  pass->head_size = find_head_size (pass);
  pass->heads =
      attn_cutter_take_matrix (cutter, attn_pool_get_n_threads (pass->pool), pass->head_size);
}

/* Where padding takes no position, the reference counts the other tokens. */
static void
stack_text (const AttnForwardPass *pass, size_t text, const int32_t *type_ids, size_t first_row)
{
  const AttnTrace *trace = pass->traces[text];
  const int32_t n_skipped = (int32_t)pass->config->n_skipped_positions;
  int32_t n_counted = 0;
  for (size_t t = 0; t < trace->n_tokens; t++) {
    const size_t row = first_row + t;
    const bool counted = n_skipped == 0 || trace->ids[t] != n_skipped - 1;
    pass->tokens[row] = (int32_t)t;
    pass->ids[row] = trace->ids[t];
    pass->types[row] = type_ids != NULL ? type_ids[t] : 0;
    pass->positions[row] = counted ? n_skipped + n_counted++ : n_skipped - 1;
  }
}

bool
attn_forward_pass_init (AttnForwardPass *pass, const int32_t *const *type_ids, GError **error)
{
  AttnCutter cutter = {0};
  cut_pass (&cutter, pass);
  if (!attn_block_init (&pass->block, &cutter, "the run's scratch memory", false, error))
    return false;
  cutter = (AttnCutter){.base = pass->block.data};
  cut_pass (&cutter, pass);
  for (size_t i = 0, row = 0; i < pass->n_texts; row += pass->traces[i++]->n_tokens)
    stack_text (pass, i, type_ids[i], row);
  const AttnConfig *config = pass->config;
  if (pass->angles != NULL)
    attn_rotation_fill (pass->angles, pass->longest, config->d_k, config->rope_theta);
  if (pass->local_angles != NULL)
    attn_rotation_fill (pass->local_angles, pass->longest, config->d_k, config->local_rope_theta);
  return true;
}
