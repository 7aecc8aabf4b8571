"""The outside distribution has a test suite of its own, which is run where it is installed."""

collect_ignore = ["rings"]
