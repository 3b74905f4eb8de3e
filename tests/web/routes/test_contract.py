"""The interface is as described: Schemathesis tries everything the description promises."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import AsyncMock

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import zerosum
from tests.game_files import NOUGHTS
from tests.web.support import Inside, Visitor, new_key
from zerosum.documents import MatchDocument
from zerosum.web import answers
from zerosum.web.refusals import STATUS
from zerosum.web.routes.openapi import PATTERNS
from zerosum.web.routes.urls import openapi

KEY = "[A-Za-z0-9_-]{22,64}"
MOST = settings().max_examples
# More where there is a body to get wrong.
EXAMPLES = {"get": max(1, MOST // 16), "post": max(1, MOST // 6)}
GAMES = (*zerosum.games(), "noughts-and-crosses")


class Running(NamedTuple):
    """A server, a visitor, and what exists there: her matches of all kinds, and a puzzle."""

    server: Inside
    ada: Visitor
    ids: list[str]
    puzzle: str


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("contract")
    with Inside(folder / "a.db", processes=True, files=(NOUGHTS,)) as server:
        ada = server.visitor()
        puzzle = ada.get("/api/v1/puzzle?game=even-steven").json()["id"]
        yield Running(server, ada, list(matches(ada, server.visitor())), puzzle)


def matches(ada: Visitor, bob: Visitor) -> Iterator[str]:
    """Create matches of all kinds, and return their ids."""
    for fields in (
        {"mode": "here", "games": 99},
        {"mode": "here", "game": "digit-battle"},
        {"mode": "here", "game": "noughts-and-crosses", "games": 99},
        {"mode": "bot", "level": "random", "game": "number-navigator", "games": 99},
        {"mode": "friend", "games": 99},
        {"mode": "friend", "watch": False},
        {"mode": "friend", "coach": "on"},
        {"mode": "friend"},
    ):
        game = str(fields.pop("game", "even-steven"))
        id_ = ada.create(game, **fields)["id"]
        if fields["mode"] == "friend" and fields != {"mode": "friend"}:
            bob.join(id_)
        yield id_
    for game, moves, end in (
        ("even-steven", "1 2 1", "resign"),
        ("noughts-and-crosses", "b2 a1 c3", "draw"),
    ):
        ada.create(game, mode="here", names=["Ada", "Bob"])
        for move in moves.split():
            ada.do("move", move=move)
        ada.do(end)
        yield ada.id


def test_every_answer_is_as_described(running: Running) -> None:
    """Requests with random fields, right and wrong; half of them about existing matches.

    What fits the description may still break a rule of a game, or of a match as it stands: so
    that a good request is accepted is not among the checks.
    """
    import schemathesis
    from schemathesis.checks import load_all_checks
    from schemathesis.generation import GenerationMode
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    load_all_checks()
    described: Any = schemathesis.openapi.from_dict(openapi())
    for found in described.get_all_operations():
        operation = found.ok()
        cases = operation.as_strategy()
        varied = operation.body or list(operation.iter_parameters())
        if varied:
            cases = cases | operation.as_strategy(GenerationMode.NEGATIVE)
        # A stream of what exists would not end.
        exists = st.just(False) if operation.label.endswith("/events") else st.booleans()

        @given(cases, exists)
        @settings(
            max_examples=EXAMPLES[operation.method] if varied else 1,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        def check(case: Any, exists: bool) -> None:
            visitor = running.server.visitor()
            if exists:
                visitor = running.ada
                fill(case, running)
            sent = case.as_transport_kwargs(base_url="http://localhost")
            parts = ("params", "headers", "json")
            more = {name: sent[name] for name in parts if name in sent}
            if "data" in sent:
                more["content"] = sent["data"]
            answer = visitor.wire.request(sent["method"], sent["url"], **more)
            case.validate_response(answer, excluded_checks=[positive_data_acceptance])

        check()


def test_unknown_fields_are_refused(running: Running) -> None:
    """Good requests with one field more, in the address or the body."""
    import schemathesis

    described: Any = schemathesis.openapi.from_dict(openapi())
    for found in described.get_all_operations():
        operation = found.ok()

        @given(operation.as_strategy())
        @settings(max_examples=2, deadline=None, database=None)
        def check(case: Any) -> None:
            fill(case, running)
            sent = case.as_transport_kwargs(base_url="http://localhost")
            query, body = sent.get("params") or {}, sent.get("json")
            requests: list[Any] = [{"params": {**query, "unknown": "1"}, "json": body}]
            if body is not None:
                requests.append({"params": query, "json": {**body, "unknown": 1}})
            for more in requests:
                answer = running.ada.wire.request(sent["method"], sent["url"], **more)
                code = answer.json()["error"]["code"]
                assert code in ("invalid", "malformed"), sent  # a name can be a null character

        check()


def test_answers_have_no_other_fields_than_described() -> None:
    for name, schema in openapi()["components"]["schemas"].items():
        assert schema["additionalProperties"] is False, name


def test_accepted_requests_are_answered_as_defined(tmp_path: Path) -> None:
    with Inside(tmp_path / "a.db", files=(NOUGHTS,)) as server:
        ada, bob = server.visitor(), server.visitor()

        def check(kind: Any, path: str, body: Any = None) -> Any:
            answer = ada.get(path) if body is None else ada.post(path, body)
            assert answer.status_code in (200, 201), answer.text
            document = answer.json()
            msgspec.convert(document, kind)
            return document

        def act(**fields: Any) -> Any:
            asked = {"key": new_key(), "ply": ada.see()["ply"], **fields}
            return check(answers.TableView, f"/api/v1/matches/{ada.id}/actions", asked)

        for game, move in (("even-steven", "1"), ("noughts-and-crosses", "b2")):
            new = {"key": new_key(), "game": game, "mode": "here", "coach": "on", "clock": 60}
            ada.id = check(answers.TableView, "/api/v1/matches", new)["id"]
            done = act(action="move", move=move)
            assert done["news"][-1]["kind"] == "move"
            assert done["played"] == [move]
            assert done["legal"] == [choice["move"] for choice in done["moves"] if choice["legal"]]
            there = check(answers.Position, f"/api/v1/games/{game}/position?state={done['state']}")
            assert there["state"] == done["state"]
            advice = check(answers.Advice, f"/api/v1/matches/{ada.id}/coach")
            assert advice["ply"] == done["ply"]
            asked = {"key": new_key(), "ply": done["ply"], "action": "resign"}
            check(answers.TableView, f"/api/v1/matches/{ada.id}/actions", asked)
            check(answers.TableView, f"/api/v1/matches/{ada.id}")
            check(MatchDocument, f"/api/v1/matches/{ada.id}/record")
            check(answers.GameReview, f"/api/v1/matches/{ada.id}/review")
            fork = {"key": new_key(), "ply": 0, "level": "random"}
            check(answers.TableView, f"/api/v1/matches/{ada.id}/fork", fork)
            check(answers.Position, f"/api/v1/games/{game}/position")
            check(answers.VariantTheory, f"/api/v1/games/{game}/theory")
            check(answers.Rulebook, f"/api/v1/games/{game}/rules")
        id_ = bob.create()["id"]
        check(answers.TableView, f"/api/v1/matches/{id_}/join", {"key": new_key(), "name": "Cleo"})
        puzzle = check(answers.PosedPuzzle, "/api/v1/puzzle?game=even-steven")["id"]
        check(answers.PuzzleAnswer, "/api/v1/puzzle", {"id": puzzle, "give_up": True})
        check(answers.Games, "/api/v1/games")
        check(answers.Health, "/healthz")
        ada.create(coach="on", mode="here")
        large = "It is too large."
        nothing = msgspec.to_builtins(answers.Advice(reason=large, title=large))
        server.site.pool.ask = AsyncMock(return_value=nothing)  # type: ignore[method-assign]
        check(answers.Advice, f"/api/v1/matches/{ada.id}/coach")
        wrong = ada.wire.request("DELETE", "/api/v1/games").json()
        allowed = str(msgspec.convert(wrong, answers.Error).error.allow)
        assert set(allowed.split(", ")) == {"GET", "HEAD"}
        server.site.pool.problems = lambda: ["The solver has stopped."]  # type: ignore[method-assign]
        failing = ada.get("/healthz")
        assert failing.status_code == 503
        msgspec.convert(failing.json(), answers.Health)


def fill(case: Any, running: Running) -> None:
    """Replace possible values by existing ones; impossible values stay."""
    body = case.body if isinstance(case.body, dict) else {}
    if fits(body.get("key"), KEY):
        body["key"] = new_key()
    if fits(body.get("id"), ".{1,100}"):
        body["id"] = running.puzzle
    given = case.path_parameters.get("game")
    if fits(given, PATTERNS["game"]):
        case.path_parameters["game"] = GAMES[sum(map(ord, given)) % len(GAMES)]
    given = case.path_parameters.get("id")
    if not fits(given, PATTERNS["id"]):
        return
    case.path_parameters["id"] = running.ids[sum(map(ord, given)) % len(running.ids)]
    ply = body.get("ply")
    if type(ply) is int and 0 <= ply <= 10**9 and "action" in body:
        body["ply"] = running.ada.see(case.path_parameters["id"])["ply"]


def fits(value: Any, pattern: str) -> bool:
    """Return whether a value matches its schema."""
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def operations() -> list[Any]:
    """Return every operation of the description."""
    return [operation for path in openapi()["paths"].values() for operation in path.values()]


def test_operation_ids_are_unique_and_references_resolve() -> None:
    document, names = openapi(), [operation["operationId"] for operation in operations()]
    assert len(set(names)) == len(names)
    found = set(re.findall(r"'#/components/schemas/(\w+)'", repr(document)))
    assert found == set(document["components"]["schemas"])


def test_every_code_is_documented_with_its_status() -> None:
    documented: dict[str, str] = {}
    for operation in operations():
        for status, answer in operation["responses"].items():
            documented[status] = f"{documented.get(status)} {answer['description']}"
    pages_only = {"method", "no_page"}  # of addresses that are not described
    for code, status in STATUS.items():
        if code not in pages_only:
            assert code in re.findall(r"\w+", documented[str(status)]), code
