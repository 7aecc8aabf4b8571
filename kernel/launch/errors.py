"""What can stop a launch."""


class LaunchError(Exception):
    """The product cannot be started; the message is one line for the person at the terminal."""
