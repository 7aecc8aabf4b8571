"""Builds the documentation that the product serves at `/docs`: from the README, the contracts and `pages`."""
