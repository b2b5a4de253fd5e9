/* SPDX-License-Identifier: MIT */
/* Sentences for error codes. */
#include "hs-errors.h"

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

/* The code is the same whether a file cannot be read or there is none. */
static const char *
peek_io_sentence (const GError *error)
{
  if (strstr (error->message, ": no such folder") != NULL)
    return _ ("No model is called so");
  return _ ("A file or folder could not be read or written.");
}

const char *
hs_error_peek_sentence (const GError *error)
{
  if (error->domain != ATTN_ERROR)
    return _ ("Something went wrong.");
  switch ((AttnError)error->code) {
  case ATTN_ERROR_IO:
    return peek_io_sentence (error);
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

bool
hs_error_is_of_arrangement (const GError *error, const AttnArrangement *arrangement)
{
  return !attn_arrangement_is_plain (arrangement) &&
         (g_error_matches (error, ATTN_ERROR, ATTN_ERROR_SHAPE) ||
          g_error_matches (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE));
}
