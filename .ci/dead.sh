#!/bin/sh
# Fail on code that nothing uses. Fields and columns do not count: the wire, the forms and the database use them by name.
# Nor do the contracts: plugin authors use them.
set -eu

found=$(.venv/bin/vulture | grep -vE 'unused (variable|attribute)|^kernel/spi/' || true)
[ -z "$found" ] || { echo "$found" >&2; exit 1; }
