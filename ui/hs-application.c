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
#include "hs-keys.h"
#include "hs-language.h"
#include "hs-open-attention.h"
#include "hs-preferences.h"
#include "hs-resources.h"
#include "hs-session-actions.h"
#include "hs-settings.h"
#include "hs-view-benchmark.h"
#include "hs-windows.h"
#include "hs-work.h"

#include "attn-draw/session.h"
#include "attn-hub/store.h"
#include "attn/folder.h"
#include "attn/quote.h"

#include <glib-unix.h>
#include <glib/gi18n.h>

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define EXIT_USAGE 2 /* as the command line program */

struct _HsApplication {
  GtkApplication parent_instance;

  HsWindows *windows;  /* NULL until there is something to do */
  GSettings *settings; /* nullable */
  HsChoices *choices;
  GtkWidget *preferences; /* nullable */
  guint signal_sources[2];

  char *model;     /* option */
  char *text;      /* option */
  char **rest;     /* arguments that are no options: a file */
  char *session;   /* its path; NULL once it is opened */
  char *attention; /* option, or the one argument */
  char *tokens;    /* option */
  gboolean version;
  gboolean new_window;
  gboolean new_instance;
  gboolean benchmark, benchmark_views;
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
}

/* ---- start ---- */

static void renewed_cb (gpointer data);

/* Everything that needs no display: the model loads while GTK comes up. */
static void
begin_work (HsApplication *self)
{
  const HsStart start = {.model = self->model,
                         .text = self->text,
                         .attention = self->attention,
                         .tokens = self->tokens};

  self->settings = hs_settings_open ();
  if (self->settings != NULL) {
    g_autofree char *language = g_settings_get_string (self->settings, "language");

    hs_language_set (language);
  }
  self->windows = hs_windows_new (GTK_APPLICATION (self), self->settings, !self->benchmark);
  self->choices = hs_choices_new (self->settings, self->windows, renewed_cb, self);
  hs_windows_begin (self->windows, &start);
}

static void
drop_work (HsApplication *self)
{
  g_clear_pointer (&self->choices, hs_choices_free);
  g_clear_pointer (&self->windows, hs_windows_free);
}

/* Returns: whether a run of the program is there that can open the window for us. */
static bool
is_running (void)
{
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autoptr (GVariant) answer = NULL;
  gboolean owned = FALSE;

  if (bus == NULL)
    return false;
  answer = g_dbus_connection_call_sync (bus, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                        "org.freedesktop.DBus", "NameHasOwner",
                                        g_variant_new ("(s)", HS_APP_ID), G_VARIANT_TYPE ("(b)"),
                                        G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL);
  if (answer != NULL)
    g_variant_get (answer, "(b)", &owned);
  return owned;
}

/* Returns: the exit status, or -1 where the other run has gone meanwhile. */
static int
ask_other_run (HsApplication *self)
{
  g_auto (GVariantDict) start = G_VARIANT_DICT_INIT (NULL);

  if (!g_application_register (G_APPLICATION (self), NULL, NULL) ||
      !g_application_get_is_remote (G_APPLICATION (self)))
    return -1;
  if (self->text == NULL && self->model == NULL && self->session == NULL &&
      self->attention == NULL && !self->new_window) {
    g_application_activate (G_APPLICATION (self));
    return EXIT_SUCCESS;
  }
  if (self->text != NULL)
    g_variant_dict_insert (&start, "text", "s", self->text);
  if (self->model != NULL)
    g_variant_dict_insert (&start, "model", "^ay", self->model);
  if (self->session != NULL)
    g_variant_dict_insert (&start, "session", "^ay", self->session);
  if (self->attention != NULL)
    g_variant_dict_insert (&start, "attention", "^ay", self->attention);
  if (self->tokens != NULL)
    g_variant_dict_insert (&start, "tokens", "^ay", self->tokens);
  g_action_group_activate_action (G_ACTION_GROUP (self), "open-window",
                                  g_variant_dict_end (&start));
  return EXIT_SUCCESS;
}

/* The folder stays the same one wherever the program is started the next time. */
static void
complete_model (HsApplication *self)
{
  char *whole;

  if (self->model == NULL ||
      (!g_file_test (self->model, G_FILE_TEST_IS_DIR) && !attn_folder_is_weight_file (self->model)))
    return;
  whole = g_canonicalize_filename (self->model, NULL);
  g_free (self->model);
  self->model = whole;
}

static void
complete_path (char **path)
{
  char *whole = *path != NULL ? g_canonicalize_filename (*path, NULL) : NULL;

  g_free (*path);
  *path = whole;
}

/* Returns: the exit status, or -1 to go on. */
static int
check_options (HsApplication *self)
{
  if (self->version) {
    g_print ("Headscope %s\n", HS_VERSION);
    return EXIT_SUCCESS;
  }
  if (self->text != NULL && !g_utf8_validate (self->text, -1, NULL)) {
    g_printerr ("headscope: %s\n", _ ("The text is not valid UTF-8"));
    return EXIT_USAGE;
  }
  if (self->model != NULL && *self->model == '\0') {
    g_printerr ("headscope: %s\n",
                _ ("--model: the value is empty; it takes a folder, or \"demo\""));
    return EXIT_USAGE;
  }
  if (self->tokens != NULL && self->attention == NULL) {
    g_printerr ("headscope: %s\n", _ ("--tokens goes with --attention"));
    return EXIT_USAGE;
  }
  complete_path (&self->attention);
  complete_path (&self->tokens);
  if (self->rest != NULL && self->rest[1] == NULL && self->attention == NULL &&
      hs_open_attention_takes (self->rest[0])) {
    self->attention = g_canonicalize_filename (self->rest[0], NULL);
  } else if (self->rest != NULL && self->rest[1] == NULL &&
             g_str_has_suffix (self->rest[0], ATTN_DRAW_SESSION_SUFFIX)) {
    self->session = g_canonicalize_filename (self->rest[0], NULL);
  } else if (self->rest != NULL) {
    g_autofree char *shown = attn_file_dup_shown (self->rest[0], strlen (self->rest[0]));
    g_printerr (_ ("headscope: “%s” is no option; a text follows --text\n"), shown);
    return EXIT_USAGE;
  }
  return -1;
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
  int status = check_options (self);

  (void)options;
  if (status >= 0)
    return status;
  self->benchmark |= self->benchmark_views;
  complete_model (self);
  if (self->benchmark || self->new_instance)
    g_application_set_flags (application, G_APPLICATION_NON_UNIQUE);
  else if (is_running ())
    status = ask_other_run (self);
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
  g_application_quit (data);
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
  g_auto (GVariantDict) asked = G_VARIANT_DICT_INIT (value);
  HsStart start = {0};
  g_autofree char *model = NULL, *text = NULL, *session = NULL, *attention = NULL, *tokens = NULL;

  (void)action;
  if (g_variant_dict_lookup (&asked, "text", "s", &text))
    start.text = text;
  if (g_variant_dict_lookup (&asked, "model", "^ay", &model))
    start.model = model;
  if (g_variant_dict_lookup (&asked, "session", "^ay", &session))
    start.session = session;
  if (g_variant_dict_lookup (&asked, "attention", "^ay", &attention))
    start.attention = attention;
  if (g_variant_dict_lookup (&asked, "tokens", "^ay", &tokens))
    start.tokens = tokens;
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
  if (self->benchmark_views)
    hs_view_benchmark_start (window, application, &self->benchmark_done);
  else if (self->benchmark)
    hs_benchmark_start (window, application, &self->benchmark_done);
  hs_windows_show (self->windows);
  if (self->session != NULL)
    hs_session_actions_open (GTK_APPLICATION_WINDOW (window), self->session);
  g_clear_pointer (&self->session, g_free);
}

/* ---- end ---- */

static void
hs_application_shutdown (GApplication *application)
{
  HsApplication *self = HS_APPLICATION (application);
  GList *windows;

  hs_settings_flush (self->settings);
  drop_work (self);
  while ((windows = gtk_application_get_windows (GTK_APPLICATION (self))) != NULL)
    gtk_window_destroy (windows->data);
  hs_work_drain ();
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
  g_clear_pointer (&self->model, g_free);
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->rest, g_strfreev);
  g_clear_pointer (&self->session, g_free);
  g_clear_pointer (&self->attention, g_free);
  g_clear_pointer (&self->tokens, g_free);
  G_OBJECT_CLASS (hs_application_parent_class)->dispose (object);
}

bool
hs_application_succeeded (HsApplication *self)
{
  return !self->benchmark || self->benchmark_done;
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
  const GOptionEntry entries[] = {
      {"model", 'm', 0, G_OPTION_ARG_FILENAME, &self->model,
       N_ ("A model folder, or demo for the shipped model"), N_ ("DIR")},
      {"text", 't', 0, G_OPTION_ARG_FILENAME, &self->text, N_ ("The text to begin with"),
       N_ ("TEXT")},
      {"attention", 'a', 0, G_OPTION_ARG_FILENAME, &self->attention,
       N_ ("Attention weights of another program to show"), N_ ("FILE")},
      {"tokens", 0, 0, G_OPTION_ARG_FILENAME, &self->tokens,
       N_ ("What the weights’ rows and columns are called"), N_ ("FILE")},
      {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->rest, NULL, N_ ("[FILE]")},
      {"new-window", 'n', 0, G_OPTION_ARG_NONE, &self->new_window,
       N_ ("Open one more window where the program runs already"), NULL},
      {"new-instance", 0, 0, G_OPTION_ARG_NONE, &self->new_instance,
       N_ ("Run apart from other windows of the program"), NULL},
      {"version", 'v', 0, G_OPTION_ARG_NONE, &self->version, N_ ("Print the version and leave"),
       NULL},
      {"benchmark-start", 0, 0, G_OPTION_ARG_NONE, &self->benchmark,
       N_ ("Time the start up to the first picture, print it as JSON and leave"), NULL},
      {"benchmark-views", 0, 0, G_OPTION_ARG_NONE, &self->benchmark_views,
       N_ ("Time the frames of every view, print them as JSON and leave"), NULL},
      {NULL},
  };

  g_application_add_main_option_entries (G_APPLICATION (self), entries);
}
