/* SPDX-License-Identifier: MIT */
/* The weights of a model folder: reading, and every malformed header there is. */
#include "model-folder.h"
#include "test-util.h"

#include "attn/source.h"

#include <glib/gstdio.h>

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char key_weight[] = "encoder.layer.0.attention.self.key.weight";

static const TestHostileCase hostile[] = {
    {"st-empty", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-7-bytes", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-length-2e63", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-length-all-ones", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-length-limit", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-length-past-end", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-header-not-utf8", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-header-cut-json", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-header-array", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-header-leading-space", TEST_LOADS, 0},
    {"st-unaligned", TEST_LOADS, 0},
    {"st-cut-data", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-trailing-bytes", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-overlap", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-hole", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-dtype-unknown", TEST_REFUSED, ATTN_ERROR_UNSUPPORTED},
    {"st-dtype-integer", TEST_MODEL_REFUSES, 0},
    {"st-shape-overflow", TEST_REFUSED, ATTN_ERROR_SHAPE},
    {"st-shape-not-bytes", TEST_REFUSED, ATTN_ERROR_SHAPE},
    {"st-negative-dim", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-offset-float", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-offset-three", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-offset-reversed", TEST_REFUSED, ATTN_ERROR_SHAPE},
    {"st-offset-huge", TEST_REFUSED, ATTN_ERROR_SHAPE},
    {"st-duplicate-key", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-name-surrogate", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-name-nul", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-deep-json", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-metadata-number", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"st-missing-tensor", TEST_MODEL_REFUSES, 0},
    {"st-wrong-shape", TEST_MODEL_REFUSES, 0},
    {"st-fewer-words", TEST_MODEL_REFUSES, 0},
    {"st-extra-tensors", TEST_LOADS, 0},
    {"st-f64", TEST_LOADS, 0},
    {"st-nan", TEST_LOADS, 0},
    {"st-inf", TEST_LOADS, 0},
    {"st-overflowing", TEST_LOADS, 0},
    {"st-lfs-pointer", TEST_REFUSED, ATTN_ERROR_FORMAT},
};

static AttnSource *
open_hostile (const char *folder, GError **error)
{
  g_autofree char *path = test_hostile_path (folder);
  return attn_source_open (path, error);
}

static void
test_hostile_folder (gconstpointer data)
{
  const TestHostileCase *hostile_case = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnSource) source = open_hostile (hostile_case->folder, &error);
  if (hostile_case->outcome == TEST_REFUSED) {
    g_assert_null (source);
    test_hostile_check_error (hostile_case->folder, error, hostile_case->code);
    return;
  }
  g_assert_no_error (error);
  for (size_t i = 0; i < attn_source_get_n_tensors (source); i++) {
    const AttnTensorInfo *tensor = attn_source_peek_tensor (source, i);
    if (tensor->dtype != ATTN_DTYPE_OTHER)
      g_free (test_source_read (source, tensor));
    g_assert_true (attn_source_find (source, tensor->name) == tensor);
  }
}

static void
test_hostile_list (void)
{
  test_hostile_check_list ("st-", hostile, G_N_ELEMENTS (hostile));
}

/* Odd but legal files give the very numbers of the plain one. */
static void
test_hostile_same (void)
{
  const char *folders[] = {"st-header-leading-space", "st-unaligned", "st-extra-tensors", "st-f64"};
  g_autoptr (AttnSource) ok = open_hostile ("ok", NULL);
  g_assert_cmpuint (attn_source_get_n_tensors (ok), ==, 21);
  for (size_t f = 0; f < G_N_ELEMENTS (folders); f++) {
    g_autoptr (AttnSource) source = open_hostile (folders[f], NULL);
    for (size_t i = 0; i < attn_source_get_n_tensors (ok); i++) {
      const AttnTensorInfo *wanted = attn_source_peek_tensor (ok, i);
      const AttnTensorInfo *found = attn_source_find (source, wanted->name);
      g_assert_nonnull (found);
      g_assert_cmpuint (found->n_dims, ==, wanted->n_dims);
      g_assert_cmpmem (found->shape, sizeof found->shape, wanted->shape, sizeof wanted->shape);
      g_autofree float *a = test_source_read (ok, wanted);
      g_autofree float *b = test_source_read (source, found);
      size_t n_bytes = wanted->n_elements * sizeof (float);
      g_assert_cmpmem (a, n_bytes, b, n_bytes);
    }
  }
}

static void
test_hostile_numbers (void)
{
  g_autoptr (AttnSource) with_nan = open_hostile ("st-nan", NULL);
  g_autoptr (AttnSource) with_inf = open_hostile ("st-inf", NULL);
  g_autofree float *nan = test_source_read (with_nan, attn_source_find (with_nan, key_weight));
  g_autofree float *inf = test_source_read (with_inf, attn_source_find (with_inf, key_weight));
  size_t n_nan = 0, n_plus = 0, n_minus = 0;
  for (size_t i = 0; i < 16; i++) {
    n_nan += isnan (nan[i]) ? 1 : 0;
    n_plus += isinf (inf[i]) && inf[i] > 0 ? 1 : 0;
    n_minus += isinf (inf[i]) && inf[i] < 0 ? 1 : 0;
  }
  g_assert_cmpuint (n_nan, ==, 1);
  g_assert_cmpuint (n_plus, ==, 1);
  g_assert_cmpuint (n_minus, ==, 1);

  g_autoptr (AttnSource) missing = open_hostile ("st-missing-tensor", NULL);
  g_assert_null (attn_source_find (missing, key_weight));
}

static void
test_integers (void)
{
  g_autoptr (AttnSource) source = open_hostile ("st-dtype-integer", NULL);
  const AttnTensorInfo *tensor = attn_source_find (source, key_weight);
  g_assert_cmpint (tensor->dtype, ==, ATTN_DTYPE_OTHER);
  g_assert_cmpstr (tensor->dtype_name, ==, "I32");
  float value = 0;
  g_autoptr (GError) error = NULL;
  g_assert_false (attn_source_read_f32 (source, tensor, 0, 1, &value, &error));
  test_hostile_check_error ("st-dtype-integer", error, ATTN_ERROR_UNSUPPORTED);
}

/* A file written here, so that names, shapes and numbers are known. */
static void
test_closed_form (void)
{
  /* begins with an odd header length; "s" is a scalar, "e" has no element, "é" an escaped name */
  const char header[] =
      "{\"__metadata__\":{\"format\":\"pt\"},"
      "\"b\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[4,28],\"note\":[{}]},"
      "\"s\":{\"data_offsets\":[0,4],\"shape\":[],\"dtype\":\"F32\"},"
      "\"e\":{\"dtype\":\"F16\",\"shape\":[0,4],\"data_offsets\":[28,28]},"
      "\"\\u00e9\":{\"dtype\":\"I64\",\"shape\":[1,1,1,1,1,1,1,1],\"data_offsets\":[28,36]},"
      "\"f\":{\"dtype\":\"F4\",\"shape\":[2],\"data_offsets\":[36,37]}}\n ";
  const float numbers[] = {7, 1, 2, 3, 4, 5, -0.0f};
  char data[37] = {0};
  for (size_t i = 0; i < 7; i++) {
    guint32 bits;
    memcpy (&bits, &numbers[i], sizeof bits);
    bits = GUINT32_TO_LE (bits);
    memcpy (data + 4 * i, &bits, sizeof bits);
  }
  g_assert_cmpuint (strlen (header) % 2, ==, 1);
  char *folder = test_folder_new ();
  test_folder_write_weights (folder, header, data, sizeof data);
  g_autoptr (AttnSource) source = test_source_open (folder);

  g_assert_cmpuint (attn_source_get_n_tensors (source), ==, 5);
  g_assert_cmpstr (attn_source_peek_tensor (source, 0)->name, ==, "b");
  g_assert_cmpstr (attn_source_peek_tensor (source, 3)->name, ==, "é");
  const AttnTensorInfo *b = attn_source_find (source, "b");
  g_assert_cmpuint (b->n_dims, ==, 2);
  g_assert_cmpuint (b->shape[0], ==, 2);
  g_assert_cmpuint (b->shape[1], ==, 3);
  g_assert_cmpuint (b->n_elements, ==, 6);
  g_assert_cmpuint (b->n_bytes, ==, 24);
  g_assert_cmpstr (b->dtype_name, ==, "F32");
  g_autofree float *values = test_source_read (source, b);
  g_assert_cmpmem (values, 24, numbers + 1, 24);
  const AttnTensorInfo *s = attn_source_find (source, "s");
  g_assert_cmpuint (s->n_dims, ==, 0);
  g_assert_cmpuint (s->n_elements, ==, 1);
  g_autofree float *scalar = test_source_read (source, s);
  g_assert_cmpfloat (*scalar, ==, 7);
  const AttnTensorInfo *e = attn_source_find (source, "e");
  g_assert_cmpuint (e->n_elements, ==, 0);
  g_assert_true (attn_source_read_f32 (source, e, 0, 0, NULL, NULL));
  g_assert_cmpuint (attn_source_find (source, "é")->n_dims, ==, 8);
  g_assert_cmpuint (attn_source_find (source, "f")->n_bytes, ==, 1);
  g_assert_null (attn_source_find (source, ""));
  g_assert_null (attn_source_find (source, "z"));

  g_autofree char *path = g_build_filename (folder, "model.safetensors", NULL);
  g_assert_cmpstr (attn_source_peek_path (source, b), ==, path);
  g_assert_cmpstr (attn_source_peek_files (source)[0], ==, "model.safetensors");
  g_assert_null (attn_source_peek_files (source)[1]);
  g_assert_cmpuint (attn_source_get_n_bytes (source), ==, 8 + strlen (header) + sizeof data);
  test_folder_remove (folder);
}

/* Headers beside those in tests/data/hostile; the data are 16 zeros. */
#define T(name, shape, offsets) \
  "\"" name "\":{\"dtype\":\"F32\",\"shape\":" shape ",\"data_offsets\":" offsets "}"
#define GOOD T ("a", "[4]", "[0,16]")
static const struct {
  const char *header;
  int code; /* -1: loads */
  const char *names[4];
} headers[] = {
    {"{" GOOD "}", -1, {NULL}},
    {"\t\n {" GOOD "} \n", -1, {NULL}},
    {"{" T ("", "[4]", "[0,16]") "}", -1, {NULL}},
    {"{" T ("a", "[4]", "[0,16]") "," T ("z", "[0,9223372036854775808,3]", "[16,16]") "}",
     -1,
     {NULL}},
    {"{" T ("a", "[4]", "[0,16]") "," T ("y", "[0]", "[0,0]") "," T ("z", "[0]", "[0,0]") "}",
     -1,
     {NULL}},
    {"", ATTN_ERROR_FORMAT, {"header"}},
    {"{", ATTN_ERROR_FORMAT, {"header"}},
    {"{}", ATTN_ERROR_FORMAT, {"size", "26", "10"}},
    {"null", ATTN_ERROR_FORMAT, {"header"}},
    {"{" GOOD "}}", ATTN_ERROR_FORMAT, {"header", "behind"}},
    {"{" GOOD ",}", ATTN_ERROR_FORMAT, {"header"}},
    {"{" GOOD " " GOOD "}", ATTN_ERROR_FORMAT, {"header", "comma"}},
    {"{" GOOD "," GOOD "}", ATTN_ERROR_FORMAT, {"tensor a", "twice"}},
    {"{" GOOD ",\"\\u0061\":{}}", ATTN_ERROR_FORMAT, {"tensor a", "dtype"}},
    {"{\"__metadata__\":{},\"__metadata__\":{}," GOOD "}",
     ATTN_ERROR_FORMAT,
     {"__metadata__", "twice"}},
    {"{\"__metadata__\":[]," GOOD "}", ATTN_ERROR_FORMAT, {"__metadata__"}},
    {"{\"__metadata__\\u0000x\":{}," GOOD "}", ATTN_ERROR_FORMAT, {"__metadata__", "U+0000"}},
    {"{\"a\":[]}", ATTN_ERROR_FORMAT, {"tensor a", "object"}},
    {"{\"a\":{\"shape\":[4],\"data_offsets\":[0,16]}}", ATTN_ERROR_FORMAT, {"dtype", "none"}},
    {"{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,16]}}", ATTN_ERROR_FORMAT, {"shape"}},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4]}}", ATTN_ERROR_FORMAT, {"data_offsets"}},
    {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}",
     ATTN_ERROR_FORMAT,
     {"tensor a", "dtype", "twice"}},
    {"{\"a\":{\"dtype\":7,\"shape\":[4],\"data_offsets\":[0,16]}}", ATTN_ERROR_FORMAT, {"dtype"}},
    {"{\"a\":{\"dtype\":\"f32\",\"shape\":[4],\"data_offsets\":[0,16]}}",
     ATTN_ERROR_UNSUPPORTED,
     {"\"f32\"", "F32"}},
    {"{" T ("a", "4", "[0,16]") "}", ATTN_ERROR_FORMAT, {"tensor a", "shape"}},
    {"{" T ("a", "[4,]", "[0,16]") "}", ATTN_ERROR_FORMAT, {"tensor a", "shape"}},
    {"{" T ("a", "[\"4\"]", "[0,16]") "}", ATTN_ERROR_FORMAT, {"tensor a", "shape"}},
    {"{" T ("a", "[1,1,1,1,1,1,1,1,4]", "[0,16]") "}", ATTN_ERROR_UNSUPPORTED, {"shape", "8"}},
    {"{" T ("a", "[18446744073709551616]", "[0,16]") "}", ATTN_ERROR_FORMAT, {"shape", "2^64"}},
    {"{" T ("a", "[18446744073709551615]", "[0,16]") "}", ATTN_ERROR_SHAPE, {"tensor a"}},
    {"{" T ("a", "[4611686018427387905]", "[0,4]") "}", ATTN_ERROR_SHAPE, {"tensor a"}},
    {"{" T ("a", "[2,9223372036854775807]", "[0,16]") "}", ATTN_ERROR_SHAPE, {"9223372036"}},
    {"{" T ("a", "[4]", "[0,16,16]") "}", ATTN_ERROR_FORMAT, {"data_offsets", "two"}},
    {"{" T ("a", "[4]", "[16]") "}", ATTN_ERROR_FORMAT, {"data_offsets", "two"}},
    {"{" T ("a", "[4]", "[\"0\",16]") "}", ATTN_ERROR_FORMAT, {"data_offsets"}},
    {"{" T ("a", "[4]", "[-0,16]") "}", ATTN_ERROR_FORMAT, {"data_offsets", "negative"}},
    {"{" T ("a", "[4]", "[16,0]") "}", ATTN_ERROR_SHAPE, {"[16, 0]"}},
    {"{" T ("a", "[4]", "[4,20]") "}", ATTN_ERROR_FORMAT, {"tensor a", "4", "0"}},
    {"{" T ("a", "[4]", "[18446744073709551600,18446744073709551615]") "}",
     ATTN_ERROR_SHAPE,
     {"tensor a"}},
    {"{" T ("a", "[8]", "[0,32]") "}", ATTN_ERROR_FORMAT, {"short", "16", "32"}},
    {"{" T ("a", "[2]", "[0,8]") "," T ("b", "[4]", "[0,16]") "}", ATTN_ERROR_FORMAT, {"tensor b"}},
    {"{\"a\":{\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,1]}}",
     ATTN_ERROR_SHAPE,
     {"tensor a", "whole bytes"}},
    {"{\"a\":{\"dtype\":\"F6_E2M3\",\"shape\":[3],\"data_offsets\":[0,2]}}",
     ATTN_ERROR_SHAPE,
     {"whole bytes"}},
};
#undef GOOD
#undef T

static void
test_headers (void)
{
  const char zeros[16] = {0};
  for (size_t i = 0; i < G_N_ELEMENTS (headers); i++) {
    char *folder = test_folder_new ();
    test_folder_write_weights (folder, headers[i].header, zeros, sizeof zeros);
    g_autoptr (GError) error = NULL;
    g_autoptr (AttnSource) source = attn_source_open (folder, &error);
    if (headers[i].code < 0) {
      g_assert_no_error (error);
      g_assert_nonnull (source);
    } else {
      g_test_message ("header: %s", headers[i].header);
      g_assert_null (source);
      g_assert_error (error, ATTN_ERROR, headers[i].code);
      test_sentence_check (error->message, headers[i].names);
      g_assert_nonnull (strstr (error->message, "model.safetensors: "));
    }
    test_folder_remove (folder);
  }
}

/* What people have under that name when a download went wrong. */
static void
test_other_content (void)
{
  const struct {
    const char *content;
    size_t n;
    const char *name;
  } rows[] = {
      {"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", 63, "git lfs pull"},
      {"<!DOCTYPE html><html>", 21, "web page"},
      {"\n\n  <html lang=\"en\">", 20, "web page"},
      {"{\"error\":\"Repository not found\"}", 32, "JSON text"},
      {"GGUF\3\0\0\0\1\0\0\0\0\0\0\0", 16, "GGUF"},
      {"PK\3\4\0\0\0\0\0\0\0\0\0\0\0\0", 16, "PyTorch"},
      {"\x80\2\x8a\nl\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 14, "PyTorch"},
      {"Not Found, sorry", 16, "header"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    char *folder = test_folder_new ();
    g_free (test_folder_write (folder, "model.safetensors", rows[i].content, rows[i].n));
    g_autoptr (GError) error = NULL;
    g_assert_null (attn_source_open (folder, &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
    test_sentence_check (error->message, (const char *[]){"model.safetensors", rows[i].name, NULL});
    test_folder_remove (folder);
  }
}

static void
assert_refused (const char *folder, AttnError code, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_source_open (folder, &error));
  g_assert_error (error, ATTN_ERROR, (int)code);
  test_sentence_check (error->message, (const char *[]){name, "model.safetensors", NULL});
}

static void
test_other_folders (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "model.safetensors", NULL);
  assert_refused (folder, ATTN_ERROR_IO, "no weights");
  g_free (test_folder_write (folder, "rust_model.ot.bin", "", 0));
  g_free (test_folder_write (folder, "training_args.bin", "", 0));
  assert_refused (folder, ATTN_ERROR_UNSUPPORTED, "weights in rust_model.ot.bin, wanted");
  g_free (test_folder_write (folder, "model-00001-of-00002.safetensors", "", 0)); /* no index */
  assert_refused (folder, ATTN_ERROR_UNSUPPORTED,
                  "weights in model-00001-of-00002.safetensors, rust_model.ot.bin, wanted");
  g_free (test_folder_write (folder, "tf_model.h5", "", 0));
  g_free (test_folder_write (folder, "a\nb.onnx", "", 0));
  g_free (test_folder_write (folder, "flax_model.msgpack", "", 0));
  assert_refused (folder, ATTN_ERROR_UNSUPPORTED,
                  "a b.onnx, flax_model.msgpack, model-00001-of-00002.safetensors");

  g_assert_cmpint (g_mkdir (path, 0755), ==, 0);
  assert_refused (folder, ATTN_ERROR_IO, "a folder");
  g_assert_cmpint (g_rmdir (path), ==, 0);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  assert_refused (folder, ATTN_ERROR_IO, "a pipe");
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
  assert_refused (folder, ATTN_ERROR_IO, "a device");
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (symlink ("../gone", path), ==, 0);
  assert_refused (folder, ATTN_ERROR_IO, "is a link to a file that is not there");
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (symlink ("model.safetensors", path), ==, 0);
  assert_refused (folder, ATTN_ERROR_IO, "is a link that leads back to itself");
  test_folder_remove (folder);

  g_autoptr (GError) error = NULL;
  g_assert_null (attn_source_open ("/nowhere/at/all", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  test_sentence_check (error->message, (const char *[]){"/nowhere/at/all", "folder", NULL});
}

/* A cache of the Hub links snapshots to blobs; such links are followed. */
static void
test_link (void)
{
  char *folder = test_folder_new ();
  g_autofree char *target = test_hostile_path ("ok/model.safetensors");
  g_autofree char *path = g_build_filename (folder, "model.safetensors", NULL);
  g_assert_cmpint (symlink (target, path), ==, 0);
  g_autoptr (AttnSource) source = test_source_open (folder);
  g_assert_cmpuint (attn_source_get_n_tensors (source), ==, 21);
  test_folder_remove (folder);
}

/* Root may read every file, so for a moment the test is somebody else. */
static void
test_unreadable (void)
{
  const uid_t root = 0, nobody = 65534;
  bool was_root = geteuid () == root;
  if (was_root && seteuid (nobody) != 0) {
    g_test_skip ("root may read every file, and cannot be left here");
    return;
  }
  char *folder = test_folder_new ();
  g_autofree char *path = test_folder_write (folder, "model.safetensors", "x", 1);
  g_assert_cmpint (g_chmod (path, 0), ==, 0);
  assert_refused (folder, ATTN_ERROR_IO, "Permission denied");
  test_folder_remove (folder);
  if (was_root)
    g_assert_cmpint (seteuid (root), ==, 0);
}

/* One tensor "w" of @n numbers, its bytes a fixed pattern without NaN in any dtype. */
static void
write_pattern (const char *folder, const char *dtype, size_t width, size_t n)
{
  g_autofree guint8 *data = g_malloc (n * width);
  for (size_t i = 0; i < n * width; i++)
    data[i] = (guint8)((i * 2654435761u >> 7) % 59);
  g_autofree char *header = g_strdup_printf (
      "{\"w\":{\"dtype\":\"%s\",\"shape\":[%zu],\"data_offsets\":[0,%zu]}}", dtype, n, n * width);
  test_folder_write_weights (folder, header, data, n * width);
}

/* Any stretch is the same stretch of the whole, also across the blocks reading works in. */
static void
test_ranges (void)
{
  const struct {
    const char *dtype;
    size_t width;
  } dtypes[] = {{"F32", 4}, {"F16", 2}, {"BF16", 2}, {"F64", 8}};
  enum { N = 100003 };
  const size_t ranges[][2] = {{0, 0},     {0, 1},         {N - 1, 1}, {N, 0},
                              {1, N - 1}, {32767, 2},     {8191, 3},  {16383, 16386},
                              {5, 65536}, {N / 2, N / 2}, {0, N}};
  for (size_t d = 0; d < G_N_ELEMENTS (dtypes); d++) {
    char *folder = test_folder_new ();
    write_pattern (folder, dtypes[d].dtype, dtypes[d].width, N);
    g_autoptr (AttnSource) source = test_source_open (folder);
    const AttnTensorInfo *tensor = attn_source_find (source, "w");
    g_autofree float *whole = test_source_read (source, tensor);
    for (size_t r = 0; r < G_N_ELEMENTS (ranges); r++) {
      size_t first = ranges[r][0], n = ranges[r][1];
      g_autofree float *part = g_new (float, n + 1);
      part[n] = 12345.0f;
      g_assert_true (attn_source_read_f32 (source, tensor, first, n, part, NULL));
      g_assert_cmpmem (part, n * sizeof *part, whole + first, n * sizeof *whole);
      g_assert_cmpfloat (part[n], ==, 12345.0f);
    }
    test_folder_remove (folder);
  }
}

/* Reading follows the descriptor: a new file under the name changes nothing, a cut one is noticed.
 */
static void
test_file_changes (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "model.safetensors", NULL);
  float values[1000];
  g_autoptr (GError) error = NULL;
  write_pattern (folder, "F32", 4, 1000);
  g_autoptr (AttnSource) source = test_source_open (folder);
  const AttnTensorInfo *tensor = attn_source_find (source, "w");
  g_autofree float *before = test_source_read (source, tensor);

  g_assert_cmpint (g_unlink (path), ==, 0);
  write_pattern (folder, "F64", 8, 10);
  g_autofree float *after = test_source_read (source, tensor);
  g_assert_cmpmem (before, sizeof values, after, sizeof values);

  g_assert_cmpint (g_unlink (path), ==, 0);
  write_pattern (folder, "F16", 2, 1000);
  g_autoptr (AttnSource) cut = test_source_open (folder);
  tensor = attn_source_find (cut, "w");
  g_assert_cmpint (truncate (path, (off_t)attn_source_get_n_bytes (cut) - 1000), ==, 0);
  g_assert_true (attn_source_read_f32 (cut, tensor, 0, 500, values, &error));
  g_assert_no_error (error);
  g_assert_false (attn_source_read_f32 (cut, tensor, 0, 1000, values, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  test_sentence_check (error->message,
                       (const char *[]){"model.safetensors", "tensor w", "1000 bytes", NULL});
  test_folder_remove (folder);
}

typedef struct {
  const AttnSource *source;
  const AttnTensorInfo *tensor;
  const float *wanted;
} Reading;

static gpointer
read_again (gpointer data)
{
  const Reading *reading = data;
  for (int i = 0; i < 50; i++) {
    g_autofree float *values = test_source_read (reading->source, reading->tensor);
    size_t n_bytes = reading->tensor->n_elements * sizeof (float);
    if (memcmp (values, reading->wanted, n_bytes) != 0)
      return GINT_TO_POINTER (1);
  }
  return NULL;
}

static void
test_concurrent (void)
{
  char *folder = test_folder_new ();
  write_pattern (folder, "F16", 2, 50000);
  g_autoptr (AttnSource) source = test_source_open (folder);
  const AttnTensorInfo *tensor = attn_source_find (source, "w");
  g_autofree float *wanted = test_source_read (source, tensor);
  Reading reading = {source, tensor, wanted};
  GThread *threads[4];
  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", read_again, &reading);
  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++)
    g_assert_null (g_thread_join (threads[i]));
  test_folder_remove (folder);
}

/* Offsets beyond 2^32 bytes, in a file that is almost all hole. */
static void
test_beyond_4_gib (void)
{
  char *folder = test_folder_new ();
  const size_t n = ((size_t)5 << 30) / sizeof (float);
  g_autofree char *header = g_strdup_printf (
      "{\"w\":{\"dtype\":\"F32\",\"shape\":[%zu],\"data_offsets\":[0,%zu]}}", n, 4 * n);
  test_folder_write_weights (folder, header, "", 0);
  g_autofree char *path = g_build_filename (folder, "model.safetensors", NULL);
  off_t size = (off_t)(8 + strlen (header) + 4 * n);
  const guint32 one = GUINT32_TO_LE (0x3F800000u);
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  bool written = ftruncate (fd, size) == 0 && pwrite (fd, &one, 4, size - 4) == 4;
  close (fd);
  if (!written) {
    g_test_skip ("the temporary folder takes no file of 5 GiB, even with holes");
    test_folder_remove (folder);
    return;
  }
  g_autoptr (AttnSource) source = test_source_open (folder);
  float values[2] = {5, 5};
  const AttnTensorInfo *tensor = attn_source_find (source, "w");
  g_assert_true (attn_source_read_f32 (source, tensor, n - 2, 2, values, NULL));
  g_assert_cmpfloat (values[0], ==, 0);
  g_assert_cmpfloat (values[1], ==, 1);
  test_folder_remove (folder);
}

static char *
write_many (size_t n, const char *offsets)
{
  GString *header = g_string_new ("{");
  for (size_t i = 0; i < n; i++)
    g_string_append_printf (header,
                            "%s\"t%zu\":{\"dtype\":\"F32\",\"shape\":[%d],\"data_offsets\":%s}",
                            i > 0 ? "," : "", i, strcmp (offsets, "[0,0]") == 0 ? 0 : 4, offsets);
  g_string_append_c (header, '}');
  return g_string_free (header, FALSE);
}

/* A hundred thousand tensors are read, or refused, in a moment: no quadratic step. */
static void
test_many (void)
{
  enum { N = 100000 };
  char *folder = test_folder_new ();
  g_autofree char *empty = write_many (N, "[0,0]");
  g_autofree char *same = write_many (N, "[0,16]");
  g_test_timer_start ();
  test_folder_write_weights (folder, empty, "", 0);
  g_autoptr (AttnSource) source = test_source_open (folder);
  g_assert_cmpuint (attn_source_get_n_tensors (source), ==, N);
  g_assert_cmpstr (attn_source_find (source, "t99999")->name, ==, "t99999");
  test_folder_write_weights (folder, same, "0123456789abcdef", 16);
  assert_refused (folder, ATTN_ERROR_FORMAT, "data_offsets");
  /* a tenth of this in practice; a quadratic step would take minutes */
  g_assert_cmpfloat (g_test_timer_elapsed (), <, 10);
  test_folder_remove (folder);
}

/* Headers that are all hole: the longest legal one is read and refused in a moment, a longer one is
 * not read, although the file has room for it. */
static void
test_long_header (void)
{
  const struct {
    guint64 length;
    const char *name;
  } rows[] = {{100000000, "0x00 at byte 0"}, {100000001, "at most 100000000"}};
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    char *folder = test_folder_new ();
    const guint64 length = GUINT64_TO_LE (rows[i].length);
    g_autofree char *path = test_folder_write (folder, "model.safetensors", &length, 8);
    if (truncate (path, 8 + (off_t)rows[i].length) != 0) {
      g_test_skip ("the temporary folder takes no file of 100 MB, even with holes");
    } else {
      g_test_timer_start ();
      assert_refused (folder, ATTN_ERROR_FORMAT, rows[i].name);
      g_assert_cmpfloat (g_test_timer_elapsed (), <, 5);
    }
    test_folder_remove (folder);
  }
}

static void
mutate (GRand *random, GByteArray *file, guint n_header)
{
  static const char *const pieces[] = {"18446744073709551615",
                                       "9223372036854775808",
                                       "-1",
                                       "[",
                                       "{",
                                       "\"",
                                       "\\u0000",
                                       "\\ud800",
                                       "0",
                                       "1e9",
                                       "null",
                                       ","};
  guint at = (guint)g_rand_int_range (random, 0, (gint32)(8 + n_header));
  switch (g_rand_int_range (random, 0, 5)) {
  case 0: { /* replace by a piece that means something */
    const char *piece = pieces[g_rand_int_range (random, 0, G_N_ELEMENTS (pieces))];
    memcpy (file->data + at, piece, MIN (strlen (piece), file->len - at));
    break;
  }
  case 1: /* cut the file */
    g_byte_array_set_size (file, g_rand_int (random) % file->len);
    break;
  case 2: /* change the header's length a little */
    file->data[0] = (guint8)g_rand_int (random);
    break;
  case 3: /* another digit: sizes and offsets that no longer agree */
    while (at < file->len && !g_ascii_isdigit (file->data[at]))
      at++;
    if (at < file->len)
      file->data[at] = (guint8)('0' + g_rand_int_range (random, 0, 10));
    break;
  default:
    file->data[at] = (guint8)g_rand_int_range (random, 32, 127);
  }
}

/* Mutations of a good file: refused, or loaded with tensors that can all be read. */
static void
test_mutations (void)
{
  enum { ROUNDS = 2000 };
  g_autofree char *good_path = test_hostile_path ("ok/model.safetensors");
  gsize n_good = 0;
  g_autofree char *good = test_read_file (good_path, &n_good);
  guint n_header = (guint8)good[0] | (guint)(guint8)good[1] << 8;
  GRand *random = g_rand_new_with_seed (20260702);
  char *folder = test_folder_new ();
  size_t n_loaded = 0, n_refused = 0;
  for (int round = 0; round < ROUNDS; round++) {
    g_autoptr (GByteArray) file = g_byte_array_new ();
    g_byte_array_append (file, (const guint8 *)good, (guint)n_good);
    mutate (random, file, n_header);
    g_free (test_folder_write (folder, "model.safetensors", file->data, file->len));
    g_autoptr (GError) error = NULL;
    g_autoptr (AttnSource) source = attn_source_open (folder, &error);
    g_assert_true ((source == NULL) == (error != NULL));
    if (source == NULL) {
      n_refused++;
      test_sentence_check (error->message, (const char *[]){"model.safetensors", NULL});
      continue;
    }
    n_loaded++;
    for (size_t i = 0; i < attn_source_get_n_tensors (source); i++) {
      const AttnTensorInfo *tensor = attn_source_peek_tensor (source, i);
      if (tensor->dtype != ATTN_DTYPE_OTHER)
        g_free (test_source_read (source, tensor));
    }
  }
  test_folder_remove (folder);
  g_rand_free (random);
  g_test_message ("%zu loaded, %zu refused", n_loaded, n_refused);
  g_assert_cmpuint (n_loaded, >, 100);
  g_assert_cmpuint (n_refused, >, 100);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/safetensors/closed-form", test_closed_form);
  g_test_add_func ("/safetensors/headers", test_headers);
  g_test_add_func ("/safetensors/other-content", test_other_content);
  g_test_add_func ("/safetensors/other-folders", test_other_folders);
  g_test_add_func ("/safetensors/link", test_link);
  g_test_add_func ("/safetensors/unreadable", test_unreadable);
  g_test_add_func ("/safetensors/integers", test_integers);
  g_test_add_func ("/safetensors/ranges", test_ranges);
  g_test_add_func ("/safetensors/file-changes", test_file_changes);
  g_test_add_func ("/safetensors/concurrent", test_concurrent);
  g_test_add_func ("/safetensors/beyond-4-gib", test_beyond_4_gib);
  g_test_add_func ("/safetensors/many", test_many);
  g_test_add_func ("/safetensors/long-header", test_long_header);
  g_test_add_func ("/safetensors/mutations", test_mutations);
  g_test_add_func ("/safetensors/hostile/list", test_hostile_list);
  g_test_add_func ("/safetensors/hostile/same", test_hostile_same);
  g_test_add_func ("/safetensors/hostile/numbers", test_hostile_numbers);
  for (size_t i = 0; i < G_N_ELEMENTS (hostile); i++) {
    g_autofree char *name = g_strdup_printf ("/safetensors/hostile/%s", hostile[i].folder);
    g_test_add_data_func (name, &hostile[i], test_hostile_folder);
  }
  return g_test_run ();
}
