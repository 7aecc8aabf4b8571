"""Administrators' calls about templates."""

from litestar import Controller, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from kernel.accounts.current_user import CurrentUser
from kernel.core.audit import Actor
from kernel.core.web.access import ADMIN
from kernel.mail.schemas import (
    EmailPreviewIn,
    EmailPreviewOut,
    EmailTemplateIn,
    EmailTemplateOut,
    TemplateType,
)
from kernel.mail.templates.service import TemplateService


class EmailTemplateController(Controller):
    """What emails say."""

    path = "/api/admin/email-templates"
    tags = ("Administration",)
    opt = ADMIN

    @get(operation_id="listEmailTemplates")
    async def list_templates(self, templates: NamedDependency[TemplateService]) -> list[EmailTemplateOut]:
        """Return the three templates."""
        return await templates.all()

    @post("/preview", operation_id="previewEmail", status_code=200)
    async def preview(
        self,
        user: NamedDependency[CurrentUser],
        data: JSONBody[EmailPreviewIn],
        templates: NamedDependency[TemplateService],
    ) -> EmailPreviewOut:
        """Return a text as it would go out to the asking administrator."""
        return await templates.preview(user, data)

    @get("/{template_type:str}", operation_id="getEmailTemplate")
    async def get_template(
        self, template_type: FromPath[TemplateType], templates: NamedDependency[TemplateService]
    ) -> EmailTemplateOut:
        """Return one template."""
        return await templates.get(template_type)

    @put("/{template_type:str}", operation_id="saveEmailTemplate")
    async def save_template(
        self,
        actor: NamedDependency[Actor],
        template_type: FromPath[TemplateType],
        data: JSONBody[EmailTemplateIn],
        templates: NamedDependency[TemplateService],
    ) -> EmailTemplateOut:
        """Store a template."""
        return await templates.save(template_type, data, actor)
