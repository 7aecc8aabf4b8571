"""What the files of pictures tell of their origin, read by a library that did not write it."""

import io
import json
from datetime import UTC, datetime
from functools import cache
from typing import Any

import c2pa  # type: ignore[import-untyped]
from PIL import Image

from kernel.core.config import PictureFormat
from kernel.pictures.encoding import MEDIA_TYPES
from kernel.pictures.marks.credentials import SigningCredentials, self_made
from kernel.pictures.marks.manifests import signed
from kernel.pictures.marks.xmp import Mark


def told(data: bytes) -> dict[str, Any]:
    """Return the notes of a file by their names without namespaces, empty without any."""
    with Image.open(io.BytesIO(data)) as opened:
        opened.load()
        notes: Any = opened.getxmp()
    if not notes:
        return {}
    described: dict[str, Any] = notes["xmpmeta"]["RDF"]["Description"]
    return described


def source_of(data: bytes) -> str | None:
    """Return the term of IPTC's vocabulary that a file has as its source, None without any."""
    uri = told(data).get("DigitalSourceType")
    return uri and uri.removeprefix("http://cv.iptc.org/newscodes/digitalsourcetype/")


def manifests_of(data: bytes, kind: PictureFormat) -> tuple[str, dict[str, Any]]:
    """Return how valid the manifest of a file is, and all that it has; empty without any."""
    reader = c2pa.Reader.try_create(MEDIA_TYPES[kind], io.BytesIO(data))
    if reader is None:
        return "", {}
    with reader:
        return str(reader.get_validation_state()), json.loads(reader.json())


def active(found: dict[str, Any]) -> dict[str, Any]:
    """Return the manifest that says how a file is now."""
    manifest: dict[str, Any] = found["manifests"][found["active_manifest"]]
    return manifest


def actions_of(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what a manifest says was done."""
    (assertion,) = [one for one in manifest["assertions"] if one["label"].startswith("c2pa.actions")]
    actions: list[dict[str, Any]] = assertion["data"]["actions"]
    return actions


@cache
def provider_credentials() -> SigningCredentials:
    """Return what a provider signs its pictures with."""
    return self_made("Some Provider", datetime.now(UTC))


def by_provider(png: bytes) -> bytes:
    """Return a picture as a provider gives it that signs its own."""
    mark = Mark(source="trainedAlgorithmicMedia", made_at=datetime.now(UTC))
    return signed(png, "png", mark, provider_credentials())
