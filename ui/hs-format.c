/* SPDX-License-Identifier: MIT */
/* Sentences and numbers the window says in several places. */
#include "hs-format.h"

#include "hs-build.h"

#include "attn-draw/label.h"
#include "attn/number.h"

#include <glib/gi18n.h>

#include <string.h>

#define VALUE_DECIMALS 4

const char *
hs_translate (const char *english, void *data G_GNUC_UNUSED)
{
  /* not by GLib, which decides once and for all whether there is anything to translate */
  return dgettext (HS_GETTEXT_DOMAIN, english);
}

char *
hs_format_count (size_t count)
{
  g_autofree char *digits = g_strdup_printf ("%zu", count);
  GString *grouped = g_string_new (NULL);
  size_t n = strlen (digits);
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && (n - i) % 3 == 0)
      g_string_append_c (grouped, ',');
    g_string_append_c (grouped, digits[i]);
  }
  return g_string_free (grouped, FALSE);
}

char *
hs_format_token (AttnMaps *maps, AttnSide side, size_t index)
{
  const char *label = attn_maps_peek_label (maps, side, index);
  g_autofree char *shown = attn_draw_visible_label (label);
  size_t n = attn_maps_get_n (maps, side);
  for (size_t other = 0; other < n; other++)
    if (other != index && strcmp (label, attn_maps_peek_label (maps, side, other)) == 0)
      return g_strdup_printf ("%s · %zu", shown, index);
  return g_steal_pointer (&shown);
}

static char *
format_value (const AttnMap *map, const HsCell *cell)
{
  size_t first = 0, end = 0;
  char number[ATTN_NUMBER_SIZE];
  attn_maps_get_visible (map->maps, map->layer, cell->query, &first, &end);
  g_autofree char *query = hs_format_token (map->maps, ATTN_SIDE_QUERY, cell->query);
  g_autofree char *key = hs_format_token (map->maps, ATTN_SIDE_KEY, cell->key);
  if (cell->key < first || cell->key >= end)
    return g_strdup_printf (_ ("query “%s” cannot see key “%s”"), query, key);
  float weight = map->weights[cell->query * map->n_keys + cell->key];
  return g_strdup_printf (_ ("query “%s” → key “%s”: %s"), query, key,
                          attn_number_format_fixed (number, (double)weight, VALUE_DECIMALS));
}

char *
hs_format_cell (const AttnMap *map, const HsCell *cell)
{
  if (map == NULL)
    return NULL;
  bool has_query = cell->query < map->n_queries;
  bool has_key = cell->key < map->n_keys;
  if (has_query && has_key)
    return format_value (map, cell);
  if (has_query) {
    g_autofree char *query = hs_format_token (map->maps, ATTN_SIDE_QUERY, cell->query);
    return g_strdup_printf (_ ("query “%s”: the row shows where it looks"), query);
  }
  if (has_key) {
    g_autofree char *key = hs_format_token (map->maps, ATTN_SIDE_KEY, cell->key);
    return g_strdup_printf (_ ("key “%s”: the column shows who looks at it"), key);
  }
  return NULL;
}
