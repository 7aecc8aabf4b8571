"""Treatments that look printed by hand or press."""
