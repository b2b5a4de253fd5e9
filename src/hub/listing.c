/* SPDX-License-Identifier: MIT */
/* Reading the Hub's list of a model's files, page by page. */
#include "listing.h"

#include "attn-hub/blob.h"
#include "attn-hub/name.h"
#include "attn-hub/snapshot.h"
#include "attn/error.h"
#include "attn/json.h"

#include <string.h>

#define MAX_PAGE_BYTES ((size_t)8 << 20)
#define MAX_PAGES 100
#define MAX_FILES 100000

static void
listed_free (void *data)
{
  AttnHubListed *listed = data;
  g_free (listed->path);
  g_free (listed->etag);
  g_free (listed);
}

/* Sizes are whole up to 2^53, which is more than any disk. */
static guint64
read_size (json_t *entry)
{
  json_t *size = json_object_get (entry, "size");
  double number = json_is_number (size) ? json_number_value (size) : -1;
  return number >= 0 && number < 0x1p53 ? (guint64)number : ATTN_HUB_UNKNOWN_SIZE;
}

/* Files that have no usable entry are not there for us. */
static void
add_entry (GHashTable *files, json_t *entry)
{
  const char *type = json_string_value (json_object_get (entry, "type"));
  json_t *path_value = json_object_get (entry, "path");
  const char *path = json_string_value (path_value);
  json_t *lfs = json_object_get (entry, "lfs");
  const char *etag =
      json_string_value (json_object_get (json_is_object (lfs) ? lfs : entry, "oid"));
  guint64 n_bytes = read_size (json_is_object (lfs) ? lfs : entry);
  if (g_strcmp0 (type, "file") != 0 || path == NULL ||
      strlen (path) != json_string_length (path_value) || !attn_hub_check_path (path, NULL) ||
      etag == NULL || attn_hub_hash_of_etag (etag) == ATTN_HUB_HASH_NONE ||
      n_bytes == ATTN_HUB_UNKNOWN_SIZE)
    return;
  AttnHubListed *listed = g_new0 (AttnHubListed, 1);
  *listed = (AttnHubListed){g_strdup (path), g_strdup (etag), n_bytes};
  g_hash_table_replace (files, listed->path, listed);
}

static bool
add_page (GHashTable *files, AttnHubClient *client, char **path, GError **error)
{
  size_t n_bytes = 0, index = 0;
  char *next = NULL;
  g_autofree char *text =
      attn_hub_client_load (client, *path, MAX_PAGE_BYTES, &n_bytes, &next, error);
  if (text == NULL)
    return false;
  g_free (*path);
  *path = next;
  GError *fault = NULL;
  g_autoptr (json_t) page = attn_json_load_array_bytes (text, n_bytes, "the list of files", &fault);
  if (page == NULL)
    return attn_hub_client_refuse_content (client, fault, error);
  json_t *entry = NULL;
  json_array_foreach (page, index, entry) add_entry (files, entry);
  return true;
}

GHashTable *
attn_hub_listing_load (AttnHubClient *client, const char *repo, const char *commit, GError **error)
{
  g_autoptr (GHashTable) files = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, listed_free);
  g_autofree char *path = g_strdup_printf ("/api/models/%s/tree/%s?recursive=true", repo, commit);
  for (size_t n_pages = 0; path != NULL; n_pages++) {
    if (n_pages >= MAX_PAGES || g_hash_table_size (files) > MAX_FILES) {
      g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                   "%s: the Hub lists more than %d files, too many for a model", repo, MAX_FILES);
      return NULL;
    }
    if (!add_page (files, client, &path, error))
      return NULL;
  }
  return g_steal_pointer (&files);
}
