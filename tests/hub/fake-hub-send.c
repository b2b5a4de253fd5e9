/* SPDX-License-Identifier: MIT */
/* Putting an answer on the wire: ranges, lengths, chunks, compression, and how it breaks. */
#include "fake-hub-private.h"

#include <string.h>

#define PIECE ((gsize)1 << 20)
#define DRIP_US 10000

/* The part of the body that is sent, by the request's Range. */
typedef struct {
  gsize first, end; /* of the body */
  bool is_partial;
} Part;

/* "bytes=FIRST-" is all that is understood. An If-Range that is not our ETag voids it. */
static bool
read_range (const HubRequest *request, const HubAnswer *answer, gsize *first)
{
  const char *range = fake_hub_request_peek (request, "Range");
  const char *condition = fake_hub_request_peek (request, "If-Range");
  guint64 number = 0;
  if (!answer->ranges || range == NULL || !g_str_has_prefix (range, "bytes=") ||
      (condition != NULL && g_strcmp0 (condition, fake_hub_answer_peek (answer, "ETag")) != 0))
    return false;
  number = g_ascii_strtoull (range + strlen ("bytes="), NULL, 10);
  *first = (gsize)number;
  return true;
}

static Part
choose_part (const HubRequest *request, const HubAnswer *answer, gsize size)
{
  Part part = {0, size, false};
  part.is_partial = read_range (request, answer, &part.first);
  if (part.is_partial && answer->wrong_start)
    part.first = part.first > 10 ? part.first - 10 : 0;
  return part;
}

static GBytes *
compress (GBytes *body)
{
  g_autoptr (GZlibCompressor) zip = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6);
  g_autoptr (GInputStream) plain = g_memory_input_stream_new_from_bytes (body);
  g_autoptr (GInputStream) zipped = g_converter_input_stream_new (plain, G_CONVERTER (zip));
  g_autoptr (GOutputStream) out = g_memory_output_stream_new_resizable ();
  if (g_output_stream_splice (out, zipped, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, NULL) < 0)
    g_error ("fake hub: cannot compress");
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (out));
}

static bool
put (GIOStream *stream, const void *bytes, gsize n, GCancellable *stop)
{
  return g_output_stream_write_all (g_io_stream_get_output_stream (stream), bytes, n, NULL, stop,
                                    NULL);
}

/* Until the client has had enough. */
static void
wait_for_hang_up (GIOStream *stream, GCancellable *stop)
{
  char byte;
  while (g_input_stream_read (g_io_stream_get_input_stream (stream), &byte, 1, stop, NULL) > 0)
    continue;
}

static bool
put_body (
    GIOStream *stream, const HubAnswer *answer, const guint8 *bytes, gsize n, GCancellable *stop)
{
  gsize end = MIN (n, MIN (answer->cut_after, answer->stall_after));
  gsize step = answer->drip > 0 ? answer->drip : PIECE;
  for (gsize done = 0; done < end;) {
    gsize now = MIN (step, end - done);
    g_autofree char *size = answer->chunked ? g_strdup_printf ("%zx\r\n", (size_t)now) : NULL;
    if ((size != NULL && !put (stream, size, strlen (size), stop)) ||
        !put (stream, bytes + done, now, stop) || (size != NULL && !put (stream, "\r\n", 2, stop)))
      return false;
    done += now;
    if (answer->drip > 0)
      g_usleep (DRIP_US);
  }
  if (answer->stall_after < n)
    wait_for_hang_up (stream, stop);
  if (end < n)
    return false;
  return !answer->chunked || put (stream, "0\r\n\r\n", 5, stop);
}

static void
append_length (GString *head, const HubAnswer *answer, gsize n)
{
  if (answer->chunked)
    g_string_append (head, "Transfer-Encoding: chunked\r\n");
  else if (answer->close)
    g_string_append (head, "Connection: close\r\n");
  else
    g_string_append_printf (head, "Content-Length: %" G_GINT64_FORMAT "\r\n",
                            answer->length >= 0 ? answer->length : (gint64)n);
}

static GString *
make_head (const HubAnswer *answer, const Part *part, gsize size, gsize n)
{
  guint status = part->is_partial ? 206 : answer->status;
  bool beyond = part->is_partial && (answer->unsatisfiable || part->first >= size);
  GString *head = g_string_new (NULL);
  g_string_append_printf (head, "HTTP/1.1 %u Answer\r\n", beyond ? 416 : status);
  for (guint i = 0; i < answer->headers->len; i++)
    g_string_append_printf (head, "%s\r\n", (const char *)g_ptr_array_index (answer->headers, i));
  if (beyond)
    g_string_append_printf (head, "Content-Range: bytes */%zu\r\nContent-Length: 0\r\n",
                            (size_t)size);
  else if (part->is_partial)
    g_string_append_printf (head, "Content-Range: bytes %zu-%zu/%zu\r\n", (size_t)part->first,
                            (size_t)size - 1, (size_t)size);
  if (answer->gzip)
    g_string_append (head, "Content-Encoding: gzip\r\n");
  if (!beyond)
    append_length (head, answer, n);
  g_string_append (head, "\r\n");
  return head;
}

static bool
put_head (GIOStream *stream, const HubAnswer *answer, const GString *head, GCancellable *stop)
{
  const char *go_on = "HTTP/1.1 100 Continue\r\n\r\n";
  for (gsize i = 0; i < answer->n_continues; i++) {
    if (!put (stream, go_on, strlen (go_on), stop))
      return false;
    g_usleep (DRIP_US);
  }
  gsize step = answer->head_wait > 0 ? 1 : head->len;
  for (gsize done = 0; done < head->len; done += step) {
    g_usleep (answer->head_wait * 1000);
    if (!put (stream, head->str + done, step, stop))
      return false;
  }
  return true;
}

bool
fake_hub_send (GIOStream *stream,
               const HubRequest *request,
               const HubAnswer *answer,
               GCancellable *stop)
{
  if (answer->hang_up)
    return false;
  g_autoptr (GBytes) body = answer->gzip ? compress (answer->body) : g_bytes_ref (answer->body);
  gsize size = 0;
  const guint8 *bytes = g_bytes_get_data (body, &size);
  Part part = choose_part (request, answer, size);
  bool beyond = part.is_partial && (answer->unsatisfiable || part.first >= size);
  gsize n = beyond ? 0 : part.end - part.first;
  g_autoptr (GString) head = make_head (answer, &part, size, n);
  if (!put_head (stream, answer, head, stop))
    return false;
  if (strcmp (request->method, "HEAD") == 0 || beyond)
    return !answer->close;
  /* what was promised and what was sent may differ: nothing more can be said after that */
  return put_body (stream, answer, bytes + part.first, n, stop) && !answer->close &&
         answer->length < 0;
}
