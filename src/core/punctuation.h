/* SPDX-License-Identifier: MIT */
/* Which rows and columns of a map are nothing but signs. */
#pragma once

#include "attn/maps.h"
#include "attn/tokens.h"

#include <stdbool.h>

/* Returns: whether what @origin spans in its text is punctuation, accents and blanks aside. */
bool attn_origin_is_punctuation (const AttnOrigin *origin, const AttnTokens *tokens);
