"""Finishes the files that people download: notes of their origin in each, and a signature where that is on."""

import logging
from typing import Final

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from kernel.core import clock
from kernel.core.config import PictureFormat
from kernel.core.errors import AppError
from kernel.core.vault import VaultError
from kernel.covers.provenance.marking import CoverMark
from kernel.pictures.ingest import on_whole_picture
from kernel.pictures.marks.containers import with_packet
from kernel.pictures.marks.credentials import SigningCredentials
from kernel.pictures.marks.manifests import SigningFailed, signed
from kernel.pictures.marks.open_raster import layers_with_packet
from kernel.pictures.marks.xmp import Mark, packet_of
from kernel.pictures.store import PictureStore
from kernel.providers import NoProviderAvailable
from kernel.providers.notices.service import Notices
from kernel.site.signing.service import SigningService
from kernel.spi import ProviderError

log = logging.getLogger(__name__)

TAG_CHARS: Final = 16


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """A file as it leaves the house; `is_signed` says whether it has a manifest."""

    data: bytes
    is_signed: bool


class MarkedFiles:
    """The one way out for pictures. A signature that fails costs nobody a download: the notes are there without it."""

    def __init__(self, pictures: PictureStore, signing: SigningService, notices: Notices) -> None:
        self._pictures = pictures
        self._signing = signing
        self._notices = notices

    async def credentials(self) -> SigningCredentials | None:
        """Return what files are signed with, None where they are not."""
        try:
            credentials = await self._signing.credentials()
        except VaultError:
            self._failed("key_lost", "the key cannot be decrypted")
            return None
        except SQLAlchemyError as error:  # the first certificate cannot be stored on a full disk
            self._failed("not_stored", type(error).__name__)
            return None
        if credentials and credentials.ends_at <= clock.now():
            self._failed("expired", "the certificate has expired")
            return None
        return credentials

    async def finish(
        self, data: bytes, kind: PictureFormat, about: CoverMark, credentials: SigningCredentials | None
    ) -> Finished:
        """Return an encoded picture as a file to be kept."""
        manifest = await self._manifest(about) if credentials else None

        def work() -> bytes:
            marked = with_packet(data, kind, packet_of(about.mark))
            if credentials is None:
                return marked
            try:
                return signed(marked, kind, about.mark, credentials, provider_manifest=manifest)
            except SigningFailed:
                if manifest is None:
                    raise
                return signed(marked, kind, about.mark, credentials)  # one that cannot be read costs itself only

        try:
            return Finished(data=await on_whole_picture(work), is_signed=credentials is not None)
        except SigningFailed as error:
            self._failed("failed", str(error))
            return Finished(data=with_packet(data, kind, packet_of(about.mark)), is_signed=False)

    async def finish_layers(self, data: bytes, mark: Mark) -> bytes:
        """Return a file of layers to be kept: with notes, and unsigned: the same layers make the same bytes."""
        return await on_whole_picture(lambda: layers_with_packet(data, packet_of(mark)))

    async def _manifest(self, about: CoverMark) -> bytes | None:
        """Return what the artwork came with; a file without it is better than none."""
        if about.manifest is None:
            return None
        try:
            return await self._pictures.read(about.manifest)
        except (AppError, ProviderError, NoProviderAvailable) as error:
            log.warning("the manifest of an artwork cannot be read: %s", type(error).__name__)
            return None

    def _failed(self, code: str, detail: str) -> None:
        log.error("a downloaded file is not signed: %s", detail)
        self._notices.add("signing_failed", "", code, detail=detail)
