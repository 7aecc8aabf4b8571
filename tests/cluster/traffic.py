"""Authors who make covers and visitors who look around, through HAProxy, while hosts fail; and what became of it."""

import time
from collections import Counter
from functools import partial
from typing import Final
from uuid import uuid4

import httpx
import msgspec

from tests.cluster.product import Cluster
from tests.person import SMALL, TERMINAL, Person
from tests.product import PASSWORD
from tests.support.load import Repeated

AUTHORS: Final = 6
VISITORS: Final = 2
COVER_EACH_S: Final = 1.2
"""An author begins a cover this often at most."""
VISIT_EACH_S: Final = 0.25
AGAIN_S: Final = 0.1
AGAIN: Final = (429, 500, 502, 503, 504)
"""Answers after which a browser asks once more."""
PATIENCE_S: Final = 90.0
ALL_END_S: Final = 90.0
PAGES: Final = ("/", "/en/", "/api/covers", "/api/auth/user", "/readyz")


class Answer(msgspec.Struct, frozen=True):
    """One request's end: `status` is 0 where the connection broke. Seconds of the monotonic clock."""

    at: float
    took: float
    status: int
    what: str


class Ordered(msgspec.Struct):
    """A cover that was accepted."""

    generation_id: str
    at: float
    ended: str = ""
    took: float = 0.0


class Traffic(Repeated):
    """Goes on until the block ends; then every author waits for the covers that were accepted."""

    def __init__(self, cluster: Cluster, *, authors: int = AUTHORS, visitors: int = VISITORS) -> None:
        self.answers: list[Answer] = []
        self.ordered: list[Ordered] = []
        self._cluster = cluster
        self.people = [self._person() for _ in range(authors + visitors)]
        work = [self._write] * authors + [self._visit] * visitors
        jobs = [partial(job, person) for job, person in zip(work, self.people, strict=True)]
        super().__init__(jobs, ends_within_s=ALL_END_S + PATIENCE_S)

    def _person(self) -> Person:
        person = Person(self._cluster.haproxy.url)
        person.register(PASSWORD)
        self._cluster.unlimited(person.id)
        person.timeout = httpx.Timeout(20)
        return person

    def __exit__(self, *trouble: object) -> None:
        super().__exit__(*trouble)
        for person in self.people:
            person.close()

    def made(self) -> int:
        """Return how many covers are done."""
        return sum(cover.ended == "completed" for cover in list(self.ordered))

    def _visit(self, person: Person) -> None:
        for page in PAGES:
            self._ask(person, "GET", page)
            self._over.wait(VISIT_EACH_S)

    def _write(self, person: Person) -> None:
        """Order a cover as a browser does: with one key, again after every broken connection; follow it to its end."""
        began, key = time.monotonic(), uuid4().hex
        body = {"prompt": "a lighthouse in a storm", "title": "The Light", "dimensions": SMALL}
        while (answer := self._ask(person, "POST", "/api/generate-cover", json=body, key=key)) is None or (
            answer.status_code in AGAIN
        ):
            if time.monotonic() > began + PATIENCE_S:
                raise TimeoutError(f"a cover was not accepted: {answer and answer.text[:200]}")
            time.sleep(AGAIN_S)
        if answer.status_code != 202:
            raise ValueError(f"a cover was refused: {answer.text[:200]}")
        cover = Ordered(str(answer.json()["generationId"]), time.monotonic())
        self.ordered.append(cover)
        self._follow(person, cover)
        if thumbnail := self._thumbnail(person, cover):
            self._ask(person, "GET", thumbnail)
        self._over.wait(max(0.0, began + COVER_EACH_S - time.monotonic()))

    def _follow(self, person: Person, cover: Ordered) -> None:
        """Read the stream of events to its end, and open it again when it breaks."""
        path = f"/api/generation-events/{cover.generation_id}"
        while time.monotonic() < cover.at + PATIENCE_S:
            began = time.monotonic()
            try:
                with person.stream("GET", path) as answer:
                    self._note(began, answer.status_code, f"GET {path}")
                    if any(f'"status":"{end}"' in line for line in answer.iter_lines() for end in TERMINAL):
                        cover.took = time.monotonic() - cover.at
                        cover.ended = person.status(cover.generation_id)["status"]
                        return
            except (httpx.TransportError, AssertionError):
                pass  # a stream may break; it has had its status
            time.sleep(AGAIN_S)
        raise TimeoutError(f"cover {cover.generation_id} has not ended")

    def _thumbnail(self, person: Person, cover: Ordered) -> str:
        answer = self._ask(person, "GET", f"/api/generation-status/{cover.generation_id}")
        if answer is None or answer.status_code != 200 or not answer.json()["result"]:
            return ""
        return str(answer.json()["result"]["thumbnailUrl"])

    def _ask(
        self, person: Person, method: str, path: str, *, json: object = None, key: str = ""
    ) -> httpx.Response | None:
        began = time.monotonic()
        try:
            answer = person.request(method, path, json=json, headers={"idempotency-key": key} if key else {})
        except httpx.TransportError as error:
            self._note(began, 0, f"{method} {path}: {type(error).__name__}")
            return None
        self._note(began, answer.status_code, f"{method} {path}")
        return answer

    def _note(self, began: float, status: int, what: str) -> None:
        now = time.monotonic()
        self.answers.append(Answer(now, now - began, status, what))


class Outcome(msgspec.Struct, kw_only=True):
    """What became of all covers that were accepted."""

    accepted: int
    completed: int
    given_back: int
    lost: int
    twice: int
    bought_again: int


def outcome(cluster: Cluster, traffic: Traffic) -> Outcome:
    """Compare what was accepted with what is stored."""
    people = ", ".join(str(person.id) for person in traffic.people)
    rows = cluster.sql(f"SELECT CAST(id AS TEXT) AS id, state FROM generation WHERE user_id IN ({people})")
    covers = cluster.sql(f"SELECT CAST(generation_id AS TEXT) AS id FROM cover WHERE user_id IN ({people})")
    units = cluster.sql(f"SELECT CAST(generation_id AS TEXT) AS id, state FROM quota_entry WHERE user_id IN ({people})")
    state = {row["id"]: row["state"] for row in rows}
    accepted = [cover.generation_id for cover in traffic.ordered]
    shown = Counter(row["id"] for row in covers)
    paid = Counter(row["id"] for row in units if row["state"] == "committed")
    completed = [each for each in accepted if state.get(each) == "completed" and shown[each] and paid[each]]
    given_back = [each for each in accepted if state.get(each) in ("failed", "canceled") and not paid[each]]
    calls = Counter(call["key"] for call in cluster.stub.calls())
    return Outcome(
        accepted=len(accepted),
        completed=len(completed),
        given_back=len(given_back),
        lost=len(accepted) - len(completed) - len(given_back),
        # a second row for one order, a second cover or unit for one row
        twice=len(rows) - len(set(accepted)) + sum((shown - Counter(set(shown)) + paid - Counter(set(paid))).values()),
        bought_again=sum(max(0, calls[each] - 1) for each in accepted),
    )
