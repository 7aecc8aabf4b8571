"""Signing in: sessions, passwords, rate limits, mailed links."""
