/* SPDX-License-Identifier: MIT */
/* What the shown head attends to: on the whole, and from the pinned or hovered query. */
#include "hs-attended-panel.h"

#include "hs-bar-list.h"
#include "hs-format.h"
#include "hs-sink.h"
#include "hs-told.h"

#include "attn/metrics.h"

#include <glib/gi18n.h>

#include <stdbool.h>

#define MOST_ROWS 50 /* a longer list is a table, which the exports give */

struct _HsAttendedPanel {
  HsPanel parent_instance;

  HsBarList *columns;
  HsBarList *row;
  GtkLabel *sink; /* of a head that parks its weight */
};

G_DEFINE_FINAL_TYPE (HsAttendedPanel, hs_attended_panel, HS_TYPE_PANEL)

static void
list_top_keys (HsBarList *list, const AttnMap *map, const float *values)
{
  AttnAttended top[MOST_ROWS];
  HsBarEntry entries[MOST_ROWS];
  size_t n = attn_top_attended (values, map->n_keys, top, MOST_ROWS);
  char *names[MOST_ROWS];
  for (size_t i = 0; i < n; i++) {
    names[i] = hs_format_token (map->maps, ATTN_SIDE_KEY, top[i].key);
    entries[i] = (HsBarEntry){names[i], top[i].value};
  }
  hs_bar_list_set_entries (list, entries, n);
  for (size_t i = 0; i < n; i++)
    g_free (names[i]);
}

/* @n: of the queries, those that have a mean at all */
static char *
dup_footer (const AttnMap *map, AttnUnit unit, gulong n)
{
  if (n < map->n_queries)
    return g_strdup_printf (
        _ ("mean over %lu of %lu rows; the others have weights that are not finite"), n,
        (gulong)map->n_queries);
  switch (unit) {
  case ATTN_UNIT_CHARACTERS:
    return g_strdup_printf (
        ngettext ("mean over the %lu query character", "mean over the %lu query characters", n), n);
  case ATTN_UNIT_WORDS:
    return g_strdup_printf (
        ngettext ("mean over the %lu query word", "mean over the %lu query words", n), n);
  case ATTN_UNIT_TOKENS:
  default:
    return g_strdup_printf (
        ngettext ("mean over the %zu query token", "mean over the %zu query tokens", n), (size_t)n);
  }
}

/* Numbers that are no weights say what they are. */
static char *
dup_of_lens (const AttnDrawView *view, const char *footer)
{
  g_autofree char *lens = hs_told_dup (attn_lens_peek_about (view->lens)->title);

  return view->lens != ATTN_LENS_RAW ? g_strdup_printf ("%s · %s", lens, footer)
                                     : g_strdup (footer);
}

static void
update_columns (HsAttendedPanel *self, HsSession *session)
{
  const AttnMap *map = hs_session_peek_map (session);
  const AttnDrawView *view = hs_session_peek_view (session);
  const AttnArrangement *arrangement = &view->arrangement;
  gtk_widget_set_visible (GTK_WIDGET (self->columns), map != NULL);
  if (map == NULL)
    return;
  g_autofree float *means = g_new (float, map->n_keys);
  const size_t n = attn_map_compute_column_means (map, means);
  list_top_keys (self->columns, map, means);
  g_autofree char *footer = dup_footer (map, arrangement->unit, n);
  const char *title = _ ("What this head attends to");
  if (view->kind == ATTN_DRAW_COMPARE)
    title = _ ("What A attends to");
  else if (attn_lens_peek_about (view->lens)->level == ATTN_LENS_LEVEL_MODEL)
    title = _ ("What comes most from the input, up to this layer");
  else if (attn_lens_is_joint (view->lens))
    title = _ ("What this layer attends to");
  else if (arrangement->combine != ATTN_COMBINE_NONE)
    title = _ ("What these heads attend to");
  g_autofree char *told = dup_of_lens (view, footer);
  g_object_set (self->columns, "title", title, "footer", told, NULL);
}

/* A pin stays while the pointer wanders; without one the pointer's row is followed. */
static guint
get_followed_query (HsSession *session)
{
  guint pinned = hs_session_get_pinned_query (session);
  return pinned != HS_NONE ? pinned : hs_session_peek_hovered (session)->query;
}

static void
update_row (HsPanel *panel)
{
  HsAttendedPanel *self = HS_ATTENDED_PANEL (panel);
  HsSession *session = hs_panel_peek_session (panel);
  const AttnMap *map = hs_session_peek_map (session);
  guint query = get_followed_query (session);
  bool follows = map != NULL && query < map->n_queries;
  gtk_widget_set_visible (GTK_WIDGET (self->row), follows);
  if (!follows)
    return;
  list_top_keys (self->row, map, map->weights + query * map->n_keys);
  g_autofree char *label = hs_format_token (map->maps, ATTN_SIDE_QUERY, query);
  g_autofree char *from = g_strdup_printf (_ ("From “%s”"), label);
  bool is_compared = hs_session_peek_view (session)->kind == ATTN_DRAW_COMPARE;
  g_autofree char *title = g_strconcat (is_compared ? "A · " : "", from, NULL);
  const AttnDrawView *view = hs_session_peek_view (session);
  g_autofree char *footer = view->lens != ATTN_LENS_RAW
                                ? dup_of_lens (view, _ ("the numbers of this row"))
                                : g_strdup (_ ("the weights of this row"));
  g_object_set (self->row, "title", title, "footer", footer, NULL);
}

static void
update_sink (HsAttendedPanel *self, HsSession *session)
{
  g_autofree char *told =
      hs_sink_dup (hs_session_peek_view (session), hs_session_peek_map (session));

  gtk_label_set_text (self->sink, told != NULL ? told : "");
  gtk_widget_set_visible (GTK_WIDGET (self->sink), told != NULL);
}

static void
hs_attended_panel_update (HsPanel *panel)
{
  update_sink (HS_ATTENDED_PANEL (panel), hs_panel_peek_session (panel));
  update_columns (HS_ATTENDED_PANEL (panel), hs_panel_peek_session (panel));
  update_row (panel);
}

static void
hs_attended_panel_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_ATTENDED_PANEL);
  G_OBJECT_CLASS (hs_attended_panel_parent_class)->dispose (object);
}

static void
hs_attended_panel_class_init (HsAttendedPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_attended_panel_dispose;
  HS_PANEL_CLASS (klass)->update = hs_attended_panel_update;

  g_type_ensure (HS_TYPE_BAR_LIST);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-attended-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HsAttendedPanel, columns);
  gtk_widget_class_bind_template_child (widget_class, HsAttendedPanel, row);
  gtk_widget_class_bind_template_child (widget_class, HsAttendedPanel, sink);
}

static void
hs_attended_panel_init (HsAttendedPanel *self)
{
  HsPanel *panel = HS_PANEL (self);

  gtk_widget_init_template (GTK_WIDGET (self));
  hs_panel_watch (panel, "view", hs_attended_panel_update);
  hs_panel_watch (panel, "pinned-query", update_row);
  hs_panel_watch (panel, "hovered-query", update_row);
}

GtkWidget *
hs_attended_panel_new (HsSession *session)
{
  return g_object_new (HS_TYPE_ATTENDED_PANEL, "session", session, NULL);
}
