"""Palettes of six roles. Families draw with roles only, never with colors of their own."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plugins.atelier.color import Bytes, oklab_to_rgb, oklch, relight, rgb_to_oklab, shift, to_hex

VIVID = 0.09  # OKLCH chroma from which a small area still catches the eye
TINTED = 0.04  # below this a color looks grey and stays grey


@dataclass(frozen=True, slots=True)
class Palette:
    """dark < deep < mid < light < paper by lightness; `accent` is the one strong color, `accent2` its companion."""

    dark: str
    deep: str
    mid: str
    light: str
    paper: str
    accent: str
    accent2: str = ""
    name: str = ""

    @property
    def companion(self) -> str:
        """The second accent; derived from the first (opposite hue, less vivid) when the palette has none."""
        return self.accent2 or shift(self.accent, 0, 0.85, 150)

    def roles(self) -> tuple[str, str, str, str, str, str]:
        """The six roles in order, without the companion."""
        return self.dark, self.deep, self.mid, self.light, self.paper, self.accent


# name, six roles, companion | the story words that select it
_CURATED = """
ember      #1a1014 #4a1c22 #a63d2f #e8914f #f7e3c4 #ffb347 #7fb0a8|fire war dusk dragon anger blood desert volcano
tide       #071a2b #0f3d5c #2f7f95 #8cc7c1 #f2ecdc #f2a65a #e05f4e|ocean sea ship water river island calm literary
nightfall  #0b1026 #1f2a5a #4f5d9e #a9b3d8 #f1ecf4 #f5c86b #e58f8f|night moon star dream quiet fantasy
verdant    #0c1a14 #1d3b2a #4c7a4f #a9c48b #f4f0dc #e0913f #c9483a|forest tree garden nature wolf earth
duskrose   #241327 #5b2a4f #b3566e #f0a48f #fbe9dc #ffd27a #7d8fd0|romance love dusk heart summer
noir       #0a0a0c #1f2227 #565c66 #a9aeb5 #ece9e2 #d7263d #e9b44c|crime murder night city spy thriller noir
bone       #191713 #4b4437 #8f8268 #cfc2a3 #f3ecdc #a63a24 #2f5d62|history memory old literary letter western
sahara     #2a130c #7a3318 #c96f34 #eab676 #fbeccf #2f6f73 #8c2f39|desert sand sun travel western
glacier    #0d1b24 #274b5f #6b9bb0 #bcd8df #f3f7f5 #e2684a #2b3f87|snow ice winter mountain arctic
gilt       #0b0e1a #1b2140 #5a4b2c #c9a14a #f3e4b8 #e6bd5a #9b2f3a|gold crown royal magic fantasy secret
emerald    #06140f #0f3327 #2f6b4f #c7a552 #f1e6c3 #e6c15a #b4483c|jewel snake witch fantasy deco
oxblood    #16070a #430d15 #86202a #cf8a5c #f2e2cd #e0ae5c #48706d|blood vampire gothic mystery rose horror
neon       #0a0618 #24104f #6b2bd0 #ff5fa2 #fdf0ff #21e6ff #ffd23f|cyber neon robot code hacker future city
plasma     #07091a #14225c #3557d6 #69d2ff #eef9ff #ff6b3d #ffd166|space star ship future science machine
retro      #2b1b17 #8c3b2a #d9722e #efb23e #f6e7c8 #2a7f7a #3b2f63|seventies sun retro road music
candy      #2d2350 #6a4fb3 #ff7f9f #ffc56b #fff4e0 #35c4b5 #ff5d5d|child toy sweet fun animal
meadow     #173b3f #2f8f83 #8ccf7e #ffd86b #fff8e3 #ff7a59 #4f7fd9|child spring animal field farm
storybook  #1f2a52 #3f62a6 #79b6d9 #ffd27d #fff3dd #ef6f6c #62b58f|child sleep moon star bear whale
lilac      #2a2140 #5d4b85 #a88bc4 #dcc6e6 #f9f2f5 #e8a13d #d9657f|flower dream poetry love
blush      #3b1d25 #8c4453 #d98d8f #f2c9bd #fcf1ea #b8863b #6f8f7a|romance love flower wedding heart
sage       #232a23 #4d5f4b #8ba083 #c8d1b6 #f5f2e6 #c4623b #d9a441|garden nature calm literary food
swissred   #121212 #3a3a3a #8a8a8a #d8d4cc #f6f3ec #e5261f #1f3fbf|business money idea politics power
cobalt     #0a1230 #1733a6 #3f6bff #a6c1ff #f4f4ee #ffcf33 #ff5a36|business technology mind idea data
mustard    #1c1a14 #4e4423 #b98a1d #f0c23b #fbf3d9 #20514f #b5402a|idea essay food retro history
tealorange #06181c #0d4048 #2b8a8a #f0a35e #fbeedd #ff6f3c #f5d491|adventure city action sunset thriller
aurora     #050d1c #0c2f45 #1f8a7a #8fe3b0 #f0fbef #b77bff #ffd97a|aurora magic space ice night alien
storm      #0b1115 #24323b #546a75 #a3b4b8 #e9ecea #f3d34a #c5482f|storm rain sea lighthouse fear ghost
wine       #1a0b1c #46163f #8a2f5e #d67a8c #f9e5e2 #e3b45c #5f7fb0|love night passion opera witch
coral      #0f2a3d #1f5c78 #4fa3a5 #ffb59e #fff3e6 #ff6f61 #f7c948|beach summer island romance
clay       #2b1d1a #6e4036 #b5735a #e3b795 #f8ecdf #3f6c6e #d79a2b|family house memory literary earth
cyanotype  #06162e #103a70 #2f6fb0 #9cc4e4 #f3f4ea #f3f4ea #e9b44c|botanical water letter science
peacock    #04161a #063c47 #0f7173 #5fc2a8 #f2f0dc #f0a202 #d95d39|deco bird jewel jungle
"""


def _read_curated() -> tuple[dict[str, Palette], dict[str, frozenset[str]]]:
    palettes: dict[str, Palette] = {}
    words: dict[str, frozenset[str]] = {}
    for line in _CURATED.strip().splitlines():
        colors, tags = line.split("|")
        name, dark, deep, mid, light, paper, accent, accent2 = colors.split()
        palettes[name] = Palette(dark, deep, mid, light, paper, accent, accent2, name)
        words[name] = frozenset(tags.split())
    return palettes, words


PALETTES, PALETTE_TAGS = _read_curated()


def palette_from_theme(colors: Sequence[str]) -> Palette:
    """Give theme colors (hex) their roles: ends by lightness, accent = the most chromatic, gaps are re-lit copies."""
    given = list(dict.fromkeys(c.lower() for c in colors))
    if not given:
        return PALETTES["nightfall"]

    def pop(color: str) -> float:
        lightness, chroma, _ = oklch(color)
        return chroma * (1.15 if 0.45 < lightness < 0.88 else 0.7)

    accent = max(given, key=pop)
    rest = [c for c in sorted(given, key=lambda c: oklch(c)[0]) if c != accent] or [accent]
    dark = rest[0] if oklch(rest[0])[0] < 0.28 else relight(rest[0], 0.20, 0.55)
    paper = rest[-1] if oklch(rest[-1])[0] > 0.88 else relight(rest[-1], 0.95, 0.25)
    inner = [c for c in rest if c not in (dark, paper)] or [accent]

    def nearest(lightness: float) -> str:
        color = min(inner, key=lambda c: abs(oklch(c)[0] - lightness))
        gap = abs(oklch(color)[0] - lightness)
        return color if gap < 0.1 else relight(color, lightness, 0.9 if gap < 0.3 else 0.7)

    return Palette(dark, nearest(0.36), nearest(0.58), nearest(0.80), paper, accent, "", "theme:" + ",".join(given))


def palette_from_image(picture: Bytes) -> Palette:
    """Roles from a picture (h, w, 3): every large cluster of color, and small vivid ones, such as a red roof."""
    clusters = kmeans_oklab(picture, 10, seed=1)
    kept = [c for c, share in clusters if share > 0.03 or (share > 0.006 and oklch(c)[1] > VIVID)]
    return palette_from_theme([shift(c, 0, 1.25) if oklch(c)[1] > TINTED else c for c in kept])


def kmeans_oklab(picture: Bytes, count: int = 6, seed: int = 0, samples: int = 6000) -> list[tuple[str, float]]:
    """The main colors of a picture with their shares, most common first (k-means++ in OKLab on a subsample)."""
    rng = np.random.default_rng(seed)
    pixels = picture.reshape(-1, picture.shape[-1])[:, :3]
    chosen = pixels[rng.choice(len(pixels), min(samples, len(pixels)), replace=False)]
    lab = rgb_to_oklab(chosen / 255.0)
    lab[:, 1:] *= 1.6  # hue and chroma matter more than lightness for what people call a color
    centers = [lab[rng.integers(len(lab))]]
    for _ in range(count - 1):
        nearest = np.min([((lab - c) ** 2).sum(1) for c in centers], 0)
        spread = nearest.sum()
        centers.append(lab[rng.choice(len(lab), p=nearest / spread)] if spread > 1e-9 else lab[0])
    middle: npt.NDArray[np.floating] = np.array(centers)
    owner = np.zeros(len(lab), int)
    for _ in range(18):
        owner = ((lab[:, None] - middle[None]) ** 2).sum(2).argmin(1)
        middle = np.array([lab[owner == i].mean(0) if (owner == i).any() else middle[i] for i in range(count)])
    share = np.bincount(owner, minlength=count) / len(owner)
    middle[:, 1:] /= 1.6
    colors = [to_hex(np.clip(oklab_to_rgb(c), 0, 1)) for c in middle]
    return sorted(zip(colors, share.tolist(), strict=True), key=lambda pair: -pair[1])
