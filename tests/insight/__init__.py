"""Daily figures."""
