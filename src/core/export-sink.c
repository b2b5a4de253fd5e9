/* SPDX-License-Identifier: MIT */
/* Where an export's bytes go: text, numbers and whole maps on their way into a file. */
#include "export-sink.h"

#include "maps-private.h"

#include <string.h>

bool
attn_export_flush (const AttnExportSink *sink, GString *text, bool now, GError **error)
{
  if (!now && text->len < 1 << 15)
    return true;
  bool done = sink->write (text->str, text->len, sink->data, error);
  g_string_truncate (text, 0);
  return done;
}

bool
attn_export_write_floats (const AttnExportSink *sink, const float *values, size_t n, GError **error)
{
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
  return sink->write (values, n * sizeof *values, sink->data, error);
#else
  for (size_t i = 0; i < n; i++) {
    guint32 bits;
    memcpy (&bits, &values[i], sizeof bits);
    bits = GUINT32_TO_LE (bits);
    if (!sink->write (&bits, sizeof bits, sink->data, error))
      return false;
  }
  return true;
#endif
}

bool
attn_export_write_maps (AttnMaps *maps,
                        const AttnExportRange *range,
                        const AttnExportSink *sink,
                        GError **error)
{
  g_autofree float *weights = attn_maps_try_new_weights (maps, error);
  if (weights == NULL)
    return false;
  size_t n = attn_maps_get_n (maps, ATTN_SIDE_QUERY) * attn_maps_get_n (maps, ATTN_SIDE_KEY);
  for (size_t layer = range->first_layer; layer < range->end_layer; layer++)
    for (size_t head = range->first_head; head < range->end_head; head++)
      if (!attn_maps_compute (maps, layer, head, weights, error) ||
          !attn_export_write_floats (sink, weights, n, error))
        return false;
  return true;
}
