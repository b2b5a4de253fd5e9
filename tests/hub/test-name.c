/* SPDX-License-Identifier: MIT */
/* Names of models on the Hub. */
#include "attn-hub/name.h"
#include "attn/error.h"

#include <string.h>

static const struct {
  const char *text, *repo, *revision; /* repo NULL: refused, and revision is in the sentence */
} rows[] = {
    {"bert-base-uncased", "bert-base-uncased", NULL},
    {"google-bert/bert-base-uncased", "google-bert/bert-base-uncased", NULL},
    {"  hfl/chinese-roberta-wwm-ext\n", "hfl/chinese-roberta-wwm-ext", NULL},
    {"a/b@main", "a/b", "main"},
    {"a/b@refs/pr/1", "a/b", "refs/pr/1"},
    {"a/b@v1.0", "a/b", "v1.0"},
    {"_a/B_c.2", "_a/B_c.2", NULL},
    {"https://huggingface.co/a/b", "a/b", NULL},
    {"https://huggingface.co/a/b/", "a/b", NULL},
    {"https://HuggingFace.co/a/b/tree/refs%2Fpr%2F1?x=y#z", "a/b", "refs/pr/1"},
    {"hf.co/gpt2", "gpt2", NULL},
    {"", NULL, "empty"},
    {" ", NULL, "empty"},
    {"/", NULL, "owner is empty"},
    {"a/", NULL, "name is empty"},
    {"/b", NULL, "owner is empty"},
    {"a/b/c", NULL, "2 slashes"},
    {"../b", NULL, "begins or ends with"},
    {"a/..", NULL, "begins or ends with"},
    {"a/.b", NULL, "begins or ends with"},
    {"a/b-", NULL, "begins or ends with"},
    {"-a/b", NULL, "begins or ends with"},
    {"a/b--c", NULL, "-- or .."},
    {"a/b..c", NULL, "-- or .."},
    {"a/b.git", NULL, ".git"},
    {"a/b c", NULL, "holds \" \""},
    {"a\\b", NULL, "holds \"\\\""},
    {"a/\xe4\xb8\xad", NULL, "holds \"\xe4\xb8\xad\""},
    {"a/\xff", NULL, "the name holds"},
    {"~/b", NULL, "the owner holds \"~\""},
    {"a/b@", NULL, "revision is empty"},
    {"a/b@x y", NULL, "no blanks"},
    {"a/b@x\ny", NULL, "no blanks"},
    {"a/b@../../x", NULL, "neither .."},
    {"a/b@/x", NULL, "between slashes"},
    {"a/b@x/", NULL, "between slashes"},
    {"a/b@x//y", NULL, "between slashes"},
    {"a/b@.x", NULL, "between slashes"},
    {"a/b@x.lock", NULL, "between slashes"},
    {"a/b@x@{1}", NULL, "@{"},
    {"a/b@-x", NULL, "begin with -"},
    {"a/b@x\\y", NULL, "none of"},
    {"a/b@\xff", NULL, "UTF-8"},
    {"http://example.org/a/b", NULL, "slashes"},
};

static void
test_rows (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (AttnHubName) name = attn_hub_name_parse (rows[i].text, &error);
    g_autofree char *shown = g_strescape (rows[i].text, NULL);
    g_test_message ("name: %s", shown);
    if (rows[i].repo != NULL) {
      g_assert_no_error (error);
      g_assert_cmpstr (name->repo, ==, rows[i].repo);
      g_assert_cmpstr (name->revision, ==, rows[i].revision);
      continue;
    }
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
    g_assert_nonnull (strstr (error->message, rows[i].revision));
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
    g_assert_null (strchr (error->message, '\n'));
  }
}

static void
test_lengths (void)
{
  g_autofree char *longest = g_strnfill (96, 'a');
  g_autofree char *both = g_strconcat (longest, "/", longest, NULL);
  g_autofree char *longer = g_strconcat (both, "a", NULL);
  g_autofree char *revision = g_strnfill (256, 'r');
  g_assert_true (attn_hub_name_check_repo (both, NULL));
  g_assert_false (attn_hub_name_check_repo (longer, NULL));
  g_assert_false (attn_hub_name_check_revision (revision, NULL));
  revision[255] = '\0';
  g_assert_true (attn_hub_name_check_revision (revision, NULL));
}

static void
test_texts (void)
{
  g_autoptr (AttnHubName) plain = attn_hub_name_parse ("a/b", NULL);
  g_autoptr (AttnHubName) tagged = attn_hub_name_parse ("a/b@v1", NULL);
  g_autofree char *plain_text = attn_hub_name_dup_text (plain);
  g_autofree char *tagged_text = attn_hub_name_dup_text (tagged);
  g_assert_cmpstr (plain_text, ==, "a/b");
  g_assert_cmpstr (tagged_text, ==, "a/b@v1");
  g_assert_cmpstr (attn_hub_name_peek_revision (plain), ==, "main");
  g_assert_cmpstr (attn_hub_name_peek_revision (tagged), ==, "v1");
  attn_hub_name_free (NULL);
}

static void
test_commits (void)
{
  g_assert_true (attn_hub_name_is_commit ("0123456789abcdef0123456789abcdef01234567"));
  g_assert_false (attn_hub_name_is_commit ("0123456789ABCDEF0123456789abcdef01234567"));
  g_assert_false (attn_hub_name_is_commit ("0123456789abcdef0123456789abcdef0123456"));
  g_assert_false (attn_hub_name_is_commit ("main"));
}

static void
test_folders (void)
{
  static const char *const repos[] = {"gpt2", "google-bert/bert-base-uncased", "a_b/c.d-e"};
  static const char *const folders[] = {"models--gpt2", "models--google-bert--bert-base-uncased",
                                        "models--a_b--c.d-e"};
  static const char *const others[] = {
      "models--",      "models--a--b--c",  "models--..",    "models--a--..", "datasets--a--b",
      "models--a--\n", "models--a--b.git", "models---a--b", "models--a/b",   ""};
  for (size_t i = 0; i < G_N_ELEMENTS (repos); i++) {
    g_autofree char *folder = attn_hub_name_dup_folder (repos[i]);
    g_autofree char *repo = attn_hub_name_dup_repo (folder);
    g_assert_cmpstr (folder, ==, folders[i]);
    g_assert_cmpstr (repo, ==, repos[i]);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_null (attn_hub_name_dup_repo (others[i]));
}

static void
test_addresses (void)
{
  g_autofree char *revision = attn_hub_name_escape_revision ("refs/pr/1");
  g_autofree char *path = attn_hub_name_escape_path (
      "subfolder/to?/awful?filename%you:should,never.give \xe4\xb8\xad#[]");
  g_assert_cmpstr (revision, ==, "refs%2Fpr%2F1");
  g_assert_cmpstr (path, ==,
                   "subfolder/to%3F/awful%3Ffilename%25you%3Ashould%2Cnever.give%20%E4%B8%AD%23%5B"
                   "%5D");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/name/rows", test_rows);
  g_test_add_func ("/name/lengths", test_lengths);
  g_test_add_func ("/name/texts", test_texts);
  g_test_add_func ("/name/commits", test_commits);
  g_test_add_func ("/name/folders", test_folders);
  g_test_add_func ("/name/addresses", test_addresses);
  return g_test_run ();
}
