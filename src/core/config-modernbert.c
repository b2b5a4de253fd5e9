/* SPDX-License-Identifier: MIT */
/* What only ModernBERT says in config.json: biases, windows and rotary angles. */
#include "config-more.h"

#include "attn/json.h"

#include <string.h>

#define GLOBAL_THETA 160000.0
#define LOCAL_THETA 10000.0

static const char *const layer_types[] = {"full_attention", "sliding_attention", NULL};

static bool
read_bias (AttnConfigReader *reader, const char *key, bool fallback, bool *left_out, GError **error)
{
  bool has_bias = fallback;
  if (!attn_json_get_bool (reader->root, key, fallback, &has_bias, reader->path, error))
    return false;
  *left_out = !has_bias;
  return true;
}

static bool
read_biases (AttnConfigReader *reader, GError **error)
{
  AttnConfig *config = reader->config;
  return read_bias (reader, "attention_bias", false, &config->no_attention_bias, error) &&
         read_bias (reader, "mlp_bias", false, &config->no_ffn_bias, error) &&
         read_bias (reader, "norm_bias", false, &config->no_norm_bias, error) &&
         read_bias (reader, "classifier_bias", false, &config->no_head_bias, error) &&
         read_bias (reader, "decoder_bias", true, &config->no_decoder_bias, error);
}

static bool
read_layer_types (AttnConfigReader *reader, json_t *types, GError **error)
{
  AttnConfig *config = reader->config;
  const char *wanted = "an array with a name for each layer (full_attention, sliding_attention)";
  if (!json_is_array (types) || json_array_size (types) != config->n_layers)
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, reader->path, "layer_types", types, wanted);
  for (size_t layer = 0; layer < config->n_layers; layer++) {
    json_t *item = json_array_get (types, layer);
    const char *name = json_is_string (item) ? json_string_value (item) : "";
    config->local_layers[layer] = strcmp (name, "sliding_attention") == 0;
    if (!config->local_layers[layer] && strcmp (name, "full_attention") != 0)
      return attn_json_refuse (error, ATTN_ERROR_UNSUPPORTED, reader->path, "layer_types", item,
                               wanted);
  }
  return true;
}

/* Newer files list the layers, older ones say that every n-th is global. */
static bool
read_windows (AttnConfigReader *reader, GError **error)
{
  AttnConfig *config = reader->config;
  size_t every = 0, width = 0;
  if (!attn_json_get_size (reader->root, "global_attn_every_n_layers", 1, 1 << 20, 3, &every,
                           reader->path, error) ||
      !attn_json_get_size (reader->root, "local_attention", 0, (size_t)1 << 28, 128, &width,
                           reader->path, error))
    return false;
  config->hidden_from = width / 2 + 1;
  config->local_layers = g_new0 (bool, config->n_layers);
  json_t *types = json_object_get (reader->root, "layer_types");
  if (types != NULL && !json_is_null (types))
    return read_layer_types (reader, types, error);
  for (size_t layer = 0; layer < config->n_layers; layer++)
    config->local_layers[layer] = layer % every != 0;
  return true;
}

static bool
refuse_theta (AttnConfigReader *reader, const char *key, double theta, GError **error)
{
  char found[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_dtostr (found, sizeof found, theta);
  return attn_config_refuse (reader, ATTN_ERROR_SHAPE, key, found, "a number of at least 1", error);
}

/* Scaled angles would be silently wrong maps. */
static bool
check_rope_type (AttnConfigReader *reader, json_t *object, const char *field, GError **error)
{
  const char *type = NULL;
  const char *key = json_object_get (object, "rope_type") != NULL ? "rope_type" : "type";
  if (!attn_json_get_string (object, key, "default", &type, reader->path, error))
    return false;
  if (strcmp (type, "default") == 0)
    return true;
  g_autofree char *name = g_strdup_printf ("%s.%s", field, key);
  g_autofree char *found = g_strdup_printf ("\"%s\"", type);
  return attn_config_refuse (reader, ATTN_ERROR_UNSUPPORTED, name, found,
                             "one this version knows (default)", error);
}

/* A value for all layers alike would be passed over, and the maps be wrong without a word. */
static bool
check_rope_parameters (AttnConfigReader *reader, GError **error)
{
  const char *field = "rope_parameters", *key;
  json_t *all = json_object_get (reader->root, field), *value;
  if (all == NULL || json_is_null (all))
    return true;
  if (!json_is_object (all))
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, reader->path, field, all, "an object");
  json_object_foreach (all, key, value)
  {
    if (g_strv_contains (layer_types, key))
      continue;
    g_autofree char *found = g_strdup_printf ("\"%s\"", key);
    return attn_config_refuse (reader, ATTN_ERROR_UNSUPPORTED, field, found,
                               "full_attention and sliding_attention alone, each an object", error);
  }
  return true;
}

/* The value of old_key counts only where rope_parameters has none. */
static bool
read_theta (AttnConfigReader *reader,
            const char *layer_type,
            const char *old_key,
            double fallback,
            double *theta,
            GError **error)
{
  if (!attn_json_get_double (reader->root, old_key, fallback, theta, reader->path, error))
    return false;
  json_t *all = json_object_get (reader->root, "rope_parameters");
  json_t *own = json_is_object (all) ? json_object_get (all, layer_type) : NULL;
  if (own != NULL && !json_is_null (own)) {
    if (!json_is_object (own))
      return attn_json_refuse (error, ATTN_ERROR_FORMAT, reader->path, layer_type, own,
                               "an object");
    if (!check_rope_type (reader, own, layer_type, error) ||
        !attn_json_get_double (own, "rope_theta", *theta, theta, reader->path, error))
      return false;
  }
  return *theta >= 1 && *theta < 1e30 ? true : refuse_theta (reader, "rope_theta", *theta, error);
}

static bool
read_rotation (AttnConfigReader *reader, GError **error)
{
  AttnConfig *config = reader->config;
  json_t *scaling = json_object_get (reader->root, "rope_scaling");
  if (json_is_object (scaling) && !check_rope_type (reader, scaling, "rope_scaling", error))
    return false;
  if (config->d_k % 2 != 0) {
    g_autofree char *found = g_strdup_printf ("%zu", config->n_heads);
    return attn_config_refuse (reader, ATTN_ERROR_SHAPE, "num_attention_heads", found,
                               "a number that gives heads of even width, for rotation", error);
  }
  return check_rope_parameters (reader, error) &&
         read_theta (reader, "full_attention", "global_rope_theta", GLOBAL_THETA,
                     &config->rope_theta, error) &&
         read_theta (reader, "sliding_attention", "local_rope_theta", LOCAL_THETA,
                     &config->local_rope_theta, error);
}

bool
attn_config_read_modernbert (AttnConfigReader *reader, GError **error)
{
  reader->config->no_positions = true;
  return read_biases (reader, error) && read_windows (reader, error) &&
         read_rotation (reader, error) &&
         attn_config_read_activation (reader, "classifier_activation", "gelu",
                                      &reader->config->head_activation, error);
}
