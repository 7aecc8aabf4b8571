#!/bin/sh
# Install what the peers of the benchmark run with, beside the product and not into it.
set -eu

cd "$(dirname "$0")/../../.."
echo "Installing the peers …"
mkdir -p var/peers
python3 -m venv var/peers/python
var/peers/python/bin/pip install --quiet --disable-pip-version-check \
	fastapi==0.165.0 sqlmodel==0.0.50 aiosqlite==0.22.1 greenlet==3.5.6 'uvicorn[standard]==0.54.0'
npm install --silent --no-save --no-package-lock --no-audit --no-fund --prefix var/peers \
	express@5.3.0 better-sqlite3@12.11.1
