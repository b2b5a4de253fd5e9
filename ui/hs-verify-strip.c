/* SPDX-License-Identifier: MIT */
/* Compares the files of a model with their hashes on another thread. */
#include "hs-verify-strip.h"

#include "hs-told.h"
#include "hs-work.h"

#include "attn-hub/manage.h"

#include <glib/gi18n.h>

struct _HsVerifyStrip {
  GtkWidget parent_instance;

  GCancellable *work; /* nullable: identity of what is under way */
  char *name;         /* nullable */
  GtkLabel *label;
  GtkProgressBar *progress;
  GtkWidget *stop;
  GtkWidget *close;
};

G_DEFINE_FINAL_TYPE (HsVerifyStrip, hs_verify_strip, GTK_TYPE_WIDGET)

typedef struct {
  char *cache;
  AttnHubName name;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->cache);
  g_free (job->name.repo);
  g_free (job->name.revision);
  g_free (job);
}

static gpointer
verify_in_thread (gpointer data, HsReport *report, GError **error)
{
  const Job *job = data;

  return attn_hub_verify (job->cache, &job->name, hs_report_tell, report, error);
}

static void
verdict_free (gpointer verdict)
{
  attn_hub_verdict_free (verdict);
}

static const HsWorkClass verify_work = {verify_in_thread, job_free, verdict_free};

static void
show (HsVerifyStrip *self, const char *text, bool is_running)
{
  gtk_label_set_text (self->label, text);
  gtk_label_set_wrap (self->label, !is_running);
  gtk_widget_set_hexpand (GTK_WIDGET (self->label), !is_running);
  gtk_widget_set_visible (GTK_WIDGET (self->progress), is_running);
  gtk_widget_set_visible (self->stop, is_running);
  gtk_widget_set_visible (self->close, !is_running);
  gtk_widget_set_visible (GTK_WIDGET (self), text != NULL);
}

/* The first of @n, in two lines: what to do, and which file. */
static char *
dup_problem (const AttnHubProblem *problem, const char *name, size_t n)
{
  g_autofree char *reason = hs_told_dup (problem->reason);
  g_autofree char *found =
      problem->path != NULL ? g_strdup_printf ("%s: %s", problem->path, reason) : g_strdup (reason);
  g_autofree char *says = NULL, *more = NULL;

  switch (problem->remedy) {
  case ATTN_HUB_ANEW:
    says = g_strdup_printf (_ ("%s is damaged. Remove it and download it again."), name);
    break;
  case ATTN_HUB_FETCH:
    says = g_strdup_printf (_ ("%s is not complete. Download it to get what is missing."), name);
    break;
  case ATTN_HUB_AS_TOLD:
    says = g_strdup_printf (_ ("%s could not be looked at."), name);
    break;
  }
  if (n == 1)
    return g_strdup_printf ("%s\n%s", says, found);
  more = g_strdup_printf (g_dngettext (NULL, "And %zu more.", "And %zu more.", n - 1), n - 1);
  return g_strdup_printf ("%s\n%s\n%s", says, found, more);
}

static char *
dup_verdict (const AttnHubVerdict *verdict, const char *name)
{
  const size_t n = verdict->n_problems;

  if (n == 0 && verdict->n_unchecked > 0)
    return g_strdup_printf (_ ("%s: %zu of %zu files are what was downloaded; the others carry no "
                               "hash to compare with"),
                            name, verdict->n_files - verdict->n_unchecked, verdict->n_files);
  if (n == 0)
    return g_strdup_printf (g_dngettext (NULL, "%s: the %zu file is what was downloaded",
                                         "%s: all %zu files are what was downloaded",
                                         verdict->n_files),
                            name, verdict->n_files);
  return dup_problem (verdict->problems[0], name, n);
}

typedef struct {
  HsVerifyStrip *strip; /* referenced */
  GCancellable *identity;
} Run;

static void
run_free (Run *run)
{
  g_object_unref (run->strip);
  g_object_unref (run->identity);
  g_free (run);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Run, run_free)

static void
verified_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (Run) run = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnHubVerdict) verdict = hs_work_finish (result, &error);
  HsVerifyStrip *self = run->strip;
  g_autofree char *text = NULL;

  if (run->identity != self->work)
    return; /* stopped, another one began, or the window is gone */
  g_clear_object (&self->work);
  text = verdict != NULL ? dup_verdict (verdict, self->name) : hs_told_dup (error->message);
  show (self, text, false);
}

static void
progress_cb (double fraction, gpointer data)
{
  Run *run = data;

  if (run->identity == run->strip->work)
    gtk_progress_bar_set_fraction (run->strip->progress, fraction);
}

static void
end (HsVerifyStrip *self)
{
  if (self->work != NULL)
    g_cancellable_cancel (self->work);
  g_clear_object (&self->work);
}

static void
close_cb (HsVerifyStrip *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  /* the keyboard must not be left on what vanishes */
  if (root != NULL)
    gtk_widget_child_focus (GTK_WIDGET (root), GTK_DIR_TAB_FORWARD);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

void
hs_verify_strip_say (HsVerifyStrip *self, const char *text)
{
  g_return_if_fail (HS_IS_VERIFY_STRIP (self));
  end (self);
  show (self, text, false);
}

static void
stop_cb (HsVerifyStrip *self)
{
  end (self);
  show (self, _ ("Stopped."), false);
}

void
hs_verify_strip_start (HsVerifyStrip *self, HsModels *models, HsModelItem *item)
{
  const AttnHubEntry *entry = hs_model_item_peek_entry (item);
  g_autofree char *text = NULL;
  Run *run = g_new (Run, 1);
  Job *job = g_new0 (Job, 1);

  g_return_if_fail (HS_IS_VERIFY_STRIP (self));

  end (self);
  self->work = g_cancellable_new ();
  g_free (self->name);
  self->name = g_strdup (hs_model_item_peek_name (item));
  text = g_strdup_printf (_ ("Verifying %s…"), self->name);
  gtk_progress_bar_set_fraction (self->progress, 0);
  show (self, text, true);
  job->cache = g_strdup (hs_models_peek_places (models)->cache);
  job->name.repo = g_strdup (entry->repo);
  job->name.revision = g_strdup (entry->commit);
  *run = (Run){g_object_ref (self), g_object_ref (self->work)};
  hs_work_start (&verify_work, job, self->work, progress_cb, run, verified_cb, run);
}

static void
hs_verify_strip_dispose (GObject *object)
{
  end (HS_VERIFY_STRIP (object));
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_VERIFY_STRIP);
  G_OBJECT_CLASS (hs_verify_strip_parent_class)->dispose (object);
}

static void
hs_verify_strip_finalize (GObject *object)
{
  g_free (HS_VERIFY_STRIP (object)->name);
  G_OBJECT_CLASS (hs_verify_strip_parent_class)->finalize (object);
}

static void
hs_verify_strip_class_init (HsVerifyStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_verify_strip_dispose;
  G_OBJECT_CLASS (klass)->finalize = hs_verify_strip_finalize;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-verify-strip.ui");
  gtk_widget_class_bind_template_child (widget_class, HsVerifyStrip, label);
  gtk_widget_class_bind_template_child (widget_class, HsVerifyStrip, progress);
  gtk_widget_class_bind_template_child (widget_class, HsVerifyStrip, stop);
  gtk_widget_class_bind_template_child (widget_class, HsVerifyStrip, close);
  gtk_widget_class_bind_template_callback (widget_class, stop_cb);
  gtk_widget_class_bind_template_callback (widget_class, close_cb);
}

static void
hs_verify_strip_init (HsVerifyStrip *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
