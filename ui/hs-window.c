/* SPDX-License-Identifier: MIT */
/* Puts the parts together and provides the window's actions. */
#include "hs-window.h"

#include "hs-accessible.h"
#include "hs-arrange-actions.h"
#include "hs-attended-panel.h"
#include "hs-attention-panel.h"
#include "hs-changes-panel.h"
#include "hs-children.h"
#include "hs-closing.h"
#include "hs-closures.h"
#include "hs-compare-bar.h"
#include "hs-downloads-button.h"
#include "hs-export-actions.h"
#include "hs-face.h"
#include "hs-facts-panel.h"
#include "hs-find-bar.h"
#include "hs-fold.h"
#include "hs-guesses-panel.h"
#include "hs-head-bar.h"
#include "hs-help-panel.h"
#include "hs-lab-pages.h"
#include "hs-lab-pipeline.h"
#include "hs-lab-walk.h"
#include "hs-lab.h"
#include "hs-load-strip.h"
#include "hs-mnemonic.h"
#include "hs-open.h"
#include "hs-session-actions.h"
#include "hs-shortcuts.h"
#include "hs-status-line.h"
#include "hs-switch.h"
#include "hs-text-panel.h"
#include "hs-told.h"
#include "hs-view-actions.h"
#include "hs-warning-strip.h"
#include "hs-wrap-layout.h"

#include <glib/gi18n.h>

#define COMPACT_WIDTH 560 /* px; narrower windows have no place to spare */
#define TIGHT_HEIGHT 480  /* px; lower ones of these have none for more than a line of anything */
#define ROOMY_SPACING 10  /* px, between the parts of the page */
#define TIGHT_SPACING 4

struct _HsWindow {
  GtkApplicationWindow parent_instance;

  HsSession *session;
  HsUpdater *updater;

  HsTextPanel *text_panel;
  HsAttentionPanel *attention_panel; /* in its place for a file */
  HsWarningStrip *warning_strip;
  HsCompareBar *compare_bar;
  GtkMenuButton *menu_button;
  GtkWidget *source_button;
  HsHeadBar *head_bar;
  GtkWidget *export_button;
  HsDownloadsButton *downloads_button;
  GtkBox *page;
  bool is_compact, is_tight;
  GMenuModel *main_menu;
  HsFindBar *find_bar;
  HsFace *face;
  GtkWidget *lab;
  HsFactsPanel *facts_panel;
  HsStatusLine *status_line;
};

G_DEFINE_FINAL_TYPE (HsWindow, hs_window, GTK_TYPE_APPLICATION_WINDOW)

enum { PROP_0, PROP_SESSION, N_PROPS };

static GParamSpec *props[N_PROPS];

/* The picture that is there stays. */
static void
lens_failed_cb (HsWindow *self, const GError *error)
{
  g_autofree char *told = hs_told_dup (error->message);

  hs_status_line_say (self->status_line, told);
}

GtkWidget *
hs_window_new (GtkApplication *application, HsSession *session, HsUpdater *updater)
{
  HsWindow *self =
      g_object_new (HS_TYPE_WINDOW, "application", application, "session", session, NULL);

  self->updater = g_object_ref (updater);
  hs_session_actions_set_updater (GTK_APPLICATION_WINDOW (self), updater);
  hs_open_add (GTK_APPLICATION_WINDOW (self), session, updater, self->status_line);
  g_signal_connect_object (updater, "lens-failed", G_CALLBACK (lens_failed_cb), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

void
hs_window_set_recent (HsWindow *self, HsRecent *recent)
{
  g_return_if_fail (HS_IS_WINDOW (self));
  hs_text_panel_set_recent_menu (self->text_panel, hs_recent_peek_menu (recent));
  hs_compare_bar_set_models (self->compare_bar, hs_recent_peek_models_b (recent));
}

void
hs_window_set_downloads (HsWindow *self, HsDownloads *downloads)
{
  g_return_if_fail (HS_IS_WINDOW (self));
  hs_downloads_button_set_downloads (self->downloads_button, downloads);
  hs_compare_bar_set_downloaded (self->compare_bar, hs_downloads_peek_models (downloads));
}

void
hs_window_say (HsWindow *self, const char *message)
{
  g_return_if_fail (HS_IS_WINDOW (self));
  hs_status_line_say (self->status_line, message);
}

HsSession *
hs_window_peek_session (HsWindow *self)
{
  g_return_val_if_fail (HS_IS_WINDOW (self), NULL);
  return self->session;
}

HsPicture *
hs_window_peek_picture (HsWindow *self)
{
  g_return_val_if_fail (HS_IS_WINDOW (self), NULL);
  return hs_face_peek_picture (self->face);
}

/* ---- light or dark: whatever theme there is, its text colour tells ---- */

static void
hs_window_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  HsWindow *self = HS_WINDOW (widget);
  GdkRGBA text;

  GTK_WIDGET_CLASS (hs_window_parent_class)->css_changed (widget, change);
  if (self->session == NULL)
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &text);
  hs_session_set_dark (self->session, text.red + text.green + text.blue > 1.5f);
}

/* ---- small windows ---- */

static void
set_css_class (GtkWidget *widget, const char *name, bool wanted)
{
  if (wanted)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

static void
set_compact (HsWindow *self, bool compact)
{
  if (compact == self->is_compact)
    return;
  self->is_compact = compact;
  gtk_widget_set_visible (self->source_button, !compact);
  hs_head_bar_set_compact (self->head_bar, compact);
  hs_warning_strip_set_compact (self->warning_strip, compact);
  set_css_class (GTK_WIDGET (self), "compact", compact);
  hs_mnemonic_keep (self->export_button, _ ("E_xport…"), compact);
  if (compact)
    gtk_button_set_icon_name (GTK_BUTTON (self->export_button), "document-save-symbolic");
  else
    hs_accessible_set_label (GTK_BUTTON (self->export_button), _ ("E_xport…"));
}

/* Whatever is above the picture takes as few lines as it can. */
static void
set_tight (HsWindow *self, bool tight)
{
  if (tight == self->is_tight)
    return;
  self->is_tight = tight;
  gtk_box_set_spacing (self->page, tight ? TIGHT_SPACING : ROOMY_SPACING);
  hs_text_panel_set_tight (self->text_panel, tight);
  hs_attention_panel_set_tight (self->attention_panel, tight);
  hs_head_bar_set_tight (self->head_bar, tight);
  hs_compare_bar_set_tight (self->compare_bar, tight);
  set_css_class (GTK_WIDGET (self), "tight", tight);
}

static void
size_changed_cb (HsWindow *self)
{
  int width, height;

  g_object_get (self, "default-width", &width, "default-height", &height, NULL);
  const bool is_compact = width > 0 && width < COMPACT_WIDTH;
  set_compact (self, is_compact);
  set_tight (self, is_compact && height > 0 && height < TIGHT_HEIGHT);
}

static gboolean
chooses_head (HsWindow *self G_GNUC_UNUSED, gboolean in_lab, AttnDrawLabPage page)
{
  return !in_lab || hs_lab_pages_find (page)->of_head;
}

/* In the lab layer and head stand at the other end of the row of its pages. */
static gboolean
head_at_end (HsWindow *self G_GNUC_UNUSED, gboolean in_lab, AttnDrawLabPage page)
{
  return in_lab && hs_lab_pages_find (page)->of_head;
}

/* ---- actions ---- */

static void
stop_cb (GtkWidget *widget, const char *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED)
{
  hs_updater_stop (HS_WINDOW (widget)->updater);
}

static void
retry_cb (GtkWidget *widget, const char *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED)
{
  hs_updater_retry (HS_WINDOW (widget)->updater);
}

static void
use_shipped_model_cb (GtkWidget *widget,
                      const char *action G_GNUC_UNUSED,
                      GVariant *parameter G_GNUC_UNUSED)
{
  hs_updater_load (HS_WINDOW (widget)->updater, NULL);
}

static void
focus_text_cb (GtkWidget *widget,
               const char *action G_GNUC_UNUSED,
               GVariant *parameter G_GNUC_UNUSED)
{
  HsWindow *self = HS_WINDOW (widget);

  if (gtk_widget_get_visible (GTK_WIDGET (self->attention_panel)))
    gtk_widget_grab_focus (GTK_WIDGET (self->attention_panel));
  else
    gtk_widget_grab_focus (GTK_WIDGET (self->text_panel));
}

/* For an example that was just chosen, say: a focused field of text takes back its own changes. */
static gboolean
undo_cb (GtkWidget *widget, GVariant *again, gpointer data G_GNUC_UNUSED)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (widget));

  if (GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus))
    return FALSE;
  if (!gtk_widget_get_visible (GTK_WIDGET (HS_WINDOW (widget)->text_panel)))
    return FALSE;
  hs_text_panel_undo (HS_WINDOW (widget)->text_panel, g_variant_get_boolean (again));
  return TRUE;
}

/* Wherever the keys are: what has a meaning of its own for Escape came before. */
static gboolean
escape_cb (GtkWidget *widget, GVariant *args G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  return hs_lab_walk_escape (HS_WINDOW (widget)->session);
}

static void
focus_picture_cb (GtkWidget *widget,
                  const char *action G_GNUC_UNUSED,
                  GVariant *parameter G_GNUC_UNUSED)
{
  HsWindow *self = HS_WINDOW (widget);

  if (hs_session_get_in_lab (self->session))
    gtk_widget_grab_focus (self->lab);
  else
    gtk_widget_grab_focus (GTK_WIDGET (hs_face_peek_picture (self->face)));
}

/* Steps are played where they are seen. */
static void
play_cb (GtkWidget *widget, const char *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED)
{
  HsWindow *self = HS_WINDOW (widget);
  GtkWidget *page =
      hs_session_get_in_lab (self->session) ? hs_lab_peek_page (HS_LAB (self->lab)) : NULL;

  if (page != NULL && HS_IS_LAB_PIPELINE (page))
    hs_lab_pipeline_play (HS_LAB_PIPELINE (page));
}

static void
find_cb (GtkWidget *widget, const char *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED)
{
  HsWindow *self = HS_WINDOW (widget);

  hs_session_set_in_lab (self->session, FALSE); /* it is found in the picture */
  hs_find_bar_open (self->find_bar);
}

static void
shortcuts_cb (GtkWidget *widget,
              const char *action G_GNUC_UNUSED,
              GVariant *parameter G_GNUC_UNUSED)
{
  hs_shortcuts_show (GTK_WINDOW (widget));
}

/* Made when first opened, not while the program starts. */
static void
make_menu_cb (GtkMenuButton *button, gpointer data)
{
  HsWindow *self = data;

  if (gtk_menu_button_get_popover (button) == NULL)
    gtk_menu_button_set_popover (button, gtk_popover_menu_new_from_model (self->main_menu));
}

/* ---- object ---- */

static void
hs_window_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  HsWindow *self = HS_WINDOW (object);

  if (id == PROP_SESSION)
    g_value_set_object (value, self->session);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hs_window_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HsWindow *self = HS_WINDOW (object);

  if (id == PROP_SESSION) {
    self->session = g_value_dup_object (value);
    g_object_notify_by_pspec (object, pspec);
  } else {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
hs_window_constructed (GObject *object)
{
  HsWindow *self = HS_WINDOW (object);
  GActionGroup *actions;

  G_OBJECT_CLASS (hs_window_parent_class)->constructed (object);
  actions = hs_view_actions_new (self->session);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "view", actions);
  g_object_unref (actions);
  actions = hs_arrange_actions_new (self->session);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "arrange", actions);
  g_object_unref (actions);
  /* not bound in the template: bindings run after this, and the actions need the picture */
  g_object_set (self->face, "session", self->session, NULL);
  hs_export_actions_add (GTK_APPLICATION_WINDOW (self), hs_face_peek_picture (self->face),
                         self->export_button, self->lab, self->status_line);
  hs_session_actions_add (GTK_APPLICATION_WINDOW (self), hs_face_peek_picture (self->face),
                          self->status_line);
}

/* GTK 4.8 may keep the actions longer than their window (a tooltip does), and tells the window that
 * is gone of every change of theirs. */
static void
remove_actions (HsWindow *self)
{
  g_auto (GStrv) names = g_action_group_list_actions (G_ACTION_GROUP (self));

  for (size_t i = 0; names[i] != NULL; i++)
    g_action_map_remove_action (G_ACTION_MAP (self), names[i]);
}

static void
hs_window_dispose (GObject *object)
{
  HsWindow *self = HS_WINDOW (object);

  remove_actions (self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "view", NULL);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "arrange", NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), HS_TYPE_WINDOW);
  g_clear_object (&self->updater);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (hs_window_parent_class)->dispose (object);
}

static void
hs_window_unrealize (GtkWidget *widget)
{
  hs_closing_end_above (GTK_WINDOW (widget));
  GTK_WIDGET_CLASS (hs_window_parent_class)->unrealize (widget);
}

static void
hs_window_class_init (HsWindowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = hs_window_get_property;
  object_class->set_property = hs_window_set_property;
  object_class->constructed = hs_window_constructed;
  object_class->dispose = hs_window_dispose;
  widget_class->css_changed = hs_window_css_changed;
  widget_class->unrealize = hs_window_unrealize;

  props[PROP_SESSION] = g_param_spec_object ("session", NULL, NULL, HS_TYPE_SESSION,
                                             G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY |
                                                 G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  g_type_ensure (HS_TYPE_ATTENDED_PANEL);
  g_type_ensure (HS_TYPE_ATTENTION_PANEL);
  g_type_ensure (HS_TYPE_CHANGES_PANEL);
  g_type_ensure (HS_TYPE_COMPARE_BAR);
  g_type_ensure (HS_TYPE_DOWNLOADS_BUTTON);
  g_type_ensure (HS_TYPE_FACE);
  g_type_ensure (HS_TYPE_FACTS_PANEL);
  g_type_ensure (HS_TYPE_FIND_BAR);
  g_type_ensure (HS_TYPE_FOLD);
  g_type_ensure (HS_TYPE_GUESSES_PANEL);
  g_type_ensure (HS_TYPE_HEAD_BAR);
  g_type_ensure (HS_TYPE_HELP_PANEL);
  g_type_ensure (HS_TYPE_LAB);
  g_type_ensure (HS_TYPE_LAB_SWITCH);
  g_type_ensure (HS_TYPE_LOAD_STRIP);
  g_type_ensure (HS_TYPE_STATUS_LINE);
  g_type_ensure (HS_TYPE_SWITCH);
  g_type_ensure (HS_TYPE_TEXT_PANEL);
  g_type_ensure (HS_TYPE_WARNING_STRIP);
  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headscope/Headscope/ui/hs-window.ui");
  hs_children_bind_bindings (widget_class);
  gtk_widget_class_bind_template_child (widget_class, HsWindow, text_panel);
  gtk_widget_class_bind_template_child (widget_class, HsWindow, attention_panel);
  gtk_widget_class_bind_template_child (widget_class, HsWindow, warning_strip);
  gtk_widget_class_bind_template_child (widget_class, HsWindow, compare_bar);
  gtk_widget_class_bind_template_child (widget_class, HsWindow, menu_button);
  gtk_widget_class_bind_template_child (widget_class, HsWindow, page);
  gtk_widget_class_bind_template_child (widget_class, HsWindow, source_button);
  gtk_widget_class_bind_template_child (widget_class, HsWindow, head_bar);
  gtk_widget_class_bind_template_child (widget_class, HsWindow, export_button);
  gtk_widget_class_bind_template_child (widget_class, HsWindow, downloads_button);
  gtk_widget_class_bind_template_child (widget_class, HsWindow, main_menu);
  gtk_widget_class_bind_template_child (widget_class, HsWindow, find_bar);
  gtk_widget_class_bind_template_child (widget_class, HsWindow, face);
  gtk_widget_class_bind_template_child (widget_class, HsWindow, facts_panel);
  gtk_widget_class_bind_template_child (widget_class, HsWindow, lab);
  gtk_widget_class_bind_template_child (widget_class, HsWindow, status_line);
  gtk_widget_class_bind_template_callback_full (widget_class, "source_title",
                                                G_CALLBACK (hs_closure_source_title));
  gtk_widget_class_bind_template_callback_full (widget_class, "source_tip",
                                                G_CALLBACK (hs_closure_source_tip));
  gtk_widget_class_bind_template_callback_full (widget_class, "not", G_CALLBACK (hs_closure_not));
  gtk_widget_class_bind_template_callback_full (widget_class, "head_at_end",
                                                G_CALLBACK (head_at_end));
  gtk_widget_class_bind_template_callback_full (widget_class, "chooses_head",
                                                G_CALLBACK (chooses_head));
  gtk_widget_class_bind_template_callback_full (widget_class, "folded_aspect",
                                                G_CALLBACK (hs_closure_folded_aspect));
  gtk_widget_class_bind_template_callback_full (widget_class, "face_height",
                                                G_CALLBACK (hs_closure_face_height));
  gtk_widget_class_install_action (widget_class, "win.stop", NULL, stop_cb);
  gtk_widget_class_install_action (widget_class, "win.retry", NULL, retry_cb);
  gtk_widget_class_install_action (widget_class, "win.use-shipped-model", NULL,
                                   use_shipped_model_cb);
  gtk_widget_class_install_action (widget_class, "win.focus-text", NULL, focus_text_cb);
  gtk_widget_class_install_action (widget_class, "win.find", NULL, find_cb);
  gtk_widget_class_install_action (widget_class, "win.focus-picture", NULL, focus_picture_cb);
  gtk_widget_class_install_action (widget_class, "win.play", NULL, play_cb);
  gtk_widget_class_install_action (widget_class, "win.shortcuts", NULL, shortcuts_cb);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_z, GDK_CONTROL_MASK, undo_cb, "b", FALSE);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_z, GDK_CONTROL_MASK | GDK_SHIFT_MASK, undo_cb,
                                "b", TRUE);
}

static void
hs_window_init (HsWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (self, "notify::default-width", G_CALLBACK (size_changed_cb), NULL);
  g_signal_connect (self, "notify::default-height", G_CALLBACK (size_changed_cb), NULL);
  hs_accessible_name_all (GTK_WIDGET (self));
  gtk_menu_button_set_create_popup_func (self->menu_button, make_menu_cb, self, NULL);
}
