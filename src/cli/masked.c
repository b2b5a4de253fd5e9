/* SPDX-License-Identifier: MIT */
/* Reading --mask-positions. */
#include "masked.h"

GArray *
cli_masked_read (const CliOptions *options, GError **error)
{
  if (options->mask_positions == NULL)
    return NULL;
  g_autoptr (GArray) positions = g_array_new (FALSE, FALSE, sizeof (size_t));
  g_auto (GStrv) parts = g_strsplit (options->mask_positions, ",", -1);
  for (char **part = parts; *part != NULL; part++) {
    guint64 number = 0;
    if (!g_ascii_string_to_unsigned (*part, 10, 0, G_MAXUINT32, &number, NULL)) {
      cli_usage_value (error, "--mask-positions", options->mask_positions,
                       "wanted are tokens' numbers from 0, as 2,6,13");
      return NULL;
    }
    const size_t position = (size_t)number;
    for (guint i = 0; i < positions->len; i++)
      if (g_array_index (positions, size_t, i) == position) {
        cli_usage_value (error, "--mask-positions", options->mask_positions,
                         "%zu stands there twice", position);
        return NULL;
      }
    g_array_append_val (positions, position);
  }
  return g_steal_pointer (&positions);
}
