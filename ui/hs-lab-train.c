/* SPDX-License-Identifier: MIT */
/* An experiment on another thread, its curves and its table while they come. */
#include "hs-lab-train.h"

#include "hs-accessible.h"
#include "hs-errors.h"
#include "hs-figure.h"
#include "hs-lab-look.h"
#include "hs-lab-train-words.h"
#include "hs-measuring.h"
#include "hs-run-strip.h"
#include "hs-wrap-layout.h"

#include "attn/lab-text.h"

#include <glib/gi18n.h>

#include <string.h>

#define PNG_SCALE 2
#define FILE_STEM "heads-trained"

struct _HsLabTrain {
  HsPanel parent_instance;

  GtkAdjustment *seeds, *steps;
  HsRunStrip *strip;
  GtkWidget *results;
  GtkLabel *example, *finding;
  GtkGrid *grid;
  GtkBox *figure_panel;
  HsFigure *figure;

  AttnExperiment *experiment; /* nullable: what is shown */
  HsMeasuring *measuring;
};

G_DEFINE_FINAL_TYPE (HsLabTrain, hs_lab_train, HS_TYPE_PANEL)

GtkWidget *
hs_lab_train_new (HsSession *session)
{
  return g_object_new (HS_TYPE_LAB_TRAIN, "session", session, NULL);
}

gboolean
hs_lab_train_is_running (HsLabTrain *self)
{
  g_return_val_if_fail (HS_IS_LAB_TRAIN (self), FALSE);
  return hs_measuring_is_running (self->measuring);
}

const AttnExperiment *
hs_lab_train_peek_experiment (HsLabTrain *self)
{
  g_return_val_if_fail (HS_IS_LAB_TRAIN (self), NULL);
  return self->experiment;
}

/* ---- what is shown ---- */

static void
show (GtkWidget *page)
{
  HsLabTrain *self = HS_LAB_TRAIN (page);
  const bool has_result =
      self->experiment != NULL && attn_experiment_find_best (self->experiment) != G_MAXSIZE;

  gtk_widget_set_visible (self->results, has_result);
  gtk_widget_set_visible (GTK_WIDGET (self->figure_panel), self->experiment != NULL);
  hs_run_strip_set_has_file (self->strip, has_result && !hs_measuring_is_running (self->measuring));
  if (has_result) {
    g_autofree char *finding = hs_lab_train_dup_finding (self->experiment);
    gtk_label_set_text (self->finding, finding);
    gtk_widget_set_visible (GTK_WIDGET (self->finding), *finding != '\0');
    hs_lab_train_fill_table (self->grid, self->experiment);
  }
  hs_figure_renew (self->figure);
}

static AttnDrawFigure *
make_figure (double width, gpointer data)
{
  HsLabTrain *self = data;
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));

  if (session == NULL)
    return NULL;
  const AttnDrawLabLook look = hs_lab_look_get (session, width);
  return attn_draw_experiment_chart_new (self->experiment, &look);
}

/* ---- the work ---- */

typedef struct {
  AttnExperiment *experiment;
  HsMeasuringReport *report; /* while it runs */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  attn_experiment_free (job->experiment);
  g_free (job);
}

static bool
told_cb (const AttnExperiment *experiment, double fraction, void *data)
{
  const Job *job = data;

  return hs_measuring_tell (job->report, attn_experiment_copy (experiment), fraction);
}

static gpointer
train (gpointer data, AttnPool *pool, HsMeasuringReport *report, GError **error)
{
  Job *job = data;

  job->report = report;
  if (!attn_experiment_run (job->experiment, pool, told_cb, job, error))
    return NULL;
  return attn_experiment_copy (job->experiment);
}

static void
free_experiment (gpointer experiment)
{
  attn_experiment_free (experiment);
}

static void
take (GtkWidget *page, gpointer state)
{
  HsLabTrain *self = HS_LAB_TRAIN (page);

  attn_experiment_free (self->experiment);
  self->experiment = state;
}

static const HsMeasuringClass measuring_class = {train, job_free, free_experiment, take, show};

void
hs_lab_train_start (HsLabTrain *self)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (HS_IS_LAB_TRAIN (self));
  if (hs_measuring_is_running (self->measuring))
    return;
  AttnExperimentOptions options = hs_lab_train_get_options ();
  options.n_seeds = (size_t)gtk_adjustment_get_value (self->seeds);
  options.train.n_steps = (size_t)gtk_adjustment_get_value (self->steps);
  AttnExperiment *experiment = attn_experiment_new (&options, &error);
  if (experiment == NULL) {
    hs_run_strip_say (self->strip, hs_error_peek_sentence (error));
    return;
  }
  Job *job = g_new0 (Job, 1);
  job->experiment = experiment;
  take (GTK_WIDGET (self), attn_experiment_copy (experiment));
  hs_measuring_start (self->measuring, job);
}

void
hs_lab_train_stop (HsLabTrain *self)
{
  g_return_if_fail (HS_IS_LAB_TRAIN (self));
  hs_measuring_stop (self->measuring);
}

/* ---- files ---- */

typedef struct {
  AttnExperiment *experiment;
  AttnDrawLabLook look;
} FileSource;

static void
file_source_free (gpointer data)
{
  FileSource *source = data;

  attn_experiment_free (source->experiment);
  g_free (source);
}

static GBytes *
take_text (char *text)
{
  return g_bytes_new_take (text, strlen (text));
}

static GBytes *
make_file (gpointer data, const char *format, GError **error)
{
  const FileSource *source = data;
  AttnDrawFormat drawn;

  if (attn_draw_format_find (format, &drawn))
    return attn_draw_experiment_chart_write (source->experiment, &source->look, drawn,
                                             drawn == ATTN_DRAW_PNG ? PNG_SCALE : 1, error);
  return take_text (g_str_equal (format, "csv") ? attn_experiment_dup_csv (source->experiment)
                                                : attn_experiment_dup_json (source->experiment));
}

static bool
get_file (HsRunFile *file, gpointer data)
{
  HsLabTrain *self = data;

  if (self->experiment == NULL)
    return false;
  FileSource *source = g_new (FileSource, 1);
  source->experiment = attn_experiment_copy (self->experiment);
  source->look = hs_lab_look_get_for_file (hs_panel_peek_session (HS_PANEL (self)));
  *file = (HsRunFile){FILE_STEM, source, file_source_free, make_file};
  return true;
}

/* Of an experiment that was stopped: as far as that. */
static char *
dup_command (gpointer data)
{
  HsLabTrain *self = data;
  const AttnDrawLabLook look = hs_lab_look_get_for_file (hs_panel_peek_session (HS_PANEL (self)));

  if (self->experiment == NULL)
    return NULL;
  return attn_draw_experiment_chart_dup_command (self->experiment, &look, ATTN_DRAW_PNG,
                                                 FILE_STEM ".png");
}

/* ---- object ---- */

static void
hs_lab_train_update (HsPanel *panel)
{
  hs_figure_renew (HS_LAB_TRAIN (panel)->figure);
}

/* The work holds the page: closing its window ends both. */
static void
hs_lab_train_unroot (GtkWidget *widget)
{
  hs_lab_train_stop (HS_LAB_TRAIN (widget));
  GTK_WIDGET_CLASS (hs_lab_train_parent_class)->unroot (widget);
}

static void
hs_lab_train_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_LAB_TRAIN);
  G_OBJECT_CLASS (hs_lab_train_parent_class)->dispose (object);
}

static void
hs_lab_train_finalize (GObject *object)
{
  attn_experiment_free (HS_LAB_TRAIN (object)->experiment);
  hs_measuring_free (HS_LAB_TRAIN (object)->measuring);
  G_OBJECT_CLASS (hs_lab_train_parent_class)->finalize (object);
}

static void
hs_lab_train_class_init (HsLabTrainClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_lab_train_dispose;
  G_OBJECT_CLASS (klass)->finalize = hs_lab_train_finalize;
  HS_PANEL_CLASS (klass)->update = hs_lab_train_update;
  widget_class->unroot = hs_lab_train_unroot;

  g_type_ensure (HS_TYPE_RUN_STRIP);
  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headscope/Headscope/ui/hs-lab-train.ui");
  gtk_widget_class_bind_template_child (widget_class, HsLabTrain, seeds);
  gtk_widget_class_bind_template_child (widget_class, HsLabTrain, steps);
  gtk_widget_class_bind_template_child (widget_class, HsLabTrain, strip);
  gtk_widget_class_bind_template_child (widget_class, HsLabTrain, results);
  gtk_widget_class_bind_template_child (widget_class, HsLabTrain, example);
  gtk_widget_class_bind_template_child (widget_class, HsLabTrain, finding);
  gtk_widget_class_bind_template_child (widget_class, HsLabTrain, grid);
  gtk_widget_class_bind_template_child (widget_class, HsLabTrain, figure_panel);
}

static void
hs_lab_train_init (HsLabTrain *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hs_accessible_name_all (GTK_WIDGET (self));
  hs_lab_train_say_example (self->example);
  self->figure = HS_FIGURE (hs_figure_new (_ ("Curves of training")));
  gtk_widget_set_hexpand (GTK_WIDGET (self->figure), TRUE);
  gtk_box_append (self->figure_panel, GTK_WIDGET (self->figure));
  hs_figure_set_maker (self->figure, make_figure, self);
  hs_run_strip_set_file (self->strip, get_file, dup_command, self);
  self->measuring = hs_measuring_new (&measuring_class, GTK_WIDGET (self), self->strip);
  g_signal_connect_swapped (self->strip, "run", G_CALLBACK (hs_lab_train_start), self);
  g_signal_connect_swapped (self->strip, "stop", G_CALLBACK (hs_lab_train_stop), self);
  hs_panel_watch (HS_PANEL (self), "dark", hs_lab_train_update);
  hs_panel_watch (HS_PANEL (self), "view", hs_lab_train_update);
}
