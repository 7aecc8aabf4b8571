"""Providers that misread what happens on the way to their vendor."""

from typing import Any

import httpx

from kernel.spi import ImageRequest, ImageResult, InvalidRequest, JobControl, Unavailable
from tests.kit.careless import spoilt
from tests.kit.careless_faults import Careful, Retold, given


@spoilt("ERR_08", *given)
class BlamesTheRequest(Retold):
    """Takes the page of a proxy for a refused request."""

    def retell(self, error: Any) -> Exception:
        gateway = isinstance(error, Unavailable) and error.upstream_status in (502, 504)
        return InvalidRequest("the vendor did not like it") if gateway else error


@spoilt("ERR_09", *given)
class FollowsAnybody(Careful):  # type: ignore[misc]
    """Follows redirects, with the key in a header that clients do not know."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        headers = {"x-key": self._settings.api_key.reveal()}
        try:
            answer = await self._http.post(self._settings.base_url, headers=headers, follow_redirects=True)
        except httpx.RequestError as error:
            raise Unavailable("no connection") from error
        raise Unavailable("no picture", upstream_status=answer.status_code)
