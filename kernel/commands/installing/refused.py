"""Why a plugin is not installed or removed."""


class PluginRefused(Exception):
    """Nothing was changed; the message says why, and what to do."""
