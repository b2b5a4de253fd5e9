/* SPDX-License-Identifier: MIT */
/* Any bytes as a file of tokens for attention from elsewhere. */
#include "fuzz.h"

#include "attn/labels.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (fuzz_write ("t", data, size), "t", NULL);
  g_autoptr (AttnLabels) labels = attn_labels_load (path, &error);
  fuzz_check_error (labels != NULL, error);
  for (int side = 0; labels != NULL && side < 2; side++)
    for (size_t i = 0; i < attn_labels_get_n (labels, (AttnSide)side); i++)
      if (!g_utf8_validate (attn_labels_peek (labels, (AttnSide)side, i), -1, NULL))
        g_error ("label %zu is no UTF-8", i);
  return 0;
}
