"""Every rule of the kit has an effect: a faulty provider fails it."""

import re
import sys
from pathlib import Path

import pytest

from kernel.spi.testing import EmailContract, ImageContract, PaymentContract, SigninContract, StorageContract
from tests.kit.careless import CASES
from tests.support.distributions import run

HERE = Path(__file__).parent
RULES = sorted(
    {
        name
        for kind in (EmailContract, ImageContract, PaymentContract, SigninContract, StorageContract)
        for name in dir(kind)
        if name.startswith("test_")
    }
)


@pytest.fixture(scope="module")
def failed() -> set[str]:
    """Run all cases in a separate process and return those that failed."""
    ids = [f"{HERE / 'careless.py'}::{case}" for case in CASES]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-rA",
        "--tb=line",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        *ids,
    ]
    ran = run(command, HERE.parents[1])
    found = re.findall(r"^(PASSED|FAILED|ERROR) \S*careless\.py::(\S+)", ran.stdout, re.MULTILINE)
    assert len(found) >= len(CASES), ran.stdout[-3000:] + ran.stderr[-3000:]
    return {case for outcome, case in found if outcome == "FAILED"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.replace("::test", ""))
def test_a_careless_provider_fails_its_rule(failed: set[str], case: str) -> None:
    assert case in failed, CASES[case]


def test_no_rule_is_without_its_careless_provider() -> None:
    proven = {case.partition("::")[2] for case in CASES}
    assert sorted(proven) == RULES
