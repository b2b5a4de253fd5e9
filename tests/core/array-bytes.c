/* SPDX-License-Identifier: MIT */
/* Files of arrays made by tests, byte for byte. */
#include "array-bytes.h"

#include <zip.h>

#include <string.h>

void
test_append_npy (GString *out, const char *header, const void *data, size_t n_data)
{
  size_t length = strlen (header) + 1;
  g_string_append_len (out, "\x93NUMPY\x01\x00", 8);
  g_string_append_c (out, (char)(length & 0xff));
  g_string_append_c (out, (char)(length >> 8));
  g_string_append_printf (out, "%s\n", header);
  g_string_append_len (out, data, (gssize)n_data);
}

void
test_append_array (GString *out,
                   const char *dtype,
                   gboolean fortran,
                   const char *shape,
                   const void *data,
                   size_t n_data)
{
  g_autofree char *header = g_strdup_printf ("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }",
                                             dtype, fortran ? "True" : "False", shape);
  test_append_npy (out, header, data, n_data);
}

void
test_append_safetensors (GString *out, const char *header, const void *data, size_t n_data)
{
  guint64 length = GUINT64_TO_LE ((guint64)strlen (header));
  g_string_append_len (out, (const char *)&length, sizeof length);
  g_string_append (out, header);
  g_string_append_len (out, data, (gssize)n_data);
}

GString *
test_new_zip (const char *const *names, GString *const *contents, size_t n, gboolean deflate)
{
  zip_error_t fault;
  zip_error_init (&fault);
  zip_source_t *to = zip_source_buffer_create (NULL, 0, 0, &fault);
  zip_t *archive = zip_open_from_source (to, ZIP_TRUNCATE, &fault);
  g_assert_nonnull (archive);
  zip_source_keep (to);
  for (size_t i = 0; i < n; i++) {
    zip_source_t *source = zip_source_buffer (archive, contents[i]->str, contents[i]->len, 0);
    zip_int64_t index = zip_file_add (archive, names[i], source, ZIP_FL_ENC_UTF_8);
    g_assert_cmpint (index, >=, 0);
    zip_set_file_compression (archive, (zip_uint64_t)index, deflate ? ZIP_CM_DEFLATE : ZIP_CM_STORE,
                              0);
  }
  g_assert_cmpint (zip_close (archive), ==, 0);
  zip_stat_t facts;
  g_assert_cmpint (zip_source_open (to), ==, 0);
  g_assert_cmpint (zip_source_stat (to, &facts), ==, 0);
  g_autofree char *bytes = g_malloc (facts.size);
  g_assert_cmpint (zip_source_read (to, bytes, facts.size), ==, (zip_int64_t)facts.size);
  zip_source_close (to);
  zip_source_free (to);
  zip_error_fini (&fault);
  return g_string_new_len (bytes, (gssize)facts.size);
}
