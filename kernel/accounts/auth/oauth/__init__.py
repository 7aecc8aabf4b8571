"""Signing in at a provider's own page."""
