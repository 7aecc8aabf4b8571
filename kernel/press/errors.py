"""What the press says when it cannot work."""


class PressError(RuntimeError):
    """One clear sentence for the operator: what is missing and which command puts it right."""
