"""Texts from outside, made fit to be stored and shown."""


def storable(text: str, chars: int | None = None) -> str:
    """Return a text without characters that databases or JSON cannot hold, cut to a number of characters.

    PostgreSQL's texts have no NUL, and half a surrogate pair, which vendors' JSON may contain, is no character.
    """
    return text.encode("utf-8", "replace").decode().replace("\0", "")[:chars]
