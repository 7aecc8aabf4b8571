"""Emails to one person."""
