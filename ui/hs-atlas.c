/* SPDX-License-Identifier: MIT */
/* The atlas of the session's text, made on another thread; the newest text wins. */
#include "hs-atlas.h"

#include "hs-accessible.h"
#include "hs-atlas-bar.h"
#include "hs-atlas-file.h"
#include "hs-atlas-table.h"
#include "hs-cursor.h"
#include "hs-figure-actions.h"
#include "hs-figure.h"
#include "hs-format.h"
#include "hs-lab-source.h"
#include "hs-save-button.h"
#include "hs-told.h"
#include "hs-wrap-layout.h"

#include "attn-draw/atlas.h"

#include <glib/gi18n.h>

#define LEAST_WIDTH 320 /* px: narrower, the figure is scrolled */

struct _HsAtlas {
  HsPanel parent_instance;

  GtkWidget *content; /* or the reason why there is none */
  GtkLabel *reason, *reading, *said;
  HsFigure *figure;
  HsAtlasTable *table;

  HsAtlasFound *found;       /* referenced; nullable: what is shown … */
  HsAtlasFound *listed;      /* … and what the table has */
  GCancellable *cancellable; /* nullable: of the question that is worked on … */
  AttnMaps *maps;            /* … referenced, nullable: and which maps' */
  gboolean wants_focus;      /* the figure does, once it is there … */
  GtkWidget *focus_at_wish;  /* … unless this one, nullable and not owned, has not it any more */
};

G_DEFINE_FINAL_TYPE (HsAtlas, hs_atlas, HS_TYPE_PANEL)

GtkWidget *
hs_atlas_new (HsSession *session)
{
  return g_object_new (HS_TYPE_ATLAS, "session", session, NULL);
}

const HsAtlasFound *
hs_atlas_peek_found (HsAtlas *self)
{
  g_return_val_if_fail (HS_IS_ATLAS (self), NULL);
  return self->found;
}

static HsSession *
peek_session (HsAtlas *self)
{
  return hs_panel_peek_session (HS_PANEL (self));
}

static bool
has_atlas (HsAtlas *self)
{
  return self->found != NULL && self->found->atlas != NULL;
}

/* ---- the figure ---- */

static AttnDrawAtlas
get_drawn (HsAtlas *self)
{
  AttnDrawAtlas drawn = hs_atlas_get_drawn (peek_session (self), self->found);

  drawn.style = hs_lab_get_style (peek_session (self));
  drawn.translate = hs_translate;
  return drawn;
}

static AttnDrawFigure *
make_cb (double width, gpointer data)
{
  HsAtlas *self = data;

  if (peek_session (self) == NULL || !has_atlas (self))
    return NULL;
  AttnDrawAtlas drawn = get_drawn (self);
  drawn.width = width;
  return attn_draw_atlas_new (&drawn);
}

static void
say_head (HsAtlas *self, size_t layer, size_t head)
{
  const AttnDrawAtlas drawn = get_drawn (self);
  g_autofree char *text = layer < drawn.atlas->n_layers && head < drawn.atlas->n_heads
                              ? attn_draw_atlas_dup_head (&drawn, layer, head)
                              : g_strdup ("");

  gtk_label_set_text (self->reading, text);
}

/* The head that keys are on; and why it is called what it is, for those who do not see the figure.
 */
static void
say_chosen (HsAtlas *self)
{
  if (!has_atlas (self))
    return;
  const AttnDrawAtlas drawn = get_drawn (self);
  const AttnPassport passport = attn_atlas_get_passport (drawn.atlas, drawn.layer, drawn.head);
  g_autofree char *rule = attn_draw_atlas_dup_rule (&drawn, &passport);
  say_head (self, drawn.layer, drawn.head);
  g_autofree char *value = g_strconcat (gtk_label_get_text (self->reading), " · ", rule, NULL);
  g_object_set (self->figure, "value", value, NULL);
}

static void
choose_head (HsAtlas *self, guint layer, guint head)
{
  hs_session_set_layer (peek_session (self), layer);
  hs_session_set_head (peek_session (self), head);
}

/* A pattern is looked for alone, or not any more. */
static void
toggle_pattern (HsAtlas *self, guint pattern)
{
  AttnDrawAtlasFilter filter = *hs_session_peek_atlas (peek_session (self));

  filter.pattern = filter.pattern == pattern + 1 ? 0 : pattern + 1;
  hs_session_set_atlas (peek_session (self), &filter);
}

static void
picked_cb (HsAtlas *self, guint id, guint row, guint column)
{
  if (!has_atlas (self))
    return;
  if (id == ATTN_DRAW_ATLAS_HEAD && row < self->found->atlas->n_layers &&
      column < self->found->atlas->n_heads)
    choose_head (self, row, column);
  else if (id == ATTN_DRAW_ATLAS_CLASS && row < ATTN_N_PATTERNS)
    toggle_pattern (self, row);
}

static void
hovered_cb (HsAtlas *self, guint id, guint row, guint column)
{
  if (!has_atlas (self))
    return;
  if (id == ATTN_DRAW_ATLAS_HEAD)
    say_head (self, row, column);
  else
    say_chosen (self);
}

static void
chosen_cb (HsAtlas *self, guint layer, guint head)
{
  if (has_atlas (self) && layer < self->found->atlas->n_layers &&
      head < self->found->atlas->n_heads)
    choose_head (self, layer, head);
}

static gboolean
moved_cb (HsAtlas *self, int move)
{
  HsSession *session = peek_session (self);
  size_t layer = hs_session_get_layer (session), head = hs_session_get_head (session);
  const guint n_layers = hs_session_get_n_layers (session),
              n_heads = hs_session_get_n_heads (session);

  if (n_layers == 0 || n_heads == 0)
    return FALSE;
  hs_cursor_move_cell (&layer, &head, n_layers, n_heads, (HsMove)move);
  choose_head (self, (guint)layer, (guint)head);
  return TRUE;
}

static void
show_table (HsAtlas *self)
{
  HsSession *session = peek_session (self);

  if (self->listed != self->found) { /* its texts are made once */
    const AttnDrawAtlas drawn = get_drawn (self);
    g_clear_pointer (&self->listed, hs_atlas_found_unref);
    self->listed = hs_atlas_found_ref (self->found);
    hs_atlas_table_set_drawn (self->table, &drawn);
  }
  hs_atlas_table_set_filter (self->table, hs_session_peek_atlas (session));
  hs_atlas_table_set_head (self->table, hs_session_get_layer (session),
                           hs_session_get_head (session));
}

static void
head_changed (HsPanel *panel)
{
  HsAtlas *self = HS_ATLAS (panel);

  hs_atlas_table_set_head (self->table, hs_session_get_layer (peek_session (self)),
                           hs_session_get_head (peek_session (self)));
  hs_figure_renew (self->figure);
  say_chosen (self);
}

/* ---- the numbers ---- */

static void show (HsAtlas *self);
static void ask (HsAtlas *self, HsAnswer *answer, bool whole);

static void
found_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (HsAtlas) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (HsAtlasFound) found = hs_atlas_find_finish (result, &error);

  if (self->cancellable != g_task_get_cancellable (G_TASK (result)))
    return; /* another question has been asked since */
  g_clear_object (&self->cancellable);
  if (found == NULL || peek_session (self) == NULL)
    return;
  hs_atlas_found_unref (self->found);
  self->found = g_steal_pointer (&found);
  show (self);
}

static void
stop_asking (HsAtlas *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static void
ask (HsAtlas *self, HsAnswer *answer, bool whole)
{
  stop_asking (self);
  self->cancellable = g_cancellable_new ();
  hs_atlas_find_async (answer->maps, answer->attention, whole, self->cancellable, found_cb,
                       g_object_ref (self));
}

/* First what is quick; how far the heads are apart comes after it. */
static void
find (HsAtlas *self, HsAnswer *answer)
{
  if (answer == NULL) {
    stop_asking (self);
    g_clear_pointer (&self->maps, attn_maps_unref);
    g_clear_pointer (&self->found, hs_atlas_found_unref);
    return;
  }
  if (self->maps != answer->maps) {
    g_clear_pointer (&self->maps, attn_maps_unref);
    self->maps = attn_maps_ref (answer->maps);
    ask (self, answer, false);
  } else if (self->cancellable == NULL && has_atlas (self) && !self->found->is_whole) {
    ask (self, answer, true);
  }
}

/* ---- what is shown ---- */

static void
show_reason (HsAtlas *self)
{
  g_autofree char *reason = self->found != NULL && self->found->fault != NULL
                                ? hs_told_dup (self->found->fault->message)
                                : hs_lab_dup_reason (peek_session (self));

  gtk_label_set_text (self->reason, reason);
}

static GtkWidget *
peek_focus (HsAtlas *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return root != NULL ? gtk_root_get_focus (root) : NULL;
}

/* The figure that was waited for is there. */
static void
take_focus (HsAtlas *self)
{
  if (!self->wants_focus)
    return;
  self->wants_focus = FALSE;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)) && peek_focus (self) == self->focus_at_wish)
    gtk_widget_grab_focus (GTK_WIDGET (self->figure));
}

static void
say (GtkWidget *widget, const char *sentence)
{
  HsAtlas *self = HS_ATLAS (widget);

  gtk_label_set_text (self->said, sentence != NULL ? sentence : "");
  gtk_widget_set_visible (GTK_WIDGET (self->said), sentence != NULL);
}

static void
show (HsAtlas *self)
{
  HsSession *session = peek_session (self);

  find (self, hs_side_peek_answer (hs_session_peek_side (session)));
  const bool has_found = has_atlas (self);
  if (has_found) {
    hs_figure_renew (self->figure);
    say_chosen (self);
    show_table (self);
  } else {
    show_reason (self);
  }
  gtk_widget_set_visible (self->content, has_found);
  gtk_widget_set_visible (GTK_WIDGET (self->reason), !has_found);
  if (has_found)
    take_focus (self);
}

/* Nothing is computed for a page that nobody sees. */
static void
hs_atlas_update (HsPanel *panel)
{
  HsSession *session = hs_panel_peek_session (panel);

  if (hs_session_get_in_lab (session) && hs_session_get_lab_page (session) == ATTN_DRAW_LAB_ATLAS)
    show (HS_ATLAS (panel));
}

/* ---- out of the window ---- */

/* Returns: whether what is shown is what is asked for: a file is of that. */
static bool
is_whole (HsAtlas *self)
{
  if (!has_atlas (self))
    return false;
  if (self->found->maps == self->maps && self->found->is_whole)
    return true;
  say (GTK_WIDGET (self), _ ("Heads are still compared: try again when their map is there"));
  return false;
}

static bool
find_file (GtkWidget *widget, HsFigureFile *file)
{
  HsAtlas *self = HS_ATLAS (widget);

  if (!is_whole (self) || !hs_atlas_file_init (file, peek_session (self), self->found))
    return false;
  file->title = _ ("Save the atlas");
  return true;
}

static char *
dup_command (GtkWidget *widget)
{
  HsAtlas *self = HS_ATLAS (widget);

  return is_whole (self) ? hs_atlas_file_dup_command (peek_session (self), self->found) : NULL;
}

static const HsFigureOwner owner = {find_file, dup_command, say};

void
hs_atlas_save (HsAtlas *self, const char *format, HsAsk ask_by)
{
  g_return_if_fail (HS_IS_ATLAS (self));
  hs_figure_owner_save (&owner, GTK_WIDGET (self), format, ask_by);
}

char *
hs_atlas_dup_command (HsAtlas *self)
{
  g_return_val_if_fail (HS_IS_ATLAS (self), NULL);
  return dup_command (GTK_WIDGET (self));
}

/* ---- object ---- */

/* Arrow keys are the figure's. */
static gboolean
hs_atlas_grab_focus (GtkWidget *widget)
{
  HsAtlas *self = HS_ATLAS (widget);

  self->wants_focus = !gtk_widget_get_visible (self->content);
  self->focus_at_wish = peek_focus (self);
  return !self->wants_focus && gtk_widget_grab_focus (GTK_WIDGET (self->figure));
}

/* The work holds the page: closing its window ends both. */
static void
hs_atlas_unroot (GtkWidget *widget)
{
  stop_asking (HS_ATLAS (widget));
  g_clear_pointer (&HS_ATLAS (widget)->maps, attn_maps_unref);
  GTK_WIDGET_CLASS (hs_atlas_parent_class)->unroot (widget);
}

static void
hs_atlas_dispose (GObject *object)
{
  HsAtlas *self = HS_ATLAS (object);

  if (self->figure != NULL)
    hs_figure_set_maker (self->figure, NULL, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_ATLAS);
  self->figure = NULL;
  G_OBJECT_CLASS (hs_atlas_parent_class)->dispose (object);
}

static void
hs_atlas_finalize (GObject *object)
{
  HsAtlas *self = HS_ATLAS (object);

  hs_atlas_found_unref (self->found);
  hs_atlas_found_unref (self->listed);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->maps, attn_maps_unref);
  G_OBJECT_CLASS (hs_atlas_parent_class)->finalize (object);
}

static void
hs_atlas_class_init (HsAtlasClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_atlas_dispose;
  G_OBJECT_CLASS (klass)->finalize = hs_atlas_finalize;
  HS_PANEL_CLASS (klass)->update = hs_atlas_update;
  widget_class->grab_focus = hs_atlas_grab_focus;
  widget_class->unroot = hs_atlas_unroot;

  g_type_ensure (HS_TYPE_ATLAS_BAR);
  g_type_ensure (HS_TYPE_ATLAS_TABLE);
  g_type_ensure (HS_TYPE_FIGURE);
  g_type_ensure (HS_TYPE_SAVE_BUTTON);
  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headscope/Headscope/ui/hs-atlas.ui");
  gtk_widget_class_bind_template_child (widget_class, HsAtlas, content);
  gtk_widget_class_bind_template_child (widget_class, HsAtlas, reason);
  gtk_widget_class_bind_template_child (widget_class, HsAtlas, reading);
  gtk_widget_class_bind_template_child (widget_class, HsAtlas, said);
  gtk_widget_class_bind_template_child (widget_class, HsAtlas, figure);
  gtk_widget_class_bind_template_child (widget_class, HsAtlas, table);
}

static void
hs_atlas_init (HsAtlas *self)
{
  static const char *const watched[] = {"view",   "panels",   "state",   "atlas",
                                        "in-lab", "lab-page", "n-layers"};

  gtk_widget_init_template (GTK_WIDGET (self));
  hs_accessible_name_all (GTK_WIDGET (self));
  hs_figure_set_least_width (self->figure, LEAST_WIDTH);
  hs_figure_set_maker (self->figure, make_cb, self);
  hs_figure_add_actions (GTK_WIDGET (self), &owner);
  g_signal_connect_swapped (self->figure, "picked", G_CALLBACK (picked_cb), self);
  g_signal_connect_swapped (self->figure, "hovered", G_CALLBACK (hovered_cb), self);
  g_signal_connect_swapped (self->figure, "moved", G_CALLBACK (moved_cb), self);
  g_signal_connect_swapped (self->table, "chosen", G_CALLBACK (chosen_cb), self);
  for (size_t i = 0; i < G_N_ELEMENTS (watched); i++)
    hs_panel_watch (HS_PANEL (self), watched[i], hs_atlas_update);
  hs_panel_watch (HS_PANEL (self), "layer", head_changed);
  hs_panel_watch (HS_PANEL (self), "head", head_changed);
}
