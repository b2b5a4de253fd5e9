/* SPDX-License-Identifier: MIT */
/* Walking a tree of folders by descriptors, so that nobody can turn a folder into a link meanwhile.
 */
#include "walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  AttnHubWalkFunc func;
  void *data;
  size_t n_left;
  GString *path;
  bool stopped;
  bool missed; /* folders that could not be read */
} Walk;

int
attn_hub_open_folder (int dir, const char *name)
{
  return openat (dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static void walk_folder (Walk *walk, int dir, size_t depth);

static void
walk_entry (Walk *walk, int dir, const char *name, size_t depth)
{
  struct stat state;
  if (fstatat (dir, name, &state, AT_SYMLINK_NOFOLLOW) != 0) {
    walk->missed = true;
    return;
  }
  size_t length = walk->path->len;
  g_string_append (walk->path, name);
  if (S_ISDIR (state.st_mode)) {
    int inner = attn_hub_open_folder (dir, name);
    g_string_append_c (walk->path, '/');
    if (inner >= 0)
      walk_folder (walk, inner, depth + 1);
    else
      walk->missed = true;
  } else {
    AttnHubFile file = {dir, name, walk->path->str, &state};
    walk->stopped = !walk->func (&file, walk->data);
  }
  g_string_truncate (walk->path, length);
}

/* @dir is closed. */
static void
walk_folder (Walk *walk, int dir, size_t depth)
{
  DIR *list = depth > ATTN_HUB_MAX_DEPTH ? NULL : fdopendir (dir);
  if (list == NULL) {
    walk->missed = true;
    close (dir);
    return;
  }
  for (struct dirent *entry = readdir (list); entry != NULL && !walk->stopped;
       entry = readdir (list)) {
    if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0)
      continue;
    if (walk->n_left-- == 0)
      walk->stopped = true;
    else
      walk_entry (walk, dir, entry->d_name, depth);
  }
  closedir (list);
}

bool
attn_hub_walk (int dir, size_t max_files, AttnHubWalkFunc func, void *data)
{
  g_autoptr (GString) path = g_string_new (NULL);
  Walk walk = {.func = func, .data = data, .n_left = max_files, .path = path};
  int top = openat (dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (top < 0)
    return false;
  walk_folder (&walk, top, 0);
  return !walk.stopped && !walk.missed;
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *
attn_hub_list_names (int dir, bool (*wanted) (const char *name), size_t max, bool *is_cut)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  int copy = openat (dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *list = copy < 0 ? NULL : fdopendir (copy);
  if (list == NULL) {
    if (copy >= 0)
      close (copy);
    return names;
  }
  for (struct dirent *entry = readdir (list); entry != NULL; entry = readdir (list)) {
    if (!wanted (entry->d_name))
      continue;
    if (names->len == max) {
      *is_cut = true;
      break;
    }
    g_ptr_array_add (names, g_strdup (entry->d_name));
  }
  closedir (list);
  g_ptr_array_sort (names, compare_names);
  return names;
}
