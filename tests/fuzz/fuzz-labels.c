/* SPDX-License-Identifier: MIT */
/* Any bytes as a file of tokens for attention from elsewhere. */
#include "fuzz.h"
#include "named-tokens.h"

#include "attn/labels.h"

/* Spans are whole characters of the text that the names make. */
static void
check_side (const AttnLabels *labels, AttnSide side)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnTokens) tokens = attn_named_tokens_new (labels, side, &error);
  size_t length = 0;
  fuzz_check_error (tokens != NULL, error);
  if (tokens == NULL)
    return;
  const char *text = attn_tokens_peek_text (tokens, 0, &length);
  g_assert_true (g_utf8_validate_len (text, length, NULL));
  g_assert_cmpuint (attn_tokens_get_n (tokens), ==, attn_labels_get_n (labels, side));
  for (size_t i = 0; i < attn_tokens_get_n (tokens); i++) {
    const AttnToken *token = attn_tokens_peek (tokens, i);
    if (token->start > token->end || token->end > length ||
        !g_utf8_validate_len (text + token->start, token->end - token->start, NULL))
      g_error ("token %zu has bytes %zu to %zu of %zu", i, token->start, token->end, length);
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (fuzz_write ("t", data, size), "t", NULL);
  g_autoptr (AttnLabels) labels = attn_labels_load (path, &error);
  fuzz_check_error (labels != NULL, error);
  for (int side = 0; labels != NULL && side < 2; side++)
    for (size_t i = 0; i < attn_labels_get_n (labels, (AttnSide)side); i++)
      if (!g_utf8_validate (attn_labels_peek (labels, (AttnSide)side, i), -1, NULL))
        g_error ("label %zu is no UTF-8", i);
  for (int side = 0; labels != NULL && side < 2; side++)
    check_side (labels, (AttnSide)side);
  return 0;
}
