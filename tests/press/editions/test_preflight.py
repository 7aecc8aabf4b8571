"""Preflight: good files pass, every rule has a file that breaks it, hostile files harm nobody."""

import asyncio
import io
import logging
import os
import random
import struct
import zlib
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from kernel.press.children.pool import DrawingFailed, Pool, ProcessLost, TookTooLong
from kernel.press.children.serve import Refused
from kernel.press.editions import (
    PREFLIGHT_LIMITS,
    PREFLIGHT_PROGRAM,
    RULES,
    CheckFile,
    EditionOrder,
    Finding,
    MakeFile,
    MatchTemplate,
    Report,
    Target,
    Template,
    TemplateSize,
)
from kernel.press.editions.making import make_file
from kernel.press.editions.own import target_of
from kernel.press.editions.preflight.checking import check
from tests.press.editions import broken
from tests.press.editions.orders import CASE, HARDCOVER, SMALL, SPARK, order, written

ISBN = "9783161484100"
PLACED = ("annotations", "safe_area", "spine_safe", "text_size", "printer_marks", "white_strip", "image_resolution")
UNREADABLE = ("", "%PDF-1.4", "not a file", "%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer <</Root 1 0 R>>")


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Target]]:
    """Return files that were made, with what they are to be."""
    folder = tmp_path_factory.mktemp("good")
    found = {}
    orders = {
        "kdp": order(SMALL),
        "kdp-thin": order(SMALL, pages=60, isbn=""),
        "hardcover": order(HARDCOVER),
        "spark": order(SPARK),
        "case": order(CASE),
        "template": order(SPARK, template=Template(spine=0.6, width=15, height=12)),
    }
    for name, asked in orders.items():
        (folder / name).mkdir()
        made = make_file(MakeFile(order=asked, kind="print", folder=str(folder / name)), lambda phase: None)
        assert made.report.outcome != "fail", [found for found in made.report.findings if found.outcome == "fail"]
        found[name] = (folder / name / made.name, target_of(asked))
    return found


def outcomes(report: Report) -> dict[str, Finding]:
    return {finding.rule: finding for finding in report.findings}


@pytest.mark.parametrize("name", ["kdp", "kdp-thin", "hardcover", "spark", "case", "template"])
def test_what_we_make_passes_every_rule(good: dict[str, tuple[Path, Target]], name: str) -> None:
    path, target = good[name]
    report = check(path, target, isbn="" if name == "kdp-thin" else ISBN)
    assert [finding for finding in report.findings if finding.outcome != "pass"] == []
    assert len(report.findings) >= 34 and report.outcome == "pass"
    assert Image.open(io.BytesIO(report.picture)).width == pytest.approx(report.page[0] * report.picture_dpi, abs=2)


@pytest.mark.parametrize("rule", broken.KDP)
def test_each_rule_is_broken_by_a_file_for_kdp(good: dict[str, tuple[Path, Target]], rule: str, tmp_path: Path) -> None:
    path, target = good["kdp"]
    bad = broken.broken(path, broken.KDP[rule], tmp_path / "bad.pdf")
    found = outcomes(check(bad, target, isbn=ISBN))
    assert found[rule].outcome in ("warn", "fail"), found[rule]
    if rule in (
        "annotations",
        "safe_area",
        "spine_safe",
        "text_size",
        "printer_marks",
        "white_strip",
        "image_resolution",
    ):
        area = found[rule].areas[0]
        assert -0.01 <= area.x <= 20 and -0.01 <= area.y <= 12 and area.width >= 0


@pytest.mark.parametrize("rule", broken.SPARK)
def test_each_rule_is_broken_by_a_file_for_ingramspark(
    good: dict[str, tuple[Path, Target]], rule: str, tmp_path: Path
) -> None:
    path, target = good["spark"]
    bad = broken.broken(path, broken.SPARK[rule], tmp_path / "bad.pdf")
    found = outcomes(check(bad, target, isbn=ISBN))
    assert found[rule].outcome in ("warn", "fail"), found[rule]


@pytest.mark.parametrize("way", broken.MORE_TRANSPARENT)
def test_transparency_is_found_in_all_its_ways(good: dict[str, tuple[Path, Target]], way: str, tmp_path: Path) -> None:
    path, target = good["kdp"]
    bad = broken.broken(path, broken.MORE_TRANSPARENT[way], tmp_path / "bad.pdf")
    assert outcomes(check(bad, target))["transparency"].outcome == "fail"


def test_what_needs_another_book_is_found_as_well(good: dict[str, tuple[Path, Target]], tmp_path: Path) -> None:
    path, target = good["kdp-thin"]
    on_spine = broken.broken(path, broken.borrowed(371, 300, 8), tmp_path / "spine.pdf")
    assert outcomes(check(on_spine, target))["spine_type"].outcome == "fail"
    hard, hardcover = good["hardcover"]
    on_hinge = broken.broken(hard, broken.borrowed(515, 300, 12), tmp_path / "hinge.pdf")
    assert outcomes(check(on_hinge, hardcover))["hinge"].outcome == "fail"
    box = broken.borrowed(300, 40, 12)
    under = outcomes(check(broken.broken(path, box, tmp_path / "under.pdf"), target))
    assert under["barcode_place"].outcome == "warn"
    locked = tmp_path / "locked.pdf"
    with pikepdf.open(path) as pdf:
        pdf.save(locked, encryption=pikepdf.Encryption(owner="secret", user="secret"))
    assert [found.rule for found in check(locked, target).findings] == ["encryption"]
    with pikepdf.open(path) as pdf:
        pdf.save(locked, encryption=pikepdf.Encryption(owner="secret"))
    assert outcomes(check(locked, target))["encryption"].outcome == "fail"
    with pikepdf.open(path) as pdf:
        pdf.save(tmp_path / "new.pdf", force_version="2.0")
    assert outcomes(check(tmp_path / "new.pdf", target))["pdf_version"].outcome == "warn"
    picture = written(tmp_path, "cover.jpg", broken.good_ebook())
    assert outcomes(check(picture, target))["file_kind"].outcome == "fail"
    with pikepdf.open(path) as pdf:
        pdf.Root["/Ballast"] = pdf.make_stream(random.Random(1).randbytes(41_000_000))
        pdf.save(tmp_path / "large.pdf")
    assert outcomes(check(tmp_path / "large.pdf", target))["file_size"].outcome == "warn"
    much = "0 0 1 1 re f " * 400_000
    assert (
        outcomes(check(broken.broken(path, broken.drawn(much), tmp_path / "much.pdf"), target))["read_in_full"].outcome
        == "warn"
    )


def test_pictures_pass_and_each_of_their_rules_is_broken(tmp_path: Path) -> None:
    for form, whole, files in (
        ("ebook", broken.good_ebook(), broken.EBOOKS),
        ("audiobook", broken.good_audio(), broken.AUDIOBOOKS),
    ):
        target = Target(form=form)  # type: ignore[arg-type]
        report = check(written(tmp_path, f"good-{form}", whole), target)
        assert {finding.outcome for finding in report.findings} == {"pass"}, report.findings
        for rule, make in files.items():
            found = outcomes(check(written(tmp_path, rule, make()), target))
            assert found[rule].outcome in ("warn", "fail"), rule


def test_every_rule_has_a_file_that_breaks_it() -> None:
    elsewhere = {
        "spine_type",
        "hinge",
        "barcode_place",
        "encryption",
        "pdf_version",
        "file_kind",
        "file_size",
        "read_in_full",
    }
    ours = {
        "artwork_resolution",
        "artwork_enlarged",
        "mark_resolution",
        "picture_resolution",
        "texts_fit",
        "contrast",
        "separation",
    }
    covered = {*broken.KDP, *broken.SPARK, *broken.EBOOKS, *broken.AUDIOBOOKS, *elsewhere, *ours}
    assert covered == set(RULES) and len(set(RULES)) == len(RULES) >= 30


def test_what_the_press_knows_of_its_own_file_is_in_its_report(tmp_path: Path) -> None:
    for edition, rules in ((SMALL, {"artwork_resolution"}), (SPARK, {"artwork_resolution", "separation"})):
        made = make_file(MakeFile(order=order(edition), kind="print", folder=str(tmp_path)), lambda phase: None)
        assert {found.rule for found in made.report.findings if found.outcome == "warn"} == rules
        assert outcomes(made.report)["barcode_number"].params["wanted"] == ISBN
        assert outcomes(made.report)["artwork_resolution"].params["dpi"] == 150


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_cannot_be_read_is_refused(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, "file", text.encode())
    for form in ("paperback", "ebook"):
        target = Target(form=form, printer="kdp", pages=100, paper="white")  # type: ignore[arg-type]
        if form == "ebook" and text.startswith("%PDF-"):
            assert outcomes(check(path, target))["picture_format"].outcome == "fail"
            continue
        with pytest.raises(Refused):
            check(path, target)


def test_damaged_files_are_judged_or_refused_but_never_crash(
    good: dict[str, tuple[Path, Target]], tmp_path: Path
) -> None:
    path, target = good["kdp"]
    whole = path.read_bytes()
    chance = random.Random(11)
    structure = [at for at in range(len(whole)) if len(whole) - at < 30_000 or at < 400]
    for turn in range(24):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 30)):
            data[chance.choice(structure)] = chance.randrange(256)
        if turn % 4 == 0:
            data = data[: chance.randrange(len(data))]
        bad = written(tmp_path, "bad.pdf", bytes(data))
        try:
            assert isinstance(check(bad, target, picture=False), Report)
        except Refused:
            continue


def png_bomb(side: int, rows: int) -> bytes:
    """Return a PNG that says it has side × side pixels, all zero, and has so many rows of them."""
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(bytes(side * 3 + 1)) for _ in range(rows)) + packer.flush()
    chunks = ((b"IHDR", head), (b"IDAT", data), (b"IEND", b""))
    made = b"\x89PNG\r\n\x1a\n"
    for name, body in chunks:
        made += struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    return made


def pdf_bomb(good: Path, to: Path) -> Path:
    """Return a PDF whose content is a quarter of a gigabyte of operators, well packed."""
    with pikepdf.open(good) as pdf:
        packer = zlib.compressobj(9)
        data = b"".join(packer.compress(b"0 0 m 1 1 l S\n" * 80_000) for _ in range(220)) + packer.flush()
        pdf.pages[0].obj.Contents = pikepdf.Stream(pdf, data, Filter=pikepdf.Name.FlateDecode)
        pdf.save(to)
    return to


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
async def test_hostile_files_cost_a_child_process_and_nothing_else(
    good: dict[str, tuple[Path, Target]], tmp_path: Path
) -> None:
    path, target = good["kdp"]
    ebook = Target(form="ebook")
    pool = Pool(PREFLIGHT_PROGRAM, PREFLIGHT_LIMITS, logging.getLogger("preflight"))
    try:
        files = [
            (pdf_bomb(path, tmp_path / "bomb.pdf"), target),
            (written(tmp_path, "bomb.png", png_bomb(11_000, 11_000)), ebook),
            (written(tmp_path, "huge.png", png_bomb(40_000, 10)), ebook),
        ]
        for bad, wanted in files:
            try:
                report = await pool.run(CheckFile(path=str(bad), target=wanted), Report)
                assert report.findings
            except (TookTooLong, ProcessLost):
                continue
            except DrawingFailed as error:
                assert error.reason == "unreadable", error
        report = await pool.run(CheckFile(path=str(path), target=target), Report)
        assert report.outcome == "pass"
        template = await pool.run(MatchTemplate(path=str(path)), TemplateSize)
        assert template.page == pytest.approx((11.05, 8.25), abs=0.001)
        assert template.trim == pytest.approx((10.8, 8.0), abs=0.001)
        with pytest.raises(DrawingFailed) as caught:
            await pool.run(MatchTemplate(path=str(written(tmp_path, "nothing.pdf", b"%PDF-1.4 nothing"))), TemplateSize)
        assert caught.value.reason == "unreadable"
        (process,) = pool.processes
        limits = Path(f"/proc/{process}/limits").read_text()
        space = next(line for line in limits.splitlines() if line.startswith("Max address space")).split()[3]
        size = int(Path(f"/proc/{process}/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        assert int(space) - size <= 512 * 2**20
    finally:
        await pool.aclose()
    await asyncio.sleep(0)


def test_a_check_keeps_nothing(good: dict[str, tuple[Path, Target]], tmp_path: Path) -> None:
    path, target = good["kdp"]
    copy = written(tmp_path, "one.pdf", path.read_bytes())
    check(copy, target)
    assert os.listdir(tmp_path) == ["one.pdf"]


def test_an_order_becomes_its_target() -> None:
    asked: EditionOrder = order(SPARK)
    target = target_of(asked)
    assert (target.form, target.printer, target.pages, target.template) == (
        "paperback",
        "ingramspark",
        240,
        asked.edition.template,
    )
