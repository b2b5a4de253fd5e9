/* SPDX-License-Identifier: MIT */
/* What the pipeline's figure shows: every number is where a click finds it, what is written adds
 * up, and words fit the family. */
#include "pipeline-fixture.h"
#include "test-util.h"

#include "attn/run.h"

#include <glib/gstdio.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A token that is a word, of a head whose rows differ. */
static void
test_choice (PipelineFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  size_t layer, head;
  (void)data;
  g_assert_true (attn_draw_steps_choose_head (fixture->trace, &layer, &head, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (layer, ==, 2); /* of 4 */
  for (size_t i = 0; i < 8; i++) {
    g_autoptr (AttnDrawSteps) steps = attn_draw_steps_new (fixture->trace, layer, i, &error);
    g_assert_no_error (error);
    const size_t row = attn_draw_steps_find_row (steps);
    g_assert_true (row != 0 && row != 15);            /* [CLS], [SEP] */
    g_assert_true (row < 3 || (row > 5 && row < 14)); /* didn ' t, and . */
  }
}

/* The small picture and the enlarged one both lead to the numbers of the step. */
static void
test_pick (PipelineFixture *fixture, gconstpointer data)
{
  const unsigned id = ATTN_DRAW_PIPELINE_STEP + ATTN_STEP_QUERIES;
  AttnDrawPipeline asked = {.width = 1320, .step = ATTN_STEP_QUERIES};
  (void)data;
  g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (fixture->steps, &asked);
  const AttnMatrix *matrix = attn_draw_steps_peek (fixture->steps, ATTN_STEP_QUERIES);
  size_t n_found = 0;
  for (size_t item = attn_draw_figure_find (figure, id, ATTN_DRAW_FIGURE_MATRIX, 0);
       item != G_MAXSIZE;
       item = attn_draw_figure_find (figure, id, ATTN_DRAW_FIGURE_MATRIX, item + 1)) {
    n_found++;
    for (size_t column = 0; column < matrix->n_columns; column += 17) {
      const AttnDrawRect cell = attn_draw_figure_place (figure, item, 3, column);
      AttnDrawFigureHit hit;
      g_assert_true (
          attn_draw_figure_pick (figure, cell.x + cell.width / 2, cell.y + cell.height / 2, &hit));
      g_assert_cmpuint (hit.id, ==, id);
      g_assert_cmpuint (hit.row, ==, 3);
      g_assert_cmpuint (hit.column, ==, column);
    }
  }
  g_assert_cmpuint (n_found, ==, 2);
}

/* Accent marks are where something is followed or picked, and only there. */
static size_t
count_accents (const AttnDrawFigure *figure, const AttnDrawFigureStyle *style)
{
  const AttnDrawColor accent = attn_draw_tone_get (style, ATTN_DRAW_TONE_ACCENT);
  size_t n = 0;
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++)
    n += memcmp (&attn_draw_figure_peek_item (figure, i)->color, &accent, sizeof accent) == 0;
  return n;
}

static void
test_marks (PipelineFixture *fixture, gconstpointer data)
{
  AttnDrawPipeline asked = {.width = 1320, .step = ATTN_STEP_SCORES};
  (void)data;
  g_autoptr (AttnDrawFigure) plain = attn_draw_pipeline_new (fixture->steps, &asked);
  asked.has_followed = true;
  asked.followed = 3;
  g_autoptr (AttnDrawFigure) followed = attn_draw_pipeline_new (fixture->steps, &asked);
  /* a row in each of 15 pictures and the enlarged one */
  g_assert_cmpuint (count_accents (followed, &asked.style) - count_accents (plain, &asked.style),
                    ==, 16);
  g_assert_cmpuint (count_accents (plain, &asked.style), ==,
                    8); /* the head's columns and rows, in factors too */
}

/* Steps in their order, Q, K and V in one; from end to end. */
static void
test_move (PipelineFixture *fixture, gconstpointer data)
{
  AttnDrawSteps *steps = fixture->steps;
  size_t stage = 0, n = attn_draw_steps_get_stage (steps, ATTN_STEP_INPUT, &stage);
  (void)data;
  g_assert_cmpuint (stage, ==, 1);
  AttnStep step = ATTN_STEP_INPUT;
  for (size_t i = 1; i < n; i++) {
    step = attn_draw_steps_move (steps, step, 1);
    g_assert_cmpuint (attn_draw_steps_get_stage (steps, step, &stage), ==, n);
    g_assert_cmpuint (stage, ==, i + 1);
  }
  g_assert_cmpint (step, ==, ATTN_STEP_RESULT);
  g_assert_cmpint (attn_draw_steps_move (steps, step, 1), ==, ATTN_STEP_RESULT);
  g_assert_cmpint (attn_draw_steps_move (steps, ATTN_STEP_VALUES, -1), ==, ATTN_STEP_INPUT);
  g_assert_cmpint (attn_draw_steps_move (steps, ATTN_STEP_KEYS, 1), ==, ATTN_STEP_HEAD_QUERIES);
}

/* One row and one column of the head's own, from step to step. */
static void
test_usual (PipelineFixture *fixture, gconstpointer data)
{
  (void)data;
  const size_t row = attn_draw_steps_find_row (fixture->steps), head = 2;
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnDrawSteps) steps =
      attn_draw_steps_new (attn_draw_steps_peek_trace (fixture->steps), 1, head, &error);
  g_assert_no_error (error);
  const size_t d_k = attn_draw_steps_peek (steps, ATTN_STEP_HEAD_OUTPUT)->n_columns;
  size_t own = G_MAXSIZE;
  for (AttnStep step = 0; step < ATTN_N_STEPS; step++) {
    const AttnMatrix *matrix = attn_draw_steps_peek (steps, step);
    if (matrix == NULL || step == ATTN_STEP_SCORES || step == ATTN_STEP_WEIGHTS)
      continue;
    g_autoptr (AttnDrawExample) example = pipeline_make_example (steps, step, row);
    const AttnCell *cell = attn_draw_example_peek_cell (example);
    const size_t column = matrix->n_columns == d_k ? head * d_k + cell->column : cell->column;
    own = own == G_MAXSIZE ? column : own;
    g_assert_cmpuint (cell->row, ==, row);
    g_assert_cmpuint (column, ==, own);
    g_assert_cmpuint (column / d_k, ==, head);
  }
}

/* Numbers of a card's texts, in the order in which they stand. */
static double
read_number (const char *text)
{
  const bool is_less = g_str_has_prefix (text, "−");
  const double number = g_ascii_strtod (is_less ? text + strlen ("−") : text, NULL);
  return is_less ? -number : number;
}

/* The bars' numbers of a dot product give its sum; where what is written misses it in the last
 * digits, that is said. */
static void
check_sum (PipelineFixture *fixture, AttnStep step, size_t column)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnDrawExample) example =
      attn_draw_example_new (fixture->steps, step, 5, column, &error);
  g_assert_no_error (error);
  AttnDrawPipeline asked = {.width = 1320, .step = step, .has_cell = true, .example = example};
  g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (fixture->steps, &asked);
  const AttnCell *cell = attn_draw_example_peek_cell (example);
  double sum = 0;
  bool has_sum = false, is_in = false, is_rounded = false;
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const char *text = attn_draw_figure_peek_item (figure, i)->text;
    if (text == NULL)
      continue;
    is_in |= strstr (text, " × ") != NULL && g_ascii_isdigit (text[strlen (text) - 1]) &&
             strchr (text, '.') != NULL;
    has_sum |= is_in && g_str_has_prefix (text, "sum of ");
    is_rounded |= has_sum && g_str_has_suffix (text, " terms, rounded");
    const bool is_signed = g_str_has_prefix (text, "+") || g_str_has_prefix (text, "−");
    if (is_in && !has_sum && is_signed && strstr (text, " ") == NULL)
      sum += read_number (text[0] == '+' ? text + 1 : text);
  }
  g_assert_true (has_sum);
  const double off = fabs (sum - round (cell->sum * 1e4) / 1e4);
  g_assert_cmpint (is_rounded, ==, off > 5e-5);
  /* of at most 13 bars each is half of the last digit off, as is the sum */
  g_assert_cmpfloat (off, <, 14 * 5e-5);
}

static void
test_sums (PipelineFixture *fixture, gconstpointer data)
{
  (void)data;
  check_sum (fixture, ATTN_STEP_QUERIES, 100);
  check_sum (fixture, ATTN_STEP_CONTRIBUTION, 7);
  check_sum (fixture, ATTN_STEP_OUTPUT, 255);
}

/* Returns: (transfer full): all that stands in the picture of one number's arithmetic. */
static char *
dup_example_texts (AttnDrawSteps *steps, AttnStep step)
{
  g_autoptr (AttnDrawExample) example = pipeline_make_example (steps, step, 4);
  const AttnDrawPipeline asked = {.width = 1320, .step = step, .example = example};
  g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (steps, &asked);
  GString *texts = g_string_new ("|");
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const char *text = attn_draw_figure_peek_item (figure, i)->text;
    if (text != NULL)
      g_string_append_printf (texts, "%s|", text);
  }
  return g_string_free (texts, FALSE);
}

/* One letter for one thing: x is what the layer reads, h the number of heads, i counts them. */
static void
test_letters (PipelineFixture *fixture, gconstpointer data)
{
  (void)data;
  g_autofree char *queries = dup_example_texts (fixture->steps, ATTN_STEP_QUERIES);
  g_autofree char *share = dup_example_texts (fixture->steps, ATTN_STEP_CONTRIBUTION);
  g_autofree char *output = dup_example_texts (fixture->steps, ATTN_STEP_OUTPUT);
  g_assert_nonnull (strstr (queries, "<i>x</i><sub>1</sub><i>w</i><sub>1</sub> + "));
  g_assert_null (strstr (share, "<i>x</i><sub>1</sub>"));
  g_assert_nonnull (strstr (share, "row of <i>head</i><sub>"));
  g_assert_nonnull (strstr (share, " · column of <i>W</i><sub>O</sub><sup>("));
  g_assert_nonnull (strstr (share, "Σ<sub>i</sub> <i>head</i><sub>i</sub>"));
  g_assert_null (strstr (share, "<sub>h</sub>"));
  g_assert_null (strstr (output, "<i>x</i><sub>1</sub>"));
  g_assert_nonnull (strstr (output, "row of <i>concat</i> · column of <i>W</i><sub>O</sub>"));
}

/* Returns: (transfer full): a folder with the shipped model, all of whose weights are NaN. */
static char *
make_nan_folder (void)
{
  g_autofree char *from = g_build_filename (g_getenv ("HEADSCOPE_DATA_DIR"), "demo-model", NULL);
  g_autoptr (GDir) files = g_dir_open (from, 0, NULL);
  char *folder = g_dir_make_tmp ("headscope-nan-XXXXXX", NULL);
  for (const char *name; (name = g_dir_read_name (files)) != NULL;) {
    g_autofree char *path = g_build_filename (from, name, NULL);
    g_autofree char *copy = g_build_filename (folder, name, NULL);
    gsize size = 0;
    g_autofree char *bytes = test_read_file (path, &size);
    if (g_str_has_suffix (name, ".safetensors")) {
      guint64 n_header = 0;
      memcpy (&n_header, bytes, sizeof n_header);
      const gsize begin = sizeof n_header + (gsize)GUINT64_FROM_LE (n_header);
      memset (bytes + begin, 0xFF, size - begin); /* all bits set are NaN in every float type */
    }
    g_assert_true (g_file_set_contents (copy, bytes, (gssize)size, NULL));
  }
  return folder;
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (files)) != NULL;) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_assert_cmpint (g_remove (path), ==, 0);
  }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* Of a row without numbers none is called the largest. */
static void
test_nan (void)
{
  g_autofree char *folder = make_nan_folder ();
  g_autoptr (AttnModel) model = pipeline_load (folder);
  g_autoptr (GError) error = NULL;
  const AttnTokenizerInput input = {.text = PIPELINE_TEXT, .text_length = strlen (PIPELINE_TEXT)};
  g_autoptr (AttnTokens) tokens =
      attn_tokenizer_encode (attn_model_peek_tokenizer (model), &input, &error);
  g_autoptr (AttnTrace) trace = attn_model_run (model, tokens, NULL, &error);
  g_autoptr (AttnDrawSteps) steps = attn_draw_steps_new (trace, 1, 0, &error);
  g_assert_no_error (error);
  for (AttnStep step = ATTN_STEP_SCORES; step <= ATTN_STEP_WEIGHTS; step++) {
    g_autoptr (AttnDrawExample) example = pipeline_make_example (steps, step, 3);
    AttnDrawPipeline asked = {.width = 1320, .step = step, .example = example};
    g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (steps, &asked);
    bool is_told = false;
    for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
      const char *text = attn_draw_figure_peek_item (figure, i)->text;
      is_told |= text != NULL && strstr (text, "its row has no numbers") != NULL;
      g_assert_true (text == NULL || strstr (text, "the largest number in its row") == NULL);
    }
    g_assert_true (is_told);
  }
  remove_folder (folder);
}

/* A token is pointed at beside its letters, too; where not every label has room, the example's has
 * it. */
static void
test_labels (PipelineFixture *fixture, gconstpointer data)
{
  (void)data;
  for (size_t row = 8; row < 11; row++) {
    g_autoptr (AttnDrawExample) example =
        pipeline_make_example (fixture->steps, ATTN_STEP_SCORES, row);
    AttnDrawPipeline asked = {.width = 300, .step = ATTN_STEP_SCORES, .example = example};
    g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (fixture->steps, &asked);
    const size_t key = attn_draw_example_peek_cell (example)->column;
    const size_t matrix = attn_draw_figure_find_part (figure, ATTN_DRAW_PIPELINE_MATRIX);
    const AttnDrawRect place = attn_draw_figure_peek_item (figure, matrix)->rect;
    bool has_row = false, has_column = false;
    for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
      const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
      if (item->id != ATTN_DRAW_PIPELINE_TOKEN)
        continue;
      const bool is_beside = item->rect.x + item->rect.width <= place.x;
      has_column |= !is_beside && item->row == key;
      if (!is_beside || item->row != row)
        continue;
      has_row = true;
      AttnDrawFigureHit hit;
      const double middle = item->rect.y + item->rect.height / 2;
      g_assert_true (attn_draw_figure_pick (figure, place.x - 2, middle, &hit));
      g_assert_cmpuint (hit.id, ==, ATTN_DRAW_PIPELINE_TOKEN);
      g_assert_cmpuint (hit.row, ==, row);
    }
    g_assert_true (has_row && has_column);
  }
}

/* What words there are of a number are the number. */
static void
test_value (PipelineFixture *fixture, gconstpointer data)
{
  g_autoptr (AttnDrawExample) example =
      pipeline_make_example (fixture->steps, ATTN_STEP_WEIGHTS, 10);
  AttnDrawPipeline asked = {.width = 1320, .step = ATTN_STEP_WEIGHTS, .example = example};
  (void)data;
  g_autofree char *value = attn_draw_pipeline_dup_value (fixture->steps, &asked);
  const double number = read_number (strrchr (value, ' ') + 1);
  /* four decimals */
  g_assert_cmpfloat_with_epsilon (number, attn_draw_example_peek_cell (example)->result, 5.1e-5);
  g_assert_true (g_str_has_prefix (value, "“it” → “"));
}

static bool
says (AttnDrawSteps *steps, AttnStep step, const char *words)
{
  const AttnDrawPipeline asked = {.step = step, .width = 1320};
  g_autoptr (AttnDrawFigure) figure = attn_draw_pipeline_new (steps, &asked);
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const char *text = attn_draw_figure_peek_item (figure, i)->text;
    if (text != NULL && strstr (text, words) != NULL)
      return true;
  }
  return false;
}

/* What is told is what the family does in this very layer. */
static void
check_words (AttnDrawSteps *steps, const char *name)
{
  const bool is_modern = g_str_equal (name, "modernbert"), is_mpnet = g_str_equal (name, "mpnet");
  const bool is_deberta = g_str_equal (name, "deberta-v2");
  g_assert_true (says (steps, ATTN_STEP_SCORES, "D is what the model adds") ==
                 (is_mpnet || is_deberta));
  g_assert_true (says (steps, ATTN_STEP_SCORES, "Dividing by that root") == !is_deberta);
  const bool is_gpt2 = g_str_equal (name, "gpt2"), is_before = is_gpt2 || is_modern;
  g_assert_true (says (steps, ATTN_STEP_INPUT, "a row of the position table") ==
                 !(is_modern || is_deberta));
  g_assert_true (says (steps, ATTN_STEP_INPUT, "a row of the type table") ==
                 g_str_equal (name, "roberta-mlm"));
  g_assert_true (says (steps, ATTN_STEP_INPUT, "Then comes a LayerNorm") == !is_gpt2);
  g_assert_true (says (steps, ATTN_STEP_INPUT, "turned by it") == is_modern);
  g_assert_true (says (steps, ATTN_STEP_INPUT, "later, in the scores") == (is_mpnet || is_deberta));
  g_assert_true (says (steps, ATTN_STEP_SCORES, "keys that come later") == is_gpt2);
  g_assert_true (says (steps, ATTN_STEP_SCORES, "There is no mask") == !is_gpt2);
  const AttnStep last = is_before ? ATTN_STEP_SUM : ATTN_STEP_RESULT;
  g_assert_true (says (steps, last, "added to this sum") == is_before);
  g_assert_true (says (steps, last, "output is added to these rows") == !is_before);
  g_assert_true (says (steps, ATTN_STEP_CONTRIBUTION, "and the bias sum") == !is_modern);
  if (attn_draw_steps_peek (steps, ATTN_STEP_NORMED) != NULL)
    g_assert_true (says (steps, ATTN_STEP_NORMED, "leaves each row as it is") == is_modern);
}

static void
test_families (void)
{
  for (size_t i = 0; pipeline_families[i] != NULL; i++) {
    g_autoptr (AttnDrawSteps) steps = pipeline_make_family_steps (pipeline_families[i]);
    check_words (steps, pipeline_families[i]);
  }
}

static void
test_same_bytes (PipelineFixture *fixture, gconstpointer data)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  AttnDrawPicture picture = {.view = view, .model_name = "demo", .text = PIPELINE_TEXT, .scale = 1};
  g_autoptr (AttnDrawExample) example = pipeline_make_example (fixture->steps, ATTN_STEP_SCORES, 4);
  const AttnDrawPipeline asked = {.step = ATTN_STEP_SCORES, .example = example};
  (void)data;
  view->width_px = 900;
  for (unsigned format = ATTN_DRAW_PNG; format <= ATTN_DRAW_PDF; format++) {
    g_autoptr (GError) error = NULL;
    picture.format = (AttnDrawFormat)format;
    g_autoptr (GBytes) first = attn_draw_pipeline_write (fixture->steps, &asked, &picture, &error);
    g_assert_no_error (error);
    g_autoptr (GBytes) second = attn_draw_pipeline_write (fixture->steps, &asked, &picture, &error);
    g_assert_no_error (error);
    g_assert_true (g_bytes_equal (first, second));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/pipeline/choice", PipelineFixture, NULL, pipeline_set_up, test_choice,
              pipeline_tear_down);
  g_test_add ("/pipeline/pick", PipelineFixture, NULL, pipeline_set_up, test_pick,
              pipeline_tear_down);
  g_test_add ("/pipeline/marks", PipelineFixture, NULL, pipeline_set_up, test_marks,
              pipeline_tear_down);
  g_test_add ("/pipeline/move", PipelineFixture, NULL, pipeline_set_up, test_move,
              pipeline_tear_down);
  g_test_add ("/pipeline/usual", PipelineFixture, NULL, pipeline_set_up, test_usual,
              pipeline_tear_down);
  g_test_add ("/pipeline/labels", PipelineFixture, NULL, pipeline_set_up, test_labels,
              pipeline_tear_down);
  g_test_add ("/pipeline/letters", PipelineFixture, NULL, pipeline_set_up, test_letters,
              pipeline_tear_down);
  g_test_add ("/pipeline/sums", PipelineFixture, NULL, pipeline_set_up, test_sums,
              pipeline_tear_down);
  g_test_add ("/pipeline/value", PipelineFixture, NULL, pipeline_set_up, test_value,
              pipeline_tear_down);
  g_test_add_func ("/pipeline/families", test_families);
  g_test_add_func ("/pipeline/nan", test_nan);
  g_test_add ("/pipeline/same-bytes", PipelineFixture, NULL, pipeline_set_up, test_same_bytes,
              pipeline_tear_down);
  return g_test_run ();
}
