"""The services of email, wired."""

from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.vault import Vault
from kernel.core.wiring import Services
from kernel.mail.campaigns.audience import AudienceFacts
from kernel.mail.campaigns.drafts import DraftService
from kernel.mail.campaigns.recipients import CampaignRecipients
from kernel.mail.campaigns.sender import CampaignSender
from kernel.mail.campaigns.service import CampaignService
from kernel.mail.campaigns.trial import LetterTrial
from kernel.mail.mailer import Mailer
from kernel.mail.suppression.listing import SuppressionService
from kernel.mail.suppression.unsubscribe import UnsubscribeService
from kernel.mail.templates.service import TemplateService
from kernel.mail.transactional.delivery import EmailDelivery, InvoicePdfs
from kernel.providers import Caller


class Mail(Services, frozen=True, kw_only=True):
    """Account emails, templates and emails to many."""

    mailer: Mailer
    email_delivery: EmailDelivery
    templates: TemplateService
    unsubscribe_service: UnsubscribeService
    suppressions: SuppressionService
    campaigns: CampaignService
    campaign_recipients: CampaignRecipients
    drafts: DraftService
    letter_trial: LetterTrial
    campaign_sender: CampaignSender


def open_mail(
    config: Config,
    database: Database,
    vault: Vault,
    caller: Caller,
    invoice_documents: InvoicePdfs,
    audience_facts: AudienceFacts,
) -> Mail:
    """Wire the services. `audience_facts` knows plans and covers."""
    mailer, unsubscribe_service = Mailer(config, database, caller), UnsubscribeService(database, vault)
    templates = TemplateService(config, database, mailer, unsubscribe_service)
    return Mail(
        mailer=mailer,
        email_delivery=EmailDelivery(config, database, mailer, templates, invoice_documents),
        templates=templates,
        unsubscribe_service=unsubscribe_service,
        suppressions=SuppressionService(database),
        campaigns=CampaignService(config.mail, database, caller.registry, templates, audience_facts),
        campaign_recipients=CampaignRecipients(database),
        drafts=DraftService(database),
        letter_trial=LetterTrial(database, mailer, templates),
        campaign_sender=CampaignSender(
            config, database, caller, mailer, templates, unsubscribe_service, audience_facts
        ),
    )
