"""Covers from OpenAI's image models, and from servers that speak like it."""
