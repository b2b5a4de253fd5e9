/* SPDX-License-Identifier: MIT */
/* The core looks on another thread; what it found is kept for its own text alone. */
#include "hs-lab-finding.h"

#include "hs-accessible.h"
#include "hs-format.h"
#include "hs-lab-picture.h"
#include "hs-lab-source.h"
#include "hs-measuring.h"
#include "hs-run-strip.h"
#include "hs-told.h"
#include "hs-wrap-layout.h"

#include "attn-draw/finding.h"
#include "attn-draw/lab-command.h"

#include <glib/gi18n.h>

#include <math.h>

struct _HsLabFinding {
  HsPanel parent_instance;

  HsRunStrip *strip;
  GtkLabel *reason, *found;
  GtkWidget *ways, *open_button, *command_button;

  AttnFinding finding;
  AttnTrace *trace; /* referenced, nullable: what was looked into, or is */
  AttnFindingResult result;
  bool has_result;
  HsMeasuring *measuring;
};

G_DEFINE_FINAL_TYPE (HsLabFinding, hs_lab_finding, HS_TYPE_PANEL)

static HsSession *
peek_session (HsLabFinding *self)
{
  return hs_panel_peek_session (HS_PANEL (self));
}

AttnFinding
hs_lab_finding_get_finding (HsLabFinding *self)
{
  g_return_val_if_fail (HS_IS_LAB_FINDING (self), ATTN_N_FINDINGS);
  return self->finding;
}

bool
hs_lab_finding_is_running (HsLabFinding *self)
{
  g_return_val_if_fail (HS_IS_LAB_FINDING (self), false);
  return hs_measuring_is_running (self->measuring);
}

const AttnFindingResult *
hs_lab_finding_peek_result (HsLabFinding *self)
{
  g_return_val_if_fail (HS_IS_LAB_FINDING (self), NULL);
  return self->has_result ? &self->result : NULL;
}

/* ---- the work ---- */

typedef struct {
  AttnTrace *trace; /* referenced */
  AttnFinding finding;
  HsMeasuringReport *report; /* while it runs */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  attn_trace_unref (job->trace);
  g_free (job);
}

static bool
told_cb (double fraction, void *data)
{
  const Job *job = data;

  return hs_measuring_tell (job->report, NULL, fraction);
}

static gpointer
measure (gpointer data, AttnPool *pool, HsMeasuringReport *report, GError **error)
{
  Job *job = data;
  const AttnFindingOptions options = {pool, told_cb, job};
  g_autofree AttnFindingResult *result = g_new (AttnFindingResult, 1);

  job->report = report;
  if (!attn_finding_look (job->finding, job->trace, &options, result, error))
    return NULL;
  return g_steal_pointer (&result);
}

static void
take (GtkWidget *page, gpointer state)
{
  HsLabFinding *self = HS_LAB_FINDING (page);
  g_autofree AttnFindingResult *result = state;

  if (self->trace == NULL) /* the text it is of has gone meanwhile */
    return;
  self->result = *result;
  self->has_result = true;
}

/* ---- what is shown ---- */

static void
set_text (GtkLabel *label, const char *text)
{
  gtk_label_set_text (label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL);
}

/* Returns: (transfer full): what the button that leads to a view says. */
static char *
dup_way (const AttnFindingResult *result)
{
  if (result->finding == ATTN_FINDING_KINDS)
    return g_strdup (_ ("See all heads"));
  if (result->finding == ATTN_FINDING_SPARE)
    return g_strdup (_ ("See it in Ablation"));
  return g_strdup_printf (_ ("See head %zu-%zu"), result->head.layer + 1, result->head.head + 1);
}

static void
show_result (HsLabFinding *self)
{
  g_autofree char *sentence =
      self->has_result
          ? attn_draw_finding_dup_sentence (
                &self->result, attn_draw_finding_peek_closing (self->trace), hs_translate, NULL)
          : NULL;

  set_text (self->found, sentence);
  gtk_widget_set_visible (self->ways, self->has_result);
  if (!self->has_result)
    return;
  g_autofree char *way = dup_way (&self->result);
  gtk_button_set_label (GTK_BUTTON (self->open_button), way);
  gtk_widget_set_visible (self->open_button, self->result.finding == ATTN_FINDING_KINDS ||
                                                 self->result.finding == ATTN_FINDING_SPARE ||
                                                 !isnan (self->result.head.value));
}

static void
show (GtkWidget *page)
{
  show_result (HS_LAB_FINDING (page));
}

/* Returns: (transfer full) (nullable): why it cannot be looked for now. */
static char *
dup_reason (HsLabFinding *self)
{
  AttnTrace *trace = hs_lab_peek_trace (peek_session (self));

  if (trace == NULL || hs_session_get_state (peek_session (self)) == HS_STATE_EMPTY)
    return hs_lab_dup_reason (peek_session (self));
  const AttnLensReason reason =
      attn_finding_get_reason (self->finding, attn_trace_peek_model (trace));
  g_autofree char *english = attn_lens_dup_reason (ATTN_LENS_GRADIENT, reason);
  g_autofree char *told = hs_told_dup (english);
  return told != NULL ? g_strdup_printf (_ ("Not on this model: %s"), told) : NULL;
}

static void
forget (HsLabFinding *self)
{
  hs_measuring_stop (self->measuring);
  hs_run_strip_say (self->strip, NULL);
  g_clear_pointer (&self->trace, attn_trace_unref);
  self->has_result = false;
}

static void
hs_lab_finding_update (HsPanel *panel)
{
  HsLabFinding *self = HS_LAB_FINDING (panel);
  g_autofree char *reason = dup_reason (self);

  if (self->trace != NULL &&
      (reason != NULL || self->trace != hs_lab_peek_trace (peek_session (self))))
    forget (self);
  hs_run_strip_set_can_run (self->strip, reason == NULL);
  set_text (self->reason, reason);
  show_result (self);
}

/* ---- what one can do ---- */

void
hs_lab_finding_start (HsLabFinding *self)
{
  g_return_if_fail (HS_IS_LAB_FINDING (self));
  g_autofree char *reason = dup_reason (self);

  if (reason != NULL || hs_measuring_is_running (self->measuring))
    return;
  forget (self);
  self->trace = attn_trace_ref (hs_lab_peek_trace (peek_session (self)));
  Job *job = g_new0 (Job, 1);
  *job = (Job){attn_trace_ref (self->trace), self->finding, NULL};
  hs_measuring_start (self->measuring, job);
}

static void
stop_cb (HsLabFinding *self)
{
  hs_measuring_stop (self->measuring);
  hs_run_strip_say (self->strip, _ ("Stopped"));
}

/* A head that is gone to was chosen: it stays when the lab is left. */
static void
choose_head (HsSession *session, const AttnFindingHead *head)
{
  if (isnan (head->value))
    return;
  hs_session_return_head (session);
  hs_session_set_layer (session, (guint)head->layer);
  hs_session_set_head (session, (guint)head->head);
  hs_session_set_head_chosen (session, TRUE);
}

void
hs_lab_finding_open (HsLabFinding *self)
{
  g_return_if_fail (HS_IS_LAB_FINDING (self));
  HsSession *session = peek_session (self);
  const AttnFindingResult result = self->result; /* leaving the page may forget it */

  if (!self->has_result)
    return;
  g_object_freeze_notify (G_OBJECT (session));
  choose_head (session, &result.head);
  if (result.finding == ATTN_FINDING_SPARE) {
    hs_session_set_lab_page (session, ATTN_DRAW_LAB_ABLATION);
  } else {
    hs_session_set_kind (session, result.finding == ATTN_FINDING_KINDS ? ATTN_DRAW_LAYERS
                                                                       : ATTN_DRAW_HEATMAP);
    hs_session_set_lens (session, result.finding == ATTN_FINDING_WEIGHTS ? ATTN_LENS_GRADIENT
                                                                         : ATTN_LENS_RAW);
    hs_session_set_in_lab (session, FALSE);
  }
  g_object_thaw_notify (G_OBJECT (session));
}

char *
hs_lab_finding_dup_command (HsLabFinding *self)
{
  g_return_val_if_fail (HS_IS_LAB_FINDING (self), NULL);
  if (!self->has_result)
    return NULL;
  HsLabPicture *picture = hs_lab_picture_new (peek_session (self));
  const AttnDrawPicture of = hs_lab_picture_get (picture, ATTN_DRAW_PNG);
  char *command = attn_draw_finding_dup_command (&of, self->finding);
  hs_lab_picture_free (picture);
  return command;
}

static void
copy_command_cb (HsLabFinding *self)
{
  g_autofree char *command = hs_lab_finding_dup_command (self);

  if (command == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), command);
  hs_run_strip_say (self->strip, _ ("The command is in the clipboard"));
}

/* ---- object ---- */

static const HsMeasuringClass measuring_class = {measure, job_free, g_free, take, show};

GtkWidget *
hs_lab_finding_new (HsSession *session, AttnFinding finding)
{
  HsLabFinding *self = g_object_new (HS_TYPE_LAB_FINDING, NULL);

  self->finding = finding;
  g_object_set (self, "session", session, NULL);
  return GTK_WIDGET (self);
}

/* The work holds the page: closing its window ends both. */
static void
hs_lab_finding_unroot (GtkWidget *widget)
{
  hs_measuring_stop (HS_LAB_FINDING (widget)->measuring);
  GTK_WIDGET_CLASS (hs_lab_finding_parent_class)->unroot (widget);
}

static void
hs_lab_finding_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_LAB_FINDING);
  G_OBJECT_CLASS (hs_lab_finding_parent_class)->dispose (object);
}

static void
hs_lab_finding_finalize (GObject *object)
{
  HsLabFinding *self = HS_LAB_FINDING (object);

  hs_measuring_free (self->measuring);
  g_clear_pointer (&self->trace, attn_trace_unref);
  G_OBJECT_CLASS (hs_lab_finding_parent_class)->finalize (object);
}

static void
hs_lab_finding_class_init (HsLabFindingClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_lab_finding_dispose;
  G_OBJECT_CLASS (klass)->finalize = hs_lab_finding_finalize;
  HS_PANEL_CLASS (klass)->update = hs_lab_finding_update;
  widget_class->unroot = hs_lab_finding_unroot;

  g_type_ensure (HS_TYPE_RUN_STRIP);
  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-lab-finding.ui");
  gtk_widget_class_bind_template_child (widget_class, HsLabFinding, strip);
  gtk_widget_class_bind_template_child (widget_class, HsLabFinding, reason);
  gtk_widget_class_bind_template_child (widget_class, HsLabFinding, found);
  gtk_widget_class_bind_template_child (widget_class, HsLabFinding, ways);
  gtk_widget_class_bind_template_child (widget_class, HsLabFinding, open_button);
  gtk_widget_class_bind_template_child (widget_class, HsLabFinding, command_button);
}

static void
hs_lab_finding_init (HsLabFinding *self)
{
  static const char *const watched[] = {"state", "panels"};

  gtk_widget_init_template (GTK_WIDGET (self));
  hs_accessible_name_all (GTK_WIDGET (self));
  self->measuring = hs_measuring_new (&measuring_class, GTK_WIDGET (self), self->strip);
  g_signal_connect_swapped (self->strip, "run", G_CALLBACK (hs_lab_finding_start), self);
  g_signal_connect_swapped (self->strip, "stop", G_CALLBACK (stop_cb), self);
  g_signal_connect_swapped (self->open_button, "clicked", G_CALLBACK (hs_lab_finding_open), self);
  g_signal_connect_swapped (self->command_button, "clicked", G_CALLBACK (copy_command_cb), self);
  for (size_t i = 0; i < G_N_ELEMENTS (watched); i++)
    hs_panel_watch (HS_PANEL (self), watched[i], hs_lab_finding_update);
}
