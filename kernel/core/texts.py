"""Texts from outside, made fit to be stored and shown."""


def storable(text: str, chars: int | None = None) -> str:
    """Return a text without what no database and no JSON can hold, cut to so many characters.

    PostgreSQL's texts have no NUL, and half a surrogate pair, which vendors' JSON may hold, is no character.
    """
    return text.encode("utf-8", "replace").decode().replace("\0", "")[:chars]
