/* SPDX-License-Identifier: MIT */
/* Templates: BERT's, RoBERTa's, and those written out in the file. */
#include "post-processor.h"

#include "file.h"
#include "step-reader.h"

#include "attn/error.h"

#include <math.h>
#include <string.h>

enum { MAX_TEMPLATE_ITEMS = 1000 };

void
attn_template_add_token (GArray *items, int32_t id, int32_t type_id)
{
  AttnTemplateItem item = {.sequence = -1, .id = id, .type_id = type_id};
  g_array_append_val (items, item);
}

void
attn_template_add_text (GArray *items, int sequence, int32_t type_id)
{
  AttnTemplateItem item = {.sequence = sequence, .id = -1, .type_id = type_id};
  g_array_append_val (items, item);
}

static void
clear_templates (AttnTokenizerParts *parts)
{
  g_array_set_size (parts->single, 0);
  g_array_set_size (parts->pair, 0);
}

void
attn_post_processor_init_bert (AttnTokenizerParts *parts, int32_t cls_id, int32_t sep_id)
{
  GArray *items[] = {parts->single, parts->pair};
  clear_templates (parts);
  for (size_t i = 0; i < G_N_ELEMENTS (items); i++) {
    attn_template_add_token (items[i], cls_id, 0);
    attn_template_add_text (items[i], 0, 0);
    attn_template_add_token (items[i], sep_id, 0);
  }
  attn_template_add_text (parts->pair, 1, 1);
  attn_template_add_token (parts->pair, sep_id, 1);
}

void
attn_post_processor_init_roberta (AttnTokenizerParts *parts, int32_t cls_id, int32_t sep_id)
{
  attn_post_processor_init_bert (parts, cls_id, sep_id);
  g_array_set_size (parts->pair, parts->single->len);
  attn_template_add_token (parts->pair, sep_id, 0);
  attn_template_add_text (parts->pair, 1, 0);
  attn_template_add_token (parts->pair, sep_id, 0);
}

void
attn_post_processor_init_plain (AttnTokenizerParts *parts)
{
  if (parts->single->len == 0)
    attn_template_add_text (parts->single, 0, 0);
  if (parts->pair->len > 0)
    return;
  attn_template_add_text (parts->pair, 0, 0);
  attn_template_add_text (parts->pair, 1, 1);
}

/* An id that the vocabulary has. */
static bool
read_id (
    json_t *value, const char *key, int32_t *id, const AttnStepContext *context, GError **error)
{
  const AttnTokenizerParts *parts = context->target;
  double number = json_number_value (value);
  bool is_id = json_is_number (value) && number >= 0 && number <= G_MAXINT32 &&
               floor (number) == number && attn_vocab_peek (parts->vocab, (int32_t)number) != NULL;
  *id = is_id ? (int32_t)number : -1;
  if (is_id)
    return true;
  g_autofree char *place = g_strdup_printf ("%s: %s", context->path, context->section);
  json_t *found = value == NULL ? json_null () : value;
  return attn_json_refuse (error, ATTN_ERROR_FORMAT, place, key, found,
                           "the id of a token in the vocabulary");
}

static bool
read_cls_sep (
    json_t *step, int32_t *cls_id, int32_t *sep_id, const AttnStepContext *context, GError **error)
{
  return read_id (json_array_get (json_object_get (step, "cls"), 1), "cls", cls_id, context,
                  error) &&
         read_id (json_array_get (json_object_get (step, "sep"), 1), "sep", sep_id, context, error);
}

static bool
read_bert (json_t *step, const AttnStepContext *context, GError **error)
{
  int32_t cls_id, sep_id;
  if (!read_cls_sep (step, &cls_id, &sep_id, context, error))
    return false;
  attn_post_processor_init_bert (context->target, cls_id, sep_id);
  return true;
}

static bool
read_trim (json_t *step, const AttnStepContext *context, GError **error)
{
  AttnTokenizerParts *parts = context->target;
  return attn_step_get_bool (step, "trim_offsets", true, &parts->trim.trims, context, error) &&
         attn_step_get_bool (step, "add_prefix_space", true, &parts->trim.keeps_prefix, context,
                             error);
}

static bool
read_roberta (json_t *step, const AttnStepContext *context, GError **error)
{
  int32_t cls_id, sep_id;
  if (!read_trim (step, context, error) || !read_cls_sep (step, &cls_id, &sep_id, context, error))
    return false;
  attn_post_processor_init_roberta (context->target, cls_id, sep_id);
  return true;
}

static bool
read_type_id (json_t *object, int32_t *type_id, const AttnStepContext *context, GError **error)
{
  size_t value;
  g_autofree char *place = g_strdup_printf ("%s: %s", context->path, context->section);
  if (!attn_json_get_size (object, "type_id", 0, G_MAXINT32, 0, &value, place, error))
    return false;
  *type_id = (int32_t)value;
  return true;
}

static bool
refuse_item (const AttnStepContext *context, const char *key, GError **error)
{
  return attn_file_refuse (context->path, ATTN_ERROR_FORMAT, error,
                           "%s: %s: found an item that is neither the sequence A or B nor a token "
                           "with ids under special_tokens",
                           context->section, key);
}

static bool
add_special (json_t *special,
             json_t *tokens,
             const char *key,
             GArray *items,
             const AttnStepContext *context,
             GError **error)
{
  const char *name = json_string_value (json_object_get (special, "id"));
  json_t *ids = name == NULL ? NULL : json_object_get (json_object_get (tokens, name), "ids");
  json_t *value;
  int32_t type_id;
  size_t index;
  if (!json_is_array (ids)) {
    g_autofree char *shown =
        attn_file_dup_shown (name == NULL ? "" : name, name == NULL ? 0 : strlen (name));
    return attn_file_refuse (context->path, ATTN_ERROR_FORMAT, error,
                             "%s: %s names the token \"%s\", which has no ids under special_tokens",
                             context->section, key, shown);
  }
  if (!read_type_id (special, &type_id, context, error))
    return false;
  json_array_foreach (ids, index, value)
  {
    int32_t id;
    if (!read_id (value, "special_tokens", &id, context, error))
      return false;
    attn_template_add_token (items, id, type_id);
  }
  return true;
}

static bool
add_item (json_t *item,
          json_t *tokens,
          const char *key,
          GArray *items,
          const AttnStepContext *context,
          GError **error)
{
  json_t *special = json_object_get (item, "SpecialToken");
  json_t *sequence = json_object_get (item, "Sequence");
  const char *name = json_string_value (json_object_get (sequence, "id"));
  int32_t type_id;
  if (special != NULL)
    return add_special (special, tokens, key, items, context, error);
  if (name == NULL || (!g_str_equal (name, "A") && !g_str_equal (name, "B")))
    return refuse_item (context, key, error);
  if (!read_type_id (sequence, &type_id, context, error))
    return false;
  attn_template_add_text (items, name[0] - 'A', type_id);
  return true;
}

/* Each text once, so that every token has one place. */
static bool
check_texts (const GArray *items,
             const char *key,
             size_t n_texts,
             const AttnStepContext *context,
             GError **error)
{
  size_t n_found[2] = {0};
  for (guint i = 0; i < items->len; i++) {
    int sequence = g_array_index (items, AttnTemplateItem, i).sequence;
    if (sequence >= 0)
      n_found[sequence]++;
  }
  if (n_found[0] == 1 && n_found[1] == n_texts - 1 && items->len <= MAX_TEMPLATE_ITEMS)
    return true;
  return attn_file_refuse (context->path, ATTN_ERROR_UNSUPPORTED, error,
                           "%s: %s has the text A %zu times and B %zu times among %u items, wanted "
                           "%s and at most %d items",
                           context->section, key, n_found[0], n_found[1], items->len,
                           n_texts == 1 ? "A once" : "each once", MAX_TEMPLATE_ITEMS);
}

static bool
read_template (json_t *step, const AttnStepContext *context, GError **error)
{
  AttnTokenizerParts *parts = context->target;
  json_t *tokens = json_object_get (step, "special_tokens"), *item;
  GArray *templates[] = {parts->single, parts->pair};
  const char *keys[] = {"single", "pair"};
  clear_templates (parts);
  for (size_t i = 0; i < G_N_ELEMENTS (templates); i++) {
    json_t *list = json_object_get (step, keys[i]);
    size_t index;
    json_array_foreach (list, index, item)
    {
      if (!add_item (item, tokens, keys[i], templates[i], context, error))
        return false;
    }
    if (!check_texts (templates[i], keys[i], i + 1, context, error))
      return false;
  }
  return true;
}

bool
attn_post_processor_read (json_t *value,
                          AttnTokenizerParts *parts,
                          const char *path,
                          GError **error)
{
  static const AttnStepReader readers[] = {
      {"TemplateProcessing", read_template},
      {"BertProcessing", read_bert},
      {"RobertaProcessing", read_roberta},
      {"ByteLevel", read_trim},
  };
  AttnStepContext context = {.path = path, .section = "post_processor", .target = parts};
  if (!attn_steps_read (value, "processors", readers, G_N_ELEMENTS (readers), &context, error))
    return false;
  attn_post_processor_init_plain (parts);
  return true;
}
