/* SPDX-License-Identifier: MIT */
/* config.json of every family: what is filled in, what is read under other keys, what is refused.
 */
#include "config-private.h"
#include "model-folder.h"

#include "attn/config.h"

#include <string.h>

static AttnConfig *
load_text (const char *text, GError **error)
{
  char *folder = test_folder_new ();
  g_free (test_folder_write (folder, "config.json", text, strlen (text)));
  AttnConfig *config = attn_config_load (folder, error);
  test_folder_remove (folder);
  return config;
}

static AttnConfig *
load_fields (const char *family, const char *fields)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strdup_printf ("{\"model_type\": \"%s\"%s}", family, fields);
  AttnConfig *config = load_text (text, &error);
  g_assert_no_error (error);
  return config;
}

/* With nothing but the type, a config is the reference class's default. */
static const struct {
  const char *family;
  size_t n_layers, n_heads, d_model, d_ff, vocab_size, n_positions, n_types, d_embed, n_skipped;
  double eps;
  AttnActivation activation, head_activation;
} defaults[] = {
    {"bert", 12, 12, 768, 3072, 30522, 512, 2, 768, 0, 1e-12, ATTN_ACTIVATION_GELU,
     ATTN_ACTIVATION_GELU},
    {"roberta", 12, 12, 768, 3072, 50265, 510, 2, 768, 2, 1e-12, ATTN_ACTIVATION_GELU,
     ATTN_ACTIVATION_GELU},
    {"xlm-roberta", 12, 12, 768, 3072, 30522, 510, 2, 768, 2, 1e-12, ATTN_ACTIVATION_GELU,
     ATTN_ACTIVATION_GELU},
    {"camembert", 12, 12, 768, 3072, 30522, 510, 2, 768, 2, 1e-12, ATTN_ACTIVATION_GELU,
     ATTN_ACTIVATION_GELU},
    {"distilbert", 6, 12, 768, 3072, 30522, 512, 0, 768, 0, 1e-12, ATTN_ACTIVATION_GELU,
     ATTN_ACTIVATION_GELU},
    {"albert", 12, 64, 4096, 16384, 30000, 512, 2, 128, 0, 1e-12, ATTN_ACTIVATION_GELU_TANH,
     ATTN_ACTIVATION_GELU_TANH},
    {"electra", 12, 4, 256, 1024, 30522, 512, 2, 128, 0, 1e-12, ATTN_ACTIVATION_GELU,
     ATTN_ACTIVATION_GELU},
    {"mpnet", 12, 12, 768, 3072, 30527, 510, 0, 768, 2, 1e-12, ATTN_ACTIVATION_GELU,
     ATTN_ACTIVATION_GELU},
    {"deberta-v2", 24, 24, 1536, 6144, 128100, 512, 0, 1536, 0, 1e-7, ATTN_ACTIVATION_GELU,
     ATTN_ACTIVATION_GELU},
    {"modernbert", 22, 12, 768, 1152, 50368, 8192, 0, 768, 0, 1e-5, ATTN_ACTIVATION_GELU,
     ATTN_ACTIVATION_GELU},
    {"gpt2", 12, 12, 768, 3072, 50257, 1024, 0, 768, 0, 1e-5, ATTN_ACTIVATION_GELU_TANH,
     ATTN_ACTIVATION_GELU_TANH},
};

static void
test_defaults (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (defaults); i++) {
    g_autoptr (AttnConfig) config = load_fields (defaults[i].family, "");
    g_assert_cmpstr (config->family, ==, defaults[i].family);
    g_assert_cmpuint (config->n_layers, ==, defaults[i].n_layers);
    g_assert_cmpuint (config->n_heads, ==, defaults[i].n_heads);
    g_assert_cmpuint (config->d_model, ==, defaults[i].d_model);
    g_assert_cmpuint (config->d_ff, ==, defaults[i].d_ff);
    g_assert_cmpuint (config->vocab_size, ==, defaults[i].vocab_size);
    g_assert_cmpuint (config->n_positions, ==, defaults[i].n_positions);
    g_assert_cmpuint (config->n_types, ==, defaults[i].n_types);
    g_assert_cmpuint (attn_config_get_d_embed (config), ==, defaults[i].d_embed);
    g_assert_cmpuint (config->n_skipped_positions, ==, defaults[i].n_skipped);
    g_assert_cmpfloat (config->layer_norm_eps, ==, defaults[i].eps);
    g_assert_cmpint (config->activation, ==, defaults[i].activation);
    g_assert_cmpint (config->head_activation, ==, defaults[i].head_activation);
    g_assert_true (config->tied);
  }
}

static void
test_deberta (void)
{
  g_autoptr (AttnConfig) plain = load_fields ("deberta-v2", "");
  g_assert_false (plain->relative.on);
  g_assert_false (plain->no_positions);
  g_autoptr (AttnConfig) v3 = load_fields (
      "deberta-v2",
      ", \"relative_attention\": true, \"position_buckets\": 256, \"norm_rel_ebd\": "
      "\"layer_norm\", "
      "\"share_att_key\": true, \"pos_att_type\": \"P2C | c2p\", \"position_biased_input\": false, "
      "\"max_relative_positions\": -1, \"conv_kernel_size\": 0, \"attention_head_size\": 64");
  const AttnRelative *relative = &v3->relative;
  g_assert_true (relative->on && relative->shared && relative->normed);
  g_assert_true (relative->content_to_position && relative->position_to_content);
  g_assert_true (v3->no_positions);
  g_assert_cmpuint (relative->n_buckets, ==, 256);
  g_assert_cmpuint (v3->conv_width, ==, 0);
  g_autoptr (AttnConfig) xlarge = load_fields ("deberta-v2", ", \"conv_kernel_size\": 3");
  g_assert_cmpuint (xlarge->conv_width, ==, 3);
  g_assert_cmpuint (relative->max_distance, ==, 512);
  g_autoptr (AttnConfig) none = load_fields (
      "deberta-v2", ", \"relative_attention\": true, \"position_buckets\": -1, \"pos_att_type\": "
                    "[\"c2p\"], \"max_relative_positions\": 17, \"norm_rel_ebd\": \"none\"");
  g_assert_cmpuint (none->relative.n_buckets, ==, 0);
  g_assert_cmpuint (attn_relative_get_span (&none->relative), ==, 17);
  g_assert_false (none->relative.position_to_content || none->relative.normed);
}

static void
assert_local (const AttnConfig *config, const char *pattern)
{
  g_assert_cmpuint (config->n_layers, ==, strlen (pattern));
  for (size_t layer = 0; layer < config->n_layers; layer++)
    g_assert_cmpint (config->local_layers[layer], ==, pattern[layer] == 'l');
}

static void
test_modernbert (void)
{
  g_autoptr (AttnConfig) base = load_fields ("modernbert", ", \"num_hidden_layers\": 7");
  assert_local (base, "gllgllg");
  g_assert_cmpuint (base->hidden_from, ==, 65);
  g_assert_cmpfloat (base->rope_theta, ==, 160000);
  g_assert_cmpfloat (base->local_rope_theta, ==, 10000);
  g_assert_true (base->no_attention_bias && base->no_ffn_bias && base->no_norm_bias);
  g_assert_true (base->no_head_bias && !base->no_decoder_bias && base->no_positions);

  g_autoptr (AttnConfig) listed = load_fields (
      "modernbert", ", \"num_hidden_layers\": 2, \"local_attention\": 7, \"layer_types\": "
                    "[\"sliding_attention\", \"full_attention\"], \"global_rope_theta\": 5, "
                    "\"rope_parameters\": {\"sliding_attention\": {\"rope_type\": \"default\", "
                    "\"rope_theta\": 77}, \"full_attention\": null}");
  assert_local (listed, "lg");
  g_assert_cmpuint (listed->hidden_from, ==, 4);
  g_assert_cmpfloat (listed->rope_theta, ==, 5);
  g_assert_cmpfloat (listed->local_rope_theta, ==, 77);
  g_autoptr (AttnConfig) copy = attn_config_copy (listed);
  assert_local (copy, "lg");
  g_assert_true (copy->local_layers != listed->local_layers);
}

static void
test_other_keys (void)
{
  g_autoptr (AttnConfig) distil = load_fields (
      "distilbert", ", \"hidden_size\": 24, \"num_hidden_layers\": 3, \"num_attention_heads\": 4, "
                    "\"layer_norm_eps\": 0.5, \"activation\": \"relu\"");
  g_assert_cmpuint (distil->d_model, ==, 24);
  g_assert_cmpuint (distil->n_layers, ==, 3);
  g_assert_cmpuint (distil->d_k, ==, 6);
  g_assert_cmpfloat (distil->layer_norm_eps, ==, 1e-12); /* fixed, whatever the file says */
  g_assert_cmpint (distil->head_activation, ==, ATTN_ACTIVATION_RELU);

  g_autoptr (AttnConfig) gpt2 = load_fields (
      "gpt2", ", \"n_embd\": 36, \"n_head\": 3, \"n_inner\": null, \"scale_attn_weights\": false, "
              "\"scale_attn_by_inverse_layer_idx\": true, \"pad_token_id\": null");
  g_assert_cmpuint (gpt2->d_ff, ==, 144);
  g_assert_true (gpt2->no_scale && gpt2->scale_by_layer);

  /* heads whose activation is not the layers' */
  const char *const fixed[] = {"roberta", "xlm-roberta", "camembert", "electra", "mpnet"};
  for (size_t i = 0; i < G_N_ELEMENTS (fixed); i++) {
    g_autoptr (AttnConfig) config = load_fields (fixed[i], ", \"hidden_act\": \"relu\"");
    g_assert_cmpint (config->activation, ==, ATTN_ACTIVATION_RELU);
    g_assert_cmpint (config->head_activation, ==, ATTN_ACTIVATION_GELU);
  }
  g_autoptr (AttnConfig) padded = load_fields ("roberta", ", \"pad_token_id\": 3");
  g_assert_cmpuint (padded->n_positions, ==, 508);
  g_autoptr (AttnConfig) mpnet = load_fields ("mpnet", ", \"pad_token_id\": 3");
  g_assert_cmpuint (mpnet->n_skipped_positions, ==, 2);
}

/* Which of its weights each layer of an ALBERT uses, as Python's int (i / (L / G)) has it. */
static void
test_albert_groups (void)
{
  static const struct {
    size_t n_layers, n_groups, n_inner;
    const char *uses; /* one letter a layer */
  } rows[] = {
      {3, 1, 1, "aaa"}, {4, 4, 1, "abcd"},   {4, 2, 1, "aabb"},   {5, 2, 1, "aaabb"},
      {2, 3, 1, "ab"},  {3, 1, 2, "ababab"}, {3, 2, 2, "ababcd"}, {12, 5, 1, "aaabbcccddee"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *fields = g_strdup_printf (
        ", \"num_hidden_layers\": %zu, \"num_hidden_groups\": %zu, \"inner_group_num\": %zu",
        rows[i].n_layers, rows[i].n_groups, rows[i].n_inner);
    g_autoptr (AttnConfig) config = load_fields ("albert", fields);
    g_assert_cmpuint (config->n_layers, ==, strlen (rows[i].uses));
    g_assert_cmpuint (attn_config_get_n_layer_weights (config), ==,
                      rows[i].n_groups * rows[i].n_inner);
    for (size_t layer = 0; layer < config->n_layers; layer++)
      g_assert_cmpint ('a' + (int)attn_config_get_weight_layer (config, layer), ==,
                       rows[i].uses[layer]);
  }
}

static const struct {
  const char *family, *fields;
  AttnError code;
  const char *names[4]; /* NULL-terminated */
} refusals[] = {
    {"roberta",
     "\"position_embedding_type\": \"relative_key\"",
     ATTN_ERROR_UNSUPPORTED,
     {"position_embedding_type", "\"relative_key\"", "absolute"}},
    {"roberta",
     "\"max_position_embeddings\": 2",
     ATTN_ERROR_SHAPE,
     {"max_position_embeddings", "2", "more than 2"}},
    {"roberta", "\"is_decoder\": true", ATTN_ERROR_UNSUPPORTED, {"is_decoder", "true"}},
    {"camembert", "\"add_cross_attention\": true", ATTN_ERROR_UNSUPPORTED, {"add_cross_attention"}},
    {"distilbert", "\"n_heads\": 5", ATTN_ERROR_SHAPE, {"n_heads", "5", "dim 768"}},
    {"distilbert", "\"activation\": \"tanh\"", ATTN_ERROR_UNSUPPORTED, {"activation", "gelu_new"}},
    {"distilbert", "\"pruned_heads\": {\"0\": [1]}", ATTN_ERROR_UNSUPPORTED, {"pruned_heads"}},
    {"albert", "\"num_hidden_groups\": 0", ATTN_ERROR_SHAPE, {"num_hidden_groups", "0"}},
    {"albert", "\"inner_group_num\": 4096", ATTN_ERROR_SHAPE, {"inner_group_num", "4096"}},
    {"albert", "\"embedding_size\": 0", ATTN_ERROR_SHAPE, {"embedding_size", "0"}},
    {"electra", "\"embedding_size\": \"128\"", ATTN_ERROR_FORMAT, {"embedding_size", "string"}},
    {"mpnet",
     "\"relative_attention_num_buckets\": 16",
     ATTN_ERROR_SHAPE,
     {"relative_attention_num_buckets", "16", "32"}},
    {"mpnet", "\"max_position_embeddings\": 1", ATTN_ERROR_SHAPE, {"max_position_embeddings"}},
    {"deberta-v2", "\"conv_kernel_size\": 4", ATTN_ERROR_SHAPE, {"conv_kernel_size", "4", "odd"}},
    {"deberta-v2",
     "\"conv_kernel_size\": 3, \"conv_groups\": 2",
     ATTN_ERROR_UNSUPPORTED,
     {"conv_groups", "2"}},
    {"deberta-v2",
     "\"conv_kernel_size\": 3, \"conv_act\": \"gelu\"",
     ATTN_ERROR_UNSUPPORTED,
     {"conv_act", "\"gelu\"", "tanh"}},
    {"deberta-v2",
     "\"pos_att_type\": [\"p2p\"]",
     ATTN_ERROR_UNSUPPORTED,
     {"pos_att_type", "\"p2p\"", "c2p"}},
    {"deberta-v2", "\"pos_att_type\": [1]", ATTN_ERROR_FORMAT, {"pos_att_type", "1"}},
    {"deberta-v2", "\"pos_att_type\": 3", ATTN_ERROR_FORMAT, {"pos_att_type", "3"}},
    {"deberta-v2",
     "\"attention_head_size\": 32",
     ATTN_ERROR_UNSUPPORTED,
     {"attention_head_size", "32", "64"}},
    {"deberta-v2",
     "\"relative_attention\": true, \"norm_rel_ebd\": \"batch_norm\"",
     ATTN_ERROR_UNSUPPORTED,
     {"norm_rel_ebd", "batch_norm"}},
    {"deberta-v2",
     "\"relative_attention\": true, \"position_buckets\": 1",
     ATTN_ERROR_SHAPE,
     {"position_buckets", "1"}},
    {"deberta-v2",
     "\"relative_attention\": true, \"position_buckets\": 1024",
     ATTN_ERROR_SHAPE,
     {"position_buckets", "1024"}},
    {"deberta-v2",
     "\"relative_attention\": true, \"position_buckets\": 2.5",
     ATTN_ERROR_SHAPE,
     {"position_buckets", "2.5"}},
    {"deberta-v2",
     "\"relative_attention\": true, \"max_relative_positions\": 1e300",
     ATTN_ERROR_SHAPE,
     {"max_relative_positions"}},
    {"modernbert",
     "\"layer_types\": [\"full_attention\"]",
     ATTN_ERROR_FORMAT,
     {"layer_types", "each layer"}},
    {"modernbert",
     "\"num_hidden_layers\": 1, \"layer_types\": [\"chunked\"]",
     ATTN_ERROR_UNSUPPORTED,
     {"layer_types", "chunked", "full_attention"}},
    {"modernbert",
     "\"rope_parameters\": {\"full_attention\": {\"rope_type\": \"yarn\"}}",
     ATTN_ERROR_UNSUPPORTED,
     {"rope_type", "\"yarn\"", "default"}},
    {"modernbert",
     "\"rope_scaling\": {\"type\": \"linear\"}",
     ATTN_ERROR_UNSUPPORTED,
     {"rope_scaling", "\"linear\""}},
    {"modernbert", "\"rope_parameters\": []", ATTN_ERROR_FORMAT, {"rope_parameters", "array"}},
    {"modernbert",
     "\"rope_parameters\": {\"rope_type\": \"default\", \"rope_theta\": 500.0}",
     ATTN_ERROR_UNSUPPORTED,
     {"rope_parameters: found \"rope_type\"", "full_attention and sliding_attention"}},
    {"modernbert",
     "\"rope_parameters\": {\"sliding_attention\": {\"rope_theta\": 3}, \"chunked\": {}}",
     ATTN_ERROR_UNSUPPORTED,
     {"rope_parameters: found \"chunked\""}},
    {"modernbert", "\"global_rope_theta\": 0", ATTN_ERROR_SHAPE, {"rope_theta", "0"}},
    {"modernbert",
     "\"global_attn_every_n_layers\": 0",
     ATTN_ERROR_SHAPE,
     {"global_attn_every_n_layers"}},
    {"modernbert",
     "\"hidden_size\": 12, \"num_attention_heads\": 4",
     ATTN_ERROR_SHAPE,
     {"num_attention_heads", "even"}},
    {"modernbert",
     "\"classifier_activation\": \"mish\"",
     ATTN_ERROR_UNSUPPORTED,
     {"classifier_activation", "\"mish\""}},
    {"modernbert", "\"norm_eps\": -1", ATTN_ERROR_SHAPE, {"norm_eps", "-1"}},
    {"gpt2", "\"n_head\": 7", ATTN_ERROR_SHAPE, {"n_head", "7", "n_embd 768"}},
    {"gpt2", "\"add_cross_attention\": true", ATTN_ERROR_UNSUPPORTED, {"add_cross_attention"}},
    {"gpt2", "\"n_layer\": 1e9", ATTN_ERROR_SHAPE, {"n_layer"}},
    {"gpt2", "\"scale_attn_weights\": 1", ATTN_ERROR_FORMAT, {"scale_attn_weights"}},
    {"qwen3",
     "\"hidden_size\": 8",
     ATTN_ERROR_UNSUPPORTED,
     {"\"qwen3\"", "deberta-v2", "modernbert"}},
};

static void
test_refusals (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (refusals); i++) {
    g_autofree char *text =
        g_strdup_printf ("{\"model_type\": \"%s\", %s}", refusals[i].family, refusals[i].fields);
    g_autoptr (GError) error = NULL;
    g_autoptr (AttnConfig) config = load_text (text, &error);
    if (config != NULL)
      g_error ("%s was not refused", text);
    g_assert_error (error, ATTN_ERROR, (int)refusals[i].code);
    test_sentence_check (error->message, refusals[i].names);
    g_assert_nonnull (strstr (error->message, "config.json: "));
  }
}

/* Classes are named in architectures where model_type is missing. */
static void
test_guessed_families (void)
{
  static const char *const rows[][2] = {
      {"RobertaForMaskedLM", "roberta"},
      {"XLMRobertaModel", "xlm-roberta"},
      {"CamembertForMaskedLM", "camembert"},
      {"DistilBertModel", "distilbert"},
      {"AlbertForMaskedLM", "albert"},
      {"ElectraForPreTraining", "electra"},
      {"MPNetModel", "mpnet"},
      {"DebertaV2Model", "deberta-v2"},
      {"ModernBertModel", "modernbert"},
      {"GPT2LMHeadModel", "gpt2"},
      {"BertModel", "bert"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree char *text = g_strdup_printf ("{\"architectures\": [\"%s\"]}", rows[i][0]);
    g_autoptr (AttnConfig) config = load_text (text, NULL);
    g_assert_cmpstr (config->family, ==, rows[i][1]);
    g_assert_cmpuint (g_strv_length (config->warnings), ==, 1);
  }
}

/* Random edits of every family's file: refused, or loaded with sound sizes. */
static void
test_mutations (void)
{
  static const char *const values[] = {"0",    "1",  "-1", "7",    "1e9",   "2.5", "\"x\"",
                                       "null", "[]", "{}", "true", "false", "4096"};
  static const char *const keys[] = {
      "n_layer",
      "num_hidden_layers",
      "hidden_size",
      "dim",
      "n_embd",
      "n_head",
      "num_attention_heads",
      "embedding_size",
      "num_hidden_groups",
      "inner_group_num",
      "position_buckets",
      "max_relative_positions",
      "relative_attention",
      "pos_att_type",
      "share_att_key",
      "norm_rel_ebd",
      "local_attention",
      "global_attn_every_n_layers",
      "layer_types",
      "rope_parameters",
      "max_position_embeddings",
      "n_positions",
      "pad_token_id",
      "vocab_size",
      "n_inner",
      "type_vocab_size",
      "relative_attention_num_buckets",
  };
  GRand *random = g_rand_new_with_seed (5);
  size_t n_loaded = 0;
  for (size_t round = 0; round < 1000; round++) {
    const char *family = defaults[round % G_N_ELEMENTS (defaults)].family;
    g_autoptr (GString) text = g_string_new (NULL);
    g_string_printf (text, "{\"model_type\": \"%s\"", family);
    guint first = g_rand_int (random) % G_N_ELEMENTS (keys);
    for (guint i = 0; i < 3; i++)
      g_string_append_printf (text, ", \"%s\": %s", keys[(first + i * 5) % G_N_ELEMENTS (keys)],
                              values[g_rand_int (random) % G_N_ELEMENTS (values)]);
    g_string_append_c (text, '}');
    g_autoptr (GError) error = NULL;
    g_autoptr (AttnConfig) config = load_text (text->str, &error);
    g_assert_true ((config == NULL) == (error != NULL));
    if (config == NULL)
      continue;
    n_loaded++;
    g_assert_cmpuint (config->d_model, ==, config->n_heads * config->d_k);
    g_assert_cmpuint (config->n_positions, >, 0);
    g_assert_cmpuint (config->d_ff, >, 0);
    for (size_t layer = 0; layer < config->n_layers; layer++)
      g_assert_cmpuint (attn_config_get_weight_layer (config, layer), <,
                        attn_config_get_n_layer_weights (config));
  }
  g_rand_free (random);
  g_test_message ("%zu of 1000 loaded", n_loaded);
  g_assert_cmpuint (n_loaded, >, 100);
}

static void
test_known (void)
{
  g_assert_true (attn_config_knows_family ("bert"));
  g_assert_true (attn_config_knows_family ("gpt2"));
  g_assert_false (attn_config_knows_family ("llama"));
  g_assert_false (attn_config_knows_family (""));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/config-families/defaults", test_defaults);
  g_test_add_func ("/config-families/deberta", test_deberta);
  g_test_add_func ("/config-families/modernbert", test_modernbert);
  g_test_add_func ("/config-families/other-keys", test_other_keys);
  g_test_add_func ("/config-families/albert-groups", test_albert_groups);
  g_test_add_func ("/config-families/refusals", test_refusals);
  g_test_add_func ("/config-families/guessed-families", test_guessed_families);
  g_test_add_func ("/config-families/known", test_known);
  g_test_add_func ("/config-families/mutations", test_mutations);
  return g_test_run ();
}
