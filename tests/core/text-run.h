/* SPDX-License-Identifier: MIT */
/* A test model opened, a text encoded and run; whatever fails ends the test. */
#pragma once

#include "attn/model.h"
#include "attn/task.h"
#include "attn/tokens.h"
#include "attn/trace.h"

/* The model of the folder @below tests/data, with its tokenizer. */
AttnModel *test_model_load (const char *below);

/* @text, and after it @pair unless it is NULL, as the model's tokens. */
AttnTokens *test_text_encode (AttnModel *model, const char *text, const char *pair);

/* One run of @tokens, or of those of @text and @pair. */
AttnTrace *test_tokens_run (AttnModel *model, AttnTokens *tokens);
AttnTrace *test_text_run (AttnModel *model, const char *text, const char *pair);

/* What @text asks of the model; @options as in attn_task_new(). */
AttnTask *test_task_new (AttnModel *model, const char *text, const AttnTaskOptions *options);
