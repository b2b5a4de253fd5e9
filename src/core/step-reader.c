/* SPDX-License-Identifier: MIT */
/* Steps by their type. Nesting is bounded by what json.h lets through. */
#include "step-reader.h"

#include "file.h"

#include "attn/error.h"

#include <string.h>

static bool
refuse_type (json_t *type,
             const AttnStepReader *readers,
             size_t n_readers,
             const AttnStepContext *context,
             GError **error)
{
  g_autoptr (GString) known = g_string_new ("one of Sequence");
  g_autofree char *key = g_strdup_printf ("%s: type", context->section);
  for (size_t i = 0; i < n_readers; i++)
    g_string_append_printf (known, ", %s", readers[i].type);
  return attn_json_refuse (error, ATTN_ERROR_UNSUPPORTED, context->path, key, type, known->str);
}

static bool
read_list (json_t *step,
           const char *list,
           const AttnStepReader *readers,
           size_t n_readers,
           const AttnStepContext *context,
           GError **error)
{
  json_t *steps = json_object_get (step, list), *value;
  size_t index;
  if (!json_is_array (steps))
    return attn_file_refuse (context->path, ATTN_ERROR_FORMAT, error,
                             "%s: a Sequence has no list \"%s\"", context->section, list);
  json_array_foreach (steps, index, value)
  {
    if (!attn_steps_read (value, list, readers, n_readers, context, error))
      return false;
  }
  return true;
}

bool
attn_steps_read (json_t *value,
                 const char *list,
                 const AttnStepReader *readers,
                 size_t n_readers,
                 const AttnStepContext *context,
                 GError **error)
{
  if (value == NULL || json_is_null (value))
    return true;
  json_t *type = json_object_get (value, "type");
  if (!json_is_string (type))
    return attn_file_refuse (context->path, ATTN_ERROR_FORMAT, error,
                             "%s: found no type, wanted an object that has one", context->section);
  const char *name = json_string_value (type);
  if (g_str_equal (name, "Sequence"))
    return read_list (value, list, readers, n_readers, context, error);
  for (size_t i = 0; i < n_readers; i++)
    if (g_str_equal (readers[i].type, name))
      return readers[i].read (value, context, error);
  return refuse_type (type, readers, n_readers, context, error);
}

/* "tokenizer.json: normalizer", which stands before a field's name in messages */
static char *
dup_place (const AttnStepContext *context)
{
  return g_strdup_printf ("%s: %s", context->path, context->section);
}

bool
attn_step_get_bool (json_t *step,
                    const char *key,
                    bool fallback,
                    bool *value,
                    const AttnStepContext *context,
                    GError **error)
{
  g_autofree char *place = dup_place (context);
  return attn_json_get_bool (step, key, fallback, value, place, error);
}

bool
attn_step_get_string (json_t *step,
                      const char *key,
                      const char *fallback,
                      const char **value,
                      const AttnStepContext *context,
                      GError **error)
{
  g_autofree char *place = dup_place (context);
  return attn_json_get_string (step, key, fallback, value, place, error);
}

bool
attn_step_get_char (json_t *step,
                    const char *key,
                    gunichar fallback,
                    gunichar *value,
                    const AttnStepContext *context,
                    GError **error)
{
  const char *text = NULL;
  if (!attn_step_get_string (step, key, NULL, &text, context, error))
    return false;
  if (text != NULL && g_utf8_strlen (text, -1) != 1) {
    g_autofree char *place = dup_place (context);
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, place, key, json_object_get (step, key),
                             "one character");
  }
  *value = text == NULL ? fallback : g_utf8_get_char (text);
  return true;
}
