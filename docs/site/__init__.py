"""Builds the documentation that the product serves at `/docs`, out of the README, the contracts and `docs/pages`."""
