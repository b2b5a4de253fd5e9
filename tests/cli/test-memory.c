/* SPDX-License-Identifier: MIT */
/* How much memory large models take: while their files are read, and with a long text's trace. */
#include "cli-run.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define NEEDED_KB (2200L << 10) /* to be free, so that the largest model fits without swapping */

/* Letters: V entries of the vocabulary, P positions, D width, F feed-forward width, L layers. */
enum { V = 30522, P = 512, D = 768, F = 3072, L = 12 };

/* Returns: false after having skipped the test with the reason. */
static bool
can_measure (void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  g_test_skip ("a sanitizer's own memory would be counted");
  return false;
#else
  g_autofree char *text = NULL;
  const char *line = NULL;
  if (g_file_get_contents ("/proc/meminfo", &text, NULL, NULL))
    line = strstr (text, "MemAvailable:");
  if (line != NULL && g_ascii_strtoll (line + strlen ("MemAvailable:"), NULL, 10) >= NEEDED_KB)
    return true;
  g_test_skip ("less than 2.2 GB of memory are free");
  return false;
#endif
}

/* ---- the whole program at work ---- */

static void
assert_peak (const char *shape, const char *n_tokens, double most_gb)
{
  json_t *answer = ASK ("bench --repeat 1 --shape @ --tokens @", shape, n_tokens);
  double peak_gb =
      json_number_value (json_object_get (answer, "peak_rss_mb")) * (1 << 20) / 1e9; /* from MiB */
  g_test_message ("%s, %s tokens: %.3f GB at most, wanted are %.1f", shape, n_tokens, peak_gb,
                  most_gb);
  g_assert_cmpfloat (peak_gb, >, most_gb / 4);
  g_assert_cmpfloat (peak_gb, <=, most_gb);
  json_decref (answer);
}

static void
test_long_texts (void)
{
  if (!can_measure ())
    return;
  assert_peak ("bert-large", "512", 1.7);
  assert_peak ("gpt2", "1024", 0.8);
}

/* ---- reading files ---- */

typedef struct {
  GString *header;
  size_t n_elements;
  size_t element_size;
} File;

static void
add (File *file, const char *name, size_t n_rows, size_t n_columns)
{
  const size_t begin = file->n_elements * file->element_size;
  file->n_elements += n_rows * MAX (n_columns, 1);
  g_string_append_printf (file->header, "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[%zu",
                          file->header->len > 1 ? "," : "", name,
                          file->element_size == 4 ? "F32" : "F16", n_rows);
  if (n_columns > 0)
    g_string_append_printf (file->header, ",%zu", n_columns);
  g_string_append_printf (file->header, "],\"data_offsets\":[%zu,%zu]}", begin,
                          file->n_elements * file->element_size);
}

static void
add_pair (File *file, const char *name, size_t n_out, size_t n_in)
{
  g_autofree char *weight = g_strconcat (name, ".weight", NULL);
  g_autofree char *bias = g_strconcat (name, ".bias", NULL);
  add (file, weight, n_out, n_in);
  add (file, bias, n_out, 0);
}

static void
add_layer (File *file, size_t layer)
{
  static const struct {
    const char *name;
    size_t n_out, n_in;
  } parts[] = {
      {"attention.self.query", D, D},
      {"attention.self.key", D, D},
      {"attention.self.value", D, D},
      {"attention.output.dense", D, D},
      {"attention.output.LayerNorm", D, 0},
      {"intermediate.dense", F, D},
      {"output.dense", D, F},
      {"output.LayerNorm", D, 0},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++) {
    g_autofree char *name = g_strdup_printf ("encoder.layer.%zu.%s", layer, parts[i].name);
    add_pair (file, name, parts[i].n_out, parts[i].n_in);
  }
}

/* A file of BERT-base's shape whose data is one hole, so that it takes no room on the disk.
 * Returns: its elements. */
static size_t
write_weights (const char *path, size_t element_size)
{
  g_autoptr (GString) header = g_string_new ("{");
  File file = {header, 0, element_size};
  add (&file, "embeddings.word_embeddings.weight", V, D);
  add (&file, "embeddings.position_embeddings.weight", P, D);
  add (&file, "embeddings.token_type_embeddings.weight", 2, D);
  add_pair (&file, "embeddings.LayerNorm", D, 0);
  for (size_t layer = 0; layer < L; layer++)
    add_layer (&file, layer);
  g_string_append_c (header, '}');
  const guint64 length = GUINT64_TO_LE (header->len);
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, &length, sizeof length), ==, sizeof length);
  g_assert_cmpint (write (fd, header->str, header->len), ==, header->len);
  off_t end = (off_t)(sizeof length + header->len + file.n_elements * element_size);
  g_assert_cmpint (ftruncate (fd, end), ==, 0);
  close (fd);
  return file.n_elements;
}

static void
write_text (const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = in_folder (name);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

static void
write_config_and_vocabulary (void)
{
  g_autofree char *config =
      g_strdup_printf ("{\"model_type\":\"bert\",\"vocab_size\":%d,\"max_position_embeddings\":%d,"
                       "\"hidden_size\":%d,\"intermediate_size\":%d,\"num_hidden_layers\":%d,"
                       "\"num_attention_heads\":12}",
                       V, P, D, F, L);
  g_autoptr (GString) vocabulary = g_string_new ("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n");
  for (int i = 5; i < V; i++)
    g_string_append_printf (vocabulary, "w%d\n", i);
  write_text ("config.json", config);
  write_text ("vocab.txt", vocabulary->str);
}

/* The whole program, libraries and all, against the weights as f32. */
static void
test_loading (gconstpointer data)
{
  if (!can_measure ())
    return;
  const size_t element_size = GPOINTER_TO_SIZE (data);
  g_autofree char *path = in_folder ("model.safetensors");
  write_config_and_vocabulary ();
  const size_t n_bytes = write_weights (path, element_size) * sizeof (float);
  gint64 start = g_get_monotonic_time ();
  g_auto (Run) run = RUN ("info --model @", peek_folder ());
  double seconds = (double)(g_get_monotonic_time () - start) / 1e6;
  g_assert_cmpstr (run.err, ==, "");
  g_assert_cmpint (run.status, ==, 0);
  double share = (double)run.peak_kb * 1024 / (double)n_bytes;
  g_test_message ("%zu MB of weights from files of %zu-byte numbers: %.3f times as much memory at "
                  "most, %.2f s",
                  n_bytes / 1000000, element_size, share, seconds);
  g_assert_cmpfloat (share, >, 1);
  g_assert_cmpfloat (share, <=, 1.15);
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_data_func ("/memory/loading/f32", GSIZE_TO_POINTER (4), test_loading);
  g_test_add_data_func ("/memory/loading/f16", GSIZE_TO_POINTER (2), test_loading);
  g_test_add_func ("/memory/long-texts", test_long_texts);
  return cli_test_run ();
}
