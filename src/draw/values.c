/* SPDX-License-Identifier: MIT */
/* Values are drawn by glyph, all of one colour at once: a picture may have thousands. */
#include "values.h"

#include "cells.h"
#include "paint-cells.h"
#include "panels-private.h"

#include <pango/pangocairo.h>

#include <math.h>
#include <string.h>

/* all in em of the view's font */
#define MOST_SIZE 0.86
#define LEAST_SIZE 0.62
#define LEAST_HEIGHT 1.3   /* of a cell, in sizes of the letters */
#define WIDTH_SHARE 0.8    /* of a cell's width that two decimals may take … */
#define SPACIOUS_SHARE 0.6 /* … and more decimals, where cells are large */
#define MORE_DECIMALS 4
#define MIDDLE 0.36      /* of the size, from the baseline up to the middle of a digit */
#define MAX_VALUES 20000 /* in a picture */

static const char characters[] = "0123456789.-";
#define N_CHARACTERS (sizeof characters - 1)
#define MINUS "\u2212"

/* One character, shaped once. */
typedef struct {
  PangoFont *font; /* the layout's, which the fonts keep */
  unsigned long glyph;
  double advance, left; /* px at the chosen size */
} Character;

struct _AttnDrawValues {
  AttnDrawFonts *fonts; /* keep the characters' fonts alive */
  double size_px;
  int decimals;
  Character characters[N_CHARACTERS];
};

/* Returns: whether the font has the character. */
static bool
shape_character (AttnDrawFonts *fonts, char letter, double size_px, Character *character)
{
  const char text[] = {letter, '\0'};
  AttnDrawStyle style = {.size_px = size_px};
  PangoLayout *shaped = attn_draw_fonts_shape (fonts, letter == '-' ? MINUS : text, &style);
  PangoLayoutLine *line = pango_layout_get_line_readonly (shaped, 0);
  const PangoLayoutRun *run = line->runs != NULL ? line->runs->data : NULL;

  if (run == NULL || run->glyphs->num_glyphs != 1 ||
      run->glyphs->glyphs[0].glyph & PANGO_GLYPH_UNKNOWN_FLAG)
    return false;
  *character = (Character){
      .font = run->item->analysis.font,
      .glyph = run->glyphs->glyphs[0].glyph,
      .advance = (double)run->glyphs->glyphs[0].geometry.width / PANGO_SCALE,
      .left = (double)run->glyphs->glyphs[0].geometry.x_offset / PANGO_SCALE,
  };
  return true;
}

static bool
shape_all (AttnDrawValues *values, double size_px)
{
  values->size_px = size_px;
  for (size_t i = 0; i < N_CHARACTERS; i++)
    if (!shape_character (values->fonts, characters[i], size_px, &values->characters[i]))
      return false;
  return true;
}

static const Character *
find_character (const AttnDrawValues *values, char letter)
{
  const char *found = memchr (characters, letter, N_CHARACTERS);
  return found != NULL ? &values->characters[found - characters] : NULL;
}

static double
measure (const AttnDrawValues *values, const char *text)
{
  double width = 0;
  for (; *text != '\0'; text++)
    width += find_character (values, *text)->advance;
  return width;
}

const char *
attn_draw_values_format (char *buffer, float weight, int decimals)
{
  buffer[0] = '\0';
  if (isfinite (weight))
    attn_number_format_fixed (buffer, (double)weight, decimals);
  if (strspn (buffer, "-0.") == strlen (buffer))
    buffer[0] = '\0';
  return buffer;
}

/* ---- planning ---- */

typedef struct {
  float least, most;
} Extent;

/* The least and largest of the finite weights of all maps, so that letters keep their size whatever
 * part of them is drawn. */
static Extent
find_extent (AttnDrawPanels *panels)
{
  Extent extent = {0, 0};

  for (size_t panel = 0; panel < attn_draw_panels_get_n (panels); panel++) {
    const AttnDrawBlocks *blocks = attn_draw_panels_peek_blocks (panels, panel);
    for (size_t row = 0; row < blocks->n_rows; row++)
      for (size_t column = blocks->first[row]; column < blocks->end[row]; column++) {
        float weight = blocks->weights[row * blocks->n_columns + column];
        if (!isfinite (weight))
          continue;
        extent.least = MIN (extent.least, weight);
        extent.most = MAX (extent.most, weight);
      }
  }
  return extent;
}

/* px of the widest value, at the size that the characters have now. */
static double
measure_widest (const AttnDrawValues *values, const Extent *extent, int decimals)
{
  char buffer[ATTN_NUMBER_SIZE];
  double least = extent->least < 0
                     ? measure (values, attn_draw_values_format (buffer, extent->least, decimals))
                     : 0;
  double most = measure (values, attn_number_format_fixed (buffer, (double)extent->most, decimals));
  return MAX (least, most);
}

static bool
has_room (const AttnDrawLayout *layout, double em, double *cell_x, double *cell_y)
{
  size_t panel = 0;
  while (panel + 1 < attn_draw_panels_get_n (layout->panels) &&
         !(layout->places[panel].rect.width > 0))
    panel++; /* a part of a comparison may leave nothing of A */
  AttnDrawRect rect = layout->places[panel].rect;
  AttnDrawSpan rows = attn_draw_layout_get_rows (layout, panel);
  AttnDrawSpan columns = attn_draw_layout_get_columns (layout, panel);
  size_t n_rows = attn_draw_span_get_n (&rows), n_columns = attn_draw_span_get_n (&columns);
  const AttnDrawBlocks *blocks = attn_draw_panels_peek_blocks (layout->panels, panel);

  *cell_x = rect.width / (double)MAX (n_columns, 1);
  *cell_y = rect.height / (double)MAX (n_rows, 1);
  return !layout->view->hides_values && !attn_draw_blocks_is_pooled (blocks) && *cell_x >= em &&
         *cell_y >= LEAST_HEIGHT * LEAST_SIZE * em &&
         n_rows * n_columns * attn_draw_panels_get_n (layout->panels) <= MAX_VALUES;
}

static bool
plan (AttnDrawValues *values, const AttnDrawLayout *layout, double em)
{
  double cell_x, cell_y;

  if (!has_room (layout, em, &cell_x, &cell_y) || !shape_all (values, MOST_SIZE * em))
    return false;
  Extent extent = find_extent (layout->panels);
  double widest = measure_widest (values, &extent, 2);
  double share = MIN (WIDTH_SHARE * cell_x / widest, cell_y / LEAST_HEIGHT / values->size_px);
  values->decimals = 2;
  if (share < 1)
    return share * MOST_SIZE >= LEAST_SIZE && shape_all (values, share * MOST_SIZE * em);
  if (measure_widest (values, &extent, MORE_DECIMALS) <= SPACIOUS_SHARE * cell_x)
    values->decimals = MORE_DECIMALS;
  return true;
}

AttnDrawValues *
attn_draw_values_new (AttnDrawFonts *fonts, const AttnDrawLayout *layout)
{
  AttnDrawValues *values = g_new0 (AttnDrawValues, 1);

  values->fonts = attn_draw_fonts_ref (fonts);
  if (plan (values, layout, attn_draw_fonts_get_em (fonts)))
    return values;
  attn_draw_values_free (values);
  return NULL;
}

void
attn_draw_values_free (AttnDrawValues *values)
{
  if (values == NULL)
    return;
  attn_draw_fonts_free (values->fonts);
  g_free (values);
}

int
attn_draw_values_get_decimals (const AttnDrawValues *values)
{
  return values->decimals;
}

/* ---- painting ---- */

/* The sRGB channel that ends @shift bits before a colour's end, as light. */
static double
linearise (uint32_t color, unsigned shift)
{
  double value = (double)(color >> shift & 255) / 255;
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

/* As the Web Content Accessibility Guidelines define it. */
static double
get_luminance (uint32_t color)
{
  return 0.2126 * linearise (color, 16) + 0.7152 * linearise (color, 8) +
         0.0722 * linearise (color, 0);
}

double
attn_draw_values_get_contrast (uint32_t a, uint32_t b)
{
  double first = get_luminance (a) + 0.05, second = get_luminance (b) + 0.05;
  return MAX (first, second) / MIN (first, second);
}

uint32_t
attn_draw_values_choose_ink (uint32_t ground)
{
  bool is_light = attn_draw_values_get_contrast (ground, 0xff000000) >=
                  attn_draw_values_get_contrast (ground, 0xffffffff);
  return is_light ? 0xff000000 : 0xffffffff;
}

/* The glyphs of one font and colour. */
typedef struct {
  PangoFont *font;
  uint32_t ink;
  GArray *glyphs; /* cairo_glyph_t */
} Batch;

typedef struct {
  const AttnDrawLayout *layout;
  size_t panel;
  AttnDrawCoder coder;
  uint32_t inks[ATTN_DRAW_N_CODES]; /* 0 until needed */
  GArray *batches;                  /* Batch; a few in all usual fonts */
} Writing;

static uint32_t
find_ink (Writing *writing, uint16_t code)
{
  const AttnDrawLayout *layout = writing->layout;
  uint32_t *ink = &writing->inks[code];

  if (*ink == 0) {
    const uint32_t *lut = attn_draw_layout_peek_lut (layout, writing->panel);
    uint32_t ground = code == ATTN_DRAW_CODE_ZERO ? layout->ink->zero : lut[code];
    *ink = attn_draw_values_choose_ink (ground);
  }
  return *ink;
}

static GArray *
find_batch (Writing *writing, PangoFont *font, uint32_t ink)
{
  for (guint i = 0; i < writing->batches->len; i++) {
    const Batch *batch = &g_array_index (writing->batches, Batch, i);
    if (batch->font == font && batch->ink == ink)
      return batch->glyphs;
  }
  Batch batch = {font, ink, g_array_new (FALSE, FALSE, sizeof (cairo_glyph_t))};
  g_array_append_val (writing->batches, batch);
  return batch.glyphs;
}

static void
write_value (Writing *writing, const char *text, const AttnDrawRect *cell, uint32_t ink)
{
  const AttnDrawValues *values = writing->layout->values;
  double x = cell->x + (cell->width - measure (values, text)) / 2;
  double y = cell->y + cell->height / 2 + MIDDLE * values->size_px;

  for (; *text != '\0'; text++) {
    const Character *character = find_character (values, *text);
    cairo_glyph_t glyph = {character->glyph, x + character->left, y};
    g_array_append_val (find_batch (writing, character->font, ink), glyph);
    x += character->advance;
  }
}

static void
write_row (Writing *writing, size_t query, float *weights, uint16_t *codes)
{
  const AttnDrawLayout *layout = writing->layout;
  AttnDrawSpan columns = attn_draw_layout_get_columns (layout, writing->panel);
  char buffer[ATTN_NUMBER_SIZE];

  attn_draw_cells_code_row (layout, writing->panel, &writing->coder,
                            (AttnDrawSpan){query, query + 1}, weights, codes);
  for (size_t i = 0; i < attn_draw_span_get_n (&columns); i++) {
    if (codes[i] == ATTN_DRAW_CODE_HIDDEN || codes[i] == ATTN_DRAW_CODE_NAN)
      continue;
    AttnDrawRect cell = attn_draw_layout_place (layout, writing->panel, query, columns.first + i);
    attn_draw_values_format (buffer, weights[i], layout->values->decimals);
    if (*buffer != '\0')
      write_value (writing, buffer, &cell, find_ink (writing, codes[i]));
  }
}

static void
show_batch (const Batch *batch, cairo_t *cr)
{
  cairo_glyph_t *glyphs = (void *)batch->glyphs->data;

  attn_draw_set_source_pixel (cr, batch->ink);
  cairo_set_scaled_font (cr, pango_cairo_font_get_scaled_font (PANGO_CAIRO_FONT (batch->font)));
  cairo_show_glyphs (cr, glyphs, (int)batch->glyphs->len);
  g_array_unref (batch->glyphs);
}

void
attn_draw_values_paint (const AttnDrawLayout *layout, size_t panel, cairo_t *cr)
{
  AttnDrawSpan rows = attn_draw_layout_get_rows (layout, panel);
  AttnDrawSpan columns = attn_draw_layout_get_columns (layout, panel);
  size_t n_columns = attn_draw_span_get_n (&columns);

  if (layout->values == NULL)
    return;
  Writing writing = {layout, panel, .batches = g_array_new (FALSE, FALSE, sizeof (Batch))};
  g_autofree float *weights = g_new (float, n_columns);
  g_autofree uint16_t *codes = g_new (uint16_t, n_columns);
  attn_draw_coder_init (&writing.coder, layout, panel);
  for (size_t query = rows.first; query < rows.end; query++)
    write_row (&writing, query, weights, codes);
  cairo_save (cr);
  for (guint i = 0; i < writing.batches->len; i++)
    show_batch (&g_array_index (writing.batches, Batch, i), cr);
  cairo_restore (cr);
  g_array_unref (writing.batches);
}

void
attn_draw_values_raster (const AttnDrawLayout *layout,
                         size_t panel,
                         size_t width,
                         size_t height,
                         double scale,
                         uint32_t *pixels,
                         size_t stride)
{
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, panel);

  if (layout->values == NULL)
    return;
  cairo_surface_t *surface =
      cairo_image_surface_create_for_data ((unsigned char *)pixels, CAIRO_FORMAT_ARGB32, (int)width,
                                           (int)height, (int)(stride * sizeof *pixels));
  cairo_t *cr = cairo_create (surface);
  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -rect.x, -rect.y);
  attn_draw_values_paint (layout, panel, cr);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}
