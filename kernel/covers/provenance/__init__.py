"""Where the picture of a cover comes from: what shops ask, and its owner has to know."""
