"""Rules of the public texts: who may write what, and what is kept of it."""

from typing import Final
from urllib.parse import urlsplit

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.accounts.validation import email_fault, normal_email
from kernel.core.audit import Actor, audit
from kernel.core.data.database import Database, ReadConnection
from kernel.core.errors import Absent, InvalidFields
from kernel.core.field_errors import FieldError, FieldFault
from kernel.core.text.languages import is_language
from kernel.site.prompts import clean
from kernel.site.public_texts.history import ADDRESS_HISTORY, ADDRESSES, TEXT_HISTORY
from kernel.site.public_texts.markdown import render_markdown
from kernel.site.public_texts.models import PublicAddress, PublicText
from kernel.site.public_texts.schemas import (
    TEXT_PAGES,
    AddressesIn,
    AddressesOut,
    PublicLinks,
    PublicTextOut,
    SavedTextOut,
    TextPage,
)
from kernel.site.public_texts.texts import PublicTexts, StoredAddress, StoredText, shipped_text
from kernel.site.seo.service import check_language

BODY_CHARS: Final = 50_000
"""Longer than the longest terms of service; such a text is in each answer and in each entry of the audit trail."""
ADDRESS_CHARS: Final = 300
NOT_HTTPS: Final = FieldError("not_https", "Please enter a complete address that begins with https://.")
NO_PAGE: Final = "There is no such page."


class PublicTextService:
    """Stores the texts and addresses. What visitors see is chosen in `PublicTexts`."""

    def __init__(self, site: str, database: Database) -> None:
        self._site = site
        self._database = database

    async def all_in(self, reader: ReadConnection | AsyncSession) -> PublicTexts:
        """Return everything that is stored: at most one text for each page and language, and a few addresses."""
        texts = await reader.execute(select(PublicText.name, PublicText.body, PublicText.updated_at))
        addresses = await reader.execute(select(PublicAddress.name, PublicAddress.address, PublicAddress.updated_at))
        return PublicTexts(
            site=self._site,
            texts={row.name: StoredText(row.body, row.updated_at) for row in texts},
            addresses={row.name: StoredAddress(row.address, row.updated_at) for row in addresses},
        )

    async def links(self) -> PublicLinks:
        """Return what the footer leads to."""
        return (await self._all()).links()

    async def read(self, page: TextPage, language: str) -> PublicTextOut:
        """Return what visitors read on a page. Raises InvalidFields, and Absent where it says nothing."""
        check_language(language)
        found = (await self._all()).read(page, language)
        if found is None:
            raise Absent(NO_PAGE)
        return found

    async def saved(self, language: str) -> list[SavedTextOut]:
        """Return all pages in a language, as administrators edit them. Raises InvalidFields."""
        check_language(language)
        stored = await self._all()
        return [_saved(stored, page, language) for page in TEXT_PAGES]

    async def save(self, page: str, language: str, body: str, actor: Actor) -> SavedTextOut:
        """Store a page's text in a language; an empty one is removed. Raises Absent and InvalidFields."""
        known = next((one for one in TEXT_PAGES if one == page), None)
        if known is None or not is_language(language):
            raise Absent(NO_PAGE)
        text = checked_text(body)
        about = f"text:{page}:{language}"
        async with self._database.write() as session:
            before = await TEXT_HISTORY.read(session, about)
            await TEXT_HISTORY.put_back(session, about, {"body": text} if text else {})
            after = await TEXT_HISTORY.read(session, about)
            audit(
                session,
                "text.save",
                actor_id=actor.id,
                ip=actor.ip,
                object=about,
                keys=["body"],
                before=before,
                after=after,
            )
            return _saved(await self.all_in(session), known, language)

    def preview(self, body: str, language: str) -> str:
        """Return a text that is not stored as visitors would see it. Raises InvalidFields."""
        check_language(language)
        return render_markdown(checked_text(body), language)

    async def addresses(self) -> AddressesOut:
        """Return the addresses in the footer."""
        return _addresses(await self._all())

    async def save_addresses(self, wanted: AddressesIn, actor: Actor) -> AddressesOut:
        """Store all addresses in the footer. Raises InvalidFields, naming all bad ones."""
        values = {name: clean(getattr(wanted, name)) for name in ADDRESSES}
        if found := _address_faults(values):
            raise InvalidFields(found)
        values["email"] = normal_email(values["email"]) or ""
        async with self._database.write() as session:
            before = await ADDRESS_HISTORY.read(session, "")
            await ADDRESS_HISTORY.put_back(session, "", {name: value for name, value in values.items() if value})
            after = await ADDRESS_HISTORY.read(session, "")
            changed = [name for name in ADDRESSES if before.get(name) != after.get(name)]
            audit(
                session,
                "text.save_addresses",
                actor_id=actor.id,
                ip=actor.ip,
                object="addresses",
                keys=changed,
                before=before,
                after=after,
            )
            return _addresses(await self.all_in(session))

    async def _all(self) -> PublicTexts:
        async with self._database.read() as connection:
            return await self.all_in(connection)


def checked_text(body: str) -> str:
    """Return a text without what readers cannot see. Raises InvalidFields when it is too long."""
    text = clean(body.replace("\r\n", "\n"))
    if len(text) > BODY_CHARS:
        words = f"Must be at most {BODY_CHARS} long."
        raise InvalidFields({"body": FieldError("too_long", words, {"count": BODY_CHARS})})
    return text


def _address_faults(values: dict[str, str]) -> dict[str, FieldFault]:
    found: dict[str, FieldFault] = {}
    for name, value in values.items():
        if len(value) > ADDRESS_CHARS:
            words = f"Must be at most {ADDRESS_CHARS} long."
            found[name] = FieldError("too_long", words, {"count": ADDRESS_CHARS})
        elif value and (fault := email_fault(value) if name == "email" else _web_fault(value)):
            found[name] = fault
    return found


def _web_fault(value: str) -> FieldError | None:
    """Return what is wrong with an address on the web; one with a password in it would give that away."""
    try:
        parts = urlsplit(value)
        valid = parts.scheme == "https" and "." in (parts.hostname or "").strip(".") and parts.port != 0
    except ValueError:
        return NOT_HTTPS
    return None if valid and parts.username is None and not set(value) & set(" \\\"'<>") else NOT_HTTPS


def _saved(stored: PublicTexts, page: TextPage, language: str) -> SavedTextOut:
    own = stored.texts.get(f"{page}:{language}")
    return SavedTextOut(
        page=page,
        language=language,
        body=own.body if own else "",
        shipped=shipped_text(page, language).replace("{{name}}", stored.site),
        languages=list(stored.own_languages(page)),
        updated_at=own.updated_at if own else None,
    )


def _addresses(stored: PublicTexts) -> AddressesOut:
    return AddressesOut(**{name: stored.address(name) or "" for name in ADDRESSES})
