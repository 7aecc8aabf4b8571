"""The OpenAPI document, taken at its word: calls made up from it never fail on our side, and answers fit it."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from kernel.app import create_app
from kernel.core.config import load_config
from tests.product import Product

EXAMPLES = 6
WITHOUT_BODY = (204, 303)
ENDS_THE_SESSION = ("signOut", "logout", "logoutByNavigation", "changePassword", "endSession", "claimSetup")
A_LETTER_FOLLOWS = ("forgotPassword", "changeEmail", "sendConfirmation")
SLOW_ON_PURPOSE = ("register", "signIn")
DOCUMENT: dict[str, Any] = create_app(
    load_config({"COVERWRIGHT_DATA": "/nonexistent/unused"})
).openapi_schema.to_schema()
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT).exclude(operation_id=[*ENDS_THE_SESSION, *SLOW_ON_PURPOSE])


@pytest.fixture(scope="module")
def plaything() -> Iterator[Product]:
    """A product of which nothing has to be put back."""
    product = Product().start()
    yield product
    product.close()


@pytest.fixture(params=["user", "administrator"])
def cookies(request: pytest.FixtureRequest, plaything: Product) -> dict[str, str]:
    """Session of a user, then of an administrator."""
    return dict(plaything.user(admin=request.param == "administrator").cookies)


@SCHEMA.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_calls_made_up_from_the_document(case: schemathesis.Case, plaything: Product, cookies: dict[str, str]) -> None:
    answer = case.call(base_url=plaything.url, cookies=cookies)
    case.validate_response(answer, checks=[not_a_server_error, status_code_conformance])
    if answer.status_code in WITHOUT_BODY:
        assert answer.content == b""
    else:
        case.validate_response(answer, checks=[content_type_conformance, response_schema_conformance])


def test_every_operation_has_a_name_and_every_answer_a_shape() -> None:
    names = []
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            if method in ("get", "post", "put", "patch", "delete"):
                names.append(operation["operationId"])
                for status, answer in operation["responses"].items():
                    silent = status == "202" and operation["operationId"] in A_LETTER_FOLLOWS
                    assert silent or status in ("204", "303") or "content" in answer, (method, path, status)
    assert len(names) == len(set(names))
    assert all(name.isidentifier() and name[0].islower() for name in names)
