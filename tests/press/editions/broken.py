"""Files that break one rule of preflight each, made of good ones."""

import io
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf
from PIL import Image, ImageCms

Break = Callable[[Pdf], None]


def page(pdf: Pdf) -> Dictionary:
    found: Dictionary = pdf.pages[0].obj
    return found


def drawn(operators: str, resources: Callable[[Pdf], Dictionary] | None = None) -> Break:
    """Return what adds operators to the page, and resources by kind and name."""

    def change(pdf: Pdf) -> None:
        own = page(pdf)
        for kind, items in (resources(pdf) if resources else Dictionary()).items():
            if kind not in own.Resources:
                own.Resources[kind] = Dictionary()
            for name, item in items.items():
                own.Resources[kind][name] = item
        pdf.pages[0].contents_add(pdf.make_stream(operators.encode()), prepend=False)

    return change


def text(x: float, y: float, size: float, font: str = "/Helvetica", more: str = "") -> Break:
    """Return what sets a word at (x, y) points, in a font of the reader's."""

    def fonts(pdf: Pdf) -> Dictionary:
        own = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name(font))
        return Dictionary(Font=Dictionary(FX=pdf.make_indirect(own)))

    return drawn(f"BT {more} /FX {size} Tf {x} {y} Td (Words) Tj ET", fonts)


def borrowed(x: float, y: float, size: float, more: str = "") -> Break:
    """Return what sets a glyph at (x, y) points in a font that the page has."""

    def change(pdf: Pdf) -> None:
        own = page(pdf).Resources.Font
        name = min(own.keys())
        pairs = re.findall(r"<(\w{4})> <(\w{4})>\n", own[name].ToUnicode.read_bytes().decode())
        glyph = next(int(glyph, 16) for glyph, char in pairs if chr(int(char, 16)).isalnum())
        words = f"<{glyph:04X}>" * 6
        pdf.pages[0].contents_add(
            pdf.make_stream(f"BT {more} {name} {size} Tf {x} {y} Td {words} Tj ET".encode()), prepend=False
        )

    return change


def picture(pdf: Pdf, size: tuple[int, int] = (40, 40), space: str = "/DeviceRGB", **keys: object) -> pikepdf.Object:
    channels = {"/DeviceCMYK": 4, "/DeviceGray": 1}.get(space, 3)
    data = bytes(size[0] * size[1] * channels)
    made = pdf.make_stream(data, Type=Name.XObject, Subtype=Name.Image, Width=size[0], Height=size[1])
    made.ColorSpace = Name(space)
    made.BitsPerComponent = 8
    for key, value in keys.items():
        made[f"/{key}"] = value
    return made


def placed(operators: str, make: Callable[[Pdf], pikepdf.Object]) -> Break:
    return drawn(operators, lambda pdf: Dictionary(XObject=Dictionary(ImX=make(pdf))))


def _annotated(pdf: Pdf) -> None:
    note = Dictionary(Type=Name.Annot, Subtype=Name.Text, Rect=Array([100, 100, 140, 140]), Contents="A note")
    page(pdf).Annots = Array([pdf.make_indirect(note)])


def _outlined(pdf: Pdf) -> None:
    with pdf.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem("Cover", 0))


def _layered(pdf: Pdf) -> None:
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name="Guides"))
    pdf.Root.OCProperties = Dictionary(OCGs=Array([group]), D=Dictionary(Order=Array([group])))


def _scripted(pdf: Pdf) -> None:
    pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS="app.alert(1)")


def _attached(pdf: Pdf) -> None:
    pdf.attachments["notes.txt"] = b"to the printer"


def _form(pdf: Pdf) -> None:
    field = pdf.make_indirect(Dictionary(FT=Name.Tx, T="name"))
    pdf.Root.AcroForm = Dictionary(Fields=Array([field]))


def _two_pages(pdf: Pdf) -> None:
    pdf.add_blank_page()


def _told(pdf: Pdf) -> None:
    pdf.docinfo["/Author"] = "Somebody"


def _wider(points: float) -> Break:
    def change(pdf: Pdf) -> None:
        for key in ("/MediaBox", "/BleedBox"):
            box = [float(side) for side in page(pdf)[key]]
            page(pdf)[key] = Array([box[0], box[1], box[2] + points, box[3]])

    return change


def _higher(pdf: Pdf) -> None:
    box = [float(side) for side in page(pdf).MediaBox]
    page(pdf).MediaBox = Array([box[0], box[1], box[2], box[3] + 20])


def _turned(pdf: Pdf) -> None:
    page(pdf).Rotate = 90


def _cropped(pdf: Pdf) -> None:
    box = [float(side) for side in page(pdf).MediaBox]
    page(pdf).CropBox = Array([box[0] + 9, box[1] + 9, box[2] - 9, box[3] - 9])


def _trimmed(pdf: Pdf) -> None:
    box = [float(side) for side in page(pdf).TrimBox]
    page(pdf).TrimBox = Array([box[0] + 9, box[1], box[2], box[3]])


def _short(pdf: Pdf) -> None:
    """Move the picture inwards, so that nothing is drawn up to the edges."""
    content = page(pdf).Contents.read_bytes().decode()
    box = [float(side) for side in page(pdf).MediaBox]
    first, rest = content.split("\n", 1)
    assert first.startswith("q ")
    page(pdf).Contents = pdf.make_stream(f"q {box[2] - 18} 0 0 {box[3] - 18} 9 9 cm /Im0 Do Q\n{rest}".encode())


def _white_edge(pdf: Pdf) -> None:
    box = [float(side) for side in page(pdf).MediaBox]
    drawn(f"1 1 1 rg 0 0 {box[2]} 6 re f")(pdf)


def _blank(pdf: Pdf) -> None:
    box = [float(side) for side in page(pdf).MediaBox]
    page(pdf).Contents = pdf.make_stream(f"0.5 g 0 0 {box[2]} {box[3]} re f".encode())


def _marks(pdf: Pdf) -> None:
    box = [float(side) for side in page(pdf).MediaBox]
    drawn(f"0.5 w 0 9 m 7 9 l S 9 0 m 9 7 l S {box[2]} 9 m {box[2] - 7} 9 l S")(pdf)


def _see_through(**state: object) -> Break:
    def resources(pdf: Pdf) -> Dictionary:
        return Dictionary(ExtGState=Dictionary(GX=Dictionary(Type=Name.ExtGState, **state)))

    return drawn("/GX gs 200 200 20 20 re f", resources)


def _spot(pdf: Pdf) -> None:
    def resources(pdf: Pdf) -> Dictionary:
        turn = pdf.make_indirect(
            Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([0, 0, 0, 0]), C1=Array([0, 1, 1, 0]), N=1)
        )
        return Dictionary(
            ColorSpace=Dictionary(CX=Array([Name.Separation, Name("/PANTONE#20Red"), Name.DeviceCMYK, turn]))
        )

    drawn("/CX cs 1 scn 200 200 20 20 re f", resources)(pdf)


def _tagged(pdf: Pdf) -> None:
    def resources(pdf: Pdf) -> Dictionary:
        profile = pdf.make_stream(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes(), N=3)
        return Dictionary(ColorSpace=Dictionary(CX=Array([Name.ICCBased, profile])))

    drawn("/CX cs 1 0 0 scn 200 200 20 20 re f", resources)(pdf)


def _no_intent(pdf: Pdf) -> None:
    del pdf.Root.OutputIntents


def _no_version(pdf: Pdf) -> None:
    del pdf.trailer.Info["/GTS_PDFXVersion"]


def _not_trapped(pdf: Pdf) -> None:
    del pdf.trailer.Info["/Trapped"]


def _bars(pdf: Pdf, change: Callable[[str], str]) -> None:
    content = page(pdf).Contents.read_bytes().decode()
    page(pdf).Contents = pdf.make_stream(change(content).encode())


def _narrow_white(pdf: Pdf) -> None:
    """Paint over the white left of the bars."""
    content = page(pdf).Contents.read_bytes().decode()
    bars = [line.split() for line in content.split("\n") if line.endswith(" re f")]
    x, y, _, height = (float(value) for value in bars[1][:4])
    drawn(f"0 0 0 rg {x - 9} {y} 4 {height} re f")(pdf)


def _pale_bars(pdf: Pdf) -> None:
    _bars(pdf, lambda content: content.replace("\n0 0 0 rg\n", "\n0.55 0.55 0.55 rg\n", 1))


def _shrunk_bars(pdf: Pdf) -> None:
    """Draw bars and digits at two thirds of their size."""
    lines = page(pdf).Contents.read_bytes().decode().split("\n")
    white = next(index for index, line in enumerate(lines) if line.endswith(" re f"))
    x, y = (float(value) for value in lines[white].split()[:2])
    last = max(index for index, line in enumerate(lines) if line.endswith(" re f"))
    lines.insert(last + 1, "Q")
    lines.insert(white + 1, f"q 0.66 0 0 0.66 {x * 0.34 + 25} {y * 0.34 + 15} cm")
    page(pdf).Contents = pdf.make_stream("\n".join(lines).encode())


def _wrong_bars(pdf: Pdf) -> None:
    """Make one bar of the symbol wider."""
    lines = page(pdf).Contents.read_bytes().decode().split("\n")
    bars = [index for index, line in enumerate(lines) if line.endswith(" re f")]
    parts = lines[bars[12]].split()
    parts[2] = str(float(parts[2]) * 2)
    lines[bars[12]] = " ".join(parts)
    page(pdf).Contents = pdf.make_stream("\n".join(lines).encode())


KDP: dict[str, Break] = {
    "one_page": _two_pages,
    "metadata": _told,
    "annotations": _annotated,
    "bookmarks": _outlined,
    "layers": _layered,
    "scripts": _scripted,
    "attachments": _attached,
    "form_fields": _form,
    "fonts_embedded": text(120, 300, 12),
    "page_size": _higher,
    "spine_width": _wider(20),
    "rotation": _turned,
    "crop_box": _cropped,
    "trim_box": _trimmed,
    "bleed": _short,
    "safe_area": borrowed(12, 300, 12),
    "spine_safe": borrowed(371, 300, 12),
    "text_size": borrowed(120, 300, 4),
    "hidden_text": borrowed(120, 300, 12, "3 Tr"),
    "printer_marks": _marks,
    "white_strip": _white_edge,
    "blank_page": _blank,
    "barcode_quiet": _narrow_white,
    "barcode_contrast": _pale_bars,
    "barcode_size": _shrunk_bars,
    "barcode_number": _wrong_bars,
    "image_resolution": placed("q 144 0 0 144 100 200 cm /ImX Do Q", lambda pdf: picture(pdf, (120, 120))),
    "image_excess": placed("q 4 0 0 4 100 200 cm /ImX Do Q", lambda pdf: picture(pdf, (90, 90))),
    "color_space": drawn("0 1 0 0 k 200 200 20 20 re f"),
    "spot_colors": _spot,
    "total_ink": drawn("1 1 0.6 0.5 k 200 200 20 20 re f"),
    "black_type": borrowed(120, 300, 12, "0.6 0.4 0.4 1 k"),
    "transparency": _see_through(ca=0.5),
    "press_settings": _see_through(TR=Name.Identity),
    "line_width": drawn("0.05 w 120 300 m 200 300 l S"),
}
"""By rule, what breaks it in a good file for KDP."""

MORE_TRANSPARENT: dict[str, Break] = {
    "soft mask of a picture": placed(
        "q 40 0 0 40 100 200 cm /ImX Do Q", lambda pdf: picture(pdf, SMask=picture(pdf, space="/DeviceGray"))
    ),
    "blend mode": _see_through(BM=Name.Multiply),
    "group of the page": lambda pdf: page(pdf).__setattr__("Group", Dictionary(S=Name.Transparency)),
}

SPARK: dict[str, Break] = {
    "pdfx": _no_version,
    "output_intent": _no_intent,
    "trapped": _not_trapped,
    "color_space": drawn("1 0 0 rg 200 200 20 20 re f"),
    "color_profiles": _tagged,
    "spot_colors": _spot,
    "total_ink": placed(
        "q 20 0 0 20 100 200 cm /ImX Do Q",
        lambda pdf: _cmyk(pdf, (255, 200, 150, 90)),
    ),
    "trim_box": lambda pdf: page(pdf).__delattr__("TrimBox"),
    "black_type": borrowed(120, 300, 12, "0.6 0.4 0.4 1 k"),
    "compression": placed("q 20 0 0 20 100 200 cm /ImX Do Q", lambda pdf: _jpeg_2000(pdf)),
}
"""By rule, what breaks it in a good file for IngramSpark."""


def _cmyk(pdf: Pdf, ink: tuple[int, int, int, int]) -> pikepdf.Object:
    made = pdf.make_stream(bytes(ink) * 10_000, Type=Name.XObject, Subtype=Name.Image, Width=100, Height=100)
    made.ColorSpace = Name.DeviceCMYK
    made.BitsPerComponent = 8
    return made


def _jpeg_2000(pdf: Pdf) -> pikepdf.Object:
    buffer = io.BytesIO()
    Image.new("RGB", (90, 90), "red").save(buffer, "JPEG2000")
    made = pikepdf.Stream(pdf, buffer.getvalue())
    made.Type, made.Subtype, made.Width, made.Height = Name.XObject, Name.Image, 90, 90
    made.Filter = Name.JPXDecode
    return made


def _noise(size: tuple[int, int], mode: str = "RGB") -> Image.Image:
    rng = np.random.default_rng(2)
    channels = {"RGB": 3, "RGBA": 4, "CMYK": 4, "L": 1}[mode]
    small = rng.integers(0, 250, (40, 25, channels), dtype=np.uint8)
    return Image.fromarray(small.squeeze(), mode).resize(size, Image.Resampling.BICUBIC)


def _saved(image: Image.Image, kind: str = "JPEG", **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)  # type: ignore[arg-type]
    return buffer.getvalue()


def good_ebook() -> bytes:
    return _saved(_noise((1600, 2560)))


def good_audio() -> bytes:
    return _saved(_noise((2400, 2400)))


def _padded() -> bytes:
    square = Image.new("RGB", (2400, 2400), "#202020")
    square.paste(_noise((1600, 2400)), (400, 0))
    return _saved(square)


def _other_profile() -> bytes:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB"))
    return _saved(_noise((1600, 2560)), icc_profile=profile.tobytes())


def _moving() -> bytes:
    frames = [_noise((1600, 2560)), _noise((1600, 2560)).rotate(180)]
    return _saved(frames[0], "PNG", save_all=True, append_images=frames[1:])


def _pale() -> bytes:
    cover = Image.new("RGB", (1600, 2560), "white")
    cover.paste(_noise((800, 900)), (400, 800))
    return _saved(cover)


def _clear() -> bytes:
    return _saved(_noise((1600, 2560), "RGBA"), "PNG")


EBOOKS: dict[str, Callable[[], bytes]] = {
    "picture_format": lambda: _saved(_noise((1600, 2560)), "TIFF"),
    "picture_size": lambda: _saved(_noise((500, 800))),
    "picture_ideal": lambda: _saved(_noise((1000, 1600))),
    "picture_most": lambda: _saved(_noise((6400, 10_240)), quality=20),
    "picture_shape": lambda: _saved(_noise((1800, 2000))),
    "picture_color": lambda: _saved(_noise((1600, 2560), "CMYK")),
    "picture_profile": _other_profile,
    "picture_transparent": _clear,
    "picture_moving": _moving,
    "picture_border": _pale,
    "picture_blank": lambda: _saved(Image.new("RGB", (1600, 2560), "#445566")),
}
AUDIOBOOKS: dict[str, Callable[[], bytes]] = {
    "picture_shape": lambda: _saved(_noise((2400, 2500))),
    "picture_bars": _padded,
    "picture_file": lambda: _saved(Image.effect_noise((3000, 3000), 200).convert("RGB"), quality=100, subsampling=0),
    "picture_size": lambda: _saved(_noise((2000, 2000))),
}


def broken(good: Path, change: Break, to: Path, **options: object) -> Path:
    """Write a changed copy of a good file."""
    with pikepdf.open(good) as pdf:
        change(pdf)
        pdf.save(to, **options)  # type: ignore[arg-type]
    return to
