"""Submitting generations: a request is read, its image service chosen, its prompt composed, its jobs stored."""
