/* SPDX-License-Identifier: MIT */
/* headscope-cli lens: what is told of hidden states. */
#include "hidden.h"

#include "cli.h"
#include "elsewhere.h"
#include "subject.h"

#include "attn/error.h"
#include "attn/hidden.h"
#include "attn/lens.h"
#include "attn/sink.h"

#include <math.h>

#define DEFAULT_TOP 5

/* A run that is told about. */
typedef struct {
  CliSubject subject;
  GPtrArray *texts; /* of CliText */
  AttnTrace *trace;
} Run;

static void
run_clear (Run *run)
{
  g_clear_pointer (&run->trace, attn_trace_unref);
  g_clear_pointer (&run->texts, g_ptr_array_unref);
  cli_subject_clear (&run->subject);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

static bool
run_init (Run *run, const CliOptions *options, GError **error)
{
  if (!cli_arrays_refuse (options, "a look at hidden states", error))
    return false;
  run->texts = cli_texts_read (options, error);
  if (run->texts == NULL || !cli_subject_init (&run->subject, options, error))
    return false;
  run->trace = cli_subject_run (&run->subject, g_ptr_array_index (run->texts, 0), error);
  return run->trace != NULL;
}

static const char *
peek_piece (const Run *run, int32_t id)
{
  const char *piece =
      attn_tokenizer_peek_piece (attn_model_peek_tokenizer (run->subject.model), id);
  return piece != NULL ? piece : "";
}

static void
append_key (GString *json, const char *key, double value)
{
  g_string_append_printf (json, ",\"%s\":", key);
  cli_append_number (json, value);
}

static void
append_token (GString *json, const Run *run, int32_t id)
{
  g_string_append (json, "\"token\":");
  cli_append_string (json, peek_piece (run, id));
  g_string_append_printf (json, ",\"id\":%d", id);
}

/* The best of one token's logits. */
static void
append_top (GString *json, const Run *run, const float *logits, size_t n_top)
{
  const size_t V = attn_model_peek_config (run->subject.model)->vocab_size;
  const size_t n = MIN (n_top, V);
  g_autofree AttnAttended *top = g_new (AttnAttended, n);
  double sum = 0;
  attn_top_attended (logits, V, top, n);
  for (size_t i = 0; i < V; i++)
    sum += exp ((double)logits[i] - (double)top[0].value);
  for (size_t i = 0; i < n; i++) {
    g_string_append (json, i > 0 ? ",{" : "{");
    append_token (json, run, (int32_t)top[i].key);
    append_key (json, "logit", (double)top[i].value);
    append_key (json, "p", exp ((double)top[i].value - (double)top[0].value) / sum);
    g_string_append_c (json, '}');
  }
}

static GArray *
read_positions (const CliOptions *options, GError **error)
{
  g_autoptr (GArray) positions = g_array_new (FALSE, FALSE, sizeof (size_t));
  g_auto (GStrv) parts = g_strsplit (options->logits, ",", -1);
  for (char **part = parts; *part != NULL; part++) {
    guint64 number = 0;
    if (!g_ascii_string_to_unsigned (*part, 10, 0, G_MAXUINT32, &number, NULL)) {
      cli_usage_value (error, "--logits", options->logits,
                       "wanted are tokens' numbers from 0, as 2,6,13");
      return NULL;
    }
    const size_t position = (size_t)number;
    g_array_append_val (positions, position);
  }
  return g_steal_pointer (&positions);
}

/* What the LM head says of the states that enter each layer, and of those that come out. */
static bool
append_logits (GString *json, const Run *run, const CliOptions *options, GError **error)
{
  const AttnConfig *config = attn_model_peek_config (run->subject.model);
  g_autoptr (GArray) asked = read_positions (options, error);
  if (asked == NULL)
    return false;
  const size_t V = config->vocab_size, n = asked->len;
  const size_t *positions = (const size_t *)(void *)asked->data;
  g_autofree float *logits = g_try_new (float, n *V);
  if (logits == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "no memory for %zu × %zu logits", n, V);
    return false;
  }
  g_string_append (json, "{\"logits\":[");
  for (size_t layer = 0; layer <= config->n_layers; layer++) {
    if (!attn_hidden_compute_logits (run->trace, layer, positions, n, logits, run->subject.pool,
                                     error))
      return false;
    g_string_append_printf (json, "%s{\"layers\":%zu,\"positions\":[", layer > 0 ? "," : "", layer);
    for (size_t i = 0; i < n; i++) {
      g_string_append_printf (json, "%s{\"position\":%zu,\"top\":[", i > 0 ? "," : "",
                              positions[i]);
      append_top (json, run, logits + i * V, options->top > 0 ? options->top : DEFAULT_TOP);
      g_string_append (json, "]}");
    }
    g_string_append (json, "]}");
  }
  g_string_append (json, "]}\n");
  return true;
}

/* Whose logit: what --guess names, what a mask took the place of, or the best guess. */
static bool
find_token (const Run *run, const CliOptions *options, int32_t *id, GError **error)
{
  AttnTokenizer *tokenizer = attn_model_peek_tokenizer (run->subject.model);
  const GArray *masked = run->subject.masked;
  const size_t position = options->contributions;
  if (options->guess != NULL) {
    *id = attn_tokenizer_find_id (tokenizer, options->guess);
    return *id >= 0 || cli_usage_value (error, "--guess", options->guess,
                                        "wanted is a token as the vocabulary writes it");
  }
  for (guint i = 0; masked != NULL && i < masked->len; i++)
    if (g_array_index (masked, size_t, i) == position) {
      g_autoptr (AttnTokens) tokens =
          cli_encode (tokenizer, g_ptr_array_index (run->texts, 0), run->subject.max_tokens, error);
      if (tokens != NULL)
        *id = attn_tokens_peek (tokens, position)->id;
      return tokens != NULL;
    }
  const AttnConfig *config = attn_model_peek_config (run->subject.model);
  g_autofree float *logits = g_new (float, config->vocab_size);
  AttnAttended best;
  if (!attn_hidden_compute_logits (run->trace, config->n_layers, &position, 1, logits,
                                   run->subject.pool, error))
    return false;
  attn_top_attended (logits, config->vocab_size, &best, 1);
  *id = (int32_t)best.key;
  return true;
}

static bool
append_contributions (GString *json, const Run *run, const CliOptions *options, GError **error)
{
  int32_t id;
  if (!find_token (run, options, &id, error))
    return false;
  g_autoptr (AttnContributions) found =
      attn_contributions_new (run->trace, options->contributions, id, run->subject.pool, error);
  if (found == NULL)
    return false;
  g_string_append_printf (json, "{\"position\":%zu,", found->position);
  append_token (json, run, id);
  append_key (json, "logit", found->logit);
  append_key (json, "embedding", found->embedding);
  append_key (json, "rest", found->rest);
  g_string_append (json, ",\"heads\":[");
  for (size_t i = 0; i < found->n_layers * found->n_heads; i++) {
    g_string_append_printf (json, "%s{\"layer\":%zu,\"head\":%zu", i > 0 ? "," : "",
                            i / found->n_heads + 1, i % found->n_heads + 1);
    append_key (json, "contribution", found->heads[i]);
    g_string_append_c (json, '}');
  }
  g_string_append (json, "],\"feed_forward\":[");
  for (size_t layer = 0; layer < found->n_layers; layer++) {
    g_string_append_printf (json, "%s{\"layer\":%zu", layer > 0 ? "," : "", layer + 1);
    append_key (json, "contribution", found->feed_forward[layer]);
    g_string_append_c (json, '}');
  }
  g_string_append (json, "]}\n");
  return true;
}

static bool
append_trajectories (GString *json, const Run *run, GError **error)
{
  const size_t L = attn_model_peek_config (run->subject.model)->n_layers;
  const size_t T = attn_trace_get_n_tokens (run->trace);
  g_autofree double *places = g_new (double, 2 * (L + 1) * T);
  double shares[2];
  if (!attn_hidden_compute_places (run->trace, places, shares, error))
    return false;
  g_string_append (json, "{\"tokens\":[");
  for (size_t t = 0; t < T; t++) {
    g_string_append (json, t > 0 ? "," : "");
    cli_append_string (json, peek_piece (run, attn_trace_peek_ids (run->trace)[t]));
  }
  g_string_append (json, "],\"shares\":[");
  cli_append_number (json, shares[0]);
  g_string_append_c (json, ',');
  cli_append_number (json, shares[1]);
  g_string_append (json, "],\"states\":[");
  for (size_t layer = 0; layer <= L; layer++) {
    g_string_append_printf (json, "%s{\"layers\":%zu,\"places\":[", layer > 0 ? "," : "", layer);
    for (size_t t = 0; t < T; t++) {
      g_string_append (json, t > 0 ? ",[" : "[");
      cli_append_number (json, places[2 * (layer * T + t)]);
      g_string_append_c (json, ',');
      cli_append_number (json, places[2 * (layer * T + t) + 1]);
      g_string_append_c (json, ']');
    }
    g_string_append (json, "]}");
  }
  g_string_append (json, "]}\n");
  return true;
}

static bool
append_mixing (GString *json, const Run *run, GError **error)
{
  static const char *const names[] = {"residual", "residual_layernorm"};
  const size_t L = attn_model_peek_config (run->subject.model)->n_layers;
  const size_t T = attn_trace_get_n_tokens (run->trace);
  g_autofree double *ratios = g_new (double, T);
  g_string_append (json, "{\"mixing\":[");
  for (size_t layer = 0; layer < L; layer++) {
    g_string_append_printf (json, "%s{\"layer\":%zu", layer > 0 ? "," : "", layer + 1);
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
      if (!attn_lens_compute_mixing (run->trace, layer, i == 1, ratios, error))
        return false;
      g_string_append_printf (json, ",\"%s\":[", names[i]);
      for (size_t t = 0; t < T; t++) {
        g_string_append (json, t > 0 ? "," : "");
        cli_append_number (json, ratios[t]);
      }
      g_string_append_c (json, ']');
    }
    g_string_append_c (json, '}');
  }
  g_string_append (json, "]}\n");
  return true;
}

/* Where each head parks its weight. */
static bool
append_head_sinks (GString *json, const Run *run, GError **error)
{
  const AttnConfig *config = attn_model_peek_config (run->subject.model);
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (run->trace);
  g_string_append (json, "{\"sinks\":[");
  for (size_t i = 0; i < config->n_layers * config->n_heads; i++) {
    AttnSink sink;
    g_autoptr (AttnMap) map =
        attn_maps_dup_map (maps, i / config->n_heads, i % config->n_heads, error);
    if (map == NULL || !attn_map_find_sink (map, &sink, error))
      return false;
    g_string_append_printf (json, "%s{\"layer\":%zu,\"head\":%zu,\"key\":%zu,", i > 0 ? "," : "",
                            map->layer + 1, map->head + 1, sink.key);
    append_token (json, run, attn_trace_peek_ids (run->trace)[sink.key]);
    append_key (json, "mass", sink.mass);
    append_key (json, "moved", sink.moved);
    g_string_append_printf (json, ",\"sink\":%s,\"no_op\":%s}", sink.is_sink ? "true" : "false",
                            sink.is_no_op ? "true" : "false");
  }
  g_string_append (json, "]}\n");
  return true;
}

static int
count_asked (const CliOptions *options)
{
  return (options->logits != NULL) + (options->contributions != G_MAXSIZE) + options->trajectories +
         options->mixing + options->sinks;
}

bool
cli_hidden_is_asked (const CliOptions *options)
{
  return count_asked (options) > 0;
}

bool
cli_hidden (const CliOptions *options, GError **error)
{
  if (count_asked (options) > 1)
    return cli_usage (
        error, "--logits, --contributions, --trajectories, --sinks and --mixing exclude each "
               "other");
  g_auto (Run) run = {0};
  if (!run_init (&run, options, error))
    return false;
  g_autoptr (GString) json = g_string_new (NULL);
  const bool done = options->logits != NULL ? append_logits (json, &run, options, error)
                    : options->contributions != G_MAXSIZE
                        ? append_contributions (json, &run, options, error)
                    : options->sinks        ? append_head_sinks (json, &run, error)
                    : options->trajectories ? append_trajectories (json, &run, error)
                                            : append_mixing (json, &run, error);
  return done && cli_answer (options, json, error);
}
