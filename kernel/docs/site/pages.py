"""Which pages the documentation has, and what each is written from."""

import re
from collections.abc import Callable
from html import escape
from typing import Final, NamedTuple

from kernel.docs.site import kit
from kernel.docs.site.contracts import PAGE_OF, kit_names, symbols
from kernel.docs.site.prose import Writer
from kernel.docs.site.reference import Reference, row, table
from kernel.docs.site.sources import CHANGELOG, CHAPTER, PAGES, chapter, duties
from kernel.spi import CONTRACT_VERSIONS, Kind
from kernel.spi.testing.wire import FAILURES

KINDS: Final[dict[str, Kind]] = {
    "image": "image",
    "payments": "payment",
    "email": "email",
    "storage": "storage",
    "signin": "signin",
}
"""Page of a contract → its kind."""


class Page(NamedTuple):
    """A page: the last part of its address (empty for the first), its title and group, what it is for, its text."""

    slug: str
    title: str
    group: str
    summary: str
    body: Callable[[], str]

    @property
    def address(self) -> str:
        """Return where it is served."""
        return f"/docs/{self.slug}" if self.slug else "/docs"


def _chapter(section: str) -> str:
    return f"<h1>{escape(section)}</h1>{Writer().text(chapter()[section])}"


def _index() -> str:
    writer = Writer()
    rows = "".join(
        row(f'<a href="/docs/{page}">{kind}</a>', ".".join(map(str, CONTRACT_VERSIONS[kind])))
        for page, kind in KINDS.items()
    )
    groups = "".join(
        writer.heading(2, group)
        + f'<ul class="index">{"".join(_entry(page) for page in PAGES_IN_ORDER if page.group == group)}</ul>'
        for group in GROUPS
    )
    return (
        f"<h1>{CHAPTER}</h1>{writer.text(chapter()[CHAPTER])}{groups}"
        f"{writer.heading(2, 'Versions')}{table(('Kind', 'Version of the contract'), rows)}"
        '<p>What changed in each is in the <a href="/docs/changelog">changelog</a>.</p>'
    )


def _entry(page: Page) -> str:
    return f'<li><a href="{page.address}">{escape(page.title)}</a>: {page.summary}</li>' if page.slug else ""


def _settings() -> str:
    return _chapter("Settings and their form") + Writer().text((PAGES / "settings.md").read_text())


def _written(name: str) -> Callable[[], str]:
    return lambda: Writer().text((PAGES / f"{name}.md").read_text())


def _contract(slug: str, title: str) -> Callable[[], str]:
    """Return what writes the page of a contract: what is claimed, what is called, what is passed, what is checked."""

    def write() -> str:
        kind = KINDS[slug]
        (contract,) = (name for name, of in kit.CONTRACTS.items() if of == kind)
        own = [symbol for symbol in symbols().values() if symbol.page == slug]
        claims = [symbol for symbol in own if symbol.name.endswith("Capabilities")]
        writer = Writer(claims[0].name)
        reference = Reference(writer, kind, contract)
        called = [one for one in own if any((kind, method.name) in duties() for method in one.methods)]
        rest = [symbol for symbol in own if symbol not in claims and symbol not in called]
        main = [symbol for symbol in called if symbol.name.endswith("Provider")]
        optional = [symbol for symbol in called if symbol not in main]
        extra = _after_table(kind)
        parts = [
            f"<h1>{escape(title)}</h1>",
            writer.text((PAGES / f"{slug}.md").read_text()),
            writer.heading(2, "Methods"),
            *(reference.symbol(symbol) for symbol in main),
            writer.text(extra) if extra else "",
            writer.heading(2, "Capabilities"),
            *(reference.symbol(symbol) for symbol in claims),
        ]
        if optional:
            parts += [writer.heading(2, "Optional methods"), *(reference.symbol(symbol) for symbol in optional)]
        parts += [writer.heading(2, "Data"), *(reference.symbol(symbol) for symbol in rest)]
        parts += [
            writer.heading(2, "What the kit checks"),
            f'<p>Beside the <a href="/docs/kit#rules-for-every-kind">rules for every kind</a>, '
            f"<code>{contract}</code> has these.</p>",
            reference.rules(kit.rules_of(contract)),
        ]
        if overrides := kit.overrides_of(contract):
            parts += [writer.heading(3, f"Override in {contract}"), _overrides(writer, overrides)]
        return "".join(parts)

    return write


def _after_table(kind: str) -> str:
    """Return what the README says below the table of a kind."""
    parts = re.split(r"^\*\*(\w+)\*\*.*\n", chapter()["The methods of each kind"], flags=re.MULTILINE)
    text = dict(zip(parts[1::2], parts[2::2], strict=True))[kind]
    return "\n".join(line for line in text.splitlines() if not line.startswith("|")).strip()


def _provider() -> str:
    writer = Writer()
    reference = Reference(writer, "provider", kit.EVERY_KIND, "/docs/kit")
    parts = ["<h1>Every provider</h1>", writer.text((PAGES / "provider.md").read_text())]
    modules = [name for name, page in PAGE_OF.items() if page == "provider"]
    titles = {
        "provider": "Spec, context and methods",
        "settings": "Settings",
        "checks": "The report of a check",
        "comparison": "What administrators compare",
        "hooks": "Hooks",
        "webhooks": "Webhooks",
        "packaged": "Files for browsers",
    }
    for module in modules:
        parts.append(writer.heading(2, titles[module]))
        parts += [reference.symbol(one) for one in symbols().values() if one.source.module.name == module]
    return "".join(parts)


def _admin_pages() -> str:
    writer = Writer()
    reference = Reference(writer)
    own = [symbol for symbol in symbols().values() if symbol.page == "pages"]
    return "".join(
        [
            _chapter("Pages and settings components"),
            writer.text((PAGES / "pages.md").read_text()),
            writer.heading(2, "Names"),
            *map(reference.symbol, own),
        ]
    )


def _errors() -> str:
    """Write the table of the module's docstring as a table, and each error with its docstring."""
    writer = Writer()
    own = [symbol for symbol in symbols().values() if symbol.page == "errors"]
    text = own[0].source.module.docstring
    assert text is not None
    before, _, after = text.value.partition("\n\n")
    block, _, after = after.partition("\n\n")
    heads, *lines = (re.split(r" {2,}", line.strip()) for line in block.splitlines())
    rows = "".join(row(writer.inline(f"`{name}`"), *map(escape, cells)) for name, *cells in lines)
    reference = Reference(writer)
    return (
        "".join(
            [
                f"<h1>Errors</h1>{writer.text(before)}",
                table([head.capitalize() for head in heads], rows),
                writer.text(after),
                *(reference.symbol(symbol) for symbol in own),
            ]
        )
        .replace("<h3 ", "<h2 ")
        .replace("</h3>", "</h2>")
    )


def _helpers() -> str:
    writer = Writer()
    reference = Reference(writer)
    parts = ["<h1>Helpers</h1>", writer.text((PAGES / "helpers.md").read_text())]
    own = [symbol for symbol in symbols().values() if symbol.page == "helpers"]
    for module in dict.fromkeys(symbol.source.module.name for symbol in own):
        inside = [symbol for symbol in own if symbol.source.module.name == module]
        text = inside[0].source.module.docstring
        parts += [writer.heading(2, module.replace("_", " ").capitalize(), anchor=f"module-{module}")]
        parts += [writer.text(text.value) if text else "", *map(reference.symbol, inside)]
    return "".join(parts)


def _kit() -> str:
    writer = Writer()
    reference = Reference(writer)
    rows = "".join(
        row(
            f"<code>{name}</code>",
            escape(failure.what),
            " or ".join(writer.inline(f"`{one.__name__}`") for one in failure.errors) or "any of the contract's",
            f'<a href="/docs/kit#{failure.rule}">{failure.rule}</a>',
            escape(", ".join(kit.kinds_that_declare(name)) or "–"),
        )
        for name, failure in FAILURES.items()
    )
    groups = "".join(row(f"<code>{group}</code>", escape(text)) for group, text in kit.GROUPS.items())
    parts = [
        f"<h1>The kit</h1>{writer.text(chapter()['The kit'])}",
        writer.heading(2, "What coverwright_spi.testing has"),
        table(("Name", "What it is"), "".join(_kit_name(writer, *entry) for entry in kit_names().items())),
        writer.heading(2, "Groups of rules"),
        table(("Group", "About"), groups),
        writer.heading(2, "What you say about your provider"),
        "<p>Fixtures and methods of the class that you inherit; each kind has more, on its own page.</p>",
        _overrides(writer, kit.overrides_of(kit.EVERY_KIND)),
        writer.heading(2, "Faults, and the errors that are right for each"),
        "<p>Those of ERR_02 are declared in <code>faults</code>; the last column names the kinds whose authors must "
        "say how their vendor reports them. The kit makes the others itself.</p>",
        table(("Fault", "What it is", "Error", "Rule", "Declared for"), rows),
        writer.heading(2, "Rules for every kind"),
        reference.rules(kit.common_rules()),
        writer.heading(2, "Rules of each kind"),
        "<ul>",
        *(f'<li><a href="/docs/{page}#what-the-kit-checks">{kind}</a></li>' for page, kind in KINDS.items()),
        "</ul>",
    ]
    return "".join(parts)


def _kit_name(writer: Writer, name: str, text: str) -> str:
    return row(f"<code>{name}</code>", writer.text(text), anchor=writer.anchor(name))


def _overrides(writer: Writer, overrides: list[kit.Override]) -> str:
    rows = "".join(row(f"<code>{one.name}</code>", writer.text(one.text)) for one in overrides)
    return table(("Name", "What it is for"), rows)


GROUPS: Final[tuple[str, str, str, str]] = ("Begin", "Walk through", "Contracts", "Test and release")
BEGIN, WALKS, CONTRACTS, RELEASE = GROUPS
PAGES_IN_ORDER: Final = (
    Page("", "Overview", BEGIN, "", _index),
    Page(
        "getting-started",
        "In fifteen minutes",
        BEGIN,
        "an image provider in one file, its tests, and how it is installed",
        lambda: _chapter("In fifteen minutes"),
    ),
    Page(
        "rules",
        "Rules for every provider",
        BEGIN,
        "what holds for all kinds, and where helpers are",
        lambda: _chapter("Rules for every provider"),
    ),
    Page("settings", "Settings and their form", BEGIN, "types, limits, and every <code>x-</code> word", _settings),
    Page(
        "queue", "A service with a queue", WALKS, "an image provider that orders, asks and fetches", _written("queue")
    ),
    Page("checkout", "Checkout by redirect", WALKS, "a payment provider with a page of its own", _written("checkout")),
    Page("provider", "Every provider", CONTRACTS, "spec, context, check, hooks, webhooks", _provider),
    Page("image", "Images", CONTRACTS, "pictures from text", _contract("image", "Images")),
    Page("payments", "Payments", CONTRACTS, "subscriptions at one vendor", _contract("payments", "Payments")),
    Page("email", "Email", CONTRACTS, "messages, and what became of them", _contract("email", "Email")),
    Page("storage", "Storage", CONTRACTS, "bytes under keys", _contract("storage", "Storage")),
    Page("signin", "Sign-in", CONTRACTS, "who somebody is", _contract("signin", "Sign-in")),
    Page("pages", "Pages and settings components", CONTRACTS, "web components for administrators", _admin_pages),
    Page("errors", "Errors", CONTRACTS, "who is to blame, what is retried, what is passed on", _errors),
    Page("helpers", "Helpers", CONTRACTS, "what most vendors need", _helpers),
    Page("kit", "The kit", RELEASE, "its rules, and what you say about your provider", _kit),
    Page(
        "changelog", "Changelog", RELEASE, "what changed in the contracts", lambda: Writer().text(CHANGELOG.read_text())
    ),
)
