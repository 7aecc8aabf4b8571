"""Themes: a name, colors and a style prompt for a series of covers."""
