/* SPDX-License-Identifier: MIT */
/* Attention maps made by a formula. */
#include "formula-maps.h"

#include "attn/export.h"

static const char *const labels[] = {
    "[CLS]", "the", "cat", "##s", "猫", "，", ",", "\"", "قطة", "a-rather-long-token", "[SEP]",
};

typedef struct {
  size_t n_queries, n_keys;
} Formula;

static double
raw_weight (size_t layer, size_t head, size_t query, size_t key)
{
  return 1.0 + (double)((layer * 7 + head * 3 + query * 5 + key * 11) % 13);
}

float
formula_weight (size_t layer, size_t head, size_t query, size_t key, size_t n_keys)
{
  double sum = 0;
  for (size_t k = 0; k < n_keys; k++)
    sum += raw_weight (layer, head, query, k);
  return (float)(raw_weight (layer, head, query, key) / sum);
}

static bool
compute (void *source, size_t layer, size_t head, float *weights, G_GNUC_UNUSED GError **error)
{
  const Formula *formula = source;
  for (size_t q = 0; q < formula->n_queries; q++)
    for (size_t k = 0; k < formula->n_keys; k++)
      weights[q * formula->n_keys + k] = formula_weight (layer, head, q, k, formula->n_keys);
  return true;
}

static const char *
peek_label (G_GNUC_UNUSED void *source, G_GNUC_UNUSED AttnSide side, size_t index)
{
  return labels[index % G_N_ELEMENTS (labels)];
}

static void
get_visible (void *source,
             G_GNUC_UNUSED size_t layer,
             G_GNUC_UNUSED size_t query,
             size_t *first,
             size_t *end)
{
  *first = 0;
  *end = ((const Formula *)source)->n_keys;
}

AttnMaps *
formula_maps_new (size_t n_queries, size_t n_keys)
{
  Formula *formula = g_new (Formula, 1);
  *formula = (Formula){n_queries, n_keys};
  AttnMapsClass klass = {
      .n_layers = FORMULA_LAYERS,
      .n_heads = FORMULA_HEADS,
      .n_queries = n_queries,
      .n_keys = n_keys,
      .compute = compute,
      .peek_label = peek_label,
      .get_visible = get_visible,
      .free = g_free,
  };
  return attn_maps_new (&klass, formula);
}

void
formula_maps_write (const char *path, size_t n_queries, size_t n_keys)
{
  const AttnExportChoice choice = {.all_layers = true, .all_heads = true};
  g_autoptr (AttnMaps) maps = formula_maps_new (n_queries, n_keys);
  g_autoptr (GError) error = NULL;

  attn_export_to_file (maps, &choice, ATTN_EXPORT_NPY, path, &error);
  g_assert_no_error (error);
}
