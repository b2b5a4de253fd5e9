/* SPDX-License-Identifier: MIT */
/* Attention maps as a NumPy array file, version 1.0 of its format. */
#include "export-parts.h"

#include <string.h>

#define MAGIC "\x93NUMPY\x01\x00"
#define MAGIC_BYTES 8
#define ALIGNMENT 64 /* NumPy aligns the data so that it can be mapped */

bool
attn_export_npy (AttnMaps *maps,
                 const AttnExportRange *range,
                 const AttnExportSink *sink,
                 GError **error)
{
  size_t n_queries = attn_maps_get_n (maps, ATTN_SIDE_QUERY);
  size_t n_keys = attn_maps_get_n (maps, ATTN_SIDE_KEY);
  g_autoptr (GString) header = g_string_new_len (MAGIC "\0\0", MAGIC_BYTES + 2);
  g_string_append (header, "{'descr': '<f4', 'fortran_order': False, 'shape': (");
  if (!range->one)
    g_string_append_printf (header, "%zu, %zu, ", range->end_layer - range->first_layer,
                            range->end_head - range->first_head);
  g_string_append_printf (header, "%zu, %zu), }", n_queries, n_keys);
  while ((header->len + 1) % ALIGNMENT != 0)
    g_string_append_c (header, ' ');
  g_string_append_c (header, '\n');
  size_t length = header->len - MAGIC_BYTES - 2;
  header->str[MAGIC_BYTES] = (char)(length & 0xff);
  header->str[MAGIC_BYTES + 1] = (char)(length >> 8);
  return attn_export_flush (sink, header, true, error) &&
         attn_export_write_maps (maps, range, sink, error);
}
