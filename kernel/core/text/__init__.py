"""Texts, languages and amounts of money."""
