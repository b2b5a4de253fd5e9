/* SPDX-License-Identifier: MIT */
/* One run of the program for all windows. Starts to load the model before GTK is up, so that the
 * first picture does not wait for it. */
#include "hs-application.h"

#include "hs-about.h"
#include "hs-benchmark.h"
#include "hs-build.h"
#include "hs-choices.h"
#include "hs-diagnostics.h"
#include "hs-drag-folder.h"
#include "hs-focus.h"
#include "hs-keys.h"
#include "hs-lab-benchmark.h"
#include "hs-language.h"
#include "hs-options.h"
#include "hs-popovers.h"
#include "hs-preferences.h"
#include "hs-resources.h"
#include "hs-session-actions.h"
#include "hs-settings.h"
#include "hs-view-benchmark.h"
#include "hs-windows.h"
#include "hs-work.h"

#include "attn-hub/quiet.h"
#include "attn-hub/store.h"

#include <glib-unix.h>
#include <glib/gi18n.h>

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define PATIENCE_MS 3000 /* more than stopping takes, less than people wait */

struct _HsApplication {
  GtkApplication parent_instance;

  HsWindows *windows;  /* NULL until there is something to do */
  GSettings *settings; /* nullable */
  HsChoices *choices;
  GtkWidget *preferences; /* nullable */
  guint signal_sources[2];

  HsOptions options;
  gboolean benchmark_done;
};

G_DEFINE_FINAL_TYPE (HsApplication, hs_application, GTK_TYPE_APPLICATION)

#define RESOURCE_BASE "/io/github/headscope/Headscope"

HsApplication *
hs_application_new (void)
{
  return g_object_new (HS_TYPE_APPLICATION, "application-id", HS_APP_ID, "flags",
                       G_APPLICATION_DEFAULT_FLAGS, "resource-base-path", RESOURCE_BASE, NULL);
}

void
hs_application_prepare (void)
{
  bindtextdomain (HS_GETTEXT_DOMAIN, hs_locale_dir ());
  bind_textdomain_codeset (HS_GETTEXT_DOMAIN, "UTF-8");
  textdomain (HS_GETTEXT_DOMAIN);
  hs_register_resource ();
  attn_hub_quiet_lengths ();
}

/* ---- start ---- */

static void language_chosen_cb (HsApplication *self);
static void renewed_cb (gpointer data);

/* Everything that needs no display: the model loads while GTK comes up. */
static void
begin_work (HsApplication *self)
{
  HsStart start = hs_options_get_start (&self->options);
  start.session = NULL; /* it is opened once its window is there */

  self->settings = hs_settings_open ();
  if (self->settings != NULL) {
    g_autofree char *language = g_settings_get_string (self->settings, "language");

    hs_language_set (language);
    g_signal_connect_object (self->settings, "changed::language", G_CALLBACK (language_chosen_cb),
                             self, G_CONNECT_SWAPPED);
  }
  self->windows = hs_windows_new (GTK_APPLICATION (self), self->settings, !self->options.benchmark);
  self->choices = hs_choices_new (self->settings, self->windows, renewed_cb, self);
  hs_windows_begin (self->windows, &start);
}

static void
drop_work (HsApplication *self)
{
  g_clear_pointer (&self->choices, hs_choices_free);
  g_clear_pointer (&self->windows, hs_windows_free);
}

/* GTK would not end well without any font. */
static bool
has_fonts (void)
{
  PangoFontMap *map = pango_cairo_font_map_get_default ();
  PangoContext *context = pango_font_map_create_context (map);
  PangoFontDescription *sans = pango_font_description_from_string ("Sans 10");
  PangoFont *font = pango_font_map_load_font (map, context, sans);
  const bool has = font != NULL;

  g_clear_object (&font);
  pango_font_description_free (sans);
  g_object_unref (context);
  return has;
}

/* Returns: the exit status, or -1 to go on. */
static int
check_desktop (void)
{
  const char *trouble;

  if (!gtk_init_check ())
    trouble = _ ("There is no display to open a window on; headscope-cli works without one");
  else if (!has_fonts ())
    trouble =
        _ ("There are no fonts to write in a window with; headscope-cli works without a window");
  else
    return -1;
  g_printerr ("headscope: %s\n", trouble);
  return EXIT_FAILURE;
}

static int
hs_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  HsApplication *self = HS_APPLICATION (application);
  int status = hs_options_check (&self->options);

  (void)options;
  if (status >= 0)
    return status;
  if (self->options.benchmark || self->options.new_instance)
    g_application_set_flags (application, G_APPLICATION_NON_UNIQUE);
  else if (hs_options_find_run ())
    status = hs_options_ask (&self->options, application);
  if (status >= 0)
    return status;
  begin_work (self);
  status = check_desktop ();
  if (status >= 0)
    drop_work (self);
  return status;
}

static gboolean
quit_cb (gpointer data)
{
  g_application_quit (data);
  return G_SOURCE_CONTINUE;
}

static void
quit_action_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED, gpointer data)
{
  hs_windows_quit (HS_APPLICATION (data)->windows);
}

static HsWindow *
peek_active (HsApplication *self)
{
  for (GList *each = gtk_application_get_windows (GTK_APPLICATION (self)); each != NULL;
       each = each->next) {
    GtkWindow *window = each->data; /* a dialog's is the one it belongs to */

    while (window != NULL && !HS_IS_WINDOW (window))
      window = gtk_window_get_transient_for (window);
    if (window != NULL)
      return HS_WINDOW (window);
  }
  return NULL;
}

static void
new_window_action_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  HsApplication *self = data;
  const HsStart as_it_is = {0};

  (void)action;
  (void)value;
  hs_windows_add (self->windows, peek_active (self), &as_it_is);
}

/* What another start of the program asks for. */
static void
open_window_action_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  HsApplication *self = data;
  g_auto (HsOptions) options = {0};

  (void)action;
  hs_options_take (&options, value);
  HsStart start = hs_options_get_start (&options);
  hs_windows_add (self->windows, peek_active (self), &start);
}

static void
show_preferences (HsApplication *self)
{
  HsWindow *window = peek_active (self);

  if (self->preferences == NULL) {
    self->preferences = hs_preferences_new (GTK_WINDOW (window), self->settings);
    gtk_window_set_application (GTK_WINDOW (self->preferences), GTK_APPLICATION (self));
    g_object_add_weak_pointer (G_OBJECT (self->preferences), (gpointer *)&self->preferences);
  }
  gtk_window_present (GTK_WINDOW (self->preferences));
}

static void
preferences_action_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  (void)action;
  (void)value;
  show_preferences (data);
}

/* Each window makes room for one that speaks the other language, and what stands over it goes with
 * it; but there one may choose on. */
static void
language_chosen_cb (HsApplication *self)
{
  if (self->preferences != NULL)
    gtk_window_set_transient_for (GTK_WINDOW (self->preferences), NULL);
}

/* The window in which a language was chosen speaks it, too. */
static void
renewed_cb (gpointer data)
{
  HsApplication *self = data;

  if (self->preferences == NULL)
    return;
  gtk_window_destroy (GTK_WINDOW (self->preferences));
  show_preferences (self);
}

static void
about_action_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  HsApplication *self = data;
  HsWindow *window = peek_active (self);
  g_autofree char *diagnostics = NULL;
  HsSide *side;

  (void)action;
  (void)value;
  if (window == NULL) /* asked from outside while the program starts */
    return;
  side = hs_session_peek_side (hs_window_peek_session (window));
  diagnostics = hs_diagnostics_dup_text (GTK_WINDOW (window), hs_side_peek_model (side),
                                         hs_windows_get_n_threads (self->windows));
  gtk_window_present (GTK_WINDOW (hs_about_new (GTK_WINDOW (window), diagnostics)));
}

static void
add_actions (HsApplication *self)
{
  static const GActionEntry entries[] = {
      {.name = "quit", .activate = quit_action_cb},
      {.name = "about", .activate = about_action_cb},
      {.name = "preferences", .activate = preferences_action_cb},
      {.name = "new-window", .activate = new_window_action_cb},
      {.name = "open-window", .activate = open_window_action_cb, .parameter_type = "a{sv}"},
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  if (hs_windows_peek_recent (self->windows) != NULL)
    hs_recent_add_actions (hs_windows_peek_recent (self->windows), G_ACTION_MAP (self));
  /* without the settings there is nothing to prefer */
  if (self->settings == NULL)
    g_action_map_remove_action (G_ACTION_MAP (self), "preferences");
  hs_keys_set (GTK_APPLICATION (self));
}

static void
hs_application_startup (GApplication *application)
{
  HsApplication *self = HS_APPLICATION (application);
  g_autoptr (GtkCssProvider) css = gtk_css_provider_new ();

  G_APPLICATION_CLASS (hs_application_parent_class)->startup (application);
  hs_popovers_watch ();
  hs_focus_watch ();
  gtk_css_provider_load_from_resource (css, RESOURCE_BASE "/headscope.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (css),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  hs_choices_begin_display (self->choices);
  add_actions (self);
  hs_drag_folder_begin (g_get_tmp_dir ());
  g_action_group_activate_action (G_ACTION_GROUP (self), "check-recent", NULL);
  self->signal_sources[0] = g_unix_signal_add (SIGTERM, quit_cb, self);
  self->signal_sources[1] = g_unix_signal_add (SIGINT, quit_cb, self);
}

/* From here or from another start of the program: the window is there, or comes to the front. */
static void
hs_application_activate (GApplication *application)
{
  HsApplication *self = HS_APPLICATION (application);
  HsWindow *window = peek_active (self);

  if (window != NULL) {
    gtk_window_present (GTK_WINDOW (window));
    return;
  }
  window = hs_windows_open (self->windows);
  if (self->options.benchmark_views)
    hs_view_benchmark_start (window, application, &self->benchmark_done);
  else if (self->options.benchmark_lab)
    hs_lab_benchmark_start (window, application, &self->benchmark_done);
  else if (self->options.benchmark)
    hs_benchmark_start (window, application, &self->benchmark_done);
  hs_windows_show (self->windows);
  if (self->options.session != NULL)
    hs_session_actions_open (GTK_APPLICATION_WINDOW (window), self->options.session);
  g_clear_pointer (&self->options.session, g_free);
}

/* ---- end ---- */

/* Threads that hang in a read would see what they use freed under them. */
static void
leave_at_once (HsApplication *self)
{
  g_message ("Something that is read does not answer; it is not waited for");
  hs_settings_flush (self->settings);
  hs_drag_folder_clean ();
  fflush (NULL);
  _exit (0);
}

static void
hs_application_shutdown (GApplication *application)
{
  HsApplication *self = HS_APPLICATION (application);
  GList *windows;

  hs_settings_flush (self->settings);
  if (self->windows != NULL)
    hs_windows_close (self->windows);
  while ((windows = gtk_application_get_windows (GTK_APPLICATION (self))) != NULL)
    gtk_window_destroy (windows->data);
  if (!hs_work_drain_for (PATIENCE_MS))
    leave_at_once (self);
  drop_work (self);
  for (size_t i = 0; i < G_N_ELEMENTS (self->signal_sources); i++)
    g_clear_handle_id (&self->signal_sources[i], g_source_remove);
  /* what is in the clipboard goes to whoever keeps it, and may be made only now */
  G_APPLICATION_CLASS (hs_application_parent_class)->shutdown (application);
  hs_work_drain ();
  hs_drag_folder_clean ();
}

static void
hs_application_dispose (GObject *object)
{
  HsApplication *self = HS_APPLICATION (object);

  drop_work (self);
  g_clear_object (&self->settings);
  hs_options_clear (&self->options);
  G_OBJECT_CLASS (hs_application_parent_class)->dispose (object);
}

bool
hs_application_succeeded (HsApplication *self)
{
  return !self->options.benchmark || self->benchmark_done;
}

static void
hs_application_class_init (HsApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_application_dispose;
  application_class->handle_local_options = hs_application_handle_local_options;
  application_class->startup = hs_application_startup;
  application_class->activate = hs_application_activate;
  application_class->shutdown = hs_application_shutdown;
}

static void
hs_application_init (HsApplication *self)
{
  hs_options_add (&self->options, G_APPLICATION (self));
}
