"""The error of the press."""


class PressError(RuntimeError):
    """One clear sentence for the operator: what is missing and which command installs it."""
