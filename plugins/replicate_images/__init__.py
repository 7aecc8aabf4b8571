"""Covers from models on Replicate."""
