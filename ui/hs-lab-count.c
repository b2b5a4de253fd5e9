/* SPDX-License-Identifier: MIT */
/* Spin buttons over a shape, and everything that follows from it. */
#include "hs-lab-count.h"

#include "hs-accessible.h"
#include "hs-format.h"
#include "hs-lab-count-tables.h"
#include "hs-lab-time.h"
#include "hs-model-name.h"
#include "hs-wrap-layout.h"

#include <glib/gi18n.h>

struct _HsLabCount {
  HsPanel parent_instance;

  GtkDropDown *preset_drop;
  GtkAdjustment *d_model, *heads, *tokens, *layers;
  GtkWidget *heads_spin;
  GtkLabel *source, *verdict;
  GtkWidget *nearest;
  HsLabTime *time;
  GtkGrid *same_grid, *changing_grid, *usual_grid;

  AttnModel *model; /* nullable: the last of the list */
  char *model_name; /* likewise, for people */
  bool is_filled;   /* by a model's or an example's numbers */
  bool is_choosing; /* numbers of an example are on their way into the spin buttons */
};

G_DEFINE_FINAL_TYPE (HsLabCount, hs_lab_count, HS_TYPE_PANEL)

GtkWidget *
hs_lab_count_new (HsSession *session)
{
  return g_object_new (HS_TYPE_LAB_COUNT, "session", session, NULL);
}

static size_t
get (GtkAdjustment *adjustment)
{
  return (size_t)gtk_adjustment_get_value (adjustment);
}

static AttnLabShape
get_shape (HsLabCount *self)
{
  return (AttnLabShape){
      .d_model = get (self->d_model),
      .n_heads = get (self->heads),
      .n_tokens = get (self->tokens),
      .n_layers = get (self->layers),
  };
}

/* ---- the verdict ---- */

static void
set_heads_cb (GtkWidget *button, gpointer heads)
{
  HsLabCount *self = HS_LAB_COUNT (gtk_widget_get_ancestor (button, HS_TYPE_LAB_COUNT));

  gtk_adjustment_set_value (self->heads, GPOINTER_TO_UINT (heads));
}

static void
set_width_cb (GtkWidget *button, gpointer width)
{
  HsLabCount *self = HS_LAB_COUNT (gtk_widget_get_ancestor (button, HS_TYPE_LAB_COUNT));

  gtk_adjustment_set_value (self->d_model, GPOINTER_TO_UINT (width));
}

static void
offer (HsLabCount *self, size_t value, bool is_width)
{
  if (value == 0)
    return;
  g_autofree char *number = hs_format_count (value);
  g_autofree char *label = is_width
                               ? g_strdup_printf (_ ("d_model %s"), number)
                               : g_strdup_printf (ngettext ("%s head", "%s heads", value), number);
  GtkWidget *button = gtk_button_new_with_label (label);

  g_signal_connect (button, "clicked",
                    is_width ? G_CALLBACK (set_width_cb) : G_CALLBACK (set_heads_cb),
                    GUINT_TO_POINTER ((guint)value));
  gtk_widget_set_parent (button, self->nearest);
}

static void
offer_all (HsLabCount *self, const AttnLabCount *count)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->nearest)) != NULL)
    gtk_widget_unparent (child);
  gtk_widget_set_visible (self->nearest, !count->divisible);
  if (count->divisible)
    return;
  offer (self, count->heads_below, false);
  offer (self, count->heads_above, false);
  offer (self, count->width_below, true);
  offer (self, count->width_above, true);
}

static void
say (HsLabCount *self, const AttnLabShape *shape, const AttnLabCount *count)
{
  g_autofree char *sentence = NULL;

  if (count->divisible)
    sentence = g_strdup_printf (
        ngettext (
            "d_k = d_model / h = %zu / %zu = %zu: each head reads all %zu numbers of a token and "
            "makes %zu number of its own",
            "d_k = d_model / h = %zu / %zu = %zu: each head reads all %zu numbers of a token and "
            "makes %zu numbers of its own",
            count->d_k),
        shape->d_model, shape->n_heads, count->d_k, shape->d_model, count->d_k);
  else
    sentence = g_strdup_printf (
        _ ("%zu heads alike cannot make %zu numbers together: %zu / %zu is not a whole number"),
        shape->n_heads, shape->d_model, shape->d_model, shape->n_heads);
  gtk_label_set_text (self->verdict, sentence);
  if (count->divisible)
    gtk_widget_remove_css_class (self->heads_spin, "error");
  else
    gtk_widget_add_css_class (self->heads_spin, "error");
  gtk_accessible_update_state (
      GTK_ACCESSIBLE (self->heads_spin), GTK_ACCESSIBLE_STATE_INVALID,
      count->divisible ? GTK_ACCESSIBLE_INVALID_FALSE : GTK_ACCESSIBLE_INVALID_TRUE, -1);
}

/* ---- examples: one's own numbers, those that were published, the opened model's ---- */

static bool
get_example (HsLabCount *self, guint index, AttnLabPreset *example)
{
  size_t n;
  const AttnLabPreset *presets = attn_lab_peek_presets (&n);

  if (index >= 1 && index <= n) {
    *example = presets[index - 1];
    return true;
  }
  if (index != n + 1 || self->model == NULL)
    return false;
  const AttnConfig *config = attn_model_peek_config (self->model);
  *example = (AttnLabPreset){self->model_name, _ ("the opened model"), config->d_model,
                             config->n_heads, config->n_layers};
  return true;
}

static guint
find_example (HsLabCount *self, const AttnLabShape *shape)
{
  AttnLabPreset example;

  for (guint i = 1; get_example (self, i, &example); i++)
    if (example.d_model == shape->d_model && example.n_heads == shape->n_heads &&
        example.n_layers == shape->n_layers)
      return i;
  return 0;
}

static void
tell_source (HsLabCount *self, guint index)
{
  AttnLabPreset example;

  if (!get_example (self, index, &example)) {
    gtk_label_set_text (self->source, _ ("Numbers of your own"));
    return;
  }
  g_autofree char *text =
      g_strdup_printf (_ ("%s: d_model %zu, %zu heads, %zu layers (%s)"), example.name,
                       example.d_model, example.n_heads, example.n_layers, example.source);
  gtk_label_set_text (self->source, text);
}

static void
shape_changed_cb (HsLabCount *self)
{
  if (self->is_choosing)
    return;
  const AttnLabShape shape = get_shape (self);
  AttnLabCount count;

  attn_lab_count (&shape, &count);
  say (self, &shape, &count);
  offer_all (self, &count);
  hs_lab_count_fill_same (self->same_grid, &shape);
  hs_lab_count_fill_changing (self->changing_grid, &shape);
  hs_lab_time_set_shape (self->time, &shape);
  self->is_choosing = true;
  gtk_drop_down_set_selected (self->preset_drop, find_example (self, &shape));
  self->is_choosing = false;
  tell_source (self, gtk_drop_down_get_selected (self->preset_drop));
}

static void
use_example (HsLabCount *self, guint index)
{
  AttnLabPreset example;

  if (!get_example (self, index, &example))
    return;
  self->is_choosing = true;
  gtk_adjustment_set_value (self->d_model, (double)example.d_model);
  gtk_adjustment_set_value (self->heads, (double)example.n_heads);
  gtk_adjustment_set_value (self->layers, (double)example.n_layers);
  self->is_choosing = false;
  shape_changed_cb (self);
}

static void
example_chosen_cb (HsLabCount *self)
{
  if (!self->is_choosing)
    use_example (self, gtk_drop_down_get_selected (self->preset_drop));
}

static void
list_examples (HsLabCount *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  AttnLabPreset example;

  gtk_string_list_append (names, _ ("Own numbers"));
  for (guint i = 1; get_example (self, i, &example); i++)
    gtk_string_list_append (names, example.name);
  self->is_choosing = true;
  gtk_drop_down_set_model (self->preset_drop, G_LIST_MODEL (names));
  self->is_choosing = false;
}

/* ---- the session ---- */

/* The opened model is an example among others; the page begins with it. */
static void
hs_lab_count_update (HsPanel *panel)
{
  HsLabCount *self = HS_LAB_COUNT (panel);
  HsSession *session = hs_panel_peek_session (panel);
  AttnModel *model = hs_side_peek_model (hs_session_peek_side (session));
  const guint n_tokens = hs_session_get_n_tokens (session);

  if (model != self->model) {
    g_clear_pointer (&self->model, attn_model_unref);
    self->model = model != NULL ? attn_model_ref (model) : NULL;
    g_free (self->model_name);
    self->model_name = model != NULL ? hs_model_name_dup_loaded (model) : NULL;
    list_examples (self);
  }
  if (!self->is_filled && self->model != NULL && n_tokens > 0) {
    size_t n;

    attn_lab_peek_presets (&n);
    self->is_filled = true;
    gtk_adjustment_set_value (self->tokens, n_tokens);
    use_example (self, (guint)n + 1);
  }
  shape_changed_cb (self);
}

static void
hs_lab_count_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_LAB_COUNT);
  G_OBJECT_CLASS (hs_lab_count_parent_class)->dispose (object);
}

static void
hs_lab_count_finalize (GObject *object)
{
  g_clear_pointer (&HS_LAB_COUNT (object)->model, attn_model_unref);
  g_free (HS_LAB_COUNT (object)->model_name);
  G_OBJECT_CLASS (hs_lab_count_parent_class)->finalize (object);
}

static void
hs_lab_count_class_init (HsLabCountClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_lab_count_dispose;
  G_OBJECT_CLASS (klass)->finalize = hs_lab_count_finalize;
  HS_PANEL_CLASS (klass)->update = hs_lab_count_update;

  g_type_ensure (HS_TYPE_LAB_TIME);
  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headscope/Headscope/ui/hs-lab-count.ui");
  gtk_widget_class_bind_template_child (widget_class, HsLabCount, preset_drop);
  gtk_widget_class_bind_template_child (widget_class, HsLabCount, d_model);
  gtk_widget_class_bind_template_child (widget_class, HsLabCount, heads);
  gtk_widget_class_bind_template_child (widget_class, HsLabCount, heads_spin);
  gtk_widget_class_bind_template_child (widget_class, HsLabCount, tokens);
  gtk_widget_class_bind_template_child (widget_class, HsLabCount, layers);
  gtk_widget_class_bind_template_child (widget_class, HsLabCount, source);
  gtk_widget_class_bind_template_child (widget_class, HsLabCount, verdict);
  gtk_widget_class_bind_template_child (widget_class, HsLabCount, time);
  gtk_widget_class_bind_template_child (widget_class, HsLabCount, nearest);
  gtk_widget_class_bind_template_child (widget_class, HsLabCount, same_grid);
  gtk_widget_class_bind_template_child (widget_class, HsLabCount, changing_grid);
  gtk_widget_class_bind_template_child (widget_class, HsLabCount, usual_grid);
}

static void
hs_lab_count_init (HsLabCount *self)
{
  GtkAdjustment **adjustments[] = {&self->d_model, &self->heads, &self->tokens, &self->layers};

  gtk_widget_init_template (GTK_WIDGET (self));
  hs_accessible_name_all (GTK_WIDGET (self));
  list_examples (self);
  hs_lab_count_fill_usual (self->usual_grid);
  for (size_t i = 0; i < G_N_ELEMENTS (adjustments); i++)
    g_signal_connect_swapped (*adjustments[i], "value-changed", G_CALLBACK (shape_changed_cb),
                              self);
  g_signal_connect_swapped (self->preset_drop, "notify::selected", G_CALLBACK (example_chosen_cb),
                            self);
  hs_panel_watch (HS_PANEL (self), "n-tokens", hs_lab_count_update);
}
