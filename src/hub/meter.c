/* SPDX-License-Identifier: MIT */
/* A download's speed over the last seconds, and the time that is left by it. */
#include "meter.h"

#define TELL_US (G_USEC_PER_SEC / 10)
#define MARK_US (G_USEC_PER_SEC / 4)

static void
mark (AttnHubMeter *meter, gint64 now_us)
{
  size_t last = (meter->n_marks - 1) % ATTN_HUB_N_MARKS;
  if (meter->n_marks > 0 && now_us - meter->marks[last].time_us < MARK_US)
    return;
  size_t next = meter->n_marks++ % ATTN_HUB_N_MARKS;
  meter->marks[next].time_us = now_us;
  meter->marks[next].received = meter->progress.received;
}

static void
compute_speed (AttnHubMeter *meter, gint64 now_us)
{
  AttnHubProgress *progress = &meter->progress;
  size_t oldest = meter->n_marks > ATTN_HUB_N_MARKS ? meter->n_marks % ATTN_HUB_N_MARKS : 0;
  progress->seconds_left = -1;
  if (meter->n_marks == 0 || now_us - meter->marks[oldest].time_us < MARK_US)
    return;
  double seconds = (double)(now_us - meter->marks[oldest].time_us) / G_USEC_PER_SEC;
  progress->bytes_per_second =
      (double)(progress->received - meter->marks[oldest].received) / seconds;
  if (progress->bytes_per_second > 0 && progress->total >= progress->done)
    progress->seconds_left =
        (double)(progress->total - progress->done) / progress->bytes_per_second;
}

void
attn_hub_meter_tell (AttnHubMeter *meter)
{
  gint64 now_us = g_get_monotonic_time ();
  meter->told_us = now_us;
  compute_speed (meter, now_us);
  if (meter->func != NULL)
    meter->func (&meter->progress, meter->data);
}

void
attn_hub_meter_receive (AttnHubMeter *meter, guint64 n)
{
  gint64 now_us = g_get_monotonic_time ();
  mark (meter, now_us);
  meter->progress.received += n;
  meter->progress.done += n;
  if (now_us - meter->told_us >= TELL_US)
    attn_hub_meter_tell (meter);
}
