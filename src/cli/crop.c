/* SPDX-License-Identifier: MIT */
/* Reading --crop, with a sentence for everything that is wrong with it. */
#include "crop.h"

#include "options.h"

#include <string.h>

#define MAX_INDEX 1000000000
#define WANTED "wanted is ROWS,COLUMNS, each FIRST:END counted from 0, as in 12:40,0:29"

/* A number, or @missing for no character at all. */
static bool
read_number (const char *word, size_t length, size_t missing, size_t *number)
{
  g_autofree char *digits = g_strndup (word, length);
  guint64 parsed = 0;

  *number = missing;
  if (length == 0)
    return true;
  if (!g_ascii_string_to_unsigned (digits, 10, 0, MAX_INDEX, &parsed, NULL))
    return false;
  *number = (size_t)parsed;
  return true;
}

/* "12:40" of @n tokens as the first one and how many; all of them are 0 and 0. */
static bool
read_side (const char *option,
           const char *word,
           size_t length,
           size_t n,
           size_t *first,
           size_t *n_drawn,
           GError **error)
{
  const char *colon = memchr (word, ':', length);
  size_t end;

  if (colon == NULL || !read_number (word, (size_t)(colon - word), 0, first) ||
      !read_number (colon + 1, length - (size_t)(colon + 1 - word), G_MAXSIZE, &end))
    return cli_usage_value (error, "--crop", option, WANTED);
  if (*first >= end)
    return cli_usage_value (error, "--crop", option, "%zu:%zu leaves nothing to draw", *first, end);
  if (n > 0 && (*first >= n || (end != G_MAXSIZE && end > n)))
    return cli_usage_value (error, "--crop", option, "there are tokens 0:%zu to draw", n);
  *n_drawn = end == G_MAXSIZE ? (n > *first && *first > 0 ? n - *first : 0) : end - *first;
  return true;
}

bool
cli_crop_read (
    const char *word, size_t n_queries, size_t n_keys, AttnDrawCrop *crop, GError **error)
{
  if (word == NULL)
    return true;
  *crop = (AttnDrawCrop){0};
  const char *comma = strchr (word, ',');
  size_t length = comma != NULL ? (size_t)(comma - word) : strlen (word);
  const char *columns = comma != NULL ? comma + 1 : word;
  return read_side (word, word, length, n_queries, &crop->first_query, &crop->n_queries, error) &&
         read_side (word, columns, strlen (columns), n_keys, &crop->first_key, &crop->n_keys,
                    error);
}
