#!/bin/sh
# See to it that the libraries are there that drawing covers needs.
set -eu

packages=$(.venv/bin/python -c 'from kernel.launch.preflight import missing_libraries; print(*missing_libraries())')
[ -z "$packages" ] || "$(dirname "$0")/debian.sh" "Drawing covers" $packages
