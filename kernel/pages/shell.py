"""The one HTML page: language, direction and head are written by the server, the rest is the SPA's."""

import html
import re
from collections.abc import Mapping
from typing import Any, Final

from litestar import Request

from kernel.core.config import Config
from kernel.core.languages import LANGUAGES, accepted_language, is_language

RIGHT_TO_LEFT: Final = frozenset({"ar"})
COOKIES: Final = ("preferred-language", "i18next")
ADMIN_ROUTES: Final = (
    r"admin(?:/(?:users|plan-limits|prompt-engineer|carousel|branding|email-templates|email-broadcast|email-marketing"
    r"|seo|seo-test|providers(?:/[a-z0-9-]+)?|plugins|usage|attempts|webhooks|outbox))?"
)
SPA_ROUTES: Final = re.compile(
    rf"/(?:gallery|sign-in|setup|account|subscribe|forgot|reset|confirm-email|unsubscribe|theme/[1-9]\d{{0,17}}|{ADMIN_ROUTES})?/?$"
)
"""Addresses the SPA has a screen for; any other is its 404 page, and answered as such."""
FIRST_SCREEN: Final = re.compile(r"<!--first-screen-->.*?<!--/first-screen-->", re.DOTALL)
DESCRIPTION: Final = "Describe your book and get a cover that looks as if a designer drew it."


def split_language(path: str) -> tuple[str | None, str]:
    """Return the language in the first segment, if any, and the path without it."""
    first, _, rest = path.removeprefix("/").partition("/")
    return (first, f"/{rest}") if is_language(first) else (None, path)


def language_of(request: Request[Any, Any, Any], in_path: str | None) -> str:
    """Return the language the shell is written in; the SPA, which also knows local storage, may choose another."""
    asked = request.query_params.get("lng", "")
    candidates = [asked, *(request.cookies.get(name, "") for name in COOKIES), in_path or ""]
    accepted = accepted_language(request.headers.get("accept-language", ""))
    return next((code for code in candidates if is_language(code)), accepted)


def write_shell(
    template: str,
    request: Request[Any, Any, Any],
    config: Config,
    path: str,
    hints: tuple[str, ...],
    first_screen: Mapping[str, str],
) -> str:
    """Fill in language, direction, head and first words for one address.

    `hints` are what the browser may fetch meanwhile, `first_screen` the words by language; without them a wheel turns.
    """
    in_path, rest = split_language(path)
    language = language_of(request, in_path)
    name, base = html.escape(config.site.name), html.escape(config.public_url)
    rest = html.escape(rest.rstrip("/") or "/")
    tail = "" if rest == "/" else rest
    links = [f'<link rel="alternate" hreflang="{code}" href="{base}/{code}{tail}/">' for code in LANGUAGES]
    head = [
        f"<title>{name}</title>",
        f'<meta name="description" content="{html.escape(DESCRIPTION)}">',
        f'<link rel="canonical" href="{base}{f"/{in_path}" if in_path else ""}{tail or "/"}">',
        *links,
        f'<link rel="alternate" hreflang="x-default" href="{base}{tail or "/"}">',
    ]
    if not SPA_ROUTES.match(rest) or rest != "/":
        head.append('<meta name="robots" content="noindex">')
    direction = "rtl" if language in RIGHT_TO_LEFT else "ltr"
    page = re.sub(r"<html[^>]*>", f'<html lang="{language}" dir="{direction}">', template, count=1)
    page = page.replace("<!--app-head-->", "\n    ".join(head), 1)
    if language in first_screen:
        page = FIRST_SCREEN.sub(lambda _: first_screen[language], page, count=1)
    words = f'<link rel="preload" as="fetch" crossorigin href="/locales/{language}/translation.json">'
    return page.replace("<!--hints-->", "\n    ".join([words, *hints]), 1)
