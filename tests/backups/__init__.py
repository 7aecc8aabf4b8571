"""Backups and restores."""
