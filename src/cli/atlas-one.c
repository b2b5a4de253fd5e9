/* SPDX-License-Identifier: MIT */
/* The atlas of one text, or of a file of attention. */
#include "atlas-one.h"

#include "atlas-run.h"
#include "cli.h"

#include "attn-hub/store.h"

AttnAtlasMap *
cli_atlas_new_map (const AttnAtlas *atlas, const AttnAtlasAbout *about)
{
  g_autoptr (GError) found = NULL;
  if (!about->with_distances || atlas->n_texts == atlas->n_empty ||
      atlas->n_layers * atlas->n_heads < 2)
    return NULL;
  AttnAtlasMap *map = attn_atlas_map (atlas, &found);
  if (map == NULL)
    cli_warn ("note: there is no map of the heads: %s", found->message);
  return map;
}

/* Importance needs the model; all else the maps alone, which may be another program's. */
static bool
add_text (CliAtlasOne *one, const CliOptions *options, const CliText *text, GError **error)
{
  AttnAtlasOptions asked = cli_atlas_get_options (options, &one->subject);
  asked.alone = true;
  if (!options->with_importance) {
    g_autoptr (AttnMaps) maps = cli_subject_new_maps (&one->subject, text, error);
    if (maps == NULL)
      return false;
    one->atlas = attn_atlas_new (attn_maps_get_n_layers (maps), attn_maps_get_n_heads (maps),
                                 !options->no_distances);
    return attn_atlas_add_maps (one->atlas, maps, 0, &asked, error);
  }
  g_autoptr (AttnTokens) tokens = cli_subject_encode (&one->subject, text, error);
  if (tokens == NULL)
    return false;
  const AttnConfig *config = attn_model_peek_config (one->subject.model);
  const AttnAtlasText own = {.tokens = tokens};
  one->atlas = attn_atlas_new (config->n_layers, config->n_heads, !options->no_distances);
  return attn_atlas_add_texts (one->atlas, one->subject.model, &own, 1, &asked, error);
}

/* What a picture tells that it is of. */
static void
fill_figure (CliAtlasOne *one, const CliOptions *options, const CliText *text)
{
  const bool is_run = one->subject.model != NULL;
  one->name = is_run ? g_strdup (attn_hub_peek_model_name (one->subject.model))
                     : g_path_get_basename (options->attention);
  one->figure =
      (CliAtlasFigure){.atlas = one->atlas,
                       .about = &one->about,
                       .map = one->map,
                       .text = is_run ? text->text : NULL,
                       .pair = is_run ? text->pair : NULL,
                       .name = one->name,
                       .weights_sha256 = one->hash != NULL ? cli_hash_wait (one->hash) : NULL};
}

bool
cli_atlas_one_init (CliAtlasOne *one, const CliOptions *options, GError **error)
{
  one->texts = cli_texts_read (options, error);
  if (one->texts == NULL || !cli_subject_init (&one->subject, options, error))
    return false;
  const CliText *text = g_ptr_array_index (one->texts, 0);
  if (options->figure != NULL || options->session != NULL)
    one->hash = cli_hash_start (&one->subject);
  if (!add_text (one, options, text, error))
    return false;
  one->about = (AttnAtlasAbout){.model = one->subject.name,
                                .max_tokens = one->subject.max_tokens,
                                .with_distances = !options->no_distances};
  one->map = cli_atlas_new_map (one->atlas, &one->about);
  fill_figure (one, options, text);
  return true;
}

void
cli_atlas_one_clear (CliAtlasOne *one)
{
  g_clear_pointer (&one->hash, cli_hash_free);
  g_clear_pointer (&one->map, attn_atlas_map_free);
  g_clear_pointer (&one->atlas, attn_atlas_free);
  g_clear_pointer (&one->texts, g_ptr_array_unref);
  g_clear_pointer (&one->name, g_free);
  cli_subject_clear (&one->subject);
}
