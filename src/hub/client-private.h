/* SPDX-License-Identifier: MIT */
/* What the parts of the client share. */
#pragma once

#include "client.h"

#include <libsoup/soup.h>

struct _AttnHubClient {
  const AttnHubPlaces *places;
  char *repo;
  char *token; /* or NULL */
  GUri *endpoint;
  GMainContext *context; /* the sessions' own */
  GProxyResolver *proxies;
  SoupSession *asking, *receiving;
  GCancellable *stop;
  guint64 first_wait_ms;
  guint status;      /* of the last answer, 0 for none */
  bool was_answered; /* a server has answered something */
  AttnHubWaitFunc wait_func;
  void *wait_data;
};

/* Sets @error to what an answer that is not wanted means. Returns: false. */
bool attn_hub_refuse_answer (AttnHubClient *client, SoupMessage *message, GError **error);

/* Sets @error to what the network's error means. Returns: false. */
bool attn_hub_refuse_network (AttnHubClient *client,
                              const char *url,
                              const GError *from,
                              GError **error);

/* Whether the same request may go well a little later. */
bool attn_hub_is_worth_a_retry (const AttnHubClient *client, const GError *from);
bool attn_hub_is_busy (guint status);

/* Returns: ms that a busy server asks to wait, 0 where it does not tell. */
guint64 attn_hub_read_wait (SoupMessage *message);

/* Returns: false with CANCELLED. */
bool
attn_hub_client_sleep (AttnHubClient *client, guint64 wait_ms, const char *why, GError **error);

/* One request; what is not given is 0. */
typedef struct {
  const char *method, *url;
  guint64 first;   /* byte to start with */
  bool is_content; /* of a file: may come from other hosts, and is waited for differently */
  bool stops_at_other_host;
} AttnHubRequest;

/* The answer to it. */
typedef struct {
  SoupMessage *message;
  GInputStream *stream;
  char *url;      /* that answered */
  char *location; /* absolute; where a redirect leads that was not followed */
} AttnHubAnswer;

void attn_hub_answer_clear (AttnHubAnswer *answer);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnHubAnswer, attn_hub_answer_clear)

/**
 * attn_hub_client_send:
 * @answer: (out): of status 2xx; or with a location; or 416 where a start was asked for
 *
 * Returns: false with @error: IO, FORMAT, CANCELLED.
 */
bool attn_hub_client_send (AttnHubClient *client,
                           const AttnHubRequest *request,
                           AttnHubAnswer *answer,
                           GError **error);

/* After try number @n went wrong, by the network or by the answer's status: waits and answers true,
 * or false with @error. */
bool attn_hub_client_prepare_retry (AttnHubClient *client,
                                    AttnHubAnswer *answer,
                                    const GError *network,
                                    unsigned n,
                                    GError **error);

/* Returns: (transfer full): an address of the Hub's as one of the mirror's, others as they are. */
char *attn_hub_client_dup_rewritten (AttnHubClient *client, const char *url);
