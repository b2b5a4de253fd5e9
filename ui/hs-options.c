/* SPDX-License-Identifier: MIT */
/* What the program was started with, and how it asks a run of it that is there already. */
#include "hs-options.h"

#include "hs-attention.h"
#include "hs-build.h"

#include "attn-draw/session.h"
#include "attn/folder.h"
#include "attn/quote.h"

#include <glib/gi18n.h>

#include <string.h>

#define EXIT_USAGE 2 /* as the command line program */

bool
hs_options_find_run (void)
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

/* The words of the other run's action: a name, its type and its place in the options. */
static const struct {
  const char *name, *type;
  size_t offset;
} words[] = {
    {"text", "s", G_STRUCT_OFFSET (HsOptions, text)},
    {"model", "^ay", G_STRUCT_OFFSET (HsOptions, model)},
    {"session", "^ay", G_STRUCT_OFFSET (HsOptions, session)},
    {"attention", "^ay", G_STRUCT_OFFSET (HsOptions, attention)},
    {"array", "s", G_STRUCT_OFFSET (HsOptions, array)},
    {"tokens", "^ay", G_STRUCT_OFFSET (HsOptions, tokens)},
};

void
hs_options_take (HsOptions *self, GVariant *words_of_other)
{
  g_auto (GVariantDict) asked = G_VARIANT_DICT_INIT (words_of_other);

  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    g_variant_dict_lookup (&asked, words[i].name, words[i].type,
                           G_STRUCT_MEMBER_P (self, words[i].offset));
}

HsStart
hs_options_get_start (const HsOptions *self)
{
  return (HsStart){.model = self->model,
                   .text = self->text,
                   .attention = self->attention,
                   .array = self->array,
                   .tokens = self->tokens,
                   .session = self->session};
}

void
hs_options_clear (HsOptions *self)
{
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
    g_clear_pointer ((char **)G_STRUCT_MEMBER_P (self, words[i].offset), g_free);
  g_clear_pointer (&self->rest, g_strfreev);
}

int
hs_options_ask (const HsOptions *self, GApplication *application)
{
  g_auto (GVariantDict) start = G_VARIANT_DICT_INIT (NULL);

  if (!g_application_register (application, NULL, NULL) ||
      !g_application_get_is_remote (application))
    return -1;
  bool asks = self->new_window;
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++) {
    const char *word = G_STRUCT_MEMBER (char *, self, words[i].offset);
    if (word == NULL)
      continue;
    g_variant_dict_insert (&start, words[i].name, words[i].type, word);
    asks = true;
  }
  if (!asks) {
    g_application_activate (application);
    return EXIT_SUCCESS;
  }
  g_action_group_activate_action (G_ACTION_GROUP (application), "open-window",
                                  g_variant_dict_end (&start));
  return EXIT_SUCCESS;
}

/* The folder stays the same one wherever the program is started the next time. */
static void
complete_model (HsOptions *self)
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

/* The one argument that is no option. */
static bool
take_file (HsOptions *self)
{
  const char *file = self->rest[0];
  bool is_alone = self->rest[1] == NULL;

  if (is_alone && self->attention == NULL && hs_attention_takes (file)) {
    self->attention = g_canonicalize_filename (file, NULL);
    return true;
  }
  if (is_alone && g_str_has_suffix (file, ATTN_DRAW_SESSION_SUFFIX)) {
    self->session = g_canonicalize_filename (file, NULL);
    return true;
  }
  g_autofree char *shown = attn_file_dup_shown (file, strlen (file));
  g_printerr (_ ("headscope: “%s” is no option; a text follows --text\n"), shown);
  return false;
}

int
hs_options_check (HsOptions *self)
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
  if (self->array != NULL && self->attention == NULL) {
    g_printerr ("headscope: %s\n", _ ("--array goes with --attention"));
    return EXIT_USAGE;
  }
  if (self->array != NULL && !g_utf8_validate (self->array, -1, NULL)) {
    g_printerr ("headscope: %s\n", _ ("The array’s name is not valid UTF-8"));
    return EXIT_USAGE;
  }
  complete_path (&self->attention);
  complete_path (&self->tokens);
  if (self->rest != NULL && !take_file (self))
    return EXIT_USAGE;
  if (self->attention != NULL && (self->text != NULL || self->model != NULL)) {
    g_printerr ("headscope: %s\n", _ ("--attention goes with neither --text nor --model"));
    return EXIT_USAGE;
  }
  complete_model (self);
  self->benchmark |= self->benchmark_views || self->benchmark_lab;
  return -1;
}

void
hs_options_add (HsOptions *self, GApplication *application)
{
  const GOptionEntry entries[] = {
      {"model", 'm', 0, G_OPTION_ARG_FILENAME, &self->model,
       N_ ("A model’s folder, weight file or name, or demo for the shipped model"), N_ ("MODEL")},
      {"text", 't', 0, G_OPTION_ARG_FILENAME, &self->text, N_ ("The text to begin with"),
       N_ ("TEXT")},
      {"attention", 'a', 0, G_OPTION_ARG_FILENAME, &self->attention,
       N_ ("Attention weights of another program to show"), N_ ("FILE")},
      {"array", 0, 0, G_OPTION_ARG_FILENAME, &self->array,
       N_ ("Which of the file’s arrays they are"), N_ ("NAME")},
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
      {"benchmark-lab", 0, 0, G_OPTION_ARG_NONE, &self->benchmark_lab,
       N_ ("Time the opening of the lab and its steps, print it as JSON and leave"), NULL},
      {NULL},
  };

  g_application_add_main_option_entries (application, entries);
}
