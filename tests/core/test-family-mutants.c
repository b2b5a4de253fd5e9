/* SPDX-License-Identifier: MIT */
/* Whether the reference data would tell: models with one weight left out, or one setting misread,
 * must not pass for the real ones. */
#include "family-check.h"
#include "model-private.h"
#include "test-util.h"

#include <string.h>

static const char *const folders[] = {
    "golden/models/bert-mlm",
    "golden/models/roberta-mlm",
    "golden/models/distilbert-mlm",
    "golden/models/albert-mlm",
    "golden/models/electra-discriminator",
    "golden/models/mpnet",
    "golden/models/deberta-v2",
    "golden/models/modernbert",
    "golden/models/gpt2",
    "family-variants/albert-groups",
    "family-variants/electra-generator",
    "family-variants/deberta-own-projections",
    "family-variants/deberta-narrow",
    "family-variants/deberta-convolution",
    "family-variants/modernbert-biases",
    "family-variants/gpt2-untied",
};

static AttnModel *
load (const char *below, Reference **reference)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path (below);
  AttnModel *model = attn_model_load_weights (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  if (*reference == NULL)
    *reference = reference_load (folder);
  return model;
}

static bool
passes (AttnModel *model, const Reference *reference)
{
  g_auto (FamilyVerdict) verdict = {0};
  family_check (model, reference, "", &verdict);
  return verdict.fault == NULL;
}

/* A matrix, bias or table becomes zeros, a norm's gain ones. */
static void
leave_out (AttnModel *model, AttnRole role, size_t layer)
{
  size_t shape[2];
  attn_layout_get_shape (&model->weights.layout, role, shape);
  AttnPlace place = attn_weights_find_place (&model->weights, role, layer);
  const char *name = model->arch->roles[role].names[0];
  bool is_gain = attn_role_is_norm (role) && g_str_has_suffix (name, ".weight");
  g_autofree float *values = g_new0 (float, shape[0] * shape[1]);
  for (size_t i = 0; is_gain && i < shape[0]; i++)
    values[i] = 1;
  if (place.linear != NULL)
    attn_linear_pack_rows (place.linear, values, place.first_out, shape[0]);
  else
    memcpy (place.plain, values, shape[0] * shape[1] * sizeof *values);
  attn_distances_clear (&model->distances);
  attn_distances_init (&model->distances, &model->weights, NULL, NULL);
}

/* A bias of all keys, or of all the distances' keys, moves a query's scores alike, which softmax
 * does not feel; unless keys also meet distances. */
static bool
is_felt (const AttnModel *model, AttnRole role)
{
  const AttnRelative *relative = &model->config->relative;
  if (role == ATTN_ROLE_KEY_BIAS)
    return relative->on && relative->position_to_content;
  return role != ATTN_ROLE_DISTANCE_KEY_BIAS;
}

static void
test_weights (gconstpointer data)
{
  g_autoptr (Reference) reference = NULL;
  g_autoptr (AttnModel) whole = load (data, &reference);
  const AttnLayout *layout = &whole->weights.layout;
  size_t n = 0;
  g_assert_true (passes (whole, reference));
  for (AttnRole role = 0; role < ATTN_N_ROLES; role++)
    for (size_t layer = 0; layer < attn_layout_get_n_times (layout, role); layer++) {
      if (!attn_layout_has (layout, role, layer) || !is_felt (whole, role))
        continue;
      g_autoptr (AttnModel) model = load (data, &reference);
      leave_out (model, role, layer);
      if (passes (model, reference))
        g_test_fail_printf ("without %s of layer %zu nothing shows",
                            layout->arch->roles[role].names[0], layer);
      n++;
    }
  g_test_message ("%zu weights left out, one at a time", n);
  g_assert_cmpuint (n, >, 20);
}

static void
use_other_gelu (AttnConfig *config)
{
  config->activation =
      config->activation == ATTN_ACTIVATION_GELU ? ATTN_ACTIVATION_GELU_TANH : ATTN_ACTIVATION_GELU;
}

static void
use_other_gelu_in_head (AttnConfig *config)
{
  config->head_activation = config->head_activation == ATTN_ACTIVATION_GELU
                                ? ATTN_ACTIVATION_GELU_TANH
                                : ATTN_ACTIVATION_GELU;
}

static void
use_other_eps (AttnConfig *config)
{
  config->layer_norm_eps = config->layer_norm_eps < 1e-6 ? 1e-5 : 1e-12;
}

/* Rows of the table stay where they are. */
static void
count_positions_from_0 (AttnConfig *config)
{
  config->n_positions += config->n_skipped_positions;
  config->n_skipped_positions = 0;
}

static void
count_padding (AttnConfig *config)
{
  config->n_skipped_positions--;
}

static void
see_one_more (AttnConfig *config)
{
  config->hidden_from++;
}

static void
see_one_less (AttnConfig *config)
{
  config->hidden_from--;
}

static void
swap_layer_types (AttnConfig *config)
{
  for (size_t layer = 0; layer < config->n_layers; layer++)
    config->local_layers[layer] = !config->local_layers[layer];
}

static void
swap_thetas (AttnConfig *config)
{
  double theta = config->rope_theta;
  config->rope_theta = config->local_rope_theta;
  config->local_rope_theta = theta;
}

static void
forget_scale (AttnConfig *config)
{
  config->no_scale = !config->no_scale;
}

static void
toggle_scale_by_layer (AttnConfig *config)
{
  config->scale_by_layer = !config->scale_by_layer;
}

static void
forget_norm_of_distances (AttnConfig *config)
{
  config->relative.normed = !config->relative.normed;
}

static void
use_fewer_buckets (AttnConfig *config)
{
  config->relative.max_distance -= 8;
}

static const struct {
  const char *name;
  void (*misread) (AttnConfig *config);
  const char *folder;
} mutants[] = {
    {"gelu", use_other_gelu, "golden/models/roberta-mlm"},
    {"gelu", use_other_gelu, "golden/models/distilbert-mlm"},
    {"gelu", use_other_gelu, "golden/models/albert-mlm"},
    {"gelu", use_other_gelu, "golden/models/electra-discriminator"},
    {"gelu", use_other_gelu, "golden/models/mpnet"},
    {"gelu", use_other_gelu, "golden/models/deberta-v2"},
    {"gelu", use_other_gelu, "golden/models/modernbert"},
    {"gelu", use_other_gelu, "golden/models/gpt2"},
    {"head-gelu", use_other_gelu_in_head, "golden/models/roberta-mlm"},
    {"head-gelu", use_other_gelu_in_head, "golden/models/distilbert-mlm"},
    {"head-gelu", use_other_gelu_in_head, "golden/models/albert-mlm"},
    {"head-gelu", use_other_gelu_in_head, "golden/models/mpnet"},
    {"head-gelu", use_other_gelu_in_head, "golden/models/deberta-v2"},
    {"head-gelu", use_other_gelu_in_head, "golden/models/modernbert"},
    {"eps", use_other_eps, "golden/models/distilbert-mlm"},
    {"eps", use_other_eps, "golden/models/electra-discriminator"},
    {"eps", use_other_eps, "golden/models/mpnet"},
    {"eps", use_other_eps, "family-variants/bert-tanh-gelu"},
    {"eps", use_other_eps, "family-variants/gpt2-bare"},
    {"positions", count_positions_from_0, "golden/models/roberta-mlm"},
    {"positions", count_positions_from_0, "golden/models/xlm-roberta"},
    {"positions", count_positions_from_0, "golden/models/mpnet"},
    {"padding", count_padding, "family-variants/roberta-pad-3"},
    {"window-plus-1", see_one_more, "golden/models/modernbert"},
    {"window-minus-1", see_one_less, "golden/models/modernbert"},
    {"layer-types", swap_layer_types, "golden/models/modernbert"},
    {"thetas", swap_thetas, "golden/models/modernbert"},
    {"scale", forget_scale, "golden/models/deberta-v2"},
    {"scale", forget_scale, "golden/models/gpt2"},
    {"scale", forget_scale, "family-variants/gpt2-scales"},
    {"scale-by-layer", toggle_scale_by_layer, "golden/models/gpt2"},
    {"scale-by-layer", toggle_scale_by_layer, "family-variants/gpt2-scales"},
    {"distances-norm", forget_norm_of_distances, "family-variants/deberta-c2p"},
    {"farthest", use_fewer_buckets, "golden/models/deberta-v2"},
};

/* Misread after loading, so that memory has what the right setting asks for. */
static void
test_mutant (gconstpointer data)
{
  const size_t index = GPOINTER_TO_SIZE (data);
  g_autoptr (Reference) reference = NULL;
  g_autoptr (AttnModel) model = load (mutants[index].folder, &reference);
  g_assert_true (passes (model, reference));
  mutants[index].misread (model->config);
  if (mutants[index].misread == forget_norm_of_distances) { /* where there was no norm to forget */
    model->weights.distance_norm = model->weights.embed_norm;
    attn_distances_clear (&model->distances);
    attn_distances_init (&model->distances, &model->weights, NULL, NULL);
  }
  g_assert_false (passes (model, reference));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (folders); i++) {
    g_autofree char *name = g_path_get_basename (folders[i]);
    g_autofree char *path = g_strdup_printf ("/family-mutants/weights/%s", name);
    g_test_add_data_func (path, folders[i], test_weights);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (mutants); i++) {
    g_autofree char *name = g_path_get_basename (mutants[i].folder);
    g_autofree char *path =
        g_strdup_printf ("/family-mutants/settings/%s/%s", mutants[i].name, name);
    g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_mutant);
  }
  return g_test_run ();
}
