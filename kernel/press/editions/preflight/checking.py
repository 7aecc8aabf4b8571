"""Checks a file against what it is to be, and says everything that its printer or shop would say."""

import io
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
import pypdfium2 as pdfium
from PIL import Image, ImageCms, UnidentifiedImageError
from pypdf import PdfReader

from kernel.press.children.serve import Refused
from kernel.press.editions.findings import Finding, Outcome, Report
from kernel.press.editions.order import Target
from kernel.press.editions.preflight.drawing import drawn_of, part_shown, shown
from kernel.press.editions.preflight.facts import Greys, InkFacts, PdfFacts, PictureFacts
from kernel.press.editions.preflight.inks import InkReader, content_size
from kernel.press.editions.preflight.rules import colors, document, looks, pictures, places
from kernel.press.editions.preflight.rules.judged import Aim, aim_of, said
from kernel.press.editions.preflight.structure import BROKEN, Structure, structure_of, tried
from kernel.press.editions.preflight.symbols import Symbol, symbol_in
from kernel.press.trade.geometry import DPI, SheetBox

HEAD: Final = 1024  # bytes in which a PDF says that it is one
PAGE_DPI: Final = 72.0
BARCODE_DPI: Final = 600.0
AROUND: Final = 0.12  # inches around the barcode's place
MOST_PAGE: Final = 60.0  # inches of a side
MOST_DRAWN: Final = 64_000_000  # bytes of operators
MOST_PIXELS: Final = 130_000_000
LOOKED_AT: Final = 1200  # pixels of the longer side of a picture as it is judged
WHITE: Final = 246
EVEN: Final = 2.0
BAR: Final = 0.04  # of the width: a bar that is thinner is a border
_ORDER: Final[dict[Outcome, int]] = {"fail": 0, "warn": 1, "pass": 2}


def check(path: Path, target: Target, *, picture: bool = True, isbn: str = "") -> Report:
    """Return what preflight says of a PDF, JPEG or PNG. Raises Refused (`unreadable`), TradeFault (target)."""
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError as error:
        raise Refused("unreadable", "The file cannot be read.") from error
    if target.form in ("paperback", "hardcover"):
        return _printed(path, aim_of(target, isbn), head, picture)
    if b"%PDF-" in head:
        return Report(findings=(said("picture_format", "fail", format="PDF"),))
    return _picture(path, target, picture)


def _printed(path: Path, aim: Aim, head: bytes, picture: bool) -> Report:
    if b"%PDF-" not in head:
        picture_read, _ = picture_facts(path)
        wrong = said("file_kind", "fail", format=picture_read.format)
        return Report(findings=(wrong,), page=(picture_read.width / DPI, picture_read.height / DPI))
    try:
        reader = PdfReader(path, strict=False)
        encrypted = bool(reader.is_encrypted)
        if encrypted and not reader.decrypt(""):
            return Report(findings=(said("encryption", "fail"),))
        structure = structure_of(reader)
    except BROKEN as error:
        raise Refused("unreadable", "This is no PDF that can be read.") from error
    if not 0 < max(structure.media.width, structure.media.height) <= MOST_PAGE:
        wrong = said("page_size", "fail", width=structure.media.width, height=structure.media.height)
        return Report(findings=(wrong,), page=(structure.media.width, structure.media.height))
    inks = InkReader(reader).page(reader.pages[0])
    if content_size(reader.pages[0], MOST_DRAWN) > MOST_DRAWN:
        raise Refused("unreadable", "The page draws too much.")
    try:
        with closing(pdfium.PdfDocument(path)) as pdf:
            return _judged(pdf[0], path, structure, inks, encrypted, aim, picture)
    except (pdfium.PdfiumError, IndexError) as error:
        raise Refused("unreadable", "This is no PDF that can be read.") from error


def _judged(
    page: pdfium.PdfPage, path: Path, structure: Structure, inks: InkFacts, encrypted: bool, aim: Aim, picture: bool
) -> Report:
    drawn = drawn_of(page)
    facts = PdfFacts(
        size=path.stat().st_size,
        encrypted=encrypted,
        texts=drawn.texts,
        images=drawn.images,
        paths=drawn.paths,
        inks=inks if drawn.whole else msgspec.structs.replace(inks, read=False),
        **structure._asdict(),
    )
    pixels, dpi = shown(page, PAGE_DPI)
    findings = [found for rule in (*document.RULES, *places.RULES, *colors.RULES) if (found := rule(facts, aim))]
    findings += [looks.white_strip(pixels, dpi, aim), looks.blank_page(pixels, dpi, aim)]
    if aim.matches(facts):
        findings += looks.barcode_rules(_symbol(page, aim), facts, aim)
    return Report(
        findings=worst_first(findings),
        page=(facts.media.width, facts.media.height),
        picture=_png(pixels) if picture else b"",
        picture_dpi=dpi if picture else 0.0,
    )


def _symbol(page: pdfium.PdfPage, aim: Aim) -> Symbol | None:
    """Return the barcode in its place, or a little beside it."""
    place = aim.sheet.barcode
    left, top = aim.offset
    for around in (0.0, AROUND):
        wide, high = place.width + 2 * around, place.height + 2 * around
        box = SheetBox(place.x + left - around, place.y + top - around, wide, high)
        if found := symbol_in(part_shown(page, box, BARCODE_DPI)):
            return found._replace(module=found.module / BARCODE_DPI)
    return None


def _picture(path: Path, target: Target, with_picture: bool) -> Report:
    facts, small = picture_facts(path)
    shape = pictures.shape_for(target.form, facts)
    findings = [found for rule in pictures.RULES if (found := rule(facts, target.form, shape))]
    dpi = facts.dpi or 300.0
    return Report(
        findings=worst_first(findings),
        page=(facts.width / dpi, facts.height / dpi),
        picture=_png(small) if with_picture else b"",
        picture_dpi=small.shape[1] / (facts.width / dpi) if with_picture else 0.0,
    )


def picture_facts(path: Path) -> tuple[PictureFacts, Greys]:
    """Return what is read of a picture, and its pixels, small. Raises Refused (`unreadable`)."""
    try:
        with Image.open(path, formats=("JPEG", "PNG", "TIFF", "WEBP", "GIF")) as image:
            if image.width * image.height > MOST_PIXELS:
                raise Refused("unreadable", "The picture has too many pixels.")
            kind, mode, dpi = image.format or "", image.mode, image.info.get("dpi", (0, 0))[0]
            width, height, frames = image.width, image.height, int(getattr(image, "n_frames", 1))
            profile = tried(lambda: _profile(image.info.get("icc_profile")), "")
            if mode == "RGB":
                image.draft("RGB", (LOOKED_AT, LOOKED_AT))
            clear = image.has_transparency_data and bool(np.asarray(image.convert("RGBA"))[..., 3].min() < 255)
            small = image.convert("RGB")
            small.thumbnail((LOOKED_AT, LOOKED_AT), Image.Resampling.BOX)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, TypeError, Image.DecompressionBombError) as error:
        raise Refused("unreadable", "This is no picture that can be read.") from error
    pixels = np.asarray(small)
    edges = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    facts = PictureFacts(
        size=path.stat().st_size,
        format=kind,
        mode=mode,
        width=width,
        height=height,
        dpi=float(dpi or 0.0),
        frames=frames,
        transparent=clear,
        pale=float((edges.min(axis=1) >= WHITE).mean()),
        bars=_bars(pixels, width / (float(dpi or 0) or 300.0)),
        even=float(pixels.std(axis=(0, 1)).max()) < EVEN,
        profile=profile,
    )
    return facts, pixels


def _profile(data: bytes | None) -> str:
    return ImageCms.getProfileDescription(ImageCms.ImageCmsProfile(io.BytesIO(data))).strip() if data else ""


def _bars(pixels: Greys, wide: float) -> tuple[SheetBox, ...]:
    """Return even bars on both sides, or above and below: what pads a picture to another shape."""
    found: list[SheetBox] = []
    high = wide * pixels.shape[0] / pixels.shape[1]
    for turned in (False, True):
        rows = pixels.swapaxes(0, 1) if not turned else pixels
        even = rows.std(axis=1).max(axis=1) < EVEN
        alike = np.abs(rows.mean(axis=1) - rows[0].mean(axis=0)).max(axis=1) < EVEN
        first = int(np.argmin(even & alike)) if not (even & alike).all() else 0
        alike = np.abs(rows.mean(axis=1) - rows[-1].mean(axis=0)).max(axis=1) < EVEN
        last = int(np.argmin((even & alike)[::-1])) if not (even & alike).all() else 0
        share, other = first / len(rows), last / len(rows)
        if share < BAR or other < BAR:
            continue
        if turned:
            found += [SheetBox(0, 0, wide, share * high), SheetBox(0, high * (1 - other), wide, other * high)]
        else:
            found += [SheetBox(0, 0, share * wide, high), SheetBox(wide * (1 - other), 0, other * wide, high)]
    return tuple(found)


def worst_first(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return findings, failures first."""
    return tuple(sorted(findings, key=lambda found: _ORDER[found.outcome]))


def _png(pixels: Greys) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG", compress_level=4)
    return buffer.getvalue()
