/* SPDX-License-Identifier: MIT */
/* Loading a model and running it on a text, or arrays that need no running. */
#include "subject.h"

#include "cli.h"
#include "elsewhere.h"
#include "masked.h"

#include "attn-hub/store.h"
#include "attn/quote.h"

#include <string.h>

AttnPool *
cli_make_pool (const CliOptions *options)
{
  AttnPool *pool = attn_pool_new (options->threads);
  size_t n_threads = attn_pool_get_n_threads (pool);
  if (n_threads < options->threads)
    cli_warn ("note: --threads %zu: only %zu could be had", options->threads, n_threads);
  return pool;
}

static bool
load (CliSubject *subject, const char *model, const CliOptions *options, GError **error)
{
  g_autofree char *folder = attn_hub_find_model (model, error);
  if (folder == NULL)
    return false;
  if (subject->pool == NULL)
    subject->pool = cli_make_pool (options);
  subject->model = attn_model_load (folder, subject->pool, NULL, NULL, error);
  if (subject->model == NULL)
    return false;
  for (size_t i = 0; i < attn_model_get_n_warnings (subject->model); i++)
    cli_warn ("warning: %s", attn_model_peek_warning (subject->model, i));
  const char *name = attn_hub_peek_model_name (subject->model);
  subject->name = attn_file_dup_shown (name, strlen (name));
  subject->max_tokens = attn_model_get_max_tokens (subject->model);
  if (options->max_tokens > 0)
    subject->max_tokens = MIN (subject->max_tokens, options->max_tokens);
  return true;
}

static bool
load_arrays (
    CliSubject *subject, const CliOptions *options, bool of_b, AttnLabels *others, GError **error)
{
  subject->arrays = cli_arrays_load (options, of_b, others, &subject->labels, error);
  if (subject->arrays == NULL)
    return false;
  if (subject->pool == NULL)
    subject->pool = cli_make_pool (options);
  subject->name = g_strdup (attn_arrays_peek_name (subject->arrays));
  return true;
}

bool
cli_subject_init (CliSubject *subject, const CliOptions *options, GError **error)
{
  *subject = (CliSubject){0};
  g_autoptr (GError) odd = NULL;
  subject->masked = cli_masked_read (options, &odd);
  if (odd != NULL) {
    g_propagate_error (error, g_steal_pointer (&odd));
    return false;
  }
  if (options->attention == NULL)
    return load (subject, options->model, options, error);
  if (subject->masked != NULL)
    return cli_usage (error, "--mask-positions needs a model: it is not for --attention");
  return load_arrays (subject, options, false, NULL, error);
}

bool
cli_subject_init_second (CliSubject *subject,
                         const CliSubject *first,
                         const CliOptions *options,
                         GError **error)
{
  *subject = (CliSubject){.pool = first->pool, .borrows_pool = true};
  if (options->attention_b != NULL)
    return load_arrays (subject, options, true, first->labels, error);
  if (options->model_b != NULL || (first->model == NULL && options->text_b != NULL))
    return load (subject, options->model_b, options, error);
  if (first->model != NULL) {
    subject->model = attn_model_ref (first->model);
  } else {
    subject->arrays = attn_arrays_ref (first->arrays);
    subject->labels = attn_labels_ref (first->labels);
  }
  subject->name = g_strdup (first->name);
  subject->max_tokens = first->max_tokens;
  return true;
}

void
cli_subject_clear (CliSubject *subject)
{
  g_clear_pointer (&subject->name, g_free);
  g_clear_pointer (&subject->masked, g_array_unref);
  g_clear_pointer (&subject->model, attn_model_unref);
  g_clear_pointer (&subject->arrays, attn_arrays_unref);
  g_clear_pointer (&subject->labels, attn_labels_unref);
  if (!subject->borrows_pool)
    g_clear_pointer (&subject->pool, attn_pool_free);
  subject->pool = NULL;
}

AttnTokens *
cli_encode (AttnTokenizer *tokenizer, const CliText *text, size_t max_tokens, GError **error)
{
  AttnTokenizerInput input = {
      .text = text->text,
      .text_length = text->text_length,
      .pair = text->pair,
      .pair_length = text->pair_length,
      .max_tokens = max_tokens,
  };
  AttnTokens *tokens = attn_tokenizer_encode (tokenizer, &input, error);
  if (tokens == NULL) {
    if (text->place != NULL)
      g_prefix_error (error, "%s: ", text->place);
    return NULL;
  }
  size_t n_truncated = attn_tokens_get_n_truncated (tokens);
  if (n_truncated > 0)
    cli_warn ("warning: %s%s%zu of %zu tokens left out, the limit is %zu",
              text->place != NULL ? text->place : "", text->place != NULL ? ": " : "", n_truncated,
              n_truncated + attn_tokens_get_n (tokens), attn_tokens_get_n (tokens));
  return tokens;
}

AttnTokens *
cli_subject_encode (const CliSubject *subject, const CliText *text, GError **error)
{
  AttnTokenizer *tokenizer = attn_model_peek_tokenizer (subject->model);
  g_autoptr (AttnTokens) tokens = cli_encode (tokenizer, text, subject->max_tokens, error);
  if (tokens == NULL || subject->masked == NULL)
    return g_steal_pointer (&tokens);
  return attn_tokenizer_mask_tokens (tokenizer, tokens,
                                     (const size_t *)(void *)subject->masked->data,
                                     subject->masked->len, error);
}

AttnTrace *
cli_subject_run (const CliSubject *subject, const CliText *text, GError **error)
{
  g_autoptr (AttnTokens) tokens = cli_subject_encode (subject, text, error);
  if (tokens == NULL)
    return NULL;
  AttnRunOptions options = {.pool = subject->pool};
  return attn_model_run (subject->model, tokens, &options, error);
}

AttnMaps *
cli_subject_new_maps (const CliSubject *subject, const CliText *text, GError **error)
{
  if (subject->arrays != NULL)
    return attn_maps_new_from_arrays (subject->arrays, subject->labels, error);
  g_autoptr (AttnTrace) trace = cli_subject_run (subject, text, error);
  return trace == NULL ? NULL : attn_maps_new_from_trace (trace);
}

size_t
cli_subject_get_n_layers (const CliSubject *subject)
{
  return subject->arrays != NULL ? attn_arrays_get_n_layers (subject->arrays)
                                 : attn_model_peek_config (subject->model)->n_layers;
}

size_t
cli_subject_get_n_heads (const CliSubject *subject)
{
  return subject->arrays != NULL ? attn_arrays_get_n_heads (subject->arrays)
                                 : attn_model_peek_config (subject->model)->n_heads;
}

struct _CliHash {
  GThread *thread;  /* NULL once it was waited for */
  AttnModel *model; /* one of the two */
  AttnArrays *arrays;
  const char *sha256;
  GError *error;
};

static void *
hash_cb (void *data)
{
  CliHash *hash = data;
  hash->sha256 = hash->arrays != NULL
                     ? attn_arrays_compute_sha256 (hash->arrays, NULL, NULL, &hash->error)
                     : attn_model_compute_sha256 (hash->model, NULL, NULL, &hash->error);
  return NULL;
}

CliHash *
cli_hash_start (const CliSubject *subject)
{
  CliHash *hash = g_new0 (CliHash, 1);
  if (subject->arrays != NULL)
    hash->arrays = attn_arrays_ref (subject->arrays);
  else
    hash->model = attn_model_ref (subject->model);
  hash->thread = g_thread_try_new ("hash", hash_cb, hash, NULL);
  if (hash->thread == NULL)
    hash_cb (hash);
  return hash;
}

void
cli_hash_free (CliHash *hash)
{
  g_clear_pointer (&hash->thread, g_thread_join);
  g_clear_error (&hash->error);
  g_clear_pointer (&hash->model, attn_model_unref);
  g_clear_pointer (&hash->arrays, attn_arrays_unref);
  g_free (hash);
}

const char *
cli_hash_wait (CliHash *hash)
{
  g_clear_pointer (&hash->thread, g_thread_join);
  if (hash->error != NULL)
    cli_warn ("note: the SHA-256 is left out: %s", hash->error->message);
  g_clear_error (&hash->error);
  return hash->sha256;
}

bool
cli_subject_check (const CliSubject *subject, size_t layer, size_t head, GError **error)
{
  const char *whole = subject->arrays != NULL ? subject->name : "the model";
  size_t n_layers = cli_subject_get_n_layers (subject), n_heads = cli_subject_get_n_heads (subject);
  if (layer > n_layers)
    return cli_usage (error, "--layer %zu: %s has layers 1 to %zu", layer, whole, n_layers);
  if (head > n_heads)
    return cli_usage (error, "--head %zu: %s has heads 1 to %zu", head, whole, n_heads);
  return true;
}
