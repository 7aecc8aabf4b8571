"""The one HTML page: the server writes language, direction and head, the SPA the rest."""

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from kernel.core.text.languages import accepted_language, direction, is_language
from kernel.core.web.access import AppRequest

COOKIES: Final = ("preferred-language", "i18next")
SPA_ROUTES: Final = re.compile(
    r"/(?:gallery|books|preflight|sign-in|setup|account|subscribe|forgot|reset|email-link|confirm-email|unsubscribe"
    r"|(?:theme|book)/[1-9]\d{0,17}|cover/[1-9]\d{0,17}/(?:edit|refine))?/?$"
)
"""Addresses for which the SPA has a screen for everybody, beside the pages that the server writes whole."""
ADMIN_ROUTES: Final = re.compile(
    r"/admin(?:/(?:users(?:/[1-9]\d{0,17})?|plan-limits|prompt-engineer|carousel|branding|texts|signing|email-templates"
    r"|email-broadcast|email-marketing|suppressions|seo|seo-test|providers(?:/[a-z0-9-]+)?|system|jobs"
    r"|plugins(?:/[A-Za-z0-9._-]+)?|usage|attempts|webhooks|outbox|audit))?/?$"
)
"""Addresses for which it has one for those who are signed in; any other is its 404 page, with that status."""
FIRST_SCREEN: Final = re.compile(r"<!--first-screen-->.*?<!--/first-screen-->", re.DOTALL)
ICON: Final = re.compile(r'<link rel="icon"[^>]*>')


def split_language(path: str) -> tuple[str | None, str]:
    """Return the language in the first segment, if any, and the path without it."""
    first, _, rest = path.removeprefix("/").partition("/")
    return (first, f"/{rest}") if is_language(first) else (None, path)


def language_of(request: AppRequest, in_path: str | None) -> str:
    """Return the language the shell is written in; the SPA, which also knows local storage, may choose another."""
    asked = request.query_params.get("lng", "")
    candidates = [asked, *(request.cookies.get(name, "") for name in COOKIES), in_path or ""]
    accepted = accepted_language(request.headers.get("accept-language", ""))
    return next((code for code in candidates if is_language(code)), accepted)


def write_shell(
    template: str,
    language: str,
    *,
    head: Sequence[str],
    icon: str | None,
    hints: Sequence[str],
    first_screen: Mapping[str, str],
    signed_in: bool,
) -> str:
    """Fill in language, direction, head and first texts, and whether a session came with the request.

    `icon` is the address of the operator's own, a PNG. `hints` are what the browser may fetch meanwhile, `first_screen`
    the first texts by language; without them a spinner is shown.
    """
    session = "" if signed_in else ' data-session="none"'
    tag = f'<html lang="{language}" dir="{direction(language)}"{session}>'
    page = re.sub(r"<html[^>]*>", tag, template, count=1)
    if icon:
        page = ICON.sub(lambda _: f'<link rel="icon" href="{escape(icon)}" type="image/png">', page, count=1)
    page = page.replace("<!--app-head-->", "\n    ".join(head), 1)
    if language in first_screen:
        page = FIRST_SCREEN.sub(lambda _: first_screen[language], page, count=1)
    preload = f'<link rel="preload" as="fetch" crossorigin href="/locales/{language}/translation.json">'
    return page.replace("<!--hints-->", "\n    ".join([preload, *hints]), 1)
