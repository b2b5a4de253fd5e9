/* SPDX-License-Identifier: MIT */
/* What a well-behaved hub answers: model information, listings, files, redirects and refusals. */
#include "fake-hub-private.h"

#include "attn/quote.h"

#include <stdlib.h>
#include <string.h>

const char *
fake_hub_request_peek (const HubRequest *request, const char *name)
{
  size_t length = strlen (name);
  for (char **line = request->lines; *line != NULL; line++)
    if (g_ascii_strncasecmp (*line, name, length) == 0 && (*line)[length] == ':')
      return g_strchug (*line + length + 1);
  return NULL;
}

void
fake_hub_answer_clear (HubAnswer *answer)
{
  g_clear_pointer (&answer->headers, g_ptr_array_unref);
  g_clear_pointer (&answer->body, g_bytes_unref);
}

const char *
fake_hub_answer_peek (const HubAnswer *answer, const char *name)
{
  size_t length = strlen (name);
  for (guint i = 0; i < answer->headers->len; i++) {
    const char *line = g_ptr_array_index (answer->headers, i);
    if (g_ascii_strncasecmp (line, name, length) == 0 && line[length] == ':')
      return line + length + 2;
  }
  return NULL;
}

void
fake_hub_answer_drop (HubAnswer *answer, const char *name)
{
  for (const char *value; (value = fake_hub_answer_peek (answer, name)) != NULL;)
    for (guint i = 0; i < answer->headers->len; i++)
      if ((const char *)g_ptr_array_index (answer->headers, i) + strlen (name) + 2 == value) {
        g_ptr_array_remove_index (answer->headers, i);
        break;
      }
}

void
fake_hub_answer_set (HubAnswer *answer, const char *name, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *value = g_strdup_vprintf (format, args);
  va_end (args);
  fake_hub_answer_drop (answer, name);
  g_ptr_array_add (answer->headers, g_strconcat (name, ": ", value, NULL));
}

void
fake_hub_answer_set_text (HubAnswer *answer, guint status, const char *text)
{
  answer->status = status;
  answer->ranges = false;
  g_clear_pointer (&answer->body, g_bytes_unref);
  answer->body = g_bytes_new (text, strlen (text));
  g_ptr_array_set_size (answer->headers, 0);
}

static void
refuse (HubAnswer *answer, guint status, const char *code, const char *message)
{
  fake_hub_answer_set_text (answer, status, message);
  if (code != NULL)
    fake_hub_answer_set (answer, "X-Error-Code", "%s", code);
  fake_hub_answer_set (answer, "X-Error-Message", "%s", message);
}

static void
give_json (HubAnswer *answer, const GString *json)
{
  g_clear_pointer (&answer->body, g_bytes_unref);
  answer->body = g_bytes_new (json->str, json->len);
  fake_hub_answer_set (answer, "Content-Type", "application/json");
}

static void
describe_model (HubModel *model, HubAnswer *answer)
{
  g_autoptr (GString) json = g_string_new (NULL);
  g_string_append_printf (json,
                          "{\"id\":\"%s\",\"sha\":\"%s\",\"private\":false,\"gated\":false,"
                          "\"disabled\":false,\"siblings\":[",
                          model->repo, model->commit);
  for (guint i = 0; i < model->files->len; i++) {
    const HubFile *file = g_ptr_array_index (model->files, i);
    g_string_append (json, i > 0 ? ",{\"rfilename\":" : "{\"rfilename\":");
    attn_quote_json (json, file->path, strlen (file->path));
    g_string_append_c (json, '}');
  }
  g_string_append (json, "]}");
  give_json (answer, json);
}

static void
append_entry (GString *json, const HubFile *file)
{
  size_t size = g_bytes_get_size (file->bytes);
  g_string_append (json, json->len > 1 ? ",{\"type\":\"file\",\"path\":"
                                       : "{\"type\":\"file\",\"path\":");
  attn_quote_json (json, file->path, strlen (file->path));
  g_string_append_printf (json, ",\"size\":%zu", size);
  if (file->sha256 != NULL)
    g_string_append_printf (json,
                            ",\"oid\":\"%040x\",\"lfs\":{\"oid\":\"%s\",\"size\":%zu,"
                            "\"pointerSize\":134}}",
                            1, file->sha256, size);
  else
    g_string_append_printf (json, ",\"oid\":\"%s\"}", file->sha1);
}

/* One page of the list, and the next one's address. */
static void
list_files (FakeHub *hub, const HubRequest *request, HubModel *model, HubAnswer *answer)
{
  const char *cursor = request->query == NULL ? NULL : strstr (request->query, "cursor=");
  guint first = cursor == NULL ? 0 : (guint)atoi (cursor + strlen ("cursor="));
  g_autoptr (GString) json = g_string_new ("[");
  if (first == 0)
    g_string_append_printf (
        json, "{\"type\":\"directory\",\"path\":\"onnx\",\"size\":0,\"oid\":\"%040x\"}", 2);
  guint end = MIN (model->files->len, first + (guint)hub->page_size);
  for (guint i = first; i < end; i++)
    append_entry (json, g_ptr_array_index (model->files, i));
  g_string_append_c (json, ']');
  give_json (answer, json);
  if (end < model->files->len)
    fake_hub_answer_set (answer, "Link",
                         "<%s/api/models/%s/tree/%s?recursive=true&cursor=%u>; rel=\"next\"",
                         hub->urls[0], model->repo, model->commit, end);
}

static void
give_file (HubFile *file, HubAnswer *answer)
{
  g_clear_pointer (&answer->body, g_bytes_unref);
  answer->body = g_bytes_ref (file->bytes);
  answer->ranges = true;
  fake_hub_answer_set (answer, "ETag", "\"%s\"", file->sha256 != NULL ? file->sha256 : file->sha1);
  fake_hub_answer_set (answer, "Accept-Ranges", "bytes");
}

static void
resolve_file (FakeHub *hub, HubModel *model, HubFile *file, HubAnswer *answer)
{
  if (file->sha256 == NULL) {
    give_file (file, answer);
  } else {
    g_autofree char *path = g_uri_escape_string (file->path, "/", FALSE);
    fake_hub_answer_set_text (answer, 302, "Found. Redirecting to another host\n");
    fake_hub_answer_set (answer, "Location", "%s/files/%s/%s/%s?signed=yes", hub->urls[1],
                         model->repo, model->commit, path);
    fake_hub_answer_set (answer, "X-Linked-Etag", "\"%s\"", file->sha256);
    fake_hub_answer_set (answer, "X-Linked-Size", "%zu", (size_t)g_bytes_get_size (file->bytes));
    fake_hub_answer_set (answer, "ETag", "\"%040x\"", 1); /* of the pointer, not of the file */
  }
  fake_hub_answer_set (answer, "X-Repo-Commit", "%s", model->commit);
}

/* What stands behind @mark in a path, cut off there; NULL where it does not occur. */
static char *
split_at (char *path, const char *mark)
{
  char *found = strstr (path, mark);
  if (found == NULL)
    return NULL;
  *found = '\0';
  return found + strlen (mark);
}

/* A repository's part of the path, its revision and the rest behind that. */
typedef struct {
  char *repo, *revision, *rest;
  bool is_api, is_tree;
} Target;

/* Revisions may hold slashes once decoded, so the path is taken apart as it was sent. */
static bool
parse_target (char *sent, Target *target)
{
  *target = (Target){0};
  sent[strcspn (sent, "?")] = '\0';
  target->is_api = g_str_has_prefix (sent, "/api/models/");
  target->repo = sent + (target->is_api ? strlen ("/api/models/") : 1);
  if (target->is_api) {
    target->revision = split_at (target->repo, "/tree/");
    target->is_tree = target->revision != NULL;
    if (!target->is_tree)
      target->revision = split_at (target->repo, "/revision/");
    return true;
  }
  target->revision = split_at (target->repo, "/resolve/");
  target->rest = target->revision == NULL ? NULL : split_at (target->revision, "/");
  return target->rest != NULL;
}

static bool
redirect_renamed (FakeHub *hub, const HubRequest *request, const char *repo, HubAnswer *answer)
{
  for (guint i = 0; i + 1 < hub->renames->len; i += 2) {
    const char *old = g_ptr_array_index (hub->renames, i);
    if (strcmp (old, repo) != 0)
      continue;
    const char *at = strstr (request->target, old);
    g_autofree char *before = g_strndup (request->target, (gsize)(at - request->target));
    fake_hub_answer_set_text (answer, 307, "Temporary Redirect\n");
    fake_hub_answer_set (answer, "Location", "%s%s%s", before,
                         (const char *)g_ptr_array_index (hub->renames, i + 1), at + strlen (old));
    return true;
  }
  return false;
}

static void
answer_hub (FakeHub *hub, const HubRequest *request, HubAnswer *answer)
{
  g_autofree char *sent = g_strdup (request->target);
  Target target;
  if (!parse_target (sent, &target)) {
    refuse (answer, 404, NULL, "Not Found");
    return;
  }
  g_autofree char *revision =
      target.revision == NULL ? NULL : g_uri_unescape_string (target.revision, NULL);
  if (redirect_renamed (hub, request, target.repo, answer))
    return;
  if (fake_hub_find_model (hub, target.repo, NULL) == NULL) {
    refuse (answer, 401, NULL, "Repository not found");
    return;
  }
  HubModel *model = fake_hub_find_model (hub, target.repo, revision);
  g_autofree char *path = target.rest == NULL ? NULL : g_uri_unescape_string (target.rest, NULL);
  HubFile *file = model == NULL || path == NULL ? NULL : fake_hub_find_file (model, path);
  if (model == NULL)
    refuse (answer, 404, "RevisionNotFound", "Invalid rev id");
  else if (target.is_tree)
    list_files (hub, request, model, answer);
  else if (target.is_api)
    describe_model (model, answer);
  else if (file == NULL)
    refuse (answer, 404, "EntryNotFound", "Entry not found");
  else
    resolve_file (hub, model, file, answer);
}

/* /files/REPO/COMMIT/PATH */
static void
answer_files (FakeHub *hub, const HubRequest *request, HubAnswer *answer)
{
  for (guint i = 0; i < hub->models->len; i++) {
    HubModel *model = g_ptr_array_index (hub->models, i);
    g_autofree char *start = g_strdup_printf ("/files/%s/%s/", model->repo, model->commit);
    if (!g_str_has_prefix (request->path, start))
      continue;
    HubFile *file = fake_hub_find_file (model, request->path + strlen (start));
    if (file != NULL) {
      give_file (file, answer);
      return;
    }
  }
  refuse (answer, 403, NULL, "AccessDenied");
}

void
fake_hub_answer_honestly (FakeHub *hub, const HubRequest *request, HubAnswer *answer)
{
  *answer = (HubAnswer){
      .headers = g_ptr_array_new_with_free_func (g_free),
      .status = 200,
      .length = -1,
      .cut_after = G_MAXSIZE,
      .stall_after = G_MAXSIZE,
  };
  if (request->at_files)
    answer_files (hub, request, answer);
  else
    answer_hub (hub, request, answer);
  g_assert (answer->body != NULL);
}
