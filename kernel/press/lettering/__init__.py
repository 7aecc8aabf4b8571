"""Lettering: the words on a picture as data, chosen for the picture, measured on it, and drawn over it.

`document`, `orders` and `styles` load no drawing library, so that a server may import them.
"""
