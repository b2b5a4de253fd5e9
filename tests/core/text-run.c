/* SPDX-License-Identifier: MIT */
/* A test model opened, a text encoded and run; whatever fails ends the test. */
#include "text-run.h"

#include "test-util.h"

#include "attn/run.h"
#include "attn/tokenizer.h"

#include <string.h>

AttnModel *
test_model_load (const char *below)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path (below);
  AttnModel *model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return model;
}

AttnTokens *
test_text_encode (AttnModel *model, const char *text, const char *pair)
{
  g_autoptr (GError) error = NULL;
  const AttnTokenizerInput input = {.text = text,
                                    .text_length = strlen (text),
                                    .pair = pair,
                                    .pair_length = pair != NULL ? strlen (pair) : 0};
  AttnTokens *tokens = attn_tokenizer_encode (attn_model_peek_tokenizer (model), &input, &error);
  g_assert_no_error (error);
  return tokens;
}

AttnTrace *
test_tokens_run (AttnModel *model, AttnTokens *tokens)
{
  g_autoptr (GError) error = NULL;
  AttnTrace *trace = attn_model_run (model, tokens, NULL, &error);
  g_assert_no_error (error);
  return trace;
}

AttnTrace *
test_text_run (AttnModel *model, const char *text, const char *pair)
{
  g_autoptr (AttnTokens) tokens = test_text_encode (model, text, pair);
  return test_tokens_run (model, tokens);
}

AttnTask *
test_task_new (AttnModel *model, const char *text, const AttnTaskOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnTokens) tokens = test_text_encode (model, text, NULL);
  AttnTask *task = attn_task_new (model, tokens, options, &error);
  g_assert_no_error (error);
  return task;
}
