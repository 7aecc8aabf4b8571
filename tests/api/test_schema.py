"""The OpenAPI document: generated calls never fail with a 5xx, and responses match the schemas."""

import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.python._constants.orchestrator import make_constants_value_source
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from kernel.core.config import PROJECT_ROOT
from tests.person import Person
from tests.running_product import RunningProduct
from tests.support.applications import described

EXAMPLES = 6
WITHOUT_BODY = (204, 303)
ENDS_THE_SESSION = ("signOut", "logout", "logoutByNavigation", "changePassword", "endSession", "claimSetup")
BARE_SUCCESS = ("200", "reportLogout")
"""OpenID Connect Back-Channel Logout 1.0, §2.8, asks for this status, and for no body."""

A_LETTER_FOLLOWS = ("forgotPassword", "requestEmailLink", "changeEmail", "sendConfirmation")
SLOW_ON_PURPOSE = ("register", "signIn")
TAKES_FILES = ("checkFile", "readTemplate")
"""The body is a file, which cannot be made up from the document."""

METHODS = ("get", "head", "post", "put", "patch", "delete")
WRITTEN: dict[str, Any] = json.loads((PROJECT_ROOT / "web" / "openapi.json").read_bytes())
"""The document from which the web client is made."""

STARTS_ANEW = ("beginRestart",)
"""Replaces the processes that answer, amid the other calls."""

LEFT_OUT = {*ENDS_THE_SESSION, *SLOW_ON_PURPOSE, *TAKES_FILES, *STARTS_ANEW}
OPERATIONS = [
    (method, path)
    for path, methods in WRITTEN["paths"].items()
    for method, operation in methods.items()
    if method in METHODS and operation["operationId"] not in LEFT_OUT
]


@cache
def document() -> dict[str, Any]:
    """Return the document as the application gives it."""
    return described().openapi_schema.to_schema()


@cache
def schema() -> tuple[Any, FeedbackSources]:
    """Return what calls are made up from; only the process that makes them needs the time for it."""
    made = schemathesis.openapi.from_dict(document())
    return made, FeedbackSources(constants_value_source=make_constants_value_source(made))


@pytest.fixture(scope="module")
def scratch_product() -> Iterator[RunningProduct]:
    """A product that the calls may change in any way."""
    product = RunningProduct(fresh=True).start()
    yield product
    product.close()


@pytest.fixture(scope="module")
def people() -> dict[bool, Person]:
    """A user, and an administrator under True; who may call what is the matrix's matter, see matrix.toml."""
    return {}


@pytest.fixture
def sessions(scratch_product: RunningProduct, people: dict[bool, Person]) -> dict[bool, dict[str, str]]:
    """Cookies of both. Some calls end sessions: then somebody else goes on."""
    for admin in (False, True):
        if admin not in people or people[admin].get("/api/auth/user").status_code != 200:
            people[admin] = scratch_product.user(admin=admin)
    return {admin: dict(person.cookies) for admin, person in people.items()}


@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=[f"{m.upper()} {path}" for m, path in OPERATIONS])
def test_calls_made_up_from_the_document(
    method: str, path: str, scratch_product: RunningProduct, sessions: dict[bool, dict[str, str]]
) -> None:
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def call(case: schemathesis.Case) -> None:
        cookies = sessions[case.path.startswith("/api/admin/")]
        answer = case.call(base_url=scratch_product.url, cookies=cookies)
        case.validate_response(answer, checks=[not_a_server_error, status_code_conformance])
        if answer.status_code in WITHOUT_BODY:
            assert answer.content == b""
        else:
            case.validate_response(answer, checks=[content_type_conformance, response_schema_conformance])

    operations, feedback = schema()
    build_operation_test(
        config=operations.config,
        operation=operations[path][method.upper()],
        test_func=call,
        given_kwargs={},
        feedback=feedback,
    )()


def test_the_web_client_is_made_from_this_document() -> None:
    assert msgspec.json.decode(msgspec.json.encode(document())) == WRITTEN


def test_an_address_without_end_is_refused(scratch_product: RunningProduct) -> None:
    ada = scratch_product.user()
    raw = f"GET /api/covers?search={'x' * 1_000_000} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", scratch_product.port), timeout=20) as connection:
        with suppress(BrokenPipeError, ConnectionResetError):  # refused before the request was completely sent
            connection.sendall(raw.encode())
        try:
            status = connection.recv(64)
        except ConnectionResetError:
            status = b""
    assert status == b"" or status.startswith(b"HTTP/1.1 4"), status
    assert ada.get("/api/covers").status_code == 200


def test_every_operation_has_a_name_and_every_answer_a_shape() -> None:
    names = []
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            if method in METHODS:
                names.append(operation["operationId"])
                for status, answer in operation["responses"].items():
                    silent = status == "202" and operation["operationId"] in A_LETTER_FOLLOWS
                    silent = silent or (status, operation["operationId"]) == BARE_SUCCESS
                    assert silent or status in ("204", "303") or "content" in answer, (method, path, status)
    assert len(names) == len(set(names))
    assert all(name.isidentifier() and name[0].islower() for name in names)
