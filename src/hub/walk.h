/* SPDX-License-Identifier: MIT */
/* Going through all files below a folder that somebody else filled: no link is followed, and there
 * are limits. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#define ATTN_HUB_MAX_DEPTH 32

typedef struct {
  int dir;                  /* of the folder it is in */
  const char *name;         /* in that folder */
  const char *path;         /* below the folder walked: "1_Pooling/config.json" */
  const struct stat *state; /* of the entry itself: a link is a link */
} AttnHubFile;

/* Called for everything that is no folder. Returns: whether to go on. */
typedef bool (*AttnHubWalkFunc) (const AttnHubFile *file, void *data);

/**
 * attn_hub_walk:
 * @dir:       descriptor of the folder; stays open
 * @max_files: entries looked at, folders among them
 *
 * Returns: false where not everything was seen: a limit was met, a folder could not be read and was
 *   passed over, or @func stopped it.
 */
bool attn_hub_walk (int dir, size_t max_files, AttnHubWalkFunc func, void *data);

/* A folder below @dir, itself no link, opened for reading; or -1 with errno. */
int attn_hub_open_folder (int dir, const char *name);

/* Returns: (transfer full): what is in the folder @dir, which stays open, and @wanted lets through:
 * names, sorted, for g_ptr_array_unref(). @is_cut becomes true where there are more than @max. */
GPtrArray *
attn_hub_list_names (int dir, bool (*wanted) (const char *name), size_t max, bool *is_cut);
