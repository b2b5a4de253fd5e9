/* SPDX-License-Identifier: MIT */
/* A picture made in the test itself, as a window makes it, and the command line that has to make
 * the same bytes. */
#include "picture-repeat.h"

#include "cli-run.h"
#include "test-util.h"

#include "attn-draw/session.h"
#include "attn-hub/store.h"
#include "attn/attn.h"

#include <string.h>

AttnModel *
repeat_load_model (const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = attn_hub_find_model (name, &error);
  g_assert_no_error (error);
  AttnModel *model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return model;
}

AttnMaps *
repeat_run_text (AttnModel *model, const char *text, const char *pair)
{
  g_autoptr (GError) error = NULL;
  AttnTokenizerInput input = {
      .text = text,
      .text_length = strlen (text),
      .pair = pair,
      .pair_length = pair != NULL ? strlen (pair) : 0,
  };
  g_autoptr (AttnTokens) tokens =
      attn_tokenizer_encode (attn_model_peek_tokenizer (model), &input, &error);
  g_assert_no_error (error);
  g_autoptr (AttnTrace) trace = attn_model_run (model, tokens, NULL, &error);
  g_assert_no_error (error);
  return attn_maps_new_from_trace (trace);
}

GBytes *
repeat_write (const AttnDrawPicture *picture, AttnMaps *a, AttnMaps *b)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnDrawPanels) panels =
      b != NULL ? attn_draw_panels_new_compare (picture->view, a, b, NULL, NULL, NULL, &error)
                : attn_draw_panels_new (picture->view, a, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  GBytes *bytes = attn_draw_picture_write (picture, panels, &error);
  g_assert_no_error (error);
  return bytes;
}

void
repeat_assert_command (const AttnDrawPicture *picture, GBytes *wanted, const char *path)
{
  g_autofree char *line = attn_draw_picture_dup_command (picture, path);
  g_autofree char *folder = g_path_get_dirname (peek_program ());
  g_autofree char *quoted = g_shell_quote (folder);
  g_autofree char *script = g_strdup_printf ("PATH=%s:$PATH; %s", quoted, line);
  char shell[] = "/bin/sh", option[] = "-c";
  char *command[] = {shell, option, script, NULL};
  g_autofree char *err = NULL;
  int status = -1;

  g_assert_true (
      g_spawn_sync (NULL, command, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, &err, &status, NULL));
  if (status != 0 || *err != '\0')
    g_error ("%s: status %d: %s", line, status, err);
  gsize size = 0, wanted_size = 0;
  g_autofree char *file = test_read_file (path, &size);
  const void *wanted_data = g_bytes_get_data (wanted, &wanted_size);
  if (size != wanted_size || memcmp (file, wanted_data, size) != 0)
    g_error ("%s: another file", line);
}

void
repeat_assert_session (const AttnDrawPicture *picture, GBytes *wanted, const char *words)
{
  g_autoptr (AttnDrawSession) session = attn_draw_session_new_from_picture (picture);
  g_autofree char *path = in_folder ("a session.headscope");
  g_autoptr (GError) error = NULL;
  gsize wanted_size = 0;
  const void *wanted_data = g_bytes_get_data (wanted, &wanted_size);

  attn_draw_session_save (session, path, &error);
  g_assert_no_error (error);
  g_auto (Run) run = RUN (words, path);
  g_assert_cmpstr (run.err, ==, "");
  g_assert_cmpint (run.status, ==, 0);
  if (run.out_length != wanted_size || memcmp (run.out, wanted_data, wanted_size) != 0) {
    g_autofree char *line = attn_draw_picture_dup_command (picture, "-");
    g_error ("%s: another file from the session of %s", words, line);
  }
}
