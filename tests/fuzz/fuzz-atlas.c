/* SPDX-License-Identifier: MIT */
/* Any bytes as a part of an atlas; what is taken for one writes itself and is read again. */
#include "fuzz.h"

#include "attn/atlas-part.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnAtlasPart) part =
      attn_atlas_part_read ((const char *)data, size, "fuzz.part", &error);
  fuzz_check_error (part != NULL, error);
  if (part == NULL)
    return 0;
  g_autoptr (GString) json = g_string_new (NULL);
  attn_atlas_part_append (part, json);
  g_autoptr (AttnAtlasPart) again =
      attn_atlas_part_read (json->str, json->len, "fuzz.part", &error);
  g_assert_no_error (error);
  g_autoptr (GString) twice = g_string_new (NULL);
  attn_atlas_part_append (again, twice);
  g_assert_cmpstr (twice->str, ==, json->str);
  g_autoptr (AttnAtlas) atlas = attn_atlas_part_finish (part, &error);
  fuzz_check_error (atlas != NULL, error);
  return 0;
}
