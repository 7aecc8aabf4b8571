"""The things that a cover can show by name: each with its picture, and its names in twelve languages."""
