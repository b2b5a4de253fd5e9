/* SPDX-License-Identifier: MIT */
/* Choosing the weights that have a line. */
#include "links.h"

#include "head-colors.h"
#include "layout-private.h"
#include "panels-private.h"
#include "scale.h"

#include <math.h>

static size_t
count_heads (const AttnDrawView *view, AttnDrawPanels *panels)
{
  size_t n = 0;
  for (size_t panel = 0; panel < attn_draw_panels_get_n (panels); panel++)
    n += attn_draw_view_has_head (view, panels, panel);
  return n;
}

struct _AttnDrawSlot {
  AttnDrawCoder coder;
  float least; /* lesser weights are fainter than any line */
};

static void
slot_init (struct _AttnDrawSlot *slot, const AttnDrawLayout *layout, size_t panel)
{
  attn_draw_coder_init (&slot->coder, layout, panel);
  slot->least = slot->coder.least[ATTN_DRAW_LEAST_CODE];
  if (slot->coder.scale == ATTN_DRAW_SCALE_LINEAR) /* a little less; the code decides */
    slot->least = slot->coder.max * (ATTN_DRAW_LEAST_CODE - 0.51f) / 255;
}

AttnDrawLinks *
attn_draw_links_new (const AttnDrawLayout *layout)
{
  AttnDrawLinks *links = g_new0 (AttnDrawLinks, 1);
  const AttnDrawView *view = layout->view;
  AttnDrawPanels *panels = layout->panels;
  size_t n = count_heads (view, panels);

  links->panels = g_new (size_t, n);
  links->colors = g_new (uint32_t, n);
  links->slots = g_new (struct _AttnDrawSlot, n);
  links->is_signed = attn_draw_panels_is_signed (panels, 0);
  links->below = attn_draw_view_peek_diverging (view)[1];
  links->above = attn_draw_view_peek_diverging (view)[255];
  for (size_t panel = 0; panel < attn_draw_panels_get_n (panels); panel++) {
    if (!attn_draw_view_has_head (view, panels, panel))
      continue;
    links->panels[links->n_slots] = panel;
    links->colors[links->n_slots] =
        attn_draw_head_color (view->palette, attn_draw_panels_get_head (panels, panel));
    slot_init (&links->slots[links->n_slots], layout, panel);
    links->n_slots++;
  }
  AttnDrawFocus pinned = attn_draw_links_find_pinned (view, attn_draw_panels_peek_maps (panels));
  attn_draw_links_choose (links, layout, &pinned, &links->shown);
  return links;
}

void
attn_draw_links_free (AttnDrawLinks *links)
{
  if (links == NULL)
    return;
  g_array_unref (links->shown.links);
  g_free (links->panels);
  g_free (links->colors);
  g_free (links->slots);
  g_free (links);
}

AttnDrawFocus
attn_draw_links_find_pinned (const AttnDrawView *view, const AttnMaps *maps)
{
  AttnDrawFocus focus = {G_MAXSIZE, G_MAXSIZE, G_MAXSIZE};

  if (view->has_pin && view->pin_query < attn_maps_get_n (maps, ATTN_SIDE_QUERY))
    focus.query = view->pin_query;
  else if (view->has_pin && view->pin_key < attn_maps_get_n (maps, ATTN_SIDE_KEY))
    focus.key = view->pin_key;
  return focus;
}

/* What a line's opacity tells of. */
static float
get_size (const AttnDrawLinks *links, float weight)
{
  return links->is_signed ? fabsf (weight) : weight;
}

static unsigned
find_code (const struct _AttnDrawSlot *slot, float weight)
{
  if (slot->coder.is_signed)
    return attn_draw_color_index (fabsf (weight), slot->coder.max);
  return attn_draw_coder_code (&slot->coder, weight);
}

typedef void (*LinkFunc) (const AttnDrawLink *link, void *data);

/* One pass over weights. */
typedef struct {
  const AttnDrawLinks *links;
  AttnDrawPanels *panels;
  const AttnDrawFocus *focus;
  unsigned least; /* code */
  LinkFunc func;  /* is given every weight of that opacity or more */
  void *data;
  bool is_cut; /* out: as in AttnDrawLinkSet */
} Scan;

static void
scan_row (Scan *scan, size_t slot, size_t query)
{
  size_t panel = scan->links->panels[slot];
  const struct _AttnDrawSlot *own = &scan->links->slots[slot];
  const AttnDrawBlocks *blocks = attn_draw_panels_peek_blocks (scan->panels, panel);
  const float *row = blocks->weights + query * blocks->n_keys;
  size_t first = blocks->first[query], end = blocks->end[query];

  if (scan->focus->key != G_MAXSIZE) {
    first = MAX (first, scan->focus->key);
    end = MIN (end, scan->focus->key + 1);
  }
  for (size_t key = first; key < end; key++) {
    float size = get_size (scan->links, row[key]);
    bool has_line = size >= own->least && size <= FLT_MAX;
    unsigned code = has_line ? find_code (own, row[key]) : 0;
    if (code >= scan->least)
      scan->func (&(AttnDrawLink){(uint32_t)query, (uint32_t)key, (uint16_t)slot, (uint8_t)code,
                                  row[key] < 0},
                  scan->data);
    else
      scan->is_cut |= size > 0 && size <= FLT_MAX;
  }
}

static void
scan_all (Scan *scan)
{
  size_t n_queries = attn_maps_get_n (attn_draw_panels_peek_maps (scan->panels), ATTN_SIDE_QUERY);
  const AttnDrawFocus *focus = scan->focus;
  size_t first = focus->query != G_MAXSIZE ? focus->query : 0;
  size_t end = focus->query != G_MAXSIZE ? MIN (focus->query + 1, n_queries) : n_queries;

  for (size_t slot = 0; slot < scan->links->n_slots; slot++)
    if (focus->panel == G_MAXSIZE || focus->panel == scan->links->panels[slot])
      for (size_t query = first; query < end; query++)
        scan_row (scan, slot, query);
}

static void
count_cb (const AttnDrawLink *link, void *data)
{
  size_t *counts = data;
  counts[link->code]++;
}

/* Where the next link of each code goes. */
typedef struct {
  AttnDrawLink *links;
  size_t next[256];
} Buckets;

static void
put_cb (const AttnDrawLink *link, void *data)
{
  Buckets *buckets = data;
  buckets->links[buckets->next[link->code]++] = *link;
}

/* The least code from which on there are not too many; 256 for none. */
static unsigned
find_least (const size_t *counts)
{
  size_t n = 0;
  unsigned least = 256;

  while (least > ATTN_DRAW_LEAST_CODE && n + counts[least - 1] <= ATTN_DRAW_MAX_LINKS)
    n += counts[--least];
  return n == 0 && least > ATTN_DRAW_LEAST_CODE ? 256 : least;
}

void
attn_draw_links_choose (const AttnDrawLinks *links,
                        const AttnDrawLayout *layout,
                        const AttnDrawFocus *focus,
                        AttnDrawLinkSet *set)
{
  size_t counts[256] = {0};
  Buckets buckets;
  size_t n = 0;
  Scan scan = {links, layout->panels, focus, ATTN_DRAW_LEAST_CODE, count_cb, counts, false};

  scan_all (&scan);
  set->least = find_least (counts);
  for (unsigned code = 0; code < 256; code++) {
    buckets.next[code] = n;
    if (code >= set->least)
      n += counts[code];
    else
      scan.is_cut |= counts[code] > 0;
  }
  set->is_cut = scan.is_cut;
  set->links = g_array_sized_new (FALSE, FALSE, sizeof (AttnDrawLink), (guint)n);
  g_array_set_size (set->links, (guint)n);
  buckets.links = (AttnDrawLink *)(void *)set->links->data;
  scan.least = set->least;
  scan.func = put_cb;
  scan.data = &buckets;
  if (n > 0)
    scan_all (&scan);
}

double
attn_draw_links_get_strength (
    const AttnDrawLayout *layout, size_t slot, size_t query, size_t key, bool *is_below)
{
  const AttnDrawLinks *links = layout->links;
  const AttnDrawBlocks *blocks = attn_draw_panels_peek_blocks (layout->panels, links->panels[slot]);
  float weight = blocks->weights[query * blocks->n_keys + key];
  bool is_seen = key >= blocks->first[query] && key < blocks->end[query];

  *is_below = links->is_signed && weight < 0;
  if (!is_seen || !(get_size (links, weight) > 0) || isinf (weight)) /* false for NaN, too */
    return 0;
  return find_code (&links->slots[slot], weight) / 255.0;
}

double
attn_draw_links_get_end (const AttnDrawLinks *links, size_t index, size_t slot)
{
  double place = ((double)slot + 0.5) / (double)links->n_slots - 0.5;
  return links->rect.y + ((double)index + 0.5) * links->pitch + place * links->spread;
}
