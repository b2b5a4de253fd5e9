/* SPDX-License-Identifier: MIT */
/* A − B of two heads as a file of numbers: the panel that a picture of them draws, exported as maps
 * are. */
#include "difference.h"

#include "arranged.h"
#include "cli.h"
#include "compared.h"
#include "lens.h"

#include "attn-draw/panels.h"
#include "attn-hub/store.h"
#include "attn/export.h"

#include <string.h>

enum { PANEL_A, PANEL_B, PANEL_DIFFERENCE };

bool
cli_difference_refuse (const CliOptions *options, GError **error)
{
  static const char *const names[] = {"--combine",    "--heads",   "--all-layers", "--unit",
                                      "--words-file", "--part",    "--hide",       "--renormalise",
                                      "--threshold",  "--top-keys"};

  for (size_t i = 0; i < options->n_given; i++)
    for (size_t n = 0; n < G_N_ELEMENTS (names); n++)
      if (strcmp (options->given[i], names[n]) == 0)
        return cli_usage (error, "%s needs --difference: heads are ranked by their weights",
                          names[n]);
  return true;
}

static bool
read_format (const CliOptions *options, AttnExportFormat *format, GError **error)
{
  *format = ATTN_EXPORT_JSON;
  return options->format == NULL ||
         (attn_export_format_find (options->format, format) &&
          *format != ATTN_EXPORT_SAFETENSORS) ||
         cli_usage_value (error, "--format", options->format, "known are json, csv, npy and npz");
}

static bool
read_view (const CliOptions *options, AttnDrawView *view, GError **error)
{
  view->kind = ATTN_DRAW_COMPARE;
  if (options->top > 0)
    return cli_usage (error, "--top and --difference exclude each other: it is of one head of A "
                             "and one of B");
  return cli_lens_read (options, &view->lens, error) &&
         cli_lens_check (view->lens, options, error) &&
         cli_arrangement_read (options, &view->arrangement, false, error) &&
         cli_words_read (options, &view->arrangement, &view->words, error);
}

static const char *
peek_name (const CliSubject *subject)
{
  return subject->model != NULL ? attn_hub_peek_model_name (subject->model) : NULL;
}

static bool
write_bytes (const void *bytes, size_t n_bytes, void *data, GError **error)
{
  return attn_output_write (data, bytes, n_bytes, error);
}

/* Both hashes at once, where there are two models. */
static bool export(const CliOptions *options,
                   const CliCompared *compared,
                   const AttnDrawView *view,
                   const AttnDrawPanels *panels,
                   AttnExportFormat format,
                   AttnOutput *output,
                   GError **error)
{
  const CliSubject *subjects = compared->subjects;
  AttnMaps *maps = attn_draw_panels_peek_compared (panels, PANEL_DIFFERENCE, error);
  if (maps == NULL)
    return false;
  const bool tells = attn_export_format_has_about (format);
  const bool is_one =
      subjects[0].model == subjects[1].model && subjects[0].arrays == subjects[1].arrays;
  g_autoptr (CliHash) hash = tells ? cli_hash_start (&subjects[0]) : NULL;
  g_autoptr (CliHash) hash_b = tells && !is_one ? cli_hash_start (&subjects[1]) : NULL;
  const char *sha256 = hash != NULL ? cli_hash_wait (hash) : NULL;
  const AttnExportAbout b = {
      .model_name = peek_name (&subjects[1]),
      .weights_sha256 = hash_b != NULL ? cli_hash_wait (hash_b) : sha256,
      .arrays = subjects[1].arrays,
      .maps = attn_draw_panels_peek_compared (panels, PANEL_B, NULL),
      .layer = attn_draw_panels_get_layer (panels, PANEL_B),
      .head = attn_draw_panels_get_head (panels, PANEL_B),
  };
  const AttnExportAbout about = {
      .model_name = peek_name (&subjects[0]),
      .weights_sha256 = sha256,
      .max_tokens = options->max_tokens,
      .words = view->words,
      .arrays = subjects[0].arrays,
      .maps = attn_draw_panels_peek_compared (panels, PANEL_A, NULL),
      .b = &b,
  };
  const AttnExportChoice choice = {
      .layer = attn_draw_panels_get_layer (panels, PANEL_DIFFERENCE),
      .head = attn_draw_panels_get_head (panels, PANEL_DIFFERENCE),
      .arrangement = &view->arrangement,
      .lens = view->lens,
      .about = &about,
  };
  return attn_export (maps, &choice, format, write_bytes, output, error);
}

bool
cli_difference_write (const CliOptions *options, GError **error)
{
  AttnExportFormat format;
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  g_auto (CliCompared) compared = {0};
  if (!read_format (options, &format, error) || !read_view (options, view, error) ||
      !cli_compared_init (&compared, options, error))
    return false;
  for (int of = 0; of < 2; of++)
    if (!cli_arrangement_check (&view->arrangement, attn_maps_get_n_heads (compared.maps[of]),
                                error))
      return false;
  cli_lens_leave_rows (view->lens, &view->arrangement);
  view->layer = compared.layer[0];
  view->head = compared.head[0];
  view->layer_b = compared.layer[1];
  view->head_b = compared.head[1];
  g_autoptr (AttnDrawPanels) panels = attn_draw_panels_new_compare (
      view, compared.maps[0], compared.maps[1], compared.subjects[0].pool, NULL, NULL, error);
  const bool is_text = format == ATTN_EXPORT_JSON || format == ATTN_EXPORT_CSV;
  g_autoptr (AttnOutput) output =
      panels == NULL ? NULL
      : is_text      ? cli_open_output (options, error)
                : cli_open_binary_output (options, attn_export_format_peek_name (format), error);
  return output != NULL && export(options, &compared, view, panels, format, output, error) &&
         attn_output_commit (output, error);
}
