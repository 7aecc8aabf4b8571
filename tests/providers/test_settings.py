"""Settings of an instance: defaults, stored values, the environment, and every fault at once."""

from pathlib import Path
from typing import Annotated, Any

import pytest
from msgspec import Meta

from kernel.providers.instances.settings import ResolvedSettings, resolve_settings, variable_name
from kernel.spi import Secret, Settings


class Knobs(Settings, frozen=True, kw_only=True):
    api_key: Annotated[Secret, Meta(title="Key", description="K", extra_json_schema={"x-env": "ACME_KEY"})]
    timeout_s: Annotated[float, Meta(title="Limit", description="L", gt=0)] = 5.0
    strict: Annotated[bool, Meta(title="Strict", description="S")] = False
    models: Annotated[tuple[str, ...], Meta(title="Models", description="M")] = ()
    proxy: Annotated[str | None, Meta(title="Proxy", description="P")] = None

    def __post_init__(self) -> None:
        if self.strict and self.timeout_s > 100:
            raise ValueError("a strict limit is at most 100 seconds")


def resolve(stored: dict[str, Any], first: bool = False, **env: str) -> ResolvedSettings:
    return resolve_settings(Knobs, stored, instance_id="acme-main", env=env, first=first)


def good(resolved: ResolvedSettings) -> Knobs:
    assert resolved.problems == {}
    assert isinstance(resolved.settings, Knobs)
    return resolved.settings


def test_every_bad_field_is_reported_at_once() -> None:
    resolved = resolve({"timeout_s": -1, "strict": "maybe", "color": "red"})
    assert resolved.settings is None
    assert set(resolved.problems) == {"api_key", "timeout_s", "strict", "color"}
    assert resolved.problems["api_key"] == "This setting is required."


def test_a_rule_across_fields_is_reported_without_a_field() -> None:
    resolved = resolve({"api_key": "k", "strict": True, "timeout_s": 200})
    assert resolved.problems == {"": "a strict limit is at most 100 seconds."}


def test_the_environment_wins_and_is_named() -> None:
    resolved = resolve({"api_key": "stored", "timeout_s": 1}, COVERWRIGHT_INSTANCE_ACME_MAIN_TIMEOUT_S="7.5")
    assert good(resolved).timeout_s == 7.5
    assert resolved.sources["timeout_s"] == variable_name("acme-main", "timeout_s")
    assert resolved.sources["api_key"] == "stored"
    assert resolved.sources["strict"] == "default"


def test_text_from_the_environment_becomes_what_the_field_holds() -> None:
    knobs = good(
        resolve(
            {},
            COVERWRIGHT_INSTANCE_ACME_MAIN_API_KEY="secret",
            COVERWRIGHT_INSTANCE_ACME_MAIN_STRICT="true",
            COVERWRIGHT_INSTANCE_ACME_MAIN_MODELS="one, two",
            COVERWRIGHT_INSTANCE_ACME_MAIN_PROXY="http://proxy",
        )
    )
    assert (knobs.api_key, knobs.strict, knobs.models, knobs.proxy) == (
        Secret("secret"),
        True,
        ("one", "two"),
        "http://proxy",
    )


def test_a_secret_can_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("from-file\n")
    knobs = good(resolve({}, COVERWRIGHT_INSTANCE_ACME_MAIN_API_KEY_FILE=str(tmp_path / "key")))
    assert knobs.api_key.reveal() == "from-file"


def test_a_missing_secret_file_is_a_fault_of_its_field(tmp_path: Path) -> None:
    resolved = resolve({}, COVERWRIGHT_INSTANCE_ACME_MAIN_API_KEY_FILE=str(tmp_path / "absent"))
    assert "cannot read" in resolved.problems["api_key"]


def test_the_vendors_own_variable_serves_the_first_instance_only() -> None:
    assert good(resolve({}, first=True, ACME_KEY="k")).api_key == Secret("k")
    assert "api_key" in resolve({}, first=False, ACME_KEY="k").problems
    assert good(resolve({"api_key": "stored"}, first=True, ACME_KEY="k")).api_key == Secret("stored")


@pytest.mark.parametrize("value", ["", 5, ["x"]])
def test_a_secret_is_a_text_that_is_not_empty(value: Any) -> None:
    assert "api_key" in resolve({"api_key": value}).problems


def test_secrets_do_not_show() -> None:
    resolved = resolve({"api_key": "hunter2-hunter2"})
    assert "hunter2" not in repr(resolved)
