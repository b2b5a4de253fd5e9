/* SPDX-License-Identifier: MIT */
/* The steps of one head as a program in C: this library's queries, keys and values, then plain
 * loops, and how far they are from this library's own weights. */
#include "code-kinds.h"
#include "model-private.h"

#include <string.h>

#define WORDS(step) attn_code_peek_words (ATTN_STEP_##step)

static void
add (AttnCodeWriter *writer, const char *lines)
{
  g_string_append (writer->text, lines);
}

static void
add_constant (AttnCodeWriter *writer, const char *name, const char *text, size_t length)
{
  g_string_append_printf (writer->text, "  static const char %s[] = ", name);
  attn_code_append_literal (writer->text, text, length);
  add (writer, ";\n");
}

static void
add_input (AttnCodeWriter *writer)
{
  const AttnTokens *tokens = attn_trace_peek_tokens (writer->subject->trace);
  size_t length = 0, pair_length = 0;
  const char *text = attn_tokens_peek_text (tokens, 0, &length);
  const char *pair = attn_tokens_peek_text (tokens, 1, &pair_length);
  add_constant (writer, "text", text, length);
  if (pair != NULL)
    add_constant (writer, "pair", pair, pair_length);
  add (writer, "  const AttnTokenizerInput input = {\n"
               "      .text = text,\n"
               "      .text_length = sizeof text - 1,\n");
  if (pair != NULL)
    add (writer, "      .pair = pair,\n"
                 "      .pair_length = sizeof pair - 1,\n");
  if (attn_tokens_get_n_truncated (tokens) > 0)
    add (writer, "      .max_tokens = T,\n");
  add (writer, "  };\n");
}

static void
add_run (AttnCodeWriter *writer)
{
  const char *folder = attn_model_peek_folder (writer->model);
  add (writer, "static AttnTrace *\n"
               "run (GError **error)\n"
               "{\n");
  add_constant (writer, "folder", folder, strlen (folder));
  add_input (writer);
  add (writer,
       "  g_autoptr (AttnModel) model = attn_model_load (folder, NULL, NULL, NULL, error);\n"
       "  if (model == NULL)\n"
       "    return NULL;\n"
       "  AttnTokenizer *tokenizer = attn_model_peek_tokenizer (model);\n"
       "  g_autoptr (AttnTokens) tokens = attn_tokenizer_encode (tokenizer, &input, error);\n"
       "  return tokens != NULL ? attn_model_run (model, tokens, NULL, error) : NULL;\n"
       "}\n"
       "\n"
       "static AttnMatrix *\n"
       "compute (const AttnTrace *trace, AttnStep step)\n"
       "{\n"
       "  g_autoptr (GError) error = NULL;\n"
       "  AttnMatrix *matrix = attn_step_compute (trace, step, LAYER, HEAD, &error);\n"
       "  if (matrix == NULL)\n"
       "    g_error (\"%s\", error->message);\n"
       "  return matrix;\n"
       "}\n"
       "\n");
}

/* One line that asks the library for a step. */
static void
add_step (
    AttnCodeWriter *writer, const char *letter, const char *step, const char *words, size_t columns)
{
  attn_code_add (writer, writer->T, columns, words,
                 "  g_autoptr (AttnMatrix) %s = compute (trace, ATTN_STEP_%s);", letter, step);
}

static void
add_score_loop (AttnCodeWriter *writer)
{
  const AttnConfig *config = writer->config;
  if (writer->model->arch->score != ATTN_SCORE_SCALED_DOT) {
    add (writer, "      S[q][k] = (double)scores->values[q * T + k];\n");
    return;
  }
  add (writer, "      double dot = 0;\n"
               "      for (size_t d = 0; d < D_K; d++)\n"
               "        dot += (double)Q->values[q * D_K + d] * (double)K->values[k * D_K + d];\n");
  attn_code_add (writer, 0, 0, WORDS (SCORES), "      S[q][k] = dot%s%s;",
                 config->no_scale ? "" : " / sqrt (D_K)",
                 config->scale_by_layer ? " / (LAYER + 1)" : "");
}

static void
add_loops (AttnCodeWriter *writer)
{
  add (writer, "  for (size_t q = 0; q < T; q++) {\n"
               "    double largest = -INFINITY, sum = 0;\n");
  attn_code_add (writer, 0, 0, N_ ("the keys that this query sees"), "    size_t first, end;");
  add (writer, "    attn_trace_get_visible (trace, LAYER, q, &first, &end);\n"
               "    for (size_t k = first; k < end; k++) {\n");
  add_score_loop (writer);
  add (writer, "      largest = fmax (largest, S[q][k]);\n"
               "    }\n"
               "    for (size_t k = first; k < end; k++)\n"
               "      sum += exp (S[q][k] - largest);\n"
               "    for (size_t k = first; k < end; k++) {\n");
  attn_code_add (writer, 0, 0, WORDS (WEIGHTS), "      A[q][k] = exp (S[q][k] - largest) / sum;");
  add (writer, "      for (size_t d = 0; d < D_K; d++)\n");
  attn_code_add (writer, 0, 0, WORDS (HEAD_OUTPUT),
                 "        head[q][d] += A[q][k] * (double)V->values[k * D_K + d];");
  add (writer, "    }\n"
               "  }\n");
}

/* What the loops gave, and what the library gives. */
static void
add_report (AttnCodeWriter *writer)
{
  add (
      writer,
      "  double difference = 0;\n"
      "  for (size_t q = 0; q < T; q++) {\n"
      "    for (size_t k = 0; k < T; k++) {\n"
      "      printf (k + 1 < T ? \"%.9g \" : \"%.9g\\n\", A[q][k]);\n"
      "      difference = fmax (difference, fabs (A[q][k] - (double)weights->values[q * T + k]));\n"
      "    }\n"
      "    for (size_t d = 0; d < D_K; d++)\n"
      "      difference = fmax (difference, fabs (head[q][d] - (double)mixed->values[q * D_K + "
      "d]));\n"
      "  }\n"
      "  printf (\"largest difference: %.3g\\n\", difference);\n"
      "  return 0;\n"
      "}\n");
}

static void
add_main (AttnCodeWriter *writer)
{
  const size_t D = writer->config->d_model, d_k = writer->config->d_k;
  const bool after = attn_step_is_there (writer->model, ATTN_STEP_RESULT);
  add (writer, "int\n"
               "main (void)\n"
               "{\n"
               "  static double S[T][T], A[T][T], head[T][D_K];\n"
               "  g_autoptr (GError) error = NULL;\n"
               "  g_autoptr (AttnTrace) trace = run (&error);\n"
               "  if (trace == NULL)\n"
               "    g_error (\"%s\", error->message);\n");
  add_step (writer, "Q", "HEAD_QUERIES", WORDS (QUERIES), d_k);
  add_step (writer, "K", "HEAD_KEYS", WORDS (KEYS), d_k);
  add_step (writer, "V", "HEAD_VALUES", WORDS (VALUES), d_k);
  if (writer->model->arch->score != ATTN_SCORE_SCALED_DOT)
    add_step (writer, "scores", "SCORES", WORDS (SCORES), writer->T);
  add_loops (writer);
  attn_code_add_comment (writer, "  ",
                         N_ ("the same from the library, and what follows in the layer"));
  add_step (writer, "weights", "WEIGHTS", WORDS (WEIGHTS), writer->T);
  add_step (writer, "mixed", "HEAD_OUTPUT", WORDS (HEAD_OUTPUT), d_k);
  add_step (writer, "concat", "CONCAT", WORDS (CONCAT), D);
  add_step (writer, "output", "OUTPUT", WORDS (OUTPUT), D);
  add_step (writer, "result", after ? "RESULT" : "SUM", after ? WORDS (RESULT) : WORDS (SUM), D);
  add_report (writer);
}

void
attn_code_write_c (AttnCodeWriter *writer)
{
  const AttnConfig *config = writer->config;
  attn_code_add_comment (writer, "",
                         N_ ("built in Headscope’s source folder once ninja is through, by"));
  add (writer, "/* cc program.c -Iinclude build/src/core/libattn.a \\\n"
               "   $(pkg-config --cflags --libs glib-2.0 jansson libzip zlib) -lmvec -lm */\n"
               "\n");
  add (writer, "#include \"attn/attn.h\"\n"
               "\n"
               "#include <math.h>\n"
               "#include <stdio.h>\n"
               "\n");
  attn_code_add (writer, 0, 0, N_ ("layer and head counted from 0"),
                 "enum { LAYER = %zu, HEAD = %zu, T = %zu, D_K = %zu };", writer->subject->layer,
                 writer->subject->head, writer->T, config->d_k);
  add (writer, "\n");
  add_run (writer);
  add_main (writer);
}
