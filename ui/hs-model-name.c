/* SPDX-License-Identifier: MIT */
/* From what is asked for to what people call it. */
#include "hs-model-name.h"

#include "attn-hub/store.h"
#include "attn/folder.h"
#include "attn/quote.h"

#include <glib/gi18n.h>

#include <string.h>

char *
hs_model_name_dup (const char *name)
{
  if (name == NULL || strcmp (name, "demo") == 0 || attn_hub_is_shipped (name))
    return g_strdup (_ ("Built-in model"));
  if (g_path_is_absolute (name))
    return attn_folder_dup_name (name);
  return attn_file_dup_shown (name, strlen (name));
}

char *
hs_model_name_dup_loaded (const AttnModel *model)
{
  const char *name = attn_hub_peek_model_name (model);

  return g_strdup (g_str_equal (name, ATTN_MODEL_BUILT_IN) ? _ ("Built-in model") : name);
}

char *
hs_model_name_dup_place (const AttnModel *model)
{
  const char *folder = attn_model_peek_folder (model);

  return folder == NULL || attn_hub_is_shipped (folder)
             ? NULL
             : attn_file_dup_shown (folder, strlen (folder));
}
