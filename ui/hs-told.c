/* SPDX-License-Identifier: MIT */
/* The libraries tell in English what is wrong; here their sentences are said in the
 * window's language. */
#include "hs-told.h"

#include "hs-told-table.h"

#include <glib/gi18n.h>

#include <stdbool.h>
#include <string.h>

#define MAX_DEPTH 4   /* sentences inside sentences */
#define MAX_PART 1000 /* bytes of what stands in a hole, for it to be looked at: more is a name */
#define MAX_NAMES 4   /* what stands before ": " in a sentence */
#define JOINT 2       /* letters of "%s; %s": no reason to touch what is not known besides */

typedef struct {
  char *text;    /* (nullable): owned */
  gsize n_known; /* how many letters of the message are the table's */
} Said;

static Said tell (const char *message, HsToldFunc translate, guint depth);

/* Whether @message can be @format, at a glance. */
static bool
has_ends (const char *format, const char *message)
{
  const char *first = strstr (format, "%s"), *last = g_strrstr (format, "%s");

  if (first == NULL)
    return g_str_equal (format, message);
  return strncmp (format, message, (size_t)(first - format)) == 0 &&
         g_str_has_suffix (message, last + strlen ("%s"));
}

/* Returns: (nullable): what stands in @message where @format has %s. Each takes as little as it
 * can, the last one all that is left. */
static GStrv
match (const char *format, const char *message)
{
  if (!has_ends (format, message))
    return NULL;
  g_auto (GStrv) parts = g_strsplit (format, "%s", -1);
  g_autoptr (GStrvBuilder) holes = g_strv_builder_new ();
  const char *at = message + strlen (parts[0]);

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

static bool
is_han (gunichar c)
{
  return g_unichar_get_script (c) == G_UNICODE_SCRIPT_HAN;
}

/* Chinese characters have a space to words in other letters, none between them. */
static void
append_hole (GString *filled, const char *hole)
{
  const char *space = g_utf8_find_prev_char (filled->str, filled->str + filled->len);
  const char *before = space != NULL ? g_utf8_find_prev_char (filled->str, space) : NULL;

  if (before != NULL && *space == ' ' && is_han (g_utf8_get_char (before)) &&
      is_han (g_utf8_get_char (hole)))
    g_string_truncate (filled, filled->len - 1);
  g_string_append (filled, hole);
}

/* Whether @rest of a format goes on with the space that Chinese does not have after @filled. */
static bool
is_idle_space (const GString *filled, const char *rest)
{
  const char *last = g_utf8_find_prev_char (filled->str, filled->str + filled->len);

  return *rest == ' ' && last != NULL && is_han (g_utf8_get_char (last)) &&
         is_han (g_utf8_get_char (rest + 1));
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
      append_hole (filled, holes[index]);
      n_plain += is_plain;
      format += is_numbered ? 4 : 2;
      format += is_idle_space (filled, format);
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

/* Of holes with nothing between them the first has taken nothing, and the other all. It keeps what
 * is a sentence of its own at the end: " and more". */
static void
share_out (const char *sentence, char **holes)
{
  g_auto (GStrv) parts = g_strsplit (sentence, "%s", -1);

  for (guint i = 0; holes[i] != NULL && holes[i + 1] != NULL; i++) {
    const char *end = holes[i + 1];

    if (*parts[i + 1] != '\0' || *holes[i] != '\0')
      continue;
    for (; *end != '\0'; end++) {
      g_auto (GStrv) inside = NULL;

      if (strchr (" ;,:", *end) != NULL && find (end, false, &inside) != NULL)
        break;
    }
    g_free (holes[i]);
    holes[i] = g_strndup (holes[i + 1], (gsize)(end - holes[i + 1]));
    memmove (holes[i + 1], end, strlen (end) + 1);
  }
}

/* @message in other words, if it is a sentence of the table that begins with a hole, or one that
 * does not. */
static Said
say (const char *message, bool with_hole, HsToldFunc translate, guint depth)
{
  g_auto (GStrv) holes = NULL;
  const char *sentence = find (message, with_hole, &holes);
  Said said = {NULL, 0};

  if (sentence == NULL)
    return said;
  share_out (sentence, holes);
  said.n_known = strlen (sentence) - g_strv_length (holes) * strlen ("%s");
  for (guint h = 0; holes[h] != NULL; h++) {
    const Said inside = tell (holes[h], translate, depth + 1);

    g_free (holes[h]);
    holes[h] = inside.text;
    said.n_known += inside.n_known;
  }
  said.text = fill (translate (sentence), holes);
  return said;
}

/* A name stays, if it is not what the table has for none. */
static void
append_name (GString *names, const char *name, gsize n_bytes, HsToldFunc translate)
{
  g_autofree char *copy = g_strndup (name, n_bytes);
  g_auto (GStrv) holes = NULL;
  const char *sentence = strchr (copy, ' ') != NULL ? find (copy, false, &holes) : NULL;

  g_string_append (names, sentence != NULL && holes[0] == NULL ? translate (sentence) : copy);
  g_string_append (names, ": ");
}

/* Keeps the one of two that knows more. */
static void
keep_better (Said *best, const char *names, Said said)
{
  if (said.text != NULL && said.n_known > MAX (best->n_known, JOINT)) {
    g_free (best->text);
    best->text = g_strconcat (names, said.text, NULL);
    best->n_known = said.n_known;
  }
  g_free (said.text);
}

/* The whole of @message, or what follows the names in it, which may hold ": " themselves. What
 * begins with a hole would take in the names, so the whole of that goes last. */
static Said
tell (const char *message, HsToldFunc translate, guint depth)
{
  g_autoptr (GString) names = g_string_new (NULL);
  const bool may_be_known = depth < MAX_DEPTH && (depth == 0 || strlen (message) <= MAX_PART) &&
                            strpbrk (message, G_CSET_a_2_z G_CSET_A_2_Z) != NULL;
  const char *rest = may_be_known ? message : NULL;
  Said best = {NULL, 0};

  for (guint i = 0; rest != NULL && i <= MAX_NAMES; i++) {
    const char *end = strstr (rest, ": ");

    keep_better (&best, names->str, say (rest, false, translate, depth));
    if (i > 0)
      keep_better (&best, names->str, say (rest, true, translate, depth));
    if (end != NULL)
      append_name (names, rest, (gsize)(end - rest), translate);
    rest = end != NULL ? end + strlen (": ") : NULL;
  }
  if (may_be_known)
    keep_better (&best, "", say (message, true, translate, depth));
  if (best.text == NULL)
    best.text = g_strdup (message);
  return best;
}

char *
hs_told_dup_with (const char *message, HsToldFunc translate)
{
  return tell (message, translate, 0).text;
}

static const char *
translate (const char *sentence)
{
  return _ (sentence);
}

char *
hs_told_dup (const char *message)
{
  return message != NULL ? hs_told_dup_with (message, translate) : NULL;
}

/* A word before ": " is the name of a file or of a model, and a name is not changed. */
char *
hs_told_dup_sentence (const char *message)
{
  char *told = hs_told_dup (message);
  const size_t n = told != NULL ? strspn (told, "abcdefghijklmnopqrstuvwxyz") : 0;

  if (n > 0 && (told[n] == ' ' || told[n] == ','))
    told[0] = g_ascii_toupper (told[0]);
  return told;
}
