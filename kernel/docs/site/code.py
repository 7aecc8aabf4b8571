"""Code as HTML: blocks with colored words, and signatures whose types lead to where they are described."""

from collections.abc import Sequence
from html import escape
from typing import Final

import griffe
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from kernel.docs.site.contracts import address_of

WIDEST: Final = 88
"""Characters of a signature on one line; longer ones have a line for each parameter."""

_FORMAT: Final = HtmlFormatter(nowrap=True)
_LEXERS: Final = {"sh": "bash", "": "text"}


def code_block(text: str, language: str, title: str = "") -> str:
    """Return a block of code. It can be scrolled with the keyboard; `title` names the file that it is."""
    lexer = get_lexer_by_name(_LEXERS.get(language, language), stripall=False)
    name = f"<figcaption>{escape(title)}</figcaption>" if title else ""
    label = escape(title or f"Code: {language or 'text'}")
    block = f'<pre tabindex="0" role="group" aria-label="{label}"><code>{highlight(text, lexer, _FORMAT)}</code></pre>'
    return f"<figure>{name}{block}</figure>"


def signature(function: griffe.Function, name: str) -> str:
    """Return how a function or method is called."""
    before = "async def " if "async" in function.labels else "def "
    parameters = _parameters([one for one in function.parameters if one.name not in ("self", "cls")])
    returns = f" -> {linked(function.returns)}" if function.returns is not None else ""
    plain = f"{before}{name}({', '.join(text for text, _ in parameters)}) -> {function.returns}"
    if len(plain) <= WIDEST or not parameters:
        inside = ", ".join(html for _, html in parameters)
    else:
        inside = "".join(f"\n    {html}," for _, html in parameters) + "\n"
    return _boxed(f'<span class="k">{before}</span><span class="nf">{escape(name)}</span>({inside}){returns}')


def definition(attribute: griffe.Attribute) -> str:
    """Return what a constant is, or what an alias of a type stands for."""
    annotation = f": {linked(attribute.annotation)}" if attribute.annotation is not None else ""
    return _boxed(f'<span class="nf">{escape(attribute.name)}</span>{annotation} = {linked(attribute.value)}')


def linked(expression: str | griffe.Expr | None) -> str:
    """Return an expression, each public name in it as a link."""
    if expression is None:
        return "None"
    parts: Sequence[object] = [expression] if isinstance(expression, str) else list(expression.iterate(flat=True))
    return "".join(_part(part) for part in parts)


def _part(part: object) -> str:
    if isinstance(part, griffe.ExprName) and (address := address_of(part.name)) is not None:
        return f'<a href="{address}">{escape(part.name)}</a>'
    return escape(part.name if isinstance(part, griffe.ExprName) else str(part))


def _parameters(parameters: Sequence[griffe.Parameter]) -> list[tuple[str, str]]:
    """Return each parameter as plain text and as HTML, with the star before those that need their names."""
    found: list[tuple[str, str]] = []
    starred = False
    for one in parameters:
        if one.kind is griffe.ParameterKind.keyword_only and not starred:
            found.append(("*", "*"))
            starred = True
        stars = {griffe.ParameterKind.var_positional: "*", griffe.ParameterKind.var_keyword: "**"}
        starred = starred or one.kind is griffe.ParameterKind.var_positional
        before = stars.get(one.kind, "") if one.kind else ""
        kind = f": {one.annotation}" if one.annotation is not None else ""
        default = f" = {one.default}" if one.default is not None and not before else ""
        html = f"{before}{escape(one.name)}{f': {linked(one.annotation)}' if kind else ''}{escape(default)}"
        found.append((f"{before}{one.name}{kind}{default}", html))
    return found


def _boxed(html: str) -> str:
    return f'<pre class="signature" tabindex="0" role="group" aria-label="Signature"><code>{html}</code></pre>'
