/* SPDX-License-Identifier: MIT */
/* Plans and fetches on another thread; the main thread reads how far that is. */
#include "hs-download.h"

#include "hs-told.h"
#include "hs-work.h"

#include "attn-hub/fetch.h"
#include "attn/error.h"

#include <glib/gi18n.h>

#include <string.h>

#define S_PER_MINUTE 60
#define S_PER_HOUR 3600

/* What both threads see. */
typedef struct {
  AttnHubPlaces *places;
  char *name;
  AttnHubPlan *plan; /* nullable; of whoever works, and nobody else looks at it meanwhile */
  bool is_stale;     /* the plan tells what was there before an earlier fetch */
  GMutex lock;
  guint64 done, total; /* under lock, as all below */
  double speed, left;  /* bytes per second, seconds */
  char *waiting_for;   /* nullable */
} Shared;

struct _HsDownload {
  GObject parent_instance;

  Shared *shared; /* counted */
  HsDownloadState state;
  GCancellable *work; /* nullable: identity of what is under way */
  char *facts;        /* (nullable): family and size */
  char *trouble;      /* nullable */
  char *folder;       /* nullable */
  bool is_seen;       /* somebody has looked how it ended */
};

G_DEFINE_FINAL_TYPE (HsDownload, hs_download, G_TYPE_OBJECT)

enum { SIGNAL_CHANGED, SIGNAL_SEEN, N_SIGNALS };

static guint signals[N_SIGNALS];

static void
shared_clear (gpointer data)
{
  Shared *shared = data;

  attn_hub_places_free (shared->places);
  g_clear_pointer (&shared->plan, attn_hub_plan_free);
  g_mutex_clear (&shared->lock);
  g_free (shared->name);
  g_free (shared->waiting_for);
}

static void
set_state (HsDownload *self, HsDownloadState state)
{
  self->is_seen = false;
  self->state = state;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* ---- on another thread ---- */

typedef struct {
  Shared *shared;
  GCancellable *stop;
  HsReport *report;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_atomic_rc_box_release_full (job->shared, shared_clear);
  g_object_unref (job->stop);
  g_free (job);
}

static bool
make_plan (Job *job, GError **error)
{
  Shared *shared = job->shared;
  g_autoptr (AttnHubName) name = attn_hub_name_parse (shared->name, error);

  g_clear_pointer (&shared->plan, attn_hub_plan_free);
  if (name != NULL)
    shared->plan = attn_hub_plan_new (shared->places, name, job->stop, error);
  if (shared->plan == NULL)
    return false;
  shared->is_stale = false;
  g_mutex_lock (&shared->lock);
  shared->done = attn_hub_plan_get_n_present (shared->plan);
  shared->total = attn_hub_plan_get_n_bytes (shared->plan);
  g_mutex_unlock (&shared->lock);
  return true;
}

static char *
dup_facts (const AttnHubPlan *plan)
{
  g_autofree char *bytes = g_format_size (attn_hub_plan_get_n_bytes (plan));
  const size_t n_files = attn_hub_plan_get_n_files (plan);
  g_autofree char *files = g_strdup_printf (
      g_dngettext (NULL, "%s in %zu file", "%s in %zu files", n_files), bytes, n_files);
  g_autofree char *facts = NULL, *present = NULL;

  facts =
      g_strdup_printf (_ ("%s · %zu layers × %zu heads · %s"), attn_hub_plan_peek_family (plan),
                       attn_hub_plan_get_n_layers (plan), attn_hub_plan_get_n_heads (plan), files);
  if (attn_hub_plan_get_n_present (plan) == 0)
    return g_steal_pointer (&facts);
  present = g_format_size (attn_hub_plan_get_n_present (plan));
  return g_strdup_printf (_ ("%s, of which %s are here already"), facts, present);
}

static gpointer
plan_in_thread (gpointer data, HsReport *report, GError **error)
{
  Job *job = data;

  (void)report;
  return make_plan (job, error) ? dup_facts (job->shared->plan) : NULL;
}

static void
progress_cb (const AttnHubProgress *progress, void *data)
{
  Job *job = data;
  Shared *shared = job->shared;

  g_mutex_lock (&shared->lock);
  shared->done = progress->done;
  shared->total = progress->total;
  shared->speed = progress->bytes_per_second;
  shared->left = progress->seconds_left;
  g_free (shared->waiting_for);
  shared->waiting_for = g_strdup (progress->waiting_for);
  g_mutex_unlock (&shared->lock);
  hs_report_tell (progress->total > 0 ? (double)progress->done / (double)progress->total : 0,
                  job->report);
}

static gpointer
fetch_in_thread (gpointer data, HsReport *report, GError **error)
{
  Job *job = data;
  Shared *shared = job->shared;

  job->report = report;
  if ((shared->plan == NULL || shared->is_stale) && !make_plan (job, error))
    return NULL;
  shared->is_stale = true;
  return attn_hub_fetch (shared->plan, progress_cb, job, job->stop, error);
}

static const HsWorkClass plan_work = {plan_in_thread, job_free, g_free};
static const HsWorkClass fetch_work = {fetch_in_thread, job_free, g_free};

/* ---- there and back ---- */

static void
told_cb (double fraction, gpointer data)
{
  (void)fraction;
  g_signal_emit (data, signals[SIGNAL_CHANGED], 0);
}

/* A line of the program's own, and the library's, without the name that stands above both.
 * @is_asking: nobody has asked for more than what there is */
static char *
dup_trouble (const char *name, const char *message, bool is_asking)
{
  const size_t n = strcspn (name, "@"); /* without its revision */
  const char *rest = message;
  g_autofree char *told = NULL;

  if (strncmp (message, name, n) == 0 && g_str_has_prefix (message + n, ": "))
    rest = message + n + strlen (": ");
  told = hs_told_dup_sentence (rest);
  return g_strdup_printf ("%s\n%s",
                          is_asking ? _ ("The model could not be looked up.")
                                    : _ ("The model could not be downloaded."),
                          told);
}

/* Returns: (transfer full): what the work made, or NULL where it failed or was stopped. */
static char *
end_work (HsDownload *self, GAsyncResult *result)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *made = hs_work_finish (result, &error);

  g_clear_object (&self->work);
  g_clear_pointer (&self->trouble, g_free);
  if (made != NULL)
    return g_steal_pointer (&made);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ||
      g_error_matches (error, ATTN_ERROR, ATTN_ERROR_CANCELLED)) {
    set_state (self, HS_DOWNLOAD_PAUSED);
    return NULL;
  }
  self->trouble =
      dup_trouble (self->shared->name, error->message, self->state == HS_DOWNLOAD_PLANNING);
  set_state (self, HS_DOWNLOAD_FAILED);
  return NULL;
}

static void
planned_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (HsDownload) self = data;
  g_autofree char *facts = end_work (self, result);

  if (facts == NULL)
    return;
  g_free (self->facts);
  self->facts = g_steal_pointer (&facts);
  set_state (self, HS_DOWNLOAD_PLANNED);
}

static void
fetched_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (HsDownload) self = data;
  g_autofree char *folder = end_work (self, result);

  if (folder == NULL)
    return;
  g_free (self->folder);
  self->folder = g_steal_pointer (&folder);
  set_state (self, HS_DOWNLOAD_DONE);
}

static void
start (HsDownload *self, const HsWorkClass *klass, HsDownloadState state, GAsyncReadyCallback done)
{
  Job *job = g_new0 (Job, 1);

  g_return_if_fail (self->work == NULL);
  self->work = g_cancellable_new ();
  *job = (Job){g_atomic_rc_box_acquire (self->shared), g_object_ref (self->work), NULL};
  hs_work_start (klass, job, self->work, told_cb, self, done, g_object_ref (self));
  set_state (self, state);
}

void
hs_download_plan (HsDownload *self)
{
  g_return_if_fail (HS_IS_DOWNLOAD (self));
  start (self, &plan_work, HS_DOWNLOAD_PLANNING, planned_cb);
}

void
hs_download_run (HsDownload *self)
{
  g_return_if_fail (HS_IS_DOWNLOAD (self));
  start (self, &fetch_work, HS_DOWNLOAD_RUNNING, fetched_cb);
}

void
hs_download_queue (HsDownload *self)
{
  g_return_if_fail (HS_IS_DOWNLOAD (self) && self->work == NULL);
  set_state (self, HS_DOWNLOAD_QUEUED);
}

void
hs_download_pause (HsDownload *self)
{
  g_return_if_fail (HS_IS_DOWNLOAD (self));

  if (self->work != NULL)
    g_cancellable_cancel (self->work);
  else if (self->state == HS_DOWNLOAD_QUEUED)
    set_state (self, HS_DOWNLOAD_PAUSED);
}

/* ---- how it goes ---- */

HsDownloadState
hs_download_get_state (HsDownload *self)
{
  g_return_val_if_fail (HS_IS_DOWNLOAD (self), HS_DOWNLOAD_FAILED);
  return self->state;
}

bool
hs_download_is_news (HsDownload *self)
{
  g_return_val_if_fail (HS_IS_DOWNLOAD (self), false);
  return !self->is_seen && (self->state == HS_DOWNLOAD_DONE || self->state == HS_DOWNLOAD_FAILED);
}

void
hs_download_note_seen (HsDownload *self)
{
  g_return_if_fail (HS_IS_DOWNLOAD (self));

  if (!hs_download_is_news (self))
    return;
  self->is_seen = true;
  g_signal_emit (self, signals[SIGNAL_SEEN], 0);
}

const char *
hs_download_peek_name (HsDownload *self)
{
  g_return_val_if_fail (HS_IS_DOWNLOAD (self), "");
  return self->shared->name;
}

const char *
hs_download_peek_folder (HsDownload *self)
{
  g_return_val_if_fail (HS_IS_DOWNLOAD (self), NULL);
  return self->folder;
}

double
hs_download_get_fraction (HsDownload *self)
{
  Shared *shared = self->shared;
  double fraction;

  g_mutex_lock (&shared->lock);
  fraction = shared->total > 0 ? (double)shared->done / (double)shared->total : 0;
  g_mutex_unlock (&shared->lock);
  return CLAMP (fraction, 0, 1);
}

static char *
dup_left (double seconds)
{
  const int whole = (int)MIN (seconds + 0.5, G_MAXINT / 2);

  if (whole < S_PER_MINUTE)
    return g_strdup_printf (_ ("%d s left"), whole);
  if (whole < S_PER_HOUR)
    return g_strdup_printf (_ ("%d min left"), (whole + S_PER_MINUTE / 2) / S_PER_MINUTE);
  return g_strdup_printf (_ ("%d h %d min left"), whole / S_PER_HOUR,
                          whole % S_PER_HOUR / S_PER_MINUTE);
}

/* "120 MB of 412 MB"; NULL where that is not known. */
static char *
dup_amount (const Shared *shared)
{
  g_autofree char *done = g_format_size (shared->done);
  g_autofree char *total = g_format_size (shared->total);

  return shared->total > 0 ? g_strdup_printf (_ ("%s of %s"), done, total) : NULL;
}

static char *
dup_running (const Shared *shared)
{
  g_autofree char *amount = dup_amount (shared);
  g_autofree char *speed = g_format_size ((guint64)shared->speed);
  g_autofree char *left = NULL;

  if (shared->waiting_for != NULL)
    return g_strdup (_ (shared->waiting_for));
  if (amount == NULL)
    return g_strdup (_ ("Begins…"));
  if (shared->speed <= 0 || shared->left < 0)
    return g_steal_pointer (&amount);
  left = dup_left (shared->left);
  return g_strdup_printf (_ ("%s · %s/s · %s"), amount, speed, left);
}

static char *
dup_paused (const Shared *shared)
{
  g_autofree char *amount = dup_amount (shared);

  return amount != NULL ? g_strdup_printf (_ ("Paused · %s"), amount)
                        : g_strdup (_ ("Paused · goes on from where it was"));
}

char *
hs_download_dup_status (HsDownload *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->shared->lock);

  (void)locker;
  switch (self->state) {
  case HS_DOWNLOAD_PLANNING:
    return g_strdup_printf (_ ("Asking %s what it is…"), self->shared->places->endpoint);
  case HS_DOWNLOAD_PLANNED:
    return g_strdup (self->facts);
  case HS_DOWNLOAD_QUEUED:
    return g_strdup (_ ("Waits for the one before it"));
  case HS_DOWNLOAD_RUNNING:
    return dup_running (self->shared);
  case HS_DOWNLOAD_PAUSED:
    return dup_paused (self->shared);
  case HS_DOWNLOAD_DONE:
    return g_strdup (_ ("Downloaded and checked"));
  case HS_DOWNLOAD_FAILED:
    return g_strdup (self->trouble);
  }
  return NULL;
}

/* ---- object ---- */

static void
hs_download_finalize (GObject *object)
{
  HsDownload *self = HS_DOWNLOAD (object);

  g_atomic_rc_box_release_full (self->shared, shared_clear);
  g_clear_object (&self->work);
  g_free (self->facts);
  g_free (self->trouble);
  g_free (self->folder);
  G_OBJECT_CLASS (hs_download_parent_class)->finalize (object);
}

static void
hs_download_class_init (HsDownloadClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hs_download_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_SEEN] = g_signal_new ("seen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                       NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hs_download_init (HsDownload *self)
{
  self->state = HS_DOWNLOAD_PAUSED;
}

HsDownload *
hs_download_new (const AttnHubPlaces *places, const char *name)
{
  HsDownload *self = g_object_new (HS_TYPE_DOWNLOAD, NULL);

  self->shared = g_atomic_rc_box_new0 (Shared);
  g_mutex_init (&self->shared->lock);
  self->shared->places = attn_hub_places_new ((const char *const *)places->environment);
  self->shared->name = g_strdup (name);
  return self;
}
