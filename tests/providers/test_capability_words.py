"""What an instance can do is told to administrators in words."""

import json
import re
from typing import Any

import pytest
from msgspec.structs import fields

from kernel.core.config import PROJECT_ROOT
from kernel.spi import (
    EmailCapabilities,
    ImageCapabilities,
    PaymentCapabilities,
    SigninCapabilities,
    StorageCapabilities,
)

WEB = PROJECT_ROOT / "web"
LIST = WEB / "src/features/admin/instance/hooks/use-capability-list.ts"
WORDS = WEB / "public/locales/en/admin.json"


@pytest.mark.parametrize(
    "capabilities",
    [ImageCapabilities, PaymentCapabilities, EmailCapabilities, StorageCapabilities, SigninCapabilities],
)
def test_every_capability_of_a_contract_has_words_or_is_left_out_on_purpose(capabilities: Any) -> None:
    named = json.loads(WORDS.read_text("utf-8"))["admin"]["capabilities"]["key"]
    (listed,) = re.findall(r"LEFT_OUT = \[(.*?)\]", LIST.read_text("utf-8"))
    told = {re.sub("_(.)", lambda found: found[1].upper(), field.name) for field in fields(capabilities)}
    assert told - set(named) - set(re.findall(r"\w+", listed)) == set()
