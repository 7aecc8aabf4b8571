"""Assembly of the web application."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from litestar import Litestar, Response, Router, get
from litestar.config.compression import CompressionConfig
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Tag
from litestar.types import ASGIApp

from kernel import __version__
from kernel.accounts.auth.dependencies import REQUEST_DEPENDENCIES
from kernel.accounts.auth.middleware import SessionMiddleware, SessionParts
from kernel.accounts.routes import ROUTES as ACCOUNT_ROUTES
from kernel.billing.admin_routes import PaymentAdminController
from kernel.billing.repricing.routes import PriceMoveController
from kernel.billing.routes import PriceController, SubscriptionController
from kernel.billing.taxes.routes import BuyerController
from kernel.books.packs.routes import PackController
from kernel.books.pictures.routes import BookPictureController
from kernel.books.preflight.routes import PreflightController
from kernel.books.routes import BookController
from kernel.books.shelf.routes import ShelfController
from kernel.books.spine.routes import SpineController
from kernel.core.config import Config, load_config
from kernel.core.data.database import Database, open_database
from kernel.core.errors import Absent, ErrorEnvelope, error_response
from kernel.core.process import handed_over, parent_watch
from kernel.core.telemetry import configure_logging, configure_tracing
from kernel.core.web.access import (
    ADMIN,
    PUBLIC,
    AccessMiddleware,
    AppRequest,
    require_access_metadata,
    route_table,
)
from kernel.core.web.query import name_parameters
from kernel.core.web.request_middleware import (
    MAX_BODY_BYTES,
    METRICS_PATH,
    RequestMiddleware,
    check_body,
    may_read_metrics,
)
from kernel.core.web.stopping import EndStreams
from kernel.core.wiring import HandlerDependency, resolve_in_turn, service_dependencies
from kernel.covers.archives.routes import ArchiveController
from kernel.covers.depiction.routes import DepictionController
from kernel.covers.extending.routes import ExtendingController
from kernel.covers.gallery.bulk_routes import BulkCoverController
from kernel.covers.gallery.carousel_routes import SlideFromCoverController
from kernel.covers.gallery.download_routes import DownloadController
from kernel.covers.gallery.routes import CoverController
from kernel.covers.gallery.theme_routes import ThemeController
from kernel.covers.generation.routes import GenerationController
from kernel.covers.history.routes import HistoryController
from kernel.covers.ideas.routes import IdeaController
from kernel.covers.lettering.routes import CoverLetteringController, LetteringController
from kernel.covers.provenance.routes import ProvenanceController
from kernel.covers.refining.routes import RefiningController
from kernel.covers.series.routes import CoverThemeController, SeriesController
from kernel.covers.sketching.routes import SketchController
from kernel.insight.routes import FigureController, TimelineController
from kernel.mail.campaigns.draft_routes import DraftController
from kernel.mail.campaigns.routes import CampaignController
from kernel.mail.suppression.routes import OwnEmailController, SuppressionController, UnsubscribeController
from kernel.mail.templates.routes import EmailTemplateController
from kernel.mail.transactional.routes import EmailInstanceController
from kernel.migrations.gate import SchemaGate
from kernel.operation.metrics import MetricsService
from kernel.operation.people.routes import PeopleController
from kernel.operation.restart.routes import RestartController
from kernel.operation.routes import JobController, JobPauseController, SystemController
from kernel.pages.documentation import DOCUMENTATION, documentation
from kernel.pages.plugin_files import plugin_file
from kernel.pages.routes import page
from kernel.pages.share_image.service import shared_picture
from kernel.pages.static_files import StaticFiles
from kernel.plans.routes import AdminPlanController, PlanController
from kernel.providers import NoProviderAvailable
from kernel.providers.administration.routes import FailoverOrderController, InstanceController, PluginController
from kernel.providers.components.routes import ComponentController
from kernel.providers.error_responses import provider_response
from kernel.providers.monitoring.routes import MonitoringController
from kernel.providers.monitoring.webhook_routes import WebhookController
from kernel.readiness import SchemaMiddleware, healthz, make_administrator, readyz
from kernel.runtime import Runtime, background_loops, open_runtime
from kernel.site.branding.routes import AdminBrandingController, BrandingController
from kernel.site.carousel.routes import AdminCarouselController, CarouselController
from kernel.site.public_texts.routes import AdminTextController, PublicTextController
from kernel.site.routes import AdminSettingController, SiteController
from kernel.site.seo.routes import SeoController
from kernel.site.shared_answers import SharedAnswerMiddleware, SharedAnswers
from kernel.site.signing.routes import SigningController
from kernel.spi import ProviderError

ERROR_STATUSES = (400, 401, 402, 403, 404, 408, 409, 413, 415, 422, 429, 503)
TAGS = ("Account", "Administration", "Billing", "Books", "Covers", "Generation", "Plans", "Site", "Themes", "Webhooks")


@get(METRICS_PATH, operation_id="getMetrics", include_in_schema=False, opt=PUBLIC)
async def metrics(
    request: AppRequest, config: NamedDependency[Config], metrics_service: NamedDependency[MetricsService]
) -> Response[bytes]:
    """Return metrics to this machine, or to who has the configured token; nobody else learns that they exist."""
    if not may_read_metrics(request, config):
        raise Absent
    return Response(await metrics_service.text(), media_type="text/plain; version=0.0.4")


class WebParts:
    """What handlers and the layers around them ask for: set when the application gets a configuration, and starts."""

    config: Config
    database: Database
    session_parts: SessionParts
    schema_gate: SchemaGate
    runtime: Runtime

    def __init__(self) -> None:
        self.answers = SharedAnswers()

    def configure(self, config: Config) -> None:
        """Take a configuration, before the application starts."""
        self.config = config
        self.database = open_database(config)
        self.session_parts = SessionParts(self.database, config)
        self.schema_gate = SchemaGate(self.database)
        self.answers.forget()


_built: Final[list[tuple[Litestar, WebParts]]] = []


def build_ahead() -> None:
    """Build the application that the next `create_app` returns, also in a process that is forked from this one."""
    if not _built:
        _built.append(build_app())


def create_app(config: Config) -> Litestar:
    """Return an application with this configuration; its services open when it starts."""
    app, parts = _built.pop() if _built else build_app()
    parts.configure(config)
    return app


def build_app() -> tuple[Litestar, WebParts]:
    """Build an application, which starts once its parts have a configuration."""
    parts = WebParts()

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        async with open_runtime(parts.config, parts.database) as runtime, background_loops(runtime, "web"):
            parts.runtime = runtime
            beside = {
                asyncio.create_task(make_administrator(parts.database, runtime.providers.registry)),
                asyncio.create_task(parts.answers.follow(runtime.pubsub)),
                asyncio.create_task(parts.schema_gate.follow()),
            }
            handed_over.tell_ready()
            try:
                yield
            finally:
                for task in beside:
                    task.cancel()
                await asyncio.wait(beside)

    static_files, docs_files = StaticFiles(), StaticFiles(DOCUMENTATION)
    app = Litestar(
        route_handlers=[
            healthz,
            readyz,
            metrics,
            *ACCOUNT_ROUTES,
            PlanController,
            AdminPlanController,
            PriceController,
            SubscriptionController,
            BuyerController,
            PaymentAdminController,
            PriceMoveController,
            SiteController,
            BrandingController,
            AdminBrandingController,
            CarouselController,
            AdminCarouselController,
            SlideFromCoverController,
            AdminSettingController,
            SeoController,
            SigningController,
            PublicTextController,
            AdminTextController,
            ThemeController,
            CoverThemeController,
            SeriesController,
            ShelfController,
            PluginController,
            InstanceController,
            FailoverOrderController,
            ComponentController,
            MonitoringController,
            JobController,
            JobPauseController,
            SystemController,
            RestartController,
            PeopleController,
            WebhookController,
            EmailInstanceController,
            EmailTemplateController,
            CampaignController,
            DraftController,
            UnsubscribeController,
            OwnEmailController,
            SuppressionController,
            GenerationController,
            HistoryController,
            CoverController,
            DownloadController,
            BulkCoverController,
            ArchiveController,
            CoverLetteringController,
            LetteringController,
            RefiningController,
            ExtendingController,
            DepictionController,
            SketchController,
            SpineController,
            PreflightController,
            BookController,
            BookPictureController,
            PackController,
            ProvenanceController,
            IdeaController,
            FigureController,
            TimelineController,
            shared_picture,
            documentation,
            plugin_file,
            page,
        ],
        dependencies={
            **service_dependencies(Runtime, lambda: parts.runtime),
            **REQUEST_DEPENDENCIES,
            "static_files": HandlerDependency(lambda: static_files),
            "docs_files": HandlerDependency(lambda: docs_files),
            "schema_gate": HandlerDependency(lambda: parts.schema_gate),
        },
        middleware=[
            SchemaMiddleware(lambda: parts.schema_gate),
            SessionMiddleware(lambda: parts.session_parts),
            AccessMiddleware(lambda: parts.runtime),
            SharedAnswerMiddleware(parts.answers, lambda: parts.runtime.pubsub),
        ],
        before_request=check_body,
        exception_handlers={
            NoProviderAvailable: provider_response,
            ProviderError: provider_response,
            Exception: error_response,
        },
        lifespan=[lifespan],
        request_max_body_size=MAX_BODY_BYTES,
        compression_config=CompressionConfig(
            backend="gzip", gzip_compress_level=5, exclude_opt_key="compressed_already"
        ),
        openapi_config=OpenAPIConfig(
            title="Coverwright",
            version=__version__,
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            openapi_router=Router("/api/schema", route_handlers=[], opt=ADMIN, include_in_schema=False),
            tags=[Tag(name=name) for name in TAGS],
        ),
        logging_config=None,
    )
    require_access_metadata(app)
    name_parameters(app)
    resolve_in_turn(app)
    _describe_errors(app)
    return app, parts


def _describe_errors(app: Litestar) -> None:
    """Put the one error envelope into the OpenAPI document, in place of the framework's own body."""
    described = {status: ResponseSpec(ErrorEnvelope, generate_examples=False) for status in ERROR_STATUSES}
    for _, _, _, handler in route_table(app):
        if isinstance(handler, HTTPRouteHandler):
            handler.responses = described


def create_asgi() -> ASGIApp:
    """Build what the server runs: the application inside its outermost layer."""
    parent_watch.exit_with_parent()
    config = load_config()
    configure_logging(config)
    configure_tracing(config, "web")
    return EndStreams(RequestMiddleware(create_app(config), config))
