/* SPDX-License-Identifier: MIT */
/* The real window in every language, at two sizes of text, light and dark: nothing is cut off. Each
 * screen is kept as looks/….png beside this program; with HEADSCOPE_LOOKS=all there is one of every
 * combination. */
#include "fake-hub.h"
#include "fit-checks.h"
#include "formula-maps.h"
#include "hs-application.h"
#include "hs-bar-list.h"
#include "hs-lab-count.h"
#include "hs-lab-pages.h"
#include "hs-lab-time.h"
#include "hs-lab-train.h"
#include "hs-lab.h"
#include "hs-language.h"
#include "hs-load-strip.h"
#include "hs-models-actions.h"
#include "hs-models-here.h"
#include "hs-preferences.h"
#include "hs-settings.h"
#include "hs-status-line.h"
#include "hs-warning-strip.h"
#include "hs-window.h"
#include "hs-work.h"
#include "model-cache.h"
#include "test-util.h"
#include "ui-test.h"

#include "attn-draw/paint.h"
#include "attn/export.h"

#include <glib/gstdio.h>
#include <gsk/gsk.h>
#include <locale.h>

#include <errno.h>

#define TEXT "The old man saw the boy, and the boy saw the old man."
#define TEXT_B "The old woman saw the boy, and the boy saw the [MASK]."
#define PLAIN_DPI (96 * 1024) /* as gtk-xft-dpi counts */
#define PLAIN_FONT_PT 10.0
#define SEEN_PX 30.0 /* of a map in the smallest window: some rows and what is over them */
#define SEEN_UNDER_WARNING_PX 15.0 /* with a line of warning, too: a row of cells */

typedef struct {
  const char *language;
  guint percent; /* size of text */
  bool is_dark;
  bool is_usual; /* looked at whenever the suite runs */
  bool is_rtl;   /* read from right to left */
} Look;

static const Look looks[] = {
    {"en", 100, false, true}, {"zh_TW", 100, false, true}, {"zh_CN", 100, false, true},
    {"en", 200, false, true}, {"zh_TW", 200, false, true}, {"zh_CN", 200, false, true},
    {"en", 100, true, false}, {"zh_TW", 100, true, true},  {"zh_CN", 100, true, false},
    {"en", 200, true, true},  {"zh_TW", 200, true, false}, {"zh_CN", 200, true, false},
};

static const Look mirrored = {"en", 100, false, true, true};

static const AttnDrawKind kinds[] = {
    ATTN_DRAW_HEATMAP, ATTN_DRAW_HEADS, ATTN_DRAW_LAYERS,
    ATTN_DRAW_LINES,   ATTN_DRAW_TEXT,  ATTN_DRAW_COMPARE,
};

/* A window, and what was found wrong on it. */
typedef struct {
  const Look *look;
  UiTestDesk desk;
  GtkWidget *window;
  GPtrArray *complaints;
} Screen;

/* ---- surroundings ---- */

static void
load_style (void)
{
  g_autoptr (GtkCssProvider) css = gtk_css_provider_new ();

  gtk_css_provider_load_from_resource (css, "/io/github/headscope/Headscope/headscope.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (css),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

static void
take_look (const Look *look)
{
  hs_language_set (look->language);
  gtk_widget_set_default_direction (look->is_rtl ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR);
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", (int)(PLAIN_DPI * look->percent / 100),
                "gtk-application-prefer-dark-theme", look->is_dark, NULL);
}

static bool
is_shown (gpointer widget)
{
  return gtk_widget_get_mapped (widget) && gtk_widget_get_width (widget) > 0;
}

static bool
is_complete (gpointer data)
{
  Screen *screen = data;
  HsPicture *picture = hs_window_peek_picture (HS_WINDOW (screen->window));
  HsState state = hs_session_get_state (screen->desk.session);

  return state == HS_STATE_EMPTY ||
         (state == HS_STATE_READY && hs_session_is_current (screen->desk.session) &&
          hs_picture_is_complete (picture));
}

static void
settle (Screen *screen)
{
  ui_test_drain (screen->desk.engine);
  ui_test_wait (is_complete, screen);
  gtk_test_widget_wait_for_draw (screen->window);
  gtk_test_widget_wait_for_draw (screen->window);
}

static void
open_screen (Screen *screen, const Look *look, int width, int height)
{
  take_look (look);
  screen->look = look;
  screen->complaints = g_ptr_array_new_with_free_func (g_free);
  ui_test_desk_open (&screen->desk, TEXT);
  hs_session_set_font (screen->desk.session, "Sans", PLAIN_FONT_PT * look->percent / 100);
  hs_session_set_layer (screen->desk.session, 2);
  screen->window = hs_window_new (NULL, screen->desk.session, screen->desk.updater);
  g_object_ref (screen->window);
  if (width > 0)
    gtk_window_set_default_size (GTK_WINDOW (screen->window), width, height);
  gtk_window_present (GTK_WINDOW (screen->window));
  ui_test_wait (is_shown, screen->window);
}

/* Fails with everything that was found, not with the first of it. */
static void
close_screen (Screen *screen)
{
  gtk_window_destroy (GTK_WINDOW (screen->window));
  hs_work_drain (); /* what is still computed for a page holds it until then */
  ui_test_drain (screen->desk.engine);
  g_assert_finalize_object (screen->window);
  ui_test_desk_close (&screen->desk);
  for (guint i = 0; i < screen->complaints->len; i++)
    g_test_message ("%s", (const char *)g_ptr_array_index (screen->complaints, i));
  if (screen->complaints->len > 0)
    g_test_fail_printf ("%u texts or widgets do not fit", screen->complaints->len);
  g_ptr_array_unref (screen->complaints);
}

/* ---- what is seen ---- */

static char *
dup_file_name (const Look *look, const char *name)
{
  g_autofree char *base =
      g_strdup_printf ("%s-%u-%s-%s.png", look->language, look->percent,
                       look->is_rtl ? "mirrored" : (look->is_dark ? "dark" : "light"), name);
  g_autofree char *folder = g_test_build_filename (G_TEST_BUILT, "looks", NULL);

  g_assert_true (g_mkdir_with_parents (folder, 0777) == 0);
  return g_build_filename (folder, base, NULL);
}

static void
keep_picture (GtkWidget *native, const char *file)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (native);
  GtkSnapshot *snapshot = gtk_snapshot_new ();

  /* with its shadow, else it would be drawn smaller and blurred */
  gdk_paintable_snapshot (paintable, GDK_SNAPSHOT (snapshot),
                          gdk_paintable_get_intrinsic_width (paintable),
                          gdk_paintable_get_intrinsic_height (paintable));
  g_autoptr (GskRenderNode) node = gtk_snapshot_free_to_node (snapshot);
  g_assert_nonnull (node);
  GskRenderer *renderer = gtk_native_get_renderer (GTK_NATIVE (native));
  g_autoptr (GdkTexture) texture = gsk_renderer_render_texture (renderer, node, NULL);
  g_assert_true (gdk_texture_save_to_png (texture, file));
}

/* Every complaint tells on which screen it was. */
static void
check (Screen *screen, GtkWidget *native, const char *name)
{
  g_autofree char *file = dup_file_name (screen->look, name);
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);

  keep_picture (native, file);
  fit_check_widgets (native, found);
  for (guint i = 0; i < found->len; i++)
    g_ptr_array_add (screen->complaints,
                     g_strdup_printf ("%s: %s", name, (char *)g_ptr_array_index (found, i)));
}

static void
check_view (Screen *screen, AttnDrawKind kind, const char *suffix)
{
  const char *kind_name = attn_draw_kind_peek_name (kind);
  g_autofree char *name = g_strconcat (kind_name, suffix, NULL);
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);

  hs_session_set_kind (screen->desk.session, kind);
  settle (screen);
  check (screen, screen->window, name);
  fit_check_picture (hs_picture_peek_layout (hs_window_peek_picture (HS_WINDOW (screen->window))),
                     found);
  for (guint i = 0; i < found->len; i++)
    g_ptr_array_add (screen->complaints,
                     g_strdup_printf ("%s: %s", name, (char *)g_ptr_array_index (found, i)));
}

static void
collect (GtkWidget *widget, GType type, GPtrArray *widgets)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (g_type_is_a (G_OBJECT_TYPE (widget), type))
    g_ptr_array_add (widgets, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect (child, type, widgets);
}

/* Its own content always fits into a popover; the popover has to fit on the screen, and to get what
 * it needs there. */
static void
check_on_screen (Screen *screen, GtkWidget *popover, const char *name)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (screen->window));
  GdkMonitor *monitor =
      gdk_display_get_monitor_at_surface (gtk_widget_get_display (popover), surface);
  const int width = gtk_widget_get_width (popover), height = gtk_widget_get_height (popover);
  GdkRectangle place;
  int least_width, least_height;

  g_assert_nonnull (monitor);
  gdk_monitor_get_geometry (monitor, &place);
  gtk_widget_measure (popover, GTK_ORIENTATION_HORIZONTAL, -1, &least_width, NULL, NULL, NULL);
  gtk_widget_measure (popover, GTK_ORIENTATION_VERTICAL, -1, &least_height, NULL, NULL, NULL);
  if (width > place.width || height > place.height || width < least_width || height < least_height)
    g_ptr_array_add (screen->complaints,
                     g_strdup_printf ("%s: %d × %d px, needs %d × %d, on a screen of %d × %d", name,
                                      width, height, least_width, least_height, place.width,
                                      place.height));
}

/* Everything that opens from a button of the window. */
static void
check_popovers (Screen *screen)
{
  g_autoptr (GPtrArray) buttons = g_ptr_array_new ();

  collect (screen->window, GTK_TYPE_MENU_BUTTON, buttons);
  g_assert_cmpuint (buttons->len, >=, 4);
  for (guint i = 0; i < buttons->len; i++) {
    GtkMenuButton *button = g_ptr_array_index (buttons, i);
    const char *id = gtk_buildable_get_buildable_id (GTK_BUILDABLE (button));
    g_autofree char *name = g_strdup_printf ("menu-%s", id != NULL ? id : "of-the-theme");

    gtk_menu_button_popup (button);
    GtkPopover *popover = gtk_menu_button_get_popover (button);
    if (popover == NULL)
      continue; /* there is nothing to open yet */
    ui_test_wait (is_shown, popover);
    settle (screen);
    check (screen, GTK_WIDGET (popover), name);
    check_on_screen (screen, GTK_WIDGET (popover), name);
    gtk_menu_button_popdown (button);
    settle (screen);
  }
}

static GtkWidget *
find_other_window (GtkWidget *window)
{
  GListModel *all = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWidget) other = g_list_model_get_item (all, i);
    if (other != window)
      return other;
  }
  return NULL;
}

static void
check_dialog (Screen *screen, GtkWidget *dialog, const char *name)
{
  g_assert_nonnull (dialog);
  ui_test_wait (is_shown, dialog);
  for (int i = 0; i < 40; i++) { /* a preview is made on another thread */
    ui_test_drain (screen->desk.engine);
    gtk_test_widget_wait_for_draw (dialog);
    g_usleep (5000);
  }
  check (screen, dialog, name);
  gtk_window_destroy (GTK_WINDOW (dialog));
  settle (screen);
}

static void
check_dialogs (Screen *screen)
{
  static const char *const actions[][2] = {{"win.shortcuts", "shortcuts"},
                                           {"win.export", "export"}};
  g_autoptr (GSettings) settings = hs_settings_open ();

  for (size_t i = 0; i < G_N_ELEMENTS (actions); i++) {
    g_assert_true (gtk_widget_activate_action (screen->window, actions[i][0], NULL));
    check_dialog (screen, find_other_window (screen->window), actions[i][1]);
  }
  if (settings == NULL)
    return;
  GtkWidget *preferences = hs_preferences_new (GTK_WINDOW (screen->window), settings);
  gtk_window_present (GTK_WINDOW (preferences));
  check_dialog (screen, preferences, "preferences");
}

/* ---- tests ---- */

static void
test_views (gconstpointer look)
{
  Screen screen;

  open_screen (&screen, look, 0, 0);
  hs_side_set_text (hs_session_peek_side_b (screen.desk.session), TEXT_B);
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++)
    check_view (&screen, kinds[i], "");
  hs_session_set_pinned (screen.desk.session, 7, 3);
  check_view (&screen, ATTN_DRAW_HEATMAP, "-pinned");
  close_screen (&screen);
}

static void
test_menus (gconstpointer look)
{
  Screen screen;

  open_screen (&screen, look, 0, 0);
  settle (&screen);
  check_popovers (&screen);
  check_dialogs (&screen);
  close_screen (&screen);
}

/* With letters of the usual size all buttons stand in one line, in every language. */
static void
assert_one_line (gpointer page)
{
  GtkWidget *row = gtk_widget_get_parent (
      GTK_WIDGET (gtk_widget_get_template_child (page, HS_TYPE_MODELS_HERE, "verify")));
  graphene_rect_t first, last;

  g_assert_true (gtk_widget_compute_bounds (gtk_widget_get_first_child (row), row, &first));
  g_assert_true (gtk_widget_compute_bounds (gtk_widget_get_last_child (row), row, &last));
  g_assert_cmpfloat (last.origin.y, ==, first.origin.y);
}

/* Models that can be used and ones that cannot, a verdict, and a download of every kind. */
static void
check_models (Screen *screen, HsDownloads *downloads)
{
  GtkWidget *dialog;
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  hs_models_actions_add (HS_WINDOW (screen->window), downloads);
  gtk_widget_activate_action (screen->window, "win.models", NULL);
  dialog = hs_models_actions_peek_dialog (HS_WINDOW (screen->window));
  ui_test_wait (is_shown, dialog);
  hs_work_drain ();
  collect (dialog, GTK_TYPE_LIST_BOX, found);
  gtk_list_box_select_row (found->pdata[0], gtk_list_box_get_row_at_index (found->pdata[0], 2));
  g_ptr_array_set_size (found, 0);
  collect (dialog, HS_TYPE_MODELS_HERE, found);
  gtk_widget_activate_action (found->pdata[0], "models.verify", NULL);
  hs_work_drain ();
  gtk_test_widget_wait_for_draw (dialog);
  check (screen, dialog, "models");
  if (screen->look->percent == 100)
    assert_one_line (found->pdata[0]);
  gtk_widget_activate_action (screen->window, "win.get-model", NULL);
  hs_downloads_look_up (downloads, "tiny/bert", NULL);
  hs_downloads_look_up (downloads, "nobody/nothing", NULL);
  hs_work_drain ();
  gtk_test_widget_wait_for_draw (dialog);
  check (screen, dialog, "models-get");
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static void
test_models (gconstpointer look)
{
  Screen screen;
  FakeHub *hub = fake_hub_new (false);
  char *home = model_cache_new ();
  g_autofree char *bert = test_data_path ("golden/models/bert");
  HsModels *models =
      hs_models_new (model_cache_places (home, fake_hub_peek_url (hub), FALSE), NULL);
  HsDownloads *downloads = hs_downloads_new (models, NULL);

  fake_hub_add_folder (hub, "tiny/bert", "main", bert);
  g_free (model_cache_add (home, "models--tiny--bert", "golden/models/bert"));
  model_cache_add_config (home, "models--big--llama", "{\"model_type\":\"llama\"}");
  open_screen (&screen, look, 0, 0);
  settle (&screen);
  check_models (&screen, downloads);
  close_screen (&screen);
  g_assert_finalize_object (downloads);
  g_assert_finalize_object (models);
  fake_hub_free (hub);
  model_cache_free (home);
}

#define SMALL_WIDTH 480
#define SMALL_HEIGHT 360

static float
get_top (GtkWidget *widget, GtkWidget *window)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, window, &bounds));
  return bounds.origin.y;
}

/* Without scrolling, a map's first rows are above the line at the bottom, heading and all. */
static void
check_seen (Screen *screen, const char *name, double least)
{
  HsPicture *picture = hs_window_peek_picture (HS_WINDOW (screen->window));
  const AttnDrawLayout *layout = hs_picture_peek_layout (picture);
  g_autoptr (GPtrArray) lines = g_ptr_array_new ();

  collect (screen->window, HS_TYPE_STATUS_LINE, lines);
  g_assert_cmpuint (lines->len, ==, 1);
  const double bottom = (double)get_top (lines->pdata[0], screen->window);
  const double top = (double)get_top (GTK_WIDGET (picture), screen->window) -
                     (double)hs_picture_get_origin (picture).y;
  const double seen = bottom - top - attn_draw_layout_get_panel_rect (layout, 0).y;

  g_test_message ("%s: %.0f px of the first map are seen", name, seen);
  if (seen < least)
    g_ptr_array_add (screen->complaints,
                     g_strdup_printf ("%s: %.0f px of the first map are seen", name, seen));
}

/* The card in place of the text, and the dialog of tokens with a sentence about what was left out;
 * with the largest text it can still be made as small as a small window. */
static void
check_attention (Screen *screen, const char *path, const char *suffix)
{
  const HsAttentionWish wish = {.place = {.path = (char *)(guintptr)path}, .looks = true};
  g_autofree char *name = g_strconcat ("attention-tokens", suffix, NULL);
  g_autofree char *card = g_strconcat ("-of-file", suffix, NULL);
  GtkWidget *dialog;
  int width, height;

  hs_updater_open_attention (screen->desk.updater, &wish);
  hs_work_drain ();
  settle (screen);
  dialog = find_other_window (screen->window);
  g_assert_nonnull (dialog);
  gtk_widget_measure (dialog, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (dialog, GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
  check_dialog (screen, dialog, name);
  g_assert_cmpint (width, <=, SMALL_WIDTH);
  g_assert_cmpint (height, <=, SMALL_HEIGHT);
  check_view (screen, ATTN_DRAW_HEATMAP, card);
  g_assert_nonnull (hs_side_peek_attention (hs_session_peek_side (screen->desk.session)));
}

/* One row does not sum to 1 any more: there is something to warn of. */
static void
make_odd (const char *path)
{
  const float weight = 5;
  g_autofree char *bytes = NULL;
  gsize n;

  g_assert_true (g_file_get_contents (path, &bytes, &n, NULL));
  memcpy (bytes + n - sizeof weight, &weight, sizeof weight);
  g_assert_true (g_file_set_contents (path, bytes, (gssize)n, NULL));
}

static void
test_attention (gconstpointer data)
{
  const Look *look = data;
  const AttnExportChoice choice = {.all_layers = true, .all_heads = true};
  g_autoptr (AttnMaps) maps = formula_maps_new (12, 9);
  g_autofree char *folder = g_dir_make_tmp ("headscope-looks-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "maps.npy", NULL);
  g_autofree char *tokens = g_build_filename (folder, "maps.json", NULL);
  Screen screen;

  g_assert_true (attn_export_to_file (maps, &choice, ATTN_EXPORT_NPY, path, NULL));
  g_assert_true (g_file_set_contents (tokens, "[\"a\"]", -1, NULL));
  open_screen (&screen, look, 0, 0);
  check_attention (&screen, path, "");
  close_screen (&screen);
  if (look->percent == 100) {
    open_screen (&screen, look, SMALL_WIDTH, SMALL_HEIGHT);
    make_odd (path);
    check_attention (&screen, path, "-480x360");
    g_assert_true (gtk_widget_get_mapped (ui_test_find (screen.window, HS_TYPE_WARNING_STRIP)));
    check_seen (&screen, "file with a warning", SEEN_UNDER_WARNING_PX);
    g_assert_cmpint (gtk_widget_get_width (screen.window), <=, SMALL_WIDTH);
    g_assert_cmpint (gtk_widget_get_height (screen.window), <=, SMALL_HEIGHT);
    close_screen (&screen);
  }
  g_unlink (path);
  g_unlink (tokens);
  g_rmdir (folder);
}

/* The strip over the picture while another model is read. */
static void
check_load_strip (Screen *screen)
{
  HsSide *side = hs_session_peek_side (screen->desk.session);
  g_autoptr (GPtrArray) strips = g_ptr_array_new ();

  hs_side_set_coming (side, "google-bert/bert-base-chinese", 0.4);
  while (strips->len == 0) { /* it comes when that takes long */
    gtk_test_widget_wait_for_draw (screen->window);
    collect (screen->window, HS_TYPE_LOAD_STRIP, strips);
    g_usleep (5000);
  }
  check (screen, screen->window, "loading");
  hs_side_set_coming (side, NULL, 0);
}

static void
test_faces (gconstpointer look)
{
  Screen screen;

  open_screen (&screen, look, 0, 0);
  hs_side_set_text (hs_session_peek_side (screen.desk.session), "");
  settle (&screen);
  check (&screen, screen.window, "empty");
  hs_side_set_text (hs_session_peek_side (screen.desk.session), "Beijing is the [MASK] of China.");
  hs_side_set_pair (hs_session_peek_side (screen.desk.session), "");
  gtk_widget_activate_action (screen.window, "win.find", NULL);
  hs_session_set_find (screen.desk.session, "the");
  settle (&screen);
  check (&screen, screen.window, "mask-find");
  check_load_strip (&screen);
  hs_session_set_state (
      screen.desk.session, HS_STATE_FAILED, "The model cannot be used.",
      "/some/where/model.safetensors: tensor x: bytes 0 to 8 do not fit its shape");
  gtk_test_widget_wait_for_draw (screen.window);
  check (&screen, screen.window, "failed");
  hs_session_set_state (screen.desk.session, HS_STATE_READY, NULL, NULL);
  close_screen (&screen);
}

static float
find_middle (Screen *screen, GType type)
{
  g_autoptr (GPtrArray) widgets = g_ptr_array_new ();
  graphene_rect_t bounds;

  collect (screen->window, type, widgets);
  g_assert_cmpuint (widgets->len, >, 0);
  g_assert_true (gtk_widget_compute_bounds (widgets->pdata[0], screen->window, &bounds));
  return bounds.origin.x + bounds.size.width / 2;
}

/* What is left of the picture for the ones is right of it for the others; pictures stay. */
static void
test_mirrored (gconstpointer look)
{
  static const int sizes[][2] = {{0, 0}, {480, 360}};

  for (size_t size = 0; size < G_N_ELEMENTS (sizes); size++) {
    Screen screen;
    g_autofree char *suffix = g_strdup_printf ("-%d", sizes[size][0]);

    open_screen (&screen, look, sizes[size][0], sizes[size][1]);
    for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++)
      check_view (&screen, kinds[i], suffix);
    if (size == 0)
      g_assert_cmpfloat (find_middle (&screen, HS_TYPE_PICTURE), >,
                         find_middle (&screen, HS_TYPE_BAR_LIST));
    g_assert_cmpfloat (find_middle (&screen, GTK_TYPE_SPIN_BUTTON), >,
                       (float)gtk_widget_get_width (screen.window) / 2);
    close_screen (&screen);
  }
}

/* What the picture is on a screen with @scale pixels for each of the window's. */
static cairo_surface_t *
paint (HsPicture *picture, int scale)
{
  GtkWidget *widget = GTK_WIDGET (picture);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  GtkSnapshot *snapshot = gtk_snapshot_new ();

  gdk_paintable_snapshot (paintable, GDK_SNAPSHOT (snapshot), width, height);
  g_autoptr (GskRenderNode) node = gtk_snapshot_free_to_node (snapshot);
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, scale * width, scale * height);
  cairo_t *cr = cairo_create (surface);
  cairo_scale (cr, scale, scale);
  gsk_render_node_draw (node, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/* Pixels of the first map that are not what the map is at @scale; lines of the pinned and the
 * chosen are around them. */
static size_t
count_unlike (HsPicture *picture, cairo_surface_t *surface, int scale)
{
  const AttnDrawLayout *layout = hs_picture_peek_layout (picture);
  AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, 0);
  graphene_point_t origin = hs_picture_get_origin (picture);
  size_t width = (size_t)(rect.width * scale), height = (size_t)(rect.height * scale);
  size_t left = (size_t)((rect.x - (double)origin.x) * scale);
  size_t top = (size_t)((rect.y - (double)origin.y) * scale);
  g_autofree uint32_t *wanted = g_new (uint32_t, width * height);
  const unsigned char *data = cairo_image_surface_get_data (surface);
  size_t stride = (size_t)cairo_image_surface_get_stride (surface), n_unlike = 0;

  attn_draw_raster (layout, 0, scale, wanted, width);
  for (size_t y = 0; y < height; y++)
    for (size_t x = 0; x < width; x++) {
      uint32_t pixel;
      memcpy (&pixel, data + (top + y) * stride + (left + x) * sizeof pixel, sizeof pixel);
      n_unlike += ((pixel ^ wanted[y * width + x]) & 0xffffff) != 0;
    }
  return n_unlike;
}

/* Cells and numbers are painted in the screen's own pixels: none is blurred or doubled. With
 * GDK_SCALE=2 in the surroundings this is about a fine screen. */
static void
test_sharp (gconstpointer look)
{
  static const AttnDrawKind of_cells[] = {ATTN_DRAW_HEATMAP, ATTN_DRAW_HEADS, ATTN_DRAW_LAYERS,
                                          ATTN_DRAW_COMPARE};
  Screen screen;

  open_screen (&screen, look, 0, 0);
  for (size_t i = 0; i < G_N_ELEMENTS (of_cells); i++) {
    hs_session_set_kind (screen.desk.session, of_cells[i]);
    settle (&screen);
    HsPicture *picture = hs_window_peek_picture (HS_WINDOW (screen.window));
    int scale = gtk_widget_get_scale_factor (GTK_WIDGET (picture));
    cairo_surface_t *surface = paint (picture, scale);
    g_test_message ("%s at scale %d", attn_draw_kind_peek_name (of_cells[i]), scale);
    g_assert_cmpuint (count_unlike (picture, surface, scale), ==, 0);
    cairo_surface_destroy (surface);
  }
  close_screen (&screen);
}

/* Small windows scroll down, but nothing leaves them at the side and the picture keeps its place.
 * With text twice as large the narrowest has no room for the words on its buttons, and the lowest
 * none for a map without scrolling down. */
/* ---- the lab ---- */

static bool
is_measured (gpointer page)
{
  return HS_IS_LAB_TRAIN (page)
             ? !hs_lab_train_is_running (page)
             : !hs_lab_time_is_running (HS_LAB_TIME (ui_test_find (page, HS_TYPE_LAB_TIME)));
}

/* What is shown once something was measured, of the least that can be. */
static void
measure (gpointer page)
{
  const char *const ids[] = {HS_IS_LAB_TRAIN (page) ? "seeds" : "tokens",
                             HS_IS_LAB_TRAIN (page) ? "steps" : "d_model"};

  for (size_t i = 0; i < G_N_ELEMENTS (ids); i++) {
    GtkAdjustment *adjustment =
        GTK_ADJUSTMENT (gtk_widget_get_template_child (page, G_OBJECT_TYPE (page), ids[i]));
    gtk_adjustment_set_value (adjustment, gtk_adjustment_get_lower (adjustment) + (double)(i == 0));
  }
  if (HS_IS_LAB_TRAIN (page))
    hs_lab_train_start (page);
  else
    hs_lab_time_start (HS_LAB_TIME (ui_test_find (page, HS_TYPE_LAB_TIME)));
  ui_test_wait (is_measured, page);
}

static void
check_lab (Screen *screen, const char *suffix)
{
  HsSession *session = screen->desk.session;
  size_t n;
  const HsLabPageInfo *pages = hs_lab_pages_peek (&n);

  hs_session_set_in_lab (session, TRUE);
  for (size_t i = 0; i < n; i++) {
    g_autofree char *name = g_strconcat ("lab-", pages[i].name, suffix, NULL);

    hs_session_set_lab_page (session, pages[i].page);
    settle (screen);
    gpointer page = hs_lab_peek_page (HS_LAB (ui_test_find (screen->window, HS_TYPE_LAB)));
    if (HS_IS_LAB_TRAIN (page) || HS_IS_LAB_COUNT (page))
      measure (page);
    settle (screen);
    check (screen, screen->window, name);
  }
}

static void
test_lab (gconstpointer data)
{
  const Look *look = data;
  Screen screen;

  open_screen (&screen, look, 0, 0);
  check_lab (&screen, "");
  close_screen (&screen);
  open_screen (&screen, look, SMALL_WIDTH, SMALL_HEIGHT);
  check_lab (&screen, "-480x360");
  g_assert_cmpint (gtk_widget_get_width (screen.window), <=, SMALL_WIDTH);
  g_assert_cmpint (gtk_widget_get_height (screen.window), <=, SMALL_HEIGHT);
  close_screen (&screen);
}

static void
test_small (gconstpointer data)
{
  static const int sizes[][2] = {{480, 360}, {360, 640}};
  const Look *look = data;
  const bool is_large = look->percent > 100;

  for (size_t size = 0; size < (is_large ? 1 : G_N_ELEMENTS (sizes)); size++) {
    Screen screen;
    g_autofree char *suffix = g_strdup_printf ("-%dx%d", sizes[size][0], sizes[size][1]);

    open_screen (&screen, look, sizes[size][0], sizes[size][1]);
    for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
      check_view (&screen, kinds[i], suffix);
      if (kinds[i] != ATTN_DRAW_TEXT && !is_large)
        check_seen (&screen, attn_draw_kind_peek_name (kinds[i]), SEEN_PX);
    }
    g_assert_cmpint (gtk_widget_get_width (screen.window), <=, sizes[size][0]);
    g_assert_cmpint (gtk_widget_get_height (screen.window), <=, sizes[size][1]);
    close_screen (&screen);
  }
}

static void
add (const Look *look, const char *name, GTestDataFunc test)
{
  g_autofree char *path = g_strdup_printf ("/looks/%s/%u/%s/%s", look->language, look->percent,
                                           look->is_dark ? "dark" : "light", name);
  g_test_add_data_func (path, look, test);
}

int
main (int argc, char **argv)
{
  bool all = g_strcmp0 (g_getenv ("HEADSCOPE_LOOKS"), "all") == 0;

  g_unsetenv ("GTK_THEME"); /* else dark cannot be asked for */
  gtk_test_init (&argc, &argv);
  setlocale (LC_ALL, "C.UTF-8"); /* which is everywhere */
  hs_language_prepare ();
  hs_application_prepare ();
  load_style ();
  for (size_t i = 0; i < G_N_ELEMENTS (looks); i++) {
    if (!looks[i].is_usual && !all)
      continue;
    add (&looks[i], "views", test_views);
    if (looks[i].is_dark && !all)
      continue; /* the same sizes as light */
    add (&looks[i], "menus", test_menus);
    add (&looks[i], "faces", test_faces);
    add (&looks[i], "models", test_models);
    add (&looks[i], "attention", test_attention);
    add (&looks[i], "small", test_small);
    add (&looks[i], "lab", test_lab);
    if (i == 0)
      add (&looks[i], "sharp", test_sharp);
  }
  add (&mirrored, "mirrored", test_mirrored);
  return g_test_run ();
}
