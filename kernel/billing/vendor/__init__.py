"""Calls to payment vendors."""
