/* SPDX-License-Identifier: MIT */
/* Words and switches over the fields of an arrangement. */
#include "hs-arrangement.h"

#include <math.h>

static const char *const keep_names[] = {
    [ATTN_KEEP_ALL] = "all", [ATTN_KEEP_ABOVE] = "above", [ATTN_KEEP_TOP] = "top"};

static const struct {
  const char *name;
  unsigned flag;
} hidden[] = {{"hide-cls", ATTN_HIDE_CLS},
              {"hide-sep", ATTN_HIDE_SEP},
              {"hide-punctuation", ATTN_HIDE_PUNCTUATION}};

static const HsArrangementPart parts[] = {
    {"unit", G_VARIANT_TYPE_STRING},
    {"part", G_VARIANT_TYPE_STRING},
    {"combine", G_VARIANT_TYPE_STRING},
    {"keep", G_VARIANT_TYPE_STRING},
    {"combine-layers", G_VARIANT_TYPE_BOOLEAN},
    {"hide-cls", G_VARIANT_TYPE_BOOLEAN},
    {"hide-sep", G_VARIANT_TYPE_BOOLEAN},
    {"hide-punctuation", G_VARIANT_TYPE_BOOLEAN},
    {"renormalise", G_VARIANT_TYPE_BOOLEAN},
};

const HsArrangementPart *
hs_arrangement_peek_parts (size_t *n)
{
  *n = G_N_ELEMENTS (parts);
  return parts;
}

static unsigned
find_hidden (const char *name)
{
  for (size_t i = 0; i < G_N_ELEMENTS (hidden); i++)
    if (g_str_equal (name, hidden[i].name))
      return hidden[i].flag;
  return 0;
}

GVariant *
hs_arrangement_get (const AttnArrangement *arrangement, const char *name)
{
  if (g_str_equal (name, "unit"))
    return g_variant_new_string (attn_unit_peek_name (arrangement->unit));
  if (g_str_equal (name, "part"))
    return g_variant_new_string (attn_part_peek_name (arrangement->part));
  if (g_str_equal (name, "combine"))
    return g_variant_new_string (attn_combine_peek_name (arrangement->combine));
  if (g_str_equal (name, "keep"))
    return g_variant_new_string (keep_names[arrangement->keep]);
  if (g_str_equal (name, "combine-layers"))
    return g_variant_new_boolean (arrangement->combine_layers);
  if (g_str_equal (name, "renormalise"))
    return g_variant_new_boolean (arrangement->renormalise);
  g_return_val_if_fail (find_hidden (name) != 0, NULL);
  return g_variant_new_boolean ((arrangement->hide & find_hidden (name)) != 0);
}

/* Numbers that were never chosen get useful ones. */
static bool
set_keep (AttnArrangement *arrangement, const char *word)
{
  size_t keep = 0;
  while (keep < G_N_ELEMENTS (keep_names) && !g_str_equal (word, keep_names[keep]))
    keep++;
  if (keep == G_N_ELEMENTS (keep_names))
    return false;
  arrangement->keep = (AttnKeep)keep;
  if (!(arrangement->threshold > 0))
    arrangement->threshold = HS_THRESHOLD_DEFAULT;
  if (arrangement->n_top == 0)
    arrangement->n_top = HS_N_TOP_DEFAULT;
  return true;
}

static bool
set_word (AttnArrangement *arrangement, const char *name, const char *word)
{
  if (g_str_equal (name, "unit"))
    return attn_unit_find (word, &arrangement->unit);
  if (g_str_equal (name, "part"))
    return attn_part_find (word, &arrangement->part);
  if (g_str_equal (name, "combine"))
    return attn_combine_find (word, &arrangement->combine);
  return g_str_equal (name, "keep") && set_keep (arrangement, word);
}

static bool
set_switch (AttnArrangement *arrangement, const char *name, bool on)
{
  unsigned flag = find_hidden (name);
  if (g_str_equal (name, "combine-layers"))
    arrangement->combine_layers = on;
  else if (g_str_equal (name, "renormalise"))
    arrangement->renormalise = on;
  else if (flag != 0)
    arrangement->hide = on ? arrangement->hide | flag : arrangement->hide & ~flag;
  else
    return false;
  return true;
}

bool
hs_arrangement_set (AttnArrangement *arrangement, const char *name, GVariant *value)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return set_word (arrangement, name, g_variant_get_string (value, NULL));
  return g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN) &&
         set_switch (arrangement, name, g_variant_get_boolean (value));
}

static GVariant *
heads_to_variant (const AttnHeadSet *heads)
{
  GVariantBuilder builder;
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("au"));
  for (size_t head = 0; head < ATTN_HEAD_SET_MAX; head++)
    if (attn_head_set_has (heads, head))
      g_variant_builder_add (&builder, "u", (guint32)head);
  return g_variant_builder_end (&builder);
}

GVariant *
hs_arrangement_to_variant (const AttnArrangement *arrangement)
{
  static const AttnArrangement plain;
  GVariantBuilder builder;
  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++) {
    g_autoptr (GVariant) value =
        g_variant_ref_sink (hs_arrangement_get (arrangement, parts[i].name));
    g_autoptr (GVariant) usual = g_variant_ref_sink (hs_arrangement_get (&plain, parts[i].name));
    if (!g_variant_equal (value, usual))
      g_variant_builder_add (&builder, "{sv}", parts[i].name, value);
  }
  if (!attn_head_set_is_empty (&arrangement->heads))
    g_variant_builder_add (&builder, "{sv}", "heads", heads_to_variant (&arrangement->heads));
  if (arrangement->threshold > 0)
    g_variant_builder_add (&builder, "{sv}", "threshold",
                           g_variant_new_double (arrangement->threshold));
  if (arrangement->n_top > 0)
    g_variant_builder_add (&builder, "{sv}", "n-top",
                           g_variant_new_uint32 ((guint32)arrangement->n_top));
  return g_variant_builder_end (&builder);
}

static void
take_heads (AttnHeadSet *heads, GVariant *value)
{
  gsize n = 0;
  const guint32 *indexes = g_variant_get_fixed_array (value, &n, sizeof *indexes);
  for (gsize i = 0; i < n; i++)
    if (indexes[i] < ATTN_HEAD_SET_MAX)
      attn_head_set_put (heads, indexes[i], true);
}

AttnArrangement
hs_arrangement_from_variant (GVariant *variant)
{
  AttnArrangement arrangement = {0};
  double threshold = 0;
  guint32 n_top = 0;
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++) {
    g_autoptr (GVariant) value = g_variant_lookup_value (variant, parts[i].name, parts[i].type);
    if (value != NULL)
      hs_arrangement_set (&arrangement, parts[i].name, value);
  }
  g_autoptr (GVariant) heads = g_variant_lookup_value (variant, "heads", G_VARIANT_TYPE ("au"));
  if (heads != NULL)
    take_heads (&arrangement.heads, heads);
  if (g_variant_lookup (variant, "threshold", "d", &threshold) && threshold > 0 && threshold <= 1)
    arrangement.threshold = threshold;
  if (g_variant_lookup (variant, "n-top", "u", &n_top) && n_top > 0)
    arrangement.n_top = n_top;
  return arrangement;
}

void
hs_arrangement_toggle_head (AttnArrangement *arrangement, size_t head, size_t n_heads)
{
  AttnHeadSet *heads = &arrangement->heads;
  n_heads = MIN (n_heads, ATTN_HEAD_SET_MAX);
  g_return_if_fail (head < n_heads);
  if (attn_head_set_is_empty (heads))
    for (size_t other = 0; other < n_heads; other++)
      attn_head_set_put (heads, other, true);
  attn_head_set_put (heads, head, !(heads->bits[head / 64] >> head % 64 & 1));
  size_t n = 0;
  for (size_t other = 0; other < n_heads; other++)
    n += attn_head_set_has (heads, other) ? 1 : 0;
  if (n == n_heads)
    *heads = (AttnHeadSet){{0}};
}
