/* SPDX-License-Identifier: MIT */
/* What is told of a head that parks its weight on one token. */
#include "hs-sink.h"

#include "hs-format.h"

#include "attn/sink.h"

#include <glib/gi18n.h>

#include <math.h>
#include <stdbool.h>

#define LEAST_KEYS 4   /* of fewer keys one has much of any head's weight */
#define MOST_KEYS 1024 /* of more the numbers would keep the window waiting */

static char *
dup_percent (double share)
{
  return g_strdup_printf ("%.0f %%", 100 * share);
}

/* What a head moves is computed of those alone that look at one key most. */
static bool
has_large_mean (const AttnMap *map)
{
  g_autofree double *means = g_new (double, map->n_keys);
  bool is_large = false;

  attn_map_compute_sink_means (map, means);
  for (size_t key = 0; key < map->n_keys; key++)
    is_large |= means[key] >= ATTN_SINK_MOSTLY;
  return is_large;
}

char *
hs_sink_dup (const AttnDrawView *view, const AttnMap *map)
{
  AttnSink sink;

  if (map == NULL || map->n_keys < LEAST_KEYS || map->n_keys > MOST_KEYS ||
      view->lens != ATTN_LENS_RAW || view->kind == ATTN_DRAW_COMPARE ||
      view->arrangement.combine != ATTN_COMBINE_NONE ||
      !attn_arrangement_is_plain (&view->arrangement) || !has_large_mean (map) ||
      !attn_map_find_sink (map, &sink, NULL) || !sink.is_sink)
    return NULL;
  g_autofree char *token = hs_format_token (map->maps, ATTN_SIDE_KEY, sink.key);
  g_autofree char *mass = dup_percent (sink.mass);
  g_autofree char *least = dup_percent (ATTN_SINK_MOSTLY);
  g_autofree char *moved = dup_percent (sink.moved);
  if (sink.is_no_op)
    return g_strdup_printf (_ ("Mostly a no-op: %s of its weight goes to “%s” (%s or more), but "
                               "only %s of what it moves comes from there (half of that or less)."),
                            mass, token, least, moved);
  if (isnan (sink.moved))
    return g_strdup_printf (_ ("Mostly a sink: %s of its weight goes to “%s” (%s or more)."), mass,
                            token, least);
  return g_strdup_printf (_ ("Mostly a sink: %s of its weight goes to “%s” (%s or more), and %s of "
                             "what it moves comes from there."),
                          mass, token, least, moved);
}
