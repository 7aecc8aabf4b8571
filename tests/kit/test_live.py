"""`coverwright plugins check` against a real vendor, its recording, report and badge."""

import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree

import httpx
import pytest

from kernel.commands.checking.live_rules import PICTURES, live_rules, why_left_out
from kernel.spi import Kind
from kernel.spi.testing import (
    EmailContract,
    ImageContract,
    Loopback,
    PaymentContract,
    SigninContract,
    StorageContract,
)
from tests.kit.test_commands import Refused, coverwright, refused
from tests.support.distributions import install

KEY = "sk-live+/=key"
CONTRACTS: dict[str, type[Any]] = {
    "image": ImageContract,
    "payment": PaymentContract,
    "email": EmailContract,
    "storage": StorageContract,
    "signin": SigninContract,
}
__all__ = ["refused"]  # a fixture

NO_PICTURE = {"CAP_03", "CAP_04", "CAP_07"}
"""Rules of images that make none: they read claims, are refused, or ask the text model."""


class Vendor:
    """A vendor that can be reached, as the example's tests have it, and counts what it draws."""

    def __init__(self, script: Any) -> None:
        self.script = script
        self.drawn = 0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.headers.get("authorization") != f"Bearer {KEY}":
            return httpx.Response(401, json={"error": f"not {KEY}", "given": request.headers.get("authorization")})
        self.drawn += request.method == "POST"
        answer: httpx.Response = self.script(request)
        return answer


class Site:
    """Where the plugin is installed, and its vendor."""

    def __init__(self, folder: Path, packages: Path, vendor: Vendor, server: Loopback) -> None:
        self.folder, self.packages, self.vendor, self.server = folder, packages, vendor, server
        (folder / "live.toml").write_text(f'api_key = "{KEY}"\nbase_url = "{server.url}"\n')

    def check(self, *options: str, **env: str) -> Any:
        allowed = self.server.url.removeprefix("http://")
        env = {"PYTHONPATH": str(self.packages), "COVERWRIGHT_ALLOW_PRIVATE_ADDRESSES": allowed, **env}
        return coverwright(self.folder, "plugins", "check", "bright-idea", *options, **env)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("live")
    made = coverwright(folder, "plugins", "new", "bright-idea", "--kind", "image", "--into", str(folder))
    assert made.returncode == 0, made.stderr
    packages = install(folder / "bright-idea", folder / "installed")
    source = (folder / "bright-idea" / "tests" / "test_conformance.py").read_text()
    parts = source.partition("class TestConformance")[0].replace("from bright_idea", "# ")
    (folder / "script.py").write_text(parts)
    found = importlib.util.spec_from_file_location("bright_idea_script", folder / "script.py")
    assert found is not None and found.loader is not None
    script = importlib.util.module_from_spec(found)
    found.loader.exec_module(script)
    vendor = Vendor(script.vendor)
    with Loopback(vendor) as server:
        yield Site(folder, packages, vendor, server)


def test_nothing_is_asked_of_a_vendor_before_somebody_agrees(site: Site) -> None:
    ran = site.check("--live", "--settings", "live.toml")
    assert ran.returncode == 2 and "say --yes" in ran.stderr
    assert "Makes up to 6 pictures of 1024 x 1024 pixels. The plugin states no price" in ran.stdout
    assert site.vendor.drawn == 0 and KEY not in ran.stdout + ran.stderr


def test_a_live_run_is_recorded_reported_and_repeated_from_the_recording(site: Site) -> None:
    before = site.vendor.drawn
    wanted = ("--record", "traffic.yaml", "--report", "live.json", "--badge", "badge.svg")
    ran = site.check("--live", "--yes", "--settings", "live.toml", *wanted)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert 0 < site.vendor.drawn - before <= 6, "not more than was said"
    assert "ERR_09, SEC_04: a real vendor cannot be made to fail" in ran.stdout
    traffic, report = (site.folder / "traffic.yaml").read_text(), (site.folder / "live.json").read_text()
    assert "cut-api_key" in traffic
    assert KEY not in ran.stdout + ran.stderr + traffic + report

    found = json.loads(report)
    rules = {rule["id"]: rule for rule in found["rules"]}
    assert (found["ok"], found["contracts"]) == (True, ["image 1.0"])
    assert found["versions"]["bright-idea"] == "0.1.0" and found["versions"]["python"]
    picture = rules["IMG_01"]
    assert picture["title"] == "Count size and format are as asked"
    assert (picture["provider"], picture["outcome"], picture["why"]) == ("bright-idea", "passed", "")
    assert picture["seconds"] > 0
    assert (rules["ERR_01"]["outcome"], rules["ERR_01"]["why"]) == ("skipped", "a real vendor cannot be made to fail")
    assert rules["IMG_03"]["why"] == "seed is not claimed"

    badge = ElementTree.parse(site.folder / "badge.svg").getroot()
    assert badge.attrib["aria-label"] == f"contract image 1.0: {found['passed']} of {found['passed']}"
    assert (site.folder / "badge.svg").stat().st_size < 1000

    asked = site.vendor.drawn
    for report_file in ("one.json", "two.json"):
        again = site.check("--replay", "traffic.yaml", "--report", report_file)
        assert again.returncode == 0, again.stdout + again.stderr
    assert site.vendor.drawn == asked, "a recording asks nobody"
    outcomes = [outcomes_of(site.folder / name) for name in ("live.json", "one.json", "two.json")]
    assert outcomes[0] == outcomes[1] == outcomes[2]

    changed = traffic.replace("a lighthouse in a storm", "a quiet harbour")
    (site.folder / "changed.yaml").write_text(changed)
    other = site.check("--replay", "changed.yaml", "--report", "changed.json")
    assert other.returncode == 1 and "broken: IMG_01" in other.stdout
    (why,) = [
        rule["why"]
        for rule in json.loads((site.folder / "changed.json").read_text())["rules"]
        if rule["id"] == "IMG_01"
    ]
    assert "POST" in why and "is not in the recording" in why


def test_settings_may_come_from_the_environment(site: Site) -> None:
    ran = site.check("--live", COVERWRIGHT_INSTANCE_BRIGHT_IDEA_API_KEY=KEY)
    assert "Makes up to 6 pictures" in ran.stdout and KEY not in ran.stdout + ran.stderr
    ran = site.check("--live")
    assert ran.returncode == 2
    assert "bright-idea is left out: api_key: This setting is required." in ran.stderr
    assert "COVERWRIGHT_INSTANCE_BRIGHT_IDEA_<setting>" in ran.stderr


def test_a_live_run_finds_a_wrong_key(site: Site) -> None:
    (site.folder / "wrong.toml").write_text(f'api_key = "sk-other"\nbase_url = "{site.server.url}"\n')
    ran = site.check("--live", "--yes", "--settings", "wrong.toml")
    assert ran.returncode == 1 and "broken: CHK_01" in ran.stdout
    assert "sk-other" not in ran.stdout + ran.stderr


def test_files_that_cannot_be_read_are_named(site: Site) -> None:
    (site.folder / "broken.toml").write_text(f"api_key = {KEY}")
    for options, words in (
        (["--replay", "live.toml"], "is not a recording"),
        (["--live", "--settings", "broken.toml"], "cannot be read as TOML"),
    ):
        ran = site.check(*options)
        assert ran.returncode == 2, ran.stdout
        assert words in ran.stderr and KEY not in ran.stderr and "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--record", "x.yaml"], "--record needs --live"),
        (["--live", "--replay", __file__], "leave out --live"),
        (["--replay", "nothing.yaml"], "There is no file"),
        (["--settings", __file__], "--settings is for --live and --replay"),
        (["--live", "--provider", "image:atelier"], "there is nothing to run"),
        (["--report", "nowhere/report.json"], "There is no folder"),
    ],
)
def test_options_that_cannot_be_followed_are_refused(refused: Refused, options: list[str], words: str) -> None:
    code, said = refused("plugins", "check", "coverwright", *options)
    assert code == 2 and words in said


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_rule_is_run_live_or_left_out_for_a_reason(kind: Kind) -> None:
    rules = {found[1] for name in dir(CONTRACTS[kind]) if (found := re.match(r"test_([A-Z]+_\d\d)_", name))}
    assert live_rules(kind) <= rules, "a rule that the kit does not have"
    assert all(why_left_out(rule, kind) for rule in rules - live_rules(kind))


def test_every_picture_of_a_live_run_is_counted() -> None:
    of_images = {rule for rule in live_rules("image") if rule.startswith(("IMG_", "CAP_0")) and rule > "CAP_02"}
    assert of_images - NO_PICTURE == set(PICTURES) - {"SEC_01"}


def outcomes_of(report: Path) -> dict[str, str]:
    return {rule["id"]: rule["outcome"] for rule in json.loads(report.read_text())["rules"]}
