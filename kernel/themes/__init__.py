"""Themes: a name, colours and a style prompt that make a series of covers."""
