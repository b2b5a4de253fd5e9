/* SPDX-License-Identifier: MIT */
/* Facts in the order of their weight, with a dot between them. */
#include "hs-export-facts.h"

#include "hs-format.h"

#include <glib/gi18n.h>

#define LONG_SECONDS 1.0 /* worth telling */

static void
append_time (GString *text, double seconds)
{
  if (seconds < LONG_SECONDS)
    return;
  g_string_append (text, " · ");
  g_string_append_printf (text, _ ("about %.0f s"), seconds);
}

char *
hs_export_facts_dup_of_picture (const HsExportFile *file, AttnDrawFormat format)
{
  GString *text = g_string_new (NULL);
  g_autofree char *size = g_format_size (g_bytes_get_size (file->bytes));

  if (format == ATTN_DRAW_PNG)
    g_string_append_printf (text, _ ("%.0f × %.0f pixels"), file->width, file->height);
  else
    g_string_append_printf (text, _ ("%.1f × %.1f mm"), file->width, file->height);
  if (file->n_pages > 1) {
    g_string_append (text, " · ");
    g_string_append_printf (text, ngettext ("%u page", "%u pages", file->n_pages), file->n_pages);
  }
  g_string_append_printf (text, " · %s", size);
  append_time (text, file->seconds);
  return g_string_free (text, FALSE);
}

char *
hs_export_facts_dup_of_numbers (const HsNumbersSample *sample)
{
  g_autofree char *count = hs_format_count (sample->n_maps);
  g_autofree char *size = g_format_size (sample->n_bytes);
  GString *text = g_string_new (NULL);

  g_string_append_printf (
      text, ngettext ("%s map of %zu × %zu", "%s maps of %zu × %zu", (gulong)sample->n_maps), count,
      sample->rows, sample->keys);
  g_string_append (text, " · ");
  g_string_append_printf (text, _ ("about %s"), size);
  append_time (text, sample->seconds);
  return g_string_free (text, FALSE);
}
