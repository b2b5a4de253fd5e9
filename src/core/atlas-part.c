/* SPDX-License-Identifier: MIT */
/* Parts of an atlas: a forest of sums over blocks that grows together to one tree. */
#include "atlas-part-private.h"
#include "file.h"

#include "attn/error.h"

#include <string.h>

size_t
attn_atlas_count_blocks (size_t n_texts)
{
  return n_texts / ATTN_ATLAS_BLOCK + (n_texts % ATTN_ATLAS_BLOCK > 0);
}

void
attn_atlas_find_shard (size_t n_texts, size_t shard, size_t n_shards, size_t *first, size_t *end)
{
  const size_t n = attn_atlas_count_blocks (n_texts), more = n % n_shards;
  *first = n / n_shards * shard + MIN (shard, more);
  *end = *first + n / n_shards + (shard < more);
}

static void
node_clear (void *data)
{
  AttnAtlasNode *node = data;
  g_clear_pointer (&node->atlas, attn_atlas_free);
}

AttnAtlasPart *
attn_atlas_part_new (const AttnAtlasAbout *about)
{
  AttnAtlasPart *part = g_new (AttnAtlasPart, 1);
  part->about = *about;
  part->about.model = g_strdup (about->model);
  part->about.model_sha256 = g_strdup (about->model_sha256);
  part->about.texts = g_strdup (about->texts);
  part->about.texts_sha256 = g_strdup (about->texts_sha256);
  part->nodes = g_array_new (FALSE, FALSE, sizeof (AttnAtlasNode));
  g_array_set_clear_func (part->nodes, node_clear);
  return part;
}

void
attn_atlas_part_free (AttnAtlasPart *part)
{
  if (part == NULL)
    return;
  g_free (part->about.model);
  g_free (part->about.model_sha256);
  g_free (part->about.texts);
  g_free (part->about.texts_sha256);
  g_array_unref (part->nodes);
  g_free (part);
}

const AttnAtlasAbout *
attn_atlas_part_peek_about (const AttnAtlasPart *part)
{
  return &part->about;
}

static AttnAtlasNode *
peek_node (const AttnAtlasPart *part, guint i)
{
  return &g_array_index (part->nodes, AttnAtlasNode, i);
}

static size_t
get_first (const AttnAtlasNode *node)
{
  return node->index << node->level;
}

static size_t
get_end (const AttnAtlasNode *node)
{
  return (node->index + 1) << node->level;
}

void
attn_atlas_node_get_texts (const AttnAtlasNode *node, size_t n_texts, size_t *first, size_t *end)
{
  *first = MIN (get_first (node) * ATTN_ATLAS_BLOCK, n_texts);
  *end = MIN (get_end (node) * ATTN_ATLAS_BLOCK, n_texts);
}

size_t
attn_atlas_part_find_missing (const AttnAtlasPart *part, size_t from)
{
  for (guint i = 0; i < part->nodes->len; i++)
    if (get_first (peek_node (part, i)) <= from && from < get_end (peek_node (part, i)))
      from = get_end (peek_node (part, i));
  return from;
}

size_t
attn_atlas_part_count_texts (const AttnAtlasPart *part)
{
  size_t n = 0;
  for (guint i = 0; i < part->nodes->len; i++)
    n += peek_node (part, i)->atlas->n_texts;
  return n;
}

/* Joins the node at @i with the next one where both are halves of one of the tree. */
static bool
join_siblings (AttnAtlasPart *part, guint i)
{
  if (i + 1 >= part->nodes->len)
    return false;
  AttnAtlasNode *node = peek_node (part, i), *next = peek_node (part, i + 1);
  if (node->level != next->level || node->index % 2 != 0 || next->index != node->index + 1)
    return false;
  attn_atlas_join (node->atlas, next->atlas);
  node->level++;
  node->index /= 2;
  g_array_remove_index (part->nodes, i + 1);
  return true;
}

bool
attn_atlas_part_insert (AttnAtlasPart *part, const AttnAtlasNode *node)
{
  guint at = 0;
  while (at < part->nodes->len && get_end (peek_node (part, at)) <= get_first (node))
    at++;
  if (at < part->nodes->len && get_first (peek_node (part, at)) < get_end (node))
    return false;
  g_array_insert_val (part->nodes, at, *node);
  for (;;) {
    if (join_siblings (part, at))
      continue;
    if (at == 0 || !join_siblings (part, at - 1))
      return true;
    at--;
  }
}

void
attn_atlas_part_take (AttnAtlasPart *part, size_t block, AttnAtlas *atlas)
{
  AttnAtlasNode node = {.index = block, .atlas = atlas};
  const bool fits = attn_atlas_part_insert (part, &node);
  g_return_if_fail (fits);
}

/* "NAME: WHAT: found FOUND, wanted WANTED". */
static bool
refuse (GError **error, const char *name, const char *what, const char *found, const char *wanted)
{
  return attn_file_refuse (name, ATTN_ERROR_SHAPE, error, "%s: found %s, wanted %s", what, found,
                           wanted);
}

static bool
check_number (size_t found, size_t wanted, const char *what, const char *name, GError **error)
{
  g_autofree char *shown_found = g_strdup_printf ("%zu", found);
  g_autofree char *shown_wanted = g_strdup_printf ("%zu", wanted);
  return found == wanted || refuse (error, name, what, shown_found, shown_wanted);
}

static bool
check_hash (
    const char *found, const char *wanted, const char *what, const char *name, GError **error)
{
  return strcmp (found, wanted) == 0 || refuse (error, name, what, found, wanted);
}

bool
attn_atlas_part_check (const AttnAtlasPart *part,
                       const AttnAtlasAbout *about,
                       const char *name,
                       GError **error)
{
  const AttnAtlasAbout *own = &part->about;
  return check_hash (own->model_sha256, about->model_sha256, "it is of other weights: sha256", name,
                     error) &&
         check_hash (own->texts_sha256, about->texts_sha256, "it is of other texts: sha256", name,
                     error) &&
         check_number (own->n_texts, about->n_texts, "number of texts", name, error) &&
         check_number (own->n_layers, about->n_layers, "layers", name, error) &&
         check_number (own->n_heads, about->n_heads, "heads", name, error) &&
         check_number (own->max_tokens, about->max_tokens, "max_tokens", name, error) &&
         check_number (own->with_distances, about->with_distances, "distances (0 or 1)", name,
                       error) &&
         check_number (own->with_importance, about->with_importance, "importance (0 or 1)", name,
                       error) &&
         check_number (own->n_draws, about->n_draws, "draws", name, error) &&
         check_number (own->seed, about->seed, "seed", name, error);
}

bool
attn_atlas_part_join (AttnAtlasPart *part, AttnAtlasPart *other, const char *name, GError **error)
{
  g_autoptr (AttnAtlasPart) owned = other;
  if (!attn_atlas_part_check (other, &part->about, name, error))
    return false;
  for (guint i = 0; i < other->nodes->len; i++) {
    AttnAtlasNode *node = peek_node (other, i);
    if (!attn_atlas_part_insert (part, node)) {
      size_t first, end;
      attn_atlas_node_get_texts (node, part->about.n_texts, &first, &end);
      return attn_file_refuse (name, ATTN_ERROR_SHAPE, error,
                               "texts %zu to %zu, or some of them, are in another part, too",
                               first + 1, end);
    }
    node->atlas = NULL;
  }
  return true;
}

AttnAtlas *
attn_atlas_part_finish (const AttnAtlasPart *part, GError **error)
{
  const size_t n_blocks = attn_atlas_count_blocks (part->about.n_texts);
  const size_t missing = attn_atlas_part_find_missing (part, 0);
  if (missing < n_blocks) {
    size_t end = n_blocks;
    for (guint i = part->nodes->len; i > 0 && get_first (peek_node (part, i - 1)) > missing; i--)
      end = get_first (peek_node (part, i - 1));
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                 "texts %zu to %zu of %zu are missing: no part has them",
                 missing * ATTN_ATLAS_BLOCK + 1, MIN (end * ATTN_ATLAS_BLOCK, part->about.n_texts),
                 part->about.n_texts);
    return NULL;
  }
  AttnAtlas *all =
      attn_atlas_new (part->about.n_layers, part->about.n_heads, part->about.with_distances);
  for (guint i = 0; i < part->nodes->len; i++)
    attn_atlas_join (all, peek_node (part, i)->atlas);
  return all;
}
