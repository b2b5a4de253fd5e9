/* SPDX-License-Identifier: MIT */
/* From a view to a finished file. */
#include "attn-draw/picture.h"

#include "hs-build.h"
#include "picture-provenance.h"
#include "plain-text.h"
#include "text.h"
#include "write-formats.h"

#include "attn/arrays.h"
#include "attn/error.h"
#include "attn/number.h"

#include <math.h>

#define PX_PER_MM (96.0 / 25.4)
#define LINE_BYTES 65536 /* of tokens in provenance */

/* A picture whose texts are valid UTF-8: a model's name is a folder's, which may be any bytes. */
typedef struct {
  AttnDrawPicture picture;
  GPtrArray *texts;   /* of char *, owned: the picture's */
  AttnDrawView *view; /* owned; with its strings */
} Named;

static void
name_cb (AttnDrawView *view, void *data)
{
  const AttnDrawPicture *picture = data;
  AttnDrawSubject a = {picture->model_name, picture->text, picture->pair};
  AttnDrawSubject b = {picture->model_name_b, picture->text_b, picture->pair_b};
  if (view->kind == ATTN_DRAW_COMPARE)
    attn_draw_view_set_compared_strings (view, &a, &b, picture->translate, picture->translate_data);
  else
    attn_draw_view_set_strings (view, a.model_name, a.text, a.pair, picture->translate,
                                picture->translate_data);
}

static AttnDrawView *
dup_named_view (AttnDrawPicture *picture, AttnDrawPanels *panels)
{
  AttnDrawView *view = attn_draw_view_copy (picture->view);
  attn_draw_view_name_tokens (view, attn_draw_panels_peek_source (panels));
  g_free (view->language);
  view->language = g_strdup (picture->language != NULL ? picture->language : "en");
  g_strdelimit (view->language, "_", '-'); /* BCP 47 */
  name_cb (view, picture);
  return view;
}

static void
named_clear (Named *named)
{
  g_ptr_array_unref (named->texts);
  attn_draw_view_free (named->view);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Named, named_clear)

static char *
keep_text (Named *named, char *text)
{
  if (text != NULL)
    g_ptr_array_add (named->texts, text);
  return text;
}

/* Arrays tell themselves what they are called and of which tokens they are. */
static void
take_arrays (Named *named, AttnMaps *source, bool of_b)
{
  AttnDrawPicture *picture = &named->picture;
  const AttnArrays *arrays = source != NULL ? attn_maps_peek_arrays (source) : NULL;
  if (arrays == NULL)
    return;
  const AttnLabels *labels = attn_maps_peek_labels (source);
  bool has_text = !attn_labels_is_numbers (labels);
  char *lines[] = {NULL, NULL};
  if (has_text)
    lines[0] = attn_labels_dup_line (labels, ATTN_SIDE_QUERY, LINE_BYTES);
  if (has_text && !attn_labels_is_one_list (labels))
    lines[1] = attn_labels_dup_line (labels, ATTN_SIDE_KEY, LINE_BYTES);
  *(of_b ? &picture->model_name_b : &picture->model_name) = attn_arrays_peek_name (arrays);
  *(of_b ? &picture->text_b : &picture->text) = keep_text (named, lines[0]);
  *(of_b ? &picture->pair_b : &picture->pair) = keep_text (named, lines[1]);
}

static void
named_init (Named *named, const AttnDrawPicture *picture, AttnDrawPanels *panels)
{
  AttnDrawPicture *valid = &named->picture;
  const char **const fields[] = {&valid->model_name,   &valid->text,   &valid->pair,
                                 &valid->model_name_b, &valid->text_b, &valid->pair_b};
  *named = (Named){.picture = *picture, .texts = g_ptr_array_new_with_free_func (g_free)};
  take_arrays (named, attn_draw_panels_peek_source (panels), false);
  take_arrays (named, attn_draw_panels_peek_source_b (panels), true);
  for (size_t i = 0; i < G_N_ELEMENTS (fields); i++)
    if (*fields[i] != NULL)
      *fields[i] = keep_text (named, g_utf8_make_valid (*fields[i], -1));
  named->view = dup_named_view (&named->picture, panels);
  named->picture.view = named->view;
}

static AttnDrawPages *
make_pages (Named *named, AttnDrawPanels *panels)
{
  const AttnDrawPicture *picture = &named->picture;
  bool has_pages = picture->format == ATTN_DRAW_PDF;
  AttnDrawPage whole = {ATTN_DRAW_PAGE_PICTURE, false};
  return attn_draw_pages_new (named->view, panels, has_pages ? &picture->page : &whole,
                              picture->scale, name_cb, &named->picture);
}

AttnDrawPages *
attn_draw_picture_new_pages (const AttnDrawPicture *picture, AttnDrawPanels *panels)
{
  g_auto (Named) named;
  named_init (&named, picture, panels);
  return make_pages (&named, panels);
}

GBytes *
attn_draw_picture_write (const AttnDrawPicture *picture, AttnDrawPanels *panels, GError **error)
{
  g_autoptr (AttnDrawFonts) fonts = attn_draw_fonts_new (picture->view);
  if (!attn_draw_fonts_check (fonts, error))
    return NULL;
  g_auto (Named) named;
  named_init (&named, picture, panels);
  g_autofree char *description = attn_draw_picture_describe (&named.picture, panels);
  g_autoptr (AttnDrawPages) pages = make_pages (&named, panels);
  const AttnDrawLayout *layout = attn_draw_pages_peek_layout (pages, 0);
  AttnDrawProvenance provenance = {
      .title = attn_draw_layout_peek_view (layout)->strings.title,
      .description = description,
      .creator = "Headscope " HS_VERSION,
  };
  if (picture->format == ATTN_DRAW_PDF)
    return attn_draw_write_pages (pages, &provenance, picture->progress, picture->progress_data,
                                  error);
  AttnDrawCanvas canvas = attn_draw_canvas_of_layout (layout);
  GByteArray *bytes = NULL;
  if (picture->format == ATTN_DRAW_SVG)
    bytes = attn_draw_write_svg (&canvas, picture->scale, &provenance, picture->progress,
                                 picture->progress_data, error);
  else
    bytes = attn_draw_write_png (&canvas, picture->scale, &provenance, picture->progress,
                                 picture->progress_data, error);
  return bytes == NULL ? NULL : g_byte_array_free_to_bytes (bytes);
}

bool
attn_draw_picture_write_to_file (const AttnDrawPicture *picture,
                                 AttnDrawPanels *panels,
                                 const char *path,
                                 GError **error)
{
  g_autoptr (GBytes) bytes = attn_draw_picture_write (picture, panels, error);
  return bytes != NULL && attn_draw_write_save (bytes, path, error);
}

bool
attn_draw_picture_can_show (const AttnDrawView *view, const char *text)
{
  g_autoptr (AttnDrawFonts) fonts = attn_draw_fonts_new (view);
  AttnDrawStyle style = {.size_px = attn_draw_fonts_get_em (fonts)};
  g_autofree char *line = attn_draw_one_line (text);

  return pango_layout_get_unknown_glyphs_count (attn_draw_fonts_shape (fonts, line, &style)) == 0;
}

char *
attn_draw_picture_dup_fallback (const AttnDrawView *view)
{
  g_autoptr (AttnDrawFonts) fonts = attn_draw_fonts_new (view);

  return attn_draw_fonts_dup_fallback (fonts);
}

void
attn_draw_picture_set_width_mm (AttnDrawView *view,
                                double width_mm,
                                AttnDrawFormat format,
                                double *scale)
{
  double width_px = MAX (width_mm * PX_PER_MM, 1);
  view->max_height_px = 0;
  view->width_px = round (width_px);
  /* more digits than that a printer cannot tell, and the command line stays short */
  char number[ATTN_NUMBER_SIZE];
  if (format == ATTN_DRAW_PNG)
    view->width_px = g_ascii_strtod (attn_number_format (number, width_px, ATTN_NUMBER_CSV), NULL);
  else
    *scale = g_ascii_strtod (
        attn_number_format (number, width_px / view->width_px, ATTN_NUMBER_CSV), NULL);
}
