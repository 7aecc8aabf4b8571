#!/bin/sh
# Usage: debian.sh PURPOSE PACKAGE…  Install Debian packages as root, or say in one line what to install.
set -eu

purpose=$1
shift
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing $* …"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "$@" >/dev/null
else
    echo "$purpose needs packages that are missing here. Debian, Ubuntu: sudo apt-get install -y $*" >&2
    exit 1
fi
