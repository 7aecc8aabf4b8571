"""A recording as the vendor of the tests."""

import difflib
import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import httpx

from ..running import running_rule
from .cassettes import Cassette, Interaction, RecordedRequest, Text, read_cassette
from .requests import recorded
from .secrets import Secrets

_Key = tuple[str, str, Text]
_LINES: Final = 40


class UnknownRequest(AssertionError):
    """A request that is not in the recording; the message says how it differs from the nearest one."""


class Replay(httpx.MockTransport):
    """Answers the requests of a recording, and no others.

    Requests are the same when method, address and body are; headers do not count, nor does what is cut from
    recordings. Answers to the same request come in their recorded order, those of the running rule first; the last is
    repeated. `secrets` are those of the settings in use, by their fields; the placeholders need not be named.
    """

    def __init__(self, recording: Path | str | Cassette, secrets: Mapping[str, str] | None = None) -> None:
        super().__init__(self._answer)
        self._cassette = recording if isinstance(recording, Cassette) else read_cassette(Path(recording))
        self._secrets = Secrets(secrets or {})
        self._answers: dict[tuple[str, _Key], list[Interaction]] = defaultdict(list)
        for interaction in self._cassette.interactions:
            for rule in {interaction.rule, ""}:
                self._answers[rule, _key(interaction.request)].append(interaction)
        self._given: dict[tuple[str, _Key], int] = defaultdict(int)
        self.unknown: list[str] = []

    def _answer(self, request: httpx.Request) -> httpx.Response:
        asked = recorded(request, self._secrets)
        place = next(
            (place for rule in (running_rule(), "") if (place := (rule, _key(asked))) in self._answers),
            None,
        )
        if place is None:
            self.unknown.append(self._difference(asked))
            raise UnknownRequest(self.unknown[-1])
        answers = self._answers[place]
        number = min(self._given[place], len(answers) - 1)
        self._given[place] += 1
        return answers[number].response.response(request)

    def _difference(self, asked: RecordedRequest) -> str:
        """Return how a request differs from the nearest of the recording."""
        head = f"{asked.method} {asked.uri} is not in the recording"
        known = list({_key(one.request): one.request for one in self._cassette.interactions}.values())
        if not known:
            return f"{head}, which is empty"
        mine = _lines(asked)
        nearest = max(
            known, key=lambda one: (one.method == asked.method, _likeness(one.uri, asked.uri), _alike(one, mine))
        )
        lines = difflib.unified_diff(_lines(nearest), mine, "recorded", "asked", lineterm="", n=1)
        return "\n".join([f"{head}. The nearest request there differs:", *list(lines)[:_LINES]])


def _key(request: RecordedRequest) -> _Key:
    return request.method, request.uri, _canonical(request.body)


def _canonical(body: Text) -> Text:
    """Return a JSON body with its names in order: their order means nothing."""
    try:
        return json.dumps(json.loads(body), sort_keys=True)
    except (TypeError, ValueError):
        return body


def _lines(request: RecordedRequest) -> list[str]:
    try:
        body = json.dumps(json.loads(request.body), sort_keys=True, indent=1, ensure_ascii=False)
    except (TypeError, ValueError):
        body = request.body if isinstance(request.body, str) else repr(request.body)
    return [f"{request.method} {request.uri}", *(line[:200] for line in body.splitlines())]


def _likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other).ratio()


def _alike(request: RecordedRequest, lines: list[str]) -> float:
    return difflib.SequenceMatcher(None, _lines(request), lines).ratio()
