"""What is wrong with a field: a sentence, and a code with numbers from which the web client builds a translation."""

from typing import Final

import msgspec


class FieldError(msgspec.Struct, frozen=True):
    """An English sentence, its code, and the numbers in it by name.

    The numbers are those of the rule, never user input; the number that decides singular or plural is called `count`.
    """

    code: str
    message: str
    params: dict[str, float] = {}

    def __str__(self) -> str:
        """Return the sentence."""
        return self.message


UNSEEN_CHARACTERS: Final = FieldError("unseen_characters", "Please use visible characters only.")

FieldFault = FieldError | str
"""A sentence without a code is shown in English: those of plugins, and of values that only machines send."""
