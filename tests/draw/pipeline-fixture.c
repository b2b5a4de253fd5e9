/* SPDX-License-Identifier: MIT */
/* The steps of one head of the shipped model. */
#include "pipeline-fixture.h"

#include "test-util.h"

#include "attn/run.h"

#include <string.h>

AttnModel *
pipeline_load (const char *folder)
{
  g_autoptr (GError) error = NULL;
  AttnModel *model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return model;
}

void
pipeline_set_up (PipelineFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_build_filename (g_getenv ("HEADSCOPE_DATA_DIR"), "demo-model", NULL);
  const char *text = data != NULL ? data : PIPELINE_TEXT;
  fixture->model = pipeline_load (folder);
  const AttnTokenizerInput input = {.text = text, .text_length = strlen (text)};
  g_autoptr (AttnTokens) tokens =
      attn_tokenizer_encode (attn_model_peek_tokenizer (fixture->model), &input, &error);
  g_assert_no_error (error);
  fixture->trace = attn_model_run (fixture->model, tokens, NULL, &error);
  g_assert_no_error (error);
  fixture->steps = attn_draw_steps_new (fixture->trace, 2, 4, &error);
  g_assert_no_error (error);
}

void
pipeline_tear_down (PipelineFixture *fixture, gconstpointer data)
{
  (void)data;
  attn_draw_steps_unref (fixture->steps);
  attn_trace_unref (fixture->trace);
  attn_model_unref (fixture->model);
}

const char *const pipeline_families[] = {"gpt2",       "modernbert",  "mpnet",
                                         "deberta-v2", "roberta-mlm", NULL};

AttnDrawSteps *
pipeline_make_family_steps (const char *name)
{
  static const int32_t ids[] = {3, 17, 9, 21, 5, 40, 8};
  g_autoptr (GError) error = NULL;
  g_autofree char *below = g_strconcat ("golden/models/", name, NULL);
  g_autofree char *folder = test_data_path (below);
  g_autoptr (AttnModel) model = pipeline_load (folder);
  g_autoptr (AttnTrace) trace =
      attn_model_run_ids (model, ids, NULL, G_N_ELEMENTS (ids), NULL, &error);
  g_assert_no_error (error);
  AttnDrawSteps *steps = attn_draw_steps_new (trace, 0, 1, &error);
  g_assert_no_error (error);
  return steps;
}

AttnDrawExample *
pipeline_make_example (AttnDrawSteps *steps, AttnStep step, size_t row)
{
  g_autoptr (GError) error = NULL;
  AttnDrawExample *example = attn_draw_example_new_usual (steps, step, row, &error);
  g_assert_no_error (error);
  return example;
}
