/* SPDX-License-Identifier: MIT */
/* The answers of headscope-cli: their forms, and that all formats agree to the digit. */
#include "cli-run.h"
#include "test-util.h"

#include "attn-hub/store.h"

#include <string.h>

static void
test_info (void)
{
  json_t *info = ASK ("info");
  assert_keys (info, "name,family,layers,heads,d_model,d_k,d_ff,vocab,max_tokens,parameters,"
                     "weights,kernel,warnings");
  g_assert_cmpint (get_int (info, "layers"), ==, 4);
  g_assert_cmpint (get_int (info, "heads"), ==, 8);
  g_assert_cmpint (get_int (info, "d_model"), ==, 256);
  g_assert_cmpint (get_int (info, "d_k"), ==, 32);
  json_t *parameters = json_object_get (info, "parameters");
  assert_keys (parameters, "total,attention_block,attention_block_no_bias,head");
  g_assert_cmpint (get_int (parameters, "attention_block_no_bias"), ==, 4 * 256 * 256);
  g_assert_cmpint (get_int (parameters, "attention_block"), ==, 4 * 256 * 256 + 4 * 256);
  assert_keys (json_object_get (info, "weights"), "files,dtype,bytes");
  g_assert_cmpuint (json_array_size (json_object_get (info, "warnings")), ==, 0);
  json_decref (info);
  json_t *hashed = ASK ("info --hash");
  json_t *weights = json_object_get (hashed, "weights");
  assert_keys (weights, "files,dtype,bytes,sha256");
  g_autofree char *folder = attn_hub_find_model (NULL, NULL);
  g_autofree char *path = g_build_filename (folder, "model.safetensors", NULL);
  gsize size = 0;
  g_autofree char *content = test_read_file (path, &size);
  g_autofree char *wanted =
      g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)content, size);
  g_assert_cmpstr (json_string_value (json_object_get (weights, "sha256")), ==, wanted);
  json_decref (hashed);
  json_t *longer = ASK ("info --model demo --tensors");
  json_t *tensors = json_object_get (longer, "tensors");
  g_assert_cmpuint (json_array_size (tensors), >, 60);
  assert_keys (json_array_get (tensors, 0), "name,dtype,shape");
  json_decref (longer);
}

static void
test_tokenize (void)
{
  json_t *answer = ASK ("tokenize --text @ --pair @", "The [MASK] 猫", "é");
  assert_keys (answer, "ids,tokens,offsets,sequence,type_ids,special,truncated");
  size_t n = json_array_size (json_object_get (answer, "ids"));
  const char *lists[] = {"tokens", "offsets", "sequence", "type_ids", "special"};
  for (size_t i = 0; i < G_N_ELEMENTS (lists); i++)
    g_assert_cmpuint (json_array_size (json_object_get (answer, lists[i])), ==, n);
  json_t *offsets = json_object_get (answer, "offsets");
  json_t *sequence = json_object_get (answer, "sequence");
  g_assert_true (json_is_null (json_array_get (offsets, 0)));
  g_assert_true (json_is_null (json_array_get (sequence, 0)));
  g_assert_cmpint (json_integer_value (json_array_get (json_array_get (offsets, 2), 0)), ==, 4);
  g_assert_cmpint (json_integer_value (json_array_get (json_array_get (offsets, 2), 1)), ==, 10);
  g_assert_cmpint (json_integer_value (json_array_get (sequence, n - 2)), ==, 1);
  g_assert_true (json_is_false (json_array_get (json_object_get (answer, "special"), 2)));
  g_assert_cmpint (get_int (answer, "truncated"), ==, 0);
  json_decref (answer);
  json_t *empty = ASK ("tokenize --text @", "");
  g_assert_cmpuint (json_array_size (json_object_get (empty, "ids")), ==, 2);
  json_decref (empty);
}

static void
test_truncation (void)
{
  g_auto (Run) run = RUN ("tokenize --max-tokens 5 --text @", "a b c d e f");
  g_assert_cmpint (run.status, ==, 0);
  g_assert_nonnull (strstr (run.err, "3 of 8 tokens left out"));
  g_assert_nonnull (strstr (run.out, "\"truncated\":3}"));
  g_auto (Run) small = RUN ("tokenize --max-tokens 1 --text a");
  g_assert_cmpint (small.status, ==, 1);
  g_autoptr (GString) words = g_string_new (NULL);
  for (int i = 0; i < 600; i++)
    g_string_append (words, "a ");
  g_auto (Run) lifted = RUN ("tokenize --max-tokens 100000 --text @", words->str);
  g_assert_cmpstr (lifted.err, ==, ""); /* N replaces the model's limit where nothing runs */
  g_auto (Run) kept = RUN ("predict --max-tokens 100000 --text @", words->str);
  g_assert_nonnull (strstr (kept.err, "90 of 602 tokens left out"));
}

/* The weights of one head in all four formats. */
static void
assert_formats_agree (size_t layer, size_t head)
{
  g_autofree char *text_options =
      g_strdup_printf ("attention --text @ --layer %zu --head %zu --format", layer, head);
  g_autofree char *json_words = g_strconcat (text_options, " json", NULL);
  g_autofree char *csv_words = g_strconcat (text_options, " csv", NULL);
  g_autofree char *npy_words = g_strconcat (text_options, " npy", NULL);
  g_autofree char *st_words = g_strconcat (text_options, " safetensors", NULL);
  const char *text = "Attention, \"heads\" and 猫";
  json_t *answer = ASK (json_words, text);
  assert_keys (answer, "about,tokens,maps");
  json_t *map = json_array_get (json_object_get (answer, "maps"), 0);
  assert_keys (map, "layer,head,weights");
  g_assert_cmpint (get_int (map, "layer"), ==, layer);
  g_assert_cmpint (get_int (map, "head"), ==, head);
  json_t *rows = json_object_get (map, "weights");
  size_t n = json_array_size (rows), n_bytes = n * n * sizeof (float);
  g_auto (Run) csv = RUN (csv_words, text);
  g_auto (Run) npy = RUN (npy_words, text);
  g_auto (Run) st = RUN (st_words, text);
  g_assert_cmpuint (npy.out_length, >, n_bytes);
  g_assert_cmpmem (npy.out + npy.out_length - n_bytes, n_bytes, st.out + st.out_length - n_bytes,
                   n_bytes);
  g_auto (GStrv) lines = g_strsplit (csv.out, "\n", -1);
  g_assert_cmpstr (lines[0], ==, "layer,head,query,key,query_token,key_token,weight");
  g_assert_cmpuint (g_strv_length (lines), ==, n * n + 2);
  for (size_t i = 0; i < n * n; i++) {
    double weight = json_number_value (json_array_get (json_array_get (rows, i / n), i % n));
    double from_csv = g_ascii_strtod (strrchr (lines[i + 1], ',') + 1, NULL);
    float raw;
    memcpy (&raw, npy.out + npy.out_length - n_bytes + i * sizeof raw, sizeof raw);
    g_assert_true (weight == from_csv);
    g_assert_true ((float)weight == raw);
  }
  json_decref (answer);
}

static void
test_formats_agree (void)
{
  assert_formats_agree (1, 1);
  assert_formats_agree (4, 8);
}

static json_t *
read_header (const char *path)
{
  gsize size = 0;
  g_autofree char *file = test_read_file (path, &size);
  guint64 length = 0;
  memcpy (&length, file, sizeof length);
  length = GUINT64_FROM_LE (length);
  g_assert_cmpuint (length + 8, <=, size);
  json_t *header = json_loadb (file + 8, length, JSON_REJECT_DUPLICATES, NULL);
  g_assert_nonnull (header);
  return header;
}

static void
assert_shape (json_t *header, const char *name, const char *wanted)
{
  g_autofree char *shape =
      json_dumps (json_object_get (json_object_get (header, name), "shape"), JSON_COMPACT);
  g_assert_cmpstr (shape, ==, wanted);
}

static void
test_safetensors (void)
{
  g_autofree char *path = in_folder ("all.safetensors");
  g_auto (Run) run =
      RUN ("attention --text @ --format safetensors --with hidden,logits -o @", "The cat", path);
  g_assert_cmpstr (run.err, ==, "");
  g_assert_cmpint (run.status, ==, 0);
  g_assert_cmpuint (run.out_length, ==, 0);
  json_t *header = read_header (path);
  assert_keys (header, "__metadata__,input_ids,attentions,hidden_states,logits");
  assert_shape (header, "input_ids", "[4]");
  assert_shape (header, "attentions", "[4,8,4,4]");
  assert_shape (header, "hidden_states", "[5,4,256]");
  assert_shape (header, "logits", "[4,8000]");
  json_decref (header);
  g_auto (Run) layer =
      RUN ("attention --text @ --layer 2 --format safetensors -o @", "The cat", path);
  header = read_header (path);
  assert_shape (header, "attentions", "[1,8,4,4]");
  json_decref (header);
}

static void
test_batch (void)
{
  g_autofree char *lines = in_folder ("texts.txt");
  g_autofree char *objects = in_folder ("texts.jsonl");
  g_autofree char *tensors = in_folder ("batch.safetensors");
  g_assert_true (g_file_set_contents (lines, "The cat\r\n\n猫 [MASK]", -1, NULL));
  g_assert_true (g_file_set_contents (
      objects, "{\"text\":\"a\\u0000b\"}\n\n{\"text\":\"x\",\"pair\":\"y\"}\n", -1, NULL));
  g_auto (Run) tokenized = RUN ("tokenize --batch @", lines);
  g_assert_cmpint (tokenized.status, ==, 0);
  g_auto (GStrv) answers = g_strsplit (tokenized.out, "\n", -1);
  g_assert_cmpuint (g_strv_length (answers), ==, 4);
  g_auto (Run) single = RUN ("tokenize --text @", "猫 [MASK]");
  g_assert_cmpstr (g_strchomp (single.out), ==, answers[2]);
  g_auto (Run) predicted = RUN ("predict --batch @", lines);
  g_auto (GStrv) guesses = g_strsplit (predicted.out, "\n", -1);
  g_assert_cmpuint (g_strv_length (guesses), ==, 4);
  g_assert_cmpstr (guesses[0], ==, "{\"masks\":[]}");
  g_auto (Run) exported = RUN ("attention --batch @ --format safetensors -o @", objects, tensors);
  g_assert_cmpint (exported.status, ==, 0);
  json_t *header = read_header (tensors);
  assert_keys (header, "__metadata__,0.input_ids,0.attentions,1.input_ids,1.attentions");
  json_t *metadata = json_object_get (header, "__metadata__");
  assert_keys (metadata, "0.tokens,1.tokens");
  g_assert_cmpstr (json_string_value (json_object_get (metadata, "1.tokens")), ==,
                   "[\"[CLS]\",\"x\",\"[SEP]\",\"y\",\"[SEP]\"]");
  assert_shape (header, "1.attentions", "[4,8,5,5]");
  json_decref (header);
  g_auto (Run) again = RUN ("info --attention @ --array 1.attentions", tensors);
  g_assert_nonnull (strstr (again.out, "\"tokens\":[\"[CLS]\",\"x\",\"[SEP]\",\"y\",\"[SEP]\"]"));
  g_assert_true (g_file_set_contents (objects,
                                      "\uFEFF{\"text\":\"a\",\"n\":[1e999, -1e999 ,7]}\n"
                                      "{\"id\":99999999999999999999,\"text\":\"b 1e999\"}\n",
                                      -1, NULL));
  g_auto (Run) odd = RUN ("tokenize --batch @", objects);
  g_auto (Run) first = RUN ("tokenize --text @", "a");
  g_auto (Run) second = RUN ("tokenize --text @", "b 1e999");
  g_autofree char *both = g_strconcat (first.out, second.out, NULL);
  g_assert_cmpstr (odd.err, ==, "");
  g_assert_cmpstr (odd.out, ==, both);
  g_assert_true (g_file_set_contents (objects, "{\"text\":1e999}\n", -1, NULL));
  g_auto (Run) number = RUN ("tokenize --batch @", objects);
  g_assert_nonnull (strstr (number.err, "texts.jsonl, line 1: wanted is an object"));
  g_assert_true (g_file_set_contents (objects, "{\"text\":\"a\"}\n{\"txt\":1}\n", -1, NULL));
  g_auto (Run) wrong = RUN ("tokenize --batch @", objects);
  g_assert_cmpint (wrong.status, ==, 1);
  g_assert_nonnull (strstr (wrong.err, "texts.jsonl, line 2: "));
}

static void
test_predict (void)
{
  json_t *answer = ASK ("predict --top 3 --text @", "The cat sat on the [MASK] and [MASK].");
  assert_keys (answer, "masks");
  json_t *masks = json_object_get (answer, "masks");
  g_assert_cmpuint (json_array_size (masks), ==, 2);
  json_t *mask = json_array_get (masks, 0);
  assert_keys (mask, "position,top");
  g_assert_cmpint (get_int (mask, "position"), ==, 6);
  json_t *top = json_object_get (mask, "top");
  g_assert_cmpuint (json_array_size (top), ==, 3);
  double before = 1;
  for (size_t i = 0; i < 3; i++) {
    assert_keys (json_array_get (top, i), "token,id,p");
    double p = json_number_value (json_object_get (json_array_get (top, i), "p"));
    g_assert_cmpfloat (p, >, 0);
    g_assert_cmpfloat (p, <=, before);
    before = p;
  }
  json_decref (answer);
}

/* A causal model needs no mask: one entry, after the text's last token. */
static void
test_predict_next (void)
{
  g_autofree char *folder = test_data_path ("golden/models/gpt2");
  g_autofree char *arguments = g_strdup_printf ("predict --model %s --top 2 --text @", folder);
  json_t *answer = ASK (arguments, "The cat");
  json_t *masks = json_object_get (answer, "masks");
  g_assert_cmpuint (json_array_size (masks), ==, 1);
  json_t *next = json_array_get (masks, 0);
  assert_keys (next, "position,next,top");
  g_assert_true (json_is_true (json_object_get (next, "next")));
  g_autofree char *tokenize = g_strdup_printf ("tokenize --model %s --text @", folder);
  json_t *tokens = ASK (tokenize, "The cat");
  g_assert_cmpint (get_int (next, "position"), ==,
                   (gint64)json_array_size (json_object_get (tokens, "ids")) - 1);
  g_assert_cmpuint (json_array_size (json_object_get (next, "top")), ==, 2);
  json_decref (tokens);
  json_decref (answer);
}

static void
test_bench (void)
{
  json_t *answer = ASK ("bench --shape 2x64x4x128 --tokens 16,7 --repeat 2 --threads 1");
  assert_keys (answer, "shape,threads,kernel,peak_rss_mb,runs");
  g_assert_cmpint (get_int (answer, "threads"), ==, 1);
  json_t *runs = json_object_get (answer, "runs");
  g_assert_cmpuint (json_array_size (runs), ==, 2);
  assert_keys (json_array_get (runs, 0), "tokens,min_ms,median_ms,gflops");
  g_assert_cmpint (get_int (json_array_get (runs, 1), "tokens"), ==, 7);
  json_decref (answer);
}

/* The stages are all there and sum up to the total; each is told in whole microseconds. */
static void
test_bench_profile (void)
{
  json_t *answer = ASK ("bench --shape 2x64x4x128 --tokens 9 --repeat 2 --profile");
  json_t *run = json_array_get (json_object_get (answer, "runs"), 0);
  assert_keys (run, "tokens,min_ms,median_ms,gflops,profile");
  json_t *profile = json_object_get (run, "profile"), *stages = json_object_get (profile, "stages");
  assert_keys (profile, "ms,stages");
  static const char *const names[] = {"embeddings", "qkv", "attention", "output",
                                      "norm",       "up",  "down",      "rest"};
  g_assert_cmpuint (json_array_size (stages), ==, G_N_ELEMENTS (names));
  double sum = 0;
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    json_t *stage = json_array_get (stages, i);
    g_assert_cmpstr (json_string_value (json_object_get (stage, "stage")), ==, names[i]);
    sum += json_number_value (json_object_get (stage, "ms"));
  }
  double total = json_number_value (json_object_get (profile, "ms"));
  g_assert_cmpfloat_with_epsilon (sum, total, 1e-6); /* decimals, read as doubles */
  json_t *up = json_array_get (stages, 5);
  assert_keys (up, "stage,ms,rows,inputs,outputs,gflops");
  g_assert_cmpint (get_int (up, "rows"), ==, 9);
  g_assert_cmpint (get_int (up, "inputs"), ==, 64);
  g_assert_cmpint (get_int (up, "outputs"), ==, 128);
  assert_keys (json_array_get (stages, 2), "stage,ms,gflops");
  json_decref (answer);
}

/* A family with products of its own in the scores. */
static void
test_bench_distances (void)
{
  json_t *answer = ASK ("bench --shape deberta-base --tokens 40 --repeat 1");
  const json_t *run = json_array_get (json_object_get (answer, "runs"), 0);
  g_assert_cmpint (json_integer_value (json_object_get (run, "tokens")), ==, 40);
  g_assert_cmpfloat (json_number_value (json_object_get (run, "min_ms")), >, 0);
  json_decref (answer);
}

/* The kernels of every CPU can be asked for; others only where the CPU has them. */
static void
test_bench_kernels (void)
{
  json_t *answer = ASK ("bench --shape 2x64x4x128 --tokens 9 --repeat 1 --kernel openblas");
  g_assert_true (
      g_str_has_prefix (json_string_value (json_object_get (answer, "kernel")), "openblas "));
  json_decref (answer);
  g_auto (Run) refused = RUN ("bench --shape 2x64x4x128 --tokens 9 --kernel abacus");
  g_assert_cmpint (refused.status, ==, 1);
  g_assert_nonnull (strstr (refused.err, "abacus"));
  g_assert_nonnull (strstr (refused.err, "openblas"));
}

static void
test_threads_agree (void)
{
  const char *text = "The animal did not cross the street because it was too tired. 它太累了。";
  g_auto (Run) one = RUN ("attention --format npy --threads 1 --text @", text);
  g_auto (Run) two = RUN ("attention --format npy --threads 2 --text @", text);
  g_auto (Run) again = RUN ("attention --format npy --threads 2 --text @", text);
  g_assert_cmpint (one.status, ==, 0);
  g_assert_cmpmem (one.out, one.out_length, two.out, two.out_length);
  g_assert_cmpmem (two.out, two.out_length, again.out, again.out_length);
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/cli/info", test_info);
  g_test_add_func ("/cli/tokenize", test_tokenize);
  g_test_add_func ("/cli/truncation", test_truncation);
  g_test_add_func ("/cli/formats-agree", test_formats_agree);
  g_test_add_func ("/cli/safetensors", test_safetensors);
  g_test_add_func ("/cli/batch", test_batch);
  g_test_add_func ("/cli/predict", test_predict);
  g_test_add_func ("/cli/predict-next", test_predict_next);
  g_test_add_func ("/cli/bench", test_bench);
  g_test_add_func ("/cli/bench-kernels", test_bench_kernels);
  g_test_add_func ("/cli/bench-distances", test_bench_distances);
  g_test_add_func ("/cli/bench-profile", test_bench_profile);
  g_test_add_func ("/cli/threads-agree", test_threads_agree);
  return cli_test_run ();
}
