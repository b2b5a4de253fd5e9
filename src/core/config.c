/* SPDX-License-Identifier: MIT */
/* config.json: a family's keys and defaults as tables, and the checks between them. */
#include "attn/config.h"

#include "file.h"
#include "json.h"

#include <math.h>
#include <string.h>

/* a thousand labels are a hundred kilobytes; as a tree, hostile JSON grows a hundredfold */
#define MAX_CONFIG_BYTES ((size_t)2 << 20)

typedef struct {
  const char *key;
  size_t member; /* offset of the size_t in AttnConfig */
  size_t max;
  size_t fallback;
} SizeField;

/* The maxima are far above any published model, and keep every product of two within 2^53. */
static const SizeField bert_sizes[] = {
    {"num_hidden_layers", offsetof (AttnConfig, n_layers), 4096, 12},
    {"num_attention_heads", offsetof (AttnConfig, n_heads), 65536, 12},
    {"hidden_size", offsetof (AttnConfig, d_model), (size_t)1 << 20, 768},
    {"intermediate_size", offsetof (AttnConfig, d_ff), (size_t)1 << 24, 3072},
    {"vocab_size", offsetof (AttnConfig, vocab_size), (size_t)1 << 28, 30522},
    {"max_position_embeddings", offsetof (AttnConfig, n_positions), (size_t)1 << 28, 512},
    {"type_vocab_size", offsetof (AttnConfig, n_types), 65536, 2},
};

typedef struct {
  const char *model_type;
  const char *architecture_prefix; /* of the class names in architectures */
  const SizeField *sizes;
  size_t n_sizes;
  double layer_norm_eps;
  const char *hidden_act;
} Family;

static const Family families[] = {
    {"bert", "Bert", bert_sizes, G_N_ELEMENTS (bert_sizes), 1e-12, "gelu"},
};

static const struct {
  const char *name;
  AttnActivation activation;
} activations[] = {
    {"gelu", ATTN_ACTIVATION_GELU},           {"gelu_python", ATTN_ACTIVATION_GELU},
    {"gelu_new", ATTN_ACTIVATION_GELU_TANH},  {"gelu_pytorch_tanh", ATTN_ACTIVATION_GELU_TANH},
    {"gelu_fast", ATTN_ACTIVATION_GELU_TANH}, {"relu", ATTN_ACTIVATION_RELU},
    {"silu", ATTN_ACTIVATION_SILU},           {"swish", ATTN_ACTIVATION_SILU},
};

/* What is being read, and where complaints go. */
typedef struct {
  json_t *root;     /* borrowed */
  const char *path; /* of config.json, borrowed */
  AttnConfig *config;
  GPtrArray *warnings; /* owned strings */
} Reader;

void
attn_config_free (AttnConfig *config)
{
  if (config == NULL)
    return;
  g_free (config->family);
  g_free (config->architecture);
  g_strfreev (config->warnings);
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
  return copy;
}

static void
warn (Reader *reader, const char *sentence)
{
  g_autofree char *path = attn_file_dup_shown (reader->path, strlen (reader->path));
  g_ptr_array_add (reader->warnings, g_strdup_printf ("%s: %s", path, sentence));
}

static bool
refuse (Reader *reader,
        AttnError code,
        const char *key,
        const char *found,
        const char *wanted,
        GError **error)
{
  g_autofree char *shown = attn_file_dup_shown (found, strlen (found));
  return attn_file_refuse (reader->path, code, error, "%s: found %s, wanted %s", key, shown,
                           wanted);
}

static char *
dup_known_families (void)
{
  GString *known = g_string_new (NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (families); i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", families[i].model_type);
  return g_string_free (known, FALSE);
}

static char *
dup_known_activations (void)
{
  GString *known = g_string_new (NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (activations); i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", activations[i].name);
  return g_string_free (known, FALSE);
}

static bool
read_architecture (Reader *reader, GError **error)
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
static const Family *
guess_family (Reader *reader)
{
  const char *architecture = reader->config->architecture;
  for (size_t i = 0; architecture != NULL && i < G_N_ELEMENTS (families); i++) {
    if (!g_str_has_prefix (architecture, families[i].architecture_prefix))
      continue;
    g_autofree char *shown = attn_file_dup_shown (architecture, strlen (architecture));
    g_autofree char *sentence = g_strdup_printf (
        "model_type is missing; \"%s\" is taken from architectures, which names %s",
        families[i].model_type, shown);
    warn (reader, sentence);
    return &families[i];
  }
  return NULL;
}

static const Family *
read_family (Reader *reader, GError **error)
{
  const char *type = NULL;
  if (!attn_json_get_string (reader->root, "model_type", NULL, &type, reader->path, error))
    return NULL;
  g_autofree char *known = dup_known_families ();
  if (type == NULL) {
    const Family *family = guess_family (reader);
    g_autofree char *wanted = g_strdup_printf ("one of: %s", known);
    if (family == NULL)
      refuse (reader, ATTN_ERROR_UNSUPPORTED, "model_type", "none", wanted, error);
    return family;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (families); i++)
    if (strcmp (type, families[i].model_type) == 0)
      return &families[i];
  g_autofree char *found = g_strdup_printf ("\"%s\"", type);
  g_autofree char *wanted = g_strdup_printf ("a family this version knows (%s)", known);
  refuse (reader, ATTN_ERROR_UNSUPPORTED, "model_type", found, wanted, error);
  return NULL;
}

static bool
read_sizes (Reader *reader, const Family *family, GError **error)
{
  for (size_t i = 0; i < family->n_sizes; i++) {
    const SizeField *field = &family->sizes[i];
    size_t *value = (size_t *)(void *)((char *)reader->config + field->member);
    if (!attn_json_get_size (reader->root, field->key, 1, field->max, field->fallback, value,
                             reader->path, error))
      return false;
  }

  AttnConfig *config = reader->config;
  if (config->d_model % config->n_heads != 0) {
    g_autofree char *found = g_strdup_printf ("%zu", config->n_heads);
    g_autofree char *wanted = g_strdup_printf ("a divisor of hidden_size %zu", config->d_model);
    return refuse (reader, ATTN_ERROR_SHAPE, "num_attention_heads", found, wanted, error);
  }
  config->d_k = config->d_model / config->n_heads;

  size_t pad_id = 0;
  if (!attn_json_get_size (reader->root, "pad_token_id", 0, config->vocab_size - 1, 0, &pad_id,
                           reader->path, error))
    return false;
  config->pad_id = (int32_t)pad_id;
  return true;
}

static bool
read_layer_norm_eps (Reader *reader, const Family *family, GError **error)
{
  double eps = 0;
  const char *key = "layer_norm_eps";
  if (!attn_json_get_double (reader->root, key, family->layer_norm_eps, &eps, reader->path, error))
    return false;
  if (!(eps >= 0 && eps <= 1)) {
    char found[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_dtostr (found, sizeof found, eps);
    return refuse (reader, ATTN_ERROR_SHAPE, key, found, "a number from 0 to 1", error);
  }
  reader->config->layer_norm_eps = eps;
  return true;
}

static bool
read_activation (Reader *reader, const Family *family, GError **error)
{
  const char *name = NULL;
  const char *key = "hidden_act";
  if (!attn_json_get_string (reader->root, key, family->hidden_act, &name, reader->path, error))
    return false;
  for (size_t i = 0; i < G_N_ELEMENTS (activations); i++) {
    if (strcmp (name, activations[i].name) == 0) {
      reader->config->activation = activations[i].activation;
      return true;
    }
  }
  g_autofree char *found = g_strdup_printf ("\"%s\"", name);
  g_autofree char *known = dup_known_activations ();
  g_autofree char *wanted = g_strdup_printf ("one this version knows (%s)", known);
  return refuse (reader, ATTN_ERROR_UNSUPPORTED, key, found, wanted, error);
}

/* Settings that change what the layers compute: ignoring one would show wrong maps. */
static bool
check_variants (Reader *reader, GError **error)
{
  const char *positions = NULL;
  const char *key = "position_embedding_type";
  if (!attn_json_get_string (reader->root, key, "absolute", &positions, reader->path, error))
    return false;
  if (strcmp (positions, "absolute") != 0) {
    g_autofree char *found = g_strdup_printf ("\"%s\"", positions);
    return refuse (reader, ATTN_ERROR_UNSUPPORTED, key, found, "one this version knows (absolute)",
                   error);
  }

  bool is_decoder = false;
  if (!attn_json_get_bool (reader->root, "is_decoder", false, &is_decoder, reader->path, error))
    return false;
  if (is_decoder)
    return refuse (reader, ATTN_ERROR_UNSUPPORTED, "is_decoder", "true",
                   "false, for this version runs the family as an encoder", error);

  json_t *pruned = json_object_get (reader->root, "pruned_heads");
  if (json_object_size (pruned) > 0)
    return attn_json_refuse (error, ATTN_ERROR_UNSUPPORTED, reader->path, "pruned_heads", pruned,
                             "none, for this version needs layers of equal size");
  return true;
}

static bool
read_config (Reader *reader, GError **error)
{
  if (!read_architecture (reader, error))
    return false;
  const Family *family = read_family (reader, error);
  if (family == NULL)
    return false;
  reader->config->family = g_strdup (family->model_type);
  return read_sizes (reader, family, error) && read_layer_norm_eps (reader, family, error) &&
         read_activation (reader, family, error) && check_variants (reader, error) &&
         attn_json_get_bool (reader->root, "tie_word_embeddings", true, &reader->config->tied,
                             reader->path, error);
}

AttnConfig *
attn_config_load (const char *folder, GError **error)
{
  g_return_val_if_fail (folder != NULL, NULL);
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  size_t n_bytes = 0;
  g_autofree char *bytes = attn_file_load (path, MAX_CONFIG_BYTES, &n_bytes, error);
  if (bytes == NULL)
    return NULL;
  g_autoptr (json_t) root = attn_json_load_bytes (bytes, n_bytes, path, error);
  if (root == NULL)
    return NULL;

  g_autoptr (AttnConfig) config = g_new0 (AttnConfig, 1);
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  Reader reader = {root, path, config, warnings};
  if (attn_json_has_byte_order_mark (bytes, n_bytes))
    warn (&reader, "begins with a byte order mark, which JSON does not allow; it is skipped");
  if (!read_config (&reader, error))
    return NULL;
  if (warnings->len > 0) {
    g_ptr_array_add (warnings, NULL);
    config->warnings = (char **)g_ptr_array_steal (warnings, NULL);
  }
  return g_steal_pointer (&config);
}
