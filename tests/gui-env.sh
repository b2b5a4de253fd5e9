#!/bin/bash
# SPDX-License-Identifier: MIT
# tests/gui-env.sh COMMAND [ARGUMENT...]: runs COMMAND on a private X server and session bus, with a
# throw-away home and pinned fonts, so that windows look and behave the same everywhere. The screen is
# HEADSCOPE_SCREEN (1280x1000x24), the language HEADSCOPE_LANGUAGE (en).
# Exit status: COMMAND's; 97 when the surroundings could not be made. Ends only what it started.
set -u

for tool in Xvfb dbus-run-session; do
  if ! command -v "$tool" >/dev/null; then
    echo "gui-env: $tool is not installed" >&2
    exit 97
  fi
done

place=$(mktemp -d "${TMPDIR:-/tmp}/headscope-gui.XXXXXX") || exit 97
server=
leave() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null
    wait "$server" 2>/dev/null
  fi
  rm -rf "$place"
}
trap leave EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

mkdir -m 700 "$place"/{home,config,cache,data,state,runtime}

# Two font families, one of them for Chinese, Japanese and Korean, and no user's own settings. The second
# has no bold face: fontconfig's own rule makes one, here as on every desk.
cat >"$place/fonts.conf" <<FONTS
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts/truetype/dejavu</dir>
  <dir>/usr/share/fonts/truetype/wqy</dir>
  <cachedir>$place/cache/fontconfig</cachedir>
  <include ignore_missing="yes">/etc/fonts/conf.d/90-synthetic.conf</include>
  <alias><family>sans-serif</family>
    <prefer><family>DejaVu Sans</family><family>WenQuanYi Micro Hei</family></prefer></alias>
  <alias><family>Sans</family>
    <prefer><family>DejaVu Sans</family><family>WenQuanYi Micro Hei</family></prefer></alias>
  <alias><family>serif</family>
    <prefer><family>DejaVu Serif</family><family>WenQuanYi Micro Hei</family></prefer></alias>
  <alias><family>Serif</family>
    <prefer><family>DejaVu Serif</family><family>WenQuanYi Micro Hei</family></prefer></alias>
  <alias><family>monospace</family>
    <prefer><family>DejaVu Sans Mono</family><family>WenQuanYi Micro Hei</family></prefer></alias>
</fontconfig>
FONTS

# No animation and no blinking cursor: a screenshot depends on the program's state alone.
mkdir -p "$place/config/gtk-4.0"
cat >"$place/config/gtk-4.0/settings.ini" <<'SETTINGS'
[Settings]
gtk-enable-animations=false
gtk-cursor-blink=false
gtk-font-name=DejaVu Sans 10
gtk-xft-antialias=1
gtk-xft-hinting=0
gtk-xft-rgba=none
SETTINGS

# The server picks a free display number itself and tells us when it is ready.
mkfifo "$place/number"
Xvfb -displayfd 5 -screen 0 "${HEADSCOPE_SCREEN:-1280x1000x24}" -nolisten tcp -noreset \
  5>"$place/number" >"$place/server.log" 2>&1 </dev/null &
server=$!
if ! read -r -t 30 display <"$place/number" || [ -z "$display" ]; then
  echo "gui-env: the X server did not start:" >&2
  cat "$place/server.log" >&2
  exit 97
fi

unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS AT_SPI_BUS_ADDRESS XAUTHORITY
export DISPLAY=":$display" GDK_BACKEND=x11 XDG_SESSION_TYPE=x11
export GSK_RENDERER="${GSK_RENDERER:-cairo}" GTK_THEME="${GTK_THEME:-Adwaita}"
export GDK_SCALE=1 GDK_DPI_SCALE=1 GTK_IM_MODULE=gtk-im-context-simple
export GSETTINGS_BACKEND=memory GIO_USE_VFS=local
export LANG=C.UTF-8 LC_ALL=C.UTF-8 LANGUAGE="${HEADSCOPE_LANGUAGE:-en}"
# Tools that a user installed with pip for himself are still found after the home has changed.
export PYTHONUSERBASE="${PYTHONUSERBASE:-${HOME:-/}/.local}"
export HOME="$place/home" XDG_CONFIG_HOME="$place/config" XDG_CACHE_HOME="$place/cache"
export XDG_DATA_HOME="$place/data" XDG_STATE_HOME="$place/state" XDG_RUNTIME_DIR="$place/runtime"
export FONTCONFIG_FILE="$place/fonts.conf"

dbus-run-session -- "$@"
