"""The documentation for plugin authors: what it is written from, and what builds it."""
