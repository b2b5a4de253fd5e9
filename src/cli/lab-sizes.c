/* SPDX-License-Identifier: MIT */
/* Sizes and numbers of heads that options of headscope-cli lab name. */
#include "lab-parts.h"

#define WANTED "wanted are numbers of heads, as 1,2,4,8,16"

bool
cli_lab_check_size (const char *option, size_t value, size_t most, GError **error)
{
  return value <= most || cli_usage (error, "%s %zu: wanted is at most %zu", option, value, most);
}

GArray *
cli_lab_read_heads (const char *option, const char *list, size_t d_model, GError **error)
{
  g_auto (GStrv) words = g_strsplit (list, ",", -1);
  g_autoptr (GArray) heads = g_array_new (FALSE, FALSE, sizeof (size_t));
  for (char **word = words; *word != NULL; word++) {
    guint64 number = 0;
    if (!g_ascii_string_to_unsigned (*word, 10, 1, d_model, &number, NULL) ||
        d_model % number != 0) {
      cli_usage_value (error, option, list, WANTED ", that divide %zu", d_model);
      return NULL;
    }
    const size_t n = (size_t)number;
    for (guint i = 0; i < heads->len; i++)
      if (g_array_index (heads, size_t, i) == n) {
        cli_usage_value (error, option, list, "%zu stands there twice", n);
        return NULL;
      }
    g_array_append_val (heads, n);
  }
  return g_steal_pointer (&heads);
}
