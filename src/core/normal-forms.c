/* SPDX-License-Identifier: MIT */
/* Unicode's normal forms as one stream; what is held back is one starter and its marks. */
#include "normal-forms.h"

#include "unicode.h"

/* A character on its way. */
typedef struct {
  gunichar c;
  guint32 combining_class;
  int n_old; /* old characters it stands for: 1, more when composed, 0 when it was decomposed */
} Part;

typedef struct {
  AttnRewrite rewrite;
  bool compatible, compose;
  GArray *marks; /* of Part: decomposed, not yet in order */
  Part starter;  /* c 0: none */
  GArray *held;  /* of Part: marks behind the starter that did not combine with it */
  guint32 last_class;
} Stream;

static void
write_part (Stream *stream, const Part *part)
{
  if (part->n_old <= 0) {
    attn_rewrite_insert (&stream->rewrite, part->c);
    return;
  }
  attn_rewrite_replace (&stream->rewrite, part->c);
  attn_rewrite_skip (&stream->rewrite, (size_t)part->n_old - 1);
}

static void
release_starter (Stream *stream)
{
  if (stream->starter.c != 0 || stream->starter.n_old != 0)
    write_part (stream, &stream->starter);
  for (guint i = 0; i < stream->held->len; i++)
    write_part (stream, &g_array_index (stream->held, Part, i));
  g_array_set_size (stream->held, 0);
  stream->starter = (Part){0};
}

/* One step of canonical composition: @part joins the starter, waits behind it, or follows it. */
static void
push_composing (Stream *stream, const Part *part)
{
  Part *starter = &stream->starter;
  bool has_starter = starter->c != 0 || starter->n_old != 0;
  bool blocked = stream->held->len > 0 && stream->last_class >= part->combining_class;
  gunichar composed = has_starter && !blocked ? attn_char_compose (starter->c, part->c) : 0;
  if (composed != 0) {
    starter->c = composed;
    starter->n_old += part->n_old;
  } else if (part->combining_class == 0) {
    release_starter (stream);
    *starter = *part;
  } else if (!has_starter) {
    write_part (stream, part);
  } else {
    g_array_append_val (stream->held, *part);
    stream->last_class = part->combining_class;
  }
}

static void
push (Stream *stream, const Part *part)
{
  if (stream->compose)
    push_composing (stream, part);
  else
    write_part (stream, part);
}

static int
compare_marks (gconstpointer a, gconstpointer b, G_GNUC_UNUSED gpointer data)
{
  guint32 class_a = ((const Part *)a)->combining_class;
  guint32 class_b = ((const Part *)b)->combining_class;
  return class_a < class_b ? -1 : class_a > class_b;
}

static void
flush_marks (Stream *stream)
{
  if (stream->marks->len == 0)
    return;
  g_qsort_with_data (stream->marks->data, (gint)stream->marks->len, sizeof (Part), compare_marks,
                     NULL);
  for (guint i = 0; i < stream->marks->len; i++)
    push (stream, &g_array_index (stream->marks, Part, i));
  g_array_set_size (stream->marks, 0);
}

static size_t
decompose (const Stream *stream, gunichar c, gunichar *parts)
{
  if (c >= 0x80) {
    if (stream->compatible && (attn_char_get_classes (c) & ATTN_CHAR_COMPATIBLE) != 0)
      return attn_char_decompose_compatible (c, parts);
    return attn_char_decompose (c, attn_char_get_flags (c), parts);
  }
  parts[0] = c;
  return 1;
}

static void
push_decomposed (Stream *stream, gunichar c)
{
  gunichar parts[ATTN_CHAR_MAX_COMPATIBLE];
  size_t n = decompose (stream, c, parts);
  for (size_t i = 0; i < n; i++) {
    Part part = {.c = parts[i], .n_old = i == 0};
    if ((attn_char_get_flags (parts[i]) & ATTN_CHAR_REORDERS) != 0) {
      part.combining_class = (guint32)g_unichar_combining_class (parts[i]);
      g_array_append_val (stream->marks, part);
      continue;
    }
    flush_marks (stream);
    push (stream, &part);
  }
}

void
attn_normal_form_write (
    const AttnChar *chars, size_t n, bool compatible, bool compose, AttnCharText *out)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (Part));
  g_autoptr (GArray) held = g_array_new (FALSE, FALSE, sizeof (Part));
  Stream stream = {.rewrite = {.old = chars, .n = n, .out = out},
                   .compatible = compatible,
                   .compose = compose,
                   .marks = marks,
                   .held = held};
  for (size_t i = 0; i < n && !out->failed; i++)
    push_decomposed (&stream, chars[i].c);
  flush_marks (&stream);
  release_starter (&stream);
}
