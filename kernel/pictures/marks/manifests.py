"""Signed manifests of C2PA in the files of pictures: writing ours, and keeping a provider's own as our ingredient."""

import io
import logging
from typing import Any, Final

import pyvips  # type: ignore[import-untyped]

from kernel import __version__
from kernel.core import clock
from kernel.core.config import PictureFormat
from kernel.pictures.encoding import MEDIA_TYPES
from kernel.pictures.marks.credentials import SigningCredentials
from kernel.pictures.marks.xmp import CREATOR_TOOL, Mark

log = logging.getLogger(__name__)

MANIFEST_TYPE: Final = "application/c2pa"
JUMBF: Final = b"jumb"
"""The kind of the boxes that manifests are made of (ISO 19566-5): without it there is none in a file."""
MOST_BYTES: Final = 1_000_000
"""A larger manifest is not kept; those of image services have some 10 kB, and each download carries it."""
_INGREDIENT: Final = "providers-picture"
_SETTINGS: Final[dict[str, Any]] = {
    "builder": {"thumbnail": {"enabled": False}},
    "verify": {"verify_after_sign": False, "remote_manifest_fetch": False, "ocsp_fetch": False},
}
"""No thumbnail, which is 180 kB of a picture that is there itself; and nothing is fetched from addresses in files."""


def _library() -> Any:
    """Return the library; it is loaded with the first file that needs it, which takes a tenth of a second."""
    import c2pa  # type: ignore[import-untyped]

    return c2pa


class SigningFailed(Exception):
    """A manifest cannot be written. The message is the library's own, without anything of the key."""


def signed(
    data: bytes,
    kind: PictureFormat,
    mark: Mark,
    credentials: SigningCredentials,
    *,
    provider_manifest: bytes | None = None,
) -> bytes:
    """Return a picture with a signed manifest of its origin; nothing may be changed in it any more.

    `provider_manifest` is what `kept_manifest` returned. It takes 3 ms (WebP) to 70 ms (a PNG of 8 MB) of a core.
    Raises SigningFailed.
    """
    c2pa, out = _library(), io.BytesIO()
    definition = _definition(mark, has_ingredient=provider_manifest is not None)
    try:
        with (
            c2pa.Context(c2pa.Settings.from_dict(_SETTINGS)) as context,
            c2pa.Builder(definition, context) as builder,
            c2pa.Signer.from_info(_signer(credentials)) as signer,
        ):
            if provider_manifest is not None:
                builder.add_ingredient_from_archive(io.BytesIO(provider_manifest))
            builder.sign(signer, MEDIA_TYPES[kind], io.BytesIO(data), out)
    except Exception as error:  # a library of others: nothing that it may raise is to cost a download
        raise SigningFailed(f"{type(error).__name__}: {error}") from None
    return out.getvalue()


def is_accepted(credentials: SigningCredentials) -> bool:
    """Return whether a file signed with this is valid for those who check it, trust in its authority aside."""
    c2pa, mark = _library(), Mark(source="algorithmicMedia", made_at=clock.now())
    pixel = bytes(pyvips.Image.black(1, 1, bands=3).copy(interpretation="srgb").pngsave_buffer(keep="none"))
    try:
        data = signed(pixel, "png", mark, credentials)
        with (
            c2pa.Context(c2pa.Settings.from_dict(_SETTINGS)) as context,
            c2pa.Reader(MEDIA_TYPES["png"], io.BytesIO(data), context=context) as reader,
        ):
            return reader.get_validation_state() in ("Valid", "Trusted")
    except (SigningFailed, c2pa.C2paError) as error:
        log.info("a certificate is not accepted: %s", error)
        return False


def kept_manifest(data: bytes, media_type: str) -> bytes | None:
    """Return what is kept of the manifest that a received file has, checked against its bytes; None without one.

    It is an archive of C2PA, to be an ingredient of ours: the manifest itself is bound to bytes that are not kept.
    """
    if JUMBF not in data:
        return None
    c2pa, out = _library(), io.BytesIO()
    about = {"title": "The picture as it was received", "relationship": "componentOf", "label": _INGREDIENT}
    try:
        with c2pa.Context(c2pa.Settings.from_dict(_SETTINGS)) as context:
            with c2pa.Reader(media_type, io.BytesIO(data), context=context) as reader:
                if reader.get_active_manifest() is None:
                    return None
            with c2pa.Builder({}, context) as builder:
                builder.add_ingredient(about, media_type, io.BytesIO(data))
                builder.write_ingredient_archive(_INGREDIENT, out)
    except Exception as error:  # bytes and a library of others: nothing in them is to cost a cover
        log.info("the manifest of a received picture is not kept: %s", type(error).__name__)
        return None
    kept = out.getvalue()
    return kept if len(kept) <= MOST_BYTES else None


def _definition(mark: Mark, *, has_ingredient: bool) -> dict[str, Any]:
    agent = {"name": CREATOR_TOOL, "version": __version__}
    actions: list[dict[str, Any]] = [
        {
            "action": "c2pa.created",
            "when": mark.made_text,
            "softwareAgent": agent,
            "digitalSourceType": mark.source_uri,
        }
    ]
    if has_ingredient:
        actions.append(
            {"action": "c2pa.placed", "softwareAgent": agent, "parameters": {"ingredientIds": [_INGREDIENT]}}
        )
    return {
        "claim_generator_info": [agent],
        "assertions": [{"label": "c2pa.actions", "data": {"actions": actions}}],
    }


def _signer(credentials: SigningCredentials) -> Any:
    c2pa = _library()
    algorithms = {alg.name.lower(): alg for alg in c2pa.C2paSigningAlg}
    return c2pa.C2paSignerInfo(algorithms[credentials.alg], credentials.chain.encode(), credentials.key.encode(), None)
