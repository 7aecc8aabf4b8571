"""The services of covers, wired."""

from kernel.billing.entitlement import Entitlement
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.queue.doorbell import Doorbell
from kernel.core.queue.pubsub import PubSub
from kernel.core.queue.server import QueueServer
from kernel.core.wiring import Services
from kernel.covers.archives.service import ArchiveService
from kernel.covers.archives.worker import ArchiveWorker
from kernel.covers.depiction.service import DepictionService
from kernel.covers.extending.service import CoverExtensionService
from kernel.covers.gallery.bulk import BulkService
from kernel.covers.gallery.download_service import DownloadService
from kernel.covers.gallery.service import GalleryService
from kernel.covers.gallery.theme_membership import ThemeMembershipService
from kernel.covers.generation.capabilities import CapabilityService
from kernel.covers.generation.event_stream import EventStream
from kernel.covers.generation.finishing import CoverFinisher
from kernel.covers.generation.generation_service import GenerationService
from kernel.covers.generation.provider_call import ImageProviderCall
from kernel.covers.generation.references import ReferenceService
from kernel.covers.generation.spool import Spool
from kernel.covers.generation.state_machine import GenerationStateMachine
from kernel.covers.generation.submission.extension import ExtensionService
from kernel.covers.generation.submission.job_store import JobStore
from kernel.covers.generation.submission.prompt import PromptComposer
from kernel.covers.generation.submission.refinement import RefinementService
from kernel.covers.generation.submission.service import SubmissionService
from kernel.covers.generation.time_estimate import TimeEstimate
from kernel.covers.generation.worker import GenerationWorker
from kernel.covers.history.service import HistoryService
from kernel.covers.housekeeping import Sweeper
from kernel.covers.ideas.service import IdeaService
from kernel.covers.lettering.press import LetteringPress
from kernel.covers.lettering.service import LetteringService
from kernel.covers.previews.service import GenerationPreviews
from kernel.covers.provenance.files import MarkedFiles
from kernel.covers.provenance.service import ProvenanceService
from kernel.covers.refining.service import VersionService
from kernel.covers.series.continuing import LookRunContinuer
from kernel.covers.series.runs import LookRunService
from kernel.covers.series.service import SeriesService
from kernel.covers.series.setting import LookSetter
from kernel.covers.sketching.service import SketchService
from kernel.pictures.store import PictureStore
from kernel.plans.download_policy import DownloadPolicy
from kernel.plans.service import PlanService
from kernel.providers import Caller
from kernel.site.prompt_settings import SettingService
from kernel.site.signing.service import SigningService
from kernel.themes.service import ThemeService


class Covers(Services, frozen=True, kw_only=True):
    """Making covers, and keeping them."""

    state_machine: GenerationStateMachine
    submission: SubmissionService
    generations: GenerationService
    event_stream: EventStream
    capability_service: CapabilityService
    history: HistoryService
    gallery: GalleryService
    bulk: BulkService
    theme_membership: ThemeMembershipService
    downloads: DownloadService
    archives: ArchiveService
    press: LetteringPress
    lettering: LetteringService
    versions: VersionService
    extensions: CoverExtensionService
    series: SeriesService
    look_runs: LookRunService
    look_run_continuer: LookRunContinuer
    ideas: IdeaService
    depictions: DepictionService
    sketches: SketchService
    generation_worker: GenerationWorker
    origins: ProvenanceService
    marked_files: MarkedFiles
    archive_worker: ArchiveWorker
    sweeper: Sweeper


def open_covers(
    config: Config,
    database: Database,
    pubsub: PubSub,
    doorbell: Doorbell,
    queue_server: QueueServer,
    caller: Caller,
    *,
    plans: PlanService,
    entitlement: Entitlement,
    settings: SettingService,
    signing: SigningService,
    themes: ThemeService,
    pictures: PictureStore,
) -> Covers:
    """Wire the services."""
    registry, time_estimate = caller.registry, TimeEstimate()
    references = ReferenceService(config.pictures, database, pictures)
    state_machine = GenerationStateMachine(config.generation, database, plans, pictures)
    jobs = JobStore(config.generation, database, plans, themes, references)
    composer = PromptComposer(settings, themes)
    submission = SubmissionService(database, registry, caller.budgets, composer, references, time_estimate, jobs)
    previews = GenerationPreviews(config.pictures, queue_server, registry, keep_s=config.generation.lease_s)
    changing = (database, registry, caller.budgets, pictures, references, time_estimate, jobs, submission)
    generations = GenerationService(
        config.generation,
        database,
        pubsub,
        doorbell,
        entitlement,
        submission,
        RefinementService(*changing),
        ExtensionService(*changing),
        state_machine,
        previews,
    )
    spool = Spool(config.data_dir / "spool")
    provider_call = ImageProviderCall(
        config, database, state_machine, caller, themes, references, pubsub, spool, previews
    )
    press = LetteringPress()
    finisher = CoverFinisher(config, database, press, themes)
    generation_worker = GenerationWorker(
        config, state_machine, provider_call, finisher, pictures, pubsub, spool, previews
    )
    gallery = GalleryService(database, pictures)
    downloads = DownloadService(database, registry, DownloadPolicy(config.plans), entitlement, gallery)
    marked_files = MarkedFiles(pictures, signing, caller.notices)
    archives = ArchiveService(config.generation, database, pictures, downloads)
    theme_membership = ThemeMembershipService(config.pictures, database, themes, gallery, pictures)
    lettering = LetteringService(config.pictures, database, gallery, pictures, press)
    look_setter = LookSetter(database, pictures, press)
    look_runs = LookRunService(database, themes, lettering, look_setter)
    return Covers(
        state_machine=state_machine,
        submission=submission,
        generations=generations,
        event_stream=EventStream(database, pubsub, previews),
        capability_service=CapabilityService(database, registry, time_estimate, bin_days=config.generation.bin_days),
        history=HistoryService(database, registry),
        gallery=gallery,
        bulk=BulkService(database, themes),
        theme_membership=theme_membership,
        downloads=downloads,
        archives=archives,
        press=press,
        lettering=lettering,
        versions=VersionService(database, registry, time_estimate, pictures),
        extensions=CoverExtensionService(database, registry, time_estimate),
        series=SeriesService(database, themes, theme_membership, lettering, look_setter, press),
        look_runs=look_runs,
        look_run_continuer=LookRunContinuer(config.generation, database, look_runs),
        ideas=IdeaService(caller),
        depictions=DepictionService(caller),
        sketches=SketchService(database, caller, composer, references, press),
        generation_worker=generation_worker,
        origins=ProvenanceService(database, registry, marked_files),
        marked_files=marked_files,
        archive_worker=ArchiveWorker(config, database, registry, archives, downloads, pictures, marked_files, pubsub),
        sweeper=Sweeper(
            config.generation,
            database,
            state_machine,
            doorbell,
            queue_server,
            gallery,
            pictures,
            generation_worker,
            references,
            archives,
            spool,
        ),
    )
