/* SPDX-License-Identifier: MIT */
/* What a folder's weights hold or lack that is no error, but for the user to know. */
#include "config-family.h"
#include "config-private.h"
#include "file.h"
#include "model-plan.h"
#include "model-private.h"

#include <string.h>

/* A file of more layers than the config asks for is usable, but its maps are of a shorter model. */
static void
warn_of_layers (const AttnPlan *plan)
{
  const AttnConfig *config = plan->model->config;
  size_t n = attn_config_get_n_layer_weights (config);
  const char *key = attn_config_peek_key (config, config->n_layer_weights != 0
                                                      ? offsetof (AttnConfig, n_layer_weights)
                                                      : offsetof (AttnConfig, n_layers));
  for (AttnRole role = 0; role < ATTN_N_ROLES; role++) {
    const AttnTensorInfo *tensor =
        attn_role_is_layered (role) ? attn_plan_find (plan, role, n) : NULL;
    if (tensor == NULL)
      continue;
    g_autofree char *path = attn_plan_dup_path (plan, tensor);
    g_autofree char *name = attn_file_dup_shown (tensor->name, strlen (tensor->name));
    g_ptr_array_add (plan->model->warnings,
                     g_strdup_printf ("%s: tensor %s is not used, for config.json's %s is %zu: the "
                                      "model ends before that layer",
                                      path, name, key, n / MAX (config->n_inner, 1)));
    return;
  }
}

/* Returns: (nullable): what follows "encoder.layer.7." in @name, if it begins like @pattern
 * ("encoder.layer.#.output.dense") up to its last number. */
static const char *
skip_layer (const char *name, const char *pattern)
{
  const char *last = strrchr (pattern, '#');
  for (; pattern <= last; pattern++) {
    if (*pattern != '#') {
      if (*name++ != *pattern)
        return NULL;
      continue;
    }
    if (!g_ascii_isdigit (*name))
      return NULL;
    while (g_ascii_isdigit (*name))
      name++;
  }
  return *name == '.' ? name + 1 : NULL;
}

/* Returns: (nullable): the tensor's name within its layer; NULL for those of no layer. */
static const char *
peek_name_in_layer (const AttnArch *arch, const char *name)
{
  for (AttnRole role = 0; role < ATTN_N_ROLES; role++) {
    const char *pattern = arch->roles[role].names[0];
    if (!attn_role_is_layered (role) || pattern == NULL)
      continue;
    for (const char *const *prefix = arch->prefixes; *prefix != NULL; prefix++) {
      const char *inner =
          g_str_has_prefix (name, *prefix) ? skip_layer (name + strlen (*prefix), pattern) : NULL;
      if (inner != NULL)
        return inner;
    }
  }
  return NULL;
}

/* Tables and masks that follow from the sizes; old programs wrote them out with the weights. */
static bool
follows_from_sizes (const char *name_in_layer)
{
  static const char *const names[] = {"attn.bias", "attn.masked_bias", "attn.rotary_emb.inv_freq"};
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (name_in_layer, names[i]) == 0)
      return true;
  return false;
}

/* Returns: (transfer full): the tensors that will be read. */
static GHashTable *
new_planned_set (const AttnPlan *plan)
{
  GHashTable *planned = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < plan->items->len; i++)
    g_hash_table_add (planned,
                      (gpointer)(guintptr)g_array_index (plan->items, AttnPlanItem, i).tensor);
  return planned;
}

/* Adapters, distances of a kind this family's config does not ask for, …: within a layer whatever
 * is not used would have changed the maps. */
static void
warn_of_unused (const AttnPlan *plan)
{
  const AttnTensorInfo *first = NULL;
  size_t n = 0;
  g_autoptr (GHashTable) planned = new_planned_set (plan);
  for (size_t i = 0; i < attn_source_get_n_tensors (plan->source); i++) {
    const AttnTensorInfo *tensor = attn_source_peek_tensor (plan->source, i);
    const char *inner = peek_name_in_layer (plan->model->arch, tensor->name);
    if (inner == NULL || follows_from_sizes (inner) || g_hash_table_contains (planned, tensor))
      continue;
    first = first != NULL ? first : tensor;
    n++;
  }
  if (n == 0)
    return;
  g_autofree char *path = attn_plan_dup_path (plan, first);
  g_autofree char *name = attn_file_dup_shown (first->name, strlen (first->name));
  g_autofree char *others = n > 1 ? g_strdup_printf (" and %zu more", n - 1) : g_strdup ("");
  g_ptr_array_add (plan->model->warnings,
                   g_strdup_printf ("%s: tensor %s%s: parts of layers that are not used; the maps "
                                    "are those of the model without them",
                                    path, name, others));
}

/* Whether the class that saved the folder has a pooler. */
static bool
expects_pooler (const char *architecture)
{
  return architecture != NULL && ((g_str_has_suffix (architecture, "Model") &&
                                   !g_str_has_suffix (architecture, "LMHeadModel")) ||
                                  g_str_has_suffix (architecture, "ForPreTraining") ||
                                  g_str_has_suffix (architecture, "ForNextSentencePrediction"));
}

static void
warn_of_pooler (const AttnPlan *plan)
{
  const AttnArch *arch = plan->model->arch;
  const char *architecture = plan->model->config->architecture;
  if (arch->pooler == NULL || !expects_pooler (architecture))
    return;
  for (const char *const *prefix = arch->prefixes; *prefix != NULL; prefix++) {
    g_autofree char *name = g_strconcat (*prefix, arch->pooler, NULL);
    if (attn_source_find (plan->source, name) != NULL)
      return;
  }
  g_autofree char *path = attn_plan_dup_path (plan, NULL);
  g_autofree char *shown = attn_file_dup_shown (architecture, strlen (architecture));
  g_ptr_array_add (plan->model->warnings,
                   g_strdup_printf ("%s: tensor %s is missing, which a %s has; nothing that is "
                                    "shown here needs it",
                                    path, arch->pooler, shown));
}

void
attn_plan_warn (const AttnPlan *plan)
{
  const size_t n_before = plan->model->warnings->len;
  warn_of_layers (plan);
  if (plan->model->warnings->len == n_before)
    warn_of_unused (plan);
  warn_of_pooler (plan);
}
