#!/bin/sh
# Say in one line what is missing when Node or npm is, or is too old for Vite.
set -eu

if ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then
    echo "Node 20.19 or newer with npm is needed. Get it from https://nodejs.org/en/download or a package manager." >&2
    exit 1
fi
node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)' || {
    echo "Node 20.19 or newer is needed; this is $(node --version). Get it from https://nodejs.org/en/download." >&2
    exit 1
}
