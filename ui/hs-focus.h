/* SPDX-License-Identifier: MIT */
/* The focus does not stay with what is hidden. */
#pragma once

/* From here on a widget that is hidden with the focus in it loses it at once; its window gives it
 * to another one after the next frame. To be called once a program, when GTK is up. */
void hs_focus_watch (void);
