/* SPDX-License-Identifier: MIT */
/* The steps of one head as a script on PyTorch, with the tensors' names in Hugging Face's
 * transformers. */
#include "code-kinds.h"
#include "config-private.h"
#include "model-private.h"

#include "attn/error.h"

#include <string.h>

#define WORDS(step) attn_code_peek_words (ATTN_STEP_##step)

/* Returns: (transfer full) (nullable): 'W["encoder.layer.0.x.weight"]', or NULL where the model has
 * no such tensor. */
static char *
dup_tensor (const AttnCodeWriter *writer, AttnRole role)
{
  const AttnModel *model = writer->model;
  const size_t layer = attn_config_get_weight_layer (writer->config, writer->subject->layer);
  if (!attn_role_is_present (model->arch, writer->config, false, false, role, layer))
    return NULL;
  g_autofree char *name =
      attn_arch_dup_name (writer->config, model->arch->roles[role].names[0], layer);
  return g_strdup_printf ("W[\"%s\"]", name);
}

/* NAME = INPUT @ weight.T + bias */
static void
add_linear (AttnCodeWriter *writer,
            const char *name,
            const char *letter,
            const char *input,
            AttnRole weight,
            AttnRole bias,
            size_t n_columns,
            const char *words)
{
  g_autofree char *matrix = dup_tensor (writer, weight);
  g_autofree char *vector = dup_tensor (writer, bias);
  attn_code_add (writer, 0, 0, NULL, "    W_%s = %s%s", letter, matrix,
                 writer->model->arch->inputs_first ? "" : ".T");
  attn_code_add (writer, writer->T, n_columns, words, "    %s = %s @ W_%s%s%s", name, input, letter,
                 vector != NULL ? " + " : "", vector != NULL ? vector : "");
}

static void
add_norm (AttnCodeWriter *writer, const char *letter, const char *input, const char *words)
{
  g_autofree char *gain = dup_tensor (writer, ATTN_ROLE_ATTN_NORM_GAIN);
  g_autofree char *bias = dup_tensor (writer, ATTN_ROLE_ATTN_NORM_BIAS);
  char eps[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (eps, sizeof eps, "%.9g", writer->config->layer_norm_eps);
  if (gain == NULL) { /* the embeddings' norm stands for the first */
    attn_code_add (writer, writer->T, writer->config->d_model, NULL, "    %s = %s", letter, input);
    return;
  }
  attn_code_add (writer, 0, 0, NULL, "    gain, bias = %s, %s", gain, bias != NULL ? bias : "None");
  attn_code_add (writer, writer->T, writer->config->d_model, words,
                 "    %s = layer_norm(%s, (%zu,), gain, bias, %s)", letter, input,
                 writer->config->d_model, eps);
}

static void
add_projections (AttnCodeWriter *writer)
{
  const size_t D = writer->config->d_model;
  const bool normed = attn_step_is_there (writer->model, ATTN_STEP_NORMED);
  const char *x = normed ? "N" : "X";
  attn_code_add (writer, writer->T, D, WORDS (INPUT), "    X = run.hidden_states[%zu][0]",
                 writer->subject->layer);
  if (normed)
    add_norm (writer, "N", "X", WORDS (NORMED));
  if (writer->model->arch->roles[ATTN_ROLE_QKV].need != ATTN_NEED_NEVER) {
    add_linear (writer, "QKV", "QKV", x, ATTN_ROLE_QKV, ATTN_ROLE_QKV_BIAS, 3 * D, NULL);
    attn_code_add (writer, writer->T, D, NULL, "    Q, K, V = QKV.chunk(3, dim=1)");
    return;
  }
  add_linear (writer, "Q", "Q", x, ATTN_ROLE_QUERY, ATTN_ROLE_QUERY_BIAS, D, WORDS (QUERIES));
  add_linear (writer, "K", "K", x, ATTN_ROLE_KEY, ATTN_ROLE_KEY_BIAS, D, WORDS (KEYS));
  add_linear (writer, "V", "V", x, ATTN_ROLE_VALUE, ATTN_ROLE_VALUE_BIAS, D, WORDS (VALUES));
}

static bool
is_local (const AttnCodeWriter *writer)
{
  const AttnConfig *config = writer->config;
  return config->local_layers != NULL && config->local_layers[writer->subject->layer];
}

/* Angles, and the turn by them. */
static void
add_rotation (AttnCodeWriter *writer)
{
  const AttnConfig *config = writer->config;
  const size_t half = config->d_k / 2;
  char theta[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (theta, sizeof theta, "%.9g",
                   is_local (writer) ? config->local_rope_theta : config->rope_theta);
  attn_code_add (writer, 0, 0, NULL, "    steps = %s ** (-torch.arange(%zu) / %zu)", theta, half,
                 half);
  attn_code_add (writer, writer->T, half, N_ ("an angle for each token's place and each pair"),
                 "    angle = torch.arange(%zu)[:, None] * steps", writer->T);
  g_string_append_printf (writer->text,
                          "    def rotate(x):\n"
                          "        a, b = x[:, :%zu], x[:, %zu:]\n"
                          "        return torch.cat([a * angle.cos() - b * angle.sin(),\n"
                          "                          b * angle.cos() + a * angle.sin()], dim=1)\n",
                          half, half);
}

static void
add_hidden_keys (AttnCodeWriter *writer)
{
  const size_t T = writer->T;
  if (!writer->model->arch->causal && !is_local (writer))
    return;
  attn_code_add (writer, T, T, N_ ("key minus query"),
                 "    distance = torch.arange(%zu) - torch.arange(%zu)[:, None]", T, T);
  if (writer->model->arch->causal)
    attn_code_add (writer, 0, 0, N_ ("no token sees what comes after it"),
                   "    hidden = distance > 0");
  else
    attn_code_add (writer, 0, 0, N_ ("this layer sees near tokens only"),
                   "    hidden = distance.abs() >= %zu", writer->config->hidden_from);
}

/* A function of the head, since all heads are wanted for the output. */
static void
add_head (AttnCodeWriter *writer)
{
  const AttnModel *model = writer->model;
  const AttnConfig *config = writer->config;
  const size_t T = writer->T, d_k = config->d_k;
  if (model->arch->positions == ATTN_POSITION_ROTARY)
    add_rotation (writer);
  add_hidden_keys (writer);
  if (model->arch->score == ATTN_SCORE_BUCKETS)
    attn_code_add (writer, 0, 0, N_ ("a number for how far apart the two tokens are"),
                   "    apart = model.encoder.compute_position_bias(run.hidden_states[0])[0]");
  attn_code_add (writer, 0, 0, NULL, "    def attend(i):");
  attn_code_add (writer, 0, 0, WORDS (HEAD_QUERIES), "        own = slice(%zu * i, %zu * (i + 1))",
                 d_k, d_k);
  attn_code_add (writer, T, d_k, NULL, "        Q_i, K_i, V_i = Q[:, own], K[:, own], V[:, own]");
  if (model->arch->positions == ATTN_POSITION_ROTARY)
    attn_code_add (writer, 0, 0, NULL, "        Q_i, K_i = rotate(Q_i), rotate(K_i)");
  g_autofree char *scale =
      config->no_scale ? g_strdup ("") : g_strdup_printf (" / math.sqrt(%zu)", d_k);
  g_autofree char *depth = config->scale_by_layer
                               ? g_strdup_printf (" / %zu", writer->subject->layer + 1)
                               : g_strdup ("");
  attn_code_add (writer, T, T, WORDS (SCORES), "        S = Q_i @ K_i.T%s%s%s", scale, depth,
                 model->arch->score == ATTN_SCORE_BUCKETS ? " + apart[i]" : "");
  if (model->arch->causal || is_local (writer))
    attn_code_add (writer, 0, 0, NULL, "        S = S.masked_fill(hidden, -math.inf)");
  attn_code_add (writer, T, T, WORDS (WEIGHTS), "        A = S.softmax(dim=1)");
  attn_code_add (writer, T, d_k, WORDS (HEAD_OUTPUT), "        head_i = A @ V_i");
  attn_code_add (writer, 0, 0, NULL, "        return A, head_i");
  g_string_append_c (writer->text, '\n');
}

static void
add_run (AttnCodeWriter *writer)
{
  const AttnTokens *tokens = attn_trace_peek_tokens (writer->subject->trace);
  const char *folder = attn_model_peek_folder (writer->model);
  GString *text = writer->text;
  attn_code_add_comment (writer, "", N_ ("needs: pip install torch transformers"));
  g_string_append (text, "import math\n\n"
                         "import torch\n"
                         "from torch.nn.functional import layer_norm\n"
                         "from transformers import AutoModel, AutoTokenizer\n"
                         "from transformers.utils import logging\n\n");
  /* a masked language model's head is among them in every such folder */
  attn_code_add_comment (
      writer, "", N_ ("weights that attention has no part in are left aside without a word"));
  g_string_append (text, "logging.set_verbosity_error()\n"
                         "folder = ");
  attn_code_append_literal (text, folder, strlen (folder));
  g_string_append (text, "\ntokenizer = AutoTokenizer.from_pretrained(folder)\n"
                         "model = AutoModel.from_pretrained(folder, dtype=torch.float32,\n"
                         "                                  attn_implementation=\"eager\").eval()\n"
                         "W = dict(model.named_parameters())\n"
                         "inputs = tokenizer(");
  for (int sequence = 0; sequence < 2; sequence++) {
    size_t length = 0;
    const char *sentence = attn_tokens_peek_text (tokens, sequence, &length);
    if (sentence != NULL) {
      attn_code_append_literal (text, sentence, length);
      g_string_append (text, ", ");
    }
  }
  if (attn_tokens_get_n_truncated (tokens) > 0)
    g_string_append_printf (text, "truncation=True, max_length=%zu, ", writer->T);
  g_string_append (text, "return_tensors=\"pt\")\n\n"
                         "with torch.no_grad():\n"
                         "    run = model(**inputs, output_hidden_states=True,"
                         " output_attentions=True)\n");
}

static void
add_output (AttnCodeWriter *writer)
{
  const AttnConfig *config = writer->config;
  const size_t D = config->d_model;
  attn_code_add (writer, writer->T, D, WORDS (CONCAT),
                 "    concat = torch.cat([attend(i)[1] for i in range(%zu)], dim=1)",
                 config->n_heads);
  add_linear (writer, "output", "O", "concat", ATTN_ROLE_OUT, ATTN_ROLE_OUT_BIAS, D,
              WORDS (OUTPUT));
  if (attn_step_is_there (writer->model, ATTN_STEP_RESULT))
    add_norm (writer, "result", "X + output", WORDS (RESULT));
  else
    attn_code_add (writer, writer->T, D, WORDS (SUM), "    result = X + output");
  attn_code_add (writer, 0, 0, N_ ("head counted from 0"), "    A, head = attend(%zu)",
                 writer->subject->head);
  attn_code_add (writer, 0, 0, NULL, "    own = run.attentions[%zu][0, %zu]",
                 writer->subject->layer, writer->subject->head);
  g_string_append (writer->text,
                   "    for row in A:\n"
                   "        print(*(f\"{weight:.9g}\" for weight in row.tolist()))\n"
                   "    print(\"largest difference:\", f\"{(A - own).abs().max():.3g}\")\n");
}

bool
attn_code_write_pytorch (AttnCodeWriter *writer, GError **error)
{
  if (writer->model->arch->score == ATTN_SCORE_DISENTANGLED) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
                 "%s: the code for PyTorch leaves out what %s adds to scores for the distance of "
                 "two tokens, so it is not written; the code in C has it",
                 attn_model_peek_name (writer->model), writer->config->family);
    return false;
  }
  add_run (writer);
  add_projections (writer);
  add_head (writer);
  add_output (writer);
  return true;
}
