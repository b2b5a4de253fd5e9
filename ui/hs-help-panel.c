/* SPDX-License-Identifier: MIT */
/* How to read the picture and how to use the window, foldable. */
#include "hs-help-panel.h"

#include "hs-format.h"
#include "hs-told.h"

#include "attn-draw/sentences.h"

#include <glib/gi18n.h>

#include <stdbool.h>

struct _HsHelpPanel {
  HsPanel parent_instance;

  GtkLabel *marks;
  GtkLabel *places;
  GtkLabel *patterns;
  GtkLabel *numbers;
  GtkLabel *begins;
};

G_DEFINE_FINAL_TYPE (HsHelpPanel, hs_help_panel, HS_TYPE_PANEL)

static bool
darker_is_more (const AttnDrawView *view)
{
  return attn_draw_color_map_begins_light (view->color_map) && !attn_draw_view_reverses_map (view);
}

/* A file with a warning may have any weights. */
static bool
rows_sum_to_one (HsSession *session, const AttnArrangement *arrangement)
{
  HsAnswer *answer = hs_side_peek_answer (hs_session_peek_side (session));
  if (answer != NULL && answer->attention != NULL && *answer->attention->warnings != NULL &&
      !arrangement->renormalise)
    return false;
  bool whole = arrangement->combine != ATTN_COMBINE_MAX && arrangement->part == ATTN_PART_ALL &&
               arrangement->hide == ATTN_HIDE_NOTHING;
  return (whole || arrangement->renormalise) && arrangement->keep == ATTN_KEEP_ALL;
}

/* ---- what a lens makes of it ---- */

/* Where rows sum to 1 its own sentence says so. */
static bool
lens_keeps_sums (AttnLens lens)
{
  switch (lens) {
  case ATTN_LENS_RAW:
  case ATTN_LENS_SPECIAL:
  case ATTN_LENS_MIXING:
  case ATTN_LENS_ZEROING:
  case ATTN_LENS_ROLLOUT:
  case ATTN_LENS_ZEROING_ROLLOUT:
    return true;
  case ATTN_LENS_NORM:
  case ATTN_LENS_NORM_LAYER:
  case ATTN_LENS_FLOW:
  case ATTN_LENS_GRADIENT:
  case ATTN_LENS_SCORES:
  case ATTN_N_LENSES:
  default:
    return false;
  }
}

/* Returns: (nullable) (transfer full): what its numbers say. */
static char *
dup_lens (AttnLens lens)
{
  const AttnLensAbout *about = attn_lens_peek_about (lens);

  if (lens == ATTN_LENS_RAW)
    return NULL;
  g_autofree char *title = hs_told_dup (about->title);
  g_autofree char *meaning = hs_told_dup (about->meaning);
  /* translators: a lens and what a number of it says: "The numbers here are of another kind,
   * “mixing ratio”: how much of a token …" */
  return g_strdup_printf (_ ("The numbers here are of another kind, “%s”: %s."), title, meaning);
}

/* ---- what a mark of the picture is ---- */

static const char *
peek_cells (const AttnDrawView *view)
{
  return darker_is_more (view)
             ? _ ("Each cell is one attention weight: the darker, the more weight.")
             : _ ("Each cell is one attention weight: the brighter, the more weight.");
}

/* Numbers above and below 0. */
static const char *
peek_signed_marks (const AttnDrawView *view)
{
  if (view->kind == ATTN_DRAW_LINES)
    return _ ("Each line is one number, purple above 0 and green below: the stronger the line, the "
              "farther from 0.");
  if (view->kind == ATTN_DRAW_TEXT)
    return _ (
        "A piece of the text is purple where its number is above 0, green below: the stronger "
        "the shade, the farther from 0.");
  return _ ("Each cell is one number, purple above 0 and green below: the stronger the colour, the "
            "farther from 0.");
}

static const char *
peek_marks_of_lens (const AttnDrawView *view)
{
  if (attn_draw_view_is_signed (view))
    return peek_signed_marks (view);
  if (view->kind == ATTN_DRAW_LINES)
    return _ ("Each line is one number: the stronger the line, the larger.");
  if (view->kind == ATTN_DRAW_TEXT)
    return _ ("The stronger the shade behind a piece of the text, the larger its number.");
  return darker_is_more (view) ? _ ("Each cell is one number: the darker, the larger.")
                               : _ ("Each cell is one number: the brighter, the larger.");
}

/* Maps beside each other. */
static const char *
peek_maps (const AttnDrawView *view)
{
  return darker_is_more (view)
             ? _ ("Each small map is read like the large one: the darker, the more weight.")
             : _ ("Each small map is read like the large one: the brighter, the more weight.");
}

static const char *
peek_marks (const AttnDrawView *view)
{
  if (view->lens != ATTN_LENS_RAW)
    return peek_marks_of_lens (view);
  switch (view->kind) {
  case ATTN_DRAW_HEADS:
  case ATTN_DRAW_LAYERS:
    return peek_maps (view);
  case ATTN_DRAW_LINES:
    return _ ("Each line is one attention weight: the stronger the line, the more weight.");
  case ATTN_DRAW_TEXT:
    return _ ("The stronger the shade behind a piece of the text, the more weight it gets.");
  case ATTN_DRAW_HEATMAP:
  case ATTN_DRAW_COMPARE:
  default:
    return peek_cells (view);
  }
}

/* ---- where it stands ---- */

static const char *
peek_rows (AttnUnit unit)
{
  switch (unit) {
  case ATTN_UNIT_CHARACTERS:
    return _ ("Rows are queries, the characters that look. Columns are keys, the characters that "
              "are looked at.");
  case ATTN_UNIT_WORDS:
    return _ ("Rows are queries, the words that look. Columns are keys, the words that are looked "
              "at.");
  case ATTN_UNIT_TOKENS:
  default:
    return _ ("Rows are queries, the tokens that look. Columns are keys, the tokens that are "
              "looked at.");
  }
}

static const char *
peek_places (const AttnDrawView *view)
{
  bool combines = attn_draw_view_is_joint (view);
  switch (view->kind) {
  case ATTN_DRAW_HEADS:
    return combines ? _ ("One map: the heads of the layer put together.")
                    : _ ("One map for each head of the layer.");
  case ATTN_DRAW_LAYERS:
    return combines ? _ ("One map for each layer, or one for all: heads put together.")
                    : _ ("A row for each layer, the first at the top; a column for each head.");
  case ATTN_DRAW_LINES:
    return _ ("Queries, which look, stand on the left; keys, which are looked at, on the right. "
              "Each head has its colour.");
  case ATTN_DRAW_TEXT:
    return _ ("While nothing is pinned it is the mean over all queries; pin a piece to see where "
              "that one looks.");
  case ATTN_DRAW_COMPARE:
    return _ ("A − B is purple where A has more weight and green where B has. Tokens that only "
              "one of them has are not in it.");
  case ATTN_DRAW_HEATMAP:
  default:
    return peek_rows (view->arrangement.unit);
  }
}

/* Whether a row is seen of which one may wonder. */
static bool
shows_sums (AttnDrawKind kind)
{
  return kind == ATTN_DRAW_HEATMAP || kind == ATTN_DRAW_HEADS || kind == ATTN_DRAW_LINES;
}

/* Many heads rest on what the model adds to a text, or on the first token where it adds nothing. */
static char *
dup_patterns (const AttnDrawView *view, bool is_of_file)
{
  if (is_of_file)
    return g_strdup (
        _ ("In a map a diagonal is a head that looks at neighbours, an upright stripe a "
           "token that many look at."));
  bool has_cls = view->cls_name != NULL && *view->cls_name != '\0';
  bool has_sep = view->sep_name != NULL && *view->sep_name != '\0';
  if (has_cls && has_sep && !g_str_equal (view->cls_name, view->sep_name))
    return g_strdup_printf (_ ("Every head learned its own pattern: one follows the previous "
                               "token, one looks for the same word, one rests on %s or %s."),
                            view->cls_name, view->sep_name);
  if (has_cls || has_sep)
    return g_strdup_printf (_ ("Every head learned its own pattern: one follows the previous "
                               "token, one looks for the same word, one rests on %s."),
                            has_cls ? view->cls_name : view->sep_name);
  return g_strdup (_ ("Every head learned its own pattern: one follows the previous token, one "
                      "looks for the same word, one rests on the first token."));
}

/* Returns: (nullable) (transfer full): the first name that stands there again, as it is told apart.
 */
static char *
dup_numbered (AttnMaps *maps, AttnSide side)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  const size_t n = attn_maps_get_n (maps, side);
  for (size_t index = 0; index < n; index++)
    if (!g_hash_table_add (seen, (char *)(guintptr)attn_maps_peek_label (maps, side, index)))
      return hs_format_token (maps, side, index);
  return NULL;
}

static void
show_numbers (HsHelpPanel *self, AttnDrawPanels *panels)
{
  AttnMaps *maps = panels != NULL ? attn_draw_panels_peek_maps (panels) : NULL;
  g_autofree char *token = maps != NULL ? dup_numbered (maps, ATTN_SIDE_QUERY) : NULL;
  g_autofree char *text = NULL;
  if (token == NULL && maps != NULL && !attn_maps_has_same_labels (maps))
    token = dup_numbered (maps, ATTN_SIDE_KEY);
  if (token != NULL)
    text = g_strdup_printf (
        _ ("The number in “%s” is its position, from 0, as the command line counts."), token);
  gtk_label_set_text (self->numbers, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->numbers), text != NULL);
}

static const char *
peek_sums (HsSession *session, const AttnDrawView *view)
{
  const bool sums = rows_sum_to_one (session, &view->arrangement) &&
                    (lens_keeps_sums (view->lens) || view->arrangement.renormalise);

  if (sums && view->lens != ATTN_LENS_RAW)
    return NULL; /* the lens's own sentence says so */
  if (view->kind == ATTN_DRAW_LINES)
    return sums ? _ ("The weights of one query in one head sum to 1.")
                : _ ("The weights of one query in one head need not sum to 1 here.");
  if (view->lens != ATTN_LENS_RAW)
    return _ ("The numbers of a row need not sum to 1.");
  return sums ? _ ("The weights of a row sum to 1.")
              : _ ("The weights of a row need not sum to 1 here.");
}

/* True of what is shown, not of attention in general. */
static void
hs_help_panel_update (HsPanel *panel)
{
  HsHelpPanel *self = HS_HELP_PANEL (panel);
  HsSession *session = hs_panel_peek_session (panel);
  const AttnDrawView *view = hs_session_peek_view (session);
  const bool is_of_file = hs_side_peek_attention (hs_session_peek_side (session)) != NULL;
  g_autofree char *lens = dup_lens (view->lens);
  const char *const parts[] = {
      peek_places (view),
      view->kind == ATTN_DRAW_HEADS ? peek_rows (view->arrangement.unit) : NULL,
      lens,
      shows_sums (view->kind) ? peek_sums (session, view) : NULL,
  };
  g_autoptr (GString) places = g_string_new (NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] != NULL)
      attn_draw_add_sentence (places, parts[i]);
  gtk_label_set_text (self->marks, peek_marks (view));
  gtk_label_set_text (self->places, places->str);
  g_autofree char *patterns = dup_patterns (view, is_of_file);
  gtk_label_set_text (self->patterns, patterns);
  gtk_label_set_text (self->begins,
                      is_of_file
                          ? _ ("The picture is of a file; “Back to the text” closes it.")
                          : _ ("Type a text; the picture follows. [MASK] asks the model to guess a "
                               "word."));
  show_numbers (self, hs_session_peek_panels (session));
}

static void
hs_help_panel_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_HELP_PANEL);
  G_OBJECT_CLASS (hs_help_panel_parent_class)->dispose (object);
}

static void
hs_help_panel_class_init (HsHelpPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_help_panel_dispose;
  HS_PANEL_CLASS (klass)->update = hs_help_panel_update;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-help-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HsHelpPanel, marks);
  gtk_widget_class_bind_template_child (widget_class, HsHelpPanel, places);
  gtk_widget_class_bind_template_child (widget_class, HsHelpPanel, patterns);
  gtk_widget_class_bind_template_child (widget_class, HsHelpPanel, numbers);
  gtk_widget_class_bind_template_child (widget_class, HsHelpPanel, begins);
}

static void
hs_help_panel_init (HsHelpPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hs_panel_watch (HS_PANEL (self), "view", hs_help_panel_update);
  hs_panel_watch (HS_PANEL (self), "panels", hs_help_panel_update);
}

GtkWidget *
hs_help_panel_new (HsSession *session)
{
  return g_object_new (HS_TYPE_HELP_PANEL, "session", session, NULL);
}
