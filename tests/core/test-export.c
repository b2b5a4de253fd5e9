/* SPDX-License-Identifier: MIT */
/* Exports read back: JSON by jansson, CSV by a small reader, NPY and safetensors by their bytes. */
#include "formula-maps.h"
#include "test-util.h"

#include "attn/error.h"
#include "attn/export.h"

#include <glib/gstdio.h>
#include <jansson.h>
#include <zip.h>

#include <string.h>
#include <unistd.h>

#define N_QUERIES 7
#define N_KEYS 9

static bool
gather (const void *bytes, size_t n_bytes, void *data, G_GNUC_UNUSED GError **error)
{
  g_string_append_len (data, bytes, (gssize)n_bytes);
  return true;
}

/* The file's bytes in memory. */
static GString *export(AttnMaps *maps, const AttnExportChoice *choice, AttnExportFormat format)
{
  GString *file = g_string_new (NULL);
  GError *error = NULL;
  g_assert_true (attn_export (maps, choice, format, gather, file, &error));
  g_assert_no_error (error);
  return file;
}

static const AttnExportChoice everything = {.all_layers = true, .all_heads = true};
static const AttnExportChoice one = {.layer = 2, .head = 1};

static void
test_json (void)
{
  g_autoptr (AttnMaps) maps = formula_maps_new (N_KEYS, N_KEYS);
  g_autoptr (GString) file = export(maps, &everything, ATTN_EXPORT_JSON);
  json_error_t problem;
  json_t *root = json_loadb (file->str, file->len, JSON_REJECT_DUPLICATES, &problem);
  g_assert_nonnull (root);
  json_t *tokens = json_object_get (root, "tokens");
  g_assert_cmpuint (json_array_size (tokens), ==, N_KEYS);
  for (size_t i = 0; i < N_KEYS; i++)
    g_assert_cmpstr (json_string_value (json_array_get (tokens, i)), ==,
                     attn_maps_peek_label (maps, ATTN_SIDE_KEY, i));
  json_t *list = json_object_get (root, "maps");
  g_assert_cmpuint (json_array_size (list), ==, FORMULA_LAYERS * FORMULA_HEADS);
  for (size_t i = 0; i < json_array_size (list); i++) {
    json_t *map = json_array_get (list, i);
    size_t layer = i / FORMULA_HEADS, head = i % FORMULA_HEADS;
    g_assert_cmpint (json_integer_value (json_object_get (map, "layer")), ==, layer + 1);
    g_assert_cmpint (json_integer_value (json_object_get (map, "head")), ==, head + 1);
    json_t *rows = json_object_get (map, "weights");
    g_assert_cmpuint (json_array_size (rows), ==, N_KEYS);
    for (size_t q = 0; q < N_KEYS; q++) {
      g_assert_cmpuint (json_array_size (json_array_get (rows, q)), ==, N_KEYS);
      for (size_t k = 0; k < N_KEYS; k++) {
        json_t *weight = json_array_get (json_array_get (rows, q), k);
        g_assert_true ((float)json_number_value (weight) ==
                       formula_weight (layer, head, q, k, N_KEYS));
      }
    }
  }
  json_decref (root);
}

static void
test_json_two_sides (void)
{
  g_autoptr (AttnMaps) maps = formula_maps_new (N_QUERIES, N_KEYS);
  g_autoptr (GString) file = export(maps, &one, ATTN_EXPORT_JSON);
  json_t *root = json_loadb (file->str, file->len, 0, NULL);
  g_assert_null (json_object_get (root, "tokens"));
  g_assert_cmpuint (json_array_size (json_object_get (root, "queries")), ==, N_QUERIES);
  g_assert_cmpuint (json_array_size (json_object_get (root, "keys")), ==, N_KEYS);
  g_assert_cmpuint (json_array_size (json_object_get (root, "maps")), ==, 1);
  json_decref (root);
}

/* Splits one record; a quoted field may hold commas and doubled quotation marks. */
static GPtrArray *
read_record (const char **text)
{
  GPtrArray *fields = g_ptr_array_new_with_free_func (g_free);
  const char *p = *text;
  for (;;) {
    GString *field = g_string_new (NULL);
    bool quoted = *p == '"';
    if (quoted)
      p++;
    while (quoted ? !(*p == '"' && p[1] != '"') : *p != ',' && *p != '\n') {
      if (quoted && *p == '"')
        p++;
      g_string_append_c (field, *p++);
    }
    if (quoted)
      p++;
    g_ptr_array_add (fields, g_string_free (field, FALSE));
    if (*p++ == '\n')
      break;
  }
  *text = p;
  return fields;
}

static void
test_csv (void)
{
  g_autoptr (AttnMaps) maps = formula_maps_new (N_QUERIES, N_KEYS);
  g_autoptr (GString) file = export(maps, &everything, ATTN_EXPORT_CSV);
  const char *text = file->str;
  g_autoptr (GPtrArray) head = read_record (&text);
  g_assert_cmpuint (head->len, ==, 7);
  g_assert_cmpstr (g_ptr_array_index (head, 0), ==, "layer");
  g_assert_cmpstr (g_ptr_array_index (head, 6), ==, "weight");
  for (size_t i = 0; i < FORMULA_LAYERS * FORMULA_HEADS * N_QUERIES * N_KEYS; i++) {
    size_t key = i % N_KEYS, query = i / N_KEYS % N_QUERIES;
    size_t map = i / N_KEYS / N_QUERIES;
    g_autoptr (GPtrArray) fields = read_record (&text);
    g_assert_cmpuint (fields->len, ==, 7);
    size_t wanted[] = {map / FORMULA_HEADS + 1, map % FORMULA_HEADS + 1, query, key};
    for (size_t f = 0; f < 4; f++)
      g_assert_cmpuint (g_ascii_strtoull (g_ptr_array_index (fields, f), NULL, 10), ==, wanted[f]);
    g_assert_cmpstr (g_ptr_array_index (fields, 4), ==,
                     attn_maps_peek_label (maps, ATTN_SIDE_QUERY, query));
    g_assert_cmpstr (g_ptr_array_index (fields, 5), ==,
                     attn_maps_peek_label (maps, ATTN_SIDE_KEY, key));
    float weight = (float)g_ascii_strtod (g_ptr_array_index (fields, 6), NULL);
    g_assert_true (weight == formula_weight (wanted[0] - 1, wanted[1] - 1, query, key, N_KEYS));
  }
  g_assert_cmpuint (text - file->str, ==, file->len);
}

/* The data at @bytes is the maps of [first, end) in order. */
static void
assert_maps (const char *bytes, size_t n_bytes, size_t first_map, size_t n_maps)
{
  g_assert_cmpuint (n_bytes, ==, n_maps * N_QUERIES * N_KEYS * sizeof (float));
  for (size_t i = 0; i < n_maps * N_QUERIES * N_KEYS; i++) {
    size_t map = first_map + i / (N_QUERIES * N_KEYS);
    float weight;
    memcpy (&weight, bytes + i * sizeof weight, sizeof weight);
    g_assert_true (weight == formula_weight (map / FORMULA_HEADS, map % FORMULA_HEADS,
                                             i / N_KEYS % N_QUERIES, i % N_KEYS, N_KEYS));
  }
}

static void
assert_npy (const AttnExportChoice *choice, const char *shape, size_t first_map, size_t n_maps)
{
  g_autoptr (AttnMaps) maps = formula_maps_new (N_QUERIES, N_KEYS);
  g_autoptr (GString) file = export(maps, choice, ATTN_EXPORT_NPY);
  g_assert_cmpmem (file->str, 8, "\x93NUMPY\x01\x00", 8);
  size_t length = (guchar)file->str[8] + 256u * (guchar)file->str[9];
  g_assert_cmpuint ((10 + length) % 64, ==, 0);
  g_autofree char *header = g_strndup (file->str + 10, length);
  g_autofree char *wanted =
      g_strdup_printf ("{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }", shape);
  g_assert_true (g_str_has_suffix (header, "\n"));
  g_assert_cmpstr (g_strchomp (header), ==, wanted);
  assert_maps (file->str + 10 + length, file->len - 10 - length, first_map, n_maps);
}

static void
test_npy (void)
{
  AttnExportChoice layer = {.layer = 1, .all_heads = true};
  assert_npy (&everything, "3, 4, 7, 9", 0, FORMULA_LAYERS * FORMULA_HEADS);
  assert_npy (&layer, "1, 4, 7, 9", FORMULA_HEADS, FORMULA_HEADS);
  assert_npy (&one, "7, 9", 2 * FORMULA_HEADS + 1, 1);
}

/* One array of an NPZ archive, read by libzip, which checks the sum; for g_string_free(). */
static GString *
read_entry (zip_t *archive, const char *name)
{
  zip_stat_t status;
  g_assert_cmpint (zip_stat (archive, name, 0, &status), ==, 0);
  g_assert_cmpint (status.comp_method, ==, ZIP_CM_STORE);
  zip_file_t *entry = zip_fopen (archive, name, 0);
  g_assert_nonnull (entry);
  GString *bytes = g_string_new (NULL);
  g_string_set_size (bytes, status.size);
  g_assert_cmpint (zip_fread (entry, bytes->str, status.size), ==, status.size);
  char end;
  g_assert_cmpint (zip_fread (entry, &end, 1), ==, 0);
  g_assert_cmpint (zip_fclose (entry), ==, 0);
  return bytes;
}

/* An array's header says @descr, and shape (@shape). Returns: where its values begin. */
static const char *
assert_array (const GString *npy, const char *descr, const char *shape)
{
  size_t begin = 10 + (size_t)(guint8)npy->str[8] + ((size_t)(guint8)npy->str[9] << 8);
  g_assert_cmpmem (npy->str, 8, "\x93NUMPY\x01\x00", 8);
  g_assert_cmpuint (begin % 64, ==, 0);
  g_autofree char *header = g_strndup (npy->str + 10, begin - 10);
  g_autofree char *wanted =
      g_strdup_printf ("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape);
  g_assert_true (g_str_has_prefix (header, wanted));
  return npy->str + begin;
}

/* The longest label has 19 characters; all are UCS-4, padded with U+0000. */
static void
assert_label_array (zip_t *archive, const char *name, AttnMaps *maps, AttnSide side)
{
  g_autoptr (GString) npy = read_entry (archive, name);
  g_autofree char *shape = g_strdup_printf ("%zu,", attn_maps_get_n (maps, side));
  g_autofree char *descr = NULL;
  size_t longest = 0;
  for (size_t i = 0; i < attn_maps_get_n (maps, side); i++)
    longest = MAX (longest, (size_t)g_utf8_strlen (attn_maps_peek_piece (maps, side, i), -1));
  descr = g_strdup_printf ("<U%zu", longest);
  const char *values = assert_array (npy, descr, shape);
  for (size_t i = 0; i < attn_maps_get_n (maps, side); i++) {
    g_autofree gunichar *letters = g_new0 (gunichar, longest + 1);
    for (size_t c = 0; c < longest; c++) {
      memcpy (&letters[c], values + 4 * (i * longest + c), 4);
      letters[c] = GUINT32_FROM_LE (letters[c]);
    }
    g_autofree char *text = g_ucs4_to_utf8 (letters, -1, NULL, NULL, NULL);
    g_assert_cmpstr (text, ==, attn_maps_peek_piece (maps, side, i));
  }
}

static void
assert_number_array (zip_t *archive, const char *name, gint64 first, size_t n)
{
  g_autoptr (GString) npy = read_entry (archive, name);
  g_autofree char *shape = g_strdup_printf ("%zu,", n);
  const char *values = assert_array (npy, "<i8", shape);
  for (size_t i = 0; i < n; i++) {
    gint64 value;
    memcpy (&value, values + 8 * i, 8);
    g_assert_cmpint (GINT64_FROM_LE (value), ==, first + (gint64)i);
  }
}

static void
assert_npz (const AttnExportChoice *choice, gint64 layer, size_t n_layers, gint64 head, size_t n)
{
  g_autoptr (AttnMaps) maps = formula_maps_new (N_QUERIES, N_KEYS);
  g_autoptr (GString) file = export(maps, choice, ATTN_EXPORT_NPZ);
  g_autoptr (GString) same = export(maps, choice, ATTN_EXPORT_NPZ);
  g_assert_true (g_string_equal (file, same));
  zip_error_t problem;
  zip_error_init (&problem);
  zip_source_t *source = zip_source_buffer_create (file->str, file->len, 0, &problem);
  zip_t *archive = zip_open_from_source (source, ZIP_RDONLY | ZIP_CHECKCONS, &problem);
  g_assert_nonnull (archive);
  g_assert_cmpint (zip_get_num_entries (archive, 0), ==, 5);
  g_autoptr (GString) array = read_entry (archive, "attentions.npy");
  g_autoptr (GString) plain = export(maps, choice, ATTN_EXPORT_NPY);
  g_assert_true (g_string_equal (array, plain));
  assert_label_array (archive, "queries.npy", maps, ATTN_SIDE_QUERY);
  assert_label_array (archive, "keys.npy", maps, ATTN_SIDE_KEY);
  assert_number_array (archive, "layers.npy", layer, n_layers);
  assert_number_array (archive, "heads.npy", head, n);
  zip_close (archive);
  zip_error_fini (&problem);
}

static void
test_npz (void)
{
  AttnExportChoice layer = {.layer = 1, .all_heads = true};
  assert_npz (&everything, 1, FORMULA_LAYERS, 1, FORMULA_HEADS);
  assert_npz (&layer, 2, 1, 1, FORMULA_HEADS);
  assert_npz (&one, 3, 1, 2, 1);
}

/* A string that is itself a JSON list, for the format allows strings only. */
static void
assert_label_metadata (json_t *root, const char *name, AttnMaps *maps, AttnSide side)
{
  json_t *metadata = json_object_get (root, "__metadata__");
  json_t *list = json_loads (json_string_value (json_object_get (metadata, name)), 0, NULL);
  g_assert_cmpuint (json_array_size (list), ==, attn_maps_get_n (maps, side));
  for (size_t i = 0; i < json_array_size (list); i++)
    g_assert_cmpstr (json_string_value (json_array_get (list, i)), ==,
                     attn_maps_peek_piece (maps, side, i));
  json_decref (list);
}

static void
test_safetensors (void)
{
  g_autoptr (AttnMaps) maps = formula_maps_new (N_QUERIES, N_KEYS);
  g_autoptr (GString) file = export(maps, &everything, ATTN_EXPORT_SAFETENSORS);
  guint64 length = 0;
  memcpy (&length, file->str, sizeof length);
  length = GUINT64_FROM_LE (length);
  g_assert_cmpuint (length % 8, ==, 0);
  json_t *root = json_loadb (file->str + 8, length, JSON_REJECT_DUPLICATES, NULL);
  g_assert_nonnull (root);
  g_assert_cmpuint (json_object_size (root), ==, 2); /* without a model there are no ids */
  assert_label_metadata (root, "queries", maps, ATTN_SIDE_QUERY);
  assert_label_metadata (root, "keys", maps, ATTN_SIDE_KEY);
  json_t *tensor = json_object_get (root, "attentions");
  json_t *shape = json_object_get (tensor, "shape");
  json_t *offsets = json_object_get (tensor, "data_offsets");
  size_t wanted[] = {FORMULA_LAYERS, FORMULA_HEADS, N_QUERIES, N_KEYS};
  g_assert_cmpstr (json_string_value (json_object_get (tensor, "dtype")), ==, "F32");
  g_assert_cmpuint (json_array_size (shape), ==, 4);
  for (size_t d = 0; d < 4; d++)
    g_assert_cmpint (json_integer_value (json_array_get (shape, d)), ==, wanted[d]);
  g_assert_cmpint (json_integer_value (json_array_get (offsets, 0)), ==, 0);
  g_assert_cmpint (json_integer_value (json_array_get (offsets, 1)), ==, file->len - 8 - length);
  assert_maps (file->str + 8 + length, file->len - 8 - length, 0, FORMULA_LAYERS * FORMULA_HEADS);
  json_decref (root);
}

static void
assert_refused (const AttnExportChoice *choice, AttnExportFormat format, AttnError code)
{
  g_autoptr (AttnMaps) maps = formula_maps_new (N_QUERIES, N_KEYS);
  g_autoptr (GString) file = g_string_new (NULL);
  GError *error = NULL;
  g_assert_false (attn_export (maps, choice, format, gather, file, &error));
  g_assert_error (error, ATTN_ERROR, (int)code);
  g_assert_cmpuint (file->len, ==, 0);
  g_clear_error (&error);
}

static void
test_refusals (void)
{
  AttnExportChoice layer = {.layer = FORMULA_LAYERS, .all_heads = true};
  AttnExportChoice head = {.all_layers = true, .head = FORMULA_HEADS};
  AttnExportChoice hidden = {.with_hidden = true};
  for (unsigned format = ATTN_EXPORT_JSON; format <= ATTN_EXPORT_SAFETENSORS; format++) {
    assert_refused (&layer, (AttnExportFormat)format, ATTN_ERROR_SHAPE);
    assert_refused (&head, (AttnExportFormat)format, ATTN_ERROR_SHAPE);
    assert_refused (&hidden, (AttnExportFormat)format, ATTN_ERROR_UNSUPPORTED);
  }
}

static bool
refuse_later (G_GNUC_UNUSED const void *bytes, size_t n_bytes, void *data, GError **error)
{
  size_t *room = data;
  if (n_bytes <= *room) {
    *room -= n_bytes;
    return true;
  }
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "full");
  return false;
}

static void
test_full (void)
{
  g_autoptr (AttnMaps) maps = formula_maps_new (N_QUERIES, N_KEYS);
  for (unsigned format = ATTN_EXPORT_JSON; format <= ATTN_EXPORT_SAFETENSORS; format++)
    for (size_t room = 0; room < 1000; room += 300) {
      size_t left = room;
      GError *error = NULL;
      g_assert_false (
          attn_export (maps, &everything, (AttnExportFormat)format, refuse_later, &left, &error));
      g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
      g_clear_error (&error);
    }
}

static void
test_to_file (void)
{
  g_autoptr (AttnMaps) maps = formula_maps_new (N_QUERIES, N_KEYS);
  g_autofree char *folder = g_dir_make_tmp ("headscope-export-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "maps.csv", NULL);
  GError *error = NULL;
  g_assert_true (attn_export_to_file (maps, &one, ATTN_EXPORT_CSV, path, &error));
  g_assert_no_error (error);
  gsize size = 0;
  g_autofree char *content = test_read_file (path, &size);
  g_autoptr (GString) wanted = export(maps, &one, ATTN_EXPORT_CSV);
  g_assert_cmpmem (content, size, wanted->str, wanted->len);
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0); /* and nothing else was left */
}

static void
test_names (void)
{
  for (unsigned f = ATTN_EXPORT_JSON; f <= ATTN_EXPORT_SAFETENSORS; f++) {
    AttnExportFormat found = ATTN_EXPORT_JSON;
    const char *name = attn_export_format_peek_name ((AttnExportFormat)f);
    g_assert_true (attn_export_format_find (name, &found));
    g_assert_cmpuint (found, ==, f);
  }
  AttnExportFormat untouched = ATTN_EXPORT_NPY;
  g_assert_false (attn_export_format_find ("xml", &untouched));
  g_assert_cmpuint (untouched, ==, ATTN_EXPORT_NPY);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/export/json", test_json);
  g_test_add_func ("/export/json-two-sides", test_json_two_sides);
  g_test_add_func ("/export/csv", test_csv);
  g_test_add_func ("/export/npy", test_npy);
  g_test_add_func ("/export/npz", test_npz);
  g_test_add_func ("/export/safetensors", test_safetensors);
  g_test_add_func ("/export/refusals", test_refusals);
  g_test_add_func ("/export/full", test_full);
  g_test_add_func ("/export/to-file", test_to_file);
  g_test_add_func ("/export/names", test_names);
  return g_test_run ();
}
