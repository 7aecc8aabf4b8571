"""How the type of each genre is set: faces, case, spacing, and the manner for other scripts."""

from typing import Final, NamedTuple

from kernel.press.catalogue import Voice
from kernel.press.style import Align, Case, Mode
from kernel.press.typesetting import TypeStyle


class Lettering(NamedTuple):
    """The three styles of a cover and how often they are chosen within the genre."""

    weight: float
    title: TypeStyle
    author: TypeStyle
    tagline: TypeStyle


def _title(
    font: str,
    case: Case,
    track: float,
    leading: float,
    mode: Mode = "fit",
    voice: Voice = "serif",
    *,
    rules: bool = False,
    small: str = "",
    align: Align = "center",
) -> TypeStyle:
    return TypeStyle(
        font=font,
        case=case,
        track=track,
        leading=leading,
        mode=mode,
        voice=voice,
        rules=rules,
        small_font=small,
        align=align,
    )


def _author(font: str, track: float = 0.22, case: Case = "upper", voice: Voice = "serif") -> TypeStyle:
    return TypeStyle(font=font, case=case, track=track, voice=voice, max_lines=1)


def _line(font: str, track: float = 0.02, case: Case = "typed", voice: Voice = "serif") -> TypeStyle:
    return TypeStyle(font=font, case=case, track=track, voice=voice, max_lines=2, leading=1.35)


_CORMORANT = _line("cormorant-i", voice="elegant")
_OSWALD = _line("oswald-l", 0.08, "upper", "heavy")
_JOSEFIN = _author("josefin", 0.28, voice="tech")
_EXO = _author("exo-l", 0.34, voice="tech")
_EXO_LINE = _line("exo-l", 0.06, voice="tech")

STYLES: Final[dict[str, tuple[Lettering, ...]]] = {
    "fantasy": (
        Lettering(3, _title("cinzel", "upper", 0.03, 1.42, "small", rules=True), _author("cinzel-m"), _CORMORANT),
        Lettering(2, _title("cinzel-deco", "typed", 0.01, 1.5, "small", rules=True), _author("cinzel-m"), _CORMORANT),
        Lettering(
            1.5, _title("fell", "typed", 0.02, 1.4, "small", rules=True), _author("fell", 0.12, "typed"), _CORMORANT
        ),
    ),
    "scifi": (
        Lettering(2, _title("orbitron", "upper", 0.06, 1.5, "small", "tech"), _EXO, _EXO_LINE),
        Lettering(2, _title("unbounded-l", "upper", 0.10, 1.55, "fit", "tech"), _EXO, _EXO_LINE),
        Lettering(2, _title("exo", "upper", 0.16, 1.5, "fit", "tech"), _EXO, _EXO_LINE),
    ),
    "romance": (
        Lettering(
            3, _title("playfair-i", "typed", -0.005, 1.02, "small", "elegant", small="playfair-i"), _JOSEFIN, _CORMORANT
        ),
        Lettering(2, _title("yeseva", "typed", 0, 1.04, "small", "elegant", small="playfair-i"), _JOSEFIN, _CORMORANT),
        Lettering(1.4, _title("vibes", "typed", 0, 0.92, "fit", "elegant"), _JOSEFIN, _CORMORANT),
    ),
    "thriller": (
        Lettering(
            3, _title("bebas", "upper", 0, 1.14, "stack", "heavy"), _author("bebas", 0.14, voice="heavy"), _OSWALD
        ),
        Lettering(
            2, _title("league", "upper", 0, 1.12, "stack", "heavy"), _author("oswald", 0.16, voice="heavy"), _OSWALD
        ),
        Lettering(2, _title("anton", "upper", 0, 1.2, "fit", "heavy"), _author("oswald", 0.16, voice="heavy"), _OSWALD),
    ),
    "mystery": (
        Lettering(
            2,
            _title("abril", "typed", 0, 1.02, "small", "fat", small="playfair-i"),
            _author("josefin-b", 0.24),
            _CORMORANT,
        ),
        Lettering(
            2,
            _title("playfair-b", "upper", 0.01, 1.32, "small", "fat", rules=True, small="playfair-i"),
            _author("josefin-b", 0.24),
            _CORMORANT,
        ),
        Lettering(1.4, _title("dmserif", "typed", 0, 1.03, "fit", "fat"), _author("tenor", 0.24), _line("dmserif-i")),
    ),
    "horror": (
        Lettering(2, _title("fell", "typed", 0.02, 1.35, "fit"), _author("oswald-l", 0.3, voice="sans"), _CORMORANT),
        Lettering(
            2, _title("league", "upper", 0.02, 1.16, "fit", "heavy"), _author("oswald-l", 0.3, voice="heavy"), _OSWALD
        ),
    ),
    "literary": (
        Lettering(2, _title("cormorant", "typed", -0.01, 0.98), _author("cormorant-l", 0.2), _CORMORANT),
        Lettering(
            2, _title("instrument", "typed", -0.01, 1.0), _author("inter-m", 0.14, voice="tech"), _line("instrument-i")
        ),
        Lettering(2, _title("dmserif", "typed", -0.005, 1.02), _author("tenor", 0.18), _line("dmserif-i")),
        Lettering(1.5, _title("young", "typed", -0.01, 1.06), _author("spectral", 0.12), _line("spectral-i")),
        Lettering(1.2, _title("italiana", "upper", 0.06, 1.5, voice="elegant"), _author("tenor", 0.24), _CORMORANT),
    ),
    "children": (
        Lettering(
            3,
            _title("lilita", "typed", 0.005, 1.04, voice="round"),
            _author("fredoka-m", 0.02, "typed", "round"),
            _line("fredoka-m", 0, voice="round"),
        ),
        Lettering(
            2,
            _title("baloo", "typed", -0.01, 0.92, voice="round"),
            _author("baloo-m", 0.01, "typed", "round"),
            _line("baloo-m", 0, voice="round"),
        ),
        Lettering(
            2,
            _title("fredoka", "typed", -0.01, 1.02, voice="round"),
            _author("fredoka-m", 0.02, "typed", "round"),
            _line("fredoka-m", 0, voice="round"),
        ),
    ),
    "nonfiction": (
        Lettering(
            3,
            _title("inter-b", "typed", -0.03, 1.0, voice="sans", align="left"),
            _author("inter-m", 0, "typed", "tech"),
            _line("inter-m", 0, voice="tech"),
        ),
        Lettering(
            2,
            _title("spartan", "typed", -0.035, 0.98, voice="sans", align="left"),
            _author("spartan-m", 0, "typed", "tech"),
            _line("spartan-m", 0, voice="tech"),
        ),
        Lettering(
            2,
            _title("fraunces-b", "typed", -0.02, 1.0, voice="fat", align="left"),
            _author("inter-m", 0, "typed", "tech"),
            _line("fraunces-i"),
        ),
        Lettering(
            1.5,
            _title("grotesk", "typed", -0.03, 1.02, voice="sans", align="left"),
            _author("grotesk-m", 0, "typed", "tech"),
            _line("grotesk-m", 0, voice="tech"),
        ),
    ),
    "historical": (
        Lettering(
            2, _title("marcellus", "upper", 0.05, 1.5, "small", rules=True), _author("marcellus", 0.26), _CORMORANT
        ),
        Lettering(
            2, _title("playfair", "typed", 0, 1.02, "small", small="playfair-i"), _author("marcellus", 0.26), _CORMORANT
        ),
        Lettering(1, _title("cinzel", "upper", 0.04, 1.45, "small", rules=True), _author("cinzel-m"), _CORMORANT),
    ),
    "poetry": (
        Lettering(
            2, _title("cormorant-i", "typed", -0.01, 0.95, voice="elegant"), _author("cormorant-l", 0.18), _CORMORANT
        ),
        Lettering(2, _title("italiana", "typed", 0.01, 1.05, voice="elegant"), _author("tenor", 0.2), _CORMORANT),
    ),
    "western": (
        Lettering(2, _title("rye", "typed", 0.02, 1.1, "stack", "heavy"), _author("oswald", 0.18), _CORMORANT),
    ),
    "cookbook": (
        Lettering(2, _title("dmserif", "typed", -0.005, 1.0), _author("josefin-b", 0.2), _line("dmserif-i")),
        Lettering(2, _title("young", "typed", -0.01, 1.04), _author("josefin-b", 0.2), _line("spectral-i")),
    ),
    "deco": (
        Lettering(
            2,
            _title("limelight", "typed", 0.02, 1.1, "small", "fat", small="poiret"),
            _author("josefin", 0.3),
            _line("josefin", 0.1),
        ),
        Lettering(
            2, _title("poiret", "upper", 0.08, 1.6, "fit", "tech"), _author("josefin", 0.3), _line("josefin", 0.1)
        ),
    ),
    "retro": (
        Lettering(
            2,
            _title("monoton", "upper", 0.02, 1.4, "fit", "sans"),
            _author("josefin-b", 0.24, voice="sans"),
            _line("josefin", 0.08),
        ),
        Lettering(
            3,
            _title("syne", "typed", -0.01, 1.02, "fit", "sans"),
            _author("josefin-b", 0.24, voice="sans"),
            _line("josefin", 0.08),
        ),
    ),
}
STYLES["ya"] = (STYLES["fantasy"][0], *STYLES["literary"][2:4], STYLES["mystery"][0])
STYLES["adventure"] = (STYLES["historical"][0], STYLES["thriller"][2], STYLES["fantasy"][0])
