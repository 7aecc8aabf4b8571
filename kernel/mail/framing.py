"""The page around what an administrator wrote, and what must stand below it, in the reader's language."""

from collections.abc import Mapping
from html import escape
from typing import Final, Literal

import msgspec

from kernel.core.languages import FALLBACK, is_language
from kernel.mail.stationery import RIGHT_TO_LEFT, filled, texts_of
from kernel.mail.writing import UNSUBSCRIBE, Text
from kernel.spi import EmailMessage

Footer = Literal["account", "bulk"]

_PAGE: Final = (
    '<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    "<title>{subject}</title></head>"
    '<body style="margin:0;padding:32px 16px;background:#f8f6f2;color:#2a2522;'
    'font:16px/1.6 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif">'
    '<div dir="auto" style="max-width:560px;margin:0 auto;padding:32px;background:#fff;border-radius:12px">{body}</div>'
    '<div lang="{language}" dir="{direction}" '
    'style="max-width:560px;margin:24px auto 0;font-size:13px;color:#6d6660">{foot}</div></body></html>'
)
_FOOT: Final = '<p style="margin:0 0 8px">{}</p>'
_LINK: Final = '<a href="{link}" style="color:#6d6660">{label}</a>'


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """Whom an e-mail goes to."""

    email: str
    first_name: str | None
    last_name: str | None
    language: str | None

    def values(self, unsubscribe_url: str = "") -> dict[str, str]:
        """Return what is filled in for this reader."""
        names = {"firstName": self.first_name or "", "lastName": self.last_name or ""}
        return {"email": self.email, **names, UNSUBSCRIBE: unsubscribe_url}


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """Who sends: the site's name and address, and the operator's postal address, empty where none is needed."""

    name: str
    url: str
    postal_address: str = ""


def framed(
    text: Text,
    reader: Reader,
    site: Site,
    *,
    footer: Footer,
    sender: str = "",
    unsubscribe_url: str = "",
    reply_to: str | None = None,
    headers: Mapping[str, str] | None = None,
    metadata: Mapping[str, str] | None = None,
) -> EmailMessage:
    """Return the message that a reader gets; `text` is safe already. An empty `sender` is for the mailer to fill in."""
    language = reader.language if reader.language and is_language(reader.language) else FALLBACK
    texts, values = texts_of(language), reader.values(unsubscribe_url)
    why = filled(texts.bulk.why if footer == "bulk" else texts.foot, {"name": site.name, "url": site.url})
    lines = site.postal_address.splitlines()
    foot = [_FOOT.format(escape(why))]
    below = [f"-- \n{why}"]
    if footer == "bulk":
        label = texts.bulk.unsubscribe
        foot.append(_FOOT.format(_LINK.format(link=escape(unsubscribe_url), label=escape(label))))
        foot.append(_FOOT.format("<br>".join(escape(line) for line in lines)))
        below += [f"{label}: {unsubscribe_url}", "\n".join(lines)]
    subject = text.subject(values)
    html = _PAGE.format(
        subject=escape(subject),
        body=text.html(values),
        language=language,
        direction="rtl" if language in RIGHT_TO_LEFT else "ltr",
        foot="".join(foot),
    )
    return EmailMessage(
        to=reader.email,
        sender=sender,
        subject=subject,
        text="\n\n".join([text.plain(values), *below]) + "\n",
        html=html,
        reply_to=reply_to,
        headers=headers or {},
        metadata=metadata or {},
    )
