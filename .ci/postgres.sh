#!/bin/sh
# See to it that there is a PostgreSQL for the tests: $COVERWRIGHT_TEST_POSTGRES, or the programs to start one.
set -eu

[ -z "${COVERWRIGHT_TEST_POSTGRES:-}" ] || exit 0
command -v initdb >/dev/null 2>&1 && exit 0
for program in /usr/lib/postgresql/*/bin/initdb /opt/homebrew/opt/postgresql*/bin/initdb; do
    [ ! -x "$program" ] || exit 0
done
if [ "$(uname)" = Linux ]; then
    exec "$(dirname "$0")/debian.sh" "Testing on PostgreSQL (COVERWRIGHT_TEST_POSTGRES may name a server)" postgresql
fi
echo "The tests need PostgreSQL: brew install postgresql, or name a server in COVERWRIGHT_TEST_POSTGRES." >&2
exit 1
