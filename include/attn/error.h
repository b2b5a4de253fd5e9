/* SPDX-License-Identifier: MIT */
/* The one error domain of the core. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ATTN_ERROR:
 *
 * Domain of every error the core, the pictures and the hub report. The message is one English
 * sentence without a final stop; it names the file, the tensor or field, the value found and the
 * value wanted. Codes are few because they are what a program may switch on.
 */
#define ATTN_ERROR (attn_error_quark ())

typedef enum {
  ATTN_ERROR_IO,           /* a file cannot be opened, read or written */
  ATTN_ERROR_FORMAT,       /* a file's content is not what its kind requires */
  ATTN_ERROR_SHAPE,        /* a tensor's shape, or a model's size, does not fit */
  ATTN_ERROR_UNSUPPORTED,  /* well formed, but of a kind this version does not know */
  ATTN_ERROR_TOO_LARGE,    /* over a stated limit, or memory cannot be had */
  ATTN_ERROR_CANCELLED,    /* the progress callback answered "stop" */
  ATTN_ERROR_INVALID_TEXT, /* the text is not valid UTF-8 */
} AttnError;

GQuark attn_error_quark (void);

G_END_DECLS
