/* SPDX-License-Identifier: MIT */
/* A popover of guesses and a field. */
#include "hs-ablation-labels.h"

#include "attn/tokenizer.h"

#include <glib/gi18n.h>

#include <string.h>

#define MOST_MASKS 4
#define MOST_NAMED 3
#define SPACING 6

typedef struct {
  AttnAblationClean *clean; /* referenced */
  HsAblationLabelsFunc chosen;
  gpointer data;
  GtkWidget *popover; /* borrowed */
  GtkEditable *entry; /* likewise */
} Choosing;

static void
choosing_free (gpointer data, GClosure *closure G_GNUC_UNUSED)
{
  Choosing *choosing = data;

  attn_ablation_clean_unref (choosing->clean);
  g_free (choosing);
}

static AttnTokenizer *
peek_tokenizer (const AttnAblationClean *clean)
{
  return attn_model_peek_tokenizer (attn_trace_peek_model (clean->task->clean));
}

char *
hs_ablation_labels_dup (const AttnAblationClean *clean)
{
  const AttnTask *task = clean->task;
  char *words = g_strdup ("");

  for (size_t i = 0; i < MIN (task->n_labels, MOST_NAMED); i++) {
    const char *word = attn_tokenizer_peek_text (peek_tokenizer (clean), task->labels[i]);
    g_autofree char *before = words;
    /* words that follow each other */
    words = i > 0 ? g_strdup_printf (_ ("%1$s, %2$s"), before, word) : g_strdup (word);
  }
  if (task->n_labels <= MOST_NAMED)
    return words;
  g_autofree char *some = words;
  return g_strconcat (some, " …", NULL);
}

static void
choose (Choosing *choosing, const char *labels)
{
  gtk_popover_popdown (GTK_POPOVER (choosing->popover));
  choosing->chosen (labels, choosing->data);
}

/* Of the masks before this one what is right now is named, too: labels go from the first on. */
static void
guess_cb (GtkButton *button, gpointer data)
{
  Choosing *choosing = data;
  const AttnTask *task = choosing->clean->task;
  const size_t mask = GPOINTER_TO_SIZE (g_object_get_data (G_OBJECT (button), "mask"));
  const int32_t id = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "id"));
  g_autoptr (GString) labels = g_string_new (NULL);
  const size_t n = task->kind == ATTN_TASK_LABELLED ? task->n_labels : mask + 1;

  for (size_t i = 0; i < MIN (n, task->n_labels); i++)
    g_string_append_printf (labels, "%s%s", i > 0 ? " " : "",
                            attn_tokenizer_peek_piece (peek_tokenizer (choosing->clean),
                                                       i == mask ? id : task->labels[i]));
  choose (choosing, labels->str);
}

static void
entry_cb (Choosing *choosing)
{
  g_autofree char *labels = g_strstrip (g_strdup (gtk_editable_get_text (choosing->entry)));

  choose (choosing, *labels != '\0' ? labels : NULL);
}

static void
best_cb (Choosing *choosing)
{
  choose (choosing, NULL);
}

/* The guesses at one mask. */
static GtkWidget *
make_row (Choosing *choosing, const AttnPrediction *prediction, size_t mask)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (row, "linked");
  for (size_t i = 0; i < prediction->n_guesses; i++) {
    GtkWidget *button = gtk_button_new_with_label (prediction->guesses[i].text);

    g_object_set_data (G_OBJECT (button), "mask", GSIZE_TO_POINTER (mask));
    g_object_set_data (G_OBJECT (button), "id", GINT_TO_POINTER (prediction->guesses[i].id));
    g_signal_connect (button, "clicked", G_CALLBACK (guess_cb), choosing);
    gtk_box_append (GTK_BOX (row), button);
  }
  return row;
}

static GtkWidget *
make_heading (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "dim-label");
  return label;
}

static GtkWidget *
make_entry (Choosing *choosing)
{
  GtkWidget *entry = gtk_entry_new ();
  const char *label = choosing->clean->before->n > 1
                          ? _ ("Other words, one for each mask, with spaces between them")
                          : _ ("Another word");

  choosing->entry = GTK_EDITABLE (entry);
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (entry_cb), choosing);
  return entry;
}

GtkWidget *
hs_ablation_labels_new (AttnAblationClean *clean, HsAblationLabelsFunc chosen, gpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *best = gtk_button_new_with_label (_ ("The model’s best guesses"));
  Choosing *choosing = g_new0 (Choosing, 1);

  *choosing = (Choosing){attn_ablation_clean_ref (clean), chosen, data, popover, NULL};
  for (size_t i = 0; i < MIN (clean->before->n, MOST_MASKS); i++) {
    g_autofree char *heading = clean->before->n > 1
                                   ? g_strdup_printf (_ ("Right at [MASK] %zu"), i + 1)
                                   : g_strdup (_ ("Right at [MASK]"));
    gtk_box_append (GTK_BOX (box), make_heading (heading));
    gtk_box_append (GTK_BOX (box), make_row (choosing, &clean->before->items[i], i));
  }
  gtk_box_append (GTK_BOX (box), make_entry (choosing));
  /* it keeps what all are connected to */
  g_signal_connect_data (best, "clicked", G_CALLBACK (best_cb), choosing, choosing_free,
                         G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), best);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  return popover;
}
