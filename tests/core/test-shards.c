/* SPDX-License-Identifier: MIT */
/* Models in several weight files, and which files of a folder are taken. */
#include "model-folder.h"
#include "test-util.h"

#include "attn/source.h"

#include <glib/gstdio.h>

#include <string.h>
#include <unistd.h>

static const TestHostileCase hostile[] = {
    {"idx-ok", TEST_LOADS, 0},
    {"idx-total-size-wrong", TEST_LOADS, 0},
    {"idx-traversal", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"idx-absolute", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"idx-subfolder", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"idx-nul", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"idx-shard-missing", TEST_REFUSED, ATTN_ERROR_IO},
    {"idx-tensor-elsewhere", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"idx-weight-map-array", TEST_REFUSED, ATTN_ERROR_FORMAT},
    {"idx-shard-cut", TEST_REFUSED, ATTN_ERROR_FORMAT},
};

static void
test_hostile_folder (gconstpointer data)
{
  const TestHostileCase *hostile_case = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = test_hostile_path (hostile_case->folder);
  g_autoptr (AttnSource) source = attn_source_open (path, &error);
  if (hostile_case->outcome == TEST_REFUSED) {
    g_assert_null (source);
    test_hostile_check_error (hostile_case->folder, error, hostile_case->code);
    return;
  }
  g_assert_no_error (error);
  g_assert_cmpuint (attn_source_get_n_tensors (source), ==, 21);
  g_assert_cmpuint (attn_source_get_n_warnings (source), ==, 0);
}

static void
test_hostile_list (void)
{
  test_hostile_check_list ("idx-", hostile, G_N_ELEMENTS (hostile));
}

/* Two shards hold the very numbers of the plain file. */
static void
test_same (void)
{
  g_autofree char *ok_path = test_hostile_path ("ok");
  g_autofree char *path = test_hostile_path ("idx-ok");
  g_autoptr (AttnSource) ok = test_source_open (ok_path);
  g_autoptr (AttnSource) source = test_source_open (path);
  bool seen[2] = {false, false};
  for (size_t i = 0; i < attn_source_get_n_tensors (ok); i++) {
    const AttnTensorInfo *wanted = attn_source_peek_tensor (ok, i);
    const AttnTensorInfo *found = attn_source_find (source, wanted->name);
    g_assert_nonnull (found);
    g_autofree float *a = g_new (float, wanted->n_elements);
    g_autofree float *b = g_new (float, wanted->n_elements);
    g_assert_true (attn_source_read_f32 (ok, wanted, 0, wanted->n_elements, a, NULL));
    g_assert_true (attn_source_read_f32 (source, found, 0, wanted->n_elements, b, NULL));
    g_assert_cmpmem (a, wanted->n_bytes, b, wanted->n_bytes);
    seen[strstr (attn_source_peek_path (source, found), "00001-of") == NULL] = true;
  }
  g_assert_true (seen[0] && seen[1]);
  const char *const *files = attn_source_peek_files (source);
  g_assert_cmpstr (files[0], ==, "model-00001-of-00002.safetensors");
  g_assert_cmpstr (files[1], ==, "model-00002-of-00002.safetensors");
  g_assert_null (files[2]);
  g_assert_cmpuint (attn_source_get_n_bytes (source), >, attn_source_get_n_bytes (ok));
}

#define ONE(name) "{\"" name "\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}"
#define TWO(a, b) \
  "{\"" a "\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},\"" b \
  "\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}"

/* A folder with shards s1 (tensors a, b) and s2 (tensor c) and an index. */
static char *
write_shards (const char *index)
{
  static const float numbers[] = {1, 2};
  char *folder = test_folder_new ();
  g_autofree char *single = g_build_filename (folder, "model.safetensors", NULL);
  g_autofree char *first = g_build_filename (folder, "s1", NULL);
  g_autofree char *second = g_build_filename (folder, "s2", NULL);
  test_folder_write_weights (folder, TWO ("a", "b"), numbers, 8);
  g_assert_cmpint (g_rename (single, first), ==, 0);
  test_folder_write_weights (folder, ONE ("c"), numbers, 4);
  g_assert_cmpint (g_rename (single, second), ==, 0);
  g_free (test_folder_write (folder, "model.safetensors.index.json", index, strlen (index)));
  return folder;
}

static const struct {
  const char *index;
  int code; /* -1: loads */
  const char *name;
} rows[] = {
    {"{\"weight_map\":{\"a\":\"s1\",\"b\":\"s1\",\"c\":\"s2\"}}", -1, NULL},
    {" {\"metadata\":{\"total_size\":12.5e9,\"x\":[{}]},\"weight_map\":{\"c\":\"s2\",\"b\":\"s1\","
     "\"a\":\"s1\"},\"z\":null}\n",
     -1, NULL},
    {"{\"weight_map\":{\"a\":\"s1\",\"c\":\"s2\"}}", -1, "1 of the tensors in s1"},
    {"{\"weight_map\":{\"\\u0061\":\"s1\",\"b\":\"s1\"}}", -1, NULL},
    {"", ATTN_ERROR_FORMAT, "object"},
    {"[]", ATTN_ERROR_FORMAT, "object"},
    {"{}", ATTN_ERROR_FORMAT, "weight_map"},
    {"{\"weight_map\":{}}", ATTN_ERROR_FORMAT, "no tensor"},
    {"{\"weight_map\":null}", ATTN_ERROR_FORMAT, "weight_map"},
    {"{\"weight_map\":{\"a\":7}}", ATTN_ERROR_FORMAT, "weight_map"},
    {"{\"weight_map\":{\"a\":\"s1\"},\"weight_map\":{}}", ATTN_ERROR_FORMAT, "twice"},
    {"{\"weight_map\":{\"a\":\"s1\",\"a\":\"s1\"}}", ATTN_ERROR_FORMAT, "tensor a twice"},
    {"{\"weight_map\":{\"a\":\"s1\",\"a\":\"s2\"}}", ATTN_ERROR_FORMAT, "tensor a twice"},
    {"{\"weight_map\":{\"a\\u0000\":\"s1\"}}", ATTN_ERROR_FORMAT, "U+0000"},
    {"{\"weight_map\":{\"a\":\"s1\"}", ATTN_ERROR_FORMAT, "weight_map"},
    {"{\"weight_map\":{\"a\":\"s1\"}} x", ATTN_ERROR_FORMAT, "behind"},
    {"{\"weight_map\":{\"a\":\"s1\xff\"}}", ATTN_ERROR_FORMAT, "UTF-8"},
    {"{\"weight_map\":{\"a\":\"\"}}", ATTN_ERROR_FORMAT, "plain name"},
    {"{\"weight_map\":{\"a\":\".\"}}", ATTN_ERROR_FORMAT, "plain name"},
    {"{\"weight_map\":{\"a\":\"..\"}}", ATTN_ERROR_FORMAT, "plain name"},
    {"{\"weight_map\":{\"a\":\"./s1\"}}", ATTN_ERROR_FORMAT, "plain name"},
    {"{\"weight_map\":{\"a\":\"x\\\\s1\"}}", ATTN_ERROR_FORMAT, "plain name"},
    {"{\"weight_map\":{\"d\":\"s1\"}}", ATTN_ERROR_FORMAT, "tensor d"},
    {"{\"weight_map\":{\"a\":\"s1\",\"d\":\"s3\"}}", ATTN_ERROR_IO, "s3"},
    {"{\"weight_map\":{\"a\":\"model.safetensors.index.json\"}}", ATTN_ERROR_FORMAT, "JSON"},
};

static void
test_rows (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_test_message ("index %zu", i);
    char *folder = write_shards (rows[i].index);
    g_autoptr (GError) error = NULL;
    g_autoptr (AttnSource) source = attn_source_open (folder, &error);
    if (rows[i].code < 0) {
      g_assert_no_error (error);
      g_assert_nonnull (attn_source_find (source, "a"));
      g_assert_null (attn_source_find (source, "d"));
      g_assert_cmpuint (attn_source_get_n_warnings (source), ==, rows[i].name != NULL ? 1 : 0);
      if (rows[i].name != NULL)
        test_sentence_check (attn_source_peek_warning (source, 0),
                             (const char *[]){rows[i].name, NULL});
    } else {
      g_assert_null (source);
      g_assert_error (error, ATTN_ERROR, rows[i].code);
      test_sentence_check (error->message,
                           (const char *[]){"model.safetensors.index.json: ", rows[i].name, NULL});
    }
    test_folder_remove (folder);
  }
}

static void
copy_into (const char *folder, const char *from, const char *name)
{
  g_autofree char *path = test_data_path (from);
  gsize n = 0;
  g_autofree char *bytes = test_read_file (path, &n);
  g_free (test_folder_write (folder, name, bytes, n));
}

static void
remove_from (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_assert_cmpint (g_unlink (path), ==, 0);
}

static void
assert_first_file (const char *folder, const char *name, const char *tensor)
{
  g_autoptr (AttnSource) source = test_source_open (folder);
  g_assert_cmpstr (attn_source_peek_files (source)[0], ==, name);
  g_assert_nonnull (attn_source_find (source, tensor));
}

/* The order of the Hugging Face library; shards of the older kind as well. */
static void
test_preference (void)
{
  const char *bin_index = "{\"weight_map\":{\"f32\":\"one.bin\",\"part\":\"two.bin\"}}";
  char *folder = write_shards ("{\"weight_map\":{\"a\":\"s1\",\"b\":\"s1\",\"c\":\"s2\"}}");
  copy_into (folder, "hostile/ok/model.safetensors", "model.safetensors");
  copy_into (folder, "torch/zip/pytorch_model.bin", "pytorch_model.bin");
  copy_into (folder, "torch/zip/pytorch_model.bin", "one.bin");
  copy_into (folder, "torch/stream/pytorch_model.bin", "two.bin");
  g_free (
      test_folder_write (folder, "pytorch_model.bin.index.json", bin_index, strlen (bin_index)));
  assert_first_file (folder, "model.safetensors", "encoder.layer.0.attention.self.key.weight");
  remove_from (folder, "model.safetensors");
  assert_first_file (folder, "s1", "a");
  remove_from (folder, "model.safetensors.index.json");
  assert_first_file (folder, "pytorch_model.bin", "f32");
  remove_from (folder, "pytorch_model.bin");
  assert_first_file (folder, "one.bin", "part");
  g_autoptr (AttnSource) source = test_source_open (folder);
  g_assert_cmpuint (attn_source_get_n_tensors (source), ==, 2);
  g_assert_cmpuint (attn_source_get_n_warnings (source), ==, 2);
  float values[9];
  g_assert_true (
      attn_source_read_f32 (source, attn_source_find (source, "part"), 0, 9, values, NULL));
  g_assert_cmpint ((int)values[8], ==, 23);
  test_folder_remove (folder);
}

/* A hundred thousand tensors in a shard: no quadratic step. */
static void
test_many (void)
{
  enum { N = 100000 };
  g_autoptr (GString) header = g_string_new ("{");
  g_autoptr (GString) index = g_string_new ("{\"weight_map\":{");
  for (size_t i = 0; i < N; i++) {
    g_string_append_printf (header,
                            "%s\"t%zu\":{\"dtype\":\"F32\",\"shape\":[0],\"data_offsets\":[0,0]}",
                            i > 0 ? "," : "", i);
    g_string_append_printf (index, "%s\"t%zu\":\"s\"", i > 0 ? "," : "", i);
  }
  g_string_append (header, "}");
  g_string_append (index, "}}");
  char *folder = test_folder_new ();
  test_folder_write_weights (folder, header->str, "", 0);
  g_autofree char *single = g_build_filename (folder, "model.safetensors", NULL);
  g_autofree char *shard = g_build_filename (folder, "s", NULL);
  g_assert_cmpint (g_rename (single, shard), ==, 0);
  g_free (test_folder_write (folder, "model.safetensors.index.json", index->str, index->len));
  g_test_timer_start ();
  g_autoptr (AttnSource) source = test_source_open (folder);
  g_assert_cmpuint (attn_source_get_n_tensors (source), ==, N);
  g_assert_cmpstr (attn_source_find (source, "t99999")->name, ==, "t99999");
  /* a fraction of this in practice; a quadratic step would take minutes */
  g_assert_cmpfloat (g_test_timer_elapsed (), <, 10);
  test_folder_remove (folder);
}

static void
test_too_many_shards (void)
{
  g_autoptr (GString) index = g_string_new ("{\"weight_map\":{");
  for (size_t i = 0; i <= 1000; i++)
    g_string_append_printf (index, "%s\"t%zu\":\"s%zu\"", i > 0 ? "," : "", i, i);
  g_string_append (index, "}}");
  char *folder = test_folder_new ();
  g_free (test_folder_write (folder, "model.safetensors.index.json", index->str, index->len));
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_source_open (folder, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
  test_sentence_check (error->message, (const char *[]){"1001 files", NULL});
  test_folder_remove (folder);
}

/* The files an index names, without opening one of them. */
static void
test_list (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = test_folder_new ();
  const char *index = "{\"weight_map\":{\"a\":\"s2\",\"b\":\"s1\",\"c\":\"s2\"}}";
  g_autofree char *path =
      test_folder_write (folder, "model.safetensors.index.json", index, strlen (index));
  g_auto (GStrv) names = attn_source_list_shards (path, &error);
  g_assert_no_error (error);
  g_autofree char *joined = g_strjoinv (" ", names);
  g_assert_cmpstr (joined, ==, "s1 s2");
  g_free (test_folder_write (folder, "model.safetensors.index.json", "{}", 2));
  g_assert_null (attn_source_list_shards (path, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
  test_folder_remove (folder);
}

static void
test_forms (void)
{
  g_assert_cmpstr (attn_source_peek_form (0)->name, ==, "model.safetensors");
  g_assert_false (attn_source_peek_form (0)->is_index);
  g_assert_cmpstr (attn_source_peek_form (3)->name, ==, "pytorch_model.bin.index.json");
  g_assert_true (attn_source_peek_form (3)->is_index);
  g_assert_null (attn_source_peek_form (4));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shards/same", test_same);
  g_test_add_func ("/shards/rows", test_rows);
  g_test_add_func ("/shards/preference", test_preference);
  g_test_add_func ("/shards/many", test_many);
  g_test_add_func ("/shards/too-many", test_too_many_shards);
  g_test_add_func ("/shards/list", test_list);
  g_test_add_func ("/shards/forms", test_forms);
  g_test_add_func ("/shards/hostile/list", test_hostile_list);
  for (size_t i = 0; i < G_N_ELEMENTS (hostile); i++) {
    g_autofree char *name = g_strdup_printf ("/shards/hostile/%s", hostile[i].folder);
    g_test_add_data_func (name, &hostile[i], test_hostile_folder);
  }
  return g_test_run ();
}
