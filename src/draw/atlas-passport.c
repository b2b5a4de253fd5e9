/* SPDX-License-Identifier: MIT */
/* One head's passport: what it is called and why, its numbers, its neighbours, its examples. */
#include "atlas-private.h"
#include "plain-text.h"

#include <math.h>

#define ROW_EM 1.55
#define BAR_SHARE 0.22 /* of the width */
#define NUMBER_EM 4.0  /* a value … */
#define SPREAD_EM 8.5  /* … and its deviation */
#define EXCERPT 60     /* characters of a text */

/* A head's passport in the making. */
typedef struct {
  Making *making;
  const AttnAtlasHead *head;
  const AttnPassport *passport;
  size_t index; /* of the head */
  double x, y, width;
} Card;

static void
add_words (Card *card, const char *text, double size, AttnDrawTone tone)
{
  card->y += attn_draw_figure_add_paragraph (card->making->builder, text, card->x, card->y,
                                             card->width, size, tone);
}

static void
add_heading (Card *card, const char *english)
{
  Making *making = card->making;
  card->y += 0.7 * making->em;
  card->y += attn_draw_figure_add_paragraph (
                 making->builder, attn_draw_atlas_say (making->asked, english), card->x, card->y,
                 card->width, ATTN_DRAW_ATLAS_SMALL, ATTN_DRAW_TONE_DIM) +
             0.2 * making->em;
}

/* ---- what it is called, and why ---- */

static char *
dup_name (const Card *card)
{
  const AttnDrawAtlas *asked = card->making->asked;
  g_autofree char *layer = g_strdup_printf ("%zu", asked->layer + 1);
  g_autofree char *head = g_strdup_printf ("%zu", asked->head + 1);
  const char *const arguments[] = {layer, head};
  return attn_draw_atlas_fill (asked, N_ ("Layer %1$s, head %2$s"), arguments, 2);
}

/* Returns: (transfer full): "diagonal 80, mixed 20" */
static char *
dup_classes (const Card *card)
{
  const AttnDrawAtlas *asked = card->making->asked;
  GString *text = g_string_new (NULL);
  for (AttnPattern pattern = 0; pattern < ATTN_N_PATTERNS; pattern++)
    if (card->head->classes[pattern] > 0)
      g_string_append_printf (
          text, "%s%s %zu", text->len > 0 ? attn_draw_atlas_say (asked, N_ (", ")) : "",
          attn_draw_atlas_peek_pattern (asked, pattern), card->head->classes[pattern]);
  return g_string_free (text, FALSE);
}

static void
add_class (Card *card)
{
  Making *making = card->making;
  const AttnDrawAtlas *asked = making->asked;
  const double em = making->em;
  g_autofree char *name = attn_draw_atlas_dup_label (asked, card->passport);
  const char *const called[] = {name};
  g_autofree char *label = attn_draw_atlas_fill (asked, N_ ("Hypothesis: %s"), called, 1);
  g_autofree char *rule = attn_draw_atlas_dup_rule (asked, card->passport);
  const char *const reasons[] = {rule};
  g_autofree char *why = attn_draw_atlas_fill (asked, N_ ("Why this label: %s"), reasons, 1);
  attn_draw_atlas_dot (making, attn_draw_atlas_get_color (making->style, card->passport->pattern),
                       card->x + 0.6 * em, card->y + 0.75 * em, em);
  const AttnDrawFigureText item = {
      .text = label, .is_bold = true, .max_width = card->width - 1.5 * em, .wraps = true};
  card->y +=
      attn_draw_figure_add_text (making->builder, &item, card->x + 1.5 * em, card->y).height +
      0.2 * em;
  add_words (card, why, 1, ATTN_DRAW_TONE_TEXT);
  if (asked->texts != NULL) {
    g_autofree char *classes = dup_classes (card);
    const char *const arguments[] = {classes};
    g_autofree char *each = attn_draw_atlas_fill (
        asked, N_ ("The label is of the means; on single texts it is: %s"), arguments, 1);
    add_words (card, each, ATTN_DRAW_ATLAS_SMALL, ATTN_DRAW_TONE_DIM);
  }
  add_words (card,
             attn_draw_atlas_say (asked, N_ ("It says where the head looks here, not what it is "
                                             "good for")),
             ATTN_DRAW_ATLAS_SMALL, ATTN_DRAW_TONE_DIM);
}

/* ---- numbers ---- */

static bool
is_share (AttnPassportField field)
{
  return field != ATTN_PASSPORT_ENTROPY && field != ATTN_PASSPORT_DISTANCE;
}

/* @share: what a bar shows; NaN for none */
static void
add_row (Card *card, const char *name, const AttnMoments *moments, double share)
{
  Making *making = card->making;
  const double em = making->em, room = card->width * BAR_SHARE;
  const double numbers = (making->asked->texts != NULL ? SPREAD_EM : NUMBER_EM) * em;
  const double names = MAX (card->width - room - numbers, em), left = card->x + names;
  const AttnDrawFigureText label = {.text = name, .max_width = names - 0.5 * em};
  attn_draw_figure_add_text (making->builder, &label, card->x, card->y);
  if (share >= 0 && share <= 1 && room > em)
    attn_draw_figure_add_rule (
        making->builder,
        (AttnDrawRect){left + numbers, card->y + 0.25 * em, MAX (room * share, 1), 0.8 * em},
        attn_draw_tone_get (making->style, ATTN_DRAW_TONE_WEIGHT), 0, 0, 0);
  g_autofree char *mean = attn_draw_dup_number (moments->mean, 3);
  g_autofree char *deviation = attn_draw_dup_number (attn_moments_get_deviation (moments), 3);
  g_autofree char *value =
      moments->n > 1 ? g_strconcat (mean, " ± ", deviation, NULL) : g_strdup (mean);
  const AttnDrawFigureText number = {.text = value, .max_width = numbers - 0.3 * em};
  attn_draw_figure_add_text (making->builder, &number, left, card->y);
  card->y += ROW_EM * em;
}

static void
add_numbers (Card *card)
{
  const AttnDrawAtlas *asked = card->making->asked;
  add_heading (card, asked->texts != NULL
                         ? N_ ("Means over the texts ± standard deviation; bars are shares of 1")
                         : N_ ("Its numbers; bars are shares of 1"));
  for (AttnPassportField field = 0; field < ATTN_N_PASSPORT_FIELDS; field++) {
    const AttnMoments *moments = &card->head->fields[field];
    if (moments->n > 0)
      add_row (card, attn_draw_atlas_peek_field (asked, field), moments,
               is_share (field) ? moments->mean : (double)NAN);
  }
  if (card->head->importance.n > 0)
    add_row (card, attn_draw_atlas_say (asked, N_ ("Importance |∂L/∂ξ|")), &card->head->importance,
             (double)NAN);
}

/* ---- neighbours ---- */

static void
add_neighbour (Card *card, const char *english, size_t other)
{
  Making *making = card->making;
  const size_t H = making->asked->atlas->n_heads;
  g_autofree char *name = g_strdup_printf ("%zu-%zu", other / H + 1, other % H + 1);
  g_autofree char *distance =
      attn_draw_dup_number (attn_atlas_get_distance (making->asked->atlas, card->index, other), 4);
  const char *const arguments[] = {
      name, distance,
      attn_draw_atlas_peek_pattern (making->asked, making->passports[other].pattern)};
  g_autofree char *text = attn_draw_atlas_fill (making->asked, english, arguments, 3);
  const AttnDrawFigureText item = {.text = text,
                                   .max_width = card->width,
                                   .id = ATTN_DRAW_ATLAS_HEAD,
                                   .row = other / H,
                                   .column = other % H};
  attn_draw_figure_add_text (making->builder, &item, card->x, card->y);
  card->y += ROW_EM * making->em;
}

static void
add_neighbours (Card *card)
{
  const AttnAtlasMap *map = card->making->asked->map;
  if (map == NULL)
    return;
  add_heading (card, N_ ("Other heads, by the Jensen–Shannon divergence (nats a token)"));
  add_neighbour (card, N_ ("Nearest: %1$s, %2$s, %3$s"), map->nearest[card->index]);
  add_neighbour (card, N_ ("Farthest: %1$s, %2$s, %3$s"), map->farthest[card->index]);
}

/* ---- examples ---- */

/* Returns: (transfer full): how a text begins, in a line. */
static char *
dup_excerpt (const char *excerpt)
{
  g_autofree char *line = attn_draw_one_line (excerpt != NULL ? excerpt : "");
  return attn_draw_cut (line, EXCERPT);
}

/* Returns: (transfer full): a token with its position, from 0. */
static char *
dup_token (const char *piece, size_t position)
{
  g_autofree char *label = attn_draw_visible_label (piece);
  return g_strdup_printf ("%s · %zu", label, position);
}

static void
add_pickable (Card *card, const char *text, unsigned id, size_t row)
{
  const AttnDrawFigureText item = {.text = text, .max_width = card->width, .id = id, .row = row};
  attn_draw_figure_add_text (card->making->builder, &item, card->x, card->y);
  card->y += ROW_EM * card->making->em;
}

static void
add_examples (Card *card)
{
  const AttnDrawAtlas *asked = card->making->asked;
  if (card->head->n_examples == 0)
    return;
  add_heading (card, N_ ("Strongest weights between two tokens of the text"));
  for (size_t i = 0; i < card->head->n_examples; i++) {
    const AttnAtlasPlace *place = &card->head->examples[i];
    g_autofree char *weight = attn_draw_dup_number (place->value, 3);
    g_autofree char *query = dup_token (place->query_piece, place->query);
    g_autofree char *key = dup_token (place->key_piece, place->key);
    g_autofree char *excerpt = dup_excerpt (place->excerpt);
    g_autofree char *number = g_strdup_printf ("%zu", place->text + 1);
    const char *const arguments[] = {weight, query, key, number, excerpt};
    g_autofree char *text =
        attn_draw_atlas_fill (asked,
                              asked->texts != NULL ? N_ ("%1$s “%2$s” → “%3$s”, text %4$s: %5$s")
                                                   : N_ ("%1$s “%2$s” → “%3$s”"),
                              arguments, 5);
    add_pickable (card, text, asked->texts != NULL ? ATTN_DRAW_ATLAS_EXAMPLE : 0, i);
  }
}

static void
add_surest (Card *card)
{
  const AttnDrawAtlas *asked = card->making->asked;
  if (asked->texts == NULL || card->head->n_surest == 0)
    return;
  add_heading (card, N_ ("Texts where this head is surest, by its confidence"));
  for (size_t i = 0; i < card->head->n_surest; i++) {
    const AttnAtlasPlace *place = &card->head->surest[i];
    g_autofree char *value = attn_draw_dup_number (place->value, 3);
    g_autofree char *excerpt = dup_excerpt (place->excerpt);
    g_autofree char *number = g_strdup_printf ("%zu", place->text + 1);
    const char *const arguments[] = {value, number, excerpt};
    g_autofree char *text =
        attn_draw_atlas_fill (asked, N_ ("%1$s, text %2$s: %3$s"), arguments, 3);
    add_pickable (card, text, ATTN_DRAW_ATLAS_SUREST, i);
  }
}

double
attn_draw_atlas_add_passport (Making *making, double x, double y, double width)
{
  const AttnDrawAtlas *asked = making->asked;
  const size_t index = asked->layer * asked->atlas->n_heads + asked->head;
  Card card = {.making = making,
               .head = &asked->atlas->heads[index],
               .passport = &making->passports[index],
               .index = index,
               .x = x,
               .y = y,
               .width = width};
  g_autofree char *name = dup_name (&card);
  card.y += attn_draw_figure_add_heading (making->builder, name, x, y, width);
  add_class (&card);
  add_numbers (&card);
  add_neighbours (&card);
  add_examples (&card);
  add_surest (&card);
  return card.y - y;
}
