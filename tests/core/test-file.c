/* SPDX-License-Identifier: MIT */
/* Which files count as missing, and what is said of links to nothing. */
#include "file.h"
#include "model-folder.h"

#include "attn/config.h"
#include "attn/folder.h"
#include "attn/source.h"
#include "attn/tokenizer.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
link_file (const char *folder, const char *name, const char *target)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_assert_cmpint (symlink (target, path), ==, 0);
}

static bool
find (const char *folder, const char *name, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  bool found = false;
  return attn_file_find (path, &found, error) && found;
}

static void
test_find (void)
{
  char *folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  g_free (test_folder_write (folder, "file", "x", 1));
  link_file (folder, "good", "file");
  g_assert_true (find (folder, "file", &error));
  g_assert_true (find (folder, "good", &error));
  g_assert_true (find (folder, ".", &error));
  g_assert_false (find (folder, "none", &error));
  g_assert_false (find (folder, "none/none", &error));
  g_assert_false (find (folder, "file/none", &error));
  g_assert_no_error (error);
  g_autofree char *long_name = g_strnfill (300, 'n');
  g_assert_false (find (folder, long_name, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  test_folder_remove (folder);
}

/* What nobody may ever write into is not waited for; what a shell hands over is. */
static void
test_stream (void)
{
  char *folder = test_folder_new ();
  g_autofree char *named = g_build_filename (folder, "named", NULL);
  int ends[2];
  g_assert_cmpint (mkfifo (named, 0600), ==, 0);
  g_assert_cmpint (pipe (ends), ==, 0);
  g_autofree char *handed = g_strdup_printf ("/dev/fd/%d", ends[0]);
  const char *const refused[][2] = {
      {named, "found a pipe, wanted a regular file"},
      {folder, "found a folder, wanted a regular file"},
      {"/dev/zero", "found a device, wanted a regular file"},
      {"/nowhere/at/all", "No such file"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_cmpint (attn_file_open_stream (refused[i][0], &error), ==, -1);
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
    test_sentence_check (error->message, (const char *[]){refused[i][0], refused[i][1], NULL});
  }
  g_autoptr (GError) error = NULL;
  int fd = attn_file_open_stream (handed, &error);
  g_assert_no_error (error);
  g_assert_cmpint (fcntl (fd, F_GETFL) & O_NONBLOCK, ==, 0);
  close (fd);
  close (ends[0]);
  close (ends[1]);
  test_folder_remove (folder);
}

typedef bool (*Load) (const char *folder, GError **error);

static bool
load_tokenizer (const char *folder, GError **error)
{
  g_autoptr (AttnTokenizer) tokenizer = attn_tokenizer_load (folder, error);
  return tokenizer != NULL;
}

static bool
load_source (const char *folder, GError **error)
{
  g_autoptr (AttnSource) source = attn_source_open (folder, error);
  return source != NULL;
}

static bool
load_config (const char *folder, GError **error)
{
  g_autoptr (AttnConfig) config = attn_config_load (folder, error);
  return config != NULL;
}

static bool
load_modules (const char *folder, GError **error)
{
  g_autofree char *inner = attn_folder_find_transformer (folder, error);
  return inner != NULL;
}

/* A link to nothing, or to itself, is never taken for a missing file. */
static void
test_links (void)
{
  static const struct {
    const char *name;
    Load load;
    bool beside_vocab; /* the file is optional beside a vocabulary */
  } rows[] = {
      {"tokenizer_config.json", load_tokenizer, true},
      {"special_tokens_map.json", load_tokenizer, true},
      {"added_tokens.json", load_tokenizer, true},
      {"tokenizer.json", load_tokenizer, true},
      {"vocab.json", load_tokenizer, true},
      {"merges.txt", load_tokenizer, true},
      {"vocab.txt", load_tokenizer, false},
      {"tokenizer.json", load_tokenizer, false},
      {"config.json", load_config, false},
      {"modules.json", load_modules, false},
      {"model.safetensors", load_source, false},
      {"model.safetensors.index.json", load_source, false},
      {"pytorch_model.bin", load_source, false},
      {"pytorch_model.bin.index.json", load_source, false},
  };
  for (size_t i = 0; i < 2 * G_N_ELEMENTS (rows); i++) {
    const char *name = rows[i / 2].name;
    bool loops = i % 2 == 1;
    char *folder = test_folder_new ();
    g_autoptr (GError) error = NULL;
    const char vocab[] = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n";
    if (rows[i / 2].beside_vocab)
      g_free (test_folder_write (folder, "vocab.txt", vocab, strlen (vocab)));
    if (rows[i / 2].beside_vocab)
      g_assert_true (rows[i / 2].load (folder, NULL));
    link_file (folder, name, loops ? name : "nowhere");
    g_test_message ("%s %s", name, loops ? "loops" : "leads nowhere");
    g_assert_false (rows[i / 2].load (folder, &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
    const char *wanted =
        loops ? "is a link that leads back to itself" : "is a link to a file that is not there";
    test_sentence_check (error->message, (const char *[]){name, wanted, NULL});
    test_folder_remove (folder);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/file/find", test_find);
  g_test_add_func ("/file/stream", test_stream);
  g_test_add_func ("/file/links", test_links);
  return g_test_run ();
}
