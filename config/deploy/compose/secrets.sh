#!/bin/sh
# Make every key and password of compose.yaml in the folder `secrets`, once: what is there stays as it is.
# Keep secrets/secret_key in another place as well: without it neither stored secrets nor backups can be read.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
cd secrets

word() { # bytes as hexadecimal digits: fit for addresses and JSON
    od -An -N "$1" -tx1 /dev/urandom | tr -d ' \n'
}
keep() { # NAME TEXT
    [ -s "$1" ] || printf '%s' "$2" >"$1"
}

keep secret_key "$(word 32)"
keep admin_password "$(word 12)"
keep metrics_token "$(word 24)"
keep database_password "$(word 24)"
keep database_url "postgresql://coverwright:$(cat database_password)@database/coverwright"
keep objects_key "$(word 10)"
keep objects_secret "$(word 24)"
keep objects_json "{\"identities\": [{\"name\": \"coverwright\", \"credentials\": [{\"accessKey\": \"$(cat objects_key)\", \"secretKey\": \"$(cat objects_secret)\"}], \"actions\": [\"Admin\", \"Read\", \"Write\", \"List\", \"Tagging\"]}]}"
# The folder is closed to others; in a container each file is read by a user of its own.
chmod 0444 ./*
echo "The keys are in $(pwd)."
