"""Plugins that are installed into the data folder, and the restart that follows."""
