/* SPDX-License-Identifier: MIT */
/* Running an atlas over a file of texts, block after block. */
#include "atlas-run.h"

#include "cli.h"
#include "task.h"
#include "text-stream.h"

#include "attn-hub/store.h"
#include "attn/error.h"
#include "attn/quote.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CHECKPOINT_SECONDS 10 /* without --checkpoint */

typedef struct {
  const CliOptions *options;
  const CliSubject *subject;
  AttnAtlasPart *part;   /* grows */
  CliTextStream *stream; /* stands before the next text */
  size_t next_text;      /* its number */
  const char *keep;
  GCancellable *stop;
  bool tells;
  size_t end_text;                      /* of the shard */
  size_t n_before, n_done, n_cut;       /* texts: from an earlier run, of this one, cut */
  gint64 start_us, kept_us, telling_us; /* when what happened last */
} Run;

static bool
go_on (double fraction G_GNUC_UNUSED, void *data)
{
  const Run *run = data;
  return !g_cancellable_is_cancelled (run->stop);
}

AttnAtlasOptions
cli_atlas_get_options (const CliOptions *options, const CliSubject *subject)
{
  return (AttnAtlasOptions){
      .with_importance = options->with_importance,
      .n_draws = options->n_draws,
      .seed = cli_task_get_seed (options),
      .pool = subject->pool,
  };
}

/* The part as it is now, in place of what was kept before. */
static bool
keep (Run *run, GError **error)
{
  run->kept_us = g_get_monotonic_time ();
  if (run->keep == NULL)
    return true;
  g_autoptr (GString) json = g_string_new (NULL);
  attn_atlas_part_append (run->part, json);
  g_autoptr (AttnOutput) output = attn_output_open (run->keep, error);
  return output != NULL && cli_write (output, json, error) && attn_output_commit (output, error);
}

static void
tell (Run *run)
{
  const gint64 now = g_get_monotonic_time ();
  if (!run->tells || !isatty (STDERR_FILENO) || now - run->telling_us < G_USEC_PER_SEC / 4)
    return;
  run->telling_us = now;
  const double seconds = (double)(now - run->start_us) / G_USEC_PER_SEC;
  const double speed = (double)run->n_done / seconds;
  fprintf (stderr, "\r\033[Ktext %zu of %zu, %.1f a second, %.0f s left", run->next_text,
           run->end_text, speed, (double)(run->end_text - run->next_text) / speed);
}

static void
end_line (const Run *run)
{
  if (run->tells && isatty (STDERR_FILENO))
    fputs ("\r\033[K", stderr);
}

/* Returns: (transfer full): the next text's tokens, or NULL with @error. */
static AttnTokens *
read_tokens (Run *run, GError **error)
{
  g_autoptr (CliText) text = NULL;
  if (!cli_text_stream_next (run->stream, &text, error))
    return NULL;
  if (text == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
                 "%s: has fewer texts than when they were counted", run->options->texts);
    return NULL;
  }
  const AttnTokenizerInput input = {.text = text->text,
                                    .text_length = text->text_length,
                                    .pair = text->pair,
                                    .pair_length = text->pair_length,
                                    .max_tokens = run->subject->max_tokens};
  AttnTokens *tokens =
      attn_tokenizer_encode (attn_model_peek_tokenizer (run->subject->model), &input, error);
  if (tokens == NULL)
    g_prefix_error (error, "%s: ", text->place);
  else
    run->n_cut += attn_tokens_get_n_truncated (tokens) > 0;
  return tokens;
}

/* Runs one block and gives it to the part. */
static bool
run_block (Run *run, size_t block, GError **error)
{
  const AttnAtlasAbout *about = attn_atlas_part_peek_about (run->part);
  const size_t first = block * ATTN_ATLAS_BLOCK;
  const size_t n = MIN (ATTN_ATLAS_BLOCK, about->n_texts - first);
  g_autoptr (GPtrArray) tokens = g_ptr_array_new_with_free_func ((GDestroyNotify)attn_tokens_unref);
  AttnAtlasText texts[ATTN_ATLAS_BLOCK];
  if (!cli_text_stream_skip (run->stream, first - run->next_text, error))
    return false;
  run->next_text = first;
  for (size_t i = 0; i < n; i++, run->next_text++) {
    AttnTokens *own = read_tokens (run, error);
    if (own == NULL)
      return false;
    g_ptr_array_add (tokens, own);
    texts[i] = (AttnAtlasText){.tokens = own, .number = run->next_text};
  }
  g_autoptr (AttnAtlas) atlas =
      attn_atlas_new (about->n_layers, about->n_heads, about->with_distances);
  AttnAtlasOptions asked = cli_atlas_get_options (run->options, run->subject);
  asked.alone = about->n_texts == 1;
  asked.progress = go_on;
  asked.progress_data = run;
  if (!attn_atlas_add_texts (atlas, run->subject->model, texts, n, &asked, error))
    return false;
  run->n_done += n;
  attn_atlas_part_take (run->part, block, g_steal_pointer (&atlas));
  return true;
}

/* What is asked of which texts; strings are to be freed by the caller. */
static bool
init_about (AttnAtlasAbout *about,
            const CliOptions *options,
            const CliSubject *subject,
            GError **error)
{
  char hash[ATTN_SHA256_HEX_SIZE];
  g_autoptr (CliHash) weights = cli_hash_start (subject);
  if (!cli_text_stream_survey (options->texts, &about->n_texts, hash, error))
    return false;
  const char *sha256 = cli_hash_wait (weights);
  if (sha256 == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
                 "%s: without the SHA-256 of its weights, parts of an atlas cannot be told apart",
                 subject->name);
    return false;
  }
  const AttnConfig *config = attn_model_peek_config (subject->model);
  g_autofree char *base = g_path_get_basename (options->texts);
  about->texts = attn_file_dup_shown (base, strlen (base));
  about->texts_sha256 = g_strdup (hash);
  about->model = g_strdup (subject->name);
  about->model_sha256 = g_strdup (sha256);
  about->n_layers = config->n_layers;
  about->n_heads = config->n_heads;
  about->max_tokens = subject->max_tokens;
  about->with_distances = !options->no_distances;
  about->with_importance = options->with_importance;
  about->n_draws = options->with_importance ? MAX (options->n_draws, 1) : 0;
  about->seed = options->with_importance ? cli_task_get_seed (options) : 0;
  return true;
}

static void
about_clear (AttnAtlasAbout *about)
{
  g_free (about->texts);
  g_free (about->texts_sha256);
  g_free (about->model);
  g_free (about->model_sha256);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnAtlasAbout, about_clear)

/* An empty part, or what an earlier run has left. */
static bool
find_part (Run *run, GError **error)
{
  g_auto (AttnAtlasAbout) about = {0};
  if (!init_about (&about, run->options, run->subject, error))
    return false;
  if (run->keep == NULL || access (run->keep, F_OK) != 0) {
    run->part = attn_atlas_part_new (&about);
    return true;
  }
  run->part = attn_atlas_part_load (run->keep, error);
  if (run->part == NULL || !attn_atlas_part_check (run->part, &about, run->keep, error)) {
    g_prefix_error (error, "cannot go on from an earlier run, which is to be removed or another "
                           "-o named: ");
    return false;
  }
  run->n_before = attn_atlas_part_count_texts (run->part);
  cli_warn ("note: %s: %zu texts are done already, going on from there", run->keep, run->n_before);
  return true;
}

static bool
run_blocks (Run *run, size_t first, size_t end, GError **error)
{
  const gint64 seconds =
      run->options->checkpoint < G_MAXSIZE ? (gint64)run->options->checkpoint : CHECKPOINT_SECONDS;
  run->start_us = run->kept_us = g_get_monotonic_time ();
  for (size_t block = attn_atlas_part_find_missing (run->part, first); block < end;
       block = attn_atlas_part_find_missing (run->part, block + 1)) {
    if (!run_block (run, block, error))
      return false;
    tell (run);
    if (g_get_monotonic_time () - run->kept_us >= seconds * G_USEC_PER_SEC && !keep (run, error))
      return false;
  }
  return true;
}

/* After a failure, what was done stays; the first error is the one that is told. */
static void
keep_what_is_done (Run *run, GError **error)
{
  g_autoptr (GError) second = NULL;
  if (run->keep == NULL || run->n_done == 0)
    return;
  if (!keep (run, &second)) {
    cli_warn ("%s", second->message);
  } else if (g_error_matches (*error, ATTN_ERROR, ATTN_ERROR_CANCELLED)) {
    g_clear_error (error);
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED,
                 "stopped; %zu texts are kept in %s, and the same command goes on from there",
                 run->n_before + run->n_done, run->keep);
  }
}

static void
run_clear (Run *run)
{
  g_clear_pointer (&run->part, attn_atlas_part_free);
  g_clear_pointer (&run->stream, cli_text_stream_close);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

AttnAtlasPart *
cli_atlas_run (const CliOptions *options,
               const CliSubject *subject,
               size_t shard,
               size_t n_shards,
               const char *keep_file,
               GCancellable *stop,
               bool tells,
               GError **error)
{
  g_auto (Run) run = {
      .options = options, .subject = subject, .keep = keep_file, .tells = tells, .stop = stop};
  if (!find_part (&run, error))
    return NULL;
  run.stream = cli_text_stream_open (options->texts, error);
  if (run.stream == NULL)
    return NULL;
  const AttnAtlasAbout *about = attn_atlas_part_peek_about (run.part);
  size_t first, end;
  attn_atlas_find_shard (about->n_texts, shard, n_shards, &first, &end);
  run.end_text = MIN (end * ATTN_ATLAS_BLOCK, about->n_texts);
  const bool done = run_blocks (&run, first, end, error);
  end_line (&run);
  if (run.n_cut > 0)
    cli_warn ("note: %zu texts were cut to %zu tokens", run.n_cut, subject->max_tokens);
  if (!done) {
    keep_what_is_done (&run, error);
    return NULL;
  }
  return keep (&run, error) ? g_steal_pointer (&run.part) : NULL;
}
