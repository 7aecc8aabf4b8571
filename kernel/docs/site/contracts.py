"""The contracts as their source says them, read without being run: names, signatures and docstrings."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, Literal, NamedTuple

import griffe

from kernel.docs.site.sources import ROOT

Shape = Literal["protocol", "class", "struct", "enum", "error", "function", "value"]
"""How a name is shown. A `value` is a constant or an alias of a type."""

PAGE_OF: Final[Mapping[str, str]] = {
    "image": "image",
    "depiction": "image",
    "sketching": "image",
    "payments": "payments",
    "payment_clients": "payments",
    "payment_options": "payments",
    "payment_scripts": "payments",
    "payment_taxes": "payments",
    "email": "email",
    "storage": "storage",
    "signin": "signin",
    "provider": "provider",
    "settings": "provider",
    "checks": "provider",
    "comparison": "provider",
    "hooks": "provider",
    "webhooks": "provider",
    "packaged": "provider",
    "admin_pages": "pages",
    "admin_components": "pages",
    "errors": "errors",
}
"""Module of `kernel.spi` → the page that shows what it defines; all others are on that of helpers."""

HELPERS: Final = "helpers"


class PublicName(NamedTuple):
    """A public name of the contracts."""

    name: str
    page: str
    shape: Shape
    source: griffe.Object

    @property
    def address(self) -> str:
        """Return where it is described."""
        return f"/docs/{self.page}#{self.name}"

    @property
    def text(self) -> str:
        """Return its docstring; empty where it has none."""
        return self.source.docstring.value if self.source.docstring else ""

    @property
    def members(self) -> Iterator[griffe.Object]:
        """Return its public methods and fields, in the order of the source."""
        for name, member in self.source.members.items():
            if not name.startswith("_") and isinstance(member, griffe.Object):
                yield member

    @property
    def methods(self) -> list[griffe.Function]:
        """Return its public methods."""
        return [member for member in self.members if isinstance(member, griffe.Function)]

    @property
    def fields(self) -> list[griffe.Attribute]:
        """Return its public fields and properties, but not constants of the class."""
        return [
            member
            for member in self.members
            if isinstance(member, griffe.Attribute) and "ClassVar" not in str(member.annotation)
        ]


@cache
def package() -> griffe.Module:
    """Return the package of the contracts."""
    found = griffe.load("kernel.spi", search_paths=[ROOT])
    assert isinstance(found, griffe.Module)
    return found


@cache
def kit_names() -> Mapping[str, str]:
    """Return the public names of the kit, each with its docstring."""
    found = package().members["testing"]
    assert isinstance(found, griffe.Module)
    targets = {str(name): found.members[str(name)] for name in found.exports or ()}
    sources = {name: one.final_target if isinstance(one, griffe.Alias) else one for name, one in targets.items()}
    return {name: source.docstring.value if source.docstring else "" for name, source in sources.items()}


@cache
def symbols() -> Mapping[str, PublicName]:
    """Return every public name, by page and then in the order of the source."""
    found: list[PublicName] = []
    for name in package().exports or ():
        alias = package().members[str(name)]
        source = alias.final_target if isinstance(alias, griffe.Alias) else alias
        assert isinstance(source, griffe.Object)
        page = PAGE_OF.get(source.module.name, HELPERS)
        found.append(PublicName(str(name), page, _shape(source), source))
    modules = list(PAGE_OF)
    order = {name: modules.index(name) for name in modules}
    found.sort(key=lambda one: (order.get(one.source.module.name, len(order)), str(one.source.filepath), _line(one)))
    return {one.name: one for one in found}


def address_of(name: str) -> str | None:
    """Return where a name (`ImageRequest`) or a field or method of one (`ImageRequest.mask`) is described."""
    owner, _, member = name.partition(".")
    symbol = symbols().get(owner)
    if symbol is None:
        return None
    if not member:
        return symbol.address
    return f"{symbol.address}.{member}" if any(one.name == member for one in symbol.members) else None


def _line(symbol: PublicName) -> int:
    return symbol.source.lineno or 0


def _shape(source: griffe.Object) -> Shape:
    if isinstance(source, griffe.Function):
        return "function"
    if not isinstance(source, griffe.Class):
        return "value"
    bases = {str(base).partition("[")[0] for base in source.bases}
    if "Protocol" in bases:
        return "protocol"
    if bases & {"StrEnum"}:
        return "enum"
    if "ProviderError" in bases:
        return "error"
    return "struct" if bases & {"msgspec.Struct", "NamedTuple"} else "class"
