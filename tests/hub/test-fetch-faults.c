/* SPDX-License-Identifier: MIT */
/* Fetching from a hub, over a network, and onto a disk that misbehave: correct files, or a sentence
 * that says what to try, and never half a model. */
#include "cache-fixture.h"
#include "fetch-fixture.h"
#include "test-util.h"

#include "attn/error.h"

#include <glib/gstdio.h>

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define WEIGHTS "*model.safetensors"
#define OTHER_COMMIT "0123456789012345678901234567890123456789"

/* What is got over in the end: the files are right. */
static const struct {
  const char *name;
  const char *rules[3];
  const char *count; /* (nullable): requests that fit this pattern ... */
  size_t n_wanted;   /* ... are so many */
} passing[] = {
    {"weak-etag", {"* * weak-etag"}},
    {"gzip", {"GET * gzip"}},
    {"chunked", {"GET * chunked"}},
    {"no-length", {"GET * no-length"}},
    {"foreign-etag", {"HEAD * etag=d41d8cd98f00b204e9800998ecf8427e"}},
    {"size-zero", {"HEAD * size-zero"}},
    {"wrong-size", {"HEAD " WEIGHTS " header=X-Linked-Size: 12"}},
    {"cut-once", {"GET /files/* x1 cut=100000"}, "files GET *", 2},
    {"cut-at-start", {"GET /files/* x1 cut=0"}, "files GET *", 2},
    {"cut-often", {"GET /files/* cut=50000"}, "files GET *", 6},
    {"cut-small", {"GET *vocab.txt x2 cut=3"}},
    {"cut-listing", {"GET /api/* x3 cut=20"}},
    {"cut-anywhere", {"GET /files/* x12 cut-anywhere=7"}},
    {"cut-without-length", {"GET /files/* x1 no-length | cut=100000"}, "files GET *", 2},
    {"cut-gzip", {"GET /files/* x2 gzip | cut=100000"}},
    {"stall", {"GET /files/* x1 stall=100000"}, "files GET *", 2},
    {"drip", {"GET *vocab.txt drip=10"}},
    {"hang-up", {"* * x2 hang-up"}},
    {"range-ignored", {"GET /files/* x1 cut=100000", "GET /files/* range-ignored"}},
    {"range-elsewhere", {"GET /files/* x1 cut=100000", "GET /files/* range-elsewhere"}},
    {"range-refused", {"GET /files/* x1 cut=100000", "GET /files/* range-refused"}},
    {"wrong-once", {"GET /files/* x1 flip=1000"}, "files GET *", 2},
    {"small-wrong-once", {"GET *vocab.txt x1 flip=3"}},
    {"too-long-once",
     {"GET *vocab.txt x1 body=much more than was ever promised to be in this file"}},
    {"busy", {"* * x2 status=500"}},
    {"all-busy", {"* * x4 status=503"}},
    {"timeout", {"* * x1 status=504"}},
    {"rate", {"* * x1 status=429"}},
    {"retry-after", {"GET /api/* x1 status=429 | header=Retry-After: 0"}},
    {"retry-date",
     {"GET /api/* x1 status=503 | header=Retry-After: Wed, 21 Oct 2015 07:28:00 GMT"}},
    {"rate-used-up", {"GET /api/* x1 status=429 | header=RateLimit: \"api\";r=0;t=0"}},
    {"rate-not-used-up", {"* * header=RateLimit: \"resolvers\";r=2999;t=250"}},
};

static void
test_passing (const void *data)
{
  size_t index = GPOINTER_TO_SIZE (data);
  g_auto (FetchFixture) fixture;
  bool is_short = strcmp (passing[index].name, "stall") == 0; /* a busy machine stalls, too */
  fetch_fixture_set_up (&fixture, false,
                        (const char *const[]){is_short ? "HF_HUB_DOWNLOAD_TIMEOUT=1" : NULL, NULL});
  for (size_t i = 0; i < G_N_ELEMENTS (passing[index].rules) && passing[index].rules[i] != NULL;
       i++)
    fake_hub_add_rule (fixture.hub, passing[index].rules[i]);
  assert_fetched (&fixture);
  if (passing[index].count != NULL)
    g_assert_cmpuint (fake_hub_count (fixture.hub, passing[index].count), ==,
                      passing[index].n_wanted);
}

/* Every byte comes soon after the one before, but the headers take longer than is waited for them:
 * they are given up and asked for again. */
static const struct {
  const char *name, *rule, *count;
} slow_heads[] = {
    {"asked", "GET /api/models/acme/tiny/rev* x1 slow-head=40", "hub GET /api/models/*/rev*"},
    {"content", "GET /files/* x1 slow-head=40", "files GET *"},
    {"continue", "HEAD *model.safetensors x1 continue=800", "hub HEAD *model.safetensors"},
};

static void
test_slow_head (const void *data)
{
  size_t index = GPOINTER_TO_SIZE (data);
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (
      &fixture, false,
      (const char *const[]){"HF_HUB_ETAG_TIMEOUT=2", "HF_HUB_DOWNLOAD_TIMEOUT=2", NULL});
  fake_hub_add_rule (fixture.hub, slow_heads[index].rule);
  assert_fetched (&fixture);
  g_assert_cmpuint (fake_hub_count (fixture.hub, slow_heads[index].count), ==, 2);
}

/* … and a server that is never quicker is told of. */
static void
test_slow_always (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, (const char *const[]){"HF_HUB_ETAG_TIMEOUT=1", NULL});
  fake_hub_add_rule (fixture.hub, "GET /api/* slow-head=20");
  assert_refused (&fixture, ATTN_ERROR_IO, "no whole answer within 1 s");
}

/* What is told, with the code and some of the words. */
static const struct {
  const char *name;
  const char *rules[2];
  AttnError code;
  const char *words;
} failing[] = {
    {"missing",
     {"GET /api/* status=404 | header=X-Error-Code: RepoNotFound"},
     ATTN_ERROR_IO,
     "there is no such model"},
    {"missing-or-private", {"GET /api/* status=401"}, ATTN_ERROR_IO, "or it is private"},
    {"no-revision",
     {"GET /api/* status=404 | header=X-Error-Code: RevisionNotFound"},
     ATTN_ERROR_IO,
     "but not this revision"},
    {"no-entry",
     {"HEAD * status=404 | header=X-Error-Code: EntryNotFound"},
     ATTN_ERROR_IO,
     "lists a file that it does not have"},
    {"not-found", {"* * status=404"}, ATTN_ERROR_IO, "HF_ENDPOINT"},
    {"gated",
     {"* */resolve/* status=403 | header=X-Error-Code: GatedRepo"},
     ATTN_ERROR_IO,
     "accept them at http://127.0.0.1"},
    {"gated-401",
     {"* */resolve/* status=401 | header=X-Error-Code: GatedRepo"},
     ATTN_ERROR_IO,
     "HF_TOKEN"},
    {"gated-late", {"HEAD " WEIGHTS " token=none"}, ATTN_ERROR_IO, "accept them"},
    {"bad-token",
     {"* * status=401 | header=X-Error-Message: Invalid credentials in Authorization header"},
     ATTN_ERROR_IO,
     "does not know the token"},
    {"disabled",
     {"* * status=403 | header=X-Error-Message: Access to this resource is disabled."},
     ATTN_ERROR_IO,
     "has disabled this model"},
    {"forbidden", {"* * status=403"}, ATTN_ERROR_IO, "the server forbids this"},
    {"rate", {"* * status=429"}, ATTN_ERROR_IO, "wants fewer requests"},
    {"rate-used-up",
     {"* * status=429 | header=RateLimit: \"api\";r=0;t=299"},
     ATTN_ERROR_IO,
     "wants fewer requests"},
    {"busy", {"* * status=500"}, ATTN_ERROR_IO, "has trouble (it answered 500 5 times)"},
    {"teapot", {"* * status=418"}, ATTN_ERROR_IO, "answered 418"},
    {"no-commit", {"HEAD * drop-header=X-Repo-Commit"}, ATTN_ERROR_FORMAT, "so it is no Hub"},
    {"other-commit",
     {"HEAD * header=X-Repo-Commit: " OTHER_COMMIT},
     ATTN_ERROR_FORMAT,
     "has changed while the model was fetched"},
    {"other-etag", {"HEAD *vocab.txt etag=" OTHER_COMMIT}, ATTN_ERROR_FORMAT, "has changed"},
    {"no-json",
     {"GET /api/* body=<html>Log in to the hotel's network</html>"},
     ATTN_ERROR_FORMAT,
     "where this network wants a sign-in, do that in a browser first"},
    {"empty", {"GET /api/* body="}, ATTN_ERROR_FORMAT, "does not answer as a Hub does"},
    {"not-modified", {"GET /api/* status=304"}, ATTN_ERROR_IO, "answered 304, wanted is 200"},
    {"proxy-wants-name",
     {"GET /api/* status=407"},
     ATTN_ERROR_IO,
     "wants a name and a password that it knows; give them in HTTPS_PROXY"},
    {"no-listing", {"GET /api/*/tree/* body={}"}, ATTN_ERROR_FORMAT, "the list of files"},
    {"bad-sha", {"GET /api/* body={\"sha\":\"../../x\"}"}, ATTN_ERROR_FORMAT, "sha: found"},
    {"redirect-loop", {"GET /api/* redirect-loop"}, ATTN_ERROR_FORMAT, "redirects in a circle"},
    {"redirect-nowhere", {"GET /api/* status=302"}, ATTN_ERROR_FORMAT, "without telling where"},
    {"redirect-to-file",
     {"GET /files/* redirect=file:///etc/passwd"},
     ATTN_ERROR_FORMAT,
     "cannot be used"},
    {"wrong-hash",
     {"GET /files/* flip=1000"},
     ATTN_ERROR_FORMAT,
     "model.safetensors: what arrived is not the file and was thrown away: its SHA-256 begins "
     "with"},
    {"wrong-small-hash", {"GET *vocab.txt flip=3"}, ATTN_ERROR_FORMAT, "vocab.txt"},
    {"always-too-long",
     {"GET *vocab.txt body=much more than was ever promised to be in this file"},
     ATTN_ERROR_FORMAT,
     "sends more than"},
    {"always-short", {"GET *vocab.txt short=4"}, ATTN_ERROR_FORMAT, "never sends it to its end"},
    {"always-cut", {"GET /files/* cut=0"}, ATTN_ERROR_IO, "what has arrived is kept"},
    {"cannot-go-on",
     {"GET /files/* cut=1000 | range-ignored"},
     ATTN_ERROR_FORMAT,
     "never sends it to its end"},
    {"hang-up", {"* * hang-up"}, ATTN_ERROR_IO, "no connection to 127.0.0.1"},
    {"huge",
     {"GET /api/*/tree/* body=[{\"type\":\"file\",\"path\":\"config.json\",\"size\":9e15,"
      "\"oid\":\"" OTHER_COMMIT "\"},{\"type\":\"file\",\"path\":\"vocab.txt\",\"size\":1,"
      "\"oid\":\"" OTHER_COMMIT "\"},{\"type\":\"file\",\"path\":\"model.safetensors\","
      "\"size\":1,\"oid\":\"" OTHER_COMMIT "\"}]"},
     ATTN_ERROR_IO,
     "MB free, wanted"},
};

static void
test_failing (const void *data)
{
  size_t index = GPOINTER_TO_SIZE (data);
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (failing[index].rules) && failing[index].rules[i] != NULL;
       i++)
    fake_hub_add_rule (fixture.hub, failing[index].rules[i]);
  assert_refused (&fixture, (int)failing[index].code, failing[index].words);
  /* and when the fault has gone, the same cache takes the model */
  fake_hub_clear_rules (fixture.hub);
  assert_fetched (&fixture);
}

/* A connection that breaks is gone on with where it broke. */
static void
test_resumes (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  fake_hub_add_rule (fixture.hub, "GET /files/* x1 cut=123456");
  assert_fetched (&fixture);
  g_autofree char *log = fake_hub_dup_log (fixture.hub);
  g_assert_nonnull (strstr (log, "Range: bytes=123456-"));
  g_assert_cmpuint (fixture.n_waits, >, 0); /* and it was told */
}

/* The signed address ran out meanwhile: a new one is asked for. */
static void
test_expired (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  fake_hub_add_rule (fixture.hub, "GET /files/* x1 cut=123456");
  fake_hub_add_rule (fixture.hub, "GET /files/* x1+1 status=403");
  assert_fetched (&fixture);
  g_assert_cmpuint (fake_hub_count (fixture.hub, "hub HEAD " WEIGHTS), ==, 2);
  g_assert_cmpuint (fixture.last.received, ==, fixture.last.total);
}

static void
stop_after_a_while (const AttnHubProgress *progress, void *data)
{
  FetchFixture *fixture = data;
  if (progress->received > 50000)
    g_cancellable_cancel (fixture->stop);
}

static void
test_stop_and_resume (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnHubName) name = attn_hub_name_parse (FIXTURE_REPO, NULL);
  g_autoptr (AttnHubPlan) plan = attn_hub_plan_new (fixture.places, name, NULL, &error);
  fake_hub_add_rule (fixture.hub, "GET /files/* x1 drip=10000");
  g_assert_null (attn_hub_fetch (plan, stop_after_a_while, &fixture, fixture.stop, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
  g_clear_error (&error);
  g_autofree char *part = fixture_dup_part (&fixture);
  GStatBuf state;
  g_assert_cmpint (g_stat (part, &state), ==, 0);
  g_assert_cmpint (state.st_size, >, 40000);

  g_cancellable_reset (fixture.stop);
  g_autoptr (AttnHubPlan) again = attn_hub_plan_new (fixture.places, name, NULL, &error);
  g_assert_cmpuint (attn_hub_plan_get_n_present (again), >=, (guint64)state.st_size);
  fake_hub_clear_log (fixture.hub);
  assert_fetched (&fixture);
  g_autofree char *log = fake_hub_dup_log (fixture.hub);
  g_autofree char *range =
      g_strdup_printf ("Range: bytes=%" G_GINT64_FORMAT "-", (gint64)state.st_size);
  g_assert_nonnull (strstr (log, range));
  g_assert_cmpuint (fixture.last.done, ==, fixture.last.total);
  g_assert_cmpuint (fixture.last.received, ==, FIXTURE_N_WEIGHTS - (guint64)state.st_size);
  g_assert_false (g_file_test (part, G_FILE_TEST_EXISTS));
}

/* What is left of a download and was damaged meanwhile is found out by the hash. */
static void
test_damaged_part (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnHubName) name = attn_hub_name_parse (FIXTURE_REPO, NULL);
  g_autoptr (AttnHubPlan) plan = attn_hub_plan_new (fixture.places, name, NULL, &error);
  fake_hub_add_rule (fixture.hub, "GET /files/* x1 drip=10000");
  g_assert_null (attn_hub_fetch (plan, stop_after_a_while, &fixture, fixture.stop, NULL));
  g_cancellable_reset (fixture.stop);
  g_autofree char *part = fixture_dup_part (&fixture);
  FILE *file = fopen (part, "r+");
  g_assert_nonnull (file);
  fputs ("damaged", file);
  fclose (file);
  assert_fetched (&fixture);
}

/* The token is for the endpoint alone, and is not written anywhere. */
static void
test_token (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, (const char *const[]){"HF_TOKEN= secret-token\n", NULL});
  fake_hub_add_rule (fixture.hub, "* */resolve/* token=secret-token");
  assert_fetched (&fixture);
  g_autofree char *log = fake_hub_dup_log (fixture.hub);
  g_auto (GStrv) requests = g_strsplit (log, "\n", -1);
  bool at_hub = false;
  guint n_sent = 0;
  for (char **line = requests; *line != NULL; line++) {
    if ((*line)[0] != '\t')
      at_hub = g_str_has_prefix (*line, "hub ");
    if (strstr (*line, "secret-token") != NULL) {
      g_assert_true (at_hub);
      n_sent++;
    }
  }
  g_assert_cmpuint (n_sent, >, 3);
  const char *command[] = {"grep", "-r", "secret-token", fixture.cache, NULL};
  int status = 0;
  g_assert_true (g_spawn_sync (NULL, (char **)(void *)command, NULL, G_SPAWN_SEARCH_PATH, NULL,
                               NULL, NULL, NULL, &status, NULL));
  g_assert_false (g_spawn_check_wait_status (status, NULL));
}

/* A redirect of the hub itself to another host gets no token either, and a wrong one is told. */
static void
test_token_elsewhere (void)
{
  g_auto (FetchFixture) fixture;
  g_autoptr (FakeHub) other = fake_hub_new (false);
  g_autofree char *rule = g_strconcat ("GET /api/* redirect=", fake_hub_peek_url (other),
                                       "/api/models/acme/tiny", NULL);
  fetch_fixture_set_up (&fixture, false, (const char *const[]){"HF_TOKEN=secret-token", NULL});
  fake_hub_add_rule (fixture.hub, rule);
  assert_refused (&fixture, ATTN_ERROR_IO, "the token may not see it");
  g_autofree char *log = fake_hub_dup_log (other);
  g_assert_nonnull (strstr (log, "/api/models/acme/tiny"));
  g_assert_null (strstr (log, "secret-token"));
}

/* A name without its owner is told the model that is usually meant by it, however the server says
 * that there is none. */
static void
test_usual (void)
{
  static const char *const rules[] = {"GET /api/* status=404 | header=X-Error-Code: RepoNotFound",
                                      "GET /api/* status=401"};
  for (size_t i = 0; i < G_N_ELEMENTS (rules); i++) {
    g_autoptr (GError) error = NULL;
    g_auto (FetchFixture) fixture;
    fetch_fixture_set_up (&fixture, false, NULL);
    fake_hub_add_rule (fixture.hub, rules[i]);
    g_assert_null (fetch_model (&fixture, "bert-base-chinese", &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
    g_assert_cmpstr (error->message, ==,
                     "bert-base-chinese: there is no such model; the usual one of this name is "
                     "google-bert/bert-base-chinese");
  }
}

/* Who gives a token that was not let in is told that, not to give one. */
static void
test_gated (void)
{
  static const struct {
    const char *token, *words;
  } rows[] = {{"HF_TOKEN=hf_other", "whose token is given has not"},
              {"HF_TOKEN=", "then give a token of your account in HF_TOKEN"}};
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_auto (FetchFixture) fixture;
    fetch_fixture_set_up (&fixture, false, (const char *const[]){rows[i].token, NULL});
    fake_hub_add_rule (fixture.hub, "GET /api/* status=403 | header=X-Error-Code: GatedRepo");
    assert_refused (&fixture, ATTN_ERROR_IO, rows[i].words);
  }
}

/* A mirror passes on addresses of the Hub's own: they are rewritten. */
static void
test_mirror (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  fake_hub_set_page_size (fixture.hub, 5);
  g_autofree char *commit = fake_hub_dup_commit (fixture.hub, FIXTURE_REPO, "main");
  g_autofree char *rule = g_strdup_printf ("GET /api/*/tree/* x1 header=Link: "
                                           "<https://huggingface.co/api/models/" FIXTURE_REPO
                                           "/tree/%s?recursive=true&cursor=5>; rel=\"next\"",
                                           commit);
  fake_hub_add_rule (fixture.hub, rule);
  assert_fetched (&fixture);
}

static void
test_certificate (void)
{
  g_autofree char *path = test_data_path ("hub/untrusted.pem");
  g_autofree char *pem = g_strconcat ("SSL_CERT_FILE=", path, NULL);
  {
    g_auto (FetchFixture) fixture;
    fetch_fixture_set_up (&fixture, true, NULL);
    assert_refused (&fixture, ATTN_ERROR_IO, "the certificate of 127.0.0.1 cannot be trusted");
    g_assert_cmpuint (fake_hub_count (fixture.hub, "*"), ==, 0);
  }
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, true, (const char *const[]){pem, NULL});
  assert_fetched (&fixture);
  /* from encrypted to plain is no way to go */
  g_autofree char *folder = cache_path (fixture.cache, "models--acme--tiny");
  fake_hub_add_bytes (fixture.hub, FIXTURE_REPO, "v2", "config.json", BERT_CONFIG,
                      strlen (BERT_CONFIG));
  fake_hub_add_rule (fixture.hub, "GET /api/* redirect=http://127.0.0.1:1/");
  g_autoptr (GError) error = NULL;
  g_assert_null (fetch_model (&fixture, FIXTURE_REPO "@v2", &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "one that is not"));
}

static void
test_unreachable (void)
{
  static const struct {
    const char *endpoint, *words;
    AttnError code;
  } cases[] = {
      {"HF_ENDPOINT=http://127.0.0.1:1", "no connection to 127.0.0.1", ATTN_ERROR_IO},
      {"HF_ENDPOINT=ftp://example.org", "HF_ENDPOINT: found", ATTN_ERROR_FORMAT},
      {"HF_ENDPOINT=hub", "HF_ENDPOINT: found", ATTN_ERROR_FORMAT},
      {"SSL_CERT_FILE=/nowhere/certificates.pem", "no certificates can be read", ATTN_ERROR_IO},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_auto (FetchFixture) fixture;
    fetch_fixture_set_up (&fixture, false, (const char *const[]){NULL});
    attn_hub_places_free (fixture.places);
    fixture.places = attn_hub_places_new (
        (const char *const[]){cases[i].endpoint, "HEADSCOPE_RETRY_MS=1", "HF_HOME=/nowhere", NULL});
    g_autoptr (GError) error = NULL;
    g_assert_null (fetch_model (&fixture, FIXTURE_REPO, &error));
    g_assert_error (error, ATTN_ERROR, (int)cases[i].code);
    g_assert_nonnull (strstr (error->message, cases[i].words));
  }
}

/* A disk that takes no more: the limit of a process's files stands for it. */
static void
test_full_disk (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  struct rlimit old, low;
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
  low = (struct rlimit){100000, old.rlim_max};
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &low), ==, 0);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = fetch_model (&fixture, FIXTURE_REPO, &error);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
  g_assert_null (folder);
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_cmpuint (fake_hub_count (fixture.hub, "files *"), ==, 1);
  assert_fetched (&fixture);
}

static void
test_read_only (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  if (geteuid () == 0) {
    /* root may write anywhere: a file where the folder should be stands for it */
    cache_write (fixture.cache, "models--acme--tiny", "no folder");
  } else {
    g_assert_cmpint (g_chmod (fixture.cache, 0555), ==, 0);
  }
  assert_refused (&fixture, ATTN_ERROR_IO, "models--acme--tiny");
  g_assert_cmpint (g_chmod (fixture.cache, 0755), ==, 0);
}

/* Where nothing can be written nobody is asked to make room. */
static void
test_read_only_before_room (void)
{
  const bool is_root = geteuid () == 0; /* who may write anywhere, and becomes nobody */
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  fake_hub_add_rule (fixture.hub,
                     "GET /api/*/tree/* body=[{\"type\":\"file\",\"path\":\"config.json\","
                     "\"size\":9e15,\"oid\":\"" OTHER_COMMIT "\"},{\"type\":\"file\",\"path\":"
                     "\"vocab.txt\",\"size\":1,\"oid\":\"" OTHER_COMMIT "\"},{\"type\":\"file\","
                     "\"path\":\"model.safetensors\",\"size\":1,\"oid\":\"" OTHER_COMMIT "\"}]");
  assert_refused (&fixture, ATTN_ERROR_IO, "MB free, wanted");
  g_assert_cmpint (g_chmod (fixture.cache, 0555), ==, 0);
  g_assert_cmpint (is_root ? seteuid (65534) : 0, ==, 0);
  assert_refused (&fixture, ATTN_ERROR_IO, "cannot be written: Permission denied; check owner");
  g_assert_cmpint (is_root ? seteuid (0) : 0, ==, 0);
  g_assert_cmpint (g_chmod (fixture.cache, 0755), ==, 0);
}

/* Two threads, as two programs: each has its own descriptors and locks. */
typedef struct {
  FetchFixture *fixture;
  bool was_told; /* that it waits for the other */
} Side;

static void
note_waiting (const AttnHubProgress *progress, void *data)
{
  Side *side = data;
  if (g_strcmp0 (progress->waiting_for, "another program is fetching the same file") == 0)
    side->was_told = true;
}

static void *
fetch_in_thread (void *data)
{
  FetchFixture *fixture = ((Side *)data)->fixture;
  g_autoptr (AttnHubName) name = attn_hub_name_parse (FIXTURE_REPO, NULL);
  g_autoptr (AttnHubPlan) plan = attn_hub_plan_new (fixture->places, name, NULL, NULL);
  return plan == NULL ? NULL : attn_hub_fetch (plan, note_waiting, data, NULL, NULL);
}

static void
test_two_at_once (void)
{
  g_auto (FetchFixture) fixture;
  fetch_fixture_set_up (&fixture, false, NULL);
  fake_hub_add_rule (fixture.hub, "GET /files/* drip=2500");
  GThread *threads[2];
  Side sides[2] = {{&fixture, false}, {&fixture, false}};
  for (int i = 0; i < 2; i++)
    threads[i] = g_thread_new ("fetch", fetch_in_thread, &sides[i]);
  for (int i = 0; i < 2; i++) {
    g_autofree char *folder = g_thread_join (threads[i]);
    g_assert_nonnull (folder);
    assert_folder (&fixture, folder);
  }
  g_assert_true (sides[0].was_told != sides[1].was_told);
  g_assert_cmpuint (fake_hub_count (fixture.hub, "files *"), ==, 1); /* one waited for the other */
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (passing); i++) {
    g_autofree char *path = g_strconcat ("/fetch-faults/passing/", passing[i].name, NULL);
    g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_passing);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (failing); i++) {
    g_autofree char *path = g_strconcat ("/fetch-faults/failing/", failing[i].name, NULL);
    g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_failing);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (slow_heads); i++) {
    g_autofree char *path = g_strconcat ("/fetch-faults/slow-head/", slow_heads[i].name, NULL);
    g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_slow_head);
  }
  g_test_add_func ("/fetch-faults/slow-head/always", test_slow_always);
  g_test_add_func ("/fetch-faults/resumes", test_resumes);
  g_test_add_func ("/fetch-faults/expired", test_expired);
  g_test_add_func ("/fetch-faults/stop-and-resume", test_stop_and_resume);
  g_test_add_func ("/fetch-faults/damaged-part", test_damaged_part);
  g_test_add_func ("/fetch-faults/token", test_token);
  g_test_add_func ("/fetch-faults/token-elsewhere", test_token_elsewhere);
  g_test_add_func ("/fetch-faults/usual", test_usual);
  g_test_add_func ("/fetch-faults/gated", test_gated);
  g_test_add_func ("/fetch-faults/mirror", test_mirror);
  g_test_add_func ("/fetch-faults/certificate", test_certificate);
  g_test_add_func ("/fetch-faults/unreachable", test_unreachable);
  g_test_add_func ("/fetch-faults/full-disk", test_full_disk);
  g_test_add_func ("/fetch-faults/read-only", test_read_only);
  g_test_add_func ("/fetch-faults/read-only/before-room", test_read_only_before_room);
  g_test_add_func ("/fetch-faults/two-at-once", test_two_at_once);
  return g_test_run ();
}
