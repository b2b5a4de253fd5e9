/* SPDX-License-Identifier: MIT */
/* Buttons and fields over the session's AttnAblationAsked. */
#include "hs-ablation-bar.h"

#include "hs-ablation-labels.h"
#include "hs-ablation-switches.h"
#include "hs-accessible.h"
#include "hs-switch.h"
#include "hs-wrap-layout.h"

#include <glib/gi18n.h>

#include <math.h>

struct _HsAblationBar {
  HsPanel parent_instance;

  GtkEditable *patch_entry;
  GtkMenuButton *label_button;
  GtkWidget *draws, *importance_button, *switches;
  GtkAdjustment *draws_adjustment, *seed_adjustment;
  GtkLabel *no_importance;

  GSimpleActionGroup *actions;
  const HsAblationFound *found; /* nullable; borrowed, as each */
  const HsAblationEach *each;
  bool is_updating; /* fields take what is asked over, and do not ask */
};

G_DEFINE_FINAL_TYPE (HsAblationBar, hs_ablation_bar, HS_TYPE_PANEL)

/* ---- switches ---- */

AttnHeadGates *
hs_ablation_dup_gates (HsSession *session)
{
  const guint n_layers = hs_session_get_n_layers (session),
              n_heads = hs_session_get_n_heads (session);

  return n_layers > 0 && n_heads > 0
             ? hs_switches_read (hs_session_peek_ablation (session)->off, n_layers, n_heads)
             : NULL;
}

void
hs_ablation_set_gates (HsSession *session, AttnHeadGates *gates)
{
  AttnAblationAsked asked = *hs_session_peek_ablation (session);
  g_autofree char *off = attn_head_list_dup (gates);

  asked.off = off;
  hs_session_set_ablation (session, &asked);
  attn_head_gates_free (gates);
}

/* Returns: (transfer full) (nullable): how much each head matters, by removing it or by gradients.
 */
static double *
dup_sizes (HsAblationBar *self)
{
  if (self->found == NULL || self->found->clean == NULL)
    return NULL;
  const size_t n = self->found->clean->n_layers * self->found->clean->n_heads;
  if (self->each == NULL)
    return self->found->importance != NULL
               ? g_memdup2 (self->found->importance->importance, n * sizeof (double))
               : NULL;
  double *sizes = g_new (double, n);
  for (size_t i = 0; i < n; i++)
    sizes[i] = fabs (self->each->losses[i] - self->found->clean->task->loss);
  return sizes;
}

static void
heads_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter, gpointer data)
{
  HsAblationBar *self = data;
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  AttnHeadGates *gates = session != NULL ? hs_ablation_dup_gates (session) : NULL;
  g_autofree double *sizes = dup_sizes (self);

  if (gates == NULL)
    return;
  for (int i = 0; i < HS_N_SWITCHES; i++)
    if (g_str_equal (hs_switches_names[i], g_variant_get_string (parameter, NULL)))
      hs_switches_apply (gates, (HsSwitches)i, hs_session_get_layer (session),
                         hs_session_get_head (session), sizes);
  hs_ablation_set_gates (session, gates);
}

/* ---- the other choices ---- */

static void
change_kind_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value, gpointer data)
{
  HsSession *session = hs_panel_peek_session (data);
  const AttnAblateKind kind = attn_ablate_kind_find (g_variant_get_string (value, NULL));

  if (session == NULL || kind == ATTN_N_ABLATE_KINDS)
    return;
  AttnAblationAsked asked = *hs_session_peek_ablation (session);
  asked.kind = kind;
  hs_session_set_ablation (session, &asked);
}

static void
change_figure_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value, gpointer data)
{
  HsSession *session = hs_panel_peek_session (data);

  if (session == NULL)
    return;
  AttnAblationAsked asked = *hs_session_peek_ablation (session);
  asked.figure = g_str_equal (g_variant_get_string (value, NULL), "pruning")
                     ? ATTN_ABLATION_PRUNING
                     : ATTN_ABLATION_SWITCHES;
  hs_session_set_ablation (session, &asked);
}

static void
change_importance_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value, gpointer data)
{
  HsSession *session = hs_panel_peek_session (data);

  if (session == NULL)
    return;
  AttnAblationAsked asked = *hs_session_peek_ablation (session);
  asked.importance = g_variant_get_boolean (value);
  hs_session_set_ablation (session, &asked);
}

static void
numbers_changed_cb (HsAblationBar *self)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));

  if (session == NULL || self->is_updating)
    return;
  AttnAblationAsked asked = *hs_session_peek_ablation (session);
  asked.n_draws = (size_t)gtk_adjustment_get_value (self->draws_adjustment);
  asked.seed = (size_t)gtk_adjustment_get_value (self->seed_adjustment);
  hs_session_set_ablation (session, &asked);
}

static void
patch_changed_cb (HsAblationBar *self)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  const char *text = gtk_editable_get_text (self->patch_entry);

  if (session == NULL || self->is_updating)
    return;
  AttnAblationAsked asked = *hs_session_peek_ablation (session);
  asked.patch = *text != '\0' ? (char *)(guintptr)text : NULL; /* is copied */
  hs_session_set_ablation (session, &asked);
}

/* The labels that are asked for from now on. */
static void
labels_cb (const char *labels, gpointer data)
{
  HsSession *session = hs_panel_peek_session (data);

  if (session == NULL)
    return;
  AttnAblationAsked asked = *hs_session_peek_ablation (session);
  asked.labels = (char *)(guintptr)labels; /* is copied */
  hs_session_set_ablation (session, &asked);
}

static void
make_labels_cb (GtkMenuButton *button, gpointer data)
{
  HsAblationBar *self = data;

  gtk_menu_button_set_popover (button,
                               self->found != NULL && self->found->clean != NULL
                                   ? hs_ablation_labels_new (self->found->clean, labels_cb, self)
                                   : NULL);
}

/* ---- what is seen ---- */

/* Returns: (nullable): why there is no importance by gradients, translated. */
static const char *
peek_no_importance (HsSession *session)
{
  AttnModel *model = hs_side_peek_model (hs_session_peek_side (session));

  if (model == NULL)
    return NULL;
  if (!attn_model_has_lm_head (model))
    return _ ("No importance by gradients: this model guesses no words, and the sentence’s vector "
              "compared with itself has no gradient");
  if (g_str_has_prefix (attn_model_peek_config (model)->family, "deberta"))
    return _ ("No importance by gradients for DeBERTa: the way back through its scores is not "
              "built");
  return NULL;
}

static void
set_state (HsAblationBar *self, const char *name, GVariant *state)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), name);

  g_simple_action_set_state (G_SIMPLE_ACTION (action), state);
}

static void
show_importance (HsAblationBar *self, HsSession *session)
{
  const char *reason = peek_no_importance (session);
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), "importance");

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), reason == NULL);
  gtk_label_set_text (self->no_importance, reason != NULL ? reason : "");
  gtk_widget_set_visible (GTK_WIDGET (self->no_importance), reason != NULL);
}

static void
show_task (HsAblationBar *self)
{
  const AttnTask *task =
      self->found != NULL && self->found->clean != NULL ? self->found->clean->task : NULL;
  const bool has_labels =
      task != NULL && (task->kind == ATTN_TASK_GUESSED || task->kind == ATTN_TASK_LABELLED);

  gtk_widget_set_visible (self->draws, task != NULL && task->kind == ATTN_TASK_DRAWN);
  gtk_widget_set_visible (GTK_WIDGET (self->label_button), has_labels);
  if (!has_labels)
    return;
  g_autofree char *words = hs_ablation_labels_dup (self->found->clean);
  g_autofree char *text = g_strdup_printf (_ ("Loss of [MASK] = %s"), words);
  gtk_menu_button_set_label (self->label_button, text);
}

static void
hs_ablation_bar_update (HsPanel *panel)
{
  HsAblationBar *self = HS_ABLATION_BAR (panel);
  HsSession *session = hs_panel_peek_session (panel);
  const AttnAblationAsked *asked = hs_session_peek_ablation (session);
  const char *patch = asked->patch != NULL ? asked->patch : "";

  self->is_updating = true;
  set_state (self, "kind", g_variant_new_string (attn_ablate_kind_peek_name (asked->kind)));
  set_state (self, "figure", g_variant_new_string (attn_ablation_figure_names[asked->figure]));
  gtk_widget_set_visible (self->switches, asked->figure == ATTN_ABLATION_SWITCHES);
  gtk_widget_set_visible (self->importance_button, asked->figure == ATTN_ABLATION_SWITCHES);
  set_state (self, "importance", g_variant_new_boolean (asked->importance));
  gtk_widget_set_visible (GTK_WIDGET (self->patch_entry), asked->kind == ATTN_ABLATE_PATCH);
  if (!g_str_equal (gtk_editable_get_text (self->patch_entry), patch))
    gtk_editable_set_text (self->patch_entry, patch);
  gtk_adjustment_set_value (self->draws_adjustment, (double)asked->n_draws);
  gtk_adjustment_set_value (self->seed_adjustment, (double)asked->seed);
  self->is_updating = false;
  show_importance (self, session);
  show_task (self);
}

void
hs_ablation_bar_set_found (HsAblationBar *self,
                           const HsAblationFound *found,
                           const HsAblationEach *each)
{
  g_return_if_fail (HS_IS_ABLATION_BAR (self));
  self->found = found;
  self->each = each;
  if (hs_panel_peek_session (HS_PANEL (self)) != NULL)
    hs_ablation_bar_update (HS_PANEL (self));
}

/* ---- object ---- */

static void
hs_ablation_bar_dispose (GObject *object)
{
  gtk_widget_insert_action_group (GTK_WIDGET (object), "ablation", NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_ABLATION_BAR);
  g_clear_object (&HS_ABLATION_BAR (object)->actions);
  G_OBJECT_CLASS (hs_ablation_bar_parent_class)->dispose (object);
}

static void
hs_ablation_bar_class_init (HsAblationBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_ablation_bar_dispose;
  HS_PANEL_CLASS (klass)->update = hs_ablation_bar_update;
  g_type_ensure (HS_TYPE_SWITCH);
  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-ablation-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, HsAblationBar, patch_entry);
  gtk_widget_class_bind_template_child (widget_class, HsAblationBar, label_button);
  gtk_widget_class_bind_template_child (widget_class, HsAblationBar, draws);
  gtk_widget_class_bind_template_child (widget_class, HsAblationBar, draws_adjustment);
  gtk_widget_class_bind_template_child (widget_class, HsAblationBar, seed_adjustment);
  gtk_widget_class_bind_template_child (widget_class, HsAblationBar, importance_button);
  gtk_widget_class_bind_template_child (widget_class, HsAblationBar, no_importance);
  gtk_widget_class_bind_template_child (widget_class, HsAblationBar, switches);
}

static void
hs_ablation_bar_init (HsAblationBar *self)
{
  static const GActionEntry entries[] = {
      {.name = "heads", .activate = heads_cb, .parameter_type = "s"},
      {.name = "kind", .parameter_type = "s", .state = "'zero'", .change_state = change_kind_cb},
      {.name = "figure",
       .parameter_type = "s",
       .state = "'switches'",
       .change_state = change_figure_cb},
      {.name = "importance", .state = "false", .change_state = change_importance_cb},
  };

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "ablation", G_ACTION_GROUP (self->actions));
  gtk_widget_init_template (GTK_WIDGET (self));
  hs_accessible_name_all (GTK_WIDGET (self));
  gtk_menu_button_set_create_popup_func (self->label_button, make_labels_cb, self, NULL);
  g_signal_connect_swapped (self->patch_entry, "changed", G_CALLBACK (patch_changed_cb), self);
  g_signal_connect_swapped (self->draws_adjustment, "value-changed",
                            G_CALLBACK (numbers_changed_cb), self);
  g_signal_connect_swapped (self->seed_adjustment, "value-changed", G_CALLBACK (numbers_changed_cb),
                            self);
  hs_panel_watch (HS_PANEL (self), "ablation", hs_ablation_bar_update);
  hs_panel_watch (HS_PANEL (self), "n-layers", hs_ablation_bar_update);
}
