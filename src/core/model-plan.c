/* SPDX-License-Identifier: MIT */
/* Which tensor of a folder is which weight: names, shapes, what is missing. */
#include "model-plan.h"

#include "file.h"
#include "model-private.h"
#include "source-private.h"

#include "attn/error.h"

#include <string.h>

/* "encoder.layer.#.x" with the layer's number, a prefix before it, another ending after it. */
static char *
make_name (const char *pattern, size_t layer, const char *prefix, const char *const spelling[2])
{
  g_autoptr (GString) name = g_string_new (prefix);
  const char *number = strchr (pattern, '#');
  if (number == NULL)
    g_string_append (name, pattern);
  else
    g_string_append_printf (name, "%.*s%zu%s", (int)(number - pattern), pattern, layer, number + 1);
  if (spelling != NULL) {
    if (!g_str_has_suffix (name->str, spelling[0]))
      return NULL;
    g_string_truncate (name, name->len - strlen (spelling[0]));
    g_string_append (name, spelling[1]);
  }
  return g_string_free (g_steal_pointer (&name), FALSE);
}

/* Looks under every prefix. */
static const AttnTensorInfo *
find_pattern (const AttnPlan *plan,
              const char *pattern,
              size_t layer,
              const char *const spelling[2])
{
  for (const char *const *prefix = plan->model->arch->prefixes; *prefix != NULL; prefix++) {
    g_autofree char *name = make_name (pattern, layer, *prefix, spelling);
    if (name == NULL)
      return NULL;
    const AttnTensorInfo *tensor = attn_source_find (plan->source, name);
    if (tensor != NULL)
      return tensor;
  }
  return NULL;
}

static const AttnTensorInfo *
find_tensor (const AttnPlan *plan, AttnRole role, size_t layer)
{
  const AttnArch *arch = plan->model->arch;
  const char *const *names = arch->roles[role].names;
  for (size_t i = 0; i < ATTN_ROLE_MAX_NAMES && names[i] != NULL; i++) {
    const AttnTensorInfo *tensor = find_pattern (plan, names[i], layer, NULL);
    for (size_t s = 0; tensor == NULL && arch->spellings[s][0] != NULL; s++)
      tensor = find_pattern (plan, names[i], layer, arch->spellings[s]);
    if (tensor != NULL)
      return tensor;
  }
  return NULL;
}

/* The file a tensor is in, or would be; for messages. */
static char *
dup_path (const AttnPlan *plan, const AttnTensorInfo *tensor)
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
  const char *const *names = plan->model->arch->roles[role].names;
  g_autoptr (GString) all = g_string_new (NULL);
  for (size_t i = 0; i < ATTN_ROLE_MAX_NAMES && names[i] != NULL; i++) {
    g_autofree char *name = make_name (names[i], layer, "", NULL);
    g_string_append_printf (all, "%s%s", i > 0 ? " or " : "", name);
  }
  g_autofree char *layers = attn_role_is_layered (role)
                                ? g_strdup_printf ("; config.json's num_hidden_layers is %zu",
                                                   plan->model->config->n_layers)
                                : g_strdup ("");
  g_autofree char *path = dup_path (plan, NULL);
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

static const char *
peek_size_fields (AttnRole role)
{
  switch (role) {
  case ATTN_ROLE_WORDS:
  case ATTN_ROLE_DECODER:
    return "vocab_size and hidden_size";
  case ATTN_ROLE_DECODER_BIAS:
    return "vocab_size";
  case ATTN_ROLE_POSITIONS:
    return "max_position_embeddings and hidden_size";
  case ATTN_ROLE_TYPES:
    return "type_vocab_size and hidden_size";
  case ATTN_ROLE_UP:
  case ATTN_ROLE_DOWN:
    return "intermediate_size and hidden_size";
  case ATTN_ROLE_UP_BIAS:
    return "intermediate_size";
  default:
    return "hidden_size";
  }
}

static bool
check_tensor (const AttnPlan *plan, const AttnTensorInfo *tensor, AttnRole role, GError **error)
{
  g_autofree char *path = dup_path (plan, tensor);
  if (tensor->dtype == ATTN_DTYPE_OTHER) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
                 "%s: tensor %s has dtype %s, wanted F32, F16, BF16 or F64", path, tensor->name,
                 tensor->dtype_name);
    return false;
  }
  size_t shape[2], n_dims = attn_role_get_shape (role, plan->model->config, shape);
  if (tensor->n_dims == n_dims && memcmp (tensor->shape, shape, n_dims * sizeof *shape) == 0)
    return true;
  g_autofree char *found = format_shape (tensor->shape, tensor->n_dims);
  g_autofree char *wanted = format_shape (shape, n_dims);
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
               "%s: tensor %s has shape %s, wanted %s by %s of config.json", path, tensor->name,
               found, wanted, peek_size_fields (role));
  return false;
}

static bool
plan_tensor (AttnPlan *plan, AttnRole role, size_t layer, GError **error)
{
  const AttnTensorInfo *tensor = find_tensor (plan, role, layer);
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
  const AttnTensorInfo *words = find_tensor (plan, ATTN_ROLE_WORDS, 0);
  return words != NULL &&
         (attn_source_is_same_place (words, decoder) || have_same_values (plan, words, decoder));
}

/* The LM head is there when its first matrix is; a decoder that is neither in the file nor tied
 * makes it useless. */
static AttnHeadKind
find_head_kind (const AttnPlan *plan)
{
  const AttnRoleRule *roles = plan->model->arch->roles;
  if (roles[ATTN_ROLE_HEAD_DENSE].need == ATTN_NEED_NEVER ||
      find_tensor (plan, ATTN_ROLE_HEAD_DENSE, 0) == NULL)
    return ATTN_HEAD_NONE;
  const AttnTensorInfo *decoder = find_tensor (plan, ATTN_ROLE_DECODER, 0);
  if (decoder != NULL)
    return is_copy_of_words (plan, decoder) ? ATTN_HEAD_TIED : ATTN_HEAD_OWN;
  if (plan->model->config->tied)
    return ATTN_HEAD_TIED;
  g_autofree char *path = dup_path (plan, NULL);
  g_ptr_array_add (plan->model->warnings,
                   g_strdup_printf ("%s: no tensor %s although config.json sets "
                                    "tie_word_embeddings to false: no predictions",
                                    path, roles[ATTN_ROLE_DECODER].names[0]));
  return ATTN_HEAD_NONE;
}

static bool
is_wanted (const AttnPlan *plan, AttnRole role)
{
  switch (plan->model->arch->roles[role].need) {
  case ATTN_NEED_NEVER:
    return false;
  case ATTN_NEED_ALWAYS:
    return role != ATTN_ROLE_TYPES || plan->model->config->n_types > 0;
  case ATTN_NEED_HEAD:
    return plan->head != ATTN_HEAD_NONE;
  case ATTN_NEED_TIED:
    return plan->head == ATTN_HEAD_OWN;
  }
  g_assert_not_reached ();
}

/* A file of more layers than the config asks for is usable, but its maps are of a shorter model. */
static void
warn_of_layers (const AttnPlan *plan)
{
  size_t n_layers = plan->model->config->n_layers;
  for (AttnRole role = 0; role < ATTN_N_ROLES; role++) {
    const AttnTensorInfo *tensor =
        attn_role_is_layered (role) ? find_tensor (plan, role, n_layers) : NULL;
    if (tensor == NULL)
      continue;
    g_autofree char *path = dup_path (plan, tensor);
    g_autofree char *name = attn_file_dup_shown (tensor->name, strlen (tensor->name));
    g_ptr_array_add (plan->model->warnings,
                     g_strdup_printf ("%s: tensor %s is not used, for config.json's "
                                      "num_hidden_layers is %zu: the model ends before that layer",
                                      path, name, n_layers));
    return;
  }
}

bool
attn_plan_init (AttnPlan *plan, AttnModel *model, const AttnSource *source, GError **error)
{
  *plan = (AttnPlan){.model = model, .source = source};
  plan->items = g_array_new (FALSE, FALSE, sizeof (AttnPlanItem));
  plan->head = find_head_kind (plan);
  for (AttnRole role = 0; role < ATTN_N_ROLES; role++) {
    if (!is_wanted (plan, role))
      continue;
    size_t n_times = attn_role_is_layered (role) ? plan->model->config->n_layers : 1;
    for (size_t layer = 0; layer < n_times; layer++)
      if (!plan_tensor (plan, role, layer, error))
        return false;
  }
  warn_of_layers (plan);
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
