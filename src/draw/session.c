/* SPDX-License-Identifier: MIT */
/* A session's life, and its file from the outside in. */
#include "attn-draw/session.h"

#include "hs-build.h"
#include "session-fields.h"

#include "attn/error.h"
#include "attn/output.h"
#include "attn/quote.h"

#include <string.h>

#define FORMAT "headscope-session"
#define VERSION 1
#define MAX_FILE_BYTES (16u << 20)
#define DEFAULT_SCALE 2

AttnDrawSession *
attn_draw_session_new (void)
{
  AttnDrawSession *session = g_new0 (AttnDrawSession, 1);
  session->a.model = g_strdup ("demo");
  session->a.text = g_strdup ("");
  session->view = attn_draw_view_new ();
  session->format = ATTN_DRAW_PNG;
  session->scale = DEFAULT_SCALE;
  session->language = "en";
  session->magnification = 1;
  session->lab_place.row = session->lab_place.column = G_MAXSIZE;
  session->ablation = (AttnAblationAsked)ATTN_ABLATION_ASKED;
  session->warnings = g_ptr_array_new_with_free_func (g_free);
  return session;
}

static void
replace (char **field, const char *value)
{
  g_free (*field);
  *field = g_strdup (value);
}

/* Returns: (transfer none): the static name of a language that pictures are known in. */
static const char *
find_language (const char *name)
{
  static const char *const known[] = {"en", "zh_TW", "zh_CN"};
  for (size_t i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_strcmp0 (name, known[i]) == 0)
      return known[i];
  return known[0];
}

static void
take_arrays (AttnDrawSessionSide *side, const AttnDrawArrays *arrays)
{
  if (arrays->attention == NULL)
    return;
  replace (&side->model, NULL);
  replace (&side->attention, arrays->attention);
  replace (&side->array, arrays->array);
  replace (&side->tokens, arrays->tokens);
  replace (&side->token_list, arrays->token_list);
  replace (&side->key_list, arrays->key_list);
}

static AttnDrawArrays
peek_arrays (const AttnDrawSessionSide *side)
{
  return (AttnDrawArrays){side->attention, side->array, side->tokens, side->token_list,
                          side->key_list};
}

AttnDrawSession *
attn_draw_session_new_from_picture (const AttnDrawPicture *picture)
{
  AttnDrawSession *session = attn_draw_session_new ();
  if (picture->model != NULL)
    replace (&session->a.model, picture->model);
  replace (&session->a.model_name, picture->model_name);
  replace (&session->a.weights_sha256, picture->weights_sha256);
  replace (&session->a.text, picture->text);
  replace (&session->a.pair, picture->pair);
  session->a.max_tokens = picture->max_tokens;
  take_arrays (&session->a, &picture->arrays);
  if (picture->view->kind == ATTN_DRAW_COMPARE) {
    replace (&session->b.model, picture->model_b);
    replace (&session->b.model_name, picture->model_name_b);
    replace (&session->b.weights_sha256, picture->weights_sha256_b);
    replace (&session->b.text, picture->text_b);
    replace (&session->b.pair, picture->pair_b);
    session->b.max_tokens = picture->max_tokens;
    take_arrays (&session->b, &picture->arrays_b);
  }
  attn_draw_view_free (session->view);
  session->view = attn_draw_view_copy (picture->view);
  session->format = picture->format;
  session->scale = picture->scale;
  session->page = picture->page;
  session->language = find_language (picture->language);
  return session;
}

static void
clear_side (AttnDrawSessionSide *side)
{
  g_free (side->model);
  g_free (side->model_name);
  g_free (side->weights_sha256);
  g_free (side->text);
  g_free (side->pair);
  g_free (side->attention);
  g_free (side->array);
  g_free (side->tokens);
  g_free (side->token_list);
  g_free (side->key_list);
}

void
attn_draw_session_free (AttnDrawSession *session)
{
  if (session == NULL)
    return;
  clear_side (&session->a);
  clear_side (&session->b);
  attn_draw_view_free (session->view);
  attn_ablation_asked_clear (&session->ablation);
  g_ptr_array_unref (session->warnings);
  g_free (session);
}

AttnDrawPicture
attn_draw_session_to_picture (const AttnDrawSession *session)
{
  return (AttnDrawPicture){
      .view = session->view,
      .model = session->a.model,
      .model_name = session->a.model_name,
      .weights_sha256 = session->a.weights_sha256,
      .text = session->a.text,
      .pair = session->a.pair,
      .arrays = peek_arrays (&session->a),
      .model_b = session->b.model,
      .model_name_b = session->b.model_name,
      .weights_sha256_b = session->b.weights_sha256,
      .text_b = session->b.text != NULL ? session->b.text : session->a.text,
      .pair_b = session->b.text != NULL ? session->b.pair : session->a.pair,
      .arrays_b = peek_arrays (
          session->b.attention != NULL || session->b.text != NULL ? &session->b : &session->a),
      .max_tokens = session->a.max_tokens,
      .language = session->language,
      .format = session->format,
      .scale = session->scale,
      .page = session->page,
  };
}

/* ---- reading ---- */

static bool refuse (GError **error, AttnError code, const char *path, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

static bool
refuse (GError **error, AttnError code, const char *path, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, ATTN_ERROR, code, "%s: %s", path, message);
  return false;
}

/* What tells that this is a session, and of a version we know. */
static bool
check_head (json_t *root, const char *path, GError **error)
{
  const char *format = NULL;
  size_t version = 0;
  if (!attn_json_get_string (root, "format", NULL, &format, path, error))
    return false;
  if (g_strcmp0 (format, FORMAT) != 0)
    return refuse (error, ATTN_ERROR_FORMAT, path,
                   "this is no session of Headscope: wanted is the field format with the string "
                   "\"" FORMAT "\"");
  if (!attn_json_get_size (root, "version", 1, 1000000, 0, &version, path, error))
    return false;
  if (version == 0)
    return refuse (error, ATTN_ERROR_FORMAT, path, "version: found none, wanted %d", VERSION);
  if (version > VERSION)
    return refuse (error, ATTN_ERROR_UNSUPPORTED, path,
                   "version: found %zu, wanted %d: a newer Headscope wrote it", version, VERSION);
  return true;
}

static bool
read_object (const AttnDrawFieldReader *file,
             json_t *root,
             const char *key,
             const AttnDrawField *fields,
             void *base,
             GError **error)
{
  json_t *object = json_object_get (root, key);
  if (object == NULL || json_is_null (object))
    return true;
  if (!json_is_object (object))
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, file->place, key, object, "an object");
  g_autofree char *place = g_strdup_printf ("%s: %s", file->place, key);
  /* where the window stands is no part of a picture */
  const bool forgives_words = fields == attn_draw_window_fields;
  AttnDrawFieldReader reader = {place, file->folder, file->warnings, forgives_words};
  return attn_draw_fields_read (&reader, object, fields, base, error);
}

static void
warn_of_unknown (const AttnDrawFieldReader *file, json_t *root)
{
  static const char *const known[] = {"format", "version", "program", "a",
                                      "b",      "view",    "export",  "window"};
  for (void *at = json_object_iter (root); at != NULL; at = json_object_iter_next (root, at)) {
    const char *key = json_object_iter_key (at);
    bool is_known = false;
    for (size_t i = 0; i < G_N_ELEMENTS (known); i++)
      is_known |= strcmp (key, known[i]) == 0;
    if (!is_known)
      attn_draw_fields_warn (file, key);
  }
}

static bool
check_hash (const AttnDrawSessionSide *side, const char *name, const char *path, GError **error)
{
  const char *hash = side->weights_sha256;
  if (hash == NULL || strspn (hash, "0123456789abcdef") == strlen (hash))
    return true;
  return refuse (error, ATTN_ERROR_SHAPE, path,
                 "%s: weights_sha256: found the string \"%s\", wanted 64 hexadecimal digits", name,
                 hash);
}

/* A session that was moved together with its files: where one is not at its path any more, the one
 * of its name beside the session stands for it. */
static void
find_beside (const AttnDrawFieldReader *file, char **path)
{
  if (*path == NULL || g_file_test (*path, G_FILE_TEST_EXISTS))
    return;
  g_autofree char *name = g_path_get_basename (*path);
  g_autofree char *beside = g_build_filename (file->folder, name, NULL);
  if (!g_file_test (beside, G_FILE_TEST_EXISTS))
    return;
  g_autofree char *shown = attn_file_dup_shown (*path, strlen (*path));
  g_ptr_array_add (file->warnings,
                   g_strdup_printf ("%s: %s is not there; the file of this name beside the session "
                                    "was taken",
                                    file->place, shown));
  replace (path, beside);
}

void
attn_draw_session_fit (const char *field, size_t n, size_t *index, GPtrArray *warnings)
{
  if (*index < n)
    return;
  g_ptr_array_add (warnings, g_strdup_printf ("%s: found %zu, but the last is %zu now; it is shown",
                                              field, *index + 1, n));
  *index = n - 1;
}

void
attn_draw_session_fit_heads (size_t n, AttnArrangement *arrangement, GPtrArray *warnings)
{
  size_t head = n;
  while (head < ATTN_HEAD_SET_MAX && !attn_head_set_has (&arrangement->heads, head))
    head++;
  if (attn_head_set_is_empty (&arrangement->heads) || head >= ATTN_HEAD_SET_MAX)
    return;
  attn_arrangement_limit_heads (arrangement, n);
  const bool takes_all = attn_head_set_is_empty (&arrangement->heads);
  g_ptr_array_add (
      warnings, takes_all
                    ? g_strdup_printf ("%s: %s: found %zu, but the last is %zu now; all are taken",
                                       "arrangement", "heads", head + 1, n)
                    : g_strdup_printf ("%s: %s: found %zu, but the last is %zu now; it is left out",
                                       "arrangement", "heads", head + 1, n));
}

static void
fit_pin (const char *field, size_t n, const char *what, size_t *pin, GPtrArray *warnings)
{
  if (*pin == G_MAXSIZE || *pin < n)
    return;
  g_ptr_array_add (warnings,
                   g_strdup_printf ("pin: %s: found %zu, but there are %s 0 to %zu now; it is "
                                    "not pinned",
                                    field, *pin, what, n - 1));
  *pin = G_MAXSIZE;
}

void
attn_draw_session_fit_place (size_t n_queries,
                             size_t n_keys,
                             AttnDrawView *view,
                             GPtrArray *warnings)
{
  const AttnDrawCrop *crop = &view->crop;

  fit_pin ("query", n_queries, "rows", &view->pin_query, warnings);
  fit_pin ("key", n_keys, "columns", &view->pin_key, warnings);
  view->has_pin = view->pin_query != G_MAXSIZE || view->pin_key != G_MAXSIZE;
  if (crop->first_query + crop->n_queries <= n_queries && crop->first_key + crop->n_keys <= n_keys)
    return;
  g_ptr_array_add (
      warnings, g_strdup_printf ("crop: found rows up to %zu and columns up to %zu, but there are "
                                 "%zu and %zu now; all are shown",
                                 crop->first_query + crop->n_queries,
                                 crop->first_key + crop->n_keys, n_queries, n_keys));
  view->crop = (AttnDrawCrop){0};
}

static AttnDrawSession *
read_root (json_t *root, const char *path, GError **error)
{
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  if (!check_head (root, shown, error))
    return NULL;
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (absolute);
  g_autoptr (AttnDrawSession) session = attn_draw_session_new ();
  AttnDrawFieldReader file = {shown, folder, session->warnings, false};
  AttnDrawView *view = session->view;
  if (!read_object (&file, root, "a", attn_draw_side_fields, &session->a, error) ||
      !read_object (&file, root, "b", attn_draw_side_fields, &session->b, error) ||
      !read_object (&file, root, "view", attn_draw_view_fields, view, error) ||
      !read_object (&file, root, "export", attn_draw_session_fields, session, error) ||
      !read_object (&file, root, "window", attn_draw_window_fields, session, error) ||
      !check_hash (&session->a, "a", shown, error) || !check_hash (&session->b, "b", shown, error))
    return NULL;
  warn_of_unknown (&file, root);
  AttnDrawSessionSide *const sides[] = {&session->a, &session->b};
  for (size_t i = 0; i < G_N_ELEMENTS (sides); i++) {
    find_beside (&file, &sides[i]->attention);
    find_beside (&file, &sides[i]->tokens);
  }
  view->has_pin = view->pin_query != G_MAXSIZE || view->pin_key != G_MAXSIZE;
  return g_steal_pointer (&session);
}

AttnDrawSession *
attn_draw_session_load_bytes (const char *bytes, size_t n_bytes, const char *path, GError **error)
{
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  g_autoptr (json_t) root = attn_json_load_bytes (bytes, n_bytes, shown, error);
  return root == NULL ? NULL : read_root (root, path, error);
}

AttnDrawSession *
attn_draw_session_load (const char *path, GError **error)
{
  g_autoptr (json_t) root = attn_json_load_file (path, MAX_FILE_BYTES, error);
  return root == NULL ? NULL : read_root (root, path, error);
}

/* ---- writing ---- */

static void
append_object (GString *json, const char *key, const AttnDrawField *fields, const void *base)
{
  g_string_append_printf (json, ",\n  \"%s\": ", key);
  attn_draw_fields_write (json, fields, base, 1);
}

char *
attn_draw_session_dup_json (const AttnDrawSession *session)
{
  GString *json = g_string_new (NULL);
  g_string_append_printf (json, "{\n  \"format\": \"" FORMAT "\",\n  \"version\": %d", VERSION);
  g_string_append (json, ",\n  \"program\": \"Headscope " HS_VERSION "\"");
  append_object (json, "a", attn_draw_side_fields, &session->a);
  if (session->b.text != NULL || session->b.attention != NULL)
    append_object (json, "b", attn_draw_side_fields, &session->b);
  append_object (json, "view", attn_draw_view_fields, session->view);
  append_object (json, "export", attn_draw_session_fields, session);
  append_object (json, "window", attn_draw_window_fields, session);
  g_string_append (json, "\n}\n");
  return g_string_free (json, FALSE);
}

bool
attn_draw_session_save (const AttnDrawSession *session, const char *path, GError **error)
{
  g_autofree char *json = attn_draw_session_dup_json (session);
  g_autoptr (AttnOutput) output = attn_output_open (path, error);
  return output != NULL && attn_output_write (output, json, strlen (json), error) &&
         attn_output_commit (output, error);
}
