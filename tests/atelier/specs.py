"""Small covers for tests."""

from typing import Any

import msgspec

from plugins.atelier.brief import Spec

WIDTH, HEIGHT = 300, 450

TALE = Spec(
    description="A young dragon rider defends a mountain kingdom in winter",
    title="The Ember Crown",
    author="Elena Marsh",
    genre="fantasy",
    width=WIDTH,
    height=HEIGHT,
)


def tale(**changes: Any) -> Spec:
    """Return the tale with changes."""
    return msgspec.structs.replace(TALE, **changes)
