"""The type catalogue: short names for the faces, and which face replaces one that lacks a script.

Every face is a full static TrueType file of the npm packages `@expo-google-fonts/*` (OFL-1.1; special-elite is
Apache-2.0), read from where npm installed it and never changed.
"""

from typing import Final, Literal

FONTS_VARIABLE: Final = "COVERWRIGHT_FONTS"
"""The environment variable that names another folder of fonts."""

Voice = Literal["serif", "sans", "round", "heavy", "fat", "tech", "elegant"]
"""The style of a face; a script that the face lacks is set in a face of the same style."""

_LIST = """
cinzel          cinzel/700Bold
cinzel-m        cinzel/500Medium
cinzel-deco     cinzel-decorative/700Bold
fell            im-fell-english-sc/400Regular
marcellus       marcellus/400Regular
playfair        playfair-display/700Bold
playfair-b      playfair-display/900Black
playfair-i      playfair-display/500Medium_Italic
playfair-r      playfair-display/500Medium
abril           abril-fatface/400Regular
bodoni          bodoni-moda/600SemiBold
bodoni-i        bodoni-moda/500Medium_Italic
cormorant       cormorant-garamond/600SemiBold
cormorant-l     cormorant-garamond/500Medium
cormorant-i     cormorant-garamond/500Medium_Italic
dmserif         dm-serif-display/400Regular
dmserif-i       dm-serif-display/400Regular_Italic
instrument      instrument-serif/400Regular
instrument-i    instrument-serif/400Regular_Italic
fraunces        fraunces/700Bold
fraunces-b      fraunces/900Black
fraunces-i      fraunces/500Medium_Italic
vibes           great-vibes/400Regular
alex            alex-brush/400Regular
bebas           bebas-neue/400Regular
anton           anton/400Regular
league          league-gothic/400Regular
oswald          oswald/600SemiBold
oswald-l        oswald/400Regular
archivo         archivo-black/400Regular
spartan         league-spartan/800ExtraBold
spartan-m       league-spartan/500Medium
inter           inter-tight/700Bold
inter-b         inter-tight/900Black
inter-m         inter-tight/500Medium
grotesk         space-grotesk/700Bold
grotesk-m       space-grotesk/500Medium
orbitron        orbitron/700Bold
unbounded       unbounded/700Bold
unbounded-l     unbounded/300Light
exo             exo-2/600SemiBold
exo-l           exo-2/300Light
poiret          poiret-one/400Regular
josefin         josefin-sans/400Regular
josefin-b       josefin-sans/600SemiBold
monoton         monoton/400Regular
limelight       limelight/400Regular
lilita          lilita-one/400Regular
fredoka         fredoka/700Bold
fredoka-m       fredoka/500Medium
baloo           baloo-2/800ExtraBold
baloo-m         baloo-2/600SemiBold
nunito          nunito/900Black
nunito-m        nunito/700Bold
elite           special-elite/400Regular
yeseva          yeseva-one/400Regular
tenor           tenor-sans/400Regular
italiana        italiana/400Regular
young           young-serif/400Regular
spectral        spectral/500Medium
spectral-i      spectral/400Regular_Italic
garamond        eb-garamond/500Medium
garamond-i      eb-garamond/500Medium_Italic
rye             rye/400Regular
syne            syne/800ExtraBold
naskh           amiri/700Bold
naskh-m         amiri/400Regular
kufi            cairo/800ExtraBold
kufi-m          cairo/600SemiBold
reem            reem-kufi/600SemiBold
ruqaa           aref-ruqaa/700Bold
kufi-b          cairo/900Black
deva            noto-sans-devanagari/700Bold
deva-b          noto-sans-devanagari/900Black
deva-m          noto-sans-devanagari/500Medium
deva-serif      noto-serif-devanagari/700Bold
deva-serif-m    noto-serif-devanagari/500Medium
deva-serif-b    noto-serif-devanagari/900Black
jp-serif        noto-serif-jp/700Bold
jp-serif-b      noto-serif-jp/900Black
jp-serif-m      noto-serif-jp/500Medium
jp-sans         noto-sans-jp/900Black
jp-sans-m       noto-sans-jp/500Medium
dela            dela-gothic-one/400Regular
maru            zen-maru-gothic/900Black
kaisei          kaisei-decol/700Bold
sc-serif        noto-serif-sc/700Bold
sc-serif-b      noto-serif-sc/900Black
sc-serif-m      noto-serif-sc/500Medium
sc-sans         noto-sans-sc/900Black
sc-sans-m       noto-sans-sc/500Medium
kuaile          zcool-kuaile/400Regular
kr              noto-sans-kr/800ExtraBold
kr-b            noto-sans-kr/900Black
kr-m            noto-sans-kr/500Medium
batang          gowun-batang/700Bold
jua             jua/400Regular
sans            noto-sans/600SemiBold
serif           noto-serif/600SemiBold
emoji           noto-emoji/400Regular
emoji-l         noto-emoji/300Light
emoji-b         noto-emoji/700Bold
"""

PLACES: Final[dict[str, str]] = dict(line.split() for line in _LIST.split("\n") if line)
"""Short name to `package/weight`."""

CAPITAL_FACES: Final = frozenset({"cinzel", "cinzel-m", "cinzel-deco", "bebas", "fell", "monoton"})
"""Faces whose lower case is capitals: their leading depends on the height of a capital."""

_STAND_INS = """
         latin      cyrillic   arabic   devanagari    japanese    chinese     korean
serif    playfair   playfair   naskh    deva-serif    jp-serif    sc-serif    batang
sans     sans       sans       kufi     deva          jp-sans     sc-sans     kr
round    nunito     nunito     kufi     baloo         maru        kuaile      jua
heavy    oswald     oswald     kufi-b   deva-b        dela        sc-sans     kr-b
fat      playfair-b playfair-b naskh    deva-serif-b  jp-serif-b  sc-serif-b  batang
tech     exo        exo        reem     deva-m        jp-sans-m   sc-sans-m   kr-m
elegant  playfair-i playfair-i ruqaa    deva-serif-m  kaisei      sc-serif-m  batang
"""


def _stand_ins() -> dict[str, dict[str, str]]:
    head, *rows = (line.split() for line in _STAND_INS.split("\n") if line)
    return {voice: dict(zip(head, faces, strict=True)) for voice, *faces in rows}


STAND_INS: Final[dict[str, dict[str, str]]] = _stand_ins()
"""Voice to script to the face for it."""

LAST_RESORT: Final = ("serif", "sans", "jp-serif", "sc-serif", "kr", "naskh", "deva", "emoji")
"""Tried in this order for a character that neither the face nor its replacement has."""
