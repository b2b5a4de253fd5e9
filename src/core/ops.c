/* SPDX-License-Identifier: MIT */
/* The small operations of a forward pass, on the kernels of this CPU. */
#include "ops.h"

#include "kernels.h"

#include "attn/pool.h"

void
attn_ops_activate (AttnActivation activation, float *x, size_t n)
{
  attn_kernels_get ()->activate (activation, x, n);
}

void
attn_ops_layer_norm (float *out,
                     const float *x,
                     const float *gain,
                     const float *bias,
                     size_t n_rows,
                     size_t width,
                     double eps)
{
  const AttnKernels *kernels = attn_kernels_get ();
  for (size_t row = 0; row < n_rows; row++)
    kernels->norm_row (&(AttnNormRow){
        .x = x + row * width,
        .out = out + row * width,
        .gain = gain,
        .bias = bias,
        .width = width,
        .eps = eps,
    });
}

void
attn_ops_softmax_rows (float *x, size_t ldx, size_t n_rows, size_t n)
{
  const AttnKernels *kernels = attn_kernels_get ();
  for (size_t row = 0; row < n_rows; row++)
    kernels->softmax_row (x + row * ldx, n);
}

typedef struct {
  const float *x, *rows, *bias;
  size_t n_rows, n_in, n_out;
  float *logits;
  const AttnKernels *kernels;
  size_t n_threads;
  float *panels; /* one for each worker */
} Logits;

/* The decoder's rows become a panel first: that costs less than fetching them from memory, and one
 * kernel gives a row the same bits alone and among others. */
static void
run_logits (size_t piece, size_t worker, void *data)
{
  const Logits *job = data;
  const size_t width = job->kernels->panel, n_in = job->n_in, first = piece * width;
  const size_t n_cols = MIN (width, job->n_out - first);
  float *panel = job->panels + worker * width * n_in;
  /* meanwhile the rows this thread will probably take next are fetched */
  const size_t next = first + width * job->n_threads;
  job->kernels->transpose (panel, job->rows + first * n_in, n_in, n_cols, n_in);
  job->kernels->multiply (&(AttnProduct){
      .a = job->x,
      .lda = n_in,
      .panel = panel,
      .next = next + width <= job->n_out ? job->rows + next * n_in : NULL,
      .c = job->logits + first,
      .ldc = job->n_out,
      .n_rows = job->n_rows,
      .n_in = n_in,
      .n_cols = n_cols,
      .bias = job->bias == NULL ? NULL : job->bias + first,
      .scale = 1,
  });
}

void
attn_ops_logits (const float *x,
                 size_t n_rows,
                 const float *rows,
                 const float *bias,
                 size_t n_in,
                 size_t n_out,
                 float *logits,
                 AttnPool *pool)
{
  const AttnKernels *kernels = attn_kernels_get ();
  const size_t n_threads = attn_pool_get_n_threads (pool);
  Logits job = {
      .x = x,
      .rows = rows,
      .bias = bias,
      .n_rows = n_rows,
      .n_in = n_in,
      .n_out = n_out,
      .logits = logits,
      .kernels = kernels,
      .n_threads = n_threads,
      .panels = g_aligned_alloc (kernels->panel * n_in * n_threads, sizeof (float), 64),
  };
  attn_pool_run (pool, (n_out + kernels->panel - 1) / kernels->panel, run_logits, &job);
  g_aligned_free (job.panels);
}
