#!/bin/sh
# See to it that there is a Chromium: $CHROMIUM, or /usr/bin/chromium, where the browser tests look for it.
set -eu

if [ -n "${CHROMIUM:-}" ]; then
    [ -x "$CHROMIUM" ] || { echo "CHROMIUM: $CHROMIUM is not a program." >&2; exit 1; }
elif [ ! -x /usr/bin/chromium ]; then
    [ "$(uname)" = Linux ] || { echo "The browser tests need Chromium or Chrome; name its program in CHROMIUM." >&2; exit 1; }
    "$(dirname "$0")/debian.sh" "The browser tests (Chromium; CHROMIUM may name another one)" chromium
fi
