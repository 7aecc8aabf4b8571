"""Rules about the file itself: what is in it beside the page."""

from collections.abc import Callable
from typing import Final

from kernel.press.editions.findings import Finding
from kernel.press.editions.preflight.facts import PdfFacts
from kernel.press.editions.preflight.rules.judged import Aim, checked, said

MOST_BYTES: Final = 650_000_000  # KDP help G201857950
WISE_BYTES: Final = 40_000_000
PDFX_VERSION: Final = "1.3"
NEWEST: Final = "1.7"
PLAIN_METADATA: Final = frozenset({"CreationDate", "ModDate", "Producer", "Trapped"})


def one_page(facts: PdfFacts, aim: Aim) -> Finding:
    """A cover is one page."""
    return checked("one_page", facts.pages != 1, pages=facts.pages)


def encryption(facts: PdfFacts, aim: Aim) -> Finding:
    """Printers cannot open what is locked, even by an empty password."""
    return checked("encryption", facts.encrypted)


def file_size(facts: PdfFacts, aim: Aim) -> Finding:
    """KDP takes 650 MB and recommends 40."""
    size = facts.size / 1_000_000
    if facts.size > MOST_BYTES:
        return said("file_size", "fail", megabytes=size, most=MOST_BYTES / 1e6)
    return checked("file_size", facts.size > WISE_BYTES, "warn", megabytes=size, most=WISE_BYTES / 1e6)


def pdf_version(facts: PdfFacts, aim: Aim) -> Finding:
    """PDF/X-1a:2001 is PDF 1.3."""
    most = PDFX_VERSION if aim.wants_inks else NEWEST
    return checked("pdf_version", facts.version > most, "warn", version=facts.version, most=most)


def metadata(facts: PdfFacts, aim: Aim) -> Finding | None:
    """KDP asks for none; PDF/X needs its own."""
    if aim.wants_inks:
        return None
    telling = [name for name in facts.metadata if name not in PLAIN_METADATA]
    return checked("metadata", telling or facts.metadata, "warn", names=", ".join(telling or facts.metadata))


def annotations(facts: PdfFacts, aim: Aim) -> Finding:
    """Notes and links are not printed, or worse, are."""
    return checked("annotations", facts.annotations, areas=facts.annotations, count=len(facts.annotations))


def bookmarks(facts: PdfFacts, aim: Aim) -> Finding:
    """A cover has no outline."""
    return checked("bookmarks", facts.bookmarks, "warn", count=facts.bookmarks)


def layers(facts: PdfFacts, aim: Aim) -> Finding:
    """What a hidden layer does at the printer nobody knows."""
    return checked("layers", facts.layers, count=facts.layers)


def scripts(facts: PdfFacts, aim: Aim) -> Finding:
    """No actions, no JavaScript."""
    return checked("scripts", facts.scripts)


def attachments(facts: PdfFacts, aim: Aim) -> Finding:
    """No files in the file."""
    return checked("attachments", facts.attachments)


def form_fields(facts: PdfFacts, aim: Aim) -> Finding:
    """No form."""
    return checked("form_fields", facts.fields)


def fonts_embedded(facts: PdfFacts, aim: Aim) -> Finding:
    """Fonts that are not in the file are replaced by others."""
    return checked("fonts_embedded", facts.unembedded, fonts=", ".join(facts.unembedded[:8]), count=facts.fonts)


def pdfx(facts: PdfFacts, aim: Aim) -> Finding | None:
    """IngramSpark takes PDF/X-1a:2001 and PDF/X-3:2002."""
    if not aim.wants_inks:
        return None
    return checked("pdfx", not facts.pdfx, version=facts.conformance or facts.pdfx)


def output_intent(facts: PdfFacts, aim: Aim) -> Finding | None:
    """A PDF/X names the condition that it was separated for."""
    if not aim.wants_inks:
        return None
    return checked("output_intent", not facts.intent, intent=facts.intent)


def trapped(facts: PdfFacts, aim: Aim) -> Finding | None:
    """A PDF/X says whether it is trapped."""
    return checked("trapped", not facts.trapped, "warn") if aim.wants_inks else None


RULES: Final[tuple[Callable[[PdfFacts, Aim], Finding | None], ...]] = (
    one_page,
    encryption,
    file_size,
    pdf_version,
    metadata,
    annotations,
    bookmarks,
    layers,
    scripts,
    attachments,
    form_fields,
    fonts_embedded,
    pdfx,
    output_intent,
    trapped,
)
