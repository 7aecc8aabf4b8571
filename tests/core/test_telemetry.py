"""Logs contain no secret and cannot be forged."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import structlog

from kernel.core.config import load_config
from kernel.core.process.job_scope import working_on
from kernel.core.telemetry import configure_logging

Lines = Callable[[], list[dict[str, Any]]]


@pytest.fixture(autouse=True)
def root_logger() -> Iterator[None]:
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    yield
    root.handlers, root.level = before
    structlog.reset_defaults()


def start(capsys: pytest.CaptureFixture[str]) -> Lines:
    """Configure logging as a server does; return a function that reads the lines written since."""
    configure_logging(load_config({"COVERWRIGHT_LOG_FORMAT": "json"}))
    return lambda: [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_secrets_are_masked_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    lines = start(capsys)
    structlog.get_logger("coverwright.test").warning(
        "sign-in", password="hunter2", api_key="sk-1", session_token="abc", Cookie="x=y", request_body="{}", user=7
    )
    logging.getLogger("library").warning("call", extra={"authorization": "Bearer abc"})
    first, second = lines()
    masked = ("password", "api_key", "session_token", "Cookie", "request_body")
    assert [first[name] for name in masked] == ["***"] * len(masked)
    assert first["user"] == 7
    assert second["authorization"] == "***"


def test_a_line_break_in_a_value_stays_in_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    lines = start(capsys)
    structlog.get_logger("coverwright.test").warning("title", title="A\n[critical] forged", event_id=1)
    logging.getLogger("library").warning("agent: %s", "curl\r\nforged")
    first, second = lines()
    assert "\n" not in first["title"]
    assert "\n" not in second["event"]


def test_a_failure_keeps_its_trace(capsys: pytest.CaptureFixture[str]) -> None:
    lines = start(capsys)
    try:
        raise ValueError("broken")
    except ValueError:
        logging.getLogger("library").exception("it failed")
    (entry,) = lines()
    assert "ValueError: broken" in entry["exception"]


def test_every_line_of_a_job_names_it_and_no_other_line_does(capsys: pytest.CaptureFixture[str]) -> None:
    lines = start(capsys)
    with working_on("generation", 7):
        structlog.get_logger("coverwright.test").warning("slow")
        logging.getLogger("library").warning("retry")
    logging.getLogger("library").warning("idle")
    assert [line.get("job_id") for line in lines()] == ["generation-7", "generation-7", None]


@pytest.mark.anyio
async def test_jobs_that_run_beside_each_other_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    lines = start(capsys)

    async def work(key: int) -> None:
        with working_on("archive", key):
            await asyncio.sleep(0)
            await asyncio.to_thread(logging.getLogger("library").warning, "packed %d", key)

    await asyncio.gather(work(1), work(2))
    assert {line["event"]: line["job_id"] for line in lines()} == {"packed 1": "archive-1", "packed 2": "archive-2"}
