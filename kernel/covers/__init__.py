"""Covers: generation, gallery, downloads."""
