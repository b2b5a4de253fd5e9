/* SPDX-License-Identifier: MIT */
/* Findings tried in the window: the core's numbers, a sentence that the command line prints, too,
 * the view that shows them, and buttons that cannot be pressed with the reason why. */
#include "hs-application.h"
#include "hs-lab-finding.h"
#include "hs-lab-research.h"
#include "hs-lab-source.h"
#include "hs-resources.h"
#include "hs-work.h"
#include "lab-fixture.h"
#include "lab-window.h"
#include "test-util.h"

#include <string.h>

/* The one that looks for @finding, in @page or below it. */
static HsLabFinding *
find_panel (GtkWidget *page, AttnFinding finding)
{
  GPtrArray *panels = g_ptr_array_new ();
  HsLabFinding *found = NULL;
  g_ptr_array_add (panels, page);
  for (guint i = 0; i < panels->len && found == NULL; i++) {
    GtkWidget *widget = g_ptr_array_index (panels, i);
    if (HS_IS_LAB_FINDING (widget) &&
        hs_lab_finding_get_finding (HS_LAB_FINDING (widget)) == finding)
      found = HS_LAB_FINDING (widget);
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
         child = gtk_widget_get_next_sibling (child))
      g_ptr_array_add (panels, child);
  }
  g_ptr_array_unref (panels);
  g_assert_nonnull (found);
  return found;
}

static bool
is_over (gpointer panel)
{
  return !hs_lab_finding_is_running (panel);
}

static HsLabFinding *
find_out (LabWindow *fixture, AttnFinding finding)
{
  gpointer page = lab_window_open_page (fixture, ATTN_DRAW_LAB_RESEARCH);
  HsLabFinding *panel = find_panel (page, finding);
  hs_lab_finding_start (panel);
  g_assert_true (hs_lab_finding_is_running (panel));
  ui_test_wait (is_over, panel);
  return panel;
}

/* The numbers are the core's; the copied line prints the very sentence. */
static void
test_found (void)
{
  LabWindow fixture;

  lab_window_open (&fixture);
  for (AttnFinding finding = 0; finding < ATTN_N_FINDINGS; finding++) {
    HsLabFinding *panel = find_out (&fixture, finding);
    AttnFindingResult again;
    g_assert_true (attn_finding_look (finding, hs_lab_peek_trace (fixture.desk.session),
                                      &(AttnFindingOptions){0}, &again, NULL));
    const AttnFindingResult *result = hs_lab_finding_peek_result (panel);
    g_assert_nonnull (result);
    g_autoptr (GString) json = g_string_new (NULL), json_again = g_string_new (NULL);
    attn_finding_append_json (json, result);
    attn_finding_append_json (json_again, &again);
    g_assert_cmpstr (json->str, ==, json_again->str);
    g_autofree char *command = hs_lab_finding_dup_command (panel);
    g_autofree char *printed = lab_fixture_run (command);
    const char *sentence = lab_window_peek_label (panel, "found");
    g_assert_true (g_str_has_prefix (printed, json->str));
    if (strlen (sentence) < 20 || strstr (printed, sentence) == NULL)
      g_error ("\"%s\" is not in %s", sentence, printed);
  }
  lab_window_close (&fixture);
}

/* From each to where it is seen, and the head that is told stays chosen. */
static void
test_views (void)
{
  LabWindow fixture;

  lab_window_open (&fixture);
  HsSession *session = fixture.desk.session;
  for (AttnFinding finding = 0; finding < ATTN_N_FINDINGS; finding++) {
    HsLabFinding *panel = find_out (&fixture, finding);
    const AttnFindingResult result = *hs_lab_finding_peek_result (panel);
    hs_lab_finding_open (panel);
    hs_work_drain ();
    ui_test_drain (fixture.desk.engine);
    if (finding == ATTN_FINDING_SPARE) {
      g_assert_true (hs_session_get_in_lab (session));
      g_assert_cmpint (hs_session_get_lab_page (session), ==, ATTN_DRAW_LAB_ABLATION);
    } else {
      g_assert_false (hs_session_get_in_lab (session));
      g_assert_cmpint (hs_session_get_kind (session), ==,
                       finding == ATTN_FINDING_KINDS ? ATTN_DRAW_LAYERS : ATTN_DRAW_HEATMAP);
      g_assert_cmpint (hs_session_get_lens (session), ==,
                       finding == ATTN_FINDING_WEIGHTS ? ATTN_LENS_GRADIENT : ATTN_LENS_RAW);
    }
    if (finding != ATTN_FINDING_KINDS) {
      g_assert_cmpuint (hs_session_get_layer (session), ==, result.head.layer);
      g_assert_cmpuint (hs_session_get_head (session), ==, result.head.head);
    }
  }
  lab_window_close (&fixture);
}

static bool
has_other_run (gpointer data)
{
  const LabWindow *fixture = data;
  return hs_session_get_state (fixture->desk.session) == HS_STATE_READY;
}

/* What was found for one text is not said of another, nor is what is still being looked for. */
static void
test_other_text (void)
{
  LabWindow fixture;

  lab_window_open (&fixture);
  HsLabFinding *panel = find_out (&fixture, ATTN_FINDING_RELATIONS);
  g_assert_nonnull (hs_lab_finding_peek_result (panel));
  hs_side_set_text (hs_session_peek_side (fixture.desk.session), "Rain falls.");
  ui_test_drain (fixture.desk.engine);
  ui_test_wait (has_other_run, &fixture);
  g_assert_null (hs_lab_finding_peek_result (panel));
  g_assert_cmpstr (lab_window_peek_label (panel, "found"), ==, "");
  hs_lab_finding_start (panel);
  hs_side_set_text (hs_session_peek_side (fixture.desk.session), "");
  ui_test_drain (fixture.desk.engine);
  hs_work_drain ();
  g_assert_null (hs_lab_finding_peek_result (panel));
  g_assert_nonnull (strstr (lab_window_peek_label (panel, "reason"), "Type a text"));
  hs_lab_finding_start (panel);
  g_assert_false (hs_lab_finding_is_running (panel));
  lab_window_close (&fixture);
}

/* A model without an LM head: what goes back from a loss cannot be looked for, and says why. */
static void
test_no_head (void)
{
  UiTestDesk desk;
  g_autofree char *folder = test_data_path ("golden/models/bert");

  ui_test_desk_open_model (&desk, folder, "the cat");
  GtkWidget *page = g_object_ref_sink (hs_lab_research_new (desk.session));
  for (AttnFinding finding = 0; finding < ATTN_N_FINDINGS; finding++) {
    HsLabFinding *panel = find_panel (page, finding);
    const bool goes_back = finding == ATTN_FINDING_ROLES || finding == ATTN_FINDING_WEIGHTS;
    GtkWidget *button = ui_test_find_button (GTK_WIDGET (panel), "Show on this model");
    g_assert_cmpint (gtk_widget_get_sensitive (button), ==, !goes_back);
    g_assert_cmpint (strstr (lab_window_peek_label (panel, "reason"), "language-model head") !=
                         NULL,
                     ==, goes_back);
  }
  g_assert_finalize_object (page);
  ui_test_desk_close (&desk);
}

/* A window that is closed while something is looked for ends that. */
static void
test_closed (void)
{
  LabWindow fixture;

  lab_window_open (&fixture);
  gpointer page = lab_window_open_page (&fixture, ATTN_DRAW_LAB_RESEARCH);
  hs_lab_finding_start (find_panel (page, ATTN_FINDING_SPARE));
  lab_window_close (&fixture);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv);
  hs_application_prepare ();
  g_assert_cmpint (argc, >=, 2);
  lab_fixture_begin_files (argv[1]);
  g_test_add_func ("/lab-finding/found", test_found);
  g_test_add_func ("/lab-finding/views", test_views);
  g_test_add_func ("/lab-finding/other-text", test_other_text);
  g_test_add_func ("/lab-finding/no-head", test_no_head);
  g_test_add_func ("/lab-finding/closed", test_closed);
  const int status = g_test_run ();
  lab_fixture_end_files ();
  return status;
}
