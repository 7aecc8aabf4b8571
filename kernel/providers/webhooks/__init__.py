"""Webhooks of vendors: received, stored, applied by a worker."""
