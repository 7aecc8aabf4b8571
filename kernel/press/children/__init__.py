"""Warm child processes that draw: the drawing library holds the interpreter's lock for the whole of a stroke.

Nothing here imports the drawing library, so that a server may import it.
"""
