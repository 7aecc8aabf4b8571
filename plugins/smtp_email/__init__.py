"""E-mail over SMTP."""
