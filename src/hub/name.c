/* SPDX-License-Identifier: MIT */
/* Names of models on the Hub: their rules, and their forms in a cache and in an address. */
#include "attn-hub/name.h"

#include "attn/error.h"
#include "attn/quote.h"

#include <string.h>

#define MAX_PART 96      /* bytes of an owner or a name */
#define MAX_REVISION 255 /* bytes */
#define FOLDER_PREFIX "models--"

void
attn_hub_name_free (AttnHubName *name)
{
  if (name == NULL)
    return;
  g_free (name->repo);
  g_free (name->revision);
  g_free (name);
}

/* Sets the sentence "TEXT: FORMAT". Returns: false. */
static bool refuse (const char *text, GError **error, const char *format, ...) G_GNUC_PRINTF (3, 4);

static bool
refuse (const char *text, GError **error, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *reason = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *shown = attn_file_dup_shown (text, strlen (text));
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT, "\"%s\": %s", shown, reason);
  return false;
}

static bool
is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '-' || c == '_' || c == '.';
}

/* One of the two parts of "owner/name". */
static bool
check_part (const char *repo, const char *part, const char *what, GError **error)
{
  size_t length = strlen (part);
  if (length == 0)
    return refuse (repo, error, "the %s is empty, wanted is OWNER/NAME", what);
  if (length > MAX_PART)
    return refuse (repo, error, "the %s is %zu characters long, more than %d", what, length,
                   MAX_PART);
  for (const char *p = part; *p != '\0'; p++)
    if (!is_name_char (*p)) {
      g_autofree char *shown = attn_file_dup_shown (p, strlen (p));
      g_autofree char *one = g_utf8_substring (shown, 0, 1);
      return refuse (repo, error,
                     "the %s holds \"%s\"; letters without accents, digits, - _ and . are allowed",
                     what, one);
    }
  if (strchr ("-.", part[0]) != NULL || strchr ("-.", part[length - 1]) != NULL)
    return refuse (repo, error, "the %s begins or ends with - or .", what);
  if (strstr (part, "--") != NULL || strstr (part, "..") != NULL)
    return refuse (repo, error, "the %s holds -- or ..", what);
  return true;
}

bool
attn_hub_name_check_repo (const char *repo, GError **error)
{
  g_return_val_if_fail (repo != NULL, false);
  if (*repo == '\0')
    return refuse (repo, error, "the model's name is empty, wanted is OWNER/NAME");
  g_auto (GStrv) parts = g_strsplit (repo, "/", -1);
  size_t n_parts = g_strv_length (parts);
  if (n_parts > 2)
    return refuse (repo, error, "has %zu slashes; a model's name has one: OWNER/NAME", n_parts - 1);
  if (n_parts == 2 && !check_part (repo, parts[0], "owner", error))
    return false;
  if (!check_part (repo, parts[n_parts - 1], "name", error))
    return false;
  if (g_str_has_suffix (repo, ".git"))
    return refuse (repo, error, "ends in .git; the model's name is what stands before it");
  return true;
}

/* Parts between slashes: git allows none that is empty, begins with a dot or ends in .lock. */
static bool
check_revision_parts (const char *revision, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (revision, "/", -1);
  for (char **part = parts; *part != NULL; part++)
    if (**part == '\0' || **part == '.' || g_str_has_suffix (*part, ".") ||
        g_str_has_suffix (*part, ".lock"))
      return refuse (revision, error,
                     "is no revision: between slashes something must stand that neither begins nor "
                     "ends with a dot nor ends in .lock");
  return true;
}

bool
attn_hub_name_check_revision (const char *revision, GError **error)
{
  g_return_val_if_fail (revision != NULL, false);
  size_t length = strlen (revision);
  if (length == 0)
    return refuse (revision, error, "the revision is empty, wanted is a branch, a tag or a commit");
  if (length > MAX_REVISION)
    return refuse (revision, error, "the revision is %zu bytes long, more than %d", length,
                   MAX_REVISION);
  if (!g_utf8_validate (revision, (gssize)length, NULL))
    return refuse (revision, error, "the revision is not valid UTF-8");
  for (const char *p = revision; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p) || strchr (" ~^:?*[\\", *p) != NULL)
      return refuse (revision, error, "a revision holds no blanks and none of ~ ^ : ? * [ \\");
  if (revision[0] == '-')
    return refuse (revision, error, "a revision does not begin with -");
  if (strstr (revision, "..") != NULL || strstr (revision, "@{") != NULL)
    return refuse (revision, error, "a revision holds neither .. nor @{");
  return check_revision_parts (revision, error);
}

bool
attn_hub_name_is_commit (const char *revision)
{
  g_return_val_if_fail (revision != NULL, false);
  return strlen (revision) == 40 && strspn (revision, "0123456789abcdef") == 40;
}

/* What follows the Hub's host in an address, or NULL where @text is none. */
static const char *
skip_host (const char *text)
{
  static const char *const hosts[] = {"https://huggingface.co/", "http://huggingface.co/",
                                      "https://hf.co/", "huggingface.co/", "hf.co/"};
  for (size_t i = 0; i < G_N_ELEMENTS (hosts); i++)
    if (g_ascii_strncasecmp (text, hosts[i], strlen (hosts[i])) == 0)
      return text + strlen (hosts[i]);
  return NULL;
}

/* "owner/name/tree/revision?query" of an address as "owner/name@revision". */
static char *
dup_address_name (const char *rest)
{
  g_autofree char *path = g_strndup (rest, strcspn (rest, "?#"));
  for (size_t n = strlen (path); n > 0 && path[n - 1] == '/'; n--)
    path[n - 1] = '\0';
  char *tree = strstr (path, "/tree/");
  if (tree == NULL)
    return g_steal_pointer (&path);
  *tree = '\0';
  g_autofree char *revision = g_uri_unescape_string (tree + strlen ("/tree/"), NULL);
  return g_strconcat (path, "@", revision != NULL ? revision : "", NULL);
}

AttnHubName *
attn_hub_name_parse (const char *text, GError **error)
{
  g_return_val_if_fail (text != NULL, NULL);
  g_autofree char *trimmed = g_strdup (text);
  g_strstrip (trimmed);
  const char *rest = skip_host (trimmed);
  g_autofree char *whole = rest != NULL ? dup_address_name (rest) : g_strdup (trimmed);
  char *at = strchr (whole, '@');
  if (at != NULL)
    *at = '\0';
  if (!attn_hub_name_check_repo (whole, error) ||
      (at != NULL && !attn_hub_name_check_revision (at + 1, error)))
    return NULL;
  AttnHubName *name = g_new0 (AttnHubName, 1);
  name->repo = g_strdup (whole);
  name->revision = at != NULL ? g_strdup (at + 1) : NULL;
  return name;
}

const char *
attn_hub_name_peek_revision (const AttnHubName *name)
{
  g_return_val_if_fail (name != NULL, NULL);
  return name->revision != NULL ? name->revision : ATTN_HUB_DEFAULT_REVISION;
}

char *
attn_hub_name_dup_text (const AttnHubName *name)
{
  g_return_val_if_fail (name != NULL, NULL);
  return name->revision != NULL ? g_strconcat (name->repo, "@", name->revision, NULL)
                                : g_strdup (name->repo);
}

char *
attn_hub_name_dup_folder (const char *repo)
{
  g_return_val_if_fail (repo != NULL, NULL);
  g_auto (GStrv) parts = g_strsplit (repo, "/", -1);
  g_autofree char *joined = g_strjoinv ("--", parts);
  return g_strconcat (FOLDER_PREFIX, joined, NULL);
}

char *
attn_hub_name_dup_repo (const char *folder)
{
  g_return_val_if_fail (folder != NULL, NULL);
  if (!g_str_has_prefix (folder, FOLDER_PREFIX))
    return NULL;
  g_auto (GStrv) parts = g_strsplit (folder + strlen (FOLDER_PREFIX), "--", -1);
  g_autofree char *repo = g_strjoinv ("/", parts);
  g_autofree char *back = attn_hub_name_dup_folder (repo);
  bool is_name = strcmp (back, folder) == 0 && attn_hub_name_check_repo (repo, NULL);
  return is_name ? g_steal_pointer (&repo) : NULL;
}

char *
attn_hub_name_escape_revision (const char *revision)
{
  return g_uri_escape_string (revision, NULL, FALSE);
}

char *
attn_hub_name_escape_path (const char *path)
{
  return g_uri_escape_string (path, "/", FALSE);
}
