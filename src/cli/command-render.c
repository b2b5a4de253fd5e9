/* SPDX-License-Identifier: MIT */
/* headscope-cli render: a picture as a file, the same bytes as the window's export. */
#include "arranged.h"
#include "cli.h"
#include "crop.h"
#include "elsewhere.h"
#include "language.h"
#include "lens.h"
#include "picture-looks.h"
#include "picture-size.h"
#include "render-draw.h"
#include "render-lab.h"
#include "subject.h"

#include "attn-draw/session.h"
#include "attn-hub/store.h"
#include "attn/quote.h"

#include <math.h>
#include <string.h>

#define MIN_RANGE 1e-9 /* weights are 0 to 1; a map is drawn in f32 */
#define MAX_RANGE 1e9

static bool
read_view_kind (const char *name, AttnDrawView *view, GError **error)
{
  return name == NULL || attn_draw_kind_find (name, &view->kind) ||
         cli_usage_value (error, "--view", name,
                          "known are heatmap, heads, layers, lines, text and compare");
}

static bool
read_range (const char *word, AttnDrawView *view, GError **error)
{
  static const char *const words[] = {"map", "layer", "model"};
  static const AttnDrawRange ranges[] = {ATTN_DRAW_RANGE_MAP, ATTN_DRAW_RANGE_LAYER,
                                         ATTN_DRAW_RANGE_MODEL};
  if (word == NULL)
    return true; /* the view's own choice */
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (word, words[i]) == 0) {
      view->range = ranges[i];
      return true;
    }
  char *end = NULL;
  double max = g_ascii_strtod (word, &end);
  if (end == word || *end != '\0' || !(max >= MIN_RANGE && max <= MAX_RANGE))
    return cli_usage_value (error, "--range", word,
                            "wanted is map, layer, model or a number from %g to %g", MIN_RANGE,
                            MAX_RANGE);
  view->range = ATTN_DRAW_RANGE_FIXED;
  view->range_max = max;
  return true;
}

static bool
read_language (const CliOptions *options, AttnDrawPicture *picture, GError **error)
{
  if (options->lang != NULL)
    picture->language = options->lang;
  return cli_language_check (picture->language, error);
}

/* A lens of whole layers has one map for all heads. */
static bool
read_lens (const CliOptions *options, AttnDrawView *view, GError **error)
{
  if (options->lens != NULL && !cli_lens_read (options, &view->lens, error))
    return false;
  return cli_lens_check (view->lens, options, error);
}

/* Rows and columns that a session's view names are those of its own arrangement. */
static bool
read_arrangement (const CliOptions *options, AttnDrawView *view, GError **error)
{
  AttnArrangement before = view->arrangement;
  if (!cli_arrangement_read (options, &view->arrangement, view->kind == ATTN_DRAW_LINES, error) ||
      !cli_words_read (options, &view->arrangement, &view->words, error))
    return false;
  before.heads = view->arrangement.heads; /* rows are the same for any heads */
  if (!attn_arrangement_equal (&before, &view->arrangement) || options->words_file != NULL) {
    view->pin_query = view->pin_key = G_MAXSIZE;
    view->crop = (AttnDrawCrop){0};
  }
  return true;
}

static bool
read_picture (const CliOptions *options,
              AttnDrawPicture *picture,
              AttnDrawView *view,
              GError **error)
{
  AttnDrawFormat format = picture->format;
  if (options->layer > 0)
    view->layer = options->layer - 1;
  if (options->head > 0)
    view->head = options->head - 1;
  if (!cli_picture_format_read (options, "-o", options->session != NULL, &picture->format, error))
    return false;
  bool same_format = options->session != NULL && picture->format == format;
  return read_view_kind (options->view, view, error) && read_range (options->range, view, error) &&
         read_lens (options, view, error) && read_arrangement (options, view, error) &&
         cli_crop_read (options->crop, 0, 0, &view->crop, error) &&
         cli_picture_looks_read (options, view, error) &&
         cli_picture_size_read (options, same_format, picture, view, error) &&
         read_language (options, picture, error);
}

/* A model that has moved since is the usual trouble with sessions, so the message says what to do.
 * Returns: whether @model, of side @key, is there. */
static bool
check_model (const CliOptions *options, const char *model, const char *key, GError **error)
{
  g_autoptr (GError) missing = NULL;
  g_autofree char *folder = attn_hub_find_model (model, &missing);
  if (folder != NULL)
    return true;
  g_autofree char *shown = attn_file_dup_shown (options->session, strlen (options->session));
  g_set_error (error, missing->domain, missing->code,
               "%s: %s: model: %s; say where it is now by --model%s", shown, key, missing->message,
               *key == 'b' ? "-b" : "");
  return false;
}

/* A file of arrays that the session has, with its tokens unless options tell others; one that has
 * moved since keeps them. */
static void
take_arrays (CliOptions *options, const AttnDrawSessionSide *side)
{
  options->fits_arrays[0] = options->attention == NULL;
  if (options->attention == NULL)
    options->attention = side->attention;
  if (options->array == NULL)
    options->array = side->array;
  if (options->tokens != NULL || options->token_list != NULL || options->key_list != NULL)
    return;
  options->forgives_tokens = true;
  options->tokens = side->tokens;
  if (side->tokens == NULL)
    options->token_list = side->token_list;
  if (options->token_list != NULL)
    options->key_list = side->key_list;
}

static void
take_arrays_b (CliOptions *options, const AttnDrawSessionSide *side)
{
  options->fits_arrays[1] = options->attention_b == NULL;
  if (options->attention_b == NULL)
    options->attention_b = side->attention;
  if (options->array_b == NULL)
    options->array_b = side->array;
  if (options->tokens_b != NULL || options->token_list_b != NULL || options->key_list_b != NULL)
    return;
  options->forgives_tokens_b = true;
  options->tokens_b = side->tokens;
  if (side->tokens == NULL)
    options->token_list_b = side->token_list;
  if (options->token_list_b != NULL)
    options->key_list_b = side->key_list;
}

/* What B is, unless options tell another one, or another view without B. Returns: false with @error
 * where the session's model is not there. */
static bool
take_side_b (CliOptions *options, const AttnDrawSession *session, GError **error)
{
  const AttnDrawSessionSide *side = &session->b;
  const char *kind = attn_draw_kind_peek_name (ATTN_DRAW_COMPARE);
  bool compares = options->view != NULL ? strcmp (options->view, kind) == 0
                                        : session->view->kind == ATTN_DRAW_COMPARE;

  if (!compares)
    return true;
  if (side->attention != NULL && options->model_b == NULL && options->text_b == NULL)
    take_arrays_b (options, side);
  if (side->attention != NULL || options->attention_b != NULL || side->text == NULL)
    return true;
  if (options->model_b == NULL && side->model != NULL &&
      !check_model (options, side->model, "b", error))
    return false;
  if (options->model_b == NULL)
    options->model_b = side->model;
  if (options->text_b != NULL)
    return true;
  options->text_b = side->text;
  if (options->pair_b == NULL)
    options->pair_b = side->pair;
  return true;
}

/* Returns: false with @error where the session's model is not there. */
static bool
take_side_a (CliOptions *options, const AttnDrawSession *session, GError **error)
{
  const AttnDrawSessionSide *side = &session->a;
  bool has_model = options->model != NULL || options->text != NULL || options->file != NULL;

  if (side->attention != NULL && !has_model)
    take_arrays (options, side);
  if (options->attention != NULL)
    return true;
  if (options->model == NULL && !check_model (options, side->model, "a", error))
    return false;
  if (options->model == NULL)
    options->model = side->model;
  if (options->text == NULL && options->file == NULL)
    options->text = side->text;
  if (options->pair == NULL)
    options->pair = side->pair;
  if (options->max_tokens == 0)
    options->max_tokens = side->max_tokens;
  return true;
}

/* The session that was named, or a new one; its parts take the place of options not given. */
static AttnDrawSession *
open_session (CliOptions *options, GError **error)
{
  if (options->session == NULL)
    return attn_draw_session_new ();
  g_autoptr (AttnDrawSession) session = attn_draw_session_load (options->session, error);
  if (session == NULL || !take_side_a (options, session, error))
    return NULL;
  for (guint i = 0; i < session->warnings->len; i++)
    cli_warn ("warning: %s", (const char *)g_ptr_array_index (session->warnings, i));
  return take_side_b (options, session, error) ? g_steal_pointer (&session) : NULL;
}

/* Options that tell what B is make no difference to a picture without B. */
static bool
check_b (const CliOptions *options, const AttnDrawView *view, GError **error)
{
  bool has_b = options->text_b != NULL || options->pair_b != NULL || options->model_b != NULL ||
               options->attention_b != NULL || options->layer_b > 0 || options->head_b > 0;
  return view->kind == ATTN_DRAW_COMPARE || !has_b ||
         cli_usage (error, "--text-b, --pair-b, --model-b, --attention-b, --layer-b and --head-b "
                           "go with --view compare");
}

/* What makes no difference to the view is refused, so that nobody waits for it to make one. */
static bool
check_kind (const CliOptions *options, const AttnDrawView *view, GError **error)
{
  if (options->n_columns > 0 && view->kind != ATTN_DRAW_HEADS)
    return cli_usage (error, "--columns is for the view heads");
  if (options->map_px > 0 && view->kind != ATTN_DRAW_LAYERS)
    return cli_usage (error, "--map-px is for the view layers");
  if (options->crop != NULL && !attn_draw_kind_has_cells (view->kind))
    return cli_usage (error, "--crop is for views of maps, not for lines and text");
  if (options->mask_positions != NULL && view->kind == ATTN_DRAW_COMPARE)
    return cli_usage (error,
                      "--mask-positions is not for the view compare: write the mask into the "
                      "texts");
  return check_b (options, view, error);
}

/* The map that options ask for, with the session's view under them. */
static GBytes *
render_map (const CliOptions *options, AttnDrawSession *session, GError **error)
{
  AttnDrawView *view = session->view;
  AttnDrawPicture picture = attn_draw_session_to_picture (session);
  if (!read_picture (options, &picture, view, error) || !check_kind (options, view, error))
    return NULL;
  picture.translate = cli_language_use (picture.language);
  return view->kind == ATTN_DRAW_COMPARE ? cli_render_compared (options, &picture, view, error)
                                         : cli_render_one (options, &picture, view, error);
}

bool
cli_render (const CliOptions *given, GError **error)
{
  CliOptions options = *given;
  g_autoptr (AttnDrawSession) session = open_session (&options, error);
  if (session == NULL || !cli_arrays_check (&options, error))
    return false;
  g_autoptr (GBytes) bytes = cli_render_is_lab (&options, session)
                                 ? cli_render_lab (&options, session, error)
                                 : render_map (&options, session, error);
  if (bytes == NULL)
    return false;
  g_autoptr (AttnOutput) output = cli_open_binary_output (&options, "a picture", error);
  gsize size = 0;
  const void *data = g_bytes_get_data (bytes, &size);
  return output != NULL && attn_output_write (output, data, size, error) &&
         attn_output_commit (output, error);
}
