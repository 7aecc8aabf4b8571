"""The Redis-compatible server and what uses it: doorbell, messages between processes, throttles; and leases."""
