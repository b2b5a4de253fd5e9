/* SPDX-License-Identifier: MIT */
/* What is pointed at, in words. */
#include "hs-reading.h"

#include "hs-format.h"
#include "hs-sink.h"

#include "attn/metrics.h"
#include "attn/number.h"

#include <glib/gi18n.h>

#include <math.h>
#include <stdbool.h>

#define VALUE_DECIMALS 4
#define LEAST_VALUE 0.00005f /* less would be read out as 0 */
#define N_STRONGEST 3        /* weights of a token that are read out */

/* The hovered cell's map, weight by weight; NULL where the panels keep none. */
static const AttnMap *
find_map (HsSession *session, const HsCell *cell)
{
  AttnDrawPanels *panels = hs_session_peek_panels (session);
  bool any_layer = hs_session_peek_view (session)->kind != ATTN_DRAW_LAYERS;
  size_t n_panels = panels != NULL ? attn_draw_panels_get_n (panels) : 0;
  for (size_t panel = 0; panel < n_panels; panel++)
    if (attn_draw_panels_get_head (panels, panel) == cell->head &&
        (any_layer || attn_draw_panels_get_layer (panels, panel) == cell->layer))
      return attn_draw_panels_peek (panels, panel);
  return NULL;
}

/* "layer 3, head 5", or as much of it as the pointer is on; NULL for nothing. */
static char *
dup_hovered_head (HsSession *session, const HsCell *hovered)
{
  const AttnDrawView *view = hs_session_peek_view (session);
  bool combines = view->arrangement.combine != ATTN_COMBINE_NONE;
  bool names_layer =
      view->kind == ATTN_DRAW_LAYERS && !(combines && view->arrangement.combine_layers);
  if (attn_draw_view_is_joint (view))
    return names_layer && hovered->layer != HS_NONE
               ? g_strdup_printf (_ ("layer %u"), hovered->layer + 1)
               : NULL;
  if (names_layer && hovered->layer != HS_NONE && hovered->head != HS_NONE)
    return g_strdup_printf (_ ("layer %u, head %u"), hovered->layer + 1, hovered->head + 1);
  if (names_layer && hovered->layer != HS_NONE)
    return g_strdup_printf (_ ("layer %u"), hovered->layer + 1);
  return hovered->head != HS_NONE ? g_strdup_printf (_ ("head %u"), hovered->head + 1) : NULL;
}

/* A line, or a token beside lines, which is of all heads. */
static char *
dup_beside_lines (HsSession *session, const HsCell *cell)
{
  AttnDrawPanels *panels = hs_session_peek_panels (session);
  if (panels == NULL)
    return NULL;
  AttnMaps *maps = attn_draw_panels_peek_maps (panels);
  bool has_query = cell->query < attn_maps_get_n (maps, ATTN_SIDE_QUERY);
  bool has_key = cell->key < attn_maps_get_n (maps, ATTN_SIDE_KEY);
  if (has_query == has_key)
    return hs_format_cell (find_map (session, cell), cell);
  AttnSide side = has_query ? ATTN_SIDE_QUERY : ATTN_SIDE_KEY;
  g_autofree char *token = hs_format_token (maps, side, has_query ? cell->query : cell->key);
  return g_strdup_printf (has_query ? _ ("query “%s”: its lines show where it looks")
                                    : _ ("key “%s”: its lines show who looks at it"),
                          token);
}

/* A piece of the text: a key of the pinned query, or a query itself. */
static char *
dup_in_text (HsSession *session, const HsCell *cell)
{
  const AttnMap *map = hs_session_peek_map (session);
  if (map == NULL || cell->query >= map->n_queries || cell->key < map->n_keys)
    return hs_format_cell (map, cell);
  g_autofree char *query = hs_format_token (map->maps, ATTN_SIDE_QUERY, cell->query);
  return g_strdup_printf (_ ("query “%s”: the shades show where it looks"), query);
}

/* As each view tells it. */
static char *
dup_cell (HsSession *session, const HsCell *cell)
{
  switch (hs_session_peek_view (session)->kind) {
  case ATTN_DRAW_LINES:
    return dup_beside_lines (session, cell);
  case ATTN_DRAW_TEXT:
    return dup_in_text (session, cell);
  case ATTN_DRAW_HEATMAP:
  case ATTN_DRAW_HEADS:
  case ATTN_DRAW_LAYERS:
  case ATTN_DRAW_COMPARE:
  default:
    return hs_format_cell (find_map (session, cell), cell);
  }
}

/* In the strip beside a heat map. */
static bool
is_other_head (HsSession *session, const HsCell *hovered)
{
  const AttnDrawView *view = hs_session_peek_view (session);
  return !attn_draw_view_is_joint (view) && hovered->head != HS_NONE && hovered->head != view->head;
}

/* What a panel of a comparison holds for a pair of joint tokens; "–" where it lacks one or the
 * query cannot see the key. */
static char *
dup_panel_weight (AttnDrawPanels *panels, size_t panel, size_t query, size_t key)
{
  const AttnMap *map = attn_draw_panels_peek (panels, panel);
  char number[ATTN_NUMBER_SIZE];
  size_t first = 0, end = 0;
  if (map == NULL || query == G_MAXSIZE || key == G_MAXSIZE)
    return g_strdup ("–");
  attn_maps_get_visible (map->maps, map->layer, query, &first, &end);
  if (key < first || key >= end)
    return g_strdup ("–");
  double weight = (double)map->weights[query * map->n_keys + key];
  return g_strdup (attn_number_format_fixed (number, weight, VALUE_DECIMALS));
}

/* A token of a comparison as the first panel that has it writes it. */
static char *
dup_joint_token (AttnDrawPanels *panels, AttnSide side, size_t joint)
{
  for (size_t panel = 0; panel < attn_draw_panels_get_n (panels); panel++) {
    const AttnMap *map = attn_draw_panels_peek (panels, panel);
    size_t token = attn_draw_panels_find_joint (panels, panel, side, joint);
    if (map != NULL && token != G_MAXSIZE)
      return hs_format_token (map->maps, side, token);
  }
  return NULL;
}

static char *
dup_compared (HsSession *session, guint joint_query, guint joint_key)
{
  static const char *const names[] = {"A", "B", "A − B"};
  AttnDrawPanels *panels = hs_session_peek_panels (session);
  if (panels == NULL || attn_draw_panels_peek_source_b (panels) == NULL || joint_query == HS_NONE ||
      joint_key == HS_NONE)
    return NULL;
  g_autofree char *query = dup_joint_token (panels, ATTN_SIDE_QUERY, joint_query);
  g_autofree char *key = dup_joint_token (panels, ATTN_SIDE_KEY, joint_key);
  if (query == NULL || key == NULL)
    return NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_string_append_printf (text, _ ("query “%s” → key “%s”"), query, key);
  for (size_t panel = 0; panel < MIN (attn_draw_panels_get_n (panels), G_N_ELEMENTS (names));
       panel++) {
    g_autofree char *weight = dup_panel_weight (
        panels, panel, attn_draw_panels_find_joint (panels, panel, ATTN_SIDE_QUERY, joint_query),
        attn_draw_panels_find_joint (panels, panel, ATTN_SIDE_KEY, joint_key));
    g_string_append_printf (text, " · %s %s", names[panel], weight);
  }
  return g_strdup (text->str);
}

char *
hs_reading_dup_hovered (HsSession *session)
{
  const HsCell *hovered = hs_session_peek_hovered (session);
  AttnDrawKind kind = hs_session_peek_view (session)->kind;
  if (kind == ATTN_DRAW_COMPARE)
    return dup_compared (session, hovered->query, hovered->key);
  g_autofree char *cell = dup_cell (session, hovered);
  if (kind == ATTN_DRAW_HEATMAP && cell == NULL && is_other_head (session, hovered))
    return g_strdup_printf (_ ("head %u · click shows it large"), hovered->head + 1);
  if (kind == ATTN_DRAW_HEATMAP || kind == ATTN_DRAW_TEXT)
    return g_steal_pointer (&cell);
  g_autofree char *head = dup_hovered_head (session, hovered);
  if (head == NULL)
    return g_steal_pointer (&cell);
  if (cell == NULL) /* the head as a whole */
    cell = hs_sink_dup (hs_session_peek_view (session), find_map (session, hovered));
  return cell == NULL ? g_steal_pointer (&head) : g_strdup_printf ("%s · %s", head, cell);
}

char *
hs_reading_dup_pinned (HsSession *session)
{
  const AttnDrawView *view = hs_session_peek_view (session);
  const size_t head = attn_draw_view_is_joint (view) ? 0 : view->head;
  HsCell pinned = {head <= G_MAXUINT ? (guint)head : HS_NONE, hs_session_get_pinned_query (session),
                   hs_session_get_pinned_key (session), HS_NONE};
  AttnDrawKind kind = view->kind;
  g_autofree char *cell = NULL;
  if (kind == ATTN_DRAW_COMPARE)
    cell = dup_compared (session, pinned.query, pinned.key);
  else if (kind == ATTN_DRAW_LINES || kind == ATTN_DRAW_TEXT)
    cell = dup_cell (session, &pinned);
  else
    cell = hs_format_cell (hs_session_peek_map (session), &pinned);
  return cell != NULL ? g_strdup_printf (_ ("pinned · %s"), cell) : NULL;
}

/* ---- for people who do not see the picture ---- */

/* "“man” 0.4123 · “the” 0.2010": the largest of @n weights of tokens of @side; NULL where all are
 * nearly 0. */
static char *
dup_strongest (const AttnMap *map, AttnSide side, const float *weights, size_t n)
{
  AttnAttended top[N_STRONGEST];
  size_t n_top = attn_top_attended (weights, n, top, N_STRONGEST);
  g_autoptr (GString) text = g_string_new (NULL);
  for (size_t i = 0; i < n_top && top[i].value >= LEAST_VALUE; i++) {
    char number[ATTN_NUMBER_SIZE];
    g_autofree char *token = hs_format_token (map->maps, side, top[i].key);
    g_string_append (text, i > 0 ? " · " : "");
    g_string_append_printf (
        text, _ ("“%s” %s"), token,
        attn_number_format_fixed (number, (double)top[i].value, VALUE_DECIMALS));
  }
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

static char *
dup_row (const AttnMap *map, const HsCell *cell)
{
  g_autofree char *query = hs_format_token (map->maps, ATTN_SIDE_QUERY, cell->query);
  g_autofree char *keys = dup_strongest (
      map, ATTN_SIDE_KEY, map->weights + (size_t)cell->query * map->n_keys, map->n_keys);
  return keys != NULL ? g_strdup_printf (_ ("query “%s” looks most at %s"), query, keys)
                      : hs_format_cell (map, cell);
}

static char *
dup_column (const AttnMap *map, const HsCell *cell)
{
  g_autofree char *key = hs_format_token (map->maps, ATTN_SIDE_KEY, cell->key);
  g_autofree float *weights = g_new (float, map->n_queries);
  for (size_t query = 0; query < map->n_queries; query++)
    weights[query] = map->weights[query * map->n_keys + cell->key];
  g_autofree char *queries = dup_strongest (map, ATTN_SIDE_QUERY, weights, map->n_queries);
  return queries != NULL ? g_strdup_printf (_ ("key “%s” is looked at most by %s"), key, queries)
                         : hs_format_cell (map, cell);
}

static char *
dup_spoken_cell (HsSession *session, const HsCell *cell)
{
  bool is_chosen = cell->head == HS_NONE;
  const AttnMap *map = is_chosen ? hs_session_peek_map (session) : find_map (session, cell);
  if (map == NULL)
    return NULL;
  bool has_query = cell->query < map->n_queries, has_key = cell->key < map->n_keys;
  if (has_query && !has_key)
    return dup_row (map, cell);
  return has_key && !has_query ? dup_column (map, cell) : hs_format_cell (map, cell);
}

/* The title says which heads are combined. */
static char *
dup_spoken_head (HsSession *session, const HsCell *cell)
{
  const AttnDrawView *view = hs_session_peek_view (session);
  guint layer = cell->layer != HS_NONE ? cell->layer : (guint)view->layer;
  guint head = cell->head != HS_NONE ? cell->head : (guint)view->head;
  if (attn_draw_view_is_joint (view))
    return dup_hovered_head (session, cell);
  return g_strdup_printf (_ ("layer %u, head %u"), layer + 1, head + 1);
}

static char *
dup_spoken (HsSession *session, const HsCell *cell)
{
  if (hs_session_peek_view (session)->kind == ATTN_DRAW_COMPARE)
    return dup_compared (session, cell->query, cell->key);
  g_autofree char *head = dup_spoken_head (session, cell);
  g_autofree char *text = dup_spoken_cell (session, cell);
  if (head == NULL || text == NULL)
    return head != NULL ? g_steal_pointer (&head) : g_steal_pointer (&text);
  return g_strdup_printf ("%s · %s", head, text);
}

char *
hs_reading_dup_spoken (HsSession *session)
{
  const HsCell *hovered = hs_session_peek_hovered (session);
  const HsCell pinned = {HS_NONE, hs_session_get_pinned_query (session),
                         hs_session_get_pinned_key (session), HS_NONE};
  if (hs_session_peek_panels (session) == NULL)
    return NULL;
  if (hovered->query != HS_NONE || hovered->key != HS_NONE || hovered->head != HS_NONE ||
      hovered->layer != HS_NONE)
    return dup_spoken (session, hovered);
  if (pinned.query == HS_NONE && pinned.key == HS_NONE)
    return NULL;
  g_autofree char *text = dup_spoken (session, &pinned);
  return text != NULL ? g_strdup_printf (_ ("pinned · %s"), text) : NULL;
}

/* In a grid. */
static char *
dup_chosen (const AttnDrawView *view)
{
  if (attn_lens_is_joint (view->lens))
    return NULL;
  if (view->kind == ATTN_DRAW_HEADS)
    return g_strdup_printf (_ ("Chosen: head %zu"), view->head + 1);
  if (view->kind == ATTN_DRAW_LAYERS)
    return g_strdup_printf (_ ("Chosen: layer %zu, head %zu"), view->layer + 1, view->head + 1);
  return NULL;
}

char *
hs_reading_dup_description (HsSession *session)
{
  const AttnDrawView *view = hs_session_peek_view (session);
  bool is_compared = view->kind == ATTN_DRAW_COMPARE;
  g_autofree char *spoken = hs_reading_dup_spoken (session);
  g_autofree char *chosen = dup_chosen (view);
  g_autofree char *sink = /* not at every step of the pointer */
      spoken == NULL ? hs_sink_dup (view, hs_session_peek_map (session)) : NULL;
  const char *const parts[] = {spoken, chosen, sink, view->strings.subtitle,
                               is_compared ? view->strings.subtitle_b : NULL};
  g_autoptr (GString) text = g_string_new (NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++) {
    if (parts[i] == NULL || *parts[i] == '\0')
      continue;
    g_string_append (text, text->len > 0 ? "\n" : "");
    g_string_append (text, parts[i]);
  }
  return g_strdup (text->str);
}
