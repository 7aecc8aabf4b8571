"""Treatments that look made of a material."""
