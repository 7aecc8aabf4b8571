"""From a request's texts to the prompt: the administrator's defaults, the theme's style, the template."""

from collections.abc import Mapping

from kernel.core.data.database import ReadConnection
from kernel.core.errors import AppError
from kernel.core.field_errors import FieldError, FieldFault
from kernel.covers.book_words import WORDS, BookWords
from kernel.covers.generation.submission.request import CoverRequest
from kernel.pictures.base64_uploads import refuse
from kernel.site.prompt_settings import SettingService
from kernel.site.prompts import MAX_CHARS, length_fault, lettering_words, render
from kernel.site.schemas import PromptDefaults
from kernel.themes.service import ThemeService, ThemeStyle, in_colors


class ComposedPrompt(BookWords, frozen=True, kw_only=True):
    """The texts after defaults, and the prompt that was made of them."""

    prompt: str
    theme: ThemeStyle | None
    text: str


class PromptComposer:
    """Composes prompts. Knows no provider."""

    def __init__(self, settings: SettingService, themes: ThemeService) -> None:
        self._settings = settings
        self._themes = themes

    async def compose(
        self,
        reader: ReadConnection,
        user_id: int,
        request: CoverRequest,
        *,
        faults: Mapping[str, FieldFault],
        upload_faults: Mapping[str, AppError],
    ) -> ComposedPrompt:
        """Return the prompt.

        Raises InvalidFields, TooLarge and WrongType for all bad fields at once, those of `faults` included; and Absent
        for a theme that the user does not have.
        """
        standard = await self._settings.prompt(reader, "standard_prompt")
        themed = await self._settings.prompt(reader, "theme_prompt")
        usual_style = themed.defaults.theme_style_prompt if request.with_references else ""
        setting = themed if request.theme_id or request.own_style or usual_style else standard
        words = _with_defaults(request, setting.defaults)
        found = dict(faults)
        found |= {name: fault for name, text in words.items() if (fault := length_fault(text, MAX_CHARS[name]))}
        if not words["prompt"]:
            found["prompt"] = FieldError("no_prompt", "Please describe your book cover before generating.")
        refuse(upload_faults, found)
        theme = await self._themes.get(reader, user_id, request.theme_id) if request.theme_id else None
        style = request.own_style or (theme.style_prompt if theme else usual_style)
        values = words | {
            "themeStylePrompt": in_colors(style, theme.colors) if theme else style,
            "referenceImagePrompt": themed.defaults.reference_image_prompt,
            "lettering": lettering_words(
                words,
                by_press=request.lettering == "press",
                without_letters=setting.defaults.lettering,
            ),
        }
        text = render(setting.template, values, has_references=request.with_references)
        return ComposedPrompt(theme=theme, text=text, **words)


def _with_defaults(request: CoverRequest, defaults: PromptDefaults) -> dict[str, str]:
    """Return the texts; the administrator's defaults stand in for blank ones."""
    words = {name: getattr(request, name) or getattr(defaults, name, "") for name in ("prompt", *WORDS)}
    if not request.use_default_genre:
        words["genre"] = request.genre
    return words
