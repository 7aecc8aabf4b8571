"""Print files, read by other programs than wrote them: Ghostscript, poppler, qpdf and pypdf."""

import io
import re
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pikepdf
import pytest
from PIL import Image
from pypdf import PdfReader

from kernel.press.editions import Book, EditionOrder, MakeFile, Template
from kernel.press.editions.making import make_file
from kernel.press.editions.pdf.separation import MOST_INK, Separation, limited
from kernel.press.editions.sheet.wrap import made_wrap
from kernel.press.lettering.composing import compose
from tests.press.editions.orders import (
    ARABIC,
    CASE,
    ENGLISH,
    HARDCOVER,
    JAPANESE,
    PAPERBACK,
    SMALL,
    SPARK,
    front,
    order,
)

CASES = {
    "paperback": order(SMALL),
    "hardcover": order(HARDCOVER),
    "arabic": order(SMALL, ARABIC),
    "japanese": order(SMALL, JAPANESE),
    "x": order(SPARK),
    "x-arabic": order(SPARK, ARABIC),
    "case": order(CASE),
    "case-arabic": order(CASE, ARABIC),
}
X = ("x", "x-arabic", "case", "case-arabic")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("print")


@cache
def _made(folder: Path, name: str) -> Path:
    own = folder / name
    own.mkdir()
    made = make_file(MakeFile(order=CASES[name], kind="print", folder=str(own)), lambda phase: None)
    return own / made.name


@pytest.fixture(params=CASES)
def name(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


def said(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def test_boxes_are_right_to_a_thousandth_of_an_inch(folder: Path, name: str) -> None:
    page = PdfReader(_made(folder, name)).pages[0]
    sheet = made_wrap(CASES[name]).sheet
    size = [float(page.mediabox.width) / 72, float(page.mediabox.height) / 72]
    assert size == pytest.approx([sheet.width, sheet.height], abs=0.001)
    assert [float(page.bleedbox.width) / 72, float(page.bleedbox.height) / 72] == pytest.approx(size, abs=0.001)
    trim = [float(side) / 72 for side in page.trimbox]
    outside = sheet.bleed
    assert trim == pytest.approx([outside, outside, sheet.width - outside, sheet.height - outside], abs=0.001)


def test_qpdf_finds_nothing_and_there_is_one_page(folder: Path, name: str) -> None:
    path = _made(folder, name)
    assert "No syntax or stream encoding errors found" in said("qpdf", "--check", str(path))
    assert said("qpdf", "--show-npages", str(path)).strip() == "1"


def test_type_is_text_in_embedded_subsets(folder: Path, name: str) -> None:
    lines = said("pdffonts", str(_made(folder, name))).splitlines()[2:]
    assert lines and all(re.search(r"CID TrueType\s+Identity-H\s+yes yes yes", line) for line in lines)
    text = said("pdftotext", "-raw", str(_made(folder, name)), "-")
    squeezed = re.sub(r"\W", "", text)
    title = {"arabic": "البحر", "x-arabic": "البحر", "case-arabic": "البحر", "japanese": "海辺の"}.get(name, "THRONE")
    assert title in squeezed or title in squeezed.upper()
    assert "9783161484100" in squeezed


def test_there_is_one_picture_at_300_dpi_and_no_transparency(folder: Path, name: str) -> None:
    rows = said("pdfimages", "-list", str(_made(folder, name))).splitlines()[2:]
    assert len(rows) == 1
    fields = rows[0].split()
    assert fields[5] == ("cmyk" if name in X else "rgb")
    assert abs(int(fields[12]) - 300) <= 1 and abs(int(fields[13]) - 300) <= 1
    raw = pikepdf.open(_made(folder, name))
    every = [item for item in raw.objects if isinstance(item, pikepdf.Dictionary | pikepdf.Stream)]
    keys = {str(key) for item in every for key in item.keys()}  # noqa: SIM118
    assert not keys & {"/SMask", "/ca", "/CA", "/BM", "/Group", "/OCProperties", "/Annots", "/Outlines", "/Metadata"}


def test_kdp_gets_no_metadata_and_a_small_file(folder: Path, name: str) -> None:
    path = _made(folder, name)
    if name in X:
        pytest.skip("PDF/X names itself in its metadata")
    assert PdfReader(path).metadata is None and b"/Producer" not in path.read_bytes()
    assert path.stat().st_size < 40_000_000


@pytest.mark.parametrize("name", X)
def test_pdf_x_says_what_it_is(folder: Path, name: str) -> None:
    path = _made(folder, name)
    info = said("pdfinfo", str(path))
    assert "PDF/X-1:2001" in info and re.search(r"PDF version:\s+1\.3", info)
    raw = pikepdf.open(path)
    assert str(raw.trailer.Info["/GTS_PDFXConformance"]) == "PDF/X-1a:2001"
    assert str(raw.trailer.Info["/Trapped"]) == "/False" and "/Title" in raw.trailer.Info
    intent = raw.Root.OutputIntents[0]
    assert (str(intent.S), str(intent.OutputConditionIdentifier)) == ("/GTS_PDFX", "FOGRA39")
    assert str(intent.RegistryName) == "http://www.color.org" and "/ID" in raw.trailer
    assert "/Encrypt" not in raw.trailer


@pytest.mark.parametrize("name", X)
def test_no_pixel_has_more_ink_than_the_printer_takes(folder: Path, name: str) -> None:
    path = _made(folder, name)
    said(
        "gs", "-q", "-dBATCH", "-dNOPAUSE", "-sDEVICE=tiffsep", "-r100", f"-sOutputFile={folder}/{name}.tif", str(path)
    )
    plates = [
        255 - np.asarray(Image.open(folder / f"{name}({plate}).tif"), np.int32)
        for plate in ("Cyan", "Magenta", "Yellow", "Black")
    ]
    total = sum(plates)
    assert isinstance(total, np.ndarray) and total.max() <= MOST_INK * 255
    assert not list(folder.glob(f"{name}(*Pantone*)*")), "spot colors"
    coverage = said("gs", "-q", "-o", "-", "-sDEVICE=inkcov", str(path))
    assert "CMYK OK" in coverage and [float(share) > 0 for share in coverage.split()[:4]] == [True] * 4


@pytest.mark.parametrize("name", X)
def test_the_barcode_is_plain_black(folder: Path, name: str) -> None:
    content = PdfReader(_made(folder, name)).pages[0].get_contents()
    assert content is not None
    operators = content.get_data().decode("ascii")
    assert " rg" not in operators and " g\n" not in operators
    bars = operators.split("0 0 0 1 k")[1]
    assert bars.split(" k")[0].count(" re f") >= 30


def test_the_same_order_makes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("paperback", "x", "hardcover"):
        sums = set()
        for turn in ("one", "two"):
            (tmp_path / turn / name).mkdir(parents=True)
            asked = MakeFile(order=CASES[name], kind="print", folder=str(tmp_path / turn / name))
            sums.add(make_file(asked, lambda phase: None).sha256)
        assert len(sums) == 1, name


def test_artwork_that_is_enlarged_says_its_real_figure(tmp_path: Path) -> None:
    made = make_file(MakeFile(order=order(PAPERBACK), kind="print", folder=str(tmp_path)), lambda phase: None)
    assert made.dpi == pytest.approx(1200 / 9, rel=0.01)
    assert (made.width, made.height) == (3878, 2775)


def test_a_cover_on_a_template_is_in_the_middle_of_its_page(tmp_path: Path) -> None:
    asked = order(SPARK, template=Template(spine=0.6, width=15, height=12))
    made = make_file(MakeFile(order=asked, kind="print", folder=str(tmp_path)), lambda phase: None)
    page = PdfReader(tmp_path / made.name).pages[0]
    assert [float(page.mediabox.width), float(page.mediabox.height)] == [15 * 72, 12 * 72]
    trim = [float(side) for side in page.trimbox]
    assert trim[0] + trim[2] == pytest.approx(15 * 72) and trim[1] + trim[3] == pytest.approx(12 * 72)
    assert trim[2] - trim[0] == pytest.approx(10.6 * 72, abs=0.05)


def test_a_profile_of_the_operators_is_used_and_limited(tmp_path: Path) -> None:
    profile = next(iter(sorted(Path("/usr/share/color/icc/ghostscript").glob("default_cmyk.icc"))), None)
    if profile is None:
        pytest.skip("no CMYK profile on this machine")
    asked: EditionOrder = order(SPARK, profile=str(profile))
    made = make_file(MakeFile(order=asked, kind="print", folder=str(tmp_path)), lambda phase: None)
    raw = pikepdf.open(tmp_path / made.name)
    assert raw.Root.OutputIntents[0].DestOutputProfile.read_bytes()[36:40] == b"acsp"
    inks = Separation(str(profile)).image(np.zeros((4, 4, 3), np.uint8))
    assert inks.sum(axis=2).max() <= MOST_INK * 255


def test_every_color_is_within_the_limit_and_greys_are_mostly_black() -> None:
    rng = np.random.default_rng(1)
    inks = Separation().image(rng.integers(0, 256, (300, 300, 3), dtype=np.uint8)).astype(int)
    assert inks.sum(axis=2).max() <= MOST_INK * 255
    grey = Separation().image(np.full((1, 1, 3), 64, np.uint8))[0, 0] / 255
    assert grey[3] > 0.7 and grey[:3].max() < 0.25
    assert Separation().color("#111111", small=True) == (0, 0, 0, 1)
    assert Separation().color("#ffffff", small=False) == (0, 0, 0, 0)
    assert sum(Separation().color("#111111", small=False)) > 1.5


def test_limiting_inks_leaves_what_is_below_the_limit_alone() -> None:
    inks = np.array([[[255, 255, 255, 255], [200, 190, 180, 60], [10, 20, 30, 40], [255, 255, 100, 0]]], np.uint8)
    before = inks.copy()
    limited(inks)
    assert (inks.sum(axis=2, dtype=int) <= MOST_INK * 255).all()
    assert (inks[0, 2] == before[0, 2]).all() and inks[0, 1, 3] > 60


@pytest.mark.parametrize("book", [ENGLISH, ARABIC, JAPANESE], ids=["en", "ar", "ja"])
def test_the_printed_front_is_the_composed_cover(book: Book, tmp_path: Path) -> None:
    size = (1500, 2400)
    cover = front(book, 3, size)
    asked = EditionOrder(book=book, front=cover, edition=SMALL)
    made = make_file(MakeFile(order=asked, kind="print", folder=str(tmp_path)), lambda phase: None)
    assert cover.lettering is not None
    composed = Image.open(io.BytesIO(compose(cover.artwork.data, cover.lettering, width=size[0], height=size[1])))
    output = f"-sOutputFile={tmp_path}/page.png"
    drawing = ("-sDEVICE=png16m", "-dTextAlphaBits=4", "-r300")
    said("gs", "-q", "-dBATCH", "-dNOPAUSE", *drawing, output, str(tmp_path / made.name))
    page = Image.open(tmp_path / "page.png").convert("RGB")
    sheet = made_wrap(asked).sheet
    left, top = round(sheet.front.x * 300), round(sheet.front.y * 300)
    printed = page.crop((left, top, left + size[0], top + size[1]))
    apart = np.abs(np.asarray(printed, np.int16) - np.asarray(composed, np.int16)).max(axis=2)
    assert apart.mean() < 4 and (apart > 60).mean() < 0.006, (apart.mean(), (apart > 60).mean())
