"""Several covers in one file to download."""
