/* SPDX-License-Identifier: MIT */
/* The steps' pictures in the order of the computation, joined by arrows: in one row where there is
 * room, else in several. */
#include "pipeline-private.h"

#include <math.h>

#define MAX_COLUMNS 12
#define TITLE_SIZE 1.2
#define CAPTION_SIZE 0.8
#define FACTOR_SIZE 0.95
#define TITLE_GAP 0.35 /* em between the captions and a picture */
#define STACK_GAP 0.9  /* em between pictures one under the other */
#define ROW_GAP 1.6    /* em between rows of pictures */
#define ARROW_ROOM 2.2 /* em between pictures side by side, at least */
#define ARROW_AIR 0.45 /* em between an arrow and what it is between */
#define MOST_SCALE 1.9
#define SCALE_STEP 0.05
/* px of pictures at scale 1 */
#define SQUARE 124.0
#define WIDE 96.0
#define NARROW 44.0
#define LOW 70.0
#define MOST_CELL 22.0

/* One picture with what stands over it. */
typedef struct {
  AttnStep step;
  AttnDrawFigureText title, shape, size;
  char *title_text, *shape_text, *size_text; /* owned */
  double head;                               /* px of the texts' height */
  double width, height;                      /* px of the picture */
  double room;                               /* px of picture or texts, the wider */
} Picture;

/* Pictures one under the other. */
typedef struct {
  Picture pictures[3];
  size_t n;
  double width, height;
  double x, y; /* once it is placed */
  char *by;    /* (nullable): owned, markup: what it is multiplied by on the way here */
  double gap;  /* px before it, where an arrow is */
} Column;

typedef struct {
  const AttnDrawPipe *pipe;
  Column columns[MAX_COLUMNS];
  size_t n;
  double scale;
} Flow;

static const AttnStep order[][3] = {
    {ATTN_STEP_INPUT, ATTN_N_STEPS, ATTN_N_STEPS},
    {ATTN_STEP_NORMED, ATTN_N_STEPS, ATTN_N_STEPS},
    {ATTN_STEP_QUERIES, ATTN_STEP_KEYS, ATTN_STEP_VALUES},
    {ATTN_STEP_HEAD_QUERIES, ATTN_STEP_HEAD_KEYS, ATTN_STEP_HEAD_VALUES},
    {ATTN_STEP_SCORES, ATTN_N_STEPS, ATTN_N_STEPS},
    {ATTN_STEP_WEIGHTS, ATTN_N_STEPS, ATTN_N_STEPS},
    {ATTN_STEP_HEAD_OUTPUT, ATTN_N_STEPS, ATTN_N_STEPS},
    {ATTN_STEP_CONCAT, ATTN_STEP_CONTRIBUTION, ATTN_N_STEPS},
    {ATTN_STEP_OUTPUT, ATTN_N_STEPS, ATTN_N_STEPS},
    {ATTN_STEP_SUM, ATTN_N_STEPS, ATTN_N_STEPS},
    {ATTN_STEP_RESULT, ATTN_N_STEPS, ATTN_N_STEPS},
};

static void
picture_init (Picture *picture, const AttnDrawPipe *pipe, AttnStep step)
{
  const bool is_current = attn_draw_steps_is_same_stage (step, pipe->asked->step);
  *picture = (Picture){
      .step = step,
      .title_text = attn_draw_pipe_dup_symbol (pipe, step),
      .shape_text = attn_draw_pipe_dup_shape (pipe, step),
      .size_text = attn_draw_pipe_dup_size (pipe, step),
  };
  picture->title = (AttnDrawFigureText){.text = picture->title_text,
                                        .is_markup = true,
                                        .is_bold = is_current,
                                        .size = TITLE_SIZE,
                                        .align = ATTN_DRAW_ALIGN_MIDDLE};
  picture->shape = (AttnDrawFigureText){.text = picture->shape_text,
                                        .is_markup = true,
                                        .size = CAPTION_SIZE,
                                        .tone = ATTN_DRAW_TONE_DIM,
                                        .align = ATTN_DRAW_ALIGN_MIDDLE};
  picture->size = picture->shape;
  picture->size.text = picture->size_text;
  picture->size.is_markup = false;
}

static double
find_height (const Flow *flow, AttnStep step)
{
  const size_t n = flow->pipe->steps->n_tokens;
  const bool is_high =
      step <= ATTN_STEP_NORMED || step == ATTN_STEP_SCORES || step == ATTN_STEP_WEIGHTS;
  return round (MIN ((is_high ? SQUARE : LOW) * flow->scale, MOST_CELL * (double)n));
}

static double
find_width (const Flow *flow, AttnStep step)
{
  const AttnMatrix *matrix = attn_draw_steps_peek (flow->pipe->steps, step);
  const bool is_square = attn_draw_pipe_is_square (step);
  const bool is_wide = matrix->n_columns == flow->pipe->steps->d_model;
  const double most = is_square ? SQUARE : is_wide ? WIDE : NARROW;
  return round (MIN (most * flow->scale, MOST_CELL * (double)matrix->n_columns));
}

static void
picture_measure (Picture *picture, const Flow *flow)
{
  AttnDrawFigureBuilder *builder = flow->pipe->builder;
  const AttnDrawTextSize title = attn_draw_figure_measure_text (builder, &picture->title);
  const AttnDrawTextSize shape = attn_draw_figure_measure_text (builder, &picture->shape);
  const AttnDrawTextSize size = attn_draw_figure_measure_text (builder, &picture->size);
  picture->head = ceil (title.height + shape.height + size.height + TITLE_GAP * flow->pipe->em);
  picture->width = find_width (flow, picture->step);
  picture->height = find_height (flow, picture->step);
  picture->room = MAX (MAX (title.width, picture->width + 2), MAX (shape.width, size.width));
}

static void
flow_measure (Flow *flow, double scale)
{
  flow->scale = scale;
  for (size_t c = 0; c < flow->n; c++) {
    Column *column = &flow->columns[c];
    column->width = column->height = 0;
    for (size_t i = 0; i < column->n; i++) {
      picture_measure (&column->pictures[i], flow);
      column->width = MAX (column->width, column->pictures[i].room);
      column->height += column->pictures[i].head + column->pictures[i].height +
                        (i > 0 ? ceil (STACK_GAP * flow->pipe->em) : 0);
    }
  }
}

/* What stands over the arrow: the values, or the last matrix. */
static char *
dup_factor (const AttnDrawPipe *pipe, AttnStep step)
{
  if (step == ATTN_STEP_HEAD_OUTPUT)
    return g_strdup_printf ("· <i>V</i><sub>%zu</sub>", pipe->steps->head + 1);
  return step == ATTN_STEP_OUTPUT ? g_strdup ("· <i>W</i><sub>O</sub>") : NULL;
}

static AttnDrawFigureText
make_factor (const Column *column)
{
  return (AttnDrawFigureText){.text = column->by != NULL ? column->by : "",
                              .is_markup = true,
                              .size = FACTOR_SIZE,
                              .align = ATTN_DRAW_ALIGN_MIDDLE};
}

static void
flow_init (Flow *flow, const AttnDrawPipe *pipe)
{
  *flow = (Flow){.pipe = pipe};
  for (size_t c = 0; c < G_N_ELEMENTS (order); c++) {
    Column *column = &flow->columns[flow->n];
    for (size_t i = 0; i < 3 && order[c][i] < ATTN_N_STEPS; i++)
      if (attn_draw_steps_peek (pipe->steps, order[c][i]) != NULL)
        picture_init (&column->pictures[column->n++], pipe, order[c][i]);
    if (column->n == 0)
      continue;
    column->by = dup_factor (pipe, column->pictures[0].step);
    const AttnDrawFigureText by = make_factor (column);
    const double arrow = round (ARROW_ROOM * pipe->em);
    column->gap = arrow;
    if (column->by != NULL)
      column->gap =
          MAX (arrow, attn_draw_figure_measure_text (pipe->builder, &by).width + pipe->em);
    flow->n++;
  }
}

static void
flow_clear (Flow *flow)
{
  for (size_t c = 0; c < flow->n; c++) {
    g_free (flow->columns[c].by);
    for (size_t i = 0; i < flow->columns[c].n; i++) {
      Picture *picture = &flow->columns[c].pictures[i];
      g_free (picture->title_text);
      g_free (picture->shape_text);
      g_free (picture->size_text);
    }
  }
}

static double
get_room (const Flow *flow)
{
  return flow->pipe->width - 2 * flow->pipe->margin;
}

static double
measure_row (const Flow *flow, size_t first, size_t end)
{
  double width = 0;
  for (size_t c = first; c < end; c++)
    width += flow->columns[c].width + (c > first ? flow->columns[c].gap : 0);
  return width;
}

/* The columns of the row that begins with @first. */
static size_t
find_row_end (const Flow *flow, size_t first)
{
  size_t end = first + 1;
  while (end < flow->n && measure_row (flow, first, end + 1) <= get_room (flow))
    end++;
  return end;
}

/* The largest pictures that stand in one row; where none do, usual ones in several. Returns:
 * whether it is one row. */
static bool
choose_scale (Flow *flow)
{
  for (double scale = MOST_SCALE; scale >= 1; scale -= SCALE_STEP) {
    flow_measure (flow, scale);
    if (measure_row (flow, 0, flow->n) <= get_room (flow))
      return true;
  }
  flow_measure (flow, 1.15);
  return false;
}

/* Behind what is told of. */
static void
add_ground (const Flow *flow, const Column *column, size_t first, size_t end)
{
  const AttnDrawPipe *pipe = flow->pipe;
  const double air = round (0.55 * pipe->em);
  double top = column->y, bottom = column->y;
  for (size_t i = 0; i < end; i++) {
    const double height = column->pictures[i].head + column->pictures[i].height;
    const double gap = i > 0 ? ceil (STACK_GAP * pipe->em) : 0;
    if (i == first)
      top = bottom + gap;
    bottom += gap + height;
  }
  const AttnDrawRect rect = {column->x - air, top - air, column->width + 2 * air,
                             bottom - top + 2 * air};
  const AttnDrawFigureStyle *style = &pipe->asked->style;
  attn_draw_figure_add_card (pipe->builder, rect, attn_draw_tone_get (style, ATTN_DRAW_TONE_GROUND),
                             attn_draw_tone_get (style, ATTN_DRAW_TONE_RULE), 6);
}

/* All of a column's pictures are one stage's, or each is one of its own. */
static void
add_grounds (const Flow *flow, const Column *column)
{
  const AttnStep current = flow->pipe->asked->step;
  for (size_t i = 0; i < column->n; i++) {
    if (!attn_draw_steps_is_same_stage (column->pictures[i].step, current))
      continue;
    size_t end = i + 1;
    while (end < column->n && attn_draw_steps_is_same_stage (column->pictures[end].step, current))
      end++;
    add_ground (flow, column, i, end);
    return;
  }
}

static void
add_picture (const Flow *flow, const Picture *picture, double middle, double y)
{
  AttnDrawFigureBuilder *builder = flow->pipe->builder;
  double top = y;
  top += attn_draw_figure_add_text (builder, &picture->title, middle, top).height;
  top += attn_draw_figure_add_text (builder, &picture->shape, middle, top).height;
  attn_draw_figure_add_text (builder, &picture->size, middle, top);
  const AttnDrawRect rect = {round (middle - picture->width / 2), round (y + picture->head),
                             picture->width, picture->height};
  attn_draw_pipe_add_matrix (flow->pipe, picture->step, rect);
}

/* The height at which arrows go into a column of one picture and out of it. */
static double
find_middle (const Column *column, size_t picture)
{
  double y = column->y;
  for (size_t i = 0; i < picture; i++)
    y += column->pictures[i].head + column->pictures[i].height;
  const Picture *at = &column->pictures[picture];
  return y + at->head + at->height / 2;
}

static double
find_picture_middle (const Flow *flow, const Column *column, size_t picture)
{
  return find_middle (column, picture) + (double)picture * ceil (STACK_GAP * flow->pipe->em);
}

/* One arrow, or one for each of a stack's pictures. The way leads on from the head's output, not
 * from what it alone adds. */
static void
add_arrows (const Flow *flow, const Column *from, const Column *to)
{
  const AttnDrawPipe *pipe = flow->pipe;
  const double air = round (ARROW_AIR * pipe->em);
  const AttnDrawColor color = attn_draw_tone_get (&pipe->asked->style, ATTN_DRAW_TONE_DIM);
  const bool has_branches = to->n > 1 || from->n > 1;
  const size_t n = has_branches && from->n == to->n ? from->n : MAX (to->n, 1);
  for (size_t i = 0; i < n; i++) {
    const double y = find_picture_middle (flow, to, MIN (i, to->n - 1));
    const double left = from->x + from->width + air, right = to->x - air;
    attn_draw_figure_add_arrow (pipe->builder, (AttnDrawPoint){left, round (y) + 0.5},
                                (AttnDrawPoint){right, round (y) + 0.5}, color);
    if (i > 0 || to->by == NULL)
      continue;
    const AttnDrawFigureText by = make_factor (to);
    const double height = attn_draw_figure_measure_text (pipe->builder, &by).height;
    attn_draw_figure_add_text (pipe->builder, &by, (left + right) / 2, round (y - height) - 1);
  }
}

/* Places one row's columns: what room is left goes between them, yet not much of it. */
static double
place_row (Flow *flow, size_t first, size_t end, double y, bool is_only)
{
  double x = flow->pipe->margin, height = 0;
  const size_t n_gaps = end - first - 1;
  const double left = get_room (flow) - measure_row (flow, first, end);
  const double more =
      n_gaps > 0 ? MIN (left / (double)n_gaps, is_only ? 4 * flow->pipe->em : 0) : 0;
  for (size_t c = first; c < end; c++) {
    Column *column = &flow->columns[c];
    column->x = round (x);
    column->y = y;
    height = MAX (height, column->height);
    x += column->width + more + (c + 1 < end ? flow->columns[c + 1].gap : 0);
  }
  return y + height;
}

static void
add_row (const Flow *flow, size_t first, size_t end)
{
  for (size_t c = first; c < end; c++)
    add_grounds (flow, &flow->columns[c]);
  for (size_t c = first; c < end; c++) {
    const Column *column = &flow->columns[c];
    double y = column->y;
    for (size_t i = 0; i < column->n; i++) {
      add_picture (flow, &column->pictures[i], round (column->x + column->width / 2), y);
      y +=
          column->pictures[i].head + column->pictures[i].height + ceil (STACK_GAP * flow->pipe->em);
    }
    if (c + 1 < end)
      add_arrows (flow, column, &flow->columns[c + 1]);
  }
}

/* In one row the stacks at the left are far higher than what follows: under that is room. */
static void
find_inset (const Flow *flow, AttnDrawFlow *place)
{
  for (size_t c = 0; c < flow->n; c++) {
    const Column *column = &flow->columns[c];
    const double bottom = column->y + column->height;
    if (column->pictures[0].step >= ATTN_STEP_SCORES) {
      if (column->pictures[0].step == ATTN_STEP_SCORES)
        place->inset_x = column->x;
      place->inset_top = MAX (place->inset_top, bottom);
    } else {
      place->left_bottom = MAX (place->left_bottom, bottom);
    }
  }
}

static AttnDrawFlow
run_flow (const AttnDrawPipe *pipe, double top, bool adds)
{
  Flow flow;
  AttnDrawFlow place = {.bottom = top};
  flow_init (&flow, pipe);
  const bool is_one_row = choose_scale (&flow);
  for (size_t first = 0, end = 0; first < flow.n; first = end) {
    end = is_one_row ? flow.n : find_row_end (&flow, first);
    place.bottom = place_row (&flow, first, end, place.bottom, is_one_row);
    if (adds)
      add_row (&flow, first, end);
    if (end < flow.n)
      place.bottom += round (ROW_GAP * pipe->em);
  }
  if (is_one_row)
    find_inset (&flow, &place);
  flow_clear (&flow);
  return place;
}

AttnDrawFlow
attn_draw_pipe_find_flow (const AttnDrawPipe *pipe, double top)
{
  return run_flow (pipe, top, false);
}

AttnDrawFlow
attn_draw_pipe_add_flow (const AttnDrawPipe *pipe, double top)
{
  return run_flow (pipe, top, true);
}
