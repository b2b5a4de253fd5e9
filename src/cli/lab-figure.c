/* SPDX-License-Identifier: MIT */
/* headscope-cli lab --figure: the steps of a head as one picture. */
#include "lab-parts.h"
#include "language.h"
#include "picture-looks.h"
#include "picture-size.h"

#include "attn-draw/pipeline.h"
#include "attn-hub/store.h"

#include <math.h>
#include <string.h>

#define PX_PER_PT (96.0 / 72.0)

bool
cli_lab_read_picture (const CliOptions *given,
                      AttnDrawPicture *picture,
                      AttnDrawView *view,
                      GError **error)
{
  CliOptions options = *given;
  const char *language = options.lang != NULL ? options.lang : "en";
  if (options.output != NULL)
    return cli_usage (error, "--figure and -o exclude each other: both name a file");
  options.output = options.figure;
  view->width_px = CLI_LAB_FIGURE_WIDTH_PX;
  picture->view = view;
  picture->language = language;
  return cli_picture_format_read (&options, "--figure", false, &picture->format, error) &&
         cli_picture_looks_read (&options, view, error) &&
         cli_picture_size_read (&options, false, picture, view, error) &&
         cli_language_check (language, error);
}

static bool
read_example (const CliOptions *options,
              AttnDrawSteps *steps,
              AttnDrawPipeline *pipeline,
              GError **error)
{
  const AttnMatrix *matrix = attn_draw_steps_peek (steps, pipeline->step);
  size_t row = pipeline->has_followed ? pipeline->followed : attn_draw_steps_find_row (steps);
  size_t column = 0;
  pipeline->has_cell = options->cell != NULL;
  if (pipeline->has_cell && !cli_lab_read_cell (options->cell, matrix, &row, &column, error))
    return false;
  pipeline->example = pipeline->has_cell
                          ? attn_draw_example_new (steps, pipeline->step, row, column, error)
                          : attn_draw_example_new_usual (steps, pipeline->step, row, error);
  return pipeline->example != NULL;
}

static bool
read_asked (const CliOptions *options,
            AttnDrawSteps *steps,
            AttnDrawPipeline *pipeline,
            GError **error)
{
  const size_t n = attn_trace_get_n_tokens (attn_draw_steps_peek_trace (steps));
  if (options->step != NULL && !cli_lab_read_step (options, &pipeline->step, error))
    return false;
  if (attn_draw_steps_peek (steps, pipeline->step) == NULL)
    return cli_usage_value (error, "--step", options->step, "this family has no such step");
  pipeline->has_followed = options->pin_query != G_MAXSIZE;
  pipeline->followed = options->pin_query;
  if (pipeline->has_followed && pipeline->followed >= n)
    return cli_usage (error, "--follow %zu: the text has tokens 0 to %zu", pipeline->followed,
                      n - 1);
  return read_example (options, steps, pipeline, error);
}

bool
cli_lab_write_figure (const CliOptions *given, GBytes *bytes, GError **error)
{
  CliOptions options = *given;
  options.output = options.figure;
  g_autoptr (AttnOutput) output = cli_open_binary_output (&options, "a picture", error);
  gsize size = 0;
  const void *data = g_bytes_get_data (bytes, &size);
  return output != NULL && attn_output_write (output, data, size, error) &&
         attn_output_commit (output, error);
}

/* A width that is not kept would be found out only by whoever measures the file. */
void
cli_lab_note_width (const CliOptions *options, const AttnDrawView *view)
{
  const double least = ceil (ATTN_DRAW_PIPELINE_LEAST_EM * view->font_size_pt * PX_PER_PT);
  if (options->width_px > 0 && options->width_px < least)
    cli_warn ("note: --width-px %g: the figure is %.0f px wide, as letters of %g pt need it",
              options->width_px, least, view->font_size_pt);
}

bool
cli_lab_figure (const CliOptions *options, GError **error)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  AttnDrawPicture picture = {0};
  if (!cli_lab_read_picture (options, &picture, view, error))
    return false;
  g_auto (CliLabRun) run = {0};
  if (!cli_lab_run_init (&run, options, error))
    return false;
  g_autoptr (CliHash) hash = cli_hash_start (&run.subject);
  g_autoptr (AttnDrawSteps) steps = attn_draw_steps_new (run.trace, run.layer, run.head, error);
  AttnDrawPipeline pipeline = {0};
  if (steps == NULL || !read_asked (options, steps, &pipeline, error))
    return false;
  g_autoptr (AttnDrawExample) example = pipeline.example;
  picture.model_name = attn_hub_peek_model_name (run.subject.model);
  picture.text = run.text->text;
  picture.pair = run.text->pair;
  picture.max_tokens = options->max_tokens;
  picture.weights_sha256 = cli_hash_wait (hash);
  picture.translate = cli_language_use (picture.language);
  g_autoptr (GBytes) bytes = attn_draw_pipeline_write (steps, &pipeline, &picture, error);
  if (bytes == NULL || !cli_lab_write_figure (options, bytes, error))
    return false;
  cli_lab_note_width (options, view);
  return true;
}
