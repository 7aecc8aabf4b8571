"""Silhouettes and ornaments as paths.

Unless a docstring says otherwise a figure stands on (0, 0), grows upwards (y is negative) and is about 1 high. Paths
are shared from a cache: place a copy with `drawing.placed`, never change one.
"""
