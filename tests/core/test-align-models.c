/* SPDX-License-Identifier: MIT */
/* Two models compared: of one vocabulary, of two, and of other numbers of layers and heads. */
#include "text-run.h"

#include "attn/align.h"
#include "attn/attn.h"

static AttnMaps *
run (const char *name, const char *text)
{
  g_autofree char *within = g_strconcat ("golden/models/", name, NULL);
  g_autoptr (AttnModel) model = test_model_load (within);
  g_autoptr (AttnTrace) trace = test_text_run (model, text, NULL);
  return attn_maps_new_from_trace (trace);
}

/* What of the text a token stands for; "" for none. */
static char *
dup_text (AttnMaps *maps, size_t token)
{
  AttnOrigin origin;
  AttnTokens *tokens = attn_trace_peek_tokens (attn_maps_peek_trace (maps));
  if (!attn_maps_get_origin (maps, ATTN_SIDE_QUERY, token, &origin) || origin.sequence < 0)
    return g_strdup ("");
  const char *text = attn_tokens_peek_text (tokens, origin.sequence, NULL);
  return g_strstrip (g_strndup (text + origin.start, origin.end - origin.start));
}

static AttnAlignment *
align (AttnMaps *a, AttnMaps *b)
{
  g_autoptr (GError) error = NULL;
  AttnAlignment *alignment = attn_alignment_new (a, b, ATTN_SIDE_QUERY, &error);
  g_assert_no_error (error);
  return alignment;
}

/* "Ġthe" and "the" are the same word of the text; what the templates add is nobody's partner, and
 * bytes of one character are none of it. */
static void
test_two_vocabularies (void)
{
  g_autoptr (AttnMaps) a = run ("bert-mlm", "the , 我 the .");
  g_autoptr (AttnMaps) b = run ("gpt2", "the , 我 the .");
  g_autoptr (AttnAlignment) pairs = align (a, b);
  size_t n = attn_alignment_get_n (pairs), n_of_text = 0;

  for (size_t i = 0; i < n; i++) {
    size_t of_a, of_b;
    attn_alignment_get (pairs, i, &of_a, &of_b);
    g_autofree char *text_a = dup_text (a, of_a);
    g_autofree char *text_b = dup_text (b, of_b);
    g_assert_cmpstr (text_a, ==, text_b);
    g_assert_cmpstr (text_a, !=, "");
    g_assert_cmpstr (text_a, !=, "我");
    n_of_text++;
  }
  g_test_message ("%zu partners", n_of_text);
  g_assert_cmpuint (n_of_text, >=, 2); /* the comma and the full stop at least */
  g_assert_cmpuint (attn_alignment_find (pairs, false, 0), ==, G_MAXSIZE); /* [CLS] */
}

/* Two models of one vocabulary: by pieces, so that a capital is no difference, as before. */
static void
test_one_vocabulary (void)
{
  g_autoptr (AttnMaps) a = run ("bert-mlm", "The cat.");
  g_autoptr (AttnMaps) b = run ("bert", "the cat.");
  g_autoptr (AttnAlignment) pairs = align (a, b);
  size_t n = attn_maps_get_n (a, ATTN_SIDE_QUERY);

  g_assert_cmpuint (attn_maps_get_n (b, ATTN_SIDE_QUERY), ==, n);
  g_assert_cmpuint (attn_alignment_get_n (pairs), ==, n);
}

/* Of other shapes each head of B is set against one of A, and so is a text against itself. */
static void
test_ranked (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnMaps) a = run ("bert-mlm", "The cat.");
  g_autoptr (AttnMaps) same = run ("bert-mlm", "The dog.");
  g_autoptr (AttnMaps) b = run ("gpt2", "The cat.");
  size_t n = 0, n_heads = attn_maps_get_n_heads (a);

  g_assert_cmpint (attn_ranked_choose (a, same), ==, ATTN_RANKED_SAME_HEADS);
  g_assert_cmpint (attn_ranked_choose (a, a), ==, ATTN_RANKED_ONE_HEAD);
  g_assert_cmpint (attn_ranked_choose (a, b), ==,
                   attn_maps_get_n_layers (a) == attn_maps_get_n_layers (b) &&
                           n_heads == attn_maps_get_n_heads (b)
                       ? ATTN_RANKED_SAME_HEADS
                       : ATTN_RANKED_ONE_HEAD);
  g_autofree AttnHeadChange *changes =
      attn_rank_compared (a, a, 1, 2, NULL, NULL, NULL, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, attn_maps_get_n_layers (a) * n_heads);
  g_assert_cmpuint (changes[n - 1].layer, ==, 1); /* the head itself changed least */
  g_assert_cmpuint (changes[n - 1].head, ==, 2);
  g_assert_cmpfloat (changes[n - 1].change, ==, 0);
  g_assert_cmpfloat (changes[n - 2].change, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/align-models/two-vocabularies", test_two_vocabularies);
  g_test_add_func ("/align-models/one-vocabulary", test_one_vocabulary);
  g_test_add_func ("/align-models/ranked", test_ranked);
  return g_test_run ();
}
