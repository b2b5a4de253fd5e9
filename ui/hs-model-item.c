/* SPDX-License-Identifier: MIT */
/* An entry of the cache, or the like of another folder, with its name. */
#include "hs-model-item.h"

#include "hs-model-name.h"
#include "hs-told.h"

#include <glib/gi18n.h>

#include <string.h>

#define MAX_NAMED 4 /* files */

struct _HsModelItem {
  GObject parent_instance;

  HsModelPlace place;
  char *name;
  char *target;
  AttnHubEntry *entry;
};

G_DEFINE_FINAL_TYPE (HsModelItem, hs_model_item, G_TYPE_OBJECT)

HsModelItem *
hs_model_item_new (HsModelPlace place, const char *target, AttnHubEntry *entry)
{
  HsModelItem *self = g_object_new (HS_TYPE_MODEL_ITEM, NULL);

  self->place = place;
  self->entry = entry;
  self->target = g_strdup (target != NULL ? target : entry->folder);
  self->name = entry->repo != NULL ? g_strdup (entry->repo) : hs_model_name_dup (self->target);
  return self;
}

HsModelPlace
hs_model_item_get_place (HsModelItem *self)
{
  return self->place;
}

const char *
hs_model_item_peek_name (HsModelItem *self)
{
  return self->name;
}

const char *
hs_model_item_peek_target (HsModelItem *self)
{
  return self->target;
}

const AttnHubEntry *
hs_model_item_peek_entry (HsModelItem *self)
{
  return self->entry;
}

bool
hs_model_item_is_usable (HsModelItem *self)
{
  return self->entry->state == ATTN_HUB_USABLE;
}

/* Of revisions other than the main branch: which one it is. */
static char *
dup_revision (const AttnHubEntry *entry)
{
  const bool is_main =
      entry->refs != NULL && entry->refs[0] != NULL && g_str_equal (entry->refs[0], "main");

  if (entry->commit == NULL || is_main)
    return NULL;
  if (entry->refs != NULL && entry->refs[0] != NULL)
    return g_strdup (entry->refs[0]);
  return g_strndup (entry->commit, 8);
}

char *
hs_model_item_dup_facts (HsModelItem *self)
{
  const AttnHubEntry *entry = self->entry;
  g_autoptr (GStrvBuilder) facts = g_strv_builder_new ();
  g_autofree char *revision = dup_revision (entry);
  g_auto (GStrv) parts = NULL;

  if (entry->family != NULL)
    g_strv_builder_add (facts, entry->family);
  if (entry->n_layers > 0 && entry->n_heads > 0) {
    g_autofree char *size =
        g_strdup_printf (_ ("%zu layers × %zu heads"), entry->n_layers, entry->n_heads);
    g_strv_builder_add (facts, size);
  }
  if (entry->n_bytes > 0) {
    g_autofree char *bytes = g_format_size (entry->n_bytes);
    g_strv_builder_add (facts, bytes);
  }
  if (revision != NULL)
    g_strv_builder_add (facts, revision);
  parts = g_strv_builder_end (facts);
  return g_strjoinv (" · ", parts);
}

char *
hs_model_item_dup_hub_name (HsModelItem *self)
{
  const AttnHubEntry *entry = self->entry;
  const char *ref = entry->refs != NULL ? entry->refs[0] : NULL;

  if (ref == NULL)
    ref = entry->commit;
  if (ref == NULL || g_str_equal (ref, ATTN_HUB_DEFAULT_REVISION))
    return g_strdup (entry->repo);
  return g_strconcat (entry->repo, "@", ref, NULL);
}

/* The first of many, and that there are more. */
static char *
dup_names (char *const *names)
{
  GString *joined = g_string_new (names[0]);

  for (size_t i = 1; names[i] != NULL; i++) {
    if (i == MAX_NAMED) {
      g_string_append (joined, ", …");
      break;
    }
    g_string_append_printf (joined, ", %s", names[i]);
  }
  return g_string_free (joined, FALSE);
}

char *
hs_model_item_dup_reason (HsModelItem *self)
{
  const AttnHubEntry *entry = self->entry;
  g_autofree char *names = NULL, *told = NULL;

  switch (entry->state) {
  case ATTN_HUB_USABLE:
    break;
  case ATTN_HUB_PARTIAL:
    if (entry->missing == NULL)
      return g_strdup (_ ("Not complete: none of its files is there"));
    names = dup_names (entry->missing);
    return g_strdup_printf (_ ("Not complete: %s missing"), names);
  case ATTN_HUB_UNUSABLE:
    told = hs_told_dup (entry->reason);
    return g_strdup_printf (_ ("Cannot be opened: %s"), told);
  }
  return NULL;
}

bool
hs_model_item_matches (HsModelItem *self, const char *words)
{
  g_autofree char *wanted = g_utf8_casefold (words, -1);
  g_autofree char *name = g_utf8_casefold (self->name, -1);

  return strstr (name, wanted) != NULL ||
         (self->entry->family != NULL && strstr (self->entry->family, wanted) != NULL);
}

static void
hs_model_item_finalize (GObject *object)
{
  HsModelItem *self = HS_MODEL_ITEM (object);

  g_free (self->name);
  g_free (self->target);
  attn_hub_entry_free (self->entry);
  G_OBJECT_CLASS (hs_model_item_parent_class)->finalize (object);
}

static void
hs_model_item_class_init (HsModelItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hs_model_item_finalize;
}

static void
hs_model_item_init (HsModelItem *self G_GNUC_UNUSED)
{
}
