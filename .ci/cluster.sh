#!/bin/sh
# See to it that the programs are there with which hosts are simulated: namespaces, HAProxy, and a clock that can be wrong.
set -eu

[ "$(uname)" = Linux ] || { echo "make cluster needs network namespaces, which only Linux has." >&2; exit 1; }
missing=''
command -v ip >/dev/null 2>&1 || [ -x /usr/sbin/ip ] || missing="$missing iproute2"
command -v haproxy >/dev/null 2>&1 || [ -x /usr/sbin/haproxy ] || missing="$missing haproxy"
command -v faketime >/dev/null 2>&1 || missing="$missing faketime"
[ -n "$missing" ] || exit 0
# shellcheck disable=SC2086
exec "$(dirname "$0")/debian.sh" "Simulating hosts" $missing
