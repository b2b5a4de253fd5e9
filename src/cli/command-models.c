/* SPDX-License-Identifier: MIT */
/* headscope-cli models: what is in the cache, and whether it can be opened. */
#include "cli.h"

#include "attn-hub/cache.h"
#include "attn-hub/places.h"
#include "attn-hub/store.h"
#include "attn/model.h"
#include "attn/quote.h"

#include <string.h>

static void
append_count (GString *json, const char *key, size_t count)
{
  if (count > 0)
    g_string_append_printf (json, ",\"%s\":%zu", key, count);
  else
    g_string_append_printf (json, ",\"%s\":null", key);
}

static void
append_refs (GString *json, char *const *refs)
{
  g_string_append (json, ",\"refs\":[");
  for (size_t i = 0; refs != NULL && refs[i] != NULL; i++) {
    g_string_append (json, i > 0 ? "," : "");
    cli_append_string (json, refs[i]);
  }
  g_string_append_c (json, ']');
}

/* @typed: what --model takes. */
static void
append_model (GString *json, const char *name, const char *typed, const AttnHubEntry *entry)
{
  static const char *const states[] = {[ATTN_HUB_USABLE] = "usable",
                                       [ATTN_HUB_PARTIAL] = "partial",
                                       [ATTN_HUB_UNUSABLE] = "unusable"};
  g_autofree char *folder = attn_file_dup_shown (entry->folder, strlen (entry->folder));
  g_string_append (json, json->str[json->len - 1] == '[' ? "\n{\"name\":" : ",\n{\"name\":");
  cli_append_string (json, name);
  cli_append_nullable (json, "model", typed);
  cli_append_nullable (json, "commit", entry->commit);
  append_refs (json, entry->refs);
  cli_append_nullable (json, "family", entry->family);
  append_count (json, "layers", entry->n_layers);
  append_count (json, "heads", entry->n_heads);
  g_string_append_printf (json, ",\"bytes\":%" G_GUINT64_FORMAT, entry->n_bytes);
  cli_append_nullable (json, "state", states[entry->state]);
  cli_append_nullable (json, "reason", entry->reason);
  cli_append_nullable (json, "folder", folder);
  g_string_append_c (json, '}');
}

bool
cli_models (const CliOptions *options, GError **error)
{
  g_autoptr (AttnHubPlaces) places = attn_hub_places_new (NULL);
  g_autoptr (AttnHubList) list = attn_hub_cache_list (places->cache, NULL, NULL, error);
  if (list == NULL)
    return false;
  g_autoptr (GString) json = g_string_new ("{\"cache\":");
  g_autofree char *cache = attn_file_dup_shown (places->cache, strlen (places->cache));
  g_autofree char *demo = attn_hub_find_model ("demo", NULL);
  cli_append_string (json, cache);
  g_string_append_printf (json, ",\"bytes\":%" G_GUINT64_FORMAT ",\"models\":[", list->n_bytes);
  if (demo != NULL) {
    g_autoptr (AttnHubEntry) shipped = attn_hub_cache_check_folder (demo);
    append_model (json, ATTN_MODEL_BUILT_IN, "demo", shipped);
  }
  for (size_t i = 0; i < list->n_entries; i++)
    append_model (json, list->entries[i]->repo, list->entries[i]->repo, list->entries[i]);
  g_string_append (json, "]}\n");
  if (list->is_cut)
    cli_warn ("warning: %s holds more models than are listed", cache);
  return cli_answer (options, json, error);
}
