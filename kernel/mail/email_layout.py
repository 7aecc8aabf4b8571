"""What emails say, in twelve languages: a plain text, and a simple HTML page beside it.

The recipient's address is the only user input in an email: a person who makes an account under another person's
address must not be able to send that person a text of their own.
"""

import re
import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from html import escape
from pathlib import Path
from typing import Final

import msgspec

from kernel.accounts.auth.account_emails import AccountEmail
from kernel.core.text.languages import direction, spoken
from kernel.spi import EmailMessage, decimal_places

TEXTS: Final = Path(__file__).with_name("texts")
_NAME: Final = re.compile(r"{{(\w+)}}")

_PAGE: Final = (
    '<!doctype html><html{of_all}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    "<title>{subject}</title>{style}</head>"
    '<body style="margin:0;padding:32px 16px;background:#f8f6f2;color:#2a2522;'
    'font:16px/1.6 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif">'
    '<div{of_body} style="max-width:560px;margin:0 auto;padding:32px;background:#fff;border-radius:12px">{body}</div>'
    '<div{of_foot} style="max-width:560px;margin:24px auto 0;font-size:13px;color:#6d6660">{foot}</div></body></html>'
)
_HEADING: Final = '<h1 style="margin:0 0 24px;font:600 24px/1.25 Georgia,serif">{}</h1>'
_PARAGRAPH: Final = '<p style="margin:0 0 16px">{}</p>'
_BUTTON: Final = (
    '<p style="margin:24px 0"><a href="{link}" style="display:inline-block;padding:12px 24px;border-radius:8px;'
    'background:#2a2522;color:#fff;text-decoration:none;font-weight:600">{label}</a></p>'
    '<p style="margin:0 0 16px;font-size:13px;color:#6d6660">{hint}<br>'
    '<a href="{link}" dir="ltr" style="color:#6d6660;word-break:break-all">{link}</a></p>'
)


class Wording(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The text of one email: `lead` before the button, `tail` after it; an empty `button` means that there is none."""

    subject: str
    lead: list[str]
    button: str
    tail: list[str]


class BulkWording(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The footer of a campaign email: why it was sent, and the text of the unsubscribe link."""

    why: str
    unsubscribe: str


class DeviceWording(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a browser and its system are named together, and a device of which neither is known."""

    named: str
    unknown: str


class FormatWording(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How amounts and days are written: the sign before the decimals, a day, and the months as they stand in it."""

    decimal: str
    date: str
    months: list[str]


class Texts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All emails of one language, and their common phrases."""

    greeting: str
    hint: str
    foot: str
    reset: Wording
    sign_in_link: Wording
    verify: Wording
    change: Wording
    address_in_use: Wording
    email_changed: Wording
    password_changed: Wording
    account_deleted: Wording
    new_device: Wording
    second_factor_added: Wording
    second_factor_removed: Wording
    recovery_code_used: Wording
    receipt: Wording
    refunded: Wording
    renewal_failed: Wording
    confirm_payment: Wording
    subscription_canceled: Wording
    subscription_ended: Wording
    subscription_paused: Wording
    subscription_resumed: Wording
    trial_ending: Wording
    card_expiring: Wording
    price_changing: Wording
    format: FormatWording
    device: DeviceWording
    bulk: BulkWording


@cache
def texts_of(language: str) -> Texts:
    """Return the emails of a language that the interface has."""
    return msgspec.convert(tomllib.loads((TEXTS / f"{language}.toml").read_text("utf-8")), Texts)


def render_account_email(due: AccountEmail, *, name: str, url: str) -> EmailMessage:
    """Render an account email; `name` and `url` are the site's."""
    language = spoken(due.language)
    texts = texts_of(language)
    wording: Wording = getattr(texts, due.kind)
    values = {"name": name, "url": url, **due.details, "device": _device_name(texts.device, due.details)}
    values |= _money_and_days(texts.format, due.details, language)
    link = f"{url}{due.path}" if due.path.startswith("/") else due.path
    subject = filled(wording.subject, values)
    lead, tail = ([filled(line, values) for line in lines] for lines in (wording.lead, wording.tail))
    foot = filled(texts.foot, values)
    way = f"{wording.button}:\n{link}" if wording.button else None
    body = [texts.greeting, *lead, *([way] if way else []), *tail, f"-- \n{foot}"]
    parts = [_HEADING.format(escape(subject)), *(_PARAGRAPH.format(escape(line)) for line in (texts.greeting, *lead))]
    if wording.button:
        parts.append(_BUTTON.format(link=escape(link), label=escape(wording.button), hint=escape(texts.hint)))
    parts += [_PARAGRAPH.format(escape(line)) for line in tail]
    html = page(subject, "".join(parts), escape(foot), language=language)
    return EmailMessage(to=due.to, sender="", subject=subject, text="\n\n".join(body) + "\n", html=html)


def _device_name(wording: DeviceWording, details: Mapping[str, str]) -> str:
    """Name the device of a sign-in by as much as is known of it."""
    browser, system = details.get("browser", ""), details.get("system", "")
    return filled(wording.named, details) if browser and system else browser or system or wording.unknown


def _money_and_days(wording: FormatWording, details: Mapping[str, str], language: str) -> dict[str, str]:
    """Write an amount of minor units as on a bill, `$9.00` or `9.00 EUR`, and unix seconds as days (UTC)."""
    written = {}
    for name in ("amount", "old_amount"):
        if name not in details:
            continue
        places = decimal_places(details["currency"])
        major = f"{Decimal(details[name]).scaleb(-places):.{places}f}".replace(".", wording.decimal)
        code = details["currency"].upper()
        text = f"${major}" if code == "USD" else f"{major} {code}"
        # it falls apart inside right-to-left text unless it is isolated
        written[name] = f"\u2066{text}\u2069" if direction(language) == "rtl" else text
    for name in ("date", "until"):
        if name in details:
            day = datetime.fromtimestamp(int(details[name]), UTC)
            parts = {"day": str(day.day), "month": wording.months[day.month - 1], "year": str(day.year)}
            written[name] = filled(wording.date, parts)
    return written


def page(subject: str, body: str, foot: str, *, language: str, whole: bool = True, css: str = "") -> str:
    """Return the HTML page of an email; body and foot are HTML. All is in `language`, or only the foot."""
    ours = f' lang="{language}" dir="{direction(language)}"'
    of_all, of_body, of_foot = (ours, "", "") if whole else ("", ' dir="auto"', ours)
    style = f"<style>{css}</style>" if css else ""  # in the head: mailboxes ignore it elsewhere
    parts = {"of_all": of_all, "of_body": of_body, "of_foot": of_foot}
    return _PAGE.format(subject=escape(subject), style=style, body=body, foot=foot, **parts)


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return a text with its placeholders replaced."""
    return _NAME.sub(lambda match: values[match.group(1)], text)
