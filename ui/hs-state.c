/* SPDX-License-Identifier: MIT */
/* A session's choices in a key file, property by property. */
#include "hs-state.h"

#include "hs-arrangement.h"
#include "hs-words.h"

#include <string.h>

#define TEXTS "texts"
#define TEXTS_B "texts-b"
#define MODEL_B "model-b"
#define ATTENTION "attention"
#define ATTENTION_B "attention-b"
#define VIEW "view"
#define MODEL "model"
/* Two properties are more than a number or a name. */
#define ARRANGEMENT "arrangement"
#define WORDS "words"

bool
hs_state_has (GParamSpec *pspec)
{
  const GType kind = G_TYPE_FUNDAMENTAL (pspec->value_type);

  if (g_str_equal (pspec->name, ARRANGEMENT) || g_str_equal (pspec->name, WORDS))
    return true;
  if ((pspec->flags & G_PARAM_READWRITE) != G_PARAM_READWRITE || g_str_equal (pspec->name, "dark"))
    return false;
  return kind == G_TYPE_ENUM || kind == G_TYPE_UINT || kind == G_TYPE_DOUBLE ||
         kind == G_TYPE_BOOLEAN;
}

static char *
dup_arrangement (HsSession *session)
{
  g_autoptr (GVariant) parts =
      g_variant_ref_sink (hs_arrangement_to_variant (hs_session_peek_arrangement (session)));
  return g_variant_print (parts, TRUE);
}

/* A part of a pair that is not there would leave nothing to show. */
static void
apply_arrangement (HsSession *session, const char *text)
{
  g_autoptr (GVariant) parts = g_variant_parse (G_VARIANT_TYPE_VARDICT, text, NULL, NULL, NULL);
  const char *pair = hs_side_peek_pair (hs_session_peek_side (session));
  AttnArrangement arrangement;

  if (parts == NULL)
    return;
  arrangement = hs_arrangement_from_variant (parts);
  if (pair == NULL || *pair == '\0')
    arrangement.part = ATTN_PART_ALL;
  hs_session_set_arrangement (session, &arrangement);
}

/* "" for none. */
static char *
dup_words (HsSession *session)
{
  AttnWordList *words = hs_session_peek_words (session);
  return words != NULL ? g_strescape (attn_word_list_peek_path (words), NULL) : g_strdup ("");
}

static void
apply_words (HsSession *session, const char *text)
{
  g_autofree char *path = g_strcompress (text);

  if (*path != '\0')
    hs_words_load_async (session, path, NULL, NULL);
  else
    hs_words_clear (session);
}

/* An enum as its nick, a number in the C locale. */
static char *
dup_value (GObject *object, GParamSpec *pspec)
{
  g_auto (GValue) value = G_VALUE_INIT;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (g_str_equal (pspec->name, ARRANGEMENT))
    return dup_arrangement (HS_SESSION (object));
  if (g_str_equal (pspec->name, WORDS))
    return dup_words (HS_SESSION (object));
  g_value_init (&value, pspec->value_type);
  g_object_get_property (object, pspec->name, &value);
  if (G_IS_PARAM_SPEC_ENUM (pspec)) {
    const GEnumValue *entry =
        g_enum_get_value (G_PARAM_SPEC_ENUM (pspec)->enum_class, g_value_get_enum (&value));
    return g_strdup (entry != NULL ? entry->value_nick : "");
  }
  if (G_IS_PARAM_SPEC_DOUBLE (pspec))
    return g_strdup (g_ascii_dtostr (number, sizeof number, g_value_get_double (&value)));
  if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    return g_strdup (g_value_get_boolean (&value) ? "true" : "false");
  return g_strdup_printf ("%u", g_value_get_uint (&value));
}

static bool
read_value (GParamSpec *pspec, const char *text, GValue *value)
{
  guint64 number;
  char *end;

  g_value_init (value, pspec->value_type);
  if (G_IS_PARAM_SPEC_ENUM (pspec)) {
    const GEnumValue *entry =
        g_enum_get_value_by_nick (G_PARAM_SPEC_ENUM (pspec)->enum_class, text);
    if (entry == NULL)
      return false;
    g_value_set_enum (value, entry->value);
  } else if (G_IS_PARAM_SPEC_DOUBLE (pspec)) {
    g_value_set_double (value, g_ascii_strtod (text, &end));
    if (end == text || *end != '\0')
      return false;
  } else if (G_IS_PARAM_SPEC_BOOLEAN (pspec)) {
    g_value_set_boolean (value, g_str_equal (text, "true"));
  } else {
    if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT, &number, NULL))
      return false;
    g_value_set_uint (value, (guint)number);
  }
  return !g_param_value_validate (pspec, value); /* true would mean that it had to be changed */
}

static void
put_texts (GKeyFile *file, const char *group, HsSide *side)
{
  const char *pair = hs_side_peek_pair (side);

  g_key_file_set_string (file, group, "text", hs_side_peek_text (side));
  if (pair != NULL)
    g_key_file_set_string (file, group, "pair", pair);
}

/* The name of a folder or file may be any bytes; NULL leaves it out. */
static void
put_bytes (GKeyFile *file, const char *group, const char *key, const char *bytes)
{
  g_autofree char *escaped = bytes != NULL ? g_strescape (bytes, NULL) : NULL;

  if (escaped != NULL)
    g_key_file_set_string (file, group, key, escaped);
}

/* Returns: (nullable) */
static char *
dup_bytes (GKeyFile *file, const char *group, const char *key)
{
  g_autofree char *escaped = g_key_file_get_string (file, group, key, NULL);

  return escaped != NULL ? g_strcompress (escaped) : NULL;
}

static void
put_wanted (GKeyFile *file, const char *group, HsSide *side)
{
  const HsAttentionPlace *place = hs_side_peek_wanted (side);

  put_bytes (file, group, "file", place->path);
  put_bytes (file, group, "array", place->array);
  put_bytes (file, group, "tokens", place->tokens);
}

static void
apply_wanted (HsSide *side, GKeyFile *file, const char *group)
{
  HsAttentionPlace place = {
      .path = dup_bytes (file, group, "file"),
      .array = dup_bytes (file, group, "array"),
      .tokens = dup_bytes (file, group, "tokens"),
  };

  hs_side_set_wanted (side, place.path != NULL ? &place : NULL);
  hs_attention_place_clear (&place);
}

/* An example of the lab's is nobody's choice, to be found everywhere the next time. */
static void
put_own_head (GKeyFile *file, HsSession *session)
{
  guint layer, head;
  gboolean chosen;

  hs_session_get_own_head (session, &layer, &head, &chosen);
  g_key_file_set_uint64 (file, VIEW, "layer", layer);
  g_key_file_set_uint64 (file, VIEW, "head", head);
  g_key_file_set_boolean (file, VIEW, "head-chosen", chosen);
}

GBytes *
hs_state_dup (HsSession *session, const char *model)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  HsSide *b = hs_session_peek_side_b (session);
  const char *model_b; /* as it was asked for, also where it could not be had */
  g_autofree GParamSpec **properties = NULL;
  guint n_properties;
  gsize length;
  char *data;

  put_texts (file, TEXTS, hs_session_peek_side (session));
  put_texts (file, TEXTS_B, b);
  put_bytes (file, MODEL, "name", model);
  model_b = hs_side_peek_missed (b) != NULL ? hs_side_peek_missed (b) : hs_side_peek_name (b);
  if (*model_b != '\0')
    put_bytes (file, MODEL_B, "name", model_b);
  put_wanted (file, ATTENTION, hs_session_peek_side (session));
  put_wanted (file, ATTENTION_B, b);
  properties = g_object_class_list_properties (G_OBJECT_GET_CLASS (session), &n_properties);
  for (guint i = 0; i < n_properties; i++) {
    if (hs_state_has (properties[i])) {
      g_autofree char *value = dup_value (G_OBJECT (session), properties[i]);
      g_key_file_set_string (file, VIEW, properties[i]->name, value);
    }
  }
  put_own_head (file, session);
  data = g_key_file_to_data (file, &length, NULL);
  return g_bytes_new_take (data, length);
}

static void
apply_view (HsSession *session, GKeyFile *file)
{
  g_auto (GStrv) names = g_key_file_get_keys (file, VIEW, NULL, NULL);

  for (size_t i = 0; names != NULL && names[i] != NULL; i++) {
    GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (session), names[i]);
    g_autofree char *text = g_key_file_get_string (file, VIEW, names[i], NULL);
    g_auto (GValue) value = G_VALUE_INIT;

    if (text != NULL && g_str_equal (names[i], ARRANGEMENT))
      apply_arrangement (session, text);
    else if (text != NULL && g_str_equal (names[i], WORDS))
      apply_words (session, text);
    else if (pspec != NULL && text != NULL && hs_state_has (pspec) &&
             read_value (pspec, text, &value))
      g_object_set_property (G_OBJECT (session), names[i], &value);
  }
}

/* Without a text of its own B follows A. */
static void
apply_side_b (HsSide *side, GKeyFile *file)
{
  g_autofree char *text = g_key_file_get_string (file, TEXTS_B, "text", NULL);
  g_autofree char *pair = g_key_file_get_string (file, TEXTS_B, "pair", NULL);
  g_autofree char *name = dup_bytes (file, MODEL_B, "name");

  if (text != NULL)
    hs_side_set_texts (side, text, pair);
  hs_side_set_name (side, name);
}

bool
hs_state_apply (HsSession *session, GBytes *bytes, char **model, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *text = NULL, *pair = NULL;
  HsSide *side = hs_session_peek_side (session);

  if (!g_key_file_load_from_bytes (file, bytes, G_KEY_FILE_NONE, error))
    return false;
  text = g_key_file_get_string (file, TEXTS, "text", error);
  if (text == NULL)
    return false;
  pair = g_key_file_get_string (file, TEXTS, "pair", NULL);
  g_object_freeze_notify (G_OBJECT (session));
  hs_side_set_texts (side, text, pair);
  apply_wanted (side, file, ATTENTION);
  apply_side_b (hs_session_peek_side_b (session), file);
  apply_wanted (hs_session_peek_side_b (session), file, ATTENTION_B);
  apply_view (session, file);
  g_object_thaw_notify (G_OBJECT (session));
  *model = dup_bytes (file, MODEL, "name");
  return true;
}
