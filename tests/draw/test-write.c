/* SPDX-License-Identifier: MIT */
/* Files of pictures: well formed, telling where they come from, and the same bytes every time. */
#include "formula-maps.h"
#include "picture-provenance.h"
#include "test-util.h"
#include "write-formats.h"

#include "attn-draw/picture.h"
#include "attn/error.h"

#include <glib/gstdio.h>

#include <string.h>
#include <unistd.h>

#define N_TOKENS 11
#define NASTY_TEXT "猫 <b>&amp; \"q\" 'a' ]]>\n\x01 قطة 🙂"
#define SAFE_TEXT \
  "猫 <b>&amp; \"q\" 'a' ]]>\n\xef\xbf\xbd قطة 🙂" /* without the control character */

static const AttnDrawFormat formats[] = {ATTN_DRAW_PNG, ATTN_DRAW_SVG, ATTN_DRAW_PDF};

static AttnDrawPicture
make_picture (AttnDrawView *view, AttnDrawFormat format, double scale)
{
  return (AttnDrawPicture){
      .view = view,
      .model_name = "formula & co\xff", /* a folder may be called so */
      .text = NASTY_TEXT,
      .format = format,
      .scale = scale,
  };
}

static GBytes *
write_picture (AttnDrawKind kind, AttnDrawFormat format, double scale, GError **error)
{
  g_autoptr (AttnMaps) maps = formula_maps_new (N_TOKENS, N_TOKENS);
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->kind = kind;
  view->width_px = 480;
  g_autoptr (AttnDrawPanels) panels = attn_draw_panels_new (view, maps, NULL, NULL, NULL, NULL);
  AttnDrawPicture picture = make_picture (view, format, scale);
  return attn_draw_picture_write (&picture, panels, error);
}

static GBytes *
write_good (AttnDrawKind kind, AttnDrawFormat format)
{
  GError *error = NULL;
  GBytes *bytes = write_picture (kind, format, 1.5, &error);
  g_assert_no_error (error);
  g_assert_nonnull (bytes);
  return bytes;
}

/* Of heat map, grid and sheet in every format; a program of its own prints it, too. */
static char *
digest (void)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  for (size_t f = 0; f < G_N_ELEMENTS (formats); f++)
    for (unsigned kind = ATTN_DRAW_HEATMAP; kind <= ATTN_DRAW_LAYERS; kind++) {
      g_autoptr (GBytes) bytes = write_good ((AttnDrawKind)kind, formats[f]);
      gsize size = 0;
      const guchar *data = g_bytes_get_data (bytes, &size);
      g_checksum_update (sum, data, (gssize)size);
    }
  return g_strdup (g_checksum_get_string (sum));
}

static void
test_same_bytes (void)
{
  g_autofree char *first = digest ();
  g_autofree char *second = digest ();
  g_assert_cmpstr (first, ==, second);
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  char digest_option[] = "--digest";
  char *command[] = {program, digest_option, NULL};
  g_autofree char *elsewhere = NULL;
  int status = -1;
  g_assert_true (g_spawn_sync (NULL, command, NULL, G_SPAWN_DEFAULT, NULL, NULL, &elsewhere, NULL,
                               &status, NULL));
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpstr (first, ==, elsewhere);
}

static guint32
read_be32 (const guchar *p)
{
  return (guint32)p[0] << 24 | (guint32)p[1] << 16 | (guint32)p[2] << 8 | p[3];
}

/* By the formula of the PNG specification's text, bit by bit. */
static guint32
crc32_of (const guchar *p, size_t n)
{
  guint32 crc = 0xffffffffu;
  for (size_t i = 0; i < n * 8; i++) {
    guint32 bit = (crc ^ (guint32)(p[i / 8] >> i % 8)) & 1;
    crc = crc >> 1 ^ (bit ? 0xedb88320u : 0);
  }
  return crc ^ 0xffffffffu;
}

static void
assert_text_chunk (const guchar *data, guint32 length, const char *keyword, const char *text)
{
  size_t start = strlen (keyword) + 5;
  g_assert_cmpuint (length, >, start);
  g_assert_cmpmem (data, strlen (keyword) + 1, keyword, strlen (keyword) + 1);
  g_autofree char *found = g_strndup ((const char *)data + start, length - start);
  g_assert_nonnull (strstr (found, text));
}

static void
test_png_chunks (void)
{
  g_autoptr (GBytes) bytes = write_good (ATTN_DRAW_HEATMAP, ATTN_DRAW_PNG);
  gsize size = 0;
  const guchar *data = g_bytes_get_data (bytes, &size);
  g_assert_cmpmem (data, 8, "\x89PNG\r\n\x1a\n", 8);
  g_autoptr (GString) order = g_string_new (NULL);
  int n_texts = 0;
  for (size_t at = 8; at < size;) {
    guint32 length = read_be32 (data + at);
    const guchar *type = data + at + 4;
    g_assert_cmpuint (at + 12 + length, <=, size);
    g_assert_cmphex (read_be32 (type + 4 + length), ==, crc32_of (type, length + 4));
    g_string_append_len (order, (const char *)type, 4);
    g_string_append_c (order, ' ');
    if (memcmp (type, "IHDR", 4) == 0)
      g_assert_cmpuint (read_be32 (type + 4), ==, 720);
    if (memcmp (type, "pHYs", 4) == 0) /* 1.5 × 96 dpi */
      g_assert_cmpuint (read_be32 (type + 4), ==, 5669);
    if (memcmp (type, "iTXt", 4) == 0) {
      const char *keywords[] = {"Title", "Description", "Software"};
      const char *texts[] = {"head", NASTY_TEXT, "Headscope "};
      assert_text_chunk (type + 4, length, keywords[n_texts], texts[n_texts]);
      n_texts++;
    }
    at += 12 + length;
  }
  g_assert_true (g_str_has_prefix (order->str, "IHDR pHYs iTXt iTXt iTXt "));
  g_assert_true (g_str_has_suffix (order->str, "IDAT IEND "));
}

typedef struct {
  GHashTable *ids;       /* every id="" */
  GPtrArray *references; /* every "#…" */
  GString *title, *desc;
  const char *element;
} Svg;

static void
start_cb (GMarkupParseContext *context,
          const char *element,
          const char **names,
          const char **values,
          void *data,
          G_GNUC_UNUSED GError **error)
{
  Svg *svg = data;
  const GSList *stack = g_markup_parse_context_get_element_stack (context);
  if (g_slist_length ((GSList *)(void *)(gsize)stack) == 1)
    g_assert_cmpstr (element, ==, "svg");
  for (size_t i = 0; names[i] != NULL; i++) {
    if (strcmp (names[i], "id") == 0)
      g_assert_true (g_hash_table_add (svg->ids, g_strdup (values[i]))); /* each only once */
    size_t start = g_str_has_prefix (values[i], "url(#") ? 5 : values[i][0] == '#' ? 1 : 0;
    if (start == 0)
      continue;
    char *reference = g_strdup (values[i] + start);
    reference[strcspn (reference, ")")] = '\0';
    g_ptr_array_add (svg->references, reference);
  }
}

static void
text_cb (GMarkupParseContext *context,
         const char *text,
         gsize length,
         void *data,
         G_GNUC_UNUSED GError **error)
{
  Svg *svg = data;
  const char *element = g_markup_parse_context_get_element (context);
  if (strcmp (element, "title") == 0)
    g_string_append_len (svg->title, text, (gssize)length);
  if (strcmp (element, "desc") == 0)
    g_string_append_len (svg->desc, text, (gssize)length);
}

static void
test_svg_parses (void)
{
  g_autoptr (GBytes) bytes = write_good (ATTN_DRAW_HEADS, ATTN_DRAW_SVG);
  gsize size = 0;
  const char *text = g_bytes_get_data (bytes, &size);
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) references = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) title = g_string_new (NULL);
  g_autoptr (GString) desc = g_string_new (NULL);
  Svg svg = {.ids = ids, .references = references, .title = title, .desc = desc};
  const GMarkupParser parser = {.start_element = start_cb, .text = text_cb};
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, &svg, NULL);
  GError *error = NULL;
  g_assert_true (g_markup_parse_context_parse (context, text, (gssize)size, &error));
  g_assert_true (g_markup_parse_context_end_parse (context, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (references->len, >, 0);
  for (guint i = 0; i < references->len; i++)
    g_assert_true (g_hash_table_contains (ids, g_ptr_array_index (references, i)));
  g_assert_cmpuint (title->len, >, 0);
  g_assert_nonnull (strstr (desc->str, SAFE_TEXT));
  g_assert_nonnull (strstr (text, "<metadata>"));
}

static void
test_svg_renumber (void)
{
  const char svg[] = "<svg><g id=\"surface12\"><path id=\"glyph0-1\" d=\"M 1 2\"/></g>"
                     "<use xlink:href=\"#glyph0-1\"/><use xlink:href=\"#later\"/>"
                     "<g clip-path=\"url(#clip7)\" id=\"later\"/><clipPath id=\"clip7\"/></svg>";
  const char wanted[] = "<svg><g id=\"i1\"><path id=\"i2\" d=\"M 1 2\"/></g>"
                        "<use xlink:href=\"#i2\"/><use xlink:href=\"#i3\"/>"
                        "<g clip-path=\"url(#i4)\" id=\"i3\"/><clipPath id=\"i4\"/></svg>";
  g_autoptr (GString) out = attn_draw_svg_renumber (svg, strlen (svg));
  g_assert_cmpstr (out->str, ==, wanted);
  g_autoptr (GString) cut = attn_draw_svg_renumber (" id=\"", 5);
  g_assert_cmpstr (cut->str, ==, " id=\"");
  g_autoptr (GString) nothing = attn_draw_svg_renumber ("", 0);
  g_assert_cmpstr (nothing->str, ==, "");
}

static bool
holds (const guchar *data, gsize size, const char *needle)
{
  return memmem (data, size, needle, strlen (needle)) != NULL;
}

static void
test_pdf (void)
{
  g_autoptr (GBytes) bytes = write_good (ATTN_DRAW_HEATMAP, ATTN_DRAW_PDF);
  gsize size = 0;
  const guchar *data = g_bytes_get_data (bytes, &size);
  g_assert_cmpmem (data, 5, "%PDF-", 5);
  g_assert_true (holds (data, size, "/CreationDate (20000101000000"));
  g_assert_true (holds (data, size, "/FontFile"));
  g_assert_true (holds (data, size, "/ToUnicode"));
  g_assert_true (holds (data, size, "/Keywords"));
  /* 480 px × 1.5 × 3/4 pt a px */
  g_assert_true (holds (data, size, "/MediaBox [ 0 0 540 "));
}

static void
assert_too_large (AttnDrawFormat format, double scale, const char *word)
{
  GError *error = NULL;
  g_assert_null (write_picture (ATTN_DRAW_HEATMAP, format, scale, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, word));
  g_clear_error (&error);
}

static void
test_too_large (void)
{
  assert_too_large (ATTN_DRAW_PNG, 70, "32,767 px");
  assert_too_large (ATTN_DRAW_PNG, 60, "250 million");
  assert_too_large (ATTN_DRAW_PDF, 41, "14,400 pt");
}

static void
test_to_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headscope-write-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "图.svg", NULL);
  g_autoptr (AttnMaps) maps = formula_maps_new (N_TOKENS, N_TOKENS);
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  g_autoptr (AttnDrawPanels) panels = attn_draw_panels_new (view, maps, NULL, NULL, NULL, NULL);
  AttnDrawPicture picture = make_picture (view, ATTN_DRAW_SVG, 1);
  GError *error = NULL;
  g_assert_true (attn_draw_picture_write_to_file (&picture, panels, path, &error));
  g_assert_no_error (error);
  g_autoptr (GBytes) wanted = attn_draw_picture_write (&picture, panels, NULL);
  gsize size = 0, wanted_size = 0;
  g_autofree char *content = test_read_file (path, &size);
  const void *wanted_data = g_bytes_get_data (wanted, &wanted_size);
  g_assert_cmpmem (content, size, wanted_data, wanted_size);
  g_assert_false (attn_draw_picture_write_to_file (&picture, panels, folder, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_clear_error (&error);
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_command (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->kind = ATTN_DRAW_HEADS;
  view->layer = 2;
  view->head = 4;
  view->range = ATTN_DRAW_RANGE_FIXED;
  view->range_max = 0.25;
  view->width_px = 1000;
  view->n_columns = 3;
  view->has_pin = true;
  view->pin_query = 0;
  view->pin_key = G_MAXSIZE;
  AttnDrawPicture picture = make_picture (view, ATTN_DRAW_PDF, 1.25);
  picture.pair = "--it's";
  picture.language = "zh_TW";
  picture.model = "/a folder/model";
  g_autofree char *line = attn_draw_picture_dup_command (&picture, "/tmp/a b.pdf");
  g_auto (GStrv) words = NULL;
  g_assert_true (g_shell_parse_argv (line, NULL, &words, NULL));
  g_autofree char *parsed = g_strjoinv ("|", words);
  g_autofree char *wanted = g_strconcat (
      "headscope-cli|render|--model|/a folder/model|--text|", NASTY_TEXT,
      "|--pair|--it's|--view|heads|--layer|3|--head|5|--range|0.25|--colormap|YlGnBu|--palette|"
      "paper|--font-size|10|--font|Sans|--columns|3|--pin-query|0|--width-px|1000|--format|pdf|"
      "--scale|1.25|--lang|zh_TW|-o|/tmp/a b.pdf",
      NULL);
  g_assert_cmpstr (parsed, ==, wanted);
}

static void
assert_described (const AttnDrawView *view, const char *words, bool wanted)
{
  g_autoptr (AttnMaps) maps = formula_maps_new (N_TOKENS, N_TOKENS);
  g_autoptr (AttnDrawPanels) panels = attn_draw_panels_new (view, maps, NULL, NULL, NULL, NULL);
  g_assert_nonnull (panels);
  AttnDrawPicture picture = {
      .view = view, .model_name = "formula", .text = "a", .format = ATTN_DRAW_PNG, .scale = 1};
  g_autofree char *description = attn_draw_picture_describe (&picture, panels);
  if ((strstr (description, words) != NULL) != wanted)
    g_error ("\"%s\" is %s in: %s", words, wanted ? "not" : "", description);
}

/* What is drawn is told, and what makes no difference to the view is not. */
static void
test_described (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->layer = 1;
  view->head = 2;
  view->crop = (AttnDrawCrop){1, 3, 0, 0};
  view->has_pin = true;
  view->pin_query = 4;
  view->hides_values = true;
  assert_described (view, "; view: heatmap, layer 2, head 3;", true);
  assert_described (view, "; rows and columns: 1:4,: (from 0, ends left out);", true);
  assert_described (view, "; pinned query: 4 (from 0);", true);
  assert_described (view, "pinned key", false);
  assert_described (view, "; no values in cells;", true);
  view->kind = ATTN_DRAW_HEADS;
  assert_described (view, "; view: heads, layer 2;", true);
  view->first_head = 1;
  view->n_heads = 2;
  assert_described (view, "; view: heads, layer 2, heads 2 to 3;", true);
  view->kind = ATTN_DRAW_LAYERS;
  assert_described (view, "; view: layers;", true);
  view->kind = ATTN_DRAW_LINES;
  attn_head_set_put (&view->arrangement.heads, 0, true);
  assert_described (view, "; view: lines, layer 2, shown: --heads 1;", true);
  assert_described (view, "rows and columns", false);
  assert_described (view, "values", false);
}

static void
test_width_mm (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  double scale = 3;
  view->max_height_px = 200;
  attn_draw_picture_set_width_mm (view, 85, ATTN_DRAW_PNG, &scale);
  g_assert_cmpfloat (view->max_height_px, ==, 0); /* which would make it narrower */
  g_assert_cmpfloat_with_epsilon (view->width_px, 85 * 96 / 25.4, 1e-5);
  g_assert_cmpfloat (scale, ==, 3);
  attn_draw_picture_set_width_mm (view, 85, ATTN_DRAW_PDF, &scale);
  g_assert_cmpfloat (view->width_px, ==, 321);
  /* nine digits of the scale: far below what a printer can show */
  g_assert_cmpfloat_with_epsilon (view->width_px * scale, 85 * 96 / 25.4, 1e-5);
}

/* A general name is always there; of several, one is enough. */
static void
test_fallback (void)
{
  static const char *const there[] = {"Sans", "sans", "Monospace", "No Such Font, Sans"};
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();

  for (size_t i = 0; i < G_N_ELEMENTS (there); i++) {
    g_free (view->font_family);
    view->font_family = g_strdup (there[i]);
    g_autofree char *none = attn_draw_picture_dup_fallback (view);
    g_assert_null (none);
  }
  g_free (view->font_family);
  view->font_family = g_strdup ("No Such Font");
  g_autofree char *drawn = attn_draw_picture_dup_fallback (view);
  g_assert_nonnull (drawn);
  g_assert_cmpstr (drawn, !=, "No Such Font");
}

static void
test_names (void)
{
  for (size_t f = 0; f < G_N_ELEMENTS (formats); f++) {
    AttnDrawFormat found = ATTN_DRAW_PNG;
    g_assert_true (attn_draw_format_find (attn_draw_format_peek_name (formats[f]), &found));
    g_assert_cmpuint (found, ==, formats[f]);
  }
  AttnDrawFormat untouched = ATTN_DRAW_PDF;
  g_assert_true (attn_draw_format_find ("SVG", &untouched));
  g_assert_cmpuint (untouched, ==, ATTN_DRAW_SVG);
  g_assert_false (attn_draw_format_find ("jpeg", &untouched));
}

typedef struct {
  size_t n_asked, stops_at; /* questions; which one is answered with no */
  double last;
} Asked;

static bool
asked_cb (double fraction, void *data)
{
  Asked *asked = data;
  g_assert_cmpfloat (fraction, >=, asked->last);
  g_assert_cmpfloat (fraction, <=, 1);
  asked->last = fraction;
  return asked->n_asked++ != asked->stops_at;
}

static GBytes *
write_asking (AttnDrawFormat format, Asked *asked, GError **error)
{
  g_autoptr (AttnMaps) maps = formula_maps_new (N_TOKENS, N_TOKENS);
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->kind = ATTN_DRAW_LAYERS;
  g_autoptr (AttnDrawPanels) panels = attn_draw_panels_new (view, maps, NULL, NULL, NULL, NULL);
  AttnDrawPicture picture = make_picture (view, format, 1);
  picture.progress = asked_cb;
  picture.progress_data = asked;
  return attn_draw_picture_write (&picture, panels, error);
}

/* A sheet in any format can be stopped at every question, and there is one for each map of an
 * image; the fractions never fall. */
static void
test_stopped (void)
{
  for (size_t f = 0; f < G_N_ELEMENTS (formats); f++) {
    Asked whole = {.stops_at = G_MAXSIZE};
    g_autoptr (GBytes) bytes = write_asking (formats[f], &whole, NULL);
    g_assert_nonnull (bytes);
    g_assert_cmpuint (whole.n_asked, >=,
                      formats[f] == ATTN_DRAW_PDF ? 1 : FORMULA_LAYERS * FORMULA_HEADS);
    const size_t stops[] = {0, whole.n_asked / 2, whole.n_asked - 1};
    for (size_t i = 0; i < G_N_ELEMENTS (stops); i++) {
      g_autoptr (GError) error = NULL;
      Asked asked = {.stops_at = stops[i]};
      g_assert_null (write_asking (formats[f], &asked, &error));
      g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
      g_assert_cmpuint (asked.n_asked, ==, stops[i] + 1);
    }
  }
}

int
main (int argc, char **argv)
{
  if (argc == 2 && strcmp (argv[1], "--digest") == 0) {
    g_autofree char *sum = digest ();
    return write (STDOUT_FILENO, sum, strlen (sum)) > 0 ? 0 : 1;
  }
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/write/same-bytes", test_same_bytes);
  g_test_add_func ("/write/png-chunks", test_png_chunks);
  g_test_add_func ("/write/fallback", test_fallback);
  g_test_add_func ("/write/svg-parses", test_svg_parses);
  g_test_add_func ("/write/svg-renumber", test_svg_renumber);
  g_test_add_func ("/write/pdf", test_pdf);
  g_test_add_func ("/write/too-large", test_too_large);
  g_test_add_func ("/write/stopped", test_stopped);
  g_test_add_func ("/write/to-file", test_to_file);
  g_test_add_func ("/write/command", test_command);
  g_test_add_func ("/write/described", test_described);
  g_test_add_func ("/write/width-mm", test_width_mm);
  g_test_add_func ("/write/names", test_names);
  return g_test_run ();
}
