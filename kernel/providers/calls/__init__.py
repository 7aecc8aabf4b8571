"""Calls to providers: choose, guard, price, log."""
