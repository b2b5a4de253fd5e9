/* SPDX-License-Identifier: MIT */
/* Attention maps as a NumPy array file, version 1.0 of its format. */
#include "export-parts.h"

#include <string.h>

#define MAGIC "\x93NUMPY\x01\x00"
#define MAGIC_BYTES 8
#define ALIGNMENT 64 /* NumPy aligns the data so that it can be mapped */

void
attn_export_append_npy_header (GString *out, const char *dtype, const char *shape)
{
  gsize start = out->len;
  g_string_append_len (out, MAGIC "\0\0", MAGIC_BYTES + 2);
  g_string_append_printf (out, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", dtype,
                          shape);
  while ((out->len - start + 1) % ALIGNMENT != 0)
    g_string_append_c (out, ' ');
  g_string_append_c (out, '\n');
  size_t length = out->len - start - MAGIC_BYTES - 2;
  out->str[start + MAGIC_BYTES] = (char)(length & 0xff);
  out->str[start + MAGIC_BYTES + 1] = (char)(length >> 8);
}

bool
attn_export_npy (AttnMaps *maps,
                 const AttnExportRange *range,
                 const AttnExportSink *sink,
                 GError **error)
{
  g_autoptr (GString) shape = g_string_new (NULL);
  g_autoptr (GString) header = g_string_new (NULL);
  if (!range->one)
    g_string_append_printf (shape, "%zu, %zu, ", range->end_layer - range->first_layer,
                            range->end_head - range->first_head);
  g_string_append_printf (shape, "%zu, %zu", attn_maps_get_n (maps, ATTN_SIDE_QUERY),
                          attn_maps_get_n (maps, ATTN_SIDE_KEY));
  attn_export_append_npy_header (header, "<f4", shape->str);
  return attn_export_flush (sink, header, true, error) &&
         attn_export_write_maps (maps, range, sink, error);
}
