/* SPDX-License-Identifier: MIT */
/* Weights as PyTorch saves them: real files, files written here, and every malformed one. */
#include "model-folder.h"
#include "source-private.h"
#include "test-util.h"
#include "torch-writer.h"

#include "attn/source.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const TestHostileCase hostile[] = {
    {"bin-ok", TEST_LOADS, 0},
    {"bin-ok-handmade", TEST_LOADS, 0},
    {"bin-os-system", TEST_REFUSED, ATTN_ERROR_UNSUPPORTED},
    {"bin-os-system-protocol4", TEST_REFUSED, ATTN_ERROR_UNSUPPORTED},
    {"bin-os-system-nozip", TEST_REFUSED, ATTN_ERROR_UNSUPPORTED},
    {"bin-eval", TEST_REFUSED, ATTN_ERROR_UNSUPPORTED},
    {"bin-memo-names", TEST_REFUSED, ATTN_ERROR_UNSUPPORTED},
    {"bin-inst", TEST_REFUSED, ATTN_ERROR_UNSUPPORTED},
    {"bin-build-setstate", TEST_REFUSED, ATTN_ERROR_UNSUPPORTED},
    {"bin-memo-unset", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"bin-stack-empty", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"bin-no-mark", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"bin-no-stop", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"bin-string-huge", TEST_REFUSED, ATTN_ERROR_TOO_LARGE},
    {"bin-memo-huge", TEST_REFUSED, ATTN_ERROR_TOO_LARGE},
    {"bin-deep", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"bin-unknown-opcode", TEST_REFUSED, ATTN_ERROR_UNSUPPORTED},
    {"bin-storage-short", TEST_REFUSED, ATTN_ERROR_SHAPE},
    {"bin-numel-huge", TEST_REFUSED, ATTN_ERROR_SHAPE},
    {"bin-size-huge", TEST_REFUSED, ATTN_ERROR_SHAPE},
    {"bin-stride-wild", TEST_REFUSED, ATTN_ERROR_SHAPE},
    {"bin-stride-negative", TEST_REFUSED, ATTN_ERROR_SHAPE},
    {"bin-offset-wild", TEST_REFUSED, ATTN_ERROR_SHAPE},
    {"bin-stride-zero", TEST_LOADS, 0},
    {"bin-key-traversal", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"bin-key-missing", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"bin-no-data-pkl", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"bin-entry-traversal", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"bin-deflated", TEST_REFUSED, ATTN_ERROR_UNSUPPORTED},
    {"bin-deflate-bomb", TEST_REFUSED, ATTN_ERROR_UNSUPPORTED},
    {"bin-zip-size-lie", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"bin-zip-offset-lie", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"bin-zip-count-lie", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"bin-zip-cut", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"bin-crc", TEST_MODEL_REFUSES, 0},
    {"bin-html", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"bin-lfs-pointer", TEST_REFUSED, ATTN_ERROR_FORMAT},
};

static const char weights_name[] = "pytorch_model.bin";

/* The payloads of tests/data/hostile would leave this file in the current folder. */
static void
assert_nothing_ran (void)
{
  g_assert_cmpint (access ("headscope_payload_ran", F_OK), !=, 0);
}

static void
test_hostile_folder (gconstpointer data)
{
  const TestHostileCase *hostile_case = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = test_hostile_path (hostile_case->folder);
  g_autoptr (AttnSource) source = attn_source_open (path, &error);
  assert_nothing_ran ();
  if (hostile_case->outcome == TEST_REFUSED) {
    g_assert_null (source);
    test_hostile_check_error (hostile_case->folder, error, hostile_case->code);
    return;
  }
  g_assert_no_error (error);
  g_assert_cmpuint (attn_source_get_n_tensors (source), ==, 21);
  for (size_t i = 0; i < attn_source_get_n_tensors (source); i++)
    g_free (test_source_read (source, attn_source_peek_tensor (source, i)));
}

static void
test_hostile_list (void)
{
  test_hostile_check_list ("bin-", hostile, G_N_ELEMENTS (hostile));
}

/* A refused pickle is refused with the name it asked for, by whatever instruction. */
static void
test_hostile_names (void)
{
  static const char *const folders[] = {"bin-os-system", "bin-os-system-protocol4",
                                        "bin-os-system-nozip", "bin-memo-names", "bin-inst"};
  for (size_t i = 0; i < G_N_ELEMENTS (folders); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *path = test_hostile_path (folders[i]);
    g_assert_null (attn_source_open (path, &error));
    test_sentence_check (error->message, (const char *[]){"posix.system", weights_name, NULL});
  }
}

static void
test_hostile_same (void)
{
  static const char *const folders[] = {"bin-ok", "bin-ok-handmade"};
  g_autofree char *ok_path = test_hostile_path ("ok");
  g_autoptr (AttnSource) ok = test_source_open (ok_path);
  for (size_t f = 0; f < G_N_ELEMENTS (folders); f++) {
    g_autofree char *path = test_hostile_path (folders[f]);
    g_autoptr (AttnSource) source = test_source_open (path);
    g_assert_cmpstr (attn_source_peek_files (source)[0], ==, weights_name);
    g_assert_null (attn_source_peek_files (source)[1]);
    g_assert_cmpuint (attn_source_get_n_warnings (source), ==, 0);
    for (size_t i = 0; i < attn_source_get_n_tensors (ok); i++) {
      const AttnTensorInfo *wanted = attn_source_peek_tensor (ok, i);
      const AttnTensorInfo *found = attn_source_find (source, wanted->name);
      g_assert_nonnull (found);
      g_assert_cmpuint (found->n_dims, ==, wanted->n_dims);
      g_assert_cmpmem (found->shape, sizeof found->shape, wanted->shape, sizeof wanted->shape);
      g_autofree float *a = test_source_read (ok, wanted);
      g_autofree float *b = test_source_read (source, found);
      g_assert_cmpmem (a, wanted->n_elements * 4, b, wanted->n_elements * 4);
    }
  }
}

/* What tests/tools/make-torch-files.py put into each file: element (i, j, k) counts upwards by
 * these steps from a beginning. */
static const struct {
  const char *name;
  const char *dtype_name;
  size_t n_dims;
  size_t shape[3];
  int first;
  int steps[3];
} ramps[] = {
    {"f32", "F32", 2, {2, 3}, 0, {3, 1}},
    {"f16", "F16", 1, {7}, 0, {1}},
    {"bf16", "BF16", 1, {7}, 0, {1}},
    {"f64", "F64", 3, {3, 1, 2}, 0, {2, 2, 1}},
    {"integers", "I64", 1, {4}, 0, {1}},
    {"transposed", "F32", 2, {3, 4}, 0, {1, 3}},
    {"permuted", "F32", 3, {4, 2, 3}, 0, {1, 12, 4}},
    {"part", "F32", 2, {3, 3}, 11, {5, 1}},
    {"whole", "F32", 2, {6, 5}, 0, {5, 1}},
    {"column", "F32", 1, {6}, 2, {5}},
    {"repeated", "F32", 2, {4, 3}, 0, {0, 1}},
    {"scalar", "F32", 0, {0}, 7, {0}},
    {"empty", "F32", 2, {0, 4}, 0, {0, 0}},
    {"parameter", "F32", 2, {2, 2}, 0, {2, 1}},
};

static int
compute_ramp (size_t row, const AttnTensorInfo *tensor, size_t element)
{
  int value = ramps[row].first;
  for (size_t d = tensor->n_dims; d-- > 0; element /= tensor->shape[d])
    value += ramps[row].steps[d] * (int)(element % tensor->shape[d]);
  return value;
}

/* Every stretch of the tensor: begins and ends in the middle of rows among them. */
static void
check_ramp (const AttnSource *source, const AttnTensorInfo *tensor, size_t row)
{
  float values[40];
  for (size_t first = 0; first <= tensor->n_elements; first++) {
    for (size_t n = 0; n <= tensor->n_elements - first; n++) {
      g_autoptr (GError) error = NULL;
      values[n] = -5;
      g_assert_true (attn_source_read_f32 (source, tensor, first, n, values, &error));
      g_assert_no_error (error);
      for (size_t i = 0; i < n; i++)
        g_assert_cmpint ((int)values[i], ==, compute_ramp (row, tensor, first + i));
      g_assert_cmpint ((int)values[n], ==, -5);
    }
  }
}

/* The checksum of pieces read from the last to the first is that of the whole. */
static void
check_sum (const AttnSource *source, const AttnTensorInfo *tensor)
{
  g_autoptr (GError) error = NULL;
  AttnSourceSeen seen = {0};
  float value;
  for (size_t i = tensor->n_elements; i-- > 0;)
    g_assert_true (attn_source_read_noting (source, tensor, i, 1, &value, &seen, &error));
  g_assert_no_error (error);
  g_assert_true (attn_source_check_sum (source, tensor, seen.sum, &error));
  g_assert_no_error (error);
}

/* Numbers of a matrix that stands column by column are looked at where they stand. */
static void
test_too_large_across (void)
{
  const double doubles[8] = {1, 2, 3, -1e300, 5, 6, 7, 8};
  const TestTensor across = {"t", "DoubleStorage", "0", 8, 0, 2, {4, 2}, {1, 4}};
  guint64 stored[8];
  for (size_t i = 0; i < 8; i++) {
    memcpy (&stored[i], &doubles[i], sizeof stored[i]);
    stored[i] = GUINT64_TO_LE (stored[i]);
  }
  char *folder = test_folder_new ();
  g_autoptr (GByteArray) pickle = pickle_state_dict (&across, 1, FALSE);
  const TestZipEntry entries[] = {
      {.name = "a/data.pkl", .bytes = pickle->data, .n = pickle->len},
      {.name = "a/data/0", .bytes = stored, .n = sizeof stored},
  };
  g_autoptr (GByteArray) file = test_zip_new (entries, 2);
  g_free (test_folder_write (folder, weights_name, file->data, file->len));
  g_autoptr (AttnSource) source = test_source_open (folder);
  const AttnTensorInfo *tensor = attn_source_find (source, "t");
  g_autoptr (GError) error = NULL;
  float values[8];
  AttnSourceSeen seen = {0};
  g_assert_true (attn_source_read_noting (source, tensor, 0, 8, values, &seen, &error));
  g_assert_no_error (error);
  g_assert_true (isinf (values[6])); /* [3, 0] */
  g_assert_cmpuint (seen.infinities.n_too_large, ==, 1);
  g_assert_cmpfloat (seen.infinities.largest, ==, 1e300);
  g_assert_false (seen.infinities.has_infinite);
  test_folder_remove (folder);
}

static void
test_real_file (gconstpointer name)
{
  g_autofree char *below = g_build_filename ("torch", name, NULL);
  g_autofree char *folder = test_data_path (below);
  g_autoptr (AttnSource) source = test_source_open (folder);
  g_assert_cmpuint (attn_source_get_n_tensors (source), >=, G_N_ELEMENTS (ramps));
  for (size_t row = 0; row < G_N_ELEMENTS (ramps); row++) {
    const AttnTensorInfo *tensor = attn_source_find (source, ramps[row].name);
    g_test_message ("%s: %s", (const char *)name, ramps[row].name);
    g_assert_nonnull (tensor);
    g_assert_cmpstr (tensor->dtype_name, ==, ramps[row].dtype_name);
    g_assert_cmpuint (tensor->n_dims, ==, ramps[row].n_dims);
    for (size_t d = 0; d < tensor->n_dims; d++)
      g_assert_cmpuint (tensor->shape[d], ==, ramps[row].shape[d]);
    if (tensor->dtype == ATTN_DTYPE_OTHER)
      continue;
    check_ramp (source, tensor, row);
    check_sum (source, tensor);
  }
  const AttnTensorInfo *whole = attn_source_find (source, "whole");
  g_assert_true (attn_source_is_same_place (whole, whole));
  g_assert_false (attn_source_is_same_place (whole, attn_source_find (source, "part")));
  g_assert_false (attn_source_is_same_place (whole, attn_source_find (source, "f32")));
}

static const float numbers[] = {0, 1, 2, 3, 4, 5, 6, 7};
static const TestTensor sample = {"t", "FloatStorage", "0", 8, 0, 2, {2, 4}, {4, 1}};

/* Writes a zip of a pickle and one storage of 8 f32; @pickle is consumed. */
static char *
write_zip (GByteArray *pickle)
{
  char *folder = test_folder_new ();
  const TestZipEntry entries[] = {
      {.name = "a/data.pkl", .bytes = pickle->data, .n = pickle->len},
      {.name = "a/byteorder", .bytes = "little", .n = 6},
      {.name = "a/data/0", .bytes = numbers, .n = sizeof numbers},
  };
  g_autoptr (GByteArray) file = test_zip_new (entries, G_N_ELEMENTS (entries));
  g_free (test_folder_write (folder, weights_name, file->data, file->len));
  g_byte_array_unref (pickle);
  return folder;
}

static void
assert_refused (char *folder, AttnError code, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_source_open (folder, &error));
  g_assert_error (error, ATTN_ERROR, (int)code);
  test_sentence_check (error->message, (const char *[]){name, weights_name, NULL});
  test_folder_remove (folder);
}

/* One tensor each: where its elements would be, and whether that is in the storage of 8. */
static const struct {
  TestTensor tensor;
  int code; /* -1: loads */
  const char *name;
} places[] = {
    {{"t", "FloatStorage", "0", 8, 0, 2, {2, 4}, {4, 1}}, -1, NULL},
    {{"t", "FloatStorage", "0", 8, 7, 1, {1}, {99}}, -1, NULL},
    {{"t", "FloatStorage", "0", 8, 0, 2, {0, 4}, {4, 1}}, -1, NULL},
    {{"t", "FloatStorage", "0", 8, 99, 1, {0}, {1}}, -1, NULL}, /* nothing is nowhere */
    {{"t", "FloatStorage", "0", 4, 0, 1, {4}, {1}}, -1, NULL},
    {{"t", "DoubleStorage", "0", 4, 0, 1, {4}, {1}}, -1, NULL},
    {{"t", "HalfStorage", "0", 16, 0, 1, {16}, {1}}, -1, NULL},
    {{"t", "ByteStorage", "0", 32, 0, 1, {32}, {1}}, -1, NULL},
    {{"t", "FloatStorage", "0", 8, 0, 1, {9}, {1}}, ATTN_ERROR_SHAPE, "outside"},
    {{"t", "FloatStorage", "0", 8, 8, 1, {1}, {1}}, ATTN_ERROR_SHAPE, "outside"},
    {{"t", "FloatStorage", "0", 8, 8, 0, {0}, {0}}, ATTN_ERROR_SHAPE, "outside"},
    {{"t", "FloatStorage", "0", 8, 1, 2, {2, 4}, {4, 1}}, ATTN_ERROR_SHAPE, "outside"},
    {{"t", "FloatStorage", "0", 7, 0, 2, {2, 4}, {4, 1}}, ATTN_ERROR_SHAPE, "within its 7"},
    {{"t", "FloatStorage", "0", 8, -1, 1, {1}, {1}}, ATTN_ERROR_SHAPE, "offset: found -1"},
    {{"t", "FloatStorage", "0", 8, 0, 1, {-1}, {1}}, ATTN_ERROR_SHAPE, "size: found -1"},
    {{"t", "FloatStorage", "0", 8, 0, 1, {2}, {-1}}, ATTN_ERROR_SHAPE, "stride: found -1"},
    {{"t", "FloatStorage", "0", -8, 0, 1, {1}, {1}}, ATTN_ERROR_SHAPE, "storage: found -8"},
    {{"t", "FloatStorage", "0", 9, 0, 1, {1}, {1}}, ATTN_ERROR_SHAPE, "32 bytes"},
    {{"t", "DoubleStorage", "0", 5, 0, 1, {1}, {1}}, ATTN_ERROR_SHAPE, "32 bytes"},
    {{"t", "FloatStorage", "0", G_MAXINT64, 0, 1, {1}, {1}}, ATTN_ERROR_SHAPE, "32 bytes"},
    {{"t", "FloatStorage", "0", 8, 0, 2, {3, G_MAXINT64}, {0, 0}}, ATTN_ERROR_SHAPE, "2^64"},
    {{"t", "FloatStorage", "0", 8, 0, 1, {G_MAXINT64}, {0}}, ATTN_ERROR_SHAPE, "2^64"},
    {{"t", "FloatStorage", "0", 8, 0, 2, {3, 1}, {G_MAXINT64, 1}}, ATTN_ERROR_SHAPE, "outside"},
    {{"t", "FloatStorage", "0", 8, G_MAXINT64, 2, {2, 3}, {G_MAXINT64, 2}},
     ATTN_ERROR_SHAPE,
     "outside"},
    {{"t", "FloatStorage", "1", 8, 0, 1, {1}, {1}}, ATTN_ERROR_FORMAT, "storage 1"},
    {{"t", "FloatStorage", "", 8, 0, 1, {1}, {1}}, ATTN_ERROR_FORMAT, "storage"},
    {{"t", "FloatStorage", "../data.pkl", 8, 0, 1, {1}, {1}}, ATTN_ERROR_FORMAT, "../data.pkl"},
    {{"t", "FloatStorage", "0/", 8, 0, 1, {1}, {1}}, ATTN_ERROR_FORMAT, "storage 0/"},
    {{"t", "ComplexFloatStorage", "0", 4, 0, 1, {1}, {1}},
     ATTN_ERROR_UNSUPPORTED,
     "torch.ComplexFloatStorage"},
    {{"\xff", "FloatStorage", "0", 8, 0, 1, {1}, {1}}, ATTN_ERROR_FORMAT, "UTF-8"},
};

static void
test_places (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (places); i++) {
    g_test_message ("place %zu", i);
    char *folder = write_zip (pickle_state_dict (&places[i].tensor, 1, FALSE));
    if (places[i].code >= 0) {
      assert_refused (folder, (AttnError)places[i].code, places[i].name);
      continue;
    }
    g_autoptr (AttnSource) source = test_source_open (folder);
    const AttnTensorInfo *tensor = attn_source_find (source, "t");
    g_assert_nonnull (tensor);
    if (tensor->dtype != ATTN_DTYPE_OTHER)
      g_free (test_source_read (source, tensor));
    test_folder_remove (folder);
  }
}

/* What stands beside the tensors is passed over; where there are none, that is said. */
static void
test_roots (void)
{
  static const struct {
    const char *begin, *end; /* around the tensor's name and the tensor */
    bool loads;
  } rows[] = {
      {"}", "s.", true},
      {"}(U\5epochK\3K\3K\4U\1xN", "u.", true},
      {"}U\5model}", "ss.", true},
      {"}U\12state_dict}", "ss.", true},
      {"}U\5other}", "ss.", false},
      {"](", "e.", false},
      {"(", "t.", false},
      {"}U\5model](", "es.", false},
      {"}(K\1U\1a", "\x86}u.", false},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_test_message ("root %zu", i);
    GByteArray *pickle = g_byte_array_new ();
    pickle_bytes (pickle, "\x80\2", 2);
    pickle_bytes (pickle, rows[i].begin, strlen (rows[i].begin));
    pickle_text (pickle, "t");
    pickle_tensor (pickle, &sample, FALSE);
    pickle_bytes (pickle, rows[i].end, strlen (rows[i].end));
    char *folder = write_zip (pickle);
    if (!rows[i].loads) {
      assert_refused (folder, ATTN_ERROR_FORMAT, "no tensors");
      continue;
    }
    g_autoptr (AttnSource) source = test_source_open (folder);
    g_assert_cmpuint (attn_source_get_n_tensors (source), ==, 1);
    g_autofree float *values = test_source_read (source, attn_source_find (source, "t"));
    g_assert_cmpmem (values, sizeof numbers, numbers, sizeof numbers);
    test_folder_remove (folder);
  }
  const TestTensor twice[] = {sample, sample};
  assert_refused (write_zip (pickle_state_dict (twice, 2, FALSE)), ATTN_ERROR_FORMAT,
                  "tensor t twice");
}

/* Archives beside those in tests/data/hostile: a good one with one entry changed or added. */
static const struct {
  size_t at; /* 3: added */
  TestZipEntry entry;
  int code; /* -1: loads */
  const char *name;
} archives[] = {
    {3, {.name = "a/version", .bytes = "3\n", .n = 2}, -1, NULL},
    {3, {.name = "a/.data/serialization_id", .bytes = "x", .n = 1}, -1, NULL},
    {3, {.name = "a/data/", .bytes = "", .n = 0}, -1, NULL},
    {3, {.name = "a/more", .bytes = "x", .n = 1, .flags = 0x800}, -1, NULL},
    {1, {.name = "a/version", .bytes = "3\n", .n = 2}, -1, NULL},
    {1, {.name = "a/byteorder", .bytes = "big", .n = 3}, ATTN_ERROR_UNSUPPORTED, "\"big\""},
    {1, {.name = "a/byteorder", .bytes = "", .n = 0}, ATTN_ERROR_UNSUPPORTED, "byteorder"},
    {3, {.name = "b/data.pkl", .bytes = "x", .n = 1}, ATTN_ERROR_FORMAT, "one folder"},
    {3, {.name = "data.pkl", .bytes = "x", .n = 1}, ATTN_ERROR_FORMAT, "one folder"},
    {3, {.name = "a/../../x", .bytes = "x", .n = 1}, ATTN_ERROR_FORMAT, "a/../../x"},
    {3, {.name = "a/..\\x", .bytes = "x", .n = 1}, ATTN_ERROR_FORMAT, "one folder"},
    {3, {.name = "/a/x", .bytes = "x", .n = 1}, ATTN_ERROR_FORMAT, "/a/x"},
    {3, {.name = "", .bytes = "x", .n = 1}, ATTN_ERROR_FORMAT, "one folder"},
    {3, {.name = "a/\xff", .bytes = "x", .n = 1}, ATTN_ERROR_FORMAT, "one folder"},
    {3, {.name = "a/data/0", .bytes = "x", .n = 1}, ATTN_ERROR_FORMAT, "zip"},
    {3, {.name = "a/data/1", .bytes = numbers, .n = 32, .is_twin = TRUE}, ATTN_ERROR_FORMAT, ""},
    {3, {.name = "a/x", .bytes = "x", .n = 1, .method = 8}, ATTN_ERROR_UNSUPPORTED, "compressed"},
    {3, {.name = "a/x", .bytes = "x", .n = 1, .flags = 1}, ATTN_ERROR_UNSUPPORTED, "encrypted"},
    {1,
     {.name = "a/byteorder", .bytes = "little", .n = 6, .crc_lie = 1},
     ATTN_ERROR_FORMAT,
     "checksum"},
    {1, {.name = "a/byteorder", .bytes = "little", .n = 6, .no_crc = TRUE}, -1, NULL},
};

static void
test_archives (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (archives); i++) {
    g_test_message ("archive %zu", i);
    char *folder = test_folder_new ();
    g_autoptr (GByteArray) pickle = pickle_state_dict (&sample, 1, FALSE);
    TestZipEntry entries[4] = {
        {.name = "a/data.pkl", .bytes = pickle->data, .n = pickle->len},
        {.name = "a/byteorder", .bytes = "little", .n = 6},
        {.name = "a/data/0", .bytes = numbers, .n = sizeof numbers},
    };
    entries[archives[i].at] = archives[i].entry;
    g_autoptr (GByteArray) file = test_zip_new (entries, archives[i].at == 3 ? 4 : 3);
    g_free (test_folder_write (folder, weights_name, file->data, file->len));
    if (archives[i].code >= 0) {
      assert_refused (folder, (AttnError)archives[i].code, archives[i].name);
      continue;
    }
    g_autoptr (AttnSource) source = test_source_open (folder);
    g_autofree float *values = test_source_read (source, attn_source_find (source, "t"));
    g_assert_cmpmem (values, sizeof numbers, numbers, sizeof numbers);
    test_folder_remove (folder);
  }
}

/* A changed byte is noticed, in a tensor that fills its storage and in one that lies across. */
static void
test_damage (void)
{
  const TestTensor across = {"t", "FloatStorage", "0", 8, 0, 2, {4, 2}, {1, 4}};
  const TestTensor *tensors[] = {&sample, &across};
  for (size_t i = 0; i < 2; i++) {
    char *folder = test_folder_new ();
    g_autoptr (GByteArray) pickle = pickle_state_dict (tensors[i], 1, FALSE);
    const TestZipEntry entries[] = {
        {.name = "a/data.pkl", .bytes = pickle->data, .n = pickle->len},
        {.name = "a/data/0", .bytes = numbers, .n = sizeof numbers, .crc_lie = 1},
    };
    g_autoptr (GByteArray) file = test_zip_new (entries, 2);
    g_free (test_folder_write (folder, weights_name, file->data, file->len));
    g_autoptr (AttnSource) source = test_source_open (folder);
    const AttnTensorInfo *tensor = attn_source_find (source, "t");
    g_autoptr (GError) error = NULL;
    float values[8];
    AttnSourceSeen seen = {0};
    g_assert_true (attn_source_read_noting (source, tensor, 0, 8, values, &seen, &error));
    g_assert_false (attn_source_check_sum (source, tensor, seen.sum, &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
    test_sentence_check (error->message,
                         (const char *[]){weights_name, "tensor t", "a/data/0", "damaged", NULL});
    test_folder_remove (folder);
  }
}

static char *
write_stream (const GByteArray *pickle, const TestStreamStorage *storages, size_t n)
{
  char *folder = test_folder_new ();
  g_autoptr (GByteArray) file = test_stream_new (pickle, storages, n);
  g_free (test_folder_write (folder, weights_name, file->data, file->len));
  return folder;
}

static void
test_streams (void)
{
  static const struct {
    TestStreamStorage storage;
    int code;
    const char *name;
  } rows[] = {
      {{"0", 8, numbers, 32}, -1, NULL},
      {{"0", 8, numbers, 28}, ATTN_ERROR_FORMAT, "28 bytes"},
      {{"0", 9, numbers, 32}, ATTN_ERROR_FORMAT, "9 numbers"},
      {{"0", 7, numbers, 28}, ATTN_ERROR_SHAPE, "28 bytes"},
      {{"0", G_MAXUINT64, numbers, 32}, ATTN_ERROR_FORMAT, "18446744073709551615"},
      {{"0", G_MAXUINT64 / 4 + 1, numbers, 32}, ATTN_ERROR_FORMAT, "numbers"},
      {{"1", 8, numbers, 32}, ATTN_ERROR_FORMAT, "no tensor mentions"},
  };
  g_autoptr (GByteArray) pickle = pickle_state_dict (&sample, 1, TRUE);
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_test_message ("stream %zu", i);
    char *folder = write_stream (pickle, &rows[i].storage, 1);
    if (rows[i].code >= 0) {
      assert_refused (folder, (AttnError)rows[i].code, rows[i].name);
      continue;
    }
    g_autoptr (AttnSource) source = test_source_open (folder);
    g_autofree float *values = test_source_read (source, attn_source_find (source, "t"));
    g_assert_cmpmem (values, sizeof numbers, numbers, sizeof numbers);
    test_folder_remove (folder);
  }
  const TestStreamStorage twice[] = {{"0", 8, numbers, 32}, {"0", 8, numbers, 32}};
  assert_refused (write_stream (pickle, twice, 2), ATTN_ERROR_FORMAT, "0 twice");
  assert_refused (write_stream (pickle, NULL, 0), ATTN_ERROR_FORMAT, "storage 0");
}

/* The head of the older container, wrong in one byte. */
static void
test_stream_heads (void)
{
  static const struct {
    guint at;
    guint8 byte;
    AttnError code;
    const char *name;
  } rows[] = {
      {5, 0, ATTN_ERROR_FORMAT, "magic"},
      {3, 9, ATTN_ERROR_UNSUPPORTED, "0x19"},
      {18, 0, ATTN_ERROR_UNSUPPORTED, "1001"},
  };
  g_autoptr (GByteArray) pickle = pickle_state_dict (&sample, 1, TRUE);
  const TestStreamStorage storage = {"0", 8, numbers, 32};
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GByteArray) file = test_stream_new (pickle, &storage, 1);
    file->data[rows[i].at] = rows[i].byte;
    char *folder = test_folder_new ();
    g_free (test_folder_write (folder, weights_name, file->data, file->len));
    assert_refused (folder, rows[i].code, rows[i].name);
  }
}

/* More pickle than is read at first: thousands of tensors in one storage, in both containers. */
static void
test_many (void)
{
  enum { N = 20000 };
  g_autofree TestTensor *tensors = g_new (TestTensor, N);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  for (size_t i = 0; i < N; i++) {
    tensors[i] = (TestTensor){"", "FloatStorage", "0", 8, (gint64)(i % 8), 1, {1}, {1}};
    tensors[i].name = g_strdup_printf ("tensor number %zu", i);
    g_ptr_array_add (names, (char *)(guintptr)tensors[i].name);
  }
  for (int is_stream = 0; is_stream < 2; is_stream++) {
    const TestStreamStorage storage = {"0", 8, numbers, 32};
    GByteArray *pickle = pickle_state_dict (tensors, N, is_stream);
    g_assert_cmpuint (pickle->len, >, 1 << 21);
    char *folder =
        is_stream ? write_stream (pickle, &storage, 1) : write_zip (g_byte_array_ref (pickle));
    g_byte_array_unref (pickle);
    g_autoptr (AttnSource) source = test_source_open (folder);
    g_assert_cmpuint (attn_source_get_n_tensors (source), ==, N);
    for (size_t i = 0; i < N; i += 997) {
      g_autofree float *value =
          test_source_read (source, attn_source_find (source, tensors[i].name));
      g_assert_cmpint ((int)*value, ==, (int)(i % 8));
    }
    test_folder_remove (folder);
  }
}

/* A large transposed matrix, read in pieces as a model does, against its formula. */
static void
test_large_transposed (void)
{
  enum { ROWS = 700, COLUMNS = 300 };
  g_autofree float *stored = g_new (float, (size_t)ROWS *COLUMNS);
  for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++)
    stored[i] = (float)i;
  const TestTensor tensor = {"t", "FloatStorage",  "0",      ROWS * COLUMNS, 0,
                             2,   {ROWS, COLUMNS}, {1, ROWS}};
  const TestStreamStorage storage = {"0", ROWS * COLUMNS, stored, sizeof (float) * ROWS * COLUMNS};
  g_autoptr (GByteArray) pickle = pickle_state_dict (&tensor, 1, TRUE);
  char *folder = write_stream (pickle, &storage, 1);
  g_autoptr (AttnSource) source = test_source_open (folder);
  const AttnTensorInfo *info = attn_source_find (source, "t");
  g_autofree float *values = g_new (float, (size_t)ROWS *COLUMNS);
  for (size_t first = 0; first < ROWS; first += 90) {
    size_t n = MIN (90, ROWS - first) * COLUMNS;
    g_assert_true (
        attn_source_read_f32 (source, info, first * COLUMNS, n, values + first * COLUMNS, NULL));
  }
  for (size_t r = 0; r < ROWS; r++)
    for (size_t c = 0; c < COLUMNS; c++)
      g_assert_cmpint ((int)values[r * COLUMNS + c], ==, (int)(c * ROWS + r));
  test_folder_remove (folder);
}

/* Offsets beyond 32 bits, in a file that is mostly hole. */
static void
test_beyond_4_gib (void)
{
  const gint64 n = (G_GINT64_CONSTANT (5) << 30) / 4;
  const TestTensor tensor = {"t", "FloatStorage", "0", n, 0, 2, {n / 2, 2}, {2, 1}};
  g_autoptr (GByteArray) pickle = pickle_state_dict (&tensor, 1, FALSE);
  char *folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, weights_name, NULL);
  if (!test_zip64_write (path, pickle, (guint64)n * 4)) {
    g_test_skip ("the temporary folder takes no file of 5 GiB, even with holes");
    test_folder_remove (folder);
    return;
  }
  const float one = 1;
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  g_autoptr (AttnSource) source = test_source_open (folder);
  const AttnTensorInfo *found = attn_source_find (source, "t");
  const AttnStoredTensor *stored = (const AttnStoredTensor *)(const void *)found;
  g_assert_cmpint (pwrite (fd, &one, 4, (off_t)stored->offset + (off_t)n * 4 - 4), ==, 4);
  close (fd);
  float values[2] = {5, 5};
  g_assert_true (attn_source_read_f32 (source, found, (size_t)n - 2, 2, values, NULL));
  g_assert_cmpint ((int)values[0], ==, 0);
  g_assert_cmpint ((int)values[1], ==, 1);
  test_folder_remove (folder);
}

static void
mutate (GRand *random, GByteArray *file)
{
  static const guint8 codes[] = "\x80\x95.(N\x88\x89KMJ\x8aGU\x8cX)]}\x8ft\x85\x86\x87"
                                "aesuqr\x94hjc\x93iR\x81"
                                "bQ0S";
  for (int n = g_rand_int_range (random, 1, 4); n > 0 && file->len > 0; n--) {
    guint at = g_rand_int (random) % file->len;
    switch (g_rand_int_range (random, 0, 6)) {
    case 0: /* another instruction */
      file->data[at] = codes[g_rand_int (random) % (sizeof codes - 1)];
      break;
    case 1: /* cut the file */
      if (g_rand_int_range (random, 0, 4) == 0)
        g_byte_array_set_size (file, at);
      break;
    case 2: /* lose a byte: all that follows moves */
      g_byte_array_remove_index (file, at);
      break;
    case 3: /* a length, an offset or a count far too large */
      memset (file->data + at, 0xff, MIN (4, file->len - at));
      break;
    case 4: /* one bit */
      file->data[at] ^= (guint8)(1 << g_rand_int_range (random, 0, 8));
      break;
    default:
      file->data[at] = (guint8)g_rand_int (random);
    }
  }
}

/* Mutations of a good file: refused in words, or loaded with tensors that can all be read. */
static void
test_mutations (gconstpointer name)
{
  enum { ROUNDS = 5000 };
  g_autofree char *below = g_build_filename ("torch", name, weights_name, NULL);
  g_autofree char *good_path = test_data_path (below);
  gsize n_good = 0;
  g_autofree char *good = test_read_file (good_path, &n_good);
  GRand *random = g_rand_new_with_seed (20261129);
  char *folder = test_folder_new ();
  size_t n_loaded = 0, n_refused = 0;
  for (int round = 0; round < ROUNDS; round++) {
    g_autoptr (GByteArray) file = g_byte_array_new ();
    g_byte_array_append (file, (const guint8 *)good, (guint)n_good);
    mutate (random, file);
    g_free (test_folder_write (folder, weights_name, file->data, file->len));
    g_autoptr (GError) error = NULL;
    g_autoptr (AttnSource) source = attn_source_open (folder, &error);
    g_assert_true ((source == NULL) == (error != NULL));
    if (source == NULL) {
      n_refused++;
      test_sentence_check (error->message, (const char *[]){weights_name, NULL});
      continue;
    }
    n_loaded++;
    for (size_t i = 0; i < attn_source_get_n_tensors (source); i++) {
      const AttnTensorInfo *tensor = attn_source_peek_tensor (source, i);
      float values[64];
      if (tensor->dtype != ATTN_DTYPE_OTHER)
        g_assert_true (
            attn_source_read_f32 (source, tensor, 0, MIN (64, tensor->n_elements), values, NULL));
    }
  }
  test_folder_remove (folder);
  g_rand_free (random);
  assert_nothing_ran ();
  g_test_message ("%zu loaded, %zu refused", n_loaded, n_refused);
  g_assert_cmpuint (n_loaded, >, 100);
  g_assert_cmpuint (n_refused, >, 100);
#if !defined(__SANITIZE_ADDRESS__)
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  g_assert_cmpint (usage.ru_maxrss, <, 256 << 10);
#endif
}

int
main (int argc, char **argv)
{
  static const char *const real[] = {"zip",        "stream",     "protocol-4",
                                     "state-dict", "attributes", "no-checksums"};
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (real); i++) {
    g_autofree char *name = g_strdup_printf ("/torch/real/%s", real[i]);
    g_test_add_data_func (name, real[i], test_real_file);
  }
  g_test_add_func ("/torch/too-large-across", test_too_large_across);
  g_test_add_func ("/torch/places", test_places);
  g_test_add_func ("/torch/roots", test_roots);
  g_test_add_func ("/torch/archives", test_archives);
  g_test_add_func ("/torch/damage", test_damage);
  g_test_add_func ("/torch/streams", test_streams);
  g_test_add_func ("/torch/stream-heads", test_stream_heads);
  g_test_add_func ("/torch/many", test_many);
  g_test_add_func ("/torch/large-transposed", test_large_transposed);
  g_test_add_func ("/torch/beyond-4-gib", test_beyond_4_gib);
  g_test_add_data_func ("/torch/mutations/zip", "zip", test_mutations);
  g_test_add_data_func ("/torch/mutations/stream", "stream", test_mutations);
  g_test_add_func ("/torch/hostile/list", test_hostile_list);
  g_test_add_func ("/torch/hostile/names", test_hostile_names);
  g_test_add_func ("/torch/hostile/same", test_hostile_same);
  for (size_t i = 0; i < G_N_ELEMENTS (hostile); i++) {
    g_autofree char *name = g_strdup_printf ("/torch/hostile/%s", hostile[i].folder);
    g_test_add_data_func (name, &hostile[i], test_hostile_folder);
  }
  return g_test_run ();
}
