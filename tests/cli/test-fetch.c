/* SPDX-License-Identifier: MIT */
/* headscope-cli fetch against a hub on this machine: its answers, what it asks and does not ask,
 * and what is left after it was stopped, killed, or started twice. */
#include "cli-run.h"
#include "fetch-fixture.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const variables[] = {
    "HF_ENDPOINT", "HF_HUB_CACHE", "HF_HOME",  "HEADSCOPE_RETRY_MS",      "HF_HUB_OFFLINE",
    "HF_TOKEN",    "http_proxy",   "no_proxy", "HF_HUB_DOWNLOAD_TIMEOUT", "HF_TOKEN_PATH",
    "HTTP_PROXY",  "https_proxy"};

/* The program's environment is the fixture's. */
static void
set_up (FetchFixture *fixture)
{
  for (size_t i = 0; i < G_N_ELEMENTS (variables); i++)
    g_unsetenv (variables[i]);
  fetch_fixture_set_up (fixture, false, NULL);
  g_setenv ("HF_ENDPOINT", fake_hub_peek_url (fixture->hub), TRUE);
  g_setenv ("HF_HUB_CACHE", fixture->cache, TRUE);
  g_setenv ("HF_HOME", fixture->cache, TRUE);
  g_setenv ("HEADSCOPE_RETRY_MS", "1", TRUE);
}

static const char *
text_of (json_t *object, const char *key)
{
  return json_string_value (json_object_get (object, key));
}

static void
test_plan (void)
{
  g_auto (FetchFixture) fixture;
  set_up (&fixture);
  json_t *plan = ASK ("fetch " FIXTURE_REPO " --dry-run");
  assert_keys (plan, "name,commit,family,layers,heads,bytes,present,files");
  g_assert_cmpstr (text_of (plan, "name"), ==, FIXTURE_REPO);
  g_assert_cmpstr (text_of (plan, "family"), ==, "bert");
  g_assert_cmpint (get_int (plan, "present"), ==, 0);
  json_t *files = json_object_get (plan, "files");
  g_assert_cmpuint (json_array_size (files), ==, 4);
  assert_keys (json_array_get (files, 3), "file,bytes,present");
  g_assert_cmpint (get_int (json_array_get (files, 3), "bytes"), ==, (gint64)FIXTURE_N_WEIGHTS);
  g_assert_cmpuint (fake_hub_count (fixture.hub, "files *"), ==, 0);
  json_t *same = ASK ("fetch --plan " FIXTURE_REPO);
  g_assert_true (json_equal (plan, same));
  json_decref (plan);
  json_decref (same);
}

static void
test_fetch (void)
{
  g_auto (FetchFixture) fixture;
  set_up (&fixture);
  json_t *answer = ASK ("fetch " FIXTURE_REPO);
  assert_keys (answer, "name,commit,folder,bytes,received,seconds");
  assert_folder (&fixture, text_of (answer, "folder"));
  g_assert_cmpint (get_int (answer, "received"), ==, get_int (answer, "bytes"));
  json_t *again = ASK ("fetch " FIXTURE_REPO "@main");
  g_assert_cmpint (get_int (again, "received"), ==, 0);
  json_t *verified = ASK ("verify " FIXTURE_REPO);
  g_assert_cmpint (get_int (verified, "files"), ==, 4);
  g_assert_cmpint (get_int (verified, "unchecked"), ==, 0);
  json_decref (answer);
  json_decref (again);
  json_decref (verified);
}

/* A length below nothing is told by one sentence, and the libraries say nothing beside it. */
static void
test_length_below_nothing (void)
{
  static const char *const lengths[] = {"-5", "9223372036854775808"};
  g_autofree char *strictness = g_strdup (g_getenv ("G_DEBUG"));
  g_unsetenv ("G_DEBUG"); /* the warning is made and left out: it may not end the program */
  for (size_t i = 0; i < G_N_ELEMENTS (lengths); i++) {
    g_auto (FetchFixture) fixture;
    set_up (&fixture);
    g_autofree char *rule =
        g_strconcat ("GET *vocab.txt no-length | header=Content-Length: ", lengths[i], NULL);
    fake_hub_add_rule (fixture.hub, rule);
    g_auto (Run) run = RUN ("fetch " FIXTURE_REPO);
    g_assert_cmpint (run.status, ==, 1);
    g_assert_null (strstr (run.err, "WARNING"));
    g_assert_nonnull (strstr (run.err, "headscope-cli: vocab.txt: found 0 bytes"));
    fake_hub_clear_rules (fixture.hub);
    json_decref (ASK ("fetch " FIXTURE_REPO));
  }
  if (strictness != NULL)
    g_setenv ("G_DEBUG", strictness, TRUE);
}

/* A real model opens when it has been fetched. */
static void
test_opens (void)
{
  g_auto (FetchFixture) fixture;
  set_up (&fixture);
  g_autofree char *demo = g_build_filename (g_getenv ("HEADSCOPE_DATA_DIR"), "demo-model", NULL);
  fake_hub_add_folder (fixture.hub, "acme/demo", "main", demo);
  json_t *answer = ASK ("fetch acme/demo");
  json_t *info = ASK ("info --model acme/demo");
  g_assert_cmpstr (text_of (info, "name"), ==, "acme/demo");
  json_decref (answer);
  json_decref (info);
}

/* Nothing but fetching asks a server. */
static void
test_no_traffic (void)
{
  static const char *const commands[] = {"models",
                                         "verify --all",
                                         "fetch --suggest",
                                         "info --model " FIXTURE_REPO,
                                         "info --model tiny",
                                         "tokenize --model " FIXTURE_REPO " --text x",
                                         "remove " FIXTURE_REPO " --dry-run",
                                         "info",
                                         "fetch",
                                         "fetch --help"};
  g_auto (FetchFixture) fixture;
  set_up (&fixture);
  for (size_t i = 0; i < G_N_ELEMENTS (commands); i++) {
    g_auto (Run) run = RUN (commands[i]);
    g_assert_cmpuint (fake_hub_count (fixture.hub, "*"), ==, 0);
  }
  g_setenv ("HF_HUB_OFFLINE", "1", TRUE);
  g_auto (Run) offline = RUN ("fetch " FIXTURE_REPO);
  g_assert_cmpint (offline.status, ==, 1);
  g_assert_nonnull (strstr (offline.err, "HF_HUB_OFFLINE"));
  g_assert_cmpuint (fake_hub_count (fixture.hub, "*"), ==, 0);
}

static void
test_usage (void)
{
  static const char *const wrong[] = {"fetch",       "fetch a b",   "fetch --suggest a",
                                      "fetch ../x",  "fetch a/b/c", "fetch a --model b",
                                      "fetch a@../b"};
  g_auto (FetchFixture) fixture;
  set_up (&fixture);
  for (size_t i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_auto (Run) run = RUN (wrong[i]);
    g_assert_cmpint (run.status, ==, 2);
    g_assert_cmpstr (run.out, ==, "");
  }
  json_t *suggestions = ASK ("fetch --suggest");
  json_t *models = json_object_get (suggestions, "models");
  g_assert_cmpuint (json_array_size (models), >, 5);
  assert_keys (json_array_get (models, 0), "name,family,layers,heads,megabytes");
  json_decref (suggestions);
}

/* A failure is told; where an older state is here, that is told, too; the token never. */
static void
test_fails (void)
{
  g_auto (FetchFixture) fixture;
  set_up (&fixture);
  g_setenv ("HF_TOKEN", "secret-token", TRUE);
  fake_hub_add_rule (fixture.hub, "HEAD *safetensors status=403 | header=X-Error-Code: GatedRepo");
  g_auto (Run) gated = RUN ("fetch " FIXTURE_REPO);
  g_assert_cmpint (gated.status, ==, 1);
  g_assert_cmpstr (gated.out, ==, "");
  g_assert_nonnull (strstr (gated.err, "accept them at"));
  g_assert_null (strstr (gated.err, "secret-token"));
  fake_hub_clear_rules (fixture.hub);
  json_decref (ASK ("fetch " FIXTURE_REPO));
  fake_hub_add_rule (fixture.hub, "* * status=418");
  g_auto (Run) broken = RUN ("fetch " FIXTURE_REPO);
  g_assert_cmpint (broken.status, ==, 1);
  g_assert_nonnull (strstr (broken.err, "answered 418"));
  g_assert_nonnull (strstr (broken.err, "is here and can be used: --model " FIXTURE_REPO));
}

/* The hub's name does not resolve: only the proxy can be what answered. */
static void
test_proxy (void)
{
  g_auto (FetchFixture) fixture;
  set_up (&fixture);
  g_setenv ("HF_ENDPOINT", "http://hub.invalid", TRUE);
  g_auto (Run) direct = RUN ("fetch " FIXTURE_REPO " --plan");
  g_assert_cmpint (direct.status, ==, 1);
  g_setenv ("http_proxy", fake_hub_peek_url (fixture.hub), TRUE);
  json_t *plan = ASK ("fetch " FIXTURE_REPO " --plan");
  g_assert_cmpstr (text_of (plan, "family"), ==, "bert");
  g_autofree char *log = fake_hub_dup_log (fixture.hub);
  g_assert_nonnull (strstr (log, "Host: hub.invalid"));
  json_decref (plan);
}

/* Without a desktop nobody looks for its settings, and complains that they cannot be read. */
static void
test_homeless (void)
{
  static const char *const names[] = {"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR",
                                      "GSETTINGS_BACKEND", "XDG_CURRENT_DESKTOP"};
  char *before[G_N_ELEMENTS (names)];
  g_auto (FetchFixture) fixture;
  set_up (&fixture);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    before[i] = g_strdup (g_getenv (names[i]));
    if (i < 2)
      g_setenv (names[i], "/dev/null/none", TRUE);
    else
      g_unsetenv (names[i]);
  }
  json_decref (ASK ("fetch " FIXTURE_REPO " --plan"));
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    if (before[i] != NULL)
      g_setenv (names[i], before[i], TRUE);
    else
      g_unsetenv (names[i]);
    g_free (before[i]);
  }
}

/* Starts what fetches, whose output nobody reads. */
static pid_t
start_command (const char *const *command)
{
  g_autoptr (GError) error = NULL;
  GPid pid = 0;
  g_spawn_async (NULL, (char **)(guintptr)command, NULL,
                 G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL |
                     G_SPAWN_STDERR_TO_DEV_NULL,
                 NULL, NULL, &pid, &error);
  g_assert_no_error (error);
  return pid;
}

static pid_t
start (void)
{
  return start_command ((const char *const[]){peek_program (), "fetch", FIXTURE_REPO, NULL});
}

static int
wait_for (pid_t pid)
{
  int status = 0;
  while (waitpid (pid, &status, 0) < 0)
    g_assert_cmpint (errno, ==, EINTR);
  return status;
}

static void
assert_fetch_ends_well (FetchFixture *fixture)
{
  json_t *answer = ASK ("fetch " FIXTURE_REPO);
  assert_folder (fixture, text_of (answer, "folder"));
  json_decref (answer);
}

/* Ctrl+C, kill, and a terminal that is closed: what has arrived is kept, and the program dies of
 * the signal, which ends a shell's loop. */
static void
test_interrupted (gconstpointer which)
{
  g_auto (FetchFixture) fixture;
  set_up (&fixture);
  fake_hub_add_rule (fixture.hub, "GET /files/* drip=2000");
  pid_t pid = start ();
  while (fake_hub_count (fixture.hub, "files GET *") == 0)
    g_usleep (1000);
  g_usleep (100000);
  kill (pid, GPOINTER_TO_INT (which));
  int status = wait_for (pid);
  g_assert_true (WIFSIGNALED (status));
  g_assert_cmpint (WTERMSIG (status), ==, GPOINTER_TO_INT (which));
  g_autofree char *part = fixture_dup_part (&fixture);
  g_assert_true (g_file_test (part, G_FILE_TEST_EXISTS));
  fake_hub_clear_rules (fixture.hub);
  fake_hub_clear_log (fixture.hub);
  assert_fetch_ends_well (&fixture);
  g_autofree char *log = fake_hub_dup_log (fixture.hub);
  g_assert_nonnull (strstr (log, "Range: bytes="));
}

/* What nohup has ignored stops nothing. */
static void
test_not_hung_up (void)
{
  g_auto (FetchFixture) fixture;
  set_up (&fixture);
  fake_hub_add_rule (fixture.hub, "GET /files/* drip=20000");
  pid_t pid =
      start_command ((const char *const[]){"/bin/sh", "-c", "trap '' HUP; exec \"$0\" fetch \"$1\"",
                                           peek_program (), FIXTURE_REPO, NULL});
  while (fake_hub_count (fixture.hub, "files GET *") == 0)
    g_usleep (1000);
  kill (pid, SIGHUP);
  fake_hub_clear_rules (fixture.hub);
  int status = wait_for (pid);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
}

/* Killed at any moment, a second start ends with the right files. */
static void
test_killed (void)
{
  enum { N_KILLS = 20, LONGEST_MS = 250 };
  g_autoptr (GRand) dice = g_rand_new_with_seed (6);
  guint n_unfinished = 0;
  for (int i = 0; i < N_KILLS; i++) {
    g_auto (FetchFixture) fixture;
    set_up (&fixture);
    fake_hub_add_rule (fixture.hub, "GET /files/* drip=30000");
    pid_t pid = start ();
    g_usleep ((gulong)g_rand_int_range (dice, 0, LONGEST_MS) * 1000);
    kill (pid, SIGKILL);
    n_unfinished += WIFSIGNALED (wait_for (pid));
    fake_hub_clear_rules (fixture.hub);
    assert_fetch_ends_well (&fixture);
  }
  g_assert_cmpuint (n_unfinished, >, N_KILLS / 4); /* or nothing was tested */
}

static void
test_two_programs (void)
{
  g_auto (FetchFixture) fixture;
  set_up (&fixture);
  fake_hub_add_rule (fixture.hub, "GET /files/* drip=10000");
  pid_t pids[] = {start (), start ()};
  for (size_t i = 0; i < G_N_ELEMENTS (pids); i++) {
    int status = wait_for (pids[i]);
    g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  }
  g_assert_cmpuint (fake_hub_count (fixture.hub, "files *"), ==, 1);
  assert_fetch_ends_well (&fixture);
}

/* The one that another waits for is killed: the other goes on from there. */
static void
test_two_programs_one_killed (void)
{
  g_auto (FetchFixture) fixture;
  set_up (&fixture);
  fake_hub_add_rule (fixture.hub, "GET /files/* drip=10000");
  pid_t first = start ();
  while (fake_hub_count (fixture.hub, "files GET *") == 0)
    g_usleep (1000);
  pid_t second = start ();
  g_usleep (100000);
  kill (first, SIGKILL);
  wait_for (first);
  int status = wait_for (second);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  assert_fetch_ends_well (&fixture);
}

/* The most memory that the running program had so far, kB; 0 when it cannot be told. */
static long
read_peak_kb (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/status", (int)pid);
  g_autofree char *text = NULL;
  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  const char *line = strstr (text, "VmHWM:");
  return line == NULL ? 0 : strtol (line + strlen ("VmHWM:"), NULL, 10);
}

/* Ten times the bytes take no more memory: pieces have one size. */
static void
test_memory (void)
{
  enum { SMALL = 2, LARGE = 20, MARGIN_KB = 3000 };
  static const int sizes[] = {SMALL, LARGE};
  long peaks[2] = {0};
  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_auto (FetchFixture) fixture;
    set_up (&fixture);
    gsize n = (gsize)sizes[i] * 1000000;
    g_autofree char *bytes = g_malloc0 (n);
    fake_hub_add_bytes (fixture.hub, FIXTURE_REPO, "main", "model.safetensors", bytes, n);
    fake_hub_add_rule (fixture.hub, "GET /files/* drip=300000");
    pid_t pid = start ();
    int status = 0;
    for (; waitpid (pid, &status, WNOHANG) == 0; g_usleep (2000)) {
      long now_kb = read_peak_kb (pid);
      peaks[i] = now_kb > 0 ? now_kb : peaks[i]; /* the last one: it never falls */
    }
    g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  }
  g_test_message ("%ld kB for %d MB, %ld kB for %d MB", peaks[0], SMALL, peaks[1], LARGE);
  g_assert_cmpint (peaks[0], >, 0);
  g_assert_cmpint (peaks[1] - peaks[0], <, MARGIN_KB);
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/fetch/plan", test_plan);
  g_test_add_func ("/fetch/fetch", test_fetch);
  g_test_add_func ("/fetch/length-below-nothing", test_length_below_nothing);
  g_test_add_func ("/fetch/opens", test_opens);
  g_test_add_func ("/fetch/no-traffic", test_no_traffic);
  g_test_add_func ("/fetch/usage", test_usage);
  g_test_add_func ("/fetch/fails", test_fails);
  g_test_add_func ("/fetch/proxy", test_proxy);
  g_test_add_func ("/fetch/homeless", test_homeless);
  g_test_add_data_func ("/fetch/interrupted", GINT_TO_POINTER (SIGINT), test_interrupted);
  g_test_add_data_func ("/fetch/terminated", GINT_TO_POINTER (SIGTERM), test_interrupted);
  g_test_add_data_func ("/fetch/hung-up", GINT_TO_POINTER (SIGHUP), test_interrupted);
  g_test_add_func ("/fetch/not-hung-up", test_not_hung_up);
  g_test_add_func ("/fetch/killed", test_killed);
  g_test_add_func ("/fetch/two-programs", test_two_programs);
  g_test_add_func ("/fetch/two-programs-one-killed", test_two_programs_one_killed);
  g_test_add_func ("/fetch/memory", test_memory);
  return cli_test_run ();
}
