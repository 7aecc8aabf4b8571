"""Backups of everything that is stored, and what they are restored from."""
