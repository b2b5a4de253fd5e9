/* SPDX-License-Identifier: MIT */
/* Reading the command line by one table, with a sentence for everything that is wrong with it. */
#include "options.h"

#include "attn/quote.h"

#include <math.h>
#include <string.h>

#define TEXTS \
  (CLI_TOKENIZE | CLI_ATTENTION | CLI_PREDICT | CLI_RENDER | CLI_COMPARE | CLI_LAB | CLI_HEADS | \
   CLI_ABLATE | CLI_IMPORTANCE | CLI_PRUNE_CURVE | CLI_LENS | CLI_ATLAS)
#define MAPS (CLI_ATTENTION | CLI_RENDER | CLI_COMPARE)
#define MODELS (CLI_INFO | TEXTS)
#define ARRAYS \
  (CLI_INFO | CLI_ATTENTION | CLI_RENDER | CLI_COMPARE | CLI_HEADS | CLI_LENS | CLI_ATLAS)
#define COMPARED (CLI_COMPARE | CLI_RENDER)
#define NO_ARRAYS \
  (CLI_TOKENIZE | CLI_PREDICT | CLI_LAB | CLI_ABLATE | CLI_IMPORTANCE | CLI_PRUNE_CURVE)
#define RUNS (MODELS | CLI_BENCH)
#define FIGURES (CLI_RENDER | CLI_LAB | CLI_ABLATE | CLI_PRUNE_CURVE | CLI_ATLAS)
#define ALL (RUNS | CLI_MODELS | CLI_NAMED)
#define AT(field) offsetof (CliOptions, field)

#define MAX_COUNT 1000000000 /* of any count: far above every use, far below every overflow */

typedef enum {
  KIND_TEXT,   /* string, may be empty */
  KIND_STRING, /* string, of at least one byte */
  KIND_COUNT,  /* size_t, ≥ 1 */
  KIND_INDEX,  /* size_t, ≥ 0 */
  KIND_WHICH,  /* size_t, ≥ 1, or "all", noted in the bool at `all` */
  KIND_NUMBER, /* double, > 0 */
  KIND_FLAG,   /* bool */
} Kind;

typedef struct {
  const char *name, *argument, *help;
  unsigned commands; /* CliCommandBit */
  Kind kind;
  size_t offset, all;
} Option;

static const Option table[] = {
    {"--model", "MODEL",
     "its folder, its name in the cache of models, or \"demo\" (default), the shipped one", MODELS,
     KIND_STRING, AT (model), 0},
    {"--text", "TEXT", "the text", TEXTS, KIND_TEXT, AT (text), 0},
    {"--file", "FILE", "read the text from a file; - is standard input", TEXTS, KIND_STRING,
     AT (file), 0},
    {"--pair", "TEXT", "the second text of a pair", TEXTS, KIND_TEXT, AT (pair), 0},
    {"--text-b", "TEXT", "the text of B, to compare (default: as A's)", CLI_COMPARE | CLI_RENDER,
     KIND_TEXT, AT (text_b), 0},
    {"--pair-b", "TEXT", "the second text of B's pair", CLI_COMPARE | CLI_RENDER, KIND_TEXT,
     AT (pair_b), 0},
    {"--model-b", "MODEL", "the model of B (default: as A's)", CLI_COMPARE | CLI_RENDER,
     KIND_STRING, AT (model_b), 0},
    {"--attention", "FILE",
     "instead of a model: arrays of another program (.npy, .npz, .safetensors)", ARRAYS,
     KIND_STRING, AT (attention), 0},
    {"--attention", "FILE", NULL, NO_ARRAYS, KIND_STRING, AT (attention), 0},
    {"--array", "NAME", "with --attention: which of the file's arrays", ARRAYS, KIND_STRING,
     AT (array), 0},
    {"--tokens", "FILE",
     "with --attention: its tokens, a JSON array or one a line; {\"queries\",\"keys\"} where they "
     "differ",
     ARRAYS, KIND_STRING, AT (tokens), 0},
    {"--token-list", "TOKENS", "the same typed, with spaces between them or as a JSON array",
     ARRAYS, KIND_STRING, AT (token_list), 0},
    {"--key-list", "TOKENS", "with --token-list: the keys, where they are others", ARRAYS,
     KIND_STRING, AT (key_list), 0},
    {"--attention-b", "FILE", "arrays that are B (default: as A's)", COMPARED, KIND_STRING,
     AT (attention_b), 0},
    {"--array-b", "NAME", "which array of B's file", COMPARED, KIND_STRING, AT (array_b), 0},
    {"--tokens-b", "FILE", "B's tokens (default: A's, if as many)", COMPARED, KIND_STRING,
     AT (tokens_b), 0},
    {"--token-list-b", "TOKENS", "B's tokens typed", COMPARED, KIND_STRING, AT (token_list_b), 0},
    {"--key-list-b", "TOKENS", "B's keys, where they are others", COMPARED, KIND_STRING,
     AT (key_list_b), 0},
    {"--batch", "FILE",
     "many texts: .txt has one a line, .jsonl objects with \"text\" and maybe \"pair\"",
     CLI_TOKENIZE | CLI_ATTENTION | CLI_PREDICT | CLI_PRUNE_CURVE, KIND_STRING, AT (batch), 0},
    {"--max-tokens", "N", "cut longer texts to N tokens; never more than the model can take",
     TEXTS & ~CLI_TOKENIZE, KIND_COUNT, AT (max_tokens), 0},
    {"--max-tokens", "N", "cut longer texts to N tokens, whatever the model's limit", CLI_TOKENIZE,
     KIND_COUNT, AT (max_tokens), 0},
    {"--layer", "L", "layer of A, counted from 1: adds this head's A - B (default 1)", CLI_COMPARE,
     KIND_COUNT, AT (layer), 0},
    {"--head", "H", "head of A, counted from 1 (default 1)", CLI_COMPARE, KIND_COUNT, AT (head), 0},
    {"--layer-b", "L", "layer of B (default: as A's)", CLI_COMPARE | CLI_RENDER, KIND_COUNT,
     AT (layer_b), 0},
    {"--head-b", "H", "head of B (default: as A's)", CLI_COMPARE | CLI_RENDER, KIND_COUNT,
     AT (head_b), 0},
    {"--top", "N", "only the N most changed heads", CLI_COMPARE, KIND_COUNT, AT (top), 0},
    {"--format", "FORMAT", "json (default) or csv", CLI_HEADS | CLI_PRUNE_CURVE, KIND_STRING,
     AT (format), 0},
    {"--mask-positions", "P,P", "put the mask in the place of these tokens, counted from 0",
     CLI_HEADS | CLI_ABLATE | CLI_IMPORTANCE | CLI_PRUNE_CURVE | MAPS | CLI_LENS, KIND_STRING,
     AT (mask_positions), 0},
    {"--each", NULL, "every head in turn: the loss with it alone switched off", CLI_ABLATE,
     KIND_FLAG, AT (each), 0},
    {"--off", "L-H,L-H", "these heads at once: the loss, and guesses before and after", CLI_ABLATE,
     KIND_STRING, AT (off), 0},
    {"--kind", "KIND", "how heads are switched off: zero (default), uniform, mean, frozen or patch",
     CLI_ABLATE, KIND_STRING, AT (kind), 0},
    {"--patch-text", "TEXT",
     "with --kind patch: the text of equal length whose heads speak instead", CLI_ABLATE, KIND_TEXT,
     AT (patch_text), 0},
    {"--labels", "WORDS",
     "words that are right at the text's masks, with spaces (default: the model's best guesses)",
     CLI_ABLATE | CLI_IMPORTANCE | CLI_PRUNE_CURVE, KIND_STRING, AT (labels), 0},
    {"--importance", NULL, "importance by gradients beside the rest", CLI_ABLATE, KIND_FLAG,
     AT (importance), 0},
    {"--figure", "FILE", "all of it as a picture, .png, .svg or .pdf; - is standard output",
     CLI_ABLATE | CLI_PRUNE_CURVE, KIND_STRING, AT (figure), 0},
    {"--layer", "L", "in a figure: of the head that is looked at, counted from 1 (default 1)",
     CLI_ABLATE | CLI_PRUNE_CURVE, KIND_COUNT, AT (layer), 0},
    {"--head", "H", "in a figure: this head, counted from 1 (default 1)",
     CLI_ABLATE | CLI_PRUNE_CURVE, KIND_COUNT, AT (head), 0},
    {"--format", "FORMAT",
     "json (default) or csv; of --figure png, svg or pdf (default: by its ending)",
     CLI_ABLATE | CLI_PRUNE_CURVE, KIND_STRING, AT (format), 0},
    {"--width-px", "W", "width of a figure (default 1320) in px, 96 an inch",
     CLI_ABLATE | CLI_PRUNE_CURVE, KIND_NUMBER, AT (width_px), 0},
    {"--lang", "LANG", "language of a figure: en (default), zh_TW or zh_CN",
     CLI_ABLATE | CLI_PRUNE_CURVE, KIND_STRING, AT (lang), 0},
    {"--masks", "N", "of a text without masks: draws of tokens to mask, to 1000 (default 1)",
     CLI_ABLATE | CLI_IMPORTANCE | CLI_PRUNE_CURVE, KIND_COUNT, AT (n_draws), 0},
    {"--seed", "S", "which tokens are drawn (default 1)", CLI_ABLATE | CLI_IMPORTANCE, KIND_INDEX,
     AT (seed), 0},
    {"--texts", "FILE",
     "many texts: .txt has one a line, .jsonl objects with \"text\" and maybe \"pair\"", CLI_ATLAS,
     KIND_STRING, AT (texts), 0},
    {"--figure", "FILE",
     "the map of the heads and a passport, .png, .svg or .pdf; - is standard output", CLI_ATLAS,
     KIND_STRING, AT (figure), 0},
    {"--layer", "L", "in a figure: of the head whose passport is shown, from 1 (default 1)",
     CLI_ATLAS, KIND_COUNT, AT (layer), 0},
    {"--head", "H", "in a figure: this head, counted from 1 (default 1)", CLI_ATLAS, KIND_COUNT,
     AT (head), 0},
    {"--only-class", "CLASS",
     "in a figure: heads of other classes are dim: vertical, diagonal, vertical-diagonal, block, "
     "broad, mixed or none",
     CLI_ATLAS, KIND_STRING, AT (only_class), 0},
    {"--only-layer", "L", "in a figure: heads of other layers are dim", CLI_ATLAS, KIND_COUNT,
     AT (only_layer), 0},
    {"--format", "FORMAT",
     "json (default) or csv; of --figure png, svg or pdf (default: by its ending)", CLI_ATLAS,
     KIND_STRING, AT (format), 0},
    {"--width-px", "W", "width of a figure (default 1320) in px, 96 an inch", CLI_ATLAS,
     KIND_NUMBER, AT (width_px), 0},
    {"--lang", "LANG", "language of a figure: en (default), zh_TW or zh_CN", CLI_ATLAS, KIND_STRING,
     AT (lang), 0},
    {"--shard", "I/N", "with --texts: only part I of N, written to -o for --merge", CLI_ATLAS,
     KIND_STRING, AT (shard), 0},
    {"--merge", NULL, "put the parts together that are named after it, in any order", CLI_ATLAS,
     KIND_FLAG, AT (merge), 0},
    {"--importance", NULL, "also each head's importance, by gradients", CLI_ATLAS, KIND_FLAG,
     AT (with_importance), 0},
    {"--masks", "N", "with --importance: draws of tokens to mask in each text (default 1)",
     CLI_ATLAS, KIND_COUNT, AT (n_draws), 0},
    {"--seed", "S", "with --importance: which tokens are drawn (default 1)", CLI_ATLAS, KIND_INDEX,
     AT (seed), 0},
    {"--no-distances", NULL,
     "leave out how far heads are apart: most of the time where texts are long", CLI_ATLAS,
     KIND_FLAG, AT (no_distances), 0},
    {"--checkpoint", "S", "keep what is done every S seconds (default 10)", CLI_ATLAS, KIND_INDEX,
     AT (checkpoint), 0},
    {"--with-ablation", NULL,
     "beside it what each head's removal really costs, and how far their ranks agree",
     CLI_IMPORTANCE, KIND_FLAG, AT (with_ablation), 0},
    {"--order", "ORDER",
     "which heads go first: the least of importance, of ablation (default), or random ones; "
     "several: "
     "importance,random",
     CLI_PRUNE_CURVE, KIND_STRING, AT (order), 0},
    {"--seed", "S", "which tokens are drawn, and the first random order's seed (default 1)",
     CLI_PRUNE_CURVE, KIND_INDEX, AT (seed), 0},
    {"--seeds", "N", "random orders, with the seeds from S on (default 3)", CLI_PRUNE_CURVE,
     KIND_COUNT, AT (n_seeds), 0},
    {"--difference", NULL,
     "instead: A - B of the chosen heads, through what arranges maps, as a file of numbers",
     CLI_COMPARE, KIND_FLAG, AT (difference), 0},
    {"--format", "FORMAT",
     "json (default), or csv: the heads alone; with --difference json, csv, npy or npz",
     CLI_COMPARE, KIND_STRING, AT (format), 0},
    {"--layer", "L", "layer, counted from 1, or \"all\" (default)", CLI_ATTENTION, KIND_WHICH,
     AT (layer), AT (all_layers)},
    {"--head", "H", "head, counted from 1, or \"all\" (default)", CLI_ATTENTION, KIND_WHICH,
     AT (head), AT (all_heads)},
    {"--format", "FORMAT", "json (default), csv, npy, npz or safetensors", CLI_ATTENTION,
     KIND_STRING, AT (format), 0},
    {"--with", "WHAT", "safetensors: also \"hidden\", \"logits\" or \"hidden,logits\"",
     CLI_ATTENTION, KIND_STRING, AT (with), 0},
    {"--logits", "P,P", "what the LM head says of these tokens (from 0) before each layer",
     CLI_LENS, KIND_STRING, AT (logits), 0},
    {"--contributions", "P", "what each head adds directly to a guess at this token, from 0",
     CLI_LENS, KIND_INDEX, AT (contributions), 0},
    {"--guess", "TOKEN",
     "with --contributions: which guess (default: what was masked, or the best one)", CLI_LENS,
     KIND_STRING, AT (guess), 0},
    {"--trajectories", NULL, "where the tokens move through the layers, on their principal plane",
     CLI_LENS, KIND_FLAG, AT (trajectories), 0},
    {"--sinks", NULL, "which key each head looks at most, and how much it takes from there",
     CLI_LENS, KIND_FLAG, AT (sinks), 0},
    {"--mixing", NULL, "the mixing ratio of each token in each layer", CLI_LENS, KIND_FLAG,
     AT (mixing), 0},
    {"--top", "K", "with --logits: words for each token (default 5)", CLI_LENS, KIND_COUNT,
     AT (top), 0},
    {"--top", "K", "guesses for each mask (default 5)", CLI_PREDICT, KIND_COUNT, AT (top), 0},
    {"--tensors", NULL, "list the weight files' tensors, too", CLI_INFO, KIND_FLAG, AT (tensors),
     0},
    {"--hash", NULL, "the weight files' SHA-256, too (they are read once more)", CLI_INFO,
     KIND_FLAG, AT (hash), 0},
    {"--diagnostics", NULL, "what a bug report needs, too: versions, CPU, differences", CLI_INFO,
     KIND_FLAG, AT (diagnostics), 0},
    {"--session", "FILE",
     "what a window saved: model, text, view; other options replace parts of it", CLI_RENDER,
     KIND_STRING, AT (session), 0},
    {"--view", "VIEW",
     "heatmap (default): one head; heads: all of the layer; layers: all of the model; lines: of "
     "all or some heads; text: shaded; compare: A, B and A - B",
     CLI_RENDER, KIND_STRING, AT (view), 0},
    {"--layer", "L", "layer, counted from 1 (default 1)", CLI_RENDER, KIND_COUNT, AT (layer), 0},
    {"--head", "H", "head, counted from 1 (default 1; lines: all)", CLI_RENDER, KIND_COUNT,
     AT (head), 0},
    {"--format", "FORMAT", "png, svg or pdf (default: by the ending of -o)", CLI_RENDER,
     KIND_STRING, AT (format), 0},
    {"--scale", "S", "pixels of a PNG for each px (default 2); size of a px in SVG and PDF (1)",
     FIGURES, KIND_NUMBER, AT (scale), 0},
    {"--dpi", "D", "pixels an inch of a PNG instead of --scale: 96 is a scale of 1", CLI_RENDER,
     KIND_NUMBER, AT (dpi), 0},
    {"--page", "SIZE", "PDF for a4, a5 or letter, on several pages where needed; picture (default)",
     CLI_RENDER, KIND_STRING, AT (page), 0},
    {"--landscape", NULL, "with --page: the long side lies", CLI_RENDER, KIND_FLAG, AT (landscape),
     0},
    {"--width-px", "W", "width of the picture in px, 96 an inch", CLI_RENDER, KIND_NUMBER,
     AT (width_px), 0},
    {"--height-px", "H", "fit the picture in W x H; it is as wide as it needs to be then",
     CLI_RENDER, KIND_NUMBER, AT (height_px), 0},
    {"--width-mm", "W", "printed width in millimetres instead", CLI_RENDER, KIND_NUMBER,
     AT (width_mm), 0},
    {"--width-in", "W", "printed width in inches instead", CLI_RENDER, KIND_NUMBER, AT (width_in),
     0},
    {"--font-size", "PT", "size of the letters in points (default 10)", FIGURES, KIND_NUMBER,
     AT (font_size), 0},
    {"--font", "FAMILY", "font family (default Sans)", FIGURES, KIND_STRING, AT (font), 0},
    {"--palette", "NAME", "paper (default), screen or screen-dark", FIGURES, KIND_STRING,
     AT (palette), 0},
    {"--colormap", "NAME",
     "YlGnBu (default), or for every colour vision viridis, cividis, magma or grey", FIGURES,
     KIND_STRING, AT (colormap), 0},
    {"--range", "RANGE",
     "the strongest colour's weight: largest of the map, layer or model, or a number", CLI_RENDER,
     KIND_STRING, AT (range), 0},
    {"--combine", "HOW", "heads as one map: their mean or max", MAPS, KIND_STRING, AT (combine), 0},
    {"--heads", "H,H", "which heads are combined (or have lines), as 1,4,7 or 1-6 (default: all)",
     MAPS, KIND_STRING, AT (heads), 0},
    {"--all-layers", NULL, "combine the heads of all layers, not of one", MAPS, KIND_FLAG,
     AT (combine_layers), 0},
    {"--unit", "UNIT", "what rows and columns stand for: tokens (default), characters or words",
     MAPS, KIND_STRING, AT (unit), 0},
    {"--words-file", "FILE", "with --unit words: words of several Han characters, one a line", MAPS,
     KIND_STRING, AT (words_file), 0},
    {"--part", "PART", "of a pair: a-b is from the first text to the second; a-a, b-a, b-b", MAPS,
     KIND_STRING, AT (part), 0},
    {"--hide", "WHAT", "leave out cls, sep, punctuation, or several: cls,sep", MAPS, KIND_STRING,
     AT (hide), 0},
    {"--renormalise", NULL, "rows of what is left sum to 1 again", MAPS, KIND_FLAG,
     AT (renormalise), 0},
    {"--threshold", "W", "weights below W count as 0", MAPS, KIND_NUMBER, AT (threshold), 0},
    {"--top-keys", "N", "all but the N largest weights of each row count as 0", MAPS, KIND_COUNT,
     AT (top_keys), 0},
    {"--color-scale", "SCALE", "how a weight becomes a colour: linear (default), log or rank",
     CLI_RENDER, KIND_STRING, AT (color_scale), 0},
    {"--crop", "ROWS,COLUMNS", "draw only a part of the map: FIRST:END each, from 0, as 12:40,0:29",
     CLI_RENDER, KIND_STRING, AT (crop), 0},
    {"--no-values", NULL, "write no weights into cells that have room for them", CLI_RENDER,
     KIND_FLAG, AT (no_values), 0},
    {"--columns", "N", "columns of the view heads (default: by the room)", CLI_RENDER, KIND_COUNT,
     AT (n_columns), 0},
    {"--map-px", "S", "size of the maps of the view layers, which is as wide as they need then",
     CLI_RENDER, KIND_NUMBER, AT (map_px), 0},
    {"--pin-query", "T", "mark a query's row, counted from 0 as drawn", CLI_RENDER, KIND_INDEX,
     AT (pin_query), 0},
    {"--pin-key", "T", "mark a key's column, counted from 0 as drawn", CLI_RENDER, KIND_INDEX,
     AT (pin_key), 0},
    {"--lang", "LANG", "language of the picture: en (default), zh_TW or zh_CN", CLI_RENDER,
     KIND_STRING, AT (lang), 0},
    {"--lang", "LANG",
     "language of code's comments, findings, figures and charts: en (default), zh_TW or zh_CN",
     CLI_LAB, KIND_STRING, AT (lang), 0},
    {"--shape", "SHAPE",
     "bert-base (default), bert-large, minilm, gpt2, deberta-base, or layers x d_model x heads x "
     "d_ff: "
     "2x64x4x256",
     CLI_BENCH, KIND_STRING, AT (shape), 0},
    {"--tokens", "N,N", "text lengths (default 16,32,64,128,256,512)", CLI_BENCH, KIND_STRING,
     AT (lengths), 0},
    {"--repeat", "R", "timed runs of each length (default 10)", CLI_BENCH, KIND_COUNT, AT (repeat),
     0},
    {"--kernel", "NAME", "not the best kernels of this CPU: avx512, avx2, openblas, plain",
     CLI_BENCH, KIND_STRING, AT (kernel), 0},
    {"--profile", NULL, "also where the time goes (below)", CLI_BENCH, KIND_FLAG, AT (profile), 0},
    {"--d-model", "N", "width that heads share: tells the arithmetic of --heads", CLI_LAB,
     KIND_COUNT, AT (d_model), 0},
    {"--heads", "H", "number of heads, with --d-model", CLI_LAB, KIND_COUNT, AT (n_heads), 0},
    {"--time", "H,H",
     "with --d-model: time one attention block on this machine with each of these numbers of heads",
     CLI_LAB, KIND_STRING, AT (time), 0},
    {"--measured", "FILE",
     "times that --time wrote as JSON, instead of measuring: as a chart or as csv; - is standard "
     "input",
     CLI_LAB, KIND_STRING, AT (measured), 0},
    {"--repeat", "R", "with --time: measurements of each (default 9)", CLI_LAB, KIND_COUNT,
     AT (repeat), 0},
    {"--layers", "L", "with --d-model: of so many layers (default 1)", CLI_LAB, KIND_COUNT,
     AT (n_layers), 0},
    {"--tokens", "T", "with --d-model: for a text of so many tokens (default 128)", CLI_LAB,
     KIND_COUNT, AT (n_tokens), 0},
    {"--step", "STEP",
     "with --text: input, normed, queries, keys, values, head-queries, head-keys, head-values, "
     "scores, weights, head-output, concat, contribution, output, sum or result",
     CLI_LAB, KIND_STRING, AT (step), 0},
    {"--layer", "L", "of the step, counted from 1 (default 1)", CLI_LAB, KIND_COUNT, AT (layer), 0},
    {"--head", "H", "of the step, counted from 1 (default 1)", CLI_LAB, KIND_COUNT, AT (head), 0},
    {"--cell", "ROW,COLUMN",
     "of the step, from 0: its arithmetic instead of the matrix; in a figure it is marked", CLI_LAB,
     KIND_STRING, AT (cell), 0},
    {"--figure", "FILE",
     "with --text: all steps as a picture, .png, .svg or .pdf; - is standard output", CLI_LAB,
     KIND_STRING, AT (figure), 0},
    {"--follow", "T", "in a figure: mark a token's row in every step, counted from 0", CLI_LAB,
     KIND_INDEX, AT (pin_query), 0},
    {"--code", "KIND", "with --text: the steps of the head as code, in pseudo, c or pytorch",
     CLI_LAB, KIND_STRING, AT (code), 0},
    {"--finding", "NAME",
     "with --text: what a paper found about heads, looked for here: michel, voita, clark, kovaleva "
     "or debate",
     CLI_LAB, KIND_STRING, AT (finding), 0},
    {"--several", NULL, "with --text: how the heads of --layer differ, and one head in their place",
     CLI_LAB, KIND_FLAG, AT (several), 0},
    {"--head-b", "H", "with --several and --figure: the head beside --head, counted from 1",
     CLI_LAB, KIND_COUNT, AT (head_b), 0},
    {"--mark", "H",
     "with --several and --figure: the head that is marked (default: --head); in a chart of times "
     "the number of heads",
     CLI_LAB, KIND_COUNT, AT (mark), 0},
    {"--train", "H,H", "train a small layer with each of these numbers of heads on a toy task",
     CLI_LAB, KIND_STRING, AT (train), 0},
    {"--seeds", "N", "with --train: runs of each (default 3)", CLI_LAB, KIND_COUNT, AT (n_seeds),
     0},
    {"--steps", "N", "with --train: steps of each run (default 400)", CLI_LAB, KIND_COUNT,
     AT (n_steps), 0},
    {"--points", "N",
     "with --train: end after N measured points of all runs, as where somebody stopped it", CLI_LAB,
     KIND_COUNT, AT (n_points), 0},
    {"--format", "FORMAT",
     "json (default); csv of --several; of --figure png, svg or pdf (default: by its ending); of "
     "--time, --measured and --train all of these, pictures as charts",
     CLI_LAB, KIND_STRING, AT (format), 0},
    {"--width-px", "W", "width of a figure (default 1320) or chart (820) in px, 96 an inch",
     CLI_LAB, KIND_NUMBER, AT (width_px), 0},
    {"--yes", NULL, "remove without asking", CLI_REMOVE, KIND_FLAG, AT (yes), 0},
    {"--dry-run", NULL, "tell what would be removed, and remove nothing", CLI_REMOVE, KIND_FLAG,
     AT (dry_run), 0},
    {"--dry-run", NULL, "tell which files would be fetched, and fetch none", CLI_FETCH, KIND_FLAG,
     AT (dry_run), 0},
    {"--plan", NULL, "the same", CLI_FETCH, KIND_FLAG, AT (dry_run), 0},
    {"--suggest", NULL, "instead of a name: tell some that many people use", CLI_FETCH, KIND_FLAG,
     AT (suggest), 0},
    {"--all", NULL, "instead of a name: all models of the cache", CLI_VERIFY, KIND_FLAG, AT (all),
     0},
    {"--threads", "N", "threads (default: the physical cores this process may use)", RUNS,
     KIND_COUNT, AT (threads), 0},
    {"-o", "FILE", "write there instead of standard output; - is standard output", ALL, KIND_STRING,
     AT (output), 0},
    {"--output", "FILE", NULL, ALL, KIND_STRING, AT (output), 0},
    {"--help", NULL, "this text", ALL, KIND_FLAG, AT (help), 0},
    {"-h", NULL, NULL, ALL, KIND_FLAG, AT (help), 0},
    {"--lens", "NAME", "numbers other than the weights: \"lens\" lists them", MAPS | CLI_HEADS,
     KIND_STRING, AT (lens), 0},
};

G_STATIC_ASSERT (G_N_ELEMENTS (table) <= CLI_MAX_GIVEN);

GQuark
cli_usage_quark (void)
{
  return g_quark_from_static_string ("cli-usage");
}

bool
cli_usage (GError **error, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error_literal (error, CLI_USAGE, 0, message);
  return false;
}

bool
cli_usage_value (GError **error, const char *option, const char *value, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *wanted = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *shown = attn_file_dup_shown (value, strlen (value));
  return *value == '\0' ? cli_usage (error, "%s: the value is empty; %s", option, wanted)
                        : cli_usage (error, "%s %s: %s", option, shown, wanted);
}

/* The option called [name, name + length) of a command, or NULL. */
static const Option *
find (CliCommandBit command, const char *name, size_t length)
{
  for (size_t i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i].commands & command && strlen (table[i].name) == length &&
        memcmp (table[i].name, name, length) == 0)
      return &table[i];
  return NULL;
}

static bool
has_option (CliCommandBit command, const char *name)
{
  return find (command, name, strlen (name)) != NULL;
}

static bool
store_count (const Option *option, const char *value, size_t *count, GError **error)
{
  guint64 number = 0;
  guint64 least = option->kind == KIND_INDEX ? 0 : 1;
  if (g_ascii_string_to_unsigned (value, 10, least, MAX_COUNT, &number, NULL)) {
    *count = (size_t)number;
    return true;
  }
  return cli_usage_value (error, option->name, value, "wanted is a whole number from %u to %d%s",
                          (unsigned)least, MAX_COUNT,
                          option->kind == KIND_WHICH ? ", or \"all\"" : "");
}

static bool
store_number (const Option *option, const char *value, double *number, GError **error)
{
  char *end = NULL;
  double parsed = g_ascii_strtod (value, &end);
  if (end == value || *end != '\0' || !isfinite (parsed) || !(parsed > 0))
    return cli_usage_value (error, option->name, value, "wanted is a number above 0");
  *number = parsed;
  return true;
}

static bool
store (CliOptions *options, const Option *option, const char *value, GError **error)
{
  void *place = (char *)options + option->offset;
  switch (option->kind) {
  case KIND_STRING:
    if (*value == '\0')
      return cli_usage_value (error, option->name, value, "wanted is %s: %s", option->argument,
                              option->help != NULL ? option->help : "a name");
    *(const char **)place = value;
    return true;
  case KIND_TEXT:
    *(const char **)place = value;
    return true;
  case KIND_WHICH: {
    bool *all = (bool *)((char *)options + option->all);
    *all = strcmp (value, "all") == 0;
    return *all || store_count (option, value, place, error);
  }
  case KIND_COUNT:
  case KIND_INDEX:
    return store_count (option, value, place, error);
  case KIND_NUMBER:
    return store_number (option, value, place, error);
  case KIND_FLAG:
    *(bool *)place = true;
    return true;
  default:
    g_return_val_if_reached (false);
  }
}

/* What is being read. */
typedef struct {
  CliOptions *options;
  CliCommandBit command;
  bool seen[G_N_ELEMENTS (table)]; /* given already */
} Parse;

/* Of two values one would be dropped without a word. */
static bool
note_option (Parse *parse, const Option *option, GError **error)
{
  bool *seen = &parse->seen[option - table];
  if (*seen)
    return cli_usage (error, "%s is given twice", option->name);
  *seen = true;
  parse->options->given[parse->options->n_given++] = option->name;
  return true;
}

/* What is no option: the model's name, for commands that have one. */
static bool
take_name (Parse *parse, char **args, int *used, GError **error)
{
  const char *arg = args[0];
  g_autofree char *shown = attn_file_dup_shown (arg, strlen (arg));
  if (parse->command == CLI_ATLAS) {
    parse->options->files[parse->options->n_files++] = args[0]; /* never past where args are read */
    *used = 1;
    return true;
  }
  if (!(parse->command & CLI_NAMED))
    return cli_usage (error, "\"%s\" is not an option%s", shown,
                      has_option (parse->command, "--text")    ? "; texts are given by --text"
                      : has_option (parse->command, "--model") ? "; a model is named by --model"
                                                               : ", and nothing is named here");
  if (parse->options->name != NULL)
    return cli_usage (error, "\"%s\": one name at a time, and there is one already", shown);
  parse->options->name = arg;
  *used = 1;
  return true;
}

/* Reads one option and its value; @used is 1 or 2. */
static bool
parse_one (Parse *parse, char **args, int n_args, int *used, GError **error)
{
  CliOptions *options = parse->options;
  const char *arg = args[0];
  const char *equals = g_str_has_prefix (arg, "--") ? strchr (arg, '=') : NULL;
  size_t length = equals != NULL ? (size_t)(equals - arg) : strlen (arg);
  g_autofree char *shown = attn_file_dup_shown (arg, length);
  if (arg[0] != '-' || arg[1] == '\0')
    return take_name (parse, args, used, error);
  const Option *option = find (parse->command, arg, length);
  if (option == NULL)
    return cli_usage (error, "there is no option %s here", shown);
  if (!note_option (parse, option, error))
    return false;
  *used = 1;
  if (option->argument == NULL) {
    if (equals != NULL)
      return cli_usage (error, "%s takes no value", option->name);
    return store (options, option, NULL, error);
  }
  if (equals != NULL)
    return store (options, option, equals + 1, error);
  if (n_args < 2)
    return cli_usage (error, "%s needs a value: %s", option->name, option->argument);
  *used = 2;
  return store (options, option, args[1], error);
}

bool
cli_options_parse (
    CliOptions *options, CliCommandBit command, char **args, int n_args, GError **error)
{
  *options = (CliOptions){.pin_query = G_MAXSIZE,
                          .pin_key = G_MAXSIZE,
                          .contributions = G_MAXSIZE,
                          .seed = G_MAXSIZE,
                          .checkpoint = G_MAXSIZE};
  Parse parse = {.options = options, .command = command};
  options->files = args;
  for (int i = 0, used = 0; i < n_args; i += used)
    if (!parse_one (&parse, args + i, n_args - i, &used, error))
      return false;
  return true;
}

void
cli_options_append_help (GString *text, CliCommandBit command)
{
  for (size_t i = 0; i < G_N_ELEMENTS (table); i++) {
    const Option *option = &table[i];
    if (!(option->commands & command) || option->help == NULL)
      continue;
    g_autofree char *shown =
        g_strjoin (" ", option->name, option->argument, NULL); /* ends at a NULL argument */
    g_string_append_printf (text, "  %-18s %s\n", shown, option->help);
  }
}
