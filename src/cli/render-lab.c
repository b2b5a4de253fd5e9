/* SPDX-License-Identifier: MIT */
/* The lab's figures, asked as a session's page asks for them. */
#include "render-lab.h"

#include "ablation.h"
#include "atlas-one.h"
#include "cli.h"
#include "lab-parts.h"
#include "language.h"
#include "picture-looks.h"
#include "picture-size.h"
#include "prune.h"
#include "render-draw.h"

#include "attn-draw/pipeline.h"
#include "attn-draw/several.h"
#include "attn-hub/store.h"

#include <string.h>

/* What is asked of a run. */
typedef struct {
  const CliOptions *options;
  const AttnDrawSession *session;
  CliLabRun run;
  bool has_followed;
  size_t followed;
  GPtrArray *warnings; /* of char *, owned */
} Asked;

bool
cli_render_is_lab (const CliOptions *options, const AttnDrawSession *session)
{
  if (options->session == NULL || !session->in_lab || options->view != NULL)
    return false;
  const bool has_figure =
      session->lab_page == ATTN_DRAW_LAB_PIPELINE || session->lab_page == ATTN_DRAW_LAB_HEADS ||
      session->lab_page == ATTN_DRAW_LAB_ABLATION || session->lab_page == ATTN_DRAW_LAB_ATLAS;
  if (has_figure && (options->attention == NULL || session->lab_page == ATTN_DRAW_LAB_ATLAS))
    return true;
  cli_warn ("note: the session shows the lab, but %s: drawn is the map of Explore",
            has_figure ? "a file of attention has no run to draw"
                       : "the picture of its page is not kept in a session");
  return false;
}

/* What would make no difference is refused. */
static bool
check_options (const CliOptions *options, GError **error)
{
  static const char *const known[] = {
      "--session",   "--model",   "--text",     "--file", "--pair",   "--max-tokens",
      "--layer",     "--head",    "--threads",  "-o",     "--output", "--pin-query",
      "--format",    "--lang",    "--scale",    "--dpi",  "--font",   "--width-px",
      "--font-size", "--palette", "--colormap", NULL};
  for (size_t i = 0; i < options->n_given; i++)
    if (!g_strv_contains (known, options->given[i]))
      return cli_usage (error,
                        "%s is of no use to the lab's figure, which the session shows; with --view "
                        "its map is drawn",
                        options->given[i]);
  return true;
}

/* The window's exports of the lab have looks of their own, and the colours of the session's maps.
 */
static bool
read_picture (const CliOptions *options,
              const AttnDrawSession *session,
              AttnDrawPicture *picture,
              AttnDrawView *view,
              GError **error)
{
  view->color_map = session->view->color_map;
  view->width_px = CLI_LAB_FIGURE_WIDTH_PX;
  *picture = (AttnDrawPicture){
      .view = view,
      .format = session->format,
      .language = options->lang != NULL ? options->lang : session->language,
  };
  return check_options (options, error) &&
         cli_picture_format_read (options, "-o", true, &picture->format, error) &&
         cli_picture_looks_read (options, view, error) &&
         cli_picture_size_read (options, false, picture, view, error) &&
         cli_language_check (picture->language, error);
}

/* ---- where in the run ---- */

/* The token whose row is pinned in the session's maps, which may be of words. */
static bool
find_followed (Asked *asked, GError **error)
{
  size_t row = asked->options->pin_query;
  if (row == G_MAXSIZE)
    row = asked->session->view->pin_query;
  if (row == G_MAXSIZE)
    return true;
  g_autoptr (AttnDrawView) view = attn_draw_view_copy (asked->session->view);
  view->kind = ATTN_DRAW_HEATMAP;
  view->layer = asked->run.layer;
  view->head = asked->run.head;
  g_autoptr (AttnMaps) plain = attn_maps_new_from_trace (asked->run.trace);
  g_autoptr (AttnDrawPanels) panels =
      attn_draw_panels_new (view, plain, asked->run.subject.pool, NULL, NULL, error);
  if (panels == NULL)
    return false;
  AttnMaps *maps = attn_draw_panels_peek_maps (panels);
  const size_t n = attn_maps_get_n (maps, ATTN_SIDE_QUERY);
  if (row >= n && asked->options->pin_query != G_MAXSIZE)
    return cli_usage (error, "--pin-query %zu: the picture has rows 0 to %zu", row, n - 1);
  if (row >= n) {
    attn_draw_session_fit_place (n, attn_maps_get_n (maps, ATTN_SIDE_KEY), view, asked->warnings);
    return true;
  }
  AttnOrigin origin;
  asked->has_followed = attn_maps_get_origin (maps, ATTN_SIDE_QUERY, row, &origin);
  if (asked->has_followed)
    asked->followed = origin.first;
  return true;
}

static bool
asked_init (Asked *asked, GError **error)
{
  CliOptions options = *asked->options;
  const AttnDrawView *view = asked->session->view;
  asked->warnings = g_ptr_array_new_with_free_func (g_free);
  if (!cli_lab_run_init (&asked->run, &options, error))
    return false;
  const CliSubject *subject = &asked->run.subject;
  if (options.layer == 0) {
    asked->run.layer = view->layer;
    attn_draw_session_fit ("layer", cli_subject_get_n_layers (subject), &asked->run.layer,
                           asked->warnings);
  }
  if (options.head == 0) {
    asked->run.head = view->head;
    attn_draw_session_fit ("head", cli_subject_get_n_heads (subject), &asked->run.head,
                           asked->warnings);
  }
  return find_followed (asked, error);
}

static void
asked_clear (Asked *asked)
{
  cli_lab_run_clear (&asked->run);
  g_clear_pointer (&asked->warnings, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Asked, asked_clear)

/* ---- the pages ---- */

/* The step, and its number where it is picked: not where another row is followed. Another family
 * may have no such step: the next one stands for it, as in the window. */
static AttnDrawExample *
find_example (Asked *asked, AttnDrawSteps *steps, AttnDrawPipeline *pipeline, GError **error)
{
  const AttnDrawLabPlace *place = &asked->session->lab_place;
  pipeline->step = place->step;
  while (pipeline->step + 1 < ATTN_N_STEPS && attn_draw_steps_peek (steps, pipeline->step) == NULL)
    pipeline->step++;
  if (attn_draw_steps_peek (steps, pipeline->step) == NULL)
    pipeline->step = ATTN_STEP_SUM;
  const AttnMatrix *matrix = attn_draw_steps_peek (steps, pipeline->step);
  pipeline->has_cell = place->row < matrix->n_rows && place->column < matrix->n_columns &&
                       (!asked->has_followed || asked->followed == place->row);
  pipeline->has_followed = asked->has_followed || pipeline->has_cell;
  pipeline->followed = pipeline->has_cell ? place->row : asked->followed;
  if (pipeline->has_cell)
    return attn_draw_example_new (steps, pipeline->step, place->row, place->column, error);
  const size_t row = pipeline->has_followed ? pipeline->followed : attn_draw_steps_find_row (steps);
  return attn_draw_example_new_usual (steps, pipeline->step, row, error);
}

static GBytes *
draw_pipeline (Asked *asked, const AttnDrawPicture *picture, GError **error)
{
  const CliLabRun *run = &asked->run;
  g_autoptr (AttnDrawSteps) steps = attn_draw_steps_new (run->trace, run->layer, run->head, error);
  if (steps == NULL)
    return NULL;
  AttnDrawPipeline pipeline = {0};
  g_autoptr (AttnDrawExample) example = find_example (asked, steps, &pipeline, error);
  pipeline.example = example;
  if (example == NULL)
    return NULL;
  cli_lab_note_width (asked->options, picture->view);
  return attn_draw_pipeline_write (steps, &pipeline, picture, error);
}

static GBytes *
draw_several (Asked *asked, const AttnDrawPicture *picture, GError **error)
{
  const AttnDrawLabPlace *place = &asked->session->lab_place;
  const CliLabRun *run = &asked->run;
  g_autoptr (AttnLayerHeads) heads =
      attn_layer_heads_new (run->trace, run->layer, run->subject.pool, error);
  if (heads == NULL)
    return NULL;
  const size_t chosen[] = {place->head_a, place->head_b};
  const bool fits = MAX (chosen[0], chosen[1]) < heads->n_heads && chosen[0] != chosen[1];
  const size_t *pair = place->pair == ATTN_DRAW_LAB_CHOSEN && fits ? chosen
                       : place->pair == ATTN_DRAW_LAB_ALIKE        ? heads->alike
                                                                   : heads->unlike;
  const AttnDrawSeveral several = {
      .heads = heads,
      .pair = {heads->n_heads > 1 ? pair[0] : 0, heads->n_heads > 1 ? pair[1] : 0},
      .head = run->head,
      .query = asked->has_followed ? asked->followed : G_MAXSIZE,
  };
  return attn_draw_several_write (&several, picture, error);
}

/* Layer and head of the session, or the last ones there are. */
static void
fit_head (const CliOptions *options,
          const CliSubject *subject,
          size_t *layer,
          size_t *head,
          GPtrArray *warnings)
{
  if (options->layer == 0)
    attn_draw_session_fit ("layer", cli_subject_get_n_layers (subject), layer, warnings);
  if (options->head == 0)
    attn_draw_session_fit ("head", cli_subject_get_n_heads (subject), head, warnings);
}

/* The page on heads that are off has runs of its own. */
static GBytes *
render_ablation (const CliOptions *options,
                 const AttnDrawSession *session,
                 AttnDrawPicture *picture,
                 GError **error)
{
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_auto (CliAblation) ablation = {.asked = ATTN_ABLATION_ASKED};
  size_t layer = options->layer > 0 ? options->layer - 1 : session->view->layer;
  size_t head = options->head > 0 ? options->head - 1 : session->view->head;
  attn_ablation_asked_set (&ablation.asked, &session->ablation);
  if (!cli_ablation_init (&ablation, options, true, error))
    return NULL;
  fit_head (options, &ablation.subject, &layer, &head, warnings);
  cli_warn_of_session (options, warnings);
  if (!cli_subject_check (&ablation.subject, layer + 1, head + 1, error))
    return NULL;
  GBytes *bytes = cli_ablation_draw (&ablation, options, layer, head, picture, error);
  if (bytes != NULL)
    cli_render_compare_weights (session->a.weights_sha256, picture->weights_sha256,
                                options->session);
  return bytes;
}

/* All heads of the session's text, or of its file of attention. */
static GBytes *
render_atlas (const CliOptions *options,
              const AttnDrawSession *session,
              AttnDrawPicture *picture,
              GError **error)
{
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_auto (CliAtlasOne) one = {0};
  size_t layer = options->layer > 0 ? options->layer - 1 : session->view->layer;
  size_t head = options->head > 0 ? options->head - 1 : session->view->head;
  if (!cli_atlas_one_init (&one, options, error))
    return NULL;
  fit_head (options, &one.subject, &layer, &head, warnings);
  cli_warn_of_session (options, warnings);
  if (!cli_subject_check (&one.subject, layer + 1, head + 1, error))
    return NULL;
  GBytes *bytes =
      cli_atlas_draw (&one.figure, options, &session->atlas, layer, head, picture, error);
  if (bytes != NULL)
    cli_render_compare_weights (session->a.weights_sha256, picture->weights_sha256,
                                options->session);
  return bytes;
}

/* Its other figure: how many heads can go. */
static GBytes *
render_pruning (const CliOptions *given,
                const AttnDrawSession *session,
                AttnDrawPicture *picture,
                GError **error)
{
  const AttnAblationAsked *asked = &session->ablation;
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_auto (CliPrune) prune = {0};
  CliOptions options = *given;
  size_t layer = given->layer > 0 ? given->layer - 1 : session->view->layer;
  size_t head = given->head > 0 ? given->head - 1 : session->view->head;
  options.labels = asked->labels;
  options.n_draws = asked->n_draws;
  options.seed = asked->seed;
  if (!cli_prune_init (&prune, &options, NULL, error))
    return NULL;
  fit_head (given, &prune.subject, &layer, &head, warnings);
  cli_warn_of_session (given, warnings);
  if (!cli_subject_check (&prune.subject, layer + 1, head + 1, error))
    return NULL;
  GBytes *bytes = cli_prune_draw (&prune, given, layer, head, picture, error);
  if (bytes != NULL)
    cli_render_compare_weights (session->a.weights_sha256, picture->weights_sha256, given->session);
  return bytes;
}

GBytes *
cli_render_lab (const CliOptions *options, const AttnDrawSession *session, GError **error)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  g_auto (Asked) asked = {.options = options, .session = session};
  AttnDrawPicture picture;
  if (!read_picture (options, session, &picture, view, error))
    return NULL;
  if (session->lab_page == ATTN_DRAW_LAB_ABLATION)
    return session->ablation.figure == ATTN_ABLATION_PRUNING
               ? render_pruning (options, session, &picture, error)
               : render_ablation (options, session, &picture, error);
  if (session->lab_page == ATTN_DRAW_LAB_ATLAS)
    return render_atlas (options, session, &picture, error);
  if (!asked_init (&asked, error))
    return NULL;
  cli_warn_of_session (options, asked.warnings);
  g_autoptr (CliHash) hash = cli_hash_start (&asked.run.subject);
  picture.model_name = attn_hub_peek_model_name (asked.run.subject.model);
  picture.text = asked.run.text->text;
  picture.pair = asked.run.text->pair;
  picture.max_tokens = options->max_tokens;
  picture.weights_sha256 = cli_hash_wait (hash);
  cli_render_compare_weights (session->a.weights_sha256, picture.weights_sha256, options->session);
  picture.translate = cli_language_use (picture.language);
  return session->lab_page == ATTN_DRAW_LAB_PIPELINE ? draw_pipeline (&asked, &picture, error)
                                                     : draw_several (&asked, &picture, error);
}
