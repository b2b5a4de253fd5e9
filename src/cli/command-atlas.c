/* SPDX-License-Identifier: MIT */
/* headscope-cli atlas: what every head does over one text or many, in one go or in parts. */
#include "atlas-one.h"
#include "atlas-run.h"
#include "cli.h"
#include "elsewhere.h"
#include "interrupt.h"
#include "ranks.h"
#include "subject.h"

#include "attn/atlas-text.h"
#include "attn/error.h"

#include <glib/gstdio.h>

#include <string.h>

/* "2/8" is the second of eight. Returns: false with CLI_USAGE. */
static bool
read_shard (const CliOptions *options, size_t *shard, size_t *n_shards, GError **error)
{
  guint64 index = 1, n = 1;
  if (options->shard != NULL) {
    g_auto (GStrv) parts = g_strsplit (options->shard, "/", 3);
    if (g_strv_length (parts) != 2 ||
        !g_ascii_string_to_unsigned (parts[1], 10, 1, 1000000, &n, NULL) ||
        !g_ascii_string_to_unsigned (parts[0], 10, 1, n, &index, NULL))
      return cli_usage_value (error, "--shard", options->shard,
                              "wanted is which of how many, as 2/8");
  }
  *shard = (size_t)index - 1;
  *n_shards = (size_t)n;
  return true;
}

/* Gradients go through a model. */
static bool
check_arrays (const CliOptions *options, GError **error)
{
  if (options->attention != NULL && options->with_importance)
    return cli_usage (error, "--importance wants a model: not with --attention");
  return cli_arrays_check (options, error);
}

static bool
check_figure (const CliOptions *options, GError **error)
{
  static const char *const known[] = {"--layer",    "--head",     "--only-class", "--only-layer",
                                      "--width-px", "--scale",    "--font",       "--font-size",
                                      "--palette",  "--colormap", "--lang",       NULL};
  for (size_t i = 0; options->figure == NULL && i < options->n_given; i++)
    if (g_strv_contains (known, options->given[i]))
      return cli_usage (error, "%s goes with --figure", options->given[i]);
  if (options->figure != NULL && options->shard != NULL)
    return cli_usage (error, "--figure is of the whole: not with --shard");
  if (options->figure == NULL && options->format != NULL && strcmp (options->format, "json") != 0 &&
      strcmp (options->format, "csv") != 0)
    return cli_usage_value (error, "--format", options->format,
                            "known are json and csv; a picture is asked for by --figure");
  return true;
}

static bool
check_options (const CliOptions *options, GError **error)
{
  const int n_ways = (options->texts != NULL) + options->merge +
                     (options->text != NULL || options->file != NULL || options->attention != NULL);
  if (n_ways != 1)
    return cli_usage (error, "wanted is one of: --text or --file, --attention, --texts, --merge");
  if (options->merge && options->n_files == 0)
    return cli_usage (error, "--merge wants the names of the parts' files after it");
  if (!options->merge && options->n_files > 0)
    return cli_usage (error, "\"%s\": files are named for --merge only", options->files[0]);
  if (options->texts == NULL && (options->shard != NULL || options->checkpoint < G_MAXSIZE))
    return cli_usage (error, "--shard and --checkpoint go with --texts");
  if (options->texts != NULL && options->pair != NULL)
    return cli_usage (error, "--pair goes with --text or --file; .jsonl texts have their own");
  if (options->shard != NULL && options->output == NULL)
    return cli_usage (error, "--shard wants -o: the file for its part");
  if (options->shard != NULL && options->format != NULL)
    return cli_usage (error, "--shard writes a part, which has no other format");
  if (options->n_draws > 0 && !options->with_importance)
    return cli_usage (error, "--masks goes with --importance");
  if (options->n_draws > ATTN_TASK_MAX_DRAWS)
    return cli_usage (error, "--masks %zu: at most %d", options->n_draws, ATTN_TASK_MAX_DRAWS);
  return check_figure (options, error);
}

static bool
answer (const CliOptions *options, const CliAtlasFigure *figure, GError **error)
{
  if (options->figure != NULL)
    return cli_atlas_write_figure (figure, options, error);
  g_autoptr (GString) text = g_string_new (NULL);
  if (g_strcmp0 (options->format, "csv") == 0)
    attn_atlas_append_csv (text, figure->atlas, figure->map);
  else
    attn_atlas_append_json (text, figure->atlas, figure->about, figure->map);
  return cli_answer (options, text, error);
}

static bool
answer_part (const CliOptions *options, const AttnAtlasPart *part, GError **error)
{
  const AttnAtlasAbout *about = attn_atlas_part_peek_about (part);
  g_autoptr (AttnAtlas) atlas = attn_atlas_part_finish (part, error);
  if (atlas == NULL)
    return false;
  g_autoptr (AttnAtlasMap) map = cli_atlas_new_map (atlas, about);
  return answer (options,
                 &(CliAtlasFigure){.atlas = atlas,
                                   .about = about,
                                   .map = map,
                                   .name = about->model,
                                   .weights_sha256 = about->model_sha256},
                 error);
}

static bool
merge (const CliOptions *options, GError **error)
{
  g_autoptr (AttnAtlasPart) all = NULL;
  for (size_t i = 0; i < options->n_files; i++) {
    AttnAtlasPart *part = attn_atlas_part_load (options->files[i], error);
    if (part == NULL)
      return false;
    if (all == NULL)
      all = part;
    else if (!attn_atlas_part_join (all, part, options->files[i], error))
      return false;
  }
  return answer_part (options, all, error);
}

/* One text, typed or from a file, or the maps of a file. */
static bool
run_one (const CliOptions *options, GError **error)
{
  g_auto (CliAtlasOne) one = {0};
  return cli_atlas_one_init (&one, options, error) && answer (options, &one.figure, error);
}

/* Where a run is kept until it is done: beside the answer, of each rank its own. */
static char *
dup_keep_name (const CliOptions *options, const CliRanks *ranks)
{
  const char *output = options->figure != NULL ? options->figure : options->output;
  if (output == NULL || strcmp (output, "-") == 0 ||
      (g_file_test (output, G_FILE_TEST_EXISTS) && !g_file_test (output, G_FILE_TEST_IS_REGULAR)))
    return NULL;
  if (options->shard != NULL)
    return g_strdup (output);
  if (ranks->n == 1)
    return g_strconcat (output, ".part", NULL);
  return g_strdup_printf ("%s.%zu-of-%zu.part", output, ranks->index + 1, ranks->n);
}

static bool
take_part (size_t rank, const char *bytes, size_t n_bytes, void *data, GError **error)
{
  AttnAtlasPart *all = data;
  g_autofree char *name = g_strdup_printf ("the part of rank %zu", rank);
  AttnAtlasPart *part = attn_atlas_part_read (bytes, n_bytes, name, error);
  return part != NULL && attn_atlas_part_join (all, part, name, error);
}

/* Puts the ranks' parts together on rank 0, which answers. */
static bool
gather (const CliOptions *options, const CliRanks *ranks, AttnAtlasPart *part, GError **error)
{
  g_autoptr (GString) own = g_string_new (NULL);
  if (ranks->index > 0)
    attn_atlas_part_append (part, own);
  if (!cli_ranks_gather (ranks, own, take_part, part, error))
    return false;
  return ranks->index > 0 || options->shard != NULL || answer_part (options, part, error);
}

static AttnAtlasPart *
run_share (const CliOptions *options,
           const CliRanks *ranks,
           const char *keep,
           GCancellable *stop,
           GError **error)
{
  g_auto (CliSubject) subject = {0};
  size_t shard = 0, n_shards = 1;
  if (!read_shard (options, &shard, &n_shards, error) ||
      !cli_subject_init (&subject, options, error))
    return NULL;
  if (ranks->n > 1) {
    shard = ranks->index;
    n_shards = ranks->n;
  }
  return cli_atlas_run (options, &subject, shard, n_shards, keep, stop, ranks->index == 0, error);
}

static bool
run_texts (const CliOptions *options, const CliRanks *ranks, GCancellable *stop, GError **error)
{
  if (options->shard != NULL && ranks->n > 1)
    return cli_usage (error, "--shard is for processes that know nothing of each other; these "
                             "are ranks of one run");
  g_autofree char *keep = dup_keep_name (options, ranks);
  g_autoptr (AttnAtlasPart) part = run_share (options, ranks, keep, stop, error);
  if (!cli_ranks_agree (ranks, part != NULL)) {
    if (part == NULL)
      return false;
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED,
                 "another rank failed; what this one did is kept");
    return false;
  }
  const bool done = gather (options, ranks, part, error);
  if (!cli_ranks_agree (ranks, done))
    return done; /* rank 0 has said why */
  if (options->shard == NULL && keep != NULL)
    g_unlink (keep);
  return true;
}

bool
cli_atlas (const CliOptions *options, GError **error)
{
  CliRanks ranks;
  if (!check_options (options, error) || !check_arrays (options, error))
    return false;
  if (options->merge)
    return merge (options, error);
  if (options->texts == NULL)
    return run_one (options, error);
  g_autoptr (GCancellable) stop = g_cancellable_new ();
  cli_interrupt_stops (stop); /* before there are threads that a signal could go to */
  if (!cli_ranks_begin (&ranks, error))
    return false;
  const bool done = run_texts (options, &ranks, stop, error);
  cli_ranks_end (&ranks);
  return done;
}
