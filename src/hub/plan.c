/* SPDX-License-Identifier: MIT */
/* What fetching a model would mean: asking for its commit, its files and its config. */
#include "listing.h"
#include "plan-choice.h"
#include "planning.h"

#include "attn/config.h"
#include "attn/error.h"
#include "attn/json.h"

#define MAX_INFO_BYTES ((size_t)32 << 20)
#define MAX_CONFIG_BYTES ((size_t)2 << 20)

static void
plan_file_free (void *data)
{
  AttnHubPlanFile *file = data;
  g_free (file->path);
  g_free (file->etag);
  g_free (file);
}

void
attn_hub_plan_free (AttnHubPlan *plan)
{
  if (plan == NULL)
    return;
  g_free (plan->repo);
  g_free (plan->revision);
  g_free (plan->commit);
  g_free (plan->family);
  g_ptr_array_unref (plan->files);
  g_free (plan);
}

const char *
attn_hub_plan_peek_repo (const AttnHubPlan *plan)
{
  g_return_val_if_fail (plan != NULL, NULL);
  return plan->repo;
}

const char *
attn_hub_plan_peek_commit (const AttnHubPlan *plan)
{
  g_return_val_if_fail (plan != NULL, NULL);
  return plan->commit;
}

const char *
attn_hub_plan_peek_family (const AttnHubPlan *plan)
{
  g_return_val_if_fail (plan != NULL, NULL);
  return plan->family;
}

size_t
attn_hub_plan_get_n_layers (const AttnHubPlan *plan)
{
  g_return_val_if_fail (plan != NULL, 0);
  return plan->n_layers;
}

size_t
attn_hub_plan_get_n_heads (const AttnHubPlan *plan)
{
  g_return_val_if_fail (plan != NULL, 0);
  return plan->n_heads;
}

size_t
attn_hub_plan_get_n_files (const AttnHubPlan *plan)
{
  g_return_val_if_fail (plan != NULL, 0);
  return plan->files->len;
}

const AttnHubPlanFile *
attn_hub_plan_peek_file (const AttnHubPlan *plan, size_t index)
{
  g_return_val_if_fail (plan != NULL && index < plan->files->len, NULL);
  return g_ptr_array_index (plan->files, index);
}

guint64
attn_hub_plan_get_n_bytes (const AttnHubPlan *plan)
{
  g_return_val_if_fail (plan != NULL, 0);
  guint64 n = 0; /* sizes are below 2^53 and their number below 2^17: they may add up to too much */
  for (guint i = 0; i < plan->files->len; i++) {
    const AttnHubPlanFile *file = g_ptr_array_index (plan->files, i);
    n = n > G_MAXUINT64 - file->n_bytes ? G_MAXUINT64 : n + file->n_bytes;
  }
  return n;
}

guint64
attn_hub_plan_get_n_present (const AttnHubPlan *plan)
{
  g_return_val_if_fail (plan != NULL, 0);
  guint64 n = 0;
  for (guint i = 0; i < plan->files->len; i++)
    n += ((const AttnHubPlanFile *)g_ptr_array_index (plan->files, i))->n_present;
  return n;
}

/* The commit that the revision is now. */
static bool
ask_commit (AttnHubPlanning *planning, GError **error)
{
  AttnHubPlan *plan = planning->plan;
  size_t n_bytes = 0;
  g_autofree char *revision = attn_hub_name_escape_revision (plan->revision);
  g_autofree char *path = g_strdup_printf ("/api/models/%s/revision/%s", plan->repo, revision);
  g_autofree char *shown = g_strconcat (plan->places->endpoint, path, NULL);
  g_autofree char *text =
      attn_hub_client_load (planning->client, path, MAX_INFO_BYTES, &n_bytes, NULL, error);
  if (text == NULL)
    return false;
  GError *fault = NULL;
  g_autoptr (json_t) info = attn_json_load_bytes (text, n_bytes, shown, &fault);
  const char *commit = NULL;
  bool is_disabled = false;
  if (info == NULL || !attn_json_get_string (info, "sha", "", &commit, shown, &fault) ||
      !attn_json_get_bool (info, "disabled", false, &is_disabled, shown, &fault))
    return attn_hub_client_refuse_content (planning->client, fault, error);
  if (is_disabled)
    return attn_hub_refuse_disabled (planning->client, error);
  plan->commit = g_strdup (commit);
  return attn_hub_name_is_commit (commit) ||
         attn_json_refuse (error, ATTN_ERROR_FORMAT, shown, "sha", json_object_get (info, "sha"),
                           "a commit of 40 hexadecimal digits");
}

/* Whether the family is one of ours, before anything large is fetched. */
static bool
check_config (AttnHubPlanning *planning, GError **error)
{
  AttnHubPlan *plan = planning->plan;
  size_t n_bytes = 0;
  if (!attn_hub_planning_add (planning, planning->inner, "config.json")) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
                 "%s: has no config.json, so it is no model in the layout of Hugging Face's "
                 "transformers; choose another",
                 plan->repo);
    return false;
  }
  g_autofree char *path = g_strconcat (planning->inner, "config.json", NULL);
  g_autofree char *shown = g_strconcat (plan->repo, "/", path, NULL);
  g_autofree char *text =
      attn_hub_planning_load (planning, path, MAX_CONFIG_BYTES, &n_bytes, error);
  g_autoptr (AttnConfig) config =
      text == NULL ? NULL : attn_config_parse (text, n_bytes, shown, error);
  if (config == NULL)
    return false;
  plan->family = g_strdup (config->family);
  plan->n_layers = config->n_layers;
  plan->n_heads = config->n_heads;
  return true;
}

static bool
make_plan (AttnHubPlanning *planning, GError **error)
{
  if (!ask_commit (planning, error))
    return false;
  planning->listing =
      attn_hub_listing_load (planning->client, planning->plan->repo, planning->plan->commit, error);
  return planning->listing != NULL && attn_hub_planning_add_modules (planning, error) &&
         check_config (planning, error) && attn_hub_planning_add_tokenizer (planning, error) &&
         attn_hub_planning_add_weights (planning, error);
}

AttnHubPlan *
attn_hub_plan_new (const AttnHubPlaces *places,
                   const AttnHubName *name,
                   GCancellable *stop,
                   GError **error)
{
  g_return_val_if_fail (places != NULL && name != NULL, NULL);
  g_autoptr (AttnHubClient) client = attn_hub_client_new (places, name->repo, stop, error);
  if (client == NULL)
    return NULL;
  AttnHubPlan *plan = g_new0 (AttnHubPlan, 1);
  *plan = (AttnHubPlan){
      .places = places,
      .repo = g_strdup (name->repo),
      .revision = g_strdup (attn_hub_name_peek_revision (name)),
      .files = g_ptr_array_new_with_free_func (plan_file_free),
  };
  AttnHubPlanning planning = {.plan = plan, .client = client};
  bool is_made = make_plan (&planning, error);
  g_clear_pointer (&planning.listing, g_hash_table_unref);
  g_free (planning.inner);
  if (!is_made)
    g_clear_pointer (&plan, attn_hub_plan_free);
  return plan;
}
