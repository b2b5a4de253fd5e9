/* SPDX-License-Identifier: MIT */
/* A model's folder in the cache, opened: whatever is made or removed in it is reached from there
 * without following a link. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* What to do about folders that are not there. */
typedef enum { ATTN_HUB_OPEN, ATTN_HUB_MAKE } AttnHubMake;

/* What the system means by @number, an errno, in English, and what a person can try. @writes:
 * whether another cache would do. Returns: (transfer full): "Permission denied; check …". Test:
 * tests/hub/test-io-errors.c */
char *attn_hub_dup_reason (int number, bool writes);

/* Sets the sentence "PLACE: cannot be WHAT: REASON; TRY THIS" by errno. The place is
 * CACHE/FOLDER/NAME, or what above it is no folder where one is needed. @name: (nullable).
 * Returns: false. */
bool attn_hub_refuse_io (
    const char *cache, const char *repo, const char *name, const char *what, GError **error);

/* The cache itself, for close(); -1 with errno, and with @error: IO but where there is no cache. */
int attn_hub_cache_open (const char *cache, GError **error);

/* The folder of a model, for close(); -1 with @error: IO, FORMAT. */
int attn_hub_repo_open (const char *cache, const char *repo, AttnHubMake make, GError **error);

/* A folder below @dir, for close(); -1 with errno. */
int attn_hub_subfolder_open (int dir, const char *name, AttnHubMake make);

/* The folder that holds the last part of @path, a checked path below @dir; -1 with errno.
 * @last: (out): that part, inside @path. */
int attn_hub_parent_open (int dir, const char *path, AttnHubMake make, const char **last);

/* Writes all of it. Returns: false with errno. */
bool attn_hub_write_all (int fd, guint64 offset, const void *bytes, size_t n);

/* A name that nobody else uses, for what is made aside and moved into its place. */
#define ATTN_HUB_NAME_SIZE 40
void attn_hub_make_name (char name[ATTN_HUB_NAME_SIZE]);

/* A small file: written beside its place under a name that nobody looks at, then moved there.
 * @aside: descriptor of a folder on the same disk. Returns: false with errno. */
bool attn_hub_replace_file (int aside, int dir, const char *name, const char *content);
