/* SPDX-License-Identifier: MIT */
/* Arrows between the pictures of the way through a layer. */
#pragma once

#include "pipeline-nodes.h"

/* Joins what is placed, within rows and from one to another. */
void attn_draw_flow_add_arrows (const AttnDrawFlow *flow);
