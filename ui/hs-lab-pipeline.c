/* SPDX-License-Identifier: MIT */
/* What is chosen in the page and in the session makes a question; its answer is drawn. */
#include "hs-lab-pipeline.h"

#include "hs-accessible.h"
#include "hs-figure-actions.h"
#include "hs-figure-reveal.h"
#include "hs-format.h"
#include "hs-lab-guide.h"
#include "hs-lab-pages.h"
#include "hs-lab-pipeline-file.h"
#include "hs-lab-question.h"
#include "hs-lab-source.h"
#include "hs-lab-steps.h"
#include "hs-lab-walk.h"
#include "hs-save-button.h"
#include "hs-sticky.h"
#include "hs-terms-row.h"
#include "hs-wrap-layout.h"

#include <glib/gi18n.h>

struct _HsLabPipeline {
  HsPanel parent_instance;

  GtkWidget *back_button, *next_button, *play_button, *file_button;
  GtkWidget *hint, *missing, *place;
  HsTermsRow *terms;
  HsFigure *figure;
  HsLabSteps *steps;
  HsLabMemory memory;
  HsLabGuide *guide; /* until it is disposed of */
};

G_DEFINE_FINAL_TYPE (HsLabPipeline, hs_lab_pipeline, HS_TYPE_PANEL)

GtkWidget *
hs_lab_pipeline_new (HsSession *session)
{
  return g_object_new (HS_TYPE_LAB_PIPELINE, "session", session, NULL);
}

HsFigure *
hs_lab_pipeline_peek_figure (HsLabPipeline *self)
{
  g_return_val_if_fail (HS_IS_LAB_PIPELINE (self), NULL);
  return self->figure;
}

static HsSession *
peek_session (HsLabPipeline *self)
{
  return hs_panel_peek_session (HS_PANEL (self));
}

AttnStep
hs_lab_pipeline_get_step (HsLabPipeline *self)
{
  g_return_val_if_fail (HS_IS_LAB_PIPELINE (self), ATTN_STEP_INPUT);
  return hs_session_peek_lab_place (peek_session (self))->step;
}

static bool
is_open (HsLabPipeline *self)
{
  return peek_session (self) != NULL && hs_lab_walk_is_open (peek_session (self));
}

bool
hs_lab_pipeline_is_shown (HsLabPipeline *self)
{
  g_return_val_if_fail (HS_IS_LAB_PIPELINE (self), false);
  return hs_lab_steps_peek (self->steps) != NULL && !hs_lab_steps_is_working (self->steps) &&
         hs_figure_is_painted (self->figure);
}

/* ---- drawing ---- */

static AttnDrawPipeline
make_pipeline (HsLabPipeline *self, double width)
{
  const AttnDrawView *view = hs_session_peek_asked (peek_session (self));
  const HsLabQuestion *answered = hs_lab_steps_peek_answered (self->steps);
  AttnDrawPipeline pipeline = {
      .step = answered->step,
      .has_cell = answered->has_cell,
      .example = hs_lab_steps_peek_example (self->steps),
      .has_followed = answered->has_row,
      .followed = answered->row,
      .width = width,
      .style = {.palette = view->palette,
                .color_map = view->color_map,
                .font_family = view->font_family,
                .font_size_pt = view->font_size_pt,
                .language = view->language},
      .translate = hs_translate,
  };
  return pipeline;
}

static AttnDrawFigure *
make_cb (double width, gpointer data)
{
  HsLabPipeline *self = data;
  AttnDrawSteps *steps = hs_lab_steps_peek (self->steps);

  if (steps == NULL || peek_session (self) == NULL)
    return NULL;
  const AttnDrawPipeline pipeline = make_pipeline (self, width);
  return attn_draw_pipeline_new (steps, &pipeline);
}

/* What who reads the screen is told. */
static void
tell (HsLabPipeline *self)
{
  AttnDrawSteps *steps = hs_lab_steps_peek (self->steps);
  if (steps == NULL)
    return;
  const AttnDrawPipeline pipeline = make_pipeline (self, 1);
  g_autofree char *title = attn_draw_pipeline_dup_title (steps, &pipeline);
  g_autofree char *value = attn_draw_pipeline_dup_value (steps, &pipeline);
  g_autofree char *told = g_strdup_printf ("%s. %s", title, value);
  g_object_set (self->figure, "value", told, NULL);
}

/* The step's matrix with what is told of it; of a number its arithmetic. */
static void
reveal (HsLabPipeline *self, bool has_cell)
{
  const unsigned parts[] = {has_cell ? ATTN_DRAW_PIPELINE_CARD : ATTN_DRAW_PIPELINE_WORDS,
                            ATTN_DRAW_PIPELINE_MATRIX, ATTN_DRAW_PIPELINE_CARD};

  hs_figure_reveal (self->figure, parts, G_N_ELEMENTS (parts));
}

/* @sentence: (nullable) */
static void
show_hint (HsLabPipeline *self, const char *sentence)
{
  gtk_label_set_text (GTK_LABEL (self->hint), sentence != NULL ? sentence : "");
  gtk_widget_set_visible (self->hint, sentence != NULL);
}

/* Nobody has chosen the head that the page begins with. */
static void
tell_lent (HsLabPipeline *self, const HsLabQuestion *answered)
{
  g_autofree char *sentence = g_strdup_printf (
      _ ("Layer %zu, head %zu is an example: some of its tokens look at one other, some at many. "
         "Choose another above."),
      answered->layer + 1, answered->head + 1);

  show_hint (self, sentence);
}

static void
answered_cb (HsLabPipeline *self)
{
  const bool was_lent = hs_session_is_head_lent (peek_session (self));
  const HsLabQuestion *answered = hs_lab_steps_peek_answered (self->steps);
  const AttnStep step = answered->step;
  const bool has_moved = hs_lab_question_take_answer (&self->memory, peek_session (self), answered);

  hs_lab_guide_show_step (self->guide, step);
  gtk_widget_set_sensitive (self->file_button, TRUE);
  hs_terms_row_set_terms (self->terms, hs_terms_get_of_step (step));
  if (has_moved)
    show_hint (self,
               answered->has_cell ? _ ("Arrow keys move to another number, Esc lets it go") : NULL);
  if (hs_session_is_head_lent (peek_session (self)) && !was_lent)
    tell_lent (self, answered);
  hs_figure_renew (self->figure);
  tell (self);
  if (has_moved)
    reveal (self, answered->has_cell);
}

/* ---- asking ---- */

static void
say_missing (HsLabPipeline *self, const char *why)
{
  gtk_label_set_text (GTK_LABEL (self->missing), why != NULL ? why : "");
  gtk_widget_set_visible (self->missing, why != NULL);
  gtk_widget_set_visible (self->place, why == NULL);
}

/* Nothing is left to step through or to save. */
static void
show_nothing (HsLabPipeline *self)
{
  HsSession *session = peek_session (self);

  hs_lab_guide_show_nothing (self->guide);
  gtk_widget_set_sensitive (self->file_button, FALSE);
  hs_lab_steps_clear (self->steps);
  hs_terms_row_set_terms (self->terms, 0);
  show_hint (self, NULL);
  hs_figure_renew (self->figure);
  if (hs_session_get_state (session) == HS_STATE_FAILED) {
    g_autofree char *reason = hs_lab_dup_reason (session);
    say_missing (self, reason);
    return;
  }
  say_missing (self, hs_side_peek_attention (hs_session_peek_side (session)) != NULL
                         ? _ ("A file of attention has weights alone. The steps that lead to them "
                              "need a model and a text.")
                         : _ ("Type a text above, and every step of attention is shown with its "
                              "numbers."));
}

static void
ask_anew (HsLabPipeline *self, AttnTrace *trace)
{
  const HsLabQuestion question = hs_lab_question_make (&self->memory, peek_session (self), trace);

  hs_lab_steps_ask (self->steps, &question);
}

/* Pages beside the lab are about the head that a person has chosen. */
static bool
is_in_lab_proper (HsSession *session)
{
  return hs_session_get_in_lab (session) &&
         !hs_lab_pages_find (hs_session_get_lab_page (session))->stands_alone;
}

static void
hs_lab_pipeline_update (HsPanel *panel)
{
  HsLabPipeline *self = HS_LAB_PIPELINE (panel);

  HsSession *session = peek_session (self);
  if (session != NULL && !is_in_lab_proper (session))
    hs_session_return_head (session);
  if (!is_open (self))
    return;
  AttnTrace *trace = hs_lab_peek_trace (session);
  if (trace == NULL || hs_session_get_state (session) == HS_STATE_EMPTY) {
    show_nothing (self);
    return;
  }
  say_missing (self, NULL);
  ask_anew (self, trace);
}

/* Only how it looks. */
static void
view_changed (HsPanel *panel)
{
  HsLabPipeline *self = HS_LAB_PIPELINE (panel);

  hs_lab_pipeline_update (panel);
  if (is_open (self))
    hs_figure_renew (self->figure);
}

void
hs_lab_pipeline_set_step (HsLabPipeline *self, AttnStep step)
{
  g_return_if_fail (HS_IS_LAB_PIPELINE (self) && step < ATTN_N_STEPS);
  hs_lab_walk_set_step (peek_session (self), step);
}

void
hs_lab_pipeline_play (HsLabPipeline *self)
{
  g_return_if_fail (HS_IS_LAB_PIPELINE (self));
  hs_lab_guide_toggle_play (self->guide);
}

/* ---- keys ---- */

static gboolean
escape_cb (GtkWidget *widget, GVariant *args G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  return hs_lab_walk_escape (peek_session (HS_LAB_PIPELINE (widget)));
}

/* Arrow keys are the figure's. */
static gboolean
hs_lab_pipeline_grab_focus (GtkWidget *widget)
{
  HsLabPipeline *self = HS_LAB_PIPELINE (widget);

  return gtk_widget_get_visible (self->place) && gtk_widget_grab_focus (GTK_WIDGET (self->figure));
}

/* ---- out of the window ---- */

static void
say (GtkWidget *widget, const char *sentence)
{
  show_hint (HS_LAB_PIPELINE (widget), sentence);
}

/* Returns: (nullable) (transfer full): NULL where nothing is shown. */
static HsLabPipelineFile *
dup_file (HsLabPipeline *self)
{
  AttnDrawSteps *steps = hs_lab_steps_peek (self->steps);

  if (steps == NULL || peek_session (self) == NULL)
    return NULL;
  const AttnDrawPipeline pipeline = make_pipeline (self, 1);
  return hs_lab_pipeline_file_new (peek_session (self), steps, &pipeline);
}

static bool
find_file (GtkWidget *widget, HsFigureFile *file)
{
  HsLabPipelineFile *source = dup_file (HS_LAB_PIPELINE (widget));

  if (source == NULL)
    return false;
  *file = (HsFigureFile){hs_lab_pipeline_file_peek_stem (source), source, hs_lab_pipeline_file_free,
                         hs_lab_pipeline_file_make, _ ("Save picture")};
  return true;
}

static char *
dup_command (GtkWidget *widget)
{
  HsLabPipelineFile *file = dup_file (HS_LAB_PIPELINE (widget));

  if (file == NULL)
    return NULL;
  g_autofree char *path = g_strconcat (hs_lab_pipeline_file_peek_stem (file), ".png", NULL);
  char *command = hs_lab_pipeline_file_dup_command (file, path);
  hs_lab_pipeline_file_free (file);
  return command;
}

static const HsFigureOwner owner = {find_file, dup_command, say};

void
hs_lab_pipeline_save (HsLabPipeline *self, const char *format, HsAsk ask)
{
  g_return_if_fail (HS_IS_LAB_PIPELINE (self));
  hs_figure_owner_save (&owner, GTK_WIDGET (self), format, ask);
}

char *
hs_lab_pipeline_dup_command (HsLabPipeline *self)
{
  g_return_val_if_fail (HS_IS_LAB_PIPELINE (self), NULL);
  return dup_command (GTK_WIDGET (self));
}

/* ---- object ---- */

static void
hs_lab_pipeline_dispose (GObject *object)
{
  HsLabPipeline *self = HS_LAB_PIPELINE (object);

  g_clear_pointer (&self->guide, hs_lab_guide_free);
  if (self->steps != NULL)
    g_signal_handlers_disconnect_by_data (self->steps, self);
  if (self->figure != NULL)
    hs_figure_set_maker (self->figure, NULL, NULL);
  g_clear_object (&self->steps);
  self->figure = NULL;
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_LAB_PIPELINE);
  G_OBJECT_CLASS (hs_lab_pipeline_parent_class)->dispose (object);
}

static void
hs_lab_pipeline_class_init (HsLabPipelineClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_lab_pipeline_dispose;
  HS_PANEL_CLASS (klass)->update = hs_lab_pipeline_update;
  widget_class->grab_focus = hs_lab_pipeline_grab_focus;

  g_type_ensure (HS_TYPE_SAVE_BUTTON);
  g_type_ensure (HS_TYPE_STICKY);
  g_type_ensure (HS_TYPE_TERMS_ROW);
  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-lab-pipeline.ui");
  gtk_widget_class_bind_template_child (widget_class, HsLabPipeline, back_button);
  gtk_widget_class_bind_template_child (widget_class, HsLabPipeline, next_button);
  gtk_widget_class_bind_template_child (widget_class, HsLabPipeline, play_button);
  gtk_widget_class_bind_template_child (widget_class, HsLabPipeline, file_button);
  gtk_widget_class_bind_template_child (widget_class, HsLabPipeline, terms);
  gtk_widget_class_bind_template_child (widget_class, HsLabPipeline, hint);
  gtk_widget_class_bind_template_child (widget_class, HsLabPipeline, missing);
  gtk_widget_class_bind_template_child (widget_class, HsLabPipeline, place);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
}

static void
add_figure (HsLabPipeline *self)
{
  self->figure = HS_FIGURE (hs_figure_new (_ ("The steps of attention")));
  gtk_widget_set_hexpand (GTK_WIDGET (self->figure), TRUE);
  gtk_widget_set_valign (GTK_WIDGET (self->figure), GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (self->place), GTK_WIDGET (self->figure));
  hs_figure_set_maker (self->figure, make_cb, self);
}

static void
hs_lab_pipeline_init (HsLabPipeline *self)
{
  static const char *const properties[] = {
      "view", "layer", "head", "in-lab", "lab-page", "lab-step", "lab-row", "lab-column", "state"};

  gtk_widget_init_template (GTK_WIDGET (self));
  hs_figure_add_actions (GTK_WIDGET (self), &owner);
  hs_accessible_name_all (GTK_WIDGET (self));
  self->steps = hs_lab_steps_new ();
  g_signal_connect_swapped (self->steps, "changed", G_CALLBACK (answered_cb), self);
  add_figure (self);
  self->guide = hs_lab_guide_new (HS_PANEL (self), self->steps, self->figure,
                                  &(HsLabGuideButtons){self->back_button, self->next_button,
                                                       GTK_TOGGLE_BUTTON (self->play_button)});
  for (size_t i = 0; i < G_N_ELEMENTS (properties); i++)
    hs_panel_watch (HS_PANEL (self), properties[i], i == 0 ? view_changed : hs_lab_pipeline_update);
}
