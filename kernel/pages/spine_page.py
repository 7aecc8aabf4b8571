"""The spine calculator as the server writes it: whole without scripts, for readers and for search engines.

The interface shows the same once it has loaded. Both read their words from the same file.
"""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final
from urllib.parse import quote, urlencode

import msgspec

from kernel.books.editions import ASKED
from kernel.books.spine.asking import FIELDS, USUAL, read_question
from kernel.books.spine.schemas import Sheet
from kernel.books.spine.service import sheet_out
from kernel.core.errors import InvalidFields
from kernel.core.field_errors import FieldFault
from kernel.pages.static_files import StaticFiles
from kernel.press.trade.table import Binding, printers, trim_name

SCREEN: Final = "/spine"
HEAD: Final = "py-2 pe-3 text-start font-medium"
DECIMAL_COMMA: Final = frozenset(("es", "fr", "de", "it", "pt", "ru"))
"""Languages that write 0,5 for a half."""


class SpineWords(msgspec.Struct, frozen=True):
    """The texts of one language: those of the page, and what is said of bad fields."""

    spine: dict[str, Any]
    errors: dict[str, dict[str, str]]


def spine_words(static_files: StaticFiles, language: str) -> SpineWords | None:
    """Return the texts; None while the web application has not been built."""
    file = static_files.find(f"/locales/{language}/spine.json")
    return msgspec.json.decode(file.bodies["identity"], type=SpineWords) if file else None


def write_spine_page(words: SpineWords, params: Mapping[str, str], language: str, home: str) -> str:
    """Return the page for the address that was asked for; `home` is the landing page's path."""
    own = words.spine
    given = USUAL | {name: params[name][:40] for name in FIELDS if params.get(name)}
    faults: Mapping[str, FieldFault] = {}
    result = ""
    try:
        asked = read_question(given)
        result = _result(words, sheet_out(asked), given, language, home)
    except InvalidFields as error:
        faults = error.fields
    said = {name: _sentence(words, fault, language) for name, fault in faults.items()}
    return (
        '<div class="mx-auto max-w-page px-4 py-10 md:px-8 lg:py-14">'
        f'<h1 class="display text-section-title">{escape(own["title"])}</h1>'
        f'<p class="mt-3 max-w-2xl text-ink-2">{escape(own["lead"])}</p>'
        '<div class="mt-8 grid grid-cols-1 items-start gap-8 lg:grid-cols-[22rem_minmax(0,1fr)] lg:gap-12">'
        f'<form class="grid gap-5" method="get" action="">{_fields(own, given, said)}</form>'
        f'<section class="min-w-0">{result}</section></div></div>'
    )


def _fields(own: Mapping[str, Any], given: Mapping[str, str], said: Mapping[str, str]) -> str:
    made = printers()
    printer = made.get(given["printer"]) or made[USUAL["printer"]]
    rules: Binding = printer.bindings.get(given["binding"]) or next(iter(printer.bindings.values()))
    trims = [(name, f"\u2066{name.replace('x', ' × ')}\u2069") for name in (trim_name(*trim) for trim in rules.trims)]
    fields = (
        _select("printer", own["printer"], [(name, one.name) for name, one in made.items()], given, said),
        _select("binding", own["binding"], [(name, own["bindings"][name]) for name in printer.bindings], given, said),
        _select("trim", own["trim"], trims, given, said) if trims else _input("trim", own["trim"], given, said),
        _input("pages", own["pages"], given, said),
        _select("paper", own["paper"], [(name, own["papers"][name]) for name in rules.papers], given, said),
        _input("spine", own["given"], given, said, own["statedHint" if rules.asks_for_spine else "givenHint"]),
        *(
            _input(name, own["asked"][name]["label"], given, said, own["asked"][name]["hint"])
            for name in (ASKED[measure] for measure in rules.asks)
        ),
        _select(
            "direction", own["direction"], [(name, own["directions"][name]) for name in ("ltr", "rtl")], given, said
        ),
        f'<button class="h-10 rounded-md bg-primary px-4 text-sm text-on-primary">{escape(own["calculate"])}</button>',
    )
    return "".join(fields)


def _select(
    name: str, label: str, options: Iterable[tuple[str, str]], given: Mapping[str, str], said: Mapping[str, str]
) -> str:
    value = given.get(name, "")
    known = list(options)
    if value and value not in dict(known):
        known.append((value, value))
    written = "".join(
        f'<option value="{escape(one)}"{" selected" if one == value else ""}>{escape(words)}</option>'
        for one, words in known
    )
    return _field(name, label, f'<select class="field h-11" id="{name}" name="{name}">{written}</select>', said)


def _input(name: str, label: str, given: Mapping[str, str], said: Mapping[str, str], hint: str = "") -> str:
    value = escape(given.get(name, ""))
    control = (
        f'<input class="field h-11 rtl:text-end" dir="ltr" id="{name}" name="{name}" maxlength="20" value="{value}">'
    )
    return _field(name, label, control, said, hint)


def _field(name: str, label: str, control: str, said: Mapping[str, str], hint: str = "") -> str:
    note = said.get(name) or hint
    color = "text-danger" if name in said else "text-ink-3"
    below = f'<p class="mt-1.5 text-xs leading-relaxed {color}">{escape(note)}</p>' if note else ""
    above = f'<label class="mb-1.5 block text-sm font-medium" for="{name}">{escape(label)}</label>'
    return f"<div>{above}{control}{below}</div>"


def _result(words: SpineWords, sheet: Sheet, given: Mapping[str, str], language: str, home: str) -> str:
    own = words.spine

    def figure(value: float) -> str:
        text = f"{value:.4f}".rstrip("0").rstrip(".")
        return text.replace(".", ",") if language in DECIMAL_COMMA else text

    rows = (
        ("inches", sheet.spine, sheet.width, sheet.height),
        ("millimeters", sheet.spine_mm, sheet.width_mm, sheet.height_mm),
        ("pixels", sheet.spine_pixels, sheet.width_pixels, sheet.height_pixels),
    )
    table = "".join(
        f'<tr class="border-b border-line"><th scope="row" class="py-2.5 pe-3 text-start font-normal text-ink-2">'
        f'{escape(own[unit])}</th><td class="py-2.5 pe-3 text-lg font-medium"><bdi>{figure(spine)}</bdi></td>'
        f'<td class="py-2.5 text-lg font-medium"><bdi>{figure(width)} × {figure(height)}</bdi></td></tr>'
        for unit, spine, width, height in rows
    )
    heads = "".join(f'<th scope="col" class="{HEAD}">{escape(own[name])}</th>' for name in ("spine", "whole"))
    text = own["textYes"] if sheet.spine_text else own["textNo"].replace("{{pages}}", str(sheet.spine_text_pages))
    params = urlencode({name: value for name, value in given.items() if value})
    template = f"/api/spine/template?{params}&format="
    links = "".join(_link(f"{template}{format}", own[format]) for format in ("pdf", "png"))
    computed = f'<p class="mt-2 text-sm text-warn">{escape(own["computed"])}</p>' if sheet.computed else ""
    return (
        '<table class="w-full border-collapse text-sm tabular-nums">'
        f'<thead><tr class="border-b border-line text-ink-2"><td></td>{heads}</tr></thead>'
        f"<tbody>{table}</tbody></table>"
        f'<p class="mt-3 text-sm text-ink-2">{escape(text)}</p>{computed}'
        '<figure class="mt-6 rounded-lg bg-sunken p-4"><img class="mx-auto max-h-[28rem] w-full object-contain" '
        f'src="data:image/svg+xml,{quote(sheet.svg)}" alt="{escape(own["drawing"])}"></figure>'
        f'<p class="mt-6 flex flex-wrap gap-3">{_link(home, own["generate"])}{links}</p>'
    )


def _link(address: str, words: str) -> str:
    return f'<a class="text-ink underline underline-offset-4" href="{escape(address)}">{escape(words)}</a>'


def _sentence(words: SpineWords, fault: FieldFault, language: str) -> str:
    """Return what is wrong in the page's language, else in English."""
    if isinstance(fault, str):
        return fault
    text = words.errors["field"].get(fault.code, fault.message)
    for name, value in fault.params.items():
        number = f"{value:g}"
        text = text.replace(f"{{{{{name}}}}}", number.replace(".", ",") if language in DECIMAL_COMMA else number)
    return text
