/* SPDX-License-Identifier: MIT */
/* The storages of a PyTorch file by their name. */
#pragma once

#include "tensor-table.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* How a container's storages are found by their key. */
typedef struct {
  AttnStorage **sorted; /* [n] by name */
  size_t n;
  const char *prefix; /* of every storage's name, before the key */
} AttnTorchStorages;

/* Sorts @storages by name. Returns: false with @error: FORMAT (a name occurs twice). */
bool attn_torch_storages_sort (AttnTorchStorages *storages, const char *path, GError **error);

/* Returns: (nullable): the storage of this name. */
AttnStorage *attn_torch_storages_find (const AttnTorchStorages *storages, const char *name);
