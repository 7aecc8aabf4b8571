"""Addresses that get no email, and unsubscribing."""
