"""Typesetting for twelve languages. Imports nothing of the kernel, and no drawing library until a module needs it.

Plugins may use it: type from `kernel.press.typesetting`, drawing processes from `kernel.press.children`.
"""
