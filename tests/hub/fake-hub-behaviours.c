/* SPDX-License-Identifier: MIT */
/* All the ways in which the fake hub misbehaves, in one table. */
#include "fake-hub-private.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const HubRequest *request;
  HubAnswer *answer;
  const char *value; /* "" without one */
} Change;

static gsize
get_number (const Change *change)
{
  guint64 number = 0;
  if (!g_ascii_string_to_unsigned (change->value, 10, 0, G_MAXINT64, &number, NULL))
    g_error ("fake hub: %s is no number", change->value);
  return (gsize)number;
}

static void
set_status (const Change *change)
{
  g_autofree char *text = g_strdup_printf ("status %s\n", change->value);
  fake_hub_answer_set_text (change->answer, (guint)get_number (change), text);
}

static void
set_header (const Change *change)
{
  g_auto (GStrv) parts = g_strsplit (change->value, ": ", 2);
  fake_hub_answer_set (change->answer, parts[0], "%s", parts[1]);
}

static void
drop_header (const Change *change)
{
  fake_hub_answer_drop (change->answer, change->value);
}

static void
set_body (const Change *change)
{
  g_clear_pointer (&change->answer->body, g_bytes_unref);
  change->answer->body = g_bytes_new (change->value, strlen (change->value));
}

static void
want_token (const Change *change)
{
  const char *sent = fake_hub_request_peek (change->request, "Authorization");
  g_autofree char *wanted = g_strdup_printf ("Bearer %s", change->value);
  if (g_strcmp0 (sent, wanted) == 0)
    return;
  fake_hub_answer_set_text (change->answer, sent == NULL ? 401 : 403, "not for you\n");
  fake_hub_answer_set (change->answer, "X-Error-Code", "GatedRepo");
}

static void
redirect (const Change *change)
{
  fake_hub_answer_set_text (change->answer, 302, "elsewhere\n");
  fake_hub_answer_set (change->answer, "Location", "%s", change->value);
}

static void
redirect_to_itself (const Change *change)
{
  fake_hub_answer_set_text (change->answer, 307, "again\n");
  fake_hub_answer_set (change->answer, "Location", "%s", change->request->target);
}

static void
lie_about_length (const Change *change)
{
  change->answer->length = (gint64)get_number (change);
}

static void
say_size_zero (const Change *change)
{
  change->answer->length = 0;
  if (fake_hub_answer_peek (change->answer, "X-Linked-Size") != NULL)
    fake_hub_answer_set (change->answer, "X-Linked-Size", "0");
}

static void
set_etag (const Change *change)
{
  const char *name =
      fake_hub_answer_peek (change->answer, "X-Linked-Etag") != NULL ? "X-Linked-Etag" : "ETag";
  fake_hub_answer_set (change->answer, name, "\"%s\"", change->value);
}

static void
weaken_etag (const Change *change)
{
  const char *names[] = {"ETag", "X-Linked-Etag"};
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *old = g_strdup (fake_hub_answer_peek (change->answer, names[i]));
    if (old != NULL)
      fake_hub_answer_set (change->answer, names[i], "W/%s", old);
  }
}

static void
flip_byte (const Change *change)
{
  gsize n = 0, at = get_number (change);
  const guint8 *bytes = g_bytes_get_data (change->answer->body, &n);
  guint8 *copy = g_memdup2 (bytes, n);
  if (at < n)
    copy[at] ^= 1;
  g_bytes_unref (change->answer->body);
  change->answer->body = g_bytes_new_take (copy, n);
}

static void
shorten_body (const Change *change)
{
  GBytes *body = change->answer->body;
  change->answer->body = g_bytes_new_from_bytes (body, 0, get_number (change));
  g_bytes_unref (body);
}

static void
compress (const Change *change)
{
  change->answer->gzip = true;
}

static void
send_chunks (const Change *change)
{
  change->answer->chunked = true;
}

static void
send_without_length (const Change *change)
{
  change->answer->close = true;
}

static void
cut_after (const Change *change)
{
  change->answer->cut_after = get_number (change);
}

/* Somewhere in the body: at another place each time, but the same ones in each run of a test. */
static void
cut_anywhere (const Change *change)
{
  gsize n = g_bytes_get_size (change->answer->body);
  static GRand *dice; /* under the hub's lock; kept for good */
  if (dice == NULL)
    dice = g_rand_new_with_seed ((guint32)get_number (change));
  if (n > 0)
    change->answer->cut_after = (gsize)g_rand_int_range (dice, 0, (gint32)MIN (n, G_MAXINT32));
}

static void
stall_after (const Change *change)
{
  change->answer->stall_after = get_number (change);
}

static void
drip (const Change *change)
{
  change->answer->drip = get_number (change);
}

static void
send_head_slowly (const Change *change)
{
  change->answer->head_wait = get_number (change);
}

static void
say_continue (const Change *change)
{
  change->answer->n_continues = get_number (change);
}

static void
hang_up (const Change *change)
{
  change->answer->hang_up = true;
}

static void
ignore_range (const Change *change)
{
  change->answer->ranges = false;
}

static void
start_elsewhere (const Change *change)
{
  change->answer->wrong_start = true;
}

static void
refuse_range (const Change *change)
{
  change->answer->unsatisfiable = true;
}

static const struct {
  const char *name;
  void (*apply) (const Change *change);
  const char *value; /* what it is given, or NULL */
} behaviours[] = {
    /* another answer altogether */
    {"status", set_status, "number"},
    {"token", want_token, "the one that opens a gated repository"},
    {"redirect", redirect, "URL"},
    {"redirect-loop", redirect_to_itself, NULL},
    {"hang-up", hang_up, NULL},
    /* headers */
    {"header", set_header, "Name: value"},
    {"drop-header", drop_header, "Name"},
    {"etag", set_etag, "identifier"},
    {"weak-etag", weaken_etag, NULL},
    {"length", lie_about_length, "bytes in Content-Length"},
    {"size-zero", say_size_zero, NULL},
    /* the body */
    {"body", set_body, "text"},
    {"flip", flip_byte, "place of a byte that is wrong"},
    {"short", shorten_body, "bytes that the file has now"},
    {"gzip", compress, NULL},
    {"chunked", send_chunks, NULL},
    {"no-length", send_without_length, NULL},
    /* how it arrives */
    {"cut", cut_after, "bytes before the connection ends"},
    {"cut-anywhere", cut_anywhere, "seed"},
    {"stall", stall_after, "bytes before nothing more comes"},
    {"drip", drip, "bytes each 10 ms"},
    {"slow-head", send_head_slowly, "ms before each byte of the headers"},
    {"continue", say_continue, "how often 100 Continue comes before the answer, every 10 ms"},
    /* Range */
    {"range-ignored", ignore_range, NULL},
    {"range-elsewhere", start_elsewhere, NULL},
    {"range-refused", refuse_range, NULL},
};

static size_t
find_behaviour (const char *text, const char **value)
{
  size_t length = strcspn (text, "=");
  *value = text[length] == '=' ? text + length + 1 : "";
  for (size_t i = 0; i < G_N_ELEMENTS (behaviours); i++)
    if (strlen (behaviours[i].name) == length && strncmp (behaviours[i].name, text, length) == 0) {
      if ((behaviours[i].value != NULL) != (text[length] == '='))
        g_error ("fake hub: %s: wanted a value: %s", text,
                 behaviours[i].value != NULL ? behaviours[i].value : "none");
      return i;
    }
  g_error ("fake hub: there is no behaviour %s", text);
}

void
fake_hub_rule_free (void *data)
{
  HubRule *rule = data;
  g_free (rule->method);
  g_free (rule->pattern);
  g_strfreev (rule->behaviours);
  g_free (rule);
}

void
fake_hub_add_rule (FakeHub *hub, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", 3);
  if (g_strv_length (words) < 3)
    g_error ("fake hub: the rule \"%s\" has too few words", text);
  HubRule *rule = g_new0 (HubRule, 1);
  rule->method = g_strdup (words[0]);
  rule->pattern = g_strdup (words[1]);
  rule->n_left = -1;
  const char *rest = words[2];
  if (rest[0] == 'x' && g_ascii_isdigit (rest[1])) {
    rule->n_left = atoi (rest + 1);
    rule->n_skipped = atoi (rest + strcspn (rest, "+ ") + 1);
    rest = strchr (rest, ' ');
    if (rest == NULL)
      g_error ("fake hub: the rule \"%s\" says nothing to do", text);
    rest++;
  }
  rule->behaviours = g_strsplit (rest, " | ", -1);
  for (char **behaviour = rule->behaviours; *behaviour != NULL; behaviour++) {
    const char *value;
    find_behaviour (*behaviour, &value);
  }
  g_mutex_lock (&hub->lock);
  g_ptr_array_add (hub->rules, rule);
  g_mutex_unlock (&hub->lock);
}

void
fake_hub_clear_rules (FakeHub *hub)
{
  g_mutex_lock (&hub->lock);
  g_ptr_array_set_size (hub->rules, 0);
  g_mutex_unlock (&hub->lock);
}

void
fake_hub_misbehave (FakeHub *hub, const HubRequest *request, HubAnswer *answer)
{
  for (guint i = 0; i < hub->rules->len; i++) {
    HubRule *rule = g_ptr_array_index (hub->rules, i);
    if (rule->n_left == 0 || !g_pattern_match_simple (rule->method, request->method) ||
        !g_pattern_match_simple (rule->pattern, request->path))
      continue;
    if (rule->n_skipped > 0) {
      rule->n_skipped--;
      continue;
    }
    if (rule->n_left > 0)
      rule->n_left--;
    for (char **text = rule->behaviours; *text != NULL; text++) {
      Change change = {request, answer, NULL};
      size_t index = find_behaviour (*text, &change.value);
      behaviours[index].apply (&change);
    }
  }
}
