"""Treatments of flat shapes and lines."""
