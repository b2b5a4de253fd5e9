/* SPDX-License-Identifier: MIT */
/* The lab's page of papers: each with who, where, what was measured, its limits and a link that
 * belongs to it. */
#include "hs-lab-papers.h"
#include "hs-lab-research.h"
#include "hs-resources.h"
#include "ui-test.h"

#include <string.h>

static void
check_paper (const HsLabPaper *paper, const char *labels, GtkWidget *page)
{
  const char *const parts[] = {paper->authors, paper->title, paper->venue, paper->measured,
                               paper->limits};
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (labels, parts[i]) == NULL)
      g_error ("\"%s\" is not on the page", parts[i]);
  GtkWidget *link = ui_test_find_button (page, paper->link_name);
  g_assert_true (GTK_IS_LINK_BUTTON (link));
  g_assert_cmpstr (gtk_link_button_get_uri (GTK_LINK_BUTTON (link)), ==, paper->link);
  const char *id = strpbrk (paper->link_name, "0123456789");
  g_assert_nonnull (id);
  g_assert_nonnull (strstr (paper->link, id)); /* the link leads to what it says */
  g_assert_true (g_str_has_prefix (paper->link, "https://"));
}

static void
check_selectable (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && strlen (gtk_label_get_text (GTK_LABEL (widget))) > 60)
    g_assert_true (gtk_label_get_selectable (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check_selectable (child);
}

static void
test_papers (void)
{
  g_autoptr (HsSession) session = hs_session_new ();
  GtkWidget *page = g_object_ref_sink (hs_lab_research_new (session));
  g_autofree char *labels = ui_test_dup_labels (page);
  size_t n_heads, n_debate;
  const HsLabPaper *heads = hs_lab_papers_peek_heads (&n_heads);
  const HsLabPaper *debate = hs_lab_papers_peek_debate (&n_debate);
  g_assert_cmpuint (n_heads, ==, 5);
  g_assert_cmpuint (n_debate, ==, 3);
  for (size_t i = 0; i < n_heads; i++)
    check_paper (&heads[i], labels, page);
  for (size_t i = 0; i < n_debate; i++)
    check_paper (&debate[i], labels, page);
  check_selectable (page);
  g_assert_finalize_object (page);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  hs_register_resource ();
  g_test_add_func ("/lab-research/papers", test_papers);
  return g_test_run ();
}
