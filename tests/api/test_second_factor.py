"""Second factors in the whole product: the shell's way back, and what the doctor and the export say."""

from typing import Any

import pyotp

from kernel.core import clock
from tests.person import Person, fault
from tests.product import PASSWORD, Product

OWN = "/api/account/second-factor"


def with_app(product: Product, *, admin: bool = False) -> tuple[Person, list[str]]:
    """Return somebody with an authenticator app, and the recovery codes."""
    person = product.user(admin=admin)
    secret = person.post(f"{OWN}/app").json()["secret"]
    code = pyotp.TOTP(secret).at(int(clock.now_unix()))
    answer = person.post(f"{OWN}/app/confirm", json={"code": code})
    assert answer.status_code == 200, answer.text
    return person, answer.json()["recoveryCodes"]


def first_step(product: Product, person: Person) -> dict[str, Any]:
    """Sign in with the password in another browser and return the answer."""
    body = {"email": person.user["email"], "password": PASSWORD}
    answer: dict[str, Any] = product.visitor().post("/api/auth/sign-in", json=body).json()
    return answer


def test_the_shell_removes_second_factors(product: Product) -> None:
    person, _ = with_app(product)
    assert "secondStep" in first_step(product, person)
    done = product.command("admin", "remove-second-factors", person.user["email"])
    assert (done.returncode, done.stdout) == (0, "Done.\n")
    assert first_step(product, person)["email"] == person.user["email"]
    unknown = product.command("admin", "remove-second-factors", "nobody@example.org")
    assert unknown.returncode == 1 and "no account" in unknown.stderr


def test_the_shell_lets_administrators_in_again(product: Product) -> None:
    (asking, _), other = with_app(product, admin=True), product.user(admin=True)
    answer = asking.put("/api/admin/sign-in-policy", json={"adminsNeedSecondFactor": True})
    assert answer.status_code == 200, answer.text
    try:
        refused = other.get("/api/admin/users")
        assert (refused.status_code, fault(refused)["code"]) == (403, "second_factor_missing")
    finally:
        assert product.command("admin", "optional-second-factor").returncode == 0
    assert other.get("/api/admin/users").status_code == 200


def test_the_shell_allows_passwords(product: Product) -> None:
    done = product.command("admin", "allow-passwords")
    assert (done.returncode, done.stdout) == (0, "Done.\n")
    assert product.user(admin=True).get("/api/admin/sign-in-policy").json()["adminsOnlyIssuer"] is False


def test_the_doctor_finds_nothing_wrong(product: Product) -> None:
    person, codes = with_app(product)
    assert person.post("/api/auth/reauthenticate", json={"recoveryCode": codes[0]}).status_code == 204
    found = product.command("doctor", "--quick")
    assert "ok     recovery codes belong to a second factor, and each one has them" in found.stdout
    assert "ok     a deleted account keeps no second factor" in found.stdout
