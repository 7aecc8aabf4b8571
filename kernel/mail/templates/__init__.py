"""Templates that administrators write."""
