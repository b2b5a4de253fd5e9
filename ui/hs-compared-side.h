/* SPDX-License-Identifier: MIT */
/* What side B of a comparison is, where much of it may be A's. */
#pragma once

#include "hs-answer.h"
#include "hs-session.h"

#include <stdbool.h>

G_BEGIN_DECLS

/* Returns: (nullable): a side's second text; NULL also where its field is open but empty. */
const char *hs_compared_side_peek_pair (HsSide *side);

/* Returns: whether @answer (nullable) is of the texts that @side asks for. */
bool hs_compared_side_is_of_texts (HsAnswer *answer, HsSide *side);

/* @a: A's answer. Returns: (nullable): B's model, which is A's where no other one was asked for;
 * NULL where A has none. */
AttnModel *hs_compared_side_peek_model (HsSession *session, HsAnswer *a);

/* Returns: (nullable): maps that B has without running a model: its own file's, or A's of a file.
 */
AttnMaps *hs_compared_side_peek_file_maps (HsSession *session, HsAnswer *a);

/* @max_tokens: A's limit when B was run. Returns: (nullable): B's maps, A's own where model and
 * texts are the same; NULL while they have to be waited for. */
AttnMaps *hs_compared_side_peek_maps (HsSession *session, HsAnswer *a, size_t max_tokens);

/* Returns: (transfer full): the view that is asked for; a layer or head that @b has not, since
 * another model is only on its way, is replaced. */
AttnDrawView *hs_compared_side_dup_view (HsSession *session, AttnMaps *b);

G_END_DECLS
