"""Writes the one page: for KDP in RGB without any metadata, for IngramSpark as PDF/X-1a:2001 in CMYK; and reports."""

import io
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

import numpy as np
import pikepdf
from isal import isal_zlib
from pikepdf import Array, Dictionary, Name
from PIL import Image

from kernel.press.editions.pdf.content import POINTS, Inked, content_of
from kernel.press.editions.pdf.fonts import UsedFace
from kernel.press.editions.pdf.separation import Separation
from kernel.press.editions.sheet.scene import Pixels, Scene, TypePage

QUALITY: Final = 93
LESS_QUALITY: Final = (88, 82, 75)
MOST_BYTES: Final = 40_000_000
"""What KDP recommends; it takes 650 MB."""
PNG_UP: Final = 12  # the predictor of a PNG: each row as its difference from the one above
CMYK: Final = 4
EFFORT: Final = 1  # of ISA-L: a third of the time of zlib's quickest, and smaller


class Bleeds(NamedTuple):
    """How far the trim lies inside of the sheet, and the page on which the sheet lies in the middle, in inches.

    `over` are operators that draw over everything, in points from the sheet's left lower corner.
    """

    bleed: float
    page: tuple[float, float]
    over: bytes = b""


class About(NamedTuple):
    """What a document for people says of itself. `made` is ISO 8601, UTC."""

    title: str
    language: str
    right_to_left: bool
    made: str


def text_pdf(pages: Sequence[TypePage], about: About) -> bytes:
    """Return a document of several pages of type in device RGB, which tells its title and its language."""
    pdf = pikepdf.new()
    faces: dict[int, UsedFace] = {}
    contents = [content_of(page, faces, lambda color, small: _rgb(color), 0.0, 0.0, spelled=True) for page in pages]
    resources = pdf.make_indirect(Dictionary(Font=_fonts(pdf, faces), ProcSet=Array([Name.PDF, Name.Text])))
    for page, content in zip(pages, contents, strict=True):
        one = Dictionary(
            Type=Name.Page,
            MediaBox=_box(0, 0, page.width * POINTS, page.height * POINTS),
            Resources=resources,
            Contents=pdf.make_stream(content),
        )
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(one)))
    pdf.trailer.Info = pdf.make_indirect(Dictionary(_info(about.title, about.made)))
    pdf.Root.Lang = about.language
    way = Name.R2L if about.right_to_left else Name.L2R
    pdf.Root.ViewerPreferences = Dictionary(DisplayDocTitle=True, Direction=way)
    return _saved(pdf, "1.4")


def rgb_pdf(scene: Scene, bleeds: Bleeds) -> bytes:
    """Return a PDF in device RGB: no metadata, no transparency, nothing but the page."""
    pdf = pikepdf.new()
    image = _jpeg(scene.picture)
    stream = pdf.make_stream(
        image,
        {
            "/Type": Name.XObject,
            "/Subtype": Name.Image,
            "/Width": scene.picture.shape[1],
            "/Height": scene.picture.shape[0],
            "/ColorSpace": Name.DeviceRGB,
            "/BitsPerComponent": 8,
            "/Filter": Name.DCTDecode,
        },
    )
    _page(pdf, scene, bleeds, stream, lambda color, small: _rgb(color))
    if "/Info" in pdf.trailer:
        del pdf.trailer.Info
    return _saved(pdf, "1.4")


def pdf_x(scene: Scene, bleeds: Bleeds, separation: Separation, title: str, made: str) -> bytes:
    """Return a PDF/X-1a:2001: device CMYK, the output intent named. `made` is ISO 8601, UTC."""
    pdf = pikepdf.new()
    inks = separation.image(scene.picture)
    stream = pdf.make_stream(
        _flated(inks),
        {
            "/Type": Name.XObject,
            "/Subtype": Name.Image,
            "/Width": inks.shape[1],
            "/Height": inks.shape[0],
            "/ColorSpace": Name.DeviceCMYK,
            "/BitsPerComponent": 8,
            "/Filter": Name.FlateDecode,
            "/DecodeParms": Dictionary(Predictor=PNG_UP, Colors=CMYK, BitsPerComponent=8, Columns=inks.shape[1]),
        },
    )
    _page(pdf, scene, bleeds, stream, lambda color, small: _cmyk(separation.color(color, small)))
    standard = {
        "/Trapped": Name("/False"),
        "/GTS_PDFXVersion": "PDF/X-1:2001",
        "/GTS_PDFXConformance": "PDF/X-1a:2001",
    }
    pdf.trailer.Info = pdf.make_indirect(Dictionary(_info(title, made) | standard))
    intent = separation.intent
    entry = Dictionary(
        Type=Name.OutputIntent,
        S=Name.GTS_PDFX,
        OutputConditionIdentifier=intent.identifier,
        Info=intent.info,
    )
    if intent.profile:
        entry.DestOutputProfile = pdf.make_stream(intent.profile, {"/N": CMYK})
    else:
        entry.OutputCondition = intent.info
        entry.RegistryName = "http://www.color.org"
    pdf.Root.OutputIntents = Array([pdf.make_indirect(entry)])
    return _saved(pdf, "1.3")


def _page(pdf: pikepdf.Pdf, scene: Scene, bleeds: Bleeds, image: pikepdf.Object, inked: Inked) -> None:
    """Add the page: its media is the printer's page, its bleed the sheet, its trim what is cut or folded in."""
    width, height = (side * POINTS for side in bleeds.page)
    left, bottom = (width - scene.width * POINTS) / 2, (height - scene.height * POINTS) / 2
    faces: dict[int, UsedFace] = {}
    content = content_of(scene, faces, inked, left, bottom)
    if bleeds.over:
        content += f"q 1 0 0 1 {left:.4f} {bottom:.4f} cm\n".encode("ascii") + bleeds.over + b"\nQ\n"
    fonts = _fonts(pdf, faces)
    right, top = left + scene.width * POINTS, bottom + scene.height * POINTS
    cut = bleeds.bleed * POINTS
    page = Dictionary(
        Type=Name.Page,
        MediaBox=_box(0, 0, width, height),
        BleedBox=_box(left, bottom, right, top),
        TrimBox=_box(left + cut, bottom + cut, right - cut, top - cut),
        Resources=Dictionary(
            XObject=Dictionary(Im0=image), Font=fonts, ProcSet=Array([Name.PDF, Name.Text, Name.ImageC])
        ),
        Contents=pdf.make_stream(content),
    )
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))


def _fonts(pdf: pikepdf.Pdf, faces: Mapping[int, UsedFace]) -> Dictionary:
    fonts = Dictionary()
    for face in faces.values():
        fonts[face.name] = face.added(pdf)
    return fonts


def _info(title: str, made: str) -> dict[str, Any]:
    """Return what a document says of itself where it may; `made` is ISO 8601, UTC."""
    date = datetime.fromisoformat(made.replace("Z", "+00:00")).strftime("D:%Y%m%d%H%M%SZ")
    return {
        "/Title": title,
        "/Creator": "Coverwright",
        "/Producer": "Coverwright",
        "/CreationDate": date,
        "/ModDate": date,
    }


def _box(*sides: float) -> Array:
    return Array([round(side, 4) for side in sides])


def _saved(pdf: pikepdf.Pdf, version: str) -> bytes:
    """Return the document: old-fashioned tables, and an id that is made of the content."""
    buffer = io.BytesIO()
    pdf.save(
        buffer,
        force_version=version,
        object_stream_mode=pikepdf.ObjectStreamMode.disable,
        compress_streams=True,
        stream_decode_level=pikepdf.StreamDecodeLevel.none,
        deterministic_id=True,
        linearize=False,
    )
    return buffer.getvalue()


def _jpeg(picture: Pixels) -> bytes:
    """Return the picture as JPEG without losing color detail, smaller where the printer asks for it."""
    image = Image.fromarray(picture)
    data = b""
    for quality in (QUALITY, *LESS_QUALITY):
        buffer = io.BytesIO()
        image.save(buffer, "JPEG", quality=quality, subsampling=0)
        data = buffer.getvalue()
        if len(data) < MOST_BYTES * 0.97:
            break
    return data


def _flated(inks: Pixels) -> bytes:
    """Return the inks compressed without loss: the limit of ink holds for every pixel."""
    height, width = inks.shape[:2]
    flat = inks.reshape(height, width * CMYK)
    rows = np.empty((height, width * CMYK + 1), np.uint8)
    rows[:, 0] = 2
    rows[0, 1:] = flat[0]
    np.subtract(flat[1:], flat[:-1], out=rows[1:, 1:])
    return isal_zlib.compress(rows.data, EFFORT)


def _rgb(color: str) -> str:
    return " ".join(f"{int(color[i : i + 2], 16) / 255:.4g}" for i in (1, 3, 5)) + " rg"


def _cmyk(inks: tuple[float, float, float, float]) -> str:
    return " ".join(f"{ink:.4g}" for ink in inks) + " k"
