/* SPDX-License-Identifier: MIT */
/* Sentences for error codes. */
#include "hs-errors.h"

#include "hs-told.h"

#include "attn/error.h"

#include <glib/gi18n.h>

#include <string.h>

#define FETCH "\"headscope-cli fetch "

/* The sentence of the library is for those who type commands; what they would type is what a window
 * needs to offer the same. */
char *
hs_error_dup_wanted_model (const GError *error)
{
  const char *fetch = strstr (error->message, FETCH);
  const char *name = fetch == NULL ? NULL : fetch + strlen (FETCH);
  const char *end = name == NULL ? NULL : strchr (name, '"');

  if (!g_error_matches (error, ATTN_ERROR, ATTN_ERROR_IO) || end == NULL || end == name)
    return NULL;
  return g_strndup (name, (gsize)(end - name));
}

/* The code is the same whether a file cannot be read, or a model is not there, or not whole.
 * @message: (nullable): a stop comes without one
 * Returns: (nullable): what is in the library's sentence says which. */
static const char *
peek_model_sentence (const char *message)
{
  static const struct {
    const char *part, *sentence;
  } known[] = {
      {" downloads what is not there", N_ ("Only a part of this model is here.")},
      {": found no config.json, wanted the one", N_ ("A file of this model is missing.")},
      {": found no weights, wanted one of", N_ ("A file of this model is missing.")},
      {": found weights in ", N_ ("A file of this model is missing.")},
      {": found neither tokenizer.json", N_ ("A file of this model is missing.")},
      {": no such folder; check whether it was moved", N_ ("There is no such folder.")},
      {": no such folder", N_ ("No model is called so")},
  };

  for (size_t i = 0; message != NULL && i < G_N_ELEMENTS (known); i++)
    if (strstr (message, known[i].part) != NULL)
      return _ (known[i].sentence);
  return NULL;
}

const char *
hs_error_peek_sentence (const GError *error)
{
  if (error->domain != ATTN_ERROR)
    return _ ("Something went wrong.");
  const char *of_model = peek_model_sentence (error->message);
  if (of_model != NULL)
    return of_model;
  switch ((AttnError)error->code) {
  case ATTN_ERROR_IO:
    return _ ("A file or folder could not be read or written.");
  case ATTN_ERROR_FORMAT:
    return _ ("A file is damaged or not of the expected kind.");
  case ATTN_ERROR_SHAPE:
    return _ ("The parts of this model do not fit together.");
  case ATTN_ERROR_UNSUPPORTED:
    return _ ("This version does not know this kind of model.");
  case ATTN_ERROR_TOO_LARGE:
    return _ ("This is too large for the memory or a limit.");
  case ATTN_ERROR_CANCELLED:
    return _ ("Stopped.");
  case ATTN_ERROR_INVALID_TEXT:
    return _ ("The text is not valid Unicode.");
  }
  return _ ("Something went wrong.");
}

char *
hs_error_dup_lines (const GError *error)
{
  g_autofree char *told = hs_told_dup (error->message);

  return g_strdup_printf ("%s\n%s", hs_error_peek_sentence (error), told);
}

bool
hs_error_is_of_arrangement (const GError *error, const AttnArrangement *arrangement)
{
  return !attn_arrangement_is_plain (arrangement) &&
         (g_error_matches (error, ATTN_ERROR, ATTN_ERROR_SHAPE) ||
          g_error_matches (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE));
}

bool
hs_error_is_of_view (const GError *error, const AttnDrawView *view)
{
  const bool of_lens =
      view->lens != ATTN_LENS_RAW && (g_error_matches (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED) ||
                                      g_error_matches (error, ATTN_ERROR, ATTN_ERROR_SHAPE) ||
                                      g_error_matches (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE));

  return of_lens || hs_error_is_of_arrangement (error, &view->arrangement);
}
