/* SPDX-License-Identifier: MIT */
/* From a file's path to its maps, with the tokens that stand beside it. */
#include "hs-attention.h"
#include "hs-kept-tokens.h"
#include "hs-told.h"
#include "hs-work.h"

#include "attn/error.h"

#include <glib/gi18n.h>

#include <string.h>

static void
wish_free (gpointer data)
{
  HsAttentionWish *wish = data;

  hs_attention_place_clear (&wish->place);
  g_free (wish->token_list);
  g_free (wish->key_list);
  g_clear_pointer (&wish->known, hs_attention_unref);
  g_clear_pointer (&wish->others, attn_labels_unref);
  g_free (wish);
}

static AttnArrays *
provide_arrays (const HsAttentionWish *wish, HsReport *report, GError **error)
{
  const AttnArraysOptions options = {.array = wish->place.array,
                                     .takes_first = wish->looks,
                                     .progress = hs_report_tell,
                                     .progress_data = report};

  if (wish->known != NULL)
    return attn_arrays_ref (wish->known->arrays);
  hs_report_begin_rest (report);
  return attn_arrays_load (wish->place.path, &options, error);
}

static bool
fit (AttnLabels *labels, AttnArrays *arrays)
{
  static const AttnSide sides[] = {ATTN_SIDE_QUERY, ATTN_SIDE_KEY};

  for (size_t i = 0; i < G_N_ELEMENTS (sides); i++)
    if (attn_labels_get_n (labels, sides[i]) != attn_arrays_get_n (arrays, sides[i]))
      return false;
  return true;
}

/* What was found on the way to an attention. */
typedef struct {
  AttnLabels *labels; /* nullable */
  char *path;         /* (nullable): of the file they are from */
  char *note;         /* nullable */
} Tokens;

static void
tokens_clear (Tokens *tokens)
{
  g_clear_pointer (&tokens->labels, attn_labels_unref);
  g_free (tokens->path);
  g_free (tokens->note);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Tokens, tokens_clear)

static char *
dup_misfit (const char *name, AttnLabels *labels)
{
  const gulong n_queries = attn_labels_get_n (labels, ATTN_SIDE_QUERY);
  const gulong n_keys = attn_labels_get_n (labels, ATTN_SIDE_KEY);

  if (attn_labels_is_one_list (labels))
    return g_strdup_printf (ngettext ("%s was left out: it has %lu name",
                                      "%s was left out: it has %lu names", n_queries),
                            name, n_queries);
  return g_strdup_printf (_ ("%s was left out: it has names for %lu × %lu, queries × keys"), name,
                          n_queries, n_keys);
}

/* Returns: whether they can be used; else a note says why not. */
static bool
try_tokens (Tokens *tokens, const char *path, AttnArrays *arrays)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnLabels) labels = attn_labels_load (path, &error);
  g_autofree char *name = g_filename_display_basename (path);

  if (labels != NULL && fit (labels, arrays)) {
    tokens->labels = g_steal_pointer (&labels);
    tokens->path = g_strdup (path);
    return true;
  }
  g_free (tokens->note);
  if (labels == NULL) {
    g_autofree char *told = hs_told_dup (error->message);

    tokens->note = g_strdup_printf (_ ("%s was left out: %s"), name, told);
  } else
    tokens->note = dup_misfit (name, labels);
  return false;
}

/* Returns: whether they can be used. */
static bool
try_beside (Tokens *tokens, const char *folder, const char *name, AttnArrays *arrays)
{
  g_autofree char *beside = g_build_filename (folder, name, NULL);

  return g_file_test (beside, G_FILE_TEST_IS_REGULAR) && try_tokens (tokens, beside, arrays);
}

/* By the names that people give them: what is called like the file comes first. */
static void
look_beside (Tokens *tokens, const char *path, AttnArrays *arrays)
{
  static const char *const endings[] = {".json", ".tokens.json", ".txt", ".tokens.txt"};
  static const char *const others[] = {"tokens.json", "tokens.txt"};
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *base = g_path_get_basename (path);
  char *ending = strrchr (base, '.');

  if (ending != NULL && ending > base)
    *ending = '\0';
  for (size_t i = 0; i < G_N_ELEMENTS (endings); i++) {
    g_autofree char *name = g_strconcat (base, endings[i], NULL);

    if (try_beside (tokens, folder, name, arrays))
      return;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (others); i++)
    if (try_beside (tokens, folder, others[i], arrays))
      return;
}

/* Listed tokens are kept in a file as typed ones are, so that a command can name them. */
static bool
take_list (Tokens *tokens, const HsAttentionWish *wish, GError **error)
{
  tokens->labels = attn_labels_new_typed (wish->token_list, wish->key_list, error);
  if (tokens->labels == NULL)
    return false;
  tokens->path = hs_kept_tokens_save (tokens->labels, error);
  return tokens->path != NULL;
}

/* Returns: false with @error where the tokens that were named cannot be had. */
static bool
find_tokens (Tokens *tokens, const HsAttentionWish *wish, AttnArrays *arrays, GError **error)
{
  if (wish->place.tokens != NULL && wish->forgives)
    try_tokens (tokens, wish->place.tokens, arrays);
  else if (wish->place.tokens != NULL) {
    tokens->labels = attn_labels_load (wish->place.tokens, error);
    return tokens->labels != NULL;
  }
  if (wish->token_list != NULL)
    return take_list (tokens, wish, error);
  if (attn_arrays_peek_labels (arrays) != NULL)
    return true;
  if (wish->looks)
    look_beside (tokens, wish->place.path, arrays);
  if (tokens->labels == NULL && wish->others != NULL && fit (wish->others, arrays))
    tokens->labels = attn_labels_ref (wish->others);
  return true;
}

/* @note: (nullable): one more */
static char **
dup_warnings (AttnArrays *arrays, const char *note)
{
  const size_t n = attn_arrays_get_n_warnings (arrays);
  char **warnings = g_new0 (char *, n + 2);

  for (size_t i = 0; i < n; i++)
    warnings[i] = g_strdup (attn_arrays_peek_warning (arrays, i));
  warnings[n] = g_strdup (note);
  return warnings;
}

/* Of several arrays the one that was taken is named from now on, and the person is asked. */
static void
name_array (HsAttention *attention, const HsAttentionWish *wish)
{
  AttnArrays *arrays = attention->arrays;

  if (wish->place.array != NULL || attn_arrays_get_n_choices (arrays) == 0)
    return;
  attention->took_first = wish->known == NULL;
  attention->place.array =
      g_strdup (attn_arrays_peek_choice (arrays, attn_arrays_get_chosen (arrays)));
}

/* A file that only this computer has is no place for others to look at. */
static void
list_typed (HsAttention *attention)
{
  AttnLabels *labels = attn_maps_peek_labels (attention->maps);

  if (attention->place.tokens == NULL || !hs_kept_tokens_is_kept (attention->place.tokens))
    return;
  attention->token_list = attn_labels_dup_typed (labels, ATTN_SIDE_QUERY);
  if (!attn_labels_is_one_list (labels))
    attention->key_list = attn_labels_dup_typed (labels, ATTN_SIDE_KEY);
}

static gpointer
load_in_thread (gpointer data, HsReport *report, GError **error)
{
  const HsAttentionWish *wish = data;
  g_autoptr (AttnArrays) arrays = provide_arrays (wish, report, error);
  g_auto (Tokens) tokens = {0};
  g_autoptr (AttnMaps) maps = NULL;
  HsAttention *attention;

  if (arrays == NULL || !find_tokens (&tokens, wish, arrays, error))
    return NULL;
  maps = attn_maps_new_from_arrays (arrays, tokens.labels, error);
  if (maps == NULL)
    return NULL;
  attention = hs_attention_new (maps, &wish->place);
  g_free (attention->name);
  attention->name = g_strdup (attn_arrays_peek_name (arrays));
  attention->was_opened = wish->looks;
  name_array (attention, wish);
  attention->note = tokens.path == NULL ? g_steal_pointer (&tokens.note) : NULL;
  g_strfreev (attention->warnings);
  attention->warnings = dup_warnings (arrays, wish->forgives ? attention->note : NULL);
  if (attention->note != NULL)
    g_clear_pointer (&attention->place.tokens, g_free);
  if (tokens.path != NULL) {
    attention->found_tokens = wish->token_list == NULL && wish->place.tokens == NULL;
    g_free (attention->place.tokens);
    attention->place.tokens = g_steal_pointer (&tokens.path);
  }
  list_typed (attention);
  return attention;
}

static void
unref_attention (gpointer attention)
{
  hs_attention_unref (attention);
}

void
hs_attention_load_async (const HsAttentionWish *wish,
                         GCancellable *cancellable,
                         HsReportFunc progress,
                         gpointer progress_data,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  static const HsWorkClass klass = {load_in_thread, wish_free, unref_attention};
  HsAttentionWish *own = g_new0 (HsAttentionWish, 1);

  hs_attention_place_set (&own->place, &wish->place);
  own->token_list = g_strdup (wish->token_list);
  own->key_list = g_strdup (wish->key_list);
  own->looks = wish->looks;
  own->forgives = wish->forgives;
  own->known = wish->known != NULL ? hs_attention_ref (wish->known) : NULL;
  own->others = wish->others != NULL ? attn_labels_ref (wish->others) : NULL;
  hs_work_start (&klass, own, cancellable, progress, progress_data, callback, user_data);
}

HsAttention *
hs_attention_load_finish (GAsyncResult *result, GError **error)
{
  return hs_work_finish (result, error);
}
