/* SPDX-License-Identifier: MIT */
/* Two lists with a line for each name, and what is still missing. */
#include "hs-tokens-dialog.h"

#include "hs-accessible.h"
#include "hs-dialog-keys.h"
#include "hs-kept-tokens.h"
#include "hs-text-limit.h"
#include "hs-told.h"
#include "hs-wrap-layout.h"

#include "attn/quote.h"

#include <glib/gi18n.h>

#include <stdbool.h>
#include <string.h>

struct _HsTokensDialog {
  GtkWindow parent_instance;

  HsAttention *attention;
  HsAsk ask;

  GtkLabel *explanation;
  GtkWidget *array_row;
  GtkDropDown *array_choice;
  GtkCheckButton *keys_check;
  GtkTextBuffer *queries_buffer, *keys_buffer;
  GtkLabel *queries_count, *keys_count;
  GtkWidget *keys_list;
  GtkTextView *queries_view;
  GtkWidget *use_button, *numbers_button;
  GtkLabel *trouble;
  bool was_cut; /* it says so */
};

G_DEFINE_FINAL_TYPE (HsTokensDialog, hs_tokens_dialog, GTK_TYPE_WINDOW)

enum { CHOSEN, ARRAY_CHOSEN, N_SIGNALS };

static guint signals[N_SIGNALS];

void
hs_tokens_dialog_set_ask (HsTokensDialog *self, HsAsk ask)
{
  g_return_if_fail (HS_IS_TOKENS_DIALOG (self));
  self->ask = ask;
}

static size_t
count_needed (HsTokensDialog *self, AttnSide side)
{
  return attn_maps_get_n (self->attention->maps, side);
}

/* Returns: (transfer full): a name for each line, without Windows' carriage returns; empty lines at
 * the end begin none, unless they are needed. */
static GPtrArray *
dup_lines (const char *text, size_t n_needed)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) lines = g_strsplit (text, "\n", 0);

  for (size_t i = 0; lines[i] != NULL; i++) {
    if (g_str_has_suffix (lines[i], "\r"))
      lines[i][strlen (lines[i]) - 1] = '\0';
    g_ptr_array_add (names, g_strdup (lines[i]));
  }
  for (guint n = names->len, n_lines = n; n > 0; n--) {
    if (*(char *)g_ptr_array_index (names, n - 1) != '\0' || (n < n_lines && n <= n_needed))
      break;
    g_ptr_array_set_size (names, (int)n - 1);
  }
  return names;
}

static GPtrArray *
dup_labels (const AttnLabels *labels, AttnSide side)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (size_t i = 0; i < attn_labels_get_n (labels, side); i++)
    g_ptr_array_add (names, g_strdup (attn_labels_peek (labels, side, i)));
  return names;
}

/* Returns: (transfer full): what stands between tabs, with its blanks: a row of a table. */
static GPtrArray *
dup_cells (const char *line)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) cells = g_strsplit (line, "\t", 0);

  for (size_t i = 0; cells[i] != NULL; i++)
    g_ptr_array_add (names, g_strdup (g_strstrip (cells[i])));
  return names;
}

/* Returns: (transfer full): what the field lists for @side: a JSON list where it is one, the cells
 * or the words of a single line, else a name for each line; as the dialog says. */
static GPtrArray *
dup_names (GtkTextBuffer *buffer, AttnSide side, size_t n_needed)
{
  g_autoptr (AttnLabels) labels = NULL;
  g_autofree char *text = NULL;
  g_autofree char *stripped = NULL;

  g_object_get (buffer, "text", &text, NULL);
  stripped = g_strstrip (g_strdup (text));
  if (*stripped == '\0') /* a line's end alone is no name */
    return g_ptr_array_new_with_free_func (g_free);
  if (*stripped == '[' || *stripped == '{')
    labels = attn_labels_load_text (text, strlen (text), "typed.json", NULL);
  if (labels == NULL && n_needed > 1 && strchr (stripped, '\n') == NULL) {
    if (strchr (stripped, '\t') != NULL)
      return dup_cells (stripped);
    if (strchr (text, '\n') == NULL)                         /* more lines may follow */
      labels = attn_labels_new_typed (stripped, NULL, NULL); /* "[CLS] the cat", too */
  }
  return labels != NULL ? dup_labels (labels, side) : dup_lines (text, n_needed);
}

static bool
has_one_list (HsTokensDialog *self)
{
  return attn_maps_has_same_labels (self->attention->maps);
}

static bool
has_own_keys (HsTokensDialog *self)
{
  return gtk_check_button_get_active (self->keys_check);
}

/* Returns: whether there are as many names as are needed; tells both numbers. */
static bool
update_count (HsTokensDialog *self, GtkTextBuffer *buffer, GtkLabel *count, AttnSide side)
{
  const size_t n_needed = count_needed (self, side);
  g_autoptr (GPtrArray) names = dup_names (buffer, side, n_needed);
  g_autofree char *text = g_strdup_printf (_ ("%u of %zu"), names->len, n_needed);

  gtk_label_set_text (count, text);
  return names->len == n_needed;
}

static void
update_cb (HsTokensDialog *self)
{
  const bool queries_fit =
      update_count (self, self->queries_buffer, self->queries_count, ATTN_SIDE_QUERY);
  const bool keys_fit = update_count (self, self->keys_buffer, self->keys_count, ATTN_SIDE_KEY);

  gtk_widget_set_visible (self->keys_list, has_own_keys (self));
  gtk_widget_set_sensitive (self->use_button, queries_fit && (keys_fit || !has_own_keys (self)));
}

static void
choose (HsTokensDialog *self, const char *path)
{
  g_signal_emit (self, signals[CHOSEN], 0, path);
}

static void
tell (HsTokensDialog *self, const char *sentence)
{
  gtk_label_set_text (self->trouble, sentence);
  gtk_widget_set_visible (GTK_WIDGET (self->trouble), sentence != NULL);
}

void
hs_tokens_dialog_tell (HsTokensDialog *self, const char *sentence)
{
  g_return_if_fail (HS_IS_TOKENS_DIALOG (self));
  tell (self, sentence);
  update_cb (self);
}

static size_t
count_bytes (GtkTextBuffer *buffer)
{
  g_autofree char *text = NULL;

  g_object_get (buffer, "text", &text, NULL);
  return strlen (text);
}

/* What cannot be laid out in time does not come into the field, and the person is told. */
static void
insert_cb (HsTokensDialog *self, GtkTextIter *where, char *text, int n_bytes, GtkTextBuffer *buffer)
{
  const size_t n = n_bytes < 0 ? strlen (text) : (size_t)n_bytes;
  const size_t n_fitting = hs_text_count_in_list (text, n, count_bytes (buffer),
                                                  (size_t)gtk_text_buffer_get_line_count (buffer));

  if (n_fitting < n) {
    g_signal_stop_emission_by_name (buffer, "insert-text");
    gtk_text_buffer_insert (buffer, where, text, (int)n_fitting);
    tell (self, _ ("That is more than the field takes, and its end was left out. Choose a file for "
                   "so long a list."));
  } else if (self->was_cut)
    tell (self, NULL);
  self->was_cut = n_fitting < n;
}

static void
array_selected_cb (HsTokensDialog *self)
{
  AttnArrays *arrays = self->attention != NULL ? self->attention->arrays : NULL;
  const guint selected = gtk_drop_down_get_selected (self->array_choice);

  if (arrays != NULL && selected < attn_arrays_get_n_choices (arrays) &&
      selected != attn_arrays_get_chosen (arrays))
    g_signal_emit (self, signals[ARRAY_CHOSEN], 0, attn_arrays_peek_choice (arrays, selected));
}

static void
numbers_clicked_cb (HsTokensDialog *self)
{
  choose (self, NULL);
}

/* The dialog may be gone meanwhile. */
static bool
is_open (HsTokensDialog *self)
{
  return self->attention != NULL;
}

static void
saved_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (HsTokensDialog) self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = hs_kept_tokens_save_finish (result, &error);
  g_autofree char *told = NULL;

  if (!is_open (self))
    return;
  if (path != NULL) {
    choose (self, path);
    return;
  }
  told = hs_told_dup (error->message);
  tell (self, told);
  update_cb (self);
}

static bool
is_changed (HsTokensDialog *self)
{
  return hs_attention_is_numbered (self->attention) ||
         gtk_text_buffer_get_modified (self->queries_buffer) ||
         gtk_text_buffer_get_modified (self->keys_buffer) ||
         has_own_keys (self) == has_one_list (self);
}

static void
use_clicked_cb (HsTokensDialog *self)
{
  g_autoptr (GPtrArray) queries = NULL, keys = NULL;
  g_autoptr (AttnLabels) labels = NULL;

  if (!is_changed (self)) {
    choose (self, self->attention->place.tokens);
    return;
  }
  queries = dup_names (self->queries_buffer, ATTN_SIDE_QUERY, count_needed (self, ATTN_SIDE_QUERY));
  if (has_own_keys (self))
    keys = dup_names (self->keys_buffer, ATTN_SIDE_KEY, count_needed (self, ATTN_SIDE_KEY));
  labels = attn_labels_new (queries, keys);
  gtk_widget_set_sensitive (self->use_button, FALSE);
  hs_kept_tokens_save_async (labels, saved_cb, g_object_ref (self));
}

static void
file_chosen_cb (char *path, gpointer data)
{
  g_autoptr (HsTokensDialog) self = data;
  g_autofree char *chosen = path;

  if (chosen != NULL && is_open (self))
    choose (self, chosen);
}

static void
file_clicked_cb (HsTokensDialog *self)
{
  const HsQuestion question = {
      .action = GTK_FILE_CHOOSER_ACTION_OPEN,
      .title = _ ("Choose a file of tokens"),
      .accept = _ ("_Open"),
      .pattern = "*.json *.txt",
      .pattern_name = _ ("Tokens"),
  };

  self->ask (GTK_WINDOW (self), &question, file_chosen_cb, g_object_ref (self));
}

/* What the file's rows or columns are called now; a name of several lines is one line here. */
static void
fill (HsTokensDialog *self, GtkTextBuffer *buffer, AttnSide side)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (size_t i = 0; i < count_needed (self, side); i++) {
    g_autofree char *name = g_strdelimit (
        g_strdup (attn_maps_peek_label (self->attention->maps, side, i)), "\r\n", ' ');

    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", name);
  }
  gtk_text_buffer_set_text (buffer, text->str, (int)text->len);
  gtk_text_buffer_set_modified (buffer, FALSE);
}

static char *
dup_explanation (HsTokensDialog *self, bool is_square)
{
  const char *name = self->attention->name;
  const gulong n_queries = count_needed (self, ATTN_SIDE_QUERY);
  const gulong n_keys = count_needed (self, ATTN_SIDE_KEY);

  if (is_square)
    return g_strdup_printf (
        ngettext ("%s has %lu row and as many columns. Type or paste what they are called, one a "
                  "line.",
                  "%s has %lu rows and as many columns. Type or paste what they are called, one a "
                  "line.",
                  n_queries),
        name, n_queries);
  return g_strdup_printf (
      _ ("%s has %lu rows and %lu columns. Type or paste what they are called, one a line."), name,
      n_queries, n_keys);
}

/* A dialog over a small window stays as small, and scrolls. */
static void
fit_parent (HsTokensDialog *self, GtkWidget *parent)
{
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  if (gtk_widget_get_width (parent) > 0)
    gtk_window_set_default_size (GTK_WINDOW (self), MIN (width, gtk_widget_get_width (parent)),
                                 MIN (height, gtk_widget_get_height (parent)));
}

static void
list_arrays (HsTokensDialog *self)
{
  AttnArrays *arrays = self->attention->arrays;
  const size_t n = arrays != NULL ? attn_arrays_get_n_choices (arrays) : 0;
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (size_t i = 0; i < n; i++) {
    const char *name = attn_arrays_peek_choice (arrays, i);
    g_autofree char *shown = attn_file_dup_shown (name, strlen (name));
    g_autofree char *line =
        g_strdup_printf ("%s  %s", shown, attn_arrays_peek_choice_shape (arrays, i));

    gtk_string_list_append (names, line);
  }
  gtk_drop_down_set_model (self->array_choice, G_LIST_MODEL (names));
  if (n > 0)
    gtk_drop_down_set_selected (self->array_choice, (guint)attn_arrays_get_chosen (arrays));
  gtk_widget_set_visible (self->array_row, n > 0);
}

static void
show_attention (HsTokensDialog *self)
{
  const HsAttention *attention = self->attention;
  const bool is_square = count_needed (self, ATTN_SIDE_QUERY) == count_needed (self, ATTN_SIDE_KEY);
  g_autofree char *explanation = dup_explanation (self, is_square);

  gtk_label_set_text (self->explanation, explanation);
  gtk_widget_set_visible (GTK_WIDGET (self->keys_check), is_square);
  if (attention->arrays != NULL && attn_arrays_peek_labels (attention->arrays) != NULL)
    hs_accessible_set_label (GTK_BUTTON (self->numbers_button), _ ("Use the file’s _own"));
  list_arrays (self);
  if (!hs_attention_is_numbered (attention)) {
    fill (self, self->queries_buffer, ATTN_SIDE_QUERY);
    fill (self, self->keys_buffer, ATTN_SIDE_KEY);
  }
  gtk_check_button_set_active (self->keys_check, !has_one_list (self));
  if (attention->note != NULL || !self->was_cut)
    tell (self, attention->note);
  update_cb (self);
}

static void
hs_tokens_dialog_dispose (GObject *object)
{
  HsTokensDialog *self = HS_TOKENS_DIALOG (object);

  g_clear_pointer (&self->attention, hs_attention_unref);
  gtk_widget_dispose_template (GTK_WIDGET (self), HS_TYPE_TOKENS_DIALOG);
  G_OBJECT_CLASS (hs_tokens_dialog_parent_class)->dispose (object);
}

static void
hs_tokens_dialog_class_init (HsTokensDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_tokens_dialog_dispose;
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[ARRAY_CHOSEN] =
      g_signal_new ("array-chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-tokens-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, HsTokensDialog, explanation);
  gtk_widget_class_bind_template_child (widget_class, HsTokensDialog, array_row);
  gtk_widget_class_bind_template_child (widget_class, HsTokensDialog, array_choice);
  gtk_widget_class_bind_template_child (widget_class, HsTokensDialog, keys_check);
  gtk_widget_class_bind_template_child (widget_class, HsTokensDialog, queries_buffer);
  gtk_widget_class_bind_template_child (widget_class, HsTokensDialog, keys_buffer);
  gtk_widget_class_bind_template_child (widget_class, HsTokensDialog, queries_count);
  gtk_widget_class_bind_template_child (widget_class, HsTokensDialog, keys_count);
  gtk_widget_class_bind_template_child (widget_class, HsTokensDialog, keys_list);
  gtk_widget_class_bind_template_child (widget_class, HsTokensDialog, queries_view);
  gtk_widget_class_bind_template_child (widget_class, HsTokensDialog, use_button);
  gtk_widget_class_bind_template_child (widget_class, HsTokensDialog, numbers_button);
  gtk_widget_class_bind_template_child (widget_class, HsTokensDialog, trouble);
  gtk_widget_class_bind_template_callback (widget_class, update_cb);
  gtk_widget_class_bind_template_callback (widget_class, insert_cb);
  gtk_widget_class_bind_template_callback (widget_class, array_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, numbers_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, use_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, file_clicked_cb);
  hs_dialog_keys_add (widget_class);
}

static gboolean
use_by_key_cb (GtkWidget *widget, GVariant *arguments G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  HsTokensDialog *self = HS_TOKENS_DIALOG (widget);

  if (!gtk_widget_get_sensitive (self->use_button))
    return FALSE;
  use_clicked_cb (self);
  return TRUE;
}

/* Ctrl+Return uses the names; a field would take it for a line's end. */
static void
add_keys (HsTokensDialog *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Return, GDK_CONTROL_MASK),
                        gtk_callback_action_new (use_by_key_cb, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

static void
hs_tokens_dialog_init (HsTokensDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->ask = hs_ask_by_chooser;
  hs_accessible_name_all (GTK_WIDGET (self));
  add_keys (self);
}

GtkWidget *
hs_tokens_dialog_new (GtkWindow *parent, HsAttention *attention)
{
  HsTokensDialog *self = g_object_new (HS_TYPE_TOKENS_DIALOG, "transient-for", parent, NULL);

  self->attention = hs_attention_ref (attention);
  fit_parent (self, GTK_WIDGET (parent));
  show_attention (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->queries_view));
  return GTK_WIDGET (self);
}
