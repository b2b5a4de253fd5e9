/* SPDX-License-Identifier: MIT */
/* What is asked, run and saved on the page, and what is shown of it; switches move at once. */
#include "hs-ablation.h"

#include "hs-ablation-answers.h"
#include "hs-ablation-bar.h"
#include "hs-ablation-file.h"
#include "hs-ablation-shown.h"
#include "hs-accessible.h"
#include "hs-figure.h"
#include "hs-lab-source.h"
#include "hs-told.h"
#include "hs-wrap-layout.h"

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

  HsAblationAnswers *answers; /* owned */
  HsMeasuring *measuring;     /* each in turn … */
  HsMeasuring *removing;      /* … and more and more: never both */
  gboolean wants_focus;       /* the figure does, once it is there … */
  GtkWidget *focus_at_wish;   /* … unless this one, nullable and not owned, has not it any more */
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
  return hs_ablation_answers_peek_found (self->answers);
}

static HsSession *
peek_session (HsAblation *self)
{
  return hs_panel_peek_session (HS_PANEL (self));
}

const HsAblationEach *
hs_ablation_peek_each (HsAblation *self)
{
  g_return_val_if_fail (HS_IS_ABLATION (self), NULL);
  return hs_ablation_answers_peek_each (self->answers);
}

AttnDrawAblationWeights *
hs_ablation_peek_weights (HsAblation *self)
{
  g_return_val_if_fail (HS_IS_ABLATION (self), NULL);
  return hs_ablation_answers_peek_weights (self->answers);
}

const HsAblationCurves *
hs_ablation_peek_curves (HsAblation *self)
{
  g_return_val_if_fail (HS_IS_ABLATION (self), NULL);
  return hs_ablation_answers_peek_curves (self->answers);
}

/* Returns: (nullable): what is shown; a clean run is there. */
static const HsAblationFound *
peek_shown (HsAblation *self)
{
  const HsAblationFound *found = hs_ablation_answers_peek_found (self->answers);

  return found != NULL && found->clean != NULL ? found : NULL;
}

/* ---- the figure ---- */

/* Returns: whether there is something; @shown is written then. */
static bool
get_shown (HsAblation *self, HsAblationShown *shown)
{
  const HsAblationFound *found = peek_shown (self);

  if (found == NULL || peek_session (self) == NULL)
    return false;
  *shown =
      (HsAblationShown){peek_session (self), found, hs_ablation_answers_peek_each (self->answers),
                        hs_ablation_answers_peek_weights (self->answers),
                        hs_ablation_answers_peek_curves (self->answers)};
  return true;
}

static AttnDrawFigure *
make_cb (double width, gpointer data)
{
  HsAblationShown shown;

  return get_shown (data, &shown) ? hs_ablation_shown_make (&shown, width) : NULL;
}

/* The head that keys are on. */
static void
say_chosen (HsAblation *self)
{
  HsAblationShown shown;

  if (!get_shown (self, &shown))
    return;
  g_autofree char *reading = hs_ablation_shown_dup_reading (&shown, 0, 0, 0);
  g_autofree char *value = hs_ablation_shown_dup_value (&shown);
  g_object_set (self->figure, "value", value, NULL);
  gtk_label_set_text (self->reading, reading);
}

static void
picked_cb (HsAblation *self, guint id, guint row, guint column)
{
  HsAblationShown shown;

  if (get_shown (self, &shown))
    hs_ablation_shown_pick (&shown, id, row, column);
}

static void
hovered_cb (HsAblation *self, guint id, guint row, guint column)
{
  HsAblationShown shown;

  if (!get_shown (self, &shown))
    return;
  g_autofree char *text = hs_ablation_shown_dup_reading (&shown, id, row, column);
  gtk_label_set_text (self->reading, text);
}

static gboolean
moved_cb (HsAblation *self, int move)
{
  HsAblationShown shown;

  return get_shown (self, &shown) && hs_ablation_shown_move (&shown, (HsMove)move);
}

static gboolean
activated_cb (HsAblation *self)
{
  HsAblationShown shown;

  if (!get_shown (self, &shown))
    return FALSE;
  hs_ablation_shown_activate (&shown);
  return TRUE;
}

/* ---- the numbers ---- */

static void show (HsAblation *self);

/* Something else is known. */
static void
answered_cb (GtkWidget *page)
{
  HsAblation *self = HS_ABLATION (page);

  hs_ablation_bar_set_found (self->bar, NULL, NULL); /* which are not there any more */
  if (peek_session (self) != NULL)
    show (self);
}

static void
ask (HsAblation *self, AttnTrace *trace)
{
  HsSession *session = peek_session (self);
  const HsAblationQuestion question = {trace, hs_session_peek_ablation (session),
                                       hs_session_get_layer (session),
                                       hs_session_get_head (session)};

  hs_ablation_answers_ask (self->answers, &question);
}

/* ---- each in turn, and more and more ---- */

static bool
shows_pruning (HsAblation *self)
{
  return hs_session_peek_ablation (peek_session (self))->figure == ATTN_ABLATION_PRUNING;
}

static bool
is_running (HsAblation *self)
{
  return hs_measuring_is_running (self->measuring) || hs_measuring_is_running (self->removing);
}

static void
set_wants (HsAblation *self, bool wants)
{
  AttnAblationAsked asked = *hs_session_peek_ablation (peek_session (self));

  if (shows_pruning (self))
    asked.curves = wants;
  else
    asked.each = wants;
  hs_ablation_answers_note (self->answers, &asked);
  hs_session_set_ablation (peek_session (self), &asked);
}

static void
take_curves (GtkWidget *page, gpointer state)
{
  hs_ablation_answers_take_curves (HS_ABLATION (page)->answers, state);
}

static void
free_curves (gpointer curves)
{
  hs_ablation_curves_free (curves);
}

static void
take_each (GtkWidget *page, gpointer state)
{
  HsAblation *self = HS_ABLATION (page);

  hs_ablation_bar_set_found (self->bar, NULL, NULL);
  hs_ablation_answers_take_each (self->answers, state);
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

  const HsAblationFound *found = peek_shown (self);
  if (is_running (self) || found == NULL)
    return;
  if (shows_pruning (self))
    hs_measuring_start (self->removing, hs_ablation_curves_new (found->clean));
  else
    hs_measuring_start (self->measuring, hs_ablation_each_new (found->clean, &found->asked));
  set_wants (self, true); /* now that it runs: who sees that asked, and not running, starts it */
}

void
hs_ablation_stop (HsAblation *self)
{
  g_return_if_fail (HS_IS_ABLATION (self));

  if (!is_running (self))
    return;
  AttnAblationAsked asked = *hs_session_peek_ablation (peek_session (self));
  if (hs_measuring_is_running (self->removing))
    asked.curves = false;
  else
    asked.each = false;
  hs_ablation_answers_note (self->answers, &asked);
  hs_session_set_ablation (peek_session (self), &asked);
  hs_measuring_stop (self->measuring);
  hs_measuring_stop (self->removing);
  hs_run_strip_say (self->strip, _ ("Stopped"));
}

/* Other numbers than those that were measured are shown: measured anew where that was asked for by
 * a file, or takes no time to speak of; else it is to be asked for again. */
static void
renew_measured (HsAblation *self)
{
  const AttnAblationAsked *asked = hs_session_peek_ablation (peek_session (self));
  const HsAblationFound *found = peek_shown (self);
  const bool of_curves = shows_pruning (self);
  const bool is_there = of_curves ? hs_ablation_answers_peek_curves (self->answers) != NULL
                                  : hs_ablation_peek_each (self) != NULL;
  const gint64 last_us = of_curves ? hs_ablation_answers_get_curves_us (self->answers)
                                   : hs_ablation_answers_get_each_us (self->answers);

  if (!(of_curves ? asked->curves : asked->each) || found == NULL || is_there ||
      hs_ablation_answers_are_waited_for (self->answers) || is_running (self))
    return;
  if (last_us <= SOON_US && found->fault == NULL)
    hs_ablation_start (self);
  else
    set_wants (self, false);
}

/* ---- what is shown ---- */

static void
show_fault (HsAblation *self)
{
  const HsAblationFound *found = peek_shown (self);
  g_autofree char *fault = found->fault != NULL ? hs_told_dup (found->fault->message) : NULL;

  gtk_label_set_text (self->fault, fault != NULL ? fault : "");
  gtk_widget_set_visible (GTK_WIDGET (self->fault), fault != NULL);
}

static void
show_reason (HsAblation *self)
{
  const HsAblationFound *found = hs_ablation_answers_peek_found (self->answers);
  g_autofree char *reason = found != NULL && found->fault != NULL
                                ? hs_told_dup (found->fault->message)
                                : hs_lab_dup_reason (peek_session (self));

  gtk_label_set_text (self->reason, reason);
}

/* Returns: whether the figure has numbers to save. */
static bool
has_figure (HsAblation *self)
{
  return !shows_pruning (self) || hs_ablation_answers_peek_curves (self->answers) != NULL;
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

  hs_ablation_bar_set_found (self->bar, NULL, NULL);
  ask (self, hs_lab_peek_trace (session));
  const HsAblationFound *found = peek_shown (self);
  const bool has_found = found != NULL;
  hs_ablation_bar_set_found (self->bar, found, hs_ablation_peek_each (self));
  if (has_found) {
    renew_measured (self);
    show_fault (self);
    hs_figure_renew (self->figure);
    say_chosen (self);
  } else {
    show_reason (self);
  }
  g_object_set (self->strip, "run-label",
                shows_pruning (self) ? _ ("Measure") : _ ("Remove each in turn"), NULL);
  hs_run_strip_set_has_file (self->strip, has_found && has_figure (self));
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
  const HsAblationFound *found = peek_shown (self);

  if (found == NULL || !has_figure (self))
    return false;
  if (found->fault != NULL) {
    g_autofree char *fault = hs_told_dup (found->fault->message);
    hs_run_strip_say (self->strip, fault);
    return false;
  }
  if (hs_ablation_answers_are_waited_for (self->answers)) {
    hs_run_strip_say (self->strip, _ ("The model runs…"));
    return false;
  }
  return true;
}

static bool
get_file (HsRunFile *file, gpointer data)
{
  HsAblation *self = data;
  HsSession *session = peek_session (self);

  if (!is_whole (self))
    return false;
  return shows_pruning (self) ? hs_ablation_curves_file_init (
                                    file, session, hs_ablation_answers_peek_curves (self->answers))
                              : hs_ablation_file_init (file, session, peek_shown (self),
                                                       hs_ablation_peek_each (self));
}

static char *
dup_command (gpointer data)
{
  HsAblation *self = data;
  HsSession *session = peek_session (self);

  if (!is_whole (self))
    return NULL;
  return shows_pruning (self) ? hs_ablation_curves_dup_command (
                                    session, hs_ablation_answers_peek_curves (self->answers))
                              : hs_ablation_file_dup_command (session, peek_shown (self),
                                                              hs_ablation_peek_each (self));
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

/* A window that is being made may have taken the page out again. */
static void
hs_ablation_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (hs_ablation_parent_class)->root (widget);
  if (peek_session (HS_ABLATION (widget)) != NULL)
    hs_ablation_update (HS_PANEL (widget));
}

/* The work holds the page: closing its window ends both. */
static void
hs_ablation_unroot (GtkWidget *widget)
{
  HsAblation *self = HS_ABLATION (widget);

  hs_measuring_stop (self->measuring);
  hs_measuring_stop (self->removing);
  hs_ablation_answers_stop (self->answers);
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

  hs_measuring_free (self->measuring);
  hs_measuring_free (self->removing);
  hs_ablation_answers_free (self->answers);
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
  widget_class->root = hs_ablation_root;
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
  static const char *const watched[] = {"view",     "panels",   "state", "ablation", "in-lab",
                                        "lab-page", "n-layers", "layer", "head"};
  static const HsMeasuringClass measuring_class = {hs_ablation_measure_each, free_each, free_each,
                                                   take_each, show_each};
  static const HsMeasuringClass removing_class = {hs_ablation_measure_curves, free_curves,
                                                  free_curves, take_curves, show_each};

  self->answers = hs_ablation_answers_new (GTK_WIDGET (self), answered_cb);
  gtk_widget_init_template (GTK_WIDGET (self));
  hs_accessible_name_all (GTK_WIDGET (self));
  hs_figure_set_least_width (self->figure, LEAST_WIDTH);
  hs_figure_set_maker (self->figure, make_cb, self);
  hs_run_strip_set_file (self->strip, get_file, dup_command, self);
  self->measuring = hs_measuring_new (&measuring_class, GTK_WIDGET (self), self->strip);
  self->removing = hs_measuring_new (&removing_class, GTK_WIDGET (self), self->strip);
  g_signal_connect_swapped (self->strip, "run", G_CALLBACK (hs_ablation_start), self);
  g_signal_connect_swapped (self->strip, "stop", G_CALLBACK (hs_ablation_stop), self);
  g_signal_connect_swapped (self->figure, "picked", G_CALLBACK (picked_cb), self);
  g_signal_connect_swapped (self->figure, "hovered", G_CALLBACK (hovered_cb), self);
  g_signal_connect_swapped (self->figure, "moved", G_CALLBACK (moved_cb), self);
  g_signal_connect_swapped (self->figure, "activated", G_CALLBACK (activated_cb), self);
  for (size_t i = 0; i < G_N_ELEMENTS (watched); i++)
    hs_panel_watch (HS_PANEL (self), watched[i], hs_ablation_update);
}
