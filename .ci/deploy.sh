#!/bin/sh
# See to it that the programs are there with which the tests check the files of config/deploy: nginx and Caddy.
set -eu

missing=''
command -v nginx >/dev/null 2>&1 || [ -x /usr/sbin/nginx ] || missing="$missing nginx-light"
command -v caddy >/dev/null 2>&1 || missing="$missing caddy"
[ -n "$missing" ] || exit 0
if [ "$(uname)" = Linux ]; then
    # shellcheck disable=SC2086
    exec "$(dirname "$0")/debian.sh" "Checking the examples of proxies" $missing
fi
echo "The tests of proxies need$missing: brew install nginx caddy." >&2
exit 1
