"""Layers for a human finisher: OpenRaster 0.0.6 (freedesktop.org), with artwork, lettering and guides apart."""

import io
import zipfile
from collections.abc import Sequence
from typing import Final, NamedTuple
from xml.sax.saxutils import quoteattr

import msgspec
import numpy as np
from PIL import Image

from kernel.press.editions.files import PRINTED
from kernel.press.editions.order import Edition, EditionOrder
from kernel.press.editions.sheet.guides import Guide, guides_of
from kernel.press.editions.sheet.scene import Pixels, Scene, paint_type, rgba_of
from kernel.press.editions.sheet.wrap import made_wrap
from kernel.press.engine import skia
from kernel.press.trade.geometry import DPI
from kernel.press.trade.table import printers

MIMETYPE: Final = "image/openraster"
EPOCH: Final = (1980, 1, 1, 0, 0, 0)
THUMBNAIL: Final = 256
LINE: Final = 3.0  # pixels
PLAIN: Final = Edition(form="paperback", printer="kdp", trim=(6.0, 9.0), pages=300, paper="cream")
"""The sheet of a book that has no printer yet."""


class _Layer(NamedTuple):
    name: str
    pixels: Pixels


def printed_edition(edition: Edition) -> Edition:
    """Return the edition as a printed one: that of its printer where it has one, else a usual paperback."""
    if edition.form in PRINTED:
        return edition
    if edition.printer in printers():
        for form in PRINTED:
            binding = printers()[edition.printer].bindings.get(form)
            if binding and (binding.any_trim or edition.trim in binding.trims) and edition.paper in binding.papers:
                return msgspec.structs.replace(edition, form=form)
    return msgspec.structs.replace(PLAIN, isbn=edition.isbn, price=edition.price, ground=edition.ground)


def layered(order: EditionOrder) -> bytes:
    """Return the whole cover as OpenRaster at 300 dpi. Raises TradeFault, IsbnFault, UnreadablePicture."""
    made = made_wrap(msgspec.structs.replace(order, edition=printed_edition(order.edition)))
    scene = made.scene
    barcode = msgspec.structs.replace(scene, runs=(), areas=scene.areas)
    letters = msgspec.structs.replace(scene, areas=())
    layers = [
        _Layer("Guides", _guides(scene, guides_of(made.sheet))),
        _Layer("Lettering", _type(letters)),
        _Layer("Barcode", _type(barcode)),
        _Layer("Artwork", rgba_of(scene.picture)),
    ]
    return _packed(layers)


def _type(scene: Scene) -> Pixels:
    surface = _clear(scene)
    canvas = surface.getCanvas()
    canvas.scale(DPI, DPI)
    paint_type(canvas, scene)
    return _pixels(surface)


def _guides(scene: Scene, guides: Sequence[Guide]) -> Pixels:
    surface = _clear(scene)
    canvas = surface.getCanvas()
    for guide in guides:
        box = guide.box
        paint = skia.Paint(AntiAlias=True, Color=0xFF000000 | int(guide.color[1:], 16))
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(LINE)
        canvas.drawRect(skia.Rect.MakeXYWH(box.x * DPI, box.y * DPI, box.width * DPI, box.height * DPI), paint)
    return _pixels(surface)


def _clear(scene: Scene) -> skia.Surface:
    height, width = scene.picture.shape[:2]
    return skia.Surface(width, height)


def _pixels(surface: skia.Surface) -> Pixels:
    image = surface.makeImageSnapshot()
    info = skia.ImageInfo.Make(image.width(), image.height(), skia.kRGBA_8888_ColorType, skia.kUnpremul_AlphaType)
    pixels = np.zeros((image.height(), image.width(), 4), np.uint8)
    image.readPixels(info, pixels, pixels.strides[0], 0, 0)
    return pixels


def _packed(layers: Sequence[_Layer]) -> bytes:
    """Return the archive; the topmost layer comes first."""
    height, width = layers[0].pixels.shape[:2]
    images = [Image.fromarray(layer.pixels) for layer in layers]
    merged = images[-1].copy()
    for image in images[-2:0:-1]:  # what is printed: without guides
        merged.alpha_composite(image)
    small = merged.copy()
    small.thumbnail((THUMBNAIL, THUMBNAIL), Image.Resampling.BOX)
    entries = "".join(
        f'<layer name={quoteattr(layer.name)} src="data/layer{index}.png" x="0" y="0" opacity="1.0" '
        f'visibility="{"hidden" if layer.name == "Guides" else "visible"}" composite-op="svg:src-over"/>'
        for index, layer in enumerate(layers)
    )
    stack = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<image version="0.0.6" w="{width}" h="{height}" xres="{DPI}" yres="{DPI}"><stack>{entries}</stack></image>'
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        _add(archive, "mimetype", MIMETYPE.encode())
        _add(archive, "stack.xml", stack.encode())
        for index, image in enumerate(images):
            _add(archive, f"data/layer{index}.png", _png(image))
        _add(archive, "mergedimage.png", _png(merged.convert("RGB")))
        _add(archive, "Thumbnails/thumbnail.png", _png(small))
    return buffer.getvalue()


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_STORED)


def _png(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=3, dpi=(DPI, DPI))
    return buffer.getvalue()
