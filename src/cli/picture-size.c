/* SPDX-License-Identifier: MIT */
/* Reading how large a picture is to be, with a sentence for what does not go together. */
#include "picture-size.h"

#include <math.h>

#define MIN_SIDE_PX 64
#define MAX_SIDE_PX 100000
#define MM_PER_INCH 25.4
#define PX_PER_INCH 96.0
#define PX_PER_PT (96.0 / 72)
#define LEAST_WIDTH_EM 5.5 /* of a picture that has room for its title between the margins */
#define MIN_SCALE 0.01
#define MAX_SCALE 1000.0
#define PNG_SCALE 2.0 /* unless --scale: crisp on today's screens and in print */

/* Returns: an option that sets the picture's size, or NULL. */
static const char *
find_size_option (const CliOptions *options)
{
  if (options->width_px > 0)
    return "--width-px";
  if (options->width_in > 0)
    return "--width-in";
  if (options->width_mm > 0)
    return "--width-mm";
  if (options->map_px > 0)
    return "--map-px";
  return options->height_px > 0 ? "--height-px" : NULL;
}

/* The printed width in @width_mm; 0 for none. */
static bool
read_print_width (const CliOptions *options, bool png, double *width_mm, GError **error)
{
  bool inches = options->width_in > 0;
  const char *name = inches ? "--width-in" : "--width-mm";
  *width_mm = inches ? options->width_in * MM_PER_INCH : options->width_mm;
  if (!(*width_mm > 0))
    return true;
  if (inches && options->width_mm > 0)
    return cli_usage (error, "--width-mm and --width-in exclude each other");
  if (options->width_px > 0)
    return cli_usage (error, "--width-px and %s exclude each other", name);
  if (options->height_px > 0)
    return cli_usage (error,
                      "--height-px and %s exclude each other: a picture that has to fit in a "
                      "height is as wide as it needs to be",
                      name);
  if (options->scale > 0 && !png)
    return cli_usage (
        error, "%s and --scale both set the printed size of an SVG or PDF; give one of them", name);
  return true;
}

static bool
check_side (double side, const char *adjective, GError **error)
{
  if (side >= MIN_SIDE_PX && side <= MAX_SIDE_PX)
    return true;
  return cli_usage (error, "the picture would be %.0f px %s; wanted are %d to %d", side, adjective,
                    MIN_SIDE_PX, MAX_SIDE_PX);
}

static bool
read_scale (const CliOptions *options, bool keep, AttnDrawPicture *picture, GError **error)
{
  bool png = picture->format == ATTN_DRAW_PNG;
  if (!keep)
    picture->scale = png ? PNG_SCALE : 1.0;
  if (options->dpi > 0 && options->scale > 0)
    return cli_usage (error, "--dpi and --scale exclude each other");
  if (options->dpi > 0 && !png)
    return cli_usage (error, "--dpi is for PNG: SVG and PDF have no pixels");
  if (options->scale > 0)
    picture->scale = options->scale;
  if (options->dpi > 0)
    picture->scale = options->dpi / PX_PER_INCH;
  if (picture->scale >= MIN_SCALE && picture->scale <= MAX_SCALE)
    return true;
  if (options->dpi > 0)
    return cli_usage (error, "--dpi: wanted is %g to %g", ceil (MIN_SCALE * PX_PER_INCH),
                      MAX_SCALE * PX_PER_INCH);
  return cli_usage (error, "--scale: wanted is %g to %g", MIN_SCALE, MAX_SCALE);
}

/* A sheet of paper settles the width; a width that is asked for, that there is no sheet. */
static bool
read_page (const CliOptions *options, AttnDrawPicture *picture, GError **error)
{
  const char *size = find_size_option (options);
  AttnDrawPage *page = &picture->page;
  if (options->page != NULL && !attn_draw_page_size_find (options->page, &page->size))
    return cli_usage_value (error, "--page", options->page, "known are picture, a4, a5 and letter");
  if (options->page == NULL && size != NULL)
    page->size = ATTN_DRAW_PAGE_PICTURE;
  page->landscape |= options->landscape;
  if (page->size == ATTN_DRAW_PAGE_PICTURE) {
    if (options->landscape)
      return cli_usage (error, "--landscape needs --page a4, a5 or letter");
    return true;
  }
  if (options->page != NULL && picture->format != ATTN_DRAW_PDF)
    return cli_usage (error, "--page is for PDF");
  if (size != NULL)
    return cli_usage (error, "--page and %s exclude each other: the paper settles the size", size);
  return true;
}

/* A picture too narrow for its letters would leave title, labels and notes out without a word. */
static bool
check_letters (const AttnDrawPicture *picture, const AttnDrawView *view, GError **error)
{
  double least = ceil (LEAST_WIDTH_EM * view->font_size_pt * PX_PER_PT);
  double width = view->width_px;
  if (picture->format == ATTN_DRAW_PDF && picture->page.size != ATTN_DRAW_PAGE_PICTURE)
    width = attn_draw_page_get_width_px (&picture->page, picture->scale);
  if (width >= least)
    return true;
  return cli_usage (error, "the picture would be %.0f px wide; letters of %g pt need at least %.0f",
                    width, view->font_size_pt, least);
}

bool
cli_picture_size_read (const CliOptions *options,
                       bool keep,
                       AttnDrawPicture *picture,
                       AttnDrawView *view,
                       GError **error)
{
  double width_mm = 0;
  if (!read_scale (options, keep, picture, error) || !read_page (options, picture, error) ||
      !read_print_width (options, picture->format == ATTN_DRAW_PNG, &width_mm, error))
    return false;
  if (options->width_px > 0)
    view->width_px = options->width_px;
  if (options->height_px > 0)
    view->max_height_px = options->height_px;
  if (width_mm > 0)
    attn_draw_picture_set_width_mm (view, width_mm, picture->format, &picture->scale);
  return check_side (view->width_px, "wide", error) &&
         (options->height_px <= 0 || check_side (options->height_px, "high", error)) &&
         check_letters (picture, view, error);
}
