"""Lettering: the words on a picture as data, chosen for the picture, measured on it, and drawn over it."""
