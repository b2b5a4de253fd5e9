/* SPDX-License-Identifier: MIT */
/* Written by the same call the command line uses. */
#include "hs-lab-pipeline-file.h"

#include "hs-lab-picture.h"

#include "attn/number.h"
#include "attn/quote.h"
#include "attn/step-text.h"

#include <string.h>

struct _HsLabPipelineFile {
  HsLabPicture *picture;
  AttnDrawSteps *steps;
  AttnDrawPipeline asked; /* its example is owned */
  char *stem;
};

void
hs_lab_pipeline_file_free (gpointer data)
{
  HsLabPipelineFile *file = data;

  hs_lab_picture_free (file->picture);
  attn_draw_steps_unref (file->steps);
  attn_draw_example_unref (file->asked.example);
  g_free (file->stem);
  g_free (file);
}

HsLabPipelineFile *
hs_lab_pipeline_file_new (HsSession *session, AttnDrawSteps *steps, const AttnDrawPipeline *asked)
{
  HsLabPicture *picture = hs_lab_picture_new (session);
  if (picture == NULL)
    return NULL;
  HsLabPipelineFile *file = g_new0 (HsLabPipelineFile, 1);
  file->picture = picture;
  file->steps = attn_draw_steps_ref (steps);
  file->asked = (AttnDrawPipeline){
      .step = asked->step,
      .has_followed = asked->has_followed,
      .followed = asked->followed,
      .has_cell = asked->has_cell,
      .example = asked->example != NULL ? attn_draw_example_ref (asked->example) : NULL,
  };
  file->stem =
      g_strdup_printf ("attention-layer-%zu-head-%zu-%s", attn_draw_steps_get_layer (steps) + 1,
                       attn_draw_steps_get_head (steps) + 1, attn_step_peek_name (asked->step));
  return file;
}

const char *
hs_lab_pipeline_file_peek_stem (HsLabPipelineFile *file)
{
  return file->stem;
}

char *
hs_lab_pipeline_file_dup_command (HsLabPipelineFile *file, const char *path)
{
  const AttnDrawPicture picture = hs_lab_picture_get (file->picture, ATTN_DRAW_PNG);

  return attn_draw_pipeline_dup_command (file->steps, &file->asked, &picture, path);
}

/* A line for each number of the step; rows and columns from 0. */
static GBytes *
make_lines (const HsLabPipelineFile *file)
{
  const AttnMatrix *matrix = attn_draw_steps_peek (file->steps, file->asked.step);
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (attn_draw_steps_peek_trace (file->steps));
  GString *csv = g_string_new ("step,row,token,column,value\n");
  const char *step = attn_step_peek_name (file->asked.step);
  for (size_t row = 0; row < matrix->n_rows; row++)
    for (size_t column = 0; column < matrix->n_columns; column++) {
      char number[ATTN_NUMBER_SIZE];
      g_string_append_printf (csv, "%s,%zu,", step, row);
      attn_quote_csv (csv, attn_maps_peek_piece (maps, ATTN_SIDE_QUERY, row));
      g_string_append_printf (
          csv, ",%zu,%s\n", column,
          attn_number_format (number, (double)matrix->values[row * matrix->n_columns + column],
                              ATTN_NUMBER_CSV));
    }
  return g_string_free_to_bytes (csv);
}

/* What the command line prints of the step. */
static GBytes *
make_json (const HsLabPipelineFile *file)
{
  const AttnStepPlace place = {file->asked.step, attn_draw_steps_get_layer (file->steps),
                               attn_draw_steps_get_head (file->steps)};
  char *text = attn_step_dup_json (attn_draw_steps_peek_trace (file->steps), &place,
                                   attn_draw_steps_peek (file->steps, place.step));
  return g_bytes_new_take (text, strlen (text));
}

GBytes *
hs_lab_pipeline_file_make (gpointer data, const char *name, GError **error)
{
  HsLabPipelineFile *file = data;
  AttnDrawFormat format = ATTN_DRAW_PNG;
  AttnModel *model = attn_trace_peek_model (attn_draw_steps_peek_trace (file->steps));

  if (!attn_draw_format_find (name, &format))
    return g_str_equal (name, "csv") ? make_lines (file) : make_json (file);
  AttnDrawPicture picture = hs_lab_picture_get (file->picture, format);
  /* where its files are gone the picture says that it is not known */
  picture.weights_sha256 = attn_model_compute_sha256 (model, NULL, NULL, NULL);
  return attn_draw_pipeline_write (file->steps, &file->asked, &picture, error);
}
