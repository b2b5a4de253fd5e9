/* SPDX-License-Identifier: MIT */
/* How long combining the heads of all layers takes: the mean and the largest weight over
 * BERT-base's 144 heads, on random weights; the best of the repeats, for one and two threads. */
#include "attn/attn.h"

#include <glib.h>

#include <math.h>
#include <stdlib.h>

static AttnModel *
make_model (size_t n_tokens)
{
  g_autoptr (AttnConfig) config = g_new0 (AttnConfig, 1);
  g_autoptr (GError) error = NULL;

  *config = (AttnConfig){
      .family = g_strdup ("bert"),
      .n_layers = 12,
      .n_heads = 12,
      .d_model = 768,
      .d_k = 64,
      .d_ff = 3072,
      .vocab_size = 30522,
      .n_positions = n_tokens,
      .n_types = 2,
      .layer_norm_eps = 1e-12F,
      .activation = ATTN_ACTIVATION_GELU,
  };
  AttnModel *model = attn_model_new_random (config, &error);
  if (model == NULL)
    g_error ("%s", error->message);
  return model;
}

static AttnMaps *
run (AttnModel *model, size_t n_tokens, AttnPool *pool)
{
  g_autofree int32_t *ids = g_new (int32_t, n_tokens);
  g_autoptr (GError) error = NULL;

  for (size_t token = 0; token < n_tokens; token++)
    ids[token] = (int32_t)(token * 7919 % 30522);
  g_autoptr (AttnTrace) trace =
      attn_model_run_ids (model, ids, NULL, n_tokens, &(AttnRunOptions){.pool = pool}, &error);
  if (trace == NULL)
    g_error ("%s", error->message);
  return attn_maps_new_from_trace (trace);
}

/* Returns: the fastest in ms. */
static double
time_combining (AttnMaps *maps, AttnCombine combine, AttnPool *pool, int n_repeats)
{
  const AttnArrangement arrangement = {.combine = combine, .combine_layers = true};
  gint64 best = G_MAXINT64;

  for (int i = 0; i < n_repeats; i++) {
    g_autoptr (GError) error = NULL;
    gint64 begun = g_get_monotonic_time ();
    g_autoptr (AttnMaps) combined = attn_maps_arrange (maps, &arrangement, NULL, pool, &error);
    if (combined == NULL)
      g_error ("%s", error->message);
    best = MIN (best, g_get_monotonic_time () - begun);
  }
  return (double)best / 1e3;
}

int
main (int argc, char **argv)
{
  int n_tokens = 512, n_repeats = 5;
  GOptionEntry entries[] = {
      {"tokens", 0, 0, G_OPTION_ARG_INT, &n_tokens, "Length of the text (512)", "N"},
      {"repeats", 0, 0, G_OPTION_ARG_INT, &n_repeats, "Runs of each (5)", "N"},
      {NULL},
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, NULL) || n_tokens < 1 || n_repeats < 1)
    return EXIT_FAILURE;
  g_autoptr (AttnModel) model = make_model ((size_t)n_tokens);
  g_print ("12 layers × 12 heads, %d tokens; best of %d\n", n_tokens, n_repeats);
  for (size_t n_threads = 1; n_threads <= 2; n_threads++) {
    g_autoptr (AttnPool) pool = attn_pool_new (n_threads);
    g_autoptr (AttnMaps) maps = run (model, (size_t)n_tokens, pool);
    g_print ("%zu thread%s: mean %.1f ms, largest %.1f ms\n", n_threads, n_threads > 1 ? "s" : " ",
             time_combining (maps, ATTN_COMBINE_MEAN, pool, n_repeats),
             time_combining (maps, ATTN_COMBINE_MAX, pool, n_repeats));
  }
  return EXIT_SUCCESS;
}
