/* SPDX-License-Identifier: MIT */
/* Reading the cache of models that Hugging Face's libraries share.
 *
 * For: listing what is there, and finding a model's folder by name. Not for: writing (blob.h),
 * removing and verifying (manage.h). Nothing here writes, asks a server or loads weights; whoever
 * filled the cache, nothing in it is trusted.
 *
 * Source: the layout of huggingface_hub (models--OWNER--NAME/{blobs,refs,snapshots}). */
#pragma once

#include "attn-hub/name.h"
#include "attn/progress.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef enum {
  ATTN_HUB_USABLE,   /* opens without a network */
  ATTN_HUB_PARTIAL,  /* files are missing: fetching the model gets them */
  ATTN_HUB_UNUSABLE, /* all here, but not for this program */
} AttnHubState;

/* One revision of one model. Strings are owned and valid UTF-8 but for the folder, which is a path
 * in the file system's encoding. */
typedef struct {
  char *repo;      /* "owner/name"; what the folder is called where that is no name of a model */
  char *commit;    /* the snapshot's name; NULL where the model has none */
  char **refs;     /* what points to it, "main" first; NULL-terminated, may be empty */
  char *folder;    /* of the snapshot, absolute; the model's folder where there is no snapshot */
  char *family;    /* model_type, for instance "bert"; NULL where not known */
  size_t n_layers; /* 0: not known, like n_heads */
  size_t n_heads;
  guint64 n_bytes;  /* of its files, each counted once, however many names it has; of a partial
                       model also of what a stopped download has left */
  bool counts_all;  /* false: there are too many files to count, n_bytes is what some have */
  gint64 written_s; /* when the snapshot was last written to, seconds since 1970 */
  AttnHubState state;
  char **missing; /* (nullable): of a partial model: files that are not there */
  char *reason;   /* why not usable: a sentence without a final stop; NULL where usable */
} AttnHubEntry;

typedef struct {
  AttnHubEntry **entries; /* [n_entries], by name; of one model: "main" first, then the newest */
  size_t n_entries;
  guint64 n_bytes; /* of all, each file counted once */
  bool is_cut;     /* there are more than are listed */
} AttnHubList;

/**
 * attn_hub_cache_list:
 * @cache:    the cache's folder (AttnHubPlaces); one that does not exist is empty
 * @progress: (nullable): asked before every model
 *
 * Reads folders, links, config.json and modules.json, and the lists of weights in several files.
 * Limits: 10,000 revisions; 100,000 files and 32 levels of folders each.
 *
 * Returns: (transfer full): for attn_hub_list_free(), or NULL with @error: IO (the cache cannot be
 *   read), CANCELLED.
 * Test: tests/hub/test-cache.c
 */
AttnHubList *
attn_hub_cache_list (const char *cache, AttnProgressFunc progress, void *data, GError **error);

void attn_hub_list_free (AttnHubList *list);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnHubList, attn_hub_list_free)

/**
 * attn_hub_cache_find:
 * @cache: the cache's folder
 * @name:  the model. Without a revision its main branch, or its only snapshot where nothing says
 *   what the main branch is. Without an owner also the only model of that name whoever owns it, so
 *   that all-MiniLM-L6-v2 is enough
 *
 * The folder may lack files: attn_hub_cache_check_folder() tells.
 *
 * Returns: (transfer full): the snapshot's folder, or NULL with @error: IO, whose sentence tells
 *   what of it is there and how to get the rest.
 * Test: tests/hub/test-cache.c
 */
char *attn_hub_cache_find (const char *cache, const AttnHubName *name, GError **error);

/**
 * attn_hub_cache_resolve:
 *
 * What attn_hub_cache_find() looks up, for those who need the parts: @name's model as the cache has
 * it ("owner/name", with the owner filled in) and the commit.
 *
 * Returns: false with @error: IO; @repo and @commit (out) (transfer full) are then untouched.
 */
bool attn_hub_cache_resolve (
    const char *cache, const AttnHubName *name, char **repo, char **commit, GError **error);

/**
 * attn_hub_cache_find_repo:
 *
 * Which model of the cache @name is, whatever its revision, and whether or not any is complete.
 *
 * Returns: (transfer full): "owner/name", or NULL with @error: IO.
 */
char *attn_hub_cache_find_repo (const char *cache, const AttnHubName *name, GError **error);

/**
 * attn_hub_cache_read_ref:
 * @repo_folder: a model's folder in the cache
 *
 * Returns: (transfer full) (nullable): the commit that a branch or tag points to in the cache, or
 *   NULL where that is not known.
 */
char *attn_hub_cache_read_ref (const char *repo_folder, const char *revision);

/**
 * attn_hub_cache_check_folder:
 * @folder: of a model, in the cache or elsewhere
 *
 * Whether config.json, weights (all files of them) and a tokenizer are there and the family is
 * known, without opening the weights.
 *
 * Returns: (transfer full): an entry for attn_hub_entry_free(): state, reason, family, layers,
 *   heads, bytes and folder are filled in, the rest is NULL.
 */
AttnHubEntry *attn_hub_cache_check_folder (const char *folder);

void attn_hub_entry_free (AttnHubEntry *entry);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnHubEntry, attn_hub_entry_free)

G_END_DECLS
