"""Plans, prices, and questions about them as the server writes them."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

from kernel.billing.pricing.prices import ListedPrice
from kernel.core.text.numbers import plural_form, written_number, written_price
from kernel.pages.public.frame import framed, head_of
from kernel.pages.public.visit import Visit, WrittenPage
from kernel.pages.seo.structured_data import product_data
from kernel.plans.schemas import PlanLimits

SCREEN: Final = "/pricing"
QUESTIONS: Final = ("counts", "renews", "cancel", "after")
FREE: Final = ("dimensions", "quality")
PRO: Final = ("dimensions", "themes", "support", "downloads", "customization")
_EVERY: Final = {"month": "perMonth", "year": "perYear", "week": "perWeek", "day": "perDay"}
_BUTTON: Final = "inline-flex h-12 w-full items-center justify-center rounded-md bg-primary px-6 text-on-primary"


def write_pricing_page(visit: Visit) -> WrittenPage | None:
    """Return the page; None before the interface has been built."""
    words, texts, head_words = (
        visit.words("pages"),
        visit.words("translation"),
        visit.words("pages", visit.head_language),
    )
    if words is None or texts is None or head_words is None:
        return None
    said, plans = words["pages"]["pricing"], texts["landing"]["pricing"]
    content, language = visit.content, visit.language
    free = _plan(
        plans["free"],
        _each(plans, 0, "usd", "month", language),
        [*_allowance(plans, "free", content.limits, language), *_lines(plans["free"], FREE)],
        "/api/login",
    )
    pro = _plan(
        plans["pro"],
        _price(plans, content.price, language),
        [*_allowance(plans, "pro", content.limits, language), *_lines(plans["pro"], PRO)],
        "/api/login?redirect=/subscribe",
    )
    html = (
        '<article class="mx-auto max-w-page px-4 py-10 md:px-8 lg:py-14">'
        f'<h1 class="display text-center text-section-title">{escape(said["title"])}</h1>'
        f'<p class="mt-3 text-center text-ink-2">{escape(said["lead"])}</p>'
        '<div class="mx-auto mt-12 grid max-w-4xl grid-cols-1 gap-6 md:grid-cols-2">'
        f"{free}{pro}"
        '</div><section class="mx-auto mt-20 max-w-3xl">'
        f'<h2 class="display text-2xl">{escape(said["questions"])}</h2>'
        f"{''.join(_question(said['faq'][name]) for name in QUESTIONS)}</section></article>"
    )
    return WrittenPage(head=_head(visit, head_words["pages"]["pricing"]), html=framed(visit, html))


def _head(visit: Visit, said: Mapping[str, str]) -> list[str]:
    description = said["description"].replace("{{name}}", visit.site)
    head = head_of(visit, SCREEN, title=said["title"], description=description)
    data = product_data(base=visit.base, name=visit.site, description=description, price=visit.content.price)
    return [*head, f'<script type="application/ld+json">{data}</script>']


def _allowance(plans: Mapping[str, Any], plan: str, limits: PlanLimits | None, language: str) -> list[str]:
    """Return how many covers a plan allows each month; nothing before the limits have been read."""
    if limits is None:
        return []
    if plan == "pro" and limits.pro_unlimited:
        return [plans["pro"]["unlimited"]]
    count = limits.pro_monthly_limit if plan == "pro" else limits.free_monthly_limit
    form: str = plans[plan][f"covers_{plural_form(count, language)}"]
    return [form.replace("{{formatted}}", written_number(count, language))]


def _price(plans: Mapping[str, Any], price: ListedPrice | None, language: str) -> str:
    return _each(plans, price.amount, price.currency, price.interval, language) if price else ""


def _each(plans: Mapping[str, Any], minor: int, currency: str, interval: str | None, language: str) -> str:
    each: str = plans[_EVERY.get(interval or "month", "perMonth")]
    return each.replace("{{price}}", written_price(minor, currency, language))


def _lines(plan: Mapping[str, str], names: Sequence[str]) -> list[str]:
    return [plan[name] for name in names]


def _plan(plan: Mapping[str, str], price: str, lines: Sequence[str], leads_to: str) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return (
        '<section class="flex flex-col rounded-xl bg-surface p-6 shadow-1 md:p-8">'
        f'<h2 class="text-lg font-medium">{escape(plan["name"])}</h2>'
        f'<p class="mt-1 text-sm text-ink-2">{escape(plan["lead"])}</p>'
        f'<p class="display mt-6 text-4xl tabular-nums">{escape(price)}</p>'
        f'<ul class="mt-6 mb-8 flex-1 space-y-3 border-t border-line pt-6 text-body">{items}</ul>'
        f'<a class="{_BUTTON}" href="{escape(leads_to)}">{escape(plan["action"])}</a></section>'
    )


def _question(said: Mapping[str, str]) -> str:
    return (
        f'<h3 class="mt-8 text-lg font-medium">{escape(said["question"])}</h3>'
        f'<p class="mt-3 leading-relaxed text-ink-2">{escape(said["answer"])}</p>'
    )
