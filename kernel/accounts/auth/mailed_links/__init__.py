"""Links that are mailed: their tokens, and what the holder of one can do."""
