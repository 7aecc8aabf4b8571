"""Notices to administrators."""
