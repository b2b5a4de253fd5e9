/* SPDX-License-Identifier: MIT */
/* Sizes and warnings of the opened model, or of the file that is shown. */
#include "hs-facts-panel.h"

#include "hs-format.h"
#include "hs-kept-tokens.h"
#include "hs-model-name.h"
#include "hs-told.h"

#include "attn/quote.h"

#include <glib/gi18n.h>

#include <string.h>

#define SPACING 10 /* px at least between a name and its value */

struct _HsFactsPanel {
  HsPanel parent_instance;

  GtkLabel *heading;
  GtkGrid *grid;
  GtkLabel *warnings;
  /* referenced: whose facts are shown */
  AttnModel *model;
  HsAttention *attention;
  int n_lines;
};

G_DEFINE_FINAL_TYPE (HsFactsPanel, hs_facts_panel, HS_TYPE_PANEL)

static void
remove_lines (HsFactsPanel *self)
{
  for (; self->n_lines > 0; self->n_lines--)
    gtk_grid_remove_row (self->grid, self->n_lines - 1);
}

/* A line's name takes no more room than it needs: a value has the rest of its own line. */
static GtkLabel *
add_line (HsFactsPanel *self, const char *name, const char *value)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
  GtkWidget *name_label = gtk_label_new (name);
  GtkWidget *value_label = gtk_label_new (value);
  gtk_label_set_xalign (GTK_LABEL (name_label), 0);
  gtk_label_set_wrap (GTK_LABEL (name_label), TRUE);
  gtk_widget_add_css_class (name_label, "dim-label");
  gtk_label_set_xalign (GTK_LABEL (value_label), 1);
  gtk_widget_set_hexpand (value_label, TRUE);
  gtk_widget_add_css_class (value_label, "numeric");
  gtk_box_append (GTK_BOX (line), name_label);
  gtk_box_append (GTK_BOX (line), value_label);
  gtk_grid_attach (self->grid, line, 0, self->n_lines++, 1, 1);
  return GTK_LABEL (value_label);
}

/* Whole however long it is: it goes on in the next line. */
static GtkLabel *
add_text (HsFactsPanel *self, const char *name, const char *value)
{
  GtkLabel *label = add_line (self, name, value);
  gtk_label_set_wrap (label, TRUE);
  gtk_label_set_wrap_mode (label, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_justify (label, GTK_JUSTIFY_RIGHT);
  return label;
}

/* @place: (nullable): where that is, which tells two of one name apart */
static void
add_name (HsFactsPanel *self, const char *name, const char *place)
{
  gtk_widget_set_tooltip_text (GTK_WIDGET (add_text (self, _ ("name"), name)), place);
}

static void
add_count (HsFactsPanel *self, const char *name, size_t count)
{
  g_autofree char *value = hs_format_count (count);
  add_line (self, name, value);
}

static void
add_file_lines (HsFactsPanel *self, const HsAttention *attention)
{
  AttnMaps *maps = attention->maps;
  g_autofree char *tokens = attention->place.tokens != NULL
                                ? g_filename_display_basename (attention->place.tokens)
                                : NULL;
  g_autofree char *place =
      attn_file_dup_shown (attention->place.path, strlen (attention->place.path));
  add_name (self, attention->name, place);
  add_count (self, _ ("layers"), attn_maps_get_n_layers (maps));
  add_count (self, _ ("heads in each layer"), attn_maps_get_n_heads (maps));
  add_count (self, _ ("queries"), attn_maps_get_n (maps, ATTN_SIDE_QUERY));
  add_count (self, _ ("keys"), attn_maps_get_n (maps, ATTN_SIDE_KEY));
  add_text (self, _ ("tokens"),
            tokens != NULL && hs_kept_tokens_is_kept (attention->place.tokens)
                ? _ ("tokens typed in")
            : tokens != NULL                       ? tokens
            : hs_attention_is_numbered (attention) ? _ ("numbered")
                                                   : _ ("from the file itself"));
}

static void
add_lines (HsFactsPanel *self, AttnModel *model)
{
  const AttnConfig *config = attn_model_peek_config (model);
  g_autofree char *name = hs_model_name_dup_loaded (model);
  g_autofree char *place = hs_model_name_dup_place (model);
  AttnParameterCounts counts;
  attn_model_get_parameter_counts (model, &counts);
  add_name (self, name, place);
  add_text (self, _ ("family"), config->family);
  add_count (self, _ ("layers"), config->n_layers);
  add_count (self, _ ("heads in each layer"), config->n_heads);
  add_count (self, _ ("width d_model"), config->d_model);
  add_count (self, _ ("width of a head d_k"), config->d_k);
  add_count (self, _ ("parameters"), counts.total);
  add_count (self, _ ("in one attention block"), counts.attention_block);
  add_count (self, _ ("without biases, 4·d_model²"), counts.attention_block_no_bias);
}

static void
show_warnings (HsFactsPanel *self, HsSide *side)
{
  GString *lines = g_string_new (NULL);
  for (size_t i = 0; i < hs_side_get_n_warnings (side); i++) {
    g_autofree char *told = hs_told_dup (hs_side_peek_warning (side, i));
    g_string_append_printf (lines, "%s%s", i > 0 ? "\n\n" : "", told);
  }
  gtk_label_set_text (self->warnings, lines->str);
  gtk_widget_set_visible (GTK_WIDGET (self->warnings), lines->len > 0);
  g_string_free (lines, TRUE);
}

static void
forget (HsFactsPanel *self)
{
  g_clear_pointer (&self->model, attn_model_unref);
  g_clear_pointer (&self->attention, hs_attention_unref);
}

static void
hs_facts_panel_update (HsPanel *panel)
{
  HsFactsPanel *self = HS_FACTS_PANEL (panel);
  HsSide *side = hs_session_peek_side (hs_panel_peek_session (panel));
  AttnModel *model = hs_side_peek_model (side);
  HsAttention *attention = hs_side_peek_attention (side);
  gtk_widget_set_visible (GTK_WIDGET (self), model != NULL || attention != NULL);
  if (model == self->model && attention == self->attention)
    return;
  forget (self);
  self->model = model != NULL ? attn_model_ref (model) : NULL;
  self->attention = attention != NULL ? hs_attention_ref (attention) : NULL;
  remove_lines (self);
  if (attention != NULL)
    add_file_lines (self, attention);
  else if (model != NULL)
    add_lines (self, model);
  gtk_label_set_text (self->heading, attention != NULL ? _ ("Attention file") : _ ("Model"));
  show_warnings (self, side);
}

static void
hs_facts_panel_dispose (GObject *object)
{
  forget (HS_FACTS_PANEL (object));
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_FACTS_PANEL);
  G_OBJECT_CLASS (hs_facts_panel_parent_class)->dispose (object);
}

static void
hs_facts_panel_class_init (HsFactsPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_facts_panel_dispose;
  HS_PANEL_CLASS (klass)->update = hs_facts_panel_update;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-facts-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HsFactsPanel, heading);
  gtk_widget_class_bind_template_child (widget_class, HsFactsPanel, grid);
  gtk_widget_class_bind_template_child (widget_class, HsFactsPanel, warnings);
}

static void
hs_facts_panel_init (HsFactsPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  /* the number of layers is told anew with every model and file */
  hs_panel_watch (HS_PANEL (self), "n-layers", hs_facts_panel_update);
  hs_panel_watch (HS_PANEL (self), "view", hs_facts_panel_update);
}

GtkWidget *
hs_facts_panel_new (HsSession *session)
{
  return g_object_new (HS_TYPE_FACTS_PANEL, "session", session, NULL);
}
