/* SPDX-License-Identifier: MIT */
/* Attention from files that are damaged, lie or are of another kind: each ends in a sentence. */
#include "array-bytes.h"
#include "model-folder.h"

#include "attn/arrays.h"

#include <string.h>

static const float data[16] = {0.5f, 0.5f, 1, 0};

/* Fails unless it is refused with @code in a sentence that has @has. */
static void
check_refused (const char *bytes, size_t n, const char *array, AttnError code, const char *has)
{
  char *folder = test_folder_new ();
  AttnArraysOptions options = {.array = array};
  g_autofree char *path = test_folder_write (folder, "a.bin", bytes, n);
  g_autoptr (GError) error = NULL;
  AttnArrays *arrays = attn_arrays_load (path, &options, &error);
  test_folder_remove (folder);
  g_assert_null (arrays);
  if (!g_error_matches (error, ATTN_ERROR, (gint)code))
    g_error ("wanted code %d: %s", code, error->message);
  const char *const names[] = {"a.bin", has, NULL};
  test_sentence_check (error->message, names);
}

static const struct {
  const char *header;
  size_t n_data;
  AttnError code;
  const char *has;
} headers[] = {
    {"", 16, ATTN_ERROR_FORMAT, "its end"},
    {"{}", 16, ATTN_ERROR_FORMAT, "no descr"},
    {"{'descr': '<f4', 'fortran_order': False}", 16, ATTN_ERROR_FORMAT, "no shape"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), 'x': 1}", 16, ATTN_ERROR_FORMAT,
     "a key that no array has"},
    {"{'descr': '<f4', 'descr': '<f4', 'shape': (2, 2)}", 16, ATTN_ERROR_FORMAT, "twice"},
    {"{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 2)}", 16, ATTN_ERROR_FORMAT, "True"},
    {"{'descr': '<f4', 'fortran_order': Falsey, 'shape': (2, 2)}", 16, ATTN_ERROR_FORMAT, "True"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': [2, 2]}", 16, ATTN_ERROR_FORMAT, "tuple"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 2)}", 16, ATTN_ERROR_FORMAT,
     "whole number"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2.0, 2)}", 16, ATTN_ERROR_FORMAT, "comma"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 2)}", 16,
     ATTN_ERROR_FORMAT, "2^64"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 2)}", 16,
     ATTN_ERROR_FORMAT, "2^64 elements"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 2)}", 16,
     ATTN_ERROR_SHAPE, "2^64 bytes"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)} + 1", 16, ATTN_ERROR_FORMAT,
     "behind the dictionary"},
    {"__import__('os').system('true')", 16, ATTN_ERROR_FORMAT, "no dictionary"},
    {"{'descr': '\\x3cf4', 'fortran_order': False, 'shape': (2, 2)}", 16, ATTN_ERROR_FORMAT,
     "backslash"},
    {"{'descr': '<f4, 'fortran_order': False, 'shape': (2, 2)}", 16, ATTN_ERROR_FORMAT, "comma"},
    {"{'descr': '<f4", 16, ATTN_ERROR_FORMAT, "without end"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2", 16, ATTN_ERROR_FORMAT, "end"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)}", 15, ATTN_ERROR_FORMAT,
     "cut short"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)}", 17, ATTN_ERROR_FORMAT, "damaged"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000, 1000000)}", 16, ATTN_ERROR_FORMAT,
     "cut short"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 2)}", 0, ATTN_ERROR_SHAPE, "[0, 2]"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': ()}", 4, ATTN_ERROR_SHAPE, "[]"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4,)}", 16, ATTN_ERROR_SHAPE, "[4]"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2, 1, 1, 1)}", 16, ATTN_ERROR_SHAPE,
     "batch"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1, 1, 2, 2)}", 16, ATTN_ERROR_SHAPE,
     "[1, 1, 1, 1, 2, 2]"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,2,2)}", 16,
     ATTN_ERROR_SHAPE, "…"},
    {"{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2)}", 16, ATTN_ERROR_UNSUPPORTED,
     "<i4"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': (2, 2)}", 16, ATTN_ERROR_UNSUPPORTED, "|O"},
    {"{'descr': '<V2', 'fortran_order': False, 'shape': (2, 2)}", 16, ATTN_ERROR_UNSUPPORTED,
     "safetensors"},
    {"{'descr': '<f3', 'fortran_order': False, 'shape': (2, 2)}", 16, ATTN_ERROR_UNSUPPORTED,
     "<f3"},
    {"{'descr': '<f16', 'fortran_order': False, 'shape': (2, 2)}", 16, ATTN_ERROR_UNSUPPORTED,
     "<f16"},
    {"{'descr': '|f4', 'fortran_order': False, 'shape': (2, 2)}", 16, ATTN_ERROR_UNSUPPORTED,
     "|f4"},
    {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 2)}", 16,
     ATTN_ERROR_UNSUPPORTED, "several fields"},
    {"{'descr': [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", 16, ATTN_ERROR_FORMAT,
     "brackets"},
};

static void
test_headers (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (headers); i++) {
    g_autoptr (GString) bytes = g_string_new (NULL);
    test_append_npy (bytes, headers[i].header, data, headers[i].n_data);
    check_refused (bytes->str, bytes->len, NULL, headers[i].code, headers[i].has);
  }
}

/* No byte of the file can be missing, and no first byte another one. */
static void
test_cut (void)
{
  g_autoptr (GString) bytes = g_string_new (NULL);
  test_append_array (bytes, "<f4", FALSE, "(2, 2)", data, 16);
  for (size_t n = 0; n < bytes->len; n++)
    check_refused (bytes->str, n, NULL, ATTN_ERROR_FORMAT, "");
  bytes->str[6] = 4;
  check_refused (bytes->str, bytes->len, NULL, ATTN_ERROR_UNSUPPORTED, "4.0");
  bytes->str[6] = 1;
  bytes->str[9] = 0x7f;
  check_refused (bytes->str, bytes->len, NULL, ATTN_ERROR_FORMAT, "cut short");
  check_refused ("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12, NULL, ATTN_ERROR_FORMAT, "length");
}

static void
test_other_files (void)
{
  static const struct {
    const char *bytes, *has;
    size_t n;
  } cases[] = {
      {"", "an empty file", 0},
      {"<!DOCTYPE html><html>", "a web page", 21},
      {"version https://git-lfs.github.com/spec/v1\n", "LFS", 42},
      {"\x80\x02}q", "a PyTorch file", 4},
      {"hello, world", "another kind of file", 12},
      {"PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "zip archive", 22},
      {"PK\3\4 this is none", "zip archive", 17},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    check_refused (cases[i].bytes, cases[i].n, NULL, ATTN_ERROR_FORMAT, cases[i].has);
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_arrays_load ("/nowhere/a.npy", NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_clear_error (&error);
  g_assert_null (attn_arrays_load ("/", NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
}

static void
test_names (void)
{
  static const struct {
    const char *header, *array, *has;
    AttnError code;
  } cases[] = {
      {"{}", NULL, "no array", ATTN_ERROR_SHAPE},
      {"{\"a\":{\"dtype\":\"I32\",\"shape\":[4],\"data_offsets\":[0,16]}}", NULL, "I32",
       ATTN_ERROR_UNSUPPORTED},
      {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}", NULL, "array a",
       ATTN_ERROR_SHAPE},
      {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[0,8]},"
       "\"b\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[8,16]}}",
       NULL, "a [2, 1], b [1, 2]", ATTN_ERROR_UNSUPPORTED},
      {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]}}", "c", "no array c",
       ATTN_ERROR_UNSUPPORTED},
      {"{\"l0\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[0,8]}," /* one is missing */
       "\"l2\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[8,16]}}",
       NULL, "2 arrays", ATTN_ERROR_UNSUPPORTED},
      {"{\"l0\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[0,8]}," /* one is longer */
       "\"l1\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[8,16]}}",
       NULL, "2 arrays", ATTN_ERROR_UNSUPPORTED},
      {"{\"l0\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[0,8]}," /* one number twice */
       "\"l00\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[8,16]}}",
       NULL, "2 arrays", ATTN_ERROR_UNSUPPORTED},
      {"{\"a\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,17]}}", NULL, "tensor a",
       ATTN_ERROR_SHAPE},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GString) bytes = g_string_new (NULL);
    bool is_empty = strlen (cases[i].header) < 3;
    test_append_safetensors (bytes, cases[i].header, data, is_empty ? 0 : 16);
    check_refused (bytes->str, bytes->len, cases[i].array, cases[i].code, cases[i].has);
  }
  g_autoptr (GString) npy = g_string_new (NULL);
  test_append_array (npy, "<f4", FALSE, "(2, 2)", data, 16);
  check_refused (npy->str, npy->len, "a", ATTN_ERROR_UNSUPPORTED, "without a name");
}

static GString *
new_npz (gboolean deflate)
{
  static const char *const names[] = {"attentions.npy", "notes.txt"};
  g_autofree float *many = g_new0 (float, 10000);
  g_autoptr (GString) note = g_string_new ("not an array");
  g_autoptr (GString) file = g_string_new (NULL);
  test_append_array (file, "<f4", FALSE, "(100, 100)", many, 40000);
  GString *const files[] = {file, note};
  return test_new_zip (names, files, 2, deflate);
}

/* Every byte of an archive in turn is another one: it is read, or refused, and nothing worse. */
static void
test_npz_bytes (void)
{
  for (int deflate = 0; deflate < 2; deflate++) {
    g_autoptr (GString) bytes = new_npz (deflate);
    char *folder = test_folder_new ();
    size_t n_refused = 0, step = deflate ? 1 : 97;
    for (size_t i = 0; i < bytes->len; i += step) {
      bytes->str[i] ^= 0x55;
      g_autofree char *path = test_folder_write (folder, "a.npz", bytes->str, bytes->len);
      g_autoptr (GError) error = NULL;
      g_autoptr (AttnArrays) arrays = attn_arrays_load (path, NULL, &error);
      g_assert_true ((arrays == NULL) == (error != NULL));
      n_refused += arrays == NULL;
      bytes->str[i] ^= 0x55;
    }
    test_folder_remove (folder);
    g_assert_cmpuint (n_refused, >, bytes->len / step / 2); /* checksums find the data's */
  }
}

/* Deflated zeros are small; what they become is bounded before anything is unpacked. */
static void
test_bomb (void)
{
  g_autoptr (GString) bytes = new_npz (TRUE);
  g_assert_cmpuint (bytes->len, <, 1000);
  char *folder = test_folder_new ();
  g_autofree char *path = test_folder_write (folder, "a.npz", bytes->str, bytes->len);
  AttnArraysOptions options = {.max_bytes = 39999};
  g_autoptr (GError) error = NULL;
  g_assert_null (attn_arrays_load (path, &options, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
  const char *const names[] = {"40000 bytes", "39999", NULL};
  test_sentence_check (error->message, names);
  g_clear_error (&error);
  options.max_bytes = 40000;
  g_autoptr (AttnArrays) arrays = attn_arrays_load (path, &options, &error);
  g_assert_no_error (error);
  test_folder_remove (folder);
}

static void
test_npz_names (void)
{
  static const char *const names[] = {"archive/data.pkl", "archive/data/0", "x.npy", "y.npy"};
  g_autoptr (GString) file = g_string_new (NULL);
  test_append_array (file, "<f4", FALSE, "(2, 2)", data, 16);
  GString *const files[] = {file, file, file, file};
  g_autoptr (GString) torch = test_new_zip (names, files, 2, FALSE);
  check_refused (torch->str, torch->len, NULL, ATTN_ERROR_FORMAT, "a PyTorch file");
  g_autoptr (GString) two = test_new_zip (names + 2, files, 2, FALSE);
  check_refused (two->str, two->len, NULL, ATTN_ERROR_UNSUPPORTED, "x [2, 2], y [2, 2]");
}

static void
test_limits (void)
{
  g_autofree float *many = g_new0 (float, 8193);
  static const char *const shapes[] = {"(8193, 1)", "(1, 8193)", "(4097, 1, 1)", "(1025, 1, 1, 1)"};
  static const size_t n[] = {8193, 8193, 4097, 1025};
  for (size_t i = 0; i < G_N_ELEMENTS (shapes); i++) {
    g_autoptr (GString) bytes = g_string_new (NULL);
    test_append_array (bytes, "<f4", FALSE, shapes[i], many, n[i] * sizeof *many);
    check_refused (bytes->str, bytes->len, NULL, ATTN_ERROR_TOO_LARGE, "at most");
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/arrays-hostile/headers", test_headers);
  g_test_add_func ("/arrays-hostile/cut", test_cut);
  g_test_add_func ("/arrays-hostile/other-files", test_other_files);
  g_test_add_func ("/arrays-hostile/names", test_names);
  g_test_add_func ("/arrays-hostile/npz-bytes", test_npz_bytes);
  g_test_add_func ("/arrays-hostile/bomb", test_bomb);
  g_test_add_func ("/arrays-hostile/npz-names", test_npz_names);
  g_test_add_func ("/arrays-hostile/limits", test_limits);
  return g_test_run ();
}
