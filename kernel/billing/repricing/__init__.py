"""Moves of subscribers to a new price: they are told first, and pay it with the first renewal after their notice."""
