"""Pictures for shops, proofs, mock-ups, layers, and the process that makes all of them."""

import io
import logging
import re
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
from PIL import Image, ImageCms
from pypdf import PdfReader

from kernel.press.children.pool import DrawingFailed, Limits, Pool
from kernel.press.editions import (
    PROGRAM,
    Book,
    Edition,
    EditionOrder,
    Front,
    Made,
    MakeFile,
    Picture,
    ProofWords,
    Shown,
    ShowSheet,
    files_of,
)
from kernel.press.editions.making import make_file
from kernel.press.editions.sheet.shapes import bordered, lettering_for, shaped
from kernel.press.lettering.measuring import measure
from kernel.press.trade.geometry import TradeFault
from kernel.press.trade.table import shop_pictures
from tests.press.editions.orders import ARABIC, ENGLISH, SMALL, SPARK, front, order

SHAPES = [(kind, shape.width, shape.height) for kind, shape in shop_pictures().items()]


def made_in(folder: Path, asked: EditionOrder, kind: str, mark: str = "") -> tuple[Made, Path]:
    made = make_file(
        MakeFile(order=asked, kind=kind, folder=str(folder), words=ProofWords(mark=mark)), lambda phase: None
    )
    return made, folder / made.name


@pytest.mark.parametrize(("kind", "width", "height"), SHAPES)
def test_shops_get_pictures_of_their_size_as_srgb_jpeg(kind: str, width: int, height: int, tmp_path: Path) -> None:
    form = kind.split("_")[0]
    made, path = made_in(tmp_path, order(Edition(form=form)), kind)  # type: ignore[arg-type]
    with Image.open(path) as image:
        image.load()
    assert (image.format, image.mode, image.size) == ("JPEG", "RGB", (width, height))
    profile = ImageCms.ImageCmsProfile(io.BytesIO(image.info["icc_profile"]))
    assert "sRGB" in ImageCms.getProfileDescription(profile) and path.stat().st_size == made.size
    limit = shop_pictures()[kind].most_bytes
    assert limit is None or made.size <= limit
    assert made.report.outcome != "fail"


def circles(size: tuple[int, int] = (600, 900)) -> bytes:
    """Return a picture with a circle in its upper part and little else."""
    y, x = np.mgrid[: size[1], : size[0]]
    inside = (x - 300) ** 2 + (y - 300) ** 2 < 140**2
    pixels = np.where(inside[..., None], (230, 60, 40), (24, 30, 60)).astype(np.uint8)
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.parametrize("shape", [(900, 900), (1080, 1920), (1200, 630), (1600, 2560)])
def test_nothing_is_squeezed_and_nothing_has_bars(shape: tuple[int, int]) -> None:
    bare = Front(artwork=Picture(data=circles()), composed=(600, 900))
    pixels = shaped(bare, *shape).pixels.astype(int)
    assert pixels.shape == (shape[1], shape[0], 3)
    red = (pixels[..., 0] > 130) & (pixels[..., 2] < 120)
    rows, columns = np.flatnonzero(red.any(axis=1)), np.flatnonzero(red.any(axis=0))
    wide, high = columns[-1] - columns[0] + 1, rows[-1] - rows[0] + 1
    if high < shape[1] and wide < shape[0]:
        assert wide / high == pytest.approx(1, abs=0.02)
    assert red.mean() > 0.02, "the circle is cropped away"


@pytest.mark.parametrize("book", [ENGLISH, ARABIC], ids=["en", "ar"])
@pytest.mark.parametrize("shape", [(600, 600), (450, 800), (480, 600)])
def test_words_are_legible_in_every_shape(book: object, shape: tuple[int, int]) -> None:
    asked = front(book)  # type: ignore[arg-type]
    panel = Image.fromarray(shaped(msgspec.structs.replace(asked, lettering=None), *shape).pixels)
    lettering = lettering_for(asked, panel, *shape)
    buffer = io.BytesIO()
    panel.save(buffer, "PNG")
    for block in measure(buffer.getvalue(), lettering):
        assert block.contrast >= block.needed and block.inside and not block.missing


def test_a_wide_picture_has_its_words_beside_the_artwork() -> None:
    for book in (ENGLISH, ARABIC):
        asked = front(book)
        wordless = shaped(msgspec.structs.replace(asked, lettering=None), 648, 630).pixels
        wide = shaped(asked, 1200, 630, right_to_left=book.right_to_left).pixels
        side = wide[:, :630] if book.right_to_left else wide[:, -630:]
        assert side.shape == (630, 630, 3) and side.std() > 5
        words = wide[:, 648:] if book.right_to_left else wide[:, :552]
        assert np.abs(np.diff(words.astype(int).mean(axis=2), axis=1)).max() > 60, "no letters"
        assert wordless.shape[1] == 648


def test_pale_covers_get_a_border_and_others_none() -> None:
    pale = np.full((400, 250, 3), 253, np.uint8)
    framed, has_border = bordered(pale)
    assert has_border and tuple(framed[0, 0]) == (128, 128, 128) and tuple(framed[4, 4]) == (253, 253, 253)
    assert framed.shape == pale.shape
    assert not bordered(np.full((400, 250, 3), 90, np.uint8))[1]


def test_a_proof_shows_guides_and_measures_and_is_no_print_file(tmp_path: Path) -> None:
    for edition in (SMALL, SPARK):
        _, path = made_in(tmp_path, order(edition), "proof")
        text = subprocess.run(["pdftotext", str(path), "-"], capture_output=True, text=True, check=True).stdout
        assert "in" in text and ("FOGRA39" in text) == (edition is SPARK)
        page = PdfReader(path).pages[0]
        assert float(page.mediabox.width) / 72 > 11
        content = page.get_contents()
        assert content is not None and content.get_data().count(b" re S") >= 6
    _, picture = made_in(tmp_path, order(), "proof_picture")
    pixels = np.asarray(Image.open(picture))
    red, green, blue = (int(value) for value in pixels[0, 300])
    assert red > 150 > 3 * green / 2 and red > 2.5 * blue, "the bleed is red"


@pytest.mark.parametrize("right_to_left", [False, True])
def test_a_proof_says_what_is_printed_and_what_its_guides_mean_where_its_reader_begins(
    tmp_path: Path, *, right_to_left: bool
) -> None:
    legend = {"bleed": "As far as this", "trim": "Cut here", "safe": "Safe for text", "fold": "Spine", "hinge": "Bends"}
    words = ProofWords(printed="Paperback of cream pages", legend=legend, right_to_left=right_to_left)
    task = MakeFile(order=order(SMALL), kind="proof", folder=str(tmp_path), words=words)
    path = tmp_path / make_file(task, lambda phase: None).name
    told = subprocess.run(["pdftotext", "-bbox", str(path), "-"], capture_output=True, text=True, check=True).stdout
    found = re.findall(r'xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)".*?>([^<]+)</word>', told)
    places = {word: (float(left), float(top), float(right)) for left, top, right, word in found}
    sides = [float(side) for side in re.findall(r'<page width="([\d.]+)" height="([\d.]+)"', told)[0]]
    margin = 1.1 * 72
    assert {"Paperback", "Cut", "Safe", "Spine"} <= places.keys() and "Bends" not in places, "a paperback has no hinge"
    assert all(top > sides[1] - margin for word, (_, top, _) in places.items() if word in ("Paperback", "Cut", "Safe"))
    if right_to_left:
        assert places["pages"][2] == pytest.approx(sides[0] - margin, abs=2)
        assert places["As"][0] > places["Cut"][0] or places["As"][0] > places["Safe"][0]
    else:
        assert places["Paperback"][0] == pytest.approx(margin, abs=2)
        assert places["As"][0] < places["Spine"][0] < places["Cut"][0] < places["Safe"][0]


def test_a_watermark_covers_the_proof_and_its_type_with_it(tmp_path: Path) -> None:
    _, plain = made_in(tmp_path, order(), "proof_picture")
    before = np.asarray(Image.open(plain)).astype(int)
    _, marked = made_in(tmp_path, order(), "proof_picture", "PROOF")
    after = np.asarray(Image.open(marked)).astype(int)
    assert 0.02 < (np.abs(after - before).max(axis=2) > 12).mean() < 0.6
    _, pdf = made_in(tmp_path, order(), "proof", "PROOF")
    text = subprocess.run(["pdftotext", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
    assert "beach" not in text and "KDP" in text


@pytest.mark.parametrize("book", [ENGLISH, ARABIC], ids=["en", "ar"])
def test_mockups_stand_on_a_transparent_ground_with_a_shadow(book: object, tmp_path: Path) -> None:
    asked = order(Edition(form="mockups"), book)  # type: ignore[arg-type]
    asked = msgspec.structs.replace(asked, volumes=(front(seed=5),))
    assert len(files_of(asked)) == 6
    for file in files_of(asked):
        _, path = made_in(tmp_path, asked, file.kind)
        image = Image.open(path)
        assert (image.format, image.mode) == ("PNG", "RGBA")
        alpha = np.asarray(image)[..., 3]
        edges = np.concatenate([alpha[0], alpha[-1], alpha[:, 0], alpha[:, -1]])
        assert edges.max() <= 2, "something leaves the picture"
        assert 0.15 < (alpha == 255).mean() < 0.8 and ((alpha > 5) & (alpha < 200)).mean() > 0.003


def test_front_spine_and_back_are_seen_at_once(tmp_path: Path) -> None:
    def half(book: Book) -> list[np.ndarray]:
        _, path = made_in(tmp_path, order(Edition(form="mockups"), book), "mockup_sides")
        pixels = np.asarray(Image.open(path))
        return [pixels[:, :1200], pixels[:, 1200:]]

    left, right = half(ENGLISH)
    for side in (left, right):
        assert 0.3 < (side[..., 3] == 255).mean() < 0.7
    # nothing is shown twice: on the left is the back, with the white place of its barcode
    white = [((side == 255).all(axis=2)).mean() for side in (left, right)]
    assert white[0] > 0.005 > white[1]
    turned = [((side == 255).all(axis=2)).mean() for side in half(ARABIC)]
    assert turned[1] > 0.005 > turned[0]


def test_layers_open_as_openraster(tmp_path: Path) -> None:
    made, path = made_in(tmp_path, order(Edition(form="layers")), "layers")
    assert made.media_type == "image/openraster"
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist()[0] == "mimetype" and archive.read("mimetype") == b"image/openraster"
        assert archive.infolist()[0].compress_type == zipfile.ZIP_STORED
        stack = ElementTree.fromstring(archive.read("stack.xml"))
        layers = {layer.get("name"): layer for layer in stack.iter("layer")}
        assert list(layers) == ["Guides", "Lettering", "Barcode", "Artwork"]
        size = (int(stack.get("w", "0")), int(stack.get("h", "0")))
        for layer in layers.values():
            image = Image.open(io.BytesIO(archive.read(layer.get("src", ""))))
            assert image.size == size and image.mode == "RGBA"
        letters = np.asarray(Image.open(io.BytesIO(archive.read(layers["Lettering"].get("src", "")))))[..., 3]
        assert 0.005 < (letters > 0).mean() < 0.4
        merged = Image.open(io.BytesIO(archive.read("mergedimage.png")))
        assert merged.size == size
        assert max(Image.open(io.BytesIO(archive.read("Thumbnails/thumbnail.png"))).size) == 256


def test_every_file_is_made_the_same_again(tmp_path: Path) -> None:
    for form, kinds in (
        ("ebook", ["ebook"]),
        ("audiobook", ["audiobook_2400"]),
        ("social", ["social_link"]),
        ("mockups", ["mockup_paperback", "mockup_sides"]),
        ("layers", ["layers"]),
        ("paperback", ["proof", "proof_picture"]),
    ):
        asked = order(msgspec.structs.replace(SMALL, form=form))
        for kind in kinds:
            assert len({made_in(tmp_path, asked, kind)[0].sha256 for _ in range(2)}) == 1, kind


def test_a_file_is_there_in_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(TradeFault):
        made_in(tmp_path, order(SMALL, pages=3), "print")
    with pytest.raises(KeyError):
        made_in(tmp_path, order(), "ebook")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_a_warm_process_makes_shows_and_refuses(tmp_path: Path) -> None:
    pool = Pool(PROGRAM, Limits(), logging.getLogger("editions"))
    phases: list[str] = []

    async def heard(phase: str) -> None:
        phases.append(phase)

    try:
        asked = MakeFile(order=order(), kind="print", folder=str(tmp_path))
        made = await pool.run(asked, Made, heard)
        assert (tmp_path / made.name).stat().st_size == made.size
        assert phases == ["front", "ground", "type", "encode", "check"]
        shown = await pool.run(ShowSheet(order=order(), width=900), Shown)
        assert Image.open(io.BytesIO(shown.png)).size == (shown.width, shown.height) and shown.width == 900
        assert {element.get("class") for element in ElementTree.fromstring(shown.guides)} == {
            "bleed", "trim", "safe", "fold", "barcode",
        }  # fmt: skip
        assert shown.spine_type and not shown.spine_missing and shown.small >= 6 and shown.dpi == 150
        no_picture = msgspec.structs.replace(order(), front=Front(artwork=Picture(data=b"no")))
        bad = (
            (MakeFile(order=order(SMALL, pages=3), kind="print", folder=str(tmp_path)), Made, "order"),
            (MakeFile(order=order(), kind="nothing", folder=str(tmp_path)), Made, "order"),
            (
                ShowSheet(order=no_picture),
                Shown,
                "picture",
            ),
        )
        for task, kind, reason in bad:
            with pytest.raises(DrawingFailed) as caught:
                await pool.run(task, kind)
            assert caught.value.reason == reason
    finally:
        await pool.aclose()
