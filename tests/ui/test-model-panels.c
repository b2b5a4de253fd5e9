/* SPDX-License-Identifier: MIT */
/* The panels that speak of the model: what it guesses, and what is odd about it. */
#include "hs-facts-panel.h"
#include "hs-guesses-panel.h"
#include "hs-help-panel.h"
#include "hs-resources.h"
#include "hs-state.h"
#include "hs-warning-strip.h"
#include "test-util.h"
#include "ui-test.h"

#include <glib/gstdio.h>
#include <gtk/gtk.h>

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static GtkWidget *
own (GtkWidget *widget)
{
  return g_object_ref_sink (widget);
}

/* A byte-level vocabulary's pieces are code ("Ġsat"); people see what they stand for ("␣sat"). */
static void
test_guesses_as_read (void)
{
  g_autofree char *folder = test_data_path ("golden/models/gpt2");
  UiTestDesk desk;
  ui_test_desk_open_model (&desk, folder, "The cat sat");
  GtkWidget *panel = own (hs_guesses_panel_new (desk.session));
  const HsAnswer *answer = hs_side_peek_answer (hs_session_peek_side (desk.session));
  const AttnPrediction *next = &answer->predictions->items[0];
  g_autofree char *labels = ui_test_dup_labels (panel);
  g_auto (GStrv) texts = g_strsplit (labels, "|", -1);
  bool differs = false;
  g_assert_cmpstr (texts[0], ==, "Next-token guesses");
  for (size_t i = 0; i < next->n_guesses; i++) {
    bool shown = g_strv_contains ((const char *const *)texts, next->guesses[i].text);
    differs |= strcmp (next->guesses[i].text, next->guesses[i].piece) != 0;
    g_assert_true (shown || i >= 3); /* the list is folded after three */
  }
  g_assert_true (differs);
  g_assert_null (strstr (labels, "Ġ"));
  g_assert_finalize_object (panel);
  ui_test_desk_close (&desk);
}

static void
assert_begins (const char *labels, const char *const *wanted)
{
  g_auto (GStrv) texts = g_strsplit (labels, "|", -1);
  size_t n = 0;
  for (size_t i = 0; texts[i] != NULL; i++)
    if (strstr (texts[i], "Guesses for [MASK]") != NULL) {
      g_assert_nonnull (wanted[n]);
      g_assert_cmpstr (texts[i], ==, wanted[n++]);
    }
  g_assert_null (wanted[n]);
}

/* A comparison has both sides' guesses under their names, two heads of one text those of the text.
 */
static void
test_guesses_compared (void)
{
  UiTestDesk desk;
  ui_test_desk_open (&desk, "The [MASK] sat.");
  GtkWidget *panel = own (hs_guesses_panel_new (desk.session));
  hs_session_set_kind (desk.session, ATTN_DRAW_COMPARE);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  ui_test_drain (desk.engine);
  g_autofree char *same = ui_test_dup_labels (panel);
  assert_begins (same, (const char *const[]){"Guesses for [MASK]", NULL});

  hs_side_set_text (hs_session_peek_side_b (desk.session), "My [MASK] fell [MASK] again.");
  ui_test_drain (desk.engine);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  ui_test_drain (desk.engine);
  g_autofree char *both = ui_test_dup_labels (panel);
  assert_begins (both,
                 (const char *const[]){"A · Guesses for [MASK]", "B · Guesses for [MASK] 1 of 2",
                                       "B · Guesses for [MASK] 2 of 2", NULL});
  const AttnPrediction *first =
      &hs_side_peek_answer (hs_session_peek_side_b (desk.session))->predictions->items[0];
  g_assert_nonnull (strstr (both, first->guesses[0].text));

  hs_session_set_kind (desk.session, ATTN_DRAW_HEATMAP);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  ui_test_drain (desk.engine);
  g_autofree char *alone = ui_test_dup_labels (panel);
  assert_begins (alone, (const char *const[]){"Guesses for [MASK]", NULL});
  g_assert_finalize_object (panel);
  ui_test_desk_close (&desk);
}

/* A folder with NaN weights and a vocabulary that is too short. */
static char *
make_odd_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("headscope-odd-XXXXXX", &error);
  g_assert_no_error (error);
  for (const char *const *name =
           (const char *const[]){"st-nan/config.json", "st-nan/model.safetensors",
                                 "st-nan/tokenizer_config.json", "voc-short/vocab.txt", NULL};
       *name != NULL; name++) {
    g_autofree char *below = g_build_filename ("hostile", *name, NULL);
    g_autofree char *from = test_data_path (below);
    g_autofree char *to = g_build_filename (folder, strchr (*name, '/'), NULL);
    g_assert_cmpint (symlink (from, to), ==, 0);
  }
  return folder;
}

static void
remove_folder (char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_assert_cmpint (g_unlink (path), ==, 0);
  }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
}

static void
assert_strip (GtkWidget *strip, AttnModel *model, const char *more)
{
  g_autofree char *labels = ui_test_dup_labels (strip);
  g_autofree char *wanted = g_strconcat (attn_model_peek_warning (model, 0), more, NULL);
  g_assert_true (gtk_widget_get_visible (strip));
  g_assert_cmpstr (labels, ==, wanted);
}

static void
load (UiTestDesk *desk, const char *name)
{
  hs_updater_load (desk->updater, name);
  ui_test_wait_state (desk->session, HS_STATE_READY);
}

static void
click_last_button (GtkWidget *strip)
{
  GtkWidget *button = gtk_widget_get_last_child (strip);
  g_assert_true (GTK_IS_BUTTON (button));
  g_signal_emit_by_name (button, "clicked");
}

/* Told in the core's words; dismissed until another model comes; nothing for a good model. */
static void
test_strip (void)
{
  g_autofree char *nan = test_data_path ("hostile/st-nan");
  char *odd = make_odd_folder ();
  UiTestDesk desk;
  ui_test_desk_open_model (&desk, nan, "hello ab");
  HsSide *side = hs_session_peek_side (desk.session);
  GtkWidget *strip = own (hs_warning_strip_new (desk.session));
  g_assert_nonnull (strstr (attn_model_peek_warning (hs_side_peek_model (side), 0), "NaN"));
  assert_strip (strip, hs_side_peek_model (side), "|and 1 more"); /* it has no pooler either */
  click_last_button (strip);
  g_assert_false (gtk_widget_get_visible (strip));
  hs_side_set_text (side, "hello a");
  ui_test_drain (desk.engine);
  g_assert_false (gtk_widget_get_visible (strip));

  load (&desk, odd);
  g_assert_cmpuint (attn_model_get_n_warnings (hs_side_peek_model (side)), ==, 3);
  assert_strip (strip, hs_side_peek_model (side), "|and 2 more");
  GtkWidget *more = gtk_widget_get_prev_sibling (gtk_widget_get_last_child (strip));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (more), TRUE);
  g_autofree char *all = ui_test_dup_labels (strip);
  for (size_t i = 0; i < 3; i++)
    g_assert_nonnull (strstr (all, attn_model_peek_warning (hs_side_peek_model (side), i)));
  g_autofree char *good = test_data_path ("hostile/ok");
  load (&desk, good); /* but for its pooler */
  assert_strip (strip, hs_side_peek_model (side), "");
  load (&desk, "demo");
  g_assert_false (gtk_widget_get_visible (strip));
  g_assert_finalize_object (strip);
  ui_test_desk_close (&desk);
  remove_folder (odd);
}

/* The panel of facts has all of them. */
static void
test_facts (void)
{
  char *odd = make_odd_folder ();
  UiTestDesk desk;
  ui_test_desk_open_model (&desk, odd, "hello ab");
  AttnModel *model = hs_side_peek_model (hs_session_peek_side (desk.session));
  GtkWidget *panel = own (hs_facts_panel_new (desk.session));
  g_autofree char *all =
      g_strjoin ("\n\n", attn_model_peek_warning (model, 0), attn_model_peek_warning (model, 1),
                 attn_model_peek_warning (model, 2), NULL);
  g_autofree char *told = ui_test_dup_labels (panel);
  g_assert_true (g_str_has_suffix (told, all));
  load (&desk, "demo"); /* has none */
  g_autofree char *less = ui_test_dup_labels (panel);
  g_assert_null (strstr (less, "NaN"));
  g_assert_finalize_object (panel);
  ui_test_desk_close (&desk);
  remove_folder (odd);
}

/* The pictures of @folder's model are said to rest on @wanted. */
static void
assert_rests_on (const char *folder, const char *wanted)
{
  UiTestDesk desk;
  ui_test_desk_open_model (&desk, folder, "The cat sat");
  GtkWidget *panel = own (hs_help_panel_new (desk.session));
  g_autofree char *said = ui_test_dup_labels (panel);
  g_assert_nonnull (strstr (said, wanted));
  g_assert_finalize_object (panel);
  ui_test_desk_close (&desk);
}

/* Nobody is told of tokens that the model has not. */
static void
test_help_names_tokens (void)
{
  g_autofree char *gpt2 = test_data_path ("golden/models/gpt2");
  assert_rests_on (gpt2, "one rests on the first token.");
  assert_rests_on ("demo", "one rests on [CLS] or [SEP].");
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  hs_register_resource ();
  g_test_add_func ("/model-panels/guesses-as-read", test_guesses_as_read);
  g_test_add_func ("/model-panels/guesses-compared", test_guesses_compared);
  g_test_add_func ("/model-panels/strip", test_strip);
  g_test_add_func ("/model-panels/facts", test_facts);
  g_test_add_func ("/model-panels/help-names-tokens", test_help_names_tokens);
  return g_test_run ();
}
