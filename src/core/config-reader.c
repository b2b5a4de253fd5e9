/* SPDX-License-Identifier: MIT */
/* Reading config.json: what the common reader and the families share. */
#include "config-reader.h"

#include "file.h"

#include "attn/json.h"

#include <string.h>

static const struct {
  const char *name;
  AttnActivation activation;
} activations[] = {
    {"gelu", ATTN_ACTIVATION_GELU},           {"gelu_python", ATTN_ACTIVATION_GELU},
    {"gelu_new", ATTN_ACTIVATION_GELU_TANH},  {"gelu_pytorch_tanh", ATTN_ACTIVATION_GELU_TANH},
    {"gelu_fast", ATTN_ACTIVATION_GELU_TANH}, {"relu", ATTN_ACTIVATION_RELU},
    {"silu", ATTN_ACTIVATION_SILU},           {"swish", ATTN_ACTIVATION_SILU},
};

void
attn_config_warn (AttnConfigReader *reader, const char *sentence)
{
  g_autofree char *path = attn_file_dup_shown (reader->path, strlen (reader->path));
  g_ptr_array_add (reader->warnings, g_strdup_printf ("%s: %s", path, sentence));
}

bool
attn_config_refuse (AttnConfigReader *reader,
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
dup_known_activations (void)
{
  GString *known = g_string_new (NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (activations); i++)
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", activations[i].name);
  return g_string_free (known, FALSE);
}

bool
attn_config_read_activation (AttnConfigReader *reader,
                             const char *key,
                             const char *fallback,
                             AttnActivation *activation,
                             GError **error)
{
  const char *name = NULL;
  if (!attn_json_get_string (reader->root, key, fallback, &name, reader->path, error))
    return false;
  for (size_t i = 0; i < G_N_ELEMENTS (activations); i++) {
    if (strcmp (name, activations[i].name) == 0) {
      *activation = activations[i].activation;
      return true;
    }
  }
  g_autofree char *found = g_strdup_printf ("\"%s\"", name);
  g_autofree char *known = dup_known_activations ();
  g_autofree char *wanted = g_strdup_printf ("one this version knows (%s)", known);
  return attn_config_refuse (reader, ATTN_ERROR_UNSUPPORTED, key, found, wanted, error);
}

bool
attn_config_require (
    AttnConfigReader *reader, const char *key, bool wanted, const char *why, GError **error)
{
  bool found = wanted;
  if (!attn_json_get_bool (reader->root, key, wanted, &found, reader->path, error))
    return false;
  if (found == wanted)
    return true;
  g_autofree char *sentence = g_strdup_printf ("%s, %s", wanted ? "true" : "false", why);
  return attn_config_refuse (reader, ATTN_ERROR_UNSUPPORTED, key, found ? "true" : "false",
                             sentence, error);
}
