"""The form in which texts are searched: without regard to case, in all scripts and on both databases.

Databases store it beside the text, for SQLite's `lower` knows ASCII only, and what PostgreSQL's knows depends on how
the server was set up.
"""

import unicodedata


def fold(text: str) -> str:
    """Return a text in the form in which it is compared: case-folded and normalized."""
    return unicodedata.normalize("NFKC", text).casefold()
