/* SPDX-License-Identifier: MIT */
/* The way through a layer as small pictures in the order of the computation: in one row where there
 * is room, else in several. */
#include "pipeline-arrows.h"

#include <math.h>

#define TITLE_SIZE 1.05
#define CAPTION_SIZE 0.75
#define TITLE_GAP 0.25    /* em between the captions and a picture */
#define LANE_GAP 0.55     /* em between lanes */
#define ROW_GAP 0.8       /* em between rows of columns, beside the lines there */
#define TRACK 0.45        /* em between lines beside or under rows */
#define ASCENT 0.75       /* em more under a row into which lines lead up */
#define ENTRANCE 0.75     /* em from the lines at the left to a row's first column */
#define GAP 1.75          /* em between columns, at least … */
#define MOST_GAP 4.0      /* … and at most */
#define GROUND_AIR 0.4    /* em around what is told of */
#define AROUND 0.95       /* em under everything, for the way around the layer */
#define MOST_HEIGHT 0.155 /* of the width: the numbers under it are to be seen, too */
#define LEAST_LOW 24.0    /* px */
#define MOST_LOW 64.0
#define SQUARE 1.7 /* of the other pictures' height */
#define MOST_SCALE 2.4
#define LEAST_SCALE 0.65
#define LEAST_BARE_SCALE 0.5 /* of pictures without captions */
#define SCALE_STEP 0.05
#define ALL_CAPTIONS 115.0 /* em of width from which on a picture has its shape in letters, too */
/* px of pictures at scale 1 */
#define WIDE 76.0
#define NARROW 34.0
#define MOST_CELL 22.0

typedef struct {
  AttnStep step;
  AttnFactor factor;
  AttnDrawLane lane;
  size_t column;
} Place;

/* X stands at the height of the keys, from which ways lead up and down. */
static const Place places[] = {
    {ATTN_STEP_INPUT, 0, ATTN_DRAW_LANE_KEYS, 0},
    {ATTN_STEP_NORMED, 0, ATTN_DRAW_LANE_KEYS, 1},
    {ATTN_N_STEPS, ATTN_FACTOR_QUERIES, ATTN_DRAW_LANE_QUERIES, 2},
    {ATTN_N_STEPS, ATTN_FACTOR_KEYS, ATTN_DRAW_LANE_KEYS, 2},
    {ATTN_N_STEPS, ATTN_FACTOR_VALUES, ATTN_DRAW_LANE_VALUES, 2},
    {ATTN_STEP_QUERIES, 0, ATTN_DRAW_LANE_QUERIES, 3},
    {ATTN_STEP_KEYS, 0, ATTN_DRAW_LANE_KEYS, 3},
    {ATTN_STEP_VALUES, 0, ATTN_DRAW_LANE_VALUES, 3},
    {ATTN_STEP_HEAD_QUERIES, 0, ATTN_DRAW_LANE_QUERIES, 4},
    {ATTN_STEP_HEAD_KEYS, 0, ATTN_DRAW_LANE_KEYS, 4},
    {ATTN_STEP_HEAD_VALUES, 0, ATTN_DRAW_LANE_VALUES, 4},
    {ATTN_STEP_SCORES, 0, ATTN_DRAW_LANE_SCORES, 5},
    {ATTN_STEP_WEIGHTS, 0, ATTN_DRAW_LANE_SCORES, 6},
    {ATTN_STEP_HEAD_OUTPUT, 0, ATTN_DRAW_LANE_SCORES, 7},
    {ATTN_STEP_CONCAT, 0, ATTN_DRAW_LANE_SCORES, 8},
    {ATTN_STEP_CONTRIBUTION, 0, ATTN_DRAW_LANE_VALUES, 8},
    {ATTN_STEP_OUTPUT, 0, ATTN_DRAW_LANE_SCORES, 9},
    {ATTN_N_STEPS, ATTN_FACTOR_OUTPUT, ATTN_DRAW_LANE_VALUES, 9},
    {ATTN_STEP_SUM, 0, ATTN_DRAW_LANE_SCORES, 10},
    {ATTN_STEP_RESULT, 0, ATTN_DRAW_LANE_SCORES, 11},
};

G_STATIC_ASSERT (G_N_ELEMENTS (places) <= ATTN_DRAW_FLOW_NODES);

/* ---- what stands over a picture ---- */

static bool
is_current (const AttnDrawFlow *flow, const AttnDrawNode *node)
{
  const AttnStep step = flow->pipe->asked->step;
  if (!attn_draw_node_is_factor (node))
    return attn_draw_steps_is_same_stage (node->step, step);
  return node->factor == ATTN_FACTOR_OUTPUT
             ? step == ATTN_STEP_OUTPUT
             : attn_draw_steps_is_same_stage (step, ATTN_STEP_QUERIES);
}

static AttnDrawFigureText
make_title (const AttnDrawFlow *flow, const AttnDrawNode *node)
{
  return (AttnDrawFigureText){.text = node->title,
                              .is_markup = true,
                              .is_bold =
                                  is_current (flow, node) && !attn_draw_node_is_factor (node),
                              .size = TITLE_SIZE,
                              .align = ATTN_DRAW_ALIGN_MIDDLE};
}

static AttnDrawFigureText
make_caption (const char *text, bool is_markup)
{
  return (AttnDrawFigureText){.text = text,
                              .is_markup = is_markup,
                              .size = CAPTION_SIZE,
                              .tone = ATTN_DRAW_TONE_DIM,
                              .align = ATTN_DRAW_ALIGN_MIDDLE};
}

static void
node_init (AttnDrawNode *node, const AttnDrawFlow *flow, const Place *place)
{
  static const char *const letters[] = {"Q", "K", "V", "O"};
  const AttnDrawPipe *pipe = flow->pipe;
  *node = (AttnDrawNode){
      .step = place->step, .factor = place->factor, .lane = place->lane, .column = place->column};
  if (attn_draw_node_is_factor (node)) {
    const size_t n = pipe->steps->d_model;
    node->title = g_strdup_printf ("<i>W</i><sub>%s</sub>", letters[node->factor]);
    node->shape = g_strdup ("<i>d</i><sub>model</sub> × <i>d</i><sub>model</sub>");
    node->size = g_strdup_printf ("%zu × %zu", n, n);
    return;
  }
  node->title = attn_draw_pipe_dup_symbol (pipe, node->step);
  node->shape = attn_draw_pipe_dup_shape (pipe, node->step);
  node->size = attn_draw_pipe_dup_size (pipe, node->step);
}

/* Keys and values under the queries have their shapes. */
static size_t
count_captions (const AttnDrawFlow *flow, const AttnDrawNode *node)
{
  const bool is_like_queries =
      (node->lane == ATTN_DRAW_LANE_KEYS || node->lane == ATTN_DRAW_LANE_VALUES) &&
      (attn_draw_node_is_factor (node)
           ? node->factor != ATTN_FACTOR_OUTPUT
           : node->step >= ATTN_STEP_QUERIES && node->step <= ATTN_STEP_HEAD_VALUES);
  return is_like_queries ? 1 : flow->n_captions;
}

static void
measure_texts (AttnDrawFlow *flow)
{
  AttnDrawFigureBuilder *builder = flow->pipe->builder;
  const double gap = TITLE_GAP * flow->pipe->em;
  flow->head = flow->title = 0;
  for (size_t i = 0; i < flow->n; i++) {
    AttnDrawNode *node = &flow->nodes[i];
    AttnDrawFigureText text = make_title (flow, node);
    text.is_bold = true; /* the same room, whatever is told of */
    AttnDrawTextSize size = attn_draw_figure_measure_text (builder, &text);
    const AttnDrawFigureText captions[] = {make_caption (node->size, false),
                                           make_caption (node->shape, true)};
    node->text_width = size.width;
    node->head = size.height;
    flow->title = MAX (flow->title, ceil (size.height + gap));
    for (size_t line = 0; line + 1 < count_captions (flow, node); line++) {
      size = attn_draw_figure_measure_text (builder, &captions[line]);
      node->text_width = MAX (node->text_width, size.width);
      node->head += size.height;
    }
    node->head = ceil (node->head + gap);
    flow->head = MAX (flow->head, node->head);
  }
}

/* ---- sizes ---- */

/* Of three lanes as high as the width allows. */
static void
choose_heights (AttnDrawFlow *flow)
{
  const AttnDrawPipe *pipe = flow->pipe;
  const double rows = MOST_CELL * (double)pipe->steps->n_tokens;
  const double gap = ceil (LANE_GAP * pipe->em);
  const double room = MOST_HEIGHT * pipe->width - AROUND * pipe->em;
  const double low = floor ((room - 2 * (gap + flow->title) - flow->head) / 3);
  flow->low = MIN (CLAMP (low, LEAST_LOW, MOST_LOW), MAX (rows, 4));
  flow->square = MIN (round (SQUARE * flow->low), MAX (rows, 4));
  flow->pitch = flow->title + flow->low + gap;
}

static double
find_width (const AttnDrawFlow *flow, const AttnDrawNode *node)
{
  if (attn_draw_node_is_factor (node))
    return flow->low;
  const AttnMatrix *matrix = attn_draw_steps_peek (flow->pipe->steps, node->step);
  if (attn_draw_pipe_is_square (node->step))
    return flow->square;
  const bool is_wide = matrix->n_columns == flow->pipe->steps->d_model;
  const double most = (is_wide ? WIDE : NARROW) * flow->scale;
  return MAX (round (MIN (most, MOST_CELL * (double)matrix->n_columns)), 4);
}

static void
measure_columns (AttnDrawFlow *flow)
{
  for (size_t c = 0; c < ATTN_DRAW_FLOW_COLUMNS; c++)
    flow->columns[c].width = 0;
  for (size_t i = 0; i < flow->n; i++) {
    AttnDrawNode *node = &flow->nodes[i];
    double *width = &flow->columns[node->column].width;
    node->rect.width = find_width (flow, node);
    node->rect.height = attn_draw_pipe_is_square (node->step) ? flow->square : flow->low;
    *width = MAX (*width, MAX (node->text_width, node->rect.width + 2));
  }
}

/* Px of columns [first, end) with the least gaps; @n_gaps: (nullable): written. */
static double
measure_row (const AttnDrawFlow *flow, size_t first, size_t end, size_t *n_gaps)
{
  double width = 0;
  size_t n = 0;
  for (size_t c = first; c < end; c++) {
    width += flow->columns[c].width;
    n += flow->columns[c].width > 0;
  }
  if (n_gaps != NULL)
    *n_gaps = MAX (n, 1) - 1;
  return width + (double)(MAX (n, 1) - 1) * round (GAP * flow->pipe->em);
}

/* Rows one under the other have lines at both sides of them. */
static void
choose_room (AttnDrawFlow *flow, bool is_wrapped)
{
  const AttnDrawPipe *pipe = flow->pipe;
  const double sides = (ATTN_DRAW_FLOW_TRACKS + 1) * flow->track;
  flow->left = pipe->margin + (is_wrapped ? sides + round (ENTRANCE * pipe->em) : 0);
  flow->room = pipe->width - pipe->margin - flow->left - (is_wrapped ? sides : 0);
}

static bool
try_scales (AttnDrawFlow *flow, double least)
{
  for (flow->scale = MOST_SCALE; flow->scale >= least; flow->scale -= SCALE_STEP) {
    measure_columns (flow);
    if (measure_row (flow, 0, ATTN_DRAW_FLOW_COLUMNS, NULL) <= flow->room)
      return true;
  }
  return false;
}

/* The most that stands in one row: captions in letters go first, then pictures shrink, then those
 * with numbers go, and pictures shrink once more. Where nothing does, usual pictures in several. */
static void
choose_sizes (AttnDrawFlow *flow)
{
  choose_room (flow, false);
  const bool has_all = flow->pipe->width >= ALL_CAPTIONS * flow->pipe->em;
  for (flow->n_captions = has_all ? 3 : 2; flow->n_captions >= 1; flow->n_captions--) {
    measure_texts (flow);
    choose_heights (flow);
    if (try_scales (flow, flow->n_captions > 1 ? LEAST_SCALE : LEAST_BARE_SCALE))
      return;
  }
  flow->n_captions = 2;
  flow->scale = 1;
  choose_room (flow, true);
  measure_texts (flow);
  choose_heights (flow);
  measure_columns (flow);
}

/* ---- places ---- */

static double
find_middle (const AttnDrawFlow *flow, AttnDrawLane lane)
{
  const double first = flow->head + flow->low / 2;
  return lane == ATTN_DRAW_LANE_SCORES ? first + flow->pitch / 2
                                       : first + (double)lane * flow->pitch;
}

/* Across, what is left goes between the columns, yet not much of it. Returns: the row's end. */
static double
place_row (AttnDrawFlow *flow, size_t row, size_t first, size_t end, double top)
{
  size_t n_gaps;
  const double em = flow->pipe->em;
  const double left = flow->room - measure_row (flow, first, end, &n_gaps);
  const double more = n_gaps > 0 ? left / (double)n_gaps : 0;
  const double gap = MIN (round (GAP * em) + MAX (more, 0), MOST_GAP * em);
  double x = flow->left, least = G_MAXDOUBLE, most = 0;
  for (size_t c = first; c < end; c++) {
    flow->columns[c].x = x;
    flow->columns[c].row = row;
    flow->rows[row].right = x + flow->columns[c].width;
    x += flow->columns[c].width > 0 ? flow->columns[c].width + gap : 0;
  }
  for (size_t i = 0; i < flow->n; i++) {
    AttnDrawNode *node = &flow->nodes[i];
    const AttnDrawFlowColumn *column = &flow->columns[node->column];
    if (node->column < first || node->column >= end)
      continue;
    node->rect.x = round (column->x + (column->width - node->rect.width) / 2);
    node->rect.y = round (find_middle (flow, node->lane) - node->rect.height / 2);
    least = MIN (least, node->rect.y - node->head);
    most = MAX (most, node->rect.y + node->rect.height);
  }
  for (size_t i = 0; i < flow->n; i++)
    if (flow->nodes[i].column >= first && flow->nodes[i].column < end)
      flow->nodes[i].rect.y += top - least;
  return top + most - least;
}

/* A head's rows of W_O lead back, from the column after the head's contribution, and nothing stands
 * alone in the last row: each two of these columns stay in one. */
static size_t
find_row_end (const AttnDrawFlow *flow, size_t first)
{
  static const AttnStep kept[] = {ATTN_STEP_CONTRIBUTION, ATTN_STEP_SUM};
  size_t end = first + 1;
  while (end < ATTN_DRAW_FLOW_COLUMNS && measure_row (flow, first, end + 1, NULL) <= flow->room)
    end++;
  for (size_t i = 0; i < G_N_ELEMENTS (kept); i++) {
    const size_t column = attn_draw_flow_find (flow, kept[i])->column;
    if (end == column + 1 && first < column)
      return column;
  }
  return end;
}

/* Lines from the row that ends before a column to the next one: queries, keys and values have one
 * each; then the values' own goes on beside the scores. */
static size_t
count_tracks (const AttnDrawFlow *flow, size_t end)
{
  if (end >= ATTN_DRAW_FLOW_COLUMNS)
    return 0;
  if (end <= attn_draw_flow_find_factor (flow, ATTN_FACTOR_QUERIES)->column)
    return 1;
  if (end <= attn_draw_flow_find (flow, ATTN_STEP_SCORES)->column)
    return ATTN_DRAW_FLOW_TRACKS;
  return end <= attn_draw_flow_find (flow, ATTN_STEP_HEAD_OUTPUT)->column ? 2 : 1;
}

/* Lines into columns [first, end) from below, of pictures in rows before. */
static size_t
count_under (const AttnDrawFlow *flow, size_t first, size_t end)
{
  const size_t values = attn_draw_flow_find (flow, ATTN_STEP_HEAD_VALUES)->column;
  const size_t own = attn_draw_flow_find (flow, ATTN_STEP_HEAD_OUTPUT)->column;
  const size_t sum = attn_draw_flow_find (flow, ATTN_STEP_SUM)->column;
  return (size_t)(first > values && own >= first && own < end) +
         (size_t)(first > 0 && sum >= first && sum < end);
}

static void
place (AttnDrawFlow *flow, double top)
{
  const double em = flow->pipe->em;
  double y = top;
  flow->n_rows = 0;
  for (size_t first = 0, end = 0; first < ATTN_DRAW_FLOW_COLUMNS; first = end) {
    AttnDrawFlowRow *row = &flow->rows[flow->n_rows];
    end = find_row_end (flow, first);
    y = place_row (flow, flow->n_rows++, first, end, y);
    const bool is_only = first == 0 && end == ATTN_DRAW_FLOW_COLUMNS;
    row->n_tracks = is_only ? 0 : count_tracks (flow, end);
    row->n_under = count_under (flow, first, end);
    row->bottom = y += row->n_under > 0 ? round (ASCENT * em) : 0;
    y += (double)(row->n_tracks + row->n_under) * flow->track;
    if (end < ATTN_DRAW_FLOW_COLUMNS)
      y += round (ROW_GAP * em) + flow->track;
  }
  flow->bottom = y + (flow->n_rows == 1 ? round (AROUND * em) : flow->track);
}

/* ---- drawing ---- */

/* Behind what is told of. */
static void
add_ground (const AttnDrawFlow *flow, size_t column)
{
  const AttnDrawPipe *pipe = flow->pipe;
  const double air = round (GROUND_AIR * pipe->em);
  double top = G_MAXDOUBLE, bottom = 0;
  for (size_t i = 0; i < flow->n; i++) {
    const AttnDrawNode *node = &flow->nodes[i];
    if (node->column != column || !is_current (flow, node))
      continue;
    top = MIN (top, node->rect.y - node->head);
    bottom = MAX (bottom, node->rect.y + node->rect.height);
  }
  if (bottom <= 0)
    return;
  const AttnDrawFigureStyle *style = &pipe->asked->style;
  const AttnDrawRect rect = {flow->columns[column].x - air, top - air,
                             flow->columns[column].width + 2 * air, bottom - top + 2 * air};
  attn_draw_figure_add_card (pipe->builder, rect, attn_draw_tone_get (style, ATTN_DRAW_TONE_GROUND),
                             attn_draw_tone_get (style, ATTN_DRAW_TONE_RULE), 6);
}

static void
add_node (const AttnDrawFlow *flow, const AttnDrawNode *node)
{
  AttnDrawFigureBuilder *builder = flow->pipe->builder;
  const AttnDrawFlowColumn *column = &flow->columns[node->column];
  const double middle = round (column->x + column->width / 2);
  const AttnDrawFigureText texts[] = {make_title (flow, node), make_caption (node->size, false),
                                      make_caption (node->shape, true)};
  double y = node->rect.y - node->head;
  y += attn_draw_figure_add_text (builder, &texts[0], middle, y).height;
  for (size_t line = count_captions (flow, node) - 1; line >= 1; line--)
    y += attn_draw_figure_add_text (builder, &texts[line], middle, y).height;
  if (attn_draw_node_is_factor (node))
    attn_draw_pipe_add_factor (flow->pipe, node->factor, node->rect);
  else
    attn_draw_pipe_add_matrix (flow->pipe, node->step, node->rect, 0);
}

static void
flow_init (AttnDrawFlow *flow, const AttnDrawPipe *pipe)
{
  *flow = (AttnDrawFlow){.pipe = pipe, .track = round (TRACK * pipe->em)};
  for (size_t i = 0; i < G_N_ELEMENTS (places); i++)
    if (places[i].step == ATTN_N_STEPS ||
        attn_draw_steps_peek (pipe->steps, places[i].step) != NULL)
      node_init (&flow->nodes[flow->n++], flow, &places[i]);
}

static void
flow_clear (AttnDrawFlow *flow)
{
  for (size_t i = 0; i < flow->n; i++) {
    g_free (flow->nodes[i].title);
    g_free (flow->nodes[i].shape);
    g_free (flow->nodes[i].size);
  }
}

double
attn_draw_pipe_add_flow (const AttnDrawPipe *pipe, double top)
{
  AttnDrawFlow flow;
  flow_init (&flow, pipe);
  choose_sizes (&flow);
  place (&flow, top);
  for (size_t c = 0; c < ATTN_DRAW_FLOW_COLUMNS; c++)
    add_ground (&flow, c);
  attn_draw_flow_add_arrows (&flow);
  for (size_t i = 0; i < flow.n; i++)
    add_node (&flow, &flow.nodes[i]);
  const double bottom = flow.bottom;
  flow_clear (&flow);
  return bottom;
}
