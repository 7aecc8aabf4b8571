"""Everything that is not the API: files of the SPA and for crawlers, and the SPA's shell for every other address."""

from typing import Any, Final

from litestar import Response, route
from litestar.di import NamedDependency
from litestar.enums import HttpMethod

from kernel.accounts.auth.sessions import cookie_token
from kernel.core.config import Config
from kernel.core.errors import Absent
from kernel.core.web.access import PUBLIC, AppRequest
from kernel.pages.page_content import PageContent
from kernel.pages.page_policies import page_policies, payment_screens
from kernel.pages.public.visit import Visit
from kernel.pages.public.written import indexed_pages, is_written, write_page
from kernel.pages.responses import cacheable_response, conditional_response
from kernel.pages.seo.crawl_files import crawl_file, page_address
from kernel.pages.seo.head import Landing, landing_head, other_head
from kernel.pages.seo.structured_data import structured_data
from kernel.pages.share_image.service import KEPT, ShareImages, shown_addresses
from kernel.pages.shell import ADMIN_ROUTES, SPA_ROUTES, language_of, split_language, write_shell
from kernel.pages.static_files import StaticFiles
from kernel.pictures.responses import picture_response
from kernel.pictures.store import PictureStore
from kernel.providers import Registry
from kernel.site.branding.service import BrandingService
from kernel.site.seo.words import head_words, words

UNBUILT: Final = b"The web interface has not been built. Run `make run`, or `npm run build`."


@route(
    ["/", "/{path:path}"],
    http_method=[HttpMethod.GET, HttpMethod.HEAD],
    operation_id="getPage",
    include_in_schema=False,
    opt={**PUBLIC, "compressed_already": True},
)
async def page(
    request: AppRequest,
    config: NamedDependency[Config],
    static_files: NamedDependency[StaticFiles],
    registry: NamedDependency[Registry],
    branding: NamedDependency[BrandingService],
    page_content: NamedDependency[PageContent],
    share_images: NamedDependency[ShareImages],
    pictures: NamedDependency[PictureStore],
) -> Response[Any]:
    """Answer with a file if there is one, else with the shell; 404 for what has neither file nor screen."""
    path = request.url.path
    if path == "/api" or path.startswith("/api/"):
        raise Absent("There is no such call.")
    if path == "/favicon.ico" and (await branding.recent()).favicon_url:
        # asked for where a page names none: beside a PDF, by feed readers
        ref, _ = await branding.file("favicon")
        return await picture_response(request, pictures, ref, hashed_address=False, public=True)
    if static_files.find(path) and path != "/index.html":
        return static_files.answer(request, path)
    in_path, rest = split_language(path)
    if "." in rest.rsplit("/", 1)[-1] or path.startswith(("/assets/", "/locales/", "/showcase/")):
        return await _crawled(request, config, static_files, page_content)
    template = static_files.find("/index.html")
    if template is None:
        return conditional_response(request, UNBUILT, media_type="text/plain", headers={}, status=503)
    screen, language = rest.rstrip("/") or "/", language_of(request, in_path)
    signed_in = cookie_token(request, config) is not None
    first_screen = static_files.first_screens.find(screen, signed_in=signed_in)
    written = None
    if is_written(screen):
        visit = Visit(
            static_files=static_files,
            content=await page_content.recent(),
            site=config.site.name,
            base=config.public_url,
            screen=screen,
            in_path=in_path,
            language=language,
            params=dict(request.query_params.items()),
        )
        written = write_page(visit)
    if screen == "/":
        head = await _landing(config, static_files, page_content, share_images, in_path, language)
    elif written is not None:
        head, first_screen = [*written.head], {language: written.html}
    else:
        address = f"{config.public_url}{f'/{in_path}' if in_path else ''}{screen}"
        head = other_head(config.site.name, words()[language].description, address)
    body = write_shell(
        template.bodies["identity"].decode(),
        language,
        head=head,
        icon=(await branding.recent()).favicon_url,
        hints=static_files.hints.tags(screen, signed_in=signed_in),
        first_screen=first_screen,
        signed_in=signed_in,
    )
    headers = {
        "cache-control": "no-cache",
        "content-language": language,
        "vary": "accept-language, cookie",
        **page_policies(registry, rest),
    }
    inside = signed_in and (ADMIN_ROUTES.match(rest) or screen in payment_screens(registry))
    found = written if is_written(screen) else SPA_ROUTES.match(rest)
    status = 200 if found or inside else 404
    return cacheable_response(request, body.encode(), media_type="text/html", headers=headers, status=status)


async def _crawled(
    request: AppRequest, config: Config, static_files: StaticFiles, page_content: PageContent
) -> Response[Any]:
    """Answer with a file for crawlers. Raises Absent."""
    content = await page_content.recent()
    pictures = shown_addresses(content, static_files)
    file = crawl_file(request.url.path, config.public_url, indexed_pages(content), pictures)
    if file is None:
        raise Absent
    return cacheable_response(request, file.body, media_type=file.media_type, headers={"cache-control": KEPT})


async def _landing(
    config: Config,
    static_files: StaticFiles,
    page_content: PageContent,
    share_images: ShareImages,
    in_path: str | None,
    detected: str,
) -> list[str]:
    """Write the head in the language of the address, which search engines keep; without one in the visitor's."""
    known, language, name, base = await page_content.recent(), in_path or detected, config.site.name, config.public_url
    said = head_words(language, name, known.keywords.get(language, ()))
    version = share_images.version(language, shown_addresses(known, static_files))
    image = f"{base}/api/og-image?lang={language}&v={version}"
    return landing_head(
        Landing(
            name=name,
            language=language,
            base=base,
            address=page_address(base, in_path) if in_path else f"{base}/",
            title=said.title,
            description=said.description,
            keywords=said.keywords,
            image=image,
            image_words=words()[language].image,
            structured=structured_data(
                base=base, name=name, language=language, said=said, price=known.price, image=image
            ),
        )
    )
