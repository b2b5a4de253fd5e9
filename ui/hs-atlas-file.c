/* SPDX-License-Identifier: MIT */
/* What the page shows, written by the calls the command line makes. */
#include "hs-atlas-file.h"

#include "hs-lab-picture.h"

#include "attn/arrays.h"
#include "attn/atlas-text.h"
#include "attn/model.h"

#include <string.h>

#define FILE_STEM "atlas"

/* Its own copy of everything, for another thread. */
typedef struct {
  HsLabPicture *picture;
  HsAtlasFound *found;
  AttnDrawAtlas drawn; /* borrows from found */
} Source;

AttnDrawAtlas
hs_atlas_get_drawn (HsSession *session, const HsAtlasFound *found)
{
  const AttnAtlas *atlas = found->atlas;

  return (AttnDrawAtlas){
      .atlas = atlas,
      .map = found->map,
      .layer = MIN (hs_session_get_layer (session), atlas->n_layers - 1),
      .head = MIN (hs_session_get_head (session), atlas->n_heads - 1),
      .filter = *hs_session_peek_atlas (session),
  };
}

static void
source_free (gpointer data)
{
  Source *source = data;

  hs_lab_picture_free (source->picture);
  hs_atlas_found_unref (source->found);
  g_free (source);
}

/* The picture of what was found: of a file of attention there is no text. */
static AttnDrawPicture
get_picture (const Source *source, AttnDrawFormat format)
{
  AttnDrawPicture picture = hs_lab_picture_get (source->picture, format);

  if (picture.arrays.attention != NULL) {
    const char *slash = strrchr (picture.arrays.attention, G_DIR_SEPARATOR);
    picture.model_name = slash != NULL ? slash + 1 : picture.arrays.attention;
    picture.text = picture.pair = NULL;
  }
  return picture;
}

static Source *
source_new (HsSession *session, HsAtlasFound *found)
{
  HsLabPicture *picture = hs_lab_picture_new (session);

  if (picture == NULL)
    return NULL;
  Source *source = g_new0 (Source, 1);
  source->picture = picture;
  source->found = hs_atlas_found_ref (found);
  source->drawn = hs_atlas_get_drawn (session, found);
  return source;
}

/* Returns: (nullable): where its files are gone the picture says that it is not known. */
static const char *
find_sha256 (const HsAtlasFound *found)
{
  AttnTrace *trace = attn_maps_peek_trace (found->maps);

  if (found->attention != NULL)
    return attn_arrays_compute_sha256 (found->attention->arrays, NULL, NULL, NULL);
  return trace != NULL ? attn_model_compute_sha256 (attn_trace_peek_model (trace), NULL, NULL, NULL)
                       : NULL;
}

static GBytes *
make_numbers (const Source *source, const char *name)
{
  const AttnDrawPicture picture = get_picture (source, ATTN_DRAW_PNG);
  const AttnAtlasAbout about = {.model = (char *)(guintptr)picture.model_name,
                                .max_tokens = picture.max_tokens,
                                .with_distances = source->found->map != NULL};
  GString *text = g_string_new (NULL);

  if (g_str_equal (name, "csv"))
    attn_atlas_append_csv (text, source->drawn.atlas, source->drawn.map);
  else
    attn_atlas_append_json (text, source->drawn.atlas, &about, source->drawn.map);
  return g_string_free_to_bytes (text);
}

static GBytes *
make_file (gpointer data, const char *name, GError **error)
{
  const Source *source = data;
  AttnDrawFormat format;

  if (!attn_draw_format_find (name, &format))
    return make_numbers (source, name);
  AttnDrawPicture picture = get_picture (source, format);
  picture.weights_sha256 = find_sha256 (source->found);
  return attn_draw_atlas_write (&source->drawn, &picture, error);
}

bool
hs_atlas_file_init (HsFigureFile *file, HsSession *session, HsAtlasFound *found)
{
  Source *source = source_new (session, found);

  if (source == NULL)
    return false;
  *file = (HsFigureFile){FILE_STEM, source, source_free, make_file, NULL};
  return true;
}

char *
hs_atlas_file_dup_command (HsSession *session, HsAtlasFound *found)
{
  Source *source = source_new (session, found);

  if (source == NULL)
    return NULL;
  const AttnDrawPicture picture = get_picture (source, ATTN_DRAW_PNG);
  char *command = attn_draw_atlas_dup_command (&source->drawn, &picture, FILE_STEM ".png");
  source_free (source);
  return command;
}
