/* SPDX-License-Identifier: MIT */
/* A hash that a session has against that of what is there now. */
#include "hs-session-weights.h"

#include "hs-work.h"

#include <glib/gi18n.h>

typedef struct {
  HsStatusLine *status_line; /* referenced; in no window any more once that is closed */
  char *wanted;
  const char *sentence; /* of a difference */
} Check;

static void
check_free (Check *check)
{
  g_object_unref (check->status_line);
  g_free (check->wanted);
  g_free (check);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Check, check_free)

static gpointer
hash_model (gpointer model, HsReport *report G_GNUC_UNUSED, GError **error)
{
  return g_strdup (attn_model_compute_sha256 (model, NULL, NULL, error));
}

static gpointer
hash_arrays (gpointer arrays, HsReport *report G_GNUC_UNUSED, GError **error)
{
  return g_strdup (attn_arrays_compute_sha256 (arrays, NULL, NULL, error));
}

static void
unref_model (gpointer model)
{
  attn_model_unref (model);
}

static void
unref_arrays (gpointer arrays)
{
  attn_arrays_unref (arrays);
}

static void
hashed_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (Check) check = data;
  g_autofree char *hash = hs_work_finish (result, NULL);

  if (hash != NULL && !g_str_equal (hash, check->wanted) &&
      gtk_widget_get_root (GTK_WIDGET (check->status_line)) != NULL)
    hs_status_line_say_also (check->status_line, check->sentence);
}

static Check *
check_new (HsStatusLine *status_line, const char *wanted, const char *sentence)
{
  Check *check = g_new (Check, 1);

  *check = (Check){g_object_ref (status_line), g_strdup (wanted), sentence};
  return check;
}

void
hs_session_weights_check (HsStatusLine *status_line,
                          const AttnDrawSessionSide *side,
                          const HsSessionModel *loaded)
{
  static const HsWorkClass model_work = {hash_model, unref_model, g_free};
  static const HsWorkClass file_work = {hash_arrays, unref_arrays, g_free};
  AttnArrays *arrays = loaded->attention != NULL ? loaded->attention->arrays : NULL;
  const char *wanted = side->weights_sha256;

  if (wanted != NULL && arrays != NULL)
    hs_work_start (&file_work, attn_arrays_ref (arrays), NULL, NULL, NULL, hashed_cb,
                   check_new (status_line, wanted,
                              _ ("The attention file has changed since the session was saved")));
  else if (wanted != NULL && loaded->model != NULL)
    hs_work_start (
        &model_work, attn_model_ref (loaded->model), NULL, NULL, NULL, hashed_cb,
        check_new (status_line, wanted,
                   _ ("The session was made with other weights than this model has now")));
}
