/* SPDX-License-Identifier: MIT */
/* Shaping through Pango with settings that depend on nothing but the view. */
#include "text.h"

#include "attn/error.h"

#include <pango/pangocairo.h>

#include <math.h>

#define DEFAULT_SIZE_PT 10.0
#define MAX_SIZE_PT 400.0
#define PX_PER_PT (96.0 / 72.0)

struct _AttnDrawFonts {
  size_t n_references;
  PangoContext *context;
  PangoFontDescription *description;
  double em;
  GHashTable *shaped; /* "style text" → PangoLayout */
};

/* Metrics are not rounded to the pixels of one surface: a line is as long on paper as on screen. */
static void
set_options (PangoContext *context)
{
  cairo_font_options_t *options = cairo_font_options_create ();

  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options (context, options);
  cairo_font_options_destroy (options);
  pango_cairo_context_set_resolution (context, 96);
  pango_context_set_round_glyph_positions (context, FALSE);
}

AttnDrawFonts *
attn_draw_fonts_new (const AttnDrawView *view)
{
  AttnDrawFonts *fonts = g_new0 (AttnDrawFonts, 1);
  bool usable = view->font_size_pt > 0; /* false for NaN, too */
  const char *family = view->font_family != NULL ? view->font_family : "Sans";
  const char *language = view->language != NULL ? view->language : "en";

  fonts->n_references = 1;
  fonts->em = PX_PER_PT * (usable ? CLAMP (view->font_size_pt, 1, MAX_SIZE_PT) : DEFAULT_SIZE_PT);
  fonts->context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  set_options (fonts->context);
  pango_context_set_language (fonts->context, pango_language_from_string (language));
  pango_context_set_base_dir (fonts->context, PANGO_DIRECTION_WEAK_LTR);
  fonts->description = pango_font_description_new ();
  pango_font_description_set_family (fonts->description, family);
  fonts->shaped = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  return fonts;
}

AttnDrawFonts *
attn_draw_fonts_ref (AttnDrawFonts *fonts)
{
  fonts->n_references++;
  return fonts;
}

void
attn_draw_fonts_free (AttnDrawFonts *fonts)
{
  if (fonts == NULL || --fonts->n_references > 0)
    return;
  g_hash_table_unref (fonts->shaped);
  pango_font_description_free (fonts->description);
  g_object_unref (fonts->context);
  g_free (fonts);
}

bool
attn_draw_fonts_exist (AttnDrawFonts *fonts)
{
  PangoFont *font = pango_context_load_font (fonts->context, fonts->description);
  bool exist = font != NULL;

  g_clear_object (&font);
  return exist;
}

bool
attn_draw_fonts_check (AttnDrawFonts *fonts, GError **error)
{
  if (attn_draw_fonts_exist (fonts))
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
               "there is no font to write with in pictures: install one, such as DejaVu Sans");
  return false;
}

static bool
is_installed (PangoContext *context, const char *family)
{
  PangoFontFamily **families = NULL;
  int n_families = 0;
  bool found = false;

  pango_context_list_families (context, &families, &n_families);
  for (int i = 0; i < n_families && !found; i++)
    found = g_ascii_strcasecmp (pango_font_family_get_name (families[i]), family) == 0;
  g_free (families);
  return found;
}

char *
attn_draw_fonts_dup_fallback (AttnDrawFonts *fonts)
{
  const char *wanted = pango_font_description_get_family (fonts->description);
  g_auto (GStrv) names = g_strsplit (wanted, ",", -1); /* Pango takes the first there is */

  for (size_t i = 0; names[i] != NULL; i++)
    if (is_installed (fonts->context, g_strstrip (names[i])))
      return NULL;
  PangoFont *font = pango_context_load_font (fonts->context, fonts->description);
  if (font == NULL)
    return NULL;
  PangoFontDescription *drawn = pango_font_describe (font);
  char *family = g_strdup (pango_font_description_get_family (drawn));
  pango_font_description_free (drawn);
  g_object_unref (font);
  return family;
}

double
attn_draw_fonts_get_em (const AttnDrawFonts *fonts)
{
  return fonts->em;
}

static int
to_pango (double px)
{
  return (int)lround (px * PANGO_SCALE);
}

/* Returns: false where it is no markup. */
static bool
set_markup (PangoLayout *layout, const char *markup)
{
  PangoAttrList *attributes = NULL;
  char *text = NULL;

  if (!pango_parse_markup (markup, -1, 0, &attributes, &text, NULL, NULL))
    return false;
  pango_layout_set_text (layout, text, -1);
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  g_free (text);
  return true;
}

static PangoLayout *
make_layout (AttnDrawFonts *fonts, const char *text, const AttnDrawStyle *style)
{
  PangoLayout *layout = pango_layout_new (fonts->context);
  PangoWeight weight = style->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL;

  pango_font_description_set_absolute_size (fonts->description, to_pango (style->size_px));
  pango_font_description_set_weight (fonts->description, weight);
  pango_layout_set_font_description (layout, fonts->description);
  pango_layout_set_single_paragraph_mode (layout, !style->wraps);
  if (style->max_width > 0) {
    pango_layout_set_width (layout, to_pango (style->max_width));
    if (style->wraps)
      pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
    else
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  }
  if (!style->markup || !set_markup (layout, text))
    pango_layout_set_text (layout, text, -1);
  return layout;
}

PangoLayout *
attn_draw_fonts_shape (AttnDrawFonts *fonts, const char *text, const AttnDrawStyle *style)
{
  g_autofree char *key =
      g_strdup_printf ("%d %d %d %d %d %s", to_pango (style->size_px), to_pango (style->max_width),
                       style->bold, style->wraps, style->markup, text);
  PangoLayout *layout = g_hash_table_lookup (fonts->shaped, key);

  if (layout == NULL) {
    layout = make_layout (fonts, text, style);
    g_hash_table_insert (fonts->shaped, g_steal_pointer (&key), layout);
  }
  return layout;
}

PangoLayout *
attn_draw_fonts_shape_within (AttnDrawFonts *fonts, const char *text, const AttnDrawStyle *style)
{
  AttnDrawStyle natural = {.size_px = style->size_px, .bold = style->bold, .markup = style->markup};
  PangoLayout *layout = attn_draw_fonts_shape (fonts, text, &natural);

  if (attn_draw_text_measure (layout).width <= style->max_width)
    return layout;
  return attn_draw_fonts_shape (fonts, text, style);
}

static void
add_gap (PangoAttrList *attributes, const AttnDrawGap *gap, double size_px)
{
  PangoRectangle box = {0, to_pango (-size_px), to_pango (gap->width), to_pango (size_px)};
  PangoAttribute *shape = pango_attr_shape_new (&box, &box);

  shape->start_index = (guint)gap->start;
  shape->end_index = (guint)gap->end;
  pango_attr_list_insert (attributes, shape);
}

PangoLayout *
attn_draw_fonts_new_passage (AttnDrawFonts *fonts,
                             const char *text,
                             const AttnDrawPassageStyle *style)
{
  AttnDrawStyle lines = {.size_px = style->size_px, .wraps = true, .max_width = style->max_width};
  PangoLayout *layout = make_layout (fonts, text, &lines);
  PangoAttrList *attributes = pango_attr_list_new ();

  for (size_t i = 0; i < style->n_gaps; i++)
    add_gap (attributes, &style->gaps[i], style->size_px);
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_set_line_spacing (layout, (float)style->spacing);
  return layout;
}

AttnDrawExtents
attn_draw_text_measure (PangoLayout *text)
{
  PangoRectangle ink, logical;
  const double unit = 1.0 / PANGO_SCALE;

  pango_layout_get_extents (text, &ink, &logical);
  int left = MIN (logical.x, ink.x);
  int right = MAX (logical.x + logical.width, ink.x + ink.width);
  return (AttnDrawExtents){
      .left = left * unit,
      .width = (right - left) * unit,
      .height = logical.height * unit,
      .baseline = pango_layout_get_baseline (text) * unit,
      .ink_top = ink.y * unit,
      .ink_bottom = (ink.y + ink.height) * unit,
  };
}
