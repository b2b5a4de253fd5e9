/* SPDX-License-Identifier: MIT */
/* Carrying out a plan: file by file into the cache, resumed, checked, named. */
#include "meter.h"
#include "plan-private.h"
#include "repo-dir.h"
#include "waits.h"

#include "attn-hub/blob.h"
#include "attn-hub/name.h"
#include "attn-hub/snapshot.h"
#include "attn/error.h"
#include "attn/quote.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define PIECE ((size_t)1 << 20)
#define MARGIN ((guint64)64 << 20) /* of the disk that is left to others */
#define MEGABYTE 1e6
#define TELL_WAIT_US (G_USEC_PER_SEC / 2)

typedef struct {
  const AttnHubPlan *plan;
  AttnHubClient *client;
  GCancellable *stop;
  AttnHubMeter meter;
  guint8 *piece; /* [PIECE] */
} Fetch;

/* One file while it is received. */
typedef struct {
  Fetch *fetch;
  const AttnHubPlanFile *file;
  AttnHubBlob *blob;
  guint64 counted;     /* of its bytes, in the meter */
  unsigned n_tries;    /* since the last byte arrived */
  unsigned n_restarts; /* from zero */
} Reception;

typedef enum {
  RECEIVED,
  AGAIN,   /* ask once more, from where it is */
  WRONG,   /* what came is not the file; @error tells */
  EXPIRED, /* the address is not valid any more; @error tells */
  FAILED,  /* @error tells */
} Outcome;

static void
tell_waiting (const char *sentence, void *data)
{
  Fetch *fetch = data;
  fetch->meter.progress.waiting_for = sentence;
  attn_hub_meter_tell (&fetch->meter);
}

/* Asked while the blob is opened: at 0 as long as another program writes it, then while what is
 * left of an earlier download is hashed. */
static bool
go_on (double fraction, void *data)
{
  Fetch *fetch = data;
  if (g_get_monotonic_time () - fetch->meter.told_us > TELL_WAIT_US)
    tell_waiting (
        attn_hub_waits_peek (fraction > 0 ? ATTN_HUB_WAITS_CHECK : ATTN_HUB_WAITS_PROGRAM), fetch);
  return !g_cancellable_is_cancelled (fetch->stop);
}

/* The meter counts what is in the part file, which may shrink. */
static void
count (Reception *reception)
{
  guint64 now = attn_hub_blob_get_n_bytes (reception->blob);
  AttnHubProgress *progress = &reception->fetch->meter.progress;
  if (now >= reception->counted)
    progress->done += now - reception->counted;
  else
    progress->done -= reception->counted - now;
  reception->counted = now;
}

static Outcome
restart (Reception *reception, GError **error)
{
  if (++reception->n_restarts > ATTN_HUB_MAX_TRIES) {
    g_set_error (
        error, ATTN_ERROR, ATTN_ERROR_FORMAT,
        "%s: the server never sends it to its end (%d times from the start); try again later",
        reception->file->path, ATTN_HUB_MAX_TRIES);
    return FAILED;
  }
  if (!attn_hub_blob_restart (reception->blob, error))
    return FAILED;
  count (reception);
  return AGAIN;
}

/* The connection broke, or the body ended too early. */
static Outcome
break_off (Reception *reception, const GError *why, GError **error)
{
  AttnHubClient *client = reception->fetch->client;
  if (why != NULL && g_error_matches (why, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    attn_hub_client_explain (client, why, error);
    return FAILED;
  }
  if (++reception->n_tries <= ATTN_HUB_MAX_TRIES)
    return attn_hub_client_wait (client, reception->n_tries,
                                 attn_hub_waits_peek (ATTN_HUB_WAITS_CONNECTION), error)
               ? AGAIN
               : FAILED;
  if (why != NULL)
    attn_hub_client_explain (client, why, error);
  else
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
                 "%s: found %" G_GUINT64_FORMAT " bytes, wanted %" G_GUINT64_FORMAT
                 ": the server sends no more; try again later",
                 reception->file->path, attn_hub_blob_get_n_bytes (reception->blob),
                 reception->file->n_bytes);
  return FAILED;
}

/* Reads a body to its end. */
static Outcome
receive_body (Reception *reception, GInputStream *stream, GError **error)
{
  Fetch *fetch = reception->fetch;
  for (;;) {
    g_autoptr (GError) network = NULL;
    gssize n = g_input_stream_read (stream, fetch->piece, PIECE, fetch->stop, &network);
    if (n < 0)
      return break_off (reception, network, error);
    guint64 have = attn_hub_blob_get_n_bytes (reception->blob);
    if (n == 0)
      return have == reception->file->n_bytes ? RECEIVED : break_off (reception, NULL, error);
    reception->n_tries = 0;
    if ((guint64)n > reception->file->n_bytes - have) {
      g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
                   "%s: the server sends more than the %" G_GUINT64_FORMAT
                   " bytes that it promised; try again later",
                   reception->file->path, reception->file->n_bytes);
      return WRONG;
    }
    if (!attn_hub_blob_write (reception->blob, fetch->piece, (size_t)n, error))
      return FAILED;
    reception->counted += (guint64)n;
    attn_hub_meter_receive (&fetch->meter, (guint64)n);
  }
}

/* One request for what is still missing. */
static Outcome
receive_part (Reception *reception, const char *url, GError **error)
{
  guint64 have = attn_hub_blob_get_n_bytes (reception->blob);
  g_auto (AttnHubBody) body = {0};
  if (!attn_hub_client_open (reception->fetch->client, url, have, &body, error))
    return attn_hub_client_is_expired (reception->fetch->client) ? EXPIRED : FAILED;
  if (body.is_beyond || (body.first != have && body.first != 0))
    return restart (reception, error); /* then no range is asked for */
  if (body.first != have) {            /* the server sends all of it */
    Outcome outcome = restart (reception, error);
    if (outcome != AGAIN)
      return outcome;
  }
  return receive_body (reception, body.stream, error);
}

/* The file's headers, and whether they fit the plan. */
static bool
ask_metadata (Reception *reception, AttnHubMetadata *metadata, GError **error)
{
  const AttnHubPlan *plan = reception->fetch->plan;
  const AttnHubPlanFile *file = reception->file;
  g_autofree char *escaped = attn_hub_name_escape_path (file->path);
  g_autofree char *path = g_strdup_printf ("/%s/resolve/%s/%s", plan->repo, plan->commit, escaped);
  attn_hub_metadata_clear (metadata);
  if (!attn_hub_client_head (reception->fetch->client, path, metadata, error))
    return false;
  bool is_other = metadata->etag != NULL && strlen (metadata->etag) == strlen (file->etag) &&
                  attn_hub_hash_of_etag (metadata->etag) != ATTN_HUB_HASH_NONE &&
                  strcmp (metadata->etag, file->etag) != 0;
  if (strcmp (metadata->commit, plan->commit) == 0 && !is_other)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
               "%s: %s has changed while the model was fetched; fetch it again", plan->repo,
               file->path);
  return false;
}

/* A signed address may have run out: a new one is asked for, once for each that worked. */
static Outcome
receive_all (Reception *reception, GError **error)
{
  g_auto (AttnHubMetadata) metadata = {0};
  if (!ask_metadata (reception, &metadata, error))
    return FAILED;
  for (bool is_fresh = true;;) {
    g_autoptr (GError) found = NULL;
    guint64 before = reception->fetch->meter.progress.received;
    Outcome outcome = receive_part (reception, metadata.url, &found);
    is_fresh = is_fresh && reception->fetch->meter.progress.received == before;
    if (outcome == AGAIN)
      continue;
    if (outcome != EXPIRED || is_fresh) {
      if (found != NULL)
        g_propagate_error (error, g_steal_pointer (&found));
      return outcome;
    }
    if (!ask_metadata (reception, &metadata, error))
      return FAILED;
    is_fresh = true;
  }
}

/* A wrong file is fetched once more from its start. */
static bool
receive_blob (Reception *reception, GError **error)
{
  for (unsigned n = 1;; n++) {
    g_autoptr (GError) wrong = NULL;
    Outcome outcome = reception->file->n_bytes == attn_hub_blob_get_n_bytes (reception->blob)
                          ? RECEIVED
                          : receive_all (reception, &wrong);
    if (outcome == RECEIVED && attn_hub_blob_commit (reception->blob, &wrong))
      return true;
    bool is_wrong = outcome == WRONG ||
                    (outcome == RECEIVED && g_error_matches (wrong, ATTN_ERROR, ATTN_ERROR_FORMAT));
    if (!is_wrong || n > 1) {
      if (outcome == RECEIVED && is_wrong)
        g_prefix_error (&wrong, "%s: %s: ", reception->fetch->plan->repo, reception->file->path);
      g_propagate_error (error, g_steal_pointer (&wrong));
      return false;
    }
    if (!attn_hub_blob_restart (reception->blob, error))
      return false;
    count (reception);
  }
}

/* A file that is there may be one that only somebody else can read. */
static bool
check_readable (const AttnHubSnapshot *snapshot, const AttnHubPlanFile *file, GError **error)
{
  g_autofree char *folder = attn_hub_snapshot_dup_folder (snapshot);
  g_autofree char *path = g_build_filename (folder, file->path, NULL);
  if (faccessat (AT_FDCWD, path, R_OK, AT_EACCESS) == 0)
    return true;
  g_autofree char *name = g_build_filename ("snapshots", snapshot->commit, file->path, NULL);
  return attn_hub_refuse_io (snapshot->cache, snapshot->repo, name, "read", error);
}

static bool
fetch_file (Fetch *fetch,
            const AttnHubPlanFile *file,
            const AttnHubSnapshot *snapshot,
            GError **error)
{
  if (attn_hub_snapshot_has (snapshot, file->path, file->n_bytes))
    return check_readable (snapshot, file, error);
  fetch->meter.progress.file = file->path;
  attn_hub_meter_tell (&fetch->meter);
  g_autoptr (AttnHubBlob) blob = attn_hub_blob_open (snapshot->cache, snapshot->repo, file->etag,
                                                     file->n_bytes, go_on, fetch, error);
  fetch->meter.progress.waiting_for = NULL;
  if (blob == NULL)
    return false;
  Reception reception = {.fetch = fetch, .file = file, .blob = blob, .counted = file->n_present};
  count (&reception);
  return (attn_hub_blob_is_there (blob) || receive_blob (&reception, error)) &&
         attn_hub_snapshot_add (snapshot, file->path, file->etag, error) &&
         check_readable (snapshot, file, error);
}

/* The free bytes where the cache is or will be; false where that is not known. */
static bool
find_free (const char *cache, guint64 *n_free)
{
  g_autofree char *folder = g_strdup (cache);
  struct statvfs state;
  while (statvfs (folder, &state) != 0) {
    char *above = g_path_get_dirname (folder);
    bool is_top = strcmp (above, folder) == 0;
    g_free (folder);
    folder = above;
    if (is_top)
      return false;
  }
  *n_free = (guint64)state.f_bavail * state.f_frsize;
  return true;
}

/* Asked first: room that somebody makes is of no use where nothing can be written. */
static bool
check_writable (const AttnHubPlan *plan, GError **error)
{
  g_autofree char *name = attn_hub_name_dup_folder (plan->repo);
  g_autofree char *folder = g_build_filename (plan->places->cache, name, "blobs", NULL);
  while (faccessat (AT_FDCWD, folder, W_OK, AT_EACCESS) != 0) {
    if (errno == EROFS || errno == EACCES)
      return attn_hub_refuse_io (plan->places->cache, plan->repo, NULL, "written", error);
    char *above = g_path_get_dirname (folder);
    bool is_top = strcmp (above, folder) == 0;
    g_free (folder);
    folder = above;
    if (is_top)
      break;
  }
  return true;
}

static bool
check_space (const AttnHubPlan *plan, GError **error)
{
  guint64 n_free = 0, n_bytes = attn_hub_plan_get_n_bytes (plan);
  guint64 wanted = n_bytes - MIN (n_bytes, attn_hub_plan_get_n_present (plan));
  if (wanted == 0 || !find_free (plan->places->cache, &n_free) ||
      (n_free >= MARGIN && n_free - MARGIN >= wanted))
    return true;
  g_autofree char *shown = attn_file_dup_shown (plan->places->cache, strlen (plan->places->cache));
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO,
               "%s: found %.0f MB free, wanted %.0f MB for %s; make room, or name a folder on "
               "another disk in HF_HUB_CACHE",
               shown, (double)n_free / MEGABYTE, ((double)wanted + (double)MARGIN) / MEGABYTE,
               plan->repo);
  return false;
}

static bool
fetch_all (Fetch *fetch, const AttnHubSnapshot *snapshot, GError **error)
{
  const AttnHubPlan *plan = fetch->plan;
  for (guint i = 0; i < plan->files->len; i++)
    if (!fetch_file (fetch, g_ptr_array_index (plan->files, i), snapshot, error))
      return false;
  attn_hub_meter_tell (&fetch->meter);
  return attn_hub_snapshot_refer (snapshot, plan->revision, error);
}

char *
attn_hub_fetch (
    AttnHubPlan *plan, AttnHubProgressFunc progress, void *data, GCancellable *stop, GError **error)
{
  g_return_val_if_fail (plan != NULL, NULL);
  const bool is_whole = attn_hub_plan_get_n_present (plan) >= attn_hub_plan_get_n_bytes (plan);
  if ((!is_whole && !check_writable (plan, error)) || !check_space (plan, error))
    return NULL;
  g_autoptr (AttnHubClient) client = attn_hub_client_new (plan->places, plan->repo, stop, error);
  if (client == NULL)
    return NULL;
  g_autofree guint8 *piece = g_malloc (PIECE);
  Fetch fetch = {
      .plan = plan,
      .client = client,
      .stop = stop,
      .meter = {.func = progress,
                .data = data,
                .progress = {.total = attn_hub_plan_get_n_bytes (plan),
                             .done = attn_hub_plan_get_n_present (plan),
                             .file = "",
                             .seconds_left = -1}},
      .piece = piece,
  };
  AttnHubSnapshot snapshot = {plan->places->cache, plan->repo, plan->commit,
                              plan->places->avoids_links};
  attn_hub_client_set_wait_func (client, tell_waiting, &fetch);
  return fetch_all (&fetch, &snapshot, error) ? attn_hub_snapshot_dup_folder (&snapshot) : NULL;
}
