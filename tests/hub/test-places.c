/* SPDX-License-Identifier: MIT */
/* Where the environment says that models are. */
#include "attn-hub/places.h"
#include "attn/error.h"

#include <glib/gstdio.h>

#include <string.h>
#include <unistd.h>

#define PLACES(...) attn_hub_places_new ((const char *const[]){__VA_ARGS__, NULL})

static const struct {
  const char *environment[4];
  const char *cache;
} rows[] = {
    {{"HOME=/h"}, "/h/.cache/huggingface/hub"},
    {{"HOME=/h", "XDG_CACHE_HOME=/x"}, "/x/huggingface/hub"},
    {{"HOME=/h", "XDG_CACHE_HOME=", "HF_HOME="}, "/h/.cache/huggingface/hub"},
    {{"HOME=/h", "HF_HOME=/f", "XDG_CACHE_HOME=/x"}, "/f/hub"},
    {{"HOME=/h", "HF_HOME=~/f"}, "/h/f/hub"},
    {{"HOME=/h", "HF_HOME=~"}, "/h/hub"},
    {{"HOME=/h", "HF_HOME=/f/~"}, "/f/~/hub"},
    {{"HOME=/h", "HF_HOME=/f", "HUGGINGFACE_HUB_CACHE=/old"}, "/old"},
    {{"HOME=/h", "HF_HUB_CACHE=/new", "HUGGINGFACE_HUB_CACHE=/old"}, "/new"},
    {{"HOME=/h", "D=/disk", "HF_HUB_CACHE=$D/hub/"}, "/disk/hub"},
    {{"HOME=/h", "D=disk", "HF_HUB_CACHE=/${D}s/../hub"}, "/hub"},
    {{"HOME=/h", "HF_HUB_CACHE=/a/$NONE/${NONE}/$/${"}, "/a/$NONE/${NONE}/$/${"},
};

static void
test_caches (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autoptr (AttnHubPlaces) places = attn_hub_places_new (rows[i].environment);
    g_assert_cmpstr (places->cache, ==, rows[i].cache);
  }
  g_autoptr (AttnHubPlaces) relative = PLACES ("HF_HUB_CACHE=some/where");
  g_assert_true (g_path_is_absolute (relative->cache));
  g_assert_true (g_str_has_suffix (relative->cache, "/some/where"));
}

static void
test_process (void)
{
  g_setenv ("HF_HUB_CACHE", "/from/the/process", TRUE);
  g_autoptr (AttnHubPlaces) places = attn_hub_places_new (NULL);
  g_assert_cmpstr (places->cache, ==, "/from/the/process");
  attn_hub_places_free (NULL);
}

static void
test_endpoint (void)
{
  g_autoptr (AttnHubPlaces) plain = PLACES ("HOME=/h");
  g_autoptr (AttnHubPlaces) mirror = PLACES ("HF_ENDPOINT= http://127.0.0.1:8080/hub// ");
  g_autoptr (AttnHubPlaces) same = PLACES ("HF_ENDPOINT=https://huggingface.co/");
  g_assert_cmpstr (plain->endpoint, ==, "https://huggingface.co");
  g_assert_false (plain->is_mirror);
  g_assert_cmpstr (mirror->endpoint, ==, "http://127.0.0.1:8080/hub");
  g_assert_true (mirror->is_mirror);
  g_assert_false (same->is_mirror);
}

static void
test_switches (void)
{
  static const char *const yes[] = {"1", "ON", "yes", "True"};
  static const char *const no[] = {"", "0", "off", "2", "no"};
  for (size_t i = 0; i < G_N_ELEMENTS (yes); i++) {
    g_autofree char *offline = g_strconcat ("HF_HUB_OFFLINE=", yes[i], NULL);
    g_autofree char *older = g_strconcat ("TRANSFORMERS_OFFLINE=", yes[i], NULL);
    g_autofree char *links = g_strconcat ("HF_HUB_DISABLE_SYMLINKS=", yes[i], NULL);
    g_autoptr (AttnHubPlaces) a = PLACES (offline, links);
    g_autoptr (AttnHubPlaces) b = PLACES (older);
    g_assert_true (a->is_offline && a->avoids_links && b->is_offline && !b->avoids_links);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (no); i++) {
    g_autofree char *offline = g_strconcat ("HF_HUB_OFFLINE=", no[i], NULL);
    g_autoptr (AttnHubPlaces) places = PLACES (offline);
    g_assert_false (places->is_offline);
  }
}

static void
test_timeouts (void)
{
  g_autoptr (AttnHubPlaces) given = PLACES ("HF_HUB_ETAG_TIMEOUT=3", "HF_HUB_DOWNLOAD_TIMEOUT=60");
  g_autoptr (AttnHubPlaces) wrong = PLACES ("HF_HUB_ETAG_TIMEOUT=-1", "HF_HUB_DOWNLOAD_TIMEOUT=1h");
  g_assert_cmpuint (given->metadata_timeout_s, ==, 3);
  g_assert_cmpuint (given->download_timeout_s, ==, 60);
  g_assert_cmpuint (wrong->metadata_timeout_s, ==, 10);
  g_assert_cmpuint (wrong->download_timeout_s, ==, 10);
}

/* Returns: the token, or "-" for none; NULL where it is refused, in words that do not hold it. */
static char *
load (const AttnHubPlaces *places)
{
  g_autoptr (GError) error = NULL;
  char *token = NULL;
  if (attn_hub_places_load_token (places, &token, &error))
    return token != NULL ? token : g_strdup ("-");
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
  g_assert_null (strstr (error->message, "secret"));
  g_assert_null (token);
  return NULL;
}

static void
assert_token (const char *a, const char *b, const char *wanted)
{
  g_autoptr (AttnHubPlaces) places = PLACES ("HF_HOME=/nowhere", a, b);
  g_autofree char *token = load (places);
  g_assert_cmpstr (token, ==, wanted);
}

static void
test_tokens (void)
{
  assert_token ("X=", "X=", "-");
  assert_token ("HF_TOKEN=hf_1", "HUGGING_FACE_HUB_TOKEN=hf_2", "hf_1");
  assert_token ("HF_TOKEN=", "HUGGING_FACE_HUB_TOKEN=hf_2", "hf_2");
  assert_token ("HF_TOKEN= \n", "HUGGING_FACE_HUB_TOKEN=hf_2", "hf_2");
  assert_token ("HF_TOKEN= hf_1\r\n", "X=", "hf_1");
  assert_token ("HF_TOKEN=hf_1", "HF_HUB_DISABLE_IMPLICIT_TOKEN=1", "-");
  assert_token ("HF_TOKEN=secret\nX-Evil: 1", "X=", NULL);
  assert_token ("HF_TOKEN=secret 1", "X=", NULL);
  assert_token ("HF_TOKEN=secret\x01", "X=", NULL);
  assert_token ("HF_TOKEN=secret\xc3\xa9", "X=", NULL);
}

static void
write_token (const char *path, const char *bytes, gssize n)
{
  g_assert_true (g_file_set_contents (path, bytes, n, NULL));
}

static void
test_token_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headscope-places-XXXXXX", NULL);
  g_autofree char *home = g_strconcat ("HF_HOME=", folder, NULL);
  g_autofree char *path = g_build_filename (folder, "token", NULL);
  g_autofree char *other = g_build_filename (folder, "other", NULL);
  g_autofree char *named = g_strconcat ("HF_TOKEN_PATH=", other, NULL);
  g_autoptr (AttnHubPlaces) places = PLACES (home);
  g_autoptr (AttnHubPlaces) elsewhere = PLACES (home, named);
  write_token (path, " hf_file\n", -1);
  g_autofree char *token = load (places);
  g_assert_cmpstr (token, ==, "hf_file");
  g_autofree char *none = load (elsewhere);
  g_assert_cmpstr (none, ==, "-");
  write_token (other, "hf_other", -1);
  g_autofree char *second = load (elsewhere);
  g_assert_cmpstr (second, ==, "hf_other");
  write_token (path, "hf\0secret", 9);
  g_assert_null (load (places));
  write_token (path, "secret\nsecret", -1);
  g_assert_null (load (places));

  g_autoptr (GError) error = NULL;
  g_autofree char *large = g_strnfill (5000, 's');
  char *untouched = NULL;
  write_token (path, large, -1);
  g_assert_false (attn_hub_places_load_token (places, &untouched, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
  g_unlink (path);
  g_unlink (other);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/places/caches", test_caches);
  g_test_add_func ("/places/process", test_process);
  g_test_add_func ("/places/endpoint", test_endpoint);
  g_test_add_func ("/places/switches", test_switches);
  g_test_add_func ("/places/timeouts", test_timeouts);
  g_test_add_func ("/places/tokens", test_tokens);
  g_test_add_func ("/places/token-file", test_token_file);
  return g_test_run ();
}
