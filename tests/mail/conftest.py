"""Email services with stub providers and a database of each kind."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import ColumnElement, false, func

from kernel.accounts.models import User
from kernel.accounts.pro_override import has_gift
from kernel.core.config import Config, InstanceConfig, RoutesConfig, load_config
from kernel.core.data.database import Database
from kernel.core.vault import Vault
from kernel.mail.campaigns.drafts import DraftService
from kernel.mail.campaigns.recipients import CampaignRecipients
from kernel.mail.campaigns.sender import CampaignSender
from kernel.mail.campaigns.service import CampaignService
from kernel.mail.campaigns.trial import LetterTrial
from kernel.mail.invariants import ended_campaigns_are_settled, ledgers_add_up, messages_in_hand_have_batches
from kernel.mail.mailer import Mailer
from kernel.mail.suppression.unsubscribe import UnsubscribeService
from kernel.mail.templates.service import TemplateService
from kernel.providers import Caller, Plugins, Registry, load_plugins
from tests.mail.stub_email import NEXT, SENT

ENV = {
    "COVERWRIGHT_ENV": "test",
    "COVERWRIGHT_PLUGINS": "stub_email",
    "COVERWRIGHT_EXTRA_PLUGINS": "tests.mail.stub_email",
}

OpenMailer = Callable[..., Mailer]


VAULT = Vault(b"a key for tests, and for nothing else")


def templates_of(config: Config, database: Database, mailer: Mailer) -> TemplateService:
    """Return the templates of a site."""
    return TemplateService(config, database, mailer, UnsubscribeService(database, VAULT))


@pytest.fixture(scope="session")
def plugins() -> Plugins:
    return load_plugins(ENV)


@pytest.fixture(autouse=True)
def _nothing_sent() -> Iterator[None]:
    SENT.clear()
    NEXT.clear()
    yield
    SENT.clear()
    NEXT.clear()


@pytest.fixture
async def open_mailer(tmp_path: Path, plugins: Plugins, database: Database) -> AsyncIterator[OpenMailer]:
    """Return a factory of mailers: `open_mailer(first="lost_answer", second="ok")` has two stub instances."""
    async with AsyncExitStack() as closing:

        def make(*, env: dict[str, str] | None = None, **modes: str) -> Mailer:
            config = _config(tmp_path, env or {}, modes)
            registry = Registry.from_config(config, plugins, {})
            caller = Caller(registry, database)
            closing.push_async_callback(registry.aclose)
            closing.push_async_callback(caller.aclose)
            return Mailer(config, database, caller)

        yield make


class Facts:
    """Plans and covers as these tests tell them: Pro is who an administrator made so, and `Fantasy` what Fay writes."""

    def pro(self) -> ColumnElement[bool]:
        """Match users with Pro from an administrator."""
        return has_gift()

    def made_cover(self, genre: str | None) -> ColumnElement[bool]:
        """Match Fay."""
        return func.coalesce(User.first_name == "Fay", false()) if genre in (None, "Fantasy") else false()


class CampaignHarness:
    """All services for campaigns, as one process has them."""

    def __init__(self, config: Config, database: Database, registry: Registry, caller: Caller) -> None:
        mailer = Mailer(config, database, caller)
        self.templates = templates_of(config, database, mailer)
        self.unsubscribing = UnsubscribeService(database, VAULT)
        facts = Facts()
        self.campaigns = CampaignService(config.mail, database, registry, self.templates, facts)
        self.drafts = DraftService(database)
        self.trial = LetterTrial(database, mailer, self.templates)
        self.recipients = CampaignRecipients(database)
        self.sender = CampaignSender(config, database, caller, mailer, self.templates, self.unsubscribing, facts)


OpenCampaigns = Callable[..., CampaignHarness]


@pytest.fixture
async def open_campaigns(tmp_path: Path, plugins: Plugins, database: Database) -> AsyncIterator[OpenCampaigns]:
    """Return a factory: `open_campaigns(first="lists")`; on closing, every invariant of ledgers must hold."""
    async with AsyncExitStack() as closing:

        def make(**modes: str) -> CampaignHarness:
            env = {"COVERWRIGHT_PUBLIC_URL": "https://covers.example"}
            config = _config(tmp_path, env, modes)
            registry = Registry.from_config(config, plugins, {})
            caller = Caller(registry, database)
            closing.push_async_callback(registry.aclose)
            closing.push_async_callback(caller.aclose)
            return CampaignHarness(config, database, registry, caller)

        yield make
    async with database.read() as connection:
        for promise in (ledgers_add_up, ended_campaigns_are_settled, messages_in_hand_have_batches):
            assert await promise(connection) == []


def _config(folder: Path, env: dict[str, str], modes: dict[str, str]) -> Config:
    base = load_config({"COVERWRIGHT_ENV": "test", "COVERWRIGHT_DATA": str(folder), **env})
    declared = tuple(
        InstanceConfig(id=name, kind="email", provider="stub-email", label=name, settings={"mode": mode})
        for name, mode in modes.items()
    )
    routes = RoutesConfig(image=(), storage=(), signin=(), payment=(), email=tuple(modes))
    return msgspec.structs.replace(base, instances=declared, routes=routes)
