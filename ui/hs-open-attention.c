/* SPDX-License-Identifier: MIT */
/* From a chosen file to the updater, and its tokens from the dialog. */
#include "hs-open-attention.h"

#include "hs-alert.h"
#include "hs-tokens-dialog.h"
#include "hs-told.h"

#include <glib/gi18n.h>

#define DATA "hs-open-attention"

/* Lives as long as the window. */
typedef struct {
  GtkApplicationWindow *window; /* unowned */
  HsSession *session;
  HsUpdater *updater;
  HsStatusLine *status_line; /* says what was done */
  HsAsk ask;
  GtkWidget *dialog;    /* (nullable): of tokens, while it is there … */
  bool of_b;            /* … and of side B's file */
  bool is_asked_for;    /* a file is coming that somebody wants to see */
  HsAttention *asked_b; /* (nullable) owned: of B, that was asked about */
  gulong handlers[2];
} Open;

static void
open_free (gpointer data)
{
  Open *self = data;

  for (size_t i = 0; i < G_N_ELEMENTS (self->handlers); i++)
    g_signal_handler_disconnect (self->updater, self->handlers[i]);
  if (self->dialog != NULL)
    g_object_remove_weak_pointer (G_OBJECT (self->dialog), (gpointer *)&self->dialog);
  g_clear_pointer (&self->asked_b, hs_attention_unref);
  g_object_unref (self->session);
  g_object_unref (self->updater);
  g_object_unref (self->status_line);
  g_free (self);
}

static Open *
peek_open (GtkApplicationWindow *window)
{
  return g_object_get_data (G_OBJECT (window), DATA);
}

void
hs_open_attention_set_ask (GtkApplicationWindow *window, HsAsk ask)
{
  peek_open (window)->ask = ask;
}

static HsAttentionWish
make_wish (char *path, char *tokens)
{
  return (HsAttentionWish){
      .place = {.path = path, .tokens = tokens},
      .looks = tokens == NULL,
  };
}

static void
ask_for (Open *self, const HsAttentionWish *wish)
{
  self->is_asked_for = true;
  hs_updater_open_attention (self->updater, wish);
}

void
hs_open_attention_file (GtkApplicationWindow *window, const char *path)
{
  g_autofree char *whole = g_canonicalize_filename (path, NULL);
  const HsAttentionWish wish = make_wish (whole, NULL);

  ask_for (peek_open (window), &wish);
}

/* ---- asking for a file ---- */

HsQuestion
hs_open_attention_question (void)
{
  return (HsQuestion){
      .action = GTK_FILE_CHOOSER_ACTION_OPEN,
      .title = _ ("Open attention file"),
      .accept = _ ("_Open"),
      .pattern = "*.npy *.npz *.safetensors",
      .pattern_name = _ ("Attention weights"),
  };
}

static void
ask (Open *self, HsPathFunc chosen)
{
  const HsQuestion question = hs_open_attention_question ();

  self->ask (GTK_WINDOW (self->window), &question, chosen, g_object_ref (self->window));
}

/* The window may have been closed meanwhile. */
static void
chosen_cb (char *path, gpointer data)
{
  g_autoptr (GtkApplicationWindow) window = data;
  g_autofree char *chosen = path;

  if (chosen != NULL && peek_open (window) != NULL)
    hs_open_attention_file (window, chosen);
}

static void
chosen_b_cb (char *path, gpointer data)
{
  g_autoptr (GtkApplicationWindow) window = data;
  g_autofree char *chosen = path;
  const HsAttentionWish wish = make_wish (chosen, NULL);

  if (chosen != NULL && peek_open (window) != NULL)
    hs_updater_open_attention_b (peek_open (window)->updater, &wish);
}

static void
open_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED, gpointer data)
{
  ask (data, chosen_cb);
}

static void
open_b_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED, gpointer data)
{
  ask (data, chosen_b_cb);
}

static void
load_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value, gpointer data)
{
  Open *self = data;
  g_autofree char *path = NULL, *array = NULL, *tokens = NULL;
  HsAttentionWish wish;

  g_variant_get (value, "(sss)", &path, &array, &tokens);
  wish = make_wish (path, *tokens != '\0' ? tokens : NULL);
  wish.place.array = *array != '\0' ? array : NULL;
  wish.looks = false; /* as it was the last time */
  wish.forgives = true;
  ask_for (self, &wish);
}

static void
leave_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED, gpointer data)
{
  Open *self = data;

  hs_updater_show_attention (self->updater, NULL);
}

/* ---- tokens ---- */

/* Of the side that the dialog asks about. */
static void
open_wish (Open *self, const HsAttentionWish *wish)
{
  if (self->of_b)
    hs_updater_open_attention_b (self->updater, wish);
  else
    hs_updater_open_attention (self->updater, wish);
}

static void
tokens_chosen_cb (HsTokensDialog *dialog, const char *path, Open *self)
{
  HsAttention *known = g_object_get_data (G_OBJECT (dialog), DATA);
  HsAttentionWish wish = {.known = known};

  wish.place = known->place;
  wish.place.tokens = (char *)(guintptr)path;
  open_wish (self, &wish);
}

static bool
fits (AttnMaps *maps, const AttnLabels *labels)
{
  return attn_labels_get_n (labels, ATTN_SIDE_QUERY) == attn_maps_get_n (maps, ATTN_SIDE_QUERY) &&
         attn_labels_get_n (labels, ATTN_SIDE_KEY) == attn_maps_get_n (maps, ATTN_SIDE_KEY);
}

bool
hs_open_attention_tokens (GtkApplicationWindow *window, const char *path, const AttnLabels *labels)
{
  Open *self = peek_open (window);
  HsAttention *known = hs_side_peek_attention (hs_session_peek_side (self->session));
  HsAttentionWish wish = {.known = known};

  if (known == NULL || known->arrays == NULL ||
      (!g_str_has_suffix (path, ".json") && !fits (known->maps, labels)))
    return false;
  wish.place = known->place;
  wish.place.tokens = (char *)(guintptr)path;
  hs_updater_open_attention (self->updater, &wish);
  return true;
}

/* Another array of the same file, which may have other tokens. */
static void
array_chosen_cb (HsTokensDialog *dialog, const char *array, Open *self)
{
  HsAttention *known = g_object_get_data (G_OBJECT (dialog), DATA);
  const HsAttentionWish wish = {
      .place = {.path = known->place.path, .array = (char *)(guintptr)array}, .looks = true};

  open_wish (self, &wish);
}

static void
unref_attention (gpointer attention)
{
  hs_attention_unref (attention);
}

static void
close_dialog (Open *self)
{
  GtkWidget *dialog = self->dialog;

  if (dialog == NULL)
    return;
  g_object_remove_weak_pointer (G_OBJECT (dialog), (gpointer *)&self->dialog);
  self->dialog = NULL;
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static void
ask_for_tokens (Open *self, HsAttention *attention, bool of_b)
{
  GtkWidget *dialog;

  if (attention->arrays == NULL)
    return;
  dialog = hs_tokens_dialog_new (GTK_WINDOW (self->window), attention);
  hs_tokens_dialog_set_ask (HS_TOKENS_DIALOG (dialog), self->ask);
  g_object_set_data_full (G_OBJECT (dialog), DATA, hs_attention_ref (attention), unref_attention);
  g_signal_connect (dialog, "chosen", G_CALLBACK (tokens_chosen_cb), self);
  g_signal_connect (dialog, "array-chosen", G_CALLBACK (array_chosen_cb), self);
  close_dialog (self);
  self->dialog = dialog;
  self->of_b = of_b;
  g_object_add_weak_pointer (G_OBJECT (dialog), (gpointer *)&self->dialog);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
tokens_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED, gpointer data)
{
  Open *self = data;
  HsAttention *attention = hs_side_peek_attention (hs_session_peek_side (self->session));

  if (attention != NULL)
    ask_for_tokens (self, attention, false);
}

/* ---- how it went ---- */

static void
opened_cb (Open *self, HsAttention *attention)
{
  g_autofree char *name = NULL, *message = NULL;

  if (self->is_asked_for)
    hs_session_set_in_lab (self->session, FALSE); /* which asks for a model */
  self->is_asked_for = false;
  if (attention->took_first || attention->note != NULL) {
    ask_for_tokens (self, attention, false);
  } else if (attention->found_tokens) {
    name = g_filename_display_basename (attention->place.tokens);
    message = g_strdup_printf (_ ("The tokens are from %s, which stands beside the file"), name);
    hs_status_line_say (self->status_line, message);
  } else if (attention->was_opened && hs_attention_is_numbered (attention)) {
    ask_for_tokens (self, attention, false);
  }
}

static void
failed_cb (Open *self, const GError *error)
{
  GtkWidget *alert;

  self->is_asked_for = false;
  if (self->dialog != NULL && !self->of_b) { /* what was chosen there */
    g_autofree char *told = hs_told_dup (error->message);

    hs_tokens_dialog_tell (HS_TOKENS_DIALOG (self->dialog), told);
    return;
  }
  alert = hs_alert_new (GTK_WINDOW (self->window), _ ("Open attention file"),
                        _ ("The file could not be opened; what was shown before stays."),
                        error->message);

  g_signal_connect (alert, "response", G_CALLBACK (gtk_window_destroy), NULL);
  gtk_window_present (GTK_WINDOW (alert));
}

/* What is done with a file that is shown. */
static void
attention_changed_cb (Open *self)
{
  static const char *const names[] = {"attention-tokens", "leave-attention"};
  HsAttention *attention = hs_side_peek_attention (hs_session_peek_side (self->session));
  const bool is_there = attention != NULL;

  if (self->dialog != NULL && !self->of_b &&
      g_object_get_data (G_OBJECT (self->dialog), DATA) != attention)
    close_dialog (self); /* it asks about something that is shown no more */
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->window), names[i]);

    if (action != NULL) /* the window takes its actions away before it ends */
      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), is_there);
  }
}

/* Of several arrays in B's file the person says which is meant, once. */
static void
side_b_changed_cb (GtkApplicationWindow *window)
{
  Open *self = peek_open (window);
  HsAttention *attention;

  if (self == NULL)
    return;
  attention = hs_side_peek_attention (hs_session_peek_side_b (self->session));
  if (self->dialog != NULL && self->of_b &&
      g_object_get_data (G_OBJECT (self->dialog), DATA) != attention)
    close_dialog (self);
  if (attention == NULL || !attention->took_first || attention == self->asked_b)
    return;
  g_clear_pointer (&self->asked_b, hs_attention_unref);
  self->asked_b = hs_attention_ref (attention);
  ask_for_tokens (self, attention, true);
}

static void
side_changed_cb (GtkApplicationWindow *window)
{
  Open *self = peek_open (window);

  if (self != NULL)
    attention_changed_cb (self);
}

void
hs_open_attention_add (GtkApplicationWindow *window,
                       HsSession *session,
                       HsUpdater *updater,
                       HsStatusLine *status_line)
{
  static const GActionEntry entries[] = {
      {.name = "open-attention", .activate = open_cb},
      {.name = "open-attention-b", .activate = open_b_cb},
      {.name = "load-attention", .activate = load_cb, .parameter_type = "(sss)"},
      {.name = "attention-tokens", .activate = tokens_cb},
      {.name = "leave-attention", .activate = leave_cb},
  };
  Open *self = g_new0 (Open, 1);

  self->window = window;
  self->session = g_object_ref (session);
  self->updater = g_object_ref (updater);
  self->status_line = g_object_ref (status_line);
  self->ask = hs_ask_by_chooser;
  g_object_set_data_full (G_OBJECT (window), DATA, self, open_free);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (hs_session_peek_side (session), "notify::attention",
                           G_CALLBACK (side_changed_cb), window, G_CONNECT_SWAPPED);
  g_signal_connect_object (hs_session_peek_side_b (session), "notify::attention",
                           G_CALLBACK (side_b_changed_cb), window, G_CONNECT_SWAPPED);
  attention_changed_cb (self);
  self->handlers[0] =
      g_signal_connect_swapped (updater, "attention-opened", G_CALLBACK (opened_cb), self);
  self->handlers[1] =
      g_signal_connect_swapped (updater, "attention-failed", G_CALLBACK (failed_cb), self);
}
