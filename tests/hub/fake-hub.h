/* SPDX-License-Identifier: MIT */
/* A model hub on this machine's loopback that can be told to misbehave in every way a network does.
 *
 * For: tests, benchmarks and (as the program fake-hub) other programs. It speaks HTTP/1.1 on plain
 * sockets, so that every byte of an answer is ours and may be a lie. It listens on two ports: the
 * hub itself, and the one that large files are redirected to. Every failure to set it up ends the
 * program. Order: new, models and rules, then requests from any thread, free. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef struct _FakeHub FakeHub;

/* @tls: both ports speak TLS, with a certificate nobody trusts. */
FakeHub *fake_hub_new (bool tls);

void fake_hub_free (FakeHub *hub);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FakeHub, fake_hub_free)

/* Returns: (transfer none): "http://127.0.0.1:PORT", of the hub and of the large files' host. */
const char *fake_hub_peek_url (FakeHub *hub);
const char *fake_hub_peek_files_url (FakeHub *hub);

/**
 * fake_hub_add_folder:
 * @repo:     "owner/name", or "name"
 * @revision: "main", a tag, "refs/pr/1"
 * @folder:   all files in it and below are served; they may not change any more
 */
void fake_hub_add_folder (FakeHub *hub, const char *repo, const char *revision, const char *folder);

/* One more file, or new content of one. Large-file storage holds what ends in .safetensors, .bin,
 * .model or .h5, as on the real hub. Every change of a revision changes its commit; what an old
 * commit held is still served under it. */
void fake_hub_add_bytes (FakeHub *hub,
                         const char *repo,
                         const char *revision,
                         const char *path,
                         const void *bytes,
                         size_t n_bytes);

/* Requests for @old are redirected to @repo. */
void fake_hub_rename (FakeHub *hub, const char *old, const char *repo);

/* Files in one page of a listing; 1,000 at first. */
void fake_hub_set_page_size (FakeHub *hub, size_t n_files);

/* Returns: (transfer full): 40 hexadecimal digits. */
char *fake_hub_dup_commit (FakeHub *hub, const char *repo, const char *revision);

/* Returns: (transfer full): what the file is called among the blobs of a cache. */
char *fake_hub_dup_blob (FakeHub *hub, const char *repo, const char *revision, const char *path);

/**
 * fake_hub_add_rule:
 * @rule: "METHOD PATH [xN[+M]] BEHAVIOUR[=VALUE] [| BEHAVIOUR[=VALUE] …]"
 *
 * METHOD may be *, PATH is a pattern with * and ? for the decoded path. xN: only the first N
 * requests that fit, M of them passed over before. Every rule that fits is applied, in their order.
 * Large files are at /files/REPO/COMMIT/PATH of the second port. Behaviours: the table in
 * fake-hub-behaviours.c.
 *
 * For example "GET *\/model.safetensors x1 cut=5000".
 */
void fake_hub_add_rule (FakeHub *hub, const char *rule);

void fake_hub_clear_rules (FakeHub *hub);

/**
 * fake_hub_dup_log:
 *
 * Returns: (transfer full): for each request so far "hub METHOD TARGET" or "files METHOD TARGET",
 *   then its header lines each after a tab.
 */
char *fake_hub_dup_log (FakeHub *hub);

void fake_hub_clear_log (FakeHub *hub);

/* Returns: requests whose "hub METHOD TARGET" fits the pattern. */
size_t fake_hub_count (FakeHub *hub, const char *pattern);

G_END_DECLS
