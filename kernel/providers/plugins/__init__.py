"""Installed plugins and what they offer."""
