#!/bin/sh
# The secret that every pod mounts as files. Write your own addresses; keep secret_key in another place as well.
set -eu
kubectl create namespace coverwright --dry-run=client --output yaml | kubectl apply --filename -
kubectl create secret generic coverwright --namespace coverwright \
    --from-literal=database_url='postgresql://coverwright:password@postgres.example/coverwright' \
    --from-literal=redis_url='redis://valkey.example:6379/0' \
    --from-literal=secret_key="$(openssl rand -base64 32)" \
    --from-literal=metrics_token="$(openssl rand -hex 24)" \
    --from-literal=admin_password="$(openssl rand -hex 12)" \
    --from-literal=objects_key='…' \
    --from-literal=objects_secret='…'
