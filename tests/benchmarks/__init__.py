"""Measurements of the running product: `python -m tests.benchmarks`."""
