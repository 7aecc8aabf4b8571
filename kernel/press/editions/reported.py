"""What a printed report says, every word of it. Imports no drawing library."""

import msgspec

from kernel.press.editions.findings import Outcome


class ReportFact(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to know of a file: what it is called, and figures or words."""

    label: str
    value: str


class ReportLine(msgspec.Struct, frozen=True, kw_only=True):
    """One finding: how it ended, as a code and as a word; the rule's name; and what is to be done, "" for a pass."""

    outcome: Outcome
    word: str
    name: str
    sentence: str = ""


class ReportedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file, what it is for, and what was found in it, the worst first. `result` sums that up, "" without findings."""

    name: str
    purpose: str
    result: str
    facts: tuple[ReportFact, ...]
    lines: tuple[ReportLine, ...]


class SetReport(msgspec.Struct, frozen=True, kw_only=True, tag="report"):
    """Set a report on A4 and write it into a folder, whole or not at all. Answered with ReportMade.

    `language` is that of all words but `title` and `authors`, whose is `book_language`. In `page_words` stand `{page}`
    and `{pages}`. `made` is ISO 8601, UTC: the same order makes the same bytes.
    """

    folder: str
    name: str
    language: str
    right_to_left: bool
    made: str
    heading: str
    title: str
    authors: str
    book_language: str
    notes: tuple[str, ...]
    page_words: str
    files: tuple[ReportedFile, ...]


class ReportMade(msgspec.Struct, frozen=True, kw_only=True):
    """A report that was made: its bytes and its pages."""

    size: int
    pages: int
