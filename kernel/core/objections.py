"""What is said against a field: a sentence, and what it says in a form that can be put into other languages."""


class Objection(str):
    """An English sentence that carries what it says: a code, and the numbers in it by name.

    Numbers are those of the rule, never what somebody typed; the one that a noun is counted by is called `count`.
    Only the envelope of errors reads the code, everything else takes the sentence for a plain string. msgspec encodes
    no subclass of one, so what else is sent or stored is made plain by `str`.
    """

    code: str
    values: dict[str, float]

    def __new__(cls, code: str, sentence: str, **values: float) -> "Objection":
        """Make the sentence and hang the rest on it."""
        made = super().__new__(cls, sentence)
        made.code, made.values = code, values
        return made
