/* SPDX-License-Identifier: MIT */
/* A sentence about the model or the file, further ones for those who ask, and a way to be rid of
 * all. */
#include "hs-warning-strip.h"

#include "hs-told.h"

#include <glib/gi18n.h>

struct _HsWarningStrip {
  HsPanel parent_instance;

  GtkScrolledWindow *scroller;
  GtkLabel *sentences;
  GtkToggleButton *more;
  bool is_compact;
  /* referenced: whose warnings are told, or were dismissed */
  AttnModel *model;
  HsAttention *attention;
  HsAttention *attention_b; /* nullable: while it is compared */
};

G_DEFINE_FINAL_TYPE (HsWarningStrip, hs_warning_strip, HS_TYPE_PANEL)

static void
update_more (HsWarningStrip *self, size_t n, bool shows_all)
{
  g_autofree char *label =
      n > 1 && !self->is_compact
          ? g_strdup_printf (g_dngettext (NULL, "and %zu more", "and %zu more", n - 1), n - 1)
          : g_strdup (_ ("More"));

  gtk_button_set_label (GTK_BUTTON (self->more), shows_all ? _ ("Show fewer") : label);
  gtk_widget_set_visible (GTK_WIDGET (self->more), n > 1 || self->is_compact);
}

/* Returns: (transfer container): of A, and of a file that is B. */
static GPtrArray *
list_warnings (HsWarningStrip *self)
{
  GPtrArray *warnings = g_ptr_array_new ();
  HsSide *side = hs_session_peek_side (hs_panel_peek_session (HS_PANEL (self)));

  for (size_t i = 0; i < hs_side_get_n_warnings (side); i++)
    g_ptr_array_add (warnings, (gpointer)(guintptr)hs_side_peek_warning (side, i));
  for (size_t i = 0; self->attention_b != NULL && self->attention_b->warnings[i] != NULL; i++)
    g_ptr_array_add (warnings, self->attention_b->warnings[i]);
  return warnings;
}

/* All sentences while the button is down, else the first, of which a small window has room for one
 * line. */
static void
show_warnings (HsWarningStrip *self)
{
  g_autoptr (GPtrArray) warnings = list_warnings (self);
  const guint n = warnings->len;
  const bool shows_all = gtk_toggle_button_get_active (self->more);
  const bool is_short = self->is_compact && !shows_all;
  g_autoptr (GString) lines = g_string_new (NULL);

  for (guint i = 0; i < (shows_all ? n : MIN (n, 1)); i++) {
    g_autofree char *told = hs_told_dup (g_ptr_array_index (warnings, i));
    g_string_append_printf (lines, "%s%s", i > 0 ? "\n" : "", told);
  }
  gtk_label_set_text (self->sentences, lines->str);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->sentences), is_short ? lines->str : NULL);
  gtk_label_set_wrap (self->sentences, !is_short);
  gtk_label_set_ellipsize (self->sentences, is_short ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
  /* what scrolls is never as low as one line */
  gtk_scrolled_window_set_policy (self->scroller, GTK_POLICY_NEVER,
                                  is_short ? GTK_POLICY_NEVER : GTK_POLICY_AUTOMATIC);
  update_more (self, n, shows_all);
}

static void
forget (HsWarningStrip *self)
{
  g_clear_pointer (&self->model, attn_model_unref);
  g_clear_pointer (&self->attention, hs_attention_unref);
  g_clear_pointer (&self->attention_b, hs_attention_unref);
}

/* Returns: (nullable): the file that is compared with. */
static HsAttention *
peek_compared (HsSession *session)
{
  return hs_session_get_kind (session) == ATTN_DRAW_COMPARE
             ? hs_side_peek_attention (hs_session_peek_side_b (session))
             : NULL;
}

static void
hs_warning_strip_update (HsPanel *panel)
{
  HsWarningStrip *self = HS_WARNING_STRIP (panel);
  HsSide *side = hs_session_peek_side (hs_panel_peek_session (panel));
  AttnModel *model = hs_side_peek_model (side);
  HsAttention *attention = hs_side_peek_attention (side);
  HsAttention *attention_b = peek_compared (hs_panel_peek_session (panel));
  if (model == self->model && attention == self->attention && attention_b == self->attention_b)
    return;
  forget (self);
  self->model = model != NULL ? attn_model_ref (model) : NULL;
  self->attention = attention != NULL ? hs_attention_ref (attention) : NULL;
  self->attention_b = attention_b != NULL ? hs_attention_ref (attention_b) : NULL;
  gtk_toggle_button_set_active (self->more, FALSE);
  show_warnings (self);
  g_autoptr (GPtrArray) warnings = list_warnings (self);
  gtk_widget_set_visible (GTK_WIDGET (self), warnings->len > 0);
}

void
hs_warning_strip_set_compact (HsWarningStrip *self, bool is_compact)
{
  g_return_if_fail (HS_IS_WARNING_STRIP (self));
  if (is_compact == self->is_compact)
    return;
  self->is_compact = is_compact;
  gtk_toggle_button_set_active (self->more, FALSE);
  show_warnings (self);
}

static void
dismiss_cb (HsWarningStrip *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  /* the keyboard must not be left on what is about to vanish */
  if (root != NULL && gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL)
    gtk_widget_child_focus (GTK_WIDGET (root), GTK_DIR_TAB_FORWARD);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static void
hs_warning_strip_dispose (GObject *object)
{
  forget (HS_WARNING_STRIP (object));
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_WARNING_STRIP);
  G_OBJECT_CLASS (hs_warning_strip_parent_class)->dispose (object);
}

static void
hs_warning_strip_class_init (HsWarningStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_warning_strip_dispose;
  HS_PANEL_CLASS (klass)->update = hs_warning_strip_update;

  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_ALERT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-warning-strip.ui");
  gtk_widget_class_bind_template_child (widget_class, HsWarningStrip, scroller);
  gtk_widget_class_bind_template_child (widget_class, HsWarningStrip, sentences);
  gtk_widget_class_bind_template_child (widget_class, HsWarningStrip, more);
  gtk_widget_class_bind_template_callback (widget_class, show_warnings);
  gtk_widget_class_bind_template_callback (widget_class, dismiss_cb);
}

static void
hs_warning_strip_init (HsWarningStrip *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  /* the number of layers is told anew with every model and file */
  hs_panel_watch (HS_PANEL (self), "n-layers", hs_warning_strip_update);
  hs_panel_watch (HS_PANEL (self), "n-layers-b", hs_warning_strip_update);
  hs_panel_watch (HS_PANEL (self), "kind", hs_warning_strip_update);
}

GtkWidget *
hs_warning_strip_new (HsSession *session)
{
  return g_object_new (HS_TYPE_WARNING_STRIP, "session", session, NULL);
}
