"""Sign-in with any OpenID Connect issuer."""
