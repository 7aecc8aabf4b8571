"""Calls about the operator's logos and page icon."""

from dataclasses import dataclass
from typing import Any, Final, get_args

from litestar import Controller, Response, get, post
from litestar.datastructures import UploadFile
from litestar.di import NamedDependency
from litestar.enums import RequestEncodingType
from litestar.exceptions import HTTPException
from litestar.openapi.spec import OpenAPIFormat, OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema
from litestar.params import FromPath

from kernel.core.audit import Actor
from kernel.core.errors import Malformed, WrongType
from kernel.core.web.access import ADMIN, PUBLIC, SHARED, AppRequest
from kernel.pictures.responses import picture_response
from kernel.pictures.store import PictureStore
from kernel.site.branding.service import BrandingService
from kernel.site.schemas import Branding, BrandingUploaded, BrandingUse

_FORM: Final = Schema(
    type=OpenAPIType.OBJECT,
    required=["file", "type"],
    properties={
        "file": Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY),
        "type": Schema(type=OpenAPIType.STRING, enum=list(get_args(BrandingUse))),
    },
)


@dataclass
class UploadOperation(Operation):
    """How the document describes the form, which the handler reads by itself to name all its bad fields at once."""

    def __post_init__(self) -> None:
        self.request_body = RequestBody(
            content={RequestEncodingType.MULTI_PART: OpenAPIMediaType(schema=_FORM)}, required=True
        )


class BrandingController(Controller):
    """What the site looks like, for everyone."""

    path = "/api/branding"
    tags = ("Site",)

    @get(operation_id="getBranding", opt=PUBLIC | SHARED)
    async def branding(self, branding: NamedDependency[BrandingService]) -> Branding:
        """Return the name and the logos."""
        return await branding.shown()

    @get(
        "/{use:str}/image",
        operation_id="getBrandingImage",
        include_in_schema=False,
        opt={**PUBLIC, "compressed_already": True},
    )
    async def image(
        self,
        request: AppRequest,
        use: FromPath[str],
        branding: NamedDependency[BrandingService],
        pictures: NamedDependency[PictureStore],
    ) -> Response[Any]:
        """Return a logo or the page's icon."""
        ref, version = await branding.file(use)
        return await picture_response(
            request, pictures, ref, hashed_address=request.query_params.get("v") == version, public=True
        )


class AdminBrandingController(Controller):
    """Uploads, for administrators."""

    path = "/api/admin/upload-branding"
    tags = ("Administration",)
    opt = ADMIN

    @post(operation_id="uploadBranding", status_code=200, operation_class=UploadOperation)
    async def upload(
        self, request: AppRequest, actor: NamedDependency[Actor], branding: NamedDependency[BrandingService]
    ) -> BrandingUploaded:
        """Store a logo or the page's icon, PNG, JPEG or WebP; it is shown from now on."""
        use, data = await _form(request)
        return BrandingUploaded(url=await branding.upload(use, data, actor))


async def _form(request: AppRequest) -> tuple[str | None, bytes | None]:
    """Return the fields `type` and `file`, None where one is missing or no such thing. Raises WrongType, Malformed."""
    if request.content_type[0] != RequestEncodingType.MULTI_PART:
        raise WrongType("Please send a form with a file.")
    try:
        form = await request.form()
    except HTTPException as error:
        if error.status_code == 413:
            raise
        raise Malformed("The form could not be read.") from error
    except (LookupError, ValueError) as error:  # a part in a character set that it is not in, or that there is not
        raise Malformed("The form could not be read.") from error
    use, file = form.get("type"), form.get("file")
    return use if isinstance(use, str) else None, await file.read() if isinstance(file, UploadFile) else None
