"""Why a plugin is not installed or removed."""


class Refused(Exception):
    """Nothing was changed; the message says why, and what to do."""
