#!/bin/sh
# Print a Python that is new enough and can make environments, or say in one line how to get one.
set -eu

fits='import sys; sys.exit(not (3, 11) <= sys.version_info[:2])'
old=''
for name in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
    command -v "$name" >/dev/null 2>&1 || continue
    "$name" -c "$fits" >/dev/null 2>&1 || { old="$name"; continue; }
    "$name" -c 'import ensurepip, venv' >/dev/null 2>&1 || { bare="$name"; continue; }
    exec "$name" -c 'import sys; print(sys.executable)'
done
if [ -n "${bare:-}" ]; then
    echo "$bare cannot make environments. Install its venv module (Debian, Ubuntu: apt-get install python3-venv)." >&2
else
    echo "Python 3.11 or newer is needed${old:+; $old is older}. Get it from https://www.python.org/downloads/ or a package manager; \$PYTHON may name it." >&2
fi
exit 1
