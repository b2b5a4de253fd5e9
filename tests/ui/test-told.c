/* SPDX-License-Identifier: MIT */
/* Sentences of the libraries in other words: names stay, numbers may change places, unknown ones
 * are left alone. */
#include "hs-errors.h"
#include "hs-told.h"
#include "test-util.h"

#include "attn-hub/name.h"
#include "attn-hub/store.h"
#include "attn/arrays.h"
#include "attn/error.h"
#include "attn/model.h"

#include <glib/gstdio.h>

#include <string.h>

/* Stands in for a language. */
static const char *
say (const char *sentence)
{
  static const char *const table[][2] = {
      {"found %s, wanted %s", "W:%2$s F:%1$s"},
      {"a family this version knows (%s)", "KNOWN %s"},
      {"an empty file", "EMPTY"},
      {"a safetensors file", "SAFE"},
      {"files are missing: %s", "MISSING %s"},
      {"no such folder; check whether it was moved or its disk is there", "NOWHERE"},
      {"%s of %s %s %s, the first in layer %s, head %s, query %s (counted from 0)%s",
       "%4$s! %2$s/%1$s %3$s l%5$s h%6$s q%7$s%8$s"},
      {"rows", "ROWS"},
      {"do not sum to 1", "NOT 1"},
      {"; the furthest from 1 is %s, in layer %s, head %s", "; WORST %s l%s h%s"},
      {"cannot be %s: %s", "NOT %s! %s"},
      {"Permission denied", "EACCES"},
      {"check owner and permissions there", "RIGHTS"},
      {"a folder of your own", "OWN"},
      {"%s is no longer there; \"headscope-cli fetch %s\" downloads it", "GONE %1$s"},
      {"%s; left out", "OUT %s"},
      {"found no tokens, wanted one on each line", "EACH LINE"},
      {"found weights in %s%s, wanted one of the files %s%s", "IN %s%s W %s%s"},
      {" and more", " ETC"},
      {"; models mostly come with safetensors, too: fetch that file into the same folder",
       " USE SAFE"},
      {"found %s with %s %s, wanted at most %s", "%2$s %3$s OF %1$s > %4$s"},
      {"the tokens typed", "TYPED"},
      {"cannot %s: %s", "無法 %s 呢：%s"},
      {"write", "寫"},
      {"%s; %s", "%s, %s"},
  };

  for (size_t i = 0; i < G_N_ELEMENTS (table); i++)
    if (g_str_equal (table[i][0], sentence))
      return table[i][1];
  return sentence;
}

static void
test_sentences (void)
{
  static const struct {
    const char *message, *said;
  } cases[] = {
      {"", ""},
      {"nobody knows this: at all", "nobody knows this: at all"},
      {"nobody knows; this", "nobody knows; this"},
      {"nobody knows; Permission denied", "nobody knows, EACCES"},
      {"/a: b/model.safetensors: found an empty file, wanted a safetensors file",
       "/a: b/model.safetensors: W:SAFE F:EMPTY"},
      {"/m/config.json: model_type: found \"t5\", wanted a family this version knows (bert, gpt2)",
       "/m/config.json: model_type: W:KNOWN bert, gpt2 F:\"t5\""},
      {"files are missing: config.json, tokenizer.json", "MISSING config.json, tokenizer.json"},
      {"/gone: no such folder; check whether it was moved or its disk is there", "/gone: NOWHERE"},
      {"/h/models--a--b: a/b is no longer there; \"headscope-cli fetch a/b\" downloads it",
       "/h/models--a--b: GONE a/b"},
      {"one of x.npy: 3 of 54 rows do not sum to 1, the first in layer 2, head 1, query 0 (counted "
       "from 0); the furthest from 1 is 0.8, in layer 2, head 3",
       "one of x.npy: NOT 1! 54/3 ROWS l2 h1 q0; WORST 0.8 l2 h3"},
      {"/c: cannot be made: Permission denied; check owner and permissions there, or name a folder "
       "of your own in HF_HUB_CACHE",
       "/c: NOT made! EACCES; RIGHTS, or name OWN in HF_HUB_CACHE"},
      /* what knows more of it wins, not what comes first */
      {"/x.json: found no tokens, wanted one on each line; left out", "/x.json: OUT EACH LINE"},
      {"x.npy: shape: found [9, 2] with 9 layers, wanted at most 8",
       "x.npy: shape: 9 layers OF [9, 2] > 8"},
      /* holes side by side */
      {"/m: found weights in a.h5 and more, wanted one of the files b, c; models mostly come with "
       "safetensors, too: fetch that file into the same folder",
       "/m: IN a.h5 ETC W b, c USE SAFE"},
      {"/m: found weights in a.h5, wanted one of the files b", "/m: IN a.h5 W b"},
      {"the tokens typed: found 9 tokens, wanted 8 tokens for x, which is [8, 8]",
       "TYPED: found 9 tokens, wanted 8 tokens for x, which is [8, 8]"},
      {"/a.png: cannot write: EIO", "/a.png: 無法寫呢：EIO"},
      {"/a.png: cannot jump: write", "/a.png: 無法 jump 呢：寫"},
      {"found %s, wanted %1$s", "W:%1$s F:%s"},
      {"%s", "%s"},
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *said = hs_told_dup_with (cases[i].message, say);
    g_assert_cmpstr (said, ==, cases[i].said);
  }
  g_assert_null (hs_told_dup (NULL));
}

static const char *
mark (const char *sentence)
{
  g_autofree char *marked = g_strconcat ("<", sentence, ">", NULL);

  return g_intern_string (marked);
}

static void
assert_known (const char *message)
{
  g_autofree char *said = hs_told_dup_with (message, mark);

  g_test_message ("%s", message);
  g_assert_nonnull (strchr (said, '<'));
}

/* What the core really says. */
static void
test_real (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headscope-told-XXXXXX", NULL);
  g_autofree char *config = g_build_filename (folder, "config.json", NULL);
  g_autofree char *weights = g_build_filename (folder, "a.safetensors", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (attn_model_load (folder, NULL, NULL, NULL, &error));
  assert_known (error->message);
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (config, "{\"model_type\": \"t5\"}", -1, NULL));
  g_assert_null (attn_model_load (folder, NULL, NULL, NULL, &error));
  assert_known (error->message);
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (weights, "", 0, NULL));
  g_assert_null (attn_arrays_load (weights, NULL, &error));
  assert_known (error->message);
  g_clear_error (&error);
  g_assert_null (attn_hub_name_parse ("own er/name", &error));
  assert_known (error->message);
  g_clear_error (&error);
  g_assert_null (attn_hub_find_model ("", &error));
  assert_known (error->message);
  g_unlink (weights);
  g_unlink (config);
  g_rmdir (folder);
}

/* The code is the same whatever is missing; the heading says what. */
static void
test_headings (void)
{
  static const struct {
    const char *message, *heading;
  } cases[] = {
      {"a/b: in the cache a file is missing: model.safetensors; \"headscope-cli fetch a/b\" "
       "downloads what is not there",
       "Only a part of this model is here."},
      {"/gone: no such folder; check whether it was moved or its disk is there",
       "There is no such folder."},
      {"a/b: no such folder, and it is not among the models in /c", "No model is called so"},
      {"/a: cannot be opened: Permission denied", "A file or folder could not be read or written."},
  };
  g_autofree char *folder = g_dir_make_tmp ("headscope-told-XXXXXX", NULL);
  g_autofree char *config = g_build_filename (folder, "config.json", NULL);
  g_autofree char *shipped = attn_hub_find_model ("demo", NULL);
  g_autofree char *whole = g_build_filename (shipped, "config.json", NULL);
  g_autofree char *content = test_read_file (whole, NULL);
  g_autoptr (GError) error = NULL;

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) told = g_error_new_literal (ATTN_ERROR, ATTN_ERROR_IO, cases[i].message);
    g_assert_cmpstr (hs_error_peek_sentence (told), ==, cases[i].heading);
  }
  g_assert_null (attn_model_load (folder, NULL, NULL, NULL, &error));
  g_assert_cmpstr (hs_error_peek_sentence (error), ==, "A file of this model is missing.");
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (config, content, -1, NULL));
  g_assert_null (attn_model_load (folder, NULL, NULL, NULL, &error));
  g_assert_cmpstr (hs_error_peek_sentence (error), ==, "A file of this model is missing.");
  g_unlink (config);
  g_rmdir (folder);
}

/* A name made of what joins the parts of sentences costs no time. */
static void
test_long (void)
{
  g_autoptr (GString) name = g_string_new (NULL);
  g_autofree char *said = NULL;
  gint64 begin;

  for (guint i = 0; i < 300; i++)
    g_string_append (name, ": found , wanted  of ");
  begin = g_get_monotonic_time ();
  said = hs_told_dup_with (name->str, say);
  g_assert_nonnull (said);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 2 * G_USEC_PER_SEC);
}

/* A line of its own begins with a capital letter, unless it begins with a name. */
static void
test_sentence (void)
{
  static const char *const cases[][2] = {
      {"no such folder; and more", "No such folder; and more"},
      {"config.json: model_type is missing", "config.json: model_type is missing"},
      {"bert: no such folder", "bert: no such folder"},
      {"git's SHA-1", "git's SHA-1"},
      {"Nothing", "Nothing"},
      {"", ""},
      {"3 files", "3 files"},
  };

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *said = hs_told_dup_sentence (cases[i][0]);
    g_assert_cmpstr (said, ==, cases[i][1]);
  }
  g_assert_null (hs_told_dup_sentence (NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/told/sentences", test_sentences);
  g_test_add_func ("/told/real", test_real);
  g_test_add_func ("/told/headings", test_headings);
  g_test_add_func ("/told/long", test_long);
  g_test_add_func ("/told/sentence", test_sentence);
  return g_test_run ();
}
