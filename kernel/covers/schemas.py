"""Wire of covers and generations."""

from datetime import datetime
from typing import Annotated, Final, Literal
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from kernel.core.schemas import In, Line, Out, RowId
from kernel.covers.book_words import BookWords
from kernel.covers.dimensions import Dimensions
from kernel.covers.elements import ElementOut, ElementsIn

LetteringBy = Literal["press", "model"]
Status = Literal["pending", "processing", "completed", "failed", "canceled"]
CoverSort = Literal["newest", "oldest", "starred", "title"]
ImageSize = Literal["320", "960", "original"]
MAX_REFERENCES: Final = 4
MAX_CHANGE: Final = 500
MAX_VARIANTS: Final = 4
MAX_SEED: Final = 2**31 - 1
"""Seeds fit a signed 32-bit integer, the smallest range among the vendors."""

Count = Annotated[int, Meta(ge=1, le=MAX_VARIANTS)]


class GenerateCoverIn(In, frozen=True, kw_only=True):
    """A cover to be made. Blank texts fall back to the administrator's defaults, where there are any.

    `number` is the volume's place in its series, as it is to be read.

    `customWidth` and `customHeight`, in inches, belong to the dimensions `custom`. `useDefaultGenre` is the check box.
    `instanceId` and `model` are taken only where capabilities offer `choices`. `count` variants are made, each a
    generation of its own; the first has `seed`, each next one the seed after it. `lettering` is who sets the words: our
    `press`, or the picture's own `model`; services that set type themselves do so in any case. `letteringStyle` is the
    press's style that is wished, the id of one of its list; where the picture makes it illegible, the press chooses.
    `elements` are what is to be seen, for services that draw what they are told by name; null lets them read the words.
    """

    prompt: Annotated[str, Meta(max_length=500)] = ""
    title: Annotated[Line, Meta(max_length=100)] = ""
    author: Annotated[Line, Meta(max_length=100)] = ""
    genre: Annotated[Line, Meta(max_length=50)] = ""
    subtitle: Annotated[Line, Meta(max_length=200)] = ""
    series: Annotated[Line, Meta(max_length=200)] = ""
    number: Annotated[Line, Meta(max_length=40)] = ""
    tagline: Annotated[Line, Meta(max_length=300)] = ""
    dimensions: Dimensions = "6x9"
    custom_width: float | None = None
    custom_height: float | None = None
    theme_id: RowId | None = None
    use_default_genre: bool = False
    instance_id: Annotated[str, Meta(max_length=64)] | None = None
    model: Annotated[str, Meta(max_length=120)] | None = None
    lettering: LetteringBy = "press"
    lettering_style: Annotated[str, Meta(max_length=60)] | None = None
    elements: ElementsIn | None = None
    count: Count = 1
    seed: Annotated[int, Meta(ge=0, le=MAX_SEED)] | None = None


class UploadedImage(In, frozen=True, kw_only=True):
    """A picture from the user's device; `base64` is plain or a data URL of a PNG, JPEG or WebP."""

    id: Annotated[str, Meta(max_length=100)]
    base64: str
    name: Annotated[str, Meta(max_length=255)]


class GenerateWithReferencesIn(GenerateCoverIn, frozen=True, kw_only=True):
    """A cover to be made after up to four pictures: covers of one's own and uploads, one at least.

    `themeStylePrompt` stands in for the style of the theme.
    """

    reference_image_ids: Annotated[tuple[RowId, ...], Meta(max_length=MAX_REFERENCES)] = ()
    uploaded_images: Annotated[tuple[UploadedImage, ...], Meta(max_length=MAX_REFERENCES)] = ()
    theme_style_prompt: Annotated[str, Meta(max_length=1000)] = ""


class GenerationStarted(Out, frozen=True, kw_only=True):
    """The ids to follow: one for each variant, in order. `generationId` is the first."""

    generation_id: UUID
    generation_ids: list[UUID]


class RefineIn(In, frozen=True, kw_only=True):
    """What is to change in the picture of a cover, whose `version` is shown.

    `mask` is a PNG in the proportions of the artwork, transparent where that may change; plain base64 or a data URL.
    """

    change: Annotated[str, Meta(max_length=MAX_CHANGE)]
    version: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    mask: str | None = None


class ExtendIn(In, frozen=True, kw_only=True):
    """Beyond which side the picture of a cover, whose `version` is shown, is to go on."""

    side: Literal["left", "right"]
    version: Annotated[int, Meta(ge=1, le=2**31 - 1)]


class RetryIn(In, frozen=True, kw_only=True):
    """How to make a cover again: how often, and whether the first has the seed of the old one."""

    count: Count = 1
    keep_seed: bool = False


class CoverOut(BookWords, Out, frozen=True, kw_only=True):
    """A cover. Addresses are of the same origin and hold the content's hash.

    `tint` and over it `placeholder`, a tiny picture as a data URL where there is one, fill the space until it loads.
    """

    id: int
    image_url: str
    preview_url: str
    thumbnail_url: str
    width: int
    height: int
    tint: str
    placeholder: str | None
    theme_id: int | None
    starred: bool
    created_at: datetime
    deleted_at: datetime | None


class CoverFacets(Out, frozen=True, kw_only=True):
    """What the covers in a gallery differ in: genres, formats, and services by name."""

    genres: list[str]
    dimensions: list[Dimensions]
    providers: list[str]


class GenerationStatus(Out, frozen=True, kw_only=True):
    """Where a generation stands. Times in milliseconds; `progress` in 0..1 only when it is true, else null.

    `batchId` is the first of the variants that were asked for at once. `phase` is one word: queued, retrying,
    preparing, a provider's own word while it works, saving, done. `queuePosition` counts from 1 while the job waits,
    here or in the queue of its provider. `expectedMs` is the usual time of the provider in use. `preview` is a number
    while there is a picture of how it looks so far, which `GET /api/generations/{id}/preview` sends; the number grows
    with each picture.
    """

    id: UUID
    batch_id: UUID
    status: Status
    phase: str
    progress: float | None
    queue_position: int | None
    elapsed_ms: int
    expected_ms: int | None
    provider: str | None
    preview: int | None
    result: CoverOut | None
    error: str | None
    error_code: str | None


class GenerationOut(BookWords, Out, frozen=True, kw_only=True):
    """One line of the prompt history. `refinedCoverId` is the cover that was refined, `prompt` then what was to change.

    Custom measures in inches; `cover` is null when there is none, or in the bin. `letteringStyle` is the style that
    was wished for the words; `elements` what was to be seen, null where it was read from the words.
    """

    id: UUID
    batch_id: UUID
    status: Status
    prompt: str
    dimensions: Dimensions
    custom_width: float | None
    custom_height: float | None
    theme_id: int | None
    theme_name: str | None
    lettering_style: str | None
    elements: list[ElementOut] | None
    reference_count: int
    refined_cover_id: int | None
    provider: str | None
    model: str | None
    seed: int
    created_at: datetime
    finished_at: datetime | None
    error: str | None
    error_code: str | None
    cover: CoverOut | None


class CoverDetails(Out, frozen=True, kw_only=True):
    """How a cover was made. Sizes in pixels, as delivered and as the provider made it; custom measures in inches.

    `composedPrompt` is what the provider was sent; `elements` what was to be seen, null where the words said it, and
    `madeElements` what the provider says that it drew. `durationMs` runs from acceptance to the finished cover.
    """

    cover: CoverOut
    generation_id: UUID
    batch_id: UUID
    prompt: str
    composed_prompt: str
    provider: str | None
    model: str | None
    seed: int
    dimensions: Dimensions
    custom_width: float | None
    custom_height: float | None
    width: int
    height: int
    native_width: int
    native_height: int
    theme_name: str | None
    lettering_style: str | None
    elements: list[ElementOut] | None
    made_elements: list[ElementOut] | None
    reference_count: int
    duration_ms: int
    created_at: datetime


class CoverChange(In, frozen=True, kw_only=True):
    """What may change in a cover; what is absent stays."""

    title: Annotated[Line, Meta(max_length=100)] | UnsetType = UNSET
    starred: bool | UnsetType = UNSET


class ImageChoice(Out, frozen=True, kw_only=True):
    """An image service to choose; the first of `models` is the one it uses unless told. Seed, estimates as below."""

    instance_id: str
    label: str
    models: list[str]
    references: int
    seed: bool
    letters_by_model: bool
    depicts: bool
    sketches: bool
    expected_ms: int
    estimate_micros: int | None


class ImageCapabilitiesOut(Out, frozen=True, kw_only=True):
    """What the generator may offer now. `provider` is the one that will be asked first.

    `references` is how many any service takes, `firstReferences` the first; `referenceProviders` names who will be
    asked for one reference, for two, and so on.
    `edits` is whether any service changes finished pictures, `seed` whether the same one makes the same picture again,
    `lettersByModel` whether its model may be asked to draw the words, `depicts` whether the first says what it will
    draw and can be told, `sketches` whether it shows how it will set the words.
    `maxVariants` is what one request may ask for. `upscaled` are dimensions that the first makes smaller than they are
    printed. `choices` is empty unless the user may choose.
    `estimateMicros` is what a usual cover costs in micros of a USD: for administrators only, null when nobody knows.
    """

    available: bool
    provider: str | None
    references: int
    first_references: int
    reference_providers: list[str]
    edits: bool
    seed: bool
    letters_by_model: bool
    depicts: bool
    sketches: bool
    max_images: int
    max_variants: int
    formats: list[str]
    dimensions: list[str]
    upscaled: list[str]
    expected_ms: int | None
    choices: list[ImageChoice]
    estimate_micros: int | None


class PaymentCapabilitiesOut(Out, frozen=True, kw_only=True):
    """How the browser pays: `none`, or the name of the client it is to use; whether promotion codes are taken.

    `taxes`: they are computed, from billing details that are asked for before a payment.
    """

    client: str
    promotion_codes: bool
    taxes: bool


class SigninOut(Out, frozen=True, kw_only=True):
    """A way to sign in."""

    id: str
    kind: str


class CapabilitiesOut(Out, frozen=True, kw_only=True):
    """What the browser may offer now. For `binDays` a deleted cover can be brought back."""

    image: ImageCapabilitiesOut
    payment: PaymentCapabilitiesOut
    signin: list[SigninOut]
    bin_days: int
