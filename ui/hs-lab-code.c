/* SPDX-License-Identifier: MIT */
/* The core writes the code, in no time; a read-only view shows it. */
#include "hs-lab-code.h"

#include "hs-accessible.h"
#include "hs-errors.h"
#include "hs-figure-actions.h"
#include "hs-format.h"
#include "hs-lab-picture.h"
#include "hs-lab-source.h"
#include "hs-save.h"
#include "hs-switch.h"
#include "hs-wrap-layout.h"

#include "attn-draw/lab-command.h"
#include "attn-hub/store.h"
#include "attn/code.h"

#include <glib/gi18n.h>

#include <string.h>

#define SAY_MS 5000 /* as the line at the bottom of the window says things */

struct _HsLabCode {
  HsPanel parent_instance;

  GtkLabel *reason, *said, *use;
  GtkWidget *page, *copy_button, *save_button, *command_button;
  GtkTextView *view;

  GSimpleAction *kind_action;
  HsAsk ask;
  guint said_timeout;
};

G_DEFINE_FINAL_TYPE (HsLabCode, hs_lab_code, HS_TYPE_PANEL)

enum { PROP_0, PROP_KIND, N_PROPS };

static GParamSpec *props[N_PROPS];

GtkWidget *
hs_lab_code_new (HsSession *session)
{
  return g_object_new (HS_TYPE_LAB_CODE, "session", session, NULL);
}

void
hs_lab_code_set_ask (HsLabCode *self, HsAsk ask)
{
  g_return_if_fail (HS_IS_LAB_CODE (self));
  self->ask = ask;
}

static AttnCode
get_kind (HsLabCode *self)
{
  return hs_session_peek_lab_place (hs_panel_peek_session (HS_PANEL (self)))->code;
}

/* ---- what is shown ---- */

static const char *
peek_use (AttnCode kind)
{
  switch (kind) {
  case ATTN_CODE_C:
    return _ ("It is built against Headscope’s headers and its core library; run, it prints the "
              "head’s weights, row by row, and how far they are from the library’s own.");
  case ATTN_CODE_PYTORCH:
    return _ ("It runs in Python with the packages torch and transformers, on the model’s own "
              "folder; it prints the head’s weights, row by row, and how far they are from "
              "those of transformers.");
  case ATTN_CODE_PSEUDO:
  case ATTN_N_CODES:
  default:
    return _ ("Each line is a step of the page Pipeline; after it stand its shape and what it "
              "is for.");
  }
}

static void
show_code (HsLabCode *self, const char *code)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  g_autofree char *old = NULL;

  g_object_get (buffer, "text", &old, NULL);
  if (strcmp (old, code) != 0) /* what is selected stays */
    gtk_text_buffer_set_text (buffer, code, -1);
}

static void
show (HsLabCode *self, const char *code, const char *reason)
{
  gtk_widget_set_sensitive (self->copy_button, code != NULL);
  gtk_widget_set_sensitive (self->save_button, code != NULL);
  gtk_widget_set_sensitive (self->command_button, code != NULL);
  if (code != NULL)
    show_code (self, code);
  else
    gtk_label_set_text (self->reason, reason);
  gtk_widget_set_visible (self->page, code != NULL);
}

static void
hs_lab_code_update (HsPanel *panel)
{
  HsLabCode *self = HS_LAB_CODE (panel);
  HsSession *session = hs_panel_peek_session (panel);
  AttnTrace *trace = session != NULL ? hs_lab_peek_trace (session) : NULL;
  const AttnCodeSubject subject = {
      .trace = trace,
      .model_name = trace != NULL ? attn_hub_peek_model_name (attn_trace_peek_model (trace)) : NULL,
      .layer = session != NULL ? hs_session_get_layer (session) : 0,
      .head = session != NULL ? hs_session_get_head (session) : 0,
      .translate = hs_translate,
  };
  g_autoptr (GError) error = NULL;

  if (session == NULL)
    return;
  g_simple_action_set_state (self->kind_action,
                             g_variant_new_string (attn_code_peek_name (get_kind (self))));
  gtk_label_set_text (self->use, peek_use (get_kind (self)));
  if (subject.trace == NULL) {
    g_autofree char *reason = hs_lab_dup_reason (session);
    show (self, NULL, reason);
    return;
  }
  g_autofree char *code = attn_code_dup (&subject, get_kind (self), &error);
  g_autofree char *refusal = code == NULL ? hs_error_dup_lines (error) : NULL;
  show (self, code, refusal);
}

/* ---- taking it out ---- */

static void
said_enough_cb (gpointer data)
{
  HsLabCode *self = data;

  self->said_timeout = 0;
  gtk_label_set_text (self->said, "");
  gtk_widget_set_visible (GTK_WIDGET (self->said), FALSE); /* a line of its own in narrow windows */
}

static void
say (HsLabCode *self, const char *words)
{
  gtk_label_set_text (self->said, words);
  gtk_widget_set_visible (GTK_WIDGET (self->said), TRUE);
  g_clear_handle_id (&self->said_timeout, g_source_remove);
  self->said_timeout = g_timeout_add_once (SAY_MS, said_enough_cb, self);
}

static char *
dup_code (HsLabCode *self)
{
  char *code = NULL;

  g_object_get (gtk_text_view_get_buffer (self->view), "text", &code, NULL);
  return code;
}

static void
copy_cb (HsLabCode *self)
{
  g_autofree char *code = dup_code (self);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), code);
  say (self, _ ("The code is in the clipboard"));
}

static void
saved_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (HsLabCode) self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = hs_save_finish (result, &error);

  if (hs_panel_peek_session (HS_PANEL (self)) == NULL)
    return; /* closed in the meantime */
  g_autofree char *shown = path != NULL ? g_filename_display_name (path) : NULL;
  g_autofree char *words =
      path != NULL ? g_strdup_printf (_ ("Saved as %s"), shown) : hs_error_dup_lines (error);
  say (self, words);
}

static void
path_chosen_cb (char *path, gpointer data)
{
  g_autoptr (HsLabCode) self = data;
  g_autofree char *chosen = path;

  if (chosen == NULL || hs_panel_peek_session (HS_PANEL (self)) == NULL)
    return;
  g_autofree char *single = hs_ask_dup_single_ending (chosen);
  char *code = dup_code (self);
  g_autoptr (GBytes) bytes = g_bytes_new_take (code, strlen (code));
  hs_save_bytes_async (bytes, single, saved_cb, g_object_ref (self));
}

static char *
dup_name (HsLabCode *self)
{
  static const char *const endings[] = {
      [ATTN_CODE_PSEUDO] = "txt", [ATTN_CODE_C] = "c", [ATTN_CODE_PYTORCH] = "py"};
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));

  return g_strdup_printf ("layer-%u-head-%u.%s", hs_session_get_layer (session) + 1,
                          hs_session_get_head (session) + 1, endings[get_kind (self)]);
}

static void
save_cb (HsLabCode *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  g_autofree char *name = dup_name (self);
  const HsQuestion question = {
      .action = GTK_FILE_CHOOSER_ACTION_SAVE,
      .title = _ ("Save the code"),
      .accept = _ ("_Save"),
      .name = name,
  };

  if (!gtk_widget_get_visible (self->page)) /* there is no code */
    return;
  self->ask (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, &question, path_chosen_cb,
             g_object_ref (self));
}

char *
hs_lab_code_dup_command (HsLabCode *self)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  HsLabPicture *picture = hs_lab_peek_trace (session) != NULL ? hs_lab_picture_new (session) : NULL;

  g_return_val_if_fail (HS_IS_LAB_CODE (self), NULL);
  if (picture == NULL)
    return NULL;
  const AttnDrawPicture of = hs_lab_picture_get (picture, ATTN_DRAW_PNG);
  g_autofree char *name = dup_name (self);
  char *command = attn_draw_code_dup_command (&of, get_kind (self), hs_session_get_layer (session),
                                              hs_session_get_head (session), name);
  hs_lab_picture_free (picture);
  return command;
}

static void
copy_command_cb (HsLabCode *self)
{
  g_autofree char *command = hs_lab_code_dup_command (self);

  if (command == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), command);
  say (self, _ ("The command is in the clipboard"));
}

static void
add_actions (HsLabCode *self)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  GSimpleAction *actions[] = {g_simple_action_new ("export", NULL),
                              g_simple_action_new ("copy-command", NULL)};
  const GCallback callbacks[] = {G_CALLBACK (save_cb), G_CALLBACK (copy_command_cb)};

  for (size_t i = 0; i < G_N_ELEMENTS (actions); i++) {
    g_signal_connect_swapped (actions[i], "activate", callbacks[i], self);
    g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (actions[i]));
    g_object_unref (actions[i]);
  }
  hs_figure_set_actions (GTK_WIDGET (self), G_ACTION_GROUP (group));
}

/* ---- the kind ---- */

static void
kind_asked_cb (HsLabCode *self, GVariant *kind)
{
  if (attn_code_find (g_variant_get_string (kind, NULL)) < ATTN_N_CODES)
    g_object_set (self, "kind", g_variant_get_string (kind, NULL), NULL);
}

/* It is the session's. */
static void
choose_kind (HsLabCode *self, AttnCode kind)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  AttnDrawLabPlace place = *hs_session_peek_lab_place (session);

  place.code = kind;
  hs_session_set_lab_place (session, &place);
}

static void
hs_lab_code_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_KIND)
    g_value_set_string (value, attn_code_peek_name (get_kind (HS_LAB_CODE (object))));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hs_lab_code_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HsLabCode *self = HS_LAB_CODE (object);
  const AttnCode kind = attn_code_find (g_value_get_string (value));

  if (id != PROP_KIND) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  if (kind >= ATTN_N_CODES || kind == get_kind (self))
    return;
  choose_kind (self, kind);
  g_object_notify_by_pspec (object, pspec);
}

static void
hs_lab_code_dispose (GObject *object)
{
  HsLabCode *self = HS_LAB_CODE (object);

  g_clear_handle_id (&self->said_timeout, g_source_remove);
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_LAB_CODE);
  G_OBJECT_CLASS (hs_lab_code_parent_class)->dispose (object);
}

static void
hs_lab_code_finalize (GObject *object)
{
  g_clear_object (&HS_LAB_CODE (object)->kind_action);
  G_OBJECT_CLASS (hs_lab_code_parent_class)->finalize (object);
}

static void
hs_lab_code_class_init (HsLabCodeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = hs_lab_code_get_property;
  object_class->set_property = hs_lab_code_set_property;
  object_class->dispose = hs_lab_code_dispose;
  object_class->finalize = hs_lab_code_finalize;
  HS_PANEL_CLASS (klass)->update = hs_lab_code_update;
  props[PROP_KIND] =
      g_param_spec_string ("kind", NULL, NULL, "pseudo",
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  g_type_ensure (HS_TYPE_SWITCH);
  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headscope/Headscope/ui/hs-lab-code.ui");
  gtk_widget_class_bind_template_child (widget_class, HsLabCode, page);
  gtk_widget_class_bind_template_child (widget_class, HsLabCode, reason);
  gtk_widget_class_bind_template_child (widget_class, HsLabCode, said);
  gtk_widget_class_bind_template_child (widget_class, HsLabCode, use);
  gtk_widget_class_bind_template_child (widget_class, HsLabCode, copy_button);
  gtk_widget_class_bind_template_child (widget_class, HsLabCode, save_button);
  gtk_widget_class_bind_template_child (widget_class, HsLabCode, command_button);
  gtk_widget_class_bind_template_child (widget_class, HsLabCode, view);
}

static void
hs_lab_code_init (HsLabCode *self)
{
  static const char *const watched[] = {"view", "panels", "layer", "head", "state", "lab-code"};
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();

  self->ask = hs_ask_by_chooser;
  self->kind_action =
      g_simple_action_new_stateful ("kind", G_VARIANT_TYPE_STRING, g_variant_new_string ("pseudo"));
  g_signal_connect_swapped (self->kind_action, "change-state", G_CALLBACK (kind_asked_cb), self);
  g_action_map_add_action (G_ACTION_MAP (actions), G_ACTION (self->kind_action));
  gtk_widget_insert_action_group (GTK_WIDGET (self), "code", G_ACTION_GROUP (actions));
  gtk_widget_init_template (GTK_WIDGET (self));
  hs_accessible_name_all (GTK_WIDGET (self));
  add_actions (self);
  g_signal_connect_swapped (self->copy_button, "clicked", G_CALLBACK (copy_cb), self);
  g_signal_connect_swapped (self->save_button, "clicked", G_CALLBACK (save_cb), self);
  for (size_t i = 0; i < G_N_ELEMENTS (watched); i++)
    hs_panel_watch (HS_PANEL (self), watched[i], hs_lab_code_update);
}
