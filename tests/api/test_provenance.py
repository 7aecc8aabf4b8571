"""Where a cover's picture comes from: a model or a program, and every step on the way."""

from tests.person import Person
from tests.product import Product


def provenance(person: Person, cover_id: int) -> dict[str, object]:
    answer = person.get(f"/api/covers/{cover_id}/provenance")
    assert answer.status_code == 200, answer.text
    told: dict[str, object] = answer.json()
    return told


def test_a_models_picture_is_told_with_its_words(ada: Person) -> None:
    cover = ada.cover(prompt="a lighthouse in a storm")
    told = provenance(ada, cover["id"])
    assert told["aiMade"] is True
    (step,) = told["steps"]  # type: ignore[misc]
    assert (step["words"], step["byProgram"], step["references"]) == ("a lighthouse in a storm", False, 0)
    assert step["provider"] and step["model"] and step["madeAt"]
    assert (told["sourceType"], told["isSigned"]) == ("trainedAlgorithmicMedia", True)


def test_a_refinement_is_a_step_and_going_back_takes_it_away(shared_product: Product) -> None:
    ada = shared_product.user()
    cover = ada.cover()
    started = ada.post(f"/api/covers/{cover['id']}/refine", json={"change": "darker", "version": 1})
    ada.finished(started.json()["generationId"])
    words = [step["words"] for step in provenance(ada, cover["id"])["steps"]]  # type: ignore[attr-defined]
    assert words == ["a lighthouse in a storm", "darker"]
    ada.post(f"/api/covers/{cover['id']}/lettering/versions/1/restore", json={"version": 2})
    words = [step["words"] for step in provenance(ada, cover["id"])["steps"]]  # type: ignore[attr-defined]
    assert words == ["a lighthouse in a storm"]


def test_a_cover_in_the_bin_and_that_of_somebody_else_tell_nothing(ada: Person, bob: Person) -> None:
    cover = ada.cover()["id"]
    assert bob.get(f"/api/covers/{cover}/provenance").status_code == 404
    ada.delete(f"/api/covers/{cover}")
    assert ada.get(f"/api/covers/{cover}/provenance").status_code == 404


def test_the_built_in_artist_is_a_program_and_the_answer_is_no(drawn_here: Product) -> None:
    ada = drawn_here.user(pro=True)
    cover = ada.cover()
    told = provenance(ada, cover["id"])
    assert told["aiMade"] is False and told["sourceType"] == "algorithmicMedia"
    assert [step["byProgram"] for step in told["steps"]] == [True]  # type: ignore[attr-defined]
    book = ada.post("/api/books", json={"coverId": cover["id"]}).json()
    pack = ada.pack_made(ada.post(f"/api/books/{book['id']}/pack", json={}).json()["id"])
    assert pack["status"] == "completed"
