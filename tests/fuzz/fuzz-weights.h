/* SPDX-License-Identifier: MIT */
/* What the targets that open weights do with a folder. */
#pragma once

/* Opens the folder's weights; every tensor that opens must have a sane shape, be found by its name
 * and, up to a few thousand numbers, be readable. */
void fuzz_open_weights (const char *folder);
