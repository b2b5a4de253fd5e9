/* SPDX-License-Identifier: MIT */
/* What only DeBERTa-v2 and -v3 say in config.json: how distances enter the scores. */
#include "config-more.h"

#include "attn/json.h"

#include <math.h>
#include <string.h>

#define MAX_CONVOLUTION 63 /* tokens */

/* Reads a whole number that may be negative, for "none". */
static bool
read_signed (AttnConfigReader *reader, const char *key, double *value, GError **error)
{
  if (!attn_json_get_double (reader->root, key, -1, value, reader->path, error))
    return false;
  if (*value == floor (*value) && fabs (*value) <= 1 << 28)
    return true;
  return attn_json_refuse (error, ATTN_ERROR_SHAPE, reader->path, key,
                           json_object_get (reader->root, key), "a whole number up to 268435456");
}

static bool
add_direction (AttnConfigReader *reader, const char *name, GError **error)
{
  AttnRelative *relative = &reader->config->relative;
  if (strcmp (name, "c2p") == 0)
    relative->content_to_position = true;
  else if (strcmp (name, "p2c") == 0)
    relative->position_to_content = true;
  else if (*name != '\0') {
    g_autofree char *found = g_strdup_printf ("\"%s\"", name);
    return attn_config_refuse (reader, ATTN_ERROR_UNSUPPORTED, "pos_att_type", found,
                               "what this version knows (c2p, p2c)", error);
  }
  return true;
}

/* "p2c|c2p" in older files. */
static bool
add_directions (AttnConfigReader *reader, const char *names, GError **error)
{
  g_autofree char *folded = g_ascii_strdown (names, -1);
  g_auto (GStrv) parts = g_strsplit (folded, "|", -1);
  for (size_t i = 0; parts[i] != NULL; i++)
    if (!add_direction (reader, g_strstrip (parts[i]), error))
      return false;
  return true;
}

static bool
read_directions (AttnConfigReader *reader, GError **error)
{
  json_t *value = json_object_get (reader->root, "pos_att_type");
  if (value == NULL || json_is_null (value))
    return true;
  if (json_is_string (value)) {
    const char *names = NULL;
    return attn_json_get_string (reader->root, "pos_att_type", NULL, &names, reader->path, error) &&
           add_directions (reader, names, error);
  }
  const char *wanted = "an array of names, or a string like \"p2c|c2p\"";
  if (!json_is_array (value))
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, reader->path, "pos_att_type", value, wanted);
  for (size_t i = 0; i < json_array_size (value); i++) {
    json_t *item = json_array_get (value, i);
    if (!json_is_string (item))
      return attn_json_refuse (error, ATTN_ERROR_FORMAT, reader->path, "pos_att_type", item,
                               wanted);
    if (!add_direction (reader, json_string_value (item), error))
      return false;
  }
  return true;
}

static bool
read_norm (AttnConfigReader *reader, GError **error)
{
  const char *names = NULL;
  if (!attn_json_get_string (reader->root, "norm_rel_ebd", "none", &names, reader->path, error))
    return false;
  g_autofree char *folded = g_ascii_strdown (names, -1);
  g_auto (GStrv) parts = g_strsplit (folded, "|", -1);
  for (size_t i = 0; parts[i] != NULL; i++) {
    const char *name = g_strstrip (parts[i]);
    if (strcmp (name, "layer_norm") == 0) {
      reader->config->relative.normed = true;
    } else if (strcmp (name, "none") != 0) {
      g_autofree char *found = g_strdup_printf ("\"%s\"", name);
      return attn_config_refuse (reader, ATTN_ERROR_UNSUPPORTED, "norm_rel_ebd", found,
                                 "what this version knows (layer_norm, none)", error);
    }
  }
  return true;
}

static bool
read_distances (AttnConfigReader *reader, GError **error)
{
  AttnRelative *relative = &reader->config->relative;
  double n_buckets = -1, max_distance = -1;
  if (!read_signed (reader, "position_buckets", &n_buckets, error) ||
      !read_signed (reader, "max_relative_positions", &max_distance, error))
    return false;
  relative->n_buckets = n_buckets > 0 ? (size_t)n_buckets : 0;
  relative->max_distance = max_distance >= 1 ? (size_t)max_distance : reader->config->n_positions;
  /* beyond half the buckets distances go by the logarithm of distance / half */
  size_t half = relative->n_buckets / 2;
  if (relative->n_buckets == 0 || (half > 0 && relative->max_distance > half + 1))
    return true;
  g_autofree char *found = g_strdup_printf ("%zu", relative->n_buckets);
  g_autofree char *wanted = g_strdup_printf (
      "from 2 to less than twice the %zu relative positions, or none", relative->max_distance);
  return attn_config_refuse (reader, ATTN_ERROR_SHAPE, "position_buckets", found, wanted, error);
}

/* Another width of heads would need another width of the output's matrix. */
static bool
check_head_size (AttnConfigReader *reader, GError **error)
{
  AttnConfig *config = reader->config;
  size_t d_k = 0;
  if (!attn_json_get_size (reader->root, "attention_head_size", 1, (size_t)1 << 20, config->d_k,
                           &d_k, reader->path, error))
    return false;
  if (d_k == config->d_k)
    return true;
  g_autofree char *found = g_strdup_printf ("%zu", d_k);
  g_autofree char *wanted =
      g_strdup_printf ("%zu, hidden_size by num_attention_heads", config->d_k);
  return attn_config_refuse (reader, ATTN_ERROR_UNSUPPORTED, "attention_head_size", found, wanted,
                             error);
}

/* Between the first two layers; an even width would make the text one token shorter. */
static bool
read_convolution (AttnConfigReader *reader, GError **error)
{
  double width = 0, n_groups = 1;
  const char *activation = NULL, *key = "conv_kernel_size";
  if (!attn_json_get_double (reader->root, key, 0, &width, reader->path, error))
    return false;
  if (width <= 0)
    return true;
  if (width > MAX_CONVOLUTION || fmod (width, 2) != 1)
    return attn_json_refuse (error, ATTN_ERROR_SHAPE, reader->path, key,
                             json_object_get (reader->root, key), "an odd number up to 63, or 0");
  reader->config->conv_width = (size_t)width;
  if (!attn_json_get_double (reader->root, "conv_groups", 1, &n_groups, reader->path, error) ||
      !attn_json_get_string (reader->root, "conv_act", "tanh", &activation, reader->path, error))
    return false;
  if (n_groups != 1)
    return attn_json_refuse (error, ATTN_ERROR_UNSUPPORTED, reader->path, "conv_groups",
                             json_object_get (reader->root, "conv_groups"), "1");
  if (strcmp (activation, "tanh") == 0)
    return true;
  return attn_json_refuse (error, ATTN_ERROR_UNSUPPORTED, reader->path, "conv_act",
                           json_object_get (reader->root, "conv_act"), "tanh");
}

bool
attn_config_read_deberta (AttnConfigReader *reader, GError **error)
{
  AttnConfig *config = reader->config;
  bool absolute = true;
  if (!attn_json_get_bool (reader->root, "position_biased_input", true, &absolute, reader->path,
                           error) ||
      !attn_json_get_bool (reader->root, "relative_attention", false, &config->relative.on,
                           reader->path, error) ||
      !attn_json_get_bool (reader->root, "share_att_key", false, &config->relative.shared,
                           reader->path, error))
    return false;
  config->no_positions = !absolute;
  return read_directions (reader, error) && check_head_size (reader, error) &&
         read_convolution (reader, error) &&
         (!config->relative.on || (read_norm (reader, error) && read_distances (reader, error)));
}
