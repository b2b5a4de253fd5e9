/* SPDX-License-Identifier: MIT */
/* The arithmetic of head counts: what d_model and the number of heads fix, and what they leave. */
#include "attn/lab.h"

/* The largest divisor of @n below @limit; 0 for none. */
static size_t
find_divisor_below (size_t n, size_t limit)
{
  for (size_t divisor = MIN (limit - 1, n); divisor > 0; divisor--)
    if (n % divisor == 0)
      return divisor;
  return 0;
}

/* The smallest divisor of @n above @limit; 0 for none. */
static size_t
find_divisor_above (size_t n, size_t limit)
{
  for (size_t divisor = limit + 1; divisor <= n; divisor++)
    if (n % divisor == 0)
      return divisor;
  return 0;
}

void
attn_lab_count (const AttnLabShape *shape, AttnLabCount *count)
{
  const size_t D = shape->d_model, h = shape->n_heads;
  g_return_if_fail (D > 0 && D <= ATTN_LAB_MAX && h > 0 && h <= ATTN_LAB_MAX);
  g_return_if_fail (shape->n_tokens > 0 && shape->n_tokens <= ATTN_LAB_MAX);
  g_return_if_fail (shape->n_layers > 0 && shape->n_layers <= ATTN_LAB_MAX_LAYERS);
  const guint64 square = (guint64)D * D, T = shape->n_tokens, L = shape->n_layers;
  *count = (AttnLabCount){
      .divisible = D % h == 0,
      .d_k = D % h == 0 ? D / h : 0,
      .heads_below = find_divisor_below (D, h),
      .heads_above = find_divisor_above (D, h),
      .width_below = (D - 1) / h * h,
      .width_above = (D / h + 1) * h,
      .parameters = 4 * square * L,
      .parameters_biased = (4 * square + 4 * D) * L,
      .projection_adds = 4 * T * square * L,
      .attention_adds = 2 * T * T * D * L,
      .exponentials = h * T * T * L,
      .map_bytes = sizeof (float) * h * T * T * L,
  };
}

const AttnLabPreset *
attn_lab_peek_presets (size_t *n)
{
  static const AttnLabPreset presets[] = {
      {"Transformer base", "Vaswani et al. 2017, table 3", 512, 8, 6},
      {"Transformer big", "Vaswani et al. 2017, table 3", 1024, 16, 6},
      {"BERT-tiny", "Turc et al. 2019, table 1", 128, 2, 2},
      {"BERT-base", "Devlin et al. 2019, section 3", 768, 12, 12},
      {"BERT-large", "Devlin et al. 2019, section 3", 1024, 16, 24},
  };
  *n = G_N_ELEMENTS (presets);
  return presets;
}
