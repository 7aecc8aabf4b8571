"""What the offline artist reads from descriptions: how much of it is right, and how long it takes."""

import os
import subprocess
import sys
import time
from typing import Final

from kernel.core.config import PROJECT_ROOT
from plugins.atelier.semantics.languages import LANGUAGES
from plugins.atelier.semantics.story import read_story
from tests.atelier.proof import descriptions, verdicts
from tests.benchmarks.bench import Bench
from tests.benchmarks.figures import Figure, Section, median

CHARACTERS: Final = 1000
READING_AIM_MS: Final = 20.0
LOADING_AIM_MS: Final = 150.0
RECALL_AIM: Final = 92.0
REPEATS: Final = 5
LOADING: Final = """
import sys, time
from plugins.atelier.semantics.vocabulary import vocabulary
began = time.perf_counter()
vocabulary(sys.argv[1])
print(time.perf_counter() - began)
"""


def reading(bench: Bench) -> Section:
    """Read the descriptions of the proof, and measure reading and loading."""
    del bench
    everything = [one for language in LANGUAGES for one in verdicts(language)]
    named = [one.main for one in everything if one.main is not None]
    further = [right for one in everything for right in one.further]
    times = {language: _reading_ms(language) for language in LANGUAGES}
    loads = {language: _loading_ms(language) for language in LANGUAGES}
    slowest, heaviest = max(times, key=lambda code: times[code]), max(loads, key=lambda code: loads[code])
    return Section(
        title="Reading descriptions",
        conditions=f"{len(everything)} descriptions in {len(LANGUAGES)} languages, {len(named)} of which name a thing",
        figures=[
            Figure(what="main subject recalled", value=_percent(named), unit="%", at_least=RECALL_AIM),
            Figure(what="further elements recalled", value=_percent(further), unit="%"),
            Figure(what="contradictions", value=sum(len(one.contradictions) for one in everything), unit="", at_most=0),
            Figure(
                what=f"{CHARACTERS} characters, worst language",
                value=times[slowest],
                unit="ms",
                at_most=READING_AIM_MS,
                note=slowest,
            ),
            Figure(
                what="loading, worst language", value=loads[heaviest], unit="ms", at_most=LOADING_AIM_MS, note=heaviest
            ),
        ],
    )


def _percent(right: list[bool]) -> float:
    return 100 * sum(right) / len(right)


def _reading_ms(language: str) -> float:
    text = " ".join(one.text for one in descriptions(language))[:CHARACTERS]
    read_story(text, language=language)
    found = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        read_story(text, language=language)
        found.append(1000 * (time.perf_counter() - began))
    return median(found)


def _loading_ms(language: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", LOADING, language],
        check=True,
        capture_output=True,
        text=True,
        cwd=PROJECT_ROOT,
        env=os.environ,
    )
    return 1000 * float(done.stdout)
