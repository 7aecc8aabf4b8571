"""Where requests go: OpenAI, a compatible server, or Azure, which has deployments, versions and a header of its own."""

from typing import Final
from urllib.parse import quote

import httpx
import msgspec

from plugins.openai_images.settings import OpenAISettings

OPENAI_HOST: Final = ".api.openai.com"
AZURE_HOST: Final = ".azure.com"
"""`openai.azure.com`, `services.ai.azure.com` and `cognitiveservices.azure.com`."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """An address without its query, the query, what the model is called there, and where models are listed.

    `deployment_in_address` means that one address draws with one deployment only.
    """

    base_url: str
    query: dict[str, str] = {}
    model: str
    models_url: str
    at_openai: bool = False
    at_azure: bool = False
    deployment_in_address: bool = False


def place_of(settings: OpenAISettings) -> Place:
    """Return where requests go with these settings.

    At Azure an address with an `api-version` has the deployment in its path; without one it is the version `v1`, which
    takes the deployment as a model.
    """
    url = httpx.URL(settings.base_url)
    path, query = url.path.rstrip("/"), dict(url.params)
    origin = str(url.copy_with(path="/", query=None, fragment=None)).rstrip("/")
    host = f".{url.host}"
    if not (host.endswith(AZURE_HOST) or settings.deployment):
        base = f"{origin}{path}"
        return Place(
            base_url=base,
            query=query,
            model=settings.model,
            models_url=f"{base}/models",
            at_openai=host.endswith(OPENAI_HOST),
        )
    name = settings.deployment or settings.model
    if "/deployments/" not in path and (path.endswith("/v1") or "api-version" not in query):
        base = f"{origin}{path if path.endswith('/v1') else '/openai/v1'}"
        return Place(base_url=base, query=query, model=name, models_url=f"{base}/models", at_azure=True)
    head, found, rest = path.partition("/deployments/")
    root = f"{origin}{head if found else '/openai'}"
    deployment = rest.partition("/")[0] if found else quote(name, safe="")
    return Place(
        base_url=f"{root}/deployments/{deployment}",
        query=query,
        model=name,
        models_url=f"{root}/models",
        at_azure=True,
        deployment_in_address=True,
    )
