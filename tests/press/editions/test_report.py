"""The preflight report for people: a PDF in the reader's language, read by other programs than wrote it."""

import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pikepdf
import pytest

from kernel.books.editions import EditionSettings
from kernel.books.packs.ordering import OrderedBook, OrderedFront, OrderedPack, PackPictures
from kernel.books.packs.preflight_report import FileInPack, preflight_report
from kernel.books.packs.schemas import PackedFile
from kernel.core.config import PROJECT_ROOT
from kernel.core.text.languages import LANGUAGES, RIGHT_TO_LEFT
from kernel.covers.provenance.origin import Origin
from kernel.press.editions import RULES, Finding, Made, Report, SetReport
from kernel.press.editions.report import set_report

WARNINGS = (
    Finding(rule="artwork_resolution", outcome="warn", params={"dpi": 212, "least": 300}),
    Finding(rule="bleed", outcome="fail", params={"missing": 0.0625}),
)
LOCALE = (PROJECT_ROOT / "web/public/locales/en/books.json").read_text("utf-8")
PARAMS = sorted(set(re.findall(r"{{(\w+)}}", LOCALE)))
TITLES = {"ar": "ملحمة البحر والقمر", "ja": "海辺の図書館", "hi": "नमक का सिंहासन"}
SEEN = {
    "en": ("Preflight report", "Error", "Warning", "Passed", "0.06 in of bleed are missing", "Page 1 of"),
    "de": ("Prüfbericht", "Fehler", "Warnung", "Bestanden", "0,06", "Seite 1 von"),
    "ja": ("プリフライトレポート", "エラー", "警告", "合格", "ペーパーバック", "ページ"),
    "ar": ("الفحص", "خطأ", "تحذير", "ناجح", "1", "صفحة"),
    "hi": ("जाँच", "त्रुटि", "चेतावनी", "सफल", "0.06", "पृष्ठ 1 /"),
}


def settings(name: str, trim: str = "", paper: str = "", spine: float | None = None) -> EditionSettings:
    return EditionSettings(
        name=name,
        trim=trim,
        paper=paper,
        background="mirror",
        color="",
        isbn="",
        spine=spine,
        sheet_width=None,
        sheet_height=None,
    )


EDITIONS = (
    settings("ebook"),
    settings("kdp-paperback", "6x9", "cream"),
    settings("ingramspark-paperback", "6x9", "template", 0.75),
)


def pack(language: str, title: str = "") -> OrderedPack:
    book = OrderedBook(
        title=title or TITLES.get(language, "The Salt Throne"),
        subtitle="",
        authors="Maren Oakhollow",
        tagline="",
        blurb="",
        about_author="",
        series="",
        number="",
        language=language,
        direction="rtl" if language in RIGHT_TO_LEFT else "ltr",
        publisher="",
        price="",
        pages=300,
    )
    front = OrderedFront(picture_id=1, lettering=None, width=1600, height=2400, genre="", colors=())
    return OrderedPack(
        book=book,
        front=front,
        editions=EDITIONS,
        origin=Origin(steps=(), letters_by_model=False),
        proof=False,
        language=language,
        made=datetime(2026, 11, 2, 9, 30, tzinfo=UTC),
    )


def files_of(ordered: OrderedPack, findings: tuple[Finding, ...]) -> list[FileInPack]:
    """Return the first file of each edition, as if the press had made it and found this."""
    found = []
    for one in ordered.editions:
        order = ordered.order(one, PackPictures())
        kind = ordered.kinds(order)[0]
        name = "Book_" + one.name + (".jpg" if kind == "ebook" else ".pdf")
        made = Made(
            name=name,
            kind=kind,
            media_type="image/jpeg" if kind == "ebook" else "application/pdf",
            size=1_234_567,
            sha256="",
            width=1600,
            height=2560,
            dpi=212.0,
            report=Report(findings=findings),
        )
        packed = PackedFile(
            name=name, edition=one.name, media_type=made.media_type, bytes=made.size, findings=list(findings)
        )
        found.append(FileInPack(packed, made, order))
    return found


def report(ordered: OrderedPack, findings: tuple[Finding, ...], folder: Path) -> SetReport:
    found = preflight_report(ordered, files_of(ordered, findings), str(folder))
    assert found is not None, "build the interface first: make build"
    return found


def passed(*rules: str) -> tuple[Finding, ...]:
    return tuple(Finding(rule=rule, outcome="pass") for rule in rules)


def said(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def text_of(path: Path) -> str:
    """Return the text as poppler reads it, on one line, without marks of direction."""
    return re.sub(
        r"\s+", " ", re.sub(r"[\u200e\u200f\u202a-\u202e\u2066-\u2069]", "", said("pdftotext", "-raw", str(path), "-"))
    )


@pytest.mark.parametrize("language", SEEN)
def test_others_read_it_in_the_language_of_the_pack(language: str, tmp_path: Path) -> None:
    ordered = pack(language)
    made = set_report(report(ordered, (*WARNINGS, *passed("fonts_embedded")), tmp_path))
    path = tmp_path / "Preflight.pdf"
    assert made.size == path.stat().st_size
    assert "No syntax or stream encoding errors found" in said("qpdf", "--check", str(path))
    lines = said("pdffonts", str(path)).splitlines()[2:]
    assert lines and all(re.search(r"CID TrueType\s+Identity-H\s+yes yes yes", line) for line in lines)
    text = text_of(path)
    squeezed = re.sub(r"\s", "", text)
    for word in (*SEEN[language], "Maren Oakhollow", "Book_kdp-paperback.pdf", "KDP", "IngramSpark"):
        assert re.sub(r"\s", "", word) in squeezed, (word, text)
    raw = pikepdf.open(path)
    assert str(raw.Root.Lang) == language
    assert str(raw.Root.ViewerPreferences.Direction) == ("/R2L" if language in RIGHT_TO_LEFT else "/L2R")
    assert ordered.book.title in str(raw.trailer.Info.Title)
    page = raw.pages[0].mediabox
    assert [round(float(side) * 25.4 / 72) for side in page] == [0, 0, 210, 297]


def test_arabic_begins_at_the_right(tmp_path: Path) -> None:
    set_report(report(pack("ar"), WARNINGS, tmp_path))
    words = re.findall(
        r'xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)".*?>(.*?)<',
        said("pdftotext", "-bbox", str(tmp_path / "Preflight.pdf"), "-"),
    )
    errors = [float(right) for _, right, word in words if word[::-1] in ("خطأ", "تحذير")]
    assert len(errors) == 6 and all(450 < right < 540 for right in errors), words


def test_it_says_what_was_made(tmp_path: Path) -> None:
    set_report(report(pack("en"), (), tmp_path))
    text = text_of(tmp_path / "Preflight.pdf")
    for fact in (
        "6 × 9 in",
        "152.4 × 228.6 mm",
        "13 × 9.25 in",
        "0.75 in",
        "0.125 in",
        "212 dpi",
        "CMYK (PDF/X-1a:2001)",
        "1600 × 2560",
        "JPEG",
        "Cream, black ink",
        "1.23 MB",
        "2026-11-02",
    ):
        assert fact in text.replace("\u00a0", " "), (fact, text)


def test_the_same_pack_makes_the_same_bytes(tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        set_report(report(pack("ja"), WARNINGS, folder))
        found.append((folder / "Preflight.pdf").read_bytes())
    assert found[0] == found[1]


def test_a_long_list_goes_on_over_pages_and_loses_nothing(tmp_path: Path) -> None:
    findings = tuple(
        Finding(rule=rule, outcome=outcome, params=dict.fromkeys(PARAMS, "x"))
        for rule, outcome in zip(RULES, ("fail", "warn", "pass") * len(RULES), strict=False)
    )
    order = report(pack("en"), findings, tmp_path)
    made = set_report(order)
    path = tmp_path / "Preflight.pdf"
    text = text_of(path)
    assert made.pages == len(pikepdf.open(path).pages) > 3
    assert f"Page {made.pages} of {made.pages}" in text
    for file in order.files:
        assert len(file.lines) == len(RULES)
        for line in file.lines:
            assert text.count(f"{line.word} {line.name}") >= len(order.files)
            assert line.sentence in text
    boxes = said("pdftotext", "-bbox", str(path), "-")
    feet = [float(foot) for foot in re.findall(r'yMax="([\d.]+)"', boxes)]
    rights = [float(right) for right in re.findall(r'xMax="([\d.]+)"', boxes)]
    assert max(feet) < 842 - 20 and max(rights) < 595 - 40


def test_every_language_words_every_rule(tmp_path: Path) -> None:
    for language in LANGUAGES:
        findings = tuple(Finding(rule=rule, outcome="warn", params=dict.fromkeys(PARAMS, 1.5)) for rule in RULES)
        order = report(pack(language), findings, tmp_path)
        assert all(line.word and line.name and line.sentence for file in order.files for line in file.lines)
        assert not re.search(
            r"[{}]", msgspec.json.encode(order.files[0].lines).decode().replace('{"', "").replace('"}', "")
        )


@pytest.mark.parametrize("title", ["W" * 200, "海" * 200, "a-" * 100, "{pages}"])
def test_no_title_is_wider_than_the_page(title: str, tmp_path: Path) -> None:
    set_report(report(pack("en", title), WARNINGS, tmp_path))
    boxes = said("pdftotext", "-bbox", str(tmp_path / "Preflight.pdf"), "-")
    assert max(float(right) for right in re.findall(r'xMax="([\d.]+)"', boxes)) < 595 - 50
