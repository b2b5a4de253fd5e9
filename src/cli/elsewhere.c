/* SPDX-License-Identifier: MIT */
/* Reading attention of another program, with a sentence for what does not go together. */
#include "elsewhere.h"

#include "cli.h"

#include "attn/quote.h"

#include <string.h>

/* The options of one side, and what they are called. */
typedef struct {
  const char *attention, *array, *tokens, *token_list, *key_list;
  const char *suffix;
  bool forgives;
  const char *session; /* nullable: path of the one that the file is of */
} Side;

static Side
get_side (const CliOptions *options, bool of_b)
{
  if (of_b)
    return (Side){options->attention_b,       options->array_b,
                  options->tokens_b,          options->token_list_b,
                  options->key_list_b,        "-b",
                  options->forgives_tokens_b, options->fits_arrays[1] ? options->session : NULL};
  return (Side){options->attention,       options->array,
                options->tokens,          options->token_list,
                options->key_list,        "",
                options->forgives_tokens, options->fits_arrays[0] ? options->session : NULL};
}

static bool
check_side (const Side *side, GError **error)
{
  const char *alone = side->array != NULL        ? "array"
                      : side->tokens != NULL     ? "tokens"
                      : side->token_list != NULL ? "token-list"
                      : side->key_list != NULL   ? "key-list"
                                                 : NULL;
  if (side->attention == NULL && alone != NULL)
    return cli_usage (error, "--%s%s goes with --attention%s", alone, side->suffix, side->suffix);
  if (side->tokens != NULL && (side->token_list != NULL || side->key_list != NULL))
    return cli_usage (error, "--tokens%s and --%s%s exclude each other", side->suffix,
                      side->token_list != NULL ? "token-list" : "key-list", side->suffix);
  if (side->key_list != NULL && side->token_list == NULL)
    return cli_usage (error, "--key-list%s goes with --token-list%s", side->suffix, side->suffix);
  return true;
}

bool
cli_arrays_check (const CliOptions *options, GError **error)
{
  const struct {
    const char *name, *value;
  } of_models[] = {{"--model", options->model}, {"--text", options->text},
                   {"--file", options->file},   {"--pair", options->pair},
                   {"--batch", options->batch}, {"--with", options->with}};
  Side a = get_side (options, false), b = get_side (options, true);
  if (!check_side (&a, error) || !check_side (&b, error))
    return false;
  for (size_t i = 0; i < G_N_ELEMENTS (of_models) && a.attention != NULL; i++)
    if (of_models[i].value != NULL)
      return cli_usage (error,
                        "--attention and %s exclude each other: a file of attention has no "
                        "model and no text",
                        of_models[i].name);
  bool characters = g_strcmp0 (options->unit, "characters") == 0;
  bool part = options->part != NULL && !g_str_equal (options->part, "all");
  if (a.attention != NULL && (characters || part))
    return cli_usage (error,
                      "--attention and %s %s exclude each other: a file of attention does not "
                      "tell where its tokens lie in a text",
                      characters ? "--unit" : "--part", characters ? options->unit : options->part);
  if (a.attention != NULL && options->max_tokens > 0)
    return cli_usage (error, "--attention and --max-tokens exclude each other");
  if (b.attention != NULL && (options->model_b != NULL || options->text_b != NULL))
    return cli_usage (error, "--attention-b and %s exclude each other",
                      options->model_b != NULL ? "--model-b" : "--text-b");
  return true;
}

bool
cli_arrays_refuse (const CliOptions *options, const char *why, GError **error)
{
  return options->attention == NULL ||
         cli_usage (error,
                    "--attention is of no use here: %s needs a model, and a file of "
                    "attention has none",
                    why);
}

static bool
fits (const AttnArrays *arrays, const AttnLabels *labels)
{
  return attn_labels_get_n (labels, ATTN_SIDE_QUERY) ==
             attn_arrays_get_n (arrays, ATTN_SIDE_QUERY) &&
         attn_labels_get_n (labels, ATTN_SIDE_KEY) == attn_arrays_get_n (arrays, ATTN_SIDE_KEY);
}

/* Those that were typed have none, so it is the session's field that is named. */
static char *
dup_tokens_name (const Side *side)
{
  return side->tokens != NULL ? g_filename_display_basename (side->tokens)
                              : g_strdup ("token_list");
}

/* Returns: false with @error; no labels where none were given, or where they are forgiven: then it
 * is said, as the window says it. */
static bool
load_labels (const Side *side, AttnLabels **labels, GError **error)
{
  g_autoptr (GError) fault = NULL;
  *labels = NULL;
  if (side->tokens == NULL && side->token_list == NULL)
    return true;
  *labels = side->tokens != NULL ? attn_labels_load (side->tokens, &fault)
                                 : attn_labels_new_typed (side->token_list, side->key_list, &fault);
  if (*labels != NULL)
    return true;
  if (!side->forgives) {
    g_propagate_error (error, g_steal_pointer (&fault));
    return false;
  }
  g_autofree char *name = dup_tokens_name (side);
  cli_warn ("warning: %s was left out: %s", name, fault->message);
  return true;
}

/* Those of a session are left out where the file has other rows and columns now. */
static void
leave_out_misfit (const Side *side, const AttnArrays *arrays, AttnLabels **labels)
{
  if (*labels == NULL || !side->forgives || fits (arrays, *labels))
    return;
  g_autofree char *name = dup_tokens_name (side);
  size_t n_queries = attn_labels_get_n (*labels, ATTN_SIDE_QUERY);
  if (attn_labels_is_one_list (*labels))
    cli_warn ("warning: %s was left out: it has %zu name%s", name, n_queries,
              n_queries == 1 ? "" : "s");
  else
    cli_warn ("warning: %s was left out: it has names for %zu × %zu, queries × keys", name,
              n_queries, attn_labels_get_n (*labels, ATTN_SIDE_KEY));
  g_clear_pointer (labels, attn_labels_unref);
}

/* The file's own tokens, A's, or numbers. */
static AttnLabels *
find_labels (const AttnArrays *arrays, AttnLabels *others)
{
  AttnLabels *own = attn_arrays_peek_labels (arrays);
  if (own != NULL)
    return attn_labels_ref (own);
  if (others != NULL && fits (arrays, others))
    return attn_labels_ref (others);
  cli_warn ("note: %s comes without tokens, so queries and keys are numbers; give tokens by "
            "--tokens or --token-list",
            attn_arrays_peek_name (arrays));
  return attn_labels_new_numbers (attn_arrays_get_n (arrays, ATTN_SIDE_QUERY),
                                  attn_arrays_get_n (arrays, ATTN_SIDE_KEY));
}

/* A file that has moved since is the usual trouble with sessions, so the message says what to do.
 */
static void
add_advice (const Side *side, GError *fault, GError **error)
{
  const char *key = *side->suffix == '\0' ? "a" : "b";
  g_autofree char *shown = attn_file_dup_shown (side->session, strlen (side->session));
  if (g_file_test (side->attention, G_FILE_TEST_EXISTS))
    g_propagate_prefixed_error (error, fault, "%s: %s: attention: ", shown, key);
  else {
    g_set_error (error, fault->domain, fault->code,
                 "%s: %s: attention: %s; say where it is now by --attention%s", shown, key,
                 fault->message, side->suffix);
    g_error_free (fault);
  }
}

AttnArrays *
cli_arrays_load (
    const CliOptions *options, bool of_b, AttnLabels *others, AttnLabels **labels, GError **error)
{
  Side side = get_side (options, of_b);
  AttnArraysOptions choice = {.array = side.array};
  g_autoptr (AttnLabels) given = NULL;
  if (!load_labels (&side, &given, error))
    return NULL;
  GError *fault = NULL;
  g_autoptr (AttnArrays) arrays = attn_arrays_load (side.attention, &choice, &fault);
  if (arrays == NULL && side.session != NULL)
    add_advice (&side, fault, error);
  else if (arrays == NULL)
    g_propagate_error (error, fault);
  if (arrays == NULL)
    return NULL;
  for (size_t i = 0; i < attn_arrays_get_n_warnings (arrays); i++)
    cli_warn ("warning: %s", attn_arrays_peek_warning (arrays, i));
  leave_out_misfit (&side, arrays, &given);
  *labels = given != NULL ? g_steal_pointer (&given) : find_labels (arrays, others);
  if (g_strcmp0 (options->unit, "words") == 0 && !attn_labels_has_marks (*labels))
    cli_warn ("note: no token of %s has a mark of words (##, Ġ or ▁ in front), so each is one",
              attn_arrays_peek_name (arrays));
  return g_steal_pointer (&arrays);
}
