/* SPDX-License-Identifier: MIT */
/* Starts to load the model before GTK is up, so that the first picture does not wait for it. */
#include "hs-application.h"

#include "hs-benchmark.h"
#include "hs-build.h"
#include "hs-engine.h"
#include "hs-examples.h"
#include "hs-resources.h"
#include "hs-settings.h"
#include "hs-theme.h"
#include "hs-updater.h"
#include "hs-window.h"

#include "attn-hub/store.h"

#include <glib-unix.h>
#include <glib/gi18n.h>

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define EXIT_USAGE 2 /* as the command line program */

struct _HsApplication {
  GtkApplication parent_instance;

  HsEngine *engine;
  HsSession *session;
  HsUpdater *updater;
  GSettings *settings; /* nullable */
  HsTheme *theme;
  guint signal_sources[2];

  char *model; /* option */
  char *text;  /* option */
  char **rest; /* arguments that are no options */
  gboolean version;
  gboolean benchmark;
  gboolean benchmark_done;
};

G_DEFINE_FINAL_TYPE (HsApplication, hs_application, GTK_TYPE_APPLICATION)

#define RESOURCE_BASE "/io/github/headscope/Headscope"

HsApplication *
hs_application_new (void)
{
  return g_object_new (HS_TYPE_APPLICATION, "application-id", HS_APP_ID, "flags",
                       G_APPLICATION_NON_UNIQUE, "resource-base-path", RESOURCE_BASE, NULL);
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

/* Without settings, or to be timed on something, the first example is what one would have typed. */
static void
provide_text (HsApplication *self)
{
  HsSide *side = hs_session_peek_side (self->session);
  g_autoptr (GPtrArray) examples = NULL;

  if (*hs_side_peek_text (side) != '\0' || (self->settings != NULL && !self->benchmark))
    return;
  examples = hs_examples_load ();
  if (examples->len > 0)
    hs_side_set_text (side, ((const HsExample *)g_ptr_array_index (examples, 0))->text);
}

/* Everything that needs no display: the model loads while GTK comes up. */
static void
begin_work (HsApplication *self)
{
  self->engine = hs_engine_new ();
  self->session = hs_session_new ();
  self->settings = hs_settings_open ();
  hs_settings_bind_session (self->settings, self->session, self->benchmark);
  if (self->benchmark)
    hs_session_set_kind (self->session, ATTN_DRAW_HEATMAP);
  provide_text (self);
  if (self->text != NULL) {
    hs_side_set_pair (hs_session_peek_side (self->session), NULL);
    hs_side_set_text (hs_session_peek_side (self->session), self->text);
  }
  self->updater = hs_updater_new (self->engine, self->session);
  hs_updater_load (self->updater, self->model);
}

static int
hs_application_handle_local_options (GApplication *application, GVariantDict *options G_GNUC_UNUSED)
{
  HsApplication *self = HS_APPLICATION (application);

  if (self->version) {
    g_print ("Headscope %s\n", HS_VERSION);
    return EXIT_SUCCESS;
  }
  if (self->text != NULL && !g_utf8_validate (self->text, -1, NULL)) {
    g_printerr ("headscope: %s\n", _ ("The text is not valid UTF-8"));
    return EXIT_USAGE;
  }
  if (self->rest != NULL) {
    g_autofree char *shown = g_filename_display_name (self->rest[0]);
    g_printerr (_ ("headscope: “%s” is no option; a text follows --text\n"), shown);
    return EXIT_USAGE;
  }
  begin_work (self);
  if (!gtk_init_check ()) {
    g_printerr ("headscope: %s\n",
                _ ("There is no display to open a window on; headscope-cli works without one"));
    hs_updater_stop (self->updater);
    hs_engine_drain (self->engine);
    return EXIT_FAILURE;
  }
  return -1; /* go on */
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

static void
about_action_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED, gpointer data)
{
  GtkWindow *window = gtk_application_get_active_window (data);

  gtk_show_about_dialog (
      window, "program-name", "Headscope", "version", HS_VERSION, "logo-icon-name", HS_APP_ID,
      "license-type", GTK_LICENSE_MIT_X11, "comments",
      _ ("See what every attention head of a transformer does with a sentence."), NULL);
}

static void
add_actions (HsApplication *self)
{
  static const GActionEntry entries[] = {
      {.name = "quit", .activate = quit_action_cb},
      {.name = "about", .activate = about_action_cb},
  };
  static const struct {
    const char *action;
    const char *accels[4];
  } accels[] = {
      {"app.quit", {"<Control>q"}},
      {"window.close", {"<Control>w"}},
      {"win.focus-text", {"<Control>l"}},
      {"win.shortcuts", {"<Control>question", "F1"}},
      {"win.export", {"<Control>e"}},
      {"win.copy-image", {"<Control><Shift>c"}},
      {"view.kind::heatmap", {"<Control>1"}},
      {"view.kind::heads", {"<Control>2"}},
      {"view.kind::layers", {"<Control>3"}},
      {"view.next-head", {"<Alt>Right"}},
      {"view.previous-head", {"<Alt>Left"}},
      {"view.next-layer", {"<Alt>Up"}},
      {"view.previous-layer", {"<Alt>Down"}},
      {"view.zoom-in", {"<Control>plus", "<Control>equal", "<Control>KP_Add"}},
      {"view.zoom-out", {"<Control>minus", "<Control>KP_Subtract"}},
      {"view.zoom-reset", {"<Control>0", "<Control>KP_0"}},
  };
  g_autoptr (GPropertyAction) scheme =
      g_property_action_new ("color-scheme", self->theme, "color-scheme");

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (scheme));
  for (size_t i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), accels[i].action,
                                           accels[i].accels);
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
  self->theme = hs_theme_new ();
  if (self->settings != NULL)
    g_settings_bind (self->settings, "color-scheme", self->theme, "color-scheme",
                     G_SETTINGS_BIND_DEFAULT);
  add_actions (self);
  self->signal_sources[0] = g_unix_signal_add (SIGTERM, quit_cb, self);
  self->signal_sources[1] = g_unix_signal_add (SIGINT, quit_cb, self);
}

static void
remember_size (HsApplication *self, GtkWidget *window)
{
  const GSettingsBindFlags flags = hs_settings_get_bind_flags (self->benchmark);

  if (self->settings == NULL)
    return;
  g_settings_bind (self->settings, "window-width", window, "default-width", flags);
  g_settings_bind (self->settings, "window-height", window, "default-height", flags);
  g_settings_bind (self->settings, "window-maximized", window, "maximized", flags);
}

static void
hs_application_activate (GApplication *application)
{
  HsApplication *self = HS_APPLICATION (application);
  GtkWindow *window = gtk_application_get_active_window (GTK_APPLICATION (self));

  if (window == NULL) {
    window = GTK_WINDOW (hs_window_new (GTK_APPLICATION (self), self->session, self->updater));
    remember_size (self, GTK_WIDGET (window));
    if (self->benchmark)
      hs_benchmark_start (HS_WINDOW (window), application, &self->benchmark_done);
  }
  gtk_window_present (window);
}

/* ---- end ---- */

static void
hs_application_shutdown (GApplication *application)
{
  HsApplication *self = HS_APPLICATION (application);
  GList *windows;

  hs_settings_flush (self->settings);
  while ((windows = gtk_application_get_windows (GTK_APPLICATION (self))) != NULL)
    gtk_window_destroy (windows->data);
  for (size_t i = 0; i < G_N_ELEMENTS (self->signal_sources); i++)
    g_clear_handle_id (&self->signal_sources[i], g_source_remove);
  hs_updater_stop (self->updater);
  hs_engine_drain (self->engine);
  g_clear_object (&self->theme);
  G_APPLICATION_CLASS (hs_application_parent_class)->shutdown (application);
}

static void
hs_application_dispose (GObject *object)
{
  HsApplication *self = HS_APPLICATION (object);

  g_clear_object (&self->updater);
  g_clear_object (&self->session);
  g_clear_object (&self->engine);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->model, g_free);
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->rest, g_strfreev);
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
      {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->rest, NULL, NULL},
      {"version", 'v', 0, G_OPTION_ARG_NONE, &self->version, N_ ("Print the version and leave"),
       NULL},
      {"benchmark-start", 0, 0, G_OPTION_ARG_NONE, &self->benchmark,
       N_ ("Time the start up to the first picture, print it as JSON and leave"), NULL},
      {NULL},
  };

  g_application_add_main_option_entries (G_APPLICATION (self), entries);
}
