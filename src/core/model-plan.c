/* SPDX-License-Identifier: MIT */
/* Which tensor of a folder is which weight: names, shapes, what is missing. */
#include "model-plan.h"

#include "config-family.h"
#include "config-private.h"
#include "file.h"
#include "model-private.h"
#include "source-private.h"

#include "attn/error.h"

#include <string.h>

/* Norms' endings in files from before 2019. Returns: NULL for other names. */
static char *
make_old_name (const char *name)
{
  static const char *const endings[][2] = {{".weight", ".gamma"}, {".bias", ".beta"}};
  for (size_t i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (name, endings[i][0]))
      return g_strdup_printf ("%.*s%s", (int)(strlen (name) - strlen (endings[i][0])), name,
                              endings[i][1]);
  return NULL;
}

/* Looks under every prefix. */
static const AttnTensorInfo *
find_pattern (const AttnPlan *plan, const char *pattern, size_t layer, bool old_spelling)
{
  for (const char *const *prefix = plan->model->arch->prefixes; *prefix != NULL; prefix++) {
    g_autofree char *own = attn_arch_dup_name (plan->model->config, pattern, layer);
    g_autofree char *name = g_strconcat (*prefix, own, NULL);
    g_autofree char *old_name = old_spelling ? make_old_name (name) : NULL;
    const AttnTensorInfo *tensor = attn_source_find (plan->source, old_spelling ? old_name : name);
    if (tensor != NULL)
      return tensor;
  }
  return NULL;
}

const AttnTensorInfo *
attn_plan_find (const AttnPlan *plan, AttnRole role, size_t layer)
{
  const char *const *names = plan->model->arch->roles[role].names;
  for (size_t i = 0; i < ATTN_ROLE_MAX_NAMES && names[i] != NULL; i++) {
    const AttnTensorInfo *tensor = find_pattern (plan, names[i], layer, false);
    if (tensor == NULL && attn_role_is_norm (role))
      tensor = find_pattern (plan, names[i], layer, true);
    if (tensor != NULL)
      return tensor;
  }
  return NULL;
}

char *
attn_plan_dup_path (const AttnPlan *plan, const AttnTensorInfo *tensor)
{
  if (tensor == NULL && attn_source_get_n_tensors (plan->source) > 0)
    tensor = attn_source_peek_tensor (plan->source, 0);
  const char *path = tensor != NULL ? attn_source_peek_path (plan->source, tensor)
                                    : attn_source_peek_files (plan->source)[0];
  return attn_file_dup_shown (path, strlen (path));
}

/* Names the tensor as this family's newest files do. */
static void
set_missing_error (const AttnPlan *plan, AttnRole role, size_t layer, GError **error)
{
  const AttnConfig *config = plan->model->config;
  const char *const *names = plan->model->arch->roles[role].names;
  g_autoptr (GString) all = g_string_new (NULL);
  for (size_t i = 0; i < ATTN_ROLE_MAX_NAMES && names[i] != NULL; i++) {
    g_autofree char *name = attn_arch_dup_name (config, names[i], layer);
    g_string_append_printf (all, "%s%s", i > 0 ? " or " : "", name);
  }
  g_autofree char *layers =
      attn_role_is_layered (role)
          ? g_strdup_printf ("; config.json's %s is %zu",
                             attn_config_peek_key (config, offsetof (AttnConfig, n_layers)),
                             config->n_layers / MAX (config->n_inner, 1))
          : g_strdup ("");
  g_autofree char *path = attn_plan_dup_path (plan, NULL);
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
               "%s: tensor %s is missing, also under its older spellings%s", path, all->str,
               layers);
}

static char *
format_shape (const size_t *shape, size_t n_dims)
{
  GString *text = g_string_new ("[");
  for (size_t i = 0; i < n_dims; i++)
    g_string_append_printf (text, "%s%zu", i > 0 ? ", " : "", shape[i]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

/* The keys of config.json that give a role its shape. */
static char *
dup_size_keys (const AttnConfig *config, AttnRole role)
{
#define KEY(member) attn_config_peek_key (config, offsetof (AttnConfig, member))
  const char *width = config->d_embed != 0 ? KEY (d_embed) : KEY (d_model);
  switch (role) {
  case ATTN_ROLE_WORDS:
  case ATTN_ROLE_DECODER:
    return g_strdup_printf ("%s and %s", KEY (vocab_size), width);
  case ATTN_ROLE_DECODER_BIAS:
    return g_strdup (KEY (vocab_size));
  case ATTN_ROLE_POSITIONS:
    return g_strdup_printf ("%s and %s", KEY (n_positions), width);
  case ATTN_ROLE_TYPES:
    return g_strdup_printf ("%s and %s", KEY (n_types), width);
  case ATTN_ROLE_PROJECTION:
  case ATTN_ROLE_HEAD_DENSE:
    return g_strdup_printf ("%s and %s", width, KEY (d_model));
  case ATTN_ROLE_DISTANCES:
    return config->n_buckets != 0
               ? g_strdup_printf ("%s and %s", KEY (n_buckets), KEY (n_heads))
               : g_strdup_printf ("position_buckets, max_relative_positions and %s", KEY (d_model));
  case ATTN_ROLE_CONVOLUTION:
    return g_strdup_printf ("%s and conv_kernel_size", KEY (d_model));
  case ATTN_ROLE_UP:
  case ATTN_ROLE_DOWN:
    return g_strdup_printf ("%s and %s", KEY (d_ff), KEY (d_model));
  case ATTN_ROLE_UP_BIAS:
    return g_strdup (KEY (d_ff));
  case ATTN_ROLE_EMBED_NORM_GAIN:
  case ATTN_ROLE_EMBED_NORM_BIAS:
  case ATTN_ROLE_HEAD_DENSE_BIAS:
  case ATTN_ROLE_HEAD_NORM_GAIN:
  case ATTN_ROLE_HEAD_NORM_BIAS:
    return g_strdup (width);
  default:
    return g_strdup (KEY (d_model));
  }
#undef KEY
}

static bool
check_tensor (const AttnPlan *plan, const AttnTensorInfo *tensor, AttnRole role, GError **error)
{
  g_autofree char *path = attn_plan_dup_path (plan, tensor);
  if (tensor->dtype == ATTN_DTYPE_OTHER) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
                 "%s: tensor %s has dtype %s, wanted F32, F16, BF16 or F64", path, tensor->name,
                 tensor->dtype_name);
    return false;
  }
  size_t shape[3], n_dims = attn_layout_get_stored_shape (&plan->layout, role, shape);
  if (tensor->n_dims == n_dims && memcmp (tensor->shape, shape, n_dims * sizeof *shape) == 0)
    return true;
  g_autofree char *found = format_shape (tensor->shape, tensor->n_dims);
  g_autofree char *wanted = format_shape (shape, n_dims);
  g_autofree char *keys = dup_size_keys (plan->layout.config, role);
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
               "%s: tensor %s has shape %s, wanted %s by %s of config.json", path, tensor->name,
               found, wanted, keys);
  return false;
}

static bool
plan_tensor (AttnPlan *plan, AttnRole role, size_t layer, GError **error)
{
  const AttnTensorInfo *tensor = attn_plan_find (plan, role, layer);
  if (tensor == NULL) {
    set_missing_error (plan, role, layer, error);
    return false;
  }
  if (!check_tensor (plan, tensor, role, error))
    return false;
  AttnPlanItem item = {.tensor = tensor, .role = role, .layer = layer};
  g_array_append_val (plan->items, item);
  return true;
}

static bool
have_same_values (const AttnPlan *plan, const AttnTensorInfo *a, const AttnTensorInfo *b)
{
  enum { PIECE = 1 << 15 };
  if (a->dtype == ATTN_DTYPE_OTHER || b->dtype == ATTN_DTYPE_OTHER || a->n_dims != b->n_dims ||
      memcmp (a->shape, b->shape, a->n_dims * sizeof *a->shape) != 0)
    return false;
  g_autofree float *pieces = g_new (float, 2 * PIECE);
  for (size_t first = 0; first < a->n_elements; first += PIECE) {
    size_t n = MIN (PIECE, a->n_elements - first);
    if (!attn_source_read_f32 (plan->source, a, first, n, pieces, NULL) ||
        !attn_source_read_f32 (plan->source, b, first, n, pieces + PIECE, NULL) ||
        memcmp (pieces, pieces + PIECE, n * sizeof *pieces) != 0)
      return false;
  }
  return true;
}

/* Some files hold the word embeddings twice; memory need not. */
static bool
is_copy_of_words (const AttnPlan *plan, const AttnTensorInfo *decoder)
{
  const AttnTensorInfo *words = attn_plan_find (plan, ATTN_ROLE_WORDS, 0);
  return words != NULL &&
         (attn_source_is_same_place (words, decoder) || have_same_values (plan, words, decoder));
}

/* Classes whose head is not the LM head, even where the file has all of one. */
static bool
has_another_head (const AttnConfig *config)
{
  static const char *const tasks[] = {"Classification", "QuestionAnswering", "MultipleChoice"};
  for (size_t i = 0; config->architecture != NULL && i < G_N_ELEMENTS (tasks); i++)
    if (strstr (config->architecture, tasks[i]) != NULL)
      return true;
  return false;
}

/* The LM head is there when the tensor that marks it is. Where it would have none to mark it, the
 * class decides. */
static bool
is_head_there (const AttnPlan *plan)
{
  const AttnArch *arch = plan->model->arch;
  const AttnConfig *config = plan->model->config;
  bool marked = arch->head_mark != ATTN_ROLE_WORDS &&
                attn_role_is_present (arch, config, true, true, arch->head_mark, 0);
  if (marked)
    return attn_plan_find (plan, arch->head_mark, 0) != NULL;
  return !has_another_head (config) && (arch->roles[ATTN_ROLE_HEAD_DENSE].need == ATTN_NEED_NEVER ||
                                        attn_plan_find (plan, ATTN_ROLE_HEAD_DENSE, 0) != NULL);
}

/* A decoder that is neither in the file nor tied makes the head useless. */
static AttnHeadKind
find_head_kind (const AttnPlan *plan)
{
  if (!is_head_there (plan))
    return ATTN_HEAD_NONE;
  const AttnTensorInfo *decoder = attn_plan_find (plan, ATTN_ROLE_DECODER, 0);
  if (decoder != NULL)
    return is_copy_of_words (plan, decoder) ? ATTN_HEAD_TIED : ATTN_HEAD_OWN;
  if (plan->model->config->tied)
    return ATTN_HEAD_TIED;
  g_autofree char *path = attn_plan_dup_path (plan, NULL);
  g_ptr_array_add (plan->model->warnings,
                   g_strdup_printf ("%s: no tensor %s although config.json sets "
                                    "tie_word_embeddings to false: no predictions",
                                    path, plan->model->arch->roles[ATTN_ROLE_DECODER].names[0]));
  return ATTN_HEAD_NONE;
}

bool
attn_plan_init (AttnPlan *plan, AttnModel *model, const AttnSource *source, GError **error)
{
  *plan = (AttnPlan){.model = model, .source = source};
  plan->items = g_array_new (FALSE, FALSE, sizeof (AttnPlanItem));
  plan->layout = (AttnLayout){model->arch, model->config, find_head_kind (plan)};
  for (AttnRole role = 0; role < ATTN_N_ROLES; role++) {
    size_t n_times = attn_layout_get_n_times (&plan->layout, role);
    for (size_t layer = 0; layer < n_times; layer++)
      if (attn_layout_has (&plan->layout, role, layer) && !plan_tensor (plan, role, layer, error))
        return false;
  }
  return true;
}

void
attn_plan_clear (AttnPlan *plan)
{
  g_clear_pointer (&plan->items, g_array_unref);
}

const char *
attn_plan_peek_main_dtype (const AttnPlan *plan)
{
  size_t n[ATTN_DTYPE_OTHER + 1] = {0}, most = 0;
  const char *name = "";
  for (guint i = 0; i < plan->items->len; i++) {
    const AttnTensorInfo *tensor = g_array_index (plan->items, AttnPlanItem, i).tensor;
    n[tensor->dtype] += tensor->n_elements;
    if (n[tensor->dtype] > most) {
      most = n[tensor->dtype];
      name = tensor->dtype_name;
    }
  }
  return name;
}
