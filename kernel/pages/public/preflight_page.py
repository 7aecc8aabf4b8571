"""Preflight as the server writes it: what is checked, for which printers, and what becomes of the file.

The check itself needs scripts: the file is sent with its progress, and the places that are found are drawn.
"""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final

from kernel.pages.public.frame import LINK, framed, head_of
from kernel.pages.public.visit import Visit, WrittenPage
from kernel.press.editions.rules import CHECKED
from kernel.press.trade.table import printers

SCREEN: Final = "/preflight"


def write_preflight_page(visit: Visit) -> WrittenPage | None:
    """Return the page; None before the interface has been built."""
    words, trade = visit.words("books"), visit.words("spine")
    said = visit.words("books", visit.head_language)
    if words is None or trade is None or said is None:
        return None
    own = words["preflight"]
    html = (
        '<div class="mx-auto max-w-page px-4 py-10 md:px-8 lg:py-14">'
        f'<h1 class="display text-section-title">{escape(own["title"])}</h1>'
        f'<p class="mt-3 max-w-2xl text-ink-2">{escape(own["lead"])}</p>'
        f'<noscript><p class="mt-6 text-warn">{escape(own["noScript"])}</p></noscript>'
        f'<h2 class="mt-8 font-medium">{escape(own["form"])}</h2>'
        f'<ul class="mt-2 text-sm text-ink-2">{_items(own["forms"].values())}</ul>'
        f'<p class="mt-6 text-sm text-ink-2">{escape(own["kinds"])}</p>'
        f'<p class="mt-2 text-note text-ink-2">{escape(own["kept"])}</p>'
        f"{_checked(own)}{_printers(own, trade['spine'])}"
        f'<p class="mt-6"><a class="{LINK}" href="{escape(visit.link("/spine"))}">'
        f"{escape(trade['spine']['title'])}</a></p></div>"
    )
    head = head_of(visit, SCREEN, title=said["preflight"]["head"], description=said["preflight"]["description"])
    return WrittenPage(head=head, html=framed(visit, html))


def _checked(own: Mapping[str, Any]) -> str:
    """Return the names of all rules, by area."""
    names: Mapping[str, str] = own["names"]
    areas = "".join(
        f'<div><h3 class="font-medium">{escape(own["areas"][area])}</h3>'
        f'<ul class="mt-2 grid gap-1.5 text-sm text-ink-2">{_items(names[rule] for rule in rules)}</ul></div>'
        for area, rules in CHECKED.items()
    )
    return (
        f'<section class="mt-16"><h2 class="display text-2xl">{escape(own["checked"])}</h2>'
        f'<div class="mt-6 grid grid-cols-1 gap-8 sm:grid-cols-2 lg:grid-cols-4">{areas}</div></section>'
    )


def _items(words: Iterable[str]) -> str:
    return "".join(f"<li>{escape(one)}</li>" for one in words)


def _printers(own: Mapping[str, Any], trade: Mapping[str, Any]) -> str:
    """Return the printers, each with its bindings."""
    lines = "".join(
        f"<li><bdi>{escape(printer.name)}</bdi>: "
        f"{escape(' · '.join(trade['bindings'][binding] for binding in printer.bindings))}</li>"
        for printer in printers().values()
    )
    return (
        f'<section class="mt-10"><h2 class="display text-2xl">{escape(own["printers"])}</h2>'
        f'<ul class="mt-4 grid gap-1.5 text-sm text-ink-2">{lines}</ul></section>'
    )
