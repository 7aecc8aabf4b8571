"""Tests of the outbox: the contract, and further guarantees."""

import errno
import os
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from kernel.spi import EmailMessage, InvalidRequest, ProviderSpec, QuotaExhausted, Settings, SettingsInvalid
from kernel.spi.testing import EmailContract, FakeContext
from plugins.outbox_email import OUTBOX
from plugins.outbox_email.provider import Outbox
from plugins.outbox_email.settings import OutboxSettings

MESSAGE = EmailMessage(to="ada@example.org", sender="Covers <covers@example.com>", subject="Ready", text="Hello")


class TestConformance(EmailContract):
    @pytest.fixture
    def spec(self) -> ProviderSpec[Any, Any]:
        return OUTBOX

    @pytest.fixture
    def broken(self) -> Mapping[str, Settings]:
        return {}  # any number of days is valid


@pytest.fixture
async def outbox(tmp_path: Path) -> AsyncIterator[Outbox]:
    provider = OUTBOX.build(OutboxSettings(keep_days=7), FakeContext(tmp_path))
    yield provider
    await provider.aclose()


def messages(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "instance" / "messages").rglob("*.*"))


@pytest.mark.anyio
async def test_each_message_is_a_file_that_any_mail_program_opens(outbox: Outbox, tmp_path: Path) -> None:
    await outbox.send([MESSAGE], stream="bulk", batch_id="b")
    (file,) = messages(tmp_path)
    assert file.suffix == ".eml" and file.parent.name == f"{datetime.now(UTC):%Y%m%d}"
    assert b"To: ada@example.org\r\n" in file.read_bytes()
    assert file.stat().st_mode & 0o077 == 0, "others on this machine cannot read it"
    (kept,) = (await outbox.kept()).messages
    assert (kept.stream, kept.sender, kept.text) == ("bulk", "Covers <covers@example.com>", "")


@pytest.mark.anyio
async def test_a_listing_has_no_bodies_and_tells_when_there_is_more(outbox: Outbox) -> None:
    await outbox.send([MESSAGE] * 3, stream="transactional", batch_id="b")
    first = await outbox.kept(limit=2)
    rest = await outbox.kept(cursor=first.cursor, limit=2)
    assert [len(first.messages), len(rest.messages), rest.cursor] == [2, 1, None]
    assert {entry.text for entry in (*first.messages, *rest.messages)} == {""}


@pytest.mark.anyio
@pytest.mark.parametrize(("cursor", "limit"), [("../..", 10), ("", 10), (None, 0), (None, 100_000)])
async def test_a_listing_is_bounded_and_takes_its_own_cursors_only(
    outbox: Outbox, cursor: str | None, limit: int
) -> None:
    with pytest.raises(InvalidRequest):
        await outbox.kept(cursor=cursor, limit=limit)


@pytest.mark.anyio
async def test_what_is_older_than_the_limit_is_removed_with_the_next_message(outbox: Outbox, tmp_path: Path) -> None:
    folder = tmp_path / "instance" / "messages"
    for days in (6, 8):
        (folder / f"{datetime.now(UTC) - timedelta(days=days):%Y%m%d}").mkdir(parents=True)
    await outbox.send([MESSAGE], stream="bulk", batch_id="b")
    assert len(list(folder.iterdir())) == 2


@pytest.mark.anyio
async def test_foreign_files_are_not_listed(outbox: Outbox, tmp_path: Path) -> None:
    await outbox.send([MESSAGE], stream="bulk", batch_id="b")
    (file,) = messages(tmp_path)
    (file.parent / "notes.eml").write_text("left by somebody")
    (file.parent.parent / "README").write_text("left by somebody")
    assert len((await outbox.kept()).messages) == 1


@pytest.mark.anyio
async def test_a_full_disk_is_reported_and_leaves_nothing(
    outbox: Outbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(QuotaExhausted, match="full"):
        await outbox.send([MESSAGE], stream="bulk", batch_id="b")
    assert messages(tmp_path) == []
    assert not (await outbox.check()).ok


@pytest.mark.anyio
async def test_a_disk_that_fills_up_midway_spoils_only_the_rest(
    outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    def full_later(handle: int) -> None:
        calls.append(handle)
        if len(calls) > 1:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_later)
    results = await outbox.send([MESSAGE] * 3, stream="bulk", batch_id="b")
    assert [result.state for result in results] == ["sent", "failed", "failed"]


@pytest.mark.anyio
async def test_a_folder_that_is_none_fails_the_check(tmp_path: Path) -> None:
    (tmp_path / "instance").write_text("not a folder")
    provider = OUTBOX.build(OutboxSettings(), FakeContext(tmp_path))
    assert not (await provider.check()).ok
    with pytest.raises(SettingsInvalid):
        await provider.send([MESSAGE], stream="bulk", batch_id="b")
    await provider.aclose()
