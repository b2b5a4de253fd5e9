/* SPDX-License-Identifier: MIT */
/* The pages of the lab that there are, in one table. */
#include "hs-lab-pages.h"

#include "hs-ablation.h"
#include "hs-atlas.h"
#include "hs-lab-code.h"
#include "hs-lab-count.h"
#include "hs-lab-pipeline.h"
#include "hs-lab-research.h"
#include "hs-lab-several.h"
#include "hs-lab-train.h"
#include "hs-terms.h"

#include <glib/gi18n.h>

#define BIT(term) HS_TERM_BIT (HS_TERM_##term)

static const HsLabPageInfo pages[] = {
    {ATTN_DRAW_LAB_PIPELINE, "pipeline", N_ ("Pipeline"),
     N_ ("The way from the text to a head’s weights and on, step by step"),
     N_ ("Click a number for its arithmetic, a token to follow it; arrow keys go from step to "
         "step"),
     true, true, 0, true, false, hs_lab_pipeline_new},
    {ATTN_DRAW_LAB_HEADS, "heads", N_ ("Why several heads"),
     N_ ("How differently the heads of a layer look, and one head in their place"),
     N_ ("Click a divergence for its two heads, a small map to choose its head; arrow keys move"),
     true, true,
     BIT (HEAD) | BIT (T) | BIT (DIVERGENCE) | BIT (NATS) | BIT (SOFTMAX) | BIT (PARAMETER), true,
     false, hs_lab_several_new},
    {ATTN_DRAW_LAB_HEAD_COUNT, "head-count", N_ ("Head count"),
     N_ ("What the number of heads changes, and what it does not"),
     N_ ("Change a number; the rest follows"), false, false,
     BIT (D_MODEL) | BIT (H) | BIT (D_K) | BIT (T) | BIT (PARAMETER) | BIT (BIAS) | BIT (BLOCK) |
         BIT (MULTIPLY_ADD),
     false, false, hs_lab_count_new},
    {ATTN_DRAW_LAB_TRAIN, "train", N_ ("Train and see"),
     N_ ("Are more heads better? Measured while you look"),
     N_ ("What is shown was measured on this machine, by this program"), false, false,
     BIT (LOSS) | BIT (SEED) | BIT (HEAD) | BIT (PARAMETER) | BIT (NATS), false, false,
     hs_lab_train_new},
    {ATTN_DRAW_LAB_CODE, "code", N_ ("Code"),
     N_ ("The steps of this head as code, with the opened model’s shapes"),
     N_ ("The code follows the text, the layer and the head"), true, true,
     BIT (T) | BIT (D_MODEL) | BIT (H) | BIT (D_K) | BIT (BIAS) | BIT (SOFTMAX) | BIT (RESIDUAL) |
         BIT (LAYER_NORM),
     false, false, hs_lab_code_new},
    {ATTN_DRAW_LAB_RESEARCH, "research", N_ ("Research"),
     N_ ("What papers measured about heads, and what they did not"),
     N_ ("A link opens the paper in the browser; nothing is fetched before"), false, false,
     BIT (HEAD) | BIT (BLOCK) | BIT (PARAMETER), false, false, hs_lab_research_new},
    {ATTN_DRAW_LAB_ABLATION, "ablation", N_ ("Ablation"),
     N_ ("Heads switched off: what the model loses"),
     N_ ("Click a head to switch it off or on; arrow keys move, Space switches"), true, true,
     BIT (HEAD) | BIT (LOSS) | BIT (NATS) | BIT (SEED), true, true, hs_ablation_new},
    {ATTN_DRAW_LAB_ATLAS, "atlas", N_ ("Atlas"), N_ ("What every head does: a map, and passports"),
     N_ ("Click a head for its passport, a pattern to see it alone; arrow keys move"), true, false,
     BIT (HEAD) | BIT (NATS) | BIT (DIVERGENCE) | BIT (T), true, true, hs_atlas_new},
};

const HsLabPageInfo *
hs_lab_pages_peek (size_t *n)
{
  *n = G_N_ELEMENTS (pages);
  return pages;
}

const HsLabPageInfo *
hs_lab_pages_find (AttnDrawLabPage page)
{
  for (size_t i = 0; i < G_N_ELEMENTS (pages); i++)
    if (pages[i].page == page)
      return &pages[i];
  return &pages[0];
}
