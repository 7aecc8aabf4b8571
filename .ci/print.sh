#!/bin/sh
# See to it that the programs are there with which the tests check print files: Ghostscript, poppler and qpdf.
set -eu

missing=''
command -v gs >/dev/null 2>&1 || missing="$missing ghostscript"
command -v qpdf >/dev/null 2>&1 || missing="$missing qpdf"
command -v pdffonts >/dev/null 2>&1 || missing="$missing poppler-utils"
[ -n "$missing" ] || exit 0
if [ "$(uname)" = Linux ]; then
    # shellcheck disable=SC2086
    exec "$(dirname "$0")/debian.sh" "Checking print files" $missing
fi
echo "The tests of print files need$missing: brew install ghostscript qpdf poppler." >&2
exit 1
