"""The parts of a reference page: a name of the contracts with everything that is known of it."""

from collections.abc import Sequence
from html import escape
from typing import Final

import griffe

from kernel.docs.site.code import definition, linked, signature
from kernel.docs.site.contracts import PublicName
from kernel.docs.site.kit import KitRule, rules_for
from kernel.docs.site.prose import Writer
from kernel.docs.site.sources import Duties, duties

NO_VALUE: Final = "required"


class Reference:
    """Writes the names of one page. `kind` and `contract` are those of its methods, where it has some.

    `rules_at` is the page with the contract's rules, empty for the page itself.
    """

    def __init__(self, writer: Writer, kind: str = "", contract: str = "", rules_at: str = "") -> None:
        self._write = writer
        self._kind = kind
        self._contract = contract
        self._rules_at = rules_at

    def symbol(self, symbol: PublicName) -> str:
        """Return a name: its heading, its signature, its docstring, its fields and its methods."""
        parts = [self._write.heading(3, symbol.name, anchor=symbol.name, code=True)]
        if isinstance(symbol.source, griffe.Function):
            parts.append(signature(symbol.source, symbol.name))
        elif isinstance(symbol.source, griffe.Attribute):
            parts.append(definition(symbol.source))
        parts.append(self._write.text(symbol.text, within=symbol.name, deeper=3))
        if symbol.shape in ("struct", "class", "enum", "protocol") and symbol.fields:
            parts.append(self._fields(symbol))
        parts += [self._method(symbol, method) for method in symbol.methods]
        return "".join(parts)

    def rules(self, rules: Sequence[KitRule]) -> str:
        """Return rules of the kit as a table, each with an anchor of its own."""
        rows = "".join(
            row(f"<code>{rule.id}</code>", escape(rule.sentence), anchor=self._write.anchor(rule.id)) for rule in rules
        )
        return table(("Rule", "What it checks"), rows)

    def _fields(self, symbol: PublicName) -> str:
        enum = symbol.shape == "enum"
        rows = "".join(self._field(symbol, one, enum=enum) for one in symbol.fields)
        if all("property" in one.labels for one in symbol.fields):
            return table(("Property", "Type", "What it is"), rows)
        return table(("Name", "Value") if enum else ("Field", "Type", "Default"), rows)

    def _field(self, symbol: PublicName, one: griffe.Attribute, *, enum: bool) -> str:
        anchor = self._write.anchor(f"{symbol.name}.{one.name}")
        name = f"<code>{escape(one.name)}</code>"
        if enum:
            return row(name, f"<code>{linked(one.value)}</code>", anchor=anchor)
        known = f"<code>{linked(one.value)}</code>" if one.value is not None else NO_VALUE
        if "property" in one.labels:
            known = self._write.inline(one.docstring.value) if one.docstring else "–"
        return row(name, f"<code>{linked(one.annotation)}</code>", known, anchor=anchor)

    def _method(self, symbol: PublicName, method: griffe.Function) -> str:
        heading = self._write.heading(
            4, f"{symbol.name}.{method.name}", anchor=f"{symbol.name}.{method.name}", code=True
        )
        text = method.docstring.value if method.docstring else ""
        told = duties().get((self._kind, method.name)) if symbol.shape == "protocol" else None
        return "".join(
            (
                heading,
                signature(method, method.name),
                self._write.text(text, within=symbol.name, deeper=4),
                self._duties(told, method.name) if told else "",
            )
        )

    def _duties(self, told: Duties, method: str) -> str:
        """Return when a method is called, what it must not do, what it may raise, and what the kit checks of it."""
        entries = [("Called", told.when), ("Must not", told.must_not), ("May raise", told.may_raise)]
        lines = [
            f"<dt>{name}</dt><dd>{self._write.inline(text)}</dd>" for name, text in entries if text not in ("", "–")
        ]
        checked = rules_for(self._contract, method) if self._contract else []
        if checked:
            links = "".join(
                f'<li><a href="{self._rules_at}#{rule.id}"><code>{rule.id}</code></a> {escape(rule.sentence)}</li>'
                for rule in checked
            )
            lines.append(f"<dt>The kit checks</dt><dd><ul>{links}</ul></dd>")
        return f'<dl class="duties">{"".join(lines)}</dl>'


def table(heads: Sequence[str], rows: str) -> str:
    """Return a table that can be scrolled with the keyboard."""
    cells = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    return (
        f'<div class="table" tabindex="0" role="group" aria-label="Table: {escape(", ".join(heads))}"><table>'
        f"<thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def row(head: str, *cells: str, anchor: str = "") -> str:
    """Return a row of a table, all of it HTML; its first cell is what the row is about."""
    place = f' id="{anchor}"' if anchor else ""
    rest = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr{place}><th scope="row">{head}</th>{rest}</tr>'
