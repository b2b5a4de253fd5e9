/* SPDX-License-Identifier: MIT */
/* A picture as SVG: Cairo's drawing, made the same every time and told where it comes from. */
#include "write-formats.h"

#include <cairo-svg.h>

#include <string.h>

/* Where an id is defined or referred to; Cairo writes no others, and no text of ours is in yet. */
static const char *const id_places[] = {" id=\"", "\"#", "url(#"};

static size_t
match_place (const char *text, const char *end)
{
  for (size_t i = 0; i < G_N_ELEMENTS (id_places); i++) {
    size_t length = strlen (id_places[i]);
    if ((size_t)(end - text) > length && memcmp (text, id_places[i], length) == 0)
      return length;
  }
  return 0;
}

static const char *
number_of (GHashTable *numbers, const char *id, size_t length)
{
  g_autofree char *key = g_strndup (id, length);
  const char *known = g_hash_table_lookup (numbers, key);
  if (known != NULL)
    return known;
  char *fresh = g_strdup_printf ("i%u", g_hash_table_size (numbers) + 1);
  g_hash_table_insert (numbers, g_steal_pointer (&key), fresh);
  return fresh;
}

GString *
attn_draw_svg_renumber (const char *svg, size_t length)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GString *out = g_string_sized_new (length);
  const char *end = svg + length;
  const char *copied = svg;
  for (const char *p = svg; p < end;) {
    bool may_match = *p == ' ' || *p == '"' || *p == 'u';
    size_t place = may_match ? match_place (p, end) : 0;
    if (place == 0) {
      p++;
      continue;
    }
    p += place;
    g_string_append_len (out, copied, p - copied);
    size_t id_length = 0;
    while (p + id_length < end && p[id_length] != '"' && p[id_length] != ')')
      id_length++;
    g_string_append (out, number_of (numbers, p, id_length));
    p += id_length;
    copied = p;
  }
  g_string_append_len (out, copied, end - copied);
  return out;
}

/* XML 1.0 has no place for most control characters, not even escaped. */
static void
append_escaped (GString *out, const char *text)
{
  for (; *text != '\0'; text += g_utf8_skip[(unsigned char)*text]) {
    gunichar c = g_utf8_get_char (text);
    bool legal = c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xfffe && c != 0xffff);
    if (!legal)
      g_string_append_unichar (out, 0xfffd);
    else if (c == '&')
      g_string_append (out, "&amp;");
    else if (c == '<')
      g_string_append (out, "&lt;");
    else if (c == '>')
      g_string_append (out, "&gt;");
    else if (c == '\r')
      g_string_append (out, "&#13;");
    else
      g_string_append_unichar (out, c);
  }
}

static void
append_element (GString *out, const char *name, const char *text)
{
  g_string_append_printf (out, "<%s>", name);
  append_escaped (out, text);
  g_string_append_printf (out, "</%s>\n", name);
}

static void
append_provenance (GString *out, const AttnDrawProvenance *provenance)
{
  append_element (out, "title", provenance->title);
  append_element (out, "desc", provenance->description);
  g_string_append (out, "<metadata>\n"
                        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" "
                        "xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n"
                        "<rdf:Description rdf:about=\"\">\n");
  append_element (out, "dc:title", provenance->title);
  append_element (out, "dc:description", provenance->description);
  append_element (out, "dc:creator", provenance->creator);
  append_element (out, "dc:format", "image/svg+xml");
  g_string_append (out, "</rdf:Description>\n</rdf:RDF>\n</metadata>\n");
}

/* Puts the provenance behind the root element's opening tag. */
static void
insert_provenance (GString *svg, const AttnDrawProvenance *provenance)
{
  char *root = strstr (svg->str, "<svg");
  char *end = root == NULL ? NULL : strchr (root, '>');
  g_return_if_fail (end != NULL); /* Cairo has always written it so */
  g_autoptr (GString) text = g_string_new ("\n");
  append_provenance (text, provenance);
  g_string_truncate (text, text->len - 1); /* Cairo's own line end follows */
  g_string_insert_len (svg, end + 1 - svg->str, text->str, (gssize)text->len);
}

GByteArray *
attn_draw_write_svg (const AttnDrawCanvas *canvas,
                     double scale,
                     const AttnDrawProvenance *provenance,
                     AttnProgressFunc progress,
                     void *progress_data,
                     GError **error)
{
  GByteArray *bytes = g_byte_array_new ();
  cairo_surface_t *surface = cairo_svg_surface_create_for_stream (
      attn_draw_write_append, bytes, canvas->width * scale, canvas->height * scale);
  cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
  bytes = attn_draw_write_paint (canvas, scale, surface, bytes, progress, progress_data, error);
  if (bytes == NULL)
    return NULL;
  g_autoptr (GString) svg = attn_draw_svg_renumber ((const char *)bytes->data, bytes->len);
  insert_provenance (svg, provenance);
  g_byte_array_set_size (bytes, 0);
  g_byte_array_append (bytes, (const guint8 *)svg->str, (guint)svg->len);
  return bytes;
}
