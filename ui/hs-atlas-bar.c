/* SPDX-License-Identifier: MIT */
/* Two lists to choose from, over the session's filter. */
#include "hs-atlas-bar.h"

#include "hs-accessible.h"
#include "hs-format.h"
#include "hs-wrap-layout.h"

#include "attn-draw/atlas.h"

#include <glib/gi18n.h>

struct _HsAtlasBar {
  HsPanel parent_instance;

  GtkDropDown *pattern_drop, *layer_drop;
  guint n_layers;  /* in the list */
  bool is_showing; /* the session's filter: nobody chose anything */
};

G_DEFINE_FINAL_TYPE (HsAtlasBar, hs_atlas_bar, HS_TYPE_PANEL)

static void
fill_patterns (HsAtlasBar *self)
{
  const AttnDrawAtlas drawn = {.translate = hs_translate};
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  gtk_string_list_append (names, _ ("all"));
  for (AttnPattern pattern = 0; pattern < ATTN_N_PATTERNS; pattern++)
    gtk_string_list_append (names, attn_draw_atlas_peek_pattern (&drawn, pattern));
  gtk_drop_down_set_model (self->pattern_drop, G_LIST_MODEL (names));
}

static void
fill_layers (HsAtlasBar *self, guint n_layers)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  if (n_layers == self->n_layers)
    return;
  self->n_layers = n_layers;
  gtk_string_list_append (names, _ ("all"));
  for (guint layer = 1; layer <= n_layers; layer++) {
    g_autofree char *number = g_strdup_printf ("%u", layer);
    gtk_string_list_append (names, number);
  }
  gtk_drop_down_set_model (self->layer_drop, G_LIST_MODEL (names));
}

/* A layer that the model has not is as good as all. */
static void
hs_atlas_bar_update (HsPanel *panel)
{
  HsAtlasBar *self = HS_ATLAS_BAR (panel);
  HsSession *session = hs_panel_peek_session (panel);
  const AttnDrawAtlasFilter *filter = hs_session_peek_atlas (session);
  const guint n_layers = hs_session_get_n_layers (session);

  self->is_showing = true;
  fill_layers (self, n_layers);
  gtk_drop_down_set_selected (self->pattern_drop, filter->pattern);
  gtk_drop_down_set_selected (self->layer_drop,
                              filter->layer <= n_layers ? (guint)filter->layer : 0);
  self->is_showing = false;
}

static void
chosen_cb (HsAtlasBar *self)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  const guint pattern = gtk_drop_down_get_selected (self->pattern_drop);
  const guint layer = gtk_drop_down_get_selected (self->layer_drop);

  if (self->is_showing || session == NULL || pattern > ATTN_N_PATTERNS || layer > self->n_layers)
    return;
  hs_session_set_atlas (session, &(AttnDrawAtlasFilter){pattern, layer});
}

static void
hs_atlas_bar_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_ATLAS_BAR);
  G_OBJECT_CLASS (hs_atlas_bar_parent_class)->dispose (object);
}

static void
hs_atlas_bar_class_init (HsAtlasBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_atlas_bar_dispose;
  HS_PANEL_CLASS (klass)->update = hs_atlas_bar_update;
  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headscope/Headscope/ui/hs-atlas-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, HsAtlasBar, pattern_drop);
  gtk_widget_class_bind_template_child (widget_class, HsAtlasBar, layer_drop);
}

static void
hs_atlas_bar_init (HsAtlasBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hs_accessible_name_all (GTK_WIDGET (self));
  fill_patterns (self);
  g_signal_connect_swapped (self->pattern_drop, "notify::selected", G_CALLBACK (chosen_cb), self);
  g_signal_connect_swapped (self->layer_drop, "notify::selected", G_CALLBACK (chosen_cb), self);
  hs_panel_watch (HS_PANEL (self), "atlas", hs_atlas_bar_update);
  hs_panel_watch (HS_PANEL (self), "n-layers", hs_atlas_bar_update);
}
