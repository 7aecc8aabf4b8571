"""Billing: what Pro costs."""
