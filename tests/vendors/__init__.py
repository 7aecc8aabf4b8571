"""Vendors on this machine: handlers that answer like the real ones, and misbehave when told to."""
