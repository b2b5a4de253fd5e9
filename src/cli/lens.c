/* SPDX-License-Identifier: MIT */
/* A lens from options, and the maps it gives. */
#include "lens.h"

#include "cli.h"

bool
cli_lens_read (const CliOptions *options, AttnLens *lens, GError **error)
{
  *lens = ATTN_LENS_RAW;
  if (options->lens == NULL)
    return true;
  *lens = attn_lens_find (options->lens);
  if (*lens != ATTN_N_LENSES)
    return true;
  g_autoptr (GString) known = g_string_new (NULL);
  for (unsigned i = 0; i < ATTN_N_LENSES; i++)
    g_string_append_printf (known, "%s%s",
                            i == 0                  ? ""
                            : i + 1 < ATTN_N_LENSES ? ", "
                                                    : " and ",
                            attn_lens_peek_name ((AttnLens)i));
  return cli_usage_value (error, "--lens", options->lens, "known are %s", known->str);
}

bool
cli_lens_check (AttnLens lens, const CliOptions *options, GError **error)
{
  if (!attn_lens_is_joint (lens) ||
      (options->head == 0 && options->heads == NULL && options->head_b == 0))
    return true;
  return cli_usage (error,
                    "the lens %s is of whole layers: it excludes --head, --heads and --head-b",
                    attn_lens_peek_name (lens));
}

void
cli_lens_leave_rows (AttnLens lens, AttnArrangement *arrangement)
{
  if (!attn_lens_peek_about (lens)->is_signed || !arrangement->renormalise)
    return;
  cli_warn ("note: --renormalise is left out: numbers of the lens %s may be below 0",
            attn_lens_peek_name (lens));
  arrangement->renormalise = false;
}

AttnTarget *
cli_lens_new_target (const AttnTrace *trace,
                     const CliSubject *subject,
                     const CliText *text,
                     GError **error)
{
  const GArray *masked = subject->masked;
  g_autofree int32_t *labels = g_new (int32_t, masked->len);
  g_autoptr (AttnTokens) tokens =
      cli_encode (attn_model_peek_tokenizer (subject->model), text, subject->max_tokens, error);
  if (tokens == NULL)
    return NULL;
  const size_t *positions = (const size_t *)(void *)masked->data;
  for (guint i = 0; i < masked->len; i++)
    labels[i] = attn_tokens_peek (tokens, positions[i])->id;
  return attn_target_new_labels (trace, positions, labels, masked->len, error);
}

AttnMaps *
cli_lens_new_maps (AttnLens lens,
                   AttnMaps *maps,
                   const CliSubject *subject,
                   const CliText *text,
                   size_t layer,
                   GError **error)
{
  g_autoptr (AttnTarget) target = NULL;
  const bool fits = attn_lens_get_reason (lens, maps) == ATTN_LENS_FITS;
  if (fits && lens == ATTN_LENS_GRADIENT && subject->masked != NULL) {
    target = cli_lens_new_target (attn_maps_peek_trace (maps), subject, text, error);
    if (target == NULL)
      return NULL;
  }
  const AttnLensOptions options = {
      .pool = subject->pool,
      .one_layer = layer != G_MAXSIZE,
      .layer = layer != G_MAXSIZE ? layer : 0,
      .target = target,
  };
  return attn_lens_new_maps (lens, maps, &options, error);
}
