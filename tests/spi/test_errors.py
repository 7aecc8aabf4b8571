"""The table at the top of `kernel.spi.errors` matches the classes."""

import re

import pytest

from kernel import spi
from kernel.spi import Blame, Effect, ProviderError, errors

ROW = re.compile(r"^    ([A-Z]\w+) +(\w+) +(no|yes, after|yes) +(no|yes)  ", re.MULTILINE)
TABLE = ROW.findall(errors.__doc__ or "")


def test_the_table_lists_every_error() -> None:
    kinds = {name for name in spi.__all__ if isinstance(getattr(spi, name), type)}
    listed = {name for name in kinds if issubclass(getattr(spi, name), ProviderError)} - {"ProviderError"}
    assert {row[0] for row in TABLE} == listed


@pytest.mark.parametrize(("name", "blame", "retry", "fallback"), TABLE)
def test_a_class_says_what_the_table_says(name: str, blame: str, retry: str, fallback: str) -> None:
    kind = getattr(spi, name)
    assert (kind.blame, kind.retry, kind.fallback) == (Blame(blame), retry != "no", fallback == "yes")


def test_errors_have_no_deeper_hierarchy() -> None:
    for row in TABLE:
        assert getattr(spi, row[0]).__bases__ == (ProviderError,)


def test_an_error_is_without_effect_unless_it_says_otherwise() -> None:
    assert spi.Unavailable("down").effect is Effect.NONE
