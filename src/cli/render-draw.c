/* SPDX-License-Identifier: MIT */
/* headscope-cli render: running the models and drawing, once it is known what is wanted. */
#include "render-draw.h"

#include "arranged.h"
#include "cli.h"
#include "compared.h"
#include "crop.h"
#include "lens.h"
#include "subject.h"

#include "attn-draw/session.h"
#include "attn-hub/store.h"
#include "attn/quote.h"

#include <string.h>

/* A session's place in the picture where no option tells it. */
static void
fit_place (const CliOptions *options, AttnDrawView *view, AttnDrawPanels *panels)
{
  if (options->session == NULL)
    return;
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  attn_draw_session_fit_place (attn_draw_panels_get_n_joint (panels, ATTN_SIDE_QUERY),
                               attn_draw_panels_get_n_joint (panels, ATTN_SIDE_KEY), view,
                               warnings);
  cli_warn_of_session (options, warnings);
}

static bool
check_pin (const char *option,
           size_t pin,
           AttnDrawPanels *panels,
           AttnSide side,
           bool plain,
           GError **error)
{
  size_t n = attn_draw_panels_get_n_joint (panels, side);
  if (pin == G_MAXSIZE || pin < n)
    return true;
  return cli_usage (error, "%s %zu: the %s 0 to %zu", option, pin,
                    plain                     ? "text has tokens"
                    : side == ATTN_SIDE_QUERY ? "picture has rows"
                                              : "picture has columns",
                    n - 1);
}

/* Once it is known how many rows and columns there are. */
static bool
read_pins (const CliOptions *options, AttnDrawView *view, AttnDrawPanels *panels, GError **error)
{
  bool plain = attn_arrangement_is_plain (&view->arrangement);
  fit_place (options, view, panels);
  if (options->pin_query != G_MAXSIZE)
    view->pin_query = options->pin_query;
  if (options->pin_key != G_MAXSIZE)
    view->pin_key = options->pin_key;
  view->has_pin = view->pin_query != G_MAXSIZE || view->pin_key != G_MAXSIZE;
  return check_pin ("--pin-query", view->pin_query, panels, ATTN_SIDE_QUERY, plain, error) &&
         check_pin ("--pin-key", view->pin_key, panels, ATTN_SIDE_KEY, plain, error);
}

static bool
read_crop (const CliOptions *options, AttnDrawView *view, AttnDrawPanels *panels, GError **error)
{
  return cli_crop_read (options->crop, attn_draw_panels_get_n_joint (panels, ATTN_SIDE_QUERY),
                        attn_draw_panels_get_n_joint (panels, ATTN_SIDE_KEY), &view->crop, error);
}

/* Titles are C strings: U+0000 is shown as its picture. NULL stays NULL. */
static char *
dup_for_title (const char *text, size_t length)
{
  if (text == NULL)
    return NULL;
  GString *shown = g_string_new_len (text, (gssize)length);
  for (gsize i = 0; i < shown->len; i++)
    if (shown->str[i] == '\0') {
      g_string_erase (shown, (gssize)i, 1);
      g_string_insert (shown, (gssize)i, "␀");
    }
  return g_string_free (shown, FALSE);
}

void
cli_render_compare_weights (const char *wanted, const char *sha256, const char *session)
{
  if (wanted == NULL || sha256 == NULL || strcmp (wanted, sha256) == 0)
    return;
  g_autofree char *shown = attn_file_dup_shown (session, strlen (session));
  cli_warn ("warning: %s: the session was made with other weights, of SHA-256 %s", shown, wanted);
}

/* A picture whose cells could not be told apart would be of no use, so it is made higher. */
static void
warn_of_height (const AttnDrawPicture *picture, AttnDrawPanels *panels)
{
  const double most = picture->view->max_height_px;
  if (most <= 0 || picture->page.size != ATTN_DRAW_PAGE_PICTURE)
    return;
  g_autoptr (AttnDrawPages) pages = attn_draw_picture_new_pages (picture, panels);
  const double height = attn_draw_layout_get_height (attn_draw_pages_peek_layout (pages, 0));
  if (height > most)
    cli_warn ("warning: the picture is %.0f px high: it could not be read at %.0f px", height,
              most);
}

/* Whoever makes pictures on a machine without a screen may not have thought of fonts. */
static void
warn_of_fonts (const AttnDrawPicture *picture)
{
  g_autofree char *fallback = attn_draw_picture_dup_fallback (picture->view);
  if (fallback != NULL) {
    const char *wanted = picture->view->font_family;
    g_autofree char *shown = attn_file_dup_shown (wanted, strlen (wanted));
    cli_warn ("warning: the font family %s is not installed: letters are of %s", shown, fallback);
  }
  const char *const texts[] = {picture->text, picture->pair, picture->text_b, picture->pair_b};
  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++)
    if (texts[i] != NULL && !attn_draw_picture_can_show (picture->view, texts[i])) {
      cli_warn (
          "warning: no installed font has some characters of the text: they are drawn as boxes");
      return;
    }
}

static GBytes *
write_picture (const AttnDrawPicture *picture, AttnDrawPanels *panels, GError **error)
{
  warn_of_height (picture, panels);
  GBytes *bytes = attn_draw_picture_write (picture, panels, error);
  if (bytes != NULL)
    warn_of_fonts (picture);
  return bytes;
}

/* As titles have it. */
static const char *
peek_name (const CliSubject *subject)
{
  return subject->model != NULL ? attn_hub_peek_model_name (subject->model) : subject->name;
}

static GBytes *
draw (const CliSubject *subject,
      AttnDrawPicture *picture,
      AttnDrawView *view,
      const CliOptions *options,
      const CliText *text,
      GError **error)
{
  g_autoptr (CliHash) hash = cli_hash_start (subject);
  g_autoptr (AttnMaps) maps = cli_subject_new_maps (subject, text, error);
  if (maps == NULL)
    return NULL;
  g_autoptr (AttnTarget) target = NULL;
  if (subject->masked != NULL && view->lens == ATTN_LENS_GRADIENT &&
      attn_lens_get_reason (view->lens, maps) == ATTN_LENS_FITS) {
    target = cli_lens_new_target (attn_maps_peek_trace (maps), subject, text, error);
    if (target == NULL)
      return NULL;
  }
  view->target = target;
  g_autoptr (AttnDrawPanels) panels =
      attn_draw_panels_new (view, maps, subject->pool, NULL, NULL, error);
  view->target = NULL;
  if (panels == NULL || !read_pins (options, view, panels, error) ||
      !read_crop (options, view, panels, error))
    return NULL;
  g_autofree char *title_text = dup_for_title (text->text, text->text_length);
  g_autofree char *title_pair = dup_for_title (text->pair, text->pair_length);
  picture->view = view;
  picture->model_name = peek_name (subject);
  picture->text = title_text;
  picture->pair = title_pair;
  picture->mask_positions = options->mask_positions;
  picture->max_tokens = options->max_tokens;
  const char *sha256 = cli_hash_wait (hash);
  cli_render_compare_weights (picture->weights_sha256, sha256, options->session);
  picture->weights_sha256 = sha256;
  return write_picture (picture, panels, error);
}

static bool
check_columns (const CliSubject *subject, size_t n_columns, GError **error)
{
  size_t n_heads = cli_subject_get_n_heads (subject);
  if (n_columns <= n_heads)
    return true;
  return cli_usage (error, "--columns %zu: wanted are 1 to %zu, as a layer has heads", n_columns,
                    n_heads);
}

/* A session's layer and head where no option tells them; what it names may have fewer now. */
static void
fit_heads (const CliOptions *options, const CliSubject *subject, AttnDrawView *view)
{
  if (options->session == NULL)
    return;
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  attn_draw_session_fit ("layer", cli_subject_get_n_layers (subject), &view->layer, warnings);
  attn_draw_session_fit ("head", cli_subject_get_n_heads (subject), &view->head, warnings);
  cli_warn_of_session (options, warnings);
}

/* Heads that are combined, or have lines, likewise: of a session only those that there are now.
 * Returns: false with @error where an option names others. */
static bool
check_chosen (const CliOptions *options,
              size_t n_heads,
              AttnArrangement *arrangement,
              GError **error)
{
  if (options->session != NULL && options->heads == NULL && options->head == 0) {
    g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
    attn_draw_session_fit_heads (n_heads, arrangement, warnings);
    cli_warn_of_session (options, warnings);
  }
  return cli_arrangement_check (arrangement, n_heads, error);
}

GBytes *
cli_render_one (const CliOptions *options,
                AttnDrawPicture *picture,
                AttnDrawView *view,
                GError **error)
{
  g_autoptr (GPtrArray) texts = cli_texts_read (options, error);
  g_auto (CliSubject) subject = {0};
  if (texts == NULL || !cli_subject_init (&subject, options, error) ||
      !cli_subject_check (&subject, options->layer, options->head, error) ||
      !check_chosen (options, cli_subject_get_n_heads (&subject), &view->arrangement, error) ||
      !check_columns (&subject, options->n_columns, error))
    return NULL;
  fit_heads (options, &subject, view);
  return draw (&subject, picture, view, options, g_ptr_array_index (texts, 0), error);
}

/* Layers and heads are the view's where no option tells them. */
static void
take_heads (CliOptions *options, const AttnDrawView *view)
{
  const bool has_session = options->session != NULL;
  options->fits_layer[0] = has_session && options->layer == 0;
  options->fits_head[0] = has_session && options->head == 0;
  options->fits_layer[1] = has_session && options->layer_b == 0;
  options->fits_head[1] = has_session && options->head_b == 0;
  if (options->layer == 0)
    options->layer = view->layer + 1;
  if (options->head == 0)
    options->head = view->head + 1;
  if (options->layer_b == 0 && options->session != NULL)
    options->layer_b = view->layer_b + 1;
  if (options->head_b == 0 && options->session != NULL)
    options->head_b = view->head_b + 1;
}

/* Both hashes at once, where there are two models. */
static GBytes *
write_compared (const CliCompared *compared,
                AttnDrawPicture *picture,
                AttnDrawPanels *panels,
                const CliOptions *options,
                GError **error)
{
  const CliSubject *subjects = compared->subjects;
  bool is_one_model =
      subjects[0].model == subjects[1].model && subjects[0].arrays == subjects[1].arrays;
  g_autoptr (CliHash) hash = cli_hash_start (&subjects[0]);
  g_autoptr (CliHash) hash_b = is_one_model ? NULL : cli_hash_start (&subjects[1]);
  const CliText *a = cli_compared_peek_text (compared, false);
  const CliText *b = cli_compared_peek_text (compared, true);
  g_autofree char *text = dup_for_title (a->text, a->text_length);
  g_autofree char *pair = dup_for_title (a->pair, a->pair_length);
  g_autofree char *text_b = dup_for_title (b->text, b->text_length);
  g_autofree char *pair_b = dup_for_title (b->pair, b->pair_length);

  picture->model_name = peek_name (&subjects[0]);
  picture->model_name_b = peek_name (&subjects[1]);
  picture->model_b = options->model_b;
  picture->text = text;
  picture->pair = pair;
  picture->text_b = text_b;
  picture->pair_b = pair_b;
  picture->max_tokens = options->max_tokens;
  const char *sha256 = cli_hash_wait (hash);
  const char *sha256_b = is_one_model ? sha256 : cli_hash_wait (hash_b);
  cli_render_compare_weights (picture->weights_sha256, sha256, options->session);
  cli_render_compare_weights (picture->weights_sha256_b, sha256_b, options->session);
  picture->weights_sha256 = sha256;
  picture->weights_sha256_b = sha256_b;
  return write_picture (picture, panels, error);
}

GBytes *
cli_render_compared (const CliOptions *given,
                     AttnDrawPicture *picture,
                     AttnDrawView *view,
                     GError **error)
{
  CliOptions options = *given;
  g_auto (CliCompared) compared = {0};

  take_heads (&options, view);
  if (!cli_compared_init (&compared, &options, error))
    return NULL;
  for (int of = 0; of < 2; of++)
    if (!check_chosen (given, attn_maps_get_n_heads (compared.maps[of]), &view->arrangement, error))
      return NULL;
  view->layer = compared.layer[0];
  view->head = compared.head[0];
  view->layer_b = compared.layer[1];
  view->head_b = compared.head[1];
  g_autoptr (AttnDrawPanels) panels = attn_draw_panels_new_compare (
      view, compared.maps[0], compared.maps[1], compared.subjects[0].pool, NULL, NULL, error);
  if (panels == NULL || !read_pins (&options, view, panels, error) ||
      !read_crop (&options, view, panels, error))
    return NULL;
  picture->view = view;
  return write_compared (&compared, picture, panels, &options, error);
}
