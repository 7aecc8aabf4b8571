"""The preflight report of a pack for people, in words: the press sets it. Its sentences are those of the screens."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from kernel.books.editions import forms
from kernel.books.packs.ordering import OrderedPack
from kernel.books.packs.pack_texts import filled, pack_texts
from kernel.books.packs.schemas import PackedFile
from kernel.core.text.interface import interface_texts, interpolated
from kernel.core.text.languages import RIGHT_TO_LEFT
from kernel.core.text.numbers import plural_form, written_decimal, written_number
from kernel.press.editions import (
    EditionOrder,
    Finding,
    Made,
    Outcome,
    ReportedFile,
    ReportFact,
    ReportLine,
    SetReport,
    needs_inks,
    sheet_of,
)

REPORT_PDF_NAME: Final = "Preflight.pdf"
MILLIMETERS: Final = 25.4
MEGABYTE: Final = 1_000_000
LEAST_MEGABYTES: Final = 0.01
FORMATS: Final = {"image/jpeg": "JPEG", "image/png": "PNG"}
WORST_FIRST: Final[Mapping[Outcome, int]] = {"fail": 0, "warn": 1, "pass": 2}


class FileInPack(NamedTuple):
    """A file of a pack, what the press said of it, and what it was made of."""

    packed: PackedFile
    made: Made
    order: EditionOrder


def preflight_report(ordered: OrderedPack, files: Sequence[FileInPack], folder: str) -> SetReport | None:
    """Return the report, to be written into a folder; None while the interface, whose words it has, is not built."""
    books = interface_texts("books", ordered.language)
    spine = interface_texts("spine", ordered.language)
    if books is None or spine is None:
        return None
    return _Words(ordered, books, spine["spine"]).report(files, folder)


class _Words:
    """A report in one language."""

    def __init__(self, ordered: OrderedPack, books: Mapping[str, Any], spine: Mapping[str, Any]) -> None:
        self._ordered = ordered
        self._language = ordered.language
        self._own = pack_texts(ordered.language).report
        self._books = books["books"]
        self._preflight = books["preflight"]
        self._names = books["preflight"]["names"]
        self._spine = spine

    def report(self, files: Sequence[FileInPack], folder: str) -> SetReport:
        ordered, own = self._ordered, self._own
        right_to_left = self._language in RIGHT_TO_LEFT
        # between hyphens the figures of a date would run from right to left as well
        date = filled(own.date, date=ordered.made.strftime("%Y/%m/%d" if right_to_left else "%Y-%m-%d"))
        return SetReport(
            folder=folder,
            name=REPORT_PDF_NAME,
            language=self._language,
            right_to_left=right_to_left,
            made=ordered.made.strftime("%Y-%m-%dT%H:%M:%SZ"),
            heading=own.heading,
            title=ordered.book.title,
            authors=ordered.book.authors,
            book_language=ordered.book.language,
            notes=(own.note, date, self._counts(files)),
            page_words=own.page,
            files=tuple(self._file(file) for file in files),
        )

    def _counts(self, files: Sequence[FileInPack]) -> str:
        found = Counter(finding.outcome for file in files for finding in file.packed.findings)
        keys: tuple[tuple[Outcome, str], ...] = (("fail", "failures"), ("warn", "warnings"), ("pass", "passed"))
        said = []
        for outcome, key in keys:
            if count := found[outcome]:
                sentence = self._books["findings"][f"{key}_{plural_form(count, self._language)}"]
                said.append(interpolated(sentence, {"formatted": written_number(count, self._language)}))
        return " · ".join(said)

    def _file(self, file: FileInPack) -> ReportedFile:
        findings = sorted(file.packed.findings, key=lambda one: WORST_FIRST[one.outcome])
        return ReportedFile(
            name=file.packed.name,
            purpose=self._purpose(file.packed.edition),
            result=self._preflight["result"][findings[0].outcome] if findings else "",
            facts=tuple(ReportFact(label=label, value=value) for label, value in self._facts(file)),
            lines=tuple(self._line(finding) for finding in findings),
        )

    def _purpose(self, edition: str) -> str:
        form = forms()[edition]
        kind: str = self._books["kinds"][form.kind]
        if form.rules is None:
            return kind
        return interpolated(self._books["kindAt"], {"form": kind, "printer": form.printer_name})

    def _line(self, finding: Finding) -> ReportLine:
        sentence = ""
        if finding.outcome != "pass":
            values = {
                name: value if isinstance(value, str) else written_decimal(value, self._language)
                for name, value in finding.params.items()
            }
            sentence = interpolated(self._books["rules"].get(finding.rule, ""), values)
        return ReportLine(
            outcome=finding.outcome,
            word=self._preflight["outcome"][finding.outcome],
            name=self._names.get(finding.rule, finding.rule),  # a rule may be newer than the interface that was built
            sentence=sentence,
        )

    def _facts(self, file: FileInPack) -> list[tuple[str, str]]:
        """Return what was made, in the words that the screens have for it."""
        made, order = file.made, file.order
        found = []
        if made.kind in ("print", "proof"):
            edition, sheet = order.edition, sheet_of(order)
            found = [
                (self._spine["trim"], self._measure(*edition.trim)),
                (self._spine["pages"], str(sheet.pages)),
                (self._spine["whole"], self._measure(sheet.width, sheet.height)),
                (self._spine["paper"], self._spine["papers"].get(edition.paper, edition.paper)),
                (self._spine["spine"], self._measure(sheet.spine.width)),
                (self._names["bleed"], self._measure(sheet.bleed)),
                (self._names["artwork_resolution"], f"{written_decimal(made.dpi, self._language, 0)} dpi"),
            ]
            if edition.isbn:
                found.append((self._books["isbn"], edition.isbn))
        else:
            found = [
                (self._own.pixels, f"{made.width} × {made.height}"),
                (self._names["picture_format"], FORMATS.get(made.media_type, made.media_type)),
            ]
        inks = made.kind == "print" and needs_inks(order.edition)
        found.append((self._names["color_space"], "CMYK (PDF/X-1a:2001)" if inks else "RGB"))
        megabytes = max(LEAST_MEGABYTES, file.packed.bytes / MEGABYTE)
        size = interpolated(self._books["files"]["size"], {"size": written_decimal(megabytes, self._language)})
        return [*found, (self._names["file_size"], size)]

    def _measure(self, *inches: float) -> str:
        """Return a size in signs that need no translation; a line may end between inches and millimeters only."""
        mm = " × ".join(written_decimal(side * MILLIMETERS, self._language) for side in inches)
        there = " × ".join(written_decimal(side, self._language, 4) for side in inches)
        return f"{there} in".replace(" ", "\u00a0") + " · " + f"{mm} mm".replace(" ", "\u00a0")
