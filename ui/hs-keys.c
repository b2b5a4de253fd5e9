/* SPDX-License-Identifier: MIT */
/* The program's keys in one table. */
#include "hs-keys.h"

static const struct {
  const char *action;
  const char *keys[4];
} table[] = {
    {"app.quit", {"<Control>q"}},
    {"app.new-window", {"<Control>n"}},
    {"app.preferences", {"<Control>comma"}},
    {"win.models", {"<Control>m"}},
    {"win.open-model", {"<Control><Shift>o"}},
    {"window.close", {"<Control>w"}},
    {"win.focus-text", {"<Control>l"}},
    {"win.focus-picture", {"F6"}},
    {"win.shortcuts", {"<Control>question", "F1"}},
    {"win.find", {"<Control>f"}},
    {"view.next-found", {"<Control>g"}},
    {"view.previous-found", {"<Control><Shift>g"}},
    {"win.export", {"<Control>e"}},
    {"win.open-session", {"<Control>o"}},
    {"win.save-session", {"<Control>s"}},
    {"win.copy-image", {"<Control><Shift>c"}},
    {"view.kind::heatmap", {"<Control>1"}},
    {"view.kind::heads", {"<Control>2"}},
    {"view.kind::layers", {"<Control>3"}},
    {"view.kind::lines", {"<Control>4"}},
    {"view.kind::text", {"<Control>5"}},
    {"view.kind::compare", {"<Control>6"}},
    {"view.page::lab", {"<Control>7"}},
    {"win.play", {"<Alt>p"}},
    {"view.page::ablation", {"<Control>8"}},
    {"view.page::atlas", {"<Control>9"}},
    {"view.next-head", {"<Alt>Right"}},
    {"view.previous-head", {"<Alt>Left"}},
    {"view.next-layer", {"<Alt>Down"}},
    {"view.previous-layer", {"<Alt>Up"}},
    {"view.zoom-in", {"<Control>plus", "<Control>equal", "<Control>KP_Add"}},
    {"view.zoom-out", {"<Control>minus", "<Control>KP_Subtract"}},
    {"view.zoom-reset", {"<Control>0", "<Control>KP_0"}},
};

void
hs_keys_set (GtkApplication *application)
{
  for (size_t i = 0; i < G_N_ELEMENTS (table); i++)
    gtk_application_set_accels_for_action (application, table[i].action, table[i].keys);
}
