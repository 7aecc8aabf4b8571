"""The documentation is whole: every name, every rule, every word; no link leads nowhere; nothing is written twice."""

import re
import tomllib
from collections import Counter
from itertools import pairwise
from typing import Final

import msgspec
import pytest

from kernel import spi
from kernel.docs.site import kit
from kernel.docs.site.contracts import kit_names, symbols
from kernel.docs.site.layout import plain
from kernel.docs.site.pages import KINDS
from kernel.docs.site.prose import Writer
from kernel.docs.site.sources import CHANGELOG, ROOT, chapter, duties
from kernel.spi import testing
from tests.docs.built import built

APP_ADDRESSES: Final = frozenset({"/", "/favicon.svg"})
LARGEST_BYTES: Final = 60_000
"""All that a browser loads for one page, compressed, typefaces apart."""
FORM_WORD: Final = re.compile(r"""["']((?:x)-[a-z]+(?:-[a-z]+)?)["']""")
READS_WORDS: Final = ("kernel/providers/instances/settings.py", "web/src/features/admin/instance/settings-schema.ts")
"""What reads the words of the form: the server, and the form itself."""


def anchors(address: str) -> set[str]:
    return set(built().pages[address].anchors)


@pytest.mark.parametrize("address", sorted(built().pages))
def test_no_link_leads_nowhere(address: str) -> None:
    broken = []
    for link in built().pages[address].links:
        path, _, anchor = link.partition("#")
        path = path or address
        if path.startswith("/docs/assets/"):
            whole = (built().folder / path.removeprefix("/docs/")).is_file()
        elif path in built().pages:
            whole = not anchor or anchor in anchors(path)
        else:
            whole = path in APP_ADDRESSES
        broken += [] if whole else [link]
    assert broken == []


@pytest.mark.parametrize("address", sorted(built().pages))
def test_a_page_is_well_formed(address: str) -> None:
    page = built().pages[address]
    assert page.inline == [], "the content security policy forbids what stands in the page itself"
    assert [anchor for anchor, count in Counter(page.anchors).items() if count > 1] == []
    assert page.headings.count(1) == 1 and page.headings[0] == 1
    deeper = [two for one, two in pairwise(page.headings) if two > one + 1]
    assert deeper == [], "a level of headings is left out"


def test_every_public_name_is_described_once() -> None:
    names = set(spi.__all__)
    places = Counter(anchor for page in built().pages.values() for anchor in page.anchors if anchor in names)
    assert {name: places[name] for name in names if places[name] != 1} == {}


def test_every_public_name_has_a_docstring() -> None:
    bare = [name for name, symbol in symbols().items() if not symbol.text]
    bare += [f"{s.name}.{m.name}" for s in symbols().values() for m in s.methods if not m.docstring]
    assert bare == []


def test_every_name_of_the_kit_is_described() -> None:
    assert set(testing.__all__) <= anchors("/docs/kit")
    assert [name for name, text in kit_names().items() if not text] == []


def test_every_method_of_the_readme_is_described_with_its_duties() -> None:
    pages = {kind: f"/docs/{page}" for page, kind in KINDS.items()} | {"provider": "/docs/provider"}
    missing = [
        (kind, method)
        for kind, method in duties()
        if method != "capabilities" and not any(one.endswith(f".{method}") for one in anchors(pages[kind]))
    ]
    assert missing == []


def test_every_method_that_a_kind_must_have_is_checked_by_the_kit() -> None:
    required = {
        "ImageContract": spi.ImageProvider,
        "PaymentContract": spi.PaymentProvider,
        "EmailContract": spi.EmailProvider,
        "StorageContract": spi.StorageProvider,
        "SigninContract": spi.SigninProvider,
    }
    common = {"check", "aclose"}
    unchecked = [
        f"{protocol.__name__}.{name}"
        for contract, protocol in required.items()
        for name in vars(protocol)
        if not name.startswith("_") and name not in common and not kit.rules_for(contract, name)
    ]
    assert unchecked == ["SigninProvider.logout_url"]


def test_the_rules_are_those_that_the_kit_runs() -> None:
    for contract, kind in kit.CONTRACTS.items():
        run = {
            found[1] for name in dir(getattr(testing, contract)) if (found := re.match(r"test_([A-Z]+_\d\d)_", name))
        }
        page = next(page for page, of in KINDS.items() if of == kind)
        told = {anchor for address in (f"/docs/{page}", "/docs/kit") for anchor in anchors(address)}
        assert run <= told
        assert {rule.id for rule in (*kit.rules_of(contract), *kit.common_rules())} == run
        assert {rule.group for rule in kit.rules_of(contract)} <= set(kit.GROUPS)


def test_every_word_of_the_form_has_a_row_and_an_example() -> None:
    read = {word for file in READS_WORDS for word in FORM_WORD.findall((ROOT / file).read_text())}
    page = (ROOT / "kernel" / "docs" / "pages" / "settings.md").read_text()
    assert set(re.findall(r"^\| `(x-[a-z-]+)` \|", page, re.MULTILINE)) == read
    assert set(re.findall(r"^### (x-[a-z-]+)$", page, re.MULTILINE)) == read
    assert set(re.findall(r"`(x-[a-z-]+)`", chapter()["Settings and their form"])) == read


def test_every_section_of_the_readmes_chapter_is_on_a_page() -> None:
    pages = [plain(file.read_text()) for file in built().folder.glob("*.html")]
    sections = {heading: plain(Writer().text(text)) for heading, text in chapter().items()}
    absent = [heading for heading, text in sections.items() if not any(text in page for page in pages)]
    assert absent == ["The methods of each kind"], "its tables are taken apart, and shown method by method"


def test_the_changelog_begins_with_the_version_that_is_built() -> None:
    version = tomllib.loads((ROOT / "config" / "spi" / "pyproject.toml").read_text())["project"]["version"]
    released = re.findall(r"^## (\d+\.\d+\.\d+)$", CHANGELOG.read_text(), re.MULTILINE)
    assert released[0] == version
    assert released == sorted(released, key=lambda one: [int(part) for part in one.split(".")], reverse=True)
    assert tuple(map(int, version.split(".")[:2])) == max(spi.CONTRACT_VERSIONS.values())


def test_the_search_finds_every_name_and_every_rule() -> None:
    (file,) = (built().folder / "assets").glob("search-*.json")
    entries = msgspec.json.decode(file.read_bytes())
    headings = {entry["heading"] for entry in entries}
    assert set(spi.__all__) <= headings
    assert {rule.id for contract in kit.CONTRACTS for rule in kit.rules_of(contract)} <= headings
    for entry in entries:
        path, _, anchor = entry["address"].partition("#")
        assert not anchor or anchor in anchors(path)


def test_a_page_is_light() -> None:
    shared = sum(
        file.stat().st_size
        for name in ("docs-*.css.gz", "search-*.js.gz")
        for file in (built().folder / "assets").glob(name)
    )
    heaviest = max(file.stat().st_size for file in built().folder.glob("*.html.gz"))
    assert shared + heaviest < LARGEST_BYTES
