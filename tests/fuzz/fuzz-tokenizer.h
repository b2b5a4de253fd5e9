/* SPDX-License-Identifier: MIT */
/* What the targets that load tokenizers do with a folder. */
#pragma once

/* Loads the folder's tokenizer and, where it is one, splits some texts: every token's span must lie
 * in its text and every id in the vocabulary. */
void fuzz_load_tokenizer (const char *folder);
