"""The operator's logos and page icon: public pictures, each stored with the setting that holds its address."""

import logging
import time
from typing import Final, cast, get_args

import msgspec
from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core.audit import Actor, audit
from kernel.core.config import PicturesConfig, SiteConfig
from kernel.core.data.database import Database, insert_into
from kernel.core.data.ids import new_uuid
from kernel.core.errors import Absent, AppError, InvalidFields, WrongType
from kernel.core.field_errors import FieldError, FieldFault
from kernel.core.schemas import REQUIRED
from kernel.pictures.base64_uploads import refuse, storage_away
from kernel.pictures.ingest import OTHER_TYPE, Ingested, ingest_mark
from kernel.pictures.store import HASH_CHARS, FileRef, PictureStore, StoredPicture
from kernel.providers import NoProviderAvailable
from kernel.site.carousel.service import FOREIGN_IMAGE, NO_IMAGE
from kernel.site.models import Setting
from kernel.site.schemas import Branding, BrandingUse, SettingIn
from kernel.site.text_settings import given_text
from kernel.spi import ProviderError, Size

log = logging.getLogger(__name__)

KEYS: Final[dict[BrandingUse, str]] = {
    "logo": "logo_url",
    "favicon": "favicon_url",
    "footer-logo": "footer_logo_url",
}
"""Use of a picture → the setting that holds its address."""
LOGO_BOX: Final = Size(1024, 256)
"""Pixels; a header shows a logo 32 high and 176 wide, so it is sharp on any screen."""
ICON_BOX: Final = Size(256, 256)
RECENT_S: Final = 2.0
"""Maximum age of the branding in pages; the administrator who uploads a picture gets the new one at once."""
_SHOWN: Final = select(Setting.setting_key, Setting.text_value).where(Setting.setting_key.in_(KEYS.values()))


class BrandingService:
    """Stores one picture for each use. Objects are written before the rows that name them, and removed after them."""

    def __init__(self, site: SiteConfig, config: PicturesConfig, database: Database, pictures: PictureStore) -> None:
        self._site = site
        self._config = config
        self._database = database
        self._pictures = pictures
        self._recent: Branding | None = None
        self._read_at = 0.0

    async def shown(self) -> Branding:
        """Return the name and the addresses as they are stored now."""
        async with self._database.read() as connection:
            rows = (await connection.execute(_SHOWN)).all()
        stored = {row.setting_key: row.text_value or None for row in rows}
        return Branding(name=self._site.name, **{key: stored.get(key) for key in KEYS.values()})

    async def recent(self) -> Branding:
        """Return what `shown` does, at most RECENT_S old, for every page view.

        While the database cannot be reached it is the last known value.
        """
        if self._recent is None or time.monotonic() - self._read_at > RECENT_S:
            try:
                self._recent = await self.shown()
            except (SQLAlchemyError, OSError) as error:
                log.warning("branding cannot be read: %s", type(error).__name__)
                return self._recent or Branding(name=self._site.name, **dict.fromkeys(KEYS.values()))
            self._read_at = time.monotonic()
        return self._recent

    async def file(self, use: str) -> tuple[FileRef, str]:
        """Find the picture of a use, and the part of its hash in its address. Raises Absent."""
        if use not in KEYS:
            raise Absent
        query = select(Setting.picture_id).where(Setting.setting_key == KEYS[use])
        async with self._database.read() as connection:
            picture_id = (await connection.execute(query)).scalar_one_or_none()
            if picture_id is None:
                raise Absent
            ref = await self._pictures.file(connection, picture_id, "original")
        return ref, ref.sha256[:HASH_CHARS]

    async def upload(self, use: str | None, data: bytes | None, actor: Actor) -> str:
        """Store a picture in place of the previous one; return its address.

        Raises InvalidFields, TooLarge and WrongType for all bad fields at once, and NoProvider.
        """
        picture = await self._read(use, data)
        try:
            stored = await self._pictures.put(new_uuid(), 0, picture)
        except (ProviderError, NoProviderAvailable) as error:
            raise storage_away() from error
        key = KEYS[cast(BrandingUse, use)]
        address = f"/api/branding/{use}/image?v={picture.forms[0].sha256[:HASH_CHARS]}"
        try:
            await self._replace(key, address, stored, actor)
        except AppError:  # any other error may have left rows, so the collector decides about the objects
            await self._pictures.discard(stored)
            raise
        return address

    async def change(self, key: str, wanted: SettingIn, actor: Actor) -> None:
        """Remove a picture, so that the default is shown again. Raises InvalidFields for any address but its own."""
        text = given_text(key, wanted)
        if text is msgspec.UNSET:
            return
        if text:
            shown = msgspec.structs.asdict(await self.shown())
            if text != shown[key]:
                raise InvalidFields({"textValue": FOREIGN_IMAGE})
            return
        await self._replace(key, None, None, actor)

    async def _read(self, use: str | None, data: bytes | None) -> Ingested:
        faults, others = dict[str, AppError](), dict[str, FieldFault]()
        if not use:
            others["type"] = REQUIRED
        elif use not in KEYS:
            names = ", ".join(get_args(BrandingUse))
            others["type"] = FieldError("not_a_choice", f"Must be one of {names}.")
        picture = None
        if not data:
            others["file"] = NO_IMAGE
        else:
            icon = use == "favicon"
            box = ICON_BOX if icon else LOGO_BOX
            limit = self._config.max_upload_bytes
            try:
                picture = await ingest_mark(data, self._config, limit=limit, box=box, icon=icon)
            except WrongType:
                faults["file"] = WrongType(OTHER_TYPE)
            except AppError as error:
                faults["file"] = error
        refuse(faults, others)
        assert picture is not None
        return picture

    async def _replace(self, key: str, address: str | None, stored: StoredPicture | None, actor: Actor) -> None:
        """Store an address with its picture, and remove the previous picture."""
        async with self._database.write() as session:
            old = await _lock(session, key)
            picture_id = await self._pictures.record(session, stored) if stored else None
            values = {"text_value": address, "picture_id": picture_id}
            await session.execute(update(Setting).where(Setting.setting_key == key).values(**values))
            refs = await self._pictures.forget(session, [old] if old else [])
            about = f"setting:{key}"
            audit(session, "setting.save", actor_id=actor.id, ip=actor.ip, object=about, keys=["textValue"])
        self._recent = None
        await self._pictures.erase(refs)


async def _lock(session: AsyncSession, key: str) -> int | None:
    """Lock a setting until the transaction ends; return its picture."""
    row = insert_into(session, Setting).values(setting_key=key, default_values={}, show_genre_checkbox=False)
    await session.execute(row.on_conflict_do_nothing())
    query = select(Setting.picture_id).where(Setting.setting_key == key).with_for_update()
    return (await session.execute(query)).scalar_one()
