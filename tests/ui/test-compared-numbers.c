/* SPDX-License-Identifier: MIT */
/* Numbers of a comparison: A's, B's and A − B as files, the same bytes by the command line; all of
 * them as one table. */
#include "hs-export-form.h"
#include "hs-numbers.h"
#include "hs-resources.h"
#include "hs-state.h"
#include "hs-work.h"
#include "test-util.h"
#include "ui-test.h"

#include <glib/gstdio.h>

#include <string.h>

#define TEXT "The cat sat on the mat."
#define TEXT_B "The dog sat on a mat."

static const char *program; /* headscope-cli */

static void
open_compare (UiTestDesk *desk)
{
  ui_test_desk_open (desk, TEXT);
  hs_session_set_kind (desk->session, ATTN_DRAW_COMPARE);
  hs_side_set_text (hs_session_peek_side_b (desk->session), TEXT_B);
  ui_test_drain (desk->engine);
  ui_test_wait_state (desk->session, HS_STATE_READY);
  hs_session_set_layer (desk->session, 2);
  hs_session_set_head (desk->session, 3);
  hs_session_set_head_b (desk->session, 6);
  ui_test_drain (desk->engine);
  ui_test_wait_state (desk->session, HS_STATE_READY);
}

static void
take_result_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  (void)source;
  *(GAsyncResult **)data = g_object_ref (result);
}

/* Writes them as the window does. */
static char *
save (HsNumbers *numbers, const char *path, gsize *size, GError **error)
{
  GAsyncResult *result = NULL;
  hs_numbers_save_async (numbers, path, NULL, NULL, NULL, take_result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_autofree char *written = hs_numbers_save_finish (result, error);
  g_object_unref (result);
  if (written == NULL)
    return NULL;
  g_assert_cmpstr (written, ==, path);
  char *content = test_read_file (path, size);
  g_assert_cmpint (g_remove (path), ==, 0);
  return content;
}

/* What the copied line writes into the same place. */
static char *
run_command (const char *line, const char *path, gsize *size)
{
  g_auto (GStrv) words = NULL;
  g_autofree char *err = NULL;
  int status = -1;
  g_assert_true (g_shell_parse_argv (line, NULL, &words, NULL));
  g_free (words[0]);
  words[0] = g_strdup (program);
  g_assert_true (
      g_spawn_sync (NULL, words, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, &err, &status, NULL));
  if (status != 0 || *err != '\0')
    g_error ("%s: status %d: %s", line, status, err);
  char *content = test_read_file (path, size);
  g_assert_cmpint (g_remove (path), ==, 0);
  return content;
}

static void
assert_same (HsSession *session, HsNumbersExtent extent, AttnExportFormat format)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("headscope-numbers-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a file", NULL);
  g_autoptr (HsNumbers) numbers = hs_numbers_new (session, format, extent);
  gsize size = 0, wanted_size = 0;
  g_autofree char *content = save (numbers, path, &size, &error);
  g_assert_no_error (error);
  g_autofree char *line = hs_numbers_dup_command (numbers, path);
  g_autofree char *wanted = run_command (line, path, &wanted_size);
  if (size != wanted_size || memcmp (content, wanted, size) != 0)
    g_error ("%s: another file", line);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
assert_all_same (HsSession *session)
{
  static const AttnExportFormat formats[] = {ATTN_EXPORT_CSV, ATTN_EXPORT_JSON, ATTN_EXPORT_NPZ};
  static const HsNumbersExtent extents[] = {HS_NUMBERS_MAP, HS_NUMBERS_B, HS_NUMBERS_DIFFERENCE};
  for (size_t i = 0; i < G_N_ELEMENTS (extents); i++)
    for (size_t k = 0; k < G_N_ELEMENTS (formats); k++)
      assert_same (session, extents[i], formats[k]);
}

static void
test_files (void)
{
  UiTestDesk desk;
  open_compare (&desk);
  assert_all_same (desk.session);
  AttnArrangement arrangement = *hs_session_peek_arrangement (desk.session);
  arrangement.combine = ATTN_COMBINE_MEAN;
  arrangement.hide = ATTN_HIDE_CLS;
  hs_session_set_arrangement (desk.session, &arrangement);
  ui_test_drain (desk.engine);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  assert_all_same (desk.session);
  ui_test_desk_close (&desk);
}

static void
test_names (void)
{
  static const char *const wanted[] = {
      [HS_NUMBERS_MAP] = "Built-in-model-layer-3-head-4.csv",
      [HS_NUMBERS_LAYER] = "Built-in-model-layer-3-heads.csv",
      [HS_NUMBERS_ALL] = "Built-in-model-all-layers.csv",
      [HS_NUMBERS_B] = "Built-in-model-B-layer-3-head-7.csv",
      [HS_NUMBERS_DIFFERENCE] = "Built-in-model-compared.csv",
  };
  UiTestDesk desk;
  open_compare (&desk);
  for (unsigned extent = 0; extent < G_N_ELEMENTS (wanted); extent++) {
    g_autoptr (HsNumbers) numbers =
        hs_numbers_new (desk.session, ATTN_EXPORT_CSV, (HsNumbersExtent)extent);
    g_autofree char *name = hs_numbers_dup_file_name (numbers);
    g_assert_cmpstr (name, ==, wanted[extent]);
  }
  hs_session_set_kind (desk.session, ATTN_DRAW_HEATMAP);
  ui_test_drain (desk.engine);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  g_assert_null (hs_numbers_new (desk.session, ATTN_EXPORT_CSV, HS_NUMBERS_B));
  g_assert_null (hs_numbers_new (desk.session, ATTN_EXPORT_CSV, HS_NUMBERS_DIFFERENCE));
  ui_test_desk_close (&desk);
}

/* A, B and A − B, each below its name. */
static void
test_table (void)
{
  UiTestDesk desk;
  open_compare (&desk);
  g_autoptr (HsNumbers) numbers = hs_numbers_new (desk.session, ATTN_EXPORT_CSV, HS_NUMBERS_MAP);
  g_autofree char *table = hs_numbers_dup_table (numbers, NULL);
  g_auto (GStrv) parts = g_strsplit (table, "\n\n", -1);
  g_assert_cmpuint (g_strv_length (parts), ==, 3);
  g_assert_true (g_str_has_prefix (parts[0], "A\n\t[CLS]\tthe\tcat\tsat\t"));
  g_assert_true (g_str_has_prefix (parts[1], "B\n\t[CLS]\tthe\tdog\tsat\t"));
  g_assert_true (g_str_has_prefix (parts[2], "A − B\n\t[CLS]\tthe\tsat\t"));
  ui_test_desk_close (&desk);
}

/* Returns: (transfer none): the list that says what numbers are of: the last one that is shown. */
static GtkDropDown *
find_extent (GtkWidget *form)
{
  GtkWidget *found = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (form); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_DROP_DOWN (child) && gtk_widget_get_visible (child))
      found = child;
  g_assert_nonnull (found);
  return GTK_DROP_DOWN (found);
}

static const char *
peek_item (GtkDropDown *list, guint index)
{
  return gtk_string_list_get_string (GTK_STRING_LIST (gtk_drop_down_get_model (list)), index);
}

static HsNumbersExtent
choose (GtkWidget *form, guint index)
{
  AttnExportFormat format;
  HsNumbersExtent extent;
  gtk_drop_down_set_selected (find_extent (form), index);
  g_assert_true (hs_export_form_get_numbers (HS_EXPORT_FORM (form), &format, &extent));
  return extent;
}

/* The form offers B and A − B where there is one, and what is chosen is what is given. */
static void
test_form (void)
{
  static const HsNumbersExtent wanted[] = {HS_NUMBERS_MAP, HS_NUMBERS_B, HS_NUMBERS_DIFFERENCE,
                                           HS_NUMBERS_LAYER, HS_NUMBERS_ALL};
  GtkWidget *form = g_object_ref_sink (g_object_new (HS_TYPE_EXPORT_FORM, NULL));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (ui_test_find (form, GTK_TYPE_DROP_DOWN)), 2);
  g_assert_cmpstr (peek_item (find_extent (form), 0), ==, "The shown head");
  g_assert_cmpint (choose (form, 1), ==, HS_NUMBERS_LAYER);
  hs_export_form_set_compared (HS_EXPORT_FORM (form), true);
  g_assert_cmpstr (peek_item (find_extent (form), 0), ==, "The shown head of A");
  g_assert_cmpstr (peek_item (find_extent (form), 2), ==, "A − B of the shown heads");
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    g_assert_cmpint (choose (form, i), ==, wanted[i]);
  hs_export_form_set_compared (HS_EXPORT_FORM (form), false);
  g_assert_cmpint (choose (form, 2), ==, HS_NUMBERS_ALL);
  g_object_unref (form);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  hs_register_resource ();
  g_assert_cmpint (argc, ==, 2);
  program = argv[1];
  g_test_add_func ("/compared-numbers/files", test_files);
  g_test_add_func ("/compared-numbers/names", test_names);
  g_test_add_func ("/compared-numbers/table", test_table);
  g_test_add_func ("/compared-numbers/form", test_form);
  return g_test_run ();
}
