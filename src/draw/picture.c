/* SPDX-License-Identifier: MIT */
/* From a view to a finished file, and to the shell line that makes it again. */
#include "attn-draw/picture.h"

#include "hs-build.h"
#include "picture-arrangement.h"
#include "text.h"
#include "wording.h"
#include "write-formats.h"

#include "attn/arrays.h"
#include "attn/error.h"
#include "attn/number.h"

#include <math.h>
#include <string.h>

#define PX_PER_MM (96.0 / 25.4)
#define LINE_BYTES 65536 /* of tokens in provenance */

static const char *
format_number (char *buffer, double value)
{
  return attn_number_format (buffer, value, ATTN_NUMBER_CSV);
}

/* What follows --range. */
static const char *
range_word (const AttnDrawView *view, char *buffer)
{
  switch (attn_draw_view_resolve_range (view)) {
  case ATTN_DRAW_RANGE_MAP:
    return "map";
  case ATTN_DRAW_RANGE_LAYER:
    return "layer";
  case ATTN_DRAW_RANGE_MODEL:
    return "model";
  case ATTN_DRAW_RANGE_FIXED:
  default:
    return format_number (buffer, view->range_max);
  }
}

static void
append_span (GString *word, size_t first, size_t n)
{
  if (n > 0)
    g_string_append_printf (word, "%zu:%zu", first, first + n);
  else
    g_string_append_c (word, ':');
}

/* What follows --crop; NULL for the whole map. */
static char *
dup_crop (const AttnDrawView *view)
{
  if (view->crop.n_queries == 0 && view->crop.n_keys == 0)
    return NULL;
  GString *word = g_string_new (NULL);
  append_span (word, view->crop.first_query, view->crop.n_queries);
  g_string_append_c (word, ',');
  append_span (word, view->crop.first_key, view->crop.n_keys);
  return g_string_free (word, FALSE);
}

static bool
is_combined (const AttnDrawView *view)
{
  return view->arrangement.combine != ATTN_COMBINE_NONE;
}

/* Lines are of several heads without combining them. */
static bool
chooses_heads (const AttnDrawView *view)
{
  return view->kind == ATTN_DRAW_LINES && !is_combined (view);
}

/* Which map it is, where the arrangement leaves a choice. */
static void
append_place (GString *text, const AttnDrawView *view)
{
  g_string_append_printf (text, "; view: %s", attn_draw_kind_peek_name (view->kind));
  if (view->kind == ATTN_DRAW_LAYERS)
    return;
  if (chooses_heads (view)) {
    g_string_append_printf (text, ", layer %zu (counted from 1)", view->layer + 1);
    if (!attn_head_set_is_empty (&view->arrangement.heads)) {
      g_string_append (text, ", shown:");
      attn_draw_append_heads (text, &view->arrangement.heads);
    }
  } else if (!is_combined (view)) {
    g_string_append_printf (text, ", layer %zu, head %zu (counted from 1)", view->layer + 1,
                            view->head + 1);
  } else if (!view->arrangement.combine_layers) {
    g_string_append_printf (text, ", layer %zu (counted from 1)", view->layer + 1);
  }
}

/* A picture whose texts are valid UTF-8: a model's name is a folder's, which may be any bytes. */
typedef struct {
  AttnDrawPicture picture;
  GPtrArray *texts;     /* of char *, owned: the picture's */
  AttnDrawView *view;   /* owned; with its strings */
  AttnMaps *sources[2]; /* of A and B, where they are of arrays; borrowed */
} Named;

static void
append_hash (GString *text, const char *of, const char *sha256)
{
  g_string_append_printf (text, "; %s: SHA-256 %s", of, sha256 != NULL ? sha256 : "not known");
}

static void
append_model (GString *text, const AttnDrawPicture *picture, bool of_b)
{
  const char *pair = of_b ? picture->pair_b : picture->pair;
  g_string_append_printf (text, "%s: %s", of_b ? "; compared with model" : "; model",
                          of_b ? picture->model_name_b : picture->model_name);
  append_hash (text, "weights", of_b ? picture->weights_sha256_b : picture->weights_sha256);
  g_string_append_printf (text, "; text: %s", of_b ? picture->text_b : picture->text);
  if (pair != NULL)
    g_string_append_printf (text, "; second text: %s", pair);
}

/* The file instead of the model, and tokens instead of the text. */
static void
append_arrays (GString *text, const Named *named, bool of_b)
{
  const AttnDrawPicture *picture = &named->picture;
  const AttnArrays *arrays = attn_maps_peek_arrays (named->sources[of_b]);
  const char *pair = of_b ? picture->pair_b : picture->pair;
  g_string_append_printf (text, "%s: %s", of_b ? "; compared with attention" : "; attention",
                          of_b ? picture->model_name_b : picture->model_name);
  if (attn_arrays_peek_array (arrays) != NULL)
    g_string_append_printf (text, ", array %s", attn_arrays_peek_array (arrays));
  g_string_append_printf (text, ", %s of %s", attn_arrays_peek_shape (arrays),
                          attn_arrays_peek_dtype (arrays));
  append_hash (text, "file", of_b ? picture->weights_sha256_b : picture->weights_sha256);
  const char *line = of_b ? picture->text_b : picture->text;
  if (line == NULL)
    g_string_append (text, "; tokens: numbers");
  else
    g_string_append_printf (text, "; %s: %s", pair != NULL ? "queries" : "tokens", line);
  if (pair != NULL)
    g_string_append_printf (text, "; keys: %s", pair);
}

static void
append_side (GString *text, const Named *named, bool of_b)
{
  if (named->sources[of_b] != NULL)
    append_arrays (text, named, of_b);
  else
    append_model (text, &named->picture, of_b);
}

/* What is compared with the model and the text told before. */
static void
append_side_b (GString *text, const Named *named)
{
  const AttnDrawView *view = named->picture.view;
  append_side (text, named, true);
  if (!is_combined (view))
    g_string_append_printf (text, "; layer %zu, head %zu", view->layer_b + 1, view->head_b + 1);
  else if (!view->arrangement.combine_layers)
    g_string_append_printf (text, "; layer %zu", view->layer_b + 1);
}

static bool
is_on_sheets (const AttnDrawPicture *picture)
{
  return picture->format == ATTN_DRAW_PDF && picture->page.size != ATTN_DRAW_PAGE_PICTURE;
}

/* English whatever the picture's language, since it is for programs and for looking things up. The
 * model is named, not its folder: a figure that is passed on tells nothing of its maker's disk. */
static char *
describe (const Named *named)
{
  const AttnDrawPicture *picture = &named->picture;
  const AttnDrawView *view = picture->view;
  char number[ATTN_NUMBER_SIZE];
  GString *text = g_string_new ("Headscope " HS_VERSION);
  append_side (text, named, false);
  if (picture->max_tokens > 0 && named->sources[0] == NULL)
    g_string_append_printf (text, "; at most %zu tokens", picture->max_tokens);
  if (view->kind == ATTN_DRAW_COMPARE)
    append_side_b (text, named);
  append_place (text, view);
  if (!attn_arrangement_is_plain (&view->arrangement)) {
    g_string_append (text, "; arranged by");
    attn_draw_append_arrangement (text, &view->arrangement);
  }
  if (view->words != NULL && view->arrangement.unit == ATTN_UNIT_WORDS) {
    g_autofree char *name = g_path_get_basename (attn_word_list_peek_path (view->words));
    g_string_append_printf (text, "; word list: %s", name);
  }
  if (view->scale != ATTN_DRAW_SCALE_LINEAR)
    g_string_append_printf (text, "; colour scale: %s", attn_draw_scale_peek_name (view->scale));
  g_autofree char *crop = dup_crop (view);
  if (crop != NULL)
    g_string_append_printf (text, "; rows and columns: %s (from 0, ends left out)", crop);
  if (is_on_sheets (picture))
    g_string_append_printf (text, "; page: %s%s",
                            attn_draw_page_size_peek_name (picture->page.size),
                            picture->page.landscape ? ", landscape" : "");
  g_string_append_printf (text, "; range: %s; colour map: %s%s; palette: %s",
                          range_word (view, number),
                          attn_draw_color_map_peek_name (view->color_map),
                          attn_draw_view_reverses_map (view) ? " reversed" : "",
                          attn_draw_palette_peek_name (view->palette));
  g_string_append_printf (text, "; font: %s, %s pt", view->font_family,
                          format_number (number, view->font_size_pt));
  return g_string_free (text, FALSE);
}

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
  named->sources[of_b] = source;
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

static bool
check_fonts (const AttnDrawView *view, GError **error)
{
  g_autoptr (AttnDrawFonts) fonts = attn_draw_fonts_new (view);

  if (attn_draw_fonts_exist (fonts))
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
               "there is no font to write with in pictures: install one, such as DejaVu Sans");
  return false;
}

GBytes *
attn_draw_picture_write (const AttnDrawPicture *picture, AttnDrawPanels *panels, GError **error)
{
  if (!check_fonts (picture->view, error))
    return NULL;
  g_auto (Named) named;
  named_init (&named, picture, panels);
  g_autofree char *description = describe (&named);
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
  GByteArray *bytes = NULL;
  if (picture->format == ATTN_DRAW_SVG)
    bytes = attn_draw_write_svg (layout, picture->scale, &provenance, picture->progress,
                                 picture->progress_data, error);
  else
    bytes = attn_draw_write_png (layout, picture->scale, &provenance, picture->progress,
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

static void
append_option (GString *line, const char *option, const char *value)
{
  bool plain = *value != '\0';
  for (const char *p = value; *p != '\0' && plain; p++)
    plain = g_ascii_isalnum (*p) || strchr ("_-+./,:@%", *p) != NULL;
  g_autofree char *quoted = plain ? g_strdup (value) : g_shell_quote (value);
  g_string_append_printf (line, " %s %s", option, quoted);
}

static void
append_count (GString *line, const char *option, size_t count)
{
  g_string_append_printf (line, " %s %zu", option, count);
}

static void
append_number (GString *line, const char *option, double value)
{
  char number[ATTN_NUMBER_SIZE];
  append_option (line, option, format_number (number, value));
}

/* Sheets of paper settle the size; else the view does. */
static void
append_size (GString *line, const AttnDrawPicture *picture)
{
  const AttnDrawView *view = picture->view;
  if (is_on_sheets (picture)) {
    append_option (line, "--page", attn_draw_page_size_peek_name (picture->page.size));
    g_string_append (line, picture->page.landscape ? " --landscape" : "");
    return;
  }
  append_number (line, "--width-px", view->width_px);
  if (view->max_height_px > 0)
    append_number (line, "--height-px", view->max_height_px);
  if (view->map_px > 0)
    append_number (line, "--map-px", view->map_px);
}

static void
append_arrangement (GString *line, const AttnDrawView *view)
{
  attn_draw_append_arrangement (line, &view->arrangement);
  if (chooses_heads (view))
    attn_draw_append_heads (line, &view->arrangement.heads);
  if (view->words != NULL && view->arrangement.unit == ATTN_UNIT_WORDS)
    append_option (line, "--words-file", attn_word_list_peek_path (view->words));
}

static void
append_view (GString *line, const AttnDrawView *view)
{
  char number[ATTN_NUMBER_SIZE];
  append_option (line, "--view", attn_draw_kind_peek_name (view->kind));
  if (!is_combined (view) || !view->arrangement.combine_layers)
    append_count (line, "--layer", view->layer + 1);
  if (!is_combined (view) && !chooses_heads (view))
    append_count (line, "--head", view->head + 1);
  append_arrangement (line, view);
  append_option (line, "--range", range_word (view, number));
  if (view->scale != ATTN_DRAW_SCALE_LINEAR)
    append_option (line, "--color-scale", attn_draw_scale_peek_name (view->scale));
  g_autofree char *crop = dup_crop (view);
  if (crop != NULL)
    append_option (line, "--crop", crop);
  if (view->hides_values)
    g_string_append (line, " --no-values");
  append_option (line, "--colormap", attn_draw_color_map_peek_name (view->color_map));
  append_option (line, "--palette", attn_draw_palette_peek_name (view->palette));
  append_number (line, "--font-size", view->font_size_pt);
  append_option (line, "--font", view->font_family);
  if (view->n_columns > 0)
    append_count (line, "--columns", view->n_columns);
  if (view->has_pin && view->pin_query != G_MAXSIZE)
    append_count (line, "--pin-query", view->pin_query);
  if (view->has_pin && view->pin_key != G_MAXSIZE)
    append_count (line, "--pin-key", view->pin_key);
}

/* The options of a side that is of arrays; @suffix is "" or "-b". */
static void
append_arrays_options (GString *line, const AttnDrawArrays *arrays, const char *suffix)
{
  const struct {
    const char *name, *value;
  } options[] = {{"--attention", arrays->attention},
                 {"--array", arrays->array},
                 {"--tokens", arrays->tokens},
                 {"--token-list", arrays->token_list},
                 {"--key-list", arrays->key_list}};
  for (size_t i = 0; i < G_N_ELEMENTS (options); i++) {
    g_autofree char *name = g_strconcat (options[i].name, suffix, NULL);
    if (options[i].value != NULL)
      append_option (line, name, options[i].value);
  }
}

static bool
is_same_arrays (const AttnDrawArrays *a, const AttnDrawArrays *b)
{
  return g_strcmp0 (a->attention, b->attention) == 0 && g_strcmp0 (a->array, b->array) == 0 &&
         g_strcmp0 (a->tokens, b->tokens) == 0 && g_strcmp0 (a->token_list, b->token_list) == 0 &&
         g_strcmp0 (a->key_list, b->key_list) == 0;
}

/* A text of its own has no pair but its own. */
static void
append_model_b (GString *line, const AttnDrawPicture *picture)
{
  bool of_arrays = picture->arrays.attention != NULL;
  const char *model = of_arrays ? NULL : picture->model != NULL ? picture->model : "demo";

  if (picture->model_b != NULL && g_strcmp0 (picture->model_b, model) != 0)
    append_option (line, "--model-b", picture->model_b);
  if (of_arrays || g_strcmp0 (picture->text, picture->text_b) != 0 ||
      g_strcmp0 (picture->pair, picture->pair_b) != 0) {
    append_option (line, "--text-b", picture->text_b);
    if (picture->pair_b != NULL)
      append_option (line, "--pair-b", picture->pair_b);
  }
}

/* Only what tells B from A. */
static void
append_command_b (GString *line, const AttnDrawPicture *picture)
{
  const AttnDrawView *view = picture->view;

  if (picture->arrays_b.attention == NULL)
    append_model_b (line, picture);
  else if (!is_same_arrays (&picture->arrays, &picture->arrays_b))
    append_arrays_options (line, &picture->arrays_b, "-b");
  append_count (line, "--layer-b", view->layer_b + 1);
  append_count (line, "--head-b", view->head_b + 1);
}

/* What the picture is of. */
static void
append_subject (GString *line, const AttnDrawPicture *picture)
{
  if (picture->arrays.attention != NULL) {
    append_arrays_options (line, &picture->arrays, "");
    return;
  }
  append_option (line, "--model", picture->model != NULL ? picture->model : "demo");
  append_option (line, "--text", picture->text);
  if (picture->pair != NULL)
    append_option (line, "--pair", picture->pair);
  if (picture->max_tokens > 0)
    append_count (line, "--max-tokens", picture->max_tokens);
}

char *
attn_draw_picture_dup_numbers_command (const AttnDrawPicture *picture,
                                       const AttnExportChoice *choice,
                                       AttnExportFormat format,
                                       const char *path)
{
  const AttnDrawView *view = picture->view;
  GString *line = g_string_new ("headscope-cli attention");
  append_subject (line, picture);
  if (!choice->all_layers && !(is_combined (view) && view->arrangement.combine_layers))
    append_count (line, "--layer", choice->layer + 1);
  if (!choice->all_heads && !is_combined (view))
    append_count (line, "--head", choice->head + 1);
  append_arrangement (line, view);
  append_option (line, "--format", attn_export_format_peek_name (format));
  append_option (line, "-o", path);
  return g_string_free (line, FALSE);
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

char *
attn_draw_picture_dup_command (const AttnDrawPicture *picture, const char *path)
{
  GString *line = g_string_new ("headscope-cli render");
  append_subject (line, picture);
  if (picture->view->kind == ATTN_DRAW_COMPARE)
    append_command_b (line, picture);
  append_view (line, picture->view);
  append_size (line, picture);
  append_option (line, "--format", attn_draw_format_peek_name (picture->format));
  append_number (line, "--scale", picture->scale);
  append_option (line, "--lang", picture->language != NULL ? picture->language : "en");
  append_option (line, "-o", path);
  return g_string_free (line, FALSE);
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
  /* as many digits as a command line carries, so that it makes the same file */
  char number[ATTN_NUMBER_SIZE];
  if (format == ATTN_DRAW_PNG)
    view->width_px = g_ascii_strtod (format_number (number, width_px), NULL);
  else
    *scale = g_ascii_strtod (format_number (number, width_px / view->width_px), NULL);
}
