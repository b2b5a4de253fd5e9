/* SPDX-License-Identifier: MIT */
/* Numbers as text, whatever the locale. */
#include "attn/number.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const char *
format_special (double value, AttnNumberStyle style)
{
  const bool is_json = style == ATTN_NUMBER_JSON;

  if (isnan (value))
    return is_json ? "\"NaN\"" : "nan";
  if (value > 0)
    return is_json ? "\"Infinity\"" : "inf";
  return is_json ? "\"-Infinity\"" : "-inf";
}

const char *
attn_number_format (char *buffer, double value, AttnNumberStyle style)
{
  if (!isfinite (value)) {
    g_strlcpy (buffer, format_special (value, style), ATTN_NUMBER_SIZE);
    return buffer;
  }
  return g_ascii_formatd (buffer, ATTN_NUMBER_SIZE, "%.9g", value);
}

const char *
attn_number_format_fixed (char *buffer, double value, int decimals)
{
  if (!isfinite (value)) {
    g_strlcpy (buffer, format_special (value, ATTN_NUMBER_CSV), ATTN_NUMBER_SIZE);
    return buffer;
  }
  char format[8];
  g_snprintf (format, sizeof format, "%%.%df", CLAMP (decimals, 0, 9));
  g_ascii_formatd (buffer, ATTN_NUMBER_SIZE, format, value);
  bool all_zero = strspn (buffer, "-0.") == strlen (buffer);
  if (all_zero && buffer[0] == '-')
    memmove (buffer, buffer + 1, strlen (buffer));
  return buffer;
}
