/* SPDX-License-Identifier: MIT */
/* What the parts of the fake hub share: its models, a request, and the answer that is made of it.
 */
#pragma once

#include "fake-hub.h"

#include <gio/gio.h>

typedef struct {
  char *path;
  GBytes *bytes;
  char *sha1;   /* of "blob N\0" and the bytes, as git has it */
  char *sha256; /* NULL for what is not in large-file storage */
} HubFile;

typedef struct {
  char *repo, *revision;
  char *commit;
  GPtrArray *files; /* of HubFile, by path */
} HubModel;

typedef struct {
  bool at_files; /* came to the second port */
  char *method;
  char *target; /* as sent */
  char *path;   /* decoded, without the query */
  char *query;  /* or NULL */
  char **lines; /* header lines */
} HubRequest;

/* What will be sent, changed by behaviours until it is. */
typedef struct {
  guint status;
  GPtrArray *headers; /* "Name: value" */
  GBytes *body;
  bool ranges;         /* a Range of the request counts */
  bool wrong_start;    /* … but another one is sent */
  bool unsatisfiable;  /* … and is answered 416 */
  bool chunked, close; /* instead of Content-Length */
  bool gzip;
  gint64 length;     /* what Content-Length says; -1: the truth */
  gsize cut_after;   /* bytes of the body; then the connection is closed */
  gsize stall_after; /* bytes of the body; then nothing more comes */
  gsize drip;        /* bytes each 10 ms; 0: as fast as it goes */
  bool hang_up;      /* no answer at all */
  gsize head_wait;   /* ms before each byte of the head; 0: as fast as it goes */
  gsize n_continues; /* that often "100 Continue" before the answer, every 10 ms */
} HubAnswer;

typedef struct {
  char *method, *pattern;
  int n_skipped; /* still to be passed over */
  int n_left;    /* -1: always */
  char **behaviours;
} HubRule;

struct _FakeHub {
  GMutex lock;
  GPtrArray *models;  /* of HubModel, newest last */
  GPtrArray *renames; /* old, new, old, new … */
  GPtrArray *rules;   /* of HubRule */
  GString *log;
  size_t page_size;
  GTlsCertificate *certificate; /* or NULL */
  GCancellable *stop;
  GSocket *sockets[2];
  GThread *acceptors[2];
  GPtrArray *threads; /* of connections */
  char *urls[2];
};

HubModel *fake_hub_find_model (FakeHub *hub, const char *repo, const char *revision);
HubFile *fake_hub_find_file (HubModel *model, const char *path);
void fake_hub_model_free (void *model);

/* Returns: (transfer none): the value of a header line, or NULL. */
const char *fake_hub_request_peek (const HubRequest *request, const char *name);

void fake_hub_answer_clear (HubAnswer *answer);
void fake_hub_answer_set (HubAnswer *answer, const char *name, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
void fake_hub_answer_drop (HubAnswer *answer, const char *name);
const char *fake_hub_answer_peek (const HubAnswer *answer, const char *name);
void fake_hub_answer_set_text (HubAnswer *answer, guint status, const char *text);

/* The well-behaved answer; the lock is held. */
void fake_hub_answer_honestly (FakeHub *hub, const HubRequest *request, HubAnswer *answer);

/* What the rules make of it; the lock is held. */
void fake_hub_misbehave (FakeHub *hub, const HubRequest *request, HubAnswer *answer);

/* Returns: whether the connection may be used once more. */
bool fake_hub_send (GIOStream *stream,
                    const HubRequest *request,
                    const HubAnswer *answer,
                    GCancellable *stop);

void fake_hub_rule_free (void *rule);
