/* SPDX-License-Identifier: MIT */
/* A table of plain words beside the Hub library's table of models. */
#include "hs-suggestions.h"

#include <glib/gi18n.h>

#include <string.h>

static const struct {
  const char *name; /* without its owner */
  const char *use;
} uses[] = {
    {"bert-base-uncased", N_ ("English; the model most papers on heads are about")},
    {"bert-base-cased", N_ ("English, capitals told apart")},
    {"bert-base-chinese", N_ ("Chinese, traditional and simplified, one token a character")},
    {"bert-base-multilingual-cased", N_ ("104 languages, Chinese among them")},
    {"all-MiniLM-L6-v2", N_ ("English, small and quick; compares sentences")},
    {"chinese-roberta-wwm-ext", N_ ("Chinese, trained on whole words")},
    {"roberta-base", N_ ("English, trained longer than BERT")},
    {"xlm-roberta-base", N_ ("100 languages, large download")},
    {"distilbert-base-uncased", N_ ("English, half of BERT’s layers")},
    {"albert-base-v2", N_ ("English, one layer’s weights used twelve times")},
    {"electra-small-discriminator", N_ ("English, small; tells replaced words")},
    {"deberta-v3-small", N_ ("English, attends to positions apart from words")},
    {"all-mpnet-base-v2", N_ ("English; compares sentences")},
    {"ModernBERT-base", N_ ("English and code, long texts")},
    {"gpt2", N_ ("English, writes on; every token sees only those before it")},
    {"distilgpt2", N_ ("English, writes on; half of GPT-2’s layers")},
};

const char *
hs_suggestion_peek_use (const char *name)
{
  const char *slash = strrchr (name, '/');
  const char *last = slash != NULL ? slash + 1 : name;

  for (size_t i = 0; i < G_N_ELEMENTS (uses); i++)
    if (g_str_equal (uses[i].name, last))
      return _ (uses[i].use);
  return NULL;
}

static GtkWidget *
make_label (const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (label, style);
  return label;
}

/* Without the digits that a size known only about does not have. */
static char *
dup_about (unsigned megabytes)
{
  return megabytes >= 1000 ? g_strdup_printf (_ ("%.1f GB"), megabytes / 1000.0)
                           : g_strdup_printf (_ ("%u MB"), megabytes);
}

void
hs_suggestion_row_set_here (GtkWidget *row, bool is_here)
{
  GtkWidget *box = gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (row));

  gtk_widget_set_visible (gtk_widget_get_last_child (box), is_here);
}

GtkWidget *
hs_suggestion_row_new (const AttnHubSuggestion *suggestion)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  const char *use = hs_suggestion_peek_use (suggestion->name);
  g_autofree char *bytes = dup_about (suggestion->megabytes);
  /* the download's own line tells it exactly, before anything is downloaded */
  g_autofree char *facts =
      g_strdup_printf (_ ("%s · %zu layers × %zu heads · about %s"), suggestion->family,
                       (size_t)suggestion->n_layers, (size_t)suggestion->n_heads, bytes);
  g_autofree char *all =
      g_strdup_printf ("%s, %s, %s", suggestion->name, use != NULL ? use : "", facts);

  gtk_widget_set_name (row, suggestion->name);
  gtk_widget_add_css_class (row, "model-row");
  gtk_box_append (GTK_BOX (box), make_label (suggestion->name, "heading"));
  if (use != NULL)
    gtk_box_append (GTK_BOX (box), make_label (use, "caption"));
  gtk_box_append (GTK_BOX (box), make_label (facts, "caption"));
  gtk_widget_add_css_class (gtk_widget_get_last_child (box), "dim-label");
  gtk_box_append (GTK_BOX (box), make_label (_ ("✓ on this computer"), "caption"));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, all, -1);
  return row;
}
