#!/bin/sh
# Usage: assemble.sh FOLDER  After `make build sbom`: put what runs in production into FOLDER, where it then runs.
# The faces that the press uses go along, and the outlines of the built-in artist; what only builds and tests need, not.
set -eu

target=$1
cd "$(dirname "$0")/../../.."
mkdir -p "$target/node_modules/@iconify-json" "$target/sbom"

cp -R kernel plugins config pyproject.toml README.md LICENSE "$target"
rm -r "$target/kernel/docs"
find "$target/kernel" "$target/plugins" -name __pycache__ -type d -prune -exec rm -rf {} +
cp dist/sbom-python.json "$target/sbom/python.json"
cp dist/sbom-web.json "$target/sbom/web.json"

.venv/bin/uv venv --quiet --python "$(.ci/python.sh)" "$target/.venv"
VIRTUAL_ENV=$target/.venv .venv/bin/uv pip sync --quiet --require-hashes --compile-bytecode dist/requirements.txt
VIRTUAL_ENV=$target/.venv .venv/bin/uv pip install --quiet --no-deps --editable "$target"
"$target/.venv/bin/python" -m compileall -q "$target/kernel" "$target/plugins"
packages=$(echo "$target"/.venv/lib/python3.*/site-packages)
find "$packages" -name tests -type d -prune -exec rm -rf {} +
find "$packages" \( -name '*.pyi' -o -name '*.pyx' -o -name '*.pxd' -o -name '*.[ach]' -o -name '*.rlib' \) -delete

# Skia is linked with these, but draws in memory: their packages would bring drivers of graphics cards (200 MB).
mkdir -p "$target/lib"
for library in libEGL.so.1 libGL.so.1 libGLX.so.0 libGLdispatch.so.0; do
    cp "$(ldconfig -p | sed -n "s/^\t$library (.*) => //p" | head -n 1)" "$target/lib/$library"
done
"$target/.venv/bin/python" config/deploy/image/debian_sbom.py "$target/sbom/libraries.json" libegl1 libgl1 libglx0 libglvnd0

fonts=node_modules/@expo-google-fonts
for place in $("$target/.venv/bin/python" -c 'from kernel.press.catalogue import PLACES; print(*PLACES.values())'); do
    mkdir -p "$target/$fonts/$place"
    cp "$fonts/$place"/*.ttf "$target/$fonts/$place"
    cp "$fonts/${place%%/*}"/LICENSE* "$target/$fonts/${place%%/*}"
done
cp node_modules/@iconify-json/.outlines.sqlite "$target/node_modules/@iconify-json"
chmod -R a+rX,go-w "$target"
