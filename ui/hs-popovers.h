/* SPDX-License-Identifier: MIT */
/* No popover keeps the keys once it has gone. */
#pragma once

/* From here on every popover that is taken off the screen with what it hangs from is closed. To be
 * called once a program, when GTK is up. */
void hs_popovers_watch (void);
