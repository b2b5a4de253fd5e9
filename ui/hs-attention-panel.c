/* SPDX-License-Identifier: MIT */
/* Three lines about the file, and two buttons. */
#include "hs-attention-panel.h"

#include "hs-fold.h"
#include "hs-kept-tokens.h"
#include "hs-wrap-layout.h"

#include "attn/quote.h"

#include <glib/gi18n.h>

#include <string.h>

struct _HsAttentionPanel {
  HsPanel parent_instance;

  GtkLabel *name;
  GtkLabel *shape;
  GtkLabel *place;
  GtkWidget *icon, *tokens_button;
  GSignalGroup *side_signals;
};

G_DEFINE_FINAL_TYPE (HsAttentionPanel, hs_attention_panel, HS_TYPE_PANEL)

static char *
dup_size (const AttnMaps *maps)
{
  gulong n_layers = attn_maps_get_n_layers (maps), n_heads = attn_maps_get_n_heads (maps);
  g_autofree char *layers =
      g_strdup_printf (ngettext ("%lu layer", "%lu layers", n_layers), n_layers);
  g_autofree char *heads = g_strdup_printf (ngettext ("%lu head", "%lu heads", n_heads), n_heads);
  g_autofree char *tokens =
      g_strdup_printf (_ ("%zu queries × %zu keys"), attn_maps_get_n (maps, ATTN_SIDE_QUERY),
                       attn_maps_get_n (maps, ATTN_SIDE_KEY));

  return g_strdup_printf ("%s × %s · %s", layers, heads, tokens);
}

/* Which of several arrays it is. */
static char *
dup_array (const HsAttention *attention)
{
  const char *array = attention->arrays != NULL ? attn_arrays_peek_array (attention->arrays) : NULL;
  g_autofree char *named = NULL;

  if (array == NULL || attn_arrays_get_n_choices (attention->arrays) == 0)
    return g_strdup ("");
  named = g_strdup_printf (_ ("array %s"), array);
  return g_strconcat (named, " · ", NULL);
}

static char *
dup_tokens (const HsAttention *attention)
{
  g_autofree char *name = attention->place.tokens != NULL
                              ? g_filename_display_basename (attention->place.tokens)
                              : NULL;

  if (name != NULL && hs_kept_tokens_is_kept (attention->place.tokens))
    return g_strdup (_ ("tokens typed in"));
  if (name != NULL)
    return g_strdup_printf (_ ("tokens from %s"), name);
  return g_strdup (hs_attention_is_numbered (attention) ? _ ("tokens are numbered")
                                                        : _ ("tokens from the file itself"));
}

static void
show_file (HsAttentionPanel *self, const HsAttention *attention)
{
  g_autofree char *size = dup_size (attention->maps);
  g_autofree char *tokens = dup_tokens (attention);
  g_autofree char *array = dup_array (attention);
  g_autofree char *shape = g_strdup_printf ("%s%s · %s", array, size, tokens);
  g_autofree char *folder = g_path_get_dirname (attention->place.path);
  g_autofree char *shown = attn_file_dup_shown (folder, strlen (folder));
  g_autofree char *place = g_strdup_printf (
      _ ("Attention weights of another program, from %s. What needs a model is greyed out."),
      shown);

  gtk_label_set_text (self->name, attention->name);
  gtk_label_set_text (self->shape, shape);
  gtk_label_set_text (self->place, place);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->name), place);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->shape), shape);
}

static void
attention_changed_cb (HsAttentionPanel *self)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  HsAttention *attention = hs_side_peek_attention (hs_session_peek_side (session));

  gtk_widget_set_visible (GTK_WIDGET (self), attention != NULL);
  if (attention != NULL)
    show_file (self, attention);
}

void
hs_attention_panel_set_tight (HsAttentionPanel *self, bool tight)
{
  g_return_if_fail (HS_IS_ATTENTION_PANEL (self));
  gtk_widget_set_visible (GTK_WIDGET (self->place), !tight);
  gtk_widget_set_visible (self->icon, !tight);
  /* what does not fit is told by the tooltip */
  gtk_label_set_wrap (self->shape, !tight);
  gtk_label_set_ellipsize (self->shape, tight ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
  gtk_label_set_wrap (self->name, !tight);
  gtk_label_set_ellipsize (self->name, tight ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_NONE);
}

static void
hs_attention_panel_update (HsPanel *panel)
{
  HsAttentionPanel *self = HS_ATTENTION_PANEL (panel);

  g_signal_group_set_target (self->side_signals,
                             hs_session_peek_side (hs_panel_peek_session (panel)));
  attention_changed_cb (self);
}

static gboolean
hs_attention_panel_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (HS_ATTENTION_PANEL (widget)->tokens_button);
}

static void
hs_attention_panel_dispose (GObject *object)
{
  HsAttentionPanel *self = HS_ATTENTION_PANEL (object);

  if (self->side_signals != NULL)
    g_signal_group_set_target (self->side_signals, NULL);
  g_clear_object (&self->side_signals);
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_ATTENTION_PANEL);
  G_OBJECT_CLASS (hs_attention_panel_parent_class)->dispose (object);
}

static void
hs_attention_panel_class_init (HsAttentionPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_attention_panel_dispose;
  widget_class->grab_focus = hs_attention_panel_grab_focus;
  HS_PANEL_CLASS (klass)->update = hs_attention_panel_update;

  g_type_ensure (HS_TYPE_FOLD);
  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-attention-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HsAttentionPanel, name);
  gtk_widget_class_bind_template_child (widget_class, HsAttentionPanel, shape);
  gtk_widget_class_bind_template_child (widget_class, HsAttentionPanel, place);
  gtk_widget_class_bind_template_child (widget_class, HsAttentionPanel, tokens_button);
  gtk_widget_class_bind_template_child (widget_class, HsAttentionPanel, icon);
}

static void
hs_attention_panel_init (HsAttentionPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->side_signals = g_signal_group_new (HS_TYPE_SIDE);
  g_signal_group_connect_swapped (self->side_signals, "notify::attention",
                                  G_CALLBACK (attention_changed_cb), self);
}

GtkWidget *
hs_attention_panel_new (HsSession *session)
{
  return g_object_new (HS_TYPE_ATTENTION_PANEL, "session", session, NULL);
}
