/* SPDX-License-Identifier: MIT */
/* All heads of a layer are compared elsewhere; what is picked of them is drawn anew at once. */
#include "hs-lab-several.h"

#include "hs-accessible.h"
#include "hs-figure-actions.h"
#include "hs-figure.h"
#include "hs-format.h"
#include "hs-lab-follow.h"
#include "hs-lab-heads.h"
#include "hs-lab-several-file.h"
#include "hs-lab-several-words.h"
#include "hs-lab-source.h"
#include "hs-save-button.h"
#include "hs-wrap-layout.h"

#include "attn-draw/several.h"

#include <glib/gi18n.h>

#define LEAST_WIDTH 280 /* px: narrower, the figure is scrolled */

struct _HsLabSeveral {
  HsPanel parent_instance;

  GtkWidget *content; /* or the reason why there is none */
  GtkLabel *reason, *words, *reading;
  GtkButton *alike_button, *unlike_button;
  HsFigure *figure;

  HsLabHeads *comparison;
  gboolean wants_focus;     /* the figure does, once it is there … */
  GtkWidget *focus_at_wish; /* … unless this one, nullable and not owned, has not it any more */
};

G_DEFINE_FINAL_TYPE (HsLabSeveral, hs_lab_several, HS_TYPE_PANEL)

GtkWidget *
hs_lab_several_new (HsSession *session)
{
  return g_object_new (HS_TYPE_LAB_SEVERAL, "session", session, NULL);
}

/* Returns: (nullable): those that are shown. */
static AttnLayerHeads *
peek_heads (HsLabSeveral *self)
{
  return hs_lab_heads_peek (self->comparison);
}

gboolean
hs_lab_several_get_pair (HsLabSeveral *self, guint pair[2])
{
  const AttnLayerHeads *heads = peek_heads (self);

  if (heads == NULL || heads->n_heads < 2)
    return FALSE;
  const AttnDrawLabPlace *place =
      hs_session_peek_lab_place (hs_panel_peek_session (HS_PANEL (self)));
  const size_t chosen[] = {place->head_a, place->head_b};
  const bool fits = MAX (chosen[0], chosen[1]) < heads->n_heads && chosen[0] != chosen[1];
  const size_t *found = place->pair == ATTN_DRAW_LAB_CHOSEN && fits ? chosen
                        : place->pair == ATTN_DRAW_LAB_ALIKE        ? heads->alike
                                                                    : heads->unlike;
  for (int i = 0; i < 2; i++)
    pair[i] = (guint)found[i];
  return TRUE;
}

/* ---- the figure ---- */

/* What is shown, without the looks. */
static AttnDrawSeveral
get_asked (HsLabSeveral *self)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  size_t followed = G_MAXSIZE;
  guint pair[2] = {0};

  if (!hs_lab_get_followed (session, &followed) || followed >= peek_heads (self)->n_tokens)
    followed = G_MAXSIZE;
  hs_lab_several_get_pair (self, pair);
  return (AttnDrawSeveral){
      .heads = peek_heads (self),
      .pair = {pair[0], pair[1]},
      .head = hs_session_get_head (session),
      .query = followed,
  };
}

static AttnDrawFigure *
make_cb (double width, gpointer data)
{
  HsLabSeveral *self = data;
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));

  if (peek_heads (self) == NULL || session == NULL)
    return NULL;
  AttnDrawSeveral several = get_asked (self);
  several.style = hs_lab_get_style (session);
  several.width = width;
  several.translate = hs_translate;
  return attn_draw_several_new (&several);
}

/* ---- words ---- */

static void
say_picked (HsLabSeveral *self)
{
  g_autofree char *value = NULL;
  guint pair[2];

  if (hs_lab_several_get_pair (self, pair))
    value = hs_lab_several_dup_picked (peek_heads (self), pair, get_asked (self).query);
  g_object_set (self->figure, "value", value, NULL);
  gtk_label_set_text (self->reading, value != NULL ? value : "");
}

/* ---- picking ---- */

static void
choose_pair (HsLabSeveral *self, AttnDrawLabPair pair, guint a, guint b)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  AttnDrawLabPlace place = *hs_session_peek_lab_place (session);

  place.pair = pair;
  place.head_a = a;
  place.head_b = b;
  hs_session_set_lab_place (session, &place);
}

static void
pair_changed (HsPanel *panel)
{
  HsLabSeveral *self = HS_LAB_SEVERAL (panel);

  if (peek_heads (self) == NULL)
    return;
  hs_figure_renew (self->figure);
  say_picked (self);
}

static void
alike_cb (HsLabSeveral *self)
{
  choose_pair (self, ATTN_DRAW_LAB_ALIKE, 0, 0);
}

static void
unlike_cb (HsLabSeveral *self)
{
  choose_pair (self, ATTN_DRAW_LAB_UNLIKE, 0, 0);
}

static void
picked_cb (HsLabSeveral *self, guint id, guint row, guint column)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));

  if (id >= ATTN_DRAW_SEVERAL_MAPS)
    hs_session_set_head (session, id - ATTN_DRAW_SEVERAL_MAPS);
  else if (id != ATTN_DRAW_SEVERAL_DISTANCE)
    hs_lab_follow (session, row);
  else if (row != column)
    choose_pair (self, ATTN_DRAW_LAB_CHOSEN, row, column);
}

/* What is under the pointer is the session's, and is followed in all maps. */
static void
hovered_cb (HsLabSeveral *self, guint id, guint row, guint column)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  HsCell cell = HS_CELL_NONE;
  guint pair[2] = {0};

  if (id != 0 && id != ATTN_DRAW_SEVERAL_DISTANCE)
    cell.query = hs_lab_find_row (session, ATTN_SIDE_QUERY, row);
  hs_session_set_hovered (session, &cell);
  if (id == 0 || peek_heads (self) == NULL) {
    say_picked (self);
    return;
  }
  hs_lab_several_get_pair (self, pair);
  g_autofree char *text = hs_lab_several_dup_cell (peek_heads (self), pair, id, row, column);
  gtk_label_set_text (self->reading, text);
}

/* From row to row of the picture: a word of several tokens is one. */
static void
move_query (HsLabSeveral *self, int by)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  const guint query = hs_session_get_pinned_query (session);
  const guint next = query == HS_NONE ? 0 : by < 0 ? query - 1 : query + 1;

  if ((by > 0 || query != 0) && hs_lab_find_token (session, next) != G_MAXSIZE)
    hs_session_set_pinned (session, next, HS_NONE);
}

/* Arrows move the pair's cell among the distances, over the diagonal; the page keys the query. */
static gboolean
moved_cb (HsLabSeveral *self, int move)
{
  guint pair[2];

  if (peek_heads (self) == NULL)
    return FALSE;
  if (move == HS_MOVE_PAGE_UP || move == HS_MOVE_PAGE_DOWN) {
    move_query (self, move == HS_MOVE_PAGE_UP ? -1 : 1);
    return TRUE;
  }
  if (!hs_lab_several_get_pair (self, pair))
    return FALSE;
  size_t row = pair[0], column = pair[1];
  hs_cursor_move_cell (&row, &column, peek_heads (self)->n_heads, peek_heads (self)->n_heads,
                       (HsMove)move);
  if (row == column)
    hs_cursor_move_cell (&row, &column, peek_heads (self)->n_heads, peek_heads (self)->n_heads,
                         (HsMove)move);
  if (row != column)
    choose_pair (self, ATTN_DRAW_LAB_CHOSEN, (guint)row, (guint)column);
  return TRUE;
}

static gboolean
activated_cb (HsLabSeveral *self)
{
  guint pair[2];

  if (!hs_lab_several_get_pair (self, pair))
    return FALSE;
  hs_session_set_head (hs_panel_peek_session (HS_PANEL (self)), pair[0]);
  return TRUE;
}

/* Rows of the query that the pointer is on, in every map. */
static void
hovered_query_cb (HsPanel *panel)
{
  HsLabSeveral *self = HS_LAB_SEVERAL (panel);
  HsSession *session = hs_panel_peek_session (panel);
  const size_t query = hs_lab_find_token (session, hs_session_peek_hovered (session)->query);
  g_autoptr (GArray) rects = g_array_new (FALSE, FALSE, sizeof (AttnDrawRect));
  AttnDrawFigure *figure =
      gtk_widget_get_mapped (GTK_WIDGET (self->figure)) ? hs_figure_peek (self->figure) : NULL;
  const size_t n =
      figure != NULL && peek_heads (self) != NULL && query < peek_heads (self)->n_tokens
          ? attn_draw_figure_get_n_items (figure)
          : 0;

  for (size_t i = 0; i < n; i++) {
    const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
    if (item->kind != ATTN_DRAW_FIGURE_MATRIX || item->id == ATTN_DRAW_SEVERAL_DISTANCE)
      continue;
    const AttnDrawRect rect = attn_draw_figure_place (figure, i, query, G_MAXSIZE);
    g_array_append_val (rects, rect);
  }
  hs_figure_set_marks (self->figure, (const AttnDrawRect *)rects->data, rects->len);
}

/* ---- what is shown ---- */

static void
show_words (HsLabSeveral *self)
{
  const AttnLayerHeads *heads = peek_heads (self);
  const bool has_several = heads->n_heads > 1;
  AttnModel *model = attn_trace_peek_model (attn_maps_peek_trace (heads->maps));
  g_autofree char *words = hs_lab_several_dup_why (heads, attn_model_peek_config (model));

  gtk_widget_set_visible (GTK_WIDGET (self->alike_button), has_several);
  gtk_widget_set_visible (GTK_WIDGET (self->unlike_button), has_several);
  gtk_label_set_text (self->words, words);
}

static GtkWidget *
peek_focus (HsLabSeveral *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return root != NULL ? gtk_root_get_focus (root) : NULL;
}

/* The figure that was waited for is there. */
static void
take_focus (HsLabSeveral *self)
{
  if (!self->wants_focus || peek_heads (self) == NULL)
    return;
  self->wants_focus = FALSE;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)) && peek_focus (self) == self->focus_at_wish)
    gtk_widget_grab_focus (GTK_WIDGET (self->figure));
}

static void
show (HsLabSeveral *self)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  const bool has_heads = peek_heads (self) != NULL;

  if (has_heads) {
    show_words (self);
    hs_figure_renew (self->figure);
    say_picked (self);
  } else if (hs_lab_heads_is_working (self->comparison)) {
    gtk_label_set_text (self->reason, _ ("The heads are being compared…"));
  } else {
    const char *failure = hs_lab_heads_peek_failure (self->comparison);
    g_autofree char *reason = hs_lab_dup_reason (session);
    gtk_label_set_text (self->reason, failure != NULL ? failure : reason);
  }
  gtk_widget_set_visible (self->content, has_heads);
  gtk_widget_set_visible (GTK_WIDGET (self->reason), !has_heads);
  take_focus (self);
}

/* Nothing is compared for a page that nobody sees. */
static void
hs_lab_several_update (HsPanel *panel)
{
  HsLabSeveral *self = HS_LAB_SEVERAL (panel);
  HsSession *session = hs_panel_peek_session (panel);

  if (!hs_session_get_in_lab (session) ||
      hs_session_get_lab_page (session) != ATTN_DRAW_LAB_HEADS) {
    hs_lab_heads_stop (self->comparison);
    return;
  }
  hs_lab_heads_ask (self->comparison, hs_lab_peek_trace (session), hs_session_get_layer (session));
  show (self);
}

/* ---- out of the window ---- */

static void
say (GtkWidget *widget, const char *sentence)
{
  gtk_label_set_text (HS_LAB_SEVERAL (widget)->reading, sentence);
}

/* Returns: (nullable) (transfer full): NULL where nothing is shown, and while what is shown are the
 * heads of before: a file is of the session's layer and text. */
static HsLabSeveralFile *
dup_file (HsLabSeveral *self)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));

  if (session == NULL || peek_heads (self) == NULL)
    return NULL;
  if (hs_lab_heads_is_working (self->comparison)) {
    say (GTK_WIDGET (self), _ ("The heads are being compared…"));
    return NULL;
  }
  const AttnDrawSeveral asked = get_asked (self);
  return hs_lab_several_file_new (session, peek_heads (self), &asked);
}

static bool
find_file (GtkWidget *widget, HsFigureFile *file)
{
  HsLabSeveralFile *source = dup_file (HS_LAB_SEVERAL (widget));

  if (source == NULL)
    return false;
  *file = (HsFigureFile){hs_lab_several_file_peek_stem (source), source, hs_lab_several_file_free,
                         hs_lab_several_file_make, _ ("Save picture")};
  return true;
}

static char *
dup_command (GtkWidget *widget)
{
  HsLabSeveral *self = HS_LAB_SEVERAL (widget);
  HsLabSeveralFile *file = dup_file (self);

  if (file == NULL)
    return NULL;
  g_autofree char *path = g_strconcat (hs_lab_several_file_peek_stem (file), ".png", NULL);
  char *command = hs_lab_several_file_dup_command (file, path);
  hs_lab_several_file_free (file);
  return command;
}

static const HsFigureOwner owner = {find_file, dup_command, say};

void
hs_lab_several_save (HsLabSeveral *self, const char *format, HsAsk ask)
{
  g_return_if_fail (HS_IS_LAB_SEVERAL (self));
  hs_figure_owner_save (&owner, GTK_WIDGET (self), format, ask);
}

char *
hs_lab_several_dup_command (HsLabSeveral *self)
{
  g_return_val_if_fail (HS_IS_LAB_SEVERAL (self), NULL);
  return dup_command (GTK_WIDGET (self));
}

/* ---- object ---- */

/* Arrow keys are the figure's. */
static gboolean
hs_lab_several_grab_focus (GtkWidget *widget)
{
  HsLabSeveral *self = HS_LAB_SEVERAL (widget);

  self->wants_focus = !gtk_widget_get_visible (self->content);
  self->focus_at_wish = peek_focus (self);
  return !self->wants_focus && gtk_widget_grab_focus (GTK_WIDGET (self->figure));
}

static void
hs_lab_several_dispose (GObject *object)
{
  HsLabSeveral *self = HS_LAB_SEVERAL (object);

  hs_lab_heads_stop (self->comparison);
  g_signal_handlers_disconnect_by_data (self->comparison, self);
  if (self->figure != NULL)
    hs_figure_set_maker (self->figure, NULL, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_LAB_SEVERAL);
  self->figure = NULL;
  G_OBJECT_CLASS (hs_lab_several_parent_class)->dispose (object);
}

static void
hs_lab_several_finalize (GObject *object)
{
  HsLabSeveral *self = HS_LAB_SEVERAL (object);

  g_object_unref (self->comparison);
  G_OBJECT_CLASS (hs_lab_several_parent_class)->finalize (object);
}

static void
hs_lab_several_class_init (HsLabSeveralClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_lab_several_dispose;
  G_OBJECT_CLASS (klass)->finalize = hs_lab_several_finalize;
  HS_PANEL_CLASS (klass)->update = hs_lab_several_update;
  widget_class->grab_focus = hs_lab_several_grab_focus;

  g_type_ensure (HS_TYPE_FIGURE);
  g_type_ensure (HS_TYPE_SAVE_BUTTON);
  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-lab-several.ui");
  gtk_widget_class_bind_template_child (widget_class, HsLabSeveral, content);
  gtk_widget_class_bind_template_child (widget_class, HsLabSeveral, reason);
  gtk_widget_class_bind_template_child (widget_class, HsLabSeveral, words);
  gtk_widget_class_bind_template_child (widget_class, HsLabSeveral, reading);
  gtk_widget_class_bind_template_child (widget_class, HsLabSeveral, alike_button);
  gtk_widget_class_bind_template_child (widget_class, HsLabSeveral, unlike_button);
  gtk_widget_class_bind_template_child (widget_class, HsLabSeveral, figure);
}

static void
hs_lab_several_init (HsLabSeveral *self)
{
  static const char *const watched[] = {"view",  "panels", "layer",   "head",
                                        "state", "in-lab", "lab-page"};

  gtk_widget_init_template (GTK_WIDGET (self));
  self->comparison = hs_lab_heads_new ();
  g_signal_connect_swapped (self->comparison, "changed", G_CALLBACK (show), self);
  hs_figure_add_actions (GTK_WIDGET (self), &owner);
  hs_accessible_name_all (GTK_WIDGET (self));
  hs_figure_set_least_width (self->figure, LEAST_WIDTH);
  hs_figure_set_maker (self->figure, make_cb, self);
  g_signal_connect_swapped (self->figure, "picked", G_CALLBACK (picked_cb), self);
  g_signal_connect_swapped (self->figure, "hovered", G_CALLBACK (hovered_cb), self);
  g_signal_connect_swapped (self->figure, "moved", G_CALLBACK (moved_cb), self);
  g_signal_connect_swapped (self->figure, "activated", G_CALLBACK (activated_cb), self);
  g_signal_connect_swapped (self->alike_button, "clicked", G_CALLBACK (alike_cb), self);
  g_signal_connect_swapped (self->unlike_button, "clicked", G_CALLBACK (unlike_cb), self);
  for (size_t i = 0; i < G_N_ELEMENTS (watched); i++)
    hs_panel_watch (HS_PANEL (self), watched[i], hs_lab_several_update);
  hs_panel_watch (HS_PANEL (self), "lab-pair", pair_changed);
  hs_panel_watch (HS_PANEL (self), "lab-head-a", pair_changed);
  hs_panel_watch (HS_PANEL (self), "lab-head-b", pair_changed);
  hs_panel_watch (HS_PANEL (self), "hovered-query", hovered_query_cb);
}
