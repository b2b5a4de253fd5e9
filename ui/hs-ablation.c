/* SPDX-License-Identifier: MIT */
/* Runs with heads off on another thread, the newest question wins; switches move at once. */
#include "hs-ablation.h"

#include "hs-ablation-bar.h"
#include "hs-ablation-file.h"
#include "hs-ablation-switches.h"
#include "hs-ablation-words.h"
#include "hs-accessible.h"
#include "hs-cursor.h"
#include "hs-figure.h"
#include "hs-format.h"
#include "hs-lab-source.h"
#include "hs-told.h"
#include "hs-wrap-layout.h"

#include "attn-draw/ablation.h"

#include <glib/gi18n.h>

#define LEAST_WIDTH 320        /* px: narrower, the figure is scrolled */
#define SOON_US G_USEC_PER_SEC /* each is removed anew by itself where it took no longer */

struct _HsAblation {
  HsPanel parent_instance;

  GtkWidget *content; /* or the reason why there is none */
  GtkLabel *reason, *reading, *fault;
  HsAblationBar *bar;
  HsRunStrip *strip;
  HsFigure *figure;

  HsAblationFound *found; /* owned; nullable: what is shown */
  HsAblationEach *each;   /* owned; nullable: of the same, or else not shown */
  gint64 each_us;         /* the last one took; 0: none did yet */
  HsMeasuring *measuring;
  GCancellable *cancellable; /* nullable: of the question that is worked on … */
  AttnTrace *trace;          /* … referenced, nullable: which text's … */
  AttnAblationAsked asked;   /* … and what */
  gboolean wants_focus;      /* the figure does, once it is there … */
  GtkWidget *focus_at_wish;  /* … unless this one, nullable and not owned, has not it any more */
};

G_DEFINE_FINAL_TYPE (HsAblation, hs_ablation, HS_TYPE_PANEL)

GtkWidget *
hs_ablation_new (HsSession *session)
{
  return g_object_new (HS_TYPE_ABLATION, "session", session, NULL);
}

const HsAblationFound *
hs_ablation_peek_found (HsAblation *self)
{
  g_return_val_if_fail (HS_IS_ABLATION (self), NULL);
  return self->found;
}

static HsSession *
peek_session (HsAblation *self)
{
  return hs_panel_peek_session (HS_PANEL (self));
}

/* Returns: (nullable): of what is shown. */
const HsAblationEach *
hs_ablation_peek_each (HsAblation *self)
{
  g_return_val_if_fail (HS_IS_ABLATION (self), NULL);
  return self->each != NULL && self->found != NULL &&
                 hs_ablation_each_is_of (self->each, self->found->clean, &self->found->asked)
             ? self->each
             : NULL;
}

/* ---- the figure ---- */

static AttnDrawFigure *
make_cb (double width, gpointer data)
{
  HsAblation *self = data;
  HsSession *session = peek_session (self);

  if (session == NULL || self->found == NULL || self->found->clean == NULL)
    return NULL;
  g_autoptr (AttnHeadGates) gates = hs_ablation_dup_gates (session);
  const AttnAblationClean *clean = self->found->clean;
  const AttnDrawAblation ablation = {
      .style = hs_lab_get_style (session),
      .width = width,
      .numbers = hs_ablation_get_numbers (self->found, hs_ablation_peek_each (self)),
      .gates = gates,
      .layer = MIN (hs_session_get_layer (session), clean->n_layers - 1),
      .head = MIN (hs_session_get_head (session), clean->n_heads - 1),
      .translate = hs_translate,
  };
  return attn_draw_ablation_new (&ablation);
}

static void
say_head (HsAblation *self, size_t layer, size_t head)
{
  if (self->found == NULL || self->found->clean == NULL)
    return;
  g_autofree char *text = hs_ablation_dup_head (peek_session (self), self->found,
                                                hs_ablation_peek_each (self), layer, head);
  gtk_label_set_text (self->reading, text);
}

/* Returns: (transfer full): the losses, for those who do not see the figure. */
static char *
dup_losses (HsAblation *self)
{
  const AttnDrawAblation ablation = {
      .numbers = hs_ablation_get_numbers (self->found, NULL),
      .translate = hs_translate,
  };

  return attn_draw_ablation_dup_losses (&ablation);
}

/* The head that keys are on. */
static void
say_chosen (HsAblation *self)
{
  HsSession *session = peek_session (self);
  const guint layer = hs_session_get_layer (session), head = hs_session_get_head (session);

  if (self->found == NULL || self->found->clean == NULL)
    return;
  g_autofree char *text =
      hs_ablation_dup_head (session, self->found, hs_ablation_peek_each (self), layer, head);
  g_autofree char *losses = dup_losses (self);
  g_autofree char *value = g_strconcat (text, " · ", losses, NULL);
  g_object_set (self->figure, "value", value, NULL);
  gtk_label_set_text (self->reading, text);
}

static void
choose_head (HsAblation *self, guint layer, guint head)
{
  hs_session_set_layer (peek_session (self), layer);
  hs_session_set_head (peek_session (self), head);
}

static void
picked_cb (HsAblation *self, guint id, guint row, guint column)
{
  HsSession *session = peek_session (self);
  AttnHeadGates *gates = hs_ablation_dup_gates (session);

  if (gates == NULL)
    return;
  if (id == ATTN_DRAW_ABLATION_HEAD && row < gates->n_layers && column < gates->n_heads)
    hs_switches_toggle (gates, row, column);
  else if (id == ATTN_DRAW_ABLATION_LAYER && row < gates->n_layers)
    hs_switches_toggle_layer (gates, row);
  else if (id == ATTN_DRAW_ABLATION_COLUMN && column < gates->n_heads)
    hs_switches_toggle_column (gates, column);
  hs_ablation_set_gates (session, gates);
  if (id == ATTN_DRAW_ABLATION_HEAD || id == ATTN_DRAW_ABLATION_RANKED)
    choose_head (self, row, column);
}

static void
hovered_cb (HsAblation *self, guint id, guint row, guint column)
{
  if (id == ATTN_DRAW_ABLATION_HEAD || id == ATTN_DRAW_ABLATION_RANKED) {
    say_head (self, row, column);
  } else if (id >= ATTN_DRAW_ABLATION_MAP && self->found != NULL) {
    g_autofree char *text = hs_ablation_dup_weight (peek_session (self), self->found,
                                                    id - ATTN_DRAW_ABLATION_MAP, row, column);
    gtk_label_set_text (self->reading, text);
  } else {
    say_chosen (self);
  }
}

static gboolean
moved_cb (HsAblation *self, int move)
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

static gboolean
activated_cb (HsAblation *self)
{
  HsSession *session = peek_session (self);

  picked_cb (self, ATTN_DRAW_ABLATION_HEAD, hs_session_get_layer (session),
             hs_session_get_head (session));
  return TRUE;
}

static void
head_changed (HsPanel *panel)
{
  HsAblation *self = HS_ABLATION (panel);

  hs_figure_renew (self->figure);
  say_chosen (self);
}

/* ---- the numbers ---- */

static void show (HsAblation *self);

static void
found_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (HsAblation) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (HsAblationFound) found = hs_ablation_find_finish (result, &error);

  if (self->cancellable != g_task_get_cancellable (G_TASK (result)))
    return; /* another question has been asked since */
  g_clear_object (&self->cancellable);
  if (found == NULL || peek_session (self) == NULL)
    return;
  hs_ablation_bar_set_found (self->bar, NULL, NULL);
  if (found->clean == NULL && self->found != NULL && self->found->trace == found->trace) {
    /* what was asked for cannot be had: what is shown stays, and the reason is told */
    g_clear_error (&self->found->fault);
    self->found->fault = g_steal_pointer (&found->fault);
  } else {
    hs_ablation_found_free (self->found);
    self->found = g_steal_pointer (&found);
  }
  show (self);
}

static void
ask (HsAblation *self, AttnTrace *trace)
{
  const AttnAblationAsked *asked = hs_session_peek_ablation (peek_session (self));

  if (trace == self->trace && attn_ablation_asked_equal (asked, &self->asked))
    return;
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (trace != NULL)
    attn_trace_ref (trace);
  g_clear_pointer (&self->trace, attn_trace_unref);
  self->trace = trace;
  attn_ablation_asked_set (&self->asked, asked);
  if (trace == NULL)
    return;
  self->cancellable = g_cancellable_new ();
  hs_ablation_find_async (trace, asked, self->found, self->cancellable, found_cb,
                          g_object_ref (self));
}

/* ---- each in turn ---- */

static void
set_wants_each (HsAblation *self, bool wants)
{
  AttnAblationAsked asked = *hs_session_peek_ablation (peek_session (self));

  asked.each = wants;
  attn_ablation_asked_set (&self->asked, &asked); /* which changes nothing that is found */
  hs_session_set_ablation (peek_session (self), &asked);
}

static void
take_each (GtkWidget *page, gpointer state)
{
  HsAblation *self = HS_ABLATION (page);

  hs_ablation_bar_set_found (self->bar, NULL, NULL);
  hs_ablation_each_free (self->each);
  self->each = state;
  self->each_us = self->each->elapsed_us;
}

static void
show_each (GtkWidget *page)
{
  HsAblation *self = HS_ABLATION (page);

  if (peek_session (self) != NULL)
    show (self);
}

static void
free_each (gpointer each)
{
  hs_ablation_each_free (each);
}

void
hs_ablation_start (HsAblation *self)
{
  g_return_if_fail (HS_IS_ABLATION (self));

  if (hs_measuring_is_running (self->measuring) || self->found == NULL ||
      self->found->clean == NULL)
    return;
  hs_measuring_start (self->measuring,
                      hs_ablation_each_new (self->found->clean, &self->found->asked));
  set_wants_each (self,
                  true); /* now that it runs: who sees that asked, and not running, starts it */
}

void
hs_ablation_stop (HsAblation *self)
{
  g_return_if_fail (HS_IS_ABLATION (self));

  if (!hs_measuring_is_running (self->measuring))
    return;
  set_wants_each (self, false);
  hs_measuring_stop (self->measuring);
  hs_run_strip_say (self->strip, _ ("Stopped"));
}

/* Other numbers than those that were measured are shown: measured anew where that was asked for by
 * a file, or takes no time to speak of; else it is to be asked for again. */
static void
renew_each (HsAblation *self)
{
  const bool wants = hs_session_peek_ablation (peek_session (self))->each;

  if (!wants || self->found == NULL || self->found->clean == NULL || self->cancellable != NULL ||
      hs_ablation_peek_each (self) != NULL || hs_measuring_is_running (self->measuring))
    return;
  if (self->each_us <= SOON_US && self->found->fault == NULL)
    hs_ablation_start (self);
  else
    set_wants_each (self, false);
}

/* ---- what is shown ---- */

static void
show_fault (HsAblation *self)
{
  g_autofree char *fault =
      self->found->fault != NULL ? hs_told_dup (self->found->fault->message) : NULL;

  gtk_label_set_text (self->fault, fault != NULL ? fault : "");
  gtk_widget_set_visible (GTK_WIDGET (self->fault), fault != NULL);
}

static void
show_reason (HsAblation *self)
{
  g_autofree char *reason = self->found != NULL && self->found->fault != NULL
                                ? hs_told_dup (self->found->fault->message)
                                : hs_lab_dup_reason (peek_session (self));

  gtk_label_set_text (self->reason, reason);
}

static GtkWidget *
peek_focus (HsAblation *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return root != NULL ? gtk_root_get_focus (root) : NULL;
}

/* The figure that was waited for is there. */
static void
take_focus (HsAblation *self)
{
  if (!self->wants_focus)
    return;
  self->wants_focus = FALSE;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)) && peek_focus (self) == self->focus_at_wish)
    gtk_widget_grab_focus (GTK_WIDGET (self->figure));
}

static void
show (HsAblation *self)
{
  HsSession *session = peek_session (self);
  AttnTrace *trace = hs_lab_peek_trace (session);

  ask (self, trace);
  if (trace == NULL) {
    hs_ablation_bar_set_found (self->bar, NULL, NULL);
    g_clear_pointer (&self->found, hs_ablation_found_free);
  }
  const bool has_found = self->found != NULL && self->found->clean != NULL;
  if (has_found) {
    renew_each (self);
    show_fault (self);
    hs_ablation_bar_set_found (self->bar, self->found, hs_ablation_peek_each (self));
    hs_figure_renew (self->figure);
    say_chosen (self);
  } else {
    show_reason (self);
  }
  hs_run_strip_set_has_file (self->strip, has_found);
  gtk_widget_set_visible (self->content, has_found);
  gtk_widget_set_visible (GTK_WIDGET (self->reason), !has_found);
  if (has_found)
    take_focus (self);
}

/* Nothing is computed for a page that nobody sees. */
static void
hs_ablation_update (HsPanel *panel)
{
  HsSession *session = hs_panel_peek_session (panel);

  if (hs_session_get_in_lab (session) &&
      hs_session_get_lab_page (session) == ATTN_DRAW_LAB_ABLATION)
    show (HS_ABLATION (panel));
}

/* ---- out of the window ---- */

/* Returns: whether what is shown is what is asked for: a file is of that. */
static bool
is_whole (HsAblation *self)
{
  if (self->found == NULL || self->found->clean == NULL)
    return false;
  if (self->found->fault != NULL) {
    g_autofree char *fault = hs_told_dup (self->found->fault->message);
    hs_run_strip_say (self->strip, fault);
    return false;
  }
  if (self->cancellable != NULL) {
    hs_run_strip_say (self->strip, _ ("The model runs…"));
    return false;
  }
  return true;
}

static bool
get_file (HsRunFile *file, gpointer data)
{
  HsAblation *self = data;

  return is_whole (self) && hs_ablation_file_init (file, peek_session (self), self->found,
                                                   hs_ablation_peek_each (self));
}

static char *
dup_command (gpointer data)
{
  HsAblation *self = data;

  return is_whole (self) ? hs_ablation_file_dup_command (peek_session (self), self->found,
                                                         hs_ablation_peek_each (self))
                         : NULL;
}

void
hs_ablation_save (HsAblation *self, const char *format, HsAsk asks)
{
  g_return_if_fail (HS_IS_ABLATION (self));
  hs_run_strip_save (self->strip, format, asks);
}

char *
hs_ablation_dup_command (HsAblation *self)
{
  g_return_val_if_fail (HS_IS_ABLATION (self), NULL);
  return hs_run_strip_dup_command (self->strip);
}

/* ---- object ---- */

/* Arrow keys are the figure's. */
static gboolean
hs_ablation_grab_focus (GtkWidget *widget)
{
  HsAblation *self = HS_ABLATION (widget);

  self->wants_focus = !gtk_widget_get_visible (self->content);
  self->focus_at_wish = peek_focus (self);
  return !self->wants_focus && gtk_widget_grab_focus (GTK_WIDGET (self->figure));
}

/* The work holds the page: closing its window ends both. */
static void
hs_ablation_unroot (GtkWidget *widget)
{
  HsAblation *self = HS_ABLATION (widget);

  if (hs_measuring_is_running (self->measuring))
    hs_measuring_stop (self->measuring);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  GTK_WIDGET_CLASS (hs_ablation_parent_class)->unroot (widget);
}

static void
hs_ablation_dispose (GObject *object)
{
  HsAblation *self = HS_ABLATION (object);

  if (self->figure != NULL)
    hs_figure_set_maker (self->figure, NULL, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_ABLATION);
  self->figure = NULL;
  G_OBJECT_CLASS (hs_ablation_parent_class)->dispose (object);
}

static void
hs_ablation_finalize (GObject *object)
{
  HsAblation *self = HS_ABLATION (object);

  hs_ablation_found_free (self->found);
  hs_ablation_each_free (self->each);
  hs_measuring_free (self->measuring);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->trace, attn_trace_unref);
  attn_ablation_asked_clear (&self->asked);
  G_OBJECT_CLASS (hs_ablation_parent_class)->finalize (object);
}

static void
hs_ablation_class_init (HsAblationClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_ablation_dispose;
  G_OBJECT_CLASS (klass)->finalize = hs_ablation_finalize;
  HS_PANEL_CLASS (klass)->update = hs_ablation_update;
  widget_class->grab_focus = hs_ablation_grab_focus;
  widget_class->unroot = hs_ablation_unroot;

  g_type_ensure (HS_TYPE_ABLATION_BAR);
  g_type_ensure (HS_TYPE_FIGURE);
  g_type_ensure (HS_TYPE_RUN_STRIP);
  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headscope/Headscope/ui/hs-ablation.ui");
  gtk_widget_class_bind_template_child (widget_class, HsAblation, content);
  gtk_widget_class_bind_template_child (widget_class, HsAblation, reason);
  gtk_widget_class_bind_template_child (widget_class, HsAblation, reading);
  gtk_widget_class_bind_template_child (widget_class, HsAblation, fault);
  gtk_widget_class_bind_template_child (widget_class, HsAblation, bar);
  gtk_widget_class_bind_template_child (widget_class, HsAblation, strip);
  gtk_widget_class_bind_template_child (widget_class, HsAblation, figure);
}

static void
hs_ablation_init (HsAblation *self)
{
  static const char *const watched[] = {"view",   "panels",   "state",   "ablation",
                                        "in-lab", "lab-page", "n-layers"};
  static const HsMeasuringClass measuring_class = {hs_ablation_measure_each, free_each, free_each,
                                                   take_each, show_each};

  self->asked = (AttnAblationAsked)ATTN_ABLATION_ASKED;
  gtk_widget_init_template (GTK_WIDGET (self));
  hs_accessible_name_all (GTK_WIDGET (self));
  hs_figure_set_least_width (self->figure, LEAST_WIDTH);
  hs_figure_set_maker (self->figure, make_cb, self);
  hs_run_strip_set_file (self->strip, get_file, dup_command, self);
  self->measuring = hs_measuring_new (&measuring_class, GTK_WIDGET (self), self->strip);
  g_signal_connect_swapped (self->strip, "run", G_CALLBACK (hs_ablation_start), self);
  g_signal_connect_swapped (self->strip, "stop", G_CALLBACK (hs_ablation_stop), self);
  g_signal_connect_swapped (self->figure, "picked", G_CALLBACK (picked_cb), self);
  g_signal_connect_swapped (self->figure, "hovered", G_CALLBACK (hovered_cb), self);
  g_signal_connect_swapped (self->figure, "moved", G_CALLBACK (moved_cb), self);
  g_signal_connect_swapped (self->figure, "activated", G_CALLBACK (activated_cb), self);
  for (size_t i = 0; i < G_N_ELEMENTS (watched); i++)
    hs_panel_watch (HS_PANEL (self), watched[i], hs_ablation_update);
  hs_panel_watch (HS_PANEL (self), "layer", head_changed);
  hs_panel_watch (HS_PANEL (self), "head", head_changed);
}
