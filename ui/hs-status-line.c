/* SPDX-License-Identifier: MIT */
/* One line at the bottom that says in words what the pointer is on, and how large the text is. */
#include "hs-status-line.h"

#include "hs-format.h"

#include <glib/gi18n.h>

#include <attn/number.h>
#include <stdbool.h>

#define US_PER_MS 1000
#define VALUE_DECIMALS 4
#define SAY_MS 5000 /* long enough to read a path */

struct _HsStatusLine {
  HsPanel parent_instance;

  char *message; /* being said; nullable */
  guint timeout; /* until it has been said long enough */
  GtkLabel *readout;
  GtkLabel *size;
};

G_DEFINE_FINAL_TYPE (HsStatusLine, hs_status_line, HS_TYPE_PANEL)

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

static const char *
peek_hint (HsSession *session)
{
  if (hs_session_peek_panels (session) == NULL)
    return "";
  const AttnDrawView *view = hs_session_peek_view (session);
  bool is_grid = view->kind == ATTN_DRAW_HEADS || view->kind == ATTN_DRAW_LAYERS;
  if (is_grid && view->arrangement.combine == ATTN_COMBINE_NONE)
    return _ ("Click selects a head; double-click or Return opens it large");
  if (view->kind == ATTN_DRAW_LINES)
    return _ (
        "Point at a token for its lines alone, click pins it; a click on a head’s colour hides it");
  if (view->kind == ATTN_DRAW_TEXT)
    return _ ("Point at a piece of the text to see where it looks; click pins it");
  return _ ("Point at a cell to read it; click pins it; arrow keys move");
}

/* "layer 3, head 5", or as much of it as the pointer is on; NULL for nothing. */
static char *
dup_hovered_head (HsSession *session, const HsCell *hovered)
{
  const AttnDrawView *view = hs_session_peek_view (session);
  bool combines = view->arrangement.combine != ATTN_COMBINE_NONE;
  bool names_layer =
      view->kind == ATTN_DRAW_LAYERS && !(combines && view->arrangement.combine_layers);
  if (combines)
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
  return hovered->head != HS_NONE && hovered->head != hs_session_peek_view (session)->head;
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

static char *
dup_hovered (HsSession *session)
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
  if (head == NULL || cell == NULL)
    return head != NULL ? g_steal_pointer (&head) : g_steal_pointer (&cell);
  return g_strdup_printf ("%s · %s", head, cell);
}

static char *
dup_pinned (HsSession *session)
{
  HsCell pinned = {hs_session_peek_view (session)->head <= G_MAXUINT
                       ? (guint)hs_session_peek_view (session)->head
                       : HS_NONE,
                   hs_session_get_pinned_query (session), hs_session_get_pinned_key (session),
                   HS_NONE};
  AttnDrawKind kind = hs_session_peek_view (session)->kind;
  g_autofree char *cell = NULL;
  if (kind == ATTN_DRAW_COMPARE)
    cell = dup_compared (session, pinned.query, pinned.key);
  else if (kind == ATTN_DRAW_LINES || kind == ATTN_DRAW_TEXT)
    cell = dup_cell (session, &pinned);
  else
    cell = hs_format_cell (hs_session_peek_map (session), &pinned);
  return cell != NULL ? g_strdup_printf (_ ("pinned · %s"), cell) : NULL;
}

static void
update_readout (HsPanel *panel)
{
  HsStatusLine *self = HS_STATUS_LINE (panel);
  HsSession *session = hs_panel_peek_session (panel);
  g_autofree char *text = g_strdup (self->message);
  if (text == NULL)
    text = dup_hovered (session);
  if (text == NULL)
    text = dup_pinned (session);
  gtk_label_set_text (self->readout, text != NULL ? text : peek_hint (session));
}

static char *
dup_size (HsSession *session)
{
  guint n_tokens = hs_session_get_n_tokens (session);
  guint n_truncated = hs_session_get_n_truncated (session);
  HsAnswer *answer = hs_side_peek_answer (hs_session_peek_side (session));
  if (answer == NULL || n_tokens == 0)
    return g_strdup ("");
  if (n_truncated > 0)
    return g_strdup_printf (_ ("%u tokens used, %u left out · %.0f ms"), n_tokens, n_truncated,
                            (double)answer->elapsed_us / US_PER_MS);
  return g_strdup_printf (ngettext ("%u token · %.0f ms", "%u tokens · %.0f ms", n_tokens),
                          n_tokens, (double)answer->elapsed_us / US_PER_MS);
}

static void
hs_status_line_update (HsPanel *panel)
{
  g_autofree char *size = dup_size (hs_panel_peek_session (panel));
  gtk_label_set_text (HS_STATUS_LINE (panel)->size, size);
  update_readout (panel);
}

static void
said_enough_cb (gpointer data)
{
  HsStatusLine *self = data;
  self->timeout = 0;
  g_clear_pointer (&self->message, g_free);
  update_readout (HS_PANEL (self));
}

void
hs_status_line_say (HsStatusLine *self, const char *message)
{
  g_return_if_fail (HS_IS_STATUS_LINE (self));
  g_free (self->message);
  self->message = g_strdup (message);
  g_clear_handle_id (&self->timeout, g_source_remove);
  self->timeout = g_timeout_add_once (SAY_MS, said_enough_cb, self);
  update_readout (HS_PANEL (self));
}

static void
hs_status_line_dispose (GObject *object)
{
  g_clear_handle_id (&HS_STATUS_LINE (object)->timeout, g_source_remove);
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_STATUS_LINE);
  G_OBJECT_CLASS (hs_status_line_parent_class)->dispose (object);
}

static void
hs_status_line_finalize (GObject *object)
{
  g_free (HS_STATUS_LINE (object)->message);
  G_OBJECT_CLASS (hs_status_line_parent_class)->finalize (object);
}

static void
hs_status_line_class_init (HsStatusLineClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = hs_status_line_dispose;
  object_class->finalize = hs_status_line_finalize;
  HS_PANEL_CLASS (klass)->update = hs_status_line_update;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-status-line.ui");
  gtk_widget_class_bind_template_child (widget_class, HsStatusLine, readout);
  gtk_widget_class_bind_template_child (widget_class, HsStatusLine, size);
}

static void
hs_status_line_init (HsStatusLine *self)
{
  HsPanel *panel = HS_PANEL (self);

  gtk_widget_init_template (GTK_WIDGET (self));
  hs_panel_watch (panel, "view", hs_status_line_update);
  hs_panel_watch (panel, "n-tokens", hs_status_line_update);
  hs_panel_watch (panel, "hovered-layer", update_readout);
  hs_panel_watch (panel, "hovered-head", update_readout);
  hs_panel_watch (panel, "hovered-query", update_readout);
  hs_panel_watch (panel, "hovered-key", update_readout);
  hs_panel_watch (panel, "pinned-query", update_readout);
  hs_panel_watch (panel, "pinned-key", update_readout);
}

GtkWidget *
hs_status_line_new (HsSession *session)
{
  return g_object_new (HS_TYPE_STATUS_LINE, "session", session, NULL);
}
