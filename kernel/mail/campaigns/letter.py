"""What a campaign says: in the fall-back language, and in others for those who read them."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from kernel.core.field_errors import FieldError, FieldFault
from kernel.core.text.languages import is_language, spoken
from kernel.mail.schemas import BodyFormat, BulkKind, LetterIn
from kernel.mail.templates.markdown import html_of
from kernel.mail.templates.service import EMPTY, NO_LANGUAGE, TemplateService
from kernel.mail.templates.template_text import body_faults, is_blank, safe_html

TWICE: Final = FieldError("language_twice", "The email is already written in this language.")


class SentText(msgspec.Struct, frozen=True, kw_only=True):
    """A version as it is sent, with sanitized HTML; `source` is the Markdown that it was written in, empty for HTML."""

    subject: str
    html_body: str
    source: str = ""


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """The versions of a campaign: the fall-back, and those of other languages."""

    fallback: SentText
    versions: Mapping[str, SentText]

    def version_for(self, language: str | None) -> str | None:
        """Return which version an account gets by its language, which is English where none was chosen."""
        return code if (code := spoken(language)) in self.versions else None

    def text(self, version: str | None) -> SentText:
        """Return a version; None is the fall-back."""
        return self.fallback if version is None else self.versions[version]

    def longest(self) -> int:
        """Return the bytes of the longest body."""
        return max(len(text.html_body.encode()) for text in (self.fallback, *self.versions.values()))


def written(given: LetterIn) -> Letter:
    """Return a valid text as it is sent."""
    return Letter(
        fallback=_sent(given.subject, given.html_body, given.body_format),
        versions={
            code: _sent(version.subject, version.html_body, given.body_format)
            for code, version in given.versions.items()
        },
    )


def stored_letter(row: Any) -> Letter:
    """Return what a row of a campaign says."""
    return Letter(
        fallback=SentText(subject=row.subject, html_body=row.html_body, source=row.source),
        versions=msgspec.convert(row.versions, dict[str, SentText]),
    )


def letter_faults(templates: TemplateService, kind: BulkKind, given: LetterIn) -> dict[str, FieldFault]:
    """Return all that is wrong with a text and with where answers go, by field of the API."""
    return templates.faults(kind, given) | _version_faults(kind, given)


def _version_faults(kind: BulkKind, given: LetterIn) -> dict[str, FieldFault]:
    """Return what is wrong with the languages and with the versions in others than the fall-back, by field."""
    found: dict[str, FieldFault] = {} if is_language(given.language) else {"language": NO_LANGUAGE}
    for code, version in given.versions.items():
        at = f"versions.{code}"
        if not is_language(code) or code == given.language:
            found[at] = TWICE if code == given.language else NO_LANGUAGE
            continue
        faults = body_faults(kind, version.subject, version.html_body, given.body_format)
        texts = (("subject", version.subject), ("htmlBody", version.html_body))
        faults |= {name: EMPTY for name, text in texts if not text.strip()}
        if "htmlBody" not in faults and is_blank(version.html_body, given.body_format):
            faults["htmlBody"] = EMPTY
        found |= {f"{at}.{name}": fault for name, fault in faults.items()}
    return found


def _sent(subject: str, body: str, body_format: BodyFormat) -> SentText:
    return SentText(
        subject=subject.strip(),
        html_body=safe_html(html_of(body, body_format)),
        source="" if body_format == "html" else body,
    )
