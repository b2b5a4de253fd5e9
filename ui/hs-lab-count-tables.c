/* SPDX-License-Identifier: MIT */
/* The arithmetic of head counts in tables. */
#include "hs-lab-count-tables.h"

#include "hs-format.h"
#include "hs-table.h"

#include <glib/gi18n.h>

char *
hs_lab_count_format_bytes (guint64 bytes)
{
  return g_format_size (bytes);
}

static void
add_count (GtkGrid *grid, const char *name, const char *formula, guint64 count)
{
  g_autofree char *number = hs_format_count ((size_t)count);
  const char *const cells[] = {name, formula, number};

  hs_table_add_row (grid, cells, G_N_ELEMENTS (cells), true, NULL);
}

void
hs_lab_count_fill_same (GtkGrid *grid, const AttnLabShape *shape)
{
  AttnLabShape one = *shape;
  AttnLabCount block, all;

  one.n_layers = 1;
  attn_lab_count (&one, &block);
  attn_lab_count (shape, &all);
  hs_table_clear (grid);
  add_count (grid, _ ("parameters of one attention block"), "4·d_model²", block.parameters);
  add_count (grid, _ ("with biases"), "4·d_model² + 4·d_model", block.parameters_biased);
  add_count (grid, _ ("parameters of all layers"), "4·d_model²·L", all.parameters);
  add_count (grid, _ ("with biases"), "(4·d_model² + 4·d_model)·L", all.parameters_biased);
  add_count (grid, _ ("multiply-adds of Q, K, V, W_O"), "4·T·d_model²·L", all.projection_adds);
  add_count (grid, _ ("multiply-adds of scores and values"), "2·T²·d_model·L", all.attention_adds);
}

/* Powers of two, and the one that is chosen, where they divide d_model; where that leaves few, all
 * divisors. */
size_t
hs_lab_count_choose_heads (const AttnLabShape *shape, size_t *heads)
{
  size_t n_divisors = 0, n = 0;

  for (size_t h = 1; h <= shape->d_model; h++)
    n_divisors += shape->d_model % h == 0;
  for (size_t h = 1; h <= shape->d_model && n < HS_LAB_COUNT_MAX; h++)
    if (shape->d_model % h == 0 &&
        (n_divisors <= HS_LAB_COUNT_MAX || (h & (h - 1)) == 0 || h == shape->n_heads))
      heads[n++] = h;
  return n;
}

static void
add_heads (GtkGrid *grid, const AttnLabShape *shape, bool is_chosen)
{
  AttnLabCount count;

  attn_lab_count (shape, &count);
  g_autofree char *heads = hs_format_count (shape->n_heads);
  g_autofree char *width = hs_format_count (count.d_k);
  g_autofree char *exponentials = hs_format_count ((size_t)count.exponentials);
  g_autofree char *bytes = hs_lab_count_format_bytes (count.map_bytes);
  const char *const cells[] = {heads, width, exponentials, bytes};
  hs_table_add_row (grid, cells, G_N_ELEMENTS (cells), true, is_chosen ? "picked-row" : NULL);
}

void
hs_lab_count_fill_changing (GtkGrid *grid, const AttnLabShape *shape)
{
  const char *const names[] = {"h", "d_k", _ ("exponentials of softmax"), _ ("memory of maps")};
  const char *const formulas[] = {"", "d_model / h", "h·T²·L", "4·h·T²·L B"};
  size_t heads[HS_LAB_COUNT_MAX];
  const size_t n = hs_lab_count_choose_heads (shape, heads);

  hs_table_clear (grid);
  hs_table_add_row (grid, names, G_N_ELEMENTS (names), true, "heading");
  hs_table_add_row (grid, formulas, G_N_ELEMENTS (formulas), true, "dim-label");
  for (size_t i = 0; i < n; i++) {
    AttnLabShape one = *shape;
    one.n_heads = heads[i];
    add_heads (grid, &one, heads[i] == shape->n_heads);
  }
}

void
hs_lab_count_fill_usual (GtkGrid *grid)
{
  const char *const names[] = {_ ("h × d_k"), _ ("who"), _ ("why")};
  const char *const rows[][3] = {
      {"1", _ ("the baseline"),
       _ ("One head has the whole width, and each token one view: what it looks for is one "
          "mixture.")},
      {"2 – 4", _ ("toy tasks, small models"),
       _ ("A few relations to follow, and few enough heads to look at every one of them.")},
      {"8 × 64", _ ("the first Transformer"),
       _ ("Tried there at the same cost: 24.9 BLEU with 1 head, 25.5 with 4, 25.8 with 8 and with "
          "16, 25.4 with 32.")},
      {"12 × 64", "BERT-base, GPT-2",
       _ ("A wider model gets more heads of the same width rather than wider ones.")},
      {"16 × 64", "Transformer big, BERT-large", _ ("The same again: 1024 shared by 16.")},
  };

  hs_table_clear (grid);
  hs_table_add_row (grid, names, G_N_ELEMENTS (names), false, "heading");
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++)
    hs_table_add_row (grid, rows[i], G_N_ELEMENTS (rows[i]), false, NULL);
}
