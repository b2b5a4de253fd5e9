/* SPDX-License-Identifier: MIT */
/* From what is asked for to what people call it. */
#include "hs-model-name.h"

#include "attn-hub/store.h"
#include "attn/folder.h"
#include "attn/quote.h"

#include <glib/gi18n.h>

#include <stdbool.h>
#include <string.h>

static bool
is_shipped (const char *folder)
{
  g_autofree char *shipped = attn_hub_find_model ("demo", NULL);

  return shipped != NULL && g_strcmp0 (folder, shipped) == 0;
}

char *
hs_model_name_dup (const char *name)
{
  if (name == NULL || strcmp (name, "demo") == 0 || is_shipped (name))
    return g_strdup (_ ("Built-in model"));
  if (g_path_is_absolute (name))
    return attn_folder_dup_name (name);
  return attn_file_dup_shown (name, strlen (name));
}

char *
hs_model_name_dup_loaded (const AttnModel *model)
{
  const char *folder = attn_model_peek_folder (model);

  return g_strdup (folder != NULL && is_shipped (folder) ? _ ("Built-in model")
                                                         : attn_model_peek_name (model));
}
