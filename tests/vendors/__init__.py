"""Fake vendors on this machine: handlers that answer like the real ones, with configurable faults."""
