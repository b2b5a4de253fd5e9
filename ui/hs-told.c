/* SPDX-License-Identifier: MIT */
/* The libraries tell in English what is wrong; here their sentences are said in the
 * window's language. */
#include "hs-told.h"

#include "hs-told-table.h"

#include <glib/gi18n.h>

#include <stdbool.h>
#include <string.h>

#define MAX_DEPTH 4 /* sentences inside sentences */
#define MAX_NAMES 4 /* what stands before ": " in a sentence */

/* Returns: (nullable): what stands in @message where @format has %s. Each takes as little as it
 * can, the last one all that is left. */
static GStrv
match (const char *format, const char *message)
{
  g_auto (GStrv) parts = g_strsplit (format, "%s", -1);
  g_autoptr (GStrvBuilder) holes = g_strv_builder_new ();
  const char *at = message + strlen (parts[0]);

  if (!g_str_has_prefix (message, parts[0]) || (parts[1] == NULL && *at != '\0'))
    return NULL;
  for (guint i = 1; parts[i] != NULL; i++) {
    const bool is_last = parts[i + 1] == NULL;
    const char *next = is_last && g_str_has_suffix (at, parts[i])
                           ? at + strlen (at) - strlen (parts[i])
                       : is_last ? NULL
                                 : strstr (at, parts[i]);
    g_autofree char *hole = next != NULL ? g_strndup (at, (gsize)(next - at)) : NULL;

    if (next == NULL)
      return NULL;
    g_strv_builder_add (holes, hole);
    at = next + strlen (parts[i]);
  }
  return g_strv_builder_end (holes);
}

/* @format: with %s in the order of @holes, or %1$s and so on. */
static char *
fill (const char *format, char **holes)
{
  GString *filled = g_string_new (NULL);
  const guint n_holes = g_strv_length (holes);
  guint n_plain = 0;

  while (*format != '\0') {
    const bool is_numbered =
        format[0] == '%' && g_ascii_isdigit (format[1]) && format[2] == '$' && format[3] == 's';
    const bool is_plain = format[0] == '%' && format[1] == 's';
    const guint index = is_numbered ? (guint)(format[1] - '1') : n_plain;

    if ((is_numbered || is_plain) && index < n_holes) {
      g_string_append (filled, holes[index]);
      n_plain += is_plain;
      format += is_numbered ? 4 : 2;
    } else {
      g_string_append_c (filled, *format++);
    }
  }
  return g_string_free (filled, FALSE);
}

/* Returns: (nullable): the sentence of the table that @message is, beginning with a hole or not: of
 * several the one with the most letters of its own. */
static const char *
find (const char *message, bool with_hole, GStrv *holes)
{
  const char *best = NULL;
  gsize most = 0;
  size_t n;
  const char *const *sentences = hs_told_table_peek (&n);

  for (size_t i = 0; i < n; i++) {
    g_auto (GStrv) found = NULL;

    if (g_str_has_prefix (sentences[i], "%s") == with_hole)
      found = match (sentences[i], message);
    if (found == NULL)
      continue;
    const gsize letters = strlen (sentences[i]) - g_strv_length (found) * strlen ("%s");
    if (best == NULL || letters > most) {
      best = sentences[i];
      most = letters;
      g_clear_pointer (holes, g_strfreev);
      *holes = g_steal_pointer (&found);
    }
  }
  return best;
}

/* Returns: (transfer full) (nullable): @message in other words, if it is a sentence of the table
 * that begins with a hole, or one that does not. */
static char *
say (const char *message, bool with_hole, HsToldFunc translate, guint depth)
{
  g_auto (GStrv) holes = NULL;
  const char *sentence = find (message, with_hole, &holes);

  if (sentence == NULL)
    return NULL;
  for (guint h = 0; holes[h] != NULL; h++) {
    char *inner = hs_told_dup_with (holes[h], translate, depth + 1);
    g_free (holes[h]);
    holes[h] = inner;
  }
  return fill (translate (sentence), holes);
}

/* The whole of @message, and what follows the names in it, which may hold ": " themselves. */
static char *
say_rest (const char *message, bool with_hole, HsToldFunc translate, guint depth)
{
  const char *rest = message;

  for (guint n = 0; rest != NULL && n <= MAX_NAMES; n++) {
    /* a hole would take in the name, so that goes last */
    g_autofree char *said = n > 0 || !with_hole ? say (rest, with_hole, translate, depth) : NULL;

    if (said != NULL)
      return g_strdup_printf ("%.*s%s", (int)(rest - message), message, said);
    rest = strstr (rest, ": ");
    rest = rest != NULL ? rest + strlen (": ") : NULL;
  }
  return with_hole ? say (message, with_hole, translate, depth) : NULL;
}

char *
hs_told_dup_with (const char *message, HsToldFunc translate, guint depth)
{
  char *said = NULL;

  if (depth < MAX_DEPTH && *message != '\0')
    said = say_rest (message, false, translate, depth);
  if (said == NULL && depth < MAX_DEPTH && *message != '\0')
    said = say_rest (message, true, translate, depth);
  return said != NULL ? said : g_strdup (message);
}

static const char *
translate (const char *sentence)
{
  return _ (sentence);
}

char *
hs_told_dup (const char *message)
{
  return message != NULL ? hs_told_dup_with (message, translate, 0) : NULL;
}
