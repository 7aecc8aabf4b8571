"""Marks of origin in files: read back by a library, with the pixels byte for byte what they were."""

import io
import time
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PIL import Image

from kernel.core.config import PictureFormat
from kernel.pictures.decoding import decode, sniff
from kernel.pictures.encoding import encode
from kernel.pictures.marks.containers import NotAPicture, with_packet
from kernel.pictures.marks.open_raster import SHOWN, layers_with_packet
from kernel.pictures.marks.xmp import VOCABULARY, Mark, packet_of, tag_of
from kernel.press.editions import Edition, MakeFile
from kernel.press.editions.making import make_file
from tests.press.editions.orders import order
from tests.support.marks import told

MADE = datetime(2026, 11, 3, 9, 30, 15, 250_000, tzinfo=UTC)
MARK = Mark(source="trainedAlgorithmicMedia", made_at=MADE)
FORMATS: tuple[PictureFormat, ...] = ("png", "jpeg", "webp")


def picture(mode: str = "RGB", size: tuple[int, int] = (61, 83)) -> Image.Image:
    """Return a picture with an odd number of pixels."""
    return Image.radial_gradient("L").resize(size).convert(mode)


def encoded(kind: PictureFormat, mode: str = "RGB", **options: object) -> bytes:
    """Encode it with Pillow, as the press does."""
    buffer = io.BytesIO()
    picture(mode).save(buffer, kind, **options)
    return buffer.getvalue()


def pixels(data: bytes) -> bytes:
    """Return the decoded pixels."""
    with Image.open(io.BytesIO(data)) as opened:
        return opened.convert("RGBA").tobytes()


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_tells_source_tool_and_date(kind: PictureFormat) -> None:
    bare = encode(decode(encoded("png"), "png", None), kind)
    marked = with_packet(bare, kind, packet_of(MARK))
    assert {name: told(marked)[name] for name in ("DigitalSourceType", "CreatorTool", "CreateDate")} == {
        "DigitalSourceType": VOCABULARY + "trainedAlgorithmicMedia",
        "CreatorTool": "Coverwright",
        "CreateDate": "2026-11-03T09:30:15Z",
    }
    assert pixels(marked) == pixels(bare)
    assert sniff(marked) == kind
    assert decode(marked, kind, None).write_to_memory() == decode(bare, kind, None).write_to_memory()


@pytest.mark.parametrize(
    ("kind", "mode", "options"),
    [
        ("webp", "RGBA", {"lossless": True}),
        ("webp", "RGB", {"lossless": True}),
        ("webp", "RGBA", {"quality": 80}),
        ("webp", "RGB", {"exif": b"Exif\0\0II*\0\x08\0\0\0\0\0"}),
        ("jpeg", "RGB", {"dpi": (300, 300)}),
        ("png", "RGBA", {"dpi": (300, 300)}),
    ],
)
def test_what_other_programs_encoded_stays_a_whole_file(
    kind: PictureFormat, mode: str, options: dict[str, object]
) -> None:
    bare = encoded(kind, mode, **options)
    marked = with_packet(bare, kind, packet_of(MARK))
    assert told(marked)["DigitalSourceType"] == MARK.source_uri
    assert pixels(marked) == pixels(bare)
    decode(marked, kind, None, alpha=True)
    if kind == "webp":
        assert int.from_bytes(marked[4:8], "little") == len(marked) - 8


def test_a_jpeg_keeps_its_resolution_and_begins_with_jfif() -> None:
    marked = with_packet(encode(decode(encoded("png"), "png", None), "jpeg"), "jpeg", packet_of(MARK))
    assert marked[6:11] == b"JFIF\0"
    with Image.open(io.BytesIO(marked)) as opened:
        assert opened.info["dpi"] == (300, 300)


@pytest.mark.parametrize("kind", FORMATS)
def test_what_is_no_such_picture_is_not_marked(kind: PictureFormat) -> None:
    with pytest.raises(NotAPicture):
        with_packet(b"nothing of the kind, but long enough to be read", kind, packet_of(MARK))


def test_files_with_other_marks_have_other_tags() -> None:
    other = Mark(source="compositeWithTrainedAlgorithmicMedia", made_at=MADE)
    later = Mark(source=MARK.source, made_at=datetime(2026, 11, 4, tzinfo=UTC))
    assert len({tag_of(MARK), tag_of(other), tag_of(later)}) == 3
    assert tag_of(MARK) == tag_of(Mark(source=MARK.source, made_at=MADE.replace(microsecond=0)))


def test_a_mark_costs_next_to_nothing() -> None:
    bare = encode(decode(encoded("png"), "png", None).resize(1800 / 61, vscale=2700 / 83), "png")
    began = time.process_time()
    with_packet(bare, "png", packet_of(MARK))
    assert time.process_time() - began < 0.05


def test_layers_tell_of_their_origin_in_what_is_shown_of_them(tmp_path: Path) -> None:
    asked = MakeFile(order=order(Edition(form="layers")), kind="layers", folder=str(tmp_path))
    bare = (tmp_path / make_file(asked, lambda phase: None).name).read_bytes()
    data = layers_with_packet(bare, packet_of(MARK))
    assert data == layers_with_packet(bare, packet_of(MARK))
    with zipfile.ZipFile(io.BytesIO(bare)) as before, zipfile.ZipFile(io.BytesIO(data)) as after:
        assert after.namelist() == before.namelist() and after.namelist()[0] == "mimetype"
        assert {entry.compress_type for entry in after.infolist()} == {zipfile.ZIP_STORED}
        assert [entry.date_time for entry in after.infolist()] == [entry.date_time for entry in before.infolist()]
        for name in after.namelist():
            if name in SHOWN:
                assert told(after.read(name))["DigitalSourceType"] == MARK.source_uri
                assert pixels(after.read(name)) == pixels(before.read(name))
            else:
                assert after.read(name) == before.read(name)


def test_what_are_no_layers_is_not_marked() -> None:
    with pytest.raises(NotAPicture):
        layers_with_packet(encoded("png"), packet_of(MARK))
