/* SPDX-License-Identifier: MIT */
/* PyTorch files made by tests: a pickle instruction by instruction, and both containers. */
#include "torch-writer.h"

#include "crc32.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

void
pickle_bytes (GByteArray *pickle, const void *bytes, size_t n)
{
  if (n > 0)
    g_byte_array_append (pickle, bytes, (guint)n);
}

void
pickle_code (GByteArray *pickle, int code)
{
  const guint8 byte = (guint8)code;
  pickle_bytes (pickle, &byte, 1);
}

static void
append_number (GByteArray *file, guint64 number, size_t width)
{
  const guint64 bytes = GUINT64_TO_LE (number);
  pickle_bytes (file, &bytes, width);
}

void
pickle_text (GByteArray *pickle, const char *text)
{
  pickle_code (pickle, 'X');
  append_number (pickle, strlen (text), 4);
  pickle_bytes (pickle, text, strlen (text));
}

void
pickle_int (GByteArray *pickle, gint64 number)
{
  if (number >= 0 && number < 256) {
    pickle_code (pickle, 'K');
    append_number (pickle, (guint64)number, 1);
  } else if (number >= 0 && number < 65536) {
    pickle_code (pickle, 'M');
    append_number (pickle, (guint64)number, 2);
  } else if (number >= G_MININT32 && number <= G_MAXINT32) {
    pickle_code (pickle, 'J');
    append_number (pickle, (guint64)number, 4);
  } else {
    pickle_code (pickle, 0x8a);
    append_number (pickle, 8, 1);
    append_number (pickle, (guint64)number, 8);
  }
}

void
pickle_global (GByteArray *pickle, const char *module, const char *name)
{
  g_autofree char *line = g_strdup_printf ("c%s\n%s\n", module, name);
  pickle_bytes (pickle, line, strlen (line));
}

static void
append_tuple (GByteArray *pickle, const gint64 *numbers, size_t n)
{
  pickle_code (pickle, '(');
  for (size_t i = 0; i < n; i++)
    pickle_int (pickle, numbers[i]);
  pickle_code (pickle, 't');
}

void
pickle_tensor (GByteArray *pickle, const TestTensor *tensor, gboolean is_stream)
{
  pickle_global (pickle, "torch._utils", "_rebuild_tensor_v2");
  pickle_code (pickle, '(');
  pickle_code (pickle, '(');
  pickle_text (pickle, "storage");
  pickle_global (pickle, "torch", tensor->type);
  pickle_text (pickle, tensor->key);
  pickle_text (pickle, "cpu");
  pickle_int (pickle, tensor->n_room);
  if (is_stream)
    pickle_code (pickle, 'N');
  pickle_code (pickle, 't');
  pickle_code (pickle, 'Q');
  pickle_int (pickle, tensor->offset);
  append_tuple (pickle, tensor->sizes, tensor->n_dims);
  append_tuple (pickle, tensor->strides, tensor->n_dims);
  pickle_code (pickle, 0x89);
  pickle_global (pickle, "collections", "OrderedDict");
  pickle_code (pickle, ')');
  pickle_code (pickle, 'R');
  pickle_code (pickle, 't');
  pickle_code (pickle, 'R');
}

GByteArray *
pickle_state_dict (const TestTensor *tensors, size_t n, gboolean is_stream)
{
  GByteArray *pickle = g_byte_array_new ();
  pickle_bytes (pickle, "\x80\2}(", 4);
  for (size_t i = 0; i < n; i++) {
    pickle_text (pickle, tensors[i].name);
    pickle_tensor (pickle, &tensors[i], is_stream);
  }
  pickle_bytes (pickle, "u.", 2);
  return pickle;
}

/* The part that local header and directory entry have in common. */
static void
append_facts (GByteArray *file, const TestZipEntry *entry)
{
  guint32 crc = attn_crc32 (entry->bytes, entry->n) ^ entry->crc_lie;
  append_number (file, 20, 2);
  append_number (file, entry->flags, 2);
  append_number (file, entry->method, 2);
  append_number (file, 0x00210000, 4); /* 1980-01-01 */
  append_number (file, entry->no_crc ? 0 : crc, 4);
  append_number (file, entry->n, 4);
  append_number (file, entry->n, 4);
  append_number (file, strlen (entry->name), 2);
  append_number (file, 0, 2);
}

GByteArray *
test_zip_new (const TestZipEntry *entries, size_t n)
{
  GByteArray *file = g_byte_array_new ();
  g_autoptr (GByteArray) directory = g_byte_array_new ();
  guint64 offset = 0;
  for (size_t i = 0; i < n; i++) {
    if (!entries[i].is_twin) {
      offset = file->len;
      pickle_bytes (file, "PK\3\4", 4);
      append_facts (file, &entries[i]);
      pickle_bytes (file, entries[i].name, strlen (entries[i].name));
      pickle_bytes (file, entries[i].bytes, entries[i].n);
    }
    pickle_bytes (directory, "PK\1\2\x14\0", 6);
    append_facts (directory, &entries[i]);
    append_number (directory, 0, 8);
    append_number (directory, 0, 2);
    append_number (directory, offset, 4);
    pickle_bytes (directory, entries[i].name, strlen (entries[i].name));
  }
  guint64 begin = file->len;
  pickle_bytes (file, directory->data, directory->len);
  pickle_bytes (file, "PK\5\6\0\0\0\0", 8);
  append_number (file, n, 2);
  append_number (file, n, 2);
  append_number (file, directory->len, 4);
  append_number (file, begin, 4);
  append_number (file, 0, 2);
  return file;
}

/* One header of a large archive: sizes and offset always stand in the extra field of 64-bit zips;
 * a directory's entry has an offset, a local header none. */
static void
append_large (
    GByteArray *file, const char *name, guint64 n, guint32 crc, bool is_directory, guint64 offset)
{
  pickle_bytes (file, is_directory ? "PK\1\2\x2d\0" : "PK\3\4", is_directory ? 6 : 4);
  append_number (file, 45, 2);
  append_number (file, 0, 4);
  append_number (file, 0x00210000, 4);
  append_number (file, crc, 4);
  append_number (file, 0xffffffff, 4);
  append_number (file, 0xffffffff, 4);
  append_number (file, strlen (name), 2);
  append_number (file, is_directory ? 28 : 20, 2);
  if (is_directory) {
    append_number (file, 0, 8);
    append_number (file, 0, 2);
    append_number (file, 0xffffffff, 4);
  }
  pickle_bytes (file, name, strlen (name));
  append_number (file, 1, 2);
  append_number (file, is_directory ? 24 : 16, 2);
  append_number (file, n, 8);
  append_number (file, n, 8);
  if (is_directory)
    append_number (file, offset, 8);
}

static void
append_large_end (GByteArray *file, guint64 n, guint64 begin, guint64 n_bytes)
{
  pickle_bytes (file, "PK\6\6", 4);
  append_number (file, 44, 8);
  append_number (file, 45 | 45 << 16, 4);
  append_number (file, 0, 8);
  append_number (file, n, 8);
  append_number (file, n, 8);
  append_number (file, n_bytes, 8);
  append_number (file, begin, 8);
  pickle_bytes (file, "PK\6\7\0\0\0\0", 8);
  append_number (file, begin + n_bytes, 8);
  append_number (file, 1, 4);
  pickle_bytes (file, "PK\5\6\0\0\0\0", 8);
  append_number (file, n, 2);
  append_number (file, n, 2);
  append_number (file, n_bytes, 4);
  append_number (file, 0xffffffff, 4);
  append_number (file, 0, 2);
}

gboolean
test_zip64_write (const char *path, const GByteArray *pickle, guint64 n_zeros)
{
  static const char *const names[] = {"a/data.pkl", "a/data/0", "a/byteorder"};
  g_autoptr (GByteArray) head = g_byte_array_new (), tail = g_byte_array_new ();
  guint32 pickle_crc = attn_crc32 (pickle->data, pickle->len), order_crc = attn_crc32 ("little", 6);
  append_large (head, names[0], pickle->len, pickle_crc, false, 0);
  pickle_bytes (head, pickle->data, pickle->len);
  guint64 second = head->len;
  append_large (head, names[1], n_zeros, 0, false, 0);
  guint64 third = head->len + n_zeros;
  append_large (tail, names[2], 6, order_crc, false, 0);
  pickle_bytes (tail, "little", 6);
  guint64 begin = third + tail->len;
  append_large (tail, names[0], pickle->len, pickle_crc, true, 0);
  append_large (tail, names[1], n_zeros, 0, true, second);
  append_large (tail, names[2], 6, order_crc, true, third);
  append_large_end (tail, 3, begin, third + tail->len - begin);

  int fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  gboolean is_written = pwrite (fd, head->data, head->len, 0) == (gssize)head->len &&
                        ftruncate (fd, (off_t)third) == 0 &&
                        pwrite (fd, tail->data, tail->len, (off_t)third) == (gssize)tail->len;
  close (fd);
  return is_written;
}

GByteArray *
test_stream_new (const GByteArray *state_dict, const TestStreamStorage *storages, size_t n)
{
  static const char begin[] = "\x80\2\x8a\n\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."
                              "\x80\2M\xe9\3."
                              "\x80\2}.";
  GByteArray *file = g_byte_array_new ();
  pickle_bytes (file, begin, sizeof begin - 1);
  pickle_bytes (file, state_dict->data, state_dict->len);
  pickle_bytes (file, "\x80\2](", 4);
  for (size_t i = 0; i < n; i++)
    pickle_text (file, storages[i].key);
  pickle_bytes (file, "e.", 2);
  for (size_t i = 0; i < n; i++) {
    append_number (file, storages[i].count, 8);
    pickle_bytes (file, storages[i].bytes, storages[i].n);
  }
  return file;
}
