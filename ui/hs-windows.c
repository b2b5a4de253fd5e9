/* SPDX-License-Identifier: MIT */
/* A list of desks, each with at most one window over it. */
#include "hs-windows.h"

#include "hs-examples.h"
#include "hs-models-actions.h"
#include "hs-quit-question.h"
#include "hs-session-actions.h"
#include "hs-settings.h"
#include "hs-state-folder.h"
#include "hs-told.h"
#include "hs-work.h"

#include <glib/gi18n.h>

#define DESK "hs-desk"
#define LANGUAGE "hs-language"

struct HsWindows {
  GtkApplication *application; /* unowned: it owns us */
  GSettings *settings;         /* nullable */
  HsEngine *engine;
  HsStateFolder *folder; /* nullable */
  char *message;         /* (nullable): to be said when there is a window */
  HsRecent *recent;      /* nullable */
  HsDownloads *downloads;
  char *font_family; /* (nullable): while nobody has said */
  double font_size_pt;
  GPtrArray *desks;  /* HsDesk, in the order they were opened */
  guint n_languages; /* that windows have spoken so far */
  bool keeps;
};

HsWindows *
hs_windows_new (GtkApplication *application, GSettings *settings, bool keeps)
{
  HsWindows *self = g_new0 (HsWindows, 1);
  g_autoptr (HsModels) models = NULL;

  self->application = application;
  self->settings = settings != NULL ? g_object_ref (settings) : NULL;
  self->engine = hs_engine_new ();
  self->desks = g_ptr_array_new_with_free_func ((GDestroyNotify)hs_desk_free);
  self->keeps = keeps;
  models = hs_models_new (attn_hub_places_new (NULL), settings);
  self->downloads = hs_downloads_new (models, keeps ? settings : NULL);
  if (settings != NULL && keeps)
    self->recent = hs_recent_new (settings);
  return self;
}

/* ---- before there is a display ---- */

static void
open_folder (HsWindows *self)
{
  g_autofree char *path = g_build_filename (g_get_user_state_dir (), "headscope", NULL);
  g_autoptr (GError) error = NULL;

  self->folder = hs_state_folder_open (path, &error);
  g_autofree char *told = error != NULL ? hs_told_dup (error->message) : NULL;
  if (self->folder == NULL)
    self->message = g_strdup_printf (_ ("What you type cannot be kept: %s"), told);
}

/* The first example is what one would have typed. */
static void
provide_text (HsDesk *desk)
{
  g_autoptr (GPtrArray) examples = hs_examples_load ();

  if (examples->len > 0)
    hs_side_set_text (hs_session_peek_side (desk->session),
                      ((const HsExample *)g_ptr_array_index (examples, 0))->text);
}

/* @path: (nullable): of the state to take over; without one, or when that fails, it begins with an
 * example. */
static HsDesk *
add_desk (HsWindows *self, const char *path)
{
  HsDesk *desk = hs_desk_new (self->engine);
  const bool restore = path != NULL;
  g_autofree char *fresh = NULL;

  hs_settings_apply (self->settings, desk->session);
  if (self->font_family != NULL)
    hs_session_set_font (desk->session, self->font_family, self->font_size_pt);
  if (self->recent != NULL)
    hs_recent_watch (self->recent, desk->session);
  if (!restore && self->folder != NULL)
    path = fresh = hs_state_folder_dup_new (self->folder);
  if (!hs_desk_keep (desk, path, restore))
    provide_text (desk);
  g_ptr_array_add (self->desks, desk);
  return desk;
}

/* Whoever asks for a text or a model wants to see that; and a file not in the lab, which asks for a
 * model. */
static void
apply_attention (HsDesk *desk, const HsStart *start)
{
  const HsAttentionPlace place = {(char *)(guintptr)start->attention,
                                  (char *)(guintptr)start->array, (char *)(guintptr)start->tokens};
  HsSide *side = hs_session_peek_side (desk->session);

  if (start->attention == NULL && start->text == NULL && start->model == NULL)
    return;
  g_clear_pointer (&desk->attention, hs_attention_unref);
  hs_side_set_wanted (side, start->attention != NULL ? &place : NULL);
  if (start->attention != NULL)
    hs_session_set_in_lab (desk->session, FALSE);
  desk->looks = start->attention != NULL && start->tokens == NULL;
}

static void
apply_start (HsDesk *desk, const HsStart *start)
{
  HsSide *side = hs_session_peek_side (desk->session);

  if (start->text != NULL) {
    hs_side_set_pair (side, NULL);
    hs_side_set_text (side, start->text);
  }
  if (start->model != NULL) {
    g_free (desk->model);
    desk->model = g_strdup (start->model);
  }
  if (start->text != NULL || start->model != NULL || start->attention != NULL)
    hs_session_set_lens (desk->session, ATTN_LENS_RAW); /* what was chosen for another picture */
  apply_attention (desk, start);
}

/* Returns: (nullable): a loaded model of this name among the windows'. */
static AttnModel *
find_model (HsWindows *self, const char *name)
{
  for (guint i = 0; i < self->desks->len; i++) {
    HsDesk *desk = g_ptr_array_index (self->desks, i);
    AttnModel *model = hs_side_peek_model (hs_session_peek_side (desk->session));

    if (model != NULL && g_strcmp0 (hs_updater_peek_name (desk->updater), name) == 0)
      return model;
  }
  return NULL;
}

/* The other windows begin when the first one is done: most often its model is theirs, too. */
static void
start_rest (HsWindows *self)
{
  for (guint i = 0; i < self->desks->len; i++) {
    HsDesk *desk = g_ptr_array_index (self->desks, i);

    if (!desk->started)
      hs_desk_start (desk, find_model (self, desk->model));
  }
}

static void
first_changed_cb (HsSession *session, GParamSpec *pspec, HsWindows *self)
{
  (void)pspec;
  if (hs_session_get_state (session) == HS_STATE_BUSY)
    return;
  g_signal_handlers_disconnect_by_func (session, first_changed_cb, self);
  start_rest (self);
}

void
hs_windows_begin (HsWindows *self, const HsStart *start)
{
  g_autoptr (GPtrArray) files = NULL;
  HsDesk *first;

  if (self->keeps)
    open_folder (self);
  if (self->folder != NULL)
    files = hs_state_folder_list (self->folder);
  for (guint i = 0; files != NULL && i < files->len; i++)
    add_desk (self, g_ptr_array_index (files, i));
  if (self->desks->len == 0)
    add_desk (self, NULL);
  first = g_ptr_array_index (self->desks, 0);
  apply_start (first, start);
  if (self->desks->len > 1)
    g_signal_connect (first->session, "notify::state", G_CALLBACK (first_changed_cb), self);
  hs_desk_start (first, NULL);
}

/* ---- windows ---- */

static HsDesk *
peek_desk (HsWindow *window)
{
  return g_object_get_data (G_OBJECT (window), DESK);
}

void
hs_windows_quit (HsWindows *self)
{
  if (!hs_quit_question_ask (self->application, self->downloads))
    g_application_quit (G_APPLICATION (self->application));
}

/* The last window is kept for the next start; the others are closed for good. */
static gboolean
close_request_cb (HsWindow *window, HsWindows *self)
{
  HsDesk *desk = peek_desk (window);

  if (self->desks->len == 1 && hs_quit_question_ask (self->application, self->downloads))
    return GDK_EVENT_STOP;
  if (desk->keeper != NULL && self->desks->len > 1)
    hs_keeper_forget (desk->keeper);
  else if (desk->keeper != NULL)
    hs_keeper_flush (desk->keeper);
  g_signal_handlers_disconnect_by_data (desk->session, self);
  gtk_window_destroy (GTK_WINDOW (window));
  g_ptr_array_remove (self->desks, desk);
  start_rest (self); /* others may have waited for this one */
  if (self->desks->len == 0)
    g_application_quit (G_APPLICATION (self->application)); /* dialogs do not keep it up */
  return GDK_EVENT_STOP;
}

static void
remember_size (HsWindows *self, HsWindow *window)
{
  const GSettingsBindFlags flags = hs_settings_get_bind_flags (!self->keeps);

  if (self->settings == NULL)
    return;
  hs_settings_bind_int (self->settings, "window-width", window, "default-width", flags);
  hs_settings_bind_int (self->settings, "window-height", window, "default-height", flags);
  g_settings_bind (self->settings, "window-maximized", window, "maximized", flags);
}

static HsWindow *
find_window (HsWindows *self, HsDesk *desk)
{
  for (GList *each = gtk_application_get_windows (self->application); each != NULL;
       each = each->next)
    if (HS_IS_WINDOW (each->data) && peek_desk (each->data) == desk)
      return each->data;
  return NULL;
}

static void
trouble_changed_cb (HsWindow *window, GParamSpec *pspec, HsKeeper *keeper)
{
  const char *trouble = hs_keeper_peek_trouble (keeper);
  g_autofree char *message = NULL;

  (void)pspec;
  if (trouble == NULL)
    return;
  message = g_strdup_printf (_ ("What you type cannot be kept: %s"), trouble);
  hs_window_say (window, message);
}

static HsWindow *
open_window (HsWindows *self, HsDesk *desk)
{
  HsWindow *window = HS_WINDOW (hs_window_new (self->application, desk->session, desk->updater));

  g_object_set_data (G_OBJECT (window), DESK, desk);
  g_object_set_data (G_OBJECT (window), LANGUAGE, GUINT_TO_POINTER (self->n_languages));
  if (desk->keeper != NULL)
    g_signal_connect_object (desk->keeper, "notify::trouble", G_CALLBACK (trouble_changed_cb),
                             window, G_CONNECT_SWAPPED);
  if (self->message != NULL)
    hs_window_say (window, self->message);
  g_clear_pointer (&self->message, g_free);
  if (self->recent != NULL)
    hs_window_set_recent (window, self->recent);
  hs_models_actions_add (window, self->downloads);
  remember_size (self, window);
  g_signal_connect (window, "close-request", G_CALLBACK (close_request_cb), self);
  return window;
}

HsWindow *
hs_windows_open (HsWindows *self)
{
  for (guint i = 0; i < self->desks->len; i++) {
    HsDesk *desk = g_ptr_array_index (self->desks, i);

    if (find_window (self, desk) == NULL)
      open_window (self, desk);
  }
  return find_window (self, g_ptr_array_index (self->desks, 0));
}

void
hs_windows_show (HsWindows *self)
{
  for (guint i = 0; i < self->desks->len; i++) {
    HsWindow *window = find_window (self, g_ptr_array_index (self->desks, i));

    if (window != NULL && !gtk_widget_get_visible (GTK_WIDGET (window)))
      gtk_window_present (GTK_WINDOW (window));
  }
}

void
hs_windows_add (HsWindows *self, HsWindow *beside, const HsStart *start)
{
  HsDesk *desk = add_desk (self, NULL);
  HsDesk *other = beside != NULL ? peek_desk (beside) : NULL;

  if (other != NULL)
    hs_desk_copy (desk, other);
  apply_start (desk, start);
  hs_desk_start (desk, find_model (self, desk->model));
  hs_windows_open (self);
  hs_windows_show (self);
  if (start->session != NULL)
    hs_session_actions_open (GTK_APPLICATION_WINDOW (find_window (self, desk)), start->session);
}

void
hs_windows_renew (HsWindows *self)
{
  self->n_languages++;
}

bool
hs_windows_renew_next (HsWindows *self)
{
  for (guint i = 0; i < self->desks->len; i++) {
    HsDesk *desk = g_ptr_array_index (self->desks, i);
    HsWindow *old = find_window (self, desk);

    if (old == NULL ||
        g_object_get_data (G_OBJECT (old), LANGUAGE) == GUINT_TO_POINTER (self->n_languages))
      continue;
    gtk_window_present (GTK_WINDOW (open_window (self, desk)));
    gtk_window_destroy (GTK_WINDOW (old));
    return true;
  }
  return false;
}

/* ---- what all windows share ---- */

void
hs_windows_foreach (HsWindows *self, HsSessionFunc func, gpointer data)
{
  for (guint i = 0; i < self->desks->len; i++)
    func (((HsDesk *)g_ptr_array_index (self->desks, i))->session, data);
}

void
hs_windows_set_font (HsWindows *self, const char *family, double size_pt)
{
  g_free (self->font_family);
  self->font_family = g_strdup (family);
  self->font_size_pt = size_pt;
  for (guint i = 0; i < self->desks->len; i++)
    hs_session_set_font (((HsDesk *)g_ptr_array_index (self->desks, i))->session, self->font_family,
                         size_pt);
}

void
hs_windows_set_max_tokens (HsWindows *self, size_t max_tokens)
{
  if (!hs_engine_set_max_tokens (self->engine, max_tokens))
    return;
  for (guint i = 0; i < self->desks->len; i++) {
    HsDesk *desk = g_ptr_array_index (self->desks, i);

    if (hs_side_peek_model (hs_session_peek_side (desk->session)) != NULL)
      hs_updater_retry (desk->updater);
  }
}

HsRecent *
hs_windows_peek_recent (HsWindows *self)
{
  return self->recent;
}

size_t
hs_windows_get_n_threads (HsWindows *self)
{
  return attn_pool_get_n_threads (hs_engine_peek_pool (self->engine));
}

void
hs_windows_set_n_threads (HsWindows *self, size_t n_threads)
{
  hs_engine_set_n_threads (self->engine, n_threads);
  hs_work_set_n_threads (n_threads);
}

void
hs_windows_close (HsWindows *self)
{
  for (guint i = 0; i < self->desks->len; i++) {
    HsDesk *desk = g_ptr_array_index (self->desks, i);
    HsWindow *window = find_window (self, desk);

    if (desk->keeper != NULL)
      hs_keeper_flush (desk->keeper);
    g_signal_handlers_disconnect_by_data (desk->session, self);
    if (window != NULL)
      gtk_window_destroy (GTK_WINDOW (window));
  }
  g_ptr_array_set_size (self->desks, 0);
  hs_downloads_stop (self->downloads);
}

void
hs_windows_free (HsWindows *self)
{
  hs_windows_close (self);
  g_clear_pointer (&self->desks, g_ptr_array_unref);
  hs_engine_drain (self->engine);
  hs_work_drain ();
  g_clear_pointer (&self->folder, hs_state_folder_free);
  g_clear_object (&self->engine);
  g_clear_object (&self->settings);
  g_clear_object (&self->recent);
  g_clear_object (&self->downloads);
  g_free (self->message);
  g_free (self->font_family);
  g_free (self);
}
