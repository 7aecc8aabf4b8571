"""The complete email around an administrator's text, with the required footer in the reader's language."""

from collections.abc import Mapping
from html import escape
from typing import Final, Literal

import msgspec

from kernel.core.text.languages import spoken
from kernel.mail.email_layout import filled, page, texts_of
from kernel.mail.templates.template_text import UNSUBSCRIBE, TemplateText
from kernel.spi import EmailMessage

Footer = Literal["account", "bulk"]

_FOOT: Final = '<p style="margin:0 0 8px">{}</p>'
_LINK: Final = '<a href="{link}" style="color:#6d6660">{label}</a>'


class Reader(msgspec.Struct, frozen=True, kw_only=True):
    """The recipient of an email."""

    email: str
    first_name: str | None
    last_name: str | None
    language: str | None

    def values(self, unsubscribe_url: str = "") -> dict[str, str]:
        """Return the values of the placeholders for this reader."""
        names = {"firstName": self.first_name or "", "lastName": self.last_name or ""}
        return {"email": self.email, **names, UNSUBSCRIBE: unsubscribe_url}


class SendingSite(msgspec.Struct, frozen=True, kw_only=True):
    """Who sends: the site's name and address, and the operator's postal address, empty where none is needed."""

    name: str
    url: str
    postal_address: str = ""

    def unsubscribe_page(self, token: str) -> str:
        """Return the address of the page on which the holder of a token unsubscribes."""
        return f"{self.url}/unsubscribe?token={token}"


def render_campaign_email(
    text: TemplateText,
    reader: Reader,
    site: SendingSite,
    *,
    footer: Footer,
    sender: str = "",
    unsubscribe_url: str = "",
    reply_to: str | None = None,
    headers: Mapping[str, str] | None = None,
    metadata: Mapping[str, str] | None = None,
) -> EmailMessage:
    """Return the message for a reader; `text` is sanitized already. An empty `sender` is set by the mailer."""
    language = spoken(reader.language)
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
    return EmailMessage(
        to=reader.email,
        sender=sender,
        subject=subject,
        text="\n\n".join([text.plain(values), *below]) + "\n",
        html=page(subject, text.html(values), "".join(foot), language=language, whole=False, css=text.css),
        reply_to=reply_to,
        headers=headers or {},
        metadata=metadata or {},
    )
