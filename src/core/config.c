/* SPDX-License-Identifier: MIT */
/* config.json: reading what every family has, and the checks between sizes. */
#include "attn/config.h"

#include "config-family.h"
#include "config-reader.h"
#include "file.h"

#include "attn/json.h"

#include <math.h>
#include <string.h>

/* a thousand labels are a hundred kilobytes; as a tree, hostile JSON grows a hundredfold */
#define MAX_CONFIG_BYTES ((size_t)2 << 20)

void
attn_config_free (AttnConfig *config)
{
  if (config == NULL)
    return;
  g_free (config->family);
  g_free (config->architecture);
  g_strfreev (config->warnings);
  g_free (config->local_layers);
  g_free (config);
}

AttnConfig *
attn_config_copy (const AttnConfig *config)
{
  g_return_val_if_fail (config != NULL, NULL);
  AttnConfig *copy = g_memdup2 (config, sizeof *config);
  copy->family = g_strdup (config->family);
  copy->architecture = g_strdup (config->architecture);
  copy->warnings = g_strdupv (config->warnings);
  copy->local_layers =
      g_memdup2 (config->local_layers, config->n_layers * sizeof *config->local_layers);
  return copy;
}

static char *
dup_known_families (void)
{
  GString *known = g_string_new (NULL);
  const AttnConfigFamily *family = NULL;
  for (size_t i = 0; (family = attn_config_family_peek (i)) != NULL; i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", family->model_type);
  return g_string_free (known, FALSE);
}

static const AttnConfigFamily *
find_family (const char *model_type)
{
  const AttnConfigFamily *family = NULL;
  for (size_t i = 0; (family = attn_config_family_peek (i)) != NULL; i++)
    if (strcmp (model_type, family->model_type) == 0)
      return family;
  return NULL;
}

bool
attn_config_knows_family (const char *model_type)
{
  g_return_val_if_fail (model_type != NULL, false);
  return find_family (model_type) != NULL;
}

static bool
read_architecture (AttnConfigReader *reader, GError **error)
{
  json_t *list = json_object_get (reader->root, "architectures");
  if (list == NULL || json_is_null (list))
    return true;
  const char *wanted = "an array of names";
  if (!json_is_array (list))
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, reader->path, "architectures", list, wanted);
  json_t *first = json_array_get (list, 0);
  if (first == NULL)
    return true;
  const char *name = json_string_value (first);
  if (name == NULL || strlen (name) != json_string_length (first))
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, reader->path, "architectures[0]", first,
                             wanted);
  reader->config->architecture = g_strdup (name);
  return true;
}

/* Files from before model_type existed name the class only. */
static const AttnConfigFamily *
guess_family (AttnConfigReader *reader)
{
  const char *architecture = reader->config->architecture;
  const AttnConfigFamily *family = NULL;
  for (size_t i = 0; (family = attn_config_family_peek (i)) != NULL && architecture != NULL; i++) {
    if (!g_str_has_prefix (architecture, family->architecture_prefix))
      continue;
    g_autofree char *shown = attn_file_dup_shown (architecture, strlen (architecture));
    g_autofree char *sentence = g_strdup_printf (
        "model_type is missing; \"%s\" is taken from architectures, which names %s",
        family->model_type, shown);
    attn_config_warn (reader, sentence);
    return family;
  }
  return NULL;
}

static const AttnConfigFamily *
read_family (AttnConfigReader *reader, GError **error)
{
  const char *type = NULL;
  if (!attn_json_get_string (reader->root, "model_type", NULL, &type, reader->path, error))
    return NULL;
  g_autofree char *known = dup_known_families ();
  const AttnConfigFamily *family = NULL;
  if (type == NULL) {
    family = guess_family (reader);
    g_autofree char *wanted = g_strdup_printf ("one of: %s", known);
    if (family == NULL)
      attn_config_refuse (reader, ATTN_ERROR_UNSUPPORTED, "model_type", "none", wanted, error);
    return family;
  }
  family = find_family (type);
  if (family != NULL)
    return family;
  g_autofree char *found = g_strdup_printf ("\"%s\"", type);
  g_autofree char *wanted = g_strdup_printf ("a family this version knows (%s)", known);
  attn_config_refuse (reader, ATTN_ERROR_UNSUPPORTED, "model_type", found, wanted, error);
  return NULL;
}

static bool
read_sizes (AttnConfigReader *reader, const AttnConfigFamily *family, GError **error)
{
  AttnConfig *config = reader->config;
  for (const AttnSizeField *field = family->sizes; field->key != NULL; field++) {
    size_t *value = (size_t *)(void *)((char *)config + field->member);
    const char *key = field->key;
    if (field->alias != NULL && json_object_get (reader->root, key) == NULL)
      key = field->alias;
    if (!attn_json_get_size (reader->root, key, field->min, field->max, field->fallback, value,
                             reader->path, error))
      return false;
  }

  if (config->d_model % config->n_heads != 0) {
    g_autofree char *found = g_strdup_printf ("%zu", config->n_heads);
    g_autofree char *wanted = g_strdup_printf (
        "a divisor of %s %zu", attn_config_peek_key (config, offsetof (AttnConfig, d_model)),
        config->d_model);
    return attn_config_refuse (reader, ATTN_ERROR_SHAPE,
                               attn_config_peek_key (config, offsetof (AttnConfig, n_heads)), found,
                               wanted, error);
  }
  config->d_k = config->d_model / config->n_heads;

  size_t pad_id = 0;
  if (!attn_json_get_size (reader->root, "pad_token_id", 0, config->vocab_size - 1,
                           MIN (family->pad_id, config->vocab_size - 1), &pad_id, reader->path,
                           error))
    return false;
  config->pad_id = (int32_t)pad_id;
  return true;
}

static bool
read_layer_norm_eps (AttnConfigReader *reader, const AttnConfigFamily *family, GError **error)
{
  double eps = family->eps;
  const char *key = family->eps_key;
  if (key != NULL &&
      !attn_json_get_double (reader->root, key, family->eps, &eps, reader->path, error))
    return false;
  if (!(eps >= 0 && eps <= 1)) {
    char found[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_dtostr (found, sizeof found, eps);
    return attn_config_refuse (reader, ATTN_ERROR_SHAPE, key, found, "a number from 0 to 1", error);
  }
  reader->config->layer_norm_eps = eps;
  return true;
}

/* Settings that change what the layers compute: ignoring one would show wrong maps. */
static bool
check_variants (AttnConfigReader *reader, GError **error)
{
  json_t *pruned = json_object_get (reader->root, "pruned_heads");
  if (json_object_size (pruned) > 0)
    return attn_json_refuse (error, ATTN_ERROR_UNSUPPORTED, reader->path, "pruned_heads", pruned,
                             "none, for this version needs layers of equal size");
  return attn_config_require (reader, "is_decoder", false,
                              "for this version runs the family as an encoder", error) &&
         attn_config_require (reader, "add_cross_attention", false,
                              "for this version has no second text to attend to", error);
}

static bool
read_config (AttnConfigReader *reader, GError **error)
{
  if (!read_architecture (reader, error))
    return false;
  const AttnConfigFamily *family = read_family (reader, error);
  if (family == NULL)
    return false;
  AttnConfig *config = reader->config;
  config->family = g_strdup (family->model_type);
  if (!read_sizes (reader, family, error) || !read_layer_norm_eps (reader, family, error) ||
      !attn_config_read_activation (reader, family->activation_key, family->activation,
                                    &config->activation, error) ||
      !attn_json_get_bool (reader->root, "tie_word_embeddings", true, &config->tied, reader->path,
                           error))
    return false;
  config->head_activation = config->activation;
  return check_variants (reader, error) &&
         (family->read_more == NULL || family->read_more (reader, error));
}

AttnConfig *
attn_config_load (const char *folder, GError **error)
{
  g_return_val_if_fail (folder != NULL, NULL);
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  size_t n_bytes = 0;
  bool found;
  if (!attn_file_find (path, &found, error))
    return NULL;
  if (!found && g_file_test (folder, G_FILE_TEST_IS_DIR)) {
    attn_file_refuse (folder, ATTN_ERROR_IO, error,
                      "found no config.json, wanted the one that comes with the model; it stands "
                      "beside weights and tokenizer");
    return NULL;
  }
  g_autofree char *bytes = attn_file_load (path, MAX_CONFIG_BYTES, &n_bytes, error);
  return bytes == NULL ? NULL : attn_config_parse (bytes, n_bytes, path, error);
}

AttnConfig *
attn_config_parse (const char *bytes, size_t n_bytes, const char *path, GError **error)
{
  g_return_val_if_fail (bytes != NULL && path != NULL, NULL);
  g_autoptr (json_t) root = attn_json_load_bytes (bytes, n_bytes, path, error);
  if (root == NULL)
    return NULL;

  g_autoptr (AttnConfig) config = g_new0 (AttnConfig, 1);
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  AttnConfigReader reader = {root, path, config, warnings};
  if (attn_json_has_byte_order_mark (bytes, n_bytes))
    attn_config_warn (&reader,
                      "begins with a byte order mark, which JSON does not allow; it is skipped");
  if (!read_config (&reader, error))
    return NULL;
  if (warnings->len > 0) {
    g_ptr_array_add (warnings, NULL);
    config->warnings = (char **)g_ptr_array_steal (warnings, NULL);
  }
  return g_steal_pointer (&config);
}
