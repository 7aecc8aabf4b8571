"""Errors of a launch."""


class LaunchError(Exception):
    """The product cannot be started; the message is one line for the terminal."""
