#!/bin/sh
# SPDX-License-Identifier: MIT
# make-package.sh SOURCE BUILD VERSION: the Debian package, made in BUILD/deb from a copy of the source.
set -eu
source=$1 build=$2 version=$3

work=$build/deb/headscope-$version
rm -rf "$build/deb"
mkdir -p "$work"
cp -R "$source/meson.build" "$source/meson_options.txt" "$source/LICENSE" "$source/README.md" \
  "$source/include" "$source/resources" "$source/src" "$source/ui" "$work"
cp -R "$work/resources/debian" "$work/debian"
chmod +x "$work/debian/rules" # an archive may have lost it

cd "$work"
packaged=$(dpkg-parsechangelog -S Version)
if [ "${packaged%-*}" != "$version" ]; then
  echo "resources/debian/changelog is of $packaged, meson.build of $version" >&2
  exit 1
fi
# -d: what is missing is named by meson, which knows what is really needed
DEB_BUILD_OPTIONS="noautodbgsym nocheck ${DEB_BUILD_OPTIONS-}" dpkg-buildpackage -b -us -uc -d
ls -l "$build/deb/"*.deb
