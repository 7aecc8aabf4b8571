"""Makes one file of an edition."""

import hashlib
import io
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image, ImageCms

from kernel.press.editions.files import file_of, needs_inks, page_of
from kernel.press.editions.findings import Finding, Report
from kernel.press.editions.layers import layered
from kernel.press.editions.mockups.scenes import mockup
from kernel.press.editions.order import EditionOrder, Made, MakeFile, Shown, ShowSheet
from kernel.press.editions.own import known_of_picture, known_of_wrap, report_of
from kernel.press.editions.pdf.document import Bleeds, pdf_x, rgb_pdf
from kernel.press.editions.pdf.separation import Separation
from kernel.press.editions.preflight.checking import worst_first
from kernel.press.editions.proof import png_of, proof_pdf, proof_png
from kernel.press.editions.sheet.artwork import stamp_of
from kernel.press.editions.sheet.guides import guides_svg
from kernel.press.editions.sheet.scene import drawn
from kernel.press.editions.sheet.shapes import bordered, shaped
from kernel.press.editions.sheet.wrap import MadeWrap, made_wrap
from kernel.press.trade.table import shop_pictures

OnPhase = Callable[[str], None]
QUALITY: Final = (94, 90, 86, 80, 72, 60)
JPEG_DPI: Final = 300
MOCKUP_DPI: Final = 144
CHECKED: Final = frozenset({"print", *shop_pictures()})
_ICC_DATE: Final = slice(24, 36)


class _Bytes(NamedTuple):
    """The bytes of a file, its pixels, the artwork's own resolution in it, and what is known of it."""

    data: bytes
    width: int
    height: int
    dpi: float
    known: tuple[Finding, ...]


def make_file(order: MakeFile, on_phase: OnPhase) -> Made:
    """Make a file in a folder: whole or not at all.

    Raises TradeFault, IsbnFault, UnreadablePicture, KeyError (kind).
    """
    file = file_of(order.order, order.kind)
    made = _bytes(order, on_phase)
    path = Path(order.folder) / file.name
    part = path.with_name(f".{file.name}.part")
    part.write_bytes(made.data)
    os.replace(part, path)
    on_phase("check")
    report = report_of(order.order, path, made.known) if order.kind in CHECKED else Report(findings=made.known)
    return Made(
        name=file.name,
        kind=file.kind,
        media_type=file.media_type,
        size=len(made.data),
        sha256=hashlib.sha256(made.data).hexdigest(),
        width=made.width,
        height=made.height,
        dpi=made.dpi,
        report=report,
    )


def show_sheet(order: ShowSheet) -> Shown:
    """Draw a sheet for the screen. Raises TradeFault, IsbnFault, UnreadablePicture."""
    made = _wrap(order.order, lambda phase: None)
    dpi = order.width / made.scene.width
    pixels = drawn(made.scene, dpi)
    if order.panel == "spine":
        box = made.sheet.spine
        left, top = round(box.x * dpi), round(box.y * dpi)
        wide, high = max(1, round(box.width * dpi)), max(1, round(box.height * dpi))
        pixels = pixels[top : top + high, left : left + wide]
    return Shown(
        png=png_of(pixels, dpi, 1),
        width=pixels.shape[1],
        height=pixels.shape[0],
        guides=guides_svg(made.sheet),
        dpi=made.dpi,
        spine_type=bool(made.spine.runs),
        spine_missing=made.spine.missing,
        small=made.scene.smallest,
        report=Report(findings=worst_first(known_of_wrap(order.order, made))),
    )


def _bytes(order: MakeFile, on_phase: OnPhase) -> _Bytes:
    kind = order.kind
    if kind in shop_pictures():
        return _picture(order.order, kind, on_phase)
    if kind == "layers":
        return _Bytes(layered(order.order), 0, 0, 0.0, ())
    if kind.startswith("mockup_"):
        pixels = mockup(order.order, kind)
        return _Bytes(png_of(pixels, MOCKUP_DPI, 4), pixels.shape[1], pixels.shape[0], 0.0, ())
    made = _wrap(order.order, on_phase)
    on_phase("encode")
    height, width = made.scene.picture.shape[:2]
    match kind:
        case "print":
            data = _print(order.order, made)
        case "proof":
            data = proof_pdf(order.order, made, order.words)
        case "proof_picture":
            data = proof_png(made, order.words.mark)
        case _:
            raise KeyError(kind)
    return _Bytes(data, width, height, made.dpi, known_of_wrap(order.order, made))


def _wrap(order: EditionOrder, on_phase: OnPhase) -> MadeWrap:
    """Return a wrap; that of the last order is kept, since several files are made of one."""
    global _last
    stamp = stamp_of(order.front.artwork)
    if _last is None or _last[0] != (order, stamp):
        _last = ((order, stamp), made_wrap(order, on_phase))
    return _last[1]


_last: tuple[tuple[EditionOrder, tuple[str, int] | None], MadeWrap] | None = None


def _print(order: EditionOrder, made: MadeWrap) -> bytes:
    bleeds = Bleeds(made.sheet.bleed, page_of(order.edition, made.sheet))
    if needs_inks(order.edition):
        return pdf_x(made.scene, bleeds, Separation(order.edition.profile), order.book.title, order.made)
    return rgb_pdf(made.scene, bleeds)


def _picture(order: EditionOrder, kind: str, on_phase: OnPhase) -> _Bytes:
    """Return a picture for shops as JPEG, no larger than they take."""
    shape = shop_pictures()[kind]
    on_phase("front")
    made = shaped(order.front, shape.width, shape.height, right_to_left=order.book.right_to_left)
    pixels = bordered(made.pixels)[0] if kind == "ebook" else made.pixels
    on_phase("encode")
    image = Image.fromarray(pixels)
    data = b""
    for quality in QUALITY:
        buffer = io.BytesIO()
        image.save(buffer, "JPEG", quality=quality, subsampling=0, dpi=(JPEG_DPI, JPEG_DPI), icc_profile=_srgb())
        data = buffer.getvalue()
        if shape.most_bytes is None or len(data) < shape.most_bytes * 0.97:
            break
    return _Bytes(data, shape.width, shape.height, 0.0, known_of_picture(made.enlarged))


@cache
def _srgb() -> bytes:
    """Return a profile of sRGB: LittleCMS writes the time into it, which is taken out again."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return profile[: _ICC_DATE.start] + bytes(_ICC_DATE.stop - _ICC_DATE.start) + profile[_ICC_DATE.stop :]
