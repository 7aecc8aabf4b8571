"""Objects in S3, and in what speaks like it."""
