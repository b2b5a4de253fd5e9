/* SPDX-License-Identifier: MIT */
/* Reading the environment variables of Hugging Face's libraries. */
#include "attn-hub/places.h"

#include "attn/error.h"
#include "attn/file.h"
#include "attn/quote.h"

#include <string.h>

#define DEFAULT_TIMEOUT_S 10
#define MAX_TIMEOUT_S 86400
#define MAX_TOKEN_BYTES 4096

/* What a variable holds, or NULL where it is not set or empty. */
static const char *
peek_variable (char **environment, const char *name)
{
  const char *value = g_environ_getenv (environment, name);
  return value == NULL || *value == '\0' ? NULL : value;
}

static const char *
peek_user_home (char **environment)
{
  const char *home = peek_variable (environment, "HOME");
  return home != NULL ? home : g_get_home_dir ();
}

static bool
is_variable_char (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

/* Expands the "$NAME" or "${NAME}" at @text into @out; one that is not set stays as it is written.
 * Returns: what follows it. */
static const char *
append_variable (GString *out, const char *text, char **environment)
{
  bool braced = text[1] == '{';
  const char *begin = text + (braced ? 2 : 1);
  const char *end = begin;
  while (braced ? *end != '\0' && *end != '}' : is_variable_char (*end))
    end++;
  g_autofree char *name = g_strndup (begin, (gsize)(end - begin));
  bool complete = end > begin && (!braced || *end == '}');
  const char *value = complete ? g_environ_getenv (environment, name) : NULL;
  const char *after = braced && *end == '}' ? end + 1 : end;
  if (value != NULL)
    g_string_append (out, value);
  else
    g_string_append_len (out, text, after - text);
  return after;
}

/* ~ and variables expanded, made absolute. */
static char *
dup_path (const char *value, char **environment)
{
  g_autoptr (GString) path = g_string_new (NULL);
  if (value[0] == '~' && (value[1] == '/' || value[1] == '\0')) {
    g_string_append (path, peek_user_home (environment));
    value++;
  }
  while (*value != '\0')
    if (*value == '$')
      value = append_variable (path, value, environment);
    else
      g_string_append_c (path, *value++);
  return g_canonicalize_filename (path->str, NULL);
}

static bool
is_true (char **environment, const char *name)
{
  static const char *const words[] = {"1", "ON", "YES", "TRUE"};
  const char *value = peek_variable (environment, name);
  for (size_t i = 0; value != NULL && i < G_N_ELEMENTS (words); i++)
    if (g_ascii_strcasecmp (value, words[i]) == 0)
      return true;
  return false;
}

static unsigned
read_timeout (char **environment, const char *name)
{
  const char *value = peek_variable (environment, name);
  guint64 seconds = 0;
  if (value != NULL && g_ascii_string_to_unsigned (value, 10, 1, MAX_TIMEOUT_S, &seconds, NULL))
    return (unsigned)seconds;
  return DEFAULT_TIMEOUT_S;
}

static char *
dup_home (char **environment)
{
  const char *home = peek_variable (environment, "HF_HOME");
  if (home != NULL)
    return dup_path (home, environment);
  const char *caches = peek_variable (environment, "XDG_CACHE_HOME");
  g_autofree char *found = caches != NULL ? g_build_filename (caches, "huggingface", NULL)
                                          : g_build_filename (peek_user_home (environment),
                                                              ".cache", "huggingface", NULL);
  return dup_path (found, environment);
}

static char *
dup_cache (const char *home, char **environment)
{
  const char *cache = peek_variable (environment, "HF_HUB_CACHE");
  if (cache == NULL)
    cache = peek_variable (environment, "HUGGINGFACE_HUB_CACHE");
  return cache != NULL ? dup_path (cache, environment) : g_build_filename (home, "hub", NULL);
}

static char *
dup_endpoint (char **environment)
{
  const char *value = peek_variable (environment, "HF_ENDPOINT");
  char *endpoint = g_strdup (value != NULL ? value : ATTN_HUB_DEFAULT_ENDPOINT);
  g_strstrip (endpoint);
  for (size_t n = strlen (endpoint); n > 0 && endpoint[n - 1] == '/'; n--)
    endpoint[n - 1] = '\0';
  return endpoint;
}

static char **
dup_environment (const char *const *environment)
{
  GPtrArray *copy = g_ptr_array_new ();
  for (; *environment != NULL; environment++)
    g_ptr_array_add (copy, g_strdup (*environment));
  g_ptr_array_add (copy, NULL);
  return (char **)g_ptr_array_free (copy, FALSE);
}

AttnHubPlaces *
attn_hub_places_new (const char *const *environment)
{
  AttnHubPlaces *places = g_new0 (AttnHubPlaces, 1);
  char **variables = environment == NULL ? g_get_environ () : dup_environment (environment);
  places->environment = variables;
  places->home = dup_home (variables);
  places->cache = dup_cache (places->home, variables);
  places->endpoint = dup_endpoint (variables);
  places->is_mirror = g_ascii_strcasecmp (places->endpoint, ATTN_HUB_DEFAULT_ENDPOINT) != 0;
  places->is_offline =
      is_true (variables, "HF_HUB_OFFLINE") || is_true (variables, "TRANSFORMERS_OFFLINE");
  places->avoids_links = is_true (variables, "HF_HUB_DISABLE_SYMLINKS");
  places->metadata_timeout_s = read_timeout (variables, "HF_HUB_ETAG_TIMEOUT");
  places->download_timeout_s = read_timeout (variables, "HF_HUB_DOWNLOAD_TIMEOUT");
  const char *token_file = peek_variable (variables, "HF_TOKEN_PATH");
  places->token_file = token_file != NULL ? dup_path (token_file, variables)
                                          : g_build_filename (places->home, "token", NULL);
  places->is_anonymous = is_true (variables, "HF_HUB_DISABLE_IMPLICIT_TOKEN");
  return places;
}

void
attn_hub_places_free (AttnHubPlaces *places)
{
  if (places == NULL)
    return;
  g_free (places->home);
  g_free (places->cache);
  g_free (places->endpoint);
  g_free (places->token_file);
  g_strfreev (places->environment);
  g_free (places);
}

/* @place says where the value stands, which itself is nobody's to read. Returns: false. */
static bool
refuse_token (const char *place, GError **error)
{
  g_autofree char *shown = attn_file_dup_shown (place, strlen (place));
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
               "%s: found blanks, control characters or accents inside the token, wanted one word "
               "such as hf_…; copy it again from the Hub's settings",
               shown);
  return false;
}

static bool
take_token (const char *value, const char *place, char **token, GError **error)
{
  g_autofree char *trimmed = g_strdup (value);
  g_strstrip (trimmed);
  for (const char *p = trimmed; *p != '\0'; p++)
    if (!g_ascii_isgraph (*p))
      return refuse_token (place, error);
  *token = *trimmed == '\0' ? NULL : g_steal_pointer (&trimmed);
  return true;
}

static bool
load_token_file (const char *path, char **token, GError **error)
{
  size_t n_bytes = 0;
  *token = NULL;
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return true;
  g_autoptr (GError) fault = NULL;
  g_autofree char *content = attn_file_load (path, MAX_TOKEN_BYTES, &n_bytes, &fault);
  if (content == NULL) {
    g_set_error (error, fault->domain, fault->code,
                 "%s; it is to hold the Hub's token: make it readable, give the token in HF_TOKEN, "
                 "or set HF_HUB_DISABLE_IMPLICIT_TOKEN=1 to do without",
                 fault->message);
    return false;
  }
  if (strlen (content) != n_bytes)
    return refuse_token (path, error); /* what follows a NUL would be dropped without a word */
  return take_token (content, path, token, error);
}

bool
attn_hub_places_load_token (const AttnHubPlaces *places, char **token, GError **error)
{
  g_return_val_if_fail (places != NULL && token != NULL, false);
  static const char *const names[] = {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"};
  *token = NULL;
  if (places->is_anonymous)
    return true;
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    const char *value = peek_variable (places->environment, names[i]);
    if (value == NULL)
      continue;
    if (!take_token (value, names[i], token, error))
      return false;
    if (*token != NULL)
      return true;
  }
  return load_token_file (places->token_file, token, error);
}
