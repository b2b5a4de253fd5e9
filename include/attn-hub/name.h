/* SPDX-License-Identifier: MIT */
/* How a model on the Hub is called, and what its name becomes in a cache and in an address.
 *
 * For: whatever a person or a script gives as a model's name, before anything is asked of a server
 * or a disk. Not for: finding the model (cache.h, store.h).
 *
 * Source: the rules of huggingface_hub's validate_repo_id(), of git for references, and the layout
 * of its cache. */
#pragma once

#include <glib.h>

#include <stdbool.h>

G_BEGIN_DECLS

#define ATTN_HUB_DEFAULT_REVISION "main"

/* Both strings are owned. */
typedef struct {
  char *repo;     /* "owner/name", or "name" for the few models of before owners */
  char *revision; /* a branch, a tag, "refs/pr/1" or a commit; NULL for ATTN_HUB_DEFAULT_REVISION */
} AttnHubName;

/**
 * attn_hub_name_parse:
 * @text: NAME or NAME@REVISION; blanks around it are passed over. A model's address on the web is
 *   taken, too: https://huggingface.co/OWNER/NAME, also with /tree/REVISION
 *
 * Returns: (transfer full): for attn_hub_name_free(), or NULL with @error: FORMAT; the sentence
 *   tells the rule that is broken.
 * Test: tests/hub/test-name.c
 */
AttnHubName *attn_hub_name_parse (const char *text, GError **error);

void attn_hub_name_free (AttnHubName *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnHubName, attn_hub_name_free)

/* Returns: (transfer none): the revision, ATTN_HUB_DEFAULT_REVISION where none is given. */
const char *attn_hub_name_peek_revision (const AttnHubName *name);

/* Returns: (transfer full): "owner/name", or "owner/name@revision" where one is given. */
char *attn_hub_name_dup_text (const AttnHubName *name);

/**
 * attn_hub_name_check_repo:
 * @repo: "owner/name" or "name"
 *
 * Owner and name are each 1 to 96 of A-Z a-z 0-9 - _ . long, begin and end with none of - and .,
 * hold neither -- nor .., and the name does not end in .git.
 *
 * Returns: false with @error: FORMAT.
 */
bool attn_hub_name_check_repo (const char *repo, GError **error);

/* Whether a revision is one that git allows, and safe as a path below refs/. Returns: false with
 * @error: FORMAT. */
bool attn_hub_name_check_revision (const char *revision, GError **error);

/* Whether this is a commit's whole hash: 40 lower-case hexadecimal digits. */
bool attn_hub_name_is_commit (const char *revision);

/* Returns: (transfer full): the cache's folder of a model: "models--owner--name". */
char *attn_hub_name_dup_folder (const char *repo);

/* Returns: (transfer full) (nullable): the model of a cache's folder; NULL where the folder is
 * not called after a valid one. */
char *attn_hub_name_dup_repo (const char *folder);

/* Returns: (transfer full): a revision as one part of an address: refs/pr/1 is refs%2Fpr%2F1. */
char *attn_hub_name_escape_revision (const char *revision);

/* Returns: (transfer full): a file's path in an address; slashes stay. */
char *attn_hub_name_escape_path (const char *path);

G_END_DECLS
