/* SPDX-License-Identifier: MIT */
/* One tensor's entry in a safetensors header. */
#pragma once

#include "json-scan.h"
#include "tensor-table.h"

/**
 * attn_safetensors_read_entry:
 * @scan:       stands at the entry's value
 * @path:       for messages
 * @name:       the entry's key, of @name_bytes bytes; borrowed by @tensor
 * @tensor:     (out): its offset counts from the begin of the data
 *
 * Reads dtype, shape and data_offsets and checks them against each other. Whether the bytes are in
 * the file is not known here.
 *
 * Returns: false with @error: FORMAT, SHAPE, UNSUPPORTED.
 */
bool attn_safetensors_read_entry (AttnJsonScan *scan,
                                  const char *path,
                                  const char *name,
                                  size_t name_bytes,
                                  AttnStoredTensor *tensor,
                                  GError **error);
