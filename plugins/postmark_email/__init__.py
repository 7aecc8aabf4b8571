"""E-mail through Postmark."""
