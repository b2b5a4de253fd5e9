/* SPDX-License-Identifier: MIT */
/* Is a model's folder complete, and of a family that is known? */
#include "check-folder.h"

#include "attn/config.h"
#include "attn/folder.h"
#include "attn/json.h"
#include "attn/quote.h"
#include "attn/source.h"
#include "attn/tokenizer.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_CONFIG_BYTES ((size_t)2 << 20) /* of which only one word is read here */
#define MAX_NAMED 4                        /* missing files named in a reason */

typedef enum { FILE_ABSENT, FILE_DANGLING, FILE_THERE } FileState;

typedef struct {
  AttnHubEntry *entry;
  char *inner;        /* where the transformer is; owned */
  GPtrArray *missing; /* owned names */
} Check;

static FileState
look (const char *folder, const char *name)
{
  struct stat state;
  g_autofree char *path = g_build_filename (folder, name, NULL);
  if (stat (path, &state) == 0 || errno == EACCES)
    return FILE_THERE; /* who may not look is told so by what opens it */
  return lstat (path, &state) == 0 ? FILE_DANGLING : FILE_ABSENT;
}

/* A sentence about a file, without the folder, which stands beside it in every list. */
static char *
dup_reason (const AttnHubEntry *entry, const char *sentence)
{
  g_autofree char *shown = attn_file_dup_shown (entry->folder, strlen (entry->folder));
  const char *const paths[] = {entry->folder, shown};
  const char *rest = sentence;
  for (size_t i = 0; i < G_N_ELEMENTS (paths) && rest == sentence; i++)
    if (g_str_has_prefix (sentence, paths[i]))
      rest = sentence + strlen (paths[i]);
  rest += strspn (rest, rest == sentence ? "" : "/: ");
  return attn_file_dup_shown (rest, strlen (rest));
}

static void
refuse (AttnHubEntry *entry, const char *sentence)
{
  if (entry->reason != NULL)
    return;
  entry->state = ATTN_HUB_UNUSABLE;
  entry->reason = dup_reason (entry, sentence);
}

/* Notes a file that is not there, as it is called in the model's folder. */
static void
miss (Check *check, const char *name)
{
  const char *below = check->inner + strlen (check->entry->folder);
  g_autofree char *path =
      *below == '/' ? g_strconcat (below + 1, "/", name, NULL) : g_strdup (name);
  g_ptr_array_add (check->missing, attn_file_dup_shown (path, strlen (path)));
}

/* The family of a config that could not be taken. */
static char *
dup_family (const char *folder)
{
  const char *type = NULL;
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  g_autoptr (json_t) root = attn_json_load_file (path, MAX_CONFIG_BYTES, NULL);
  if (root == NULL || !attn_json_get_string (root, "model_type", NULL, &type, path, NULL) ||
      type == NULL)
    return NULL;
  return attn_file_dup_shown (type, strlen (type));
}

static void
check_config (Check *check)
{
  AttnHubEntry *entry = check->entry;
  g_autoptr (GError) error = NULL;
  if (look (check->inner, "config.json") != FILE_THERE) {
    miss (check, "config.json");
    return;
  }
  g_autoptr (AttnConfig) config = attn_config_load (check->inner, &error);
  if (config == NULL) {
    entry->family = dup_family (check->inner);
    if (entry->family != NULL && !attn_config_knows_family (entry->family)) {
      /* without the list of all families that are known, which stands once for all elsewhere */
      g_autofree char *sentence =
          g_strdup_printf ("models of the family %s cannot be run by this version", entry->family);
      refuse (entry, sentence);
    }
    refuse (entry, error->message);
    return;
  }
  entry->family = g_strdup (config->family);
  entry->n_layers = config->n_layers;
  entry->n_heads = config->n_heads;
}

static void
check_shards (Check *check, const char *index)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (check->inner, index, NULL);
  g_auto (GStrv) shards = attn_source_list_shards (path, &error);
  if (shards == NULL) {
    refuse (check->entry, error->message);
    return;
  }
  for (char **shard = shards; *shard != NULL; shard++)
    if (look (check->inner, *shard) != FILE_THERE)
      miss (check, *shard);
}

static void
check_weights (Check *check)
{
  const AttnWeightForm *form = NULL;
  for (size_t i = 0; (form = attn_source_peek_form (i)) != NULL; i++) {
    FileState state = look (check->inner, form->name);
    if (state == FILE_DANGLING)
      miss (check, form->name);
    else if (state == FILE_THERE && form->is_index)
      check_shards (check, form->name);
    if (state != FILE_ABSENT)
      return;
  }
  g_autoptr (GError) error =
      NULL; /* there is nothing to open; the error knows what else there is */
  g_autoptr (AttnSource) source = attn_source_open (check->inner, &error);
  if (source == NULL && g_error_matches (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED))
    refuse (check->entry, error->message);
  else
    miss (check, attn_source_peek_form (0)->name);
}

static void
tell_missing (AttnHubEntry *entry, GPtrArray *missing)
{
  size_t n = missing->len;
  if (n == 0 || entry->reason != NULL)
    return;
  g_autoptr (GString) reason =
      g_string_new (n == 1 ? "a file is missing: " : "files are missing: ");
  for (size_t i = 0; i < MIN (n, MAX_NAMED); i++)
    g_string_append_printf (reason, "%s%s", i > 0 ? ", " : "",
                            (const char *)g_ptr_array_index (missing, i));
  if (n > MAX_NAMED)
    g_string_append_printf (reason, " and %zu more", n - MAX_NAMED);
  entry->state = ATTN_HUB_PARTIAL;
  entry->missing = g_new0 (char *, n + 1);
  for (size_t i = 0; i < n; i++)
    entry->missing[i] = g_strdup (g_ptr_array_index (missing, i));
  entry->reason = g_string_free (g_steal_pointer (&reason), FALSE);
}

void
attn_hub_check_model (AttnHubEntry *entry)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) missing = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *inner = look (entry->folder, "modules.json") == FILE_DANGLING
                               ? NULL
                               : attn_folder_find_transformer (entry->folder, &error);
  Check check = {entry, inner != NULL ? inner : entry->folder, missing};
  entry->state = ATTN_HUB_USABLE;
  if (error != NULL) {
    refuse (entry, error->message);
    return;
  }
  if (inner == NULL)
    miss (&check, "modules.json");
  check_config (&check);
  check_weights (&check);
  if (!attn_tokenizer_check_files (check.inner, NULL))
    miss (&check, "tokenizer.json");
  tell_missing (entry, missing);
}
