"""A bank for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from plugins.sandbox_payments.provider import SandboxPayments
from tests.sandbox.bank import open_bank


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def bank(tmp_path: Path) -> AsyncIterator[SandboxPayments]:
    provider = open_bank(tmp_path)
    yield provider
    await provider.aclose()
