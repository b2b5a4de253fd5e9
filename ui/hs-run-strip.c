/* SPDX-License-Identifier: MIT */
/* Buttons for a measurement, and its files. */
#include "hs-run-strip.h"

#include "hs-accessible.h"
#include "hs-children.h"
#include "hs-figure-actions.h"
#include "hs-save-button.h"
#include "hs-wrap-layout.h"

#include <glib/gi18n.h>

#include <math.h>
#include <string.h>

#define GUESS_FROM 0.05 /* of the work: before that nobody knows how long it takes */

struct _HsRunStrip {
  GtkWidget parent_instance;

  GtkButton *run_button;
  GtkWidget *stop_button, *file_button;
  GtkProgressBar *progress;
  GtkLabel *sentence;

  gboolean running;
  gint64 begin_us;
  HsRunFileFunc file;       /* nullable */
  HsRunCommandFunc command; /* nullable */
  gpointer file_data;
};

G_DEFINE_FINAL_TYPE (HsRunStrip, hs_run_strip, GTK_TYPE_WIDGET)

enum { PROP_0, PROP_RUN_LABEL, PROP_RUNNING, N_PROPS };
enum { SIGNAL_RUN, SIGNAL_STOP, N_SIGNALS };

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

GtkWidget *
hs_run_strip_new (const char *run_label)
{
  return g_object_new (HS_TYPE_RUN_STRIP, "run-label", run_label, NULL);
}

void
hs_run_strip_set_running (HsRunStrip *self, gboolean running)
{
  g_return_if_fail (HS_IS_RUN_STRIP (self));

  running = !!running;
  if (self->running == running)
    return;
  self->running = running;
  self->begin_us = g_get_monotonic_time ();
  gtk_widget_set_visible (GTK_WIDGET (self->run_button), !running);
  gtk_widget_set_visible (self->stop_button, running);
  gtk_widget_set_visible (GTK_WIDGET (self->progress), running);
  if (running)
    hs_run_strip_set_fraction (self, 0);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_RUNNING]);
}

void
hs_run_strip_set_can_run (HsRunStrip *self, bool can_run)
{
  g_return_if_fail (HS_IS_RUN_STRIP (self));
  gtk_widget_set_sensitive (GTK_WIDGET (self->run_button), can_run);
}

void
hs_run_strip_set_fraction (HsRunStrip *self, double fraction)
{
  g_return_if_fail (HS_IS_RUN_STRIP (self));

  const double elapsed = (double)(g_get_monotonic_time () - self->begin_us) / G_USEC_PER_SEC;
  gtk_progress_bar_set_fraction (self->progress, CLAMP (fraction, 0, 1));
  if (fraction < GUESS_FROM) {
    gtk_progress_bar_set_text (self->progress, _ ("Measuring…"));
    return;
  }
  const int left = (int)ceil (elapsed * (1 - fraction) / fraction);
  g_autofree char *text = g_strdup_printf (
      dngettext (NULL, "about %d second left", "about %d seconds left", (gulong)left), left);
  gtk_progress_bar_set_text (self->progress, text);
}

void
hs_run_strip_say (HsRunStrip *self, const char *sentence)
{
  g_return_if_fail (HS_IS_RUN_STRIP (self));

  gtk_label_set_text (self->sentence, sentence != NULL ? sentence : "");
  gtk_widget_set_visible (GTK_WIDGET (self->sentence), sentence != NULL);
}

void
hs_run_strip_set_file (HsRunStrip *self,
                       HsRunFileFunc file,
                       HsRunCommandFunc command,
                       gpointer data)
{
  g_return_if_fail (HS_IS_RUN_STRIP (self));
  self->file = file;
  self->command = command;
  self->file_data = data;
}

void
hs_run_strip_set_has_file (HsRunStrip *self, bool has_file)
{
  g_return_if_fail (HS_IS_RUN_STRIP (self));
  gtk_widget_set_visible (self->file_button, has_file);
}

/* ---- out of the window ---- */

static void
say (GtkWidget *widget, const char *sentence)
{
  hs_run_strip_say (HS_RUN_STRIP (widget), sentence);
}

static bool
find_file (GtkWidget *widget, HsFigureFile *file)
{
  HsRunStrip *self = HS_RUN_STRIP (widget);

  if (self->file == NULL || !self->file (file, self->file_data)) {
    say (widget, _ ("Nothing is measured yet"));
    return false;
  }
  file->title = _ ("Save what was measured");
  return true;
}

static char *
dup_command (GtkWidget *widget)
{
  HsRunStrip *self = HS_RUN_STRIP (widget);

  return self->command != NULL ? self->command (self->file_data) : NULL;
}

static const HsFigureOwner owner = {find_file, dup_command, say};

void
hs_run_strip_save (HsRunStrip *self, const char *format, HsAsk ask)
{
  g_return_if_fail (HS_IS_RUN_STRIP (self));
  hs_figure_owner_save (&owner, GTK_WIDGET (self), format, ask);
}

char *
hs_run_strip_dup_command (HsRunStrip *self)
{
  g_return_val_if_fail (HS_IS_RUN_STRIP (self), NULL);
  return dup_command (GTK_WIDGET (self));
}

/* ---- object ---- */

static void
run_cb (HsRunStrip *self)
{
  g_signal_emit (self, signals[SIGNAL_RUN], 0);
}

static void
stop_cb (HsRunStrip *self)
{
  g_signal_emit (self, signals[SIGNAL_STOP], 0);
}

static void
hs_run_strip_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  HsRunStrip *self = HS_RUN_STRIP (object);

  if (id == PROP_RUN_LABEL)
    g_value_set_string (value, gtk_button_get_label (self->run_button));
  else if (id == PROP_RUNNING)
    g_value_set_boolean (value, self->running);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hs_run_strip_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HsRunStrip *self = HS_RUN_STRIP (object);

  if (id == PROP_RUN_LABEL) {
    gtk_button_set_label (self->run_button, g_value_get_string (value));
    g_object_notify_by_pspec (object, pspec);
  } else if (id == PROP_RUNNING) {
    hs_run_strip_set_running (self, g_value_get_boolean (value));
  } else {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
hs_run_strip_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_RUN_STRIP);
  hs_children_unparent (GTK_WIDGET (object));
  G_OBJECT_CLASS (hs_run_strip_parent_class)->dispose (object);
}

static void
hs_run_strip_class_init (HsRunStripClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = hs_run_strip_get_property;
  object_class->set_property = hs_run_strip_set_property;
  object_class->dispose = hs_run_strip_dispose;

  props[PROP_RUN_LABEL] = g_param_spec_string ("run-label", NULL, NULL, NULL, flags);
  props[PROP_RUNNING] = g_param_spec_boolean ("running", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
  signals[SIGNAL_RUN] = g_signal_new ("run", HS_TYPE_RUN_STRIP, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                      NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_STOP] = g_signal_new ("stop", HS_TYPE_RUN_STRIP, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                       NULL, G_TYPE_NONE, 0);

  g_type_ensure (HS_TYPE_SAVE_BUTTON);
  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headscope/Headscope/ui/hs-run-strip.ui");
  gtk_widget_class_bind_template_child (widget_class, HsRunStrip, run_button);
  gtk_widget_class_bind_template_child (widget_class, HsRunStrip, stop_button);
  gtk_widget_class_bind_template_child (widget_class, HsRunStrip, file_button);
  gtk_widget_class_bind_template_child (widget_class, HsRunStrip, progress);
  gtk_widget_class_bind_template_child (widget_class, HsRunStrip, sentence);
}

static void
hs_run_strip_init (HsRunStrip *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hs_accessible_name_all (GTK_WIDGET (self));
  hs_figure_add_actions (GTK_WIDGET (self), &owner);
  g_signal_connect_swapped (self->run_button, "clicked", G_CALLBACK (run_cb), self);
  g_signal_connect_swapped (self->stop_button, "clicked", G_CALLBACK (stop_cb), self);
}
