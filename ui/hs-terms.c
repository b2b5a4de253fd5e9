/* SPDX-License-Identifier: MIT */
/* One table of terms, and which of them a step of attention needs. */
#include "hs-terms.h"

#include <glib/gi18n.h>

typedef struct {
  const char *name, *sentence; /* English, for translation */
} Term;

static const Term terms[HS_N_TERMS] = {
    [HS_TERM_TOKEN] = {N_ ("token"),
                       N_ ("A piece of the text as the model reads it: a word, a "
                           "part of one, or a mark. [CLS] and [SEP] it adds itself.")},
    [HS_TERM_EMBEDDING] = {N_ ("embedding"),
                           N_ ("The row of learned numbers that a token has before the first "
                               "layer.")},
    [HS_TERM_DIMENSION] = {N_ ("dimension"), N_ ("One of the numbers of a token’s row, “dim” for "
                                                 "short: a column of the matrix.")},
    [HS_TERM_T] = {"T", N_ ("How many tokens the text has.")},
    [HS_TERM_D_MODEL] = {"d_model", N_ ("How many numbers stand for a token from layer to layer.")},
    [HS_TERM_HEAD] = {N_ ("head"), N_ ("One of several parts of attention that work side by side: "
                                       "each reads whole rows through columns of W_Q, W_K and W_V "
                                       "of its own, and has weights of its own.")},
    [HS_TERM_H] = {"h", N_ ("How many heads a layer has.")},
    [HS_TERM_D_K] =
        {"d_k", N_ ("How many numbers one head makes of a token’s row for its query, its key and "
                    "its value: d_model divided by h. It reads all d_model of them.")},
    [HS_TERM_PARAMETER] = {N_ ("parameter"), N_ ("A number that the model learned in training, "
                                                 "like those of every W and b.")},
    [HS_TERM_BIAS] = {N_ ("bias"), N_ ("Learned numbers, b, that are added after a multiplication: "
                                       "one for each column, the same in all rows.")},
    [HS_TERM_DOT_PRODUCT] = {N_ ("dot product"),
                             N_ ("Two rows multiplied number by number, and the products summed: "
                                 "large where both are large in the same places.")},
    [HS_TERM_LOGITS] = {N_ ("logits"),
                        N_ ("Numbers of any size that a softmax is to turn into shares, like the "
                            "scores here.")},
    [HS_TERM_SOFTMAX] = {N_ ("softmax"),
                         N_ ("Turns numbers into shares that are above 0 and sum to 1: e to the "
                             "power of each, divided by the sum of all.")},
    [HS_TERM_MASK] = {N_ ("mask"),
                      N_ ("What hides keys from a query: their scores are set to −∞, so that their "
                          "weights are 0. The token [MASK] is something else: a gap in the text.")},
    [HS_TERM_RESIDUAL] = {N_ ("residual"),
                          N_ ("The way around a part of the model: what came in is added to what "
                              "the part has made of it.")},
    [HS_TERM_LAYER_NORM] = {"LayerNorm",
                            N_ ("Brings each row to mean 0 and spread 1, then scales and moves its "
                                "columns by learned numbers, γ and β.")},
    [HS_TERM_FEED_FORWARD] = {N_ ("feed-forward"),
                              N_ ("The part after attention, which works on each token’s row by "
                                  "itself.")},
    [HS_TERM_BLOCK] = {N_ ("attention block"),
                       N_ ("The part of a layer that the steps here show, from its input to the "
                           "output of W_O. With the feed-forward part it makes one layer, which "
                           "is often called a transformer block.")},
    [HS_TERM_DIVERGENCE] =
        {N_ ("divergence"),
         N_ ("How differently two heads share out their attention "
             "(Jensen–Shannon): 0 is alike, ln 2 = 0.69 has nothing in common.")},
    [HS_TERM_NATS] = {N_ ("nats"), N_ ("The unit of information that goes with the natural "
                                       "logarithm: one is 1.44 bits.")},
    [HS_TERM_MULTIPLY_ADD] = {N_ ("multiply-add"), N_ ("One multiplication and one addition, which "
                                                       "products of matrices consist of.")},
    [HS_TERM_LOSS] = {N_ ("loss"), N_ ("How wrong the answers are; 0 is best.")},
    [HS_TERM_SEED] = {N_ ("seed"), N_ ("What random numbers begin with: another seed is another "
                                       "random start.")},
};

const char *
hs_term_peek_name (HsTerm term)
{
  g_return_val_if_fail (term < HS_N_TERMS, "");
  return _ (terms[term].name);
}

const char *
hs_term_peek_sentence (HsTerm term)
{
  g_return_val_if_fail (term < HS_N_TERMS, "");
  return _ (terms[term].sentence);
}

#define BIT HS_TERM_BIT
#define LEARNED (BIT (HS_TERM_PARAMETER) | BIT (HS_TERM_BIAS) | BIT (HS_TERM_D_MODEL))
#define SHARE (BIT (HS_TERM_HEAD) | BIT (HS_TERM_H) | BIT (HS_TERM_D_K))
#define END (BIT (HS_TERM_FEED_FORWARD) | BIT (HS_TERM_BLOCK))

guint
hs_terms_get_of_step (AttnStep step)
{
  switch (step) {
  case ATTN_STEP_INPUT:
    return BIT (HS_TERM_TOKEN) | BIT (HS_TERM_EMBEDDING) | BIT (HS_TERM_DIMENSION) |
           BIT (HS_TERM_T) | BIT (HS_TERM_D_MODEL);
  case ATTN_STEP_NORMED:
    return BIT (HS_TERM_LAYER_NORM) | BIT (HS_TERM_PARAMETER);
  case ATTN_STEP_QUERIES:
  case ATTN_STEP_KEYS:
  case ATTN_STEP_VALUES:
    return LEARNED | BIT (HS_TERM_DIMENSION) | BIT (HS_TERM_T);
  case ATTN_STEP_HEAD_QUERIES:
  case ATTN_STEP_HEAD_KEYS:
  case ATTN_STEP_HEAD_VALUES:
    return SHARE | BIT (HS_TERM_D_MODEL);
  case ATTN_STEP_SCORES:
    return BIT (HS_TERM_DOT_PRODUCT) | BIT (HS_TERM_DIMENSION) | BIT (HS_TERM_D_K) |
           BIT (HS_TERM_T) | BIT (HS_TERM_MASK);
  case ATTN_STEP_WEIGHTS:
    return BIT (HS_TERM_SOFTMAX) | BIT (HS_TERM_LOGITS) | BIT (HS_TERM_T);
  case ATTN_STEP_HEAD_OUTPUT:
  case ATTN_STEP_CONCAT:
    return SHARE | BIT (HS_TERM_D_MODEL);
  case ATTN_STEP_CONTRIBUTION:
  case ATTN_STEP_OUTPUT:
    return LEARNED | BIT (HS_TERM_HEAD) | BIT (HS_TERM_H);
  case ATTN_STEP_SUM:
    return BIT (HS_TERM_RESIDUAL) | END;
  case ATTN_STEP_RESULT:
    return BIT (HS_TERM_LAYER_NORM) | BIT (HS_TERM_PARAMETER) | END;
  case ATTN_N_STEPS:
    break;
  }
  return 0;
}
