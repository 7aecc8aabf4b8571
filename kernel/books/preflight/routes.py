"""The preflight of brought files, open to everybody as the spine calculator is."""

from dataclasses import dataclass
from typing import ClassVar, Final

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.openapi.spec import OpenAPIFormat, OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema
from litestar.params import FromQuery

from kernel.accounts.auth.sessions import Peer
from kernel.books.preflight.schemas import CheckedForm, PreflightReport, TemplateMeasures
from kernel.books.preflight.service import MOST_BYTES, PreflightService, target_of
from kernel.books.spine.asking import Asked, read_binding
from kernel.books.spine.routes import QUESTION
from kernel.core.queue.throttle import Throttle
from kernel.core.web.access import PUBLIC, AppRequest

CHECKS_PER_MINUTE: Final = 6
CHECKS_PER_HOUR: Final = 60
"""For each network address. Each check may take 20 seconds of a process."""

MOST_TEMPLATE_BYTES: Final = 8 * 2**20
"""A template has lines and text. Proxies in front let larger bodies through at few addresses."""


@dataclass
class PdfOperation(Operation):
    """How the document describes the body: the file itself, which the handler reads piece by piece."""

    media_types: ClassVar[tuple[str, ...]] = ("application/pdf",)

    def __post_init__(self) -> None:
        schema = Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY)
        self.request_body = RequestBody(
            content={media_type: OpenAPIMediaType(schema=schema) for media_type in self.media_types}, required=True
        )


@dataclass
class FileOperation(PdfOperation):
    """The same for a file that may be a picture, too."""

    media_types: ClassVar[tuple[str, ...]] = ("application/pdf", "image/jpeg", "image/png")


class PreflightController(Controller):
    """What a printer or shop would say of a file."""

    path = "/api/preflight"
    tags = ("Books",)
    opt = PUBLIC

    @post(
        operation_id="checkFile",
        operation_class=FileOperation,
        status_code=200,
        dependencies=QUESTION,
        request_max_body_size=MOST_BYTES,
    )
    async def check(
        self,
        request: AppRequest,
        peer: NamedDependency[Peer],
        asked: NamedDependency[Asked],
        preflights: NamedDependency[PreflightService],
        throttle: NamedDependency[Throttle],
        form: FromQuery[CheckedForm] = "printed",
    ) -> PreflightReport:
        """Check a finished PDF, JPEG or PNG; for printed covers the book is asked for as by the spine calculator.

        The file is read in a process of its own and not kept.
        """
        await _count(throttle, peer)
        return await preflights.check(target_of(form, asked), request.stream())

    @post(
        "/template",
        operation_id="readTemplate",
        operation_class=PdfOperation,
        status_code=200,
        request_max_body_size=MOST_TEMPLATE_BYTES,
    )
    async def template(
        self,
        request: AppRequest,
        peer: NamedDependency[Peer],
        preflights: NamedDependency[PreflightService],
        throttle: NamedDependency[Throttle],
        printer: FromQuery[str],
        binding: FromQuery[str],
        trim: FromQuery[str],
    ) -> TemplateMeasures:
        """Read a printer's own template PDF: the numbers of it that an edition asks for.

        The file is read in a process of its own and not kept.
        """
        rules, size = read_binding(printer, binding, trim)
        await _count(throttle, peer)
        return await preflights.measures(rules, size, request.stream())


async def _count(throttle: Throttle, peer: Peer) -> None:
    await throttle.hit(f"preflight:{peer.ip}", limit=CHECKS_PER_MINUTE, window_s=60)
    await throttle.hit(f"preflight-hour:{peer.ip}", limit=CHECKS_PER_HOUR, window_s=3600)
