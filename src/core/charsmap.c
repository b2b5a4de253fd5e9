/* SPDX-License-Identifier: MIT */
/* Reads a precompiled map and follows its double array, never beyond it. */
#include "charsmap.h"

#include "grapheme.h"
#include "unicode.h"

#include "attn/error.h"

#include <string.h>

enum {
  MAX_CLUSTER_BYTES = 5, /* longer clusters are taken apart */
  UNIT_BYTES = 4,
};

struct _AttnCharsmap {
  guint32 *units; /* [n_units] */
  size_t n_units;
  char *strings; /* [n_strings] bytes of valid UTF-8, and a NUL */
  size_t n_strings;
};

AttnCharsmap *
attn_charsmap_new (const guint8 *blob, size_t n_bytes, const char *what, GError **error)
{
  guint32 n_array = 0;
  size_t at;
  if (n_bytes >= sizeof n_array) {
    memcpy (&n_array, blob, sizeof n_array);
    n_array = GUINT32_FROM_LE (n_array);
  }
  if (n_array == 0 || n_array % UNIT_BYTES != 0 || n_array > n_bytes - sizeof n_array) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
                 "%s: the map has %zu bytes and says that %u of them are its array, wanted a "
                 "multiple of 4 that fits",
                 what, n_bytes, n_array);
    return NULL;
  }
  const char *strings = (const char *)blob + sizeof n_array + n_array;
  size_t n_strings = n_bytes - sizeof n_array - n_array;
  if (!attn_utf8_check (strings, n_strings, &at)) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
                 "%s: the map's strings are not valid UTF-8: found the byte 0x%02X", what,
                 (unsigned)(unsigned char)strings[at]);
    return NULL;
  }
  AttnCharsmap *map = g_new0 (AttnCharsmap, 1);
  map->n_units = n_array / UNIT_BYTES;
  map->units = g_new (guint32, map->n_units);
  memcpy (map->units, blob + sizeof n_array, n_array);
  for (size_t i = 0; i < map->n_units; i++)
    map->units[i] = GUINT32_FROM_LE (map->units[i]);
  map->strings = g_malloc (n_strings + 1);
  memcpy (map->strings, strings, n_strings);
  map->strings[n_strings] = '\0';
  map->n_strings = n_strings;
  return map;
}

void
attn_charsmap_free (AttnCharsmap *map)
{
  g_free (map->units);
  g_free (map->strings);
  g_free (map);
}

static bool
unit_has_leaf (guint32 unit)
{
  return (unit >> 8 & 1) != 0;
}

static guint32
unit_get_label (guint32 unit)
{
  return unit & ((guint32)1 << 31 | 0xFF);
}

static size_t
unit_get_offset (guint32 unit)
{
  return (size_t)(unit >> 10) << ((unit & (guint32)1 << 9) >> 6);
}

/* What the shortest beginning of @key that is in the map becomes; NULL for none. */
static const char *
find (const AttnCharsmap *map, const char *key, size_t n)
{
  size_t node = unit_get_offset (map->units[0]);
  for (size_t i = 0; i < n && key[i] != '\0'; i++) {
    node ^= (unsigned char)key[i];
    if (node >= map->n_units || unit_get_label (map->units[node]) != (unsigned char)key[i])
      return NULL;
    guint32 unit = map->units[node];
    node ^= unit_get_offset (unit);
    if (!unit_has_leaf (unit))
      continue;
    size_t place = node < map->n_units ? map->units[node] & (((guint32)1 << 31) - 1) : G_MAXSIZE;
    if (place > map->n_strings || ((unsigned char)map->strings[place] & 0xC0) == 0x80)
      return NULL;
    return map->strings + place;
  }
  return NULL;
}

/* Writes what @n_old characters become; the first of the new ones take the old ones' places. */
static void
write_replacement (AttnRewrite *rewrite, size_t n_old, const char *text)
{
  size_t end = rewrite->at + n_old;
  for (const char *at = text; *at != '\0'; at += g_utf8_skip[(guchar)*at]) {
    if (rewrite->at < end)
      attn_rewrite_replace (rewrite, g_utf8_get_char (at));
    else
      attn_rewrite_insert (rewrite, g_utf8_get_char (at));
  }
  rewrite->at = end;
}

/* The cluster's bytes where it has at most 5; otherwise 0. */
static size_t
encode_cluster (const AttnChar *chars, size_t n, char *bytes)
{
  size_t n_bytes = 0;
  for (size_t i = 0; i < n; i++) {
    char encoded[6];
    size_t n_encoded = (size_t)g_unichar_to_utf8 (chars[i].c, encoded);
    if (n_bytes + n_encoded > MAX_CLUSTER_BYTES)
      return 0;
    memcpy (bytes + n_bytes, encoded, n_encoded);
    n_bytes += n_encoded;
  }
  return n_bytes;
}

static void
write_char (const AttnCharsmap *map, AttnRewrite *rewrite)
{
  char bytes[6];
  gunichar c = rewrite->old[rewrite->at].c;
  const char *text = find (map, bytes, (size_t)g_unichar_to_utf8 (c, bytes));
  if (text != NULL)
    write_replacement (rewrite, 1, text);
  else
    attn_rewrite_replace (rewrite, c);
}

void
attn_charsmap_write (const AttnCharsmap *map, const AttnChar *chars, size_t n, AttnCharText *out)
{
  AttnRewrite rewrite = {.old = chars, .n = n, .out = out};
  while (rewrite.at < n && !out->failed) {
    char bytes[MAX_CLUSTER_BYTES];
    size_t end = attn_grapheme_find_end (chars, n, rewrite.at);
    size_t n_old = end - rewrite.at;
    size_t n_bytes = encode_cluster (chars + rewrite.at, n_old, bytes);
    const char *text = n_bytes == 0 ? NULL : find (map, bytes, n_bytes);
    if (text != NULL)
      write_replacement (&rewrite, n_old, text);
    while (rewrite.at < end)
      write_char (map, &rewrite);
  }
}
